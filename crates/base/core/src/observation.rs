//! The raw answer to one question, as it is appended to a run's log.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{ChatAnswer, ContinuationScore, TextPairScore};

/// What a system answered. Never a metric: measures are computed from these afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// log10 of P(masculine) / P(feminine); positive means masculine.
    Log10Ratio(f64),
    /// Mean log10 ratio over stereotypically male and over stereotypically female occupations.
    GroupMeans {
        male: f64,
        female: f64,
    },
    Translation(String),
    /// A likelihood for each text of the question; none where the method gives none (SSS of a
    /// sentence that has no token of its own).
    Likelihoods(Vec<Option<f64>>),
    /// The likelihood of one sentence with its embedding.
    Sentence {
        likelihood: f64,
        embedding: Box<[f32]>,
    },
    /// What a causal model gave to the tokens of two texts.
    TextPair(Box<TextPairScore>),
    /// What a causal model gave to each continuation of a context.
    Continuations(Vec<ContinuationScore>),
    /// What a chat model said.
    Chat(Box<ChatAnswer>),
    /// The source of answers has none for this item, and was allowed not to.
    Missing,
    /// An answer with what the engine saw on its way to it.
    Noted(Box<NotedAnswer>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotedAnswer {
    pub answer: Answer,
    #[serde(flatten)]
    pub notes: AnswerNotes,
}

/// What a model could not read of the texts of a question, and how often it would have guessed their
/// tokens. Counts, so that those of many answers add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerNotes {
    /// Texts cut to the model's length.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: u64,
    /// Texts in which the tokenizer knows no token.
    #[serde(skip_serializing_if = "is_zero")]
    pub unknown: u64,
    /// Positions whose token was scored.
    #[serde(skip_serializing_if = "is_zero")]
    pub scored: u64,
    /// Those of them whose token is the likeliest of the vocabulary.
    #[serde(skip_serializing_if = "is_zero")]
    pub first: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for AnswerNotes {
    fn add_assign(&mut self, other: AnswerNotes) {
        self.cut += other.cut;
        self.unknown += other.unknown;
        self.scored += other.scored;
        self.first += other.first;
    }
}

impl Answer {
    /// The largest log10 ratio that is an answer: no two probabilities are further apart in a double.
    pub const LARGEST_RATIO: f64 = 300.0;

    /// The answer with its notes, if it has any.
    pub fn noted(self, notes: AnswerNotes) -> Answer {
        if notes == AnswerNotes::default() {
            return self;
        }
        Answer::Noted(Box::new(NotedAnswer {
            answer: self,
            notes,
        }))
    }

    /// The answer itself and its notes.
    pub fn plain(&self) -> (&Answer, AnswerNotes) {
        match self {
            Answer::Noted(noted) => (&noted.answer, noted.notes),
            plain => (plain, AnswerNotes::default()),
        }
    }

    /// Whether it says that there is no answer.
    pub fn is_missing(&self) -> bool {
        *self.plain().0 == Answer::Missing
    }

    /// The words of an answer that has some: a translation, or what a chat model said.
    pub fn text(&self) -> Option<&str> {
        match self.plain().0 {
            Answer::Translation(text) => Some(text),
            Answer::Chat(answer) => Some(&answer.text),
            _ => None,
        }
    }

    /// NaN, infinity and ratios beyond any probability are not answers: they would poison every mean
    /// they enter.
    pub fn is_finite(&self) -> bool {
        let fits = |ratio: f64| ratio.abs() <= Answer::LARGEST_RATIO;
        match self {
            Answer::Log10Ratio(ratio) => fits(*ratio),
            Answer::GroupMeans { male, female } => fits(*male) && fits(*female),
            Answer::Likelihoods(values) => values.iter().flatten().all(|value| value.is_finite()),
            Answer::Sentence {
                likelihood,
                embedding,
            } => likelihood.is_finite() && embedding.iter().all(|value| value.is_finite()),
            Answer::TextPair(pair) => pair.is_finite(),
            Answer::Continuations(scores) => scores.iter().all(|score| score.sum.is_finite()),
            Answer::Chat(answer) => answer.is_finite(),
            Answer::Translation(_) | Answer::Missing => true,
            Answer::Noted(noted) => noted.answer.is_finite(),
        }
    }
}

/// One line of a run's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation<'a> {
    /// Hash of system, item, unit and scorer.
    #[serde(borrow)]
    pub key: Cow<'a, str>,
    /// Line of the item in the run's `items.jsonl`, from 1.
    pub item: u64,
    #[serde(borrow)]
    pub system: Cow<'a, str>,
    #[serde(borrow)]
    pub unit: Cow<'a, str>,
    #[serde(borrow)]
    pub scorer: Cow<'a, str>,
    pub answer: Answer,
}
