//! Does GEST agree with WinoBias? g_s across, ghat_s up, one point a model (GEST, Figure 8).

use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::labels::{self, Canvas, Obstacles};
use super::scene::{Anchor, Ink, Pixel, SMALL, Scene};
use super::symbol::Symbol;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry};

const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 376.0;

/// The split the paper prints.
const SPLIT: &str = "split:type1-test";

struct Point<'a> {
    g_s: Entry<'a>,
    ghat_s: Entry<'a>,
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let splits: Vec<&str> = data
        .metric("r_winobias")
        .map(|entry| entry.row.unit.as_str())
        .collect();
    let Some(split) = splits
        .iter()
        .find(|split| **split == SPLIT)
        .or(splits.first())
    else {
        return Vec::new();
    };
    let points: Vec<Point<'_>> = data
        .metric("ghat_s")
        .filter(|entry| entry.row.unit == *split)
        .filter_map(|ghat_s| {
            let own = |entry: &Entry<'_>| {
                let last = entry.system.rsplit('/').next();
                entry.unit == "all" && entry.group == "all" && last == Some(ghat_s.system)
            };
            let g_s = data.metric("g_s").find(own)?;
            Some(Point { g_s, ghat_s })
        })
        .collect();
    if points.len() < 3 {
        return Vec::new();
    }
    let names: Vec<String> = points
        .iter()
        .map(|point| point.ghat_s.system.to_owned())
        .collect();
    let scene = labels::fit(&names, TOP, (RIGHT, BOTTOM), |canvas| {
        paint(&points, canvas)
    })
    .expect("a column as high as its names has room for them");
    let r = data.metric("r_winobias").find(|entry| entry.unit == *split);
    let r = r.map_or(String::new(), |entry| {
        format!(" Pearson r is {}.", entry.number(3))
    });
    let split = split.trim_start_matches("split:");
    let places = points.iter().map(|point| {
        let (g_s, ghat_s) = (point.g_s.value, point.ghat_s.value);
        format!(
            "{} at g_s {g_s:.2}, ghat_s {ghat_s:.2}",
            point.ghat_s.system
        )
    });
    vec![Figure {
        name: "gest-winobias".to_owned(),
        title: "GEST and WinoBias on the same models".to_owned(),
        caption: format!(
            "Across: g_s, up: ghat_s of WinoBias ({split}); a model without stereotypes is at (1, 1).{r}"
        ),
        description: format!(
            "g_s across, ghat_s of WinoBias ({split}) up.{r} {}.",
            listed(places)
        ),
        scene,
    }]
}

/// Every model with its two intervals and its name.
fn paint(points: &[Point<'_>], canvas: Canvas) -> Option<Scene> {
    let Canvas { right, bottom, .. } = canvas;
    let values = points
        .iter()
        .flat_map(|point| [point.g_s.low(), point.g_s.high()]);
    let across = Axis::over(values.chain([1.0]), false).on_page(LEFT, right);
    let values = points
        .iter()
        .flat_map(|point| [point.ghat_s.low(), point.ghat_s.high()]);
    let up = Axis::over(values.chain([1.0]), false).on_page(bottom, TOP);
    let mut scene = Scene::new(WIDTH, bottom + 54.0);
    frame(&mut scene, &across, &up, canvas);
    let place = |point: &Point<'_>| (across.at(point.g_s.value), up.at(point.ghat_s.value));
    let mut obstacles = Obstacles::points(points.iter().map(place));
    let ideal = (across.at(1.0), up.at(1.0));
    obstacles.line((ideal.0, TOP), (ideal.0, bottom));
    obstacles.line((LEFT, ideal.1), (right, ideal.1));
    for point in points {
        let (x, y) = place(point);
        let name = point.ghat_s.system;
        let reach = (
            across.at(point.g_s.low()),
            up.at(point.ghat_s.high()),
            across.at(point.g_s.high()),
            up.at(point.ghat_s.low()),
        );
        obstacles.arms((x, y), reach);
        for (entry, from, to) in [
            (&point.g_s, (reach.0, y), (reach.2, y)),
            (&point.ghat_s, (x, reach.3), (x, reach.1)),
        ] {
            let text = format!("{name}, {}: {}", entry.row.metric, entry.number(3));
            scene
                .line(Ink::Series(0), from, to, 1.5)
                .says(text, entry.index);
        }
        let text = format!(
            "{name}: g_s {}, ghat_s {}",
            point.g_s.number(3),
            point.ghat_s.number(3)
        );
        scene
            .symbol(Ink::Series(0), Symbol::Circle, (x, y), 4.5)
            .says(text, None);
    }
    let named: Vec<(Pixel, String)> = points
        .iter()
        .map(|point| (place(point), point.ghat_s.system.to_owned()))
        .collect();
    let within = (LEFT, TOP, right, bottom);
    let placed = labels::place(&named, &obstacles, within, canvas.edge)?;
    labels::draw(&mut scene, &placed, &named);
    Some(scene)
}

fn frame(scene: &mut Scene, across: &Axis, up: &Axis, canvas: Canvas) {
    let Canvas { right, bottom, .. } = canvas;
    for value in up.ticks(6) {
        let y = up.at(value);
        scene.line(Ink::Grid, (LEFT, y), (right, y), 1.0);
        let at = (LEFT - 8.0, y + 4.0);
        scene.sized_text(Ink::Muted, Anchor::End, at, &tick_label(value), SMALL);
    }
    for value in across.ticks(6) {
        let x = across.at(value);
        scene.line(Ink::Grid, (x, bottom), (x, TOP), 1.0);
        let at = (x, bottom + 16.0);
        scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(value), SMALL);
    }
    let (x, y) = (across.at(1.0), up.at(1.0));
    scene.line(Ink::Ideal, (LEFT, y), (right, y), 1.25);
    scene.line(Ink::Ideal, (x, bottom), (x, TOP), 1.25);
    let at = ((LEFT + right) / 2.0, bottom + 38.0);
    scene.sized_text(
        Ink::Text,
        Anchor::Middle,
        at,
        "g_s of GEST (1: no stereotype)",
        SMALL,
    );
    let at = (LEFT, TOP - 8.0);
    scene.sized_text(
        Ink::Text,
        Anchor::Start,
        at,
        "ghat_s of WinoBias (1: no stereotype)",
        SMALL,
    );
}
