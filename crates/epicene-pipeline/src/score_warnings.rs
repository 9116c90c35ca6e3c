//! Scores of a file that look like something else than what they are taken for.

use epicene_core::{Answer, AnswerTable};

/// Scores below which nothing is said.
const LEAST: usize = 20;

/// Systems of files whose log10 ratios are all between 0 and 1, as probabilities are.
pub(crate) fn probability_warnings(table: &AnswerTable) -> Vec<String> {
    let mut warnings = Vec::new();
    for (place, system) in table.systems.iter().enumerate() {
        let own = table.columns.iter().filter(|column| column.system == place);
        let answers = own.flat_map(|column| column.answers.iter().flatten());
        let scores: Vec<f64> = answers
            .filter_map(|answer| match answer {
                Answer::Log10Ratio(score) => Some(*score),
                _ => None,
            })
            .collect();
        let is_probability = |score: &f64| (0.0..=1.0).contains(score);
        // A score that is always the same is a null system's.
        let varies = scores.iter().any(|score| *score != scores[0]);
        if system.source.starts_with("file:")
            && scores.len() >= LEAST
            && varies
            && scores.iter().all(is_probability)
        {
            warnings.push(format!(
                "{}: all {} scores are between 0 and 1, as probabilities are; they are taken for log10 of P(masculine) / \
                 P(feminine), which is below 0 where the feminine is likelier",
                system.name,
                scores.len()
            ));
        }
    }
    warnings
}
