//! The person judge on sentences that lead it astray: those of the reference data and our own.
//!
//!     cargo run -p epicene-lang --example judge_accuracy -- traps [own|unseen FILE] [de,fr] [--file FILE]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use epicene_lang::occupation::OccupationJudge;

#[path = "../../tests/it/support/person_traps.rs"]
pub mod person_traps;

use person_traps::{Tally, Worth};

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let file = arguments.iter().position(|argument| *argument == "--file");
    let file = file.and_then(|at| arguments.get(at + 1)).map(PathBuf::from);
    let file = file.unwrap_or_else(|| super::shared("gold/traps/person.tsv"));
    let (traps, rest) = match arguments {
        ["own", rest @ ..] => (person_traps::own(), rest),
        ["unseen", file, rest @ ..] => (person_traps::unseen(file), rest),
        rest => (person_traps::reference(&file).ok_or("no such file")?, rest),
    };
    let wanted = rest.first().filter(|first| !first.starts_with("--"));
    let mut classes: BTreeMap<String, Tally> = BTreeMap::new();
    let mut languages: BTreeMap<String, Tally> = BTreeMap::new();
    let mut total = Tally::default();
    for (code, traps) in &traps {
        if wanted.is_some_and(|wanted| !wanted.split(',').any(|wanted| wanted == code)) {
            continue;
        }
        let judge = OccupationJudge::for_language(code).ok_or("no judge for this language")?;
        for (trap, verdict) in traps.iter().zip(person_traps::verdicts(judge, traps)) {
            let mut tally = Tally::default();
            let worth = tally.add(trap.gold, verdict.finding);
            for sum in [
                classes.entry(trap.class.clone()).or_default(),
                languages.entry(code.clone()).or_default(),
                &mut total,
            ] {
                sum.join(&tally);
            }
            let vague = matches!(trap.gold, 'n' | 'i' | 'b') && verdict.finding.letter() == 'u';
            let mark = match worth {
                Worth::Right if vague => "vague",
                Worth::Right => continue,
                Worth::Open => "open ",
                Worth::Wrong => "WRONG",
            };
            let spans = verdict.evidence.iter();
            let words: Vec<&str> = spans.map(|span| span.of(&trap.text)).collect();
            println!(
                "{mark} {code} {} gold {} is {} ({} {words:?}) {} | {}",
                trap.class, trap.gold, verdict.finding, verdict.rule, trap.noun, trap.text
            );
        }
    }
    println!(
        "{:<32} {:>5} {:>8} {:>6} {:>6} {:>6}",
        "", "all", "gendered", "right", "wrong", "neut"
    );
    for (name, tally) in classes
        .iter()
        .chain(&languages)
        .chain([(&"all".to_owned(), &total)])
    {
        let [right, wrong] = tally.shares();
        println!(
            "{name:<32} {:>5} {:>8} {right:>6.1} {wrong:>6.1} {:>6}",
            tally.all, tally.gendered, tally.neutral
        );
    }
    Ok(())
}
