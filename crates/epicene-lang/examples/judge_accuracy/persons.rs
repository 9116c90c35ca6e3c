//! The person judge on people of real translations (`../shared/data/gold/persons`): with the right word
//! given, and with the built-in aligner.
//!
//!     cargo run -p epicene-lang --example judge_accuracy -- persons [de,fr] [--errors 40] [--links given|built-in]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use epicene_lang::occupation::{JudgeMode, NounGender, OccupationJudge, OccupationVerdict};

/// One person in one translation.
struct Row {
    sentence: String,
    index: usize,
    head: String,
    plural: bool,
    feminine: bool,
    translation: String,
    noun: Option<usize>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    people: usize,
    right: usize,
    woman_as_man: usize,
    man_as_woman: usize,
    women: usize,
}

impl Tally {
    fn add(&mut self, row: &Row, gender: Option<NounGender>) -> bool {
        self.people += 1;
        self.women += usize::from(row.feminine);
        match (row.feminine, gender) {
            (true, Some(NounGender::Feminine)) | (false, Some(NounGender::Masculine)) => {
                self.right += 1;
                return true;
            }
            (true, Some(NounGender::Masculine)) => self.woman_as_man += 1,
            (false, Some(NounGender::Feminine)) => self.man_as_woman += 1,
            _ => {}
        }
        false
    }

    fn print(&self, code: &str, links: &str, number: &str) {
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        let wrong = self.woman_as_man + self.man_as_woman;
        println!(
            "{code:<4}{links:<10}{number:<5}{:>6}{:>8.1}{:>8.1}{:>8.1}{:>8.1}",
            self.people,
            share(self.right, self.people),
            share(self.woman_as_man, self.women),
            share(self.man_as_woman, self.people - self.women),
            share(self.people - self.right - wrong, self.people),
        );
    }
}

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| *argument == name)?;
        arguments.get(at + 1).copied()
    };
    let errors: usize = option("--errors").map_or(Ok(0), str::parse)?;
    let folder = option("--gold").map_or_else(|| super::shared("gold/persons"), PathBuf::from);
    let codes: Vec<&str> = match arguments.first().filter(|first| !first.starts_with("--")) {
        Some(codes) => codes.split(',').collect(),
        None => OccupationJudge::languages(),
    };
    println!("percent; right and unknown of all, wrong of the women and of the men");
    println!("lang links     num   people   right  f as m  m as f unknown");
    for code in codes {
        let Some(judge) = OccupationJudge::for_language(code) else {
            println!("{code}: no judge");
            continue;
        };
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{code}.tsv"))) else {
            continue;
        };
        let rows: Vec<Row> = text.lines().skip(1).filter_map(row).collect();
        for links in ["given", "built-in"] {
            if option("--links").is_none_or(|wanted| wanted == links) {
                measure(judge, &rows, links, errors);
            }
        }
    }
    Ok(())
}

fn row(line: &str) -> Option<Row> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [
        _,
        _,
        sentence,
        index,
        head,
        _,
        number,
        gold,
        translation,
        _,
        noun,
    ] = columns[..]
    else {
        return None;
    };
    Some(Row {
        sentence: sentence.to_owned(),
        index: index.parse().ok()?,
        head: head.to_owned(),
        plural: number == "pl",
        feminine: gold == "f",
        translation: translation.to_owned(),
        noun: noun.parse().ok(),
    })
}

fn measure(judge: &OccupationJudge, rows: &[Row], links: &str, errors: usize) {
    let verdicts = match links {
        "given" => rows.iter().map(|row| given(judge, row)).collect(),
        _ => built_in(judge, rows),
    };
    let mut tallies = [Tally::default(); 3];
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = 0;
    for (row, verdict) in rows.iter().zip(&verdicts) {
        let right = tallies[0].add(row, verdict.gender);
        tallies[1 + usize::from(row.plural)].add(row, verdict.gender);
        if !right {
            *rules.entry(verdict.rule).or_default() += 1;
            if shown < errors {
                shown += 1;
                let words: Vec<&str> = verdict.evidence.iter().map(|e| e.text.as_str()).collect();
                let noun = row
                    .noun
                    .and_then(|at| row.translation.split_whitespace().nth(at));
                println!(
                    "  {}{} {:?} ({} {words:?}) {} = {} | {} | {}",
                    if row.feminine { 'f' } else { 'm' },
                    if row.plural { 'p' } else { 's' },
                    verdict.gender,
                    verdict.rule,
                    row.head,
                    noun.unwrap_or("?"),
                    row.translation,
                    row.sentence,
                );
            }
        }
    }
    for (tally, number) in tallies.iter().zip(["all", "sg", "pl"]) {
        tally.print(judge.language(), links, number);
    }
    if errors > 0 {
        println!("  {rules:?}");
    }
}

/// The judge on the word the gold file names.
fn given(judge: &OccupationJudge, row: &Row) -> OccupationVerdict {
    let tokens = judge.tokens(&row.translation);
    let mut start = 0;
    let mut span = 0..0;
    for (at, word) in row.translation.split(' ').enumerate() {
        let length = word.chars().count();
        if Some(at) == row.noun {
            span = start..start + length;
        }
        start += length + 1;
    }
    let inside = |at: &usize| span.contains(&tokens[*at].start);
    let positions: Vec<usize> = (0..tokens.len()).filter(inside).collect();
    judge.judge(
        &row.translation,
        &tokens,
        &positions,
        &row.head,
        JudgeMode::Default,
    )
}

fn built_in(judge: &OccupationJudge, rows: &[Row]) -> Vec<OccupationVerdict> {
    let _ = rows.iter().map(|row| (&row.sentence, row.index));
    rows.iter()
        .map(|row| {
            let tokens = judge.tokens(&row.translation);
            judge.judge(
                &row.translation,
                &tokens,
                &[],
                &row.head,
                JudgeMode::Default,
            )
        })
        .collect()
}
