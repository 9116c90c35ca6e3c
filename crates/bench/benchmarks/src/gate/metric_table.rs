//! GATE's metrics for rows and the page.

use epicene_core::{Metric, MetricRange};

use crate::wording;

pub const METRICS: &[Metric] = &[
    Metric::headline(
        "masculine_share",
        "share of masculine among the decided",
        0.5,
        [
            "Chooses the masculine where the source leaves it open",
            "Chooses the feminine where the source leaves it open",
        ],
    )
.because("{masculine_share%} of the people get the masculine where the source leaves it open; without a preference half would")
    .within(MetricRange::proportion("masculine_rate"))
    .larger("more masculine"),
    Metric::explained(
        "stereotype",
        "masculine share of male less female occupations",
        0.0,
        [
            "Occupations get the gender of their stereotype",
            "Occupations get the gender against their stereotype",
        ],
    )
    .within(MetricRange::gap("stereotype_gap"))
    .larger("more stereotyped"),
    Metric::explained(
        "gap_bleu",
        "BLEU of masculine less feminine outputs",
        0.0,
        [
            "Masculine outputs are better",
            "Feminine outputs are better",
        ],
    )
    .within(MetricRange::points_gap("quality_gap")),
    Metric::difference("delta_masculine_share", "masculine_share"),
    Metric::with_ideal("precision", 1.0).within(MetricRange::proportion("precision")),
    Metric::with_ideal("recall", 1.0).within(MetricRange::proportion("recall")),
    Metric::with_ideal("f05", 1.0).within(MetricRange::proportion("f_beta")),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
    Metric::detail("decided_share"),
    Metric::detail("neutral_share"),
    Metric::detail("noise_floor"),
    Metric::detail("copy_floor"),
    Metric::detail("gap_bleu_size"),
    Metric::detail("masculine"),
    Metric::detail("feminine"),
    Metric::detail("mixed"),
    Metric::detail("neutral"),
    Metric::detail("unmatched"),
    Metric::detail("no_contrast"),
    Metric::detail("weak"),
    Metric::detail("matches"),
    Metric::detail("mismatches"),
    Metric::detail("missing"),
    wording::NEUTRAL,
    wording::INCLUSIVE,
    wording::BOTH,
    wording::UNKNOWN,
    wording::OVER_NEUTRAL,
];
