//! Kendall's tau-b as `scipy.stats.kendalltau(method='auto')`: discordant pairs by merge sort (Knight 1966),
//! p-value exact for small samples without ties, asymptotic otherwise.

use crate::{
    correlation::{Correlation, check_pairs},
    error::StatsError,
    ranks::stable_order,
    special::normal_two_sided,
};

/// Samples up to this size without ties get an exact p-value; SciPy draws the line at the same place.
const EXACT_UP_TO: usize = 33;

/// Kendall's tau-b with a two-sided p-value.
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Result<Correlation, StatsError> {
    check_pairs(x, y, 2)?;
    let n = x.len();
    // Sorted by x and, within ties of x, by y: an inversion of y is then a discordant pair.
    let (x, y) = (dense_ranks(x)?, dense_ranks(y)?);
    let mut pairs: Vec<(usize, usize)> = x.into_iter().zip(y).collect();
    pairs.sort_unstable();

    let ties_x = Ties::of(pairs.iter().map(|pair| pair.0).collect());
    let ties_y = Ties::of(pairs.iter().map(|pair| pair.1).collect());
    let joint_ties: u64 = pairs
        .chunk_by(|a, b| a == b)
        .map(|run| pairs_among(run.len() as u64))
        .sum();
    let discordant = inversions(&mut pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let total = pairs_among(n as u64);

    let concordant_less_discordant = (total + joint_ties) as f64
        - (ties_x.pairs + ties_y.pairs) as f64
        - 2.0 * discordant as f64;
    let untied = |ties: &Ties| ((total - ties.pairs) as f64).sqrt();
    let r = (concordant_less_discordant / untied(&ties_x) / untied(&ties_y)).clamp(-1.0, 1.0);

    let rarer = discordant.min(total - discordant);
    let no_ties = ties_x.pairs == 0 && ties_y.pairs == 0;
    let p_value = if no_ties && (n <= EXACT_UP_TO || rarer <= 1) {
        exact_p(n, rarer as usize)
    } else {
        normal_two_sided(concordant_less_discordant / variance(n, &ties_x, &ties_y).sqrt())
    };
    Ok(Correlation { r, p_value, n })
}

fn pairs_among(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// Ranks 0, 1, 2... where equal values share one.
fn dense_ranks(values: &[f64]) -> Result<Vec<usize>, StatsError> {
    let order = stable_order(values)?;
    let mut ranks = vec![0; values.len()];
    for pair in order.windows(2) {
        ranks[pair[1]] = ranks[pair[0]] + usize::from(values[pair[0]] != values[pair[1]]);
    }
    Ok(ranks)
}

/// Sums over groups of tied values, t the size of a group (Kendall, "Rank Correlation Methods", 1970).
struct Ties {
    /// Σ t(t-1)/2.
    pairs: u64,
    /// Σ t(t-1)(t-2).
    triples: f64,
    /// Σ t(t-1)(2t+5).
    spread: f64,
}

impl Ties {
    fn of(mut ranks: Vec<usize>) -> Ties {
        ranks.sort_unstable();
        let mut ties = Ties {
            pairs: 0,
            triples: 0.0,
            spread: 0.0,
        };
        for group in ranks.chunk_by(|a, b| a == b) {
            let size = group.len() as f64;
            ties.pairs += pairs_among(group.len() as u64);
            ties.triples += size * (size - 1.0) * (size - 2.0);
            ties.spread += size * (size - 1.0) * (2.0 * size + 5.0);
        }
        ties
    }
}

/// Variance of concordant less discordant pairs under independence. n is at least 3 here: two pairs without
/// ties are exact, and with a tie constant.
fn variance(n: usize, x: &Ties, y: &Ties) -> f64 {
    let size = n as f64;
    let ordered_pairs = size * (size - 1.0);
    (ordered_pairs * (2.0 * size + 5.0) - x.spread - y.spread) / 18.0
        + 2.0 * x.pairs as f64 * y.pairs as f64 / ordered_pairs
        + x.triples * y.triples / (9.0 * ordered_pairs * (size - 2.0))
}

/// Number of pairs out of order, by merge sort; equal values are in order.
fn inversions(values: &mut [usize]) -> u64 {
    let half = values.len() / 2;
    if half == 0 {
        return 0;
    }
    let (left, right) = values.split_at_mut(half);
    let mut count = inversions(left) + inversions(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() || r < right.len() {
        if r == right.len() || (l < left.len() && left[l] <= right[r]) {
            merged.push(left[l]);
            l += 1;
        } else {
            merged.push(right[r]);
            r += 1;
            count += (left.len() - l) as u64;
        }
    }
    values.copy_from_slice(&merged);
    count
}

/// Share of all orders with at most `inversions` inversions, or as many mirrored: twice Kendall's left tail.
fn exact_p(n: usize, inversions: usize) -> f64 {
    let factorial = |n: usize| (2..=n).fold(1.0, |product, factor| product * factor as f64);
    let at_most = match inversions {
        // Beyond 33 values only these two arise; the factorial then grows to infinity and p to zero.
        0 => return (2.0 / factorial(n)).min(1.0),
        1 => return (2.0 / factorial(n - 1)).min(1.0),
        _ => orders_with_at_most(n, inversions),
    };
    (2.0 * at_most as f64 / factorial(n)).min(1.0)
}

/// Number of orders of `n` values with at most `inversions` inversions; n! fits in 128 bits up to n = 34.
fn orders_with_at_most(n: usize, inversions: usize) -> u128 {
    // by_count[c]: orders with exactly c inversions of the values inserted so far. Value j adds 0..j of them.
    let mut by_count = vec![0_u128; inversions + 1];
    by_count[0] = 1;
    for j in 2..=n {
        let mut cumulative = 0;
        let before = by_count.clone();
        for (count, slot) in by_count.iter_mut().enumerate() {
            cumulative += before[count];
            if count >= j {
                cumulative -= before[count - j];
            }
            *slot = cumulative;
        }
    }
    by_count.iter().sum()
}
