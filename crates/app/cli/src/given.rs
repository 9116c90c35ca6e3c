//! What a command gives, before anything is asked: files of answers are read and looked at, and languages that
//! cannot be measured are refused or, with `--keep-going`, left out by name.

use std::collections::BTreeMap;

use epicene_bench::given_verdicts::VERDICTS;
use epicene_bench::translation_checks::{self, Look};
use epicene_bench::translations;
use epicene_bench::{
    AnswerFile, AnswerSheet, AskedColumn, Asking, Benchmark, Options, names_items,
};
use epicene_core::{Answer, InputError, Item, Language, TextFile, Unit};
use rayon::prelude::*;

use crate::args::RunArgs;
use crate::commands::run::Prepared;
use crate::failure::Failure;
use crate::{console, datasets};

/// Answers of files, one sheet for each system; nothing is read where there are no files. With `--limit N` a file may
/// have the answers to the first N items alone.
pub fn read(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    files: &[AnswerFile],
    items: &[Item],
    options: &Options,
) -> Result<Vec<AnswerSheet>, Failure> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let limit = args.limit.filter(|limit| *limit < items.len());
    match (benchmark.read_answers(files, items, options), limit) {
        (Err(error), Some(limit)) => benchmark
            .read_answers(files, &items[..limit], options)
            .map_err(|_| of_other_data(error, benchmark, files, items)),
        (read, _) => read.map_err(|error| of_other_data(error, benchmark, files, items)),
    }
}

/// Items that are looked for in a file of other data.
const SAMPLE: usize = 20;

/// An error about a file that has none of the items, but sentences of a known data set, names that.
fn of_other_data(
    error: InputError,
    benchmark: &dyn Benchmark,
    files: &[AnswerFile],
    items: &[Item],
) -> Failure {
    let mut files = files.iter().map(AnswerFile::file);
    let file = files.find(|file| file.path == error.file);
    let file = file.filter(|file| {
        let mut sample = items.iter().take(SAMPLE);
        sample.all(|item| !file.text.contains(&item.text))
    });
    match file.and_then(|file| datasets::recognised(&file.text)) {
        Some(set) => datasets::recognised_elsewhere(&error.file, set, benchmark.card()),
        None => error.into(),
    }
}

/// Whether a file gives scores row by row and does not say which items they are of.
pub fn has_unnamed_scores(sheet: &AnswerSheet, files: &[AnswerFile]) -> bool {
    let answers = || sheet.units.iter().flat_map(|(_, answers)| answers);
    let is_score = |answer: &Answer| {
        use Answer::{Likelihoods, Log10Ratio, Sentence};
        matches!(
            answer.plain().0,
            Log10Ratio(_) | Likelihoods(_) | Sentence { .. }
        )
    };
    let mut own = sheet.files.iter().map(|file| files[*file].file());
    answers().any(is_score) && own.any(|file| !names_items(file))
}

/// What could not be checked of the answers of a file, by system.
pub type Unchecked = BTreeMap<String, Vec<&'static str>>;

/// Looks whether translations are what they are said to be, and whether anybody can judge them.
pub fn look(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    files: &[AnswerFile],
    sheets: &mut Vec<AnswerSheet>,
    items: &[Item],
    inputs: &BTreeMap<String, TextFile>,
) -> Result<Unchecked, Failure> {
    let look = |(unit, answers): &(Unit, Vec<Answer>), file: usize| {
        let language = unit
            .language()
            .expect("translations are in units of languages");
        if translation_checks::are_sentences(answers) && args.detector_command.is_none() {
            judgeable(benchmark, language, inputs)?;
        }
        let names_sources = translations::names_sources(files[file].file());
        let code = language.code();
        Ok(translation_checks::look(
            items,
            answers,
            code,
            names_sources,
        ))
    };
    let looks: Vec<Vec<Result<Look, Failure>>> = sheets
        .par_iter()
        .map(|sheet| {
            let units = sheet.units.par_iter().enumerate();
            // Several files may hold one unit, and are of one kind.
            let file = |place: usize| sheet.files.get(place).unwrap_or(&sheet.files[0]);
            units
                .map(|(place, unit)| look(unit, *file(place)))
                .collect()
        })
        .collect();
    let mut unchecked = Unchecked::new();
    for (sheet, looks) in sheets.iter_mut().zip(looks) {
        let mut kept = Vec::new();
        for (place, look) in looks.into_iter().enumerate() {
            let path = &files[sheet.files[place]].file().path;
            let look = match look {
                Ok(look) => look,
                Err(refused) => {
                    leave_out(args, refused)?;
                    continue;
                }
            };
            kept.push(place);
            for text in look.warnings {
                console::warn(format!("{path}: {text}"));
            }
            let of_system = unchecked.entry(sheet.system.clone()).or_default();
            of_system.extend(look.unchecked);
            match look.wrong {
                None => {}
                Some((message, _)) if args.trust_language => {
                    console::warn(format!("{path}: {message}; measured as it is"));
                }
                Some((message, hint)) => {
                    return Err(InputError::new(path, message).with_hint(hint).into());
                }
            }
        }
        // Several files may hold one unit: only where a unit is left out its file is.
        if kept.len() == sheet.units.len() {
            continue;
        }
        let keep = |place: &usize| kept.contains(place);
        sheet.files = kept.iter().map(|&place| sheet.files[place]).collect();
        let units = std::mem::take(&mut sheet.units).into_iter().enumerate();
        sheet.units = units
            .filter(|(place, _)| keep(place))
            .map(|(_, unit)| unit)
            .collect();
    }
    sheets.retain(|sheet| !sheet.units.is_empty());
    Ok(unchecked)
}

