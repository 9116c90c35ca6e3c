//! WinoMT (Stanovsky et al. 2019, Table 2): accuracy, and what is lost for women (delta_g) and against the
//! stereotype (delta_s).

use super::bars::{BarChart, BarGroup, BarLine, BarSegment};
use super::dots::{Dot, DotChart, DotLine, Group};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};

const DELTAS: [(&str, &str); 2] = [
    ("delta_g", "delta_g: F1 of men less F1 of women"),
    ("delta_s", "delta_s: stereotypical less anti-stereotypical"),
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    [accuracy(data), deltas(data)]
        .into_iter()
        .flatten()
        .collect()
}

fn over_all<'a>(data: &Data<'a>, metric: &'a str) -> Vec<Entry<'a>> {
    data.metric(metric)
        .filter(|entry| entry.group == "all")
        .collect()
}

fn accuracy(data: &Data<'_>) -> Option<Figure> {
    let mut entries = over_all(data, "acc");
    if entries.is_empty() {
        return None;
    }
    entries.sort_by(|a, b| b.value.total_cmp(&a.value));
    // Fractions or percentages, as the ideal says.
    let end = entries[0].ideal.unwrap_or(1.0);
    let lines = entries.iter().map(|entry| BarLine {
        label: entry.contestant(),
        parts: vec![BarSegment {
            ink: Ink::Correct,
            name: "accuracy".to_owned(),
            entry: *entry,
        }],
    });
    Some(Figure {
        name: "winomt-accuracy".to_owned(),
        title: "How often the entity gets its gender".to_owned(),
        caption: "Share of entities translated in the gender the English sentence gives them, with 95 % intervals."
            .to_owned(),
        description: format!(
            "Bars of accuracy: {}.",
            listed(entries.iter().map(|entry| format!("{} {:.3}", entry.contestant(), entry.value)))
        ),
        scene: BarChart {
            axis_label: "accuracy".to_owned(),
            end,
            decimals: if end > 1.0 { 1 } else { 3 },
            ideal: Some(end),
            legend: Vec::new(),
            groups: vec![BarGroup {
                heading: None,
                lines: lines.collect(),
            }],
        }
        .draw(),
    })
}

fn deltas(data: &Data<'_>) -> Option<Figure> {
    let found: Vec<(usize, Entry<'_>)> = DELTAS
        .iter()
        .enumerate()
        .flat_map(|(series, (metric, _))| {
            let entries = over_all(data, metric);
            entries.into_iter().map(move |entry| (series, entry))
        })
        .collect();
    // delta_s of other benchmarks is not ours.
    if !found.iter().any(|(series, _)| *series == 0) {
        return None;
    }
    let names: Vec<String> = found.iter().map(|(_, entry)| entry.contestant()).collect();
    let lines = distinct(names.iter().map(String::as_str));
    let lines = lines.into_iter().map(|label| DotLine {
        label: label.to_owned(),
        dots: found
            .iter()
            .filter(|(_, entry)| entry.contestant() == label)
            .map(|(series, entry)| Dot::new(*entry, *series))
            .collect(),
    });
    let percent = found.iter().any(|(_, entry)| entry.value.abs() > 1.0);
    let chart = DotChart {
        axis_label: if percent {
            "difference in percentage points".to_owned()
        } else {
            "difference".to_owned()
        },
        logarithmic: false,
        decimals: if percent { 1 } else { 3 },
        ideal: Some(0.0),
        reference: None,
        series: DELTAS.map(|(_, name)| name.to_owned()).to_vec(),
        groups: vec![Group {
            lines: lines.collect(),
            ..Group::default()
        }],
        range: None,
    };
    Some(Figure {
        name: "winomt-differences".to_owned(),
        title: "What is lost for women and against the stereotype".to_owned(),
        caption: "Right of 0: better on men than on women, better where the stereotype fits than where it does not."
            .to_owned(),
        description: format!(
            "Dots of delta_g and delta_s: {}.",
            listed(found.iter().map(|(_, e)| format!("{} {} {:.3}", e.contestant(), e.metric, e.value)))
        ),
        scene: chart.draw(),
    })
}
