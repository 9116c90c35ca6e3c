//! Rows of tables as items: which are asked, in which frame (specification, sections 2 and 5).

use std::collections::BTreeSet;

use epicene_core::{InputError, Item, ItemRef, Language, TextFile};
use epicene_stats::draw::SequentialSample;

use super::options::{AS_PUBLISHED, COMMON, NOUN_FRAMES, SAMPLE, SCORE, STEREOTYPES, Score};
use super::scaffolds::{self, Entry, MARKS_FILE, SCAFFOLDS_FILE, Scaffolds};
use super::tables::{self, LanguageTable, SentenceRow};
use super::{IDS, MARKS, SCAFFOLDS, prompts};
use crate::Options;
use crate::gest::StereotypeLabel;
use crate::gest::own_set::OwnSet;
use crate::gest::stereotypes::Set;

pub const LANGUAGE: &str = "language";
pub const STEREOTYPE: &str = "stereotype";
/// G: the sentence is gendered; P, N: a neutral one framed by pronouns or nouns.
pub const CONDITION: &str = "condition";
/// The feminine text; the item's own is the masculine one.
pub const FEMININE: &str = "feminine";
const SOURCE: &str = "source";
pub const GEST_ID: &str = "gest_id";
/// Which frames were used.
pub const FRAMES: &str = "scaffolds";
/// Whether the shared beginning is scored as well.
pub const WHOLE: &str = "whole";

/// The tables of the chosen languages, and the authors' frames where they lie beside them.
pub fn choose_files(present: &[String], options: &Options) -> Vec<String> {
    let wanted = |entry: &Entry| is_wanted(entry.language, options);
    let config = |name: &str| [SCAFFOLDS_FILE, MARKS_FILE].contains(&last(name));
    let keep = |name: &&String| {
        config(name) || tables::is_wide(name) || tables::language_of(name).is_some_and(wanted)
    };
    let chosen: Vec<String> = present.iter().filter(keep).cloned().collect();
    if chosen.iter().any(|name| !config(name)) {
        chosen
    } else {
        // The reader says what is missing.
        vec!["english.csv".to_owned()]
    }
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn is_wanted(language: Language, options: &Options) -> bool {
    options.languages.is_empty() || options.languages.contains(&language)
}

pub fn items(files: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
    let of = |name: &str| files.iter().find(|file| last(&file.name) == name);
    let beside = of(SCAFFOLDS_FILE).zip(of(MARKS_FILE));
    let given = options.inputs.get(SCAFFOLDS).zip(options.inputs.get(MARKS));
    let frames = match given.or(beside) {
        Some((scaffolds, marks)) => Scaffolds::read(scaffolds, marks)?,
        None => match options
            .inputs
            .get(SCAFFOLDS)
            .or_else(|| options.inputs.get(MARKS))
        {
            None => Scaffolds::own(),
            Some(alone) => {
                let message = "scaffolds and quotation marks belong together";
                return Err(InputError::new(&alone.path, message)
                    .with_hint("give --scaffolds FILE and --quotation-marks FILE"));
            }
        },
    };
    let sentences: Vec<&TextFile> = files
        .iter()
        .filter(|file| ![SCAFFOLDS_FILE, MARKS_FILE].contains(&last(&file.name)))
        .collect();
    let only = match options.languages.as_slice() {
        [one] => scaffolds::named(one.code()),
        _ => None,
    };
    let own = OwnSet::of(options)?;
    let mut tables = tables::read(&sentences, only, own.as_ref())?;
    tables.retain(|table| is_wanted(table.entry.language, options));
    for language in &options.languages {
        if !tables.iter().any(|table| table.entry.language == *language) {
            let message = format!("there is no table of {}", language.name());
            return Err(InputError::new(&sentences[0].path, message));
        }
    }
    select(&mut tables, options, own.as_ref())?;
    let asked = Asked {
        frames: &frames,
        as_published: options.get(&AS_PUBLISHED),
        nouns: options.get(&NOUN_FRAMES),
        whole: options.get(&SCORE) == Score::WholeMean,
    };
    let mut items = Vec::new();
    for table in &tables {
        for row in &table.rows {
            items.push(asked.item(table, row)?);
        }
    }
    if items.is_empty() {
        let message = "no row is left to be asked";
        return Err(InputError::new(&sentences[0].path, message));
    }
    Ok(items)
}

/// Leaves the rows that were asked for: by stereotype, by a list of ids, those that all languages have, a sample.
fn select(
    tables: &mut [LanguageTable],
    options: &Options,
    own: Option<&OwnSet>,
) -> Result<(), InputError> {
    if let Some(wanted) = options.get(&STEREOTYPES) {
        let mut known = BTreeSet::new();
        for id in &wanted {
            let found = StereotypeLabel::find(id, own);
            let found = found.map_err(|message| InputError::new("--stereotypes", message))?;
            known.insert(found.name);
        }
        for table in &mut *tables {
            table
                .rows
                .retain(|row| known.contains(&row.stereotype.name));
        }
    }
    if let Some(file) = options.inputs.get(IDS) {
        let ids = read_ids(file)?;
        for table in &mut *tables {
            table.rows.retain(|row| ids.contains(&row.id));
        }
    }
    if options.get(&COMMON) {
        let of = |table: &LanguageTable| -> BTreeSet<u32> {
            table.rows.iter().map(|row| row.id).collect()
        };
        let mut sets = tables.iter().map(of);
        let first = sets.next().unwrap_or_default();
        let shared = sets.fold(first, |shared, ids| &shared & &ids);
        for table in &mut *tables {
            table.rows.retain(|row| shared.contains(&row.id));
        }
    }
    let Some(size) = options.get(&SAMPLE) else {
        return Ok(());
    };
    for table in &mut *tables {
        // With common ids every language draws from the same list, and so the same.
        let stream = if options.get(&COMMON) {
            "eurogest/sample".to_owned()
        } else {
            format!("eurogest/sample/{}", table.entry.language)
        };
        let of = table.rows.len() as u64;
        let mut sample = SequentialSample::new(options.seed, &stream, (size as u64).min(of), of);
        table.rows.retain(|_| sample.takes_next());
    }
    Ok(())
}

pub fn read_ids(file: &TextFile) -> Result<BTreeSet<u32>, InputError> {
    let mut ids = BTreeSet::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let id = line.parse().map_err(|_| {
            InputError::new(&file.path, format!("`{line}` is no GEST_ID")).at_line(number)
        })?;
        ids.insert(id);
    }
    Ok(ids)
}

