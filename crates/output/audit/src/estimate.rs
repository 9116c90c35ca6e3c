//! A number made of verdicts, estimated from verdicts and labels together: Σ weight · (Σ part / Σ whole) over the cells of
//! a population, each sum by prediction-powered inference, their ratio by linearisation (docs/audit.md).

use std::collections::BTreeMap;

use epicene_stats::{
    AuditStratum, Care, Doubt, Interval, StatsError, ppi_lambda, ppi_mean, wilson,
};

use crate::LEVEL;

/// Labels that tell of a number, below which it is not corrected.
pub const LEAST_LABELS: usize = 10;

/// The stratum of cells that need no label, because there is nothing to be judged.
pub const CERTAIN: u32 = u32::MAX;

/// One verdict, with what people said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell<V> {
    pub stratum: u32,
    /// What stands or falls together: cells of one item, of one occupation.
    pub cluster: u32,
    pub judged: V,
    /// Of each annotator; none where nobody was asked.
    pub human: Vec<V>,
}

/// What a cell adds to the two sums of a ratio under a verdict.
pub type Counts<'a, V> = Box<dyn Fn(usize, V) -> [f64; 2] + Send + Sync + 'a>;

/// A term of a number: weight · (offset + Σ part) / (offset + Σ whole); the ratio lies between 0 and 1.
pub struct Ratio<'a, V> {
    pub weight: f64,
    pub offset: [f64; 2],
    pub counts: Counts<'a, V>,
}

/// A corrected number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corrected {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// Labelled cells that it rests on, and all cells it is about.
    pub labels: usize,
    pub cells: usize,
    /// Weight of the judge.
    pub lambda: f64,
    pub variance: f64,
    pub dof: f64,
    /// The part of the variance that would be left if everything were labelled.
    pub of_items: f64,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EstimateError {
    #[error("{labels} labels, and {LEAST_LABELS} are needed")]
    TooFew { labels: usize },

    #[error("people leave nothing to divide by")]
    NothingToDivideBy,

    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// The cells a number is about, by stratum; small strata joined.
struct Domain {
    /// Labelled and other cells of each stratum.
    strata: Vec<(Vec<usize>, Vec<usize>)>,
    cells: usize,
    labels: usize,
}

struct Problem<'a, V> {
    cells: &'a [Cell<V>],
    ratios: &'a [Ratio<'a, V>],
    others: &'a dyn Fn(V) -> Vec<V>,
    domain: Domain,
}

