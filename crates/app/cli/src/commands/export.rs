//! `epicene export`: results in the layouts of other tools. Reads finished runs; measures nothing, sends nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use epicene_bench::Given;
use epicene_core::{Results, Span};
use epicene_io::Moment;
use epicene_pipeline::JudgedRun;
use epicene_report::export::{
    ExportError, ExportedFile, Layout, Sample, Settings, StoredRow, StoredRun, When,
};
use epicene_run::{Manifest, RunDirectory, RunSummary};
use serde::Deserialize;

use crate::args::ExportArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, datasets, effects, outputs};

pub fn run(args: &ExportArgs) -> Result<Outcome, Failure> {
    effects::check(args, &())?;
    if args.output.is_none() && args.to != Layout::ModelIndex {
        return Err(Failure::usage("there is no directory to write to").with_hint("pass -o DIR"));
    }
    let mut settings = settings(args)?;
    let mut runs = Vec::new();
    for path in &args.runs {
        runs.push(stored(path, args)?);
    }
    refuse_unknown_systems(args, &runs)?;
    let exporter = args.to.exporter();
    let (mut files, mut notes) = (Vec::new(), Vec::new());
    for (index, run) in runs.iter().enumerate() {
        settings.index = index;
        let exported = exporter.files(run, &settings)?;
        files.extend(exported.files);
        notes.extend(exported.left_out);
    }
    for note in notes {
        console::note(format!("left out: {note}"));
    }
    match &args.output {
        Some(directory) => write(directory, &files, args.force)?,
        None => console::print(|out| {
            let mut texts = files.iter();
            texts.try_for_each(|file| out.write_all(file.text.as_bytes()))
        })?,
    }
    Ok(Outcome::Done)
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        let failure = Failure::input(error.message);
        match error.hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

fn settings(args: &ExportArgs) -> Result<Settings, Failure> {
    let mut model_ids = BTreeMap::new();
    for (system, id) in &args.model_id {
        if model_ids.insert(system.clone(), id.clone()).is_some() {
            return Err(Failure::usage(format!("--model-id names {system} twice")));
        }
    }
    Ok(Settings {
        organization: args.organization.clone(),
        relationship: args.relationship.clone(),
        model_ids,
        all: args.all,
        raw: args.raw,
        metric: args.metric.clone(),
        unit: args.unit.clone(),
        dataset: args.dataset.clone(),
        task: args.task.clone(),
        report_url: args.report_url.clone(),
        now: Some(when(now()?)),
        date: args.date.as_deref().map(date).transpose()?,
        index: 0,
    })
}

/// Now, or what the environment says of it, so that two exports are the same bytes.
fn now() -> Result<Moment, Failure> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(set) if !set.is_empty() => {
            let seconds = set
                .parse()
                .ok()
                .filter(|seconds| (0..MOST_SECONDS).contains(seconds));
            seconds.map(Moment::of_seconds).ok_or_else(|| {
                Failure::usage(format!(
                    "SOURCE_DATE_EPOCH is `{set}`, not seconds since 1970"
                ))
                .with_hint("unset it, or set it to a number such as 1795000000")
            })
        }
        _ => Ok(Moment::now()),
    }
}

/// The year 9999.
const MOST_SECONDS: i64 = 253_402_300_800;

fn when(moment: Moment) -> When {
    When {
        seconds: moment.seconds(),
        text: moment.time(),
    }
}

/// A day, or a day with a time in UTC.
fn date(given: &str) -> Result<When, Failure> {
    let moment = Moment::of_time(given).or_else(|| Moment::of_day(given));
    moment.map(when).ok_or_else(|| {
        Failure::usage(format!("--date: `{given}` is no date"))
            .with_hint("write 2026-11-17, or 2026-11-17T20:14:05Z in UTC")
    })
}

/// `measures.json`. A number that is not finite is `null` there.
#[derive(Deserialize)]
struct Measures {
    signature: String,
    #[serde(default)]
    warnings: Vec<String>,
    rows: Vec<StoredRow>,
}

