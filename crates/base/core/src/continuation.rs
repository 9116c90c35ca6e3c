//! What a causal model gave to the tokens of a text behind a context.

use serde::{Deserialize, Serialize};

/// Natural log-probabilities of one continuation, summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContinuationScore {
    pub sum: f64,
    /// Tokens that were summed.
    pub tokens: u32,
}

impl ContinuationScore {
    /// The mean over its tokens.
    pub fn mean(self) -> f64 {
        self.sum / f64::from(self.tokens.max(1))
    }
}
