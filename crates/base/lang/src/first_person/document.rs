//! The gender a whole document gives to its speaker: a letter, a profile, an answer of several paragraphs.
//!
//! Every sentence is judged by itself, and the end of a line ends a sentence: headings and lists have no full stop.

use std::str::FromStr;

use epicene_core::{Finding, Span, Verdict};

use super::{Detector, strict};
use crate::Gender;
use crate::house::{both, shown, unmarked};

/// How the sentences of a document decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vote {
    /// The gender of more sentences; both genders on a tie.
    #[default]
    Majority,
    /// The gender of all sentences that show one; both genders if they differ.
    Unanimous,
}

impl FromStr for Vote {
    type Err = String;

    fn from_str(given: &str) -> Result<Vote, String> {
        match given {
            "majority" => Ok(Vote::Majority),
            "unanimous" => Ok(Vote::Unanimous),
            _ => Err(format!("`{given}` is none of majority, unanimous")),
        }
    }
}

/// What the sentences of a document show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The verdict with the evidence of every sentence that shows a gender.
    pub verdict: Verdict,
    pub sentences: usize,
    /// Sentences that show the speaker as a man, as a woman, and that name both genders.
    pub masculine: usize,
    pub feminine: usize,
    pub both: usize,
}

impl Detector {
    /// The gender that a document gives to its speaker. Sentences are read as the strict mode does, whatever the mode is.
    pub fn judge_document(&self, text: &str, vote: Vote) -> Document {
        let strict = self.strictly();
        let (mut sentences, mut masculine, mut feminine, mut inclusive) = (0, 0, 0, 0);
        let mut evidence: Vec<Span> = Vec::new();
        let mut before = 0;
        for line in text.split('\n') {
            strict::each_sentence(line, &strict, &mut |verdict| {
                sentences += 1;
                match verdict.finding {
                    Finding::Masculine => masculine += 1,
                    Finding::Feminine => feminine += 1,
                    Finding::Both => inclusive += 1,
                    _ => return,
                }
                let words = verdict.evidence.into_iter();
                evidence.extend(words.map(|word| word.behind(before)));
            });
            before += line.chars().count() + 1;
        }
        let rule = match vote {
            Vote::Majority => "majority",
            Vote::Unanimous => "unanimous",
        };
        let differ = match vote {
            Vote::Majority => masculine == feminine,
            Vote::Unanimous => masculine > 0 && feminine > 0 || inclusive > 0,
        };
        let verdict = match (masculine + feminine, inclusive) {
            (0, 0) => unmarked(),
            (0, _) => both(rule, evidence),
            _ if differ => both(rule, evidence),
            _ if masculine > feminine => shown(Gender::Masculine, rule, evidence),
            _ => shown(Gender::Feminine, rule, evidence),
        };
        Document {
            verdict,
            sentences,
            masculine,
            feminine,
            both: inclusive,
        }
    }
}

#[cfg(test)]
mod tests {
    use epicene_core::Language;

    use super::*;
    use crate::first_person::Mode;

    fn french(text: &str, vote: Vote) -> Document {
        let french = Language::find("fr").unwrap();
        let detector = Detector::of(french, Mode::Strict).unwrap();
        detector.judge_document(text, vote)
    }

    #[test]
    fn the_majority_of_the_sentences_decides() {
        let text = "Je suis motivée.\nJe suis sérieuse. Je suis parfois distrait.\nBien à vous";
        let letter = french(text, Vote::Majority);
        assert_eq!(letter.verdict.finding, Finding::Feminine);
        assert_eq!(
            (letter.feminine, letter.masculine, letter.sentences),
            (2, 1, 4)
        );
        let words: Vec<&str> = letter
            .verdict
            .evidence
            .iter()
            .map(|word| word.of(text))
            .collect();
        assert_eq!(
            words,
            ["suis", "motivée", "suis", "sérieuse", "suis", "distrait"]
        );
        assert_eq!(french(text, Vote::Unanimous).verdict.finding, Finding::Both);
    }

    #[test]
    fn a_tie_names_both_and_nothing_is_unknown() {
        let tie = french("Je suis motivée. Je suis motivé.", Vote::Majority);
        assert_eq!(tie.verdict.finding, Finding::Both);
        let none = french("Je vous écris.\nCordialement", Vote::Majority);
        assert_eq!(none.verdict.finding, Finding::Unmarked);
        let inclusive = french("Je suis motivé·e.", Vote::Majority);
        assert_eq!(
            (inclusive.both, inclusive.verdict.finding),
            (1, Finding::Both)
        );
    }
}
