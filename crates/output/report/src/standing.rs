//! Who is furthest from the ideal, who is closest, and who cannot be told apart: the ranking behind the first screen of a
//! page. Two systems on the same items are told apart by the paired tests of a comparison where there are such; else by
//! their intervals, as if they were independent (MOVER: Zou and Donner 2008), which for systems that were asked the same
//! items errs on the side of not telling. All pairs are corrected together (Holm 1979).

use std::collections::BTreeMap;

use epicene_core::{Metric, Row};
use epicene_stats::{holm, indistinguishable_groups, normal_quantile};

use crate::chart_data::{Data, Entry};
use crate::words;

/// More than these are not sorted into groups: the figure would show nothing, and the sorting takes long.
const GROUPED: usize = 40;
/// How sure one has to be.
const LEVEL: f64 = 0.95;

/// How pairs were told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    Paired,
    Intervals,
}

/// Everybody by one metric, the closest to its ideal first. Controls are not among them.
pub struct Standing<'a> {
    pub metric: &'a Metric,
    pub ideal: f64,
    pub entries: Vec<Entry<'a>>,
    /// Systems whose result is known beforehand.
    pub controls: Vec<Entry<'a>>,
    /// Maximal sets, by their places, no two of which can be told apart.
    pub groups: Vec<Vec<usize>>,
    pub evidence: Evidence,
    /// How many cannot be told apart from the first, without it; none where too many stand here to be compared.
    pub beside_best: Option<usize>,
}

/// The standings of a benchmark by its headline metrics, in the order of its card.
pub fn standings<'a>(data: &Data<'a>) -> Vec<Standing<'a>> {
    let headlines = data.metrics.iter().filter(|metric| metric.headline);
    headlines
        .filter_map(|metric| Standing::of(data, metric))
        .collect()
}

