//! Turns the `--model` and `--mt` arguments into systems that can be asked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use epicene_bench::{
    AnswerFile, AnswerSheet, Ask, Benchmark, Options, translation_columns, translations,
};
use epicene_core::{Item, Language, ModelKind, Scorer, System, TextFile, Unit};
use epicene_io::http::RetryPolicy;
use epicene_lm::chat::{ChatService, NullChat};
use epicene_lm::{
    AlwaysModel, Checkpoint, Dtype, EngineOptions, Fitting, LmError, Placement, RandomModel,
    RemoteModel, SystemSpec, TransformerModel,
};
use epicene_mt::{Budget, Named};
use epicene_run::SystemPlan;

use crate::args::{AskingArgs, RunArgs};
use crate::failure::Failure;
use crate::languages::{file_languages, named_languages};
use crate::translating::tell_download;
use crate::{
    answer_files, chatting, console, datasets, given, host, source, tokenizers, translating,
};

/// A system with the questions it gets.
pub struct Asked {
    pub system: Box<dyn System>,
    pub plan: SystemPlan,
    /// What could not be checked of the answers of a file.
    pub unchecked: Vec<&'static str>,
}

/// Opens every system the command names, in its order: models of files, other models, translators.
pub fn open(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    items: &[Item],
    options: &Options,
    inputs: &BTreeMap<String, TextFile>,
    budget: Option<&Arc<Budget>>,
) -> Result<Vec<Asked>, Failure> {
    let mut systems = models(args, benchmark, items, options, budget)?;
    systems.extend(translators(
        args, benchmark, items, options, inputs, budget,
    )?);
    let mut names = BTreeSet::new();
    for system in &systems {
        if !names.insert(&system.plan.card.name) {
            let name = &system.plan.card.name;
            return Err(Failure::usage(format!("two systems are called `{name}`")));
        }
    }
    match systems.is_empty() {
        false => Ok(systems),
        true if args.exclude.is_empty() => Err(Failure::usage("there is no system to measure")
            .with_hint("give --model SPEC or --mt SPEC; see `epicene run --help`")),
        true => Err(Failure::usage("every system was excluded")),
    }
}

fn models(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    items: &[Item],
    options: &Options,
    budget: Option<&Arc<Budget>>,
) -> Result<Vec<Asked>, Failure> {
    let mut files = Vec::new();
    for spec in &args.models {
        if let SystemSpec::File(path) = spec {
            let file = source::read(path)?;
            if translations::has_header(&file) {
                return Err(datasets::looks_like_translations(&file.path));
            }
            files.push(AnswerFile::Models {
                file,
                kind: args.kind,
            });
        }
    }
    let mut sheets = given::read(args, benchmark, &files, items, options)?;
    let tokenizers = tokenizers::apply(&args.tokenizer, benchmark, items, &mut sheets)?;
    if !has_translators(args) || !sheets.is_empty() {
        refuse_unknown_exclusions(&args.exclude, &sheets)?;
    }
    let wanted = methods(args, benchmark)?;
    let wanted = wanted.as_deref();
    let is_checked = benchmark.checks_order(items);
    let mut systems: Vec<Asked> = sheets
        .into_iter()
        .filter(|sheet| !args.exclude.contains(&sheet.system))
        .map(|sheet| {
            let unnamed = given::has_unnamed_scores(&sheet, &files);
            let mut system = looked_up(sheet, &files, (benchmark, options), wanted)?;
            if unnamed && !is_checked {
                system.unchecked.push("order");
            }
            Ok(system)
        })
        .collect::<Result<_, Failure>>()?;
    for (name, tokenizer) in tokenizers {
        for system in systems.iter_mut().filter(|s| s.plan.card.name == name) {
            system.plan.card.tokenizer = Some(tokenizer.clone());
        }
    }
    let engine = engine(args.batch_tokens, args.device, args.dtype);
    for spec in &args.models {
        if let SystemSpec::Chat(chat) = spec {
            let chat = chatting::open(chat, args.fresh, args.price, budget.cloned())?;
            let system = asked(Box::new(chat), (benchmark, options), |ask| !ask.on_request)?;
            if system.plan.probes.is_empty() {
                return Err(no_questions(benchmark, ModelKind::Chat));
            }
            systems.push(system);
            continue;
        }
        if chatting::is_for(benchmark)
            && let Some(model) = chatting::local(spec, engine, &args.ignore_config)?
        {
            systems.push(asked(Box::new(model), (benchmark, options), |ask| {
                !ask.on_request
            })?);
            continue;
        }
        let model = match open_model(spec, engine, &args.ignore_config)? {
            _ if chatting::is_for(benchmark) && chatting::null(spec).is_some() => {
                let null = chatting::null(spec).expect("it was just there");
                Box::new(null) as Box<dyn System>
            }
            None => continue,
            Some(Opened::Checkpoint(model)) => checkpoint(*model, benchmark)?,
            Some(Opened::Other(model)) => model,
        };
        let keep = |ask: &Ask| match wanted {
            Some(methods) => methods.contains(&ask.scorer),
            None => !ask.on_request,
        };
        systems.push(asked(model, (benchmark, options), keep)?);
    }
    for model in host::take_systems(false) {
        let kind = model.card().kind;
        let keep = |ask: &Ask| match wanted {
            Some(methods) => methods.contains(&ask.scorer),
            None => !ask.on_request,
        };
        let system = asked(model, (benchmark, options), keep)?;
        if system.plan.probes.is_empty() {
            return Err(no_questions(benchmark, kind));
        }
        systems.push(system);
    }
    Ok(systems)
}

