//! The dot-and-interval chart most figures are: lines of dots along one axis, in groups, with the ideal
//! value marked. Few series are spread within their line; many are a strip of faint dots.

use super::axis::{Axis, tick_label};
use super::font;
use super::scene::{Anchor, Ink, NORMAL, SERIES, SMALL, Scene};
use super::symbol::Symbol;
use crate::chart_data::Entry;

pub const WIDTH: f64 = 720.0;
const LABEL_ROOM: f64 = 260.0;

pub struct DotChart<'a> {
    pub axis_label: String,
    pub logarithmic: bool,
    pub decimals: usize,
    /// The value of an unbiased system.
    pub ideal: Option<f64>,
    /// A line to compare with, and what it is called.
    pub reference: Option<(f64, String)>,
    /// Names of the series; a legend where there are several.
    pub series: Vec<String>,
    pub groups: Vec<Group<'a>>,
    /// Ends of the axis, where the scale is known.
    pub range: Option<(f64, f64)>,
}

#[derive(Default)]
pub struct Group<'a> {
    pub heading: Option<String>,
    /// The ink of all dots of the group; else each series has its own.
    pub ink: Option<Ink>,
    pub lines: Vec<DotLine<'a>>,
}

pub struct DotLine<'a> {
    pub label: String,
    pub dots: Vec<Dot<'a>>,
}

pub struct Dot<'a> {
    pub entry: Entry<'a>,
    pub series: usize,
}

impl<'a> Dot<'a> {
    pub fn new(entry: Entry<'a>, series: usize) -> Dot<'a> {
        Dot { entry, series }
    }
}

/// Grid, ticks, axis label and ideal between top and bottom.
pub fn frame_of(
    scene: &mut Scene,
    axis: &Axis,
    (top, bottom): (f64, f64),
    label: &str,
    ideal: Option<f64>,
) {
    for tick in axis.ticks(6) {
        let x = axis.at(tick);
        scene.line(Ink::Grid, (x, top), (x, bottom), 1.0);
        let at = (x, bottom + 16.0);
        scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(tick), SMALL);
    }
    scene.line(Ink::Axis, (axis.from, bottom), (axis.to, bottom), 1.0);
    let middle = (axis.from + axis.to) / 2.0;
    scene.text(Ink::Text, Anchor::Middle, (middle, bottom + 36.0), label);
    if let Some(ideal) = ideal {
        let x = axis.at(ideal);
        scene.line(Ink::Ideal, (x, top - 4.0), (x, bottom), 1.5);
        let name = format!("ideal {}", tick_label(ideal));
        scene.sized_text(Ink::Text, Anchor::Middle, (x, top - 9.0), &name, SMALL);
    }
}

struct Layout {
    axis: Axis,
    line_height: f64,
    top: f64,
    bottom: f64,
    strip: bool,
    values_at: Option<f64>,
}

