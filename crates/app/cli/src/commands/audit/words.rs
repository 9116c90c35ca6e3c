//! What labels say about a judge, as rows and in sentences.

use std::collections::BTreeMap;

use epicene_audit::{Agreement, Choices, Corrected, Summary};
use epicene_core::{CellStyle, Field, Filter, Row, View, counted};

/// Below this an uneven split of errors is called a lean.
const SURE: f64 = 0.05;

/// Whose rows these are.
const JUDGE: &str = "judge";

/// Confusions, precision, recall and agreement, under the name of the judge.
pub fn rows(
    summary: &Summary,
    between: Option<&Agreement>,
    choices: &Choices,
    benchmark: &str,
) -> Vec<Row> {
    let name = |label: u32| choices.0[label as usize].name.as_str();
    let row = |group: &str, metric: &str, value: f64| {
        Row::new(benchmark, [JUDGE, "all", group], metric, value)
    };
    let estimated = |group: &str, metric: &str, number: &Corrected| Row {
        low: Some(number.low),
        high: Some(number.high),
        n: Some(number.labels as u64),
        ..row(group, metric, number.value)
    };
    let mut rows = Vec::new();
    for ((judged, human), count) in &summary.confusion {
        let group = format!("judged:{}", name(*judged));
        rows.push(row(&group, &format!("human:{}", name(*human)), *count));
    }
    rows.extend(
        summary
            .accuracy
            .as_ref()
            .map(|number| estimated("all", "accuracy", number)),
    );
    for judgement in &summary.judgements {
        let group = format!("label:{}", name(judgement.label));
        for (metric, number) in [
            ("precision", &judgement.precision),
            ("recall", &judgement.recall),
        ] {
            rows.extend(
                number
                    .as_ref()
                    .map(|number| estimated(&group, metric, number)),
            );
        }
    }
    for lean in &summary.leans {
        let group = format!("lean:{}/{}", name(lean.first), name(lean.second));
        let n = Some(lean.errors[0] + lean.errors[1]);
        rows.push(Row {
            n,
            ..row(&group, "p_value", lean.p_value)
        });
    }
    if let Some(between) = between {
        let n = Some(between.shared as u64);
        rows.extend(between.alpha.map(|alpha| Row {
            n,
            ..row("annotators", "krippendorff_alpha", alpha)
        }));
        for pair in &between.pairs {
            let group = format!("annotators:{}/{}", pair.first, pair.second);
            let n = Some(pair.shared as u64);
            rows.push(Row {
                n,
                ..row(&group, "agreement", pair.same)
            });
            rows.extend(pair.kappa.map(|(kappa, interval)| Row {
                n,
                low: Some(interval.low),
                high: Some(interval.high),
                ..row(&group, "cohens_kappa", kappa.value)
            }));
        }
    }
    rows
}

/// The tables of these rows: confusions, how good the judge is, how far annotators agree.
pub fn views(rows: &[Row]) -> Vec<View> {
    let mut confused: Vec<&str> = rows
        .iter()
        .filter(|row| row.system == JUDGE && row.metric.starts_with("human:"))
        .map(|row| row.metric.as_str())
        .collect();
    confused.sort_unstable();
    confused.dedup();
    let view = |title: &str, metrics: &[&str]| View {
        title: title.to_owned(),
        filters: vec![
            Filter::new(Field::System, [JUDGE]),
            Filter::new(Field::Metric, metrics.iter().copied()),
        ],
        lines: vec![Field::Group],
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: BTreeMap::new(),
    };
    vec![
        view(
            "Verdicts of the detector (lines) and human labels (columns)",
            &confused,
        ),
        view(
            "The detector, over all verdicts",
            &["accuracy", "precision", "recall"],
        ),
        view(
            "Annotators",
            &["agreement", "cohens_kappa", "krippendorff_alpha"],
        ),
    ]
}

/// The same in sentences.
pub fn notes(summary: &Summary, between: Option<&Agreement>, choices: &Choices) -> Vec<String> {
    let name = |label: u32| choices.0[label as usize].name.as_str();
    let mut notes = Vec::new();
    if let Some(number) = &summary.accuracy {
        notes.push(format!(
            "the detector is right in {:.1} % of all verdicts [{:.1}, {:.1}], by {} labels",
            100.0 * number.value,
            100.0 * number.low,
            100.0 * number.high,
            number.labels
        ));
    }
    for lean in &summary.leans {
        let [one, other] = lean.errors;
        let (first, second) = (name(lean.first), name(lean.second));
        let split = format!(
            "{} the detector says {first} where annotators say {second}, {} the other way round",
            counted(one, "time", "times"),
            counted(other, "time", "times")
        );
        notes.push(if lean.p_value < SURE {
            format!(
                "its errors lean one way: {split} (exact p = {:.2e})",
                lean.p_value
            )
        } else {
            format!(
                "its errors lean neither way for sure: {split} (exact p = {:.2})",
                lean.p_value
            )
        });
    }
    if summary.leans.is_empty() {
        notes.push("no error between two labels was seen".to_owned());
    }
    if let Some(between) = between {
        for pair in &between.pairs {
            let kappa = pair.kappa.map_or_else(
                || "Cohen's kappa undefined: one label throughout".to_owned(),
                |(kappa, interval)| {
                    format!(
                        "Cohen's kappa {:.3} [{:.3}, {:.3}]",
                        kappa.value, interval.low, interval.high
                    )
                },
            );
            notes.push(format!(
                "{} and {} agree on {:.1} % of {} labels; {kappa}",
                pair.first,
                pair.second,
                100.0 * pair.same,
                pair.shared
            ));
        }
        notes.extend(between.alpha.map(|alpha| {
            format!(
                "Krippendorff's alpha {alpha:.3} over {} verdicts",
                between.shared
            )
        }));
    }
    notes
}
