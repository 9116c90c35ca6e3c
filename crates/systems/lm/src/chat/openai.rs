//! OpenAI's chat completions, as OpenAI, vLLM, llama.cpp, Ollama and gateways answer them.

use epicene_core::{ChatAnswer, ChatQuestion, Finish};
use epicene_io::http::HttpError;
use serde_json::{Map, Value, json};

use super::service::ReadAnswer;
use epicene_engine::generate::{Position, option_log_probabilities};

/// What a server wants done differently from the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Newer models of OpenAI know `max_completion_tokens` alone.
    completion_tokens: bool,
    /// Candidates that are asked for at each position; servers have limits of their own.
    candidates: u32,
    /// No `seed`.
    seedless: bool,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            completion_tokens: false,
            candidates: 20,
            seedless: false,
        }
    }
}

impl Manner {
    /// How to ask after a refusal that says what to do otherwise; `None` if this was done already, or the refusal names nothing.
    pub fn after(self, error: &HttpError) -> Option<Manner> {
        if !matches!(error.status, Some(400 | 422)) {
            return None;
        }
        let message = error.message.to_lowercase();
        let mut changed = self;
        if message.contains("max_completion_tokens") {
            changed.completion_tokens = true;
        } else if message.contains("top_logprobs") {
            changed.candidates = self.candidates.min(5);
        } else if message.contains("seed") {
            changed.seedless = true;
        }
        (changed != self).then_some(changed)
    }
}

pub fn request(model: &str, question: &ChatQuestion, manner: Manner) -> Value {
    let tokens = if manner.completion_tokens {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), json!(question.messages));
    body.insert(tokens.to_owned(), json!(question.max_tokens));
    let sampling = &question.sampling;
    body.insert("temperature".to_owned(), json!(sampling.temperature));
    if !sampling.is_greedy() {
        if !manner.seedless {
            body.insert("seed".to_owned(), json!(sampling.seed));
        }
        if sampling.top_p < 1.0 {
            body.insert("top_p".to_owned(), json!(sampling.top_p));
        }
        if let Some(top_k) = sampling.top_k {
            body.insert("top_k".to_owned(), json!(top_k));
        }
    }
    if !question.stop.is_empty() {
        body.insert("stop".to_owned(), json!(question.stop));
    }
    if question.log_probabilities {
        body.insert("logprobs".to_owned(), json!(true));
        body.insert("top_logprobs".to_owned(), json!(manner.candidates));
    }
    Value::Object(body)
}

pub fn read(text: &str, question: &ChatQuestion) -> ReadAnswer {
    let reply: Value = serde_json::from_str(text)
        .map_err(|error| format!("the answer is no chat completion ({error})"))?;
    if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
        return Err(format!("the server says {error}"));
    }
    let choice = reply
        .pointer("/choices/0")
        .ok_or("the answer holds no choice")?;
    let message = choice.get("message").ok_or("the choice holds no message")?;
    let refusal = message.get("refusal").and_then(Value::as_str);
    let said = match (message.get("content"), refusal) {
        (_, Some(refusal)) => refusal.to_owned(),
        (Some(Value::String(said)), _) => said.clone(),
        (Some(Value::Array(parts)), _) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        // A model that only thought, or said nothing.
        (None | Some(Value::Null), _) => String::new(),
        _ => return Err("the message's content is no text".to_owned()),
    };
    let finish = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if refusal.is_some() => Finish::Refused,
        Some("stop" | "end_turn" | "eos") => Finish::Stop,
        Some("length" | "max_tokens") => Finish::Length,
        Some("content_filter") => Finish::Filtered,
        _ => Finish::Other,
    };
    let thoughts = ["reasoning_content", "reasoning", "thinking"]
        .iter()
        .find_map(|field| message.get(*field).and_then(Value::as_str));
    let mut answer = ChatAnswer::new(said, finish);
    answer.reasoning = thoughts.filter(|text| !text.is_empty()).map(str::to_owned);
    answer.model = reply
        .get("model")
        .and_then(Value::as_str)
        .map(str::to_owned);
    if question.log_probabilities
        && let Some(positions) = choice.get("logprobs").and_then(positions)
    {
        // Thoughts sent apart may or may not have log-probabilities of their own; then which are the answer's is unknown.
        if answer.reasoning.is_none() {
            answer.options = option_log_probabilities(&positions, &question.options);
        }
    }
    Ok(answer)
}

