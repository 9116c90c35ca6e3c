//! Scores of files, and told ones, that look like something else than what they are taken for.

use epicene_bench::Benchmark;
use epicene_core::{Answer, AnswerTable, Column, Scorer};

/// Scores below which nothing is said.
const LEAST: usize = 20;
/// Scores below which nothing is said of their signs: a few may all favour one gender.
const LEAST_OF_ONE_SIGN: usize = 150;
/// No model's log10 ratio of two words is near this.
const LARGEST_RATIO: f64 = 20.0;
/// Decimals that a measured number has more of.
const FEWEST_DECIMALS: u32 = 3;
/// How far above 0 rounding may put the logarithm of a probability.
const LARGEST_LIKELIHOOD: f64 = 1e-3;

/// What is odd about each system's scores; a null system's are meant to be.
pub(crate) fn score_warnings(benchmark: &dyn Benchmark, table: &AnswerTable) -> Vec<String> {
    let mut warnings = Vec::new();
    for (place, system) in table.systems.iter().enumerate() {
        if system.is_null() {
            continue;
        }
        let own = || table.columns.iter().filter(|column| column.system == place);
        let ratios: Vec<Vec<f64>> = own().map(ratios).collect();
        let all = ratios.concat();
        let from_elsewhere = ["file:", "told:"]
            .iter()
            .any(|kind| system.source.starts_with(kind));
        let mut found = equal(&all);
        if from_elsewhere {
            found = found
                .or_else(|| of_ratios(&all))
                .or_else(|| repeated(&ratios))
                .or_else(|| own().find_map(of_likelihoods))
                .or_else(|| benchmark.odd_scores(table, &places(table, place)))
                .or_else(|| rounded(&all))
                .or_else(|| rounded(&own().flat_map(likelihoods).collect::<Vec<_>>()));
        }
        warnings.extend(found.map(|found| format!("{}: {found}", system.name)));
    }
    warnings
}

/// The columns of one system.
fn places(table: &AnswerTable, system: usize) -> Vec<usize> {
    let columns = table.columns.iter().enumerate();
    let own = columns.filter(|(_, column)| column.system == system);
    own.map(|(place, _)| place).collect()
}

fn ratios(column: &Column) -> Vec<f64> {
    let answers = column.answers.iter().flatten();
    let scores = answers.filter_map(|answer| match answer.plain().0 {
        Answer::Log10Ratio(score) => Some(*score),
        _ => None,
    });
    scores.collect()
}

/// The same number throughout: a server that gives every word one probability, a file that was filled in.
fn equal(scores: &[f64]) -> Option<String> {
    let first = scores.first().filter(|_| scores.len() >= LEAST)?;
    scores.iter().all(|score| score == first).then(|| {
        format!(
            "all {} scores are {first}: there is no difference to measure, and an interval without width says nothing",
            scores.len()
        )
    })
}

fn of_ratios(scores: &[f64]) -> Option<String> {
    const TAKEN: &str = "they are taken for log10 of P(masculine) / P(feminine), which is";
    if scores.len() < LEAST {
        return None;
    }
    let all = |holds: &dyn Fn(f64) -> bool| scores.iter().all(|score| holds(*score));
    let largest = scores
        .iter()
        .fold(0.0, |most: f64, score| most.max(score.abs()));
    let n = scores.len();
    if all(&|score| (0.0..=1.0).contains(&score)) {
        return Some(format!(
            "all {n} scores are between 0 and 1, as probabilities are; {TAKEN} below 0 where the feminine is likelier"
        ));
    }
    if n >= LEAST_OF_ONE_SIGN && all(&|score| score > 0.0) {
        return Some(format!(
            "all {n} scores are above 0, as ratios, percentages and losses are; {TAKEN} below 0 where the feminine is likelier"
        ));
    }
    if n >= LEAST_OF_ONE_SIGN && all(&|score| score < 0.0) {
        return Some(format!(
            "all {n} scores are below 0, as logarithms of probabilities are; {TAKEN} above 0 where the masculine is likelier"
        ));
    }
    (largest > LARGEST_RATIO).then(|| {
        format!(
            "a score is as large as {largest}; {TAKEN} far smaller for every model that is known"
        )
    })
}

/// Two ways of asking that have the same scores throughout.
fn repeated(columns: &[Vec<f64>]) -> Option<String> {
    let same = |own: &Vec<f64>| {
        let twice = columns.iter().filter(|other| *other == own).count() > 1;
        twice && own.len() >= LEAST && own.iter().any(|score| *score != own[0])
    };
    let count = columns.iter().filter(|own| same(own)).count();
    (count > 0).then(|| {
        format!("{count} ways of asking have the same scores throughout, as if one were copied to the others")
    })
}

/// Numbers with too few digits: sentences that a model tells apart become ties.
fn rounded(scores: &[f64]) -> Option<String> {
    let fits = |decimals: &u32| {
        let scale = 10f64.powi(*decimals as i32);
        let is_rounded = |score: &f64| (score * scale - (score * scale).round()).abs() < 1e-4;
        scores.iter().all(is_rounded)
    };
    let decimals = (0..FEWEST_DECIMALS).find(fits)?;
    let words = match decimals {
        0 => "are whole numbers".to_owned(),
        1 => "have one decimal".to_owned(),
        _ => format!("have {decimals} decimals"),
    };
    (scores.len() >= LEAST).then(|| {
        format!(
            "all {} scores {words}: rounding makes different answers equal; give them with all their digits",
            scores.len()
        )
    })
}

fn likelihoods(column: &Column) -> Vec<f64> {
    let answers = column.answers.iter().flatten();
    let values = answers.flat_map(|answer| match answer.plain().0 {
        Answer::Likelihoods(values) => values.iter().flatten().copied().collect(),
        Answer::Sentence { likelihood, .. } => vec![*likelihood],
        _ => Vec::new(),
    });
    values.collect()
}

fn of_likelihoods(column: &Column) -> Option<String> {
    if !matches!(column.scorer, Scorer::Likelihood(_)) {
        return None;
    }
    let (mut all, mut above) = (0, 0);
    for value in likelihoods(column) {
        all += 1;
        above += usize::from(value > LARGEST_LIKELIHOOD);
    }
    (above > 0).then(|| {
        format!(
            "{}: {above} of {all} likelihoods are above 0, where logarithms of probabilities never are; losses would turn the \
             result round",
            column.unit
        )
    })
}
