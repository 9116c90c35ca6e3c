//! Whether a gate holds, and which rows say so.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::Row;
use epicene_pipeline::{CORRECTED, JUDGED};

use super::selector::RowField;
use super::{Aggregate, Comparison, Condition, Fired, Statement};

/// What is wrong, and what can be done.
pub(super) type Wrong = (String, String);

/// What one row is about, as far as the condition does not name it itself.
type RowKey<'a> = [Option<&'a str>; 4];

impl Statement {
    pub(super) fn fired<'a>(&self, rows: &'a [Row]) -> Result<Option<Vec<Fired<'a>>>, Wrong> {
        match self {
            Statement::Every(parts) => {
                let fired = all(parts, rows)?;
                let holds = fired.iter().all(Option::is_some);
                Ok(holds.then(|| fired.into_iter().flatten().flatten().collect()))
            }
            Statement::Either(parts) => {
                let fired = all(parts, rows)?;
                let holds = fired.iter().any(Option::is_some);
                Ok(holds.then(|| fired.into_iter().flatten().flatten().collect()))
            }
            Statement::Any(condition) => {
                let places = judged(condition, rows)?;
                let fired: Vec<Fired<'a>> = places.into_iter().flatten().flatten().collect();
                Ok((!fired.is_empty()).then_some(fired))
            }
            Statement::All(condition) => {
                let places = judged(condition, rows)?;
                let holds = places.iter().all(Option::is_some);
                Ok(holds.then(|| places.into_iter().flatten().flatten().collect()))
            }
            Statement::Aggregate(Aggregate::Worst, comparison) => worst(comparison, rows),
            Statement::Aggregate(Aggregate::Mean, comparison) => mean(comparison, rows),
        }
    }
}

/// Every part is looked at, so that a wrong name is found wherever it stands.
fn all<'a>(parts: &[Statement], rows: &'a [Row]) -> Result<Vec<Option<Vec<Fired<'a>>>>, Wrong> {
    parts.iter().map(|part| part.fired(rows)).collect()
}

fn worst<'a>(comparison: &Comparison, rows: &'a [Row]) -> Result<Option<Vec<Fired<'a>>>, Wrong> {
    let far = |row: &Row| row.ideal.map(|ideal| (row.value - ideal).abs());
    let valued = comparison.valued(rows)?;
    let farthest = valued
        .iter()
        .filter_map(|(row, value)| Some((far(row)?, *row, *value)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((_, row, value)) = farthest else {
        let message = format!(
            "`{}` has no ideal value, so no row is the worst",
            comparison.metric
        );
        return Err((message, "use any(…), all(…) or mean(…)".to_owned()));
    };
    let holds = comparison.operator.holds(value, comparison.bound);
    let fired = Fired {
        row,
        why: format!("worst {}", comparison.says(row, value, true)),
    };
    Ok(holds.then(|| vec![fired]))
}

fn mean<'a>(comparison: &Comparison, rows: &'a [Row]) -> Result<Option<Vec<Fired<'a>>>, Wrong> {
    let valued = comparison.valued(rows)?;
    let mean = valued.iter().map(|(_, value)| value).sum::<f64>() / valued.len() as f64;
    let holds = comparison.operator.holds(mean, comparison.bound);
    Ok(holds.then(|| {
        let of = valued.len();
        let fired = |(row, value): &(&'a Row, f64)| Fired {
            row,
            why: comparison.says_of_mean(*value, mean, of),
        };
        valued.iter().map(fired).collect()
    }))
}

