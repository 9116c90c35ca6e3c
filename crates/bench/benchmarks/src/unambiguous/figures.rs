//! What several languages say together: the paper's Figures 1 to 7 as rows (specification, section
//! 6). `languages:mean` averages the rounded proportions of the languages, `languages:sum` pools
//! their sentences; metrics end in the configuration, `correct_fm`.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::Gender;
use epicene_stats::paired_permutation_test;

use super::CARD;
use super::cells::Cells;
use super::counts::Counts;
use super::labels::Position;
use super::measures::{CONFIGURATIONS, position_name};
use super::sentences::Sentences;
use super::words::words;
use crate::{BenchError, Options, RowWriter};

pub const MEAN: &str = "languages:mean";
pub const SUM: &str = "languages:sum";

/// Shares by configuration of one thing (an occupation, an adjective, a position).
type ByConfiguration = BTreeMap<&'static str, [f64; 3]>;

fn metric(outcome: &str, configuration: &str) -> String {
    format!("{outcome}_{}", configuration.to_lowercase())
}

/// The rows of one system over its languages.
pub fn rows(
    system: &str,
    items: &Sentences,
    languages: &[&Cells],
    options: &Options,
) -> Result<Vec<epicene_core::Row>, BenchError> {
    let mut writer = RowWriter::new(&CARD, system, MEAN);
    let n = languages.len() as u64;
    // Figure 1.
    let simple: Vec<BTreeMap<&'static str, Counts>> = languages
        .iter()
        .map(|cells| cells.sum(items, |seen| seen.configuration()))
        .collect();
    write_means(&mut writer, "all", &mean_of_rounded(&simple), n);
    // Figure 2; the paper leaves the cook out.
    let by_occupation: Vec<BTreeMap<(String, &'static str), Counts>> = languages
        .iter()
        .map(|cells| {
            cells.sum(items, |seen| {
                let occupation = seen.occupation.filter(|name| *name != "cook")?;
                Some((occupation.to_owned(), seen.configuration()?))
            })
        })
        .collect();
    let names: BTreeSet<&String> = by_occupation
        .iter()
        .flat_map(|language| language.keys().map(|(name, _)| name))
        .collect();
    let mut occupations = Vec::new();
    for name in names {
        let of_name: Vec<BTreeMap<&'static str, Counts>> = by_occupation
            .iter()
            .map(|language| {
                let ours = language.iter().filter(|((other, _), _)| other == name);
                ours.map(|((_, configuration), counts)| (*configuration, *counts))
                    .collect()
            })
            .collect();
        let means = mean_of_rounded(&of_name);
        write_means(&mut writer, &format!("occupation:{name}"), &means, n);
        occupations.push(means);
    }
    write_means(&mut writer, "occupation:avg", &mean_of(&occupations), n);
    // Figure 5: triggers alone, for occupations without a stereotype.
    for (name, trigger) in [
        ("trigger:M", Gender::Masculine),
        ("trigger:F", Gender::Feminine),
    ] {
        let of_trigger: Vec<[f64; 3]> = languages
            .iter()
            .filter_map(|cells| {
                let sums = cells.sum(items, |seen| (seen.expected == trigger).then_some(()));
                sums.get(&()).map(Counts::rounded)
            })
            .collect();
        if let Some(means) = mean_shares(&of_trigger) {
            for (outcome, value) in ["correct", "wrong", "na"].into_iter().zip(means) {
                // A mean of rounded shares has no ideal of its own.
                let row = writer.push(name, outcome, value);
                (row.n, row.ideal) = (Some(n), None);
            }
        }
    }
    greater_delta(&mut writer, &simple, options)?;
    writer.unit = SUM;
    // Figure 4.
    let mut positions = Vec::new();
    for position in [Position::Before, Position::Middle, Position::After] {
        let pooled = pool(languages.iter().map(|cells| {
            cells.sum(items, |seen| {
                let here = seen.features.position == Some(position);
                seen.configuration().filter(|_| here)
            })
        }));
        let shares = shares_of(&pooled);
        write_means(
            &mut writer,
            &format!("position:{}", position_name(position)),
            &shares,
            n,
        );
        if !shares.is_empty() {
            positions.push(shares);
        }
    }
    write_means(&mut writer, "position:avg", &mean_of(&positions), n);
    // Figures 3, 6 and 7, counted as the authors count there.
    for (figure, place) in [
        ("figure3", None),
        ("figure6", Some(true)),
        ("figure7", Some(false)),
    ] {
        let pooled = pool(languages.iter().map(|cells| {
            cells.sum_of(
                items,
                |cell| cell.figure,
                |seen| {
                    let adjective = seen
                        .adjective
                        .filter(|name| words().adjectives.get(*name) == Some(&true))?;
                    let here = place.is_none_or(|on| on == seen.features.on_occupation);
                    let configuration = seen.configuration()?;
                    here.then(|| (adjective.to_owned(), configuration))
                },
            )
        }));
        let mut by_adjective: BTreeMap<&str, BTreeMap<&'static str, Counts>> = BTreeMap::new();
        for ((adjective, configuration), counts) in &pooled {
            by_adjective
                .entry(adjective)
                .or_default()
                .insert(configuration, *counts);
        }
        let mut all = Vec::new();
        for (adjective, counts) in by_adjective {
            let shares = shares_of(&counts);
            write_means(&mut writer, &format!("{figure}:{adjective}"), &shares, n);
            all.push(shares);
        }
        write_means(&mut writer, &format!("{figure}:avg"), &mean_of(&all), n);
    }
    Ok(writer.rows)
}

fn pool<K: Ord>(languages: impl Iterator<Item = BTreeMap<K, Counts>>) -> BTreeMap<K, Counts> {
    let mut pooled: BTreeMap<K, Counts> = BTreeMap::new();
    for language in languages {
        for (key, counts) in language {
            pooled.entry(key).or_default().join(counts);
        }
    }
    pooled
}

fn shares_of(counts: &BTreeMap<&'static str, Counts>) -> ByConfiguration {
    let some = counts.iter().filter(|(_, counts)| counts.total() > 0);
    some.map(|(configuration, counts)| {
        let total = counts.total() as f64;
        (
            *configuration,
            counts.each().map(|count| count as f64 / total),
        )
    })
    .collect()
}

/// The unweighted mean over languages of proportions already rounded.
fn mean_of_rounded(languages: &[BTreeMap<&'static str, Counts>]) -> ByConfiguration {
    let rounded: Vec<ByConfiguration> = languages
        .iter()
        .map(|language| {
            let some = language.iter().filter(|(_, counts)| counts.total() > 0);
            some.map(|(configuration, counts)| (*configuration, counts.rounded()))
                .collect()
        })
        .collect();
    mean_of(&rounded)
}

fn mean_of(members: &[ByConfiguration]) -> ByConfiguration {
    let mut means = ByConfiguration::new();
    for configuration in CONFIGURATIONS {
        let shares: Vec<[f64; 3]> = members
            .iter()
            .filter_map(|member| member.get(configuration).copied())
            .collect();
        if let Some(mean) = mean_shares(&shares) {
            means.insert(configuration, mean);
        }
    }
    means
}

fn mean_shares(shares: &[[f64; 3]]) -> Option<[f64; 3]> {
    let count = shares.len() as f64;
    let mean = |place: usize| shares.iter().map(|share| share[place]).sum::<f64>() / count;
    (!shares.is_empty()).then(|| [mean(0), mean(1), mean(2)])
}

fn write_means(writer: &mut RowWriter<'_>, group: &str, means: &ByConfiguration, n: u64) {
    for configuration in CONFIGURATIONS {
        let Some(shares) = means.get(configuration) else {
            continue;
        };
        for (outcome, value) in ["correct", "wrong", "na"].into_iter().zip(shares) {
            let row = writer.push(group, &metric(outcome, configuration), *value);
            row.n = Some(n);
        }
    }
}

/// Whether ΔF exceeds ΔM over the languages: a sign-flip permutation test of their differences.
fn greater_delta(
    writer: &mut RowWriter<'_>,
    languages: &[BTreeMap<&'static str, Counts>],
    options: &Options,
) -> Result<(), BenchError> {
    let differences: Vec<f64> = languages
        .iter()
        .filter_map(|language| {
            let accuracy = |configuration| language.get(configuration).and_then(Counts::accuracy);
            let delta_f = accuracy("FF")? - accuracy("FM")?;
            Some(delta_f - (accuracy("MM")? - accuracy("MF")?))
        })
        .collect();
    if differences.len() < 2 {
        return Ok(());
    }
    let stream = format!("unambiguous/{}/languages", writer.system);
    let limit = options.rounds as u64;
    let test = paired_permutation_test(&differences, limit, options.seed, &stream)?;
    let n = differences.len() as u64;
    let mean = differences.iter().sum::<f64>() / n as f64;
    let row = writer.push("all", "delta_f_minus_delta_m", mean);
    row.n = Some(n);
    writer.push("all", "p_value", test.p_value).n = Some(n);
    Ok(())
}
