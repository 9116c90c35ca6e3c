//! The plane of masculine rate f_m and stereotype rate f_s (GEST, Figure 2). A translator that treats
//! the genders alike sits at (0.5, 0). The dashed line runs from fully stereotypical (0, 2 on the
//! paper's axes, so (0.5, 1) on it) to fully masculine (1, 0): nobody can be above it.

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::grid::grid;
use super::labels::{self, Canvas, Obstacles};
use super::scene::{Anchor, Ink, Pixel, SERIES, SMALL, Scene};
use super::symbol::{SHAPES, Symbol};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};
use crate::words;

const HEIGHT: f64 = 492.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = HEIGHT - 54.0;
/// More systems than these in several languages have a small plane for each language.
const TOGETHER: usize = 12;

struct Point<'a> {
    f_m: Entry<'a>,
    f_s: Entry<'a>,
}

impl Point<'_> {
    fn name(&self) -> String {
        self.f_s.contestant()
    }

    /// Its name and both numbers, f_s last: that is the row a mark of the point opens.
    fn says(&self) -> String {
        format!(
            "{}, f_m {:.3}, f_s: {}",
            self.name(),
            self.f_m.value,
            self.f_s.number(3)
        )
    }
}

/// f_s and f_m of the same system and language.
fn points<'a>(entries: &[Entry<'a>]) -> Vec<Point<'a>> {
    let with = |metric: &'static str| move |entry: &&Entry<'a>| entry.row.metric == metric;
    entries
        .iter()
        .filter(with("f_s"))
        .filter_map(|f_s| {
            let same = |f_m: &&Entry<'a>| f_m.system == f_s.system && f_m.unit == f_s.unit;
            let f_m = entries.iter().filter(with("f_m")).find(same)?;
            Some(Point {
                f_m: *f_m,
                f_s: *f_s,
            })
        })
        .collect()
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let ours = points(&data.entries);
    let published: Vec<Entry<'_>> = data.published("f_s").chain(data.published("f_m")).collect();
    let published = points(&published);
    if ours.is_empty() {
        return Vec::new();
    }
    let systems = distinct(ours.iter().map(|point| point.f_s.system));
    let units = distinct(ours.iter().map(|point| point.f_s.row.unit.as_str()));
    let apart = systems.len() > TOGETHER && units.len() > 1;
    let scene = if apart {
        planes(&ours, &units)
    } else {
        let named: Vec<String> = ours.iter().map(Point::name).collect();
        let draw = |canvas| plane(&ours, &published, canvas);
        labels::fit(&named, TOP, (RIGHT, BOTTOM), draw)
            .expect("a column as high as its names has room for them")
    };
    let places = ours.iter().map(|point| {
        let (f_m, f_s) = (point.f_m.value, point.f_s.value);
        format!("{} at f_m {f_m:.2}, f_s {f_s:.2}", point.name())
    });
    let grey = match published.len() {
        _ if apart => " One plane for each language; point at a symbol for its name.".to_owned(),
        0 => String::new(),
        count if data.same_items => format!(" Grey: {count} published system-language pairs."),
        count => format!(
            " Grey: {count} published system-language pairs, on GEST; these results are on other sentences."
        ),
    };
    vec![Figure {
        name: "gest-plane".to_owned(),
        title: "Masculine rate and stereotype rate".to_owned(),
        caption: format!(
            "Across: f_m, how often \"I\" becomes masculine. Up: f_s, how much that follows the stereotypes. A \
             translator without preference or stereotype is at (0.5, 0). Nobody can be above the dashed \
             line.{grey}"
        ),
        description: format!(
            "Masculine rate f_m across, stereotype rate f_s up; a translator without preference or stereotype \
             is at (0.5, 0). {}.{grey}",
            listed(places)
        ),
        scene,
    }]
}

/// The colour of the system and the shape of the language, where there are few enough to tell apart.
fn code(point: &Point<'_>, systems: &[&str], units: &[&str]) -> (Ink, Symbol) {
    let system = systems.iter().position(|name| *name == point.f_s.system);
    let unit = units.iter().position(|name| point.f_s.unit == *name);
    (
        match system {
            Some(place) if systems.len() <= SERIES => Ink::Series(place),
            _ => Ink::Series(0),
        },
        match unit {
            Some(place) if units.len() <= SHAPES => Symbol::of_unit(place),
            _ => Symbol::Circle,
        },
    )
}

