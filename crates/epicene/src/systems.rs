//! Turns the `--model` and `--mt` arguments into systems that can be asked.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use epicene_bench::{AnswerSheet, Benchmark, TranslationFile, Unit};
use epicene_core::{Item, ModelKind, SystemCard, TextFile};
use epicene_io::http::RetryPolicy;
use epicene_lang::first_person::Language;
use epicene_lm::{
    AlwaysModel, AnswerBook, Checkpoint, Dtype, EngineOptions, LanguageModel, LmError,
    OneTokenPairs, Placement, RandomModel, RemoteModel, SystemSpec, TransformerModel,
};
use epicene_mt::{CachedTranslator, Named, TranslatorSpec};
use epicene_run::{SystemPlan, sha256_hex};

use crate::args::{AskingArgs, RunArgs};
use crate::failure::Failure;
use crate::translating::{Shared, tell_download};
use crate::{console, source, translating};

/// A system with the questions it gets.
pub struct Asked {
    pub model: Box<dyn LanguageModel>,
    pub plan: SystemPlan,
    /// Where the model is a translator that is asked now.
    pub translator: Option<Arc<CachedTranslator>>,
}

/// Opens every system the command names, in its order: models of files, other models, translators.
pub fn open(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    items: &[Item],
) -> Result<Vec<Asked>, Failure> {
    let mut systems = models(args, benchmark, items)?;
    systems.extend(translators(args, benchmark, items)?);
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
) -> Result<Vec<Asked>, Failure> {
    let mut files = Vec::new();
    for spec in &args.models {
        if let SystemSpec::File(path) = spec {
            files.push(source::read(path)?);
        }
    }
    let sheets = benchmark.read_answers(&files, args.kind, items)?;
    if args.translators.is_empty() || !sheets.is_empty() {
        refuse_unknown_exclusions(&args.exclude, &sheets)?;
    }
    let wanted = args.sentences.method.as_deref();
    refuse_unknown_methods(wanted, benchmark)?;
    let mut systems: Vec<Asked> = sheets
        .into_iter()
        .filter(|sheet| !args.exclude.contains(&sheet.system))
        .map(|sheet| from_sheet(sheet, &files, benchmark, wanted))
        .collect();
    let engine = engine(args.batch_tokens, args.device, args.dtype);
    for spec in &args.models {
        let model = match open_model(spec, engine, &args.ignore_config)? {
            None => continue,
            Some(Opened::Checkpoint(model)) => checkpoint(*model, benchmark)?,
            Some(Opened::Other(model)) => model,
        };
        systems.push(with_units(model, benchmark, |unit| match wanted {
            Some(methods) => methods.iter().any(|method| method == unit.scorer),
            None => benchmark.asks_by_default(unit),
        }));
    }
    Ok(systems)
}

/// A system that answers by itself.
enum Opened {
    Checkpoint(Box<TransformerModel>),
    Other(Box<dyn LanguageModel>),
}

/// Opens what a command names; `None` for a file of answers, which only a benchmark can read.
fn open_model(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
) -> Result<Option<Opened>, Failure> {
    let here = |model: TransformerModel| Some(Opened::Checkpoint(Box::new(model)));
    let other = |model: Box<dyn LanguageModel>| Some(Opened::Other(model));
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
            let patience = RetryPolicy::from_environment();
            other(Box::new(RemoteModel::new(model, urls, patience)?))
        }
        SystemSpec::Random(seed) => other(Box::new(RandomModel::new(*seed))),
        SystemSpec::AlwaysHe => other(Box::new(AlwaysModel::he())),
        SystemSpec::AlwaysShe => other(Box::new(AlwaysModel::she())),
    })
}

/// One system without a benchmark around it.
pub fn open_alone(
    spec: &SystemSpec,
    engine: EngineOptions,
    ignored: &[String],
) -> Result<Box<dyn LanguageModel>, Failure> {
    match open_model(spec, engine, ignored)? {
        None => Err(
            Failure::usage(format!("{spec} holds answers, there is nobody to ask"))
                .with_hint("files of answers are read by `epicene run`"),
        ),
        Some(Opened::Checkpoint(model)) => Ok(Box::new(ready(*model)?)),
        Some(Opened::Other(model)) => Ok(model),
    }
}

/// A model with its head, after a word on where it runs.
fn ready(model: TransformerModel) -> Result<TransformerModel, Failure> {
    let system = model.card().name.clone();
    if !model.has_head() {
        return Err(LmError::NoHead { system }.into());
    }
    if let Some(place) = model.place() {
        console::note(format!("{system} runs on {place}"));
    }
    Ok(model)
}

