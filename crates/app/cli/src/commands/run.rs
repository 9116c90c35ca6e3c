//! `epicene run`: ask every system every item, store the answers, measure, show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use epicene_bench::custom::Spec;
use epicene_bench::gest::language_pack::LANGUAGE_PACK;
use epicene_bench::gest::parses::PARSES;
use epicene_bench::given_verdicts::{self, VERDICTS};
use epicene_bench::options::unheeded;
use epicene_bench::{AskedColumn, Benchmark, Card, Given, Instead, Options};
use epicene_core::{DataCard, Item, Language, Row, System, TextFile, counted, there_are};
use epicene_lm::SystemSpec;
use epicene_mt::Budget;
use epicene_pipeline::{JudgedRun, PipelineError};
use epicene_report::Results;
use epicene_report::template::Check;
use epicene_run::{
    AlignerCard, InputCard, Manifest, RunDirectory, RunWriter, SystemPlan, sha256_hex,
};
use epicene_view::keep_verdicts;

use crate::args::RunArgs;
use crate::commands::extract;
use crate::encoder::Encoder;
use crate::failure::{Failure, Outcome};
use crate::gate::{Fired, Gate};
use crate::junit::Junit;
use crate::model_reader::ModelReader;
use crate::{
    activity, asking, console, datasets, effects, encoder, host, languages, packs, results, source,
    systems,
};

pub fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    // Whatever is wrong with the command is said before any work.
    let gate = args.fail_if.as_deref().map(Gate::parse).transpose()?;
    if gate.is_some() && args.shard.is_some() {
        return Err(
            Failure::usage("--fail-if needs the whole run, --shard asks a part of it")
                .with_hint("give --fail-if where the shards are merged and reported"),
        );
    }
    let junit = Junit::open(args.output.junit.as_ref())?;
    if junit.is_some() && args.shard.is_some() {
        return Err(
            Failure::usage("--junit needs the whole run, --shard asks a part of it")
                .with_hint("give --junit where the shards are merged and reported"),
        );
    }
    if args.detector_command.is_some() && args.shard.is_some() {
        return Err(
            Failure::usage("--detector needs the whole run, --shard asks a part of it")
                .with_hint("merge the shards first, then give the whole run's command"),
        );
    }
    let Some(directory) = answer(args)? else {
        return Ok(Outcome::Done);
    };
    activity::step(format!("measuring {}", directory.path().display()));
    let run = JudgedRun::open(&directory, &Given::default())?;
    let results = measure_and_store(&directory, &run)?;
    let (card, said) = (run.benchmark.card(), &results.signature);
    if let Some(spec) = unheeded(card, &args.choices.given, said) {
        console::warn(format!("--{} did nothing to these answers", spec.name));
    }
    if let Some(path) = &args.unresolved {
        results::write_undecided(&run, path)?;
    }
    let shown = [results];
    conclude(gate, junit, &shown, false, |_| {
        results::show(&shown[0], args.output.format)
    })
}

/// What a command asks about, before anybody is asked.
pub struct Prepared {
    pub benchmark: &'static dyn Benchmark,
    pub inputs: BTreeMap<String, TextFile>,
    pub options: Options,
    card: DataCard,
    /// All of the data, whatever the limit.
    items: Vec<Item>,
}

pub fn prepare(args: &RunArgs) -> Result<Prepared, Failure> {
    let benchmark = benchmark(args)?;
    let card = benchmark.card();
    effects::check(args, card)?;
    effects::check_choices(args, card)?;
    let mut options = Options::resolve(card, &args.choices.given, &BTreeMap::new())?;
    card.check_options(&options)?;
    let inputs = read_inputs(args, benchmark)?;
    if card.by_language {
        options.languages = languages::chosen_languages(args, benchmark)?;
    } else if !(card.sources)().is_empty() {
        options.languages = languages::source_languages(args, card)?;
    }
    options.inputs.clone_from(&inputs);
    let datasets::Data {
        card: data_card,
        items,
    } = data(args, benchmark, &options)?;
    if args.limit == Some(0) {
        return Err(Failure::usage("--limit must be at least 1"));
    }
    let mut fitted = BTreeMap::new();
    let first = args
        .limit
        .map_or(items.len(), |limit| limit.min(items.len()));
    for (role, file) in inputs {
        let file = card.fit_input(&role, file, items.len(), first)?;
        fitted.insert(role, file);
    }
    (card.check_inputs)(&fitted, &items[..first])?;
    Ok(Prepared {
        benchmark,
        inputs: fitted,
        options,
        card: data_card,
        items,
    })
}

