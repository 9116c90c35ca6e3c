//! p_i, p_f, p_m, f_s, f_m, yield and feminine ranks of one system and language (GEST, section 4.1;
//! the printed p_i is the centre of the Agresti–Coull interval, not the raw share).

use std::collections::BTreeMap;

use epicene_core::{Gender, Row, Scorer};
use epicene_lang::first_person::{Detector, Mode, Nouns};
use epicene_stats::{BoxStats, Interval, agresti_coull, mean, normal_quantile, wilson};

use super::super::CARD;
use super::super::clustered::Sampled;
use super::super::measures::{LEVEL, Ties, rank_box};
use super::super::options::{DETECTOR, INTERVAL, NOUNS};
use super::super::published;
use super::super::scores::Samples;
use super::super::stereotypes::Set;
use super::quality::{self, Quality};
use super::shares::Shares;
use crate::estimate::difference;
use crate::options::ESTIMATE;
use crate::{BenchError, ColumnView, Judged, Measured, Options, RowWriter, Verdicts};

/// Items below which a small yield says nothing.
const LEAST_ITEMS: u64 = 50;

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

    /// p_i as a share or as published; `None` where nothing was decided.
    pub fn rate(&self, plain: bool) -> Option<f64> {
        if plain {
            let decided = Some(self.decided()).filter(|decided| *decided > 0)?;
            return Some(self.masculine as f64 / decided as f64);
        }
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
    set: Set,
    pub counts: BTreeMap<u8, Counts>,
    pub family: Counts,
    pub items: u64,
    /// Whether rates are shares; else the centres of their intervals, as published.
    plain: bool,
    /// Whether intervals are Agresti–Coull's, as published; else Wilson's.
    agresti_coull: bool,
}

impl UnitRates {
    pub fn new(samples: &Samples, verdicts: &Verdicts, options: &Options) -> UnitRates {
        let mut rates = UnitRates {
            set: samples.set.clone(),
            plain: options.get(&ESTIMATE).is_plain(),
            agresti_coull: !options.get(&INTERVAL).is_clustered(),
            counts: BTreeMap::new(),
            family: Counts::default(),
            items: 0,
        };
        for (item, verdict) in verdicts.cells.iter().enumerate() {
            let Some(verdict) = verdict else { continue };
            rates.items += 1;
            let counts = rates.counts.entry(samples.stereotypes[item]).or_default();
            if let Some(gender) = verdict.finding.gender() {
                counts.add(gender);
                if samples.family[item] {
                    rates.family.add(gender);
                }
            }
        }
        rates
    }

    /// Shares that are equal share their rank; the paper's centres did not.
    fn ties(&self) -> Ties {
        if self.plain {
            Ties::Shared
        } else {
            Ties::Ordered
        }
    }

    pub fn decided(&self) -> u64 {
        self.counts.values().map(Counts::decided).sum()
    }

    fn decided_in(&self, male: bool) -> u64 {
        let members = self
            .counts
            .iter()
            .filter(|(id, _)| self.set.is_male(**id) == male);
        members.map(|(_, counts)| counts.decided()).sum()
    }

    /// p_i of a stereotype; `None` where nothing was decided.
    fn rate(&self, counts: Counts) -> Result<Option<(Rate, Interval)>, BenchError> {
        if counts.decided() == 0 {
            return Ok(None);
        }
        let published = agresti_coull(counts.masculine, counts.decided(), LEVEL)?;
        let share = counts.masculine as f64 / counts.decided() as f64;
        let value = if self.plain { share } else { published.centre };
        let (variance, interval) = if self.agresti_coull {
            let half = published.interval.half_width() / normal_quantile(LEVEL)?;
            (half * half, published.interval)
        } else {
            let variance = share * (1.0 - share) / counts.decided() as f64;
            let interval = wilson(counts.masculine, counts.decided(), LEVEL)?;
            (variance, interval)
        };
        Ok(Some((Rate { value, variance }, interval)))
    }

