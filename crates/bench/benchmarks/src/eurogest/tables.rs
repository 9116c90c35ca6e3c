//! EuroGEST's tables (specification, section 1): one file a language as CSV, TSV, JSON lines or Parquet (which the reader of files
//! makes JSON lines of), or the two wide files of June 2025.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};
use serde_json::{Map, Value};

use super::scaffolds::{Entry, all, named};
use crate::csv_input::CsvInput;
use crate::gest::StereotypeLabel;
use crate::gest::own_set::OwnSet;

/// A sentence of one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentenceRow {
    pub id: u32,
    pub source: String,
    pub stereotype: StereotypeLabel,
    pub neutral: Option<String>,
    /// Masculine and feminine.
    pub gendered: Option<[String; 2]>,
}

/// The rows of a language with the file they came from.
#[derive(Debug)]
pub struct LanguageTable {
    pub entry: &'static Entry,
    pub path: String,
    pub rows: Vec<SentenceRow>,
}

const NEUTRAL_FILE: &str = "gest_translations_gender_insensitive";
const GENDERED_FILE: &str = "gest_translations_gender_sensitive";

/// Endings of tables of one language.
const ENDINGS: [&str; 6] = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"];

/// The language a file is of, by its name: `english.csv`, `data/English-00000-of-00001.tsv`, `es.csv`.
pub fn language_of(name: &str) -> Option<&'static Entry> {
    let last = name.rsplit('/').next().unwrap_or(name);
    let packed = [".gz", ".zst", ".xz"];
    let plain = packed.iter().find_map(|ending| last.strip_suffix(ending));
    let last = plain.unwrap_or(last);
    let stem = ENDINGS
        .iter()
        .find_map(|ending| last.strip_suffix(ending))?;
    let part = stem.split_once("-00").map_or(stem, |(stem, _)| stem);
    named(part)
}

/// Whether a file is one of the wide ones.
pub fn is_wide(name: &str) -> bool {
    name.contains(NEUTRAL_FILE) || name.contains(GENDERED_FILE)
}

/// All tables of some files; `only` names the language of a lone file whose name does not.
pub fn read(
    files: &[&TextFile],
    only: Option<&'static Entry>,
    own: Option<&OwnSet>,
) -> Result<Vec<LanguageTable>, InputError> {
    let (wide, narrow): (Vec<&TextFile>, Vec<&TextFile>) =
        files.iter().partition(|file| is_wide(&file.name));
    let mut tables: Vec<LanguageTable> = Vec::new();
    for file in &narrow {
        let entry = language_of(&file.name).or(only.filter(|_| narrow.len() == 1));
        let Some(entry) = entry else {
            let message = format!(
                "the name `{}` does not say which language this is",
                file.name
            );
            return Err(InputError::new(&file.path, message).with_hint(
                "call it by the language's English name (spanish.csv), or give --lang",
            ));
        };
        if let Some(other) = tables.iter().find(|table| table.entry.name == entry.name) {
            let message = format!("{} is also in {}", entry.name, other.path);
            return Err(InputError::new(&file.path, message)
                .with_hint("give the directory that holds one file for each language"));
        }
        tables.push(LanguageTable {
            entry,
            path: file.path.clone(),
            rows: read_one(file, own)?,
        });
    }
    if let Some(first) = wide.first() {
        if let Some(table) = tables.first() {
            let message = format!("the wide tables hold what {} holds as well", table.path);
            return Err(InputError::new(&first.path, message).with_hint("give one of the two"));
        }
        tables = read_wide(&wide, own)?;
    }
    let order = |table: &LanguageTable| all().iter().position(|e| e.name == table.entry.name);
    tables.sort_by_key(order);
    Ok(tables)
}

/// Tables store the number as `6.0`.
fn stereotype(cell: &str, own: Option<&OwnSet>) -> Result<StereotypeLabel, String> {
    let cell = cell.trim();
    StereotypeLabel::find(cell.strip_suffix(".0").unwrap_or(cell), own)
}

fn row_number(cell: &str) -> Option<u32> {
    let number: f64 = cell.trim().parse().ok()?;
    let whole = number.fract() == 0.0 && (0.0..4e9).contains(&number);
    whole.then_some(number as u32)
}

/// A cell that is there; tables leave what is absent empty.
fn filled(cell: &str) -> Option<String> {
    (!cell.trim().is_empty()).then(|| cell.to_owned())
}

