//! What a chat benchmark asks: every wording, in every order, as often as wanted, so that no number rests on one prompt.

use epicene_core::{ChatQuestion, Item, ItemRef, Message, Question, Sampling, Scorer, Unit};

use super::units::Ordering;
use super::{
    CHOICE, ChatUnit, ChoiceBy, FRAMES, Frame, MOST_ORDERS, ORDERS, REPEAT, TEMPERATURE,
    THINKING_TOKENS, Wording, all_of, is_asked, pairs_of_names,
};
use crate::options::{OptionError, Options};
use crate::{Ask, Card};

/// Tokens of an answer whose first ones are all that is looked at: a bracket, the letter, and a reserve.
const TOKENS_OF_A_LETTER: u32 = 4;

/// What a benchmark asks chat models: its wordings, and how an item's text fills their placeholders.
#[derive(Debug)]
pub struct Script {
    pub wordings: fn() -> &'static [Wording],
    pub fill: fn(&str) -> Vec<(&'static str, String)>,
}

impl Script {
    pub fn asks(&self, options: &Options) -> Vec<Ask> {
        asks((self.wordings)(), options)
    }

    /// What is asked in a unit about an item, in words; `None` for a unit that no chat benchmark made.
    pub fn prompt(&self, item: ItemRef<'_>, unit: &Unit) -> Option<String> {
        let place = ChatUnit::of(unit)?;
        let wording = find((self.wordings)(), &place)?;
        let names = pairs_of_names(item.text);
        Some(wording.prompt(place.order_of(item.id), names, &(self.fill)(item.text)))
    }
}

/// The units that the options want, choice with both ways of reading it where the system decides.
fn asks(wordings: &[Wording], options: &Options) -> Vec<Ask> {
    let mut asks = Vec::new();
    for wording in wordings.iter().filter(|wording| is_asked(wording, options)) {
        for order in orderings(wording, options) {
            for attempt in 1..=options.get(&REPEAT) {
                let place = ChatUnit {
                    frame: wording.frame,
                    wording: wording.number,
                    order,
                    temperature: options.get(&TEMPERATURE),
                    thinking: options.get(&THINKING_TOKENS),
                    attempt,
                };
                let scorers: &[Scorer] = match (wording.frame, options.get(&CHOICE)) {
                    (Frame::Completion | Frame::Character, _) => &[Scorer::Chat],
                    (Frame::Choice, ChoiceBy::Auto) => {
                        &[Scorer::ChoiceLogprob, Scorer::ChoiceSampled]
                    }
                    (Frame::Choice, ChoiceBy::Logprob) => &[Scorer::ChoiceLogprob],
                    (Frame::Choice, ChoiceBy::Sampled) => &[Scorer::ChoiceSampled],
                };
                let ask = |scorer: &Scorer| Ask::new(place.unit(), *scorer);
                asks.extend(scorers.iter().map(ask));
            }
        }
    }
    asks
}

fn orderings(wording: &Wording, options: &Options) -> Vec<Option<Ordering>> {
    let wanted = options.get(&ORDERS);
    let all = all_of(wording);
    match all.len() {
        0 => vec![None],
        MOST_ORDERS if wanted < MOST_ORDERS => {
            let turn = |turn: usize| Ordering::Turn {
                turn: turn as u8,
                odd: options.seed % 2 == 1,
            };
            (0..wanted).map(|number| Some(turn(number))).collect()
        }
        _ => all
            .into_iter()
            .map(|order| Some(Ordering::Fixed(order)))
            .collect(),
    }
}

/// The question of a unit about an item.
pub fn question(script: &Script, item: &Item, ask: &Ask) -> Question {
    let place = ChatUnit::of(&ask.unit).expect("chat models are asked in units of wordings");
    let wording = find((script.wordings)(), &place).expect("units name wordings that exist");
    let order = place.order_of(&item.id);
    let names = pairs_of_names(&item.text);
    let prompt = wording.prompt(order, names, &(script.fill)(&item.text));
    let log_probabilities = ask.scorer == Scorer::ChoiceLogprob;
    Question::Chat(Box::new(ChatQuestion {
        options: order.map_or_else(Vec::new, |order| wording.answers(order, names)),
        log_probabilities,
        sampling: Sampling {
            temperature: place.temperature,
            seed: u64::from(place.attempt) - 1,
            ..Sampling::default()
        },
        max_tokens: if log_probabilities {
            TOKENS_OF_A_LETTER
        } else {
            wording.frame.tokens()
        } + place.thinking,
        ..ChatQuestion::new(vec![Message::user(prompt)], 0)
    }))
}

pub fn find<'a>(wordings: &'a [Wording], place: &ChatUnit) -> Option<&'a Wording> {
    wordings
        .iter()
        .find(|wording| wording.frame == place.frame && wording.number == place.wording)
}

/// Refuses options that do not go together.
pub fn check(card: &Card, script: &Script, options: &Options) -> Result<(), OptionError> {
    let refuse = |message: String, hint: &str| {
        Err(OptionError {
            message,
            hint: (!hint.is_empty()).then(|| hint.to_owned()),
        })
    };
    let wordings = (script.wordings)();
    let names = |wording: &Wording| format!("{}:{}", wording.frame.name(), wording.number);
    for name in options.get(&FRAMES).iter().flatten() {
        let known = |wording: &Wording| wording.frame.name() == name || names(wording) == *name;
        if !wordings.iter().any(known) {
            let all: Vec<String> = wordings.iter().map(names).collect();
            let message = format!(
                "--frames {name}: {} has no such frame or wording",
                card.name
            );
            return refuse(message, &format!("frames and wordings: {}", all.join(", ")));
        }
    }
    let temperature = options.get(&TEMPERATURE);
    if !(0.0..=2.0).contains(&temperature) {
        return refuse(
            format!("--temperature {temperature} is not between 0 and 2"),
            "",
        );
    }
    match options.get(&REPEAT) {
        0 => refuse("--repeat must be at least 1".to_owned(), ""),
        2.. if temperature == 0.0 => refuse(
            "--repeat asks for the same answer again".to_owned(),
            "give a --temperature above 0 as well",
        ),
        _ => Ok(()),
    }
}