impl<'a> Standing<'a> {
    pub fn of(data: &Data<'a>, metric: &'a Metric) -> Option<Standing<'a>> {
        let joint: Vec<Entry<'a>> = data.metric(metric.symbol).filter(is_of_one).collect();
        let first = |is: fn(&Row) -> bool| joint.iter().find(|entry| is(entry.row));
        let group = first(|row| row.group == "all").or_else(|| first(Row::is_whole))?;
        let group = group.row.group.as_str();
        let of_group = || joint.iter().filter(|entry| entry.group == group);
        // Of a system's units the joint one, where it has one.
        let has_joint = |system: &str| {
            of_group().any(|entry| entry.system == system && words::is_joint(&entry.unit))
        };
        let entries: Vec<Entry<'a>> = of_group()
            .filter(|entry| words::is_joint(&entry.unit) || !has_joint(entry.system))
            .copied()
            .collect();
        let ideal = entries.first()?.ideal?;
        let (controls, mut entries): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| words::is_control(&entry.row.system));
        if entries.is_empty() {
            return None;
        }
        let distance = |entry: &Entry<'_>| (entry.value - ideal).abs();
        entries.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let (apart, evidence) = told_apart(&entries, metric, data.compared);
        let groups = match &apart {
            Some(apart) => indistinguishable_groups(entries.len(), |a, b| apart[a][b]),
            None => Vec::new(),
        };
        let beside_best =
            apart.map(|apart| (1..entries.len()).filter(|other| !apart[0][*other]).count());
        Some(Standing {
            metric,
            ideal,
            entries,
            controls,
            groups,
            evidence,
            beside_best,
        })
    }

    /// What a number beside the ideal means, as a verb with what belongs to it.
    pub fn reading(&self, entry: &Entry<'_>) -> String {
        reading(self.metric, entry, self.ideal)
    }

    /// `By f_s, the two differ significantly.` Empty where too many systems stand here to be compared.
    pub fn relation(&self) -> String {
        let symbol = self.metric.symbol;
        match (self.beside_best, self.entries.as_slice()) {
            (Some(0), [_, _]) => format!("By {symbol}, the two differ significantly."),
            (Some(_), [_, _]) => format!("By {symbol}, the two are statistically tied."),
            (Some(0), [best, ..]) => format!(
                "By {symbol}, {} is significantly closer to the ideal than the others.",
                words::contestant(best.system, &best.unit)
            ),
            (Some(beside), [best, others @ ..]) => format!(
                "By {symbol}, {beside} of the other {} are statistically tied with {}, the closest to the ideal.",
                others.len(),
                words::contestant(best.system, &best.unit)
            ),
            _ => String::new(),
        }
    }

    /// Two plain sentences, or one where one system stands alone.
    pub fn sentences(&self, data: &Data<'_>) -> Vec<String> {
        let number = |entry: &Entry<'_>| entry.number(data.decimals(entry.row));
        let named = |entry: &Entry<'_>| words::contestant(entry.system, &entry.unit);
        let symbol = self.metric.symbol;
        let [Some(best), Some(worst)] = [self.entries.first(), self.entries.last()] else {
            return Vec::new();
        };
        let off = |entry: &Entry<'_>| reading(self.metric, entry, self.ideal);
        let ideal = crate::number::tick_label(self.ideal);
        if self.entries.len() == 1 {
            return vec![format!(
                "{} {} ({symbol} {}, ideal {ideal}).",
                named(best),
                off(best),
                number(best)
            )];
        }
        let count = self.entries.len();
        let all_off = self.entries.iter().all(|entry| entry.row.excludes_ideal());
        let none_off = self
            .entries
            .iter()
            .all(|entry| entry.row.low.is_some() && !entry.row.excludes_ideal());
        let first = if none_off {
            let none = match count {
                2 => "Both intervals contain".to_owned(),
                count => format!("All {count} intervals contain"),
            };
            format!(
                "{none} the ideal ({symbol} {ideal}); {} is furthest from it ({}).",
                named(worst),
                number(worst)
            )
        } else {
            format!(
                "{} is furthest from the ideal: it {} ({symbol} {}, ideal {ideal}){}.",
                named(worst),
                off(worst),
                number(worst),
                match (all_off, count) {
                    (true, 3..) => format!("; all {count} intervals exclude the ideal"),
                    _ => String::new(),
                }
            )
        };
        let beside = match (self.beside_best, count) {
            (None, _) => String::new(),
            (Some(0), 2) => "; the two differ significantly".to_owned(),
            (Some(_), 2) => "; the two are statistically tied".to_owned(),
            (Some(0), count) => {
                format!("; it differs significantly from all other {}", count - 1)
            }
            (Some(beside), count) => format!(
                "; {beside} of the other {} are statistically tied with it",
                count - 1
            ),
        };
        let holds = if best.row.low.is_some() && !best.row.excludes_ideal() {
            ", an interval that contains the ideal"
        } else {
            ""
        };
        vec![
            first,
            format!(
                "{} is closest ({}{holds}){beside}.",
                named(best),
                number(best)
            ),
        ]
    }
}

/// What is said of several systems together is no system.
fn is_of_one(entry: &Entry<'_>) -> bool {
    entry.row.system != "all" && !entry.row.system.starts_with("all:")
}

/// What being off the ideal means, as a verb with what belongs to it.
fn reading(metric: &Metric, entry: &Entry<'_>, ideal: f64) -> String {
    let side = if entry.value >= ideal {
        metric.above
    } else {
        metric.below
    };
    if entry.row.low.is_some() && !entry.row.excludes_ideal() {
        return "shows no significant difference from the ideal".to_owned();
    }
    let mut letters = side.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "is off the ideal".to_owned(),
    }
}