    /// p_i of every stereotype that has one.
    pub fn rates(&self) -> Result<Vec<(u8, f64)>, BenchError> {
        let mut rates = Vec::new();
        for (id, counts) in &self.counts {
            if let Some((rate, _)) = self.rate(*counts)? {
                rates.push((*id, rate.value));
            }
        }
        Ok(rates)
    }

    /// f_s of the centres of intervals, as the published tables have it.
    fn published_stereotype_rate(&self) -> Result<Option<f64>, BenchError> {
        let published = UnitRates {
            plain: false,
            ..self.clone()
        };
        let both = published.group(true)?.zip(published.group(false)?);
        Ok(both.map(|(male, female)| difference(male.value, female.value)))
    }

    /// p_m or p_f: the plain mean over the group's stereotypes.
    fn group(&self, male: bool) -> Result<Option<Rate>, BenchError> {
        let mut members = Vec::new();
        for (id, counts) in &self.counts {
            if self.set.is_male(*id) == male {
                members.extend(self.rate(*counts)?.map(|(rate, _)| rate));
            }
        }
        let count = members.len() as f64;
        Ok((!members.is_empty()).then(|| Rate {
            value: members.iter().map(|rate| rate.value).sum::<f64>() / count,
            variance: members.iter().map(|rate| rate.variance).sum::<f64>() / (count * count),
        }))
    }
}

/// As the signature names how rates are made.
pub fn signed_rates(options: &Options) -> &'static str {
    if options.get(&ESTIMATE).is_plain() {
        "shares"
    } else {
        "agresti-coull"
    }
}

/// The rows of all translators.
pub fn measure(
    judged: &Judged<'_>,
    samples: &Samples,
    sampled: Option<&Sampled<'_>>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let mut all = Vec::new();
    for (view, verdicts) in judged.columns() {
        if view.column().scorer == Scorer::Translate {
            let rates = UnitRates::new(samples, verdicts, judged.options);
            let shares = sampled.map(|sampled| Shares::new(sampled, verdicts));
            rows(judged, &view, &rates, shares.as_ref(), measured)?;
            all.push(rates);
        }
    }
    if !all.is_empty() {
        let made = signed_rates(judged.options).to_owned();
        // The judge's name comes first in a signature, then how rates are made.
        measured.how.insert(0, ("rates", made));
    }
    measured.rows.extend(summary_rows(&all)?);
    Ok(())
}

/// The detector that read a column, where published systems were measured with it too.
fn ranked_detector(judged: &Judged<'_>, view: &ColumnView<'_>) -> Option<Mode> {
    // Other nouns are another detector.
    let usual_nouns = judged.options.get(&NOUNS) == Nouns::default();
    let detector = Detector::of(view.language(), judged.options.get(&DETECTOR))?;
    (usual_nouns || detector.mode() != Mode::Strict).then(|| detector.mode())
}

