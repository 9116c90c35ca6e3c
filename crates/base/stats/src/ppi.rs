//! Prediction-powered inference: a judge has looked at everything, people at a sample, and the mean of what people
//! would have said is estimated from both. Right whatever the judge's errors, and tighter than the sample alone where
//! the judge is any good (Angelopoulos, Duchi & Zrnic 2023, PPI++; docs/audit.md writes the stratified form out).
//!
//! In stratum h with N_h units, n_h of them labelled:
//!
//! ```text
//! θ_h = mean(y) - λ_h mean(f of the labelled) + λ_h mean(f of the others),   λ_h = λ' (1 - n_h/N_h)
//! θ   = Σ W_h θ_h,   W_h = N_h/N
//! ```
//!
//! With one stratum and [`Care::Published`] this is `ppi_py.ppi_mean_ci` to the last digits.

use crate::{
    describe::sum,
    error::{StatsError, all_finite},
    interval::{Interval, normal_quantile},
    student::student_interval,
};

/// Units of a population that were sampled together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditStratum {
    /// What a person says, and what the judge says, of each labelled unit.
    pub labelled: Vec<[f64; 2]>,
    /// What the judge says of the others.
    pub unlabelled: Vec<f64>,
    /// What a wrong verdict would do here, for strata in which few or none were seen.
    pub doubt: Option<Doubt>,
}

/// Means over all units of a stratum, if every verdict were wrong: of the true value, of its square, and of its product
/// with the judge's value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Doubt {
    pub value: f64,
    pub square: f64,
    pub product: f64,
}

/// How sure the variance is taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// As `ppi_py`: divisor n, normal quantile.
    Published,
    /// Divisor n - 1, Student's t, and four labels added to the variance, spread over the strata: two wrong, two right
    /// (Agresti & Coull 1998, Price & Bonett 2004). A judge without an error in 300 labels is not known to have none.
    Cautious,
}

/// An estimate from judge and labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Powered {
    pub value: f64,
    pub variance: f64,
    /// Infinite for [`Care::Published`].
    pub dof: f64,
    /// The judge's weight: 0 is labels alone, 1 plain PPI.
    pub lambda: f64,
}

/// Labels added to the variance: as many wrong as right.
const ADDED: f64 = 2.0;

impl AuditStratum {
    pub fn size(&self) -> usize {
        self.labelled.len() + self.unlabelled.len()
    }

    /// Share of the stratum that was not looked at.
    fn open(&self) -> f64 {
        self.unlabelled.len() as f64 / self.size() as f64
    }

    fn judged(&self) -> Vec<f64> {
        let labelled = self.labelled.iter().map(|[_, judged]| *judged);
        labelled.chain(self.unlabelled.iter().copied()).collect()
    }

    /// Mean of what people would say.
    fn mean(&self, weight: f64) -> f64 {
        let labelled: Vec<f64> = self.residuals(weight);
        let own = sum(&labelled) / labelled.len() as f64;
        if self.unlabelled.is_empty() {
            own
        } else {
            own + weight * sum(&self.unlabelled) / self.unlabelled.len() as f64
        }
    }

    fn residuals(&self, weight: f64) -> Vec<f64> {
        let pairs = self.labelled.iter();
        pairs
            .map(|[human, judged]| human - weight * judged)
            .collect()
    }

    /// Variance of one residual, and of how many labels it is known.
    fn spread(&self, weight: f64, care: Care, strata: usize) -> (f64, f64) {
        let residuals = self.residuals(weight);
        let n = residuals.len() as f64;
        match (care, self.doubt) {
            (Care::Published, _) => (moments(&residuals).1, n),
            (Care::Cautious, Some(doubt)) if !self.unlabelled.is_empty() => {
                let each = ADDED / strata as f64;
                let judged = self.judged();
                let size = judged.len() as f64;
                let squares: Vec<f64> = judged.iter().map(|value| value * value).collect();
                let (right, right_square) = (sum(&judged) / size, sum(&squares) / size);
                let wrong = doubt.value - weight * right;
                let wrong_square =
                    doubt.square - 2.0 * weight * doubt.product + weight * weight * right_square;
                let rest = 1.0 - weight;
                let total = n + 2.0 * each;
                let squares: Vec<f64> = residuals.iter().map(|value| value * value).collect();
                let mean = (sum(&residuals) + each * (wrong + rest * right)) / total;
                let square =
                    (sum(&squares) + each * (wrong_square + rest * rest * right_square)) / total;
                let variance = (square - mean * mean).max(0.0) * total / (total - 1.0);
                (variance, total)
            }
            (Care::Cautious, _) if residuals.len() > 1 => {
                (moments(&residuals).1 * n / (n - 1.0), n)
            }
            (Care::Cautious, _) => (0.0, n),
        }
    }
}

/// Mean, and variance with divisor n.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = sum(values) / n;
    let squares: Vec<f64> = values.iter().map(|value| (value - mean).powi(2)).collect();
    (mean, sum(&squares) / n)
}