/// A checkpoint that can be asked, in the way the benchmark wants.
fn checkpoint(
    model: TransformerModel,
    benchmark: &dyn Benchmark,
) -> Result<Box<dyn LanguageModel>, Failure> {
    let model = ready(model)?;
    if benchmark.units(model.card().kind).is_empty() {
        return Err(Failure::usage(format!(
            "{} cannot be asked of a {} model",
            benchmark.name(),
            model.card().kind
        )));
    }
    Ok(match benchmark.one_token_pairs() {
        true => Box::new(OneTokenPairs(model)),
        false => Box::new(model),
    })
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
) -> Result<Vec<Asked>, Failure> {
    let mut file_languages = languages(args, benchmark)?.into_iter();
    let mut given = Vec::new();
    let mut live = Vec::new();
    for named in &args.translators {
        let TranslatorSpec::File(path) = &named.spec else {
            live.push(live_translator(args, benchmark, named)?);
            continue;
        };
        let Some(language) = file_languages.next() else {
            continue;
        };
        let name = named.name.clone();
        given.push(TranslationFile {
            file: source::read(path)?,
            system: name.unwrap_or_else(|| translator_name(path, &language)),
            language,
        });
    }
    let sheets = benchmark.read_translations(&given, items, args.allow_missing)?;
    let files: Vec<TextFile> = given.into_iter().map(|given| given.file).collect();
    let mut systems: Vec<Asked> = sheets
        .into_iter()
        .map(|sheet| from_sheet(sheet, &files, benchmark, None))
        .collect();
    systems.extend(live);
    Ok(systems)
}

/// A translator that is asked: one unit for each language.
fn live_translator(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    named: &Named,
) -> Result<Asked, Failure> {
    let units: Vec<String> = args
        .lang
        .iter()
        .map(|code| format!("lang:{code}"))
        .collect();
    let asked = benchmark.units(ModelKind::Translator);
    if let Some(unit) = units
        .iter()
        .find(|unit| asked.iter().all(|u| u.name != **unit))
    {
        return Err(Failure::usage(format!(
            "{} has no questions for a translator into {}",
            benchmark.name(),
            unit.trim_start_matches("lang:")
        )));
    }
    let asking = AskingArgs {
        yes: args.yes,
        fresh: args.fresh,
        device: args.device,
        dtype: args.dtype,
        ignore_config: args.ignore_config.clone(),
    };
    let translator = translating::open(named, "en", &args.lang, &asking)?;
    let translator = Arc::new(translator);
    let model = Box::new(Shared(Arc::clone(&translator)));
    let mut system = with_units(model, benchmark, |unit| units.contains(&unit.name));
    system.translator = Some(translator);
    Ok(system)
}

/// The languages of the files, one for each, after a look at all languages that are named.
fn languages(args: &RunArgs, benchmark: &dyn Benchmark) -> Result<Vec<String>, Failure> {
    let files = args.translators.iter();
    let files = files
        .filter(|named| matches!(named.spec, TranslatorSpec::File(_)))
        .count();
    let languages = args.lang.len();
    let known = benchmark.languages();
    if known.is_empty() && !args.translators.is_empty() {
        let name = benchmark.name();
        return Err(Failure::usage(format!(
            "{name} does not measure translations"
        )));
    }
    for (place, code) in args.lang.iter().enumerate() {
        if !known.contains(&code.as_str()) {
            return Err(unknown_language(code, &known));
        }
        let repeated = args.lang[..place].contains(code);
        if repeated && files < args.translators.len() {
            return Err(Failure::usage(format!(
                "the language {code} is given twice"
            )));
        }
    }
    match languages {
        _ if args.translators.is_empty() && languages > 0 => Err(Failure::usage(
            "--lang is the language of translations; there is no --mt",
        )),
        0 if !args.translators.is_empty() => Err(Failure::usage(
            "--mt needs --lang, the language of the translations",
        )),
        1 => Ok(vec![args.lang[0].clone(); files]),
        _ if files == languages || files == 0 => Ok(args.lang[..files.min(languages)].to_vec()),
        _ => Err(Failure::usage(format!(
            "there are {files} files of translations and {languages} languages"
        ))
        .with_hint("give one --lang for all, or as many as files, in the same order")),
    }
}

/// A language by its code, or which there are.
pub fn language(code: &str) -> Result<Language, Failure> {
    code.parse::<Language>()
        .map_err(|_| unknown_language(code, &Language::ALL.map(Language::code)))
}

