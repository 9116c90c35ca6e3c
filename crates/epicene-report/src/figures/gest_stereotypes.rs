//! q or p of every stereotype with its interval, women's above men's (GEST, Figures 1 and 5, Tables 8–11):
//! does the preference follow what each stereotype is about?

use super::data::{Data, Entry, distinct};
use super::dots::{Dot, DotChart, DotLine, Group};
use super::scene::{Ink, SERIES};
use super::{Figure, listed};

/// Stereotypes 1–7 are held about women, the rest about men.
const LAST_ABOUT_WOMEN: u32 = 7;

fn number(group: &str) -> Option<u32> {
    group.strip_prefix("stereotype:")?.parse().ok()
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let mut models: Vec<Entry<'_>> = data
        .metric("q")
        .filter(|entry| entry.unit == "all" || entry.unit.starts_with("lang:"))
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
    [chart(data, &models, &q), chart(data, &translators, &p)]
        .into_iter()
        .flatten()
        .collect()
}

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

fn chart(data: &Data<'_>, entries: &[Entry<'_>], kind: &Kind) -> Option<Figure> {
    // A series is a system, and its language where it has several.
    let languages = distinct(entries.iter().map(|entry| entry.row.unit.as_str()));
    let name = |entry: &Entry<'_>| match languages.len() {
        1 => entry.system.to_owned(),
        _ => format!(
            "{} {}",
            entry.system,
            entry.unit.trim_start_matches("lang:")
        ),
    };
    let names: Vec<String> = entries.iter().map(&name).collect();
    let series: Vec<String> = distinct(names.iter().map(String::as_str))
        .into_iter()
        .map(str::to_owned)
        .collect();
    let numbers: std::collections::BTreeSet<u32> = entries
        .iter()
        .filter_map(|entry| number(&entry.group))
        .collect();
    if numbers.is_empty() {
        return None;
    }
    let many = series.len() > SERIES;
    let group = |heading: &str, ink: Ink, about_women: bool| Group {
        heading: Some(heading.to_owned()),
        // One system: the inks tell the two groups apart; several: the systems.
        ink: (series.len() == 1 || many).then_some(ink),
        lines: numbers
            .iter()
            .filter(|id| (**id <= LAST_ABOUT_WOMEN) == about_women)
            .map(|id| DotLine {
                label: data.label(&format!("stereotype:{id}")),
                dots: entries
                    .iter()
                    .zip(&names)
                    .filter(|(entry, _)| number(&entry.group) == Some(*id))
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
    let strip = if many {
        format!(
            " {} systems: a dot each, the stroke is their median.",
            series.len()
        )
    } else {
        String::new()
    };
    Some(Figure {
        name: kind.name.to_owned(),
        title: kind.title.to_owned(),
        caption: format!("{}{strip}", kind.caption),
        description: format!(
            "One line for each stereotype, those about women first. Systems: {}. {}",
            listed(series.into_iter()),
            kind.caption
        ),
        scene: chart.draw(),
    })
}
