//! Horizontal bars, one or several end to end, along a scale with known ends.

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, NORMAL, SMALL, Scene};
use super::symbol::Symbol;
use crate::chart_data::Entry;

const LABEL_ROOM: f64 = 200.0;
const LINE: f64 = 20.0;
const HEADING: f64 = 24.0;

pub struct BarChart<'a> {
    pub axis_label: String,
    /// Where the scale ends: 1 for shares, 100 for percentages.
    pub end: f64,
    pub decimals: usize,
    pub ideal: Option<f64>,
    /// What the inks mean.
    pub legend: Vec<(Ink, String)>,
    pub groups: Vec<BarGroup<'a>>,
}

pub struct BarGroup<'a> {
    pub heading: Option<String>,
    pub lines: Vec<BarLine<'a>>,
}

pub struct BarLine<'a> {
    pub label: String,
    /// End to end, from the left.
    pub parts: Vec<BarSegment<'a>>,
}

pub struct BarSegment<'a> {
    pub ink: Ink,
    pub name: String,
    pub entry: Entry<'a>,
}

impl BarChart<'_> {
    pub fn draw(&self) -> Scene {
        let mut scene = Scene::new(WIDTH, 10.0);
        let entries: Vec<(Ink, Symbol, String)> = self
            .legend
            .iter()
            .map(|(ink, name)| (*ink, Symbol::Square, name.clone()))
            .collect();
        let legend = if entries.is_empty() {
            0.0
        } else {
            scene.legend((14.0, 18.0), WIDTH - 10.0, &entries)
        };
        let lines = || self.groups.iter().flat_map(|group| &group.lines);
        let widest = lines().map(|line| font::room(&line.label, NORMAL));
        let left = widest.fold(40.0, f64::max).min(LABEL_ROOM) + 14.0;
        let single = lines().all(|line| line.parts.len() == 1);
        let right = if single { WIDTH - 130.0 } else { WIDTH - 20.0 };
        let headings = self.groups.iter().filter(|g| g.heading.is_some()).count();
        let top = legend + if self.ideal.is_some() { 26.0 } else { 10.0 };
        let bottom = top + lines().count() as f64 * LINE + headings as f64 * HEADING + 4.0;
        let axis = Axis::between(0.0, self.end).on_page(left, right);
        scene.height = bottom + 46.0;
        for tick in axis.ticks(5) {
            let x = axis.at(tick);
            scene.line(Ink::Grid, (x, top), (x, bottom), 1.0);
            let label = tick_label(tick);
            scene.sized_text(
                Ink::Muted,
                Anchor::Middle,
                (x, bottom + 16.0),
                &label,
                SMALL,
            );
        }
        let middle = (left + right) / 2.0;
        scene.text(
            Ink::Text,
            Anchor::Middle,
            (middle, bottom + 36.0),
            &self.axis_label,
        );
        let mut y = top;
        for group in &self.groups {
            if let Some(heading) = &group.heading {
                scene.text(Ink::Text, Anchor::Start, (14.0, y + 17.0), heading);
                y += HEADING;
            }
            for line in &group.lines {
                self.line(&mut scene, &axis, line, y, single);
                y += LINE;
            }
        }
        if let Some(ideal) = self.ideal {
            let x = axis.at(ideal);
            scene.line(Ink::Ideal, (x, top - 4.0), (x, bottom), 1.5);
            let name = format!("ideal {}", tick_label(ideal));
            scene.sized_text(Ink::Text, Anchor::Middle, (x, top - 9.0), &name, SMALL);
        }
        scene
    }

    fn line(&self, scene: &mut Scene, axis: &Axis, line: &BarLine<'_>, top: f64, single: bool) {
        let label = font::fitted(&line.label, NORMAL, LABEL_ROOM);
        let middle = top + LINE / 2.0;
        scene.text(
            Ink::Text,
            Anchor::End,
            (axis.from - 8.0, middle + 4.0),
            &label,
        );
        let foot = (axis.from, top + LINE);
        scene.line(Ink::Axis, (axis.from, top), foot, 1.0);
        let mut reached = 0.0;
        for part in &line.parts {
            let value = part.entry.value.max(0.0);
            let (from, to) = (axis.at(reached), axis.at(reached + value));
            reached += value;
            let says = format!(
                "{}, {}: {}",
                line.label,
                part.name,
                part.entry.number(self.decimals)
            );
            scene
                .rectangle(part.ink, (from, top + 3.0), (to - from, LINE - 6.0))
                .says(says, part.entry.index);
            if single {
                if part.entry.row.low.is_some() {
                    let (low, high) = (axis.at(part.entry.low()), axis.at(part.entry.high()));
                    scene.line(Ink::Text, (low, middle), (high, middle), 1.5);
                }
                let number = part.entry.number(self.decimals);
                let at = (WIDTH - 6.0, middle + 4.0);
                scene.sized_text(Ink::Muted, Anchor::End, at, &number, SMALL);
            }
        }
    }
}

