//! The metrics of Unambiguous.

use epicene_core::Metric;

const FITS: &str = "Does better where the occupation fits the stereotype";
const FITS_NOT: &str = "Does better where the occupation does not fit";

pub const METRICS: &[Metric] = &[
    Metric {
        symbol: "correct",
        name: "correct gender",
        ideal: Some(1.0),
        above: "Above the ideal",
        below: "Does not always keep the gender of the source",
        headline: true,
    },
    Metric {
        symbol: "delta_m",
        name: "men: fitting less unfitting occupation",
        ideal: Some(0.0),
        above: FITS,
        below: FITS_NOT,
        headline: true,
    },
    Metric {
        symbol: "delta_f",
        name: "women: fitting less unfitting occupation",
        ideal: Some(0.0),
        above: FITS,
        below: FITS_NOT,
        headline: true,
    },
    Metric {
        symbol: "wrong",
        name: "wrong gender",
        ideal: Some(0.0),
        above: "Sometimes gives the wrong gender",
        below: "Below the ideal",
        headline: false,
    },
    Metric {
        symbol: "na",
        name: "no gender found",
        ideal: Some(0.0),
        above: "Sometimes shows no gender",
        below: "Below the ideal",
        headline: false,
    },
    Metric::with_ideal("delta_m_rounded", 0.0),
    Metric::with_ideal("delta_f_rounded", 0.0),
    Metric::with_ideal("delta_f_minus_delta_m", 0.0),
    Metric::with_ideal("delta_correct", 0.0),
    Metric::detail("p_delta_f_greater"),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
    Metric::detail("more_correct_than"),
    Metric::detail("gendered"),
    Metric::detail("found_by_lexicon"),
    Metric::detail("decided_beyond_paper"),
    Metric::detail("missing"),
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
