//! Ranks, 1-based. Average ranks are what rank correlations want; ordinal ranks are what papers get that
//! rank with a double `argsort`.

use crate::error::StatsError;
use std::cmp::Ordering;

/// Ranks where tied values share the mean of the ranks they cover (`scipy.stats.rankdata(method='average')`).
pub fn average_ranks(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    let order = stable_order(values)?;
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let tied = order[start..]
            .iter()
            .take_while(|&&item| values[item] == values[order[start]])
            .count();
        // The ranks start+1 ..= start+tied.
        let shared = (2 * start + tied + 1) as f64 / 2.0;
        for &item in &order[start..start + tied] {
            ranks[item] = shared;
        }
        start += tied;
    }
    Ok(ranks)
}

/// Ranks 1..=n without ties: among equal values the earlier one gets the smaller rank
/// (`argsort(argsort(x, kind='stable')) + 1`).
pub fn ordinal_ranks(values: &[f64]) -> Result<Vec<usize>, StatsError> {
    let mut ranks = vec![0; values.len()];
    for (rank, item) in stable_order(values)?.into_iter().enumerate() {
        ranks[item] = rank + 1;
    }
    Ok(ranks)
}

/// Indices from the smallest to the largest value, ties in their given order. Infinities may be ranked, NaN not.
pub(crate) fn stable_order(values: &[f64]) -> Result<Vec<usize>, StatsError> {
    if let Some(index) = values.iter().position(|value| value.is_nan()) {
        return Err(StatsError::NotFinite {
            argument: "values",
            index,
            value: f64::NAN,
        });
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Not total_cmp: 0.0 and -0.0 are ties.
    order.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).unwrap_or(Ordering::Equal));
    Ok(order)
}
