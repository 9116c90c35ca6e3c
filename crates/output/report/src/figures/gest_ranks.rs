//! Box plots of the feminine ranks over all systems and templates (GEST, Figure 3): which stereotypes are
//! given to women whoever is asked?

use super::Figure;
use super::about::is_about_women;
use super::axis::{Axis, tick_label};
use super::dots::WIDTH;
use super::font;
use super::scene::{Anchor, Ink, NORMAL, SMALL, Scene};
use super::symbol::Symbol;
use crate::chart_data::{Data, Entry, distinct};

const LINE: f64 = 24.0;

struct Box<'a> {
    label: String,
    about_women: bool,
    low: Entry<'a>,
    q1: Entry<'a>,
    median: Entry<'a>,
    q3: Entry<'a>,
    high: Entry<'a>,
    mean: Option<Entry<'a>>,
    /// Ranks beyond the whiskers.
    outliers: Vec<Entry<'a>>,
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let medians: Vec<Entry<'_>> = data.metric("rank_median").collect();
    let systems = distinct(medians.iter().map(|entry| entry.system));
    systems
        .iter()
        .enumerate()
        .filter_map(|(place, system)| figure(data, system, place, systems.len()))
        .collect()
}

fn figure(data: &Data<'_>, system: &str, place: usize, of: usize) -> Option<Figure> {
    let mut boxes: Vec<Box<'_>> = data
        .metric("rank_median")
        .filter(|entry| entry.system == system)
        .filter_map(|median| {
            let other = |metric: &str| data.find([system, &median.unit, &median.group], metric);
            let (low, high) = (other("rank_low")?, other("rank_high")?);
            let ranks = data.metric("rank");
            let ranks: Vec<Entry<'_>> = ranks.filter(|e| e.group == median.group).collect();
            // A summary of other units than these says nothing about which lie outside.
            let all = median.n == Some(ranks.len() as u64);
            let outside = |entry: &Entry<'_>| entry.value < low.value || entry.value > high.value;
            Some(Box {
                outliers: ranks.into_iter().filter(|e| all && outside(e)).collect(),
                label: data.label(&median.row.group),
                about_women: is_about_women(data, &median.row.group)?,
                low,
                q1: other("rank_q1")?,
                median,
                q3: other("rank_q3")?,
                high,
                mean: other("rank_mean"),
            })
        })
        .collect();
    // Most feminine first; the mean tells equal medians apart.
    let mean = |b: &Box<'_>| b.mean.map_or(0.0, |mean| mean.value);
    boxes.sort_by(|a, b| {
        let medians = a.median.value.total_cmp(&b.median.value);
        medians.then(mean(a).total_cmp(&mean(b)))
    });
    let n = boxes.first()?.median.n.unwrap_or(0);
    let translators = system.starts_with("all:translator");
    let suffix = if of > 1 {
        format!("-{}", place + 1)
    } else {
        String::new()
    };
    let order: Vec<&str> = boxes.iter().map(|b| b.label.as_str()).collect();
    Some(Figure {
        name: format!("gest-ranks{suffix}"),
        title: if translators {
            "Feminine ranks of the stereotypes in translation".to_owned()
        } else {
            "Feminine ranks of the stereotypes".to_owned()
        },
        caption: format!(
            "Rank 1 is the stereotype most given to women, over {n} {}. Box: middle half, stroke: median, dot: \
             mean, whiskers: 1.5 interquartile ranges, circles: units beyond them.",
            if translators {
                "systems and languages"
            } else {
                "systems and templates"
            }
        ),
        description: format!(
            "Box plots of feminine ranks, from the most feminine to the most masculine: {}.",
            order.join(", ")
        ),
        scene: paint(&boxes),
    })
}

fn paint(boxes: &[Box<'_>]) -> Scene {
    let widths = boxes.iter().map(|b| font::room(&b.label, NORMAL));
    let left = widths.fold(60.0, f64::max) + 14.0;
    let top = 36.0;
    let bottom = top + boxes.len() as f64 * LINE;
    let last = boxes.len().max(2) as f64;
    let axis = Axis::between(0.5, last + 0.5).on_page(left, WIDTH - 20.0);
    let mut scene = Scene::new(WIDTH, bottom + 46.0);
    let legend = [
        (Ink::Women, Symbol::Square, "about women".to_owned()),
        (Ink::Men, Symbol::Square, "about men".to_owned()),
    ];
    scene.legend((14.0, 18.0), WIDTH, &legend);
    for rank in 1..=boxes.len() {
        let x = axis.at(rank as f64);
        scene.line(Ink::Grid, (x, top), (x, bottom), 1.0);
        let at = (x, bottom + 16.0);
        scene.sized_text(
            Ink::Muted,
            Anchor::Middle,
            at,
            &tick_label(rank as f64),
            SMALL,
        );
    }
    let at = ((left + WIDTH) / 2.0, bottom + 36.0);
    scene.text(
        Ink::Text,
        Anchor::Middle,
        at,
        "feminine rank (1 = most feminine)",
    );
    for (index, each) in boxes.iter().enumerate() {
        let y = top + (index as f64 + 0.5) * LINE;
        let ink = if each.about_women {
            Ink::Women
        } else {
            Ink::Men
        };
        scene.text(Ink::Text, Anchor::End, (left - 10.0, y + 4.0), &each.label);
        let says = |what: &str, entry: &Entry<'_>| {
            let number = crate::number::fixed(entry.value, 2);
            (format!("{}, {what}: {number}", each.label), entry.index)
        };
        for (what, entry, edge) in [
            ("lower whisker", &each.low, &each.q1),
            ("upper whisker", &each.high, &each.q3),
        ] {
            let (from, to) = (axis.at(entry.value), axis.at(edge.value));
            let (text, row) = says(what, entry);
            scene.line(ink, (from, y), (to, y), 1.25);
            scene
                .line(ink, (from, y - 4.0), (from, y + 4.0), 1.25)
                .says(text, row);
        }
        for entry in &each.outliers {
            let text = format!(
                "{}, {}: rank {}",
                each.label,
                entry.contestant(),
                entry.value
            );
            let at = (axis.at(entry.value), y);
            scene
                .symbol(ink, Symbol::Circle, at, 3.0)
                .faint()
                .says(text, entry.index);
        }
        let (from, to) = (axis.at(each.q1.value), axis.at(each.q3.value));
        let (text, row) = says("first quartile", &each.q1);
        scene
            .rectangle(ink, (from, y - 7.0), (to - from, 14.0))
            .faint()
            .says(text, row);
        let (text, row) = says("third quartile", &each.q3);
        scene
            .line(ink, (to, y - 7.0), (to, y + 7.0), 1.25)
            .says(text, row);
        let (text, row) = says("median", &each.median);
        let x = axis.at(each.median.value);
        scene
            .line(Ink::Text, (x, y - 8.0), (x, y + 8.0), 2.5)
            .says(text, row);
        if let Some(mean) = &each.mean {
            let (text, row) = says("mean", mean);
            scene
                .symbol(Ink::Text, Symbol::Circle, (axis.at(mean.value), y), 2.5)
                .says(text, row);
        }
    }
    scene
}
