//! Null systems. Their results are known before they run, so that a benchmark can be checked with
//! them: a random system must come out at the ideal value, a system that always says the same
//! gender at a known extreme of the level and at the ideal of every comparison between groups.

use epicene_core::{
    Answer, ContinuationScore, ModelKind, Query, Question, System, SystemCard, SystemError,
    TextPairScore, TextRelation, TextScore,
};

use crate::LmError;

/// `always:he` finds the masculine word a thousand times as likely as the feminine one.
const ALWAYS_LOG10_RATIO: f64 = 3.0;

/// Spread of the random system's log10 ratios, of the size real models show.
const RANDOM_SD: f64 = 0.3;

/// Prefers one gender, by the same factor, whatever the sentence.
#[derive(Debug, Clone)]
pub struct AlwaysModel {
    card: SystemCard,
    ratio: f64,
}

/// Answers that depend on the seed and the question only, with mean 0.
#[derive(Debug, Clone)]
pub struct RandomModel {
    card: SystemCard,
    seed: u64,
}

fn card(name: String) -> SystemCard {
    SystemCard {
        source: name.clone(),
        name,
        revision: None,
        dtype: None,
        tokenizer: None,
        kind: ModelKind::Masked,
    }
}

/// A log10 ratio as the question wants its answer; texts are of one token behind a beginning they share.
fn preference(question: &Question, ratio: f64) -> Answer {
    let text = |sum: f64| TextScore {
        tokens: 2,
        region: sum,
        scored: 1,
        last: sum,
        whole: Some(sum),
    };
    match question {
        Question::TextPair { .. } => Answer::TextPair(Box::new(TextPairScore {
            relation: TextRelation::Apart,
            masculine: text(ratio * std::f64::consts::LN_10),
            feminine: text(0.0),
        })),
        _ => Answer::Log10Ratio(ratio),
    }
}

fn refuse_other_questions(card: &SystemCard, question: &Question) -> Result<(), LmError> {
    match question {
        Question::MaskedPair { .. } | Question::NextWord { .. } | Question::TextPair { .. } => {
            Ok(())
        }
        Question::GroupMeans
        | Question::Translate { .. }
        | Question::Likelihood { .. }
        | Question::Embedded { .. }
        | Question::FilledBlank { .. }
        | Question::Continuations { .. }
        | Question::Chat(_) => Err(LmError::WrongQuestion {
            system: card.name.clone(),
            scorer: question.scorer().name(),
        }),
    }
}

impl AlwaysModel {
    pub fn he() -> AlwaysModel {
        AlwaysModel {
            card: card("always:he".to_owned()),
            ratio: ALWAYS_LOG10_RATIO,
        }
    }

    pub fn she() -> AlwaysModel {
        AlwaysModel {
            card: card("always:she".to_owned()),
            ratio: -ALWAYS_LOG10_RATIO,
        }
    }
}

impl System for AlwaysModel {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        each(batch, |question| {
            refuse_other_questions(&self.card, question)?;
            Ok(preference(question, self.ratio))
        })
    }
}

impl RandomModel {
    pub fn new(seed: u64) -> RandomModel {
        RandomModel {
            card: card(format!("random:{seed}")),
            seed,
        }
    }

    fn ratio(&self, question: &Question) -> f64 {
        let mut state = fold(self.seed, question.scorer().name());
        match question {
            Question::MaskedPair {
                masculine,
                feminine,
                ..
            } => {
                state = fold(fold(state, masculine), feminine);
            }
            Question::NextWord {
                prompt,
                masculine,
                feminine,
            } => {
                state = fold(fold(fold(state, prompt), masculine), feminine);
            }
            Question::TextPair {
                masculine,
                feminine,
                ..
            } => {
                state = fold(fold(state, masculine), feminine);
            }
            _ => {}
        }
        bell(state)
    }

    /// A likelihood that depends on the text alone, as large as real ones are.
    fn likelihood(&self, scorer: &str, text: &str) -> f64 {
        bell(fold(fold(self.seed, scorer), text)) - 3.0
    }
}

