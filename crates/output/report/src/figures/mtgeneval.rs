//! MT-GenEval: accuracy by language and gender, beside that of pairs with both right and of sentences in context.

use super::dots::{Dot, DotChart, DotLine, Group};
use super::{Figure, listed};
use crate::chart_data::{Data, Entry, distinct};

const SERIES: [(&str, &str); 4] = [
    ("masculine", "about men"),
    ("feminine", "about women"),
    ("counterfactual", "both of a pair"),
    ("contextual", "in context"),
];

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    accuracy(data).into_iter().collect()
}

fn accuracy(data: &Data<'_>) -> Option<Figure> {
    let found: Vec<(usize, Entry<'_>)> = data
        .metric("accuracy")
        .filter_map(|entry| {
            let series = SERIES.iter().position(|(group, _)| *group == entry.group)?;
            Some((series, entry))
        })
        .collect();
    // Accuracies of pairs: others have figures of their own.
    if !found
        .iter()
        .any(|(_, entry)| entry.group == "counterfactual")
    {
        return None;
    }
    let names: Vec<String> = found.iter().map(|(_, entry)| entry.contestant()).collect();
    let lines = distinct(names.iter().map(String::as_str)).into_iter();
    let lines = lines.map(|label| DotLine {
        label: label.to_owned(),
        dots: found
            .iter()
            .filter(|(_, entry)| entry.contestant() == label)
            .map(|(series, entry)| Dot::new(*entry, *series))
            .collect(),
    });
    let chart = DotChart {
        axis_label: "accuracy: share of lines without a word of the wrong gender".to_owned(),
        logarithmic: false,
        decimals: 3,
        ideal: Some(1.0),
        reference: None,
        series: SERIES.map(|(_, words)| words.to_owned()).to_vec(),
        groups: vec![Group {
            lines: lines.collect(),
            ..Group::default()
        }],
        range: Some((0.0, 1.0)),
    };
    let words = found.iter().map(|(series, entry)| {
        format!(
            "{} {} {:.3}",
            entry.contestant(),
            SERIES[*series].1,
            entry.value
        )
    });
    Some(Figure {
        name: "mtgeneval-accuracy".to_owned(),
        title: "Accuracy by language and gender".to_owned(),
        caption: "At 1 no translation holds a word of the wrong gender. What lies between the dots of men and of women is the gap."
            .to_owned(),
        description: format!("Dots of accuracy: {}.", listed(words)),
        scene: chart.draw(),
    })
}
