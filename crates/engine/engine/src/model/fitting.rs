//! Asks a checkpoint only what it can answer; everything else counts as a missing answer, with a note. That covers, where a question
//! asks for it, pairs whose texts do not differ in exactly one token of the vocabulary, as GEST does for Slavic models
//! (section 6): a longer word would be compared piece by piece. And texts beyond the positions that a causal model was
//! made for, as servers have it: the arithmetic would give a number all the same.

use std::sync::atomic::{AtomicU64, Ordering};

use epicene_core::{
    Answer, AnswerSink, Capabilities, ModelKind, Note, Query, Question, System, SystemCard,
    SystemError, collect_answers,
};

use crate::error::LmError;
use crate::model::TransformerModel;

/// Answers [`Answer::Missing`] to what does not fit.
#[derive(Debug)]
pub struct Fitting {
    model: TransformerModel,
    too_long: AtomicU64,
}

/// Equally many tokens, and one of them different.
pub fn differ_in_one_token(first: &[u32], second: &[u32]) -> bool {
    first.len() == second.len() && first.iter().zip(second).filter(|(a, b)| a != b).count() == 1
}

impl Fitting {
    pub fn new(model: TransformerModel) -> Fitting {
        Fitting {
            model,
            too_long: AtomicU64::new(0),
        }
    }

    fn fits(&self, question: &Question) -> Result<bool, LmError> {
        match question {
            Question::MaskedPair {
                masculine,
                feminine,
                one_token: true,
            } => Ok(differ_in_one_token(
                &self.model.encode(masculine)?,
                &self.model.encode(feminine)?,
            )),
            // The word behind the prompt needs a position too.
            Question::NextWord { prompt, .. } => self.reads(&[prompt], 1),
            Question::TextPair {
                masculine,
                feminine,
                ..
            } => self.reads(&[masculine, feminine], 0),
            Question::Continuations {
                context,
                continuations,
            } => {
                let texts = continuations.iter();
                let texts: Vec<String> = texts.map(|text| format!("{context}{text}")).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                self.reads(&texts, 0)
            }
            _ => Ok(true),
        }
    }

    /// Whether texts with so many tokens more are short enough for a causal model.
    fn reads(&self, texts: &[&str], more: usize) -> Result<bool, LmError> {
        let causal = self.card().kind == ModelKind::Causal;
        let Some(limit) = self.model.longest().filter(|_| causal) else {
            return Ok(true);
        };
        for text in texts {
            // No token is less than a byte, but for the marks around a text and a blank before it.
            if text.len() + more + 4 <= limit {
                continue;
            }
            if self.model.tokenizer().encode(text)?.len() + more > limit {
                self.too_long.fetch_add(1, Ordering::Relaxed);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl System for Fitting {
    fn card(&self) -> &SystemCard {
        self.model.card()
    }

    fn capabilities(&self) -> Capabilities {
        self.model.capabilities()
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        collect_answers(self, batch)
    }

    fn answer_each(&self, batch: &[Query<'_>], on: &mut AnswerSink<'_>) -> Result<(), SystemError> {
        let mut fitting = Vec::new();
        let mut indices = Vec::new();
        for (index, query) in batch.iter().enumerate() {
            let fits = self.fits(&query.question);
            if fits.map_err(|error| error.about(index))? {
                fitting.push(query.clone());
                indices.push(index);
            }
        }
        if fitting.len() == batch.len() {
            return self.model.answer_each(batch, on);
        }
        // Missing answers stand in a log where their questions do.
        let mut answers = vec![Answer::Missing; batch.len()];
        let answered = self.model.answer_each(&fitting, &mut |arrived| {
            arrived.for_each(|(place, answer)| answers[indices[place]] = answer);
        });
        answered.map_err(|error| error.in_batch(|place| indices[place]))?;
        on(&mut answers.into_iter().enumerate());
        Ok(())
    }

    fn notes(&self) -> Vec<Note> {
        too_long(self.too_long.load(Ordering::Relaxed), "the model")
    }
}

/// The note about questions that are too long for the model.
pub fn too_long(count: u64, reader: &str) -> Vec<Note> {
    let note = match count {
        0 => return Vec::new(),
        1 => format!("1 question is longer than {reader} reads; it counts as missing"),
        count => {
            format!("{count} questions are longer than {reader} reads; they count as missing")
        }
    };
    vec![Note::Warning(note)]
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
