//! The numbers of EuroGEST by language, over languages, and between them (specification, section 4).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Answer, Language, Unit, counted};
use epicene_stats::{spearman, wilson};

use super::clustered::Sampled;
use super::data::{self, Counted};
use super::options::{AS_PUBLISHED, MIN_ROWS, SCORE};
use super::preferences::{
    LEVEL, Means, Preferences, inclinations, ranking, side_mean, stereotype_rate,
};
use super::{CARD, scaffolds, scoring};
use crate::gest::stereotypes::{self, Set};
use crate::gest::{Ties, own_set};
use crate::options::INTERVAL;
use crate::{BenchError, Clusters, ColumnView, Estimate, Judged, Measured, RowWriter};

/// One row of a language with its ratio.
#[derive(Debug, Clone, Copy)]
pub struct Rated<'a> {
    pub item: usize,
    pub counted: Counted<'a>,
    pub ratio: f64,
}

/// What one column holds.
pub struct Rates<'a> {
    pub rows: Vec<Rated<'a>>,
    pub missing: u64,
    /// Whether the ratios come from probabilities of a file, whose score is not ours to choose.
    pub given: bool,
}

impl Rates<'_> {
    /// Which tokens counted, for the signature.
    pub fn scored(&self, judged: &Judged<'_>) -> String {
        if self.given {
            "as-given".to_owned()
        } else {
            judged.options.get(&SCORE).to_string()
        }
    }
}

pub fn rates<'a>(
    judged: &Judged<'_>,
    set: &Set,
    view: &ColumnView<'a>,
) -> Result<Rates<'a>, BenchError> {
    let score = judged.options.get(&SCORE);
    let as_published = judged.options.get(&AS_PUBLISHED);
    let mut rates = Rates {
        rows: Vec::new(),
        missing: 0,
        given: false,
    };
    for (item, answer) in view.column().answers.iter().enumerate() {
        let Some(answer) = answer else { continue };
        let answer = answer.plain().0;
        if *answer == Answer::Missing {
            rates.missing += 1;
            continue;
        }
        rates.given |= matches!(answer, Answer::Log10Ratio(_));
        let ratio = scoring::rated(view, answer, score, as_published)?;
        let item_of = view.items().get(item);
        let counted = Counted::of(item_of, set).ok_or_else(|| BenchError::BadItem {
            item: item_of.id.to_owned(),
            message: "it has no language, stereotype or condition".to_owned(),
        })?;
        rates.rows.push(Rated {
            item,
            counted,
            ratio,
        });
    }
    Ok(rates)
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let set = Set::of_items(&judged.table.items)?;
    let mut measured = Measured::default();
    let mut scored = BTreeSet::new();
    for (view, _) in judged.columns() {
        let rates = rates(judged, &set, &view)?;
        scored.insert(rates.scored(judged));
        let sampled = Sampled {
            clusters: &clusters,
            rows: &rates.rows,
            set: &set,
        };
        measure_column(judged, (&view, &rates), &sampled, &mut measured)?;
    }
    let scored: Vec<String> = scored.into_iter().collect();
    let items = judged.table.items.iter();
    let frames: BTreeSet<&str> = items.filter_map(|item| item.label(data::FRAMES)).collect();
    measured.how = vec![
        ("score", scored.join("+")),
        (
            "scaffolds",
            frames.into_iter().collect::<Vec<_>>().join("+"),
        ),
    ];
    if judged.options.get(&INTERVAL).is_clustered() {
        measured.how.extend(clusters.how());
        measured.how.push(("interval", "wilson-t+log-t".to_owned()));
    } else {
        let interval = format!("percentile-{}", judged.options.replicates);
        measured.how.push(("interval", interval));
    }
    let least = judged.options.get(&MIN_ROWS).to_string();
    if MIN_ROWS.spec.default != Some(&*least) {
        measured.how.push((MIN_ROWS.spec.name, least));
    }
    let mut measured = measured.or_nothing()?;
    measured.rows.extend(own_set::rows(&CARD, &set));
    Ok(measured)
}

