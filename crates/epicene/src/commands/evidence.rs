//! Words that decided, as lines and as JSON: what `detect` and `judge` print alike.

use std::io::{self, Write};

use epicene_lang::Evidence;
use serde::Serialize;

#[derive(Serialize)]
pub struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

pub fn words(evidence: &[Evidence]) -> Vec<Word<'_>> {
    let word = |word: &'_ Evidence| (word.start, word.end);
    evidence
        .iter()
        .map(|evidence| Word {
            text: &evidence.text,
            start: word(evidence).0,
            end: word(evidence).1,
        })
        .collect()
}

/// One line: verdict, rule, evidence, text.
pub fn line(
    out: &mut impl Write,
    letter: char,
    rule: &str,
    evidence: &[Evidence],
    text: &str,
) -> io::Result<()> {
    write!(out, "{letter}\t{rule}\t")?;
    for (index, word) in evidence.iter().enumerate() {
        let separator = if index == 0 { "" } else { " " };
        write!(out, "{separator}{}@{}-{}", word.text, word.start, word.end)?;
    }
    // A tab inside the text would be a column.
    if text.contains('\t') {
        writeln!(out, "\t{}", text.replace('\t', " "))
    } else {
        writeln!(out, "\t{text}")
    }
}
