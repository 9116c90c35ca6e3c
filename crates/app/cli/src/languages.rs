//! The languages a command names: which the benchmark measures, and which file of translations is in which.

use epicene_bench::gest::language_pack::LANGUAGE_PACK;
use epicene_bench::{Benchmark, Card, Options};
use epicene_core::{Language, ModelKind, counted, there_are};
use epicene_lang::first_person::{Detector, Mode};
use epicene_mt::Named;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::systems::has_translators;
use crate::{given, host, packs, suggest};

/// The source languages whose items are asked about, of a benchmark of translations into English: those the command names,
/// or all.
pub fn source_languages(args: &RunArgs, card: &Card) -> Result<Vec<Language>, Failure> {
    let known = (card.sources)();
    if args.lang.is_empty() {
        return Ok(known);
    }
    let mut languages = Vec::new();
    for code in &args.lang {
        let found = Language::find(code).filter(|language| known.contains(language));
        let language = found.ok_or_else(|| {
            let codes: Vec<&str> = known.iter().map(|language| language.code()).collect();
            Failure::usage(format!(
                "{} has no items in the source language `{code}`",
                card.name
            ))
            .with_hint(format!("source languages: {}", codes.join(", ")))
        })?;
        if languages.contains(&language) {
            return Err(Failure::usage(format!(
                "the language {code} is given twice"
            )));
        }
        languages.push(language);
    }
    Ok(languages)
}

/// The target languages the command names, after a look at whether the benchmark measures them.
/// With `--keep-going` others are `None`, so that files stay beside their language.
pub fn named_languages(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
) -> Result<Vec<Option<Language>>, Failure> {
    let known = (benchmark.card().languages)();
    let asks = benchmark.asks(ModelKind::Translator, &Options::default());
    if (known.is_empty() || asks.is_empty()) && has_translators(args) {
        let name = benchmark.card().name;
        return Err(
            Failure::usage(format!("{name} does not measure translations")).with_hint(format!(
                "name language models: --model (`epicene show {name}`)"
            )),
        );
    }
    if !(benchmark.card().sources)().is_empty() {
        // Everything is translated into the one language there is.
        return Ok(known.into_iter().map(Some).collect());
    }
    let by_language = benchmark.card().by_language;
    let mut languages: Vec<Option<Language>> = Vec::new();
    for code in &args.lang {
        // Whoever brings verdicts needs no detector of ours.
        let brings = !args.verdicts.is_empty()
            || args.detector_command.is_some()
            || brings_pack(args, benchmark, code)?;
        let own = |language: &Language| known.contains(language);
        let language = Language::find(code);
        let language = language.filter(|language| brings && !by_language || own(language));
        if language.is_none() {
            given::leave_out(args, not_measured(code, benchmark))?;
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
        )
        .with_hint("give --mt NAME=file:PATH, or leave --lang out")),
        true if has_translators(args) && languages.is_empty() => Err(Failure::usage(
            "--mt needs --lang, the language of the translations",
        )
        .with_hint("give --lang, e.g. --lang sk")),
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

/// Whether a language pack has a detector for the language.
fn brings_pack(args: &RunArgs, benchmark: &dyn Benchmark, code: &str) -> Result<bool, Failure> {
    let reads_packs = benchmark.card().input(LANGUAGE_PACK).is_some();
    Ok(reads_packs && packs::of(code, args.language_pack.as_deref())?.is_some())
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
        match Language::find(code) {
            Some(language) if SILENT_ON_I.contains(&code) => {
                let name = language.name();
                Failure::usage(format!("{name} does not mark the gender of \"I\""))
                    .with_hint("read the gender of a person: --word WORD, or --table")
            }
            Some(language) => {
                let name = language.name();
                Failure::usage(format!("no first-person detector for {name} (`{code}`)"))
                    .with_hint(format!("languages: {}", known.join(", ")))
            }
            None => unknown_language(code, &known),
        }
    })
}

fn unknown_language(code: &str, known: &[&str]) -> Failure {
    let failure = Failure::usage(format!("unknown language `{code}`"));
    match suggest::language(code) {
        Some(language) => failure.with_hint(meant(language)),
        None => failure.with_hint(format!("languages: {}", known.join(", "))),
    }
}

fn meant(language: Language) -> String {
    format!("did you mean `{}` ({})?", language.code(), language.name())
}

/// Languages in which neither verbs nor adjectives show the gender of the speaker.
const SILENT_ON_I: [&str; 22] = [
    "de", "en", "nl", "sv", "da", "no", "nb", "nn", "is", "fi", "et", "hu", "tr", "az", "kk", "fa",
    "eu", "zh", "ja", "ko", "id", "vi",
];

/// A language that this benchmark does not measure, and what can be done about it.
fn not_measured(code: &str, benchmark: &dyn Benchmark) -> Failure {
    let card = benchmark.card();
    let known = (card.languages)();
    let codes: Vec<&str> = known.iter().map(|language| language.code()).collect();
    let Some(language) = Language::find(code) else {
        return unknown_language(code, &codes);
    };
    let others = epicene_bench::ALL.iter().filter(|other| {
        let asks = other.asks(ModelKind::Translator, &Options::default());
        !asks.is_empty() && (other.card().languages)().contains(&language)
    });
    let others: Vec<&str> = others.map(|other| other.card().name).collect();
    let name = language.name();
    // A benchmark of the speaker's gender measures what the first-person detector reads.
    let is_of_speakers = known == Detector::languages();
    let failure = if is_of_speakers && SILENT_ON_I.contains(&code) {
        Failure::usage(format!("{name} does not mark the gender of \"I\""))
    } else {
        Failure::usage(format!("{} does not measure {name} (`{code}`)", card.name))
    };
    if others.is_empty() {
        failure.with_hint(format!("{} measures {}", card.name, codes.join(", ")))
    } else {
        failure.with_hint(format!("for {name} use {}", others.join(", ")))
    }
}
