//! Intervals by occupation: twins of a sentence, and all sentences about a nurse, stand or fall together.

use epicene_stats::Linearised;

use super::data;
use super::measures::predictions;
use super::prediction::{Gold, Prediction};
use crate::wibemt::occupations;
use crate::{
    BenchError, Clusters, ColumnView, Contrasts, Drawn, Estimate, Judged, Measured, RowWriter,
    Sampling, Scale,
};

/// Occupations, within what WinoBias takes for their stereotype; Winogender's have none.
pub const SAMPLING: Sampling = Sampling {
    unit: "occupation",
    strata: "stereotype",
    of: |item| {
        let occupation = item.label(data::OCCUPATION)?;
        let known = occupations::find_any_case(occupation).filter(|known| known.winobias);
        let stratum = match known {
            None => "none",
            Some(_) if data::is_female_stereotype(occupation) => "female",
            Some(_) => "male",
        };
        Some(Drawn::new(stratum, occupation))
    },
};

/// One column's predictions, and the clusters they belong to.
pub struct Sampled<'a> {
    pub clusters: &'a Clusters,
    pub view: ColumnView<'a>,
    pub golds: &'a [Gold],
    pub predictions: &'a [Option<Prediction>],
}

impl Sampled<'_> {
    /// Σ part / Σ whole over the sentences of a group.
    fn ratio(
        &self,
        group: &str,
        count: impl Fn(Gold, Prediction) -> (f64, f64),
    ) -> Result<Option<Estimate>, BenchError> {
        let belongs = |item: usize| {
            let item = self.view.items().get(item);
            match group.split_once(':') {
                None => true,
                Some(("set", set)) => item.label(data::SET) == Some(set),
                Some((_, occupation)) => item.label(data::OCCUPATION) == Some(occupation),
            }
        };
        let there = self.predictions.iter().enumerate();
        let parts = there.filter_map(|(item, prediction)| {
            let (part, whole) = count(self.golds[item], (*prediction)?);
            (whole > 0.0 && belongs(item)).then_some((item, part, whole))
        });
        let linear = self.clusters.ratio(parts)?;
        Ok(linear.map(|linear: Linearised| Estimate::of(linear, Scale::Share)))
    }

    pub fn accuracy(&self, group: &str) -> Result<Option<Estimate>, BenchError> {
        self.ratio(group, |gold, prediction| {
            (one(gold.prediction() == prediction), 1.0)
        })
    }

    /// F1 is a ratio of counts: twice the right ones over all that are, or are said to be, of the gender.
    fn f1(&self, group: &str, wanted: Gold) -> Result<Option<Estimate>, BenchError> {
        self.ratio(group, |gold, prediction| {
            let (is, said) = (gold == wanted, prediction == wanted.prediction());
            (2.0 * one(is && said), one(is) + one(said))
        })
    }

    /// The estimate behind a row; `None` for counts.
    fn of(&self, group: &str, metric: &str) -> Result<Option<Estimate>, BenchError> {
        let gender = |metric: &str| match metric {
            "male" => Gold::Male,
            _ => Gold::Female,
        };
        let difference = |first: Option<Estimate>, second: Option<Estimate>| {
            let both = first.zip(second);
            both.map(|(first, second)| first.less(&second)).transpose()
        };
        match metric.split_once('_') {
            None if metric == "acc" => self.accuracy(group),
            Some(("f1", of)) => self.f1(group, gender(of)),
            Some(("precision", of)) => {
                let wanted = gender(of);
                self.ratio(group, |gold, prediction| {
                    let said = prediction == wanted.prediction();
                    (one(said && gold == wanted), one(said))
                })
            }
            Some(("recall", of)) => {
                let wanted = gender(of);
                self.ratio(group, |gold, prediction| {
                    let is = gold == wanted;
                    (one(is && prediction == wanted.prediction()), one(is))
                })
            }
            Some(("macro", _)) => {
                let both = self
                    .f1(group, Gold::Male)?
                    .zip(self.f1(group, Gold::Female)?);
                let mean = both.map(|(male, female)| Estimate::mean(&[&male, &female]));
                mean.transpose()
            }
            Some(("delta", "g")) => {
                difference(self.f1(group, Gold::Male)?, self.f1(group, Gold::Female)?)
            }
            Some(("delta", "s")) => {
                difference(self.accuracy("set:pro")?, self.accuracy("set:anti")?)
            }
            _ => Ok(None),
        }
    }

    /// Gives rows their intervals; values stay as the authors round them.
    pub fn fill(&self, writer: &mut RowWriter<'_>) -> Result<(), BenchError> {
        for row in &mut writer.rows {
            if let Some(estimate) = self.of(&row.group, &row.metric)? {
                let items = row.n.unwrap_or(estimate.n);
                estimate.counting(items).fill(row, 100.0);
            }
        }
        Ok(())
    }
}

fn one(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// Accuracy, ΔG and ΔS on the sentences that both translated.
pub fn compare(
    judged: &Judged<'_>,
    golds: &[Gold],
    first: usize,
    second: usize,
) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let mut contrasts = Contrasts::new(judged, first, second);
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let (mut a, mut b) = (predictions(&view, ours), predictions(&other, theirs));
        for (ours, theirs) in a.iter_mut().zip(&mut b) {
            if ours.is_none() || theirs.is_none() {
                (*ours, *theirs) = (None, None);
            }
        }
        let side = |view: ColumnView<'_>, predictions: &[Option<Prediction>], metric: &str| {
            let sampled = Sampled {
                clusters: &clusters,
                view,
                golds,
                predictions,
            };
            sampled.of("all", metric)
        };
        let unit = view.column().unit.as_str();
        for (metric, difference, p_value, primary) in [
            ("acc", "delta_acc", "p_value", true),
            ("delta_g", "delta_delta_g", "p_value_delta_g", false),
            ("delta_s", "delta_delta_s", "p_value_delta_s", false),
        ] {
            let both = (side(view, &a, metric)?, side(other, &b, metric)?);
            if let (Some(a), Some(b)) = both {
                let names = (difference, p_value);
                contrasts.push((unit, "all"), names, [a, b], (100.0, primary));
            }
        }
    }
    contrasts.measured(&clusters, Vec::new())
}