impl Prepared {
    /// The manifest of a run that asks these systems, with the items it asks about.
    pub fn into_manifest(
        self,
        args: &RunArgs,
        systems: Vec<SystemPlan>,
    ) -> (Manifest, Vec<Item>, BTreeMap<String, TextFile>) {
        let card = self.benchmark.card();
        let mut items = self.items;
        let mut manifest = Manifest::new(card.name, self.card, systems);
        manifest.command = host::command();
        // A limit that cuts nothing off is no limit.
        manifest.limit = args.limit.filter(|limit| *limit < items.len());
        items.truncate(manifest.limit.unwrap_or(items.len()));
        manifest.trusts_language = args.trust_language && systems::has_translators(args);
        manifest.shard = args.shard.map(|shard| shard.to_string());
        manifest.log = args.log;
        let input = |(role, file): (&String, &TextFile)| {
            let card = InputCard {
                name: file.name.clone(),
                sha256: file.sha256.clone(),
                kept: Some(sha256_hex(file.text.as_bytes())),
            };
            (role.clone(), card)
        };
        manifest.inputs = self.inputs.iter().map(input).collect();
        manifest.seed = self.options.seed;
        manifest.options = self.options.record(card);
        (manifest, items, self.inputs)
    }
}

/// Asks everything; `None` if this was a shard, which is not measured on its own.
pub fn answer(args: &RunArgs) -> Result<Option<RunDirectory>, Failure> {
    if let Some(gate) = args.fail_if.as_deref().map(Gate::parse).transpose()? {
        gate.check_metrics(benchmark(args)?.card())?;
    }
    if systems::has_translators(args) && !args.keep_going {
        // A language that cannot be measured is refused before data are looked for.
        languages::named_languages(args, benchmark(args)?)?;
    }
    activity::step(format!("reading the data of {}", args.benchmark));
    let mut prepared = prepare(args)?;
    activity::step("opening systems");
    let benchmark = prepared.benchmark;
    let card = benchmark.card();
    // A wrong path costs nothing: the encoder is opened before anybody is asked.
    let encoder = match &args.aligner {
        Some(aligner) => Encoder::of(aligner)?,
        None => None,
    };
    let reader = ModelReader::of(args)?;
    let (options, inputs) = (&prepared.options, &prepared.inputs);
    // A shard of N spends an N-th.
    let parts = args.shard.map_or(1, |shard| shard.of);
    let budget = args.budget.map(|dollars| dollars / f64::from(parts));
    let budget = budget.map(|dollars| Arc::new(Budget::new(dollars)));
    let items = &prepared.items;
    let asked = systems::open(args, benchmark, items, options, inputs, budget.as_ref())?;
    let columns = asked.iter().flat_map(|asked| {
        let system = Some(asked.plan.card.name.as_str());
        let probes = asked.plan.probes.iter().cloned();
        probes.map(move |ask| AskedColumn { system, ask })
    });
    prepared.refuse_unread(args, columns.collect())?;
    let unchecked: BTreeSet<&str> = asked
        .iter()
        .flat_map(|asked| asked.unchecked.iter().copied())
        .collect();
    let (systems, plans): (Vec<Box<dyn System>>, Vec<SystemPlan>) = asked
        .into_iter()
        .map(|asked| (asked.system, asked.plan))
        .unzip();
    let systems: Vec<&dyn System> = systems.iter().map(|system| &**system).collect();
    let (mut manifest, items, inputs) = prepared.into_manifest(args, plans);
    manifest.unchecked = unchecked.into_iter().map(str::to_owned).collect();
    manifest.aligner = encoder.as_ref().map(|encoder| AlignerCard {
        name: encoder.name(),
        links: BTreeMap::new(),
    });
    if encoder.is_some() {
        encoder::refuse_idle(&manifest)?;
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
    asking::accept_answers(&writer, &systems)?;
    let agreed = args.yes || args.budget.is_some();
    let costs = asking::agree_on_cost(&writer, benchmark, &systems, agreed)?;
    if let (Some(budget), Some(dollars)) = (budget, args.budget) {
        asking::keep_within(dollars, &budget, &costs, &out)?;
    }
    let progress = console::progress(share, card.name);
    let answered = asking::ask_all(&mut writer, benchmark, &systems, &progress);
    systems.iter().copied().for_each(asking::tell_notes);
    answered?;
    if writer.done.count() > before {
        for system in &systems {
            if let Err(changed) = system.check_server() {
                writer.mark_mixed(&changed.to_string())?;
                return Err(changed.into());
            }
        }
    }
    let mut run = writer.finish()?;
    if let Some(shard) = args.shard {
        let then = match encoder {
            Some(_) => ", then link the whole with `epicene align --run`",
            None => "",
        };
        console::note(format!(
            "{}: shard {shard} is complete ({}); join all shards with `epicene merge`{then}",
            out.display(),
            counted(share, "answer", "answers")
        ));
        return Ok(None);
    }
    let linked = |run: &RunDirectory| {
        let aligner = run.manifest.aligner.as_ref();
        aligner.is_some_and(|aligner| !aligner.links.is_empty())
    };
    if let Some(encoder) = encoder.filter(|_| !linked(&run)) {
        encoder.link_run(&mut run, benchmark)?;
    }
    if let Some(reader) = reader {
        reader.read_run(&mut run)?;
    }
    if let Some(detector) = &args.detector_command {
        detector.read_run(&mut run, card)?;
    }
    host::made(&out);
    console::note(format!(
        "{}: {}",
        out.display(),
        counted(share, "answer", "answers")
    ));
    Ok(Some(run))
}

/// The benchmark a command means: gest on a file of pairs is another one, and so on.
fn benchmark(args: &RunArgs) -> Result<&'static dyn Benchmark, Failure> {
    let named = epicene_pipeline::benchmark(&args.benchmark)?;
    let files = |spec: &SystemSpec| matches!(spec, SystemSpec::File(_));
    let files_alone = !args.models.is_empty() && args.models.iter().all(files);
    let means_other = named.card().instead.iter().find(|(when, _)| match when {
        Instead::WithPairs => args.pairs.is_some() && args.into.is_none(),
        Instead::BySpec => true,
        Instead::OnFilesAlone => args.data.is_none() && files_alone,
        Instead::IntoEnglish => args.into.is_some(),
    });
    match means_other {
        Some((Instead::BySpec, _)) => Ok(specified(args)?.0.measure.benchmark()),
        Some((_, other)) => Ok(epicene_pipeline::benchmark(other)?),
        None => Ok(named),
    }
}

