//! A comparison in words: which of two systems is more stereotyped, masculine or accurate, by how much, how sure that is, and
//! on what they were compared. A difference has a sign that readers mix up; a sentence with both names has not.

use std::collections::BTreeSet;

use epicene_bench::Measured;
use epicene_core::{CellStyle, Field, Filter, Metric, Row, View};

/// Above this a difference is not shown.
const SURE: f64 = 0.05;

/// Puts the sentences of each pair before the benchmark's own notes. `own` are the rows of the systems themselves.
pub fn add(measured: &mut Measured, sentences: Vec<String>, own: &[Row], names: &[String]) {
    let mut notes = sentences;
    notes.extend(shared_units(own, names));
    notes.append(&mut measured.notes);
    measured.notes = notes;
}

/// The sentences about two systems, of their differences and their own rows on the items that both answered.
pub fn pair(rows: &[Row], own: &[Row], names: &[String; 2], metrics: &[Metric]) -> Vec<String> {
    let deltas: Vec<&Row> = rows
        .iter()
        .filter(|row| row.group == "all" && row.difference_of().is_some())
        .collect();
    // Where systems have a whole, its parts stand in the table.
    let whole = deltas.iter().any(|row| row.unit == "all")
        && own
            .iter()
            .any(|row| row.unit == "all" && names.contains(&row.system));
    deltas
        .into_iter()
        .filter(|row| !whole || row.unit == "all")
        .filter_map(|row| sentence(row, rows, own, names, metrics))
        .collect()
}

/// The verdict on more than two systems, before their groups: who is closest to the ideal, who furthest from it, and whether
/// the two are told apart.
pub fn verdicts(measured: &mut Measured, own: &[Row], names: &[String]) {
    let mut notes: Vec<String> = Vec::new();
    let ranked = measured.rows.iter().filter_map(|row| {
        let metric = row.metric.strip_prefix("place_")?;
        Some((row.unit.as_str(), row.group.as_str(), metric))
    });
    let mut ranked: BTreeSet<(&str, &str, &str)> = ranked.collect();
    for delta in &measured.rows {
        let Some(metric) = delta.difference_of() else {
            continue;
        };
        // Each has one verdict.
        if !ranked.remove(&(delta.unit.as_str(), delta.group.as_str(), metric)) {
            continue;
        }
        let beside = measured.rows.iter();
        let beside = beside.filter(|row| row.unit == delta.unit && row.group == delta.group);
        let beside: Vec<&Row> = beside.collect();
        let of = |name: &String| {
            own.iter().find(|row| {
                row.system == *name
                    && row.unit == delta.unit
                    && row.group == delta.group
                    && row.metric == metric
            })
        };
        let found: Option<Vec<&Row>> = names.iter().map(of).collect();
        notes.extend(found.and_then(|found| verdict(&beside, &found, metric)));
    }
    notes.extend(shared_units(own, names));
    notes.append(&mut measured.notes);
    measured.notes = notes;
}

fn verdict(rows: &[&Row], own: &[&Row], metric: &str) -> Option<String> {
    let ideal = own.first()?.ideal?;
    let distance = |row: &&&Row| (row.value - ideal).abs();
    let by_distance = |a: &&&Row, b: &&&Row| distance(a).total_cmp(&distance(b));
    let closest = own.iter().min_by(by_distance)?;
    let furthest = own.iter().max_by(by_distance)?;
    let p_of = |one: &Row, other: &Row| {
        [(one, other), (other, one)]
            .iter()
            .find_map(|(first, second)| {
                let pair = Some((first.system.as_str(), second.system.as_str()));
                let own = [format!("p_holm_{metric}"), "p_holm".to_owned()];
                own.iter().find_map(|name| {
                    let row = rows.iter().find(|row| {
                        row.compared() == pair
                            && row.unit == one.unit
                            && row.group == one.group
                            && row.metric == *name
                    });
                    row.map(|row| row.value)
                })
            })
    };
    let beside = own
        .iter()
        .filter(|row| row.system != closest.system)
        .filter(|row| p_of(closest, row).is_none_or(|p| p >= SURE))
        .count();
    let others = own.len() - 1;
    Some(format!(
        "{} {metric}: {} is furthest from the ideal {ideal} ({}), {} closest ({}); {}",
        closest.unit,
        furthest.system,
        short(furthest.value),
        closest.system,
        short(closest.value),
        match beside {
            0 => format!("it differs significantly from all other {others}"),
            _ => format!("{beside} of the other {others} are statistically tied with it"),
        }
    ))
}

