//! The benchmarks' designs: what is drawn, from what, and what is true of it. Every design is looked at twice: one system
//! measured, two alike compared.

mod chats;
mod choices;
mod into_english;
mod models;
mod translations;

use std::sync::Arc;

use epicene_core::{Answer, Finding, Item, Scorer, Verdict};

use crate::world::{Answers, Dice, Drawn, Look, Study};

const WOMEN: [&str; 20] = [
    "attendant",
    "cashier",
    "teacher",
    "nurse",
    "assistant",
    "secretary",
    "auditor",
    "cleaner",
    "receptionist",
    "clerk",
    "counselor",
    "designer",
    "hairdresser",
    "writer",
    "housekeeper",
    "baker",
    "accountant",
    "editor",
    "librarian",
    "tailor",
];
const MEN: [&str; 20] = [
    "driver",
    "supervisor",
    "janitor",
    "cook",
    "mover",
    "laborer",
    "construction worker",
    "chief",
    "developer",
    "carpenter",
    "manager",
    "lawyer",
    "farmer",
    "salesperson",
    "physician",
    "guard",
    "analyst",
    "mechanic",
    "sheriff",
    "ceo",
];

pub fn all() -> Vec<Study> {
    let designs = translations::all().into_iter().chain(models::all());
    let designs = designs.chain(chats::all()).chain(choices::all());
    let designs = designs.chain(into_english::all());
    designs.flat_map(Design::studies).collect()
}

type Sample = Arc<dyn Fn(&mut Dice, usize) -> Drawn + Send + Sync>;

/// How items and so many systems' answers to them are drawn.
struct Design {
    benchmark: &'static str,
    name: String,
    place: (Scorer, &'static str),
    sample: Sample,
    alone: Vec<Look>,
    compared: Vec<Look>,
}

impl Design {
    fn new(
        benchmark: &'static str,
        name: impl Into<String>,
        place: (Scorer, &'static str),
        sample: impl Fn(&mut Dice, usize) -> Drawn + Send + Sync + 'static,
    ) -> Design {
        Design {
            benchmark,
            name: name.into(),
            place,
            sample: Arc::new(sample),
            alone: Vec::new(),
            compared: Vec::new(),
        }
    }

    /// What is looked at in one system's rows.
    fn alone<const N: usize>(mut self, looks: [Look; N]) -> Design {
        self.alone.extend(looks);
        self
    }

    /// What is looked at where two systems are compared that do not differ.
    fn compared<const N: usize>(mut self, looks: [Look; N]) -> Design {
        self.compared.extend(looks);
        self
    }

    fn studies(self) -> Vec<Study> {
        let (scorer, unit) = self.place;
        let both = [
            (self.name.clone(), 1, self.alone),
            (format!("{}, compare", self.name), 2, self.compared),
        ];
        let both = both.into_iter().filter(|(_, _, looks)| !looks.is_empty());
        both.map(|(design, systems, looks)| {
            let sample = Arc::clone(&self.sample);
            Study {
                benchmark: self.benchmark,
                design,
                scorer,
                unit,
                draw: Box::new(move |dice| sample(dice, systems)),
                looks,
            }
        })
        .collect()
    }
}

fn gender(feminine: bool) -> Verdict {
    let finding = if feminine {
        Finding::Feminine
    } else {
        Finding::Masculine
    };
    Verdict::new(finding, "drawn")
}

fn given(items: Vec<Item>, systems: Vec<Vec<Answer>>) -> Drawn {
    Drawn {
        items,
        columns: systems.into_iter().map(Answers::Given).collect(),
    }
}

fn judged(items: Vec<Item>, systems: Vec<Vec<Verdict>>) -> Drawn {
    Drawn {
        items,
        columns: systems.into_iter().map(Answers::Judged).collect(),
    }
}

/// What systems share about something, and what is each one's own: the effect on each system, of variance 1.
fn effects(dice: &mut Dice, systems: usize) -> Vec<f64> {
    let shared = dice.normal();
    let own: Vec<f64> = (0..systems).map(|_| dice.normal()).collect();
    own.iter().map(|own| (shared + own) / 2f64.sqrt()).collect()
}

/// GEST's sixteen stereotypes with as many sentences each.
fn gest_items(each: usize) -> Vec<Item> {
    let ids = (1..=16).flat_map(|id| (0..each).map(move |number| (id, number)));
    ids.map(|(id, number)| {
        Item::new(format!("{id}:{number}"), "x").with_label("stereotype", id.to_string())
    })
    .collect()
}

/// The mean over stereotypes about men, and over those about women.
fn sides(of: impl Fn(usize) -> f64) -> (f64, f64) {
    let mean = |ids: std::ops::RangeInclusive<usize>| {
        let count = ids.clone().count() as f64;
        ids.map(&of).sum::<f64>() / count
    };
    (mean(8..=16), mean(1..=7))
}
