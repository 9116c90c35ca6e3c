//! Rows of one system and language: correct, wrong and N/A with Wilson intervals, by everything the
//! labels tell apart; ΔM, ΔF and whether ΔF is the greater one.

use std::collections::BTreeMap;

use epicene_core::Gender;
use epicene_stats::{Resamples, percentile_interval, risk_difference, wilson};

use super::cells::{Cells, Tally};
use super::clustered::{self, Occupations};
use super::counts::Counts;
use super::labels::Position;
use super::sentences::{Seen, Sentences};
use crate::{BenchError, Options, RowWriter};

pub const LEVEL: f64 = 0.95;
pub const CONFIGURATIONS: [&str; 4] = ["MM", "MF", "FF", "FM"];
/// Group of sentences without an adjective: what Table 4 was computed on.
pub const BARE: &str = "no-adjective";

/// Writes the rows of one system and language.
pub struct Rows<'a, 'w> {
    pub writer: &'a mut RowWriter<'w>,
    pub items: &'a Sentences,
    pub cells: &'a Cells,
    /// What was sampled; none: every sentence for itself.
    pub occupations: Option<&'a Occupations>,
}

/// Shares with their intervals.
fn shares(
    writer: &mut RowWriter<'_>,
    occupations: Option<&Occupations>,
    group: &str,
    tally: &Tally,
) -> Result<(), BenchError> {
    let counts = tally.total;
    let total = counts.total();
    if total == 0 {
        return Ok(());
    }
    for (place, metric) in ["correct", "wrong", "na"].into_iter().enumerate() {
        let count = counts.each()[place];
        if let Some(occupations) = occupations {
            let share = occupations.share(tally, |counts| counts.each()[place])?;
            writer.estimate(group, metric, &share);
            continue;
        }
        let interval = wilson(count, total, LEVEL)?;
        let row = writer.push(group, metric, count as f64 / total as f64);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some(total);
    }
    Ok(())
}

pub fn position_name(position: Position) -> &'static str {
    match position {
        Position::Before => "before",
        Position::Middle => "middle",
        Position::After => "after",
    }
}

fn letter(gender: Gender) -> char {
    gender.letter().to_ascii_uppercase()
}