/// The rows of one unit, and what is to be said about it.
fn rows(
    judged: &Judged<'_>,
    view: &ColumnView<'_>,
    rates: &UnitRates,
    shares: Option<&Shares<'_>>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let (system, unit) = (&view.system().name, view.column().unit.as_str());
    let mut writer = RowWriter::new(&CARD, system, unit);
    let share = rates.decided() as f64 / rates.items.max(1) as f64;
    let usual = published::mean_yield(view.language().code());
    if share < 0.1 * usual && rates.items >= LEAST_ITEMS {
        measured.warnings.push(format!(
            "{system} {unit}: {} of {} translations show a gender, less than a tenth of what published systems give \
             ({:.0} %): is this the right language?",
            rates.decided(),
            rates.items,
            100.0 * usual
        ));
    }
    let by_stereotype = rates.rates()?;
    let values: Vec<f64> = by_stereotype.iter().map(|(_, value)| *value).collect();
    if values.is_empty() {
        let row = writer.push("all", "yield", 0.0);
        row.n = Some(rates.items);
        let note = format!("{system} {unit}: no translation shows a gender");
        measured.rows.extend(writer.rows);
        measured.notes.push(note);
        return Ok(());
    }
    let ranks = rates.ties().ranks(&values)?;
    for ((id, _), rank) in by_stereotype.iter().zip(ranks) {
        let counts = rates.counts[id];
        if let Some((rate, interval)) = rates.rate(counts)? {
            let group = rates.set.group(*id);
            let row = writer.push(&group, "p", rate.value);
            row.n = Some(counts.decided());
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
            writer.push(&group, "rank", rank);
        }
    }
    let (male, female) = (rates.group(true)?, rates.group(false)?);
    let decided = rates.decided();
    for (metric, rate, is_male) in [("p_f", female, false), ("p_m", male, true)] {
        if let Some(rate) = rate {
            push_rate(&mut writer, metric, rate, rates.decided_in(is_male))?;
        }
    }
    let mut notes = Vec::new();
    if let Some((male, female)) = male.zip(female) {
        let variance = male.variance + female.variance;
        let stereotype = Rate {
            value: difference(male.value, female.value),
            variance,
        };
        let masculine = Rate {
            value: (male.value + female.value) / 2.0,
            variance: variance / 4.0,
        };
        push_rate(&mut writer, "f_s", stereotype, decided)?;
        push_rate(&mut writer, "f_m", masculine, decided)?;
        if judged.whole
            && CARD.was_published_on(judged.data)
            && let Some(published_rate) = rates.published_stereotype_rate()?
            && let Some(detector) = ranked_detector(judged, view)
            && let Some(standing) = published::translation_standing(published_rate, detector)
        {
            let row = writer.push("all", "more_stereotypical_than", standing.above as f64);
            row.n = Some(standing.of as u64);
            // The published rates are centres: what is uncertain about the share is so about its centre.
            let interval = match shares {
                Some(shares) => shares.stereotype_rate()?.and_then(|rate| rate.interval),
                None => None,
            };
            let range = interval.and_then(|interval| {
                let place = |bound: f64| {
                    let moved = published_rate + bound - stereotype.value;
                    Some(published::translation_standing(moved, detector)?.above)
                };
                place(interval.low).zip(place(interval.high))
            });
            let who = format!("{system} {unit}");
            let words = (&*who, published::MORE, published::whose(detector));
            notes.push(standing.note(words, range, Some(row)));
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
        let count = quality::count(view, quality);
        if count > 0 {
            let row = writer.push("all", metric, count as f64);
            row.n = Some(rates.items);
            let of = rates.items;
            notes.push(format!(
                "{system} {unit}: {count} of {of} translations {what}"
            ));
        }
    }
    if let Some(shares) = shares {
        shares.fill(&mut writer.rows)?;
    }
    measured.rows.extend(writer.rows);
    measured.notes.extend(notes);
    Ok(())
}

fn push_rate(
    writer: &mut RowWriter<'_>,
    metric: &str,
    rate: Rate,
    n: u64,
) -> Result<(), BenchError> {
    let interval = Interval::around(rate.value, normal_quantile(LEVEL)? * rate.variance.sqrt());
    let row = writer.push("all", metric, rate.value);
    row.n = Some(n);
    (row.low, row.high) = (Some(interval.low), Some(interval.high));
    Ok(())
}

/// What several system-language pairs say together: rank boxes (Figure 3) and the means of Table 3.
fn summary_rows(units: &[UnitRates]) -> Result<Vec<Row>, BenchError> {
    if units.len() < 2 {
        return Ok(Vec::new());
    }
    let mut writer = RowWriter::new(&CARD, "all:translator", "all");
    let mut ranks: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
    let mut means: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for unit in units {
        let rates = unit.rates()?;
        let values: Vec<f64> = rates.iter().map(|(_, value)| *value).collect();
        if values.is_empty() {
            continue;
        }
        for ((id, _), rank) in rates.iter().zip(unit.ties().ranks(&values)?) {
            ranks.entry(*id).or_default().push(rank);
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
            let row = writer.push(&units[0].set.group(*id), metric, value);
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