/// A row by the names of its cells; `None` where it holds no sentence.
fn sentence(
    get: &dyn Fn(&str) -> Option<String>,
    own: Option<&OwnSet>,
) -> Result<Option<SentenceRow>, String> {
    let need = |name: &str| get(name).ok_or_else(|| format!("there is no `{name}`"));
    let (id, kind) = (need("GEST_ID")?, need("Stereotype_ID")?);
    let number = row_number(&id).ok_or_else(|| format!("GEST_ID `{id}` is no row number"))?;
    let stereotype =
        stereotype(&kind, own).map_err(|message| format!("Stereotype_ID: {message}"))?;
    let cell = |name: &str| get(name).as_deref().and_then(filled);
    let gendered = match (cell("Masculine"), cell("Feminine")) {
        (Some(masculine), Some(feminine)) => Some([masculine, feminine]),
        (None, None) => None,
        _ => return Err("one of Masculine and Feminine is empty, the other is not".to_owned()),
    };
    let neutral = cell("Neutral");
    if neutral.is_none() && gendered.is_none() {
        return Ok(None);
    }
    Ok(Some(SentenceRow {
        id: number,
        source: get("Source").unwrap_or_default(),
        stereotype,
        neutral,
        gendered,
    }))
}

fn read_one(file: &TextFile, own: Option<&OwnSet>) -> Result<Vec<SentenceRow>, InputError> {
    let start = file.text.trim_start();
    let mut rows: Vec<SentenceRow> = Vec::new();
    let mut seen = BTreeMap::new();
    let mut keep = |row: Option<SentenceRow>| -> Result<(), String> {
        let Some(row) = row else { return Ok(()) };
        if seen.insert(row.id, ()).is_some() {
            return Err(format!("GEST_ID {} stands above already", row.id));
        }
        rows.push(row);
        Ok(())
    };
    if start.starts_with('{') {
        for (number, line) in (1u64..).zip(file.text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let bad = |message: String| InputError::new(&file.path, message).at_line(number);
            let object: Map<String, Value> =
                serde_json::from_str(line).map_err(|error| bad(format!("broken JSON: {error}")))?;
            let get = |name: &str| match object.get(name) {
                None => None,
                Some(Value::String(text)) => Some(text.clone()),
                Some(Value::Null) => Some(String::new()),
                Some(other) => Some(other.to_string()),
            };
            sentence(&get, own).and_then(&mut keep).map_err(bad)?;
        }
    } else {
        let header = file.text.lines().next().unwrap_or("");
        let delimiter = if header.contains('\t') { b'\t' } else { b',' };
        let mut input = CsvInput::new(file, delimiter);
        let names: Vec<String> = match input.next()? {
            Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
            None => Vec::new(),
        };
        while let Some((place, record)) = input.next()? {
            let get = |name: &str| {
                let column = names.iter().position(|known| known == name)?;
                record.get(column).map(str::to_owned)
            };
            let kept = sentence(&get, own).and_then(&mut keep);
            kept.map_err(|message| {
                place.complain(file, message).with_hint(
                    "a table has the columns GEST_ID, Source, Stereotype_ID, Neutral, Masculine, Feminine",
                )
            })?;
        }
    }
    if rows.is_empty() {
        return Err(InputError::new(&file.path, "there are no sentences"));
    }
    Ok(rows)
}

