//! From a run directory to something that can be shown: rows, notes, views and the signature.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::str::FromStr;

use epicene_bench::mbe::score::Weighting;
use epicene_bench::unambiguous::UnambiguousOptions;
use epicene_bench::{Benchmark, IntervalMethod, MeasureOptions, SentenceOptions, Tally};
use epicene_core::Signature;
use epicene_lang::first_person::Mode;
use epicene_report::{Format, JsonExporter, Results, Target};
use epicene_run::{Coverage, Manifest, RunDirectory};

use crate::args::{MeasureArgs, SentenceMeasureArgs, parse_mode};
use crate::failure::Failure;
use crate::{console, outputs};

const DEFAULT_BOOTSTRAP: u32 = 1000;

/// The options a command means, and the manifest's record of them.
pub fn record_options(args: &MeasureArgs, manifest: &mut Manifest) -> Result<(), Failure> {
    let bootstrap = args.bootstrap.unwrap_or(DEFAULT_BOOTSTRAP);
    manifest.seed = args.seed.unwrap_or(0);
    let convention = args.convention.unwrap_or_default();
    let interval = args.interval.unwrap_or_default();
    let options = &mut manifest.options;
    options.insert("interval".to_owned(), interval.to_string());
    let mode = mode_name(args.mode.unwrap_or(Mode::Published));
    options.insert("mode".to_owned(), mode.to_owned());
    options.insert("bootstrap".to_owned(), bootstrap.to_string());
    options.insert("convention".to_owned(), convention.to_string());
    if let Some(judge) = args.judge {
        options.insert("judge".to_owned(), judge.to_string());
    }
    record_sentence_options(&args.sentences, options);
    let occupations = &args.occupations;
    if let Some(pick) = occupations.pick {
        options.insert("pick".to_owned(), pick.to_string());
    }
    if occupations.labelled_only {
        options.insert("labelled_only".to_owned(), "true".to_owned());
    }
    Ok(())
}

/// Only what was said: runs of other benchmarks do not have these options.
fn record_sentence_options(args: &SentenceMeasureArgs, options: &mut BTreeMap<String, String>) {
    let given = [
        ("weight", args.weight.map(|weight| weight.to_string())),
        (
            "min_similarity",
            args.min_similarity.map(|least| least.to_string()),
        ),
        (
            "clip_negative",
            args.clip_negative.then(|| "true".to_owned()),
        ),
        ("round", args.round.map(|decimals| decimals.to_string())),
        ("mcnemar", args.mcnemar.map(|form| form.to_string())),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            options.insert(name.to_owned(), value);
        }
    }
}

fn sentence_options(
    run: &RunDirectory,
    args: &SentenceMeasureArgs,
) -> Result<SentenceOptions, Failure> {
    let weighting = Weighting {
        weight: args.weight.or(recorded(run, "weight")?).unwrap_or_default(),
        min_similarity: args.min_similarity.or(recorded(run, "min_similarity")?),
        clip_negative: args.clip_negative || recorded(run, "clip_negative")?.unwrap_or(false),
    };
    Ok(SentenceOptions {
        weighting,
        rounding: args.round.or(recorded(run, "round")?),
        mcnemar: args
            .mcnemar
            .or(recorded(run, "mcnemar")?)
            .unwrap_or_default(),
    })
}

/// The run's own options, with what the command overrides.
pub fn options(run: &RunDirectory, args: &MeasureArgs) -> Result<MeasureOptions, Failure> {
    let replicates = args
        .bootstrap
        .or(recorded(run, "bootstrap")?)
        .unwrap_or(DEFAULT_BOOTSTRAP);
    Ok(MeasureOptions {
        seed: args.seed.unwrap_or(run.manifest.seed),
        replicates: replicates as usize,
        convention: args
            .convention
            .or(recorded(run, "convention")?)
            .unwrap_or_default(),
        interval: args
            .interval
            .or(recorded(run, "interval")?)
            .unwrap_or_default(),
        mode: match args.mode {
            Some(mode) => mode,
            None => run
                .manifest
                .options
                .get("mode")
                .map_or(Ok(Mode::Published), |mode| parse_mode(mode))
                .map_err(Failure::usage)?,
        },
        judge: args.judge.or(recorded(run, "judge")?).unwrap_or_default(),
        sentences: sentence_options(run, &args.sentences)?,
        unambiguous: UnambiguousOptions {
            pick: args
                .occupations
                .pick
                .or(recorded(run, "pick")?)
                .unwrap_or_default(),
            labelled_only: args.occupations.labelled_only
                || recorded(run, "labelled_only")?.unwrap_or(false),
        },
        published_items: run.manifest.limit.is_none() && run.manifest.data.is("gest", "1.0"),
        inputs: run.inputs()?,
        ..MeasureOptions::default()
    })
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Published => "published",
        Mode::Extended => "extended",
        Mode::Strict => "strict",
    }
}

