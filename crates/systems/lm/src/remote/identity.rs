//! Who answers behind an address: as much as servers tell. Several addresses must be the same model on the same program.

use epicene_core::{ModelKind, ServerCard, SystemCard};
use epicene_io::threads;
use serde_json::Value;

use super::protocol::{Reply, Start, Way, completion_request};
use super::{Endpoints, server_error};
use crate::{LmError, ServerProblem};

/// A text every tokenizer can read, for the first look at a server.
const PROMPT: &str = "I am";
const TEXT: &str = "I am here";

/// Texts whose log-probabilities tell models apart, all after the first word. Two sentences about a man and a woman, one
/// about neither.
const TEST_TEXTS: [&str; 3] = [
    "I heard that he is a good nurse",
    "I heard that she is a good engineer",
    "I think that we read the same old book by the window",
];
const TEST_PROMPT: &str = "I";

/// Where programs say how they were started; most say nothing.
const ABOUT: [&str; 3] = [
    "/server_info?config_format=json",
    "/get_server_info",
    "/info",
];

/// The card of a model, that of its server, and how its log-probabilities are had.
pub fn find(model: &str, endpoints: &Endpoints) -> Result<(SystemCard, ServerCard, Way), LmError> {
    let paths = [&["/v1/models", "/version"], &ABOUT[..]].concat();
    let facts = threads::all_at_once(&paths, |path| endpoints.facts(path));
    let [lists, versions, about @ ..] = &facts[..] else {
        unreachable!("every path has an answer");
    };
    let (mut known, mut listed): (Vec<String>, Option<String>) = (Vec::new(), None);
    for (models, version) in lists.iter().zip(versions) {
        let Some(models) = models else { continue };
        let entry = entry(model, models, endpoints)?;
        listed = listed.or_else(|| entry.and_then(description));
        let program = program(entry, version.as_ref());
        if let Some(program) = program.filter(|program| !known.contains(program)) {
            known.push(program);
        }
    }
    if known.len() > 1 {
        return Err(LmError::Server {
            url: endpoints.first(),
            message: format!("the servers are not alike: {}", known.join(", ")),
            problem: ServerProblem::Other,
        });
    }
    let dtype = about.iter().flatten().flatten().find_map(dtype);
    let (way, start) = first_look(model, endpoints)?;
    let card = SystemCard {
        name: model.to_owned(),
        source: format!("openai:{model}"),
        revision: known.pop(),
        dtype: Some(dtype.unwrap_or_else(|| "dtype-untold".to_owned())),
        tokenizer: Some(
            match start {
                Some(Start::Shown | Start::Hidden) => "bos",
                Some(Start::Absent) => "no-bos",
                None => "bos-untold",
            }
            .to_owned(),
        ),
        kind: ModelKind::Causal,
    };
    let mut server = test(model, endpoints, way)?;
    server.listed = listed;
    Ok((card, server, way))
}

/// What the servers say to the test texts. One that does not answer now is left out; two that answer as two models do are
/// refused.
pub fn test(model: &str, endpoints: &Endpoints, way: Way) -> Result<ServerCard, LmError> {
    let mut cards: Vec<ServerCard> = Vec::new();
    // A slow server costs one wait and not three.
    let asked = threads::all_at_once(&TEST_TEXTS, |text| {
        let body = completion_request(model, &[(*text).to_owned()], way);
        endpoints.post_each(&body)
    });
    for (number, (text, answers)) in TEST_TEXTS.iter().zip(asked).enumerate() {
        for (place, (address, answer)) in answers.into_iter().enumerate() {
            if number == 0 {
                cards.push(ServerCard {
                    addresses: vec![address],
                    ..ServerCard::default()
                });
            }
            let reply = answer.ok().and_then(|text| Reply::parse(&text, 1).ok());
            let Some(reply) = reply else { continue };
            let card = &mut cards[place];
            card.model = card
                .model
                .take()
                .or_else(|| reply.model().map(str::to_owned));
            if let Ok(found) = reply.choices[0].word(TEST_PROMPT, text) {
                card.micronats
                    .push((found.log_probability * 1e6).round() as i64);
            }
        }
    }
    for card in &mut cards {
        if card.micronats.len() < TEST_TEXTS.len() {
            card.micronats.clear();
        }
    }
    cards.retain(|card| !card.micronats.is_empty());
    let mut cards = cards.into_iter();
    let Some(first) = cards.next() else {
        return Ok(ServerCard {
            addresses: endpoints.bases(),
            ..ServerCard::default()
        });
    };
    if let Some(why) = cards.find_map(|other| first.difference(&other)) {
        return Err(LmError::Server {
            url: endpoints.first(),
            message: format!("the servers are not alike: {why}"),
            problem: ServerProblem::Other,
        });
    }
    Ok(ServerCard {
        addresses: endpoints.bases(),
        ..first
    })
}

