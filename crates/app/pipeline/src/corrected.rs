//! Judged rows beside what the labels of people make of them. A corrected row has the metric's name with `_corrected`;
//! where corrected numbers are the headline they have the name itself, and judged ones end in `_judged`, so that tables,
//! gates, figures and comparisons need not know the difference.

use std::collections::BTreeMap;
use std::ops::Range;

use epicene_audit::{CERTAIN, Cell, Corrected, ESTIMATOR, EstimateError, Ratio, Record, estimate};
use epicene_bench::formula::{Formula, Term};
use epicene_bench::{BenchError, Clusters, ColumnView, Measured};
use epicene_core::{Field, Finding, Row, View};
use epicene_stats::student_p_value;

use crate::audit::AnswerIndex;
use crate::labelled::{Known, pooled};
use crate::{JudgedRun, PipelineError};

pub const CORRECTED: &str = "_corrected";
pub const JUDGED: &str = "_judged";

/// The labels of one run among the columns of a table.
#[derive(Debug, Clone)]
pub(crate) struct Audited {
    pub record: Record,
    pub columns: Range<usize>,
}

/// The answers behind the rows of a system and unit, with their labels: one column, or all of one wording.
pub struct AuditedColumn {
    /// The first one.
    pub column: usize,
    pub system: usize,
    /// As rows name it.
    pub unit: String,
    pub cells: Vec<Cell<Finding>>,
    /// The item of each cell.
    pub items: Vec<usize>,
}

/// What a wrong verdict may stand for.
pub fn others(finding: Finding) -> Vec<Finding> {
    match finding {
        Finding::Masculine => vec![Finding::Feminine],
        Finding::Feminine => vec![Finding::Masculine],
        _ => vec![Finding::Masculine, Finding::Feminine],
    }
}

