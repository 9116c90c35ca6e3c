//! The German classification against the authors' labels, and by hand.

use crate::wibemt_support::{shared, unpacked};
use epicene_bench::options::DetectorRules;
use epicene_bench::wibemt::german::{ChallengePart, classify};
use epicene_bench::wibemt::label::Label;

/// (translation, occupation, the authors' label) of every verb sentence.
fn categorised(system: &str) -> Option<Vec<(String, String, Label)>> {
    let path = shared(&format!("wibemt/verb_{system}_categorised.tsv.gz"))?;
    let text = unpacked(&path);
    let rows = text.lines().map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        (
            cells[4].to_owned(),
            cells[3].to_owned(),
            cells[5].parse().unwrap(),
        )
    });
    Some(rows.collect())
}

/// Issue: at least 4,150 of 4,158 for DeepL and 4,155 for Microsoft, unresolved counted as wrong.
#[test]
fn verb_sentences_get_the_authors_labels() {
    for (system, least) in [("deepl", 4150), ("microsoft", 4155)] {
        let Some(rows) = categorised(system) else {
            return;
        };
        assert_eq!(rows.len(), 4158);
        for judge in [DetectorRules::Published, DetectorRules::Epicene] {
            let mut equal = 0;
            let mut unresolved = 0;
            for (text, occupation, label) in &rows {
                let found = classify(text, occupation, ChallengePart::Verb, judge);
                let found_label = Label::of(found.finding);
                unresolved += usize::from(found_label.is_none());
                if found_label == Some(*label) {
                    equal += 1
                } else {
                    println!("{system} {judge} {occupation}: {text} {label}: {found:?}")
                }
            }
            println!("{system} {judge}: {equal} equal, {unresolved} unresolved");
            assert!(equal >= least, "{system} {judge}: {equal}");
        }
    }
}