/// The rows of one unit.
pub fn rows(rows: Rows<'_, '_>, options: &Options) -> Result<(), BenchError> {
    let Rows {
        writer,
        items,
        cells,
        occupations,
    } = rows;
    let shares = |writer: &mut RowWriter<'_>, group: &str, tally: &Tally| {
        shares(writer, occupations, group, tally)
    };
    let groups = |writer: &mut RowWriter<'_>, groups: BTreeMap<String, Tally>| {
        groups
            .iter()
            .try_for_each(|(group, tally)| shares(writer, group, tally))
    };
    shares(writer, "all", &cells.whole())?;
    let by_trigger = |seen: &Seen<'_>| Some(format!("trigger:{}", letter(seen.expected)));
    groups(writer, cells.tally(items, by_trigger))?;
    let configured = |prefix: &str, name: Option<&str>, seen: &Seen<'_>| {
        let configuration = seen.configuration()?;
        Some(format!("{prefix}:{}/{configuration}", name?))
    };
    let by_configuration = cells.tally(items, |seen| seen.configuration());
    for configuration in CONFIGURATIONS {
        if let Some(counts) = by_configuration.get(configuration) {
            shares(writer, &format!("config:{configuration}"), counts)?;
        }
    }
    deltas(writer, occupations, "all", &by_configuration)?;
    let bare = cells.tally(items, |seen| match seen.features.adjective {
        None => seen.configuration(),
        Some(_) => None,
    });
    let mut all_bare = Tally::default();
    for tally in bare.values() {
        all_bare.add(tally);
    }
    shares(writer, BARE, &all_bare)?;
    for configuration in CONFIGURATIONS {
        if let Some(counts) = bare.get(configuration) {
            shares(writer, &format!("{BARE}/{configuration}"), counts)?;
        }
    }
    deltas(writer, occupations, BARE, &bare)?;
    match occupations {
        None => greater_delta(writer, items, cells, options)?,
        Some(occupations) => {
            let found = clustered::greater_delta(occupations, &by_configuration)?;
            if let Some((estimate, p)) = found {
                let n = estimate.k as u64;
                writer.estimate("all", "delta_f_minus_delta_m", &estimate).n = Some(n);
                if let Some(p) = p {
                    writer.push("all", "p_delta_f_greater", p).n = Some(n);
                }
            }
        }
    }
    for position in [Position::Before, Position::Middle, Position::After] {
        let name = position_name(position);
        let here = |seen: &Seen<'_>| (seen.features.position == Some(position)).then_some(());
        if let Some(counts) = cells.tally(items, here).get(&()) {
            shares(writer, &format!("position:{name}"), counts)?;
        }
        groups(
            writer,
            cells.tally(items, |seen| {
                here(seen)?;
                configured("position", Some(name), seen)
            }),
        )?;
    }
    let named = |prefix: &'static str, name: Option<&str>| name.map(|n| format!("{prefix}:{n}"));
    groups(
        writer,
        cells.tally(items, |seen| named("occupation", seen.occupation)),
    )?;
    groups(
        writer,
        cells.tally(items, |seen| {
            configured("occupation", seen.occupation, seen)
        }),
    )?;
    groups(
        writer,
        cells.tally(items, |seen| named("adjective", seen.adjective)),
    )?;
    groups(
        writer,
        cells.tally(items, |seen| configured("adjective", seen.adjective, seen)),
    )?;
    let stereotyped = |prefix: &str, stereotype: Option<Gender>, seen: &Seen<'_>| {
        let configuration = seen.configuration()?;
        Some(format!("{prefix}:{}/{configuration}", letter(stereotype?)))
    };
    for (prefix, on) in [
        ("adjective-on-occupation", true),
        ("adjective-elsewhere", false),
    ] {
        let here = |seen: &Seen<'_>| (seen.features.on_occupation == on).then_some(());
        groups(
            writer,
            cells.tally(items, |seen| {
                here(seen)?;
                named(prefix, seen.adjective)
            }),
        )?;
        groups(
            writer,
            cells.tally(items, |seen| {
                here(seen)?;
                stereotyped(prefix, seen.features.adjective, seen)
            }),
        )?;
    }
    groups(
        writer,
        cells.tally(items, |seen| {
            stereotyped("adjective-stereotype", seen.features.adjective, seen)
        }),
    )?;
    groups(
        writer,
        cells.tally(items, |seen| {
            stereotyped("verb-stereotype", seen.features.verb, seen)
        }),
    )?;
    groups(writer, cells.tally(items, |seen| named("verb", seen.verb)))?;
    Ok(())
}

/// ΔM = acc(MM) − acc(MF) and ΔF = acc(FF) − acc(FM), with the values from proportions rounded to two
/// decimals, as the authors computed them.
fn deltas(
    writer: &mut RowWriter<'_>,
    occupations: Option<&Occupations>,
    group: &str,
    by_configuration: &BTreeMap<&str, Tally>,
) -> Result<(), BenchError> {
    for (metric, congruent, incongruent) in [("delta_m", "MM", "MF"), ("delta_f", "FF", "FM")] {
        let (Some(first), Some(second)) = (
            by_configuration.get(congruent),
            by_configuration.get(incongruent),
        ) else {
            continue;
        };
        let (first, second) = (&first.total, &second.total);
        let pair = |counts: &Counts| (counts.correct, counts.total());
        let estimate = risk_difference(pair(first), pair(second), LEVEL)?;
        let n = first.total() + second.total();
        let row = writer.push(group, metric, estimate.value);
        (row.low, row.high) = (Some(estimate.interval.low), Some(estimate.interval.high));
        row.n = Some(n);
        if let Some(occupations) = occupations {
            let pair = (congruent, incongruent);
            let sampled = clustered::delta(occupations, by_configuration, pair)?;
            sampled.expect("both are there").fill(row, 1.0);
        }
        let rounded = first.rounded()[0] - second.rounded()[0];
        // Differences of two-decimal numbers have two decimals.
        let row = writer.push(
            group,
            &format!("{metric}_rounded"),
            (rounded * 100.0).round() / 100.0,
        );
        row.n = Some(n);
    }
    Ok(())
}

