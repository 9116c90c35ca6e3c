//! What a row becomes by the labels behind it: the row's own unit, or the mean over the units that it pools.

use std::collections::BTreeSet;

use epicene_audit::{CERTAIN, Cell, Corrected, EstimateError, LEVEL, Ratio, estimate};
use epicene_bench::formula::{Formula, Term};
use epicene_core::{Finding, Row};
use epicene_stats::{satterthwaite, student_interval};

use crate::corrected::{AuditedColumn, others};
use crate::{JudgedRun, PipelineError};

/// What labels are known, and what each audited unit's rows are made of.
pub struct Known<'a> {
    run: &'a JudgedRun<'a>,
    pub columns: Vec<(AuditedColumn, Vec<Formula>)>,
}

/// A number of one audited unit, as a part of another.
pub struct Part<'a> {
    sign: f64,
    column: &'a AuditedColumn,
    terms: &'a [Term],
}

impl<'a> Known<'a> {
    pub fn new(run: &'a JudgedRun<'a>) -> Result<Known<'a>, PipelineError> {
        let columns = run.audited()?.into_iter().map(|column| {
            let formulas = run.formulas(column.column)?;
            Ok((column, formulas))
        });
        let columns = columns.collect::<Result<_, PipelineError>>()?;
        Ok(Known { run, columns })
    }

    /// The parts of a row: those of its own unit, or of every unit that it is the mean of. `None` where one of them
    /// has no labels or is no sum of verdicts.
    pub fn parts<'r>(
        &self,
        systems: &[(usize, f64)],
        unit: &str,
        (group, metric): (&str, &str),
        rows: impl Iterator<Item = &'r Row>,
    ) -> Option<Vec<Vec<Part<'_>>>> {
        let of = |unit: &str| -> Option<Vec<Part<'_>>> {
            let part = |(system, sign): &(usize, f64)| {
                let mut own = self
                    .columns
                    .iter()
                    .filter(|(column, _)| column.system == *system);
                let (column, terms) = own.find_map(|(column, formulas)| {
                    let meant = |one: &&Formula| {
                        one.group == group && one.metric == metric && one.unit(&column.unit) == unit
                    };
                    Some((column, &formulas.iter().find(meant)?.terms))
                })?;
                Some(Part {
                    sign: *sign,
                    column,
                    terms,
                })
            };
            systems.iter().map(part).collect()
        };
        let pools = |one: &str| self.run.benchmark.card().audit_pools(unit, one);
        let units: BTreeSet<&str> = rows
            .map(|row| row.unit.as_str())
            .filter(|one| *one != unit && pools(one))
            .collect();
        // Means over wordings are of wordings, not of means over some of them.
        let wordings = units.iter().filter(|one| {
            !units
                .iter()
                .any(|other| other != *one && self.run.benchmark.card().audit_pools(one, other))
        });
        let wordings: Vec<&&str> = wordings.collect();
        if wordings.is_empty() {
            return Some(vec![of(unit)?]);
        }
        wordings.into_iter().map(|unit| of(unit)).collect()
    }
}

/// The mean over units that were sampled themselves (one: the number itself). Beside what labels and items leave open, the
/// units lie apart: that is added with its own degrees of freedom.
pub fn pooled(units: &[Vec<Part<'_>>]) -> Result<Corrected, EstimateError> {
    let count = units.len() as f64;
    let all: Vec<(f64, &Part<'_>)> = units
        .iter()
        .flatten()
        .map(|part| (1.0 / count, part))
        .collect();
    let joint = together(&all)?;
    if units.len() < 2 {
        return Ok(joint);
    }
    let mut values = Vec::new();
    for unit in units {
        let own: Vec<(f64, &Part<'_>)> = unit.iter().map(|part| (1.0, part)).collect();
        values.push(together(&own)?.value);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let apart = squares / (count - 1.0) / count;
    let variance = joint.variance + apart;
    if variance == 0.0 {
        return Ok(joint);
    }
    let dof =
        satterthwaite(&[(joint.variance, joint.dof), (apart, count - 1.0)]).unwrap_or(joint.dof);
    let interval = student_interval(joint.value, variance, dof, LEVEL)?;
    let bound = |side: fn(f64, f64) -> f64| -> f64 {
        let weights = all.iter().flat_map(|(weight, part)| {
            let terms = part.terms.iter();
            terms.map(move |term| weight * part.sign * term.weight)
        });
        weights.map(|weight| side(weight, 0.0)).sum()
    };
    Ok(Corrected {
        low: interval.low.max(bound(f64::min)),
        high: interval.high.min(bound(f64::max)),
        variance,
        dof,
        of_items: joint.of_items + apart,
        ..joint
    })
}

/// A weighted sum over the cells of several.
fn together(parts: &[(f64, &Part<'_>)]) -> Result<Corrected, EstimateError> {
    let mut cells: Vec<Cell<Finding>> = Vec::new();
    let mut ratios: Vec<Ratio<'_, Finding>> = Vec::new();
    let mut next = 0;
    for (weight, part) in parts {
        let start = cells.len();
        let end = start + part.column.cells.len();
        for mut ratio in part.column.ratios(part.terms, weight * part.sign) {
            let counts = ratio.counts;
            ratio.counts = Box::new(move |cell, finding| {
                if (start..end).contains(&cell) {
                    counts(cell - start, finding)
                } else {
                    [0.0; 2]
                }
            });
            ratios.push(ratio);
        }
        // Strata of different parts stay apart.
        let first = next;
        cells.extend(part.column.cells.iter().cloned().map(|mut cell| {
            if cell.stratum != CERTAIN {
                cell.stratum += first;
                next = next.max(cell.stratum + 1);
            }
            cell
        }));
    }
    estimate(&cells, &ratios, &others)
}
