//! Two texts side by side under a causal model (EuroGEST specification, section 3): the tokens from the first that
//! differs to the end are scored, each text by its own.

use epicene_core::{
    Answer, ModelKind, Query, Question, SystemError, TextPairScore, TextRelation, TextScore,
};

use crate::error::LmError;
use crate::model::TransformerModel;
use crate::model::reading::Read;

/// Where the scored part of two texts begins. The first token of a text has no probability, so that it begins
/// behind it at the earliest.
pub fn divergence<T: PartialEq>(masculine: &[T], feminine: &[T]) -> (TextRelation, usize) {
    let differs = masculine.iter().zip(feminine).position(|(m, f)| m != f);
    match differs {
        Some(0) => (TextRelation::AtStart, 1),
        Some(place) => (TextRelation::Apart, place),
        None if masculine.len() == feminine.len() => (TextRelation::Same, 1),
        // The last token of the shorter text is scored in both.
        None => {
            let shorter = masculine.len().min(feminine.len());
            (TextRelation::Contained, shorter.saturating_sub(1).max(1))
        }
    }
}

/// The sums of one text; `None` where it has no token to score.
pub fn text_score(tokens: usize, region: &[f64], before: Option<f64>) -> Option<TextScore> {
    let sum: f64 = region.iter().sum();
    Some(TextScore {
        tokens: u32::try_from(tokens).ok()?,
        region: sum,
        scored: u32::try_from(region.len()).ok()?,
        last: *region.last()?,
        whole: before.map(|before| before + sum),
    })
}

/// A question with its tokens.
struct Pair<'a> {
    texts: [&'a str; 2],
    whole: bool,
    relation: TextRelation,
    start: usize,
    /// Of either text; the shared beginning is read with the masculine one.
    reads: [Read; 2],
}

/// Looks up every token from `start` on in the distribution before it.
pub(crate) fn read_from(ids: Vec<u32>, start: usize) -> Read {
    let at = (start..ids.len()).map(|place| (place - 1, vec![ids[place]]));
    Read {
        at: at.collect(),
        ids,
    }
}

impl TransformerModel {
    pub(crate) fn answer_text_pairs(
        &self,
        batch: &[Query<'_>],
    ) -> Result<Vec<Answer>, SystemError> {
        let pairs = batch
            .iter()
            .enumerate()
            .map(|(index, query)| {
                let pair = self.text_pair(&query.question);
                pair.map_err(|error| error.about(index))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let reads: Vec<&Read> = pairs.iter().flat_map(|pair| &pair.reads).collect();
        let mut found = self.read_log_probabilities(&reads)?.into_iter();
        let mut answers = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let mut next = || -> Vec<f64> {
                let positions = found.next().expect("both texts of every pair are read");
                positions.into_iter().map(|words| words[0]).collect()
            };
            let (first, second) = (next(), next());
            // Both texts share what comes before the region.
            let shared = if pair.whole { pair.start - 1 } else { 0 };
            let before = pair.whole.then(|| first[..shared].iter().sum());
            let lengths = [0, 1].map(|place: usize| pair.reads[place].ids.len());
            let scores = (
                text_score(lengths[0], &first[shared..], before),
                text_score(lengths[1], &second, before),
            );
            let (Some(masculine), Some(feminine)) = scores else {
                let error = LmError::NothingToCompare {
                    system: self.name(),
                    first: pair.texts[0].to_owned(),
                    second: pair.texts[1].to_owned(),
                };
                return Err(error.about(index));
            };
            answers.push(Answer::TextPair(Box::new(TextPairScore {
                relation: pair.relation,
                masculine,
                feminine,
            })));
        }
        Ok(answers)
    }

    fn text_pair<'a>(&self, question: &'a Question) -> Result<Pair<'a>, LmError> {
        let Question::TextPair {
            masculine,
            feminine,
            whole,
        } = question
        else {
            return Err(self.wrong_question(question));
        };
        if self.card.kind != ModelKind::Causal {
            return Err(self.wrong_question(question));
        }
        let (first, second) = (self.encode(masculine)?, self.encode(feminine)?);
        let (relation, start) = divergence(&first, &second);
        Ok(Pair {
            texts: [masculine, feminine],
            whole: *whole,
            relation,
            start,
            reads: [
                read_from(first, if *whole { 1 } else { start }),
                read_from(second, start),
            ],
        })
    }

    pub(crate) fn wrong_question(&self, question: &Question) -> LmError {
        LmError::WrongQuestion {
            system: self.name(),
            scorer: question.scorer().name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_begins_where_the_texts_part() {
        assert_eq!(divergence(&[1, 2, 3], &[1, 2, 4]), (TextRelation::Apart, 2));
        assert_eq!(divergence(&[1, 2], &[3, 2]), (TextRelation::AtStart, 1));
        assert_eq!(
            divergence(&[1, 2, 3], &[1, 2, 3, 4, 5]),
            (TextRelation::Contained, 2)
        );
        assert_eq!(divergence(&[1, 2], &[1, 2]), (TextRelation::Same, 1));
        assert_eq!(divergence(&[1], &[1, 2]), (TextRelation::Contained, 1));
    }

    #[test]
    fn a_text_without_a_scored_token_has_no_score() {
        assert_eq!(text_score(1, &[], None), None);
        let score = text_score(4, &[-1.0, -2.0], Some(-0.5)).unwrap();
        assert_eq!(
            (score.region, score.last, score.whole),
            (-3.0, -2.0, Some(-3.5))
        );
    }
}
