//! `epicene data pairs`: gender-swapped sentence pairs from a translator's files, with the yield of every
//! step.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use epicene_bench::Options;
use epicene_bench::gest::first_letter::same_first_letter;
use epicene_bench::gest::pairs::HEADER;
use epicene_bench::gest::swapping::{self, Outcome as Swap};
use epicene_bench::translations;
use epicene_core::System as _;
use epicene_core::{Answer, Item};
use epicene_lang::Gender;
use epicene_mt::{CachedTranslator, Direction};

use crate::args::{PairSource, PairsAction, PairsArgs};
use crate::failure::{Failure, Outcome};
use crate::{answer_files, asking, console, datasets, effects, languages, source, translating};

/// A sentence whose translation shows a gender, with the prompt for the other one.
struct Swappable {
    item: Item,
    translation: String,
    gender: Gender,
    prompt: String,
}

pub fn run(args: PairsArgs) -> Result<Outcome, Failure> {
    let (PairsAction::Prompts(from) | PairsAction::Build { source: from, .. }) = &args.action;
    effects::check(from, &())?;
    match args.action {
        PairsAction::Prompts(from) => prompts(&from),
        PairsAction::Build {
            source: from,
            answers,
            same_letter,
        } => build(&from, answers.as_deref(), same_letter),
    }
}

fn prompts(from: &PairSource) -> Result<Outcome, Failure> {
    let translator = translator(from)?;
    let swappable = swappable(from, translator.as_ref())?;
    console::print(|out| {
        swappable
            .iter()
            .try_for_each(|swappable| writeln!(out, "{}", swappable.prompt))
    })?;
    Ok(Outcome::Done)
}

fn build(from: &PairSource, answers: Option<&Path>, same_letter: bool) -> Result<Outcome, Failure> {
    let translator = translator(from)?;
    let swappable = swappable(from, translator.as_ref())?;
    let asked: Vec<Item> = swappable
        .iter()
        .map(|swappable| Item::new(swappable.item.id.clone(), swappable.prompt.clone()))
        .collect();
    let answers = answers_of(from, answers, translator.as_ref(), &asked)?;
    let translator = match (&from.name, &translator, &from.translations) {
        (Some(name), _, _) => name.clone(),
        (None, Some(translator), _) => translator.card().name.clone(),
        (None, None, Some(path)) => answer_files::translator_name(path, &from.lang),
        (None, None, None) => "translator".to_owned(),
    };

    let mut rows: Vec<[String; 6]> = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut answered, mut same_length, mut one_word) = (0, 0, 0);
    let (mut letters, mut distinct) = (0, 0);
    for (swappable, answer) in swappable.iter().zip(&answers) {
        let Answer::Translation(answer) = answer else {
            continue;
        };
        answered += 1;
        let other = swapping::quotation(answer, &swappable.item.text);
        match swapping::outcome(&swappable.translation, &other) {
            Swap::OtherLength => continue,
            Swap::DifferentWords(_) => same_length += 1,
            Swap::Pair => {
                same_length += 1;
                one_word += 1;
                let (male, female) = match swappable.gender {
                    Gender::Masculine => (swappable.translation.clone(), other),
                    Gender::Feminine => (other, swappable.translation.clone()),
                };
                let alike = same_first_letter(&male, &female);
                letters += usize::from(alike);
                let fresh = seen.insert((male.clone(), female.clone()));
                distinct += usize::from(alike && fresh);
                if alike || !same_letter {
                    let label = swappable.item.label("stereotype").unwrap_or("");
                    rows.push([
                        translator.clone(),
                        from.lang.clone(),
                        swappable.item.text.clone(),
                        label.to_owned(),
                        male,
                        female,
                    ]);
                }
            }
        }
    }
    console::print(|out| {
        write_csv_line(out, &HEADER)?;
        rows.iter()
            .try_for_each(|row| write_csv_line(out, &row.each_ref().map(String::as_str)))
    })?;
    console::note(format!(
        "{} with a gender, {answered} answered, {same_length} with as many words, {one_word} differ in one word, \
         {letters} of these with the same first letter, {distinct} of these not repeats; {} pairs written",
        swappable.len(),
        rows.len()
    ));
    Ok(Outcome::Done)
}

/// The translator that is asked for what no file has; translations in a file need none.
fn translator(from: &PairSource) -> Result<Option<CachedTranslator>, Failure> {
    let Some(named) = &from.translator else {
        return Ok(None);
    };
    let to = std::slice::from_ref(&from.lang);
    translating::open(named, &["en"], to, &from.asking, None).map(Some)
}

/// Translations of these texts from a file, or from the translator.
fn answers_of(
    from: &PairSource,
    file: Option<&Path>,
    translator: Option<&CachedTranslator>,
    items: &[Item],
) -> Result<Vec<Answer>, Failure> {
    match (file, translator) {
        (Some(path), _) => {
            let file = source::read(path)?;
            Ok(translations::answers(&file, items, from.allow_missing)?)
        }
        (None, Some(translator)) => {
            let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            let direction = Direction {
                from: "en",
                to: &from.lang,
            };
            let answers =
                translating::translate_all(translator, &texts, direction, from.asking.yes);
            asking::tell_notes(translator);
            answers
        }
        (None, None) => Err(Failure::usage("the prompts have no translations")
            .with_hint("give --answers FILE, or --mt SPEC to ask a translator")),
    }
}

/// The paper left the colon out for DeepL and Czech, where it upset the translations.
fn without_colon(from: &PairSource) -> bool {
    let translator = from.translator.as_ref();
    let deepl = translator.is_some_and(|named| named.spec.name() == "deepl");
    from.no_colon || (deepl && from.lang == "cs")
}

/// Every sentence whose translation shows a gender.
fn swappable(
    from: &PairSource,
    translator: Option<&CachedTranslator>,
) -> Result<Vec<Swappable>, Failure> {
    let benchmark = epicene_pipeline::benchmark("gest")?;
    let items = datasets::open(benchmark, Some(&from.data), &Options::default())?.items;
    let detector = languages::detector(&from.lang, from.mode)?;
    let answers = answers_of(from, from.translations.as_deref(), translator, &items)?;
    let colon = !without_colon(from);
    let total = items.len();
    let swappable: Vec<Swappable> = items
        .into_iter()
        .zip(answers)
        .filter_map(|(item, answer)| {
            let Answer::Translation(translation) = answer else {
                return None;
            };
            let gender = detector.judge(&translation).gender()?;
            let prompt = swapping::prompt(&item.text, gender.opposite(), colon);
            Some(Swappable {
                item,
                translation,
                gender,
                prompt,
            })
        })
        .collect();
    console::note(format!(
        "{total} sentences, {} with a gender",
        swappable.len()
    ));
    Ok(swappable)
}

/// RFC 4180: quoted where a comma, a quotation mark or a line end is inside.
pub fn write_csv_line(out: &mut dyn Write, cells: &[&str]) -> std::io::Result<()> {
    let quoted: Vec<String> = cells
        .iter()
        .map(|cell| {
            if cell.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                (*cell).to_owned()
            }
        })
        .collect();
    writeln!(out, "{}", quoted.join(","))
}
