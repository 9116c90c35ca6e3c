//! Variances when what was sampled is not the sentence but what made it: an occupation with all its sentences, a
//! pair of twins, a word.
//!
//! A ratio or mean is linearised: each cluster's **influence** is how much the estimate moves with it, and the
//! variance of the estimate is that of the sum of influences, k/(k-1) Σ (u - ū)² within each stratum (Taylor
//! linearisation; for one stratum this is `OLS(...).fit(cov_type='cluster')` of statsmodels on a constant).
//! Functions of several estimates over the same clusters add up influences, so that differences are paired
//! without further ado.

use crate::{
    describe::sum,
    error::{StatsError, all_finite},
    interval::{Interval, normal_quantile},
    student::{student_interval, student_p_value, student_quantile},
};

/// What one sampled unit adds to the two sums of a ratio, and the stratum it was drawn in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    pub stratum: u32,
    pub part: f64,
    pub whole: f64,
}

/// An estimate with the influence of every cluster on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearised {
    pub value: f64,
    /// Sum of the denominators; for a difference the sum over both.
    pub n: f64,
    influence: Vec<f64>,
    strata: Vec<u32>,
}

/// How far clustering stretches an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Design {
    pub clusters: usize,
    pub dof: f64,
    pub variance: f64,
    /// Sentences that, drawn one by one, would tell as much.
    pub effective_n: f64,
    /// Variance over that of as many independent sentences.
    pub design_effect: f64,
}

/// Σ part / Σ whole. Clusters without any whole belong to nothing and have no influence.
pub fn cluster_ratio(clusters: &[Cluster]) -> Result<Linearised, StatsError> {
    let parts: Vec<f64> = clusters.iter().map(|cluster| cluster.part).collect();
    let wholes: Vec<f64> = clusters.iter().map(|cluster| cluster.whole).collect();
    all_finite("parts", &parts)?;
    all_finite("wholes", &wholes)?;
    let n = sum(&wholes);
    if n.is_nan() || n <= 0.0 {
        return Err(StatsError::Empty {
            argument: "clusters",
        });
    }
    let value = sum(&parts) / n;
    Ok(Linearised {
        value,
        n,
        influence: parts
            .iter()
            .zip(&wholes)
            .map(|(part, whole)| (part - value * whole) / n)
            .collect(),
        strata: clusters.iter().map(|cluster| cluster.stratum).collect(),
    })
}

impl Linearised {
    /// An estimate whose influences are known otherwise (a delta method, a jackknife).
    pub fn new(value: f64, n: f64, influence: Vec<f64>, strata: Vec<u32>) -> Linearised {
        assert_eq!(
            influence.len(),
            strata.len(),
            "one stratum for each cluster"
        );
        Linearised {
            value,
            n,
            influence,
            strata,
        }
    }

    /// Σ weight × estimate, over the same clusters in the same order: a difference has weights 1 and -1.
    pub fn combine(terms: &[(f64, &Linearised)]) -> Result<Linearised, StatsError> {
        let Some((_, first)) = terms.first() else {
            return Err(StatsError::Empty { argument: "terms" });
        };
        let mut influence = vec![0.0; first.influence.len()];
        for (weight, term) in terms {
            if term.strata != first.strata {
                return Err(StatsError::LengthMismatch {
                    argument: "clusters of the terms",
                    expected: first.strata.len(),
                    got: term.strata.len(),
                });
            }
            for (total, part) in influence.iter_mut().zip(&term.influence) {
                *total += weight * part;
            }
        }
        Ok(Linearised {
            value: terms.iter().map(|(weight, term)| weight * term.value).sum(),
            n: terms.iter().map(|(_, term)| term.n).sum(),
            influence,
            strata: first.strata.clone(),
        })
    }

    /// Clusters that took part.
    pub fn clusters(&self) -> usize {
        self.influence.len()
    }

    /// Clusters less strata.
    pub fn dof(&self) -> f64 {
        (self.influence.len() - self.members().len()) as f64
    }

    /// Σ over strata of k/(k-1) Σ (u - ū)². A stratum of one cluster has no spread to estimate.
    pub fn variance(&self) -> Result<f64, StatsError> {
        self.covariance(self)
    }

    /// Covariance of two estimates over the same clusters.
    pub fn covariance(&self, other: &Linearised) -> Result<f64, StatsError> {
        let mut total = 0.0;
        for members in self.members().values() {
            let k = members.len();
            if k < 2 {
                return Err(StatsError::TooFew {
                    argument: "clusters of a stratum",
                    needed: 2,
                    got: k,
                });
            }
            let mean = |values: &[f64]| {
                let here: Vec<f64> = members.iter().map(|at| values[*at]).collect();
                sum(&here) / k as f64
            };
            let (here, there) = (mean(&self.influence), mean(&other.influence));
            let products: Vec<f64> = members
                .iter()
                .map(|at| (self.influence[*at] - here) * (other.influence[*at] - there))
                .collect();
            total += sum(&products) * k as f64 / (k as f64 - 1.0);
        }
        Ok(total)
    }

