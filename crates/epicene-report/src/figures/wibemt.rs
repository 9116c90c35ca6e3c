//! WiBeMT (section 3, Table 3): how many translations are feminine (%TFG) and of the right gender (%TCG), by
//! verb, adjective and pronoun, and how the gender score of an occupation goes with its translations.

use super::axis::{Axis, tick_label};
use super::bars::{BarChart, BarGroup, BarLine, Part};
use super::data::{Data, Entry, distinct};
use super::dots::WIDTH;
use super::labels::{self, Canvas, Obstacles};
use super::scene::{Anchor, Ink, Place, SERIES, SMALL, Scene, Symbol};
use super::{Figure, listed};

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
    Some(format!("{system}, {}", unit.replace("lang:", "into ")))
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
                    parts: vec![Part {
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
            legend: Vec::new(),
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
                        parts: vec![Part {
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
    let mut named: Vec<&(Entry<'_>, f64)> = shares.iter().collect();
    named.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
    named.truncate(15);
    let (left, top) = (62.0, 40.0);
    let scatter = |canvas: Canvas| -> Option<Scene> {
        let Canvas { right, bottom, .. } = canvas;
        let across = Axis::over(shares.iter().map(|(_, score)| *score), false).on_page(left, right);
        let up = Axis::between(-3.0, 103.0).on_page(bottom, top);
        let mut scene = Scene::new(WIDTH, bottom + 50.0);
        for value in across.ticks(6) {
            let x = across.at(value);
            scene.line(Ink::Grid, (x, top), (x, bottom), 1.0);
            let at = (x, bottom + 16.0);
            scene.sized_text(Ink::Muted, Anchor::Middle, at, &tick_label(value), SMALL);
        }
        for value in [0.0, 25.0, 50.0, 75.0, 100.0] {
            let y = up.at(value);
            scene.line(Ink::Grid, (left, y), (right, y), 1.0);
            let at = (left - 8.0, y + 4.0);
            scene.sized_text(Ink::Muted, Anchor::End, at, &tick_label(value), SMALL);
        }
        scene.line(Ink::Ideal, (left, up.at(50.0)), (right, up.at(50.0)), 1.5);
        let at = ((left + right) / 2.0, bottom + 38.0);
        scene.text(
            Ink::Text,
            Anchor::Middle,
            at,
            "gender score of the occupation (feminine – masculine)",
        );
        scene.text(
            Ink::Text,
            Anchor::Start,
            (14.0, 18.0),
            "%TFG (feminine translations)",
        );
        if systems.len() > 1 && systems.len() <= SERIES {
            let legend: Vec<(Ink, Symbol, String)> = systems
                .iter()
                .enumerate()
                .map(|(n, name)| (Ink::Series(n), Symbol::of_series(n), (*name).to_owned()))
                .collect();
            scene.legend((240.0, 18.0), WIDTH, &legend);
        }
        let place = |(entry, score): &(Entry<'_>, f64)| (across.at(*score), up.at(entry.value));
        for share in &shares {
            let (entry, score) = share;
            let series = systems
                .iter()
                .position(|name| *name == entry.system)
                .unwrap_or(0);
            let says = format!(
                "{}, {}, score {score:.2}, %TFG: {}",
                data.label(&entry.row.group),
                entry.system,
                entry.number(1)
            );
            scene
                .symbol(
                    Ink::Series(series),
                    Symbol::of_series(series),
                    place(share),
                    3.5,
                )
                .says(says, entry.index);
        }
        let named: Vec<(Place, String)> = named
            .iter()
            .map(|share| (place(share), data.label(&share.0.row.group)))
            .collect();
        let obstacles = Obstacles::points(shares.iter().map(place));
        let placed = labels::place(&named, &obstacles, (left, top, right, bottom), canvas.edge)?;
        labels::draw(&mut scene, &placed, &named);
        Some(scene)
    };
    let names: Vec<String> = named
        .iter()
        .map(|share| data.label(&share.0.row.group))
        .collect();
    let scene = labels::fit(&names, top, (WIDTH - 20.0, 400.0), scatter)
        .expect("a column as high as its names has room for them");
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