/// What the servers' lists of models say of one.
pub fn listed(model: &str, endpoints: &Endpoints) -> Option<String> {
    let lists = endpoints.facts("/v1/models").into_iter().flatten();
    let entry = |list: Value| {
        let list = list["data"].as_array()?;
        let entry = list.iter().find(|entry| entry["id"] == model)?;
        description(entry)
    };
    lists.filter_map(entry).next()
}

/// What a list of models says of one: where it was loaded from, and how much it reads.
fn description(entry: &Value) -> Option<String> {
    let root = entry["root"].as_str();
    let root = root.map(|root| root.rsplit('/').next().unwrap_or(root).to_owned());
    let length = entry["max_model_len"].as_u64();
    let length = length.map(|length| format!("{length} tokens"));
    let said: Vec<String> = root.into_iter().chain(length).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// The model in a server's list. Some servers answer to any name, and would be measured under the wrong one.
fn entry<'a>(
    model: &str,
    models: &'a Value,
    endpoints: &Endpoints,
) -> Result<Option<&'a Value>, LmError> {
    let Some(list) = models["data"].as_array().filter(|list| !list.is_empty()) else {
        return Ok(None);
    };
    let named = |entry: &&Value| {
        let id = entry["id"].as_str();
        id.is_some_and(|id| id == model || id.split(':').next() == Some(model))
    };
    match list.iter().find(named) {
        Some(entry) => Ok(Some(entry)),
        None => {
            let ids: Vec<&str> = list
                .iter()
                .filter_map(|entry| entry["id"].as_str())
                .collect();
            Err(LmError::Server {
                url: endpoints.first(),
                message: format!(
                    "the server has no model `{model}`; it has {}",
                    ids.join(", ")
                ),
                problem: ServerProblem::Model,
            })
        }
    }
}

/// `vllm-0.32.0`, where a server says as much.
fn program(entry: Option<&Value>, version: Option<&Value>) -> Option<String> {
    let version = version?["version"].as_str()?;
    let owner = entry.and_then(|entry| entry["owned_by"].as_str());
    Some(format!("{}-{version}", owner.unwrap_or("server")))
}

/// A `dtype` somewhere in what a server says about itself.
fn dtype(about: &Value) -> Option<String> {
    let fields = about.as_object()?;
    let named = ["dtype", "model_dtype", "torch_dtype"];
    let here = named.iter().find_map(|name| fields.get(*name)?.as_str());
    match here {
        Some(dtype) if dtype != "auto" => Some(dtype.trim_start_matches("torch.").to_owned()),
        _ => fields.values().find_map(dtype),
    }
}

/// Whether a text's log-probabilities can be had, and how; whether a beginning of text stands before them.
fn first_look(model: &str, endpoints: &Endpoints) -> Result<(Way, Option<Start>), LmError> {
    let look = |way: Way| {
        let body = completion_request(model, &[TEXT.to_owned()], way);
        let read = |answer: &str| {
            Ok(match Reply::parse(answer, 1) {
                Err(message) => Err((ServerProblem::Other, message)),
                Ok(reply) => match reply.choices[0].word(PROMPT, TEXT) {
                    Err(message) => Err((ServerProblem::NoProbabilities, message)),
                    Ok(_) => Ok(reply.start(TEXT)),
                },
            })
        };
        endpoints.post(&body, read).map_err(server_error)
    };
    match look(Way::Echo)? {
        Ok(start) => Ok((Way::Echo, start)),
        Err((problem, message)) => match look(Way::PromptLogprobs) {
            Ok(Ok(start)) => Ok((Way::PromptLogprobs, start)),
            _ => Err(LmError::Server {
                url: endpoints.first(),
                message,
                problem,
            }),
        },
    }
}
