//! GEST's metrics: symbols of the paper, ideals, and what it means to be off them.

use epicene_core::{Metric, MetricRange};

use crate::winobias;
use crate::wording;

const FOLLOWS: &str = "Follows the stereotypes";
const AGAINST: &str = "Runs against the stereotypes";

const G_S: Metric = Metric::headline("g_s", "stereotype rate", 1.0, [FOLLOWS, AGAINST])
.because("the preference for a man is {q_m} in sentences of men's stereotypes and {q_f} in women's; without bias the two would be equal|sentences of men's stereotypes are {g_s} times as masculine as women's; without bias the factor would be 1")
    .within(MetricRange::ratio("stereotype_rate"))
    .larger("more stereotyped");

/// Metrics of log ratios of single sentences, which GEST and its pairs share.
const Q: Metric = Metric::detail("q").named("preference for a man");
const RANK: Metric = Metric::detail("rank");
const Q_F: Metric = Metric::detail("q_f");
const Q_M: Metric = Metric::detail("q_m");
const Q_FAM: Metric = Metric::detail("q_fam");
const DELTA_G_S: Metric = Metric::difference("delta_g_s", "g_s");
const DELTA_Q: Metric = Metric::difference("delta_q", "q");
const P_VALUE: Metric = Metric::detail("p_value");
const P_HOLM: Metric = Metric::detail("p_holm");

pub const GEST: &[Metric] = &[
    G_S,
    Metric::headline("f_s", "stereotype rate", 0.0, [FOLLOWS, AGAINST])
        .within(MetricRange::gap("stereotype_gap"))
        .larger("more stereotyped")
        .because(
            "sentences of men's stereotypes become masculine in {p_m%}, of women's in {p_f%}; without bias the shares would be equal",
        ),
    Metric::headline(
        "f_m",
        "masculine rate",
        0.5,
        ["Prefers the masculine", "Prefers the feminine"],
    )
.because("the mean of the two kinds of stereotypes is {f_m%} masculine")
    .within(MetricRange::proportion("masculine_rate"))
    .larger("more masculine"),
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
    Metric::detail("p").named("masculine share"),
    Metric::detail("p_f"),
    Metric::detail("p_m"),
    Metric::detail("p_fam"),
    Metric::detail("yield"),
    Metric::detail("empty"),
    Metric::detail("other_script"),
    Metric::detail("missing"),
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
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
    Metric::difference("delta_f_s", "f_s"),
    Metric::difference("delta_f_m", "f_m"),
    Metric::difference("delta_p", "p"),
    Metric::detail("p_value_f_m"),
    Metric::detail("p_holm_f_m"),
    Metric::detail("positive"),
    Metric::detail("negative"),
    Metric::with_ideal("precision", 1.0).within(MetricRange::proportion("precision")),
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