/// The specification that a command names, with its file.
fn specified(args: &RunArgs) -> Result<(Spec, TextFile), Failure> {
    let Some(path) = &args.spec else {
        let failure = Failure::usage("custom needs its specification");
        return Err(failure.with_hint("give --spec FILE; `epicene show custom` says what is in it"));
    };
    let file = source::read(path)?;
    Ok((Spec::read(&file)?, file))
}

/// The items of a specification, from the table beside it.
fn custom_data(args: &RunArgs) -> Result<datasets::Data, Failure> {
    let (spec, file) = specified(args)?;
    let path = args.spec.as_deref().and_then(Path::parent);
    let table = source::read(&path.unwrap_or(Path::new("")).join(&spec.items))?;
    let items = spec.items(&table)?;
    let both = format!("{}\n{}", file.sha256, table.sha256);
    Ok(datasets::Data {
        card: DataCard {
            name: spec.name,
            version: "custom".to_owned(),
            sha256: sha256_hex(both.as_bytes()),
            items: items.len(),
        },
        items,
    })
}

/// What the benchmark is asked about: files, a set it makes itself, or sentences from a parallel corpus.
fn data(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    options: &Options,
) -> Result<datasets::Data, Failure> {
    if args.spec.is_some() {
        return custom_data(args);
    }
    let card = benchmark.card();
    let corpus = &args.sentences.corpus;
    let belongs = |what: &str, to: fn(&Card) -> bool| {
        let owners = effects::owners(to);
        Failure::usage(format!("{what} has no effect here; it is for {owners}"))
    };
    let alone = |what: &str| {
        if args.data.is_some() {
            Err(Failure::usage(format!(
                "{what} is the data; leave --data out"
            )))
        } else {
            Ok(())
        }
    };
    if let Some(path) = &args.pairs {
        if !card.data_flag.starts_with("--pairs") {
            return Err(belongs("--pairs", |card| card.turns(Instead::WithPairs)));
        }
        alone("--pairs")?;
        return datasets::open_file(benchmark, path, options);
    }
    if corpus.source.is_some() || corpus.table.is_some() {
        if !card.from_corpus {
            return Err(belongs("a parallel corpus", |card| card.from_corpus));
        }
        alone("the corpus")?;
        let file = extract::as_data(&args.sentences, options.seed)?;
        return datasets::open_text(benchmark, &file, options);
    }
    let name = match args.size.as_deref() {
        None => args.data.as_deref(),
        Some(size) if benchmark.make_data(size, options).is_some() => {
            alone("--size")?;
            Some(size)
        }
        Some(size) => {
            let owners = epicene_bench::ALL
                .iter()
                .filter(|other| other.make_data(size, &Options::default()).is_some());
            let owners: Vec<&str> = owners.map(|owner| owner.card().name).collect();
            return Err(if owners.is_empty() {
                Failure::usage(format!("there is no size `{size}`"))
                    .with_hint("sizes are xs, s and xl")
            } else {
                Failure::usage(format!(
                    "`--size` has no effect on {}; it is an option of {}",
                    card.name,
                    owners.join(", ")
                ))
                .with_hint(format!("give {} instead", card.data_flag))
            });
        }
    };
    datasets::open(benchmark, name, options)
}

