//! GATE: which variants a translator gives where the source is ambiguous, as bars end to end.

use super::bars::{BarChart, BarGroup, BarLine, BarSegment};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry};

const PARTS: [(&str, Ink); 5] = [
    ("masculine", Ink::Men),
    ("feminine", Ink::Women),
    ("mixed", Ink::Series(2)),
    ("neutral", Ink::Series(3)),
    ("unmatched", Ink::Inconclusive),
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    if !data.has("unmatched") {
        return Vec::new();
    }
    variants(data).into_iter().collect()
}

fn variants(data: &Data<'_>) -> Option<Figure> {
    let all: Vec<Entry<'_>> = data
        .metric("masculine")
        .filter(|entry| entry.group == "all")
        .collect();
    let end = all.iter().filter_map(|entry| entry.n).max()? as f64;
    let lines: Vec<BarLine<'_>> = all
        .iter()
        .map(|first| BarLine {
            label: first.contestant(),
            parts: PARTS
                .iter()
                .filter_map(|(metric, ink)| {
                    let entry = data.find([first.system, &first.row.unit, "all"], metric)?;
                    Some(BarSegment {
                        ink: *ink,
                        name: (*metric).to_owned(),
                        entry,
                    })
                })
                .collect(),
        })
        .collect();
    let words = lines.iter().map(|line| {
        let parts: Vec<String> = line
            .parts
            .iter()
            .map(|part| format!("{} {}", part.name, part.entry.value))
            .collect();
        format!("{}: {}", line.label, parts.join(", "))
    });
    Some(Figure {
        name: "gate-variants".to_owned(),
        title: "Which variant is given where the source leaves it open".to_owned(),
        caption: "Tuples by the gender their translation gives; without a preference the masculine and the feminine part are as long."
            .to_owned(),
        description: format!("Bars end to end: {}.", listed(words)),
        scene: BarChart {
            axis_label: "tuples".to_owned(),
            end,
            decimals: 0,
            ideal: None,
            legend: PARTS.map(|(metric, ink)| (ink, metric.to_owned())).to_vec(),
            groups: vec![BarGroup {
                heading: None,
                lines,
            }],
        }
        .draw(),
    })
}
