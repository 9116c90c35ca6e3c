//! The prior of an alignment: words near the diagonal of the sentence pair are likelier, the more so
//! the greater the tension λ. Normaliser and derivative are closed forms (geometric and
//! arithmetico-geometric series), so that a sentence costs its length and not its square.

use std::ops::Range;

/// Probability that a target word stands for no source word.
pub const NULL_PROBABILITY: f64 = 0.08;
pub const FIRST_TENSION: f64 = 4.0;
const TENSIONS: (f64, f64) = (0.1, 14.0);
const TENSION_STEPS: usize = 8;
const TENSION_RATE: f64 = 20.0;

/// Lengths of a pair, and how tight its diagonal is.
#[derive(Debug, Clone, Copy)]
pub struct Diagonal {
    /// m
    pub target: usize,
    /// n
    pub source: usize,
    /// λ
    pub tension: f64,
}

impl Diagonal {
    /// h(j, i): how far from the diagonal, zero or negative; both count from 1.
    pub fn distance(&self, j: usize, i: usize) -> f64 {
        let (source, target) = (self.source as f64, self.target as f64);
        -(i as f64 / source - j as f64 / target).abs()
    }

    fn weight(&self, j: usize, i: usize) -> f64 {
        (self.tension * self.distance(j, i)).exp()
    }

    /// b: the last source position at or above the diagonal; r: the ratio of neighbouring weights.
    fn split(&self, j: usize) -> (usize, f64) {
        let on = j as f64 * self.source as f64 / self.target as f64;
        let ratio = (-self.tension / self.source as f64).exp();
        (on.floor() as usize, ratio)
    }

    /// Z(j): the sum of all weights of a target position.
    pub fn normaliser(&self, j: usize) -> f64 {
        let (above, ratio) = self.split(j);
        let series = |first: f64, terms: i64| {
            let last = match terms {
                ..0 => 0.0,
                terms => ratio.powf(terms as f64),
            };
            first * (1.0 - last) / (1.0 - ratio)
        };
        let below = self.source as i64 - above as i64;
        let mut sum = 0.0;
        if above > 0 {
            sum += series(self.weight(j, above), above as i64);
        }
        if below != 0 {
            sum += series(self.weight(j, above + 1), below);
        }
        sum
    }

    /// P(i | j) for all source positions of one target position.
    pub fn priors(&self, j: usize) -> impl Iterator<Item = f64> + '_ {
        let share = self.normaliser(j) / (1.0 - NULL_PROBABILITY);
        (1..=self.source).map(move |i| self.weight(j, i) / share)
    }

    /// The same for some of the source positions, which share all of the probability.
    pub fn priors_within(&self, j: usize, positions: Range<usize>, priors: &mut Vec<f64>) {
        let first = priors.len();
        priors.extend(positions.map(|i| self.weight(j, i)));
        let share = priors[first..].iter().sum::<f64>() / (1.0 - NULL_PROBABILITY);
        priors[first..].iter_mut().for_each(|prior| *prior /= share);
    }

    /// D(j): the derivative of ln Z with respect to λ. The denominator has the lengths swapped, as
    /// the original has.
    fn derivative(&self, j: usize) -> f64 {
        let (above, ratio) = self.split(j);
        let step = -1.0 / self.source as f64;
        let series = |distance: f64, weight: f64, terms: usize| {
            let last = weight * ratio.powf(terms as f64);
            let less = ratio - 1.0;
            ((step * (terms as f64 - 1.0) + distance) * last - distance * weight) / less
                - step * (last - weight * ratio) / (less * less)
        };
        let below = self.source - above.min(self.source);
        let mut sum = 0.0;
        if below != 0 {
            sum += series(
                self.distance(j, above + 1),
                self.weight(j, above + 1),
                below,
            );
        }
        if above > 0 {
            sum += series(self.distance(j, above), self.weight(j, above), above);
        }
        let swapped = Diagonal {
            target: self.source,
            source: self.target,
            tension: self.tension,
        };
        sum / swapped.normaliser(j)
    }
}

/// How often each pair of lengths (target, source) occurs.
pub type Lengths = Vec<((usize, usize), u64)>;

/// Moves the tension towards the one under which the model expects the distances that were found.
pub fn tightened(tension: f64, found: f64, lengths: &Lengths, target_words: f64) -> f64 {
    let mut tension = tension;
    for _ in 0..TENSION_STEPS {
        let mut expected = 0.0;
        for ((target, source), count) in lengths {
            let diagonal = Diagonal {
                target: *target,
                source: *source,
                tension,
            };
            let sum: f64 = (1..=*target).map(|j| diagonal.derivative(j)).sum();
            expected += *count as f64 * sum;
        }
        expected /= target_words;
        tension += TENSION_RATE * (found - expected);
        tension = tension.clamp(TENSIONS.0, TENSIONS.1);
    }
    tension
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_are_their_sums() {
        for (target, source) in [(1, 1), (7, 7), (5, 12), (12, 5), (30, 29)] {
            let diagonal = Diagonal {
                target,
                source,
                tension: 3.7,
            };
            for j in 1..=target {
                let sum: f64 = (1..=source).map(|i| diagonal.weight(j, i)).sum();
                assert!(
                    (diagonal.normaliser(j) - sum).abs() < 1e-9,
                    "{target} {source} {j}"
                );
                let priors: f64 = diagonal.priors(j).sum();
                assert!((priors - (1.0 - NULL_PROBABILITY)).abs() < 1e-9);
            }
        }
    }
}
