//! What is sent and what comes back: OpenAI's legacy completions with `echo`, and vLLM's own
//! `prompt_logprobs` where a server has that instead.

use serde::Deserialize;
use serde_json::{Value, json};

/// The request for the log-probabilities of a text. One token is generated and ignored: some servers
/// read `max_tokens: 0` as "no limit".
pub fn completion_request(model: &str, text: &str) -> Value {
    json!({
        "model": model,
        "prompt": text,
        "echo": true,
        "logprobs": 1,
        "max_tokens": 1,
        "temperature": 0,
    })
}

/// The log-probability of what stands behind the prompt, in an answer of a server.
pub fn read_completion(answer: &str, prompt: &str, text: &str) -> Result<f64, String> {
    let completion = Completion::parse(answer)?;
    continuation_log_probability(&completion, prompt, text)
}

/// The tokens of a text with their natural log-probabilities, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub tokens: Vec<(String, Option<f64>)>,
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    choices: Vec<Choice>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    logprobs: Option<LogProbs>,
    prompt_logprobs: Option<Vec<Option<serde_json::Map<String, Value>>>>,
}

#[derive(Deserialize)]
struct LogProbs {
    #[serde(default)]
    tokens: Vec<String>,
    #[serde(default)]
    token_logprobs: Vec<Option<f64>>,
}

impl Completion {
    pub fn parse(text: &str) -> Result<Completion, String> {
        let reply: Reply = serde_json::from_str(text)
            .map_err(|error| format!("the answer is not a completion ({error})"))?;
        if let Some(error) = reply.error {
            return Err(format!("the server says {error}"));
        }
        let choice = reply
            .choices
            .into_iter()
            .next()
            .ok_or("the answer holds no choice")?;
        if let Some(prompt) = choice.prompt_logprobs {
            return from_prompt_logprobs(prompt);
        }
        let found = choice
            .logprobs
            .ok_or("the answer holds no log-probabilities")?;
        if found.tokens.len() != found.token_logprobs.len() {
            return Err(format!(
                "there are {} tokens and {} log-probabilities",
                found.tokens.len(),
                found.token_logprobs.len()
            ));
        }
        Ok(Completion {
            tokens: found.tokens.into_iter().zip(found.token_logprobs).collect(),
        })
    }
}

/// vLLM: for each token of the prompt a map from candidates to their log-probability; the token of the
/// prompt itself comes first.
fn from_prompt_logprobs(
    prompt: Vec<Option<serde_json::Map<String, Value>>>,
) -> Result<Completion, String> {
    let mut tokens = Vec::new();
    for candidates in prompt {
        let Some(candidates) = candidates else {
            tokens.push((String::new(), None));
            continue;
        };
        let actual = candidates.values().next();
        let token = actual.and_then(|entry| entry["decoded_token"].as_str());
        let log_probability = actual.and_then(|entry| entry["logprob"].as_f64());
        match (token, log_probability) {
            (Some(token), Some(value)) => tokens.push((token.to_owned(), Some(value))),
            _ => return Err("a token of prompt_logprobs has no log-probability".to_owned()),
        }
    }
    Ok(Completion { tokens })
}

/// Sum of the log-probabilities of the tokens that spell what stands behind the prompt.
pub fn continuation_log_probability(
    completion: &Completion,
    prompt: &str,
    text: &str,
) -> Result<f64, String> {
    let tokens = skip_invisible_start(&completion.tokens, text);
    let mut spelled = String::new();
    let mut sum = None;
    for (token, log_probability) in tokens {
        if spelled.len() >= text.len() {
            break;
        }
        let start = spelled.len();
        spelled.push_str(token);
        if !text.starts_with(&spelled) {
            return Err(format!(
                "its tokens do not spell the text that was sent (`{}` against `{}`); does the server honour `echo`?",
                tail(&spelled),
                tail(&text[..floor(text, spelled.len())])
            ));
        }
        if start >= prompt.len() {
            let value = log_probability.ok_or("the word has no log-probability")?;
            if !value.is_finite() {
                return Err(format!("the log-probability of `{token}` is {value}"));
            }
            *sum.get_or_insert(0.0) += value;
        } else if spelled.len() > prompt.len() {
            return Err(format!(
                "the token `{token}` joins the end of the prompt and the word; the two cannot be told apart"
            ));
        }
    }
    match sum {
        Some(sum) if spelled.len() >= text.len() => Ok(sum),
        _ => Err(
            "the answer does not cover the text that was sent; the server ignores `echo`"
                .to_owned(),
        ),
    }
}

