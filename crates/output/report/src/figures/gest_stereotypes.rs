//! q or p of every stereotype with its interval, women's above men's (GEST, Figures 1, 5 and 14, Tables 8–11):
//! does the preference follow what each stereotype is about?

use epicene_core::Unit;

use super::dots::{Dot, DotChart, DotLine, Group};
use super::panels::{Panel, Panels};
use super::scene::{Ink, SERIES};
use super::{Figure, about, listed};
use crate::chart_data::{Data, Entry, distinct};

/// Languages with charts of their own; the tables have all.
const LANGUAGES: usize = 12;

/// Systems that still have a chart each.
const MOST: usize = 60;
/// Masked models are asked with this template, causal ones are not.
const MASKED: &str = "template:1";

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let mut models: Vec<Entry<'_>> = data
        .metric("q")
        .filter(|entry| entry.unit == "all" || Unit::language_code(&entry.unit).is_some())
        .collect();
    // Controls with a fixed preference are so far off that nothing else could be seen beside them.
    let extreme = |entry: &Entry<'_>| entry.row.system.starts_with("always:");
    if !models.iter().all(extreme) {
        models.retain(|entry| !extreme(entry));
    }
    let translators: Vec<Entry<'_>> = data.metric("p").collect();
    let q = Kind {
        name: "gest-stereotypes",
        title: "Who is thought to say it: q by stereotype",
        axis: "q: factor by which a masculine speaker is preferred (logarithmic)",
        caption: "Mean over templates with its 95 % interval. Right of 1 a man is preferred, left of it a \
                  woman. A model without stereotypes has the same q in all lines.",
        reference: (1.0, "no preference"),
        logarithmic: true,
        decimals: 2,
        range: None,
    };
    let p = Kind {
        name: "gest-stereotypes-translation",
        title: "What gender \"I\" gets: p by stereotype",
        axis: "p: share of masculine translations",
        caption: "Share of the gendered translations that are masculine, with its 95 % interval. A \
                  translator without stereotypes has the same p in all lines.",
        reference: (0.5, "as often as feminine"),
        logarithmic: false,
        decimals: 2,
        range: Some((0.0, 1.0)),
    };
    let share = Kind {
        title: "Which text is likelier: q by stereotype",
        axis: "q: preference for the masculine text",
        caption: "Mean over the rows of a stereotype with its 95 % interval. Right of one half the masculine text is likelier, \
                  left of it the feminine one.",
        reference: (0.5, "no preference"),
        logarithmic: false,
        range: Some((0.0, 1.0)),
        ..q
    };
    // EuroGEST's q is a share, GEST's a factor.
    let is_share = data.meaning("q").is_some_and(|q| q.ideal == Some(0.5));
    let q = if is_share { share } else { q };
    let mut figures: Vec<Figure> = Vec::new();
    let systems = distinct(models.iter().map(|entry| entry.system));
    let is_masked = |entry: &Entry<'_>| {
        let mut ranks = data.metric("q");
        ranks.any(|other| other.system == entry.system && other.unit == MASKED)
    };
    let (masked, causal): (Vec<Entry<'_>>, Vec<Entry<'_>>) =
        models.iter().copied().partition(is_masked);
    if systems.len() > SERIES && !masked.is_empty() && !causal.is_empty() {
        // Figures 12 and 13 of the paper: the two kinds were asked in different templates.
        for (part, name, kind) in [
            (masked, "gest-stereotypes-masked", "masked models"),
            (causal, "gest-stereotypes-causal", "causal models"),
        ] {
            let drawn = chart(data, &part, &q, None);
            figures.extend(drawn.map(|figure| Figure {
                name: name.to_owned(),
                title: format!("{}, {kind}", figure.title),
                ..figure
            }));
        }
    } else {
        figures.extend(chart(data, &models, &q, None));
    }
    figures.extend(by_language(data, &models, &q));
    figures.extend(chart(data, &translators, &p, None));
    figures
}

/// Figure 14: where models were asked in several languages, a chart for each.
fn by_language<'a>(data: &Data<'a>, models: &[Entry<'a>], kind: &Kind) -> Vec<Figure> {
    let mut languages = distinct(models.iter().map(|entry| entry.row.unit.as_str()));
    languages.retain(|unit| Unit::language_code(unit).is_some());
    if languages.len() < 2 || languages.len() > LANGUAGES {
        return Vec::new();
    }
    let of = |unit: &&str| {
        let own = models.iter().filter(|entry| entry.row.unit == **unit);
        let own: Vec<Entry<'a>> = own.copied().collect();
        chart(data, &own, kind, Unit::language_code(unit))
    };
    languages.iter().filter_map(of).collect()
}

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    caption: &'static str,
    reference: (f64, &'static str),
    logarithmic: bool,
    decimals: usize,
    range: Option<(f64, f64)>,
}

