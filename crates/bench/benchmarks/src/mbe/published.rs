//! The paper's own scores, as baselines (Kaneko et al. 2022, Tables 1, 2, 4 and 5). Numbers only.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::published_tables;

/// MBE of one language's model on the two corpora, with the sentences (male + female) behind it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishedLanguage {
    pub language: String,
    pub ted: f64,
    pub news: f64,
    pub ted_sentences: Option<u64>,
    /// `None` where the released file could not be had.
    pub news_sentences: Option<u64>,
    /// Both counts as Table 1 prints them: `4.7K`.
    pub table1: [String; 2],
}

/// One model's bias by human-translated pairs, machine-translated pairs, MBE and templates.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishedMethods {
    pub model: String,
    pub ht: f64,
    pub mt: f64,
    pub mbe: f64,
    pub tmp: f64,
    pub diff: PrintedDifferences,
}

/// Differences to the human translations, as Tables 4 and 5 print them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PrintedDifferences {
    pub mt: String,
    pub mbe: String,
    pub tmp: String,
}

#[derive(Deserialize)]
struct File {
    languages: Vec<PublishedLanguage>,
    methods: Vec<PublishedMethods>,
}

fn file() -> &'static File {
    static FILE: LazyLock<File> = LazyLock::new(|| published_tables::read("mbe"));
    &FILE
}

pub fn languages() -> &'static [PublishedLanguage] {
    &file().languages
}

pub fn methods() -> &'static [PublishedMethods] {
    &file().methods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_are_there() {
        assert_eq!((languages().len(), methods().len()), (8, 6));
    }

    /// Scores of 262 pairs are k/262: the human and machine translations are, to the printed decimals.
    #[test]
    fn scores_of_pairs_are_shares_of_262() {
        let wins: Vec<u64> = methods()
            .iter()
            .flat_map(|model| [model.ht, model.mt])
            .map(|score| {
                let wins = (score * 2.62).round();
                assert!((100.0 * wins / 262.0 - score).abs() < 0.0051, "{score}");
                wins as u64
            })
            .collect();
        let human: Vec<u64> = wins.iter().copied().step_by(2).collect();
        assert_eq!(human, [138, 149, 127, 146, 123, 128]);
    }
}
