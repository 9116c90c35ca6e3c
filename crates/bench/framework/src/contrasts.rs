//! Two systems on the same items: differences, second less first, paired by what was sampled, each with its test.
//!
//! A benchmark pushes the same measure of both systems, unit by unit; where there are several units their mean is tested
//! first (the pooled measure). Corrections for many tests belong to the command, which knows how many systems it compares.

use epicene_core::Unit;

use std::collections::BTreeSet;

use crate::{BenchError, Card, Clusters, Estimate, How, Judged, Measured, RowWriter};

/// A test among the rows of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    /// The row of its p-value; that of the difference stands before it.
    pub row: usize,
    /// Whether it is what the comparison comes down to.
    pub primary: bool,
}

/// One measure of two systems in one unit.
struct Contrast {
    unit: String,
    group: String,
    /// `delta_acc`, and what its p-value is called.
    metric: &'static str,
    p_metric: &'static str,
    times: f64,
    primary: bool,
    both: [Estimate; 2],
}

/// Collects the differences of two systems.
pub struct Contrasts<'a> {
    judged: &'a Judged<'a>,
    card: &'static Card,
    pair: (usize, usize),
    found: Vec<Contrast>,
    pooled: bool,
}

impl<'a> Contrasts<'a> {
    pub fn new(judged: &'a Judged<'a>, first: usize, second: usize) -> Contrasts<'a> {
        Contrasts {
            judged,
            card: judged.card,
            pair: (first, second),
            found: Vec::new(),
            pooled: true,
        }
    }

    /// Rows are of another card than the benchmark's own (gest-pairs are GEST).
    pub fn of(mut self, card: &'static Card) -> Contrasts<'a> {
        self.card = card;
        self
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Units are not averaged: what they measure is not one thing.
    pub fn apart(mut self) -> Contrasts<'a> {
        self.pooled = false;
        self
    }

    /// The measure of both systems, the first one's first, over the same clusters. `times` is 100 for per cent. What
    /// stands for the whole (`primary`) is tested first, and everything else together.
    pub fn push(
        &mut self,
        (unit, group): (&str, &str),
        (metric, p_metric): (&'static str, &'static str),
        both: [Estimate; 2],
        (times, primary): (f64, bool),
    ) {
        self.found.push(Contrast {
            unit: unit.to_owned(),
            group: group.to_owned(),
            metric,
            p_metric,
            times,
            primary,
            both,
        });
    }

    /// Means over units, before them.
    fn pool(&mut self) -> Result<(), BenchError> {
        let mut units: Vec<&str> = self.found.iter().map(|one| one.unit.as_str()).collect();
        units.sort_unstable();
        units.dedup();
        if units.len() < 2 || units.contains(&"all") {
            return Ok(());
        }
        let mut pooled: Vec<Contrast> = Vec::new();
        for one in &self.found {
            let alike = |other: &&Contrast| other.group == one.group && other.metric == one.metric;
            if pooled.iter().any(|known| alike(&known)) {
                continue;
            }
            let parts: Vec<&Contrast> = self.found.iter().filter(alike).collect();
            if parts.len() != units.len() {
                continue;
            }
            let side = |side: usize| {
                let parts: Vec<&Estimate> = parts.iter().map(|part| &part.both[side]).collect();
                Estimate::mean(&parts)
            };
            pooled.push(Contrast {
                unit: "all".to_owned(),
                group: one.group.clone(),
                both: [side(0)?, side(1)?],
                ..*one
            });
        }
        if pooled.iter().any(|one| one.primary) {
            self.found.iter_mut().for_each(|one| one.primary = false);
        }
        self.found.splice(0..0, pooled);
        Ok(())
    }

    /// Languages that both translated into, where they decided nothing in common.
    fn nothing_shared(&self) -> Vec<String> {
        let (first, second) = self.pair;
        let pairs = self.judged.pairs(first, second);
        let units = pairs
            .iter()
            .map(|[(view, _), _]| view.column().unit.as_str());
        let lacking = units.filter(|unit| {
            Unit::language_code(unit).is_some() && !self.found.iter().any(|one| one.unit == **unit)
        });
        let names = self.judged.difference(first, second);
        lacking
            .map(|unit| format!("{names} {unit}: nothing was decided in both; not compared"))
            .collect()
    }

    /// The rows, and how they were made. `clusters` say what was sampled.
    pub fn measured(mut self, clusters: &Clusters, mut how: How) -> Result<Measured, BenchError> {
        let ((first, second), options) = (self.pair, self.judged.options);
        if self.found.is_empty() {
            return Err(self
                .judged
                .incomparable(first, second, "they answered nothing in common"));
        }
        if self.pooled {
            self.pool()?;
        }
        let system = self.judged.difference(first, second);
        let card = self.card;
        let mut measured = Measured::default();
        let mut tests = BTreeSet::new();
        let (mut alone, mut level) = (0, 0);
        for one in &self.found {
            let difference = one.both[1].less(&one.both[0])?;
            let n = one.both[0].n.max(one.both[1].n);
            let difference = difference.counting(n);
            let mut writer = RowWriter::new(card, &system, &one.unit);
            writer.scaled(&one.group, one.metric, &difference, one.times);
            let Contrast {
                unit,
                group,
                metric,
                ..
            } = one;
            let stream = format!("{}/compare/{unit}/{group}/{metric}", card.name);
            let tested = difference.interval.is_some();
            let shared = self.judged.shared.filter(|_| difference.is_flipped());
            let shared = shared.filter(|_| one.both[0].scale == one.both[1].scale);
            let p = tested.then(|| {
                let systems = [first, second];
                match shared.and_then(|shared| shared.p_value(&one.both, systems, options, &stream))
                {
                    Some(p) => Ok(Some(p)),
                    None => difference.p_value(options, &stream),
                }
            });
            if tested && let Some(p) = p.transpose()?.flatten() {
                tests.insert(difference.test_name(options));
                let row = writer.push(&one.group, one.p_metric, p);
                (row.n, row.k) = (Some(n), Some(difference.k as u64));
                measured.tests.push(Tested {
                    row: measured.rows.len() + 1,
                    primary: one.primary,
                });
            } else if tested {
                level += 1;
            } else {
                alone += 1;
            }
            measured.rows.extend(writer.rows);
        }
        measured.notes = self.nothing_shared();
        if alone > 0 {
            let (all, unit) = (self.found.len(), clusters.unit());
            measured.notes.push(format!(
                "{system}: {alone} of {all} differences have no interval and no test: one {unit} tells nothing of the spread"
            ));
        }
        if level > 0 {
            let (all, unit) = (self.found.len(), clusters.unit());
            measured.notes.push(format!(
                "{system}: {level} of {all} differences have no test: every {unit} differs alike"
            ));
        }
        how.extend(clusters.how());
        how.push(("interval", "paired-newcombe-t".to_owned()));
        if !tests.is_empty() {
            let tests: Vec<String> = tests.into_iter().collect();
            how.push(("test", tests.join("+")));
        }
        measured.how = how;
        Ok(measured)
    }
}
