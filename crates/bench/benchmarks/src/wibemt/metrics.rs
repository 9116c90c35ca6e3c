//! WiBeMT's metrics.

use epicene_core::{Metric, MetricRange};

use crate::wording;

pub const METRICS: &[Metric] = &[
    Metric::headline(
        "tfg",
        "feminine translations, %",
        50.0,
        [
            "Translates more often as feminine",
            "Translates more often as masculine",
        ],
    )
    .because(
        "of 100 translations with a gender, {tfg} are feminine; without a preference 50 would be",
    )
    .within(MetricRange::percent("feminine_rate"))
    .larger("more feminine"),
    Metric::headline(
        "tcg",
        "correct gender, %",
        100.0,
        [
            "Above the ideal",
            "Does not always keep the gender of the source",
        ],
    )
    .because("of 100 people, {tcg} get the gender of their pronoun")
    .within(MetricRange::percent("accuracy"))
    .larger("more accurate"),
    Metric::with_ideal("tcg_female", 100.0).within(MetricRange::percent("accuracy")),
    Metric::with_ideal("tcg_male", 100.0).within(MetricRange::percent("accuracy")),
    Metric::with_ideal("odds_ratio", 1.0).within(MetricRange::ratio("odds_ratio")),
    Metric::difference("delta_tfg", "tfg"),
    Metric::difference("delta_tcg", "tcg"),
    Metric::with_ideal("phi", 0.0).within(MetricRange::gap("association")),
    Metric::detail("chi2"),
    Metric::detail("p_value"),
    Metric::detail("p_value_tcg"),
    Metric::detail("p_holm"),
    Metric::detail("p_holm_tcg"),
    Metric::detail("p_bonferroni"),
    Metric::detail("true_feminine"),
    Metric::detail("false_masculine"),
    Metric::detail("true_masculine"),
    Metric::detail("false_feminine"),
    Metric::detail("female"),
    Metric::detail("male"),
    Metric::detail("neutral"),
    Metric::detail("wrong"),
    Metric::detail("classified_ratio"),
    Metric::detail("neutral_ratio"),
    Metric::detail("wrong_ratio"),
    Metric::detail("sensitivity_female"),
    Metric::detail("sensitivity_male"),
    Metric::detail("precision_female"),
    Metric::detail("precision_male"),
    Metric::detail("accuracy"),
    Metric::detail("accuracy_all"),
    Metric::detail("balanced_accuracy"),
    Metric::detail("f1_female"),
    Metric::detail("mcc"),
    Metric::detail("unresolved"),
    Metric::detail("missing"),
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
    Metric::detail("score"),
];