/// Estimates a number. `others` are the verdicts that a wrong one may stand for.
pub fn estimate<V: Copy>(
    cells: &[Cell<V>],
    ratios: &[Ratio<'_, V>],
    others: &dyn Fn(V) -> Vec<V>,
) -> Result<Corrected, EstimateError> {
    let domain = Domain::new(cells, ratios, others)?;
    let problem = Problem {
        cells,
        ratios,
        others,
        domain,
    };
    problem.solve()
}

impl Domain {
    fn new<V: Copy>(
        cells: &[Cell<V>],
        ratios: &[Ratio<'_, V>],
        others: &dyn Fn(V) -> Vec<V>,
    ) -> Result<Domain, EstimateError> {
        let counts = |cell: usize, verdict: V| {
            let mut ratios = ratios.iter();
            ratios.any(|ratio| (ratio.counts)(cell, verdict) != [0.0, 0.0])
        };
        let mut by_stratum: BTreeMap<u32, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (place, cell) in cells.iter().enumerate() {
            let mut possible = others(cell.judged).into_iter().chain([cell.judged]);
            let concerned = possible.any(|verdict| counts(place, verdict))
                || cell.human.iter().any(|verdict| counts(place, *verdict));
            if concerned {
                let (labelled, open) = by_stratum.entry(cell.stratum).or_default();
                if cell.human.is_empty() {
                    open.push(place);
                } else {
                    labelled.push(place);
                }
            }
        }
        let certain = by_stratum.remove(&CERTAIN);
        let labels: usize = by_stratum
            .values()
            .map(|(labelled, _)| labelled.len())
            .sum();
        if labels < LEAST_LABELS {
            return Err(EstimateError::TooFew { labels });
        }
        // A stratum that nobody can speak for joins its neighbour.
        let mut strata: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        let mut waiting: (Vec<usize>, Vec<usize>) = Default::default();
        for (labelled, open) in by_stratum.into_values() {
            waiting.0.extend(labelled);
            waiting.1.extend(open);
            if waiting.0.len() > 1 || waiting.1.is_empty() {
                strata.push(std::mem::take(&mut waiting));
            }
        }
        if !waiting.1.is_empty() {
            let last = strata.last_mut().expect("ten labels make a stratum");
            last.0.extend(waiting.0);
            last.1.extend(waiting.1);
        }
        strata.extend(certain);
        let cells = strata
            .iter()
            .map(|(labelled, open)| labelled.len() + open.len());
        Ok(Domain {
            cells: cells.sum(),
            labels,
            strata,
        })
    }
}

/// The two sums of each ratio.
type Sums = Vec<[f64; 2]>;

impl<V: Copy> Problem<'_, V> {
    fn solve(&self) -> Result<Corrected, EstimateError> {
        let known: usize = self
            .domain
            .strata
            .iter()
            .map(|(known, _)| known.len())
            .sum();
        // First with the judge taken at its word, then with its weight tuned to this number.
        let first = self.sums(1.0)?;
        let lambda = ppi_lambda(&self.strata(&first, false))?;
        let open = 1.0 - known as f64 / self.domain.cells as f64;
        let sums = self.sums(if open > 0.0 { lambda / open } else { 0.0 })?;
        let strata = self.strata(&sums, true);
        let powered = ppi_mean(&strata, Some(lambda), Care::Cautious)?;
        let value = self
            .ratios
            .iter()
            .zip(&sums)
            .map(|(ratio, [part, whole])| ratio.weight * part / whole)
            .sum::<f64>();
        let together = self.together(&sums);
        let of_items = self.of_items(&strata);
        let variance = (powered.variance + (together - 1.0) * of_items).max(0.0);
        let mut interval = epicene_stats::student_interval(value, variance, powered.dof, LEVEL)?;
        let weights: f64 = self.ratios.iter().map(|ratio| ratio.weight.abs()).sum();
        if open > 0.0 && variance.sqrt() <= 1e-12 * weights {
            // Everything that was seen is one value: what nobody looked at may be another, as seldom as so many labels
            // leave possible.
            let unseen = wilson(0, self.domain.labels as u64, LEVEL)?.high * open;
            interval = Interval::around(value, weights * unseen);
        }
        let bound = |side: fn(f64, f64) -> f64| -> f64 {
            self.ratios
                .iter()
                .map(|ratio| side(ratio.weight, 0.0))
                .sum()
        };
        Ok(Corrected {
            value,
            low: interval.low.max(bound(f64::min)),
            high: interval.high.min(bound(f64::max)),
            labels: self.domain.labels,
            cells: self.domain.cells,
            lambda,
            variance,
            dof: powered.dof,
            of_items: together * of_items,
        })
    }

    /// What people said of a cell, or the judge where nobody was asked: the mean over annotators.
    fn said(&self, cell: usize, counts: impl Fn(V) -> [f64; 2]) -> [f64; 2] {
        let human = &self.cells[cell].human;
        let mut total = [0.0; 2];
        for verdict in human {
            let [part, whole] = counts(*verdict);
            total[0] += part / human.len() as f64;
            total[1] += whole / human.len() as f64;
        }
        total
    }

    /// λ' Σ judged + Σ over the labelled of (N/n)(human - λ' judged), for both sums of every ratio.
    fn sums(&self, weight: f64) -> Result<Sums, EstimateError> {
        let mut sums = Vec::new();
        for ratio in self.ratios {
            let mut total = ratio.offset;
            for (labelled, open) in &self.domain.strata {
                let size = (labelled.len() + open.len()) as f64;
                let each = size / labelled.len() as f64;
                for cell in labelled.iter().chain(open) {
                    let judged = (ratio.counts)(*cell, self.cells[*cell].judged);
                    for side in 0..2 {
                        total[side] += weight * judged[side];
                    }
                }
                for cell in labelled {
                    let judged = (ratio.counts)(*cell, self.cells[*cell].judged);
                    let human = self.said(*cell, |verdict| (ratio.counts)(*cell, verdict));
                    for side in 0..2 {
                        total[side] += each * (human[side] - weight * judged[side]);
                    }
                }
            }
            if total[1].is_nan() || total[1] <= 0.0 {
                return Err(EstimateError::NothingToDivideBy);
            }
            sums.push(total);
        }
        Ok(sums)
    }

    /// How much the number moves with a cell that has this verdict, as a mean over the cells.
    fn influence(&self, cell: usize, verdict: V, sums: &Sums) -> f64 {
        let moved = self.ratios.iter().zip(sums).map(|(ratio, [part, whole])| {
            let [own, of] = (ratio.counts)(cell, verdict);
            ratio.weight * (own - part / whole * of) / whole
        });
        moved.sum::<f64>() * self.domain.cells as f64
    }

    fn strata(&self, sums: &Sums, doubting: bool) -> Vec<AuditStratum> {
        let judged = |cell: &usize| self.influence(*cell, self.cells[*cell].judged, sums);
        let human = |cell: &usize| {
            let said = self.said(*cell, |verdict| [self.influence(*cell, verdict, sums), 0.0]);
            said[0]
        };
        let strata = self.domain.strata.iter();
        strata
            .map(|(labelled, open)| AuditStratum {
                labelled: labelled
                    .iter()
                    .map(|cell| [human(cell), judged(cell)])
                    .collect(),
                unlabelled: open.iter().map(judged).collect(),
                doubt: doubting.then(|| self.doubt(labelled, open, sums)),
            })
            .collect()
    }

    /// What would be if every verdict of a stratum were wrong.
    fn doubt(&self, labelled: &[usize], open: &[usize], sums: &Sums) -> Doubt {
        let mut doubt = Doubt::default();
        let size = (labelled.len() + open.len()) as f64;
        for cell in labelled.iter().chain(open) {
            let verdict = self.cells[*cell].judged;
            let judged = self.influence(*cell, verdict, sums);
            let others = (self.others)(verdict);
            for other in &others {
                let share = 1.0 / (others.len() as f64 * size);
                let value = self.influence(*cell, *other, sums);
                doubt.value += share * value;
                doubt.square += share * value * value;
                doubt.product += share * value * judged;
            }
        }
        doubt
    }

    /// Variance that the choice of the items alone brings, if cells were drawn one by one.
    fn of_items(&self, strata: &[AuditStratum]) -> f64 {
        let all = self.domain.cells as f64;
        let (mut mean, mut square) = (0.0, 0.0);
        for stratum in strata {
            let each = stratum.size() as f64 / (stratum.labelled.len() as f64 * all);
            for [human, _] in &stratum.labelled {
                mean += each * human;
                square += each * human * human;
            }
        }
        (square - mean * mean).max(0.0) / all
    }

    /// By how much clusters stretch that variance, as far as the verdicts show it.
    fn together(&self, sums: &Sums) -> f64 {
        let mut clusters: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        let (mut total, mut square) = (0.0, 0.0);
        for (labelled, open) in &self.domain.strata {
            for cell in labelled.iter().chain(open) {
                let moved = self.influence(*cell, self.cells[*cell].judged, sums);
                let cluster = clusters.entry(self.cells[*cell].cluster).or_default();
                cluster.0 += moved;
                cluster.1 += 1;
                total += moved;
                square += moved * moved;
            }
        }
        let (all, k) = (self.domain.cells as f64, clusters.len() as f64);
        let single = square - total * total / all;
        if clusters.values().all(|(_, size)| *size == 1) || k < 2.0 || single <= 0.0 {
            return 1.0;
        }
        let mean = total / k;
        let spread: f64 = clusters
            .values()
            .map(|(moved, _)| (moved - mean).powi(2))
            .sum();
        spread * k / (k - 1.0) / single
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty labels of 160 say that every answer counts, and a wrong verdict would count as well.
    #[test]
    fn labels_that_say_one_thing_do_not_make_a_number_certain() {
        let number = |labelled: usize| {
            let cells: Vec<Cell<bool>> = (0..160)
                .map(|place| Cell {
                    stratum: 0,
                    cluster: place,
                    judged: true,
                    human: vec![true; usize::from((place as usize) < labelled)],
                })
                .collect();
            let all = Ratio {
                weight: 160.0,
                offset: [0.0; 2],
                counts: Box::new(|_, _| [1.0, 1.0]),
            };
            estimate(&cells, &[all], &|verdict| vec![!verdict]).unwrap()
        };
        let found = number(40);
        assert_eq!((found.value, found.high), (160.0, 160.0));
        assert!((145.0..155.0).contains(&found.low), "{found:?}");
        assert!(number(120).low > found.low);
        assert_eq!(number(160).low, 160.0);
    }
}
