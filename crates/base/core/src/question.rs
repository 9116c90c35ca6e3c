//! What a benchmark asks of a system, in terms that name no benchmark.

use serde::{Serialize, Serializer};

use crate::{ChatQuestion, LikelihoodMethod, Scorer};

/// The ways a system can be asked: which of two gendered readings it prefers, or what it makes of
/// a text in another language, or what it says next.
///
/// Written as JSON, it is the line that whoever answers elsewhere is given: the scorer's name as `task`, and these fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(remote = "Self", untagged)]
pub enum Question {
    /// Mask every position where the two texts differ and compare the mean log-probability of
    /// what stood there (GEST, section 2.2).
    MaskedPair {
        masculine: String,
        feminine: String,
        /// Asked only where a model's vocabulary tells the two apart by one token (GEST, section 6); `Missing` of others.
        one_token: bool,
    },
    /// Compare two words as the continuation of a prompt (GEST, section 2.3).
    NextWord {
        prompt: String,
        masculine: String,
        feminine: String,
    },
    /// Ask for the two group means of a whole data set split (WinoBias, from a file of means).
    GroupMeans,
    /// Translate; exported questions name the source language where it is not English.
    Translate {
        text: String,
        #[serde(skip_serializing_if = "is_english")]
        from: String,
        to: String,
    },
    /// The likelihood of every text. Where the method compares two, they are the first and the
    /// second; answered by [`Likelihoods`](crate::Answer::Likelihoods).
    Likelihood {
        texts: Vec<String>,
        #[serde(skip)]
        method: LikelihoodMethod,
    },
    /// The likelihood of a text with the mean of its last layer's vectors; answered by
    /// [`Sentence`](crate::Answer::Sentence), or `Missing` where the text has no token.
    Embedded {
        text: String,
        #[serde(rename = "embedding", serialize_with = "wanted")]
        method: LikelihoodMethod,
    },
    /// The probability of each word in place of `BLANK`, its parts from left to right (StereoSet's
    /// own intrasentence score); answered by [`Likelihoods`](crate::Answer::Likelihoods).
    FilledBlank { context: String, words: Vec<String> },
    /// The log-probabilities of two whole texts by a causal model (EuroGEST specification, section 3); answered by
    /// [`TextPair`](crate::Answer::TextPair).
    TextPair {
        masculine: String,
        feminine: String,
        /// Whether the shared beginning is summed as well, which costs a distribution for each of its tokens.
        whole: bool,
    },
    /// The log-probability of each continuation behind a context by a causal model: both are tokenised together and split at
    /// the context's number of tokens; answered by [`Continuations`](crate::Answer::Continuations).
    Continuations {
        context: String,
        continuations: Vec<String>,
    },
    /// The next turn of a conversation; answered by [`Chat`](crate::Answer::Chat).
    Chat(Box<ChatQuestion>),
}

fn is_english(code: &str) -> bool {
    code == "en"
}

fn wanted<S: Serializer>(_: &LikelihoodMethod, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(true)
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Tagged<'a> {
            task: Scorer,
            #[serde(flatten, serialize_with = "fields")]
            question: &'a Question,
        }
        fn fields<S: Serializer>(question: &&Question, serializer: S) -> Result<S::Ok, S::Error> {
            Question::serialize(question, serializer)
        }
        let (task, question) = (self.scorer(), self);
        Tagged { task, question }.serialize(serializer)
    }
}

/// A question put to a system, with its place in the run so that a file of answers can look it up.
#[derive(Debug, Clone, PartialEq)]
pub struct Query<'a> {
    /// Position of the item in its data set, from 0.
    pub index: usize,
    pub item: &'a str,
    /// The unit of measurement, by its name.
    pub unit: &'a str,
    pub question: Question,
}

impl Question {
    /// The way of asking.
    pub fn scorer(&self) -> Scorer {
        match self {
            Question::MaskedPair { .. } => Scorer::MaskedPair,
            Question::NextWord { .. } => Scorer::NextWord,
            Question::GroupMeans => Scorer::GroupMeans,
            Question::Translate { .. } => Scorer::Translate,
            Question::Likelihood { method, .. } | Question::Embedded { method, .. } => {
                Scorer::Likelihood(*method)
            }
            Question::FilledBlank { .. } => Scorer::FilledBlank,
            Question::TextPair { .. } => Scorer::TextPair,
            Question::Continuations { .. } => Scorer::Continuations,
            Question::Chat(chat) if chat.options.is_empty() => Scorer::Chat,
            Question::Chat(chat) if chat.log_probabilities => Scorer::ChoiceLogprob,
            Question::Chat(_) => Scorer::ChoiceSampled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_written_with_its_task() {
        let (method, text) = (LikelihoodMethod::ALL[0], || "a".to_owned());
        for (question, line) in [
            (
                Question::Translate {
                    text: text(),
                    from: "en".to_owned(),
                    to: "sk".to_owned(),
                },
                r#"{"task":"translate","text":"a","to":"sk"}"#,
            ),
            (
                Question::Translate {
                    text: text(),
                    from: "hu".to_owned(),
                    to: "en".to_owned(),
                },
                r#"{"task":"translate","text":"a","from":"hu","to":"en"}"#,
            ),
            (
                Question::Likelihood {
                    texts: vec![text()],
                    method,
                },
                r#"{"task":"aula","texts":["a"]}"#,
            ),
            (
                Question::Embedded {
                    text: text(),
                    method,
                },
                r#"{"task":"aula","text":"a","embedding":true}"#,
            ),
            (Question::GroupMeans, r#"{"task":"group-means"}"#),
        ] {
            assert_eq!(serde_json::to_string(&question).unwrap(), line);
        }
    }
}