/// For every place that has all the condition asks for: the rows that make it hold, or `None`.
fn judged<'a>(
    condition: &Condition,
    rows: &'a [Row],
) -> Result<Vec<Option<Vec<Fired<'a>>>>, Wrong> {
    let comparisons = condition.comparisons();
    let mut named: BTreeSet<RowField> = BTreeSet::new();
    let mut chosen: Vec<Vec<(&Row, f64)>> = Vec::new();
    for comparison in &comparisons {
        named.extend(comparison.names(rows));
        chosen.push(comparison.valued(rows)?);
    }
    // One comparison is about its own rows, each of them.
    if comparisons.len() == 1 {
        named.clear();
    }
    let place = |row: &'a Row| -> RowKey<'a> {
        let part = |part: RowField| (!named.contains(&part)).then(|| part.of(row));
        [
            Some(row.benchmark.as_str()),
            part(RowField::System),
            part(RowField::Unit),
            part(RowField::Group),
        ]
    };
    let mut places: BTreeMap<RowKey<'a>, Vec<Vec<(&'a Row, f64)>>> = BTreeMap::new();
    for (number, valued) in chosen.iter().enumerate() {
        for (row, value) in valued {
            let there = places
                .entry(place(row))
                .or_insert_with(|| vec![Vec::new(); comparisons.len()]);
            there[number].push((row, *value));
        }
    }
    if !comparable(condition, &places) {
        let metrics: BTreeSet<&str> = comparisons.iter().map(|one| one.metric.as_str()).collect();
        let metrics: Vec<&str> = metrics.into_iter().collect();
        let message = format!("no row has {} together", metrics.join(" and "));
        let hint = "what `and` joins is about one system, unit and group; name the unit or group in brackets, or \
                    write any(…) and any(…)";
        return Err((message, hint.to_owned()));
    }
    let mut found = Vec::new();
    for there in places.values() {
        let mut number = 0;
        if let Some(fired) = condition.at(there, &mut number) {
            found.push((!fired.is_empty()).then_some(fired));
        }
    }
    Ok(found)
}

/// Whether some place has rows for every comparison that `and` joins.
fn comparable(condition: &Condition, places: &BTreeMap<RowKey<'_>, Vec<Vec<(&Row, f64)>>>) -> bool {
    fn has(condition: &Condition, there: &[Vec<(&Row, f64)>], number: &mut usize) -> bool {
        let mut parts = |parts: &[Condition]| -> Vec<bool> {
            parts.iter().map(|part| has(part, there, number)).collect()
        };
        match condition {
            Condition::Every(list) => parts(list).into_iter().all(|found| found),
            Condition::Either(list) => parts(list).into_iter().any(|found| found),
            Condition::One(_) => {
                *number += 1;
                !there[*number - 1].is_empty()
            }
        }
    }
    places.values().any(|there| has(condition, there, &mut 0))
}

impl Condition {
    /// At one place: `None` if it cannot be said, no rows if it does not hold. `number` counts the
    /// comparisons, whose rows stand in `there`.
    fn at<'a>(&self, there: &[Vec<(&'a Row, f64)>], number: &mut usize) -> Option<Vec<Fired<'a>>> {
        match self {
            Condition::One(comparison) => {
                let rows = &there[*number];
                *number += 1;
                let holds =
                    |(_, value): &&(&Row, f64)| comparison.operator.holds(*value, comparison.bound);
                let fired = |(row, value): &(&'a Row, f64)| Fired {
                    row,
                    why: comparison.says(row, *value, true),
                };
                (!rows.is_empty()).then(|| rows.iter().filter(holds).map(fired).collect())
            }
            Condition::Every(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| part.at(there, number)).collect();
                let mut fired = Vec::new();
                for part in parts {
                    match part? {
                        part if part.is_empty() => return Some(Vec::new()),
                        part => fired.extend(part),
                    }
                }
                Some(fired)
            }
            Condition::Either(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| part.at(there, number)).collect();
                let said = parts.iter().any(Option::is_some);
                said.then(|| parts.into_iter().flatten().flatten().collect())
            }
        }
    }
}

impl Comparison {
    /// Parts of a row that the selectors name.
    fn names(&self, rows: &[Row]) -> BTreeSet<RowField> {
        let mut named = BTreeSet::new();
        for row in self.named(rows) {
            for selector in &self.selectors {
                if selector.is_whole() {
                    named.extend([RowField::Unit, RowField::Group])
                } else {
                    named.extend(selector.parts(row))
                }
            }
        }
        named
    }