/// A token for the beginning of text may stand in front, with or without a spelling of its own, and
/// some tokenizers put a blank before the first word.
fn skip_invisible_start<'a>(
    tokens: &'a [(String, Option<f64>)],
    text: &str,
) -> &'a [(String, Option<f64>)] {
    match tokens.split_first() {
        Some(((first, None), rest)) if !text.starts_with(first.as_str()) || first.is_empty() => {
            rest
        }
        _ => tokens,
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The last few characters, for messages.
fn tail(text: &str) -> String {
    let start = text.chars().count().saturating_sub(24);
    text.chars().skip(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(tokens: &[(&str, Option<f64>)]) -> Completion {
        let tokens = tokens
            .iter()
            .map(|(token, value)| ((*token).to_owned(), *value));
        Completion {
            tokens: tokens.collect(),
        }
    }

    #[test]
    fn the_words_tokens_are_summed() {
        let (prompt, text) = ("\"I ran.\",", "\"I ran.\", he");
        for (tokens, expected) in [
            (
                vec![
                    ("\"I", None),
                    (" ran", Some(-1.0)),
                    (".\",", Some(-2.0)),
                    (" he", Some(-0.5)),
                    (" x", Some(-9.0)),
                ],
                -0.5,
            ),
            (
                vec![
                    ("<s>", None),
                    ("\"I ran.\",", Some(-3.0)),
                    (" h", Some(-0.5)),
                    ("e", Some(-0.25)),
                ],
                -0.75,
            ),
        ] {
            let found = continuation_log_probability(&completion(&tokens), prompt, text).unwrap();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn answers_about_something_else_are_refused() {
        let (prompt, text) = ("\"I ran.\",", "\"I ran.\", he");
        for (tokens, message) in [
            (vec![(" said", Some(-1.0))], "do not spell"),
            (vec![("\"I ran.\",", None)], "does not cover"),
            (vec![], "does not cover"),
            (
                vec![("\"I ran.\"", None), (", he", Some(-1.0))],
                "joins the end of the prompt",
            ),
            (
                vec![("\"I ran.\",", None), (" he", None)],
                "no log-probability",
            ),
            (
                vec![("\"I ran.\",", None), (" he", Some(f64::NEG_INFINITY))],
                "is -inf",
            ),
        ] {
            let error =
                continuation_log_probability(&completion(&tokens), prompt, text).unwrap_err();
            assert!(error.contains(message), "{tokens:?}: {error}");
        }
    }

    #[test]
    fn both_dialects_are_read() {
        let echo =
            r#"{"choices":[{"logprobs":{"tokens":["a"," b"],"token_logprobs":[null,-0.5]}}]}"#;
        let vllm = r#"{"choices":[{"prompt_logprobs":[null,{"7":{"logprob":-0.5,"decoded_token":" b"}}]}]}"#;
        assert_eq!(
            Completion::parse(echo).unwrap().tokens[1],
            (" b".to_owned(), Some(-0.5))
        );
        assert_eq!(
            Completion::parse(vllm).unwrap().tokens[1],
            (" b".to_owned(), Some(-0.5))
        );
        for (reply, message) in [
            ("<html>", "not a completion"),
            ("{\"choices\":[]}", "no choice"),
            ("{\"choices\":[{\"text\":\"x\"}]}", "no log-probabilities"),
            (
                "{\"error\":{\"message\":\"no such model\"}}",
                "no such model",
            ),
        ] {
            assert!(
                Completion::parse(reply).unwrap_err().contains(message),
                "{reply}"
            );
        }
    }
}
