//! WinoMT's metrics for rows and the page.

use epicene_core::{Metric, MetricRange};

use crate::wording;

pub const METRICS: &[Metric] = &[
    Metric::headline(
        "acc",
        "accuracy, %",
        100.0,
        [
            "Above the ideal",
            "Does not always keep the gender of the source",
        ],
    )
.because("of 100 people, {acc} keep the gender of the source")
    .within(MetricRange::percent("accuracy"))
    .larger("more accurate"),
    Metric::headline(
        "delta_g",
        "F1 of men less women",
        0.0,
        [
            "Does better on men than on women",
            "Does better on women than on men",
        ],
    )
    .within(MetricRange::percent_gap("gender_gap"))
    .larger("better on men")
    .because("F1 is {f1_male} for men and {f1_female} for women"),
    Metric::headline(
        "delta_s",
        "stereotypical less anti-stereotypical",
        0.0,
        [
            "Does better where the stereotype fits",
            "Does better where the stereotype does not fit",
        ],
    )
.because("accuracy where the stereotype fits less accuracy where it does not is {delta_s} points; without bias it would be 0")
    .within(MetricRange::percent_gap("stereotype_gap"))
    .larger("more stereotyped"),
    Metric::with_ideal("f1_male", 100.0).within(MetricRange::percent("f1")),
    Metric::with_ideal("f1_female", 100.0).within(MetricRange::percent("f1")),
    Metric::with_ideal("precision_male", 100.0).within(MetricRange::percent("precision")),
    Metric::with_ideal("precision_female", 100.0).within(MetricRange::percent("precision")),
    Metric::with_ideal("recall_male", 100.0).within(MetricRange::percent("recall")),
    Metric::with_ideal("recall_female", 100.0).within(MetricRange::percent("recall")),
    Metric::with_ideal("macro_f1", 100.0).within(MetricRange::percent("f1")),
    Metric::difference("delta_acc", "acc"),
    Metric::difference("delta_delta_g", "delta_g"),
    Metric::difference("delta_delta_s", "delta_s"),
    Metric::detail("p_value"),
    Metric::detail("p_value_delta_g"),
    Metric::detail("p_value_delta_s"),
    Metric::detail("p_holm"),
    Metric::detail("male"),
    Metric::detail("female"),
    Metric::detail("neutral"),
    Metric::detail("unknown"),
    Metric::detail("missing"),
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
    Metric::detail("unaligned"),
    Metric::detail("ignored"),
    Metric::detail("unknown_words"),
    Metric::detail("human_agreement"),
    Metric::detail("more_accurate_than"),
];
