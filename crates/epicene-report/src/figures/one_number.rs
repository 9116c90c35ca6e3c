//! Benchmarks that come down to one number with an ideal: MBE, CrowS-Pairs and StereoSet with the 50 line,
//! WinoBias with 1. A line for each system, a symbol for each unit.

use super::data::{Data, Entry, distinct};
use super::dots::{Dot, DotChart, DotLine, Group};
use super::{Figure, listed};

struct Kind {
    metric: &'static str,
    title: &'static str,
    axis: &'static str,
    caption: &'static str,
    decimals: usize,
}

const KINDS: [Kind; 4] = [
    Kind {
        metric: "mbe",
        title: "Are sentences about men likelier?",
        axis: "mbe: % of pairs in which the sentence about a man is likelier",
        caption: "At 50 neither is preferred; right of it sentences about men are, left of it those about women.",
        decimals: 1,
    },
    Kind {
        metric: "pair_score",
        title: "Is the stereotypical sentence likelier?",
        axis: "pair_score: % of pairs in which the stereotypical sentence is likelier",
        caption: "At 50 neither is preferred; right of it the stereotypical sentence is.",
        decimals: 1,
    },
    Kind {
        metric: "ss",
        title: "StereoSet's stereotype score",
        axis: "ss: % of target terms, stereotypical before anti-stereotypical",
        caption: "At 50 neither is preferred; right of it the stereotypical word is.",
        decimals: 1,
    },
    Kind {
        metric: "ghat_s",
        title: "Pronouns beside occupations",
        axis: "ghat_s: preference for \"he\" beside male-dominated, less beside female-dominated occupations",
        caption: "At 1 the pronoun does not depend on who mostly holds the occupation; right of it, it does.",
        decimals: 3,
    },
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    KINDS.iter().filter_map(|kind| figure(data, kind)).collect()
}

fn figure(data: &Data<'_>, kind: &Kind) -> Option<Figure> {
    let all: Vec<Entry<'_>> = data
        .metric(kind.metric)
        .filter(|entry| entry.group == "all")
        .collect();
    let ideal = all.first()?.ideal?;
    let units = distinct(all.iter().map(|entry| entry.row.unit.as_str()));
    let mut systems = distinct(all.iter().map(|entry| entry.system));
    let first = |system: &str| {
        let own = all.iter().find(|entry| entry.system == system);
        own.map_or(0.0, |entry| entry.value)
    };
    systems.sort_by(|a, b| first(b).total_cmp(&first(a)));
    let lines = systems.iter().map(|system| DotLine {
        label: (*system).to_owned(),
        dots: all
            .iter()
            .filter(|entry| entry.system == *system)
            .filter_map(|entry| {
                let place = units.iter().position(|unit| *unit == entry.unit)?;
                Some(Dot::new(*entry, place))
            })
            .collect(),
    });
    let chart = DotChart {
        axis_label: kind.axis.to_owned(),
        logarithmic: false,
        decimals: kind.decimals,
        ideal: Some(ideal),
        reference: None,
        series: units.iter().map(|unit| unit.replace(':', " ")).collect(),
        groups: vec![Group {
            lines: lines.collect(),
            ..Group::default()
        }],
        range: None,
    };
    let values = systems
        .iter()
        .map(|system| format!("{system} {:.2}", first(system)));
    Some(Figure {
        name: format!("{}-{}", data.benchmark, kind.metric.replace('_', "-")),
        title: kind.title.to_owned(),
        caption: kind.caption.to_owned(),
        description: format!("{} {}.", kind.axis, listed(values)),
        scene: chart.draw(),
    })
}
