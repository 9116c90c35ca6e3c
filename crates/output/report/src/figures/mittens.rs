//! MiTTenS: accuracy of every cell (language by set and gender) with its number of passages. The worst cell is framed: cells are
//! small, and some are low by chance.

use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, NORMAL, SMALL, STEPS, Scene};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};

/// Systems with a map of their own; the JSON has all cells.
const MAPS: usize = 4;
const LINE: f64 = 26.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 150.0;

/// A cell with its language and its column (set and gender).
struct Cell<'a> {
    language: &'a str,
    column: String,
    entry: Entry<'a>,
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let cells: Vec<Cell<'_>> = data.metric("accuracy").filter_map(cell).collect();
    let systems = distinct(cells.iter().map(|cell| cell.entry.system));
    let maps = systems.iter().take(MAPS);
    maps.enumerate()
        .filter_map(|(number, system)| {
            let own = cells.iter().filter(|cell| cell.entry.system == *system);
            map(data, number, &own.collect::<Vec<_>>())
        })
        .collect()
}

/// `lang:fi+set:synthbio+gender:feminine`
fn cell<'a>(entry: Entry<'a>) -> Option<Cell<'a>> {
    let row: &'a epicene_core::Row = entry.row;
    let mut parts = row.group.split('+');
    let mut value = |label: &str| parts.next()?.strip_prefix(label)?.strip_prefix(':');
    let (language, set, gender) = (value("lang")?, value("set")?, value("gender")?);
    Some(Cell {
        language,
        column: format!("{}, {gender}", set.replace('_', " ")),
        entry,
    })
}

fn map(data: &Data<'_>, number: usize, cells: &[&Cell<'_>]) -> Option<Figure> {
    let worst = cells.iter().min_by(|a, b| {
        let size = |cell: &Cell<'_>| cell.entry.n.unwrap_or(0);
        let lower = a.entry.value.total_cmp(&b.entry.value);
        lower.then(size(b).cmp(&size(a)))
    })?;
    let mut languages = distinct(cells.iter().map(|cell| cell.language));
    languages.sort_unstable();
    let mut columns = distinct(cells.iter().map(|cell| cell.column.as_str()));
    columns.sort_unstable();
    let width = (WIDTH - 8.0 - LEFT) / columns.len() as f64;
    let mut scene = Scene::new(WIDTH, TOP + languages.len() as f64 * LINE + 8.0);
    let left = |column: usize| LEFT + column as f64 * width;
    for (place, column) in columns.iter().enumerate() {
        let name = font::fitted(column, 10.5, TOP - 12.0);
        scene.upright_text(
            Ink::Text,
            (left(place) + width / 2.0 + 3.5, TOP - 6.0),
            &name,
            10.5,
        );
    }
    for (line, language) in languages.iter().enumerate() {
        let y = TOP + line as f64 * LINE;
        let at = (LEFT - 8.0, y + LINE / 2.0 + 4.0);
        scene.sized_text(Ink::Text, Anchor::End, at, language, NORMAL);
        for cell in cells.iter().filter(|cell| cell.language == *language) {
            let place = columns.iter().position(|name| *name == cell.column)?;
            let corner = (left(place), y);
            let (entry, n) = (&cell.entry, cell.entry.n.unwrap_or(0));
            let says = format!(
                "{language}, {}, {n} passages: {}",
                cell.column,
                entry.number(data.decimals(entry.row))
            );
            if cell.entry.index == worst.entry.index {
                scene.rectangle(
                    Ink::Text,
                    (corner.0 - 1.0, y - 1.0),
                    (width + 1.0, LINE + 1.0),
                );
            }
            scene
                .rectangle(
                    ink(entry.value),
                    (corner.0 + 1.0, y + 1.0),
                    (width - 3.0, LINE - 3.0),
                )
                .says(says, entry.index);
            let middle = corner.0 + width / 2.0 - 0.5;
            let value = format!("{:.2}", entry.value);
            scene.sized_text(Ink::Text, Anchor::Middle, (middle, y + 11.5), &value, SMALL);
            let count = format!("n {n}");
            scene.sized_text(Ink::Text, Anchor::Middle, (middle, y + 21.5), &count, 8.0);
        }
    }
    let system = worst.entry.contestant();
    let name = |cell: &Cell<'_>| {
        let n = cell.entry.n.unwrap_or(0);
        format!(
            "{} {}: {:.2} of {n}",
            cell.language, cell.column, cell.entry.value
        )
    };
    let mut lowest: Vec<&&Cell<'_>> = cells.iter().collect();
    lowest.sort_by(|a, b| a.entry.value.total_cmp(&b.entry.value));
    Some(Figure {
        name: format!("mittens-cells-{}", number + 1),
        title: format!("Accuracy by language, set and gender: {system}"),
        caption: format!(
            "Share of passages without a pronoun of the wrong gender (ideal 1), and the number of passages. Framed: the lowest, {}. Cells are small, so read it with `chance`.",
            name(worst)
        ),
        description: format!(
            "A heat map of accuracy by source language, set and gender for {system}. The lowest cells: {}.",
            listed(lowest.iter().take(12).map(|cell| name(cell)))
        ),
        scene,
    })
}

/// Pale where all are right, full where none are.
fn ink(accuracy: f64) -> Ink {
    let step = ((1.0 - accuracy) * f64::from(STEPS)).ceil();
    Ink::Step(step.clamp(0.0, f64::from(STEPS)) as i8)
}