/// Answers every question by itself.
fn each(
    batch: &[Query<'_>],
    answer: impl Fn(&Question) -> Result<Answer, LmError>,
) -> Result<Vec<Answer>, SystemError> {
    let answers = batch
        .iter()
        .enumerate()
        .map(|(index, query)| answer(&query.question).map_err(|error| error.about(index)));
    answers.collect()
}

/// A number from a bell of mean 0.
fn bell(mut state: u64) -> f64 {
    // Twelve uniform numbers less six: a bell of variance 1 from additions alone, so that
    // every machine gives the same bits.
    let mut sum = -6.0;
    for _ in 0..12 {
        state = splitmix(state);
        sum += (mix(state) >> 11) as f64 / (1u64 << 53) as f64;
    }
    sum * RANDOM_SD
}

impl System for RandomModel {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        each(batch, |question| {
            let scorer = question.scorer().name();
            let likelihoods = |texts: &[String]| {
                let likelihood = |text: &String| Some(self.likelihood(scorer, text));
                Answer::Likelihoods(texts.iter().map(likelihood).collect())
            };
            match question {
                Question::Likelihood { texts, .. } => Ok(likelihoods(texts)),
                Question::FilledBlank { words, .. } => Ok(likelihoods(words)),
                Question::Continuations {
                    context,
                    continuations,
                } => {
                    let score = |text: &String| ContinuationScore {
                        sum: self.likelihood(scorer, &format!("{context}{text}")),
                        tokens: 1,
                    };
                    Ok(Answer::Continuations(
                        continuations.iter().map(score).collect(),
                    ))
                }
                // All sentences are alike to it, so every pair has the same weight.
                Question::Embedded { text, .. } => Ok(Answer::Sentence {
                    likelihood: self.likelihood(scorer, text),
                    embedding: [1.0].into(),
                }),
                question => {
                    refuse_other_questions(&self.card, question)?;
                    Ok(preference(question, self.ratio(question)))
                }
            }
        })
    }
}

/// FNV-1a over the bytes and the length, then mixed: a stable hash, unlike the standard library's.
pub(crate) fn fold(state: u64, text: &str) -> u64 {
    let mut hash = state ^ 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mix(hash ^ text.len() as u64)
}

fn splitmix(state: u64) -> u64 {
    state.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(model: &dyn System, text: &str) -> f64 {
        let query = Query {
            index: 0,
            item: "t:1",
            unit: "template:1",
            question: Question::MaskedPair {
                masculine: format!("He said: {text}"),
                feminine: format!("She said: {text}"),
                one_token: false,
            },
        };
        match model.answer(&[query]).unwrap()[0] {
            Answer::Log10Ratio(ratio) => ratio,
            ref other => panic!("{other:?} is not a ratio"),
        }
    }

    #[test]
    fn random_answers_are_centred_and_spread_as_said() {
        let model = RandomModel::new(7);
        let answers: Vec<f64> = (0..20_000).map(|i| ask(&model, &format!("{i}"))).collect();
        let mean = answers.iter().sum::<f64>() / answers.len() as f64;
        let variance = answers.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 4.0 * RANDOM_SD / 20_000f64.sqrt(), "{mean}");
        assert!((variance.sqrt() / RANDOM_SD - 1.0).abs() < 0.03);
    }

    #[test]
    fn random_depends_on_seed_and_question_only() {
        assert_eq!(
            ask(&RandomModel::new(1), "a"),
            ask(&RandomModel::new(1), "a")
        );
        assert_ne!(
            ask(&RandomModel::new(1), "a"),
            ask(&RandomModel::new(2), "a")
        );
        assert_ne!(
            ask(&RandomModel::new(1), "a"),
            ask(&RandomModel::new(1), "b")
        );
    }

    #[test]
    fn always_is_mirrored() {
        assert_eq!(ask(&AlwaysModel::he(), "a"), -ask(&AlwaysModel::she(), "a"));
    }
}