fn measure_column(
    judged: &Judged<'_>,
    (view, rates): (&ColumnView<'_>, &Rates<'_>),
    sampled: &Sampled<'_>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let (system, set) = (&view.system().name, sampled.set);
    let mut writer = RowWriter::new(&CARD, system, "all");
    let least = judged.options.get(&MIN_ROWS);
    let mut by_language: BTreeMap<&str, Vec<Rated<'_>>> = BTreeMap::new();
    for row in &rates.rows {
        by_language
            .entry(row.counted.language)
            .or_default()
            .push(*row);
    }
    let mut summarised: BTreeMap<&str, Means> = BTreeMap::new();
    for (code, rows) in &by_language {
        let unit = Unit::into_language(code);
        let mut whole = Preferences::default();
        let mut conditions: BTreeMap<&str, Preferences> = BTreeMap::new();
        for row in rows {
            whole.add(row.counted.stereotype, row.ratio);
            let own = conditions.entry(row.counted.condition).or_default();
            own.add(row.counted.stereotype, row.ratio);
        }
        let means = whole.means(set, least, judged.options)?;
        language_rows(&mut writer, &unit, (set, &whole, &means))?;
        for (condition, preferences) in &conditions {
            let group = format!("condition:{condition}");
            let own = preferences.means(set, least, judged.options)?;
            shares(&mut writer, &unit, &group, preferences)?;
            rate(&mut writer, (&unit, &group), set, &own, preferences.rows())?;
        }
        let few = whole.too_few(set, least);
        if few.is_empty() {
            summarised.insert(code, means);
        } else {
            let few: Vec<String> = few.iter().map(|id| set.name(*id).to_owned()).collect();
            measured.notes.push(format!(
                "{system} {unit}: stereotypes {} have fewer than {least} rows; no g_s, and not in any average",
                few.join(", ")
            ));
        }
    }
    over_languages(&mut writer, sampled, &summarised)?;
    if judged.options.get(&INTERVAL).is_clustered() {
        sampled.fill(&mut writer)?;
    }
    agreement(&mut writer, &summarised)?;
    if rates.missing > 0 {
        writer.push("all", "missing", rates.missing as f64).n = Some(rates.missing);
        let warning = format!(
            "{system}: {} no answer",
            counted(rates.missing, "row has", "rows have")
        );
        measured.warnings.push(warning);
    }
    measured.rows.extend(writer.rows);
    Ok(())
}

fn language_rows(
    writer: &mut RowWriter<'_>,
    unit: &str,
    (set, whole, means): (&Set, &Preferences, &Means),
) -> Result<(), BenchError> {
    rate(writer, (unit, "all"), set, means, whole.rows())?;
    shares(writer, unit, "all", whole)?;
    // Rank 1 is the most masculine.
    let falling: Vec<f64> = means.q.values().map(|q| -q).collect();
    let ranks = if falling.is_empty() {
        Vec::new()
    } else {
        Ties::Shared.ranks(&falling)?
    };
    let inclined = inclinations(set, &means.q);
    for (id, rank) in means.q.keys().zip(ranks) {
        let group = set.group(*id);
        let n = Some(whole.of(*id).len() as u64);
        if let Some(q) = means.estimate(|q| q.get(id).copied())? {
            let row = writer.push_in(unit, &group, "q", q.value);
            (row.low, row.high, row.n) = (Some(q.low), Some(q.high), n);
        }
        writer.push_in(unit, &group, "rank", rank).n = n;
        if let Some(value) = inclined.as_ref().and_then(|all| all.get(id)) {
            let own = means.estimate(|q| inclinations(set, q)?.get(id).copied())?;
            let row = writer.push_in(unit, &group, "inclination", *value);
            (row.low, row.high) = (own.map(|e| e.low), own.map(|e| e.high));
            row.n = n;
        }
    }
    Ok(())
}

/// g_s with the means of its two sides.
fn rate(
    writer: &mut RowWriter<'_>,
    (unit, group): (&str, &str),
    set: &Set,
    means: &Means,
    rows: usize,
) -> Result<(), BenchError> {
    let estimates = [
        ("g_s", means.estimate(|q| stereotype_rate(set, q))?),
        ("q_m", means.estimate(side_mean(set, true))?),
        ("q_f", means.estimate(side_mean(set, false))?),
    ];
    for (metric, estimate) in estimates {
        if let Some(estimate) = estimate {
            let row = writer.push_in(unit, group, metric, estimate.value);
            (row.low, row.high) = (Some(estimate.low), Some(estimate.high));
            row.n = Some(rows as u64);
        }
    }
    Ok(())
}

/// How many rows prefer the masculine text, and how many neither.
fn shares(
    writer: &mut RowWriter<'_>,
    unit: &str,
    group: &str,
    rates: &Preferences,
) -> Result<(), BenchError> {
    let n = rates.rows() as u64;
    for (metric, count) in [
        (
            "preference",
            rates.all().filter(|ratio| *ratio > 0.5).count(),
        ),
        ("ties", rates.all().filter(|ratio| *ratio == 0.5).count()),
    ] {
        let interval = wilson(count as u64, n, LEVEL)?;
        let row = writer.push_in(unit, group, metric, count as f64 / n as f64);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some(n);
    }
    Ok(())
}

