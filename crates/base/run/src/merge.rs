//! Joins the logs of shards into one run. Observations are merged, never metrics: the joined run
//! measures exactly as if one process had asked everything.

use std::path::Path;

use epicene_core::{Answer, Observation};

use crate::{Coverage, LogLayout, LogReader, RunDirectory, RunError, RunWriter, Times, sha256_hex};

#[derive(Debug, Clone, Copy, Default)]
pub struct MergeOptions {
    /// Keep the first of several answers to the same question instead of refusing.
    pub allow_overlap: bool,
    /// Accept that questions have no answer.
    pub allow_gaps: bool,
    /// Replace a run that is already in the output directory.
    pub fresh: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MergeReport {
    pub observations: u64,
    /// Questions answered in more than one run.
    pub overlaps: u64,
    /// Among those, the ones whose answers differ.
    pub conflicts: u64,
    pub missing: u64,
}

/// Merges `runs` into a new run at `out`. Nothing is written when the runs do not fit together.
pub fn merge(
    runs: &[RunDirectory],
    out: &Path,
    options: MergeOptions,
) -> Result<(RunDirectory, MergeReport), RunError> {
    let first = &runs[0];
    for other in &runs[1..] {
        let differences = first.manifest.differences(&other.manifest, true);
        if !differences.is_empty() {
            return Err(RunError::DifferentRuns {
                first: first.path().to_owned(),
                other: other.path().to_owned(),
                differences,
            });
        }
    }
    if runs.iter().any(|run| same_place(run.path(), out)) {
        return Err(RunError::MergeIntoItself {
            path: out.to_owned(),
        });
    }
    let mut report = survey(runs, options)?;
    let items = first.plan.items();
    for index in 0..items.len() {
        items.with(index, |_| ())?;
    }

    let mut manifest = first.manifest.clone();
    manifest.shard = None;
    // Links are made of all answers together.
    if let Some(aligner) = &mut manifest.aligner {
        aligner.links.clear();
    }
    manifest.log = LogLayout::Lines;
    let mut unread = None;
    let items = (0..items.len()).map_while(|index| match items.get(index) {
        Ok(item) => Some(item),
        Err(error) => {
            unread = Some(error);
            None
        }
    });
    let mut writer = RunWriter::open(out, manifest, items, &first.inputs()?, options.fresh)?;
    if let Some(error) = unread {
        return Err(error);
    }
    let before = writer.answers_there()?;
    walk(runs, |ordinal, observation, repeated| {
        if repeated {
            return Ok(());
        }
        // What an interrupted merge had already joined is there, and must be the same.
        match before.get(&ordinal) {
            None => writer.join(ordinal, observation),
            Some(there) if *there == answer_digest(&observation.answer) => Ok(()),
            Some(_) => Err(RunError::OtherAnswer {
                path: out.to_owned(),
                question: first.plan.describe(ordinal),
            }),
        }
    })?;
    report.missing = first.plan.len() as u64 - writer.done.count();
    report.observations = writer.done.count();
    if let Some(times) = times_of(runs)? {
        times.write(out)?;
    }
    Ok((writer.finish()?, report))
}

/// From the start of the first run to the end of the last.
fn times_of(runs: &[RunDirectory]) -> Result<Option<Times>, RunError> {
    let mut all = Vec::new();
    for run in runs {
        all.extend(run.recorded_times()?);
    }
    let started = all.iter().map(|times| times.started.clone()).min();
    let finished: Option<Vec<String>> = all.iter().map(|times| times.finished.clone()).collect();
    Ok(started.map(|started| Times {
        started,
        finished: finished.and_then(|finished| finished.into_iter().max()),
    }))
}

/// A short form of an answer, to tell answers apart without keeping them.
pub fn answer_digest(answer: &Answer) -> u64 {
    let text = serde_json::to_string(answer).expect("an answer can be written");
    let hex = sha256_hex(text.as_bytes());
    u64::from_str_radix(&hex[..16], 16).expect("a digest is hexadecimal")
}

/// Counts before anything is written.
fn survey(runs: &[RunDirectory], options: MergeOptions) -> Result<MergeReport, RunError> {
    let plan = &runs[0].plan;
    let mut seen = Coverage::new(plan.len());
    let mut report = MergeReport::default();
    let mut last = None;
    let mut first_overlap = None;
    walk(runs, |ordinal, observation, repeated| {
        seen.insert(ordinal);
        if repeated {
            report.overlaps += 1;
            first_overlap.get_or_insert(ordinal);
            let before = last.as_ref() == Some(&(ordinal, observation.answer.clone()));
            report.conflicts += u64::from(!before);
        } else {
            last = Some((ordinal, observation.answer.clone()));
        }
        Ok(())
    })?;
    report.observations = seen.count();
    report.missing = plan.len() as u64 - seen.count();

    if let (Some(ordinal), false) = (first_overlap, options.allow_overlap) {
        return Err(RunError::Overlap {
            count: report.overlaps,
            first: plan.describe(ordinal),
        });
    }
    let first_missing = (0..plan.len()).find(|&ordinal| !seen.has(ordinal));
    if let (Some(ordinal), false) = (first_missing, options.allow_gaps) {
        return Err(RunError::Gap {
            missing: report.missing,
            expected: plan.len() as u64,
            first: plan.describe(ordinal),
        });
    }
    Ok(report)
}

fn same_place(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// A run's log with its next observation's number, for the merge by number.
struct Head<'a> {
    run: &'a RunDirectory,
    reader: Option<LogReader>,
    /// What this run has answered, where its log may say so twice.
    seen: Option<Coverage>,
    next: Option<(usize, Observation<'static>)>,
}

impl Head<'_> {
    fn advance(&mut self) -> Result<(), RunError> {
        self.next = None;
        let Some(reader) = &mut self.reader else {
            return Ok(());
        };
        loop {
            let placed = match reader.read()? {
                None => return Ok(()),
                Some(observation) => {
                    let plan = &self.run.plan;
                    let key = |item, probe| plan.stored_key(item, probe);
                    let place = plan.place(&observation, key);
                    place.map(|place| (place, owned(&observation)))
                }
            };
            let ((item, probe), observation) =
                placed.map_err(|message| reader.complain(message))?;
            let ordinal = self.run.plan.ordinal(item, probe);
            if self.seen.as_mut().is_none_or(|seen| seen.insert(ordinal)) {
                self.next = Some((ordinal, observation));
                return Ok(());
            }
        }
    }
}

fn owned(observation: &Observation<'_>) -> Observation<'static> {
    Observation {
        key: observation.key.to_string().into(),
        item: observation.item,
        system: observation.system.to_string().into(),
        unit: observation.unit.to_string().into(),
        scorer: observation.scorer.to_string().into(),
        answer: observation.answer.clone(),
    }
}

/// Visits the observations of all runs in the order of their numbers (as far as each log is in
/// order), saying which were visited before. Memory does not grow with the logs.
fn walk(
    runs: &[RunDirectory],
    mut visit: impl FnMut(usize, &Observation<'static>, bool) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut heads = Vec::new();
    for run in runs {
        let mut head = Head {
            run,
            reader: LogReader::open_all(run.log_files()?, run.manifest.sums())?,
            seen: (run.manifest.log == LogLayout::Segments).then(|| Coverage::new(run.plan.len())),
            next: None,
        };
        head.advance()?;
        heads.push(head);
    }
    let mut seen = Coverage::new(runs[0].plan.len());
    loop {
        let lowest = heads
            .iter()
            .enumerate()
            .filter_map(|(index, head)| head.next.as_ref().map(|(ordinal, _)| (*ordinal, index)))
            .min();
        let Some((ordinal, index)) = lowest else {
            return Ok(());
        };
        let head = &mut heads[index];
        if let Some((_, observation)) = head.next.take() {
            visit(ordinal, &observation, !seen.insert(ordinal))?;
        }
        head.advance()?;
    }
}
