//! The summary: one card for each system, with the numbers that have an ideal value, where that value is,
//! and what the difference means. The furthest from the ideal come first.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::figures::svg::{self, escape};
use crate::figures::{Anchor, Axis, Data, Entry, Figure, Ink, Scene, Symbol, distinct, tick_label};
use crate::html::words;

/// More cards than this go below a fold.
const SHOWN: usize = 12;
/// Numbers on one card.
const NUMBERS: usize = 3;
const WIDTH: f64 = 260.0;

/// The numbers of one system in one unit.
struct Card<'a> {
    system: &'a str,
    unit: &'a str,
    numbers: Vec<Entry<'a>>,
}

impl Card<'_> {
    /// How far the first number is from its ideal, in half intervals.
    fn evidence(&self) -> f64 {
        self.numbers.first().map_or(0.0, |entry| {
            let half = (entry.high() - entry.low()) / 2.0;
            let distance = (entry.value - entry.ideal.unwrap_or(entry.value)).abs();
            if half > 0.0 { distance / half } else { 0.0 }
        })
    }
}

/// Rows with an ideal, over all groups; of a system's units the joint one where there is one.
fn cards<'a>(data: &Data<'a>) -> Vec<Card<'a>> {
    let headline: Vec<Entry<'a>> = data
        .entries
        .iter()
        .copied()
        .filter(|entry| entry.ideal.is_some() && entry.group == "all")
        .filter(|entry| {
            !entry.row.system.starts_with("all") || entry.row.system.starts_with("always")
        })
        .collect();
    let mut cards: Vec<Card<'a>> = Vec::new();
    for system in distinct(headline.iter().map(|entry| entry.system)) {
        let own: Vec<Entry<'a>> = headline
            .iter()
            .copied()
            .filter(|entry| entry.system == system)
            .collect();
        let units = distinct(own.iter().map(|entry| entry.row.unit.as_str()));
        let joint = units.contains(&"all");
        for unit in units.into_iter().filter(|unit| !joint || *unit == "all") {
            let numbers: Vec<Entry<'a>> = own
                .iter()
                .copied()
                .filter(|entry| entry.unit == unit)
                .take(NUMBERS)
                .collect();
            cards.push(Card {
                system,
                unit,
                numbers,
            });
        }
    }
    cards.sort_by(|a, b| b.evidence().total_cmp(&a.evidence()));
    cards
}

/// Every metric has one scale on all its cards.
fn scales(cards: &[Card<'_>]) -> BTreeMap<String, Axis> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for entry in cards.iter().flat_map(|card| &card.numbers) {
        values.entry(entry.row.metric.clone()).or_default().extend([
            entry.low(),
            entry.high(),
            entry.ideal.unwrap_or(entry.value),
        ]);
    }
    values
        .into_iter()
        .map(|(metric, values)| (metric, Axis::over(values, false).on_page(8.0, WIDTH - 8.0)))
        .collect()
}

pub fn write(out: &mut String, chapter: &Data<'_>, title: &str) {
    let cards = cards(chapter);
    if cards.is_empty() {
        return;
    }
    let scales = scales(&cards);
    let _ = writeln!(out, "<h3>{}</h3>", escape(title));
    *out += "<div class=\"cards\">\n";
    for (index, card) in cards.iter().enumerate() {
        if index == SHOWN {
            let more = cards.len() - SHOWN;
            let _ = writeln!(
                out,
                "</div>\n<details class=\"more\"><summary>{more} more</summary>\n<div class=\"cards\">"
            );
        }
        write_card(out, chapter.benchmark, index, card, &scales);
    }
    *out += "</div>\n";
    if cards.len() > SHOWN {
        *out += "</details>\n";
    }
}

