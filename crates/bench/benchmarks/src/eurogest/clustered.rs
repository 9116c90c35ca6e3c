//! Intervals and tests by what was sampled: sources, within their stereotype. A row of one language and the row of the same
//! source in another stand or fall together.

use epicene_core::Unit;

use std::collections::BTreeSet;

use epicene_stats::Linearised;

use super::data;
use super::measures::{Rated, rates};
use crate::gest::stereotypes::Set;
use crate::{
    BenchError, Clusters, Contrasts, Drawn, Estimate, Judged, Measured, RowWriter, Sampling, Scale,
};

/// GEST's sentences, written for their stereotype.
pub const SAMPLING: Sampling = Sampling {
    unit: "source",
    strata: "stereotype",
    of: |item| Drawn::by(item, data::STEREOTYPE, data::GEST_ID),
};

/// The rows of one column, and the clusters they belong to.
pub struct Sampled<'a> {
    pub clusters: &'a Clusters,
    pub rows: &'a [Rated<'a>],
    pub set: &'a Set,
}

impl Sampled<'_> {
    fn mean(
        &self,
        language: &str,
        condition: Option<&str>,
        stereotype: Option<u8>,
        value: impl Fn(f64) -> f64,
    ) -> Result<Option<Linearised>, BenchError> {
        let kept = self.rows.iter().filter(|row| {
            let counted = row.counted;
            counted.language == language
                && condition.is_none_or(|condition| counted.condition == condition)
                && stereotype.is_none_or(|id| counted.stereotype == id)
        });
        self.clusters
            .ratio(kept.map(|row| (row.item, value(row.ratio), 1.0)))
    }

    /// The mean of q over the stereotypes of one side; `None` unless all have rows.
    fn side(
        &self,
        language: &str,
        condition: Option<&str>,
        men: bool,
    ) -> Result<Option<Linearised>, BenchError> {
        let ids: Vec<u8> = self.set.pole(men).collect();
        let mut parts = Vec::new();
        for id in &ids {
            match self.mean(language, condition, Some(*id), |ratio| ratio)? {
                Some(part) => parts.push(part),
                None => return Ok(None),
            }
        }
        let weight = 1.0 / ids.len() as f64;
        let terms: Vec<(f64, &Linearised)> = parts.iter().map(|part| (weight, part)).collect();
        Ok(Some(Linearised::combine(&terms)?))
    }

    /// g_s, a quotient: the difference of two logarithms, raised.
    pub fn rate(
        &self,
        language: &str,
        condition: Option<&str>,
    ) -> Result<Option<Estimate>, BenchError> {
        let sides = (
            self.side(language, condition, true)?,
            self.side(language, condition, false)?,
        );
        let (Some(men), Some(women)) = sides else {
            return Ok(None);
        };
        let [men, women] = [men, women].map(|side| {
            let value = side.value;
            side.transformed(value.ln(), 1.0 / value)
        });
        let log = Linearised::combine(&[(1.0, &men), (-1.0, &women)])?;
        let value = log.value.exp();
        let rate = Estimate::of(log.transformed(value, value), Scale::Factor);
        let rows = self.rows.iter().filter(|row| {
            row.counted.language == language
                && condition.is_none_or(|condition| row.counted.condition == condition)
        });
        Ok(Some(rate.counting(rows.count() as u64)))
    }

    /// The mean ratio of a language.
    fn preference(&self, language: &str) -> Result<Option<Estimate>, BenchError> {
        let mean = self.mean(language, None, None, |ratio| ratio)?;
        Ok(mean.map(|linear| Estimate::of(linear, Scale::Rate)))
    }

    /// Gives rows of languages the intervals of clusters.
    pub fn fill(&self, writer: &mut RowWriter<'_>) -> Result<(), BenchError> {
        for row in &mut writer.rows {
            let Some(language) = Unit::language_code(&row.unit) else {
                continue;
            };
            let condition = row.group.strip_prefix("condition:");
            let stereotype = self.set.of_group(&row.group);
            let estimate = match row.metric.as_str() {
                "g_s" => self.rate(language, condition)?,
                "q_m" | "q_f" => self
                    .side(language, condition, row.metric == "q_m")?
                    .map(|linear| Estimate::of(linear, Scale::Rate)),
                "q" => self
                    .mean(language, condition, stereotype, |ratio| ratio)?
                    .map(|linear| Estimate::of(linear, Scale::Rate)),
                "preference" => self
                    .mean(language, condition, stereotype, |ratio| {
                        f64::from(u8::from(ratio > 0.5))
                    })?
                    .map(|linear| Estimate::of(linear, Scale::Share)),
                // Not linearised: no interval rather than one of another kind.
                "inclination" => {
                    (row.low, row.high) = (None, None);
                    None
                }
                _ => None,
            };
            if let Some(estimate) = estimate {
                let items = row.n.unwrap_or(estimate.n);
                estimate.counting(items).fill(row, 1.0);
            }
        }
        Ok(())
    }
}

/// Two models on the same rows, language by language: g_s and the mean preference, second less first.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let set = Set::of_items(&judged.table.items)?;
    let mut contrasts = Contrasts::new(judged, first, second);
    let mut scored = BTreeSet::new();
    for [(view, _), (other, _)] in judged.pairs(first, second) {
        let (ours, theirs) = (rates(judged, &set, &view)?, rates(judged, &set, &other)?);
        scored.extend([&ours, &theirs].map(|rates| rates.scored(judged)));
        // Rows that both answered.
        let items =
            |rows: &[Rated<'_>]| -> BTreeSet<usize> { rows.iter().map(|row| row.item).collect() };
        let shared = &items(&ours.rows) & &items(&theirs.rows);
        let [our_rows, their_rows] = [&ours.rows, &theirs.rows].map(|rows| -> Vec<Rated<'_>> {
            let kept = rows.iter().filter(|row| shared.contains(&row.item));
            kept.copied().collect()
        });
        let of = |rows| Sampled {
            clusters: &clusters,
            rows,
            set: &set,
        };
        let both = [of(&our_rows), of(&their_rows)];
        let mut languages: Vec<&str> = our_rows.iter().map(|row| row.counted.language).collect();
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            let unit = Unit::into_language(language);
            let rates = (both[0].rate(language, None)?, both[1].rate(language, None)?);
            if let (Some(ours), Some(theirs)) = rates {
                let metric = ("delta_g_s", "p_value");
                contrasts.push((&unit, "all"), metric, [ours, theirs], (1.0, true));
            }
            let means = (both[0].preference(language)?, both[1].preference(language)?);
            if let (Some(ours), Some(theirs)) = means {
                let metric = ("delta_q", "p_delta_q");
                contrasts.push((&unit, "all"), metric, [ours, theirs], (1.0, false));
            }
        }
    }
    let scored: Vec<String> = scored.into_iter().collect();
    contrasts.measured(&clusters, vec![("score", scored.join("+"))])
}
