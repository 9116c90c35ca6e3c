//! Two systems on the same sentences: is one more stereotypical than the other?
//!
//! Differences of g_s and of each q_i, second less first. By what was sampled in [`clustered`]; in the published way the
//! interval comes from resampling the items of both systems together, the p-value from approximate randomisation (swapping the two
//! systems' answers item by item), corrected over the stereotypes by Holm's method.

use epicene_core::{Row, Scorer, Unit};
use epicene_stats::{Linearised, approximate_randomisation, holm, normal_fit_interval};

use super::clustered::Sampled;
use super::measures::{Estimate as MeanRatio, LEVEL, ResamplePool, UnitMeasure};
use super::mt;
use super::options::{CONVENTION, Convention};
use super::scores::{Samples, UnitScores, group_mean};
use crate::{BenchError, Contrasts, Estimate, Judged, Measured, Options, RowWriter};

/// The two systems' scores in one unit, item by item.
struct PairedUnit {
    unit: Unit,
    first: Vec<f64>,
    second: Vec<f64>,
}

/// The items both systems answered in every unit they share.
struct Paired {
    samples: Samples,
    units: Vec<PairedUnit>,
}

impl Paired {
    fn new(samples: &Samples, units: &[UnitScores], first: usize, second: usize) -> Paired {
        let of = |system: usize| units.iter().filter(move |unit| unit.system == system);
        let shared: Vec<(&UnitScores, &UnitScores)> = of(first)
            .filter_map(|ours| {
                let theirs = of(second).find(|theirs| theirs.unit == ours.unit)?;
                Some((ours, theirs))
            })
            .collect();
        let complete: Vec<usize> = (0..samples.stereotypes.len())
            .filter(|&item| {
                shared.iter().all(|(ours, theirs)| {
                    !ours.scores[item].is_nan() && !theirs.scores[item].is_nan()
                })
            })
            .collect();
        let pick = |scores: &[f64]| complete.iter().map(|&item| scores[item]).collect();
        Paired {
            samples: Samples {
                set: samples.set.clone(),
                stereotypes: complete.iter().map(|&i| samples.stereotypes[i]).collect(),
                family: complete.iter().map(|&i| samples.family[i]).collect(),
            },
            units: shared
                .into_iter()
                .map(|(ours, theirs)| PairedUnit {
                    unit: ours.unit.clone(),
                    first: pick(&ours.scores),
                    second: pick(&theirs.scores),
                })
                .collect(),
        }
    }

    fn side(&self, first: bool) -> Vec<UnitScores> {
        self.units
            .iter()
            .map(|unit| UnitScores {
                system: usize::from(!first),
                unit: unit.unit.clone(),
                scores: if first {
                    unit.first.clone()
                } else {
                    unit.second.clone()
                },
            })
            .collect()
    }

    fn items_of(&self, id: u8) -> Vec<usize> {
        let items = self.samples.stereotypes.iter().enumerate();
        items.filter(|(_, s)| **s == id).map(|(i, _)| i).collect()
    }
}

/// How differences are resampled and tested, as the signature names it.
pub fn signed(options: &Options) -> String {
    let (rounds, replicates) = (options.rounds, options.replicates);
    format!("paired-bootstrap-normal+randomisation-{rounds}-{replicates}")
}

pub fn rows(
    judged: &Judged<'_>,
    samples: &Samples,
    units: &[UnitScores],
    (first, second): (usize, usize),
) -> Result<Vec<Row>, BenchError> {
    let options = judged.options;
    let incomparable = |message: &str| judged.incomparable(first, second, message);
    let paired = Paired::new(samples, units, first, second);
    if paired.units.is_empty() {
        return Err(incomparable("they share no template"));
    }
    if paired.samples.stereotypes.is_empty() {
        return Err(incomparable("they answered no item in common"));
    }
    let comparison = Comparison {
        system: judged.difference(first, second),
        convention: options.get(&CONVENTION),
        options,
        ours: measure(&paired, false, options)?,
        theirs: measure(&paired, true, options)?,
        paired,
    };
    let mut rows = Vec::new();
    if comparison.paired.units.len() > 1 {
        let all: Vec<usize> = (0..comparison.paired.units.len()).collect();
        comparison.unit_rows("all", &all, &mut rows)?;
    }
    for (index, unit) in comparison.paired.units.iter().enumerate() {
        comparison.unit_rows(unit.unit.as_str(), &[index], &mut rows)?;
    }
    Ok(rows)
}

