//! Translations somebody already has: a table with columns `from` and `to` (CSV, TSV, JSON lines), lines
//! `source ||| target`, or plain text with one translation a line in the order of the items.

use std::collections::{BTreeMap, HashMap};

use epicene_core::{
    Answer, InputError, Item, Language, ModelKind, Question, Scorer, TextFile, Unit, counted,
    there_are,
};
use serde::Deserialize;
use serde_json::Value;

use crate::csv_input::CsvInput;
use crate::{AnswerFile, AnswerSheet, Ask, Card};

/// A file of translations.
pub struct TranslationFile<'a> {
    pub file: &'a TextFile,
    pub system: &'a str,
    pub language: Language,
    pub allow_missing: bool,
}

/// The file as one of translations; others have no place where translators are measured.
pub fn given_by<'a>(card: &Card, given: &'a AnswerFile) -> Result<TranslationFile<'a>, InputError> {
    match given {
        AnswerFile::Translations {
            file,
            system,
            language,
            allow_missing,
        } => Ok(TranslationFile {
            file,
            system,
            language: *language,
            allow_missing: *allow_missing,
        }),
        other => {
            let message = format!("{} measures translators", card.name);
            Err(InputError::new(&other.file().path, message)
                .with_hint("give --mt file:PATH --lang L"))
        }
    }
}

/// One sheet for each system, one unit for each of its languages.
pub fn sheets(
    card: &Card,
    files: &[AnswerFile],
    items: &[Item],
) -> Result<Vec<AnswerSheet>, InputError> {
    let mut sheets: Vec<AnswerSheet> = Vec::new();
    for (index, given) in files.iter().enumerate() {
        let TranslationFile {
            file,
            system,
            language,
            allow_missing,
        } = given_by(card, given)?;
        let unit = Unit::into_language(language);
        let answers = answers(file, items, allow_missing)?;
        match sheets.iter_mut().find(|sheet| sheet.system == system) {
            Some(sheet) if sheet.units.iter().any(|(known, _)| *known == unit) => {
                let message = format!("{system} already has translations into {language}");
                return Err(InputError::new(&file.path, message)
                    .with_hint("give each translator a name of its own: --mt NAME=file:PATH"));
            }
            Some(sheet) => {
                sheet.files.push(index);
                sheet.units.push((unit, answers));
            }
            None => sheets.push(AnswerSheet {
                system: system.to_owned(),
                kind: ModelKind::Translator,
                files: vec![index],
                units: vec![(unit, answers)],
            }),
        }
    }
    Ok(sheets)
}

/// One answer for each item. Rows that belong to no item are ignored; items without a row are an
/// error unless `allow_missing`.
pub fn answers(
    file: &TextFile,
    items: &[Item],
    allow_missing: bool,
) -> Result<Vec<Answer>, InputError> {
    match table(file)? {
        Some(table) => {
            check_ids(file, items)?;
            looked_up(file, &table, items, allow_missing)
        }
        None => aligned(file, items),
    }
}

/// Every language of the card is a unit.
pub fn asks(card: &Card) -> Vec<Ask> {
    let languages = (card.languages)().into_iter();
    languages
        .map(|language| Ask::new(Unit::into_language(language), Scorer::Translate))
        .collect()
}

/// The label of an item's language, where it is not English.
pub const SOURCE: &str = "lang";

pub fn question(item: &Item, ask: &Ask) -> Question {
    let language = ask.unit.language();
    Question::Translate {
        text: item.text.clone(),
        from: item.label(SOURCE).unwrap_or("en").to_owned(),
        to: language
            .expect("translators are asked in units of languages")
            .to_string(),
    }
}

/// The two sides of `source ||| target`.
fn halves(line: &str) -> Option<(&str, &str)> {
    line.split_once(" ||| ")
        .or_else(|| line.strip_suffix(" |||").map(|source| (source, "")))
}

/// Lines `source ||| target`.
fn barred(file: &TextFile) -> Result<BTreeMap<String, String>, InputError> {
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let Some((source, target)) = halves(line) else {
            let message = "there is no ` ||| ` between source and target";
            return Err(InputError::new(&file.path, message).at_line(number));
        };
        insert(&mut table, source.to_owned(), target.to_owned())
            .map_err(|message| InputError::new(&file.path, message).at_line(number))?;
    }
    Ok(table)
}

/// The translations of a file that names its sources; `None` where it has translations alone.
pub fn table(file: &TextFile) -> Result<Option<BTreeMap<String, String>>, InputError> {
    let header = file.text.lines().next().unwrap_or("");
    match delimiter(header) {
        Some(delimiter) => columns(file, delimiter).map(Some),
        None if is_json(header) => json_lines(file).map(Some),
        None if halves(header).is_some() => barred(file).map(Some),
        None => Ok(None),
    }
}

