//! EuroGEST: the stereotype rate of every language, from the highest to the lowest.

use epicene_core::Unit;

use super::dots::{Dot, DotChart, DotLine, Group};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    // Stereotype rates of languages that come of preferences between two texts; others have figures of their own.
    if !data.has("preference") {
        return Vec::new();
    }
    rates(data).into_iter().collect()
}

fn rates(data: &Data<'_>) -> Option<Figure> {
    let all: Vec<Entry<'_>> = data
        .metric("g_s")
        .filter(|entry| entry.group == "all" && Unit::language_code(&entry.unit).is_some())
        .collect();
    let systems = distinct(all.iter().map(|entry| entry.system));
    let mut units = distinct(all.iter().map(|entry| entry.row.unit.as_str()));
    let highest = |unit: &str| {
        let own = all.iter().filter(|entry| entry.unit == unit);
        own.map(|entry| entry.value).fold(f64::MIN, f64::max)
    };
    units.sort_by(|a, b| highest(b).total_cmp(&highest(a)));
    if units.is_empty() {
        return None;
    }
    let lines = units.iter().map(|unit| DotLine {
        label: data.label(unit),
        dots: all
            .iter()
            .filter(|entry| entry.unit == *unit)
            .filter_map(|entry| {
                let series = systems.iter().position(|system| *system == entry.system)?;
                Some(Dot::new(*entry, series))
            })
            .collect(),
    });
    let chart = DotChart {
        axis_label: "g_s: stereotype rate".to_owned(),
        logarithmic: false,
        decimals: data.decimals(all[0].row),
        ideal: Some(1.0),
        reference: None,
        series: systems.iter().map(|system| (*system).to_owned()).collect(),
        groups: vec![Group {
            lines: lines.collect(),
            ..Group::default()
        }],
        range: None,
    };
    let words = units
        .iter()
        .map(|unit| format!("{} {:.3}", data.label(unit), highest(unit)));
    Some(Figure {
        name: "eurogest-languages".to_owned(),
        title: "Stereotype rate by language".to_owned(),
        caption: "At 1 there is no stereotype. Right of it the masculine text is likelier where the stereotype is about men. Languages mix gendered and framed sentences in different shares."
            .to_owned(),
        description: format!("Dots of g_s, highest first: {}.", listed(words)),
        scene: chart.draw(),
    })
}
