//! Maps: systems down, languages (or stereotypes, occupations…) across, a colour for how far each number is from its ideal.
//! Blue is below, orange above; numbers stand in the cells where there is room for them.

use epicene_core::Unit;

use super::colour_scale::Scale;
use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, NORMAL, Scene};
use super::{Figure, listed, tick_label};
use crate::chart_data::{Data, Entry, distinct};
use crate::standing::standings;
use crate::words;

const LABEL_ROOM: f64 = 210.0;
const LINE: f64 = 22.0;
/// Cells narrower than this have no number.
const NUMBERED: f64 = 27.0;
const WIDEST: f64 = 64.0;
/// More columns than these are a table.
const COLUMNS: usize = 160;
/// More parts of the items than these stand below each other, the strongest on top, and the systems beside each other.
const BESIDE: usize = 24;
/// More lines than these become one map for each unit.
const LINES: usize = 60;
/// Maps of one kind; the tables have all.
const MAPS: usize = 4;

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let mut figures = units(data);
    figures.extend(groups(data));
    figures
}

/// Systems by units, for the numbers a benchmark comes down to.
fn units(data: &Data<'_>) -> Vec<Figure> {
    let headlines = data.metrics.iter().filter(|metric| metric.headline);
    headlines
        .filter_map(|metric| {
            let of = |entry: &Entry<'_>| {
                entry.group == "all" && !words::is_joint(&entry.unit) && is_of_one(entry)
            };
            let entries: Vec<Entry<'_>> = data.metric(metric.symbol).filter(of).collect();
            let mut columns = distinct(entries.iter().map(|entry| entry.row.unit.as_str()));
            columns.sort_unstable_by_key(|unit| natural(unit));
            let systems = closest_first(&entries);
            let wide = (2..=COLUMNS).contains(&columns.len()) && systems.len() > 1;
            wide.then(|| {
                let lines = systems.iter().map(|system| {
                    let own = |unit: &&str| {
                        let mut own = entries.iter();
                        own.find(|entry| entry.system == *system && entry.unit == **unit)
                            .copied()
                    };
                    ((*system).to_owned(), columns.iter().map(own).collect())
                });
                Map {
                    name: format!("{}-map-{}", data.benchmark, metric.symbol.replace('_', "-")),
                    what: match metric.name {
                        "" => metric.symbol.to_owned(),
                        name => format!("{} ({name})", metric.symbol),
                    },
                    by: kind_of_units(&columns).to_owned(),
                    place: String::new(),
                    left_out: 0,
                    columns: columns.iter().map(|unit| words::short_unit(unit)).collect(),
                    lines: lines.collect(),
                }
                .figure(data)
            })
        })
        .collect()
}

/// The systems, those closest to their ideals first.
fn closest_first<'a>(entries: &[Entry<'a>]) -> Vec<&'a str> {
    let mean = |system: &str| {
        let own = entries.iter().filter(|entry| entry.system == system);
        let distances = own.filter_map(|entry| Some((entry.value - entry.ideal?).abs()));
        let distances: Vec<f64> = distances.collect();
        distances.iter().sum::<f64>() / distances.len().max(1) as f64
    };
    let systems = distinct(entries.iter().map(|entry| entry.system));
    let mut systems: Vec<(f64, &str)> =
        systems.into_iter().map(|name| (mean(name), name)).collect();
    systems.sort_by(|a, b| a.0.total_cmp(&b.0));
    systems.into_iter().map(|(_, name)| name).collect()
}

/// What units are, where they are all of one kind.
fn kind_of_units(units: &[&str]) -> &'static str {
    if units.iter().all(|unit| Unit::language_code(unit).is_some()) {
        "language"
    } else if units.iter().all(|unit| unit.starts_with("template:")) {
        "template"
    } else {
        "unit"
    }
}

/// Systems by the parts of the items: one map for each kind of part.
fn groups(data: &Data<'_>) -> Vec<Figure> {
    let kinds = distinct(data.entries.iter().filter_map(|entry| kind(entry)));
    kinds
        .into_iter()
        .flat_map(|kind| of_kind(data, kind))
        .collect()
}