/// An option as the run's manifest has it.
fn recorded<T: FromStr>(run: &RunDirectory, name: &str) -> Result<Option<T>, Failure> {
    let value = run.manifest.options.get(name);
    value.map(|value| value.parse()).transpose().map_err(|_| {
        let value = value.map_or("", String::as_str);
        let path = run.path().display();
        Failure::usage(format!("{path}: the manifest's option {name} is `{value}`"))
    })
}

pub fn benchmark(name: &str) -> Result<&'static dyn Benchmark, Failure> {
    epicene_bench::find(name).ok_or_else(|| {
        let known: Vec<&str> = epicene_bench::ALL.iter().map(|b| b.name()).collect();
        Failure::usage(format!("unknown benchmark `{name}`"))
            .with_hint(format!("known here: {}", known.join(", ")))
    })
}

/// Feeds a run's items and answers to a tally; `offset` shifts its probes where two runs share one.
pub fn feed(run: &RunDirectory, tally: &mut dyn Tally, offset: usize) -> Result<Coverage, Failure> {
    if offset == 0 {
        let items = run.plan.items();
        for index in 0..items.len() {
            items.with(index, |item| tally.item(item))??;
        }
    }
    run.observations(|item, probe, answer| {
        tally
            .observe(item, probe + offset, &answer)
            .map_err(Failure::from)
    })
}

/// (system, unit) of every probe, as a tally wants them.
pub fn probes(run: &RunDirectory) -> Vec<(usize, String)> {
    run.plan
        .probes()
        .iter()
        .map(|probe| (probe.system, probe.unit.clone()))
        .collect()
}

/// Measures a run: a pure function of what lies in its directory.
pub fn measure(run: &RunDirectory, args: &MeasureArgs) -> Result<Results, Failure> {
    let benchmark = benchmark(&run.manifest.benchmark)?;
    let options = options(run, args)?;
    let mut tally = benchmark.tally(run.plan.systems(), &probes(run));
    let coverage = feed(run, &mut *tally, 0)?;
    measured(run, benchmark, &*tally, &coverage, options)
}

/// What a tally says that was fed with a run's answers.
pub fn measured(
    run: &RunDirectory,
    benchmark: &dyn Benchmark,
    tally: &dyn Tally,
    coverage: &Coverage,
    mut options: MeasureOptions,
) -> Result<Results, Failure> {
    options.published_items &= coverage.count() == run.plan.len() as u64;
    let measured = tally.measure(&options)?;
    let views = benchmark.views(&measured.rows);
    let interval = match options.interval {
        IntervalMethod::Limit => "bootstrap-normal-limit",
        IntervalMethod::Resampled => "bootstrap-normal",
    };
    let signature = signature(run, &options, interval, coverage);
    Ok(Results {
        signature: signature.to_string(),
        rows: measured.rows,
        notes: measured.notes,
        views,
    })
}