/// Measures, and rewrites the run's `measures.json`.
pub fn measure_and_store(
    directory: &RunDirectory,
    run: &JudgedRun<'_>,
) -> Result<Results, Failure> {
    let results = run.measure()?;
    directory.write_measures(&results::as_json(&results)?)?;
    // A run too large to be judged when it is looked at keeps its verdicts.
    keep_verdicts(directory, run)?;
    Ok(results)
}

/// Checks results, shows them, and ends with the check's outcome. The check is decided before anything is written, so that a
/// reader that leaves early cannot lose it.
///
/// A run that lacks answers passes no check unless that is allowed. What is shown may name the check.
pub fn conclude(
    gate: Option<Gate>,
    junit: Option<Junit>,
    results: &[Results],
    allow_partial: bool,
    show: impl FnOnce(Option<Check>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    conclude_compared(gate, junit, (results, &[]), allow_partial, show)
}

/// The same of a comparison: a check on a difference names the numbers of both systems, which are among `own`.
pub fn conclude_compared(
    gate: Option<Gate>,
    junit: Option<Junit>,
    (results, own): (&[Results], &[Row]),
    allow_partial: bool,
    show: impl FnOnce(Option<Check>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let rows: Vec<Row> = results.iter().flat_map(|part| part.rows.clone()).collect();
    let decided = match &gate {
        None => Ok(None),
        Some(gate) => decide(gate, results, (&rows, own), allow_partial),
    };
    let check = match (&gate, &decided) {
        (Some(gate), Ok(fired)) => Some(gate.check(fired.as_deref(), &rows, own)),
        _ => None,
    };
    let shown = Failure::unless_reader_left(show(check.clone()));
    let fired = decided?;
    shown?;
    if let Some(junit) = junit {
        let fired = fired.as_deref().unwrap_or_default();
        Failure::unless_reader_left(junit.write(results, check.as_ref(), fired))?;
    }
    let Some(check) = check else {
        return Ok(Outcome::Done);
    };
    for line in &check.lines {
        if check.passed {
            console::note(line);
        } else {
            console::say(line);
        }
    }
    Ok(if check.passed {
        Outcome::Done
    } else {
        Outcome::GateFailed
    })
}

/// The rows that make a check fail; `None` if it passes.
fn decide<'a>(
    gate: &Gate,
    results: &[Results],
    (rows, own): (&'a [Row], &[Row]),
    allow_partial: bool,
) -> Result<Option<Vec<Fired<'a>>>, Failure> {
    if let Some((there, of)) = results.iter().find_map(|results| results.partial)
        && !allow_partial
    {
        return Err(Failure::input(format!(
            "--fail-if: {there} of {of} answers are there; a check on a part says nothing of the whole"
        ))
        .with_hint("finish the run with the same command, or give --allow-partial"));
    }
    for field in results
        .iter()
        .flat_map(|results| results.signature.split('|'))
    {
        if field.starts_with("limit:") || field.starts_with("missing:") {
            console::warn(format!(
                "--fail-if: the check is about a part of the data ({field})"
            ));
        }
    }
    gate.fired_among(rows, own)
}

/// Files beside the data: `--input ROLE=FILE`, and those with a flag of their own.
fn read_inputs(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
) -> Result<BTreeMap<String, TextFile>, Failure> {
    let mut inputs = BTreeMap::new();
    let parses = parses(args)?;
    for (role, path) in args.choices.inputs.iter().chain(&args.input).chain(&parses) {
        let file = if path.is_dir() {
            of_run(benchmark, role, path)?
        } else {
            source::read(path)?
        };
        // A file that cannot be used is refused now, not after the asking.
        benchmark.card().check_input(role, &file)?;
        if inputs.insert(role.to_owned(), file).is_some() {
            return Err(Failure::usage(format!("the input {role} is given twice")));
        }
    }
    let has_pack = benchmark.card().input(LANGUAGE_PACK).is_some();
    for code in args.lang.iter().filter(|_| has_pack) {
        let known =
            Language::find(code).is_some_and(|own| (benchmark.card().languages)().contains(&own));
        if known && args.language_pack.is_none() {
            continue;
        }
        if let Some((_, files)) = packs::of(code, args.language_pack.as_deref())?
            && inputs
                .insert(LANGUAGE_PACK.to_owned(), packs::kept(code, &files)?)
                .is_some()
        {
            return Err(Failure::usage("one run takes one language pack")
                .with_hint("run the benchmark once for each of these languages"));
        }
    }
    if !args.verdicts.is_empty() {
        let read = |(name, path): &(String, PathBuf)| Ok((name.clone(), source::read(path)?));
        let files: Result<Vec<(String, TextFile)>, Failure> =
            args.verdicts.iter().map(read).collect();
        let kept = given_verdicts::kept(&files?, benchmark.card())?;
        if inputs.insert(VERDICTS.to_owned(), kept).is_some() {
            return Err(Failure::usage("verdicts are given twice"));
        }
    }
    Ok(inputs)
}

/// The files of parses with their roles: `parses:LANG`, or `parses:SYSTEM:LANG` of those that name their system.
fn parses(args: &RunArgs) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut found = Vec::new();
    for (place, given) in args.parses.iter().enumerate() {
        let (system, path) = match given.split_once('=') {
            Some((system, path)) => (Some(system), path),
            None => (None, given.as_str()),
        };
        let language = match (&args.lang[..], args.parses.len()) {
            ([one], _) => one,
            (several, files) if several.len() == files => &several[place],
            (several, files) => {
                return Err(Failure::usage(format!(
                    "{} and {}",
                    there_are(files, "file of parses", "files of parses"),
                    counted(several.len(), "language", "languages")
                ))
                .with_hint("give one --lang for all, or as many as files, in the same order"));
            }
        };
        let role = match system {
            Some(system) => format!("{}:{system}:{language}", PARSES),
            None => format!("{}:{language}", PARSES),
        };
        found.push((role, PathBuf::from(path)));
    }
    Ok(found)
}

