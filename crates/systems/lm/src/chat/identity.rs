//! Which model answers behind a chat server's address: what it says to fixed prompts at temperature 0.

use epicene_core::{ChatAnswer, ChatQuestion, Message, ServerCard};

use super::openai;
use crate::remote::listed;
use crate::{Endpoints, LmError, ServerProblem};

/// Prompts whose answers tell models apart, cut after a few tokens.
const TEST_PROMPTS: [&str; 3] = [
    "Write the first sentence of a story about a lighthouse.",
    "Describe a nurse in one sentence.",
    "Describe an engineer in one sentence.",
];
const TEST_TOKENS: u32 = 12;

/// The servers behind some addresses, with what they say to the test prompts. Each prompt is asked twice: an answer that a
/// server does not repeat says nothing about its model. Servers that do not answer now are left out; those that answer as
/// two models do are refused.
pub(super) fn test(
    model: &str,
    endpoints: &Endpoints,
    manner: &mut openai::Manner,
) -> Result<ServerCard, LmError> {
    let mut cards: Vec<ServerCard> = endpoints
        .bases()
        .into_iter()
        .map(|address| ServerCard {
            addresses: vec![address],
            answers: vec![None; TEST_PROMPTS.len()],
            ..ServerCard::default()
        })
        .collect();
    for (number, prompt) in TEST_PROMPTS.iter().enumerate() {
        let question = ChatQuestion::new(vec![Message::user(*prompt)], TEST_TOKENS);
        let first = ask_each(model, endpoints, &question, manner);
        let second = ask_each(model, endpoints, &question, manner);
        for (address, answer) in first {
            let again = second.iter().find(|(other, _)| *other == address);
            let card = cards.iter_mut().find(|card| card.addresses[0] == address);
            let (Some(card), Some((_, again))) = (card, again) else {
                continue;
            };
            card.model = card.model.take().or(answer.model);
            if answer.text == again.text && !answer.text.is_empty() {
                card.answers[number] = Some(answer.text);
            }
        }
    }
    let said = |card: &ServerCard| card.model.is_some() || card.answers.iter().any(Option::is_some);
    let first = cards.iter().position(said).unwrap_or(0);
    for other in cards.iter().filter(|card| said(card)) {
        // They are meant to be one system: an address alone is no difference.
        let moved = ServerCard {
            addresses: cards[first].addresses.clone(),
            ..other.clone()
        };
        if let Some(why) = cards[first].difference(&moved) {
            return Err(LmError::Server {
                url: other.key(),
                message: format!("the servers are not alike: {why}"),
                problem: ServerProblem::Other,
            });
        }
    }
    let mut whole = cards.swap_remove(first);
    whole.addresses = endpoints.bases();
    whole.listed = listed(model, endpoints);
    Ok(whole)
}

/// What servers say of themselves without a prompt, which may cost money.
pub fn unasked_servers(model: &str, endpoints: &Endpoints) -> ServerCard {
    ServerCard {
        addresses: endpoints.bases(),
        listed: listed(model, endpoints),
        ..ServerCard::default()
    }
}

/// The same for a system that learns nothing from refusals.
pub fn test_servers(model: &str, endpoints: &Endpoints) -> Result<ServerCard, LmError> {
    test(model, endpoints, &mut openai::Manner::default())
}

/// What each server answers, as far as they do.
fn ask_each(
    model: &str,
    endpoints: &Endpoints,
    question: &ChatQuestion,
    manner: &mut openai::Manner,
) -> Vec<(String, ChatAnswer)> {
    loop {
        let body = openai::request(model, question, *manner);
        let (mut answers, mut otherwise) = (Vec::new(), None);
        for (address, answer) in endpoints.post_each(&body) {
            match answer {
                Ok(text) => {
                    let answer = openai::read(&text, question).ok();
                    answers.extend(answer.map(|answer| (address, answer)));
                }
                Err(error) => otherwise = otherwise.or_else(|| manner.after(&error)),
            }
        }
        // A server that wants to be asked otherwise says so; every setting changes once.
        match otherwise {
            Some(changed) => *manner = changed,
            None => return answers,
        }
    }
}
