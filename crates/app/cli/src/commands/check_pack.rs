//! `epicene data check-pack`: a language pack judges its own gold sentences.

use epicene_core::{Finding, Gender};
use epicene_lang::first_person::pack;

use crate::args::CheckPackArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, packs};

/// Verdicts on sentences of one gold gender: masculine, feminine, none.
type Counts = [usize; 3];

fn place(gender: Option<Gender>) -> usize {
    match gender {
        Some(Gender::Masculine) => 0,
        Some(Gender::Feminine) => 1,
        None => 2,
    }
}

pub fn run(args: &CheckPackArgs) -> Result<Outcome, Failure> {
    let (pack, files) = packs::read(&args.folder)?;
    let gold = pack::gold(&files).map_err(|error| packs::complain(&args.folder, error))?;
    let Some(gold) = gold.filter(|lines| !lines.is_empty()) else {
        return Err(
            Failure::input(format!("{}: the pack has no gold sentences", args.folder.display()))
                .with_hint("name a file in language.toml: gold = \"gold.tsv\", with lines m, f or u, a tab, a sentence"),
        );
    };
    let detector = pack.detector();
    let mut counts = [Counts::default(); 3];
    let mut mistakes = Vec::new();
    for line in &gold {
        let verdict = detector.judge(&line.text);
        let found = match verdict.finding {
            Finding::Both => None,
            finding => finding.gender(),
        };
        counts[place(line.gender)][place(found)] += 1;
        if found != line.gender {
            let letter = |gender: Option<Gender>| gender.map_or('u', Gender::letter);
            let kind = if found.is_some() { "wrong" } else { "missed" };
            mistakes.push(format!(
                "{kind}\tline {}\t{} → {}\t{}\t{}",
                line.line,
                letter(line.gender),
                letter(found),
                verdict.rule,
                line.text
            ));
        }
    }
    let right = counts[0][0] + counts[1][1];
    let decided: usize = counts.iter().map(|row| row[0] + row[1]).sum();
    let gendered: usize = counts[..2].iter().flatten().sum();
    let share = |part: usize, whole: usize| match whole {
        0 => "–".to_owned(),
        whole => format!("{:.3}", part as f64 / whole as f64),
    };
    console::print(|out| {
        writeln!(
            out,
            "{}: {} gold sentences",
            pack.language().name(),
            gold.len()
        )?;
        writeln!(
            out,
            "precision\t{}\t{right} of {decided} verdicts",
            share(right, decided)
        )?;
        writeln!(
            out,
            "recall\t{}\t{right} of {gendered} sentences with a gender",
            share(right, gendered)
        )?;
        for (at, name) in [(0, "men"), (1, "women")] {
            let row = counts[at];
            let (own, other) = (row[at], row[1 - at]);
            writeln!(
                out,
                "{name}\t{}\t{own} of {} recognised, {other} taken for the other gender",
                share(own, row.iter().sum()),
                row.iter().sum::<usize>()
            )?;
        }
        let [m, f, none] = counts[2];
        writeln!(
            out,
            "no gender\t{}\t{none} of {} left open",
            share(none, m + f + none),
            m + f + none
        )?;
        for mistake in &mistakes {
            writeln!(out, "{mistake}")?;
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}
