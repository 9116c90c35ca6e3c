//! People of real translations with their gender (`gold/persons` of the reference data), and how the judge does
//! on them.

#![allow(dead_code, reason = "the tests and the example each use a part")]

use std::path::Path;

use epicene_lang::occupation::{JudgeMode, OccupationJudge};
use epicene_lang::person::PersonPair;
use epicene_lang::{Gender, Verdict};

/// One person in one translation.
pub struct Row {
    pub sentence: String,
    pub index: usize,
    pub head: String,
    pub plural: bool,
    pub feminine: bool,
    pub translation: String,
    pub noun: Option<usize>,
}

#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub people: usize,
    pub right: usize,
    pub woman_as_man: usize,
    pub man_as_woman: usize,
    pub women: usize,
}

impl Tally {
    pub fn add(&mut self, row: &Row, gender: Option<Gender>) -> bool {
        self.count(row.feminine, gender)
    }

    /// One person more; whether the gender is right.
    pub fn count(&mut self, feminine: bool, gender: Option<Gender>) -> bool {
        self.people += 1;
        self.women += usize::from(feminine);
        match (feminine, gender) {
            (true, Some(Gender::Feminine)) | (false, Some(Gender::Masculine)) => {
                self.right += 1;
                return true;
            }
            (true, Some(Gender::Masculine)) => self.woman_as_man += 1,
            (false, Some(Gender::Feminine)) => self.man_as_woman += 1,
            _ => {}
        }
        false
    }

    /// People, percent right, women called men, men called women, percent unknown.
    pub fn cells(&self) -> [String; 5] {
        let share = |count: usize, of: usize| match of {
            0 => "-".to_owned(),
            _ => format!("{:.1}", 100.0 * count as f64 / of as f64),
        };
        let wrong = self.woman_as_man + self.man_as_woman;
        [
            self.people.to_string(),
            share(self.right, self.people),
            share(self.woman_as_man, self.women),
            share(self.man_as_woman, self.people - self.women),
            share(self.people - self.right - wrong, self.people),
        ]
    }
}

/// The people of a language; `None` where there is no file.
pub fn rows(folder: &Path, code: &str) -> Option<Vec<Row>> {
    let text = std::fs::read_to_string(folder.join(format!("{code}.tsv"))).ok()?;
    Some(text.lines().skip(1).filter_map(row).collect())
}

/// The judge on the word the gold file names (`given`), or on what the built-in aligner finds.
pub fn verdicts(judge: &OccupationJudge, rows: &[Row], links: &str) -> Vec<Verdict> {
    match links {
        "given" => rows.iter().map(|row| given(judge, row)).collect(),
        _ => built_in(judge, rows),
    }
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

/// The judge on the word the gold file names.
fn given(judge: &OccupationJudge, row: &Row) -> Verdict {
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

/// The judge on the words the built-in aligner finds.
fn built_in(judge: &OccupationJudge, rows: &[Row]) -> Vec<Verdict> {
    let pairs: Vec<PersonPair> = rows
        .iter()
        .map(|row| PersonPair {
            source: &row.sentence,
            index: row.index,
            noun: &row.head,
            translation: &row.translation,
        })
        .collect();
    let links = judge.link_persons(&pairs);
    rows.iter()
        .zip(&links)
        .map(|(row, positions)| {
            let tokens = judge.tokens(&row.translation);
            judge.judge(
                &row.translation,
                &tokens,
                positions,
                &row.head,
                JudgeMode::Default,
            )
        })
        .collect()
}
