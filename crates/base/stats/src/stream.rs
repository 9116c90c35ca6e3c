//! Named random streams. A stream is fixed by (seed, label, index) and by the code below alone: nothing here
//! depends on the standard library's hasher or on how a version of `rand` seeds or samples, because a number
//! in a paper must come out the same years later.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator for the draws that `stream` names, e.g. `"gest/mean"`.
#[must_use]
pub fn stream_rng(seed: u64, stream: &str) -> Xoshiro256PlusPlus {
    seeded(stream_state(seed, stream))
}

/// The generator of one replicate of a stream, so that replicates can be drawn in any order.
pub(crate) fn replicate_rng(seed: u64, stream: &str, replicate: u64) -> Xoshiro256PlusPlus {
    // Offset by one: replicate 0 is not the stream's own generator.
    seeded(stream_state(seed, stream) ^ mix(replicate.wrapping_add(1)))
}

fn stream_state(seed: u64, stream: &str) -> u64 {
    mix(mix(seed) ^ label_hash(stream))
}

fn seeded(mut state: u64) -> Xoshiro256PlusPlus {
    let mut bytes = [0; 32];
    for word in bytes.chunks_exact_mut(8) {
        word.copy_from_slice(&mix(state).to_le_bytes());
        state = state.wrapping_add(GOLDEN_GAMMA);
    }
    Xoshiro256PlusPlus::from_seed(bytes)
}

/// FNV-1a, 64 bits.
fn label_hash(label: &str) -> u64 {
    label.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64 (Steele, Lea & Flood 2014).
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(GOLDEN_GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A uniform draw from 0..bound by multiply-shift with rejection (Lemire 2019), free of bias. `bound` > 0.
pub(crate) fn below(rng: &mut Xoshiro256PlusPlus, bound: u64) -> u64 {
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u64) < threshold {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

/// Fair coins, 64 to a draw.
pub(crate) fn fill_coins(rng: &mut Xoshiro256PlusPlus, coins: &mut [bool]) {
    for block in coins.chunks_mut(64) {
        let bits = rng.next_u64();
        for (position, coin) in block.iter_mut().enumerate() {
            *coin = bits >> position & 1 == 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/it/golden.rs` holds whole streams against a second implementation; these are published vectors.
    #[test]
    fn hash_and_mixer_are_the_published_ones() {
        assert_eq!(label_hash("a"), 0xaf63_dc4c_8601_ec8c, "FNV-1a");
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf, "SplitMix64");
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = stream_rng(1, "uniform");
        let mut counts = [0.0; 7];
        for _ in 0..70_000 {
            counts[below(&mut rng, 7) as usize] += 1.0;
        }
        let statistic: f64 = counts
            .iter()
            .map(|count: &f64| (count - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(
            statistic < 22.5,
            "chi-square {statistic} at 6 degrees of freedom (p < 0.001)"
        );
    }

    /// Without rejection half of all draws below 3 * 2^62 would be multiples of three.
    #[test]
    fn below_has_no_bias_for_huge_bounds() {
        let mut rng = stream_rng(1, "huge");
        let multiples = (0..30_000)
            .filter(|_| below(&mut rng, 3 << 62).is_multiple_of(3))
            .count();
        assert!((9_600..10_400).contains(&multiples), "{multiples} of 30000");
    }

    #[test]
    fn seeds_labels_and_replicates_differ() {
        let mut firsts: Vec<u64> = Vec::new();
        for seed in 0..20 {
            for label in ["", "a", "b", "ab", "ba"] {
                firsts.push(stream_rng(seed, label).next_u64());
                firsts.extend(
                    (0..20).map(|replicate| replicate_rng(seed, label, replicate).next_u64()),
                );
            }
        }
        let drawn = firsts.len();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), drawn);
    }
}
