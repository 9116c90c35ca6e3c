//! GEST's metrics: symbols of the paper, ideals, and what it means to be off them.

use epicene_core::Metric;

use crate::winobias;

const FOLLOWS: &str = "Follows the stereotypes";
const AGAINST: &str = "Runs against the stereotypes";

const G_S: Metric = Metric {
    symbol: "g_s",
    name: "stereotype rate",
    ideal: Some(1.0),
    above: FOLLOWS,
    below: AGAINST,
    headline: true,
};

/// Metrics of log ratios of single sentences, which GEST and its pairs share.
const Q: Metric = Metric::detail("q");
const RANK: Metric = Metric::detail("rank");
const Q_F: Metric = Metric::detail("q_f");
const Q_M: Metric = Metric::detail("q_m");
const Q_FAM: Metric = Metric::detail("q_fam");
const DELTA_G_S: Metric = Metric::with_ideal("delta_g_s", 0.0);
const DELTA_Q: Metric = Metric::with_ideal("delta_q", 0.0);
const P_VALUE: Metric = Metric::detail("p_value");
const P_HOLM: Metric = Metric::detail("p_holm");

pub const GEST: &[Metric] = &[
    G_S,
    Metric {
        symbol: "f_s",
        name: "stereotype rate",
        ideal: Some(0.0),
        above: FOLLOWS,
        below: AGAINST,
        headline: true,
    },
    Metric {
        symbol: "f_m",
        name: "masculine rate",
        ideal: Some(0.5),
        above: "Prefers the masculine",
        below: "Prefers the feminine",
        headline: true,
    },
    winobias::GHAT_S,
    Q,
    RANK,
    Q_F,
    Q_M,
    Q_FAM,
    DELTA_G_S,
    DELTA_Q,
    P_VALUE,
    P_HOLM,
    Metric::detail("more_stereotypical_than"),
    Metric::detail("p"),
    Metric::detail("p_f"),
    Metric::detail("p_m"),
    Metric::detail("p_fam"),
    Metric::detail("yield"),
    Metric::detail("empty"),
    Metric::detail("other_script"),
    Metric::detail("missing"),
    Metric::detail("rank_low"),
    Metric::detail("rank_q1"),
    Metric::detail("rank_median"),
    Metric::detail("rank_q3"),
    Metric::detail("rank_high"),
    Metric::detail("rank_mean"),
    Metric::detail("r_models"),
    Metric::detail("r_templates"),
    Metric::detail("r_units"),
    Metric::detail("r_languages"),
    Metric::detail("r_models_items"),
    Metric::detail("r_templates_items"),
    Metric::detail("r_winobias"),
    Metric::with_ideal("delta_f_s", 0.0),
    Metric::with_ideal("delta_f_m", 0.0),
    Metric::with_ideal("delta_p", 0.0),
    Metric::detail("p_value_f_m"),
    Metric::detail("p_holm_f_m"),
    Metric::detail("positive"),
    Metric::detail("negative"),
    Metric::with_ideal("precision", 1.0),
    Metric::detail("parameters"),
    Metric::detail("pairs"),
    Metric::detail("pairs_table7"),
    Metric::detail("about_men"),
];

pub const PAIRS: &[Metric] = &[
    G_S,
    Q,
    RANK,
    Q_F,
    Q_M,
    Q_FAM,
    DELTA_G_S,
    DELTA_Q,
    P_VALUE,
    P_HOLM,
    Metric::detail("pairs"),
    Metric::detail("pairs_table7"),
    Metric::detail("about_men"),
    Metric::detail("rank_low"),
    Metric::detail("rank_q1"),
    Metric::detail("rank_median"),
    Metric::detail("rank_q3"),
    Metric::detail("rank_high"),
    Metric::detail("rank_mean"),
    Metric::detail("r_units"),
    Metric::detail("r_models"),
    Metric::detail("r_languages"),
];
