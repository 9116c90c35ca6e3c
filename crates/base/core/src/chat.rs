//! A conversation with an instruction-tuned model: what is said to it, and what it says back.

use serde::{Deserialize, Serialize};

/// Who speaks a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

/// How an answer is drawn. Zero is greedy; the other settings do nothing then.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    pub temperature: f64,
    /// The smallest set of tokens whose probabilities reach this is drawn from; 1 is all.
    pub top_p: f64,
    /// So many of the likeliest tokens are drawn from; `None` is all.
    pub top_k: Option<u32>,
    /// Names the draw: the same question with the same seed has the same answer, where the system can do that.
    pub seed: u64,
}

/// A conversation that waits for the next turn of the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChatQuestion {
    pub messages: Vec<Message>,
    /// How the answer may begin (`A`, `B`, `C`); empty where it is free.
    pub options: Vec<String>,
    /// Whether the log-probabilities of the options at the first answer position are wanted.
    pub log_probabilities: bool,
    pub sampling: Sampling,
    /// Longest answer in tokens, what the model thinks aloud included.
    pub max_tokens: u32,
    /// Strings that end an answer; they are not part of it.
    pub stop: Vec<String>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// The model was done, or came to a stop string.
    Stop,
    /// The longest answer was reached.
    Length,
    /// A filter of the service cut it or held it back.
    Filtered,
    /// The service says that the model refused.
    Refused,
    /// Anything else, and where nothing was said about it.
    Other,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatAnswer {
    /// Word for word, thoughts between `<think>` and `</think>` included. Empty where nothing was said.
    pub text: String,
    pub finish: Finish,
    /// Natural log-probability of each option of the question at the first answer position, all ways of spelling it
    /// together; `None` where an option is not among the candidates that were shown. Absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Option<f64>>>,
    /// What it thought aloud, where that is sent apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The model that answered, as the service calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            temperature: 0.0,
            top_p: 1.0,
            top_k: None,
            seed: 0,
        }
    }
}

impl Sampling {
    pub fn is_greedy(&self) -> bool {
        self.temperature == 0.0
    }
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

impl Message {
    pub fn system(content: impl Into<String>) -> Message {
        Message::by(Role::System, content)
    }

    pub fn user(content: impl Into<String>) -> Message {
        Message::by(Role::User, content)
    }

    pub fn assistant(content: impl Into<String>) -> Message {
        Message::by(Role::Assistant, content)
    }

    fn by(role: Role, content: impl Into<String>) -> Message {
        Message {
            role,
            content: content.into(),
        }
    }
}

impl ChatQuestion {
    /// A question of free text, answered greedily.
    pub fn new(messages: Vec<Message>, max_tokens: u32) -> ChatQuestion {
        ChatQuestion {
            messages,
            options: Vec::new(),
            log_probabilities: false,
            sampling: Sampling::default(),
            max_tokens,
            stop: Vec::new(),
        }
    }
}

impl Finish {
    pub fn name(self) -> &'static str {
        match self {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::Filtered => "filtered",
            Finish::Refused => "refused",
            Finish::Other => "other",
        }
    }
}

impl ChatAnswer {
    pub fn new(text: impl Into<String>, finish: Finish) -> ChatAnswer {
        ChatAnswer {
            text: text.into(),
            finish,
            options: None,
            reasoning: None,
            model: None,
        }
    }

    /// Log-probabilities are numbers, and none is above 0 (but for rounding).
    pub fn is_finite(&self) -> bool {
        let options = self.options.iter().flatten().flatten();
        options
            .into_iter()
            .all(|value| value.is_finite() && *value <= 1e-3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    #[test]
    fn an_answer_is_logged_with_what_there_is() {
        let plain = Answer::Chat(Box::new(ChatAnswer::new("B", Finish::Stop)));
        let line = serde_json::to_string(&plain).unwrap();
        assert_eq!(line, r#"{"chat":{"text":"B","finish":"stop"}}"#);
        assert_eq!(serde_json::from_str::<Answer>(&line).unwrap(), plain);

        let full = Answer::Chat(Box::new(ChatAnswer {
            text: "<think>hm</think>A".to_owned(),
            finish: Finish::Length,
            options: Some(vec![Some(-0.5), None, Some(-2.25)]),
            reasoning: Some("hm".to_owned()),
            model: Some("m-1".to_owned()),
        }));
        let line = serde_json::to_string(&full).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&line).unwrap(), full);
        assert!(full.is_finite());
    }

    #[test]
    fn a_probability_above_one_is_no_answer() {
        let mut answer = ChatAnswer::new("A", Finish::Stop);
        answer.options = Some(vec![Some(0.5)]);
        assert!(!answer.is_finite());
        answer.options = Some(vec![Some(f64::NEG_INFINITY)]);
        assert!(!answer.is_finite());
        answer.options = Some(vec![None, Some(0.0)]);
        assert!(answer.is_finite());
    }
}
