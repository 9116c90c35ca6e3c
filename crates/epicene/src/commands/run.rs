//! `epicene run`: ask every system every item, store the answers, measure, show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_bench::Benchmark;
use epicene_bench::gest::{SWAP_PAIRS_INPUT, WINOBIAS_INPUT};
use epicene_core::{Row, TextFile};
use epicene_lm::SystemSpec;
use epicene_report::Results;
use epicene_run::{InputCard, Manifest, RunDirectory, RunWriter};

use crate::args::RunArgs;
use crate::commands::extract;
use crate::failure::{Failure, Outcome};
use crate::gate::{Fired, Gate};
use crate::{asking, console, datasets, results, source, systems, translating};

/// Rows that a gate names; more are counted.
const MOST_FIRED: usize = 10;

pub fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    // Whatever is wrong with the command is said before any work.
    let gate = args.fail_if.as_deref().map(Gate::parse).transpose()?;
    if gate.is_some() && args.shard.is_some() {
        return Err(
            Failure::usage("--fail-if needs the whole run, --shard asks a part of it")
                .with_hint("give --fail-if where the shards are merged and reported"),
        );
    }
    let Some(run) = answer(args)? else {
        return Ok(Outcome::Done);
    };
    let results = measure_and_store(&run, args)?;
    if let Some(path) = &args.unresolved {
        results::write_undecided(&run, &args.measure, path)?;
    }
    results::show(&results, args.output.format)?;
    judge(gate, &results.rows)
}

/// Asks everything; `None` if this was a shard, which is not measured on its own.
pub fn answer(args: &RunArgs) -> Result<Option<RunDirectory>, Failure> {
    let (benchmark, mut data) = match &args.pairs {
        None if has_corpus(args) => open_corpus(args)?,
        None => {
            let benchmark = results::benchmark(benchmark_name(args))?;
            let name = data_name(args, benchmark)?;
            (benchmark, datasets::open(benchmark, name)?)
        }
        Some(path) => open_pairs(args, path)?,
    };
    let bias_types = args.sentences.bias_type.as_deref();
    let mut items = benchmark.select(data.items, bias_types)?;
    data.card.items = items.len();
    let asked = systems::open(args, benchmark, &items)?;
    let inputs = read_inputs(args, benchmark)?;
    let mut kept = None;
    match args.limit {
        Some(0) => return Err(Failure::usage("--limit must be at least 1")),
        // A limit that cuts nothing off is no limit.
        Some(limit) if limit < items.len() => {
            items.truncate(limit);
            kept = Some(limit);
        }
        Some(_) => {}
        None => {}
    }

    let mut translators = Vec::new();
    let mut models = Vec::new();
    let mut plans = Vec::new();
    for asked in asked {
        models.push(asked.model);
        plans.push(asked.plan);
        translators.push(asked.translator);
    }
    let mut manifest = Manifest::new(benchmark.name(), data.card, plans);
    manifest.command = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    manifest.limit = kept;
    manifest.shard = args.shard.map(|shard| shard.to_string());
    manifest.inputs = inputs
        .iter()
        .map(|(role, file)| {
            let card = InputCard {
                name: file.name.clone(),
                sha256: file.sha256.clone(),
            };
            (role.clone(), card)
        })
        .collect();
    results::record_options(&args.measure, &mut manifest)?;
    if let Some(types) = &args.sentences.bias_type {
        let types = types.join("+");
        manifest.options.insert("bias_type".to_owned(), types);
    }

    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_directory(&manifest));
    let mut writer = RunWriter::open(&out, manifest, items, &inputs, args.fresh)?;
    let share = writer.run.plan.share() as u64;
    let before = writer.done.count();
    if before > 0 {
        console::note(format!(
            "{}: {before} of {share} answers are there already",
            out.display()
        ));
    }
    asking::agree_on_cost(&writer, benchmark, &translators, args.yes)?;
    let progress = console::progress(share, benchmark.name());
    let answered = asking::ask_all(&mut writer, benchmark, &models, &progress);
    for translator in translators.iter().flatten() {
        translating::sum_up(translator);
    }
    answered?;
    let run = writer.finish()?;
    if let Some(shard) = args.shard {
        console::note(format!(
            "{}: shard {shard} is complete ({share} answers); join all shards with `epicene merge`",
            out.display()
        ));
        return Ok(None);
    }
    console::note(format!("{}: {share} answers", out.display()));
    Ok(Some(run))
}

/// `--data`, or `--size` where the benchmark makes sets of that name.
fn data_name<'a>(args: &'a RunArgs, benchmark: &dyn Benchmark) -> Result<Option<&'a str>, Failure> {
    match args.size.as_deref() {
        None => Ok(args.data.as_deref()),
        Some(size) if benchmark.built_in(size).is_some() => Ok(Some(size)),
        Some(size) => Err(
            Failure::usage(format!("{} has no size `{size}`", benchmark.name())).with_hint(
                "sizes xs, s and xl belong to unambiguous; other benchmarks take --data",
            ),
        ),
    }
}

