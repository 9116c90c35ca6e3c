//! More than two systems: which can be told apart, and which places each may have.

use std::collections::BTreeMap;

use epicene_bench::Measured;
use epicene_core::{Row, Unit};
use epicene_stats::{indistinguishable_groups, rank_range};

/// Corrected p-values below this tell systems apart.
const SURE: f64 = 0.05;

/// Rows `place` of every system with the range of its places, and groups of systems that no test tells apart, for each
/// measure that stands for the whole. `pairs` are the systems of each comparison in the order they were made.
pub fn add(measured: &mut Measured, names: &[String]) {
    let mut made: Vec<(Unit, String, String)> = Vec::new();
    // Where there is a pooled measure, it alone ranks systems.
    let pooled = measured.rows.iter().any(|row| row.unit == "all");
    for row in &measured.rows {
        let Some(of) = row.difference_of().filter(|_| row.is_whole()) else {
            continue;
        };
        let key = (row.unit.clone(), row.group.clone(), of.to_owned());
        if (!pooled || row.unit == "all") && !made.contains(&key) {
            made.push(key);
        }
    }
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for (unit, group, what) in made {
        let Some(found) = Ranked::of(&measured.rows, names, [&unit, &group, &what]) else {
            notes.push(format!(
                "{unit} {what}: no places and no groups, since not every pair of systems could be compared"
            ));
            continue;
        };
        for (system, name) in names.iter().enumerate() {
            let (best, last) = rank_range(&found.values, system, |a, b| found.differ[a][b]);
            let place = 1 + found
                .values
                .iter()
                .filter(|v| **v > found.values[system])
                .count();
            let benchmark = measured.rows[0].benchmark.as_str();
            let mut row = Row::new(
                benchmark,
                [name, &unit, &group],
                &format!("place_{what}"),
                place as f64,
            );
            (row.low, row.high) = (Some(best as f64), Some(last as f64));
            row.n = Some(names.len() as u64);
            rows.push(row);
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| found.values[*b].total_cmp(&found.values[*a]));
        let groups = indistinguishable_groups(names.len(), |a, b| {
            let (a, b) = (order[a], order[b]);
            found.differ[a.min(b)][a.max(b)]
        });
        let shown: Vec<String> = groups
            .iter()
            .map(|group| {
                let members: Vec<&str> =
                    group.iter().map(|at| names[order[*at]].as_str()).collect();
                members.join(", ")
            })
            .collect();
        notes.push(format!(
            "{unit} {what}, from the largest: systems in one group are statistically tied: {}",
            shown.join(" | ")
        ));
    }
    measured.rows.extend(rows);
    notes.append(&mut measured.notes);
    measured.notes = notes;
}

/// The systems by one measure.
struct Ranked {
    /// Up to a constant: differences from the first.
    values: Vec<f64>,
    /// For i < j.
    differ: Vec<Vec<bool>>,
}

impl Ranked {
    /// `None` where a pair has no difference of this metric.
    fn of(rows: &[Row], names: &[String], [unit, group, metric]: [&str; 3]) -> Option<Ranked> {
        // Many systems have many pairs: each is looked up, not searched for.
        let mut pairs: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            let pair = row.compared();
            if let Some(pair) = pair.filter(|_| row.unit == unit && row.group == group) {
                pairs.entry(pair).or_default().push(row);
            }
        }
        let at = |first: usize, second: usize, is: &dyn Fn(&Row) -> bool| {
            let pair = pairs.get(&(names[first].as_str(), names[second].as_str()))?;
            pair.iter().find(|row| is(row)).map(|row| row.value)
        };
        let difference = |row: &Row| row.difference_of() == Some(metric);
        let own = format!("p_holm_{metric}");
        let mut values = vec![0.0];
        for second in 1..names.len() {
            values.push(at(0, second, &difference)?);
        }
        let mut differ = vec![vec![false; names.len()]; names.len()];
        for (first, row) in differ.iter_mut().enumerate() {
            for (second, differs) in row.iter_mut().enumerate().skip(first + 1) {
                at(first, second, &difference)?;
                let p = at(first, second, &|row| row.metric == own)
                    .or_else(|| at(first, second, &|row| row.metric == "p_holm"));
                *differs = p.is_some_and(|p| p < SURE);
            }
        }
        Some(Ranked { values, differ })
    }
}