impl JudgedRun<'_> {
    /// The columns that people looked at.
    pub fn audited(&self) -> Result<Vec<AuditedColumn>, PipelineError> {
        let mut columns = Vec::new();
        if self.audits.is_empty() {
            return Ok(columns);
        }
        let clusters = Clusters::of(&self.judged())?;
        for audited in &self.audits {
            columns.extend(self.audited_columns(audited, &clusters)?);
        }
        Ok(columns)
    }

    fn audited_columns(
        &self,
        Audited { record, columns }: &Audited,
        clusters: &Clusters,
    ) -> Result<Vec<AuditedColumn>, PipelineError> {
        let labels = self.benchmark.card().audit_labels();
        let mut said: BTreeMap<(&str, &str, &str), Vec<Finding>> = BTreeMap::new();
        for cell in &record.labels {
            let place = (&*cell.system, &*cell.unit, &*cell.item);
            for key in cell.labels.iter().filter(|key| !key.is_empty()) {
                let label = labels.iter().find(|label| label.key == key);
                let label =
                    label.ok_or_else(|| bad_record(format!("there is no label `{key}`")))?;
                said.entry(place).or_default().push(label.finding);
            }
        }
        let mut strata: BTreeMap<String, u32> = BTreeMap::new();
        let mut found: Vec<AuditedColumn> = Vec::new();
        for column in columns.clone() {
            if !self.is_meant(column, &record.only) {
                continue;
            }
            let own = &self.table.columns[column];
            let (system, unit) = (&*self.recorded_names[own.system], own.unit.as_str());
            let kept = record.verdicts.get(&Record::column(system, unit));
            let letters: Vec<char> = kept.map_or_else(Vec::new, |kept| kept.chars().collect());
            let into = self.audited_place(&mut found, column);
            for (item, verdict) in self.verdicts[column].cells.iter().enumerate() {
                let Some(verdict) = verdict else { continue };
                let place = AnswerIndex { column, item };
                let (stratum, human) = if self.text_of(place).is_none() {
                    // Nothing to read: the verdict is what it is.
                    (CERTAIN, vec![verdict.finding])
                } else {
                    let letter = letters.get(item).map(char::to_string);
                    let name = self.stratum(place, &record.by, &letter.unwrap_or_default());
                    let next = strata.len() as u32;
                    let id = self.table.items.get(item).id;
                    let human = said.get(&(system, unit, id)).cloned();
                    (
                        *strata.entry(name).or_insert(next),
                        human.unwrap_or_default(),
                    )
                };
                into.items.push(item);
                into.cells.push(Cell {
                    stratum,
                    cluster: clusters.cluster(item) as u32,
                    judged: verdict.finding,
                    human,
                });
            }
        }
        Ok(found)
    }

    /// Where the answers of a column go.
    fn audited_place<'a>(
        &self,
        found: &'a mut Vec<AuditedColumn>,
        column: usize,
    ) -> &'a mut AuditedColumn {
        let own = &self.table.columns[column];
        let unit = self.benchmark.card().audit_unit(&own.unit);
        let known = found
            .iter()
            .position(|other| other.system == own.system && other.unit == unit);
        let place = known.unwrap_or_else(|| {
            found.push(AuditedColumn {
                column,
                system: own.system,
                unit,
                cells: Vec::new(),
                items: Vec::new(),
            });
            found.len() - 1
        });
        &mut found[place]
    }

    /// Every answer with a text, as if nobody had looked yet.
    pub fn unlabelled(&self) -> Result<Vec<AuditedColumn>, PipelineError> {
        let mut found = Vec::new();
        for AnswerIndex { column, item } in self.audit_places(&[])? {
            let verdict = self.verdicts[column].cells[item].as_ref();
            let verdict = verdict.expect("what has a text has a verdict");
            let into = self.audited_place(&mut found, column);
            into.items.push(item);
            into.cells.push(Cell {
                stratum: 0,
                cluster: item as u32,
                judged: verdict.finding,
                human: Vec::new(),
            });
        }
        Ok(found)
    }

    /// The formulas of a column.
    pub fn formulas(&self, column: usize) -> Result<Vec<Formula>, PipelineError> {
        let view = ColumnView {
            table: &self.table,
            place: column,
        };
        Ok(self.benchmark.formulas(&self.judged(), &view)?)
    }

    /// Puts corrected rows beside judged ones.
    pub(crate) fn correct(&self, measured: &mut Measured) -> Result<(), PipelineError> {
        let mut corrected: Vec<(usize, Row)> = Vec::new();
        let mut few = Vec::new();
        let known = Known::new(self)?;
        for (place, row) in measured.rows.iter().enumerate() {
            let system = self
                .table
                .systems
                .iter()
                .position(|own| own.name == row.system);
            let Some(system) = system.filter(|_| !known.columns.is_empty()) else {
                continue;
            };
            let measured_units = measured
                .rows
                .iter()
                .filter(|other| other.system == row.system);
            let wanted = (row.group.as_str(), row.metric.as_str());
            let parts = known.parts(&[(system, 1.0)], &row.unit, wanted, measured_units);
            match parts.map(|parts| pooled(&parts)) {
                None => {}
                Some(Ok(number)) => corrected.push((place, beside(row, &number))),
                Some(Err(EstimateError::TooFew { labels })) if row.group == "all" => {
                    few.push(format!(
                        "{} {} {} ({labels})",
                        row.system, row.unit, row.metric
                    ));
                }
                Some(Err(EstimateError::Stats(error))) => {
                    return Err(BenchError::from(error).into());
                }
                Some(Err(_)) => {}
            }
        }
        if corrected.is_empty() && self.options.corrected {
            let labels = self
                .audits
                .iter()
                .map(|audited| audited.record.labels.len());
            return Err(PipelineError::TooFewLabels {
                labels: labels.sum(),
            });
        }
        self.say(measured, !corrected.is_empty(), few);
        self.place(measured, corrected);
        Ok(())
    }

    /// Says whose labels these are, where they corrected something.
    fn say(&self, measured: &mut Measured, corrected: bool, few: Vec<String>) {
        if corrected {
            for Audited { record, .. } in &self.audits {
                let labels = format!("{}-n{}", record.hash(), record.labels.len());
                measured.how.push(("labels", labels));
            }
            measured.how.push(("estimator", ESTIMATOR.to_owned()));
            if self.options.corrected {
                measured.how.push(("headline", "corrected".to_owned()));
            }
        }
        if !few.is_empty() {
            let few = few.join(", ");
            measured.notes.push(format!(
                "too few labels to correct: {few}; at least {} are needed",
                epicene_audit::LEAST_LABELS
            ));
        }
    }

    /// Inserts each row behind the judged one at its place, under the names that the headline asks for.
    fn place(&self, measured: &mut Measured, mut corrected: Vec<(usize, Row)>) {
        corrected.sort_by_key(|(place, _)| *place);
        for (place, mut row) in corrected.into_iter().rev() {
            let judged = &mut measured.rows[place];
            if self.options.corrected {
                judged.metric += JUDGED;
            } else {
                row.metric += CORRECTED;
            }
            // The headline stands first.
            let behind = usize::from(!self.options.corrected);
            measured.rows.insert(place + behind, row);
            for test in &mut measured.tests {
                if test.row > place {
                    test.row += 1;
                }
            }
        }
    }

    /// The same for the differences of two systems, second less first, with the test of each.
    pub(crate) fn correct_differences(
        &self,
        measured: &mut Measured,
        (first, second): (usize, usize),
    ) -> Result<(), PipelineError> {
        let known = Known::new(self)?;
        let mut corrected: Vec<(usize, Row)> = Vec::new();
        for place in 0..measured.rows.len() {
            let row = &measured.rows[place];
            let Some(metric) = row.difference_of() else {
                continue;
            };
            let signs = [(first, -1.0), (second, 1.0)];
            let wanted = (row.group.as_str(), metric);
            let parts = known.parts(&signs, &row.unit, wanted, measured.rows.iter());
            let Some(Ok(number)) = parts.map(|parts| pooled(&parts)) else {
                continue;
            };
            corrected.push((place, beside(row, &number)));
            // The test stands behind its difference.
            if let Some(test) = measured.rows.get(place + 1)
                && test.metric.starts_with("p_value")
                && (&test.unit, &test.group) == (&row.unit, &row.group)
            {
                let t = number.value / number.variance.sqrt();
                let p = student_p_value(t, number.dof);
                let mut row = test.clone();
                (row.value, row.n) = (p, Some(number.labels as u64));
                corrected.push((place + 1, row));
            }
        }
        if corrected.is_empty() && self.options.corrected {
            let name = |system: usize| &self.table.systems[system].name;
            measured.warnings.push(format!(
                "{} - {}: human labels correct none of these numbers; they are the detector's",
                name(second),
                name(first)
            ));
        }
        self.say(measured, !corrected.is_empty(), Vec::new());
        self.place(measured, corrected);
        Ok(())
    }

    /// Shows corrected numbers wherever judged ones are shown.
    pub(crate) fn show_corrected(&self, rows: &[Row], views: &mut [View]) {
        let ending = if self.options.corrected {
            JUDGED
        } else {
            CORRECTED
        };
        if self.audits.is_empty() {
            return;
        }
        for view in views {
            for filter in &mut view.filters {
                if filter.field != Field::Metric {
                    continue;
                }
                let mut shown = Vec::new();
                for metric in &filter.any_of {
                    shown.push(metric.clone());
                    let other = format!("{metric}{ending}");
                    if rows.iter().any(|row| row.metric == other) {
                        shown.push(other);
                    }
                }
                filter.any_of = shown;
            }
        }
    }
}

impl AuditedColumn {
    pub fn ratios<'a>(&'a self, terms: &'a [Term], sign: f64) -> Vec<Ratio<'a, Finding>> {
        terms
            .iter()
            .map(|term| Ratio {
                weight: sign * term.weight,
                offset: term.offset,
                counts: Box::new(move |cell, finding| (term.counts)(self.items[cell], finding)),
            })
            .collect()
    }

    pub fn estimate(&self, terms: &[Term]) -> Result<Corrected, EstimateError> {
        estimate(&self.cells, &self.ratios(terms, 1.0), &others)
    }
}

/// A corrected row, still under the judged one's name; `n` are the labels it rests on.
fn beside(judged: &Row, corrected: &Corrected) -> Row {
    Row {
        value: corrected.value,
        low: Some(corrected.low),
        high: Some(corrected.high),
        n: Some(corrected.labels as u64),
        k: None,
        deff: None,
        n_eff: None,
        ..judged.clone()
    }
}

fn bad_record(message: String) -> PipelineError {
    let error = epicene_core::InputError::new("audit.json", message)
        .with_hint("read the label files again: epicene audit read RUN labels.csv");
    BenchError::Input(error).into()
}