fn stored(path: &Path, args: &ExportArgs) -> Result<StoredRun, Failure> {
    let summary = RunSummary::read(path)?;
    let manifest = &summary.manifest;
    let card = epicene_pipeline::benchmark(&manifest.benchmark)?.card();
    let shown = path.display();
    let Some(text) = &summary.measures else {
        return Err(Failure::input(format!("{shown}: the run is not measured"))
            .with_hint(format!("run `epicene report {shown}` once")));
    };
    let damaged = |message: String| {
        Failure::input(format!("{shown}/measures.json: {message}"))
            .with_hint("delete it and run `epicene report` on the run")
    };
    let measures: Measures =
        serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    check_whose(manifest, &measures).map_err(damaged)?;
    let incomplete = measures
        .warnings
        .iter()
        .find(|warning| warning.starts_with(Results::INCOMPLETE));
    if let Some(warning) = incomplete
        && !args.allow_partial
    {
        return Err(Failure::input(format!("{shown}: {warning}"))
            .with_hint("finish the run with the same command, or pass --allow-partial"));
    }
    for warning in &measures.warnings {
        console::warn(format!("{shown}: {warning}"));
    }
    let directory = if summary.has_answers {
        let directory = RunDirectory::open(path)?;
        datasets::check_recorded(&directory)?;
        Some(directory)
    } else {
        None
    };
    let judged = match &directory {
        Some(directory) => Some(JudgedRun::open(directory, &Given::default())?),
        None => None,
    };
    if let Some(judged) = &judged
        && manifest.epicene == env!("CARGO_PKG_VERSION")
    {
        check_recomputed(&measures, &judged.measure()?).map_err(damaged)?;
    }
    let samples = match (args.samples, &judged) {
        (false, _) => None,
        (true, Some(judged)) => {
            check_licence(manifest, args)?;
            Some(samples(judged)?)
        }
        (true, None) => {
            return Err(
                Failure::input(format!("{shown}: the run has no answers to export"))
                    .with_hint("leave out --samples"),
            );
        }
    };
    let finished = summary.times.and_then(|times| times.finished);
    let known = datasets::published(&manifest.data);
    Ok(StoredRun {
        benchmark: manifest.benchmark.clone(),
        metrics: card.metrics,
        epicene: manifest.epicene.clone(),
        signature: measures.signature,
        data: manifest.data.clone(),
        source_url: args
            .source_url
            .clone()
            .or(known.and_then(|known| Some(known.source?.to_owned()))),
        systems: manifest
            .systems
            .iter()
            .map(|plan| plan.card.clone())
            .collect(),
        seed: manifest.seed,
        bootstrap: manifest
            .options
            .get("bootstrap")
            .and_then(|rounds| rounds.parse().ok())
            .unwrap_or(0),
        limit: manifest.limit,
        items: manifest.items.unwrap_or(manifest.data.items),
        rows: measures.rows,
        finished: finished.as_deref().and_then(Moment::of_time).map(when),
        samples,
    })
}

/// Refuses measures that another run wrote.
fn check_whose(manifest: &Manifest, measures: &Measures) -> Result<(), String> {
    let data = format!("data:{}", manifest.data.short());
    let fields: Vec<&str> = measures.signature.split('|').collect();
    if fields.first() != Some(&manifest.benchmark.as_str()) || !fields.contains(&data.as_str()) {
        return Err(format!(
            "its signature `{}` is not of this run ({}, {data})",
            measures.signature, manifest.benchmark
        ));
    }
    // Rows of `gest-pairs` are numbers of `gest`, and those of `winobias-means` of `winobias`.
    let own = |name: &str| {
        let rest = manifest.benchmark.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    match measures.rows.iter().find(|row| !own(&row.benchmark)) {
        Some(row) => Err(format!(
            "a row is of {}, the run is of {}",
            row.benchmark, manifest.benchmark
        )),
        None => Ok(()),
    }
}

/// Refuses stored numbers that the answers of the run do not give. Human labels may have added rows since.
fn check_recomputed(measures: &Measures, now: &Results) -> Result<(), String> {
    let key = |row: [&str; 4]| row.map(str::to_owned);
    let mut values = BTreeMap::new();
    for row in &now.rows {
        let place = key([&row.system, &row.unit, &row.group, &row.metric]);
        values.insert(place, (row.value, row.low, row.high, row.n));
    }
    let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        (None, Some(b)) => !b.is_finite(),
        (Some(_), None) => false,
    };
    for row in &measures.rows {
        let place = key([&row.system, &row.unit, &row.group, &row.metric]);
        let agrees = values.get(&place).is_some_and(|(value, low, high, n)| {
            same(row.value, Some(*value))
                && same(row.low, *low)
                && same(row.high, *high)
                && row.n == *n
        });
        if !agrees {
            return Err(format!(
                "{} {} {} {} is not what the answers of the run give",
                row.system, row.unit, row.group, row.metric
            ));
        }
    }
    Ok(())
}