/// How rows are asked.
struct Asked<'a> {
    frames: &'a Scaffolds,
    as_published: bool,
    nouns: bool,
    whole: bool,
}

impl Asked<'_> {
    fn item(&self, table: &LanguageTable, row: &SentenceRow) -> Result<Item, InputError> {
        let entry = table.entry;
        let ([masculine, feminine], condition) = match (&row.gendered, &row.neutral) {
            (Some(pair), _) => (pair.clone(), "G"),
            (None, Some(neutral)) => {
                let frame = self.frames.frame(entry).ok_or_else(|| {
                    let message = format!("the scaffolds have none for {}", entry.name);
                    InputError::new(&table.path, message)
                })?;
                let speaker = scaffolds::speaker(entry, self.as_published, self.nouns);
                let texts = frame.speakers(speaker);
                (
                    texts.map(|words| prompts::framed(neutral, frame, words)),
                    speaker.condition(),
                )
            }
            (None, None) => unreachable!("rows without a sentence are not kept"),
        };
        let id = format!("eurogest:{}:{}", entry.language, row.id);
        let mut item = Item::new(id, masculine)
            .with_label(FEMININE, feminine)
            .with_label(LANGUAGE, entry.language.code())
            .with_label(CONDITION, condition)
            .with_label(SOURCE, row.source.clone())
            .with_label(GEST_ID, row.id.to_string())
            .with_label(FRAMES, self.frames.source.clone());
        item = row.stereotype.on(item);
        if self.whole {
            item = item.with_label(WHOLE, "yes");
        }
        Ok(item)
    }
}

/// The labels of an item that are counted by.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    pub language: &'a str,
    pub stereotype: u8,
    pub condition: &'a str,
}

impl<'a> Counted<'a> {
    pub fn of(item: ItemRef<'a>, set: &Set) -> Option<Counted<'a>> {
        Some(Counted {
            language: item.label(LANGUAGE)?,
            stereotype: set.number(item.label(STEREOTYPE)?)?,
            condition: item.label(CONDITION)?,
        })
    }
}

/// The row number and language of an item, by which files of results name it.
pub fn place(item: &Item) -> Option<(u32, &str)> {
    Some((item.label(GEST_ID)?.parse().ok()?, item.label(LANGUAGE)?))
}
