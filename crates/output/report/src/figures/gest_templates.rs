//! g_s of every system in every template (GEST, Figure 6): how much of a result is the
//! model, how much the way it was asked?

use super::dots::{Dot, DotChart, DotLine, Group};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};
use crate::words;

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let rates: Vec<Entry<'_>> = data
        .metric("g_s")
        .filter(|entry| entry.group == "all")
        .collect();
    let by_template: Vec<Entry<'_>> = rates
        .iter()
        .copied()
        .filter(|entry| entry.unit != "all")
        .collect();
    let mut templates = distinct(by_template.iter().map(|entry| entry.row.unit.as_str()));
    if templates.is_empty() {
        return Vec::new();
    }
    templates.sort_unstable();
    let mut systems = distinct(rates.iter().map(|entry| entry.system));
    // The most stereotypical first, by the mean over templates where there is one.
    let rate = |system: &str| {
        let mean = data.find([system, "all", "all"], "g_s");
        let first = || {
            by_template
                .iter()
                .copied()
                .find(|entry| entry.system == system)
        };
        mean.or_else(first).map_or(0.0, |entry| entry.value)
    };
    systems.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    let lines = systems.iter().map(|system| DotLine {
        label: (*system).to_owned(),
        dots: by_template
            .iter()
            .filter(|entry| entry.system == *system)
            .filter_map(|entry| {
                let place = templates.iter().position(|unit| entry.unit == *unit)?;
                Some(Dot::new(*entry, place))
            })
            .collect(),
    });
    let series: Vec<String> = templates
        .iter()
        .map(|unit| words::short_unit(unit))
        .collect();
    let chart = DotChart {
        axis_label: "g_s: stereotype rate".to_owned(),
        logarithmic: false,
        decimals: 3,
        ideal: Some(1.0),
        reference: None,
        groups: vec![Group {
            heading: None,
            ink: None,
            lines: lines.collect(),
        }],
        range: None,
        series: series.clone(),
    };
    vec![Figure {
        name: "gest-templates".to_owned(),
        title: "Stereotype rate by system and way of asking".to_owned(),
        caption: "g_s in each template or language with its 95 % interval. At 1 the preference does not follow \
                  the stereotypes; right of it, it does."
            .to_owned(),
        description: format!(
            "Stereotype rate g_s, one line for each system, one symbol for each of {}. {}.",
            series.join(", "),
            listed(
                systems
                    .iter()
                    .map(|system| format!("{system} {:.2}", rate(system)))
            )
        ),
        scene: chart.draw(),
    }]
}
