//! WinoMT's metrics for rows and the page.

use epicene_core::Metric;

pub const METRICS: &[Metric] = &[
    Metric {
        symbol: "acc",
        name: "accuracy, %",
        ideal: Some(100.0),
        above: "Above the ideal",
        below: "Does not always keep the gender of the source",
        headline: true,
    },
    Metric {
        symbol: "delta_g",
        name: "F1 of men less women",
        ideal: Some(0.0),
        above: "Does better on men than on women",
        below: "Does better on women than on men",
        headline: true,
    },
    Metric {
        symbol: "delta_s",
        name: "stereotypical less anti-stereotypical",
        ideal: Some(0.0),
        above: "Does better where the stereotype fits",
        below: "Does better where the stereotype does not fit",
        headline: true,
    },
    Metric::with_ideal("f1_male", 100.0),
    Metric::with_ideal("f1_female", 100.0),
    Metric::with_ideal("precision_male", 100.0),
    Metric::with_ideal("precision_female", 100.0),
    Metric::with_ideal("recall_male", 100.0),
    Metric::with_ideal("recall_female", 100.0),
    Metric::with_ideal("macro_f1", 100.0),
    Metric::with_ideal("delta_acc", 0.0),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
    Metric::detail("male"),
    Metric::detail("female"),
    Metric::detail("neutral"),
    Metric::detail("unknown"),
    Metric::detail("missing"),
    Metric::detail("unaligned"),
    Metric::detail("unknown_words"),
    Metric::detail("human_agreement"),
    Metric::detail("more_accurate_than"),
];
