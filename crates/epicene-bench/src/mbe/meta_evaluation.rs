//! Does a method agree with the one it is to replace, over models (Kaneko et al. 2022, section 5.1)?

use epicene_stats::{Correlation, StatsError, pearson, spearman};

/// Agreement of two scores of the same models, both with 50 as the unbiased value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    pub spearman: Correlation,
    pub pearson: Correlation,
    /// Share of models on the same side of 50; exactly 50 agrees with exactly 50 only.
    pub direction: f64,
    /// Mean of |method − original|.
    pub difference: f64,
    /// Mean of method − original, the sign Tables 4–6 keep.
    pub signed_difference: f64,
}

pub fn agreement(method: &[f64], original: &[f64]) -> Result<Agreement, StatsError> {
    let (spearman, pearson) = (spearman(method, original)?, pearson(method, original)?);
    let count = method.len() as f64;
    let pairs = || method.iter().zip(original);
    let side = |score: f64| (score - 50.0).partial_cmp(&0.0);
    let same = pairs().filter(|(m, o)| side(**m) == side(**o)).count();
    Ok(Agreement {
        spearman,
        pearson,
        direction: same as f64 / count,
        difference: pairs().map(|(m, o)| (m - o).abs()).sum::<f64>() / count,
        signed_difference: pairs().map(|(m, o)| m - o).sum::<f64>() / count,
    })
}
