//! Which column of a file holds the translations. A table whose columns nobody named is refused: read as one
//! translation a line, it would be measured with its numbers, sources and all.

use std::str::FromStr;

use epicene_core::{InputError, TextFile};
use epicene_io::limits::MOST_COLUMNS;
use serde_json::{Map, Value};

use crate::csv_input::CsvInput;
use crate::translations;

/// `--column [FROM,]TO`: names of a header, keys of JSON lines, or numbers from 1 where there is no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    from: Option<String>,
    to: String,
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(given: &str) -> Result<Columns, String> {
        let mut parts = given.split(',').map(|part| part.trim().to_owned());
        let (first, second, more) = (parts.next(), parts.next(), parts.next());
        match (first, second) {
            (Some(from), Some(to)) if more.is_none() && !from.is_empty() && !to.is_empty() => {
                Ok(Columns {
                    from: Some(from),
                    to,
                })
            }
            (Some(to), None) if !to.is_empty() => Ok(Columns { from: None, to }),
            _ => Err("give the column of the translations, or two: SOURCE,TRANSLATION".to_owned()),
        }
    }
}

/// The file as the benchmarks read it: a table `from`, `to`, or one translation a line.
pub fn choose(file: TextFile, columns: Option<&Columns>) -> Result<TextFile, InputError> {
    match columns {
        Some(columns) => columns.cut(file),
        None if translations::names_sources(&file) => Ok(file),
        None => refuse_columns(&file).map(|()| file),
    }
}

impl Columns {
    /// The name says which columns were taken, so that two choices are two systems.
    fn cut(&self, file: TextFile) -> Result<TextFile, InputError> {
        let rows = if file.text.trim_start().starts_with('{') {
            self.of_json(&file)?
        } else {
            self.of_table(&file)?
        };
        let mut text = String::new();
        for (from, to) in rows {
            match from {
                Some(from) => {
                    let pair = [("from", from), ("to", to)];
                    let pair = pair.map(|(key, value)| (key.to_owned(), Value::String(value)));
                    text += &Value::Object(Map::from_iter(pair)).to_string();
                }
                None => text += &to.replace(['\n', '\r'], " "),
            }
            text.push('\n');
        }
        let taken = match &self.from {
            Some(from) => format!("{from},{}", self.to),
            None => self.to.clone(),
        };
        Ok(TextFile {
            name: format!("{}[{taken}]", file.name),
            text,
            ..file
        })
    }

    fn of_json(&self, file: &TextFile) -> Result<Vec<(Option<String>, String)>, InputError> {
        let mut rows = Vec::new();
        for (line, number) in file.text.lines().zip(1u64..) {
            if line.trim().is_empty() {
                continue;
            }
            let bad = |message: String| InputError::new(&file.path, message).at_line(number);
            let read: Map<String, Value> =
                serde_json::from_str(line).map_err(|error| bad(format!("broken JSON: {error}")))?;
            let key = |name: &String| match read.get(name) {
                Some(Value::String(text)) => Ok(text.clone()),
                Some(_) => Err(bad(format!("`{name}` is no text"))),
                None => {
                    let known: Vec<&str> = read.keys().map(String::as_str).collect();
                    let hint = format!("its keys are {}", known.join(", "));
                    Err(bad(format!("there is no `{name}`")).with_hint(hint))
                }
            };
            rows.push((self.from.as_ref().map(key).transpose()?, key(&self.to)?));
        }
        Ok(rows)
    }

    fn of_table(&self, file: &TextFile) -> Result<Vec<(Option<String>, String)>, InputError> {
        let mut input = CsvInput::new(file, delimiter(file));
        let mut places = None;
        let mut rows = Vec::new();
        while let Some((place, record)) = input.next()? {
            let (from, to) = match places {
                Some(places) => places,
                None => {
                    let cells: Vec<&str> = record.iter().map(str::trim).collect();
                    let (found, is_header) = self.places(&cells).map_err(|message| {
                        let hint = format!("the columns are {}", numbered(&cells));
                        place.complain(file, message).with_hint(hint)
                    })?;
                    places = Some(found);
                    if is_header {
                        continue;
                    }
                    found
                }
            };
            let cell = |place: usize| record[place].to_owned();
            rows.push((from.map(cell), cell(to)));
        }
        Ok(rows)
    }

    /// Where the columns are, and whether the first row is a header.
    fn places(&self, cells: &[&str]) -> Result<((Option<usize>, usize), bool), String> {
        let wanted: Vec<&String> = self.from.iter().chain([&self.to]).collect();
        let named: Vec<Option<usize>> = wanted
            .iter()
            .map(|name| cells.iter().position(|cell| cell == *name))
            .collect();
        let numbered: Vec<Option<usize>> = wanted
            .iter()
            .map(|name| name.parse().ok().filter(|n| (1..=cells.len()).contains(n)))
            .collect();
        let last = |places: &[Option<usize>], less: usize| {
            let places: Option<Vec<usize>> = places.iter().map(|p| Some((*p)? - less)).collect();
            places.map(|places| match places.as_slice() {
                [from, to] => (Some(*from), *to),
                _ => (None, places[0]),
            })
        };
        match (last(&named, 0), last(&numbered, 1)) {
            (Some(found), _) => Ok((found, true)),
            (None, Some(found)) => Ok((found, false)),
            (None, None) => Err(format!(
                "there is no column `{}`",
                wanted
                    .iter()
                    .map(|name| name.as_str())
                    .collect::<Vec<_>>()
                    .join(",")
            )),
        }
    }
}

fn delimiter(file: &TextFile) -> u8 {
    let first = file.text.lines().next().unwrap_or("");
    match first {
        _ if first.contains('\t') => b'\t',
        _ if first.contains(';') && !first.contains(',') => b';',
        _ => b',',
    }
}

