//! Intervals by sentence within the sixteen stereotypes, which a repetition would keep; or by writer, or by stereotype,
//! where that is what one wants to speak of (`--cluster`).
//!
//! Everything GEST measures is a weighted sum of means by stereotype: q_i and p_i have one weight, q_m a ninth for each
//! stereotype about men, g_s the difference. A sentence moves it by w (x - mean) / n.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use epicene_core::Row;
use epicene_stats::{Interval, Layout, Linearised};

use super::data;
use super::options::Convention;
use super::scores::{Samples, UnitScores};
use super::stereotypes::{self, Set};
use crate::options::{Choice, Spec, Stage, Values, required};
use crate::{BenchError, Clusters, Drawn, Estimate, How, Judged, Sampling, Scale};

/// What is taken as sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterBy {
    Sentence,
    Writer,
    Stereotype,
}

pub static CLUSTER: Choice<ClusterBy> = Choice {
    spec: Spec {
        name: "cluster",
        values: Values::OneOf(&["sentence", "writer", "stereotype"]),
        default: Some("sentence"),
        help: "What was sampled: sentence (within the sixteen stereotypes), writer (where the data has a column `writer`) or stereotype (stereotypes in general)",
        heading: "Statistics",
        stage: Stage::numbers(&["unit"]),
    },
    read: required,
};

pub const BY_SENTENCE: Sampling = Sampling {
    unit: "sentence",
    strata: "stereotype",
    of: |item| Some(Drawn::new(item.label(data::STEREOTYPE)?, item.id)),
};

const BY_WRITER: Sampling = Sampling {
    unit: "writer",
    strata: "",
    of: |item| Some(Drawn::new("", item.label(data::WRITER)?)),
};

const BY_STEREOTYPE: Sampling = Sampling {
    unit: "stereotype",
    strata: "gender",
    of: |item| {
        let id = item.label(data::STEREOTYPE)?;
        let male = match item.label(data::ABOUT) {
            Some(about) => about == "men",
            None => stereotypes::is_male(id.parse().ok()?),
        };
        Some(Drawn::new(if male { "m" } else { "f" }, id))
    },
};

impl FromStr for ClusterBy {
    type Err = String;

    fn from_str(given: &str) -> Result<ClusterBy, String> {
        match given {
            "sentence" => Ok(ClusterBy::Sentence),
            "writer" => Ok(ClusterBy::Writer),
            "stereotype" => Ok(ClusterBy::Stereotype),
            _ => Err(format!("`{given}` is none of sentence, writer, stereotype")),
        }
    }
}

impl fmt::Display for ClusterBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusterBy::Sentence => "sentence",
            ClusterBy::Writer => "writer",
            ClusterBy::Stereotype => "stereotype",
        })
    }
}

/// The sentences of a run, and what was sampled.
pub struct Sampled<'a> {
    samples: &'a Samples,
    clusters: Clusters,
    /// The same clusters without strata: the family check looks across stereotypes.
    plain: Arc<Layout>,
    by: ClusterBy,
}

/// Which stereotypes count, and how much.
pub type Weights = Vec<f64>;