/// Candidates position by position, in today's form (`content`) or in that of old completions.
fn positions(logprobs: &Value) -> Option<Vec<Position>> {
    if let Some(content) = logprobs.get("content").and_then(Value::as_array) {
        let entry = |entry: &Value| {
            let token = entry.get("token")?.as_str()?.to_owned();
            Some((token, entry.get("logprob")?.as_f64()?))
        };
        return content
            .iter()
            .map(|place| {
                let (token, own) = entry(place)?;
                let shown = place.get("top_logprobs").and_then(Value::as_array);
                let shown = shown.map(Vec::as_slice).unwrap_or_default();
                let mut candidates: Vec<(String, f64)> = shown.iter().filter_map(entry).collect();
                if candidates.is_empty() {
                    candidates.push((token.clone(), own));
                }
                Some(Position { token, candidates })
            })
            .collect();
    }
    let tokens = logprobs.get("tokens")?.as_array()?;
    let tops = logprobs.get("top_logprobs")?.as_array()?;
    tokens
        .iter()
        .zip(tops)
        .map(|(token, top)| {
            let candidates = top.as_object()?.iter();
            let candidates =
                candidates.map(|(token, value)| Some((token.clone(), value.as_f64()?)));
            Some(Position {
                token: token.as_str()?.to_owned(),
                candidates: candidates.collect::<Option<_>>()?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_core::Message;

    fn question() -> ChatQuestion {
        ChatQuestion {
            options: ["A", "B", "C"].map(str::to_owned).to_vec(),
            log_probabilities: true,
            ..ChatQuestion::new(vec![Message::user("Who?")], 4)
        }
    }

    #[test]
    fn a_request_says_what_is_wanted_and_no_more() {
        let body = request("m", &question(), Manner::default());
        assert_eq!(
            body["messages"],
            json!([{"role": "user", "content": "Who?"}])
        );
        assert_eq!(
            (&body["logprobs"], &body["top_logprobs"]),
            (&json!(true), &json!(20))
        );
        assert!(body.get("seed").is_none() && body.get("stop").is_none());
    }

    #[test]
    fn refusals_of_a_setting_are_learned_from_once() {
        let error = |message: &str| HttpError {
            url: String::new(),
            status: Some(400),
            message: message.to_owned(),
        };
        let tokens = error("Unsupported parameter: use 'max_completion_tokens' instead");
        let manner = Manner::default().after(&tokens).unwrap();
        assert_eq!(manner.after(&tokens), None);
        let body = request("m", &question(), manner);
        assert!(body.get("max_completion_tokens").is_some() && body.get("max_tokens").is_none());
        let manner = manner
            .after(&error("top_logprobs must be at most 5"))
            .unwrap();
        let body = request("m", &question(), manner);
        assert_eq!(body["top_logprobs"], json!(5));
        assert!(body.get("max_completion_tokens").is_some());
        assert_eq!(manner.after(&error("no such model")), None);
    }

    #[test]
    fn answers_of_several_servers() {
        let read = |value: Value| read(&value.to_string(), &question());
        let plain = read(
            json!({"model": "m-1", "choices": [{"finish_reason": "stop", "message": {"content": "B"},
            "logprobs": {"content": [{"token": "B", "logprob": -0.5, "top_logprobs": [{"token": "B", "logprob": -0.5}, {"token": " A", "logprob": -2.0}]}]}}]}),
        );
        let plain = plain.unwrap();
        assert_eq!((plain.text.as_str(), plain.finish), ("B", Finish::Stop));
        assert_eq!(plain.model.as_deref(), Some("m-1"));
        assert_eq!(plain.options, Some(vec![Some(-2.0), Some(-0.5), None]));

        let old = read(
            json!({"choices": [{"message": {"content": "A"}, "logprobs": {"tokens": ["A"], "top_logprobs": [{"A": -0.5, "C": -3.0}]}}]}),
        );
        assert_eq!(
            old.unwrap().options,
            Some(vec![Some(-0.5), None, Some(-3.0)])
        );

        let thought = read(json!({"choices": [{"finish_reason": "length", "message": {"content": null, "reasoning_content": "hm"}}]})).unwrap();
        assert_eq!(
            (thought.text.as_str(), thought.finish),
            ("", Finish::Length)
        );
        assert_eq!(thought.reasoning.as_deref(), Some("hm"));

        let refused =
            read(json!({"choices": [{"message": {"content": null, "refusal": "No."}}]})).unwrap();
        assert_eq!(
            (refused.text.as_str(), refused.finish),
            ("No.", Finish::Refused)
        );

        let parts =
            read(json!({"choices": [{"message": {"content": [{"type": "text", "text": "C"}]}}]}));
        assert_eq!(parts.unwrap().text, "C");
        for (reply, message) in [
            (json!({"choices": []}), "no choice"),
            (
                json!({"error": {"message": "no such model"}}),
                "no such model",
            ),
            (json!([]), "no choice"),
        ] {
            assert!(read(reply).unwrap_err().contains(message));
        }
    }
}
