//! Small charts beside each other, one for each system: for more systems than one chart can tell apart. All have the same lines
//! and the same axis; the lines are numbered, and a key below names them.

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, SMALL, Scene};
use super::symbol::Symbol;
use crate::chart_data::Entry;

const ACROSS: usize = 4;
const WIDE: f64 = WIDTH / ACROSS as f64;
const LINE: f64 = 12.0;
const TITLE: f64 = 22.0;
/// Below the lines of a panel: ticks, and room to the next.
const FOOT: f64 = 30.0;
const LEFT: f64 = 24.0;
const RIGHT: f64 = 12.0;

pub struct Panels<'a> {
    pub axis_label: String,
    pub logarithmic: bool,
    pub decimals: usize,
    /// A line to compare with, and what it is called.
    pub reference: (f64, String),
    pub range: Option<(f64, f64)>,
    /// Inks with what they mean, and the lines that have each.
    pub groups: Vec<(Ink, String, Vec<String>)>,
    pub panels: Vec<Panel<'a>>,
}

pub struct Panel<'a> {
    pub title: String,
    /// Values by line.
    pub dots: Vec<(usize, Entry<'a>)>,
}

impl Panels<'_> {
    pub fn draw(&self) -> Scene {
        let mut scene = Scene::new(WIDTH, 10.0);
        let entries: Vec<(Ink, Symbol, String)> = self
            .groups
            .iter()
            .map(|(ink, meaning, _)| (*ink, Symbol::Circle, meaning.clone()))
            .collect();
        let top = scene.legend((14.0, 18.0), WIDTH - 10.0, &entries) + 8.0;
        let lines: Vec<(Ink, &String)> = self
            .groups
            .iter()
            .flat_map(|(ink, _, lines)| lines.iter().map(|line| (*ink, line)))
            .collect();
        let high = TITLE + lines.len() as f64 * LINE + FOOT;
        let values = self.panels.iter().flat_map(|panel| &panel.dots);
        let values = values.flat_map(|(_, entry)| [entry.low(), entry.high()]);
        let axis = match self.range {
            Some((low, high)) => Axis::between(low, high),
            None => Axis::over(values.chain([self.reference.0]), self.logarithmic),
        };
        for (place, panel) in self.panels.iter().enumerate() {
            let (column, row) = (place % ACROSS, place / ACROSS);
            let left = column as f64 * WIDE + LEFT;
            let axis = axis.on_page(left, (column + 1) as f64 * WIDE - RIGHT);
            let top = top + row as f64 * high;
            self.panel(&mut scene, panel, &axis, (top, &lines));
        }
        let rows = self.panels.len().div_ceil(ACROSS);
        let foot = top + rows as f64 * high;
        let (value, name) = &self.reference;
        let label = format!(
            "{} (dashed: {} {name})",
            self.axis_label,
            tick_label(*value)
        );
        scene.text(
            Ink::Text,
            Anchor::Middle,
            (WIDTH / 2.0, foot + 10.0),
            &label,
        );
        scene.height = foot + 28.0 + key(&mut scene, foot + 32.0, &lines);
        scene
    }

    fn panel(
        &self,
        scene: &mut Scene,
        panel: &Panel<'_>,
        axis: &Axis,
        (top, lines): (f64, &[(Ink, &String)]),
    ) {
        let title = titled(&panel.title, axis.to - axis.from);
        scene.sized_text(
            Ink::Text,
            Anchor::Start,
            (axis.from, top + 12.0),
            &title,
            SMALL,
        );
        let (first, last) = (top + TITLE, top + TITLE + lines.len() as f64 * LINE);
        for tick in axis.ticks(3) {
            let x = axis.at(tick);
            scene.line(Ink::Grid, (x, first), (x, last), 1.0);
            let at = (x, last + 12.0);
            scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(tick), SMALL);
        }
        let x = axis.at(self.reference.0);
        scene.dashed(Ink::Reference, (x, first), (x, last), 1.0);
        for (line, (_, label)) in lines.iter().enumerate() {
            let y = first + (line as f64 + 0.5) * LINE;
            let at = (axis.from - 4.0, y + 4.0);
            scene.sized_text(Ink::Muted, Anchor::End, at, &short(label), SMALL);
        }
        for (line, entry) in &panel.dots {
            let (ink, label) = lines[*line];
            let y = first + (*line as f64 + 0.5) * LINE;
            if entry.row.low.is_some() {
                let (low, high) = (axis.at(entry.low()), axis.at(entry.high()));
                scene.line(ink, (low, y), (high, y), 1.5);
            }
            let says = format!("{label}, {}: {}", panel.title, entry.number(self.decimals));
            scene
                .symbol(ink, Symbol::Circle, (axis.at(entry.value), y), 3.0)
                .says(says, entry.index);
        }
    }
}

/// The title, cut where there is no room; its last word, the language, stays.
fn titled(title: &str, room: f64) -> String {
    match title.rsplit_once(' ') {
        Some((system, unit)) => {
            let unit = format!(" {unit}");
            font::fitted(system, SMALL, room - font::width(&unit, SMALL)) + &unit
        }
        None => font::fitted(title, SMALL, room),
    }
}

/// `7 Beautiful` is line 7.
fn short(label: &str) -> String {
    let first = label.split_whitespace().next().unwrap_or(label);
    font::fitted(first, SMALL, LEFT - 6.0)
}

/// The names of numbered lines, as many beside each other as there is room for; returns its height.
fn key(scene: &mut Scene, top: f64, lines: &[(Ink, &String)]) -> f64 {
    let (mut x, mut y) = (14.0, top);
    for (_, label) in lines {
        let width = font::room(label, SMALL) + 16.0;
        if x + width > WIDTH - 6.0 && x > 14.0 {
            (x, y) = (14.0, y + 16.0);
        }
        scene.sized_text(Ink::Muted, Anchor::Start, (x, y), label, SMALL);
        x += width;
    }
    y - top + 16.0
}
