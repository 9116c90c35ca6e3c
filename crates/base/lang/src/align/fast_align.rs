//! fast_align: IBM model 2 with a diagonal prior whose tension is learnt, and a lexical table under
//! variational Bayes (the original's options -d -o -v), trained by five passes of expectation
//! maximisation of which the last one decodes.
//!
//! Sentences are counted in chunks that depend on the text alone, and chunks are added in their
//! order, so that every number is the same however many threads share the work.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::cells::{Band, Cells};
use super::diagonal::{self, Diagonal, Lengths, NULL_PROBABILITY};
use super::digamma::digamma;
use super::parallel_text::Side;
use super::{Alignments, Direction, Link, ParallelText, Symmetry};

const PASSES: usize = 5;
/// α of the Dirichlet prior of the lexical table.
const ALPHA: f64 = 0.01;
/// What every word pair weighs before anything was counted.
const UNKNOWN: f64 = 1e-9;
/// Priors of sentences up to this length are computed once for each pair of lengths.
const SHORT: usize = 64;
const CHUNK: usize = 1024;
const MOST_CHUNKS: usize = 16;
/// Counts that all chunks together may hold (8 bytes each).
const MOST_COUNTS: usize = 32_000_000;
/// Sentences whose two directions are joined at a time.
const JOINED: usize = 1 << 16;

/// Links of all pairs, both directions joined as `symmetry` says.
pub fn align(text: &ParallelText, symmetry: Symmetry) -> Alignments {
    match symmetry {
        Symmetry::Forward => align_one_way(text, Direction::Forward),
        Symmetry::Reverse => align_one_way(text, Direction::Reverse),
        _ => {
            let forward = align_one_way(text, Direction::Forward);
            let reverse = align_one_way(text, Direction::Reverse);
            let join = |pair: usize| {
                let lengths = (
                    text.source.sentence(pair).len(),
                    text.target.sentence(pair).len(),
                );
                symmetry.join(forward.of(pair), reverse.of(pair), lengths)
            };
            let mut alignments = Alignments::default();
            // A list for each of some thousand sentences, not of millions.
            for start in (0..text.len()).step_by(JOINED) {
                let pairs = start..(start + JOINED).min(text.len());
                let joined: Vec<Vec<Link>> = pairs.into_par_iter().map(join).collect();
                joined.into_iter().for_each(|links| alignments.push(links));
            }
            alignments
        }
    }
}

/// Links in one direction: of every target word (forward) or of every source word (reverse), in the
/// order of those words.
pub fn align_one_way(text: &ParallelText, direction: Direction) -> Alignments {
    let (source, target) = match direction {
        Direction::Forward => (&text.source, &text.target),
        Direction::Reverse => (&text.target, &text.source),
    };
    let mut model = Model::new(source, target, text.len());
    for pass in 1..PASSES {
        model.learn(pass);
    }
    model.decode(direction)
}

struct Model<'a> {
    source: &'a Side,
    target: &'a Side,
    cells: Cells,
    chunks: Vec<Range<usize>>,
    lengths: Lengths,
    target_words: f64,
    tension: f64,
    /// t(f | e) of every cell, then t(f | null) of every target word.
    table: Vec<f64>,
}

/// What one chunk of sentences counts, or all of them.
struct Counts {
    /// As the model's table.
    expected: Vec<f64>,
    /// Sum of posterior · distance from the diagonal.
    distance: f64,
}

/// P(i | j) of short sentences, by their lengths.
struct Priors(BTreeMap<(usize, usize), Vec<f64>>);

