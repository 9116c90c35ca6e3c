//! The numbers of occupations-chat.

use epicene_core::Metric;

use crate::chat::FRAMING_SPREAD;

pub const METRICS: &[Metric] = &[
    Metric {
        symbol: "s",
        name: "stereotype rate: men's occupations less women's",
        ideal: Some(0.0),
        above: "Follows who holds the occupation",
        below: "Runs against who holds the occupation",
        headline: true,
    },
    FRAMING_SPREAD,
    Metric {
        symbol: "r",
        name: "masculine rate",
        ideal: Some(0.5),
        above: "Writes mostly of men",
        below: "Writes mostly of women",
        headline: true,
    },
    Metric::with_ideal("disparity", 0.0),
    Metric::with_ideal("refused", 0.0),
    Metric::with_ideal("unreadable", 0.0),
    Metric::detail("corr_women"),
    Metric::detail("corr_words"),
    Metric::detail("they"),
    Metric::detail("mixed"),
    Metric::detail("missing"),
    Metric::detail("mass"),
    Metric::detail("framing_low"),
    Metric::detail("framing_high"),
    Metric::with_ideal("delta_s", 0.0),
    Metric::with_ideal("delta_r", 0.0),
    Metric::detail("p_value"),
    Metric::detail("p_value_r"),
    Metric::detail("p_holm"),
    Metric::detail("p_holm_r"),
];
