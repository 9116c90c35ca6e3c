//! What was sampled. Sentences are made of occupations, twins, words; another benchmark of the same kind would have other
//! occupations, not other sentences about these. What was drawn is a fact of the benchmark, stands on its card, and is what
//! intervals and tests resample (docs/statistics.md).
//!
//! A benchmark needs one line on its card and one in its measure:
//!
//! ```ignore
//! sampling: Sampling { unit: "occupation", strata: "stereotype", of: |item| Drawn::by(item, "stereotype", "occupation") },
//! …
//! let clusters = Clusters::of(judged)?;
//! let share = clusters.share(rights.iter().map(|(item, right)| (*item, *right)))?;
//! writer.estimate("all", "accuracy", &share);
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use epicene_core::{ItemRef, Items};
use epicene_stats::{Layout, Linearised};

use crate::{BenchError, Estimate, How, Judged, Scale};

/// What the items of a benchmark were drawn by.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// One of them, as signatures and warnings say it: `occupation`.
    pub unit: &'static str,
    /// What they were drawn within, and what a repetition would keep: `stereotype`; nothing: empty.
    pub strata: &'static str,
    /// Where an item belongs; `None` if it lacks what says so.
    pub of: for<'a> fn(ItemRef<'a>) -> Option<Drawn<'a>>,
}

/// The place of an item among what was drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn<'a> {
    pub stratum: Cow<'a, str>,
    pub unit: Cow<'a, str>,
}

impl<'a> Drawn<'a> {
    pub fn new(stratum: impl Into<Cow<'a, str>>, unit: impl Into<Cow<'a, str>>) -> Drawn<'a> {
        Drawn {
            stratum: stratum.into(),
            unit: unit.into(),
        }
    }

    /// By two labels of the item; without a stratum where that label's name is empty.
    pub fn by(item: ItemRef<'a>, stratum: &str, unit: &str) -> Option<Drawn<'a>> {
        let stratum = if stratum.is_empty() {
            ""
        } else {
            item.label(stratum)?
        };
        Some(Drawn::new(stratum, item.label(unit)?))
    }
}

impl Sampling {
    /// Every item was drawn for itself.
    pub const ITEMS: Sampling = Sampling {
        unit: "item",
        strata: "",
        of: |item| Some(Drawn::new("", item.id)),
    };
}

/// The clusters of a table's items.
#[derive(Debug, Clone)]
pub struct Clusters {
    sampling: Sampling,
    /// The cluster of each item.
    of_item: Vec<u32>,
    layout: Arc<Layout>,
    /// How many, as the signature says it: `40`, `99*42`.
    count: String,
}

impl Clusters {
    pub fn of(judged: &Judged<'_>) -> Result<Clusters, BenchError> {
        Clusters::new(judged.card.sampling, &judged.table.items)
    }

    pub fn new(sampling: Sampling, items: &Items) -> Result<Clusters, BenchError> {
        let mut clusters: BTreeMap<Drawn<'_>, u32> = BTreeMap::new();
        let mut strata: BTreeMap<Cow<'_, str>, u32> = BTreeMap::new();
        let (mut of_item, mut of_cluster) = (Vec::with_capacity(items.len()), Vec::new());
        for item in items.iter() {
            let drawn = (sampling.of)(item).ok_or_else(|| BenchError::BadItem {
                item: item.id.to_owned(),
                message: format!("it has no {}", sampling.unit),
            })?;
            let cluster = match clusters.get(&drawn) {
                Some(cluster) => *cluster,
                None => {
                    let next = strata.len() as u32;
                    of_cluster.push(*strata.entry(drawn.stratum.clone()).or_insert(next));
                    let cluster = clusters.len() as u32;
                    clusters.insert(drawn, cluster);
                    cluster
                }
            };
            of_item.push(cluster);
        }
        Ok(Clusters {
            sampling,
            of_item,
            count: of_cluster.len().to_string(),
            layout: Arc::new(Layout::Nested(of_cluster)),
        })
    }

    /// Clusters whose layout is known otherwise: each item is its own cell of it. `count` is how many were drawn.
    pub fn laid_out(sampling: Sampling, layout: Layout, count: String) -> Clusters {
        Clusters {
            sampling,
            of_item: (0..layout.len() as u32).collect(),
            layout: Arc::new(layout),
            count,
        }
    }

    /// What one of them is called.
    pub fn unit(&self) -> &'static str {
        self.sampling.unit
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    pub fn cluster(&self, item: usize) -> usize {
        self.of_item[item] as usize
    }

    /// Σ part / Σ whole of items; `None` of nothing.
    pub fn ratio(
        &self,
        parts: impl IntoIterator<Item = (usize, f64, f64)>,
    ) -> Result<Option<Linearised>, BenchError> {
        let mut sums = vec![(0.0, 0.0); self.len()];
        for (item, part, whole) in parts {
            let sum = &mut sums[self.cluster(item)];
            *sum = (sum.0 + part, sum.1 + whole);
        }
        if sums.iter().all(|(_, whole)| *whole <= 0.0) {
            return Ok(None);
        }
        Ok(Some(Linearised::ratio(sums, &self.layout)?))
    }

    /// The share of items that are so; `None` of nothing.
    pub fn share(
        &self,
        items: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Option<Estimate>, BenchError> {
        let parts = items
            .into_iter()
            .map(|(item, yes)| (item, f64::from(u8::from(yes)), 1.0));
        let linear = self.ratio(parts)?;
        Ok(linear.map(|linear| Estimate::of(linear, Scale::Share)))
    }

    /// What was sampled, for the signature.
    pub fn how(&self) -> How {
        let mut how = vec![("unit", self.sampling.unit.to_owned())];
        if !self.sampling.strata.is_empty() {
            how.push(("strata", self.sampling.strata.to_owned()));
        }
        how.push(("k", self.count.clone()));
        how
    }
}