/// Writes the answers of a run that its rules leave to a person: a table with an empty column `label`.
pub fn write_undecided(run: &RunDirectory, args: &MeasureArgs, path: &Path) -> Result<(), Failure> {
    let benchmark = benchmark(&run.manifest.benchmark)?;
    let options = options(run, args)?;
    let mut tally = benchmark.tally(run.plan.systems(), &probes(run));
    feed(run, &mut *tally, 0)?;
    let undecided = tally.undecided(&options)?;
    let mut text = String::from("id\tlabel\tsystem\tunit\treason\tsource\ttranslation\n");
    for open in &undecided {
        let flat = |cell: &str| cell.replace(['\t', '\n', '\r'], " ");
        let cells = [
            open.item.clone(),
            String::new(),
            flat(&open.system),
            open.unit.clone(),
            open.reason.to_owned(),
            flat(&open.source),
            flat(&open.translation),
        ];
        text += &cells.join("\t");
        text.push('\n');
    }
    outputs::write(path, text.as_bytes())?;
    console::note(format!(
        "{}: {} answers to decide",
        path.display(),
        undecided.len()
    ));
    Ok(())
}

/// A run's results in the layout of the benchmark's authors.
pub fn author_files(
    run: &RunDirectory,
    args: &MeasureArgs,
) -> Result<Vec<(String, String)>, Failure> {
    let benchmark = benchmark(&run.manifest.benchmark)?;
    let options = options(run, args)?;
    let mut tally = benchmark.tally(run.plan.systems(), &probes(run));
    feed(run, &mut *tally, 0)?;
    Ok(tally.author_files(&options)?)
}

pub fn signature(
    run: &RunDirectory,
    options: &MeasureOptions,
    interval: &str,
    coverage: &Coverage,
) -> Signature {
    let manifest = &run.manifest;
    let join = |values: BTreeSet<&str>| values.into_iter().collect::<Vec<_>>().join(",");
    let units = run.plan.probes().iter().map(|probe| probe.unit.as_str());
    let scorers = || run.plan.probes().iter().map(|probe| probe.scorer.as_str());
    let mut signature = Signature::new(&manifest.benchmark).with("data", manifest.data.short());
    if let Some(limit) = manifest.limit {
        signature = signature.with("limit", limit);
    }
    if let Some(types) = manifest.options.get("bias_type") {
        signature = signature.with("bias-type", types);
    }
    if coverage.count() < run.plan.len() as u64 {
        signature = signature.with(
            "answered",
            format!("{}/{}", coverage.count(), run.plan.len()),
        );
    }
    signature = signature
        .with("system", manifest.system_signature())
        .with("units", join(units.collect()))
        .with("scorer", join(scorers().collect()));
    // A signature names the choices that bear on these numbers, and no others.
    let translates = scorers().any(|scorer| scorer == "translate");
    let scores = scorers().any(|scorer| scorer != "translate");
    let choices =
        epicene_bench::find(&manifest.benchmark).and_then(|benchmark| benchmark.choices(options));
    if translates && choices.is_none() {
        let judge = format!("first-person-rules-{}", mode_name(options.mode));
        signature = signature
            .with("judge", judge)
            .with("rates", "agresti-coull");
    }
    let scores = scores && choices.is_none();
    for (name, choice) in choices.unwrap_or_default() {
        signature = signature.with(name, choice);
    }
    if scores {
        signature = signature.with("convention", options.convention);
    }
    if scores || interval.starts_with("paired") {
        let interval = format!("{interval}-{}", options.replicates);
        signature = signature.with("interval", interval);
    }
    for (role, card) in &manifest.inputs {
        signature = signature.with(
            "check",
            format!("{role}@{}", &card.sha256[..12.min(card.sha256.len())]),
        );
    }
    signature
        .with("seed", options.seed)
        .with("epicene", &manifest.epicene)
}

/// Prints results; CSV on a pipe is rows alone, so its signature goes to standard error.
pub fn show(results: &Results, format: Option<Format>) -> Result<(), Failure> {
    let format = format.unwrap_or_default();
    let target = console::target();
    console::print(|out| format.exporter(target).write(results, out))?;
    if format == Format::Csv {
        console::say(format!("signature: {}", results.signature));
    }
    Ok(())
}

/// The bytes of `measures.json`.
pub fn as_json(results: &Results) -> Result<Vec<u8>, Failure> {
    use epicene_report::Exporter;
    let mut bytes = Vec::new();
    JsonExporter.write(results, &mut bytes)?;
    Ok(bytes)
}

/// Exporter target of a file.
pub const FILE: Target = Target::File;