/// Whether a table has the columns of translations, `from` or `id` and `to`.
pub fn has_header(file: &TextFile) -> bool {
    delimiter(file.text.lines().next().unwrap_or("")).is_some()
}

/// Whether a file says which sentence each translation belongs to.
pub fn names_sources(file: &TextFile) -> bool {
    let header = file.text.lines().next().unwrap_or("");
    delimiter(header).is_some() || is_json(header) || halves(header).is_some()
}

/// A line of a JSON file; other keys are nobody's business.
#[derive(Deserialize)]
struct JsonLine {
    from: Option<String>,
    id: Option<Value>,
    to: Option<String>,
}

impl JsonLine {
    /// The source, else the item's id.
    fn key(&mut self) -> Option<String> {
        self.from.take().or_else(|| match self.id.take()? {
            Value::String(id) => Some(id),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        })
    }
}

/// Whether a file begins as JSON lines do.
fn is_json(line: &str) -> bool {
    line.starts_with('{') && serde_json::from_str::<JsonLine>(line).is_ok()
}

fn json_lines(file: &TextFile) -> Result<BTreeMap<String, String>, InputError> {
    let mut table = BTreeMap::new();
    for (place, line) in file.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let bad = |message: String| InputError::new(&file.path, message).at_line(place as u64 + 1);
        let mut read: JsonLine =
            serde_json::from_str(line).map_err(|error| bad(format!("broken JSON: {error}")))?;
        match (read.key(), read.to) {
            (Some(from), Some(to)) => insert(&mut table, from, to).map_err(bad)?,
            // A first line may say what the file is.
            (_, None) if place == 0 && !line.contains("\"from\"") => {}
            _ => {
                return Err(bad("there is no `from` with a `to`".to_owned())
                    .with_hint("a line is {\"from\": \"source\", \"to\": \"translation\"}"));
            }
        }
    }
    Ok(table)
}

/// A sentence has one translation.
fn insert(
    table: &mut BTreeMap<String, String>,
    source: String,
    target: String,
) -> Result<(), String> {
    if let Some(before) = table.get(&source)
        && *before != target
    {
        return Err(format!("`{source}` has another translation above"));
    }
    table.insert(source, target);
    Ok(())
}

/// The delimiter of a header that has a `to` with a `from` or an `id`.
fn delimiter(header: &str) -> Option<u8> {
    [b',', b';', b'\t'].into_iter().find(|&delimiter| {
        // A line of separators has as many names as bytes.
        let has = |name: &str| {
            let mut names = header.split(char::from(delimiter)).map(unquoted);
            names.any(|known| known == name)
        };
        (has("from") || has("id")) && has("to")
    })
}

fn unquoted(cell: &str) -> &str {
    cell.trim().trim_matches('"')
}

fn columns(file: &TextFile, delimiter: u8) -> Result<BTreeMap<String, String>, InputError> {
    let mut input = CsvInput::new(file, delimiter);
    let (mut from, mut to) = (0, 0);
    if let Some((line, header)) = input.next()? {
        // Quotation marks may make another header of it than it looked.
        let place = |name: &str| {
            let found = header.iter().position(|cell| cell.trim() == name);
            found.ok_or_else(|| line.complain(file, format!("the header has no column `{name}`")))
        };
        let by = if header.iter().any(|cell| cell.trim() == "from") {
            "from"
        } else {
            "id"
        };
        (from, to) = (place(by)?, place("to")?);
    }
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    while let Some((place, record)) = input.next()? {
        let (source, target) = (record[from].to_owned(), record[to].to_owned());
        insert(&mut table, source, target).map_err(|message| place.complain(file, message))?;
    }
    Ok(table)
}

/// Refuses a table with sentences and ids of which some ids belong to other sentences: one of the two columns was moved.
/// Numbers that are not the ids of the data say nothing.
fn check_ids(file: &TextFile, items: &[Item]) -> Result<(), InputError> {
    let rows = named_twice(file)?;
    let mut sentences: HashMap<&str, &str> = HashMap::new();
    for item in items {
        let short = item.id.split_once(':').map_or("", |(_, short)| short);
        sentences.insert(&item.id, &item.text);
        sentences.insert(short, &item.text);
    }
    let is_known = |(id, _, _): &(String, String, u64)| sentences.contains_key(id.trim());
    if rows.len() < items.len() || !rows.iter().all(is_known) {
        return Ok(());
    }
    let other = |(id, from, _): &&(String, String, u64)| sentences[id.trim()] != from;
    let found: Vec<&(String, String, u64)> = rows.iter().filter(other).collect();
    let Some((id, from, line)) = found.first() else {
        return Ok(());
    };
    let message = format!(
        "{} the id of another sentence than the one in `from`: `{id}` is `{}`, not `{from}`",
        counted(found.len(), "row has", "rows have"),
        sentences[id.trim()]
    );
    Err(InputError::new(&file.path, message)
        .at_line(*line)
        .with_hint("put `id` and `from` in one order, or leave one of them out"))
}