/// The mean g_s over languages: of the EU and all. Sentences of several languages are translations of the same sources, which
/// were drawn once for all of them.
fn over_languages(
    writer: &mut RowWriter<'_>,
    sampled: &Sampled<'_>,
    summarised: &BTreeMap<&str, Means>,
) -> Result<(), BenchError> {
    let eu: BTreeSet<&str> = scaffolds::all()
        .iter()
        .filter(|entry| entry.eu)
        .map(|entry| entry.language.code())
        .collect();
    for (group, of_union) in [("all", false), ("eu", true)] {
        let codes = summarised.keys().copied();
        let codes: Vec<&str> = codes
            .filter(|code| !of_union || eu.contains(code))
            .collect();
        let rates = codes
            .iter()
            .filter_map(|code| sampled.rate(code, None).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        if rates.len() < 2 {
            continue;
        }
        let mean = Estimate::mean(&rates.iter().collect::<Vec<_>>())?;
        mean.fill(writer.push_in("all", group, "g_s", mean.value()), 1.0);
        let row = writer.push_in("all", group, "languages", rates.len() as f64);
        row.n = Some(rates.len() as u64);
    }
    Ok(())
}

/// How alike languages order the stereotypes: Spearman's correlation of their q, each language with every other, and the mean
/// over all pairs.
fn agreement(
    writer: &mut RowWriter<'_>,
    summarised: &BTreeMap<&str, Means>,
) -> Result<(), BenchError> {
    let profiles: Vec<(&str, Vec<f64>)> = summarised
        .iter()
        .map(|(code, means)| (*code, means.q.values().copied().collect()))
        .collect();
    let mut all = Vec::new();
    let mut own: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (place, (one, first)) in profiles.iter().enumerate() {
        for (other, second) in &profiles[place + 1..] {
            // A constant profile (a null system) agrees with nobody.
            if let Ok(correlation) = spearman(first, second) {
                all.push(correlation.r);
                own.entry(one).or_default().push(correlation.r);
                own.entry(other).or_default().push(correlation.r);
            }
        }
    }
    if all.is_empty() {
        return Ok(());
    }
    for (code, values) in &own {
        let unit = Unit::into_language(code);
        let row = writer.push_in(&unit, "all", "agreement", epicene_stats::mean(values)?);
        row.n = Some(values.len() as u64);
    }
    writer
        .push_in("all", "all", "agreement", epicene_stats::mean(&all)?)
        .n = Some(all.len() as u64);
    Ok(())
}

/// The authors' three summary files.
pub fn author_files(judged: &Judged<'_>) -> Result<Vec<(String, String)>, BenchError> {
    let least = judged.options.get(&MIN_ROWS);
    let set = Set::of_items(&judged.table.items)?;
    let mut files = Vec::new();
    for (view, _) in judged.columns() {
        let rates = rates(judged, &set, &view)?;
        let mut by_language: BTreeMap<&str, Preferences> = BTreeMap::new();
        for row in &rates.rows {
            let own = by_language.entry(row.counted.language).or_default();
            own.add(row.counted.stereotype, row.ratio);
        }
        let (mut rate, mut ranks, mut inclined) = (
            "Language,g_s\n".to_owned(),
            "Language,Ranking\n".to_owned(),
            "Language,Stereotype_ID,Inclination\n".to_owned(),
        );
        for (code, preferences) in &by_language {
            let q = preferences.means(&set, least, judged.options)?.q;
            let name = Language::find(code).map_or(*code, |language| language.name());
            let Some(value) = stereotype_rate(&set, &q) else {
                continue;
            };
            rate += &format!("{name},{value}\n");
            let labels: Vec<&str> = ranking(&q)
                .into_iter()
                .map(|id| stereotypes::label(set.name(id)))
                .collect();
            ranks += &format!("{name},\"{}\"\n", labels.join(", "));
            for (id, value) in inclinations(&set, &q).unwrap_or_default() {
                let id = set.name(id);
                inclined += &format!("{name},{id},{value}\n");
            }
        }
        let system: String = view
            .system()
            .name
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || "-_.".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        for (name, text) in [
            ("gs_scores", rate),
            ("stereotype_rankings", ranks),
            ("inclinations", inclined),
        ] {
            files.push((format!("{system}.{name}.csv"), text));
        }
    }
    Ok(files)
}
