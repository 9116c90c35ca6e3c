//! MiTTenS' table as items (specification `into-english`, section 2): passages whose gender the source says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use epicene_core::{InputError, Item, Language, TextFile};

use super::options::{SPLIT, Split};
use crate::Options;
use crate::csv_input::CsvInput;
use crate::kept::GENDER;
use crate::translations::SOURCE;

/// The passage of each row without its gender and language, made by `reference.py` of the specification.
const CLUSTERS: &str = include_str!("clusters.tsv");

pub const SET: &str = "set";
/// `high`, `mid`, `low`: how much text there is in the source language.
pub const LEVEL: &str = "level";
/// `yes` where the source's noun shows no gender and only the name does.
pub const NAME_ONLY: &str = "name_only";
pub const CLUSTER: &str = "cluster";
pub const REFERENCE: &str = "reference";

/// Columns that are read, by their names.
const COLUMNS: [&str; 8] = [
    "targets",
    "lang",
    "lang_resource_level",
    "encoded_gender",
    "eval_set_key",
    "example",
    "split",
    "format",
];

const LANGUAGES: [&str; 26] = [
    "am", "ar", "as", "bho", "bn", "cs", "de", "es", "fa", "fi", "fr", "hi", "id", "it", "ja",
    "lg", "ln", "mai", "om", "pl", "pt", "ru", "te", "th", "tr", "zh",
];

pub fn languages() -> Vec<Language> {
    let find = |code: &&str| Language::find(code).expect("the registry has MiTTenS' languages");
    LANGUAGES.iter().map(find).collect()
}

/// Nouns that are the same for women and men in these languages.
fn is_name_only(language: &str, source: &str) -> bool {
    let source = source.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| source.contains(word));
    match language {
        // With "kız" (girl) or "erkek" (man) before it, the noun says the gender.
        "tr" => has(&["kardeşim", "oyuncudur"]) && !has(&["kız kardeşim", "erkek kardeşim"]),
        "fa" => has(&["بازیگر"]),
        "id" => has(&["saudaraku"]),
        "lg" => has(&["jjajja"]),
        "ln" => has(&["ndeko", "nkɔkɔ"]) && !has(&["ya mwasi", "ya mobali"]),
        _ => false,
    }
}

fn clusters() -> &'static BTreeMap<&'static str, &'static str> {
    static ALL: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
        let rows = CLUSTERS.lines().skip(1);
        rows.map(|row| row.split_once('\t').expect("clusters.tsv has two columns"))
            .collect()
    });
    &ALL
}

pub fn read(file: &TextFile, options: &Options) -> Result<Vec<Item>, InputError> {
    let mut input = CsvInput::new(file, b',');
    let columns = input.columns(COLUMNS).map_err(|error| {
        error.with_hint(
            "give --data the file mittens_dataset_v5.csv of the authors, plain or packed",
        )
    })?;
    let split = options.get(&SPLIT);
    let mut ids = BTreeSet::new();
    let mut items = Vec::new();
    while let Some((place, record)) = input.next()? {
        let refuse = |message: String| place.complain(file, message);
        let [
            reference,
            language,
            level,
            gender,
            set,
            source,
            part,
            format,
        ] = columns.map(|column| record[column].trim());
        let id = record[0].trim();
        if id.parse::<u32>().is_err() || !ids.insert(id.to_owned()) {
            return Err(refuse(format!(
                "the id `{id}` is no number, or stands here twice"
            )));
        }
        if !matches!(format, "2en" | "2xx") {
            return Err(refuse(format!(
                "the format is `{format}`, expected 2en or 2xx"
            )));
        }
        if !matches!(gender, "masculine" | "feminine") {
            return Err(refuse(format!(
                "the gender is `{gender}`, expected masculine or feminine"
            )));
        }
        // Passages out of English are scored by hand only.
        if format == "2xx" || !split.holds(part) {
            continue;
        }
        let known = Language::find(language).filter(|known| LANGUAGES.contains(&known.code()));
        let known = known.ok_or_else(|| refuse(format!("unknown language `{language}`")))?;
        if !options.languages.is_empty() && !options.languages.contains(&known) {
            continue;
        }
        let cluster = clusters().get(id).ok_or_else(|| {
            refuse(format!("there is no passage {id} in the known edition"))
                .with_hint("epicene reads mittens_dataset_v5.csv (2024-01-12)")
        })?;
        let name_only = if is_name_only(language, source) {
            "yes"
        } else {
            "no"
        };
        let item = Item::new(format!("mittens:{id}"), source)
            .with_label(SOURCE, known.code())
            .with_label(SET, set)
            .with_label(GENDER, gender)
            .with_label(LEVEL, level)
            .with_label(NAME_ONLY, name_only)
            .with_label(CLUSTER, *cluster)
            .with_label(REFERENCE, reference);
        items.push(item);
    }
    if items.is_empty() {
        return Err(InputError::new(
            &file.path,
            "there is no passage into English in these languages and this split",
        ));
    }
    Ok(items)
}

impl Split {
    fn holds(self, part: &str) -> bool {
        match self {
            Split::All => true,
            Split::Test => part == "test",
            Split::Validation => part == "validation",
        }
    }
}
