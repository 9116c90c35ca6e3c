//! Intervals by occupation, within its stereotype: a set with other sentences about the same forty occupations would give
//! almost the same numbers, one with other occupations would not.

use std::collections::BTreeMap;
use std::sync::Arc;

use epicene_core::Gender;
use epicene_stats::{Layout, Linearised};

use super::cells::{Cells, Tally};
use super::counts::Counts;
use super::sentences::Sentences;
use crate::estimate::by_t;
use crate::{BenchError, Clusters, Estimate, Sampling, Scale};

/// Occupations within their stereotype; those of nonce words have none.
pub const SAMPLING: Sampling = Sampling {
    unit: "occupation",
    strata: "stereotype",
    of: |item| {
        let set = super::labels::FeatureSet::parse(item.label(super::sets::FEATURES)?);
        let occupation = super::sentences::occupation(item)?;
        Some(crate::Drawn::new(stratum(set.occupation).1, occupation))
    },
};

fn stratum(stereotype: Option<Gender>) -> (u32, &'static str) {
    match stereotype {
        None => (0, "none"),
        Some(Gender::Masculine) => (1, "male"),
        Some(Gender::Feminine) => (2, "female"),
    }
}

/// The occupations that sentences are about, by their number.
pub struct Occupations {
    places: BTreeMap<u16, usize>,
    clusters: Clusters,
}

impl Occupations {
    /// Those of the columns that are measured.
    pub fn of<'a>(items: &Sentences, columns: impl IntoIterator<Item = &'a Cells>) -> Occupations {
        let mut places = BTreeMap::new();
        let mut strata = Vec::new();
        for cells in columns {
            for ((_, [_, occupation, ..]), cell) in &cells.0 {
                places.entry(*occupation).or_insert_with(|| {
                    let seen = items.get(cell.example);
                    strata.push(stratum(seen.features.occupation).0);
                    strata.len() - 1
                });
            }
        }
        Occupations {
            places,
            clusters: {
                let count = strata.len().to_string();
                Clusters::laid_out(SAMPLING, Layout::Nested(strata), count)
            },
        }
    }

    pub fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    fn layout(&self) -> &Arc<Layout> {
        self.clusters.layout()
    }

    /// The share of one outcome.
    pub fn share(
        &self,
        tally: &Tally,
        count: impl Fn(&Counts) -> u64,
    ) -> Result<Estimate, BenchError> {
        let mut sums = vec![(0.0, 0.0); self.clusters.len()];
        for (occupation, counts) in &tally.occupations {
            sums[self.places[occupation]] = (count(counts) as f64, counts.total() as f64);
        }
        let linear = Linearised::ratio(sums, self.layout())?;
        Ok(Estimate::of(linear, Scale::Share))
    }

    /// The share of correct sentences, where there are any.
    pub fn correct(&self, tally: Option<&Tally>) -> Result<Option<Estimate>, BenchError> {
        let some = tally.filter(|tally| tally.total.total() > 0);
        some.map(|tally| self.share(tally, |counts| counts.correct))
            .transpose()
    }
}

/// ΔM or ΔF: correct where the occupation fits, less where it does not.
pub fn delta(
    occupations: &Occupations,
    by_configuration: &BTreeMap<&str, Tally>,
    (congruent, incongruent): (&str, &str),
) -> Result<Option<Estimate>, BenchError> {
    let first = occupations.correct(by_configuration.get(congruent))?;
    let second = occupations.correct(by_configuration.get(incongruent))?;
    let both = first.zip(second);
    both.map(|(first, second)| first.less(&second)).transpose()
}

/// ΔF less ΔM, and the one-sided p-value of its being greater, where occupations differ enough to tell.
pub fn greater_delta(
    occupations: &Occupations,
    by_configuration: &BTreeMap<&str, Tally>,
) -> Result<Option<(Estimate, Option<f64>)>, BenchError> {
    let of = |pair| delta(occupations, by_configuration, pair);
    let (Some(men), Some(women)) = (of(("MM", "MF"))?, of(("FF", "FM"))?) else {
        return Ok(None);
    };
    let linear = Linearised::combine(&[(1.0, &women.linear), (-1.0, &men.linear)])?;
    let estimate = Estimate::of(linear, Scale::Mean);
    if estimate.interval.is_none() {
        return Ok(None);
    }
    let one_sided = |both: f64| {
        if estimate.value() > 0.0 {
            both / 2.0
        } else {
            1.0 - both / 2.0
        }
    };
    let p = by_t(&estimate.linear)?.map(one_sided);
    Ok(Some((estimate, p)))
}