/// Id, sentence and line of every row of a table that has both; none where it has one of them.
fn named_twice(file: &TextFile) -> Result<Vec<(String, String, u64)>, InputError> {
    let header = file.text.lines().next().unwrap_or("");
    let mut rows = Vec::new();
    if let Some(delimiter) = delimiter(header) {
        let mut input = CsvInput::new(file, delimiter);
        let place = |name: &str, record: &csv::StringRecord| {
            record.iter().position(|cell| cell.trim() == name)
        };
        let places = input.next()?.map(|(_, header)| {
            let id = place("id", header);
            id.zip(place("from", header))
        });
        if let Some(Some((id, from))) = places {
            while let Some((place, record)) = input.next()? {
                rows.push((
                    record[id].to_owned(),
                    record[from].to_owned(),
                    place.line(file),
                ));
            }
        }
    } else if is_json(header) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let Ok(read) = serde_json::from_str::<JsonLine>(line) else {
                continue;
            };
            let id = match read.id {
                Some(Value::String(id)) => Some(id),
                Some(Value::Number(id)) => Some(id.to_string()),
                _ => None,
            };
            rows.extend(id.zip(read.from).map(|(id, from)| (id, from, number)));
        }
    }
    Ok(rows)
}

/// The translation of an item by its text, else by its id, with the benchmark's name before it or without.
fn of_item<'a>(table: &'a BTreeMap<String, String>, item: &Item) -> Option<&'a String> {
    let short = item.id.split_once(':').map(|(_, short)| short);
    let by_id = || table.get(&item.id).or_else(|| table.get(short?));
    table.get(&item.text).or_else(by_id)
}

fn looked_up(
    file: &TextFile,
    table: &BTreeMap<String, String>,
    items: &[Item],
    allow_missing: bool,
) -> Result<Vec<Answer>, InputError> {
    let answers: Vec<Answer> = items
        .iter()
        .map(|item| match of_item(table, item) {
            Some(translation) => Answer::Translation(translation.clone()),
            None => Answer::Missing,
        })
        .collect();
    let missing: Vec<&Item> = items
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| **answer == Answer::Missing)
        .map(|(item, _)| item)
        .collect();
    match missing.first() {
        Some(first) if !allow_missing || missing.len() == items.len() => {
            let message = format!(
                "{} of {} sentences have no translation, first: {} `{}`",
                missing.len(),
                items.len(),
                first.id,
                first.text
            );
            Err(InputError::new(&file.path, message).with_hint(
                if missing.len() == items.len() {
                    "sentences are looked up exactly by their source or id; is --data what was translated?"
                } else {
                    "sentences are looked up exactly by their source or id; --allow-missing counts them as unknown"
                },
            ))
        }
        _ => Ok(answers),
    }
}

