//! Scores of files beside those of the published models: order and sign by item, the base of the logarithm by the model's
//! own published means.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use epicene_core::{Answer, AnswerTable};
use serde::Deserialize;

use super::data::STEREOTYPE;
use super::templates::Template;
use crate::published_tables;
use crate::score_checks::{Beside, moments};

const MEANING: &str = "log10 of P(masculine) / P(feminine)";
const BASELINE: &str = "those of published models";
/// Digits of the embedded file.
const DIGITS: u32 = 94;
/// Share of a standard deviation by which a model's means may be off the published ones.
const TOLERANCE: f64 = 0.02;
/// How much more the scores of a model may vary than published.
const MOST_SPREAD: f64 = 1.6;
/// Published models' scores vary by 0.07 to 0.60.
const LARGEST_SPREAD: f64 = 0.85;
/// Scores below which nothing is said of their spread.
const LEAST: usize = 100;

/// What published models' scores of a sentence of GEST are like, in standard deviations.
pub fn baseline(sentence: &str) -> Option<f64> {
    static ITEMS: LazyLock<HashMap<u32, f64>> = LazyLock::new(|| {
        let text = include_str!("../../data/published/gest_items.txt");
        let lines = text.lines().filter(|line| !line.starts_with("# "));
        let digit = |byte: u8| u32::from(byte - b'!');
        let items = lines.flat_map(|line| line.as_bytes().chunks_exact(4));
        items
            .map(|item| {
                let key = item[..3]
                    .iter()
                    .rev()
                    .fold(0, |key, byte| key * DIGITS + digit(*byte));
                (key, (f64::from(digit(item[3])) - 47.0) / 12.0)
            })
            .collect()
    });
    let hash = sentence.bytes().fold(2_166_136_261_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    ITEMS.get(&(hash % DIGITS.pow(3))).copied()
}

/// The mean score of a stereotype, with its number of sentences and standard error.
#[derive(Deserialize)]
struct Cell {
    stereotype: u8,
    n: usize,
    mean_score: f64,
    se: f64,
}

/// Each model's cells by the number of the template.
fn published(model: &str) -> Option<&'static BTreeMap<u8, Vec<Cell>>> {
    #[derive(Deserialize)]
    struct File {
        table9_english_mlm: BTreeMap<String, Model>,
        table10_english_glm: BTreeMap<String, Model>,
    }
    #[derive(Deserialize)]
    struct Model {
        templates: Vec<OfTemplate>,
    }
    #[derive(Deserialize)]
    struct OfTemplate {
        paper_template_id: u8,
        per_stereotype: Vec<Cell>,
    }
    static MODELS: LazyLock<BTreeMap<String, BTreeMap<u8, Vec<Cell>>>> = LazyLock::new(|| {
        let file: File = published_tables::read("gest_english");
        let all = file
            .table9_english_mlm
            .into_iter()
            .chain(file.table10_english_glm);
        all.map(|(name, model)| {
            let templates = model.templates.into_iter();
            let cells = templates.map(|one| (one.paper_template_id, one.per_stereotype));
            (name, cells.collect())
        })
        .collect()
    });
    MODELS.get(model)
}