/// Columns that a message shows.
const SHOWN: usize = 12;

/// `1 "VF01", 2 "The nurse…"`, the first columns of many.
fn numbered(cells: &[&str]) -> String {
    let shown = |(number, cell): (usize, &&str)| {
        let mut start: String = cell.chars().take(30).collect();
        if start.len() < cell.len() {
            start.push('…');
        }
        format!("{number} `{start}`")
    };
    let mut words: Vec<String> = (1..).zip(cells).take(SHOWN).map(shown).collect();
    if cells.len() > SHOWN {
        words.push("…".to_owned());
    }
    words.join(", ")
}

/// Refuses text that is a table, with the columns that are seen.
fn refuse_columns(file: &TextFile) -> Result<(), InputError> {
    let refuse = |line: u64, cells: &[&str], what: &str| {
        let message = format!(
            "{what}, and no header with `from` and `to` says which column is the translation: {}",
            numbered(cells)
        );
        let hint = "name it: --column TRANSLATION, or --column SOURCE,TRANSLATION, by the header's names or by numbers from 1";
        Err(InputError::new(&file.path, message)
            .at_line(line)
            .with_hint(hint))
    };
    if let Some((number, line)) = (1..).zip(file.text.lines()).find(|(_, l)| l.contains('\t')) {
        let cells: Vec<&str> = line.split('\t').take(SHOWN + 1).collect();
        return refuse(number, &cells, "there are tabs");
    }
    // Commas belong to sentences as well: a table has the same number on every line, and quotes or a header.
    for delimiter in [b',', b';'] {
        // The reader keeps room for the widest line in every later record.
        let width = |line: &str| line.bytes().filter(|byte| *byte == delimiter).count();
        if file.text.lines().any(|line| width(line) >= MOST_COLUMNS) {
            continue;
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(file.text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().flatten().take(1000).collect();
        let Some(first) = rows.first() else { continue };
        let width = first.len();
        if width < 2 || rows.len() < 2 || rows.iter().any(|row| row.len() != width) {
            continue;
        }
        let is_name = |cell: &str| !cell.is_empty() && !cell.trim().contains(' ');
        let header = first.iter().all(is_name);
        let mark = char::from(delimiter);
        let quoted = file.text.lines().take(1000);
        let quoted = quoted.filter(|line| {
            line.contains(&format!("\"{mark}")) || line.contains(&format!("{mark}\""))
        });
        let in_quotes = quoted.count() * 2 > rows.len();
        let numbers = rows
            .iter()
            .skip(1)
            .filter(|row| row[0].trim().parse::<f64>().is_ok());
        let is_numbered = numbers.count() * 10 >= (rows.len() - 1) * 9;
        if header && rows.len() > 2 || in_quotes || is_numbered {
            let cells: Vec<&str> = first.iter().collect();
            return refuse(1, &cells, &format!("every line has {width} columns"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile {
            path: "t".to_owned(),
            name: "t".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_table_is_never_one_translation_a_line() {
        for text in [
            "VF01\tThe nurse runs.\tDie Pflegerin läuft.\n",
            "Erste.\nZweite.\tMit Tab.\n",
            "id,english,german\n1,I run.,Ich laufe.\n2,I sit.,Ich sitze.\n",
            "\"I run.\",\"Ich laufe.\"\n\"I sit.\",\"Ich sitze.\"\n",
            "1;Ich laufe.\n2;Ich sitze.\n3;Ich gehe.\n",
        ] {
            let error = choose(file(text), None).unwrap_err();
            assert!(error.hint.unwrap().contains("--column"), "{text}");
        }
        for text in [
            "Ich laufe, und ich sitze.\nIch gehe, aber langsam.\nJa, doch.\n",
            "Ich laufe.\nIch sitze.\n",
            "from\tto\nI run.\tIch laufe.\n",
            "I run. ||| Ich laufe.\nI sit. ||| Ich sitze.\n",
            "{\"from\": \"I run.\", \"to\": \"Ich, laufe\\t.\"}\n",
        ] {
            assert_eq!(choose(file(text), None).unwrap().text, text);
        }
    }

    #[test]
    fn columns_are_taken_by_number_name_and_key() {
        let cut = |text: &str, columns: &str| {
            let columns: Columns = columns.parse().unwrap();
            choose(file(text), Some(&columns)).map(|file| (file.text, file.name))
        };
        let tabs = "a\tI run.\tIch laufe.\nb\tI sit.\tIch sitze.\n";
        assert_eq!(cut(tabs, "3").unwrap().0, "Ich laufe.\nIch sitze.\n");
        assert_eq!(cut(tabs, "3").unwrap().1, "t[3]");
        let pairs = "{\"from\":\"I run.\",\"to\":\"Ich laufe.\"}\n{\"from\":\"I sit.\",\"to\":\"Ich sitze.\"}\n";
        assert_eq!(cut(tabs, "2,3").unwrap().0, pairs);
        let named = "id,en,de\n1,I run.,Ich laufe.\n2,I sit.,Ich sitze.\n";
        assert_eq!(cut(named, "en,de").unwrap().0, pairs);
        let json = "{\"src\": \"I run.\", \"hyp\": \"Ich laufe.\"}\n{\"src\": \"I sit.\", \"hyp\": \"Ich sitze.\"}";
        assert_eq!(cut(json, "src,hyp").unwrap().0, pairs);
        for (text, columns) in [
            (tabs, "4"),
            (tabs, "de"),
            (named, "fr"),
            (json, "tgt"),
            (tabs, "0"),
        ] {
            assert!(cut(text, columns).is_err(), "{columns}");
        }
        assert!("".parse::<Columns>().is_err());
        assert!("a,b,c".parse::<Columns>().is_err());
    }
}
