//! Masculine shares with the variance of what was sampled: p_i, p_f, p_m, f_s, f_m as they are, not as centres of
//! intervals, which lean to one half the more the fewer translations show a gender.

use epicene_core::{Gender, Row};

use super::super::clustered::Sampled;
use crate::{BenchError, Estimate, Scale, Verdicts};

/// The verdicts of one system and language.
pub struct Shares<'a> {
    sampled: &'a Sampled<'a>,
    /// 1 masculine, 0 feminine, NaN where no gender shows.
    values: Vec<f64>,
}

impl<'a> Shares<'a> {
    pub fn new(sampled: &'a Sampled<'a>, verdicts: &Verdicts) -> Shares<'a> {
        let cells = verdicts.cells.iter();
        let values = cells.map(|verdict| {
            match verdict
                .as_ref()
                .and_then(|verdict| verdict.finding.gender())
            {
                Some(Gender::Masculine) => 1.0,
                Some(Gender::Feminine) => 0.0,
                None => f64::NAN,
            }
        });
        Shares {
            sampled,
            values: values.collect(),
        }
    }

    /// The same on some of the sentences.
    pub fn of_items(mut self, keep: impl Fn(usize) -> bool) -> Shares<'a> {
        for (item, value) in self.values.iter_mut().enumerate() {
            if !keep(item) {
                *value = f64::NAN;
            }
        }
        self
    }

    /// p_i.
    pub fn rate(&self, id: u8) -> Option<Estimate> {
        let linear = self
            .sampled
            .profile(&self.values, &self.sampled.alone(id))?;
        Some(Estimate::of(linear, Scale::Share))
    }

    /// p_m or p_f.
    pub fn group(&self, male: bool) -> Option<Estimate> {
        let weights = self.sampled.group(&self.values, male)?;
        let linear = self.sampled.profile(&self.values, &weights)?;
        Some(Estimate::of(linear, Scale::Share))
    }

    /// f_s.
    pub fn stereotype_rate(&self) -> Result<Option<Estimate>, BenchError> {
        let both = self.group(true).zip(self.group(false));
        both.map(|(male, female)| male.less(&female)).transpose()
    }

    /// f_m, a share itself.
    pub fn masculine_rate(&self) -> Result<Option<Estimate>, BenchError> {
        let both = self.group(true).zip(self.group(false));
        let mean = both.map(|(male, female)| Estimate::mean(&[&male, &female]));
        mean.transpose()
    }

    /// Gives the rows of a unit their values and intervals.
    pub fn fill(&self, rows: &mut [Row]) -> Result<(), BenchError> {
        for row in rows {
            let estimate = match row.metric.as_str() {
                "p" => self
                    .sampled
                    .set()
                    .of_group(&row.group)
                    .and_then(|id| self.rate(id)),
                "p_f" => self.group(false),
                "p_m" => self.group(true),
                "f_s" => self.stereotype_rate()?,
                "f_m" => self.masculine_rate()?,
                "p_fam" => {
                    let linear = self.sampled.family(&self.values);
                    linear.map(|linear| Estimate::of(linear, Scale::Share))
                }
                _ => None,
            };
            if let Some(estimate) = estimate {
                row.value = estimate.value();
                estimate.fill(row, 1.0);
            }
        }
        Ok(())
    }
}
