//! Does the first-letter heuristic find gender-swapped words? (GEST, Table 5.)
//!
//! Two texts are taken for a gender swap when, at the first word where they differ, both words
//! start with the same letter. Annotated pairs say whether they were: `C` swapped correctly, `G`
//! swapped but with another word, `X` not a swap.

use epicene_core::{InputError, Row, TextFile};
use epicene_stats::wilson;

use super::measures::LEVEL;
use crate::{BenchError, Card, RowWriter};

const LABELS: [&str; 3] = ["C", "G", "X"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnnotatedPair {
    pub masculine: String,
    pub feminine: String,
    pub label: String,
}

/// Whether the first differing words of the two texts start with the same character.
pub fn same_first_letter(masculine: &str, feminine: &str) -> bool {
    masculine
        .split_whitespace()
        .zip(feminine.split_whitespace())
        .find(|(masculine, feminine)| masculine != feminine)
        .is_some_and(|(masculine, feminine)| masculine.chars().next() == feminine.chars().next())
}

/// Blocks of three lines (masculine text, feminine text, label) between blank lines. A block of
/// another size is the key that opens the file, or a mistake.
pub(crate) fn read(file: &TextFile) -> Result<Vec<AnnotatedPair>, InputError> {
    let mut pairs = Vec::new();
    let mut block: Vec<(u64, &str)> = Vec::new();
    let lines = file.text.lines().map(str::trim_end).chain([""]);
    for (index, line) in lines.enumerate() {
        if !line.is_empty() {
            block.push((index as u64 + 1, line));
            continue;
        }
        match block.as_slice() {
            [] => {}
            [(_, masculine), (_, feminine), (_, label)] if LABELS.contains(label) => {
                pairs.push(AnnotatedPair {
                    masculine: (*masculine).to_owned(),
                    feminine: (*feminine).to_owned(),
                    label: (*label).to_owned(),
                });
            }
            // Before the first pair stands the key.
            _ if pairs.is_empty() => {}
            [(line, _), ..] => {
                let message = "expected two texts and a label C, G or X";
                return Err(InputError::new(&file.path, message).at_line(*line));
            }
        }
        block.clear();
    }
    if pairs.is_empty() {
        return Err(InputError::new(&file.path, "there are no annotated pairs"));
    }
    Ok(pairs)
}

/// Counts by label, and the precision of "same first letter" with its Wilson interval.
pub(crate) fn rows(card: &'static Card, pairs: &[AnnotatedPair]) -> Result<Vec<Row>, BenchError> {
    let mut writer = RowWriter::new(card, "first-letter", "swap-pairs");
    let positive = |pair: &&AnnotatedPair| same_first_letter(&pair.masculine, &pair.feminine);
    for label in LABELS {
        let labelled: Vec<&AnnotatedPair> = pairs.iter().filter(|p| p.label == label).collect();
        let hits = labelled.iter().filter(|pair| positive(pair)).count();
        let misses = labelled.len() - hits;
        let group = format!("label:{label}");
        for (metric, count) in [("positive", hits), ("negative", misses)] {
            writer.push(&group, metric, count as f64).n = Some(labelled.len() as u64);
        }
    }
    let accepted: Vec<&AnnotatedPair> = pairs.iter().filter(positive).collect();
    let correct = accepted.iter().filter(|pair| pair.label == "C").count();
    if !accepted.is_empty() {
        let share = correct as f64 / accepted.len() as f64;
        let interval = wilson(correct as u64, accepted.len() as u64, LEVEL)?;
        let row = writer.push("all", "precision", share);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some(accepted.len() as u64);
    }
    Ok(writer.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_differing_word_counts() {
        for (masculine, feminine, same) in [
            ("Bol som unavený.", "Bola som unavená.", true),
            ("Som herec.", "Som umelkyňa.", false),
            ("Šiel som.", "šla som.", false),
            ("Som doma.", "Som doma.", false),
            ("Som", "Som rada", false),
        ] {
            assert_eq!(same_first_letter(masculine, feminine), same, "{masculine}");
        }
    }

    #[test]
    fn the_key_is_skipped_and_broken_blocks_are_named() {
        let file = |text: &str| TextFile {
            path: "pairs.txt".to_owned(),
            name: "pairs.txt".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        };
        let pairs = read(&file("X - key\nG - key\n\nA\nB\nC\n\nD\nE\nX")).unwrap();
        assert_eq!(pairs.len(), 2);
        let error = read(&file("A\nB\nC\n\nD\nE\nQ\n")).unwrap_err();
        assert_eq!(error.line, Some(5));
        assert!(read(&file("nothing\n")).is_err());
    }
}
