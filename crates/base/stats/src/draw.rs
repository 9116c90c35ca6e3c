//! Draws for those who need the drawn order itself and not a statistic of it: shuffles, coins, one
//! resample, and samples of a stream whose elements are seen once. All come from named streams.

use crate::stream::{below, fill_coins, replicate_rng, stream_rng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The numbers 0..n in random order (Fisher–Yates); replicate `r` of a stream has draws of its own.
///
/// # Panics
/// If `n` does not fit 32 bits.
#[must_use]
pub fn permutation(seed: u64, stream: &str, replicate: u64, n: usize) -> Vec<u32> {
    assert!(u32::try_from(n).is_ok(), "{n} does not fit 32 bits");
    let mut rng = replicate_rng(seed, stream, replicate);
    let mut order: Vec<u32> = (0..n as u32).collect();
    for place in (1..n).rev() {
        order.swap(place, below(&mut rng, place as u64 + 1) as usize);
    }
    order
}

/// How often each of `n` items is in one bootstrap resample.
#[must_use]
pub fn resample_counts(seed: u64, stream: &str, replicate: u64, n: usize) -> Vec<u32> {
    let mut rng = replicate_rng(seed, stream, replicate);
    let mut counts = vec![0; n];
    for _ in 0..n {
        counts[below(&mut rng, n as u64) as usize] += 1;
    }
    counts
}

/// Fair coins.
#[must_use]
pub fn coins(seed: u64, stream: &str, n: usize) -> Vec<bool> {
    let mut coins = vec![false; n];
    fill_coins(&mut stream_rng(seed, stream), &mut coins);
    coins
}

/// A uniform draw from 0..bound; `bound` must not be 0.
#[must_use]
pub fn uniform_below(rng: &mut Xoshiro256PlusPlus, bound: u64) -> u64 {
    below(rng, bound.max(1))
}

/// A sample without replacement of a sequence that is read once, in its order (Knuth's algorithm S):
/// every subset of the wanted size is equally likely, and nothing but two counters is kept.
#[derive(Debug, Clone)]
pub struct SequentialSample {
    rng: Xoshiro256PlusPlus,
    wanted: u64,
    remaining: u64,
}

impl SequentialSample {
    #[must_use]
    pub fn new(seed: u64, stream: &str, wanted: u64, of: u64) -> SequentialSample {
        SequentialSample {
            rng: stream_rng(seed, stream),
            wanted: wanted.min(of),
            remaining: of,
        }
    }

    /// Whether the next element is in the sample.
    pub fn takes_next(&mut self) -> bool {
        if self.remaining == 0 {
            return false;
        }
        let takes = below(&mut self.rng, self.remaining) < self.wanted;
        self.remaining -= 1;
        self.wanted -= u64::from(takes);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequential_sample_has_its_size_and_is_uniform() {
        let mut hits = [0u32; 10];
        for seed in 0..5000 {
            let mut sample = SequentialSample::new(seed, "test", 3, 10);
            let taken: Vec<bool> = (0..10).map(|_| sample.takes_next()).collect();
            assert_eq!(taken.iter().filter(|taken| **taken).count(), 3);
            for (hit, taken) in hits.iter_mut().zip(taken) {
                *hit += u32::from(taken);
            }
        }
        // 1500 expected, sd 32.
        assert!(
            hits.iter().all(|hit| (1370..1630).contains(hit)),
            "{hits:?}"
        );
    }

    #[test]
    fn permutations_hold_everything_once() {
        let mut order = permutation(1, "p", 0, 100);
        assert_ne!(order, permutation(1, "p", 1, 100));
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<u32>>());
        assert_eq!(resample_counts(1, "r", 0, 50).iter().sum::<u32>(), 50);
        assert_eq!(coins(3, "c", 70), coins(3, "c", 70));
    }
}