fn unknown_language(code: &str, known: &[&str]) -> Failure {
    Failure::usage(format!("unknown language `{code}`"))
        .with_hint(format!("known here: {}", known.join(", ")))
}

/// A name from the path: `deepl/sk/translations.csv.gz` is deepl, `nllb.sk.csv` is nllb.
pub fn translator_name(path: &Path, language: &str) -> String {
    let component = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let parent = path.parent();
    if component(parent).as_deref() == Some(language)
        && let Some(name) = component(parent.and_then(Path::parent))
    {
        return name;
    }
    let name = component(Some(path)).unwrap_or_default();
    let packed = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let stem = packed.unwrap_or(&name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let bare = ['.', '-', '_']
        .iter()
        .find_map(|separator| stem.strip_suffix(language)?.strip_suffix(*separator));
    bare.filter(|bare| !bare.is_empty())
        .unwrap_or(stem)
        .to_owned()
}

fn refuse_unknown_exclusions(exclude: &[String], sheets: &[AnswerSheet]) -> Result<(), Failure> {
    for name in exclude {
        if !sheets.iter().any(|sheet| sheet.system == *name) {
            let known: Vec<&str> = sheets.iter().map(|sheet| sheet.system.as_str()).collect();
            return Err(Failure::usage(format!("--exclude {name}: no such system"))
                .with_hint(format!("the files hold {}", known.join(", "))));
        }
    }
    Ok(())
}

/// A method that no unit of the benchmark has.
fn refuse_unknown_methods(
    wanted: Option<&[String]>,
    benchmark: &dyn Benchmark,
) -> Result<(), Failure> {
    let units = benchmark.units(ModelKind::Masked);
    let known: Vec<&str> = units.iter().map(|unit| unit.scorer).collect();
    match wanted.and_then(|wanted| {
        wanted
            .iter()
            .find(|method| !known.contains(&method.as_str()))
    }) {
        Some(unknown) => Err(Failure::usage(format!(
            "--method {unknown}: {} has no such likelihood",
            benchmark.name()
        ))
        .with_hint(format!("known here: {}", known.join(", ")))),
        None => Ok(()),
    }
}

fn from_sheet(
    sheet: AnswerSheet,
    files: &[TextFile],
    benchmark: &dyn Benchmark,
    wanted: Option<&[String]>,
) -> Asked {
    let sources: Vec<&TextFile> = sheet.files.iter().map(|&file| &files[file]).collect();
    let mut book = AnswerBook::new(SystemCard {
        name: sheet.system,
        source: format!("file:{}", shared_name(&sources)),
        revision: Some(revision(&sources)),
        dtype: None,
        tokenizer: None,
        kind: sheet.kind,
    });
    let names: Vec<String> = sheet.units.iter().map(|(unit, _)| unit.clone()).collect();
    for (unit, answers) in sheet.units {
        book.insert(&unit, answers);
    }
    with_units(Box::new(book), benchmark, |unit| {
        let has = names.contains(&unit.name);
        has && wanted.is_none_or(|wanted| wanted.iter().any(|method| method == unit.scorer))
    })
}

/// The files' name where they have one, else all their names.
fn shared_name(files: &[&TextFile]) -> String {
    let mut names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    names.dedup();
    names.join("+")
}

/// The hash of the file, or of the hashes of several.
fn revision(files: &[&TextFile]) -> String {
    match files {
        [file] => file.sha256.clone(),
        _ => {
            let hashes: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
            sha256_hex(hashes.join("\n").as_bytes())
        }
    }
}

fn with_units(
    model: Box<dyn LanguageModel>,
    benchmark: &dyn Benchmark,
    keep: impl Fn(&Unit) -> bool,
) -> Asked {
    let mut probes = Vec::new();
    for unit in benchmark.units(model.card().kind) {
        if keep(&unit) {
            probes.push((unit.name, unit.scorer.to_owned()));
        }
    }
    Asked {
        plan: SystemPlan {
            card: model.card().clone(),
            probes,
        },
        model,
        translator: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translators_are_named_by_their_path() {
        for (path, language, name) in [
            ("x/deepl/sk/translations.csv.gz", "sk", "deepl"),
            ("nllb.sk.csv", "sk", "nllb"),
            ("nllb.sk.csv.zst", "sk", "nllb"),
            ("out/nllb-sk.tsv.gz", "sk", "nllb"),
            ("my_system.csv", "sk", "my_system"),
            ("sk.csv", "sk", "sk"),
        ] {
            assert_eq!(translator_name(Path::new(path), language), name, "{path}");
        }
    }
}
