//! Gender scores of words in static embeddings (WiBeMT, Figure 1 and section 2.1): the most feminine and the most masculine of
//! a list, and how the scores of occupations go with the share of women in them.

use super::dots::{Dot, DotChart, DotLine, Group};
use super::scatter::{Point, Scatter};
use super::scene::Ink;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry};

/// Words of either end.
const ENDS: usize = 21;

/// Rows `score` and `percent_women` of groups `word:NAME`.
pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let is_word = |entry: &Entry<'_>| entry.group.starts_with("word:");
    let mut scores: Vec<Entry<'_>> = data.metric("score").filter(is_word).collect();
    if scores.is_empty() {
        return Vec::new();
    }
    scores.sort_by(|a, b| a.value.total_cmp(&b.value));
    [Some(ends(data, &scores)), women(data, &scores)]
        .into_iter()
        .flatten()
        .collect()
}

fn group<'a, 'e>(
    data: &Data<'a>,
    heading: &str,
    ink: Ink,
    entries: impl Iterator<Item = &'e Entry<'a>>,
) -> Group<'a>
where
    'a: 'e,
{
    let line = |entry: &Entry<'a>| DotLine {
        label: data.label(&entry.row.group),
        dots: vec![Dot::new(*entry, 0)],
    };
    Group {
        heading: Some(heading.to_owned()),
        ink: Some(ink),
        lines: entries.map(line).collect(),
    }
}

fn ends<'a>(data: &Data<'a>, scores: &[Entry<'a>]) -> Figure {
    let count = ENDS.min(scores.len().div_ceil(2));
    let (feminine, rest) = scores.split_at(count);
    let masculine = &rest[rest.len().saturating_sub(count)..];
    let chart = DotChart {
        axis_label: "gender score (feminine – masculine)".to_owned(),
        logarithmic: false,
        decimals: 3,
        ideal: None,
        reference: None,
        series: vec!["score".to_owned()],
        groups: vec![
            group(data, "most feminine", Ink::Women, feminine.iter()),
            group(data, "most masculine", Ink::Men, masculine.iter().rev()),
        ],
        // Means are normalised to this; sums are not.
        range: scores
            .iter()
            .all(|entry| entry.value.abs() <= 1.0)
            .then_some((-1.0, 1.0)),
    };
    let words = feminine.iter().chain(masculine.iter().rev());
    Figure {
        name: "word-scores".to_owned(),
        title: "Gender scores of words".to_owned(),
        caption: format!(
            "Mean difference of cosines with masculine and feminine words, normalised over the {} words of the list: ranks are \
             what counts, 0 is not neutral.",
            scores.len()
        ),
        description: format!(
            "One line a word, the most feminine and the most masculine: {}.",
            listed(words.map(|entry| format!(
                "{} {:.2}",
                data.label(&entry.row.group),
                entry.value
            )))
        ),
        scene: chart.draw(),
    }
}

fn women(data: &Data<'_>, scores: &[Entry<'_>]) -> Option<Figure> {
    let points: Vec<Point> = scores
        .iter()
        .filter_map(|entry| {
            let place = [entry.system, &entry.row.unit, &entry.row.group];
            let women = data.find(place, "percent_women")?;
            let label = data.label(&entry.row.group);
            let says = format!(
                "{label}, {:.0} % women, score: {:.3}",
                women.value, entry.value
            );
            Some(Point {
                at: (entry.value, women.value),
                label,
                says,
                index: entry.index,
                series: 0,
            })
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    // Names of the ends.
    let few = 8.min(points.len() / 2);
    let named: Vec<usize> = (0..few).chain(points.len() - few..points.len()).collect();
    let count = points.len();
    Some(Figure {
        name: "word-scores-women".to_owned(),
        title: "Gender score and share of women".to_owned(),
        caption: "Every occupation with known statistics: how masculine its name is in static word vectors, and how many of the \
                  people in it are women."
            .to_owned(),
        description: format!(
            "Scatter plot of {count} occupations: gender score across, share of women up."
        ),
        scene: Scatter {
            across: "gender score of the occupation (feminine – masculine)",
            up: "% women",
            series: &[],
            named: &named,
            points,
        }
        .draw(),
    })
}
