//! The numbers of `mittens` (specification `into-english`, section 3).

use epicene_core::Metric;

pub static METRICS: &[Metric] = &[
    Metric::headline(
        "accuracy",
        "passages without a pronoun of the wrong gender",
        1.0,
        ["", "gives people the wrong gender"],
    )
    .larger("more accurate"),
    Metric::headline(
        "preserved",
        "passages with pronouns of the right gender alone",
        1.0,
        ["", "loses the gender of the source"],
    )
    .larger("more accurate"),
    Metric::headline(
        "gap",
        "accuracy on men less accuracy on women",
        0.0,
        ["less accurate about women", "less accurate about men"],
    )
    .larger("better on men"),
    Metric::detail("inconclusive"),
    Metric::with_ideal("gap_preserved", 0.0),
    Metric::with_ideal("worst_lang", 1.0),
    Metric::with_ideal("worst_set", 1.0),
    Metric::with_ideal("worst_cell", 1.0),
    Metric::detail("chance"),
    Metric::difference("delta_accuracy", "accuracy"),
    Metric::difference("delta_preserved", "preserved"),
    Metric::difference("delta_gap", "gap"),
    Metric::detail("p_value"),
];
