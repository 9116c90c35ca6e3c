//! The ranking a first screen answers with: one line for each system (in each language), the closest to the ideal on top,
//! with intervals, and bars beside those that cannot be told apart. Colour is the system, shape the language.

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, NORMAL, SERIES, SMALL, Scene};
use super::symbol::{SHAPES, Symbol};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};
use crate::standing::{Evidence, Standing, standings};
use crate::words::{self, capital};

const LABEL_ROOM: f64 = 250.0;
/// The line of the published systems.
const PUBLISHED: &str = "published";
const LINE: f64 = 20.0;
/// One bar for each group of systems that cannot be told apart.
const BAR: f64 = 7.0;
/// More bars than these would be a hatching; the first says who is beside the best.
const BARS: usize = 12;
/// More lines than these become one line for each system, with a symbol for each of its units.
const LINES: usize = 40;

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    standings(data)
        .iter()
        .map(|standing| figure(data, standing))
        .collect()
}

fn figure(data: &Data<'_>, standing: &Standing<'_>) -> Figure {
    let symbol = standing.metric.symbol;
    let scene = if standing.entries.len() > LINES {
        strips(data, standing)
    } else {
        lines(data, standing)
    };
    let named = |entry: &Entry<'_>| words::contestant(entry.system, &entry.unit);
    let values = standing
        .entries
        .iter()
        .map(|entry| format!("{} {:.2}", named(entry), entry.value));
    let ideal = tick_label(standing.ideal);
    let count = standing.entries.len();
    Figure {
        name: format!("{}-ranking-{}", data.benchmark, symbol.replace('_', "-")),
        title: format!(
            "{}: the closest to the ideal first",
            match standing.metric.name {
                "" => symbol.to_owned(),
                name => format!("{} {symbol}", capital(name)),
            }
        ),
        caption: caption(standing, !published(data, standing).is_empty()),
        description: format!(
            "{} by {symbol}, ideal {ideal}, the closest first: {}. {}",
            words::count(count, "line"),
            listed(values),
            standing.sentences(data).join(" ")
        ),
        scene,
    }
}

fn caption(standing: &Standing<'_>, published: bool) -> String {
    let mut text = String::from("95 % intervals.");
    if standing.entries.len() > LINES {
        text += " One line for each system, one symbol for each of its units.";
        return text;
    }
    let shown = bars(standing).len();
    if shown > 0 {
        text += match standing.evidence {
            Evidence::Paired => {
                " Systems beside one bar are statistically tied (paired tests, Holm's correction)."
            }
            Evidence::Intervals => {
                " Systems beside one bar are statistically tied by their intervals (Holm's correction). `epicene compare` \
                 tests pairs of items and may find more differences."
            }
        };
    }
    let several = standing.groups.iter().filter(|group| group.len() > 1);
    if shown > 0 && shown < several.count() {
        text += " The bar shows only the systems tied with the closest.";
    }
    if published {
        text += " Last line: the published systems, each named where the pointer rests on it.";
    }
    if !standing.controls.is_empty() {
        text += " Grey: controls with a known result.";
    }
    text
}

/// The groups that get a bar: those of more than one, or the first alone where there are too many.
fn bars<'s>(standing: &'s Standing<'_>) -> Vec<&'s Vec<usize>> {
    let groups = standing.groups.iter().filter(|group| group.len() > 1);
    let groups: Vec<&Vec<usize>> = groups.collect();
    if groups.len() > BARS {
        groups
            .into_iter()
            .filter(|group| group[0] == 0)
            .take(1)
            .collect()
    } else {
        groups
    }
}

/// The ink of a system and the shape of a unit, where there are few enough to tell apart.
struct Code<'a> {
    systems: Vec<&'a str>,
    units: Vec<&'a str>,
}

