//! Variances when what was sampled is not the sentence but what made it: an occupation with all its sentences, a
//! pair of twins, a word.
//!
//! A ratio or mean is linearised: each cluster's **influence** is how much the estimate moves with it, and the
//! variance of the estimate is that of the sum of influences, k/(k-1) Σ (u - ū)² within each stratum (Taylor
//! linearisation; for one stratum this is `OLS(...).fit(cov_type='cluster')` of statsmodels on a constant).
//! Functions of several estimates over the same clusters add up influences, so that differences are paired
//! without further ado.

use std::sync::Arc;

use crate::{
    crossed::Crossing,
    describe::sum,
    error::{StatsError, all_finite},
    interval::{Interval, normal_quantile},
    permutation::{PermutationTest, paired_permutation_test},
    proportion::score_interval,
    student::{satterthwaite, student_interval, student_p_value, student_quantile},
};

/// What one sampled unit adds to the two sums of a ratio, and the stratum it was drawn in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    pub stratum: u32,
    pub part: f64,
    pub whole: f64,
}

/// How clusters were drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Layout {
    /// Clusters within strata.
    Nested(Vec<u32>),
    /// Cells that share a row and a column, both of which were drawn.
    Crossed(Crossing),
}

/// An estimate with the influence of every cluster on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearised {
    pub value: f64,
    /// Sum of the denominators; for a difference the sum over both.
    pub n: f64,
    influence: Vec<f64>,
    /// Whether a cluster belongs to the estimate at all.
    present: Vec<bool>,
    /// What each stratum adds to the value apart from its influences, by number; together they are the value.
    levels: Vec<f64>,
    layout: Arc<Layout>,
}

/// A variance with its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub variance: f64,
    pub dof: f64,
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

/// Σ part / Σ whole. Clusters without any whole belong to nothing and are not counted.
pub fn cluster_ratio(clusters: &[Cluster]) -> Result<Linearised, StatsError> {
    let strata = clusters.iter().map(|cluster| cluster.stratum).collect();
    let sums = clusters.iter().map(|cluster| (cluster.part, cluster.whole));
    Linearised::ratio(sums, &Arc::new(Layout::Nested(strata)))
}

impl Linearised {
    /// Σ part / Σ whole over the clusters of a layout, in their order.
    pub fn ratio(
        sums: impl IntoIterator<Item = (f64, f64)>,
        layout: &Arc<Layout>,
    ) -> Result<Linearised, StatsError> {
        let (parts, wholes): (Vec<f64>, Vec<f64>) = sums.into_iter().unzip();
        all_finite("parts", &parts)?;
        all_finite("wholes", &wholes)?;
        let n = sum(&wholes);
        if n.is_nan() || n <= 0.0 {
            return Err(StatsError::Empty {
                argument: "clusters",
            });
        }
        let value = sum(&parts) / n;
        let influence = parts
            .iter()
            .zip(&wholes)
            .map(|(part, whole)| (part - value * whole) / n)
            .collect();
        let mut levels = vec![0.0; layout.strata()];
        for (cluster, whole) in wholes.iter().enumerate() {
            levels[layout.stratum(cluster)] += value * whole / n;
        }
        Ok(Linearised {
            present: wholes.iter().map(|whole| *whole > 0.0).collect(),
            levels,
            ..Linearised::new(value, n, influence, layout)
        })
    }

    /// An estimate whose influences are known otherwise (a delta method, a jackknife).
    pub fn new(value: f64, n: f64, influence: Vec<f64>, layout: &Arc<Layout>) -> Linearised {
        assert_eq!(influence.len(), layout.len(), "one influence a cluster");
        let mut linear = Linearised {
            value,
            n,
            present: vec![true; influence.len()],
            levels: vec![0.0; layout.strata()],
            influence,
            layout: Arc::clone(layout),
        };
        linear.level(value);
        linear
    }

    /// The same, where only some clusters belong to the estimate.
    #[must_use]
    pub fn among(mut self, present: Vec<bool>) -> Linearised {
        assert_eq!(present.len(), self.influence.len(), "one for each cluster");
        self.present = present;
        self.levels.fill(0.0);
        self.level(self.value);
        self
    }

    /// The same, where it is known what each stratum adds to the value.
    #[must_use]
    pub fn with_levels(mut self, levels: Vec<f64>) -> Linearised {
        assert_eq!(levels.len(), self.layout.strata(), "one for each stratum");
        self.levels = levels;
        self
    }