/// `stereotype` of a row about one stereotype.
fn kind<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    let (kind, value) = entry.row.group.split_once(':')?;
    // Controls would take all the colours.
    let own = is_of_one(entry) && !words::is_control(&entry.row.system);
    let plain = own && kind != "part" && value != "avg" && !value.contains(['/', '+']);
    let measured = entry.row.low.is_some() || entry.row.ideal.is_some();
    (plain && measured).then_some(kind)
}

fn is_of_one(entry: &Entry<'_>) -> bool {
    entry.row.system != "all" && !entry.row.system.starts_with("all:")
}

/// The number that a benchmark gives for each part of one kind: what it comes down to, else the first that has an ideal,
/// else the first.
fn metric_of<'a>(data: &Data<'a>, entries: &[Entry<'a>]) -> Option<&'a str> {
    let metrics = distinct(entries.iter().map(|entry| entry.row.metric.as_str()));
    metrics.into_iter().min_by_key(|symbol| {
        let place = data
            .metrics
            .iter()
            .position(|metric| metric.symbol == *symbol);
        let level = match data.meaning(symbol) {
            Some(metric) if metric.headline => 0,
            Some(metric) if metric.ideal.is_some() => 1,
            _ => 2,
        };
        (level, place)
    })
}

/// The numbers of one system for the parts of its items (stereotypes, occupations), of the first kind that has at least three.
pub fn parts<'a>(data: &Data<'a>, system: &str, unit: &str) -> Vec<Entry<'a>> {
    let own = |entry: &&Entry<'a>| entry.system == system && entry.unit == unit;
    let own: Vec<Entry<'a>> = data.entries.iter().filter(own).copied().collect();
    let kinds = distinct(own.iter().filter_map(kind));
    let mut found = kinds.into_iter().filter_map(|wanted| {
        let of_kind = own.iter().filter(|entry| kind(entry) == Some(wanted));
        let all: Vec<Entry<'a>> = of_kind.copied().collect();
        let symbol = metric_of(data, &all)?;
        let all: Vec<Entry<'a>> = all
            .into_iter()
            .filter(|entry| entry.metric == *symbol)
            .collect();
        (all.len() >= 3).then_some(all)
    });
    found.next().unwrap_or_default()
}

fn of_kind(data: &Data<'_>, wanted: &str) -> Vec<Figure> {
    let of = |entry: &&Entry<'_>| kind(entry) == Some(wanted);
    let all: Vec<Entry<'_>> = data.entries.iter().filter(of).copied().collect();
    let Some(symbol) = metric_of(data, &all) else {
        return Vec::new();
    };
    let entries: Vec<Entry<'_>> = all
        .iter()
        .filter(|entry| entry.metric == *symbol)
        .copied()
        .collect();
    let mut columns = distinct(entries.iter().map(|entry| entry.row.group.as_str()));
    columns.sort_by_key(|group| natural(group));
    if !(3..=COLUMNS).contains(&columns.len()) {
        return Vec::new();
    }
    let joint = |system: &str| {
        let mut own = entries.iter().filter(|entry| entry.system == system);
        own.any(|entry| words::is_joint(&entry.unit))
    };
    let mut places = Vec::new();
    for entry in &entries {
        let place = (entry.system, entry.row.unit.as_str());
        if !places.contains(&place) && (words::is_joint(place.1) || !joint(place.0)) {
            places.push(place);
        }
    }
    // As the ranking has them.
    let ranked = standings(data);
    let ranked = ranked.first().map_or(&[][..], |standing| &standing.entries);
    let place = |system: &str| ranked.iter().position(|entry| entry.system == system);
    places.sort_by_key(|(system, _)| place(system).unwrap_or(usize::MAX));
    let map = |places: &[(&str, &str)], suffix: &str, place: String, left_out: usize| {
        let alone = !place.is_empty();
        let one = places.iter().all(|(system, _)| *system == places[0].0);
        let lines = places.iter().map(|(system, unit)| {
            let own = |group: &&str| {
                let mut own = entries.iter();
                own.find(|entry| {
                    entry.system == *system && entry.unit == **unit && entry.group == **group
                })
                .copied()
            };
            let label = if words::is_joint(unit) || alone {
                (*system).to_owned()
            } else if one {
                words::short_unit(unit)
            } else {
                format!("{system} · {}", words::short_unit(unit))
            };
            (label, columns.iter().map(own).collect())
        });
        let map = Map {
            name: format!("{}-map-{wanted}{suffix}", data.benchmark),
            what: symbol.to_owned(),
            by: wanted.to_owned(),
            place,
            left_out,
            columns: columns.iter().map(|group| data.label(group)).collect(),
            lines: lines.collect(),
        };
        if columns.len() > BESIDE && places.len() <= BESIDE {
            Some(map.turned().figure(data))
        } else {
            (columns.len() <= 2 * BESIDE).then(|| map.figure(data))
        }
    };
    if places.len() <= LINES {
        return map(&places, "", String::new(), 0).into_iter().collect();
    }
    let units = distinct(places.iter().map(|(_, unit)| *unit));
    let of_unit = |unit: &&str| -> Option<Figure> {
        let own = places.iter().filter(|(_, other)| other == unit);
        let own: Vec<(&str, &str)> = own.copied().collect();
        let suffix = format!("-{}", words::short_unit(unit));
        let left_out = units.len().saturating_sub(MAPS);
        map(&own, &suffix, words::unit(unit), left_out)
    };
    units.iter().take(MAPS).filter_map(of_unit).collect()
}

