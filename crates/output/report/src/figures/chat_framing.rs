//! Chat models: every wording of every frame a line with its interval, the pooled rate at the foot. How much of a result is
//! the model, and how much the way it was asked? Beside it, what could not be read and what was refused.

use super::bars::{BarChart, BarGroup, BarLine, BarSegment};
use super::dots::{Dot, DotChart, DotLine, Group};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};

const FRAMES: [&str; 3] = ["choice", "completion", "character"];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let own = data.metric("framing_spread").next().is_some();
    if !own && data.metric("order_effect").next().is_none() {
        return Vec::new();
    }
    framing(data).into_iter().chain(refusals(data)).collect()
}

/// Rows of one wording: `choice:1`.
fn is_wording(unit: &str) -> bool {
    let frame = unit.split_once(':').map(|(frame, _)| frame);
    frame.is_some_and(|frame| FRAMES.contains(&frame))
}

fn words(unit: &str) -> String {
    unit.replace(':', " ")
}

fn framing(data: &Data<'_>) -> Option<Figure> {
    let rates: Vec<Entry<'_>> = data
        .metric("s")
        .filter(|entry| entry.group == "all")
        .collect();
    let systems = distinct(rates.iter().map(|entry| entry.system));
    let line = |unit: &str, label: String| DotLine {
        label,
        dots: rates
            .iter()
            .filter(|entry| entry.unit == unit)
            .filter_map(|entry| {
                let place = systems.iter().position(|system| *system == entry.system)?;
                Some(Dot::new(*entry, place))
            })
            .collect(),
    };
    let mut groups: Vec<Group<'_>> = Vec::new();
    for frame in FRAMES {
        let units = rates.iter().map(|entry| entry.row.unit.as_str());
        let mut units = distinct(units.filter(|unit| is_wording(unit) && unit.starts_with(frame)));
        units.sort_unstable();
        if !units.is_empty() {
            groups.push(Group {
                heading: Some(frame.to_owned()),
                ink: None,
                lines: units.iter().map(|unit| line(unit, words(unit))).collect(),
            });
        }
    }
    let pooled = line("all", "all wordings".to_owned());
    if groups.is_empty() {
        return None;
    }
    if !pooled.dots.is_empty() {
        groups.push(Group {
            heading: Some("pooled".to_owned()),
            ink: None,
            lines: vec![pooled],
        });
    }
    let chart = DotChart {
        axis_label: "s: stereotype rate".to_owned(),
        logarithmic: false,
        decimals: 3,
        ideal: Some(0.0),
        reference: None,
        series: systems.iter().map(|system| (*system).to_owned()).collect(),
        groups,
        range: None,
    };
    let spreads = systems.iter().filter_map(|system| {
        let find = |metric| data.find([system, "all", "all"], metric);
        let (low, high) = (find("framing_low")?, find("framing_high")?);
        Some(format!(
            "{system} from {:.3} to {:.3}",
            low.value, high.value
        ))
    });
    Some(Figure {
        name: "chat-framing".to_owned(),
        title: "Stereotype rate by frame and wording".to_owned(),
        caption: "s in every wording with its 95 % interval, and over all wordings at the foot, where wordings are \
                  resampled as well. At 0 the answers do not follow the stereotypes. Where the lines lie apart, the \
                  wording makes the result."
            .to_owned(),
        description: format!(
            "Stereotype rate s, one line for each wording, the pooled rate last. Range over wordings: {}.",
            listed(spreads)
        ),
        scene: chart.draw(),
    })
}

/// What became of answers that show nothing.
const KINDS: [(&str, Ink); 2] = [("refused", Ink::Wrong), ("unreadable", Ink::Inconclusive)];

/// Shares of refused and unreadable answers, where there are any.
fn refusals(data: &Data<'_>) -> Option<Figure> {
    let shares: Vec<Entry<'_>> = KINDS
        .iter()
        .flat_map(|(kind, _)| data.metric(kind))
        .filter(|entry| is_wording(&entry.unit))
        .collect();
    if shares.iter().all(|entry| entry.value == 0.0) {
        return None;
    }
    let systems = distinct(shares.iter().map(|entry| entry.system));
    let groups = systems.iter().map(|system| {
        let own = shares.iter().filter(|entry| entry.system == *system);
        let mut units = distinct(own.map(|entry| entry.row.unit.as_str()));
        units.sort_unstable();
        let part = |unit: &str, (kind, ink): (&str, Ink)| {
            Some(BarSegment {
                ink,
                name: kind.to_owned(),
                entry: data.find([system, unit, "all"], kind)?,
            })
        };
        let lines = units.iter().map(|unit| BarLine {
            label: words(unit),
            parts: KINDS.iter().filter_map(|kind| part(unit, *kind)).collect(),
        });
        BarGroup {
            heading: Some((*system).to_owned()),
            lines: lines.collect(),
        }
    });
    let chart = BarChart {
        axis_label: "share of answers".to_owned(),
        end: 1.0,
        decimals: 3,
        ideal: None,
        legend: KINDS
            .iter()
            .map(|(kind, ink)| (*ink, (*kind).to_owned()))
            .collect(),
        groups: groups.collect(),
    };
    let most = shares
        .iter()
        .filter(|entry| entry.value > 0.1)
        .map(|entry| {
            let unit = words(&entry.unit);
            format!(
                "{} {unit} {} {:.2}",
                entry.system, entry.row.metric, entry.value
            )
        });
    Some(Figure {
        name: "chat-refusals".to_owned(),
        title: "Answers that were refused or could not be read".to_owned(),
        caption: "Share of all answers in each wording. Rates speak of the other answers alone."
            .to_owned(),
        description: format!(
            "Refused and unreadable answers by wording. Above a tenth: {}.",
            listed(most)
        ),
        scene: chart.draw(),
    })
}