/// By what was sampled: g_s and q_i of models, f_s, f_m and p_i of translators.
pub fn clustered(
    judged: &Judged<'_>,
    sampled: &Sampled<'_>,
    units: &[UnitScores],
    (first, second): (usize, usize),
) -> Result<Measured, BenchError> {
    let mut contrasts = Contrasts::new(judged, first, second).of(&super::CARD);
    let mut how = Vec::new();
    models(judged, sampled, units, (first, second), &mut contrasts);
    if !contrasts.is_empty() {
        let convention = judged.options.get(&CONVENTION);
        how.push(("convention", convention.to_string()));
    }
    let pairs = judged.pairs(first, second);
    let translated = pairs
        .into_iter()
        .filter(|[(view, _), _]| view.column().scorer == Scorer::Translate);
    for [(view, ours), (_, theirs)] in translated {
        if !how.contains(&("rates", "shares".to_owned())) {
            how.push(("rates", "shares".to_owned()));
        }
        let unit = view.column().unit.as_str();
        let both = |item: usize| ours.cells[item].is_some() && theirs.cells[item].is_some();
        let sides =
            [ours, theirs].map(|verdicts| mt::Shares::new(sampled, verdicts).of_items(both));
        let mut push = |group: &str, metrics, both: [Option<Estimate>; 2], primary| {
            if let [Some(a), Some(b)] = both {
                contrasts.push((unit, group), metrics, [a, b], (1.0, primary));
            }
        };
        let [a, b] = &sides;
        let rates = [a.stereotype_rate()?, b.stereotype_rate()?];
        push("all", ("delta_f_s", "p_value"), rates, true);
        let rates = [a.masculine_rate()?, b.masculine_rate()?];
        push("all", ("delta_f_m", "p_value_f_m"), rates, false);
        for id in sampled.set().numbers() {
            let group = sampled.set().group(id);
            push(
                &group,
                ("delta_p", "p_value"),
                [a.rate(id), b.rate(id)],
                false,
            );
        }
    }
    contrasts.measured(sampled.clusters(), how)
}

/// The units that two models share, on the items both answered.
fn models(
    judged: &Judged<'_>,
    sampled: &Sampled<'_>,
    units: &[UnitScores],
    (first, second): (usize, usize),
    contrasts: &mut Contrasts<'_>,
) {
    let convention = judged.options.get(&CONVENTION);
    let of = |system: usize| units.iter().filter(move |unit| unit.system == system);
    for ours in of(first) {
        let Some(theirs) = of(second).find(|theirs| theirs.unit == ours.unit) else {
            continue;
        };
        // What one of them did not answer is not there for the other either.
        let side = |own: &UnitScores, other: &UnitScores| -> Vec<f64> {
            let scores = own.scores.iter().zip(&other.scores);
            scores
                .map(|(own, other)| if other.is_nan() { f64::NAN } else { *own })
                .collect()
        };
        let sides = [side(ours, theirs), side(theirs, ours)];
        let unit = ours.unit.as_str();
        let mut push =
            |group: &str, metric, rate: &dyn Fn(&[f64]) -> Option<Linearised>, primary| {
                let estimate = |side: usize| {
                    let make = || Some(sampled.factor(rate(&sides[side])?, convention));
                    let system = [first, second][side];
                    match judged.shared {
                        Some(shared) => shared.estimate((unit, group, system), make),
                        None => make(),
                    }
                };
                if let [Some(a), Some(b)] = [0, 1].map(estimate) {
                    contrasts.push((unit, group), (metric, "p_value"), [a, b], (1.0, primary));
                }
            };
        push(
            "all",
            "delta_g_s",
            &|scores| sampled.stereotype_rate(scores),
            true,
        );
        for id in sampled.set().numbers() {
            let rate = |scores: &[f64]| sampled.profile(scores, &sampled.alone(id));
            push(&sampled.set().group(id), "delta_q", &rate, false);
        }
    }
}

fn measure(
    paired: &Paired,
    first: bool,
    options: &Options,
) -> Result<Vec<UnitMeasure>, BenchError> {
    let units = paired.side(first);
    let pool = ResamplePool::new(&paired.samples, &units, options);
    units
        .iter()
        .map(|unit| UnitMeasure::new(&paired.samples, unit, &pool))
        .collect()
}

struct Comparison<'a> {
    system: String,
    convention: Convention,
    options: &'a Options,
    paired: Paired,
    ours: Vec<UnitMeasure>,
    theirs: Vec<UnitMeasure>,
}

