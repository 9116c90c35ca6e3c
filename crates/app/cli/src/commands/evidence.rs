//! Words that decided, as lines and as JSON: what `detect` and `judge` print alike.

use std::io::{self, Write};

use epicene_core::{Span, Verdict};
use serde::Serialize;

#[derive(Serialize)]
pub struct Word<'a> {
    text: &'a str,
    start: u32,
    end: u32,
}

pub fn words<'a>(evidence: &[Span], text: &'a str) -> Vec<Word<'a>> {
    let word = |span: &Span| Word {
        text: span.of(text),
        start: span.start,
        end: span.end,
    };
    evidence.iter().map(word).collect()
}

/// The words with their spans, separated by spaces.
pub fn list(out: &mut impl Write, words: &[Word]) -> io::Result<()> {
    for (index, word) in words.iter().enumerate() {
        let separator = if index == 0 { "" } else { " " };
        write!(out, "{separator}{}@{}-{}", word.text, word.start, word.end)?;
    }
    Ok(())
}

/// One line: verdict, rule, evidence, text.
pub fn line(out: &mut impl Write, letter: char, verdict: &Verdict, text: &str) -> io::Result<()> {
    write!(out, "{letter}\t{}\t", verdict.rule)?;
    list(out, &words(&verdict.evidence, text))?;
    // A tab inside the text would be a column.
    if text.contains('\t') {
        writeln!(out, "\t{}", text.replace('\t', " "))
    } else {
        writeln!(out, "\t{text}")
    }
}
