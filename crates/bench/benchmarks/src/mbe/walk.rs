//! The prefix-sum form of the MBE score, for many weightings of the sentences at once.
//!
//! The bootstrap and the permutation test need the score again and again with other multiplicities of
//! the same sentences. One walk in the order of the likelihoods serves a block of replicates, so that
//! every embedding is read from memory once a block.

use rayon::prelude::*;

use super::score::{MbeScore, SentenceSet, Vectors, dot};
use crate::BenchError;

/// Replicates that share a walk: their running sums fit a core's cache.
const BLOCK: usize = 8;

/// How often a sentence counts as male and as female in one replicate.
pub(crate) type Multiplicity = (u32, u32);

/// All sentences, males first, in ascending order of likelihood.
pub struct Walk {
    vectors: Vectors,
    males: usize,
    likelihoods: Vec<f64>,
    order: Vec<u32>,
}

impl Walk {
    pub fn new(male: &SentenceSet, female: &SentenceSet, vectors: Vectors) -> Walk {
        let likelihoods: Vec<f64> = [&male.likelihoods[..], &female.likelihoods[..]].concat();
        let mut order: Vec<u32> = (0..likelihoods.len() as u32).collect();
        order.sort_by(|a, b| likelihoods[*a as usize].total_cmp(&likelihoods[*b as usize]));
        Walk {
            vectors,
            males: male.len(),
            likelihoods,
            order,
        }
    }

    pub(crate) fn males(&self) -> usize {
        self.males
    }

    pub(crate) fn females(&self) -> usize {
        self.likelihoods.len() - self.males
    }

    fn vector(&self, sentence: usize) -> &[f64] {
        match sentence.checked_sub(self.males) {
            None => self.vectors.male(sentence),
            Some(female) => self.vectors.female(female),
        }
    }

    /// The score of the sentences as they are.
    pub fn score(&self) -> Result<MbeScore, BenchError> {
        let (numerator, denominator) = self.sums(&[self.own_labels()])[0];
        MbeScore::from_sums(numerator, denominator)
    }

    /// What every sentence, males first, adds to the numerator and to the denominator.
    pub fn by_sentence(&self) -> Vec<(f64, f64)> {
        let width = self.vectors.width;
        let total = |of: std::ops::Range<usize>| {
            let mut total = vec![0.0; width];
            for sentence in of {
                add(&mut total, self.vector(sentence));
            }
            total
        };
        let sums = self.likelihoods.len();
        let (males, females) = (total(0..self.males), total(self.males..sums));
        let mut wins = vec![0.0; sums];
        let (mut males_so_far, mut females_so_far) = (vec![0.0; width], vec![0.0; width]);
        let mut start = 0;
        while start < self.order.len() {
            // A tie is no win: the females of equal likelihood are added after the males.
            let level = self.likelihoods[self.order[start] as usize];
            let rest = self.order[start..].iter();
            let group: Vec<usize> = rest
                .map(|sentence| *sentence as usize)
                .take_while(|sentence| self.likelihoods[*sentence] == level)
                .collect();
            let is_male = |sentence: &&usize| **sentence < self.males;
            for &male in group.iter().filter(is_male) {
                wins[male] = dot(self.vector(male), &females_so_far);
                add(&mut males_so_far, self.vector(male));
            }
            for &female in group.iter().filter(|sentence| !is_male(sentence)) {
                let above: Vec<f64> = males
                    .iter()
                    .zip(&males_so_far)
                    .map(|(a, b)| a - b)
                    .collect();
                wins[female] = dot(self.vector(female), &above);
                add(&mut females_so_far, self.vector(female));
            }
            start += group.len();
        }
        let weight = |sentence: usize| {
            let others = if sentence < self.males {
                &females
            } else {
                &males
            };
            dot(self.vector(sentence), others)
        };
        (0..sums)
            .map(|sentence| (wins[sentence], weight(sentence)))
            .collect()
    }

    fn own_labels(&self) -> Vec<Multiplicity> {
        let mut labels = vec![(1, 0); self.males];
        labels.resize(self.likelihoods.len(), (0, 1));
        labels
    }