    /// Adds a part of the value to all clusters alike.
    fn level(&mut self, part: f64) {
        let counts = self.layout.counts(&self.present);
        let all = counts.iter().sum::<usize>().max(1) as f64;
        for (level, count) in self.levels.iter_mut().zip(counts) {
            *level += part * count as f64 / all;
        }
    }

    /// Σ weight × estimate, over the same clusters in the same order: a difference has weights 1 and -1.
    pub fn combine(terms: &[(f64, &Linearised)]) -> Result<Linearised, StatsError> {
        let Some((_, first)) = terms.first() else {
            return Err(StatsError::Empty { argument: "terms" });
        };
        let mut influence = vec![0.0; first.influence.len()];
        let mut present = vec![false; first.influence.len()];
        let mut levels = vec![0.0; first.levels.len()];
        for (weight, term) in terms {
            if !Arc::ptr_eq(&term.layout, &first.layout) && term.layout != first.layout {
                return Err(StatsError::LengthMismatch {
                    argument: "clusters of the terms",
                    expected: first.influence.len(),
                    got: term.influence.len(),
                });
            }
            for (total, part) in influence.iter_mut().zip(&term.influence) {
                *total += weight * part;
            }
            for (any, own) in present.iter_mut().zip(&term.present) {
                *any |= own;
            }
            for (total, part) in levels.iter_mut().zip(&term.levels) {
                *total += weight * part;
            }
        }
        Ok(Linearised {
            value: terms.iter().map(|(weight, term)| weight * term.value).sum(),
            n: terms.iter().map(|(_, term)| term.n).sum(),
            influence,
            present,
            levels,
            layout: Arc::clone(&first.layout),
        })
    }

    /// A smooth function of the estimate: its value here, and its slope.
    #[must_use]
    pub fn transformed(mut self, value: f64, slope: f64) -> Linearised {
        let rest = value - slope * self.value;
        self.value = value;
        self.influence.iter_mut().for_each(|u| *u *= slope);
        self.levels.iter_mut().for_each(|level| *level *= slope);
        self.level(rest);
        self
    }

    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Clusters that took part; of a crossing the fewer of rows and columns.
    pub fn clusters(&self) -> usize {
        match &*self.layout {
            Layout::Nested(_) => self.present.iter().filter(|present| **present).count(),
            Layout::Crossed(crossing) => crossing.clusters(&self.present),
        }
    }

    /// Σ over strata of k/(k-1) Σ (u - ū)², with Satterthwaite's degrees of freedom. A stratum of one cluster has no
    /// spread to estimate.
    pub fn spread(&self) -> Result<Spread, StatsError> {
        match &*self.layout {
            Layout::Nested(strata) => {
                let mut parts = Vec::new();
                for members in self.by_stratum(strata) {
                    parts.push((stratum_variance(&members)?, members.len()));
                }
                let freedom = |k: usize| k as f64 - 1.0;
                let weighed: Vec<(f64, f64)> =
                    parts.iter().map(|(v, k)| (*v, freedom(*k))).collect();
                let dof = satterthwaite(&weighed)
                    .unwrap_or_else(|_| parts.iter().map(|(_, k)| freedom(*k)).sum());
                let variances: Vec<f64> = parts.iter().map(|(variance, _)| *variance).collect();
                Ok(Spread {
                    variance: sum(&variances),
                    dof,
                })
            }
            Layout::Crossed(crossing) => crossing.spread(&self.influence, &self.present),
        }
    }

    pub fn variance(&self) -> Result<f64, StatsError> {
        Ok(self.spread()?.variance)
    }

    pub fn dof(&self) -> Result<f64, StatsError> {
        Ok(self.spread()?.dof)
    }

    /// Covariance of two estimates over the same clusters.
    pub fn covariance(&self, other: &Linearised) -> Result<f64, StatsError> {
        let joint = Linearised::combine(&[(1.0, self), (1.0, other)])?;
        let apart = Linearised::combine(&[(1.0, self), (-1.0, other)])?;
        Ok((joint.variance()? - apart.variance()?) / 4.0)
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
        let spread = self.spread()?;
        student_interval(self.value, spread.variance, spread.dof, level)
    }

    /// Whether the estimate is zero, by its t. Without any spread there is no t.
    pub fn p_value(&self) -> Result<f64, StatsError> {
        let spread = self.spread()?;
        let deviation = spread.variance.sqrt();
        if deviation > 0.0 {
            Ok(student_p_value(self.value / deviation, spread.dof))
        } else if self.value == 0.0 {
            Ok(1.0)
        } else {
            Err(StatsError::Degenerate {
                result: "the p-value",
                reason: "what was sampled shows no spread",
            })
        }
    }

