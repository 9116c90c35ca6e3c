//! WiBeMT (section 3, Table 3): how many translations are feminine (%TFG) and of the right gender (%TCG), by
//! verb, adjective and pronoun, and how the gender score of an occupation goes with its translations.

use super::bars::{BarChart, BarGroup, BarLine, BarSegment};
use super::scatter::{Point, Scatter};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};
use crate::words;

/// Conditions of the bars, in the order of the paper's hypotheses.
const CONDITIONS: [(&str, &str, Ink); 5] = [
    ("verb:F", "feminine verb", Ink::Women),
    ("verb:M", "masculine verb", Ink::Men),
    ("adjective:F", "feminine adjective", Ink::Women),
    ("adjective:none", "no adjective", Ink::Inconclusive),
    ("adjective:M", "masculine adjective", Ink::Men),
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    [feminine(data), correct(data), scores(data)]
        .into_iter()
        .flatten()
        .collect()
}

/// System and language of every bar group.
fn places<'a>(data: &Data<'a>, metric: &str) -> Vec<(&'a str, &'a str)> {
    let mut places = Vec::new();
    for entry in data.metric(metric) {
        let place = (entry.system, entry.row.unit.as_str());
        if CONDITIONS.iter().any(|(group, ..)| entry.group == *group) && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn heading((system, unit): (&str, &str)) -> Option<String> {
    Some(format!("{system}, {}", words::unit(unit)))
}

fn feminine(data: &Data<'_>) -> Option<Figure> {
    let places = places(data, "tfg");
    let groups = places.iter().map(|&(system, unit)| BarGroup {
        heading: heading((system, unit)),
        lines: CONDITIONS
            .iter()
            .filter_map(|&(group, label, ink)| {
                let entry = data.find([system, unit, group], "tfg")?;
                Some(BarLine {
                    label: label.to_owned(),
                    parts: vec![BarSegment {
                        ink,
                        name: "% feminine".to_owned(),
                        entry,
                    }],
                })
            })
            .collect(),
    });
    (!places.is_empty()).then(|| Figure {
        name: "wibemt-feminine".to_owned(),
        title: "How many occupations become feminine".to_owned(),
        caption: "%TFG: feminine translations among feminine and masculine ones, with 95 % intervals, by the \
                  stereotype of the verb or adjective in the sentence."
            .to_owned(),
        description: format!(
            "Bars of %TFG, 50 is ideal. Systems: {}.",
            listed(places.iter().map(|(system, unit)| format!("{system} {unit}")))
        ),
        scene: BarChart {
            axis_label: "%TFG (feminine translations)".to_owned(),
            end: 100.0,
            decimals: 1,
            ideal: Some(50.0),
            legend: vec![
                (Ink::Women, "feminine word".to_owned()),
                (Ink::Men, "masculine word".to_owned()),
                (Ink::Inconclusive, "no adjective".to_owned()),
            ],
            groups: groups.collect(),
        }
        .draw(),
    })
}

fn correct(data: &Data<'_>) -> Option<Figure> {
    let places = places(data, "tcg");
    let metrics = [
        ("tcg_female", "she", Ink::Women),
        ("tcg_male", "he", Ink::Men),
    ];
    let groups = places.iter().map(|&(system, unit)| BarGroup {
        heading: heading((system, unit)),
        lines: CONDITIONS
            .iter()
            .flat_map(|&(group, label, _)| {
                metrics.iter().filter_map(move |&(metric, pronoun, ink)| {
                    let entry = data.find([system, unit, group], metric)?;
                    Some(BarLine {
                        label: format!("{label}, {pronoun}"),
                        parts: vec![BarSegment {
                            ink,
                            name: "% of the right gender".to_owned(),
                            entry,
                        }],
                    })
                })
            })
            .collect(),
    });
    (!places.is_empty()).then(|| Figure {
        name: "wibemt-correct".to_owned(),
        title: "How many occupations get the gender of their pronoun".to_owned(),
        caption: "%TCG by pronoun and by the stereotype of the adjective, with 95 % intervals. Where \"she\" falls \
                  behind \"he\", the occupation outweighs the pronoun."
            .to_owned(),
        description: format!(
            "Bars of %TCG for feminine and masculine pronouns, 100 is ideal. Systems: {}.",
            listed(places.iter().map(|(system, unit)| format!("{system} {unit}")))
        ),
        scene: BarChart {
            axis_label: "%TCG (right gender)".to_owned(),
            end: 100.0,
            decimals: 1,
            ideal: Some(100.0),
            legend: metrics
                .iter()
                .map(|(_, pronoun, ink)| (*ink, format!("pronoun \"{pronoun}\"")))
                .collect(),
            groups: groups.collect(),
        }
        .draw(),
    })
}

/// %TFG of every occupation against its gender score from word vectors.
fn scores(data: &Data<'_>) -> Option<Figure> {
    let is_occupation = |entry: &Entry<'_>| entry.group.starts_with("occupation:");
    let scores: Vec<Entry<'_>> = data
        .metric("score")
        .chain(data.published("score"))
        .filter(is_occupation)
        .collect();
    let score = |group: &str| scores.iter().find(|entry| entry.group == group);
    let shares: Vec<(Entry<'_>, f64)> = data
        .metric("tfg")
        .filter(is_occupation)
        .filter_map(|entry| Some((entry, score(&entry.row.group)?.value)))
        .collect();
    if shares.is_empty() {
        return None;
    }
    let systems = distinct(shares.iter().map(|(entry, _)| entry.system));
    // The names of those that are most often feminine.
    let mut named: Vec<usize> = (0..shares.len()).collect();
    named.sort_by(|a, b| shares[*b].0.value.total_cmp(&shares[*a].0.value));
    named.truncate(15);
    let points = shares.iter().map(|(entry, score)| {
        let label = data.label(&entry.row.group);
        let series = systems.iter().position(|name| *name == entry.system);
        Point {
            at: (*score, entry.value),
            says: format!(
                "{label}, {}, score {score:.2}, %TFG: {}",
                entry.system,
                entry.number(1)
            ),
            label,
            index: entry.index,
            series: series.unwrap_or(0),
        }
    });
    let scene = Scatter {
        across: "gender score of the occupation (feminine – masculine)",
        up: "%TFG (feminine translations)",
        series: &systems,
        named: &named,
        points: points.collect(),
    }
    .draw();
    Some(Figure {
        name: "wibemt-scores".to_owned(),
        title: "Word score and translation".to_owned(),
        caption: "Every occupation: how feminine or masculine its name is in static word vectors, and how often it \
                  becomes feminine in translation."
            .to_owned(),
        description: format!(
            "Scatter plot of {} occupations: gender score across, %TFG up. Systems: {}.",
            shares.len(),
            listed(systems.iter().map(|system| (*system).to_owned()))
        ),
        scene,
    })
}