/// A name for files and identifiers, whatever a unit is called.
fn plain(name: &str) -> String {
    let known = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(known).collect()
}

/// Names with numbers in their order: `stereotype:2` before `stereotype:10`.
fn natural(name: &str) -> (String, u64, String) {
    let digits = name
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(name.len());
    let (word, rest) = name.split_at(digits);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..end].parse().unwrap_or(0);
    (word.to_owned(), number, rest[end..].to_owned())
}

struct Map<'a> {
    name: String,
    /// The metric.
    what: String,
    /// What is across.
    by: String,
    /// The unit of all its numbers, where there are other maps beside it, and how many units have no map.
    place: String,
    left_out: usize,
    columns: Vec<String>,
    lines: Vec<(String, Vec<Option<Entry<'a>>>)>,
}

impl<'a> Map<'a> {
    /// Parts of the items down, those furthest from their ideal first, and systems across.
    fn turned(self) -> Map<'a> {
        let mut lines = Vec::new();
        for (column, name) in self.columns.into_iter().enumerate() {
            let cells: Vec<Option<Entry<'a>>> =
                self.lines.iter().map(|(_, cells)| cells[column]).collect();
            let distances = cells.iter().flatten();
            let distances: Vec<f64> = distances
                .map(|entry| (entry.value - entry.ideal.unwrap_or(0.0)).abs())
                .collect();
            let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
            lines.push((mean, (name, cells)));
        }
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        Map {
            columns: self.lines.into_iter().map(|(label, _)| label).collect(),
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            ..self
        }
    }

    fn figure(&self, data: &Data<'_>) -> Figure {
        let present = || {
            self.lines
                .iter()
                .flat_map(|(_, cells)| cells.iter().flatten())
        };
        let scale = Scale::over(present().filter(|entry| !words::is_control(&entry.row.system)));
        let furthest = present().max_by(|a, b| {
            let distance =
                |entry: &Entry<'_>| (entry.value - scale.ideal.unwrap_or(scale.low)).abs();
            distance(a).total_cmp(&distance(b))
        });
        let place = match self.place.as_str() {
            "" => String::new(),
            place => format!(", {place}"),
        };
        let colours = match scale.ideal {
            Some(ideal) => format!(
                "Colour: the distance from the ideal ({}), blue below it and orange above.",
                tick_label(ideal)
            ),
            None => "Colour: from the smallest (pale) to the largest (full).".to_owned(),
        };
        let furthest = furthest.map_or_else(String::new, |entry| {
            format!(
                " The strongest is {}, {}: {}.",
                words::contestant(entry.system, &entry.unit),
                data.label(&entry.group),
                entry.number(data.decimals(entry.row))
            )
        });
        Figure {
            name: plain(&self.name),
            title: format!("{} by system and {}{place}", self.what, self.by),
            caption: {
                let mut caption = colours.clone();
                if scale.ideal.is_some() {
                    caption += " A dot: the interval contains the ideal.";
                }
                if self.left_out > 0 {
                    caption += &format!(
                        " {MAPS} of {} are drawn so; the tables have all.",
                        words::count(MAPS + self.left_out, "unit")
                    );
                }
                caption
            },
            description: format!(
                "A map of {} by system and {}: {}. {colours}{furthest}",
                self.what,
                self.by,
                listed(self.lines.iter().map(|(label, _)| label.clone()))
            ),
            scene: self.scene(data, &scale),
        }
    }

    fn scene(&self, data: &Data<'_>, scale: &Scale) -> Scene {
        let labels = self
            .lines
            .iter()
            .map(|(label, _)| font::room(label, NORMAL));
        let left = labels.fold(60.0, f64::max).min(LABEL_ROOM) + 14.0;
        let cell = ((WIDTH - 8.0 - left) / self.columns.len() as f64).min(WIDEST);
        // Headings that do not fit stand on their side.
        let widest = self
            .columns
            .iter()
            .map(|name| font::room(name, 10.5))
            .fold(0.0, f64::max);
        let upright = widest + 4.0 > cell;
        let top = if upright {
            widest.min(150.0) + 14.0
        } else {
            24.0
        };
        let mut scene = Scene::new(WIDTH, top + self.lines.len() as f64 * LINE + 8.0);
        let middle = |column: usize| left + (column as f64 + 0.5) * cell;
        for (column, name) in self.columns.iter().enumerate() {
            let name = font::fitted(name, 10.5, if upright { 150.0 } else { cell });
            if upright {
                let at = (middle(column) + 3.5, top - 6.0);
                scene.upright_text(Ink::Text, at, &name, 10.5);
            } else {
                let at = (middle(column), top - 8.0);
                scene.sized_text(Ink::Text, Anchor::Middle, at, &name, 10.5);
            }
        }
        for (line, (label, cells)) in self.lines.iter().enumerate() {
            let y = top + line as f64 * LINE;
            let at = (left - 8.0, y + LINE / 2.0 + 4.0);
            scene.text(
                Ink::Text,
                Anchor::End,
                at,
                &font::fitted(label, NORMAL, LABEL_ROOM),
            );
            for (column, entry) in cells.iter().enumerate() {
                let Some(entry) = entry else { continue };
                let corner = (left + column as f64 * cell, y);
                let decimals = data.decimals(entry.row);
                let says = format!(
                    "{label}, {}: {}",
                    self.columns[column],
                    entry.number(decimals)
                );
                scene
                    .rectangle(scale.ink(entry.value), corner, (cell - 1.0, LINE - 1.0))
                    .says(says, entry.index);
                if cell >= NUMBERED {
                    let short = if cell < 40.0 {
                        decimals.min(2)
                    } else {
                        decimals
                    };
                    let text = crate::number::part(entry.row, entry.value, short);
                    let size = if font::room(&text, 10.5) > cell - 3.0 {
                        8.5
                    } else {
                        10.5
                    };
                    let at = (middle(column), y + LINE / 2.0 + 3.5);
                    if font::room(&text, size) <= cell + 2.0 {
                        scene.sized_text(Ink::Text, Anchor::Middle, at, &text, size);
                    }
                }
                let holds =
                    entry.ideal.is_some() && entry.row.low.is_some() && !entry.row.excludes_ideal();
                if holds {
                    let at = (corner.0 + cell - 5.0, y + 4.0);
                    scene.symbol(Ink::Text, super::Symbol::Circle, at, 1.5);
                }
            }
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_numbers_are_in_their_order() {
        let mut names = ["stereotype:10", "stereotype:2", "lang:sk", "lang:cs"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(
            names,
            ["lang:cs", "lang:sk", "stereotype:2", "stereotype:10"]
        );
    }
}
