//! AULA, AUL and sentence embeddings: one pass over each unmasked sentence, many in a batch (MBE
//! specification, section 2).

use epicene_core::{AnswerNotes, LikelihoodMethod, Query, Question, Scorer};

use super::Texts;
use crate::error::LmError;
use crate::likelihood::{aul, aula, mean_embedding};
use crate::model::TransformerModel;
use crate::model::reading::{Reading, Wanted};

/// Tokens looked at in one go: their hidden states are held until the sentence's mean is taken.
const SLICE_TOKENS: usize = 16_384;

/// What one pass says about a sentence.
#[derive(Debug, Clone, Default)]
pub(super) struct Whole {
    aula: Option<f64>,
    aul: Option<f64>,
    pub(super) embedding: Option<Vec<f32>>,
    scored: u64,
    first: u64,
}

impl Whole {
    fn of(reading: &Reading) -> Whole {
        let guessed = reading.ids.iter().zip(&reading.likeliest);
        Whole {
            aula: aula(&reading.log_probabilities, &reading.attention),
            aul: aul(&reading.log_probabilities),
            embedding: mean_embedding(&reading.hidden.data, reading.hidden.columns)
                .map(|embedding| embedding.iter().map(|value| *value as f32).collect()),
            scored: reading.likeliest.len() as u64,
            first: guessed.filter(|(id, likeliest)| id == likeliest).count() as u64,
        }
    }

    pub(super) fn likelihood(&self, method: LikelihoodMethod) -> Option<f64> {
        match method {
            LikelihoodMethod::Aula => self.aula,
            LikelihoodMethod::Aul => self.aul,
            _ => None,
        }
    }

    /// Released accuracies count the special tokens too (section 6.3); a sentence without content
    /// has none.
    pub(super) fn notes(&self) -> AnswerNotes {
        match self.aul {
            None => AnswerNotes::default(),
            Some(_) => AnswerNotes {
                scored: self.scored,
                first: self.first,
                ..AnswerNotes::default()
            },
        }
    }
}

impl TransformerModel {
    /// Looks at every text once, whatever is asked about it.
    pub(super) fn look_whole(
        &self,
        texts: &Texts<'_>,
        batch: &[Query<'_>],
    ) -> Result<Vec<Whole>, LmError> {
        let mut wanted = Wanted {
            log_probabilities: true,
            ..Wanted::default()
        };
        for query in batch {
            wanted.hidden |= matches!(query.question, Question::Embedded { .. });
            wanted.attention |=
                query.question.scorer() == Scorer::Likelihood(LikelihoodMethod::Aula);
        }
        let mut found: Vec<Whole> = vec![Whole::default(); texts.encoded.len()];
        let (mut slice, mut tokens) = (Vec::new(), 0);
        for (place, encoded) in texts.encoded.iter().enumerate() {
            if !encoded.ids.is_empty() {
                tokens += encoded.ids.len();
                slice.push(place);
            }
            if tokens >= SLICE_TOKENS || place + 1 == texts.encoded.len() {
                let ids = slice.iter().map(|place| texts.encoded[*place].ids.clone());
                let readings = self.look_at(ids.collect(), wanted)?;
                for (place, reading) in slice.drain(..).zip(&readings) {
                    found[place] = Whole::of(reading);
                }
                tokens = 0;
            }
        }
        Ok(found)
    }
}