fn write_card(
    out: &mut String,
    benchmark: &str,
    index: usize,
    card: &Card<'_>,
    scales: &BTreeMap<String, Axis>,
) {
    let control = match words::is_control(card.system) {
        true => ", a control: its result is known beforehand",
        false => "",
    };
    let _ = writeln!(
        out,
        "<article class=\"card\"><h4>{}</h4><p class=\"where\">{}{control}</p>",
        escape(card.system),
        escape(&words::unit(card.unit))
    );
    for entry in &card.numbers {
        let decimals = if entry.ideal == Some(50.0) || entry.ideal == Some(100.0) {
            1
        } else {
            3
        };
        let words = words::of(&entry.metric);
        let name = words.as_ref().map_or("", |words| words.name);
        let interval = match (entry.row.low, entry.row.high) {
            (Some(low), Some(high)) => format!(
                " <span class=\"interval\">[{}, {}]</span>",
                crate::number::fixed(low, decimals),
                crate::number::fixed(high, decimals)
            ),
            _ => String::new(),
        };
        let row = entry
            .index
            .map_or_else(String::new, |row| format!(" data-row=\"{row}\""));
        let _ = writeln!(
            out,
            "<p class=\"value\"><span class=\"metric\">{}</span> <span{row} data-decimals=\"{decimals}\">{}{interval}</span></p>",
            escape(&entry.metric),
            crate::number::fixed(entry.value, decimals),
        );
        if let Some(axis) = scales.get(entry.metric.as_str()) {
            let figure = scale(benchmark, index, entry, axis, name, decimals);
            *out += &svg::inline(&figure);
        }
        let _ = writeln!(out, "<p class=\"reading\">{}</p>", escape(&reading(entry)));
    }
    *out += "</article>\n";
}

/// What the number means beside its ideal.
fn reading(entry: &Entry<'_>) -> String {
    let (Some(ideal), Some(low), Some(high)) = (entry.ideal, entry.row.low, entry.row.high) else {
        return String::new();
    };
    let words = words::of(&entry.metric);
    let shown = tick_label(ideal);
    if low > ideal {
        let words = words.map_or("Above the ideal", |words| words.above);
        format!("{words}: the interval lies above {shown}.")
    } else if high < ideal {
        let words = words.map_or("Below the ideal", |words| words.below);
        format!("{words}: the interval lies below {shown}.")
    } else {
        format!("No difference shown: the interval holds {shown}.")
    }
}

/// A line with the ideal value, the interval and the number.
fn scale(
    benchmark: &str,
    index: usize,
    entry: &Entry<'_>,
    axis: &Axis,
    name: &str,
    decimals: usize,
) -> Figure {
    let mut scene = Scene::new(WIDTH, 34.0);
    let y = 10.0;
    scene.line(Ink::Grid, (axis.from, y), (axis.to, y), 4.0);
    if let Some(ideal) = entry.ideal {
        let x = axis.at(ideal);
        scene.line(Ink::Ideal, (x, y - 8.0), (x, y + 8.0), 2.0);
        let (anchor, shift) = match x {
            x if x < 40.0 => (Anchor::Start, -6.0),
            x if x > WIDTH - 40.0 => (Anchor::End, 6.0),
            _ => (Anchor::Middle, 0.0),
        };
        let label = format!("ideal {}", tick_label(ideal));
        scene.sized_text(Ink::Muted, anchor, (x + shift, 30.0), &label, 11.0);
    }
    if entry.row.low.is_some() {
        let (low, high) = (axis.at(entry.low()), axis.at(entry.high()));
        scene.line(Ink::Series(0), (low, y), (high, y), 3.0);
    }
    scene.symbol(
        Ink::Series(0),
        Symbol::Circle,
        (axis.at(entry.value), y),
        5.0,
    );
    let title = format!("{} of {} beside its ideal", entry.metric, entry.system);
    let description = format!("{name} {}; {}", entry.number(decimals), reading(entry));
    Figure {
        name: format!("card-{benchmark}-{index}-{}", entry.metric),
        title,
        caption: String::new(),
        description,
        scene,
    }
}
