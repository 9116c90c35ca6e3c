//! Likelihoods of whole sentences from a masked checkpoint: AULA and AUL from one pass over the
//! unmasked sentence, CPS, SSS and StereoSet's filled blank from passes with masks (Kaneko & Bollegala
//! 2022; Nangia et al. 2020; Nadeem et al. 2021).
//!
//! The passes of all questions of a batch are gathered first and packed together. Equal sentences
//! run once. Sums are in double precision.

mod masked;
mod whole;

use std::collections::BTreeMap;

use epicene_core::{Answer, AnswerNotes, Query, Question, System, SystemError};

use crate::error::LmError;
use crate::likelihood::truncated;
use crate::model::TransformerModel;
use masked::MaskedValue;
use whole::Whole;

/// A text as the model reads it.
#[derive(Debug, Clone, Default)]
struct Encoded {
    ids: Vec<u32>,
    /// It was longer than the model reads.
    cut: bool,
    /// The vocabulary has a token for nothing of it.
    unknown: bool,
}

impl Encoded {
    fn notes(&self) -> AnswerNotes {
        AnswerNotes {
            cut: u64::from(self.cut),
            unknown: u64::from(self.unknown),
            ..AnswerNotes::default()
        }
    }
}

/// The texts of a batch, each once.
#[derive(Debug, Default)]
struct Texts<'a> {
    places: BTreeMap<&'a str, usize>,
    encoded: Vec<Encoded>,
}

impl<'a> Texts<'a> {
    fn found(&self, text: &str) -> usize {
        let place = self.places.get(text);
        *place.expect("every text is placed before answers are put together")
    }

    fn place(&mut self, model: &TransformerModel, text: &'a str) -> Result<usize, LmError> {
        if let Some(place) = self.places.get(text) {
            return Ok(*place);
        }
        let place = self.encoded.len();
        self.encoded.push(model.encode_sentence(text)?);
        self.places.insert(text, place);
        Ok(place)
    }
}

impl TransformerModel {
    /// Answers questions about the likelihood of sentences, a whole batch in as few passes as it
    /// takes.
    pub(crate) fn answer_sentences(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let mut texts = Texts::default();
        for (index, query) in batch.iter().enumerate() {
            for text in whole_texts(&query.question) {
                let placed = texts.place(self, text);
                placed.map_err(|error| error.about(index))?;
            }
        }
        let whole = self.look_whole(&texts, batch)?;
        let mut masked = self.read_masked(batch)?;
        batch
            .iter()
            .zip(&mut masked)
            .enumerate()
            .map(|(index, (query, masked))| {
                let answer = self.fold(&query.question, &texts, &whole, masked);
                answer.map_err(|error| error.about(index))
            })
            .collect()
    }

    /// The answer to one question from what was read for all.
    fn fold(
        &self,
        question: &Question,
        texts: &Texts<'_>,
        whole: &[Whole],
        masked: &mut Vec<MaskedValue>,
    ) -> Result<Answer, LmError> {
        let mut notes = AnswerNotes::default();
        let answer = match question {
            Question::Likelihood {
                texts: asked,
                method,
            } if !method.needs_pair() => {
                let mut values = Vec::with_capacity(asked.len());
                for text in asked {
                    let place = texts.found(text);
                    notes += texts.encoded[place].notes();
                    notes += whole[place].notes();
                    values.push(whole[place].likelihood(*method));
                }
                Answer::Likelihoods(values)
            }
            Question::Embedded { text, method } if !method.needs_pair() => {
                let place = texts.found(text);
                let found = &whole[place];
                notes += texts.encoded[place].notes();
                match (found.likelihood(*method), &found.embedding) {
                    (Some(likelihood), Some(embedding)) => {
                        notes += found.notes();
                        Answer::Sentence {
                            likelihood,
                            embedding: embedding.clone().into(),
                        }
                    }
                    _ => Answer::Missing,
                }
            }
            Question::Likelihood { .. } | Question::FilledBlank { .. } => {
                let mut values = Vec::with_capacity(masked.len());
                for found in masked.drain(..) {
                    notes += found.notes;
                    values.push(found.value);
                }
                Answer::Likelihoods(values)
            }
            other => return Err(self.cannot(other)),
        };
        Ok(answer.noted(notes))
    }

    fn cannot(&self, question: &Question) -> LmError {
        LmError::WrongQuestion {
            system: self.card().name.clone(),
            scorer: question.scorer().name(),
        }
    }

    /// Ids of a sentence, cut to what the model reads.
    fn encode_sentence(&self, text: &str) -> Result<Encoded, LmError> {
        let ids = self.tokenizer().encode(text)?;
        let unknown = self.tokenizer().unknown().is_some_and(|unknown| {
            let content = ids.get(1..ids.len().saturating_sub(1)).unwrap_or(&[]);
            !content.is_empty() && content.iter().all(|id| *id == unknown)
        });
        let limit = self.transformer.longest.unwrap_or(usize::MAX);
        let cut = truncated(&ids, limit);
        Ok(Encoded {
            cut: cut.is_some(),
            ids: cut.unwrap_or(ids),
            unknown,
        })
    }
}

/// The texts a question wants from unmasked passes.
fn whole_texts(question: &Question) -> &[String] {
    match question {
        Question::Likelihood { texts, method } if !method.needs_pair() => texts,
        Question::Embedded { text, method } if !method.needs_pair() => std::slice::from_ref(text),
        _ => &[],
    }
}