/// Whether a translator is measured.
pub fn has_translators(args: &RunArgs) -> bool {
    !args.translators.is_empty() || host::has_translator()
}

/// What a system of a kind is asked, before there is one.
pub fn probes(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    kind: ModelKind,
    (options, inputs): (&Options, &BTreeMap<String, TextFile>),
) -> Result<Vec<Ask>, Failure> {
    let asks = chatting::by_anybody(benchmark.asks(kind, options)).into_iter();
    let kept: Vec<Ask> = if kind == ModelKind::Translator {
        let languages = named_languages(args, benchmark)?;
        let languages = given::judged(args, benchmark, &languages, inputs)?;
        let units: Vec<Unit> = languages.into_iter().map(Unit::into_language).collect();
        asks.filter(|ask| units.contains(&ask.unit)).collect()
    } else {
        let wanted = methods(args, benchmark)?;
        let keep = |ask: &Ask| match &wanted {
            Some(methods) => methods.contains(&ask.scorer),
            None => !ask.on_request,
        };
        asks.filter(keep).collect()
    };
    Ok(kept)
}

/// A system that answers by itself.
enum Opened {
    Checkpoint(Box<TransformerModel>),
    Other(Box<dyn System>),
}

/// Opens what a command names; `None` for a file of answers, which only a benchmark can read.
fn open_model(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
) -> Result<Option<Opened>, Failure> {
    let here = |model: TransformerModel| Some(Opened::Checkpoint(Box::new(model)));
    let other = |model: Box<dyn System>| Some(Opened::Other(model));
    Ok(match spec {
        SystemSpec::File(_) => None,
        SystemSpec::Checkpoint(spec) => {
            here(spec.open_ignoring(engine, ignored, &tell_download)?)
        }
        SystemSpec::Gguf(path) => here(TransformerModel::open_gguf(path, engine)?),
        SystemSpec::Embedded(name) => {
            let files = epicene_models::find(name)
                .ok_or_else(|| Failure::usage(format!("there is no embedded model `{name}`")))?;
            let opened = Checkpoint::from_files(files).map_err(LmError::from)?;
            let name = format!("demo:{name}");
            here(TransformerModel::load(&name, &name, opened, engine)?)
        }
        SystemSpec::Server { model, urls } => {
            let patience = RetryPolicy::from_environment()?;
            other(Box::new(RemoteModel::new(model, urls, patience)?))
        }
        SystemSpec::Random(seed) => other(Box::new(RandomModel::new(*seed))),
        SystemSpec::AlwaysHe => other(Box::new(AlwaysModel::he())),
        SystemSpec::AlwaysShe => other(Box::new(AlwaysModel::she())),
        SystemSpec::AlwaysFirst => other(Box::new(NullChat::first())),
        SystemSpec::AlwaysNeither => other(Box::new(NullChat::neither())),
        SystemSpec::Chat(chat) => {
            let patience = RetryPolicy::from_environment()?;
            other(Box::new(ChatService::open(chat, patience)?))
        }
    })
}

/// One system without a benchmark around it.
pub fn open_alone(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
) -> Result<Box<dyn System>, Failure> {
    match open_model(spec, engine, ignored)? {
        None => Err(Failure::usage(format!(
            "{spec} is a file of answers; it cannot answer new questions"
        ))
        .with_hint("files of answers are read by `epicene run`")),
        Some(Opened::Checkpoint(model)) => Ok(Box::new(Fitting::new(ready(*model)?))),
        Some(Opened::Other(model)) => Ok(model),
    }
}