/// What one occupation contributes: masculine and feminine triggers.
#[derive(Debug, Clone, Copy, Default)]
struct ByTrigger {
    masculine: Counts,
    feminine: Counts,
}

/// ΔF − ΔM. Sentences about one occupation stand or fall together, so occupations are resampled,
/// within their stereotype; the p-value is the share of resamples in which ΔF is not the greater.
fn greater_delta(
    writer: &mut RowWriter<'_>,
    items: &Sentences,
    cells: &Cells,
    options: &Options,
) -> Result<(), BenchError> {
    let mut groups: [Vec<ByTrigger>; 2] = [Vec::new(), Vec::new()];
    for (group, stereotype) in groups.iter_mut().zip([Gender::Masculine, Gender::Feminine]) {
        let occupations = cells.sum(items, |seen| {
            let occupation = seen.occupation?.to_owned();
            (seen.features.occupation == Some(stereotype)).then_some((occupation, seen.expected))
        });
        let mut by_name: BTreeMap<String, ByTrigger> = BTreeMap::new();
        for ((name, trigger), counts) in occupations {
            let entry = by_name.entry(name).or_default();
            match trigger {
                Gender::Masculine => entry.masculine.join(counts),
                Gender::Feminine => entry.feminine.join(counts),
            }
        }
        group.extend(by_name.into_values());
    }
    let [masculine, feminine] = &groups;
    if masculine.len() < 2 || feminine.len() < 2 {
        return Ok(());
    }
    let accuracies = |members: &[ByTrigger], chosen: &mut dyn Iterator<Item = usize>| {
        let mut sums = ByTrigger::default();
        for member in chosen {
            sums.masculine.join(members[member].masculine);
            sums.feminine.join(members[member].feminine);
        }
        Some((sums.masculine.accuracy()?, sums.feminine.accuracy()?))
    };
    let difference = |on_masculine: (f64, f64), on_feminine: (f64, f64)| {
        let delta_m = on_masculine.0 - on_feminine.0;
        let delta_f = on_feminine.1 - on_masculine.1;
        delta_f - delta_m
    };
    let whole = |members: &[ByTrigger]| accuracies(members, &mut (0..members.len()));
    let (Some(on_masculine), Some(on_feminine)) = (whole(masculine), whole(feminine)) else {
        return Ok(());
    };
    let observed = difference(on_masculine, on_feminine);
    let draw = |label: &str, members: &[ByTrigger]| {
        let stream = format!("unambiguous/{}/{}/{label}", writer.system, writer.unit);
        Resamples::draw(options.seed, &stream, members.len(), options.replicates)
    };
    let draws = (draw("masculine", masculine), draw("feminine", feminine));
    let mut replicates = Vec::with_capacity(options.replicates);
    for replicate in 0..options.replicates {
        let of = |members: &[ByTrigger], draws: &Resamples| {
            let mut chosen = draws.indices(replicate).iter().map(|index| *index as usize);
            accuracies(members, &mut chosen)
        };
        if let (Some(a), Some(b)) = (of(masculine, &draws.0), of(feminine, &draws.1)) {
            replicates.push(difference(a, b));
        }
    }
    let interval = percentile_interval(&replicates, LEVEL)?;
    let against = replicates.iter().filter(|value| **value <= 0.0).count();
    let p_value = (against + 1) as f64 / (replicates.len() + 1) as f64;
    let n = (masculine.len() + feminine.len()) as u64;
    let row = writer.push("all", "delta_f_minus_delta_m", observed);
    (row.low, row.high) = (Some(interval.low), Some(interval.high));
    row.n = Some(n);
    writer.push("all", "p_delta_f_greater", p_value).n = Some(n);
    Ok(())
}