impl Comparison<'_> {
    /// The rows of one template, or of the mean over several.
    fn unit_rows(
        &self,
        name: &str,
        units: &[usize],
        rows: &mut Vec<Row>,
    ) -> Result<(), BenchError> {
        let row = |group: &str, metric: &str, value: f64, n: usize| {
            let mut writer = RowWriter::new(&super::CARD, &self.system, name);
            writer.push(group, metric, value).n = Some(n as u64);
            writer.rows.remove(0)
        };
        if let Some(difference) = self.difference(units, &UnitMeasure::stereotype_rate)? {
            let p = self.stereotype_rate_p_value(name, units, difference.value);
            rows.push(difference.row(row("all", "delta_g_s", 0.0, difference.n)));
            rows.push(row("all", "p_value", p, difference.n));
        }
        let mut p_values = Vec::new();
        let mut places = Vec::new();
        let set = &self.paired.samples.set;
        for id in set.numbers() {
            let pick = |measure: &UnitMeasure| measure.stereotypes.get(&id).cloned();
            let Some(difference) = self.difference(units, &pick)? else {
                continue;
            };
            let group = set.group(id);
            let p = self.factor_p_value(name, units, id, difference.value);
            rows.push(difference.row(row(&group, "delta_q", 0.0, difference.n)));
            rows.push(row(&group, "p_value", p, difference.n));
            p_values.push(p);
            places.push((group, difference.n));
        }
        for ((group, n), adjusted) in places.into_iter().zip(holm(&p_values)?) {
            rows.push(row(&group, "p_holm", adjusted, n));
        }
        Ok(())
    }

    /// Mean over `units` of the factor that `pick` finds, ours (the second system's) less theirs.
    fn difference(
        &self,
        units: &[usize],
        pick: &dyn Fn(&UnitMeasure) -> Option<MeanRatio>,
    ) -> Result<Option<Difference>, BenchError> {
        let convention = self.convention;
        let mut value = 0.0;
        let mut replicates = vec![0.0; self.options.replicates];
        let mut n = 0;
        for &unit in units {
            let (Some(ours), Some(theirs)) = (pick(&self.ours[unit]), pick(&self.theirs[unit]))
            else {
                return Ok(None);
            };
            let count = units.len() as f64;
            value += (convention.factor(ours.mean) - convention.factor(theirs.mean)) / count;
            for ((total, ours), theirs) in replicates
                .iter_mut()
                .zip(&ours.replicates)
                .zip(&theirs.replicates)
            {
                *total += (convention.factor(*ours) - convention.factor(*theirs)) / count;
            }
            n = ours.n;
        }
        let interval = if n >= 2 && replicates.len() >= 2 {
            Some(normal_fit_interval(&replicates, LEVEL)?)
        } else {
            None
        };
        Ok(Some(Difference {
            value,
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            n,
        }))
    }

    fn factor_p_value(&self, name: &str, units: &[usize], id: u8, observed: f64) -> f64 {
        let items = self.paired.items_of(id);
        let count = items.len() as f64;
        let columns: Vec<(Vec<f64>, Vec<f64>)> = units
            .iter()
            .map(|&unit| {
                let unit = &self.paired.units[unit];
                let pick = |scores: &[f64]| items.iter().map(|&i| scores[i]).collect();
                (pick(&unit.second), pick(&unit.first))
            })
            .collect();
        let convention = self.convention;
        approximate_randomisation(
            items.len(),
            self.options.rounds as u64,
            self.options.seed,
            &format!("gest/compare/{name}/{}", self.paired.samples.set.group(id)),
            |swapped| {
                let total: f64 = columns
                    .iter()
                    .map(|(first, second)| {
                        let (ours, theirs) = swapped_sums(first, second, swapped);
                        convention.factor(ours / count) - convention.factor(theirs / count)
                    })
                    .sum();
                total / columns.len() as f64
            },
            observed,
        )
    }

    fn stereotype_rate_p_value(&self, name: &str, units: &[usize], observed: f64) -> f64 {
        let convention = self.convention;
        let groups = &self.paired.samples.stereotypes;
        let set = &self.paired.samples.set;
        let mut sizes = vec![0.0; set.slots()];
        for &id in groups {
            sizes[usize::from(id)] += 1.0;
        }
        let rate = |sums: &[f64]| {
            let means: Vec<(u8, f64)> = set
                .numbers()
                .filter(|&id| sizes[usize::from(id)] > 0.0)
                .map(|id| (id, sums[usize::from(id)] / sizes[usize::from(id)]))
                .collect();
            let group =
                |male| group_mean(set, &means, male).expect("g_s has stereotypes of both groups");
            convention.factor(group(true) - group(false))
        };
        approximate_randomisation(
            groups.len(),
            self.options.rounds as u64,
            self.options.seed,
            &format!("gest/compare/{name}/all"),
            |swapped| {
                let total: f64 = units
                    .iter()
                    .map(|&unit| {
                        let unit = &self.paired.units[unit];
                        let mut ours = vec![0.0; set.slots()];
                        let mut theirs = ours.clone();
                        let scores = unit.second.iter().zip(&unit.first);
                        for (((second, first), &swap), &id) in scores.zip(swapped).zip(groups) {
                            let (a, b) = if swap {
                                (first, second)
                            } else {
                                (second, first)
                            };
                            ours[usize::from(id)] += a;
                            theirs[usize::from(id)] += b;
                        }
                        rate(&ours) - rate(&theirs)
                    })
                    .sum();
                total / units.len() as f64
            },
            observed,
        )
    }
}

struct Difference {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
}

impl Difference {
    fn row(&self, row: Row) -> Row {
        Row {
            value: self.value,
            low: self.low,
            high: self.high,
            ..row
        }
    }
}

fn swapped_sums(first: &[f64], second: &[f64], swapped: &[bool]) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for ((first, second), &swap) in first.iter().zip(second).zip(swapped) {
        let (ours, theirs) = if swap {
            (second, first)
        } else {
            (first, second)
        };
        sums.0 += ours;
        sums.1 += theirs;
    }
    sums
}