/// Which pairs differ, `[i][j]` for any i and j; none where there are too many, or where numbers have no interval.
fn told_apart(
    entries: &[Entry<'_>],
    metric: &Metric,
    compared: &[Row],
) -> (Option<Vec<Vec<bool>>>, Evidence) {
    if entries.len() > GROUPED {
        return (None, Evidence::Intervals);
    }
    let pairs: Vec<(usize, usize)> = (0..entries.len())
        .flat_map(|first| (first + 1..entries.len()).map(move |second| (first, second)))
        .collect();
    let table = |differ: Vec<bool>| {
        let mut apart = vec![vec![false; entries.len()]; entries.len()];
        for ((first, second), differs) in pairs.iter().zip(differ) {
            apart[*first][*second] = differs;
            apart[*second][*first] = differs;
        }
        Some(apart)
    };
    if let Some(p_values) = paired(entries, metric, compared, &pairs) {
        // Those pairs alone are the family here.
        let corrected = holm(&p_values).expect("p-values lie between 0 and 1");
        let differ = corrected.iter().map(|p| *p < 1.0 - LEVEL).collect();
        return (table(differ), Evidence::Paired);
    }
    let scores: Option<Vec<f64>> = pairs
        .iter()
        .map(|(first, second)| score(entries[*first].row, entries[*second].row))
        .collect();
    match scores {
        Some(scores) => (table(step_down(&scores)), Evidence::Intervals),
        None => (None, Evidence::Intervals),
    }
}

/// The p-values of all pairs, where a comparison tested every one of them in the same unit.
fn paired(
    entries: &[Entry<'_>],
    metric: &Metric,
    compared: &[Row],
    pairs: &[(usize, usize)],
) -> Option<Vec<f64>> {
    if compared.is_empty() || pairs.is_empty() {
        return None;
    }
    let (own, other) = (format!("p_value_{}", metric.symbol), "p_value");
    // A bare p-value belongs to the first difference of its unit and group.
    let leading = |row: &Row| {
        let mut same = compared.iter().filter(|other| {
            other.system == row.system && other.unit == row.unit && other.group == row.group
        });
        same.find_map(Row::difference_of) == Some(metric.symbol)
    };
    let mut found: BTreeMap<[&str; 4], f64> = BTreeMap::new();
    for row in compared {
        if let Some((from, to)) = row.compared()
            && (row.metric == own || (row.metric == other && leading(row)))
        {
            found.insert([from, to, &row.unit, &row.group], row.value);
        }
    }
    pairs
        .iter()
        .map(|(first, second)| {
            let (first, second) = (entries[*first].row, entries[*second].row);
            if first.unit != second.unit {
                return None;
            }
            let pairs = [(first, second), (second, first)];
            pairs
                .iter()
                .find_map(|(from, to)| {
                    found.get(&[&*from.system, &*to.system, &first.unit, &first.group])
                })
                .copied()
                // A test that came to nothing tested nothing.
                .filter(|p| (0.0..=1.0).contains(p))
        })
        .collect()
}

/// How far apart two numbers are, in standard errors of their difference, by the arms of their intervals that face each
/// other.
fn score(first: &Row, second: &Row) -> Option<f64> {
    let (low, high) = if first.value <= second.value {
        (first, second)
    } else {
        (second, first)
    };
    let arms = (low.high? - low.value).hypot(high.value - high.low?);
    let z = normal_quantile(LEVEL).ok()?;
    Some(match (high.value - low.value, arms) {
        (difference, _) if difference <= 0.0 => 0.0,
        (_, arms) if arms <= 0.0 => f64::INFINITY,
        (difference, arms) => difference / arms * z,
    })
}

/// Holm's step-down procedure on normal scores.
fn step_down(scores: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut differ = vec![false; scores.len()];
    for (step, place) in order.into_iter().enumerate() {
        let left = (scores.len() - step) as f64;
        let level = 1.0 - (1.0 - LEVEL) / left;
        if normal_quantile(level).is_ok_and(|needed| scores[place] <= needed) {
            break;
        }
        differ[place] = true;
    }
    differ
}

#[cfg(test)]
mod tests {
    use epicene_core::RowKind;

    use super::*;

    const METRICS: &[Metric] = &[Metric::headline(
        "f",
        "rate",
        0.0,
        ["Follows the stereotypes", "Runs against the stereotypes"],
    )];

    fn rows(values: &[(&str, &str, f64)]) -> Vec<Row> {
        let row = |(system, unit, value): &(&str, &str, f64)| {
            let mut row = Row::new("b", [system, unit, "all"], "f", *value);
            (row.low, row.high) = (Some(value - 0.02), Some(value + 0.02));
            row.ideal = Some(0.0);
            row
        };
        values.iter().map(row).collect()
    }

    fn with<T>(
        rows: &[Row],
        compared: &[Row],
        see: impl FnOnce(&Standing<'_>, &Data<'_>) -> T,
    ) -> T {
        let entries = rows.iter().enumerate().map(|(index, row)| Entry {
            row,
            index: Some(index),
            system: &row.system,
        });
        let data = Data {
            benchmark: "b",
            entries: entries.collect(),
            published: &[],
            same_items: true,
            labels: &BTreeMap::new(),
            metrics: METRICS,
            compared,
            views: Vec::new(),
        };
        let found = standings(&data);
        see(&found[0], &data)
    }

    #[test]
    fn the_closest_comes_first_and_sentences_name_both_ends() {
        let rows = rows(&[
            ("deepl", "lang:sl", 0.31),
            ("google", "lang:sk", 0.05),
            ("nllb", "lang:pl", 0.04),
            ("random:1", "lang:pl", 0.0),
        ]);
        with(&rows, &[], |standing, data| {
            assert_eq!(standing.entries[0].system, "nllb");
            assert_eq!(standing.controls.len(), 1);
            assert_eq!(standing.groups, [vec![0, 1], vec![2]]);
            assert_eq!(
                standing.sentences(data),
                [
                    "deepl into Slovenian is furthest from the ideal: it follows the stereotypes (f 0.310 [0.290, \
                     0.330], ideal 0); all 3 intervals exclude the ideal.",
                    "nllb into Polish is closest (0.040 [0.020, 0.060]); 1 of the other 2 are statistically tied with it."
                ]
            );
        });
    }

    #[test]
    fn nobody_is_said_to_be_off_an_ideal_that_all_intervals_hold() {
        let rows = rows(&[("a", "all", 0.01), ("b", "all", -0.015), ("c", "all", 0.0)]);
        with(&rows, &[], |standing, data| {
            assert_eq!(
                standing.sentences(data)[0],
                "All 3 intervals contain the ideal (f 0); b is furthest from it (-0.015 [-0.035, 0.005])."
            );
        });
    }

    #[test]
    fn paired_tests_tell_apart_what_intervals_do_not() {
        let rows = rows(&[("a", "all", 0.05), ("b", "all", 0.06)]);
        let (from, to) = ("a".to_owned(), "b".to_owned());
        let difference = |of: &str| RowKind::Difference {
            of: of.to_owned(),
            from: from.clone(),
            to: to.clone(),
        };
        let mut compared = vec![
            Row::new("b", ["b - a", "all", "all"], "delta_f", 0.01),
            Row::new("b", ["b - a", "all", "all"], "p_value", 0.001),
        ];
        compared[0].kind = difference("f");
        compared[1].kind = RowKind::Test {
            from: from.clone(),
            to: to.clone(),
        };
        with(&rows, &[], |standing, _| {
            assert_eq!(standing.groups, [[0, 1]])
        });
        with(&rows, &compared, |standing, _| {
            assert_eq!(standing.evidence, Evidence::Paired);
            assert_eq!(standing.groups, [[0], [1]]);
        });
        // The p-value of another difference is none of this one's.
        compared[0].kind = difference("g");
        with(&rows, &compared, |standing, _| {
            assert_eq!(standing.evidence, Evidence::Intervals);
        });
    }

    #[test]
    fn equal_numbers_without_width_are_not_told_apart() {
        let mut rows = rows(&[("a", "all", 0.5), ("b", "all", 0.5), ("c", "all", 0.7)]);
        for row in &mut rows {
            (row.low, row.high) = (Some(row.value), Some(row.value));
        }
        with(&rows, &[], |standing, _| {
            assert_eq!(standing.groups, [vec![0, 1], vec![2]]);
        });
    }
}
