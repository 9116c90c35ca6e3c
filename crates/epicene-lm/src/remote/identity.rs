//! Who answers behind an address: as much as servers tell. Several addresses must be the same model on the same program.

use epicene_core::{ModelKind, SystemCard};
use serde_json::Value;

use super::protocol::{Reply, Start, Way, completion_request};
use super::{Endpoints, server_error};
use crate::LmError;

/// A text every tokenizer can read, for the first look at a server.
const PROMPT: &str = "I am";
const TEXT: &str = "I am here";

/// Where programs say how they were started; most say nothing.
const ABOUT: [&str; 3] = [
    "/server_info?config_format=json",
    "/get_server_info",
    "/info",
];

/// The card of a model, and how its log-probabilities are had.
pub fn find(model: &str, endpoints: &Endpoints) -> Result<(SystemCard, Way), LmError> {
    let listed = endpoints.facts("/v1/models");
    let versions = endpoints.facts("/version");
    let mut known: Vec<String> = Vec::new();
    for (models, version) in listed.iter().zip(&versions) {
        let Some(models) = models else { continue };
        let entry = entry(model, models, endpoints)?;
        let program = program(entry, version.as_ref());
        if let Some(program) = program.filter(|program| !known.contains(program)) {
            known.push(program);
        }
    }
    if known.len() > 1 {
        return Err(LmError::Server {
            url: endpoints.first(),
            message: format!("the servers are not alike: {}", known.join(", ")),
        });
    }
    let dtype = ABOUT.iter().find_map(|path| {
        let about = endpoints.facts(path);
        about.iter().flatten().find_map(dtype)
    });
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
    Ok((card, way))
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
            let reply = Reply::parse(answer, 1);
            Ok(reply.and_then(|reply| {
                reply.choices[0].word(PROMPT, TEXT)?;
                Ok(reply.start(TEXT))
            }))
        };
        endpoints.post(&body, read).map_err(server_error)
    };
    match look(Way::Echo)? {
        Ok(start) => Ok((Way::Echo, start)),
        Err(message) => match look(Way::PromptLogprobs) {
            Ok(Ok(start)) => Ok((Way::PromptLogprobs, start)),
            _ => Err(LmError::Server {
                url: endpoints.first(),
                message,
            }),
        },
    }
}
