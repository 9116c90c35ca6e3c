//! The summary: one card for each system, with the numbers that have an ideal value, where that value is,
//! and what the difference means. The furthest from the ideal come first.

use std::collections::BTreeMap;
use std::fmt::Write;

use epicene_core::{Metric, Row};

use crate::figures::svg::{self, escape};
use crate::figures::{Anchor, Axis, Data, Entry, Figure, Ink, Scene, Symbol, tick_label};
use crate::words;

/// More than this are left to the ranking.
const MOST: usize = 60;
/// Numbers on one card.
const NUMBERS: usize = 3;
const WIDTH: f64 = 260.0;

/// The numbers of one system in one unit.
struct Card<'a> {
    system: &'a str,
    unit: &'a str,
    /// `all`, or a part of the items where nothing is said of all.
    group: &'a str,
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

/// Rows with an ideal over all items, or over the parts of a benchmark that has parts.
fn headlines<'a>(data: &Data<'a>) -> Vec<Entry<'a>> {
    let of_rows = |keep: fn(&Row) -> bool| -> Vec<Entry<'a>> {
        data.entries
            .iter()
            .copied()
            .filter(|entry| entry.ideal.is_some() && keep(entry.row))
            // What is said of several systems together is no system.
            .filter(|entry| entry.row.system != "all" && !entry.row.system.starts_with("all:"))
            .collect()
    };
    let mut found = of_rows(|row| row.group == "all");
    if found.is_empty() {
        found = of_rows(Row::is_whole);
    }
    // The numbers a benchmark comes down to; others with an ideal stand on a card only where none of these do.
    let headlines = || data.metrics.iter().filter(|metric| metric.headline);
    let place = |entry: &Entry<'_>| headlines().position(|metric| metric.symbol == entry.metric);
    if found.iter().any(|entry| place(entry).is_some()) {
        found.retain(|entry| place(entry).is_some());
        found.sort_by_key(place);
    }
    found
}

/// One card for each system and part; of a system's units the joint one where there is one.
fn cards<'a>(data: &Data<'a>) -> Vec<Card<'a>> {
    let headlines = headlines(data);
    let mut cards: Vec<Card<'a>> = Vec::new();
    let mut places: Vec<[&str; 3]> = Vec::new();
    let joint = |system: &str| {
        let mut own = headlines.iter().filter(|entry| entry.system == system);
        own.any(|entry| entry.unit == "all")
    };
    for entry in &headlines {
        let place = [
            entry.system,
            entry.row.unit.as_str(),
            entry.row.group.as_str(),
        ];
        if places.contains(&place) || (joint(entry.system) && entry.unit != "all") {
            continue;
        }
        places.push(place);
        let [system, unit, group] = place;
        let same = |other: &&Entry<'a>| {
            other.system == system && other.unit == unit && other.group == group
        };
        cards.push(Card {
            system,
            unit,
            group,
            numbers: headlines
                .iter()
                .filter(same)
                .take(NUMBERS)
                .copied()
                .collect(),
        });
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

/// One card for each system, folded: the first screen has the findings already.
pub fn write(out: &mut String, chapter: &Data<'_>) {
    let cards = cards(chapter);
    // Hundreds of cards are of no use to a reader: ranking, maps and tables have their numbers.
    if cards.is_empty() || cards.len() > MOST {
        return;
    }
    let _ = writeln!(
        out,
        "<details class=\"more\"><summary>{} one by one, with what their numbers mean</summary>",
        words::count(cards.len(), "system")
    );
    write_open(out, chapter, &cards);
    *out += "</details>\n";
}

/// The cards alone.
pub fn write_all(out: &mut String, chapter: &Data<'_>) {
    write_open(out, chapter, &cards(chapter));
}

fn write_open(out: &mut String, chapter: &Data<'_>, cards: &[Card<'_>]) {
    let scales = scales(cards);
    *out += "<div class=\"cards\">\n";
    for (index, card) in cards.iter().enumerate() {
        write_card(out, chapter, index, card, &scales);
    }
    *out += "</div>\n";
}

fn write_card(
    out: &mut String,
    data: &Data<'_>,
    index: usize,
    card: &Card<'_>,
    scales: &BTreeMap<String, Axis>,
) {
    let control = if words::is_control(card.system) {
        ", a control: its result is known beforehand"
    } else {
        ""
    };
    let part = match card.group {
        "all" => String::new(),
        group => format!(", {}", data.label(group)),
    };
    let _ = writeln!(
        out,
        "<article class=\"card\"><h4>{}</h4><p class=\"where\">{}{}{control}</p>",
        escape(card.system),
        escape(&words::unit(card.unit)),
        escape(&part)
    );
    for entry in &card.numbers {
        let decimals = data.decimals(entry.row);
        let meaning = data.meaning(&entry.metric);
        let name = meaning.map_or("", |metric| metric.name);
        let interval = match (entry.row.low, entry.row.high) {
            (Some(low), Some(high)) => format!(
                " <span class=\"interval\">[{}, {}]</span>",
                crate::number::part(entry.row, low, decimals),
                crate::number::part(entry.row, high, decimals)
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
            crate::number::part(entry.row, entry.value, decimals),
        );
        if let Some(axis) = scales.get(entry.metric.as_str()) {
            let figure = scale(data, index, entry, axis, name, decimals);
            *out += &svg::inline(&figure);
        }
        let _ = writeln!(
            out,
            "<p class=\"reading\">{}</p>",
            escape(&reading(data, entry))
        );
    }
    *out += "</article>\n";
}

/// What the number means beside its ideal.
fn reading(data: &Data<'_>, entry: &Entry<'_>) -> String {
    let (Some(ideal), Some(low), Some(high)) = (entry.ideal, entry.row.low, entry.row.high) else {
        return String::new();
    };
    let said = |word: fn(&Metric) -> &'static str| {
        let said = data.meaning(&entry.metric).map(word);
        said.filter(|said| !said.is_empty())
    };
    let shown = tick_label(ideal);
    // What rounding left of a distance is none.
    let least = 1e-9 * ideal.abs().max(1.0);
    if low > ideal + least {
        let words = said(|metric| metric.above).unwrap_or("Above the ideal");
        format!("{words}: the interval lies above {shown}.")
    } else if high < ideal - least {
        let words = said(|metric| metric.below).unwrap_or("Below the ideal");
        format!("{words}: the interval lies below {shown}.")
    } else {
        format!("No significant difference: the interval contains {shown}.")
    }
}

/// A line with the ideal value, the interval and the number.
fn scale(
    data: &Data<'_>,
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
    let description = format!(
        "{name} {}; {}",
        entry.number(decimals),
        reading(data, entry)
    );
    Figure {
        name: format!("card-{}-{index}-{}", data.benchmark, entry.metric),
        title,
        caption: String::new(),
        description,
        scene,
    }
}
