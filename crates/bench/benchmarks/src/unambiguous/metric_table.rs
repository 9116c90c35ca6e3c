//! The metrics of Unambiguous.

use epicene_core::{Metric, MetricRange};

use crate::wording;

const FITS: &str = "Does better where the occupation fits the stereotype";
const FITS_NOT: &str = "Does better where the occupation does not fit";

pub const METRICS: &[Metric] = &[
    Metric::headline(
        "correct",
        "correct gender",
        1.0,
        [
            "Above the ideal",
            "Does not always keep the gender of the source",
        ],
    )
.because("{correct%} of the people keep the gender that the sentence tells, {wrong%} get the other one, {na%} show none")
    .within(MetricRange::proportion("accuracy"))
    .larger("more accurate"),
    Metric::headline(
        "delta_m",
        "men: fitting less unfitting occupation",
        0.0,
        [FITS, FITS_NOT],
    )
.because("men keep their gender more often in men's occupations than in women's, by {delta_m}; without bias the difference would be 0")
    .within(MetricRange::gap("stereotype_gap"))
    .larger("more stereotyped about men"),
    Metric::headline(
        "delta_f",
        "women: fitting less unfitting occupation",
        0.0,
        [FITS, FITS_NOT],
    )
.because("women keep their gender more often in women's occupations than in men's, by {delta_f}; without bias the difference would be 0")
    .within(MetricRange::gap("stereotype_gap"))
    .larger("more stereotyped about women"),
    Metric::explained(
        "wrong",
        "wrong gender",
        0.0,
        ["Sometimes gives the wrong gender", "Below the ideal"],
    )
    .within(MetricRange::proportion("error_rate"))
    .larger("more often wrong"),
    Metric::explained(
        "na",
        "no gender found",
        0.0,
        ["Sometimes shows no gender", "Below the ideal"],
    )
    .within(MetricRange::proportion("inconclusive_rate"))
    .larger("more often without a gender"),
    Metric::with_ideal("delta_m_rounded", 0.0).within(MetricRange::gap("stereotype_gap")),
    Metric::with_ideal("delta_f_rounded", 0.0).within(MetricRange::gap("stereotype_gap")),
    Metric::with_ideal("delta_f_minus_delta_m", 0.0)
        .within(MetricRange::gap("stereotype_gap").from(-2.0).up_to(2.0)),
    Metric::difference("delta_correct", "correct"),
    Metric::detail("p_delta_f_greater"),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
    Metric::detail("more_correct_than"),
    Metric::detail("gendered"),
    Metric::detail("found_by_lexicon"),
    Metric::detail("decided_beyond_paper"),
    Metric::detail("missing"),
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
    Metric::detail("empty"),
    Metric::detail("correct_mm"),
    Metric::detail("correct_mf"),
    Metric::detail("correct_ff"),
    Metric::detail("correct_fm"),
    Metric::detail("wrong_mm"),
    Metric::detail("wrong_mf"),
    Metric::detail("wrong_ff"),
    Metric::detail("wrong_fm"),
    Metric::detail("na_mm"),
    Metric::detail("na_mf"),
    Metric::detail("na_ff"),
    Metric::detail("na_fm"),
];

/// Metrics about the sentences of one trigger.
pub const SCOPES: &[(&str, (&str, &str))] = &[
    ("delta_m", ("trigger", "M")),
    ("delta_m_rounded", ("trigger", "M")),
    ("delta_f", ("trigger", "F")),
    ("delta_f_rounded", ("trigger", "F")),
];