impl DotChart<'_> {
    fn dots(&self) -> impl Iterator<Item = &Dot<'_>> {
        let lines = self.groups.iter().flat_map(|group| &group.lines);
        lines.flat_map(|line| &line.dots)
    }

    fn axis(&self) -> Axis {
        if let Some((low, high)) = self.range {
            return Axis::between(low, high);
        }
        let marked = self
            .ideal
            .into_iter()
            .chain(self.reference.as_ref().map(|r| r.0));
        let dots = self.dots().flat_map(|dot| {
            if self.is_strip() {
                [dot.entry.value; 2]
            } else {
                [dot.entry.low(), dot.entry.high()]
            }
        });
        Axis::over(dots.chain(marked), self.logarithmic)
    }

    fn is_strip(&self) -> bool {
        self.series.len() > SERIES
    }

    fn layout(&self, legend: f64) -> Layout {
        let lines = || self.groups.iter().flat_map(|group| &group.lines);
        let labels = lines().map(|line| font::room(&line.label, NORMAL));
        let headings = self
            .groups
            .iter()
            .filter_map(|group| group.heading.as_ref());
        let headings = headings.map(|heading| font::room(heading, NORMAL) + 12.0);
        let left = labels.chain(headings).fold(60.0, f64::max);
        let left = left.min(LABEL_ROOM) + 14.0;
        let single = lines().all(|line| line.dots.len() <= 1);
        let widest = self
            .dots()
            .map(|dot| font::room(&dot.entry.number(self.decimals), SMALL))
            .fold(0.0, f64::max);
        let right = if single {
            WIDTH - widest - 18.0
        } else {
            WIDTH - 20.0
        };
        let line_height = if self.is_strip() {
            20.0
        } else {
            22.0_f64.max(9.0 * self.series.len() as f64 + 8.0)
        };
        let headings = self.groups.iter().filter(|group| group.heading.is_some());
        let top = legend + 26.0;
        let bottom = top + lines().count() as f64 * line_height + headings.count() as f64 * 26.0;
        Layout {
            axis: self.axis().on_page(left, right),
            line_height,
            top,
            bottom,
            strip: self.is_strip(),
            values_at: single.then_some(WIDTH - 6.0),
        }
    }

    pub fn draw(&self) -> Scene {
        let mut scene = Scene::new(WIDTH, 10.0);
        let mut legend = 0.0;
        if self.series.len() > 1 && !self.is_strip() && self.groups.iter().all(|g| g.ink.is_none())
        {
            let entries: Vec<(Ink, Symbol, String)> = self
                .series
                .iter()
                .enumerate()
                .map(|(n, name)| (Ink::Series(n), Symbol::of_series(n), name.clone()))
                .collect();
            legend = scene.legend((14.0, 18.0), WIDTH - 10.0, &entries);
        }
        let layout = self.layout(legend);
        scene.height = layout.bottom + 46.0;
        self.frame(&mut scene, &layout);
        let mut y = layout.top;
        for group in &self.groups {
            if let Some(heading) = &group.heading {
                let ink = group.ink.unwrap_or(Ink::Text);
                scene.rectangle(ink, (14.0, y + 8.0), (4.0, 12.0));
                scene.explain(ink, heading);
                scene.text(Ink::Text, Anchor::Start, (24.0, y + 18.0), heading);
                y += 26.0;
            }
            for line in &group.lines {
                self.line(&mut scene, &layout, group, line, y);
                y += layout.line_height;
                if self.series.len() > 1 && !layout.strip && y < layout.bottom - 1.0 {
                    scene.line(Ink::Grid, (14.0, y), (layout.axis.to, y), 1.0);
                }
            }
        }
        scene
    }

    /// Grid, ticks, axis label, ideal and reference.
    fn frame(&self, scene: &mut Scene, layout: &Layout) {
        let Layout {
            axis, top, bottom, ..
        } = layout;
        if let Some((value, name)) = &self.reference {
            let x = axis.at(*value);
            scene.dashed(Ink::Reference, (x, top - 4.0), (x, *bottom), 1.25);
            scene.sized_text(Ink::Muted, Anchor::Middle, (x, top - 9.0), name, SMALL);
        }
        frame_of(scene, axis, (*top, *bottom), &self.axis_label, self.ideal);
    }

    fn line(
        &self,
        scene: &mut Scene,
        layout: &Layout,
        group: &Group<'_>,
        line: &DotLine<'_>,
        top: f64,
    ) {
        let axis = &layout.axis;
        let middle = top + layout.line_height / 2.0;
        let label = font::fitted(&line.label, NORMAL, LABEL_ROOM);
        scene.text(
            Ink::Text,
            Anchor::End,
            (axis.from - 10.0, middle + 4.0),
            &label,
        );
        // Series that a line lacks leave no gap in it.
        let spread = (layout.line_height - 8.0) / self.series.len().max(1) as f64;
        let centre = (line.dots.len() as f64 - 1.0) / 2.0;
        for (place, dot) in line.dots.iter().enumerate() {
            let y = if layout.strip {
                middle
            } else {
                middle + (place as f64 - centre) * spread
            };
            let ink = group.ink.unwrap_or(Ink::Series(dot.series));
            let entry = &dot.entry;
            let name = match self.series.get(dot.series) {
                Some(series) if self.series.len() > 1 => format!("{}, {series}", line.label),
                _ => line.label.clone(),
            };
            let says = format!("{name}: {}", entry.number(self.decimals));
            if layout.strip {
                let mark = scene.symbol(ink, Symbol::Circle, (axis.at(entry.value), y), 3.5);
                mark.faint().says(says, entry.index);
                continue;
            }
            if entry.row.low.is_some() {
                let (low, high) = (axis.at(entry.low()), axis.at(entry.high()));
                scene.line(ink, (low, y), (high, y), 1.75);
            }
            let symbol = match group.ink {
                Some(_) => Symbol::Circle,
                None => Symbol::of_series(dot.series),
            };
            scene
                .symbol(ink, symbol, (axis.at(entry.value), y), 4.0)
                .says(says, entry.index);
            if let Some(x) = layout.values_at {
                let text = entry.number(self.decimals);
                scene.sized_text(Ink::Muted, Anchor::End, (x, y + 4.0), &text, SMALL);
            }
        }
        if layout.strip {
            self.median(scene, axis, line, middle);
        }
    }

    /// A strip shows where its middle is.
    fn median(&self, scene: &mut Scene, axis: &Axis, line: &DotLine<'_>, y: f64) {
        let mut values: Vec<f64> = line.dots.iter().map(|dot| dot.entry.value).collect();
        values.sort_by(f64::total_cmp);
        let Some(upper) = values.get(values.len() / 2) else {
            return;
        };
        let median = match values.len() % 2 {
            0 => (upper + values[values.len() / 2 - 1]) / 2.0,
            _ => *upper,
        };
        let x = axis.at(median);
        scene.line(Ink::Text, (x, y - 7.0), (x, y + 7.0), 2.0);
    }
}
