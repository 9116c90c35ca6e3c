//! Likelihoods of whole sentences from a masked checkpoint: AULA and AUL from one pass over the
//! unmasked sentence, CPS and SSS from passes with masks (Kaneko & Bollegala 2022; Nangia et al. 2020;
//! Nadeem et al. 2021). Sums are in double precision.

use epicene_core::{Answer, LikelihoodMethod, Query, Question};

use crate::likelihood::{
    PairSpans, aul, aula, cps, cps_positions, mean_embedding, sss, sss_released, truncated,
};
use crate::reading::{Read, Sight, Wanted};
use crate::{LanguageModel, LmError, TransformerModel};

impl TransformerModel {
    /// Answers questions about the likelihood of sentences, each batch in as few passes as it takes.
    pub(crate) fn observe_sentences(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        batch
            .iter()
            .map(|query| self.sentence(&query.question))
            .collect()
    }

    fn sentence(&self, question: &Question) -> Result<Answer, LmError> {
        match question {
            Question::Likelihood { texts, method } if method.needs_pair() => {
                let [first, second] = texts.as_slice() else {
                    return Err(self.cannot(question));
                };
                let values = self.pair_likelihoods(first, second, *method)?;
                Ok(Answer::Likelihoods(values.to_vec()))
            }
            Question::Likelihood { texts, method } => {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let sights = self.look_whole(&texts, *method, false)?;
                let values = sights.iter().map(|sight| alone(sight, *method));
                Ok(Answer::Likelihoods(values.collect()))
            }
            Question::Embedded { text, method } if !method.needs_pair() => {
                let sights = self.look_whole(&[text], *method, true)?;
                let sight = sights.first();
                let found = sight.and_then(|sight| {
                    let embedding = mean_embedding(&sight.hidden.data, sight.hidden.columns)?;
                    Some((alone(sight, *method)?, embedding))
                });
                Ok(match found {
                    Some((likelihood, embedding)) => Answer::Sentence {
                        likelihood,
                        embedding: embedding.iter().map(|value| *value as f32).collect(),
                    },
                    None => Answer::Missing,
                })
            }
            other => Err(self.cannot(other)),
        }
    }

    fn cannot(&self, question: &Question) -> LmError {
        LmError::WrongQuestion {
            system: self.card().name.clone(),
            scorer: question.scorer(),
        }
    }

    /// Ids of a sentence, cut to what the model reads.
    fn ids(&self, text: &str) -> Result<Vec<u32>, LmError> {
        let ids = self.tokenizer().encode(text)?;
        let limit = self.transformer.longest.unwrap_or(usize::MAX);
        Ok(truncated(&ids, limit).unwrap_or(ids))
    }

    fn look_whole(
        &self,
        texts: &[&str],
        method: LikelihoodMethod,
        hidden: bool,
    ) -> Result<Vec<Sight>, LmError> {
        let encoded = texts
            .iter()
            .map(|text| self.ids(text))
            .collect::<Result<Vec<_>, _>>()?;
        self.look_at(
            encoded,
            Wanted {
                hidden,
                attention: method == LikelihoodMethod::Aula,
                log_probabilities: true,
            },
        )
    }

    fn pair_likelihoods(
        &self,
        first: &str,
        second: &str,
        method: LikelihoodMethod,
    ) -> Result<[Option<f64>; 2], LmError> {
        let mask = self.tokenizer().mask().ok_or_else(|| LmError::NoMask {
            system: self.card().name.clone(),
        })?;
        let ids = [self.ids(first)?, self.ids(second)?];
        let spans = PairSpans::of(&ids[0], &ids[1]);
        let mut values = [None, None];
        for (side, ids) in ids.iter().enumerate() {
            values[side] = match method {
                LikelihoodMethod::Cps => {
                    let positions = cps_positions(&spans.shared[side]);
                    Some(cps(&self.masked_one_by_one(ids, positions, mask)?))
                }
                _ => {
                    let positions = &spans.modified[side];
                    let square = method == LikelihoodMethod::SssReleased;
                    let found = self.masked_together(ids, positions, mask, square)?;
                    match square {
                        true => sss_released(&found, positions.len()),
                        false => sss(&found),
                    }
                }
            };
        }
        Ok(values)
    }

    /// log P of the token at each position, from the pass in which it alone is masked.
    fn masked_one_by_one(
        &self,
        ids: &[u32],
        positions: &[usize],
        mask: u32,
    ) -> Result<Vec<f64>, LmError> {
        let reads: Vec<Read> = positions
            .iter()
            .map(|&position| {
                let mut masked = ids.to_vec();
                masked[position] = mask;
                Read {
                    ids: masked,
                    at: vec![(position, vec![ids[position]])],
                }
            })
            .collect();
        let found = self.read_log_probabilities(&reads.iter().collect::<Vec<_>>())?;
        Ok(found.into_iter().flatten().flatten().collect())
    }

    /// log P of the tokens at the positions, all masked in one pass: of each its own, or (`square`)
    /// at every position of all of them.
    fn masked_together(
        &self,
        ids: &[u32],
        positions: &[usize],
        mask: u32,
        square: bool,
    ) -> Result<Vec<f64>, LmError> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let mut masked = ids.to_vec();
        for &position in positions {
            masked[position] = mask;
        }
        let gold: Vec<u32> = positions.iter().map(|&position| ids[position]).collect();
        let tokens = |position: usize| match square {
            true => gold.clone(),
            false => vec![ids[position]],
        };
        let read = Read {
            ids: masked,
            at: positions.iter().map(|&p| (p, tokens(p))).collect(),
        };
        let found = self.read_log_probabilities(&[&read])?;
        Ok(found.into_iter().flatten().flatten().collect())
    }
}

/// AULA or AUL of one sentence.
fn alone(sight: &Sight, method: LikelihoodMethod) -> Option<f64> {
    match method {
        LikelihoodMethod::Aula => aula(&sight.log_probabilities, &sight.attention),
        _ => aul(&sight.log_probabilities),
    }
}
