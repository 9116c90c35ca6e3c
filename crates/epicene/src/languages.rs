//! The languages a command names: which the benchmark measures, and which file of translations is in which.

use epicene_bench::{Benchmark, Options};
use epicene_core::{Language, ModelKind, counted, there_are};
use epicene_lang::first_person::{Detector, Mode};
use epicene_mt::Named;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::systems::has_translators;
use crate::{given, host};

/// The languages the command names, after a look at whether the benchmark measures them.
/// With `--keep-going` others are `None`, so that files stay beside their language.
pub fn named_languages(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
) -> Result<Vec<Option<Language>>, Failure> {
    let known = (benchmark.card().languages)();
    let asks = benchmark.asks(ModelKind::Translator, &Options::default());
    if (known.is_empty() || asks.is_empty()) && has_translators(args) {
        let name = benchmark.card().name;
        return Err(Failure::usage(format!(
            "{name} does not measure translations"
        )));
    }
    let mut languages: Vec<Option<Language>> = Vec::new();
    for code in &args.lang {
        let language = Language::find(code).filter(|language| known.contains(language));
        if language.is_none() {
            let known: Vec<&str> = known.iter().map(|language| language.code()).collect();
            given::leave_out(args, unknown_language(code, &known))?;
            languages.push(None);
            continue;
        }
        let live = |named: &Named| named.spec.file().is_none();
        if languages.contains(&language)
            && (args.translators.iter().any(live) || host::has_translator())
        {
            return Err(Failure::usage(format!(
                "the language {code} is given twice"
            )));
        }
        languages.push(language);
    }
    match languages.iter().all(Option::is_none) {
        _ if !has_translators(args) && benchmark.card().by_language => Ok(languages),
        _ if !has_translators(args) && !languages.is_empty() => Err(Failure::usage(
            "--lang is the language of translations; there is no --mt",
        )),
        true if has_translators(args) && languages.is_empty() => Err(Failure::usage(
            "--mt needs --lang, the language of the translations",
        )),
        true if has_translators(args) => {
            Err(Failure::usage("none of the languages can be measured"))
        }
        _ => Ok(languages),
    }
}

/// The languages whose items are asked about, where every language has its own. A translator is asked about those of one.
pub fn chosen_languages(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
) -> Result<Vec<Language>, Failure> {
    let mut languages: Vec<Language> = named_languages(args, benchmark)?
        .into_iter()
        .flatten()
        .collect();
    languages.sort_unstable();
    languages.dedup();
    match languages.as_slice() {
        [_, other, ..] if has_translators(args) => Err(Failure::usage(format!(
            "{} has sentences of its own for every language, and {other} is one too many",
            benchmark.card().name
        ))
        .with_hint(
            "run it once for each language; `epicene report RUN RUN…` shows them side by side",
        )),
        _ => Ok(languages),
    }
}

/// The languages of the files, one for each.
pub fn file_languages(
    args: &RunArgs,
    languages: &[Option<Language>],
) -> Result<Vec<Option<Language>>, Failure> {
    let files = args.translators.iter();
    let files = files.filter(|named| named.spec.file().is_some()).count();
    match languages {
        [one] => Ok(vec![*one; files]),
        several if files == several.len() || files == 0 => Ok(several[..files].to_vec()),
        several => Err(Failure::usage(format!(
            "{} and {}",
            there_are(files, "file of translations", "files of translations"),
            counted(several.len(), "language", "languages")
        ))
        .with_hint("give one --lang for all, or as many as files, in the same order")),
    }
}

/// The judge of a language's first person, or the languages that have one.
pub fn detector(code: &str, mode: Mode) -> Result<Detector, Failure> {
    let found = Language::find(code).and_then(|language| Detector::of(language, mode));
    found.ok_or_else(|| {
        let known = Detector::languages();
        let known: Vec<&str> = known.iter().map(|language| language.code()).collect();
        unknown_language(code, &known)
    })
}

fn unknown_language(code: &str, known: &[&str]) -> Failure {
    Failure::usage(format!("unknown language `{code}`"))
        .with_hint(format!("known here: {}", known.join(", ")))
}
