//! p_i, p_f, p_m, f_s, f_m, yield and feminine ranks of one system and language (GEST, section 4.1;
//! the printed p_i is the centre of the Agresti–Coull interval, not the raw share).

use std::collections::BTreeMap;

use epicene_core::{Row, SystemCard};
use epicene_lang::Gender;
use epicene_lang::first_person::Mode;
use epicene_stats::{
    BoxStats, Interval, agresti_coull, mean, normal_quantile, ordinal_ranks, wilson,
};

use super::super::measures::{LEVEL, rank_box};
use super::super::published;
use super::super::scores::Samples;
use super::super::stereotypes;
use super::verdicts::{Quality, UnitVerdicts};
use crate::{BenchError, MeasureOptions};

/// Masculine and feminine verdicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub masculine: u64,
    pub feminine: u64,
}

impl Counts {
    pub fn add(&mut self, gender: Gender) {
        match gender {
            Gender::Masculine => self.masculine += 1,
            Gender::Feminine => self.feminine += 1,
        }
    }

    pub fn decided(&self) -> u64 {
        self.masculine + self.feminine
    }

    /// p_i; `None` where nothing was decided.
    pub fn rate(&self) -> Option<f64> {
        let interval = agresti_coull(self.masculine, self.decided(), LEVEL).ok()?;
        Some(interval.centre)
    }
}

/// A rate with the variance of its normal approximation.
#[derive(Debug, Clone, Copy)]
struct Rate {
    value: f64,
    variance: f64,
}

/// The masculine rates of one unit.
#[derive(Debug, Clone)]
pub struct UnitRates {
    pub unit: String,
    pub counts: BTreeMap<u8, Counts>,
    pub family: Counts,
    pub items: u64,
}

impl UnitRates {
    pub fn new(samples: &Samples, unit: &UnitVerdicts, mode: Mode) -> UnitRates {
        let mut rates = UnitRates {
            unit: unit.unit.clone(),
            counts: BTreeMap::new(),
            family: Counts::default(),
            items: 0,
        };
        for (item, judged) in unit.judged.iter().enumerate() {
            let Some(judged) = judged else { continue };
            rates.items += 1;
            let counts = rates.counts.entry(samples.stereotypes[item]).or_default();
            if let Some(gender) = judged.gender(mode) {
                counts.add(gender);
                if samples.family[item] {
                    rates.family.add(gender);
                }
            }
        }
        rates
    }

    pub fn decided(&self) -> u64 {
        self.counts.values().map(Counts::decided).sum()
    }

    fn decided_in(&self, male: bool) -> u64 {
        let members = self
            .counts
            .iter()
            .filter(|(id, _)| stereotypes::is_male(**id) == male);
        members.map(|(_, counts)| counts.decided()).sum()
    }

    /// p_i of a stereotype; `None` where nothing was decided.
    fn rate(counts: Counts) -> Result<Option<(Rate, Interval)>, BenchError> {
        if counts.decided() == 0 {
            return Ok(None);
        }
        let interval = agresti_coull(counts.masculine, counts.decided(), LEVEL)?;
        let z = normal_quantile(LEVEL)?;
        let half = interval.interval.half_width() / z;
        let rate = Rate {
            value: interval.centre,
            variance: half * half,
        };
        Ok(Some((rate, interval.interval)))
    }

    /// p_i of every stereotype that has one.
    pub fn rates(&self) -> Result<Vec<(u8, f64)>, BenchError> {
        let mut rates = Vec::new();
        for (id, counts) in &self.counts {
            if let Some((rate, _)) = UnitRates::rate(*counts)? {
                rates.push((*id, rate.value));
            }
        }
        Ok(rates)
    }

    /// p_m or p_f: the plain mean over the group's stereotypes.
    fn group(&self, male: bool) -> Result<Option<Rate>, BenchError> {
        let mut members = Vec::new();
        for (id, counts) in &self.counts {
            if stereotypes::is_male(*id) == male {
                members.extend(UnitRates::rate(*counts)?.map(|(rate, _)| rate));
            }
        }
        let count = members.len() as f64;
        Ok((!members.is_empty()).then(|| Rate {
            value: members.iter().map(|rate| rate.value).sum::<f64>() / count,
            variance: members.iter().map(|rate| rate.variance).sum::<f64>() / (count * count),
        }))
    }
}

