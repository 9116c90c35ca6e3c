//! MT-GenEval's metrics for rows and the page.

use epicene_core::Metric;

pub const METRICS: &[Metric] = &[
    Metric {
        symbol: "accuracy",
        name: "no word of the wrong gender",
        ideal: Some(1.0),
        above: "Above the ideal",
        below: "Uses words of the wrong gender",
        headline: true,
    },
    Metric {
        symbol: "gap",
        name: "accuracy on men less on women",
        ideal: Some(0.0),
        above: "Does better on men than on women",
        below: "Does better on women than on men",
        headline: true,
    },
    Metric {
        symbol: "gap_bleu",
        name: "BLEU on men less on women",
        ideal: Some(0.0),
        above: "Sentences about men are translated better",
        below: "Sentences about women are translated better",
        headline: false,
    },
    Metric {
        symbol: "gap_chrf",
        name: "chrF on men less on women",
        ideal: Some(0.0),
        above: "Sentences about men are translated better",
        below: "Sentences about women are translated better",
        headline: false,
    },
    Metric::with_ideal("accuracy_strict", 1.0),
    Metric::with_ideal("accuracy_contrast", 1.0),
    Metric::with_ideal("delta_accuracy", 0.0),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
    Metric::detail("p_gap"),
    Metric::detail("floor"),
    Metric::detail("bleu"),
    Metric::detail("chrf"),
    Metric::detail("coverage"),
    Metric::detail("no_evidence"),
    Metric::detail("own"),
    Metric::detail("other"),
    Metric::detail("both"),
    Metric::detail("none"),
    Metric::detail("missing"),
];