/// The languages a translator is asked for: those whose answers can be judged.
pub fn judged(
    args: &RunArgs,
    benchmark: &dyn Benchmark,
    languages: &[Option<Language>],
    inputs: &BTreeMap<String, TextFile>,
) -> Result<Vec<Language>, Failure> {
    let mut kept = Vec::new();
    for &language in languages.iter().flatten() {
        match judgeable(benchmark, language, inputs) {
            _ if args.detector_command.is_some() => kept.push(language),
            Ok(()) => kept.push(language),
            Err(refused) => leave_out(args, refused)?,
        }
    }
    if kept.is_empty() {
        Err(Failure::usage("none of the languages can be measured"))
    } else {
        Ok(kept)
    }
}

fn judgeable(
    benchmark: &dyn Benchmark,
    language: Language,
    inputs: &BTreeMap<String, TextFile>,
) -> Result<(), Failure> {
    let given = |role: &String| role == VERDICTS || role.ends_with(&format!(":{language}"));
    if (benchmark.card().judges)(language) || inputs.keys().any(given) {
        return Ok(());
    }
    let name = benchmark.card().name;
    Err(Failure::usage(format!(
        "{name} has no rules for translations into {}",
        language.name()
    ))
    .with_hint(format!(
        "give verdicts, e.g. --input result:{language}=FILE (see `epicene show {name}`)"
    )))
}

/// A translator with the languages it knows: all of them, or with `--keep-going` those that can be opened.
pub fn open_what_can_be<T>(
    args: &RunArgs,
    languages: &[Language],
    open: impl Fn(&[String]) -> Result<T, Failure>,
) -> Result<(T, Vec<Language>), Failure> {
    let codes = |languages: &[Language]| -> Vec<String> {
        languages.iter().map(Language::to_string).collect()
    };
    let refused = match open(&codes(languages)) {
        Ok(opened) => return Ok((opened, languages.to_vec())),
        Err(refused) if !args.keep_going || languages.len() < 2 => return Err(refused),
        Err(refused) => refused,
    };
    let mut kept = Vec::new();
    for &language in languages {
        match open(&codes(&[language])) {
            Ok(_) => kept.push(language),
            Err(refused) => leave_out(args, refused)?,
        }
    }
    if kept.is_empty() {
        Err(refused)
    } else {
        Ok((open(&codes(&kept))?, kept))
    }
}

impl Prepared {
    /// Refuses a file that nothing will read of these columns, or with `--keep-going` leaves it out.
    pub fn refuse_unread(
        &mut self,
        args: &RunArgs,
        columns: Vec<AskedColumn<'_>>,
    ) -> Result<(), Failure> {
        let card = self.benchmark.card();
        let asking = Asking {
            options: &self.options,
            columns,
        };
        for role in self.options.inputs.keys() {
            if let Some(whose) = asking.unread(card, role) {
                let failure = Failure::usage(format!(
                    "the input {role} has no effect here; it is for {whose}"
                ));
                leave_out(args, failure.with_hint("leave this file out"))?;
                self.inputs.remove(role);
            }
        }
        Ok(())
    }
}

/// What cannot be measured is refused, or left out where the command says so.
pub fn leave_out(args: &RunArgs, refused: Failure) -> Result<(), Failure> {
    if args.keep_going {
        console::warn(format!("left out: {}", refused.message));
        Ok(())
    } else {
        Err(match refused.hint {
            Some(_) => refused,
            None => refused.with_hint("--keep-going measures the rest"),
        })
    }
}
