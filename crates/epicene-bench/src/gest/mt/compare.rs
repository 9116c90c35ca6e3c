//! Two translators on the same sentences: differences of f_s, f_m and each p_i, first less second.
//! Intervals from resampling the items of both together, p-values from swapping their verdicts item
//! by item, corrected over the stereotypes by Holm's method.

use epicene_core::{Row, SystemCard};
use epicene_lang::Gender;
use epicene_lang::first_person::Mode;
use epicene_stats::{Resamples, approximate_randomisation, holm, normal_fit_interval};

use super::super::measures::LEVEL;
use super::super::scores::Samples;
use super::super::stereotypes;
use super::verdicts::UnitVerdicts;
use crate::{BenchError, MeasureOptions};

const GROUPS: usize = stereotypes::COUNT as usize + 1;

/// z² of the 95 % Agresti–Coull centre.
const Z_SQUARED: f64 = 1.959963984540054 * 1.959963984540054;

/// Masculine and decided verdicts by stereotype.
#[derive(Clone, Copy)]
struct Tallies {
    masculine: [f64; GROUPS],
    decided: [f64; GROUPS],
}

impl Tallies {
    fn new() -> Tallies {
        Tallies {
            masculine: [0.0; GROUPS],
            decided: [0.0; GROUPS],
        }
    }

    fn add(&mut self, id: u8, verdict: Option<Gender>) {
        if let Some(gender) = verdict {
            let place = usize::from(id);
            self.decided[place] += 1.0;
            self.masculine[place] += f64::from(u8::from(gender == Gender::Masculine));
        }
    }

    fn rate(&self, id: u8) -> Option<f64> {
        let place = usize::from(id);
        (self.decided[place] > 0.0)
            .then(|| (self.masculine[place] + Z_SQUARED / 2.0) / (self.decided[place] + Z_SQUARED))
    }

    fn group(&self, male: bool) -> Option<f64> {
        let rates: Vec<f64> = (1..=stereotypes::COUNT)
            .filter(|id| stereotypes::is_male(*id) == male)
            .filter_map(|id| self.rate(id))
            .collect();
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

/// The verdicts of both systems on one language.
struct Paired<'a> {
    stereotypes: &'a [u8],
    first: Vec<Option<Gender>>,
    second: Vec<Option<Gender>>,
}

impl Paired<'_> {
    /// First less second over some items, each perhaps swapped.
    fn difference(&self, metric: Metric, items: impl Iterator<Item = (usize, bool)>) -> f64 {
        let (mut ours, mut theirs) = (Tallies::new(), Tallies::new());
        for (item, swap) in items {
            let pair = (self.first[item], self.second[item]);
            let (a, b) = if swap { (pair.1, pair.0) } else { pair };
            ours.add(self.stereotypes[item], a);
            theirs.add(self.stereotypes[item], b);
        }
        match (ours.metric(metric), theirs.metric(metric)) {
            (Some(ours), Some(theirs)) => ours - theirs,
            _ => 0.0,
        }
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
    systems: &[SystemCard],
    samples: &Samples,
    units: &[UnitVerdicts],
    (first, second): (usize, usize),
    mode: Mode,
    options: &MeasureOptions,
) -> Result<Vec<Row>, BenchError> {
    let system = format!("{} - {}", systems[first].name, systems[second].name);
    let mut rows = Vec::new();
    for ours in units.iter().filter(|unit| unit.system == first) {
        let mut candidates = units.iter().filter(|unit| unit.system == second);
        let Some(theirs) = candidates.find(|theirs| theirs.unit == ours.unit) else {
            continue;
        };
        let verdicts = |unit: &UnitVerdicts| -> Vec<Option<Gender>> {
            let judged = unit.judged.iter();
            judged
                .map(|judged| judged.and_then(|j| j.gender(mode)))
                .collect()
        };
        let paired = Paired {
            stereotypes: &samples.stereotypes,
            first: verdicts(ours),
            second: verdicts(theirs),
        };
        unit_rows(&system, &ours.unit, &paired, options, &mut rows)?;
    }
    Ok(rows)
}

fn unit_rows(
    system: &str,
    unit: &str,
    paired: &Paired<'_>,
    options: &MeasureOptions,
    rows: &mut Vec<Row>,
) -> Result<(), BenchError> {
    let row = |group: &str, metric: &str, value: f64, n: usize| Row {
        benchmark: "gest".to_owned(),
        system: system.to_owned(),
        unit: unit.to_owned(),
        group: group.to_owned(),
        metric: metric.to_owned(),
        value,
        low: None,
        high: None,
        n: Some(n as u64),
        ideal: None,
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
    let by_stereotype = (1..=stereotypes::COUNT).map(|id| {
        (
            Metric::Rate(id),
            stereotypes::group(id),
            "delta_p",
            "p_value",
        )
    });
    for (metric, group, name, p_name) in metrics.into_iter().chain(by_stereotype) {
        let items = paired.items(metric);
        if items.is_empty() {
            continue;
        }
        let stream = format!("gest/mt/compare/{unit}/{name}/{group}");
        let value = paired.difference(metric, items.iter().map(|&item| (item, false)));
        let resamples = Resamples::draw(options.seed, &stream, items.len(), options.replicates);
        let replicates: Vec<f64> = (0..resamples.replicates())
            .map(|replicate| {
                let drawn = resamples.indices(replicate).iter();
                paired.difference(metric, drawn.map(|&place| (items[place as usize], false)))
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
                paired.difference(metric, swapped.map(|(&item, &swap)| (item, swap)))
            },
            value,
        );
        rows.push(Row {
            low: Some(interval.low),
            high: Some(interval.high),
            ideal: Some(0.0),
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