    /// Correlation of two estimates over the same clusters; 0 where one of them does not vary.
    pub fn correlation(&self, other: &Linearised) -> Result<f64, StatsError> {
        let spread = (self.variance()? * other.variance()?).sqrt();
        if spread > 0.0 {
            Ok((self.covariance(other)? / spread).clamp(-1.0, 1.0))
        } else {
            Ok(0.0)
        }
    }

    /// Estimate ∓ t √variance.
    pub fn interval(&self, level: f64) -> Result<Interval, StatsError> {
        student_interval(self.value, self.variance()?, self.dof(), level)
    }

    /// Whether the estimate is zero, by its t.
    pub fn p_value(&self) -> Result<f64, StatsError> {
        let spread = self.variance()?.sqrt();
        Ok(if spread > 0.0 {
            student_p_value(self.value / spread, self.dof())
        } else if self.value == 0.0 {
            1.0
        } else {
            0.0
        })
    }

    /// What clustering does to a share. Where all clusters agree on 0 or 1 there is nothing to estimate a design effect
    /// from: each cluster then counts as one sentence.
    pub fn design(&self) -> Result<Design, StatsError> {
        let variance = self.variance()?;
        let independent = self.value * (1.0 - self.value);
        let effective_n = if variance > 0.0 && independent > 0.0 {
            (independent / variance).min(self.n)
        } else {
            self.clusters() as f64
        };
        Ok(Design {
            clusters: self.clusters(),
            dof: self.dof(),
            variance,
            effective_n,
            design_effect: self.n / effective_n,
        })
    }

    /// Wilson's interval of a share on the effective number of sentences, with t instead of z. Never leaves [0, 1].
    pub fn share_interval(&self, level: f64) -> Result<Interval, StatsError> {
        let design = self.design()?;
        let t = student_quantile(level, design.dof)?;
        Ok(score_interval(self.value, design.effective_n, t))
    }

    fn members(&self) -> std::collections::BTreeMap<u32, Vec<usize>> {
        let mut members = std::collections::BTreeMap::<u32, Vec<usize>>::new();
        for (at, stratum) in self.strata.iter().enumerate() {
            members.entry(*stratum).or_default().push(at);
        }
        members
    }
}

/// Wilson (1927) with any n and any quantile.
pub fn score_interval(share: f64, n: f64, quantile: f64) -> Interval {
    let square = quantile * quantile;
    let denominator = 2.0 * (n + square);
    let centre = (2.0 * n * share + square) / denominator;
    let half_width = quantile / denominator * (4.0 * n * share * (1.0 - share) + square).sqrt();
    Interval {
        low: if share <= 0.0 {
            0.0
        } else {
            (centre - half_width).max(0.0)
        },
        high: if share >= 1.0 {
            1.0
        } else {
            (centre + half_width).min(1.0)
        },
    }
}

/// The interval of `first` less `second` from the intervals of both and their correlation (Newcombe 1998, method 10;
/// Zou & Donner 2008): closed form, and it stays inside [-1, 1].
pub fn difference_interval(
    first: (f64, Interval),
    second: (f64, Interval),
    correlation: f64,
) -> Interval {
    let difference = first.0 - second.0;
    let reach = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
    Interval {
        low: difference - reach(first.0 - first.1.low, second.1.high - second.0),
        high: difference + reach(first.1.high - first.0, second.0 - second.1.low),
    }
}

/// The variance of a mean of cells that share a row and a column (occupation and verb): V(rows) + V(columns) -
/// V(cells), each with its own k/(k-1) (Cameron, Gelbach & Miller 2011; `cov_cluster_2groups` of statsmodels).
/// Where that is not positive the larger one-way variance stands in.
pub fn two_way_variance(
    influence: &[f64],
    rows: &[u32],
    columns: &[u32],
) -> Result<f64, StatsError> {
    let one_way = |labels: Vec<u64>| -> Result<f64, StatsError> {
        let mut sums = std::collections::BTreeMap::<u64, f64>::new();
        for (label, value) in labels.into_iter().zip(influence) {
            *sums.entry(label).or_default() += value;
        }
        let k = sums.len();
        if k < 2 {
            return Err(StatsError::TooFew {
                argument: "clusters",
                needed: 2,
                got: k,
            });
        }
        let squares: Vec<f64> = sums.values().map(|value| value * value).collect();
        Ok(sum(&squares) * k as f64 / (k as f64 - 1.0))
    };
    let by_row = one_way(rows.iter().map(|row| u64::from(*row)).collect())?;
    let by_column = one_way(columns.iter().map(|column| u64::from(*column)).collect())?;
    let cells = rows.iter().zip(columns);
    let by_cell = one_way(
        cells
            .map(|(row, column)| u64::from(*row) << 32 | u64::from(*column))
            .collect(),
    )?;
    let both = by_row + by_column - by_cell;
    Ok(if both > 0.0 {
        both
    } else {
        by_row.max(by_column)
    })
}

/// The difference that a two-sided test at `1 - level` sees with probability `power`, for a standard error.
pub fn detectable_difference(
    standard_error: f64,
    level: f64,
    power: f64,
) -> Result<f64, StatsError> {
    // z of one-sided probability `power` is that of the two-sided level 2 power - 1.
    let reach = normal_quantile(level)? + normal_quantile(2.0 * power - 1.0)?;
    Ok(reach * standard_error)
}