    /// Whether the estimate is zero, by flipping the signs of what each cluster adds to it: its influence, and its part of
    /// what its stratum adds. For a mean of differences, or a sum of such means by stratum, these are the differences
    /// themselves ([`paired_permutation_test`]); all patterns are tried when there are no more than `limit`.
    pub fn sign_flip(
        &self,
        limit: u64,
        seed: u64,
        stream: &str,
    ) -> Result<PermutationTest, StatsError> {
        paired_permutation_test(&self.added(), limit, seed, stream)
    }

    /// The clusters that took part.
    pub fn present(&self) -> &[bool] {
        &self.present
    }

    /// What each cluster that took part adds to the estimate, times their number.
    pub fn added(&self) -> Vec<f64> {
        let counts = self.layout.counts(&self.present);
        let k = counts.iter().sum::<usize>() as f64;
        let there = (0..self.influence.len()).filter(|cluster| self.present[*cluster]);
        there
            .map(|cluster| {
                let stratum = self.layout.stratum(cluster);
                k * (self.influence[cluster] + self.levels[stratum] / counts[stratum] as f64)
            })
            .collect()
    }

    /// What clustering does to a share. Where all clusters agree on 0 or 1 there is nothing to estimate a design effect
    /// from: each cluster then counts as one sentence.
    pub fn design(&self) -> Result<Design, StatsError> {
        let spread = self.spread()?;
        let independent = self.value * (1.0 - self.value);
        let clusters = self.clusters();
        let effective_n = if spread.variance > 0.0 && independent > 0.0 {
            (independent / spread.variance).min(self.n)
        } else {
            clusters as f64
        };
        Ok(Design {
            clusters,
            dof: spread.dof,
            variance: spread.variance,
            effective_n,
            design_effect: self.n / effective_n,
        })
    }

    /// Wilson's interval of a share on the effective number of sentences, with t instead of z. Never leaves [0, 1].
    pub fn share_interval(&self, level: f64) -> Result<Interval, StatsError> {
        self.share_reach(student_quantile(level, self.dof()?)?)
    }

    /// The same with a given quantile.
    pub fn share_reach(&self, quantile: f64) -> Result<Interval, StatsError> {
        Ok(score_interval(
            self.value,
            self.design()?.effective_n,
            quantile,
        ))
    }

    /// Influences of the clusters that took part, by stratum; strata without any are left out.
    fn by_stratum(&self, strata: &[u32]) -> Vec<Vec<f64>> {
        let counts = self.layout.counts(&self.present);
        let mut members: Vec<Vec<f64>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (at, stratum) in strata.iter().enumerate() {
            if self.present[at] {
                members[*stratum as usize].push(self.influence[at]);
            }
        }
        members.retain(|members| !members.is_empty());
        members
    }
}

/// k/(k-1) Σ (u - ū)² over the clusters of a stratum.
fn stratum_variance(influence: &[f64]) -> Result<f64, StatsError> {
    let k = influence.len();
    if k < 2 {
        return Err(StatsError::TooFew {
            argument: "clusters of a stratum",
            needed: 2,
            got: k,
        });
    }
    let mean = sum(influence) / k as f64;
    let squares: Vec<f64> = influence.iter().map(|u| (u - mean).powi(2)).collect();
    Ok(sum(&squares) * k as f64 / (k as f64 - 1.0))
}

impl Layout {
    /// Number of clusters, or of cells.
    pub fn len(&self) -> usize {
        match self {
            Layout::Nested(strata) => strata.len(),
            Layout::Crossed(crossing) => crossing.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stratum of a cluster; cells of a crossing are all in one.
    pub fn stratum(&self, cluster: usize) -> usize {
        match self {
            Layout::Nested(strata) => strata[cluster] as usize,
            Layout::Crossed(_) => 0,
        }
    }

    /// How many strata there are, by the largest number.
    pub fn strata(&self) -> usize {
        match self {
            Layout::Nested(strata) => strata.iter().max().map_or(0, |most| *most as usize + 1),
            Layout::Crossed(_) => 1,
        }
    }

    /// Clusters of each stratum that take part.
    fn counts(&self, present: &[bool]) -> Vec<usize> {
        let mut counts = vec![0; self.strata()];
        for (cluster, present) in present.iter().enumerate() {
            counts[self.stratum(cluster)] += usize::from(*present);
        }
        counts
    }
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
