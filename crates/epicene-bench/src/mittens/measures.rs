//! Accuracy, what is preserved, the gap between the genders and the worst cell with its chance.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::Outcome;
use epicene_stats::{binomial_cdf, wilson};

use super::data;
use crate::estimate::LEVEL;
use crate::options::INTERVAL;
use crate::translations::SOURCE;
use crate::{BenchError, Clusters, ColumnView, Estimate, Judged, Measured, RowWriter, Verdicts};

/// Groups of one label; pairs of the first three are groups as well.
const FACETS: [&str; 5] = [
    SOURCE,
    data::SET,
    data::GENDER,
    data::LEVEL,
    data::NAME_ONLY,
];
const CELL: [&str; 3] = [SOURCE, data::SET, data::GENDER];

/// The outcome of every answered item of a column, by the item's index.
pub fn outcomes(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<(usize, Outcome)> {
    let cells = verdicts.cells.iter().enumerate();
    cells
        .filter(|(item, _)| view.text(*item).is_some())
        .filter_map(|(item, verdict)| Some((item, verdict.as_ref()?.outcome?)))
        .collect()
}

/// Counts of a group of items.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n: u64,
    wrong: u64,
}

impl Counts {
    fn accuracy(self) -> f64 {
        (self.n - self.wrong) as f64 / self.n as f64
    }
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let system = &view.system().name;
        let mut writer = RowWriter::new(judged.card, system, view.column().unit.as_str());
        let column = Column {
            clusters: &clusters,
            view,
            outcomes: outcomes(&view, verdicts),
        };
        let groups = column.groups();
        for (group, items) in &groups {
            let of = |test: &dyn Fn(Outcome) -> bool| -> Vec<(usize, bool)> {
                items
                    .iter()
                    .map(|(item, outcome)| (*item, test(*outcome)))
                    .collect()
            };
            let clusters = clustered.then_some(&clusters);
            let metrics: [(&str, &dyn Fn(Outcome) -> bool); 3] = [
                ("accuracy", &is_not_wrong),
                ("preserved", &is_right),
                ("inconclusive", &|outcome| outcome == Outcome::Inconclusive),
            ];
            for (metric, test) in metrics {
                writer.share(clusters, [group, metric], &of(test))?;
            }
            if group == "all" || !group.contains(data::GENDER) {
                for (metric, test) in [
                    ("gap", &is_not_wrong as &dyn Fn(Outcome) -> bool),
                    ("gap_preserved", &is_right),
                ] {
                    if let Some(gap) = column.gap(items, test)? {
                        let row = writer.estimate(group, metric, &gap);
                        if !clustered {
                            (row.low, row.high, row.k, row.deff, row.n_eff) = Default::default();
                        }
                    }
                }
            }
        }
        measured.notes.extend(column.worst(&mut writer)?);
        measured.rows.extend(writer.rows);
    }
    if clustered {
        measured.how.extend(clusters.how());
        measured.how.push(("interval", "clustered".to_owned()));
    } else {
        measured.how.push(("interval", "wilson".to_owned()));
    }
    measured.or_nothing()
}

pub fn is_not_wrong(outcome: Outcome) -> bool {
    outcome != Outcome::Wrong
}

pub fn is_right(outcome: Outcome) -> bool {
    outcome == Outcome::Correct
}

type Outcomes = Vec<(usize, Outcome)>;

/// The outcomes of one system.
pub struct Column<'a> {
    pub clusters: &'a Clusters,
    pub view: ColumnView<'a>,
    pub outcomes: Outcomes,
}

