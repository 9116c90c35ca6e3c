//! Continuations of a context under a causal model: context and continuation are tokenised together, and what comes after
//! the context's own number of tokens is scored, as lm-evaluation-harness does it.

use epicene_core::{Answer, ContinuationScore, ModelKind, Query, Question, SystemError};

use crate::error::LmError;
use crate::model::TransformerModel;
use crate::model::reading::Read;
use crate::model::text_pair::read_from;

impl TransformerModel {
    pub(crate) fn answer_continuations(
        &self,
        batch: &[Query<'_>],
    ) -> Result<Vec<Answer>, SystemError> {
        let questions = batch
            .iter()
            .enumerate()
            .map(|(index, query)| {
                let reads = self.continuations(&query.question);
                reads.map_err(|error| error.about(index))
            })
            .collect::<Result<Vec<Vec<Read>>, _>>()?;
        let reads: Vec<&Read> = questions.iter().flatten().collect();
        let mut found = self.read_log_probabilities(&reads)?.into_iter();
        let answer = |question: &Vec<Read>| {
            let scores = question.iter().map(|_| {
                let positions = found.next().expect("every continuation is read");
                ContinuationScore {
                    sum: positions.iter().map(|words| words[0]).sum(),
                    tokens: positions.len() as u32,
                }
            });
            Answer::Continuations(scores.collect())
        };
        Ok(questions.iter().map(answer).collect())
    }

    fn continuations(&self, question: &Question) -> Result<Vec<Read>, LmError> {
        let Question::Continuations {
            context,
            continuations,
        } = question
        else {
            return Err(self.wrong_question(question));
        };
        if self.card.kind != ModelKind::Causal {
            return Err(self.wrong_question(question));
        }
        // Blanks at the end of the context belong to the continuation: a token may begin with them.
        let kept = context.trim_end();
        let blanks = &context[kept.len()..];
        let before = self.tokenizer.encode(kept)?.len();
        continuations
            .iter()
            .map(|continuation| {
                let whole = format!("{kept}{blanks}{continuation}");
                let ids = self.encode(&whole)?;
                // The first token of a text has no probability.
                let start = before.max(1);
                if ids.len() <= start {
                    return Err(LmError::NothingToCompare {
                        system: self.name(),
                        first: kept.to_owned(),
                        second: whole,
                    });
                }
                Ok(read_from(ids, start))
            })
            .collect()
    }
}