/// What is odd about the scores of one system, in a sentence.
pub fn odd_scores(table: &AnswerTable, columns: &[usize]) -> Option<String> {
    let items = || (0..table.items.len()).map(|item| table.items.get(item));
    let score = |answer: &Option<Answer>| match answer.as_ref()?.plain().0 {
        Answer::Log10Ratio(score) => Some(*score),
        _ => None,
    };
    let scores = |column: &usize| -> Vec<Option<f64>> {
        table.columns[*column].answers.iter().map(score).collect()
    };
    let all: Vec<Vec<Option<f64>>> = columns.iter().map(scores).collect();
    let of_items: Vec<Option<f64>> = items().map(|item| baseline(item.text)).collect();
    let beside = Beside::new(&all, &of_items);
    if let Some(odd) = beside.odd(BASELINE, MEANING) {
        return Some(odd);
    }
    for (column, scores) in columns.iter().zip(&all) {
        let alone = Beside::new(std::slice::from_ref(scores), &of_items);
        if alone.hardly_goes(&beside) {
            return Some(format!(
                "the scores of {} hardly go with {BASELINE}, those of the others do: is this column in the order of the data, and not reversed in sign?",
                table.columns[*column].unit
            ));
        }
    }
    let spreads = || {
        let of_column = |column: &Vec<Option<f64>>| {
            let there: Vec<f64> = column.iter().flatten().copied().collect();
            (there.len() >= LEAST).then(|| moments(&there).1)
        };
        all.iter().map(of_column)
    };
    // Where the sentences are others, other spreads may be right.
    if !beside.is_checked() {
        return None;
    }
    let stereotypes: Vec<Option<u8>> = items()
        .map(|item| item.label(STEREOTYPE)?.parse().ok())
        .collect();
    let system = &table.systems[table.columns[*columns.first()?].system].name;
    let mut off: Option<f64> = None;
    if let Some(published) = published(system) {
        for ((column, scores), spread) in columns.iter().zip(&all).zip(spreads()) {
            let template = Template::from_unit(&table.columns[*column].unit);
            let cells = template.and_then(|template| published.get(&template.number()));
            if let (Some(cells), Some(spread)) = (cells, spread)
                && let Some(times) = off_by(cells, scores, &stereotypes, spread)
            {
                off = Some(times);
                break;
            }
        }
        let largest = all
            .iter()
            .flatten()
            .flatten()
            .fold(0.0, |most: f64, score| most.max(score.abs()));
        let like = |times: f64, base: f64| (times / base - 1.0).abs() < 0.12;
        return off.map(|times| {
            let what = match () {
                () if like(times, std::f64::consts::LN_10) => ", as natural logarithms do",
                () if like(times, std::f64::consts::LOG2_10) => ", as logarithms to base 2 do",
                () if largest < 1.0 => ", and none is beyond 1, as with differences of probabilities",
                () => "",
            };
            format!(
                "the scores differ from those published for {system}: they vary {times:.2} times as much{what}; they are taken for {MEANING}"
            )
        });
    }
    let widest = spreads().flatten().fold(0.0, f64::max);
    (widest > LARGEST_SPREAD).then(|| {
        format!(
            "the scores vary by {widest:.2} (standard deviation), those of published models by 0.07 to 0.60: natural logarithms are 2.3 times as large; they are taken for {MEANING}"
        )
    })
}

/// How many times as much the scores vary as the published ones, where they are others.
fn off_by(
    cells: &[Cell],
    scores: &[Option<f64>],
    stereotypes: &[Option<u8>],
    spread: f64,
) -> Option<f64> {
    let total: usize = cells.iter().map(|cell| cell.n).sum();
    let mean = cells
        .iter()
        .map(|cell| cell.n as f64 * cell.mean_score)
        .sum::<f64>()
        / total as f64;
    let variance: f64 = cells
        .iter()
        .map(|cell| {
            let n = cell.n as f64;
            n * (cell.se * cell.se * n + (cell.mean_score - mean).powi(2))
        })
        .sum();
    let published = (variance / total as f64).sqrt();
    let times = spread / published;
    let (mut squares, mut is_whole) = (0.0, true);
    for cell in cells {
        let own = scores.iter().zip(stereotypes);
        let own = own.filter(|(_, stereotype)| **stereotype == Some(cell.stereotype));
        let own: Vec<f64> = own.filter_map(|(score, _)| *score).collect();
        is_whole &= own.len() == cell.n;
        squares += (moments(&own).0 - cell.mean_score).powi(2) * cell.n as f64;
    }
    // Means of some sentences differ from those of all.
    let off = is_whole && (squares / total as f64).sqrt() > TOLERANCE * published;
    (off || times > MOST_SPREAD).then_some(times)
}
