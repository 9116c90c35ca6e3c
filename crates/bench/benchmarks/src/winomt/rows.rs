//! The rows of one system and language: sets, intervals, occupations (specification, B4).

use std::collections::BTreeMap;

use epicene_core::Items;
use epicene_stats::{Resamples, percentile_interval, round_half_even, wilson};

use super::data;
use super::metrics::Confusion;
use super::prediction::{Gold, Prediction};
use crate::{BenchError, Options, RowWriter};

/// Confidence of the intervals.
pub const LEVEL: f64 = 0.95;

/// Writes the rows of one system and language.
pub struct SetRows<'a> {
    pub writer: RowWriter<'a>,
}

impl SetRows<'_> {
    pub fn set(&mut self, group: &str, confusion: &Confusion) -> Result<(), BenchError> {
        let n = Some(confusion.total());
        if let Some(accuracy) = confusion.accuracy() {
            let interval = wilson(confusion.correct(), confusion.total(), LEVEL)?;
            let row = self.writer.push(group, "acc", accuracy);
            (row.low, row.high) = (Some(100.0 * interval.low), Some(100.0 * interval.high));
            row.n = n;
        }
        for gold in [Gold::Male, Gold::Female] {
            let scores = confusion.scores(gold);
            for (metric, value) in [
                ("f1", scores.f1),
                ("precision", scores.precision),
                ("recall", scores.recall),
            ] {
                let row = self
                    .writer
                    .push(group, &format!("{metric}_{}", gold.name()), value);
                row.n = Some(confusion.gold(gold));
            }
        }
        let row = self.writer.push(group, "delta_g", confusion.delta_g());
        row.n = n;
        let (male, female) = (confusion.scores(Gold::Male), confusion.scores(Gold::Female));
        let macro_f1 = round_half_even((male.f1 + female.f1) / 2.0, 2);
        let row = self.writer.push(group, "macro_f1", macro_f1);
        row.n = n;
        if group == "all" {
            for gold in Gold::ALL {
                for prediction in Prediction::ALL {
                    let count = confusion.count(gold, prediction);
                    let group = format!("gold:{}", gold.name());
                    self.writer.push(&group, prediction.name(), count as f64).n =
                        Some(confusion.gold(gold));
                }
            }
        }
        Ok(())
    }

    /// Intervals of F1 and ΔG over all sentences, from resampled sentences.
    pub fn spread(
        &mut self,
        golds: &[Gold],
        predictions: &[Option<Prediction>],
        options: &Options,
    ) -> Result<(), BenchError> {
        let answered: Vec<(Gold, Prediction)> = golds
            .iter()
            .zip(predictions)
            .filter_map(|(gold, prediction)| Some((*gold, (*prediction)?)))
            .collect();
        let resamples = Resamples::draw(options.seed, "winomt", answered.len(), options.replicates);
        let mut drawn: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for replicate in 0..resamples.replicates() {
            let mut confusion = Confusion::default();
            for index in resamples.indices(replicate) {
                let (gold, prediction) = answered[*index as usize];
                confusion.add(gold, prediction);
            }
            for (metric, value) in [
                ("f1_male", confusion.scores(Gold::Male).f1),
                ("f1_female", confusion.scores(Gold::Female).f1),
                ("delta_g", confusion.delta_g()),
            ] {
                drawn.entry(metric).or_default().push(value);
            }
        }
        for row in self.writer.rows.iter_mut().filter(|row| row.group == "all") {
            if let Some(values) = drawn.get(row.metric.as_str()) {
                let interval = percentile_interval(values, LEVEL)?;
                (row.low, row.high) = (Some(interval.low), Some(interval.high));
            }
        }
        Ok(())
    }

    /// Occupations with their shares of predictions, and those that always get one gender.
    pub fn professions(
        &mut self,
        items: &Items,
        golds: &[Gold],
        predictions: &[Option<Prediction>],
        notes: &mut Vec<String>,
    ) {
        let mut seen: BTreeMap<&str, Confusion> = BTreeMap::new();
        for (item, prediction) in predictions.iter().enumerate() {
            if let Some(prediction) = prediction {
                let entity = items.get(item).label(data::OCCUPATION).unwrap_or("");
                seen.entry(entity)
                    .or_default()
                    .add(golds[item], *prediction);
            }
        }
        let mut always: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (occupation, confusion) in &seen {
            let group = format!("occupation:{occupation}");
            let total = confusion.total();
            let mut kind = "mixed";
            for prediction in Prediction::ALL {
                let count = confusion.predicted(prediction);
                self.writer.push(&group, prediction.name(), count as f64).n = Some(total);
                if count == total {
                    kind = prediction.name();
                }
            }
            let (right, n) = (confusion.correct(), confusion.total());
            let accuracy = confusion.accuracy();
            let accuracy = accuracy.expect("an occupation is listed with its sentences");
            let row = self.writer.push(&group, "acc", accuracy);
            row.n = Some(n);
            if let Ok(interval) = wilson(right, n, LEVEL) {
                (row.low, row.high) = (Some(100.0 * interval.low), Some(100.0 * interval.high));
            }
            always.entry(kind).or_default().push(occupation);
        }
        for (kind, occupations) in always {
            let who = format!("{} {}", self.writer.system, self.writer.unit);
            let what = match kind {
                "mixed" => "given several genders".to_owned(),
                kind => format!("always {kind}"),
            };
            let (count, names) = (occupations.len(), occupations.join(", "));
            notes.push(format!("{who}: {count} occupations {what}: {names}"));
        }
    }
}