impl<'a> Model<'a> {
    fn new(source: &'a Side, target: &'a Side, pairs: usize) -> Model<'a> {
        let cells = Cells::new(source, target, pairs);
        let mut lengths: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut target_words = 0;
        for pair in 0..pairs {
            let (n, m) = (source.sentence(pair).len(), target.sentence(pair).len());
            if n > 0 && m > 0 {
                *lengths.entry((m, n)).or_default() += 1;
                target_words += m;
            }
        }
        let counts = cells.len() + target.vocabulary();
        let most = (MOST_COUNTS / counts.max(1)).clamp(1, MOST_CHUNKS);
        let size = pairs.div_ceil(most).max(CHUNK);
        Model {
            source,
            target,
            table: vec![UNKNOWN; counts],
            cells,
            chunks: (0..pairs)
                .step_by(size)
                .map(|start| start..(start + size).min(pairs))
                .collect(),
            lengths: lengths.into_iter().collect(),
            target_words: target_words as f64,
            tension: diagonal::FIRST_TENSION,
        }
    }

    fn diagonal(&self, target: usize, source: usize) -> Diagonal {
        Diagonal {
            target,
            source,
            tension: self.tension,
        }
    }

    fn priors(&self) -> Priors {
        let short = |lengths: &&(usize, usize)| lengths.0 <= SHORT && lengths.1 <= SHORT;
        let tables: Vec<((usize, usize), Vec<f64>)> = self
            .lengths
            .par_iter()
            .map(|(lengths, _)| lengths)
            .filter(short)
            .map(|lengths| (*lengths, self.prior_table(*lengths)))
            .collect();
        Priors(tables.into_iter().collect())
    }

    fn prior_table(&self, (target, source): (usize, usize)) -> Vec<f64> {
        let diagonal = self.diagonal(target, source);
        let band = Band::of(source, target);
        let mut table = Vec::with_capacity(target * band.width);
        for j in 1..=target {
            if band.is_dense() {
                table.extend(diagonal.priors(j));
            } else {
                let start = band.start(j - 1);
                diagonal.priors_within(j, start + 1..start + band.width + 1, &mut table);
            }
        }
        table
    }

    /// One pass of expectation maximisation.
    fn learn(&mut self, pass: usize) {
        let priors = self.priors();
        let counts = self.count(&priors);
        if pass > 1 {
            let found = counts.distance / self.target_words;
            self.tension =
                diagonal::tightened(self.tension, found, &self.lengths, self.target_words);
        }
        self.renormalise(&counts.expected);
    }

    fn count(&self, priors: &Priors) -> Counts {
        let mut chunks: Vec<Counts> = self
            .chunks
            .par_iter()
            .map(|chunk| self.count_chunk(chunk.clone(), priors))
            .collect();
        let mut rest = chunks.split_off(1.min(chunks.len()));
        let Some(mut total) = chunks.pop() else {
            return Counts {
                expected: vec![0.0; self.table.len()],
                distance: 0.0,
            };
        };
        const STRIPE: usize = 1 << 14;
        let stripes = total.expected.par_chunks_mut(STRIPE).enumerate();
        stripes.for_each(|(stripe, sums)| {
            let start = stripe * STRIPE;
            for chunk in &rest {
                let counts = &chunk.expected[start..start + sums.len()];
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
        });
        for chunk in rest.drain(..) {
            total.distance += chunk.distance;
        }
        total
    }

    fn count_chunk(&self, chunk: Range<usize>, priors: &Priors) -> Counts {
        let mut counts = Counts {
            expected: vec![0.0; self.table.len()],
            distance: 0.0,
        };
        let nulls = self.cells.len();
        let mut posteriors = Vec::new();
        self.each_pair(chunk, priors, |_, source, target, cells, priors| {
            let (n, m) = (source.len(), target.len());
            let band = Band::of(n, m);
            for (j, f) in target.iter().enumerate() {
                let (start, places) = (band.start(j), j * band.width..(j + 1) * band.width);
                let (cells, priors) = (&cells[places.clone()], &priors[places]);
                let null = nulls + *f as usize;
                let no_source = self.table[null] * NULL_PROBABILITY;
                let mut sum = no_source;
                posteriors.clear();
                for (cell, prior) in cells.iter().zip(priors) {
                    let weight = self.table[*cell as usize] * prior;
                    sum += weight;
                    posteriors.push(weight);
                }
                counts.expected[null] += no_source / sum;
                for (i, (cell, weight)) in cells.iter().zip(&posteriors).enumerate() {
                    let posterior = weight / sum;
                    counts.expected[*cell as usize] += posterior;
                    // The target position counts from 0 here, as in the original.
                    let distance = -((start + i + 1) as f64 / n as f64 - j as f64 / m as f64).abs();
                    counts.distance += posterior * distance;
                }
            }
        });
        counts
    }

    /// t(f | e) = exp(ψ(count + α) − ψ(Σ (count + α))).
    fn renormalise(&mut self, expected: &[f64]) {
        let (cells, nulls) = expected.split_at(self.cells.len());
        let mut totals = vec![0.0; self.source.vocabulary()];
        for (cell, count) in cells.iter().enumerate() {
            totals[self.cells.source_of[cell] as usize] += count + ALPHA;
        }
        let of_null: f64 = nulls.iter().map(|count| count + ALPHA).sum();
        for total in &mut totals {
            if *total > 0.0 {
                *total = digamma(*total);
            }
        }
        let of_null = digamma(of_null);
        let (table, null_table) = self.table.split_at_mut(self.cells.len());
        let sources = &self.cells.source_of;
        table
            .par_iter_mut()
            .with_min_len(4096)
            .enumerate()
            .for_each(|(cell, t)| {
                let total = totals[sources[cell] as usize];
                *t = (digamma(cells[cell] + ALPHA) - total).exp();
            });
        null_table
            .par_iter_mut()
            .with_min_len(4096)
            .zip(nulls)
            .for_each(|(t, count)| *t = (digamma(count + ALPHA) - of_null).exp());
    }

    /// The best source position of every target word; null wins ties, then the first position.
    fn decode(&self, direction: Direction) -> Alignments {
        let priors = self.priors();
        let nulls = self.cells.len();
        let chunks: Vec<Alignments> = self
            .chunks
            .par_iter()
            .map(|chunk| {
                let mut alignments = Alignments::default();
                let mut links = Vec::new();
                self.each_pair(
                    chunk.clone(),
                    &priors,
                    |_, source, target, cells, priors| {
                        let band = Band::of(source.len(), target.len());
                        links.clear();
                        for (j, f) in target.iter().enumerate() {
                            let mut best = self.table[nulls + *f as usize] * NULL_PROBABILITY;
                            let mut found = None;
                            for i in 0..band.width {
                                let place = j * band.width + i;
                                let weight = self.table[cells[place] as usize] * priors[place];
                                if weight > best {
                                    best = weight;
                                    found = Some(band.start(j) + i);
                                }
                            }
                            links.extend(found.map(|i| match direction {
                                Direction::Forward => Link::new(i, j),
                                Direction::Reverse => Link::new(j, i),
                            }));
                        }
                        alignments.push(links.iter().copied());
                    },
                );
                alignments
            })
            .collect();
        let mut all = Alignments::default();
        for chunk in &chunks {
            all.append(chunk);
        }
        all
    }

    /// Visits the pairs of a chunk: number, source, target, cells and priors.
    fn each_pair(
        &self,
        chunk: Range<usize>,
        priors: &Priors,
        mut visit: impl FnMut(usize, &[u32], &[u32], &[u32], &[f64]),
    ) {
        let mut room = Vec::new();
        for pair in chunk {
            let (source, target) = (self.source.sentence(pair), self.target.sentence(pair));
            let cells = self.cells.of(pair, source, target, &mut room);
            let lengths = (target.len(), source.len());
            match priors.0.get(&lengths) {
                Some(table) => visit(pair, source, target, cells, table),
                None if cells.is_empty() => visit(pair, &[], &[], &[], &[]),
                None => visit(pair, source, target, cells, &self.prior_table(lengths)),
            }
        }
    }
}