/// The two tables with a column, or two, for each language. English is the source.
fn read_wide(files: &[&TextFile], own: Option<&OwnSet>) -> Result<Vec<LanguageTable>, InputError> {
    let mut found: BTreeMap<&'static str, BTreeMap<u32, SentenceRow>> = BTreeMap::new();
    for file in files {
        let gendered = file.name.contains(GENDERED_FILE);
        let mut input = CsvInput::new(file, b',');
        let mut names: Vec<String> = Vec::new();
        if let Some((_, record)) = input.next()? {
            names = record.iter().map(|cell| cell.trim().to_owned()).collect();
        }
        let place_of = |name: &str| names.iter().position(|known| known == name);
        let (Some(source), Some(kind)) = (place_of("GEST_sentence"), place_of("stereotype_number"))
        else {
            let message = "there is no GEST_sentence or no stereotype_number in the header";
            return Err(InputError::new(&file.path, message).at_line(1));
        };
        while let Some((place, record)) = input.next()? {
            // The second line of the header, and the empty row behind the last.
            let is_header = &record[0] == "Prompt";
            if is_header || record[source].trim().is_empty() || record[kind].trim().is_empty() {
                continue;
            }
            let number = row_number(&record[0]).ok_or("this row has no number".to_owned());
            let both = number.and_then(|id| Ok((id, stereotype(&record[kind], own)?)));
            let (id, stereotype) = both.map_err(|message| place.complain(file, message))?;
            let text = record[source].to_owned();
            let mut put = |name: &'static str, change: &dyn Fn(&mut SentenceRow)| {
                let rows = found.entry(name).or_default();
                change(rows.entry(id).or_insert_with(|| SentenceRow {
                    id,
                    source: text.clone(),
                    stereotype: stereotype.clone(),
                    neutral: None,
                    gendered: None,
                }));
            };
            put("English", &|row| row.neutral = Some(text.clone()));
            for entry in all() {
                let columns: Vec<usize> = (0..names.len())
                    .filter(|column| names[*column] == entry.name)
                    .collect();
                match (columns.as_slice(), gendered) {
                    ([column], false) => {
                        if let Some(neutral) = filled(&record[*column]) {
                            put(entry.name, &|row| row.neutral = Some(neutral.clone()));
                        }
                    }
                    ([man, woman], true) => {
                        let cells = (filled(&record[*man]), filled(&record[*woman]));
                        if let (Some(man), Some(woman)) = cells {
                            let pair = [man, woman];
                            put(entry.name, &|row| row.gendered = Some(pair.clone()));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    let table = |entry: &'static Entry| {
        let rows = found.get(entry.name)?;
        Some(LanguageTable {
            entry,
            path: files[0].path.clone(),
            rows: rows.values().cloned().collect(),
        })
    };
    Ok(all().iter().filter_map(table).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> TextFile {
        TextFile {
            path: name.to_owned(),
            name: name.to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn tables_of_one_language_in_every_form() {
        let csv = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n3,I am tired.,6.0,,Estoy cansado,Estoy cansada\n4,I ran.,16.0,Corrí.,,\n5,None.,1.0,,,\n";
        let tsv = csv.replace(',', "\t");
        let json = "{\"GEST_ID\": 3, \"Source\": \"I am tired.\", \"Stereotype_ID\": 6.0, \"Neutral\": null, \"Masculine\": \"Estoy cansado\", \"Feminine\": \"Estoy cansada\"}\n{\"GEST_ID\": 4, \"Source\": \"I ran.\", \"Stereotype_ID\": 16.0, \"Neutral\": \"Corrí.\", \"Masculine\": null, \"Feminine\": null}\n";
        for (name, text) in [
            ("spanish.csv", csv),
            ("Spanish-00000-of-00001.tsv", &tsv),
            ("es.jsonl", json),
        ] {
            let file = file(name, text);
            let tables = read(&[&file], None, None).unwrap();
            assert_eq!(tables[0].entry.language.code(), "es", "{name}");
            assert_eq!(tables[0].rows.len(), 2);
            assert_eq!(tables[0].rows[0].stereotype.name, "6");
            assert!(tables[0].rows[0].gendered.is_some());
        }
    }

    #[test]
    fn the_wide_tables_are_one_edition() {
        let neutral = file(
            "gest_translations_gender_insensitive.csv",
            ",GEST_sentence,Danish,Spanish,stereotype_number\n0,I ran.,Jeg løb.,,16.0\n1,I am tired.,Jeg er træt.,,6.0\n3565,,,,\n",
        );
        let gendered = file(
            "gest_translations_gender_sensitive.csv",
            "Language,GEST_sentence,Spanish,Spanish,stereotype_number\nPrompt,Unnamed: 1_level_1,the man said,the woman said,\n1,I am tired.,Estoy cansado,Estoy cansada,6\n",
        );
        let tables = read(&[&neutral, &gendered], None, None).unwrap();
        let sizes: Vec<(&str, usize)> = tables
            .iter()
            .map(|table| (table.entry.name, table.rows.len()))
            .collect();
        assert_eq!(sizes, [("English", 2), ("Danish", 2), ("Spanish", 1)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let header = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n";
        for (rows, line, message) in [
            ("1,a,17,b,,\n", 2, "Stereotype_ID: stereotype `17`"),
            ("1,a,1,b,,\nx,a,1,b,,\n", 3, "GEST_ID `x`"),
            ("1,a,1,,b,\n", 2, "one of Masculine and Feminine"),
            ("1,a,1,b,,\n1,a,1,b,,\n", 3, "stands above already"),
        ] {
            let file = file("danish.csv", &format!("{header}{rows}"));
            let error = read(&[&file], None, None).unwrap_err();
            assert_eq!(error.line, Some(line), "{error}");
            assert!(error.message.contains(message), "{error}");
        }
        let unnamed = file("mine.csv", "GEST_ID\n");
        assert!(
            read(&[&unnamed], None, None)
                .unwrap_err()
                .message
                .contains("which language")
        );
    }
}