/// A checkpoint, to be asked in a way of the caller's own.
pub fn open_checkpoint(
    spec: &SystemSpec,
    engine: EngineOptions,
) -> Result<TransformerModel, Failure> {
    match open_model(spec, engine, &[])? {
        Some(Opened::Checkpoint(model)) => ready(*model),
        _ => Err(Failure::usage(format!("{spec} is no checkpoint"))),
    }
}

/// A model with its head, after a word on where it runs.
fn ready(model: TransformerModel) -> Result<TransformerModel, Failure> {
    let system = model.card().name.clone();
    if !model.has_head() {
        return Err(LmError::NoHead { system }.into());
    }
    if model.is_pickled() {
        console::note(format!(
            "{system}: pickled weights, read without running anything; safetensors are safer with other tools"
        ));
    }
    console::place(&system, model.place(), model.loading());
    Ok(model)
}

/// A checkpoint that can be asked, in the way the benchmark wants.
fn checkpoint(
    model: TransformerModel,
    benchmark: &dyn Benchmark,
) -> Result<Box<dyn System>, Failure> {
    let model = ready(model)?;
    if benchmark
        .asks(model.card().kind, &Options::default())
        .is_empty()
    {
        return Err(no_questions(benchmark, model.card().kind));
    }
    Ok(Box::new(Fitting::new(model)))
}

/// How checkpoints are run; device and arithmetic stand in their cards.
pub fn engine(
    batch_tokens: Option<u32>,
    device: Option<Placement>,
    dtype: Option<Dtype>,
) -> EngineOptions {
    let defaults = EngineOptions::default();
    EngineOptions {
        threads: rayon::current_num_threads(),
        batch_tokens: batch_tokens.map_or(defaults.batch_tokens, |tokens| tokens as usize),
        placement: device.unwrap_or(Placement::Auto),
        dtype,
    }
}

fn translators(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    items: &[Item],
    options: &Options,
    inputs: &BTreeMap<String, TextFile>,
    budget: Option<&Arc<Budget>>,
) -> Result<Vec<Asked>, Failure> {
    let languages = named_languages(args, benchmark)?;
    let mut file_languages = file_languages(args, &languages)?.into_iter();
    let mut given = Vec::new();
    let mut live = Vec::new();
    for named in &args.translators {
        let Some(path) = named.spec.file() else {
            let languages = given::judged(args, benchmark, &languages, inputs)?;
            live.push(live_translator(
                args,
                (benchmark, options),
                named,
                &languages,
                budget,
            )?);
            continue;
        };
        let language = file_languages
            .next()
            .expect("there are as many languages as files");
        let Some(language) = language else { continue };
        let name = named.name.clone();
        given.push(AnswerFile::Translations {
            file: match (&args.column, benchmark.card().tabbed) {
                (None, true) => source::read(path)?,
                (columns, _) => translation_columns::choose(source::read(path)?, columns.as_ref())?,
            },
            system: name.unwrap_or_else(|| answer_files::translator_name(path, language.code())),
            language,
            allow_missing: args.allow_missing,
        });
    }
    let mut sheets = given::read(args, benchmark, &given, items, options)?;
    let mut unchecked = given::look(args, benchmark, &given, &mut sheets, items, inputs)?;
    let mut systems: Vec<Asked> = sheets
        .into_iter()
        .map(|sheet| looked_up(sheet, &given, (benchmark, options), None))
        .collect::<Result<_, _>>()?;
    for system in &mut systems {
        let of_system = unchecked.remove(&system.plan.card.name);
        system.unchecked = of_system.unwrap_or_default();
    }
    systems.extend(live);
    if host::has_translator() {
        let languages = given::judged(args, benchmark, &languages, inputs)?;
        let units: Vec<Unit> = languages.iter().copied().map(Unit::into_language).collect();
        for model in host::take_systems(true) {
            systems.push(asked(model, (benchmark, options), |ask| {
                units.contains(&ask.unit)
            })?);
        }
    }
    Ok(systems)
}