/// A file beside the data that a finished run stands for.
fn of_run(benchmark: &dyn Benchmark, role: &str, path: &Path) -> Result<TextFile, Failure> {
    let card = benchmark.card();
    let spec = card.input(role).and_then(|spec| spec.of_run.as_ref());
    let Some(spec) = spec else {
        return Err(Failure::usage(format!(
            "{}: this is a directory; {} takes a file as its input {role}",
            path.display(),
            card.name
        )));
    };
    let directory = RunDirectory::open(path)?;
    let named = &directory.manifest.benchmark;
    if !spec.benchmarks.contains(&named.as_str()) {
        return Err(Failure::input(format!(
            "{}: a run of {named}; the input {role} is made of a run of {}",
            path.display(),
            spec.benchmarks.join(" or ")
        )));
    }
    let run = JudgedRun::open(&directory, &Given::default())?;
    if !run.is_whole() {
        return Err(
            Failure::input(format!("{}: the run lacks answers", path.display()))
                .with_hint("finish it with the command that began it"),
        );
    }
    let text = (spec.text)(&run.judged()).map_err(PipelineError::from)?;
    Ok(TextFile {
        path: path.display().to_string(),
        name: format!("{named}.csv"),
        sha256: sha256_hex(text.as_bytes()),
        text,
    })
}

/// The same command finds the same directory again.
fn default_directory(manifest: &Manifest) -> PathBuf {
    let name = format!("{}-{}", manifest.benchmark, manifest.fingerprint());
    PathBuf::from("epicene-runs").join(name)
}