    /// The rows of the metric. `f_s_judged` is what the judge had and `f_s_corrected` what labels make of it whichever of
    /// the two is the headline, and bears the plain name.
    fn named<'a>(&self, rows: &'a [Row]) -> Vec<&'a Row> {
        let own = |metric: &str| rows.iter().filter(|row| row.metric == metric).collect();
        let named: Vec<&Row> = own(&self.metric);
        let endings = [(JUDGED, CORRECTED), (CORRECTED, JUDGED)];
        let plain = endings.iter().find_map(|(ending, other)| {
            let plain = self.metric.strip_suffix(ending)?;
            Some((plain, format!("{plain}{other}")))
        });
        let Some((plain, other)) = plain.filter(|_| named.is_empty()) else {
            return named;
        };
        let place = |row: &Row| {
            [&row.benchmark, &row.system, row.unit.as_str(), &row.group].map(str::to_owned)
        };
        let beside: BTreeSet<[String; 4]> = own(&other)
            .into_iter()
            .map(|row: &Row| place(row))
            .collect();
        let mut headline: Vec<&Row> = own(plain);
        headline.retain(|row| beside.contains(&place(row)));
        headline
    }

    /// Whether a row of the metric, whose rows are `named`, has every selector.
    pub(super) fn is_meant(&self, row: &Row, named: &[&Row]) -> bool {
        self.selectors.iter().all(|selector| {
            if selector.is_whole() {
                is_whole(row, named)
            } else {
                !selector.parts(row).is_empty()
            }
        })
    }

    /// The rows that are meant.
    pub(super) fn selected<'a>(&self, rows: &'a [Row]) -> Result<Vec<&'a Row>, Wrong> {
        let named = self.named(rows);
        if named.is_empty() {
            let known: BTreeSet<&str> = rows.iter().map(|row| row.metric.as_str()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let message = format!("no row has the metric `{}`", self.metric);
            return Err((
                message,
                format!("metrics of this result: {}", known.join(", ")),
            ));
        }
        let selected: Vec<&Row> = named
            .iter()
            .copied()
            .filter(|row| self.is_meant(row, &named))
            .collect();
        if selected.is_empty() {
            let wanted: Vec<String> = self.selectors.iter().map(|one| one.text()).collect();
            let mut there: Vec<String> = Vec::new();
            for row in &named {
                let place = format!("{} {} {}", row.system, row.unit, row.group);
                if !there.contains(&place) {
                    there.push(place);
                }
            }
            let more = if there.len() > 5 { ", …" } else { "" };
            there.truncate(5);
            let message = format!(
                "no row with the metric `{}` has [{}]",
                self.metric,
                wanted.join(",")
            );
            let hint = format!(
                "a selector is a row's system, unit or group, or a pattern with *; rows of {} are {}{more}",
                self.metric,
                there.join(", ")
            );
            return Err((message, hint));
        }
        Ok(selected)
    }

    /// The same, with what is compared.
    fn valued<'a>(&self, rows: &'a [Row]) -> Result<Vec<(&'a Row, f64)>, Wrong> {
        let valued: Vec<(&Row, f64)> = self
            .selected(rows)?
            .into_iter()
            .filter_map(|row| Some((row, self.function.of(row)?)))
            .collect();
        if valued.is_empty() {
            let message = format!(
                "the rows of `{}` have no {}",
                self.metric,
                self.function.shown("…")
            );
            return Err((
                message,
                "not every number has an interval, a count and an ideal value".to_owned(),
            ));
        }
        Ok(valued)
    }
}

/// The whole of a system: group and unit `all`, or every unit where the system has no unit `all`.
fn is_whole(row: &Row, named: &[&Row]) -> bool {
    let has_whole = || {
        named
            .iter()
            .any(|other| other.system == row.system && other.unit == "all" && other.group == "all")
    };
    row.group == "all" && (row.unit == "all" || !has_whole())
}
