//! EuroGEST's metrics for rows and the page.

use epicene_core::Metric;

pub const METRICS: &[Metric] = &[
    Metric {
        symbol: "g_s",
        name: "stereotype rate",
        ideal: Some(1.0),
        above: "Is more masculine where the stereotype is about men",
        below: "Is more masculine where the stereotype is about women",
        headline: true,
    },
    Metric {
        symbol: "preference",
        name: "share of rows with the masculine text likelier",
        ideal: Some(0.5),
        above: "Prefers masculine texts",
        below: "Prefers feminine texts",
        headline: true,
    },
    Metric::with_ideal("q", 0.5),
    Metric::with_ideal("q_m", 0.5),
    Metric::with_ideal("q_f", 0.5),
    Metric::with_ideal("inclination", 0.0),
    Metric::with_ideal("delta_g_s", 0.0),
    Metric::with_ideal("delta_q", 0.0),
    Metric::detail("p_value"),
    Metric::detail("p_delta_q"),
    Metric::detail("p_holm"),
    Metric::detail("p_holm_delta_q"),
    Metric::detail("rank"),
    Metric::detail("ties"),
    Metric::detail("agreement"),
    Metric::detail("missing"),
    Metric::detail("languages"),
    Metric::detail("about_men"),
];