    /// The score in each replicate; NaN where its weights add up to 0.
    pub fn scores(
        &self,
        replicates: usize,
        draw: impl Fn(u64) -> Vec<Multiplicity> + Sync,
    ) -> Vec<f64> {
        let blocks: Vec<Vec<f64>> = (0..replicates.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let range = block * BLOCK..((block + 1) * BLOCK).min(replicates);
                let drawn: Vec<Vec<Multiplicity>> = range.map(|r| draw(r as u64)).collect();
                let score = |(numerator, denominator)| 100.0 * numerator / denominator;
                self.sums(&drawn).into_iter().map(score).collect()
            })
            .collect();
        blocks.into_iter().flatten().collect()
    }

    /// (numerator, denominator) of each replicate.
    fn sums(&self, replicates: &[Vec<Multiplicity>]) -> Vec<(f64, f64)> {
        let width = self.vectors.width;
        let mut states: Vec<Sums> = replicates.iter().map(|_| Sums::new(width)).collect();
        let mut start = 0;
        while start < self.order.len() {
            // A tie is no win: the females of equal likelihood are added after the males.
            let level = self.likelihoods[self.order[start] as usize];
            let tied = self.order[start..]
                .iter()
                .take_while(|&&sentence| self.likelihoods[sentence as usize] == level)
                .count();
            let group = &self.order[start..start + tied];
            for &sentence in group {
                let vector = self.vector(sentence as usize);
                for (state, multiplicities) in states.iter_mut().zip(replicates) {
                    state.male(vector, multiplicities[sentence as usize].0);
                }
            }
            for &sentence in group {
                let vector = self.vector(sentence as usize);
                for (state, multiplicities) in states.iter_mut().zip(replicates) {
                    state.female(vector, multiplicities[sentence as usize].1);
                }
            }
            start += tied;
        }
        states.iter().map(Sums::finish).collect()
    }

    /// Whether any male and any female vector point apart, so that their weight is negative.
    ///
    /// With angles to a common direction known, only pairs whose angles add up to more than a right
    /// one can do so: the others are not looked at.
    pub fn any_negative(&self) -> bool {
        let total = self.likelihoods.len();
        let mut centre = vec![0.0f64; self.vectors.width];
        for sentence in 0..total {
            let vector = self.vector(sentence);
            let norm = dot(vector, vector).sqrt();
            if norm > 0.0 {
                for (sum, x) in centre.iter_mut().zip(vector) {
                    *sum += x / norm;
                }
            }
        }
        let centre_norm = dot(&centre, &centre).sqrt();
        let angle = |sentence: usize| {
            let vector = self.vector(sentence);
            let norm = dot(vector, vector).sqrt() * centre_norm;
            if norm > 0.0 {
                (dot(vector, &centre) / norm).clamp(-1.0, 1.0).acos()
            } else {
                // A zero vector has weight 0 with everything.
                f64::NEG_INFINITY
            }
        };
        // Rounding must not hide a pair.
        let right = std::f64::consts::FRAC_PI_2 - 1e-3;
        let mut females: Vec<(f64, usize)> = (0..self.females())
            .map(|female| (angle(self.males + female), female))
            .collect();
        females.sort_by(|a, b| b.0.total_cmp(&a.0));
        (0..self.males).into_par_iter().any(|male| {
            let own = if centre_norm > 0.0 {
                angle(male)
            } else {
                f64::INFINITY
            };
            females
                .iter()
                .take_while(|(angle, _)| centre_norm <= 0.0 || own + angle > right)
                .any(|(_, female)| dot(self.vectors.male(male), self.vectors.female(*female)) < 0.0)
        })
    }
}

fn add(total: &mut [f64], vector: &[f64]) {
    for (total, x) in total.iter_mut().zip(vector) {
        *total += x;
    }
}

/// One replicate's running sums.
struct Sums {
    numerator: f64,
    /// Σ of the females so far.
    females: Vec<f64>,
    males: Vec<f64>,
}

impl Sums {
    fn new(width: usize) -> Sums {
        Sums {
            numerator: 0.0,
            females: vec![0.0; width],
            males: vec![0.0; width],
        }
    }

    fn male(&mut self, vector: &[f64], times: u32) {
        if times == 0 {
            return;
        }
        let times = f64::from(times);
        let mut product = [0.0f64; 4];
        let lanes = self.females.chunks(4).zip(self.males.chunks_mut(4));
        for (vector, (females, males)) in vector.chunks(4).zip(lanes) {
            for (lane, x) in vector.iter().enumerate() {
                product[lane] += x * females[lane];
                males[lane] += times * x;
            }
        }
        self.numerator += times * ((product[0] + product[1]) + (product[2] + product[3]));
    }

    fn female(&mut self, vector: &[f64], times: u32) {
        if times == 0 {
            return;
        }
        let times = f64::from(times);
        for (sum, x) in self.females.iter_mut().zip(vector) {
            *sum += times * x;
        }
    }

    fn finish(&self) -> (f64, f64) {
        let products = self.males.iter().zip(&self.females).map(|(m, f)| m * f);
        (self.numerator, products.sum())
    }
}