impl<'a> Code<'a> {
    /// In the order of the data, so that a system has one colour in all figures.
    fn of(data: &Data<'a>, entries: &[Entry<'a>]) -> Code<'a> {
        let own = |entry: &&Entry<'a>| {
            let mut own = entries.iter();
            own.any(|own| own.system == entry.system && own.unit == entry.unit)
        };
        let shown: Vec<&Entry<'a>> = data.entries.iter().filter(own).collect();
        Code {
            systems: distinct(shown.iter().map(|entry| entry.system)),
            units: distinct(shown.iter().map(|entry| entry.row.unit.as_str())),
        }
    }

    fn ink(&self, entry: &Entry<'_>) -> Ink {
        let place = self
            .systems
            .iter()
            .position(|system| *system == entry.system);
        match place {
            Some(place) if self.systems.len() <= SERIES && self.units.len() > 1 => {
                Ink::Series(place)
            }
            _ => Ink::Series(0),
        }
    }

    fn symbol(&self, entry: &Entry<'_>) -> Symbol {
        let place = self.units.iter().position(|unit| entry.unit == *unit);
        match place {
            Some(place) if self.units.len() <= SHAPES => Symbol::of_unit(place),
            _ => Symbol::Circle,
        }
    }
}

/// The published systems by the same metric, where these results were measured on their items. Without intervals: the line
/// shows where systems usually are.
fn published<'a>(data: &Data<'a>, standing: &Standing<'a>) -> Vec<Entry<'a>> {
    let group = standing.entries.first().map(|entry| &entry.row.group);
    let all: Vec<Entry<'a>> = data
        .published(standing.metric.symbol)
        .filter(|entry| data.same_items && Some(&entry.row.group) == group)
        .collect();
    let has_joint = |system: &str| {
        let mut own = all.iter().filter(|entry| entry.system == system);
        own.any(|entry| words::is_joint(&entry.unit))
    };
    let shown = |entry: &&Entry<'a>| words::is_joint(&entry.unit) || !has_joint(entry.system);
    all.iter().filter(shown).copied().collect()
}

/// Those that are ranked, then the controls.
fn everybody<'a>(standing: &Standing<'a>) -> Vec<Entry<'a>> {
    let all = standing.entries.iter().chain(&standing.controls);
    all.copied().collect()
}

/// Room for the widest of these names.
fn room_for(names: impl Iterator<Item = String>) -> f64 {
    let widest = names.map(|name| font::room(&name, NORMAL));
    widest.fold(60.0, f64::max).min(LABEL_ROOM) + 14.0
}

fn says(data: &Data<'_>, entry: &Entry<'_>) -> String {
    format!(
        "{}, {}: {}",
        words::contestant(entry.system, &entry.unit),
        entry.metric,
        entry.number(data.decimals(entry.row))
    )
}

fn label(entry: &Entry<'_>) -> String {
    if words::is_joint(&entry.unit) {
        entry.system.to_owned()
    } else {
        format!("{} · {}", entry.system, words::short_unit(&entry.unit))
    }
}