/// Refuses to publish sentences that their licence keeps.
fn check_licence(manifest: &Manifest, args: &ExportArgs) -> Result<(), Failure> {
    let data = &manifest.data;
    let name = format!("{} {}", data.name, data.version);
    let known = datasets::published(data);
    let licence =
        match (&known, &args.data_licence) {
            (Some(known), None) => known.licence,
            (None, Some(given)) => given,
            (Some(known), Some(_)) => {
                return Err(Failure::usage(format!(
                    "--data-licence has no effect here; the licence of {name} is {}",
                    known.licence
                )));
            }
            (None, None) => {
                return Err(Failure::input(format!("the licence of {name} is not known")).with_hint(
                "leave out --samples, or name the licence of your own data with --data-licence",
            ));
            }
        };
    if datasets::allows_redistribution(licence) {
        return Ok(());
    }
    Err(Failure::input(format!(
        "the licence of {name} ({licence}) does not allow publishing its sentences"
    ))
    .with_hint("leave out --samples"))
}

fn samples(run: &JudgedRun<'_>) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for index in 0..run.table.items.len() {
        let item = run.table.items.get(index);
        let labels: Vec<(String, String)> = item
            .labels
            .keys()
            .filter_map(|key| Some((key.to_owned(), item.labels.get(key)?.to_owned())))
            .collect();
        for (column, verdicts) in run.table.columns.iter().zip(&run.verdicts) {
            let (Some(answer), Some(verdict)) = (&column.answers[index], &verdicts.cells[index])
            else {
                continue;
            };
            let text = answer.text();
            let word = |span: &Span| text.map(|text| span.of(text).to_owned());
            samples.push(Sample {
                id: item.id.to_owned(),
                text: item.text.to_owned(),
                labels: labels.clone(),
                system: run.table.system(column).name.clone(),
                unit: column.unit.to_string(),
                answer: text.filter(|text| !text.is_empty()).map(str::to_owned),
                observation: serde_json::to_value(answer).map_err(std::io::Error::from)?,
                outcome: verdict.outcome.map(|outcome| outcome.name().to_owned()),
                rule: verdict.rule.to_owned(),
                evidence: verdict.evidence.iter().filter_map(word).collect(),
                finding: verdict.finding.name().to_owned(),
            });
        }
    }
    Ok(samples)
}

/// An id for a system that no run has helps no one.
fn refuse_unknown_systems(args: &ExportArgs, runs: &[StoredRun]) -> Result<(), Failure> {
    let systems = runs.iter().flat_map(|run| &run.systems);
    let names: BTreeSet<&str> = systems.map(|system| system.name.as_str()).collect();
    match args
        .model_id
        .iter()
        .find(|(system, _)| !names.contains(system.as_str()))
    {
        None => Ok(()),
        Some((system, _)) => {
            let names: Vec<&str> = names.into_iter().collect();
            Err(
                Failure::usage(format!("--model-id: no run has a system `{system}`"))
                    .with_hint(format!("systems: {}", names.join(", "))),
            )
        }
    }
}

/// Writes all files, or none where one is in the way; prints their paths.
fn write(directory: &Path, files: &[ExportedFile], force: bool) -> Result<(), Failure> {
    let mut paths = BTreeSet::new();
    for file in files {
        let path = directory.join(&file.path);
        if !paths.insert(&file.path) {
            return Err(
                Failure::input(format!("two results would be {}", file.path))
                    .with_hint("export the runs into directories of their own"),
            );
        }
        if !force && path.exists() {
            return Err(
                Failure::input(format!("{}: already exists", path.display()))
                    .with_hint("write to another directory, or pass --force"),
            );
        }
    }
    let mut listed = String::new();
    for file in files {
        let path = directory.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| outputs::failed(parent, &error))?;
        }
        outputs::write(&path, file.text.as_bytes())?;
        listed += &format!("{}\n", path.display());
    }
    console::print(|out| out.write_all(listed.as_bytes()))
}
