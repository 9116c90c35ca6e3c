//! Intervals, tests, correlations and resampling for epicene.
//!
//! This crate knows numbers only: no sentences, no genders, no benchmarks. Every function states which
//! SciPy or statsmodels call it agrees with, and `tests/it/golden.rs` holds it to that, against values
//! written by `tools/reference/stats_golden.py`.
//!
//! Two rules run through it:
//!
//! - **Same input, same bits.** Sums have a fixed order and every random draw comes from a stream named
//!   by `(seed, label, index)`, so the number of threads never shows in a result ([`resample`]).
//! - **No silent NaN.** What SciPy answers with NaN and a warning is a [`StatsError`] here.

pub mod agreement;
pub mod binomial;
pub mod bootstrap;
pub mod cluster;
pub mod contingency;
pub mod correction;
pub mod correlation;
pub mod crossed;
pub mod describe;
pub mod draw;
pub mod error;
pub mod interval;
pub mod permutation;
pub mod ppi;
pub mod proportion;
pub mod ranking;
pub mod ranks;
pub mod resample;
pub mod rounding;
pub mod student;

mod combinations;
mod kendall;
mod special;
mod stream;

pub use agreement::{Kappa, cohens_kappa, krippendorff_alpha};
pub use binomial::{McNemar, binomial_test, mcnemar_chi_square, mcnemar_exact};
pub use bootstrap::{basic_interval, bca_interval, percentile_interval};
pub use cluster::{
    Cluster, Design, Layout, Linearised, Spread, cluster_ratio, detectable_difference,
};
pub use contingency::{ChiSquare, chi_square, chi_square_fit, cramers_v, phi};
pub use correction::{benjamini_hochberg, bonferroni, holm};
pub use correlation::{Correlation, pearson, spearman};
pub use crossed::Crossing;
pub use describe::{BoxStats, geometric_mean, mean, population_sd, quantile, sample_sd, sum};
pub use error::StatsError;
pub use interval::{
    AgrestiCoull, Interval, agresti_coull, correlation_interval, normal_fit_interval,
    normal_quantile, wilson,
};
pub use kendall::kendall_tau_b;
pub use permutation::{
    PairedBootstrap, PermutationTest, SignedTotals, approximate_randomisation, paired_bootstrap,
    paired_permutation_test, two_sample_permutation_test,
};
pub use ppi::{AuditStratum, Care, Doubt, Powered, ppi_lambda, ppi_mean};
pub use proportion::{
    Estimate, ZeroCells, alike_interval, difference_interval, odds_ratio, rate_interval,
    risk_difference, score_interval,
};
pub use ranking::{indistinguishable_groups, rank_range};
pub use ranks::{average_ranks, ordinal_ranks};
pub use resample::{Resamples, bootstrap, jackknife};
pub use rounding::round_half_even;
pub use special::binomial_cdf;
pub use special::normal_cdf;
pub use stream::stream_rng;
pub use student::{satterthwaite, student_interval, student_p_value, student_quantile};