fn lines(data: &Data<'_>, standing: &Standing<'_>) -> Scene {
    let all = everybody(standing);
    let code = Code::of(data, &standing.entries);
    let bars = bars(standing);
    let number = |entry: &Entry<'_>| entry.number(data.decimals(entry.row));
    let left = room_for(all.iter().map(label).chain([PUBLISHED.to_owned()]));
    let values = all.iter().map(|entry| font::room(&number(entry), SMALL));
    let values = values.fold(0.0, f64::max);
    let gutter = if bars.is_empty() {
        0.0
    } else {
        bars.len() as f64 * BAR + 10.0
    };
    let right = WIDTH - values - gutter - 18.0;
    let published = published(data, standing);
    let reach = all
        .iter()
        .chain(&published)
        .flat_map(|entry| [entry.low(), entry.high()]);
    let axis = Axis::over(reach.chain([standing.ideal]), false).on_page(left, right);
    let top = 28.0;
    let lines = all.len() + usize::from(!published.is_empty());
    let bottom = top + lines as f64 * LINE;
    let mut scene = Scene::new(WIDTH, bottom + 46.0);
    super::dots::frame_of(
        &mut scene,
        &axis,
        (top, bottom),
        &axis_label(standing),
        Some(standing.ideal),
    );
    let middle = |place: usize| top + (place as f64 + 0.5) * LINE;
    for (place, entry) in all.iter().enumerate() {
        let y = middle(place);
        let control = place >= standing.entries.len();
        let (ink, symbol) = if control {
            (Ink::Reference, Symbol::Circle)
        } else {
            (code.ink(entry), code.symbol(entry))
        };
        let name = font::fitted(&label(entry), NORMAL, LABEL_ROOM);
        let text = if control { Ink::Muted } else { Ink::Text };
        scene.text(text, Anchor::End, (left - 10.0, y + 4.0), &name);
        if entry.row.low.is_some() {
            let (low, high) = (axis.at(entry.low()), axis.at(entry.high()));
            scene.line(ink, (low, y), (high, y), 1.75);
        }
        scene
            .symbol(ink, symbol, (axis.at(entry.value), y), 4.5)
            .says(says(data, entry), entry.index);
        let at = (WIDTH - 6.0, y + 4.0);
        scene.sized_text(Ink::Muted, Anchor::End, at, &number(entry), SMALL);
    }
    if !published.is_empty() {
        let y = middle(all.len());
        scene.text(Ink::Muted, Anchor::End, (left - 10.0, y + 4.0), PUBLISHED);
        for entry in &published {
            scene
                .symbol(
                    Ink::Reference,
                    Symbol::Circle,
                    (axis.at(entry.value), y),
                    3.5,
                )
                .faint()
                .says(says(data, entry), None);
        }
    }
    for (place, group) in bars.iter().enumerate() {
        let x = right + 10.0 + place as f64 * BAR;
        let ends = [group[0], group[group.len() - 1]].map(middle);
        scene.line(Ink::Axis, (x, ends[0] - 5.0), (x, ends[1] + 5.0), 2.0);
        // Who lies between the ends and is told apart interrupts the bar.
        let between = group[0]..=group[group.len() - 1];
        for other in between.filter(|other| !group.contains(other)) {
            let y = middle(other);
            scene.line(Ink::Paper, (x, y - 6.0), (x, y + 6.0), 3.0);
        }
    }
    scene
}

fn axis_label(standing: &Standing<'_>) -> String {
    match standing.metric.name {
        "" => standing.metric.symbol.to_owned(),
        name => format!("{name} {}", standing.metric.symbol),
    }
}

/// One line for each system, a symbol for each unit; by the mean distance from the ideal.
fn strips(data: &Data<'_>, standing: &Standing<'_>) -> Scene {
    let all = everybody(standing);
    let code = Code::of(data, &all);
    let distance = |system: &str| {
        let own = all.iter().filter(|entry| entry.system == system);
        let own: Vec<f64> = own
            .map(|entry| (entry.value - standing.ideal).abs())
            .collect();
        own.iter().sum::<f64>() / own.len().max(1) as f64
    };
    let mut systems: Vec<(f64, &str)> = code
        .systems
        .iter()
        .map(|system| (distance(system), *system))
        .collect();
    systems.sort_by(|a, b| a.0.total_cmp(&b.0));
    let left = room_for(systems.iter().map(|(_, system)| (*system).to_owned()));
    let values = all.iter().map(|entry| entry.value);
    let axis = Axis::over(values.chain([standing.ideal]), false).on_page(left, WIDTH - 20.0);
    let mut scene = Scene::new(WIDTH, 10.0);
    let mut legend = 0.0;
    if (2..=SHAPES).contains(&code.units.len()) {
        let entries: Vec<(Ink, Symbol, String)> = code
            .units
            .iter()
            .enumerate()
            .map(|(place, unit)| (Ink::Series(0), Symbol::of_unit(place), words::unit(unit)))
            .collect();
        legend = scene.legend((14.0, 18.0), WIDTH - 10.0, &entries);
    }
    let top = legend + 28.0;
    let bottom = top + systems.len() as f64 * LINE;
    scene.height = bottom + 46.0;
    super::dots::frame_of(
        &mut scene,
        &axis,
        (top, bottom),
        &axis_label(standing),
        Some(standing.ideal),
    );
    for (place, (_, system)) in systems.iter().enumerate() {
        let y = top + (place as f64 + 0.5) * LINE;
        let name = font::fitted(system, NORMAL, LABEL_ROOM);
        scene.text(Ink::Text, Anchor::End, (left - 10.0, y + 4.0), &name);
        for entry in all.iter().filter(|entry| entry.system == *system) {
            let at = (axis.at(entry.value), y);
            scene
                .symbol(Ink::Series(0), code.symbol(entry), at, 3.5)
                .faint()
                .says(says(data, entry), entry.index);
        }
    }
    scene
}
