//! The numbers of `mittens` (specification `into-english`, section 3).

use epicene_core::{Metric, MetricRange};

use crate::kept::{DETAILS, headlines};

const HEADLINES: [Metric; 3] = headlines(
    "passages without a pronoun of the wrong gender",
    "passages with pronouns of the right gender alone",
);

pub static METRICS: &[Metric] = &[
    HEADLINES[0],
    HEADLINES[1],
    HEADLINES[2],
    DETAILS[0],
    DETAILS[1],
    Metric::with_ideal("worst_lang", 1.0).within(MetricRange::proportion("worst_accuracy")),
    Metric::with_ideal("worst_set", 1.0).within(MetricRange::proportion("worst_accuracy")),
    Metric::with_ideal("worst_cell", 1.0).within(MetricRange::proportion("worst_accuracy")),
    Metric::detail("chance"),
    DETAILS[2],
    DETAILS[3],
    DETAILS[4],
    DETAILS[5],
];
