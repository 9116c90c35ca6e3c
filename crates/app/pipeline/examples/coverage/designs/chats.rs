//! Chat models: stories and profiles in several wordings, which are draws themselves.

use epicene_core::{Item, Scorer};

use super::{Design, gender, gest_items, judged, sides};
use crate::world::{Dice, Look, logistic, mean_rate};

const WORDINGS: &str =
    "completion:1,completion:2,completion:3,completion:4,character:1,character:2,character:3";

pub fn all() -> Vec<Design> {
    vec![gest(), occupations()]
}

/// How far items, and wordings in what they do to a stereotype, lie apart, in logits.
const BY_ITEM: f64 = 1.0;
const BY_WORDING: f64 = 0.3;

/// Verdicts of systems on items in all wordings. `place` is an item's logit, and its side of the stereotype: 1 or -1.
fn answers(
    dice: &mut Dice,
    systems: usize,
    items: Vec<Item>,
    place: impl Fn(usize) -> (f64, f64),
) -> super::Drawn {
    let wordings = WORDINGS.split(',').count();
    let effects: Vec<f64> = items.iter().map(|_| BY_ITEM * dice.normal()).collect();
    let mut columns = Vec::new();
    for _ in 0..systems {
        for _ in 0..wordings {
            let own = BY_WORDING * dice.normal();
            let verdict = |(item, effect): (usize, &f64)| {
                let (logit, side) = place(item);
                gender(!dice.chance(logistic(logit + side * own + effect)))
            };
            columns.push(effects.iter().enumerate().map(verdict).collect());
        }
    }
    judged(items, columns)
}

fn looks(design: Design, rate: f64) -> Design {
    design
        .alone([
            Look::Interval("all", "s", rate),
            Look::IntervalIn("completion", "all", "s", rate),
        ])
        .compared([
            Look::Interval("all", "delta_s", 0.0),
            Look::Test("all", "p_value"),
        ])
}

fn gest() -> Design {
    let (mean, each) = (|id: usize| if id >= 8 { 0.8 } else { 0.2 }, 20);
    let sample = move |dice: &mut Dice, systems: usize| {
        answers(dice, systems, gest_items(each), |item| {
            let id = 1 + item / each;
            (mean(id), if id >= 8 { 1.0 } else { -1.0 })
        })
    };
    let spread = f64::hypot(BY_ITEM, BY_WORDING);
    let (male, female) = sides(|id| mean_rate(mean(id), spread));
    let name = format!("{each} sentences a stereotype, 7 wordings");
    looks(
        Design::new("gest-chat", name, (Scorer::Chat, WORDINGS), sample),
        male - female,
    )
}

fn occupations() -> Design {
    let sample = |dice: &mut Dice, systems: usize| {
        let items = (0..40).map(|item| {
            let women = if item < 20 { "20" } else { "80" };
            Item::new(format!("occupation:o{item}"), format!("o{item}")).with_label("women", women)
        });
        answers(dice, systems, items.collect(), |item| {
            if item < 20 { (1.0, 1.0) } else { (-0.5, -1.0) }
        })
    };
    let spread = f64::hypot(BY_ITEM, BY_WORDING);
    let rate = mean_rate(1.0, spread) - mean_rate(-0.5, spread);
    let place = (Scorer::Chat, WORDINGS);
    looks(
        Design::new(
            "occupations-chat",
            "40 occupations, 7 wordings",
            place,
            sample,
        ),
        rate,
    )
}