fn check(strata: &[AuditStratum]) -> Result<(), StatsError> {
    if strata.is_empty() {
        return Err(StatsError::Empty { argument: "strata" });
    }
    for stratum in strata {
        let (got, others) = (stratum.labelled.len(), stratum.unlabelled.len());
        let needed = if others == 0 { 1 } else { 2 };
        if got < needed {
            return Err(StatsError::TooFew {
                argument: "labels of a stratum",
                needed,
                got,
            });
        }
        all_finite("labels", stratum.labelled.as_flattened())?;
        all_finite("verdicts", &stratum.unlabelled)?;
    }
    Ok(())
}

/// Units and labels of all strata.
fn sizes(strata: &[AuditStratum]) -> (f64, f64) {
    let all: usize = strata.iter().map(AuditStratum::size).sum();
    let labelled: usize = strata.iter().map(|stratum| stratum.labelled.len()).sum();
    (all as f64, labelled as f64)
}

/// The judge's weight λ that makes the variance smallest, between 0 and 1: one for all strata, since a weight for each
/// would be fitted to a handful of labels.
pub fn ppi_lambda(strata: &[AuditStratum]) -> Result<f64, StatsError> {
    check(strata)?;
    let (all, labelled) = sizes(strata);
    let (mut shared, mut own) = (0.0, 0.0);
    for stratum in strata {
        let (size, n) = (stratum.size() as f64, stratum.labelled.len() as f64);
        let weight = (size / all).powi(2) * stratum.open() / n;
        let (human, _) = moments(&stratum.labelled.iter().map(|[y, _]| *y).collect::<Vec<_>>());
        let (judge, _) = moments(&stratum.labelled.iter().map(|[_, f]| *f).collect::<Vec<_>>());
        let products: Vec<f64> = stratum
            .labelled
            .iter()
            .map(|[y, f]| (y - human) * (f - judge))
            .collect();
        shared += weight * sum(&products) / n;
        if size > 1.0 {
            own += weight * moments(&stratum.judged()).1 * size / (size - 1.0);
        }
    }
    // A judge that says one thing in every stratum has nothing to add.
    Ok(if own > 0.0 {
        (shared / own * (1.0 - labelled / all)).clamp(0.0, 1.0)
    } else {
        0.0
    })
}

/// The mean of what people would have said of every unit. Without a `lambda` it is tuned.
pub fn ppi_mean(
    strata: &[AuditStratum],
    lambda: Option<f64>,
    care: Care,
) -> Result<Powered, StatsError> {
    check(strata)?;
    let lambda = match lambda {
        Some(lambda) => lambda,
        None => ppi_lambda(strata)?,
    };
    let (all, labelled) = sizes(strata);
    let full = if labelled < all {
        lambda / (1.0 - labelled / all)
    } else {
        0.0
    };
    let mut means = Vec::with_capacity(strata.len());
    // Each part of the variance with its degrees of freedom.
    let mut parts: Vec<(f64, f64)> = Vec::new();
    for stratum in strata {
        let weight = full * stratum.open();
        let share = stratum.size() as f64 / all;
        means.push((share, stratum.mean(weight)));
        let (variance, n) = stratum.spread(weight, care, strata.len());
        parts.push((share * share * variance / n, (n - 1.0).max(1.0)));
        if !stratum.unlabelled.is_empty() {
            let others = stratum.unlabelled.len() as f64;
            let spread = weight * weight * moments(&stratum.unlabelled).1;
            parts.push((share * share * spread / others, (others - 1.0).max(1.0)));
        }
    }
    let value = means.iter().map(|(share, mean)| share * mean).sum::<f64>();
    let between: f64 = means
        .iter()
        .map(|(share, mean)| share * (mean - value).powi(2))
        .sum();
    if strata.len() > 1 {
        parts.push((between / all, (all - 1.0).max(1.0)));
    }
    let variance: f64 = parts.iter().map(|(variance, _)| variance).sum();
    let spread: f64 = parts.iter().map(|(part, dof)| part * part / dof).sum();
    let dof = if care == Care::Published || spread <= 0.0 {
        f64::INFINITY
    } else {
        variance * variance / spread
    };
    Ok(Powered {
        value,
        variance,
        dof,
        lambda,
    })
}

impl Powered {
    /// The normal interval, or Student's where the variance was estimated with care.
    pub fn interval(&self, level: f64) -> Result<Interval, StatsError> {
        if self.dof.is_infinite() {
            let half = normal_quantile(level)? * self.variance.sqrt();
            return Ok(Interval::around(self.value, half));
        }
        student_interval(self.value, self.variance, self.dof, level)
    }

    /// First less second, of labels that have nothing to do with each other.
    pub fn less(&self, other: &Powered) -> Powered {
        let variance = self.variance + other.variance;
        let spread = self.variance.powi(2) / self.dof + other.variance.powi(2) / other.dof;
        Powered {
            value: self.value - other.value,
            variance,
            dof: if spread > 0.0 {
                variance * variance / spread
            } else {
                f64::INFINITY
            },
            lambda: self.lambda.min(other.lambda),
        }
    }
}
