//! Words as points: a gender score across, a percentage up, the names of some of them beside their points.

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::labels::{self, Canvas, Obstacles};
use super::scene::{Anchor, Ink, Pixel, SERIES, SMALL, Scene};
use super::symbol::Symbol;

const LEFT: f64 = 62.0;
const TOP: f64 = 40.0;

pub struct Point {
    pub at: (f64, f64),
    pub label: String,
    /// What it says when pointed at, and its row.
    pub says: String,
    pub index: Option<usize>,
    pub series: usize,
}

pub struct Scatter<'a> {
    pub across: &'a str,
    pub up: &'a str,
    pub series: &'a [&'a str],
    pub points: Vec<Point>,
    /// Places of the points whose names are written.
    pub named: &'a [usize],
}

impl Scatter<'_> {
    pub fn draw(&self) -> Scene {
        let names: Vec<String> = self
            .named
            .iter()
            .map(|place| self.points[*place].label.clone())
            .collect();
        labels::fit(&names, TOP, (WIDTH - 20.0, 400.0), |canvas| {
            self.on(canvas, &names)
        })
        .expect("a column as high as its names has room for them")
    }

    fn on(&self, canvas: Canvas, names: &[String]) -> Option<Scene> {
        let Canvas { right, bottom, .. } = canvas;
        let scores = self.points.iter().map(|point| point.at.0);
        let across = Axis::over(scores, false).on_page(LEFT, right);
        let up = Axis::between(-3.0, 103.0).on_page(bottom, TOP);
        let mut scene = Scene::new(WIDTH, bottom + 50.0);
        for value in across.ticks(6) {
            let x = across.at(value);
            scene.line(Ink::Grid, (x, TOP), (x, bottom), 1.0);
            let at = (x, bottom + 16.0);
            scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(value), SMALL);
        }
        for value in [0.0, 25.0, 50.0, 75.0, 100.0] {
            let y = up.at(value);
            scene.line(Ink::Grid, (LEFT, y), (right, y), 1.0);
            let at = (LEFT - 8.0, y + 4.0);
            scene.sized_text(Ink::Muted, Anchor::End, at, &tick_label(value), SMALL);
        }
        scene.line(Ink::Ideal, (LEFT, up.at(50.0)), (right, up.at(50.0)), 1.5);
        let at = ((LEFT + right) / 2.0, bottom + 38.0);
        scene.text(Ink::Text, Anchor::Middle, at, self.across);
        scene.text(Ink::Text, Anchor::Start, (14.0, 18.0), self.up);
        if self.series.len() > 1 && self.series.len() <= SERIES {
            let legend: Vec<(Ink, Symbol, String)> = self
                .series
                .iter()
                .enumerate()
                .map(|(n, name)| (Ink::Series(n), Symbol::of_series(n), (*name).to_owned()))
                .collect();
            scene.legend((240.0, 18.0), WIDTH, &legend);
        }
        let place = |point: &Point| (across.at(point.at.0), up.at(point.at.1));
        for point in &self.points {
            let (ink, symbol) = (Ink::Series(point.series), Symbol::of_series(point.series));
            scene
                .symbol(ink, symbol, place(point), 3.5)
                .says(point.says.clone(), point.index);
        }
        let named: Vec<(Pixel, String)> = self
            .named
            .iter()
            .map(|at| place(&self.points[*at]))
            .zip(names.iter().cloned())
            .collect();
        let mut obstacles = Obstacles::points(self.points.iter().map(place));
        obstacles.line((LEFT, up.at(50.0)), (right, up.at(50.0)));
        let placed = labels::place(&named, &obstacles, (LEFT, TOP, right, bottom), canvas.edge)?;
        labels::draw(&mut scene, &placed, &named);
        Some(scene)
    }
}
