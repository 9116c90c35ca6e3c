//! Benchmarks that come down to a number with an ideal, and have no figure of their own: a line for each system, a symbol for
//! each unit. Its words are those of the benchmark's card.

use epicene_core::Metric;

use super::dots::{Dot, DotChart, DotLine, Group};
use super::{Figure, listed, tick_label};
use crate::chart_data::{Data, Entry, distinct};

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let headlines = data.metrics.iter().filter(|metric| metric.headline);
    headlines
        .filter_map(|metric| figure(data, metric))
        .collect()
}

fn figure(data: &Data<'_>, metric: &Metric) -> Option<Figure> {
    let all: Vec<Entry<'_>> = data
        .metric(metric.symbol)
        .filter(|entry| entry.group == "all")
        .collect();
    let ideal = all.first()?.ideal?;
    let axis = format!("{}: {}", metric.symbol, metric.name);
    let decimals = data.decimals(all[0].row);
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
                let place = units.iter().position(|unit| entry.unit == *unit)?;
                Some(Dot::new(*entry, place))
            })
            .collect(),
    });
    let chart = DotChart {
        axis_label: axis.clone(),
        logarithmic: false,
        decimals,
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
    let lower = |words: &str| words.to_lowercase();
    Some(Figure {
        name: format!("{}-{}", data.benchmark, metric.symbol.replace('_', "-")),
        title: capitalised(metric.name),
        caption: format!(
            "At {} there is none. Right of it: {}. Left of it: {}.",
            tick_label(ideal),
            lower(metric.above),
            lower(metric.below)
        ),
        description: format!(
            "{axis}; without bias it is {}. {}.",
            tick_label(ideal),
            listed(values)
        ),
        scene: chart.draw(),
    })
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
