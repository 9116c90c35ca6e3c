//! Google's `generateContent`.

use epicene_core::{ChatAnswer, ChatQuestion, Finish, Role};
use serde_json::{Value, json};

use super::service::ReadAnswer;
use epicene_engine::generate::{Position, option_log_probabilities};

pub fn request(question: &ChatQuestion) -> Value {
    let turn = |role: Role| match role {
        Role::Assistant => "model",
        Role::User | Role::System => "user",
    };
    let (system, turns): (Vec<_>, Vec<_>) = question
        .messages
        .iter()
        .partition(|message| message.role == Role::System);
    let contents: Vec<Value> = turns
        .iter()
        .map(|message| json!({"role": turn(message.role), "parts": [{"text": message.content}]}))
        .collect();
    let sampling = &question.sampling;
    let mut settings = json!({
        "temperature": sampling.temperature,
        "maxOutputTokens": question.max_tokens,
    });
    if !sampling.is_greedy() {
        settings["seed"] = json!(sampling.seed);
        if sampling.top_p < 1.0 {
            settings["topP"] = json!(sampling.top_p);
        }
        if let Some(top_k) = sampling.top_k {
            settings["topK"] = json!(top_k);
        }
    }
    if !question.stop.is_empty() {
        settings["stopSequences"] = json!(question.stop);
    }
    if question.log_probabilities {
        settings["responseLogprobs"] = json!(true);
        settings["logprobs"] = json!(19);
    }
    let mut body = json!({"contents": contents, "generationConfig": settings});
    if !system.is_empty() {
        let parts: Vec<Value> = system
            .iter()
            .map(|message| json!({"text": message.content}))
            .collect();
        body["systemInstruction"] = json!({"parts": parts});
    }
    body
}

pub fn read(text: &str, question: &ChatQuestion) -> ReadAnswer {
    let reply: Value = serde_json::from_str(text)
        .map_err(|error| format!("the answer is no content ({error})"))?;
    let model = reply["modelVersion"].as_str().map(str::to_owned);
    let Some(candidate) = reply.pointer("/candidates/0") else {
        if reply.pointer("/promptFeedback/blockReason").is_some() {
            let mut held_back = ChatAnswer::new("", Finish::Filtered);
            held_back.model = model;
            return Ok(held_back);
        }
        return Err("the answer holds no candidate".to_owned());
    };
    let parts = candidate
        .pointer("/content/parts")
        .and_then(Value::as_array);
    let parts = parts.map(Vec::as_slice).unwrap_or_default();
    let of = |thought: bool| -> String {
        let own = parts
            .iter()
            .filter(|part| (part["thought"] == true) == thought);
        own.filter_map(|part| part["text"].as_str()).collect()
    };
    let finish = match candidate["finishReason"].as_str() {
        Some("STOP") => Finish::Stop,
        Some("MAX_TOKENS") => Finish::Length,
        Some("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII") => {
            Finish::Filtered
        }
        _ => Finish::Other,
    };
    let mut answer = ChatAnswer::new(of(false), finish);
    answer.reasoning = Some(of(true)).filter(|text| !text.is_empty());
    answer.model = model;
    if question.log_probabilities && answer.reasoning.is_none() {
        let positions = positions(&candidate["logprobsResult"]);
        answer.options =
            positions.and_then(|found| option_log_probabilities(&found, &question.options));
    }
    Ok(answer)
}

fn positions(logprobs: &Value) -> Option<Vec<Position>> {
    let chosen = logprobs["chosenCandidates"].as_array()?;
    let tops = logprobs["topCandidates"].as_array()?;
    chosen
        .iter()
        .zip(tops)
        .map(|(chosen, top)| {
            let entry = |entry: &Value| {
                Some((
                    entry["token"].as_str()?.to_owned(),
                    entry["logProbability"].as_f64()?,
                ))
            };
            Some(Position {
                token: chosen["token"].as_str()?.to_owned(),
                candidates: top["candidates"]
                    .as_array()?
                    .iter()
                    .filter_map(entry)
                    .collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_core::Message;

    #[test]
    fn requests_and_answers() {
        let question = ChatQuestion {
            options: vec!["A".to_owned(), "B".to_owned()],
            log_probabilities: true,
            ..ChatQuestion::new(vec![Message::system("Brief."), Message::user("Who?")], 4)
        };
        let body = request(&question);
        assert_eq!(body.pointer("/contents/0/parts/0/text").unwrap(), "Who?");
        assert_eq!(
            body.pointer("/systemInstruction/parts/0/text").unwrap(),
            "Brief."
        );
        let reply = json!({"modelVersion": "g-1", "candidates": [{"finishReason": "STOP",
            "content": {"parts": [{"text": "B"}]},
            "logprobsResult": {"chosenCandidates": [{"token": "B", "logProbability": -0.25}],
                "topCandidates": [{"candidates": [{"token": "B", "logProbability": -0.25}, {"token": "A", "logProbability": -3.0}]}]}}]});
        let answer = read(&reply.to_string(), &question).unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), ("B", Finish::Stop));
        assert_eq!(answer.options, Some(vec![Some(-3.0), Some(-0.25)]));
        let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}});
        assert_eq!(
            read(&blocked.to_string(), &question).unwrap().finish,
            Finish::Filtered
        );
        assert!(read("{}", &question).is_err());
    }
}
