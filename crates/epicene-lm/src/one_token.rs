//! Where a question says so, asks a checkpoint only for pairs whose texts differ in exactly one token of its vocabulary,
//! as GEST does for Slavic models (section 6): a longer word would be compared piece by piece.

use epicene_core::{Answer, Query, Question, SystemCard};

use crate::{LanguageModel, LmError, TransformerModel};

/// Answers [`Answer::Missing`] for pairs of other shapes.
#[derive(Debug)]
pub struct OneTokenPairs(pub TransformerModel);

/// Equally many tokens, and one of them different.
pub fn differ_in_one_token(first: &[u32], second: &[u32]) -> bool {
    first.len() == second.len() && first.iter().zip(second).filter(|(a, b)| a != b).count() == 1
}

impl OneTokenPairs {
    fn fits(&self, question: &Question) -> Result<bool, LmError> {
        match question {
            Question::MaskedPair {
                masculine,
                feminine,
                one_token: true,
            } => Ok(differ_in_one_token(
                &self.0.encode(masculine)?,
                &self.0.encode(feminine)?,
            )),
            _ => Ok(true),
        }
    }
}

impl LanguageModel for OneTokenPairs {
    fn card(&self) -> &SystemCard {
        self.0.card()
    }

    fn batch_size(&self) -> usize {
        self.0.batch_size()
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        let mut fitting = Vec::new();
        let mut places = Vec::new();
        for (place, query) in batch.iter().enumerate() {
            if self.fits(&query.question)? {
                fitting.push(query.clone());
                places.push(place);
            }
        }
        let mut answers = vec![Answer::Missing; batch.len()];
        for (place, answer) in places.into_iter().zip(self.0.observe(&fitting)?) {
            answers[place] = answer;
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_only_one() {
        assert!(differ_in_one_token(&[1, 2, 3], &[1, 9, 3]));
        assert!(!differ_in_one_token(&[1, 2, 3], &[1, 2, 3]));
        assert!(!differ_in_one_token(&[1, 2, 3], &[9, 9, 3]));
        assert!(!differ_in_one_token(&[1, 2, 3], &[1, 2, 3, 4]));
    }
}
