//! A comparison in words: which of two systems is more biased, by how much, how sure that is, and on what they were
//! compared. A difference has a sign that readers mix up; a sentence with both names has not.

use std::collections::BTreeSet;

use epicene_bench::Measured;
use epicene_core::{CellStyle, Field, Filter, Row, View};

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
pub fn pair(rows: &[Row], own: &[Row], names: &[String; 2]) -> Vec<String> {
    let deltas: Vec<&Row> = rows
        .iter()
        .filter(|row| row.group == "all" && row.metric.starts_with("delta_"))
        .collect();
    // Where systems have a whole, its parts stand in the table.
    let whole = deltas.iter().any(|row| row.unit == "all")
        && own
            .iter()
            .any(|row| row.unit == "all" && names.contains(&row.system));
    deltas
        .into_iter()
        .filter(|row| !whole || row.unit == "all")
        .filter_map(|row| sentence(row, rows, own, names))
        .collect()
}

/// The verdict on more than two systems, before their groups: who is closest to the ideal, who furthest from it, and whether
/// the two are told apart.
pub fn verdicts(measured: &mut Measured, own: &[Row], names: &[String]) {
    let mut notes: Vec<String> = Vec::new();
    let mut seen: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    for delta in &measured.rows {
        let Some(metric) = delta.metric.strip_prefix("delta_") else {
            continue;
        };
        let ranked = measured.rows.iter().any(|row| {
            row.metric == format!("place_{metric}")
                && row.unit == delta.unit
                && row.group == delta.group
        });
        if !ranked || !seen.insert((&delta.unit, &delta.group, metric)) {
            continue;
        }
        let of = |name: &String| {
            own.iter().find(|row| {
                row.system == *name
                    && row.unit == delta.unit
                    && row.group == delta.group
                    && row.metric == metric
            })
        };
        let found: Option<Vec<&Row>> = names.iter().map(of).collect();
        notes.extend(found.and_then(|found| verdict(&measured.rows, &found, metric)));
    }
    notes.extend(shared_units(own, names));
    notes.append(&mut measured.notes);
    measured.notes = notes;
}

fn verdict(rows: &[Row], own: &[&Row], metric: &str) -> Option<String> {
    let ideal = own.first()?.ideal?;
    let distance = |row: &&&Row| (row.value - ideal).abs();
    let by_distance = |a: &&&Row, b: &&&Row| distance(a).total_cmp(&distance(b));
    let closest = own.iter().min_by(by_distance)?;
    let furthest = own.iter().max_by(by_distance)?;
    let p_of = |one: &Row, other: &Row| {
        [(one, other), (other, one)]
            .iter()
            .find_map(|(first, second)| {
                let system = format!("{} - {}", second.system, first.system);
                let own = [format!("p_holm_{metric}"), "p_holm".to_owned()];
                own.iter().find_map(|name| {
                    let row = rows.iter().find(|row| {
                        row.system == system
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
            0 => format!("it is told apart from all other {others}"),
            _ => format!("{beside} of the other {others} cannot be told apart from it"),
        }
    ))
}

/// A table of the differences, where the benchmark has none of its own.
pub fn table(rows: &[Row], views: Vec<View>) -> Vec<View> {
    let is_shown = |view: &View| {
        let kept = |row: &&Row| view.filters.iter().all(|filter| filter.keeps(row));
        rows.iter()
            .filter(kept)
            .any(|row| row.metric.starts_with("delta_"))
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

fn sentence(delta: &Row, rows: &[Row], own: &[Row], names: &[String; 2]) -> Option<String> {
    let metric = delta.metric.strip_prefix("delta_")?;
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
            row.unit == delta.unit && row.group == delta.group && row.metric.starts_with("delta_")
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
        (Some(p), true) => format!("chance gives such a difference with p = {}", short(p)),
        (Some(p), false) => format!("it may be chance, p = {}", short(p)),
        (None, true) => "the interval of the difference leaves 0 out".to_owned(),
        (None, false) => "the interval of the difference holds 0, or there is none".to_owned(),
    };
    let values = format!(
        "{} {metric}: {} {}, {} {}",
        delta.unit,
        names[0],
        short(first.value),
        names[1],
        short(second.value)
    );
    let Some(ideal) = first.ideal else {
        return Some(format!("{values}; {how_sure}"));
    };
    let [ours, theirs] = [&first, &second].map(|row| (row.value - ideal).abs());
    let (more, less) = if ours > theirs {
        (&names[0], &names[1])
    } else {
        (&names[1], &names[0])
    };
    let verdict = match sure {
        false => "neither is shown to be more biased".to_owned(),
        true if ours == theirs => "both are as far from it, on different sides".to_owned(),
        true => {
            let by = short((ours - theirs).abs());
            format!("{more} is more biased than {less}, by {by}")
        }
    };
    Some(format!(
        "{values}; the ideal is {ideal}: {verdict} ({how_sure})"
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
