//! Two texts that differ in gender, as a causal model reads them: what it gave to their tokens, in sums from which every
//! normalisation follows.

use serde::{Deserialize, Serialize};

/// How the tokens of two texts relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextRelation {
    /// They share a beginning, then differ.
    Apart,
    /// Their first tokens differ already, and nothing stands before them: that token has no probability.
    AtStart,
    /// One is the other with more behind it.
    Contained,
    Same,
}

/// Natural log-probabilities of one text, summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TextScore {
    /// All tokens, the first and special ones included.
    pub tokens: u32,
    /// Over the tokens from the first that differs to the end.
    pub region: f64,
    /// How many these are.
    pub scored: u32,
    /// Of the last token.
    pub last: f64,
    /// Over all tokens but the first, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<f64>,
}

/// The answer about a pair of texts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TextPairScore {
    pub relation: TextRelation,
    pub masculine: TextScore,
    pub feminine: TextScore,
}

impl TextPairScore {
    pub fn is_finite(&self) -> bool {
        [self.masculine, self.feminine].iter().all(|text| {
            let sums = [Some(text.region), Some(text.last), text.whole];
            sums.iter().flatten().all(|sum| sum.is_finite())
        })
    }
}