fn aligned(file: &TextFile, items: &[Item]) -> Result<Vec<Answer>, InputError> {
    let lines: Vec<&str> = file.text.lines().collect();
    if lines.len() != items.len() {
        let message = format!(
            "{}, the data has {}",
            there_are(lines.len(), "line", "lines"),
            counted(items.len(), "item", "items")
        );
        let is_json = file.text.trim_start().starts_with(['[', '{']);
        return Err(InputError::new(&file.path, message).with_hint(if is_json {
            "JSON has one object a line here: {\"from\": \"source\", \"to\": \"translation\"}"
        } else {
            "text without a header `from,to` has one translation a line, in the order of the data"
        }));
    }
    let translation = |line: &&str| Answer::Translation((*line).to_owned());
    Ok(lines.iter().map(translation).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, allow_missing: bool) -> Result<Vec<Answer>, InputError> {
        let file = TextFile {
            path: "t.csv".to_owned(),
            name: "t.csv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        };
        let items = [Item::new("g:1", "I ran."), Item::new("g:2", "I sat, too.")];
        answers(&file, &items, allow_missing)
    }

    fn translation(text: &str) -> Answer {
        Answer::Translation(text.to_owned())
    }

    #[test]
    fn tables_and_lines_are_read() {
        let both = [translation("Bežal som."), translation("")];
        for text in [
            "from,to\n\"I sat, too.\",\nI ran.,Bežal som.\nExtra.,Naviac.\n",
            "id,to\n2,\n1,Bežal som.\n",
            "to\tid\nBežal som.\tg:1\n\tg:2\n",
            "{\"id\": 2, \"to\": \"\"}\n{\"id\": \"g:1\", \"to\": \"Bežal som.\"}\n",
            "id\tfrom\tto\r\n1\tI ran.\tBežal som.\r\n2\tI sat, too.\t\r\n",
            "Bežal som.\n\n",
            "{\"from\": \"I sat, too.\", \"to\": \"\", \"day\": 1}\n\n{\"to\": \"Bežal som.\", \"from\": \"I ran.\"}\n",
            "{\"system\": \"x\"}\n{\"from\": \"I ran.\", \"to\": \"Bežal som.\"}\n{\"from\": \"I sat, too.\", \"to\": \"\"}",
        ] {
            assert_eq!(read(text, false).unwrap(), both, "{text:?}");
        }
    }

    /// Ids that belong to other sentences; those of somebody else's numbering say nothing.
    #[test]
    fn ids_and_sentences_that_contradict_each_other_are_refused() {
        let table = |ids: [&str; 2]| {
            format!(
                "id,from,to\n{},I ran.,A\n{},\"I sat, too.\",B\n",
                ids[0], ids[1]
            )
        };
        let json = |ids: [&str; 2]| {
            let line = |id: &str, from: &str, to: &str| {
                format!("{{\"id\": {id}, \"from\": \"{from}\", \"to\": \"{to}\"}}\n")
            };
            line(ids[0], "I ran.", "A") + &line(ids[1], "I sat, too.", "B")
        };
        for text in [
            table(["1", "2"]),
            table(["g:1", "g:2"]),
            table(["0", "1"]),
            table(["a", "b"]),
            json(["1", "2"]),
            json(["0", "1"]),
        ] {
            assert_eq!(
                read(&text, false).unwrap(),
                [translation("A"), translation("B")],
                "{text}"
            );
        }
        for text in [
            table(["2", "1"]),
            table(["g:2", "g:1"]),
            table(["1", "1"]),
            json(["2", "1"]),
            json(["\"g:2\"", "1"]),
        ] {
            let error = read(&text, false).unwrap_err().to_string();
            assert!(
                error.contains("the id of another sentence"),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn what_is_missing_is_counted_and_named() {
        let error = read("from,to\nI ran.,Bežal som.\n", false).unwrap_err();
        assert!(
            error
                .message
                .contains("1 of 2 sentences have no translation, first: g:2")
        );
        let answers = read("from,to\nI ran.,Bežal som.\n", true).unwrap();
        assert_eq!(answers, [translation("Bežal som."), Answer::Missing]);
        let json = "{\"from\": \"I ran.\", \"to\": \"A\"}\n";
        for (second, message) in [
            (
                "{\"from\": \"I ran.\", \"to\": \"B\"}",
                "another translation",
            ),
            ("{\"from\": \"I sat.\"}", "no `from` with a `to`"),
            ("{\"from\": \"I sat", "broken JSON"),
        ] {
            let error = read(&format!("{json}{second}"), true).unwrap_err();
            assert_eq!(error.line, Some(2), "{second}");
            assert!(error.message.contains(message), "{error}");
        }
        let bars = "I ran. ||| A\nI sat, too. ||| B\nI ran. ||| ";
        assert!(read(&format!("{bars}A\n"), false).is_ok());
        let error = read(&format!("{bars}C\n"), false).unwrap_err();
        assert_eq!(error.line, Some(3));
        assert!(error.message.contains("another translation"), "{error}");
        // A file of something else is not a file with gaps.
        assert!(read("from,to\nOther.,Iné.\n", true).is_err());
        assert!(read("from,to\nI ran.\n", false).unwrap_err().line == Some(2));
        let open = read("from,to\nI ran.,\"Bežal som.\nI sat.,Sedel som.\n", true).unwrap_err();
        assert_eq!(
            (open.line, open.message.as_str()),
            (Some(2), "a quotation mark is never closed")
        );
        // In tab-separated text a quotation mark is text.
        let tsv = read("from\tto\nI ran.\t\"Bežal som.\nI sat, too.\t\n", false).unwrap();
        assert_eq!(tsv[0], translation("\"Bežal som."));
        assert!(
            read("from,to\nI ran.,A\nI ran.,B\n", false)
                .unwrap_err()
                .line
                == Some(3)
        );
        assert!(
            read("one line\n", false)
                .unwrap_err()
                .message
                .contains("there is 1 line,")
        );
    }
}
