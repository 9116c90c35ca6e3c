//! Unambiguous gender (Renduchintala & Williams, Figures 1–7): correct, wrong and inconclusive translations by
//! language and configuration, what single occupations, adjectives and places do, and invented occupations. The first letter of a
//! configuration is the gender the sentence fixes, the second the stereotype of the occupation.

use super::bars::{BarChart, BarGroup, BarLine, BarSegment, ShareGrid, ShareLine};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};
use crate::words;

const CONFIGURATIONS: [(&str, &str); 4] = [
    ("MM", "MM: a man in a man's occupation"),
    ("MF", "MF: a man in a woman's occupation"),
    ("FF", "FF: a woman in a woman's occupation"),
    ("FM", "FM: a woman in a man's occupation"),
];
const OUTCOMES: [(&str, &str, Ink); 3] = [
    ("correct", "correct", Ink::Correct),
    ("wrong", "wrong", Ink::Wrong),
    ("na", "inconclusive", Ink::Inconclusive),
];
/// Systems with charts of their own; the tables have all.
const DRAWN: usize = 6;

/// What words do, as the paper's figures have it: beginning of the groups, name of the file, noun.
const SHOWN: [[&str; 3]; 5] = [
    ["occupation", "occupations", "occupation"],
    ["figure3", "adjectives", "adjective"],
    ["position", "positions", "place of the occupation"],
    [
        "figure6",
        "adjectives-on-occupation",
        "adjective on the occupation",
    ],
    ["figure7", "adjectives-elsewhere", "adjective elsewhere"],
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let systems = distinct(
        data.metric("correct")
            .filter(|entry| entry.row.group.starts_with("config:"))
            .map(|entry| entry.system),
    );
    let mut figures = Vec::new();
    for (place, system) in systems.iter().take(DRAWN).enumerate() {
        let suffix = match systems.len() {
            1 => String::new(),
            _ => format!("-{}", place + 1),
        };
        figures.extend(configurations(data, system, &suffix));
        for shown in SHOWN {
            figures.extend(words(data, system, &suffix, shown));
        }
    }
    if systems.is_empty() {
        figures.extend(triggers(data));
    }
    figures
}

/// Figure 5: occupations that nobody has heard of have no stereotype, only the gender that the sentence fixes.
fn triggers(data: &Data<'_>) -> Option<Figure> {
    let own = |entry: &Entry<'_>| entry.group.starts_with("trigger:");
    let mut places: Vec<(&str, &str)> = Vec::new();
    for entry in data.metric("correct").filter(own) {
        let place = (entry.system, entry.row.unit.as_str());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let several = places.len() > 2;
    places.retain(|(_, unit)| several || *unit != "languages:mean");
    let groups = places.iter().map(|(system, unit)| BarGroup {
        heading: Some(if *unit == "languages:mean" {
            format!("{system}, mean of the languages")
        } else {
            format!("{system}, {}", words::unit(unit))
        }),
        lines: [("trigger:M", "a man"), ("trigger:F", "a woman")]
            .iter()
            .filter_map(|(group, label)| {
                Some(BarLine {
                    label: (*label).to_owned(),
                    parts: parts(data, [system, unit, group])?,
                })
            })
            .collect(),
    });
    let groups: Vec<BarGroup<'_>> = groups.collect();
    let said = places.iter().filter_map(|(system, unit)| {
        let share = |group| Some(data.find([system, unit, group], "correct")?.value);
        let (man, woman) = (share("trigger:M")?, share("trigger:F")?);
        Some(format!(
            "{system} {unit}: a man {man:.2}, a woman {woman:.2}"
        ))
    });
    let said = listed(said);
    (!groups.is_empty()).then(|| Figure {
        name: "unambiguous-invented".to_owned(),
        title: "Is the gender of people in invented occupations translated?".to_owned(),
        caption: "Shares of correct, wrong and inconclusive translations by the gender that the sentence fixes. An invented \
                  occupation has no stereotype: what is left is the preference for a gender."
            .to_owned(),
        description: format!("Stacked bars, correct: {said}."),
        scene: BarChart {
            axis_label: "share of translations".to_owned(),
            end: 1.0,
            decimals: 3,
            ideal: None,
            legend: outcome_legend(),
            groups,
        }
        .draw(),
    })
}

fn outcome_legend() -> Vec<(Ink, String)> {
    let outcomes = OUTCOMES.iter();
    outcomes
        .map(|(_, name, ink)| (*ink, (*name).to_owned()))
        .collect()
}

fn parts<'a>(data: &Data<'a>, place: [&str; 3]) -> Option<Vec<BarSegment<'a>>> {
    let parts: Vec<BarSegment<'a>> = OUTCOMES
        .iter()
        .filter_map(|&(metric, name, ink)| {
            Some(BarSegment {
                ink,
                name: name.to_owned(),
                entry: data.find(place, metric)?,
            })
        })
        .collect();
    (!parts.is_empty()).then_some(parts)
}