impl Column<'_> {
    fn label(&self, item: usize, name: &str) -> &str {
        let label = self.view.items().get(item).label(name);
        label.expect("every item has the labels of its row")
    }

    fn name(&self, item: usize, labels: &[&str]) -> String {
        let part = |name: &&str| format!("{name}:{}", self.label(item, name));
        labels.iter().map(part).collect::<Vec<_>>().join("+")
    }

    /// All items, those of each label, and of each pair of language, set and gender.
    fn groups(&self) -> BTreeMap<String, Outcomes> {
        let mut groups: BTreeMap<String, Outcomes> = BTreeMap::new();
        for (item, outcome) in &self.outcomes {
            let mut names = vec!["all".to_owned()];
            names.extend(FACETS.map(|name| self.name(*item, &[name])));
            for (index, first) in CELL.iter().enumerate() {
                let seconds = CELL[index + 1..].iter();
                names.extend(seconds.map(|second| self.name(*item, &[first, second])));
            }
            for name in names {
                groups.entry(name).or_default().push((*item, *outcome));
            }
        }
        groups
    }

    /// A share on passages about men less the same about women.
    pub fn gap(
        &self,
        items: &Outcomes,
        test: &dyn Fn(Outcome) -> bool,
    ) -> Result<Option<Estimate>, BenchError> {
        let side = |gender: &str| {
            let own = items.iter();
            let own = own.filter(|(item, _)| self.label(*item, data::GENDER) == gender);
            self.clusters
                .share(own.map(|(item, outcome)| (*item, test(*outcome))))
        };
        match (side("masculine")?, side("feminine")?) {
            (Some(men), Some(women)) => men.less(&women).map(Some),
            _ => Ok(None),
        }
    }

    fn counts(&self, labels: &[&str]) -> BTreeMap<String, Counts> {
        let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
        for (item, outcome) in &self.outcomes {
            let count = counts.entry(self.name(*item, labels)).or_default();
            count.n += 1;
            count.wrong += u64::from(*outcome == Outcome::Wrong);
        }
        counts
    }

    /// The lowest accuracy by language, by set, and by cell (language × set × gender), with the chance that some cell is as
    /// low if all were alike.
    fn worst(&self, writer: &mut RowWriter<'_>) -> Result<Option<String>, BenchError> {
        for (metric, label) in [("worst_lang", SOURCE), ("worst_set", data::SET)] {
            if let Some((_, counts)) = lowest(&self.counts(&[label])) {
                write_worst(writer, metric, counts)?;
            }
        }
        let cells = self.counts(&CELL);
        let Some((name, worst)) = lowest(&cells) else {
            return Ok(None);
        };
        write_worst(writer, "worst_cell", worst)?;
        for (cell, counts) in &cells {
            write_counted(writer, [cell, "accuracy"], *counts)?;
        }
        let genders = self.counts(&[data::GENDER]);
        let mut none_as_low = 1.0;
        for (cell, counts) in &cells {
            let gender = genders
                .iter()
                .find(|(gender, _)| cell.ends_with(gender.as_str()));
            let (_, overall) = gender.expect("every cell has a gender");
            // The most right ones a cell of this size may have and still be as low.
            let limit = worst.accuracy() + 1e-12;
            let most = (0..=counts.n)
                .rev()
                .find(|right| *right as f64 / counts.n as f64 <= limit);
            if let Some(most) = most {
                none_as_low *= 1.0 - binomial_cdf(most, counts.n, overall.accuracy());
            }
        }
        let chance = 1.0 - none_as_low;
        let row = writer.push("all", "chance", chance);
        row.n = Some(cells.len() as u64);
        let (system, right) = (writer.system, worst.n - worst.wrong);
        let name = name.replace('+', ", ");
        Ok((worst.wrong > 0).then(|| {
            format!(
                "{system}: the worst of {} cells is {name}: {right} of {} without a wrong pronoun; \
                 some cell would be as low with probability {chance:.2} if every cell had its gender's overall accuracy",
                cells.len(),
                worst.n
            )
        }))
    }
}

/// Lowest accuracy; of equals the one with more items, then by name.
fn lowest(counts: &BTreeMap<String, Counts>) -> Option<(&str, Counts)> {
    let mut all: Vec<(&str, Counts)> = counts
        .iter()
        .map(|(name, own)| (name.as_str(), *own))
        .collect();
    all.sort_by(|(_, a), (_, b)| a.accuracy().total_cmp(&b.accuracy()).then(b.n.cmp(&a.n)));
    all.first().copied()
}

fn write_worst(writer: &mut RowWriter<'_>, metric: &str, counts: Counts) -> Result<(), BenchError> {
    write_counted(writer, ["all", metric], counts)
}

fn write_counted(
    writer: &mut RowWriter<'_>,
    [group, metric]: [&str; 2],
    counts: Counts,
) -> Result<(), BenchError> {
    let interval = wilson(counts.n - counts.wrong, counts.n, LEVEL)?;
    let row = writer.push(group, metric, counts.accuracy());
    (row.low, row.high, row.n) = (Some(interval.low), Some(interval.high), Some(counts.n));
    Ok(())
}

/// The groups that rows have, for views.
pub fn groups_of(rows: &[epicene_core::Row], label: &str) -> Vec<String> {
    let prefix = format!("{label}:");
    let own = rows
        .iter()
        .filter(|row| row.group.starts_with(&prefix) && !row.group.contains('+'));
    let groups: BTreeSet<&str> = own.map(|row| row.group.as_str()).collect();
    groups.into_iter().map(str::to_owned).collect()
}