fn chart<'a>(
    data: &Data<'a>,
    entries: &[Entry<'a>],
    kind: &Kind,
    language: Option<&str>,
) -> Option<Figure> {
    // A series is a system, and its language where it has several.
    let languages = distinct(entries.iter().map(|entry| entry.row.unit.as_str()));
    let name = |entry: &Entry<'_>| match languages.len() {
        1 => entry.system.to_owned(),
        _ => entry.contestant(),
    };
    let names: Vec<String> = entries.iter().map(&name).collect();
    let series: Vec<String> = distinct(names.iter().map(String::as_str))
        .into_iter()
        .map(str::to_owned)
        .collect();
    let stereotypes = about::stereotypes(data, entries);
    // More would be a smear: maps of systems by stereotypes have them.
    if stereotypes.is_empty() || series.len() > MOST {
        return None;
    }
    let many = series.len() > SERIES;
    if many {
        return Some(panels(data, (entries, &names, &series), &stereotypes, kind));
    }
    let group = |heading: &str, ink: Ink, about_women: bool| Group {
        heading: Some(heading.to_owned()),
        // One system: the inks tell the two groups apart; several: the systems.
        ink: (series.len() == 1).then_some(ink),
        lines: stereotypes
            .iter()
            .filter(|(_, women)| *women == about_women)
            .map(|(group, _)| DotLine {
                label: data.label(group),
                dots: entries
                    .iter()
                    .zip(&names)
                    .filter(|(entry, _)| entry.group == *group)
                    .filter_map(|(entry, name)| {
                        let place = series.iter().position(|known| known == name)?;
                        Some(Dot::new(*entry, place))
                    })
                    .collect(),
            })
            .collect(),
    };
    let chart = DotChart {
        axis_label: kind.axis.to_owned(),
        logarithmic: kind.logarithmic,
        decimals: kind.decimals,
        ideal: None,
        reference: Some((kind.reference.0, kind.reference.1.to_owned())),
        groups: vec![
            group("Stereotypes about women", Ink::Women, true),
            group("Stereotypes about men", Ink::Men, false),
        ],
        range: kind.range,
        series: series.clone(),
    };
    Some(Figure {
        name: language.map_or(kind.name.to_owned(), |code| format!("{}-{code}", kind.name)),
        title: language.map_or(kind.title.to_owned(), |code| {
            format!("{}, {code}", kind.title)
        }),
        caption: kind.caption.to_owned(),
        description: format!(
            "One line for each stereotype, those about women first. Systems: {}. {}",
            listed(series.into_iter()),
            kind.caption
        ),
        scene: chart.draw(),
    })
}

/// A small chart for each of many systems.
fn panels<'a>(
    data: &Data<'a>,
    (entries, names, series): (&[Entry<'a>], &[String], &[String]),
    stereotypes: &[(&'a str, bool)],
    kind: &Kind,
) -> Figure {
    let group = |ink: Ink, meaning: &str, about_women: bool| {
        let own = stereotypes
            .iter()
            .filter(|(_, women)| *women == about_women);
        let lines = own.map(|(group, _)| data.label(group)).collect();
        (ink, meaning.to_owned(), lines)
    };
    // Lines in the order of the groups.
    let women = stereotypes.iter().filter(|(_, women)| *women);
    let men = stereotypes.iter().filter(|(_, women)| !*women);
    let order: Vec<&str> = women.chain(men).map(|(group, _)| *group).collect();
    let panel = |name: &String| Panel {
        title: name.clone(),
        dots: entries
            .iter()
            .zip(names)
            .filter(|(_, other)| *other == name)
            .filter_map(|(entry, _)| {
                let line = order.iter().position(|group| entry.group == *group)?;
                Some((line, *entry))
            })
            .collect(),
    };
    let chart = Panels {
        axis_label: kind.axis.to_owned(),
        logarithmic: kind.logarithmic,
        decimals: kind.decimals,
        reference: (kind.reference.0, kind.reference.1.to_owned()),
        range: kind.range,
        groups: vec![
            group(Ink::Women, "Stereotypes about women", true),
            group(Ink::Men, "Stereotypes about men", false),
        ],
        panels: series.iter().map(panel).collect(),
    };
    Figure {
        name: kind.name.to_owned(),
        title: kind.title.to_owned(),
        caption: format!("{} One chart for each system.", kind.caption),
        description: format!(
            "One chart for each system with a line for each stereotype, those about women first. Systems: {}. {}",
            listed(series.iter().cloned()),
            kind.caption
        ),
        scene: chart.draw(),
    }
}