/// `run winobias` from files alone, without its sentences, reads means of splits.
fn benchmark_name(args: &RunArgs) -> &str {
    let files_only = !args.models.is_empty()
        && args
            .models
            .iter()
            .all(|spec| matches!(spec, SystemSpec::File(_)));
    match args.benchmark.as_str() {
        "winobias" if args.data.is_none() && files_only => "winobias-means",
        name => name,
    }
}

/// `run gest --pairs FILE` is the benchmark gest-pairs on that file.
fn open_pairs(
    args: &RunArgs,
    path: &Path,
) -> Result<(&'static dyn Benchmark, datasets::Data), Failure> {
    if args.benchmark != "gest" && args.benchmark != "gest-pairs" {
        return Err(Failure::usage("--pairs belongs to the benchmark gest"));
    }
    if args.data.is_some() {
        return Err(Failure::usage("--pairs is the data; leave --data out"));
    }
    let benchmark = results::benchmark("gest-pairs")?;
    Ok((benchmark, datasets::open_file(benchmark, path)?))
}

fn has_corpus(args: &RunArgs) -> bool {
    let corpus = &args.sentences.corpus;
    corpus.source.is_some() || corpus.table.is_some()
}

/// `run mbe --source EN --target XX` extracts the two sets and measures on them.
fn open_corpus(args: &RunArgs) -> Result<(&'static dyn Benchmark, datasets::Data), Failure> {
    if args.benchmark != "mbe" {
        return Err(Failure::usage(
            "a parallel corpus belongs to the benchmark mbe",
        ));
    }
    if args.data.is_some() {
        return Err(Failure::usage("the corpus is the data; leave --data out"));
    }
    let benchmark = results::benchmark("mbe")?;
    let file = extract::as_data(&args.sentences, args.measure.seed.unwrap_or(0))?;
    Ok((benchmark, datasets::open_text(benchmark, &file)?))
}

/// Measures, and rewrites the run's `measures.json`.
pub fn measure_and_store(run: &RunDirectory, args: &RunArgs) -> Result<Results, Failure> {
    let results = results::measure(run, &args.measure)?;
    run.write_measures(&results::as_json(&results)?)?;
    Ok(results)
}

/// Whether the gate holds; the rows that make it hold are said, quiet or not.
pub fn judge(gate: Option<Gate>, rows: &[Row]) -> Result<Outcome, Failure> {
    let Some(gate) = gate else {
        return Ok(Outcome::Done);
    };
    let Some(fired) = gate.fired(rows)? else {
        return Ok(Outcome::Done);
    };
    console::say(format!("gate: `{}` holds", gate.expression()));
    for Fired { row, why } in fired.iter().take(MOST_FIRED) {
        let place = [&row.benchmark, &row.system, &row.unit, &row.group];
        let place = place.map(String::as_str).join(" ");
        console::say(format!("gate: {place}: {why}"));
    }
    if let Some(more) = fired.len().checked_sub(MOST_FIRED + 1) {
        console::say(format!("gate: and {} more rows", more + 1));
    }
    Ok(Outcome::GateFailed)
}

/// Files beside the data: `--input ROLE=FILE`, and GEST's own two by their names.
fn read_inputs(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
) -> Result<BTreeMap<String, TextFile>, Failure> {
    let mut given: Vec<(&str, &Path)> = Vec::new();
    for (role, flag, path) in [
        (WINOBIAS_INPUT, "--winobias", &args.winobias),
        (SWAP_PAIRS_INPUT, "--swap-pairs", &args.swap_pairs),
    ] {
        if let Some(path) = path {
            if benchmark.name() != "gest" {
                return Err(Failure::usage(format!(
                    "{flag} belongs to the benchmark gest"
                )));
            }
            given.push((role, path));
        }
    }
    given.extend(args.input.iter().map(|(role, path)| (&**role, &**path)));
    let mut inputs = BTreeMap::new();
    for (role, path) in given {
        let file = source::read(path)?;
        // A file that cannot be used is refused now, not after the asking.
        benchmark.check_input(role, &file)?;
        if inputs.insert(role.to_owned(), file).is_some() {
            return Err(Failure::usage(format!("the input {role} is given twice")));
        }
    }
    Ok(inputs)
}

/// The same command finds the same directory again.
fn default_directory(manifest: &Manifest) -> PathBuf {
    let name = format!("{}-{}", manifest.benchmark, manifest.fingerprint());
    PathBuf::from("epicene-runs").join(name)
}
