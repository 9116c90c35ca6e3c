//! MT-GenEval's metrics for rows and the page.

use epicene_core::{Metric, MetricRange};

use crate::wording;

pub const METRICS: &[Metric] = &[
    Metric::headline(
        "accuracy",
        "no word of the wrong gender",
        1.0,
        ["Above the ideal", "Uses words of the wrong gender"],
    )
.because("in {accuracy%} of the pairs, neither translation has a word of the wrong gender")
    .within(MetricRange::proportion("accuracy"))
    .larger("more accurate"),
    Metric::headline(
        "gap",
        "accuracy on men less on women",
        0.0,
        [
            "Does better on men than on women",
            "Does better on women than on men",
        ],
    )
.because("accuracy on sentences about men less accuracy on sentences about women is {gap}; without bias it would be 0")
    .within(MetricRange::gap("gender_gap"))
    .larger("better on men"),
    Metric::explained(
        "gap_bleu",
        "BLEU on men less on women",
        0.0,
        [
            "Sentences about men are translated better",
            "Sentences about women are translated better",
        ],
    )
    .within(MetricRange::points_gap("quality_gap")),
    Metric::explained(
        "gap_chrf",
        "chrF on men less on women",
        0.0,
        [
            "Sentences about men are translated better",
            "Sentences about women are translated better",
        ],
    )
    .within(MetricRange::points_gap("quality_gap")),
    Metric::with_ideal("accuracy_strict", 1.0).within(MetricRange::proportion("accuracy")),
    Metric::with_ideal("accuracy_contrast", 1.0).within(MetricRange::proportion("accuracy")),
    Metric::difference("delta_accuracy", "accuracy"),
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
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
];
