//! Sources from the user's own translations of GEST: gender-swapped pairs, or a table whose speaker's gender is read from the words.

use std::collections::BTreeSet;

use epicene_core::{Finding, InputError, Item, Language, TextFile};
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode};

use crate::Options;
use crate::csv_input::CsvInput;
use crate::gest::StereotypeLabel;
use crate::kept::GENDER;
use crate::translations::SOURCE;

/// The English sentence that was translated.
pub const ORIGINAL: &str = "original";

/// GEST's own languages: the first person shows its gender in all of them.
const LANGUAGES: [&str; 10] = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk", "bg"];

pub fn languages() -> Vec<Language> {
    let find = |code: &&str| Language::find(code).expect("the registry has GEST's languages");
    LANGUAGES.iter().map(find).collect()
}

pub fn read(file: &TextFile, options: &Options) -> Result<Vec<Item>, InputError> {
    let header = file.text.lines().next().unwrap_or_default();
    let names: Vec<&str> = header
        .split([',', ';', '\t'])
        .map(|cell| cell.trim_matches(['\u{feff}', ' ', '"', '\r']))
        .collect();
    let has = |wanted: &[&str]| wanted.iter().all(|name| names.contains(name));
    let mut sources = Sources::default();
    if has(&PAIRS) {
        pairs(file, options, &mut sources)?;
    } else if has(&["from", "to"]) {
        table(file, options, &mut sources)?;
    } else {
        return Err(InputError::new(
            &file.path,
            "there are neither translations nor pairs in this file",
        )
        .at_line(1)
        .with_hint(
            "give a table with columns from,to (English, translation), or the pairs of `epicene data pairs build`",
        ));
    }
    if sources.items.is_empty() {
        return Err(InputError::new(
            &file.path,
            "no sentence in these languages shows the gender of its speaker",
        ));
    }
    Ok(sources.items)
}

/// Items with their languages and texts, each once.
#[derive(Default)]
struct Sources {
    items: Vec<Item>,
    seen: BTreeSet<(Language, String)>,
}

impl Sources {
    /// The item of a sentence; `None` of one that was there before.
    fn item(
        &mut self,
        language: Language,
        original: &str,
        text: &str,
        gender: Gender,
    ) -> Option<Item> {
        let text = text.trim();
        self.seen.insert((language, text.to_owned())).then(|| {
            Item::new(format!("gest-en:{}", self.items.len() + 1), text)
                .with_label(SOURCE, language.code())
                .with_label(GENDER, Finding::from(gender).name())
                .with_label(ORIGINAL, original.trim())
        })
    }
}

const PAIRS: [&str; 5] = ["language", "original", "stereotype", "male", "female"];

/// Both sides of every pair.
fn pairs(file: &TextFile, options: &Options, sources: &mut Sources) -> Result<(), InputError> {
    let mut input = CsvInput::new(file, b',');
    let columns = input.columns(PAIRS)?;
    while let Some((place, record)) = input.next()? {
        let [code, original, stereotype, male, female] = columns.map(|column| &record[column]);
        let language = Language::find(code.trim()).filter(|own| languages().contains(own));
        let language = language.ok_or_else(|| {
            let message = format!("`{}` is none of GEST's languages", code.trim());
            place.complain(file, message)
        })?;
        if !options.languages.is_empty() && !options.languages.contains(&language) {
            continue;
        }
        let stereotype = StereotypeLabel::find(stereotype, None);
        let stereotype = stereotype.map_err(|message| place.complain(file, message))?;
        for (text, gender) in [(male, Gender::Masculine), (female, Gender::Feminine)] {
            if text.trim().is_empty() {
                return Err(place.complain(file, "a text of the pair is empty"));
            }
            let item = sources.item(language, original, text, gender);
            sources.items.extend(item.map(|item| stereotype.on(item)));
        }
    }
    Ok(())
}

/// Translations whose speaker certainly shows a gender; all others are left out.
fn table(file: &TextFile, options: &Options, sources: &mut Sources) -> Result<(), InputError> {
    let [language] = options.languages[..] else {
        return Err(InputError::new(
            &file.path,
            "a table of translations does not say its language",
        )
        .with_hint("give --lang with the one language of the file, e.g. --lang sk"));
    };
    let detector = Detector::of(language, Mode::Strict);
    let detector = detector.expect("GEST's languages have a detector");
    let is_tabbed = file
        .text
        .lines()
        .next()
        .is_some_and(|header| header.contains('\t'));
    let mut input = CsvInput::new(file, if is_tabbed { b'\t' } else { b',' });
    let [from, to] = input.columns(["from", "to"])?;
    while let Some((_, record)) = input.next()? {
        if let Some(gender) = detector.judge(&record[to]).gender() {
            let item = sources.item(language, &record[from], &record[to], gender);
            sources.items.extend(item);
        }
    }
    Ok(())
}