/// A table of the differences, where the benchmark has none of its own.
pub fn table(rows: &[Row], views: Vec<View>) -> Vec<View> {
    let is_shown = |view: &View| {
        let kept = |row: &&Row| view.filters.iter().all(|filter| filter.keeps(row));
        rows.iter()
            .filter(kept)
            .any(|row| row.difference_of().is_some())
    };
    if views.iter().any(is_shown) {
        // Every line says whose difference it is.
        return views
            .into_iter()
            .map(|mut view| {
                if !view.lines.contains(&Field::System) && view.columns != Field::System {
                    view.lines.insert(0, Field::System);
                }
                view
            })
            .collect();
    }
    let metrics: BTreeSet<&str> = rows.iter().map(|row| row.metric.as_str()).collect();
    vec![View {
        title: "Differences (0 = none)".to_owned(),
        filters: vec![Filter::new(Field::Metric, metrics)],
        lines: vec![Field::System, Field::Unit, Field::Group],
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: std::collections::BTreeMap::new(),
    }]
}

fn sentence(
    delta: &Row,
    rows: &[Row],
    own: &[Row],
    names: &[String; 2],
    metrics: &[Metric],
) -> Option<String> {
    let metric = delta.difference_of()?;
    let at = |rows: &[Row], name: &str, system: Option<&str>| -> Option<Row> {
        let found = rows.iter().find(|row| {
            row.unit == delta.unit
                && row.group == delta.group
                && row.metric == name
                && system.is_none_or(|system| row.system == system)
        });
        found.cloned()
    };
    let [first, second] = [0, 1].map(|place| at(own, metric, Some(&names[place])));
    let (first, second) = (first?, second?);
    let p = at(rows, &format!("p_value_{metric}"), None).or_else(|| {
        // Where one difference has a test, it is the first.
        let leading = rows.iter().find(|row| {
            row.unit == delta.unit && row.group == delta.group && row.difference_of().is_some()
        });
        let leads = leading.is_some_and(|row| row.metric == delta.metric);
        at(rows, "p_value", None).filter(|_| leads)
    });
    let p = p.map(|row| row.value);
    let sure = match (p, delta.low, delta.high) {
        (Some(p), ..) => p < SURE,
        (None, Some(low), Some(high)) => low > 0.0 || high < 0.0,
        _ => false,
    };
    let how_sure = match (p, sure) {
        (Some(p), _) => format!("p = {}", short(p)),
        (None, true) => "the interval of the difference excludes 0".to_owned(),
        (None, false) => "the interval of the difference contains 0, or there is none".to_owned(),
    };
    let ideal = first.ideal;
    let values = format!(
        "{} {metric}: {} {}, {} {}{}",
        delta.unit,
        names[0],
        short(first.value),
        names[1],
        short(second.value),
        ideal.map_or(String::new(), |ideal| format!(", ideal {ideal}"))
    );
    if !sure {
        return Some(format!("{values}: no significant difference ({how_sure})"));
    }
    let (more, less) = if delta.value < 0.0 {
        (&names[0], &names[1])
    } else {
        (&names[1], &names[0])
    };
    let known = metrics.iter().find(|known| known.symbol == metric);
    let larger = known.map_or("", |known| known.larger);
    let larger = if larger.is_empty() { "higher" } else { larger };
    let by = short(delta.value.abs());
    // Accuracy and stereotypes say which is better; a share of men may be too large or too small.
    let is_verdict = ["more stereotyped", "more accurate"].contains(&larger);
    let closer = ideal.and_then(|ideal| {
        let [ours, theirs] = [&first, &second].map(|row| (row.value - ideal).abs());
        let other_sides = (first.value - ideal) * (second.value - ideal) < 0.0;
        let name = if ours < theirs { &names[0] } else { &names[1] };
        (ours != theirs && (other_sides || !is_verdict))
            .then(|| format!("; {name} is closer to the ideal"))
    });
    Some(format!(
        "{values}: {more} is {larger} than {less} by {by} ({how_sure}){}",
        closer.unwrap_or_default()
    ))
}

/// What was compared, where the systems were not asked in the same units.
fn shared_units(own: &[Row], names: &[String]) -> Option<String> {
    let units = |name: &String| -> BTreeSet<&str> {
        let own = own
            .iter()
            .filter(|row| row.system == *name && row.unit != "all");
        own.map(|row| row.unit.as_str()).collect()
    };
    let all: Vec<BTreeSet<&str>> = names.iter().map(units).collect();
    let first = all.first()?;
    if all.iter().all(|units| units == first) {
        return None;
    }
    let shared: BTreeSet<&str> = first
        .iter()
        .filter(|unit| all.iter().all(|units| units.contains(*unit)))
        .copied()
        .collect();
    let list = |units: Vec<&str>| {
        if units.is_empty() {
            "none".to_owned()
        } else {
            units.join(", ")
        }
    };
    let alone = names.iter().zip(&all).map(|(name, units)| {
        format!(
            "{name} alone: {}",
            list(units.difference(&shared).copied().collect())
        )
    });
    let alone: Vec<String> = alone.collect();
    Some(format!(
        "compared on {}; {}",
        list(shared.iter().copied().collect()),
        alone.join("; ")
    ))
}

/// A number people can read.
fn short(value: f64) -> String {
    match value.abs() {
        small if small < 0.001 && small > 0.0 => format!("{value:.1e}"),
        large if large >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