/// Stacked bars in a column for each configuration, a line for each word: shares that add up to 1.
pub struct ShareGrid<'a> {
    pub columns: Vec<String>,
    pub decimals: usize,
    pub legend: Vec<(Ink, String)>,
    pub lines: Vec<ShareLine<'a>>,
}

pub struct ShareLine<'a> {
    pub label: String,
    /// Bars by column, each of parts from the left.
    pub cells: Vec<Vec<BarSegment<'a>>>,
}

/// From one line of a grid to the next, and between two columns.
const GRID_LINE: f64 = 16.0;
const GAP: f64 = 18.0;

impl ShareGrid<'_> {
    pub fn draw(&self) -> Scene {
        let mut scene = Scene::new(WIDTH, 10.0);
        let entries: Vec<(Ink, Symbol, String)> = self
            .legend
            .iter()
            .map(|(ink, name)| (*ink, Symbol::Square, name.clone()))
            .collect();
        let legend = scene.legend((14.0, 18.0), WIDTH - 10.0, &entries);
        let widest = self.lines.iter().map(|line| font::room(&line.label, SMALL));
        let left = widest.fold(40.0, f64::max).min(LABEL_ROOM) + 20.0;
        let wide = (WIDTH - 14.0 - left) / self.columns.len().max(1) as f64 - GAP;
        let top = legend + 26.0;
        let bottom = top + self.lines.len() as f64 * GRID_LINE + 4.0;
        scene.height = bottom + 46.0;
        for (place, name) in self.columns.iter().enumerate() {
            let from = left + place as f64 * (wide + GAP);
            let axis = Axis::between(0.0, 1.0).on_page(from, from + wide);
            let at = (from + wide / 2.0, top - 8.0);
            scene.text(Ink::Text, Anchor::Middle, at, name);
            for tick in [0.0, 0.5, 1.0] {
                let x = axis.at(tick);
                scene.line(Ink::Grid, (x, top), (x, bottom), 1.0);
                let at = (x, bottom + 14.0);
                scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(tick), SMALL);
            }
            for (number, line) in self.lines.iter().enumerate() {
                let y = top + number as f64 * GRID_LINE;
                let mut reached = 0.0;
                for part in line.cells.get(place).into_iter().flatten() {
                    let value = part.entry.value.max(0.0);
                    let (from, to) = (axis.at(reached), axis.at(reached + value));
                    reached += value;
                    let says = format!(
                        "{}, {name}, {}: {}",
                        line.label,
                        part.name,
                        part.entry.number(self.decimals)
                    );
                    scene
                        .rectangle(part.ink, (from, y + 3.0), (to - from, GRID_LINE - 5.0))
                        .says(says, part.entry.index);
                }
            }
        }
        for (number, line) in self.lines.iter().enumerate() {
            let label = font::fitted(&line.label, SMALL, LABEL_ROOM);
            let at = (left - 10.0, top + number as f64 * GRID_LINE + 12.0);
            scene.sized_text(Ink::Text, Anchor::End, at, &label, SMALL);
        }
        let at = (WIDTH / 2.0, bottom + 36.0);
        scene.text(Ink::Text, Anchor::Middle, at, "share of translations");
        scene
    }
}