/// Figure 1: languages by how often a man in a man's occupation comes out right.
fn configurations(data: &Data<'_>, system: &str, suffix: &str) -> Option<Figure> {
    let own = data
        .metric("correct")
        .filter(|entry| entry.system == system && entry.group.starts_with("config:"));
    let mut units = distinct(own.map(|entry| entry.row.unit.as_str()));
    let accuracy = |unit: &str| {
        let entry = data.find([system, unit, "config:MM"], "correct");
        entry.map_or(0.0, |entry| entry.value)
    };
    units.sort_by(|a, b| accuracy(b).total_cmp(&accuracy(a)));
    let groups = units.iter().map(|unit| BarGroup {
        heading: Some(words::unit(unit)),
        lines: CONFIGURATIONS
            .iter()
            .filter_map(|(code, _)| {
                Some(BarLine {
                    label: (*code).to_owned(),
                    parts: parts(data, [system, unit, &format!("config:{code}")])?,
                })
            })
            .collect(),
    });
    let groups: Vec<BarGroup<'_>> = groups.collect();
    (!groups.is_empty()).then(|| Figure {
        name: format!("unambiguous-configurations{suffix}"),
        title: format!("{system}: is the gender that the sentence fixes translated?"),
        caption: format!(
            "Shares of correct, wrong and inconclusive translations. {}. Where FM is worse than MF, a woman in a \
             man's occupation is made a man more often than the other way round.",
            CONFIGURATIONS.map(|(_, name)| name).join("; ")
        ),
        description: format!(
            "Stacked bars for {}: {}.",
            system,
            listed(units.iter().flat_map(|unit| {
                CONFIGURATIONS.iter().filter_map(move |(code, _)| {
                    let entry = data.find([system, unit, &format!("config:{code}")], "correct")?;
                    Some(format!("{unit} {code} {:.2} correct", entry.value))
                })
            }))
        ),
        scene: BarChart {
            axis_label: "share of translations".to_owned(),
            end: 1.0,
            decimals: 3,
            ideal: None,
            legend: outcome_legend(),
            groups,
        }
        .draw(),
    })
}

/// The three shares of a word in one configuration, over all languages where there are several.
fn shares<'a>(data: &Data<'a>, system: &str, group: &str, code: &str) -> Vec<BarSegment<'a>> {
    let joint = ["languages:mean", "languages:sum"];
    let part = |(metric, name, ink): (&str, &str, Ink)| {
        let over_all = format!("{metric}_{}", code.to_lowercase());
        let joint = joint
            .iter()
            .find_map(|unit| data.find([system, unit, group], &over_all));
        let own = || {
            let group = format!("{group}/{code}");
            let mut own = data
                .metric(metric)
                .filter(|entry| entry.system == system && entry.group == group);
            own.next()
        };
        Some(BarSegment {
            ink,
            name: name.to_owned(),
            entry: joint.or_else(own)?,
        })
    };
    OUTCOMES.into_iter().filter_map(part).collect()
}

/// Figures 2, 3, 4, 6 and 7: what each occupation, adjective or place does, as the paper's three shares.
fn words(
    data: &Data<'_>,
    system: &str,
    suffix: &str,
    [group, name, kind]: [&str; 3],
) -> Option<Figure> {
    let prefix = format!("{group}:");
    let own = data
        .entries
        .iter()
        .filter(|entry| entry.system == system && entry.row.group.starts_with(&prefix));
    let mut names = distinct(own.clone().map(|entry| {
        let group = entry.row.group.as_str();
        group.split_once('/').map_or(group, |(word, _)| word)
    }));
    // The paper leaves the cook out of its means: what has no mean is no line beside means.
    let is_mean = |name: &str| {
        own.clone()
            .any(|entry| entry.row.group == name && entry.row.unit.starts_with("languages:"))
    };
    if names.iter().any(|name| is_mean(name)) {
        names.retain(|name| is_mean(name));
    }
    let mut lines: Vec<(f64, ShareLine<'_>)> = names
        .iter()
        .filter_map(|name| {
            let cells: Vec<Vec<BarSegment<'_>>> = CONFIGURATIONS
                .iter()
                .map(|(code, _)| shares(data, system, name, code))
                .collect();
            let mean = |places: [usize; 2]| {
                let values: Vec<f64> = places
                    .iter()
                    .filter_map(|place| cells[*place].first().map(|part| part.entry.value))
                    .collect();
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            // Sorted by how much worse women come off, below the mean of all.
            let (gap, label) = match name.split_once(':') {
                Some((_, "avg")) => (f64::INFINITY, "mean of all".to_owned()),
                _ => (mean([0, 1])? - mean([2, 3])?, data.label(name)),
            };
            Some((gap, ShareLine { label, cells }))
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    let widest: Vec<String> = lines
        .iter()
        .filter(|(gap, _)| gap.is_finite())
        .take(5)
        .map(|(_, line)| line.label.clone())
        .collect();
    let chart = ShareGrid {
        columns: CONFIGURATIONS.map(|(code, _)| code.to_owned()).to_vec(),
        decimals: 3,
        legend: outcome_legend(),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
    };
    Some(Figure {
        name: format!("unambiguous-{name}{suffix}"),
        title: format!("{system}: right gender by {kind}"),
        caption: format!(
            "Shares of correct, wrong and inconclusive translations for every {kind}, by configuration; those where women \
             come off worst first. {}.",
            CONFIGURATIONS.map(|(_, name)| name).join("; ")
        ),
        description: format!(
            "Stacked bars for every {kind} of {system}. Women come off worst with {}.",
            widest.join(", ")
        ),
        scene: chart.draw(),
    })
}
