//! Bootstrap resamples, drawn in parallel and the same whatever the thread count: replicate `r` of a stream has
//! a generator of its own, so it does not matter which thread draws it or when.

use crate::{
    error::{StatsError, some_finite},
    stream::{below, replicate_rng},
};
use rayon::prelude::*;

/// A set of bootstrap resamples of `n` items; the same (seed, stream, n, replicates) gives the same draws on
/// every machine and thread count.
///
/// Drawing once and reusing the set for many columns keeps the columns paired: their replicates can be
/// subtracted, divided or correlated one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resamples {
    items: usize,
    replicates: usize,
    /// Replicate after replicate, `items` indices each.
    indices: Vec<u32>,
}

impl Resamples {
    /// Draws `replicates` resamples of `n` items with replacement.
    ///
    /// # Panics
    /// If `n` does not fit an index of 32 bits.
    #[must_use]
    pub fn draw(seed: u64, stream: &str, n: usize, replicates: usize) -> Resamples {
        assert_fits(n);
        let mut indices = vec![0; n * replicates];
        if n > 0 {
            indices
                .par_chunks_exact_mut(n)
                .enumerate()
                .for_each(|(replicate, indices)| fill(seed, stream, replicate, indices));
        }
        Resamples {
            items: n,
            replicates,
            indices,
        }
    }

    #[must_use]
    pub fn replicates(&self) -> usize {
        self.replicates
    }

    /// Number of items in each resample.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// The items of one resample, in drawing order.
    ///
    /// # Panics
    /// If there is no such replicate, as a slice does.
    #[must_use]
    pub fn indices(&self, replicate: usize) -> &[u32] {
        assert!(
            replicate < self.replicates,
            "replicate {replicate} of {}",
            self.replicates
        );
        &self.indices[replicate * self.items..(replicate + 1) * self.items]
    }

    /// Mean of `values` over each resample; `values` holds one finite number per item.
    pub fn means(&self, values: &[f64]) -> Result<Vec<f64>, StatsError> {
        if values.len() != self.items {
            return Err(StatsError::LengthMismatch {
                argument: "values",
                expected: self.items,
                got: values.len(),
            });
        }
        some_finite("values", values)?;
        let items = self.items as f64;
        let means = self
            .indices
            .par_chunks_exact(self.items)
            .map(|indices| gathered_sum(values, indices) / items);
        Ok(means.collect())
    }
}

fn assert_fits(n: usize) {
    assert!(
        u32::try_from(n).is_ok(),
        "a resample holds fewer than 2^32 items, not {n}"
    );
}

fn fill(seed: u64, stream: &str, replicate: usize, indices: &mut [u32]) {
    let mut rng = replicate_rng(seed, stream, replicate as u64);
    let items = indices.len() as u64;
    for index in indices {
        *index = below(&mut rng, items) as u32;
    }
}

/// Sum of `values` at `indices`. Eight sums run side by side, since one alone waits for every addition;
/// which value goes to which sum is fixed, so the rounding is too.
fn gathered_sum(values: &[f64], indices: &[u32]) -> f64 {
    let mut sums = [0.0; 8];
    let blocks = indices.chunks_exact(8);
    let rest = blocks.remainder();
    for block in blocks {
        for (sum, &index) in sums.iter_mut().zip(block) {
            *sum += values[index as usize];
        }
    }
    for (sum, &index) in sums.iter_mut().zip(rest) {
        *sum += values[index as usize];
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Value of `statistic` on each of `replicates` resamples of `data_len` items. The draws are those of
/// [`Resamples::draw`] with the same seed and stream, but only one resample per thread is held at a time.
///
/// # Panics
/// If `data_len` does not fit an index of 32 bits.
pub fn bootstrap<F>(
    data_len: usize,
    replicates: usize,
    seed: u64,
    stream: &str,
    statistic: F,
) -> Vec<f64>
where
    F: Fn(&[u32]) -> f64 + Sync,
{
    assert_fits(data_len);
    (0..replicates)
        .into_par_iter()
        .map_init(
            || vec![0; data_len],
            |indices, replicate| {
                fill(seed, stream, replicate, indices);
                statistic(indices)
            },
        )
        .collect()
}

/// Value of `statistic` on the data without item 0, without item 1, and so on: what
/// [`bca_interval`](crate::bca_interval) measures acceleration from.
///
/// # Panics
/// If `data_len` does not fit an index of 32 bits.
pub fn jackknife<F>(data_len: usize, statistic: F) -> Vec<f64>
where
    F: Fn(&[u32]) -> f64 + Sync,
{
    assert_fits(data_len);
    let leave_out = |left_out: u32| {
        let kept: Vec<u32> = (0..data_len as u32)
            .filter(|&item| item != left_out)
            .collect();
        statistic(&kept)
    };
    (0..data_len as u32)
        .into_par_iter()
        .map(leave_out)
        .collect()
}
