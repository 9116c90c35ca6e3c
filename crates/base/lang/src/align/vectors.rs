//! Links from the hidden states of an encoder (Dou and Neubig 2021, without fine-tuning): each side
//! is read on its own, sub-words whose vectors choose each other are linked, and words are linked if
//! any of their sub-words are.

use super::Link;

/// The sub-words of one sentence: a vector each, and the word it belongs to.
#[derive(Debug, Clone, Default)]
pub struct SubwordVectors {
    /// Row by row.
    pub values: Vec<f32>,
    /// The word of each row, counted from 0, never falling.
    pub words: Vec<usize>,
}

/// Both probabilities of a sub-word pair must be greater than this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EncoderThreshold(pub f64);

impl Default for EncoderThreshold {
    fn default() -> EncoderThreshold {
        EncoderThreshold(1e-3)
    }
}

/// Links of one pair, sorted by source, then target.
pub fn from_vectors(
    source: &SubwordVectors,
    target: &SubwordVectors,
    threshold: EncoderThreshold,
) -> Vec<Link> {
    let (n, m) = (source.words.len(), target.words.len());
    if n == 0 || m == 0 {
        return Vec::new();
    }
    let (rows, columns) = (source.values.len() / n, target.values.len() / m);
    debug_assert_eq!(rows, columns);
    let mut scores = Vec::with_capacity(n * m);
    for a in source.values.chunks_exact(rows) {
        for b in target.values.chunks_exact(columns) {
            let product: f64 = a
                .iter()
                .zip(b)
                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                .sum();
            scores.push(product);
        }
    }
    let mut over_targets = scores.clone();
    for row in over_targets.chunks_exact_mut(m) {
        softmax(row);
    }
    let mut over_sources = vec![0.0; n * m];
    let mut column = vec![0.0; n];
    for j in 0..m {
        for (i, value) in column.iter_mut().enumerate() {
            *value = scores[i * m + j];
        }
        softmax(&mut column);
        for (i, value) in column.iter().enumerate() {
            over_sources[i * m + j] = *value;
        }
    }
    let mut links: Vec<Link> = Vec::new();
    for i in 0..n {
        for j in 0..m {
            let place = i * m + j;
            if over_targets[place] > threshold.0 && over_sources[place] > threshold.0 {
                links.push(Link::new(source.words[i], target.words[j]));
            }
        }
    }
    links.sort_unstable();
    links.dedup();
    links
}

fn softmax(values: &mut [f64]) {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - most).exp();
        sum += *value;
    }
    for value in values.iter_mut() {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_linked_by_any_of_their_subwords() {
        let source = SubwordVectors {
            values: vec![9.0, 0.0, 0.0, 9.0],
            words: vec![0, 1],
        };
        let target = SubwordVectors {
            values: vec![0.0, 9.0, 9.0, 0.0, 0.1, 0.1],
            words: vec![0, 1, 1],
        };
        let links = from_vectors(&source, &target, EncoderThreshold::default());
        assert_eq!(links, [Link::new(0, 1), Link::new(1, 0)]);
        let none = from_vectors(
            &source,
            &SubwordVectors::default(),
            EncoderThreshold::default(),
        );
        assert_eq!(none, []);
    }
}