/// A translator that is asked: one unit for each language.
fn live_translator(
    args: &RunArgs,
    asking_by: (&dyn Benchmark, &Options),
    named: &Named,
    languages: &[Language],
    budget: Option<&Arc<Budget>>,
) -> Result<Asked, Failure> {
    let asking = AskingArgs {
        yes: args.yes,
        fresh: args.fresh,
        device: args.device,
        dtype: args.dtype,
        ignore_config: args.ignore_config.clone(),
    };
    // A benchmark of translations into English has chosen its source languages; all others have English items.
    let sources: Vec<&str> = if (asking_by.0.card().sources)().is_empty() {
        vec!["en"]
    } else {
        asking_by.1.languages.iter().map(|own| own.code()).collect()
    };
    let open =
        |codes: &[String]| translating::open(named, &sources, codes, &asking, budget.cloned());
    let (translator, languages) = given::open_what_can_be(args, languages, open)?;
    let units: Vec<Unit> = languages.iter().copied().map(Unit::into_language).collect();
    asked(Box::new(translator), asking_by, |ask| {
        units.contains(&ask.unit)
    })
}

fn refuse_unknown_exclusions(exclude: &[String], sheets: &[AnswerSheet]) -> Result<(), Failure> {
    for name in exclude {
        if !sheets.iter().any(|sheet| sheet.system == *name) {
            return Err(Failure::usage(format!("--exclude {name}: no such system"))
                .with_hint(answer_files::held(sheets)));
        }
    }
    Ok(())
}

/// The likelihoods the command names; one that no unit of the benchmark has is refused.
fn methods(args: &RunArgs, benchmark: &dyn Benchmark) -> Result<Option<Vec<Scorer>>, Failure> {
    let Some(named) = &args.sentences.method else {
        return Ok(None);
    };
    let asks = benchmark.asks(ModelKind::Masked, &Options::default());
    let find = |name: &String| {
        let ask = asks.iter().find(|ask| ask.scorer.name() == name);
        ask.map(|ask| ask.scorer).ok_or_else(|| {
            let mut known: Vec<&str> = asks.iter().map(|ask| ask.scorer.name()).collect();
            known.sort_unstable();
            known.dedup();
            Failure::usage(format!(
                "--method {name}: {} has no such likelihood",
                benchmark.card().name
            ))
            .with_hint(format!("likelihoods: {}", known.join(", ")))
        })
    };
    named.iter().map(find).collect::<Result<_, _>>().map(Some)
}

/// A system of a file, asked in the units it has answers in.
fn looked_up(
    sheet: AnswerSheet,
    files: &[AnswerFile],
    asking_by: (&dyn Benchmark, &Options),
    wanted: Option<&[Scorer]>,
) -> Result<Asked, Failure> {
    let (book, units) = answer_files::from_sheet(sheet, files);
    asked(Box::new(book), asking_by, |ask| {
        units.contains(&ask.unit) && wanted.is_none_or(|wanted| wanted.contains(&ask.scorer))
    })
}

/// A system with the questions of its kind that `keep` accepts.
fn asked(
    system: Box<dyn System>,
    (benchmark, options): (&dyn Benchmark, &Options),
    keep: impl Fn(&Ask) -> bool,
) -> Result<Asked, Failure> {
    let kind = system.card().kind;
    let mut asks = benchmark.asks(kind, options);
    // Whoever brings verdicts may translate into languages that the benchmark cannot judge; which ones is settled before.
    if kind == ModelKind::Translator && !asks.is_empty() {
        let into = |language: Language| Ask::new(Unit::into_language(language), Scorer::Translate);
        let all = Language::all().map(into);
        let others: Vec<Ask> = all.filter(|ask| !asks.contains(ask)).collect();
        asks.extend(others);
    }
    let asks = asks.into_iter().filter(|ask| keep(ask)).collect();
    Ok(Asked {
        plan: SystemPlan {
            card: system.card().clone(),
            probes: chatting::able(&*system, asks)?,
            server: system.server()?,
        },
        system,
        unchecked: Vec::new(),
    })
}

fn no_questions(benchmark: &dyn Benchmark, kind: ModelKind) -> Failure {
    let name = benchmark.card().name;
    let failure = Failure::usage(format!("{name} cannot be asked of a {kind} model"));
    let of_chat: Vec<&str> = epicene_bench::ALL
        .iter()
        .filter(|benchmark| chatting::is_for(**benchmark))
        .map(|benchmark| benchmark.card().name)
        .collect();
    if kind == ModelKind::Chat || chatting::is_for(benchmark) {
        failure.with_hint(format!("chat models are asked by {}", of_chat.join(", ")))
    } else {
        failure
    }
}
