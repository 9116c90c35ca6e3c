//! Anthropic's messages. There are no log-probabilities, and temperatures end at 1.

use epicene_core::{ChatAnswer, ChatQuestion, Finish, Role};
use serde_json::{Value, json};

use super::service::ReadAnswer;
use crate::LmError;

pub fn request(model: &str, question: &ChatQuestion) -> Result<Value, LmError> {
    let temperature = question.sampling.temperature;
    if temperature > 1.0 {
        return Err(LmError::Other {
            message: format!(
                "anthropic: a temperature of {temperature} is above 1, the highest there is"
            ),
            hint: None,
        });
    }
    let (system, turns): (Vec<_>, Vec<_>) = question
        .messages
        .iter()
        .partition(|message| message.role == Role::System);
    let mut body = json!({
        "model": model,
        "max_tokens": question.max_tokens,
        "temperature": temperature,
        "messages": turns,
    });
    if !system.is_empty() {
        let texts: Vec<&str> = system
            .iter()
            .map(|message| message.content.as_str())
            .collect();
        body["system"] = json!(texts.join("\n\n"));
    }
    if !question.stop.is_empty() {
        body["stop_sequences"] = json!(question.stop);
    }
    Ok(body)
}

pub fn read(text: &str) -> ReadAnswer {
    let reply: Value = serde_json::from_str(text)
        .map_err(|error| format!("the answer is no message ({error})"))?;
    if reply["type"] == "error" {
        return Err(format!("the service says {}", reply["error"]));
    }
    let blocks = reply["content"]
        .as_array()
        .ok_or("the answer holds no content")?;
    let of = |kind: &str, field: &str| -> String {
        let own = blocks.iter().filter(|block| block["type"] == kind);
        own.filter_map(|block| block[field].as_str()).collect()
    };
    let finish = match reply["stop_reason"].as_str() {
        Some("end_turn" | "stop_sequence") => Finish::Stop,
        Some("max_tokens") => Finish::Length,
        Some("refusal") => Finish::Refused,
        _ => Finish::Other,
    };
    let mut answer = ChatAnswer::new(of("text", "text"), finish);
    answer.reasoning = Some(of("thinking", "thinking")).filter(|text| !text.is_empty());
    answer.model = reply["model"].as_str().map(str::to_owned);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_core::Message;

    #[test]
    fn the_system_turn_stands_apart() {
        let messages = vec![Message::system("Be brief."), Message::user("Who?")];
        let body = request("claude", &ChatQuestion::new(messages, 9)).unwrap();
        assert_eq!(body["system"], "Be brief.");
        assert_eq!(
            body["messages"],
            json!([{"role": "user", "content": "Who?"}])
        );
        assert_eq!(body["max_tokens"], 9);
    }

    #[test]
    fn blocks_are_told_apart() {
        let reply = json!({"type": "message", "model": "claude-x", "stop_reason": "end_turn", "content": [
            {"type": "thinking", "thinking": "A?"}, {"type": "text", "text": "B"}]});
        let answer = read(&reply.to_string()).unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), ("B", Finish::Stop));
        assert_eq!(answer.reasoning.as_deref(), Some("A?"));
        let refused = json!({"type": "message", "stop_reason": "refusal", "content": []});
        assert_eq!(read(&refused.to_string()).unwrap().finish, Finish::Refused);
        let error = json!({"type": "error", "error": {"type": "overloaded_error"}});
        assert!(read(&error.to_string()).unwrap_err().contains("overloaded"));
    }
}