fn plane(ours: &[Point<'_>], published: &[Point<'_>], canvas: Canvas) -> Option<Scene> {
    let heights = ours.iter().chain(published);
    let heights = heights.flat_map(|point| [point.f_s.low(), point.f_s.high()]);
    let across = Axis::between(0.0, 1.0).on_page(LEFT, canvas.right);
    let up = Axis::over(heights.chain([-0.05, 0.4]), false).on_page(canvas.bottom, TOP);
    let mut scene = Scene::new(WIDTH, canvas.bottom + 54.0);
    frame(&mut scene, &across, &up, canvas);
    let place = |point: &Point<'_>| (across.at(point.f_m.value), up.at(point.f_s.value));
    for point in published {
        scene
            .symbol(Ink::Background, Symbol::Circle, place(point), 4.0)
            .faint()
            .says(format!("{} (published)", point.name()), None);
    }
    let systems = distinct(ours.iter().map(|point| point.f_s.system));
    let units = distinct(ours.iter().map(|point| point.f_s.row.unit.as_str()));
    if (2..=SERIES).contains(&systems.len()) {
        let entries = systems.iter().enumerate();
        let entries: Vec<(Ink, Symbol, String)> = entries
            .map(|(n, name)| (Ink::Series(n), Symbol::Circle, (*name).to_owned()))
            .collect();
        scene.legend((190.0, 18.0), WIDTH - 10.0, &entries);
    }
    for point in ours {
        let (ink, symbol) = code(point, &systems, &units);
        let (x, y) = place(point);
        let (name, f_s, f_m) = (point.name(), point.f_s.number(3), point.f_m.number(3));
        let both = point.says();
        let (low, high) = (up.at(point.f_s.low()), up.at(point.f_s.high()));
        scene
            .line(ink, (x, low), (x, high), 1.5)
            .says(format!("{name}, f_s: {f_s}"), point.f_s.index);
        let (low, high) = (across.at(point.f_m.low()), across.at(point.f_m.high()));
        scene
            .line(ink, (low, y), (high, y), 1.5)
            .says(format!("{name}, f_m: {f_m}"), point.f_m.index);
        scene
            .symbol(ink, symbol, (x, y), 4.5)
            .says(both, point.f_s.index);
    }
    let mut obstacles = Obstacles::points(ours.iter().map(place));
    let ideal = (across.at(0.5), up.at(0.0));
    obstacles.line((LEFT, ideal.1), (canvas.right, ideal.1));
    obstacles.line((ideal.0, TOP), (ideal.0, canvas.bottom));
    for point in ours {
        let reach = (
            across.at(point.f_m.low()),
            up.at(point.f_s.high()),
            across.at(point.f_m.high()),
            up.at(point.f_s.low()),
        );
        obstacles.arms(place(point), reach);
    }
    let named: Vec<(Pixel, String)> = ours
        .iter()
        .map(|point| (place(point), point.name()))
        .collect();
    let within = (LEFT, TOP, canvas.right, canvas.bottom);
    let placed = labels::place(&named, &obstacles, within, canvas.edge)?;
    labels::draw(&mut scene, &placed, &named);
    Some(scene)
}

/// A small plane for each language, three beside each other, on the same axes.
fn planes(ours: &[Point<'_>], units: &[&str]) -> Scene {
    const ACROSS: usize = 3;
    const HIGH: f64 = 200.0;
    let wide = WIDTH / ACROSS as f64;
    let lines = units.len().div_ceil(ACROSS);
    let mut scene = Scene::new(WIDTH, lines as f64 * HIGH + 34.0);
    let heights = ours.iter().map(|point| point.f_s.value).chain([-0.05, 0.4]);
    let up = Axis::over(heights, false);
    for (place, unit) in units.iter().enumerate() {
        let (column, line) = (place % ACROSS, place / ACROSS);
        let (left, top) = (column as f64 * wide + 34.0, line as f64 * HIGH + 30.0);
        let (right, bottom) = (left + wide - 46.0, top + HIGH - 52.0);
        let across = Axis::between(0.0, 1.0).on_page(left, right);
        let up = up.on_page(bottom, top);
        let heading = words::unit(unit);
        scene.text(Ink::Text, Anchor::Start, (left, top - 8.0), &heading);
        for value in up.ticks(3) {
            let y = up.at(value);
            scene.line(Ink::Grid, (left, y), (right, y), 1.0);
            let at = (left - 5.0, y + 4.0);
            scene.sized_text(Ink::Muted, Anchor::End, at, &tick_label(value), SMALL);
        }
        for value in [0.0, 0.5, 1.0] {
            let at = (across.at(value), bottom + 14.0);
            scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(value), SMALL);
        }
        scene.line(Ink::Ideal, (left, up.at(0.0)), (right, up.at(0.0)), 1.0);
        let middle = across.at(0.5);
        scene.line(Ink::Ideal, (middle, bottom), (middle, top), 1.0);
        for point in ours.iter().filter(|point| point.f_s.unit == **unit) {
            let at = (across.at(point.f_m.value), up.at(point.f_s.value));
            scene
                .symbol(Ink::Series(0), Symbol::Circle, at, 3.5)
                .faint()
                .says(point.says(), point.f_s.index);
        }
    }
    let at = (WIDTH / 2.0, lines as f64 * HIGH + 22.0);
    let axes = "across: f_m (masculine rate); up: f_s (stereotype rate); ideal (0.5, 0)";
    scene.text(Ink::Text, Anchor::Middle, at, axes);
    scene
}

fn frame(scene: &mut Scene, across: &Axis, up: &Axis, canvas: Canvas) {
    let Canvas { right, bottom, .. } = canvas;
    grid(scene, (across, 4), (up, 6), right);
    let (x, y) = (across.at(0.5), up.at(0.0));
    scene.line(Ink::Ideal, (LEFT, y), (right, y), 1.25);
    scene.line(Ink::Ideal, (x, bottom), (x, TOP), 1.25);
    let at = (x + 6.0, y + 15.0);
    scene.sized_text(Ink::Text, Anchor::Start, at, "ideal (0.5, 0)", SMALL);
    // f_s = 2 - 2 f_m, as far as it is on the plot.
    let top = up.high.min(1.0);
    let start = (across.at(1.0 - top / 2.0), up.at(top));
    scene.dashed(Ink::Reference, start, (across.at(1.0), up.at(0.0)), 1.5);
    let at = (start.0 - 6.0, start.1 - 8.0);
    scene.sized_text(
        Ink::Muted,
        Anchor::Middle,
        at,
        "stereotypical – masculine",
        SMALL,
    );
    let middle = (LEFT + right) / 2.0;
    let at = (middle, bottom + 38.0);
    scene.text(Ink::Text, Anchor::Middle, at, "f_m (masculine rate)");
    scene.text(
        Ink::Text,
        Anchor::Start,
        (14.0, 18.0),
        "f_s (stereotype rate)",
    );
}