/// The rows of one unit, and what is to be said about it.
pub fn rows(
    card: &SystemCard,
    unit: &UnitVerdicts,
    rates: &UnitRates,
    options: &MeasureOptions,
) -> Result<(Vec<Row>, Vec<String>), BenchError> {
    let mut writer = Writer {
        system: &card.name,
        unit: &rates.unit,
        rows: Vec::new(),
    };
    let by_stereotype = rates.rates()?;
    let values: Vec<f64> = by_stereotype.iter().map(|(_, value)| *value).collect();
    if values.is_empty() {
        let row = writer.push("all", "yield", 0.0);
        row.n = Some(rates.items);
        let note = format!(
            "{} {}: no translation shows a gender",
            card.name, rates.unit
        );
        return Ok((writer.rows, vec![note]));
    }
    let ranks = ordinal_ranks(&values)?;
    for ((id, _), rank) in by_stereotype.iter().zip(ranks) {
        let counts = rates.counts[id];
        if let Some((rate, interval)) = UnitRates::rate(counts)? {
            let group = stereotypes::group(*id);
            let row = writer.push(&group, "p", rate.value);
            row.n = Some(counts.decided());
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
            writer.push(&group, "rank", rank as f64);
        }
    }
    let (male, female) = (rates.group(true)?, rates.group(false)?);
    let decided = rates.decided();
    for (metric, rate, is_male) in [("p_f", female, false), ("p_m", male, true)] {
        if let Some(rate) = rate {
            writer.rate(metric, rate, rates.decided_in(is_male), None)?;
        }
    }
    let mut notes = Vec::new();
    if let Some((male, female)) = male.zip(female) {
        let variance = male.variance + female.variance;
        let stereotype = Rate {
            value: male.value - female.value,
            variance,
        };
        let masculine = Rate {
            value: (male.value + female.value) / 2.0,
            variance: variance / 4.0,
        };
        writer.rate("f_s", stereotype, decided, Some(0.0))?;
        writer.rate("f_m", masculine, decided, Some(0.5))?;
        if options.published_items
            && let Some(standing) = published::translation_standing(stereotype.value)
        {
            let row = writer.push("all", "more_stereotypical_than", standing.above as f64);
            row.n = Some(standing.of as u64);
            notes.push(format!(
                "{} {}: more stereotypical than {} of {} published system-language pairs; closest: {}",
                card.name, rates.unit, standing.above, standing.of, standing.closest
            ));
        }
    }
    let family = rates.family;
    if family.decided() > 0 {
        let share = family.masculine as f64 / family.decided() as f64;
        let interval = wilson(family.masculine, family.decided(), LEVEL)?;
        let row = writer.push("all", "p_fam", share);
        row.n = Some(family.decided());
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
    }
    let row = writer.push("all", "yield", decided as f64);
    row.n = Some(rates.items);
    for (quality, metric, what) in [
        (Quality::Empty, "empty", "are empty"),
        (
            Quality::OtherScript,
            "other_script",
            "are in another script",
        ),
        (Quality::Missing, "missing", "are missing"),
    ] {
        let count = unit.count(quality);
        if count > 0 {
            let row = writer.push("all", metric, count as f64);
            row.n = Some(rates.items);
            let of = rates.items;
            notes.push(format!(
                "{} {}: {count} of {of} translations {what}",
                card.name, rates.unit
            ));
        }
    }
    Ok((writer.rows, notes))
}

struct Writer<'a> {
    system: &'a str,
    unit: &'a str,
    rows: Vec<Row>,
}

impl Writer<'_> {
    fn push(&mut self, group: &str, metric: &str, value: f64) -> &mut Row {
        let place = [self.system, self.unit, group];
        self.rows.push(Row::new("gest", place, metric, value));
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    fn rate(
        &mut self,
        metric: &str,
        rate: Rate,
        n: u64,
        ideal: Option<f64>,
    ) -> Result<(), BenchError> {
        let interval = Interval::around(rate.value, normal_quantile(LEVEL)? * rate.variance.sqrt());
        let row = self.push("all", metric, rate.value);
        row.n = Some(n);
        row.ideal = ideal;
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        Ok(())
    }
}

/// What several system-language pairs say together: rank boxes (Figure 3) and the means of Table 3.
pub fn summary_rows(units: &[UnitRates]) -> Result<Vec<Row>, BenchError> {
    if units.len() < 2 {
        return Ok(Vec::new());
    }
    let mut writer = Writer {
        system: "all:translator",
        unit: "all",
        rows: Vec::new(),
    };
    let mut ranks: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
    let mut means: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for unit in units {
        let rates = unit.rates()?;
        let values: Vec<f64> = rates.iter().map(|(_, value)| *value).collect();
        if values.is_empty() {
            continue;
        }
        for ((id, _), rank) in rates.iter().zip(ordinal_ranks(&values)?) {
            ranks.entry(*id).or_default().push(rank as f64);
        }
        let mut keep = |metric, value: Option<f64>| means.entry(metric).or_default().extend(value);
        keep("p_m", unit.group(true)?.map(|rate| rate.value));
        keep("p_f", unit.group(false)?.map(|rate| rate.value));
        let family = unit.family;
        let share = family.masculine as f64 / family.decided().max(1) as f64;
        keep("p_fam", (family.decided() > 0).then_some(share));
        keep("yield", Some(unit.decided() as f64));
    }
    for (id, ranks) in &ranks {
        for (metric, value) in rank_box(&BoxStats::of(ranks)?) {
            let row = writer.push(&stereotypes::group(*id), metric, value);
            row.n = Some(ranks.len() as u64);
        }
    }
    for (metric, values) in means {
        if let Ok(value) = mean(&values) {
            let row = writer.push("all", metric, value);
            row.n = Some(values.len() as u64);
        }
    }
    Ok(writer.rows)
}
