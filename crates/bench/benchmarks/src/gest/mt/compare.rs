//! Two translators on the same sentences: differences of f_s, f_m and each p_i, second less first, in
//! the published way. Intervals from resampling the items of both together, p-values from swapping their verdicts item
//! by item, corrected over the stereotypes by Holm's method.

use std::collections::BTreeMap;

use epicene_core::{Gender, Row, Scorer};
use epicene_stats::{Resamples, approximate_randomisation, holm, normal_fit_interval};

use super::super::CARD;
use super::super::measures::LEVEL;
use super::super::scores::Samples;
use super::super::stereotypes::Set;
use super::measures::Counts;
use crate::options::ESTIMATE;
use crate::{BenchError, Judged, Options, RowWriter};

/// Masculine and feminine verdicts by stereotype.
struct Tallies<'a> {
    set: &'a Set,
    counts: Vec<Counts>,
    plain: bool,
}

impl Tallies<'_> {
    fn new(set: &Set, plain: bool) -> Tallies<'_> {
        Tallies {
            set,
            counts: vec![Counts::default(); set.slots()],
            plain,
        }
    }

    fn add(&mut self, id: u8, verdict: Option<Gender>) {
        if let Some(gender) = verdict {
            self.counts[usize::from(id)].add(gender);
        }
    }

    fn rate(&self, id: u8) -> Option<f64> {
        self.counts[usize::from(id)].rate(self.plain)
    }

    fn group(&self, male: bool) -> Option<f64> {
        let rates: Vec<f64> = self.set.pole(male).filter_map(|id| self.rate(id)).collect();
        (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
    }

    fn metric(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Rate(id) => self.rate(id),
            Metric::Stereotype => Some(self.group(true)? - self.group(false)?),
            Metric::Masculine => Some((self.group(true)? + self.group(false)?) / 2.0),
        }
    }
}

#[derive(Clone, Copy)]
enum Metric {
    Stereotype,
    Masculine,
    Rate(u8),
}

/// The verdicts of both systems on the items both were asked, in one language.
struct Paired {
    set: Set,
    plain: bool,
    stereotypes: Vec<u8>,
    first: Vec<Option<Gender>>,
    second: Vec<Option<Gender>>,
}

impl Paired {
    /// Second less first over some items, each perhaps swapped; `None` where a side decided nothing.
    fn difference(
        &self,
        metric: Metric,
        items: impl Iterator<Item = (usize, bool)>,
    ) -> Option<f64> {
        let new = || Tallies::new(&self.set, self.plain);
        let (mut ours, mut theirs) = (new(), new());
        for (item, swap) in items {
            let pair = (self.first[item], self.second[item]);
            let (a, b) = if swap { (pair.1, pair.0) } else { pair };
            ours.add(self.stereotypes[item], a);
            theirs.add(self.stereotypes[item], b);
        }
        Some(theirs.metric(metric)? - ours.metric(metric)?)
    }

    fn items(&self, metric: Metric) -> Vec<usize> {
        (0..self.stereotypes.len())
            .filter(|&item| match metric {
                Metric::Rate(id) => self.stereotypes[item] == id,
                _ => true,
            })
            .collect()
    }
}

/// Rows for every language both systems translated into.
pub fn rows(
    judged: &Judged<'_>,
    samples: &Samples,
    (first, second): (usize, usize),
) -> Result<Vec<Row>, BenchError> {
    let system = judged.difference(first, second);
    let mut rows = Vec::new();
    for [(view, ours), (_, theirs)] in judged.pairs(first, second) {
        if view.column().scorer != Scorer::Translate {
            continue;
        }
        let mut paired = Paired {
            set: samples.set.clone(),
            plain: judged.options.get(&ESTIMATE).is_plain(),
            stereotypes: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
        };
        let both = ours.cells.iter().zip(&theirs.cells);
        for (&id, (ours, theirs)) in samples.stereotypes.iter().zip(both) {
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                paired.stereotypes.push(id);
                paired.first.push(ours.finding.gender());
                paired.second.push(theirs.finding.gender());
            }
        }
        let unit = view.column().unit.as_str();
        unit_rows(&system, unit, &paired, judged.options, &mut rows)?;
    }
    Ok(rows)
}

/// The items of each stereotype with their resamples.
fn strata(
    stereotypes: &[u8],
    items: &[usize],
    options: &Options,
    stream: &str,
) -> Vec<(Vec<usize>, Resamples)> {
    let mut by_stereotype: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for &item in items {
        by_stereotype
            .entry(stereotypes[item])
            .or_default()
            .push(item);
    }
    by_stereotype
        .into_iter()
        .map(|(id, members)| {
            let stream = format!("{stream}/{id}");
            let draws = Resamples::draw(options.seed, &stream, members.len(), options.replicates);
            (members, draws)
        })
        .collect()
}

fn unit_rows(
    system: &str,
    unit: &str,
    paired: &Paired,
    options: &Options,
    rows: &mut Vec<Row>,
) -> Result<(), BenchError> {
    let row = |group: &str, metric: &str, value: f64, n: usize| {
        let mut writer = RowWriter::new(&CARD, system, unit);
        writer.push(group, metric, value).n = Some(n as u64);
        writer.rows.remove(0)
    };
    let mut adjusted = Vec::new();
    let metrics = [
        (Metric::Stereotype, "all".to_owned(), "delta_f_s", "p_value"),
        (
            Metric::Masculine,
            "all".to_owned(),
            "delta_f_m",
            "p_value_f_m",
        ),
    ];
    let by_stereotype = paired
        .set
        .numbers()
        .map(|id| (Metric::Rate(id), paired.set.group(id), "delta_p", "p_value"));
    for (metric, group, name, p_name) in metrics.into_iter().chain(by_stereotype) {
        let items = paired.items(metric);
        let Some(value) = paired.difference(metric, items.iter().map(|&item| (item, false))) else {
            continue;
        };
        let stream = format!("gest/mt/compare/{unit}/{name}/{group}");
        // Items are drawn within their stereotype, as they were sampled.
        let strata = strata(&paired.stereotypes, &items, options, &stream);
        let replicates: Vec<f64> = (0..options.replicates)
            .filter_map(|replicate| {
                let drawn = strata.iter().flat_map(|(members, resamples)| {
                    let drawn = resamples.indices(replicate).iter();
                    drawn.map(|&place| (members[place as usize], false))
                });
                paired.difference(metric, drawn)
            })
            .collect();
        let interval = normal_fit_interval(&replicates, LEVEL)?;
        let p = approximate_randomisation(
            items.len(),
            options.rounds as u64,
            options.seed,
            &stream,
            |swapped| {
                let swapped = items.iter().zip(swapped);
                let swapped = swapped.map(|(&item, &swap)| (item, swap));
                // A round that leaves a side undecided speaks against a difference.
                paired.difference(metric, swapped).unwrap_or(f64::NAN)
            },
            value,
        );
        rows.push(Row {
            low: Some(interval.low),
            high: Some(interval.high),
            ..row(&group, name, value, items.len())
        });
        rows.push(row(&group, p_name, p, items.len()));
        if matches!(metric, Metric::Rate(_)) {
            adjusted.push((group, p, items.len()));
        }
    }
    let p_values: Vec<f64> = adjusted.iter().map(|(_, p, _)| *p).collect();
    if !p_values.is_empty() {
        for ((group, _, n), p) in adjusted.iter().zip(holm(&p_values)?) {
            rows.push(row(group, "p_holm", p, *n));
        }
    }
    Ok(())
}