impl<'a> Sampled<'a> {
    /// `own` is how sentences were drawn where nothing else is wanted.
    pub fn new(
        judged: &Judged<'_>,
        samples: &'a Samples,
        by: ClusterBy,
    ) -> Result<Sampled<'a>, BenchError> {
        let sampling = match by {
            ClusterBy::Sentence => judged.card.sampling,
            ClusterBy::Writer => BY_WRITER,
            ClusterBy::Stereotype => BY_STEREOTYPE,
        };
        let clusters = Clusters::new(sampling, &judged.table.items).map_err(|error| match by {
            ClusterBy::Writer => BenchError::NotMeasurable(
                "--cluster writer needs data with a column `writer` that names one for every sentence"
                    .to_owned(),
            ),
            _ => error,
        })?;
        Ok(Sampled {
            samples,
            plain: Arc::new(Layout::Nested(vec![0; clusters.len()])),
            clusters,
            by,
        })
    }

    pub fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    pub fn how(&self) -> How {
        self.clusters.how()
    }

    pub fn set(&self) -> &Set {
        &self.samples.set
    }

    /// One stereotype.
    pub fn alone(&self, id: u8) -> Weights {
        let mut weights = vec![0.0; self.set().slots()];
        weights[usize::from(id)] = 1.0;
        weights
    }

    /// Equal weights for the stereotypes about men or about women that have a value.
    pub fn group(&self, values: &[f64], male: bool) -> Option<Weights> {
        let mut weights = vec![0.0; self.set().slots()];
        for (id, value) in self.samples.stereotypes.iter().zip(values) {
            if !value.is_nan() && self.set().is_male(*id) == male {
                weights[usize::from(*id)] = 1.0;
            }
        }
        let count: f64 = weights.iter().sum();
        (count > 0.0).then(|| weights.iter().map(|weight| weight / count).collect())
    }

    /// Σ weight × mean of a stereotype; values that are not there are NaN. `None` where a weighted stereotype has none.
    pub fn profile(&self, values: &[f64], weights: &[f64]) -> Option<Linearised> {
        let ids = &self.samples.stereotypes;
        let counts = |item: usize| weights[usize::from(ids[item])] != 0.0 && !values[item].is_nan();
        let mut sums = vec![(0.0, 0.0); self.set().slots()];
        for item in (0..values.len()).filter(|item| counts(*item)) {
            let sum = &mut sums[usize::from(ids[item])];
            *sum = (sum.0 + values[item], sum.1 + 1.0);
        }
        let mut value = 0.0;
        let mut own = vec![0.0; self.set().slots()];
        for (id, weight) in weights.iter().enumerate() {
            if *weight != 0.0 {
                let (sum, n) = sums[id];
                if n == 0.0 {
                    return None;
                }
                own[id] = sum / n;
                value += weight * own[id];
            }
        }
        if self.by == ClusterBy::Stereotype {
            // Stereotypes are draws: they deviate from the mean of their group.
            for male in [true, false] {
                let of_group = |id: usize| id > 0 && self.set().is_male(id as u8) == male;
                let there = (0..own.len()).filter(|id| of_group(*id) && weights[*id] != 0.0);
                let there: Vec<usize> = there.collect();
                let total: f64 = there.iter().map(|id| weights[*id]).sum();
                let centre: f64 = there.iter().map(|id| weights[*id] * own[*id]).sum();
                for id in there {
                    own[id] = centre / total;
                }
            }
        }
        let layout = self.clusters.layout();
        let mut influence = vec![0.0; self.clusters.len()];
        let mut present = vec![false; self.clusters.len()];
        let mut levels = vec![0.0; layout.strata()];
        let mut n = 0.0;
        for item in (0..values.len()).filter(|item| counts(*item)) {
            let id = usize::from(ids[item]);
            let cluster = self.clusters.cluster(item);
            let weight = weights[id] / sums[id].1;
            influence[cluster] += weight * (values[item] - own[id]);
            levels[layout.stratum(cluster)] += weight * own[id];
            present[cluster] = true;
            n += 1.0;
        }
        let linear = Linearised::new(value, n, influence, layout);
        Some(linear.among(present).with_levels(levels))
    }

    /// The plain mean over the sentences of the family check.
    pub fn family(&self, values: &[f64]) -> Option<Linearised> {
        let there = |item: &usize| self.samples.family[*item] && !values[*item].is_nan();
        let mut sums = vec![(0.0, 0.0); self.clusters.len()];
        for item in (0..values.len()).filter(there) {
            let sum = &mut sums[self.clusters.cluster(item)];
            *sum = (sum.0 + values[item], sum.1 + 1.0);
        }
        Linearised::ratio(sums, &self.plain).ok()
    }

    /// log10 of q_m less that of q_f.
    pub fn stereotype_rate(&self, values: &[f64]) -> Option<Linearised> {
        let (male, female) = (self.group(values, true)?, self.group(values, false)?);
        let mut weights = male;
        for (weight, female) in weights.iter_mut().zip(female) {
            *weight -= female;
        }
        self.profile(values, &weights)
    }

    /// The factor that a mean log10 ratio stands for.
    pub fn factor(&self, linear: Linearised, convention: Convention) -> Estimate {
        let value = convention.factor(linear.value);
        let slope = convention.factor(1.0).ln() * value;
        Estimate::of(linear.transformed(value, slope), Scale::Factor)
    }

    /// The estimate behind a row of a unit, by its group and metric; `None` for ranks and counts.
    fn of(
        &self,
        unit: &UnitScores,
        (group, metric): (&str, &str),
        convention: Convention,
    ) -> Option<Estimate> {
        let scores = &unit.scores;
        let linear = match metric {
            "q" => self.profile(scores, &self.alone(self.set().of_group(group)?)),
            "q_m" => self.profile(scores, &self.group(scores, true)?),
            "q_f" => self.profile(scores, &self.group(scores, false)?),
            "g_s" => self.stereotype_rate(scores),
            "q_fam" => self.family(scores),
            _ => None,
        };
        Some(self.factor(linear?, convention))
    }

    /// The interval of a system's g_s in the convention of the published tables.
    pub fn published_rate(&self, units: &[&UnitScores]) -> Result<Option<Interval>, BenchError> {
        let rate = |unit: &&UnitScores| self.of(unit, ("all", "g_s"), Convention::Published);
        let parts: Vec<Estimate> = units.iter().filter_map(rate).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        let parts: Vec<&Estimate> = parts.iter().collect();
        Ok(Estimate::mean(&parts)?.interval)
    }

    /// Gives the rows of a system their intervals: in a unit, or over all of them.
    pub fn fill(
        &self,
        rows: &mut [Row],
        units: &[&UnitScores],
        convention: Convention,
    ) -> Result<(), BenchError> {
        for row in rows {
            let here = units.iter();
            let here = here.filter(|unit| row.unit == "all" || row.unit == unit.unit.as_str());
            let place = (row.group.as_str(), row.metric.as_str());
            let parts: Vec<Estimate> = here
                .filter_map(|unit| self.of(unit, place, convention))
                .collect();
            if let Some(first) = parts.first() {
                let parts: Vec<&Estimate> = parts.iter().collect();
                Estimate::mean(&parts)?.counting(first.n).fill(row, 1.0);
            }
        }
        Ok(())
    }
}

/// What cannot have an interval, for people.
pub fn notes(samples: &Samples) -> Vec<String> {
    let mut lonely = Vec::new();
    for id in samples.set.numbers() {
        if samples.stereotypes.iter().filter(|own| **own == id).count() == 1 {
            lonely.push(samples.set.name(id).to_owned());
        }
    }
    if lonely.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "one sentence tells nothing of the spread: stereotypes {} and all that is made of them have no interval",
        lonely.join(", ")
    )]
}
