//! GATE's tuples (specification, sections 2 and 3): the authors' JSON and TSV, one object a line, and the extension of Garg et
//! al., whose sentences have one joint entity.

use std::collections::BTreeMap;

use epicene_core::{InputError, Language, TextFile, there_are};
use serde::Deserialize;

use crate::Options;
use crate::python::lines;

/// One source with a translation for each combination of genders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuple {
    pub id: String,
    pub source: String,
    /// Code of `f` and `m` to text; a lone text, where no entity is open, has the code "".
    pub variants: BTreeMap<String, String>,
    pub labels: Vec<String>,
    pub split: Option<String>,
    /// The source's key words, for display and the look-up of occupations.
    pub key_words: String,
    /// The translation with `[[masculine/feminine]]`, where the set has it.
    pub structures: Option<String>,
}

/// The languages of GATE itself.
const GATE: [&str; 3] = ["es", "fr", "it"];

/// The files of a language, by what is there: one object a line, tables, JSON, the extension.
pub fn choose_files(present: &[String], options: &Options) -> Vec<String> {
    let Some(language) = options.languages.first() else {
        return Vec::new();
    };
    let code = language.code();
    let find = |wanted: &dyn Fn(&str) -> bool| {
        let plain = |path: &&String| !path.contains("curly_apostrophe") && wanted(base(path));
        present
            .iter()
            .filter(plain)
            .cloned()
            .collect::<Vec<String>>()
    };
    let upper = code.to_uppercase();
    let lines_of = find(&|name| name == format!("gate.{code}.jsonl"));
    let tables =
        find(&|name| name.starts_with(&format!("{upper}_")) && name.ends_with("_variants.tsv"));
    let json = find(&|name| {
        name == format!("{upper}_readable.json") || name == format!("{upper}_compact.json")
    });
    let extension = find(&|name| {
        [
            format!("gate.en-{code}.tsv"),
            format!("geneval.en-{code}.tsv"),
            format!("test.en-{code}.{code}"),
        ]
        .iter()
        .any(|known| known == name)
    });
    let own = GATE.contains(&code);
    match () {
        () if own && !lines_of.is_empty() => lines_of,
        () if own && !tables.is_empty() => tables,
        () if own && !json.is_empty() => json.into_iter().take(1).collect(),
        () if !extension.is_empty() => extension,
        // The reader names what is missing.
        () if own => vec![format!("gate.{code}.jsonl")],
        () => vec![format!("gate.en-{code}.tsv")],
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub fn read(files: &[TextFile], language: Language) -> Result<Vec<Tuple>, InputError> {
    let extension = |file: &&TextFile| base(&file.name).contains(".en-");
    if files.iter().any(|file| extension(&file)) {
        return read_extension(files, language);
    }
    let mut tuples = Vec::new();
    for file in files {
        let text = file.text.trim_start();
        let found = match () {
            () if text.starts_with("{\"gendered-variants\"") || is_document(text) => {
                read_document(file, language)?
            }
            () if text.starts_with('{') => read_lines(file)?,
            () => read_table(file, language)?,
        };
        tuples.extend(found);
    }
    if tuples.is_empty() {
        let path = files.first().map_or("gate", |file| file.path.as_str());
        return Err(InputError::new(path, "there are no tuples"));
    }
    Ok(tuples)
}

fn is_document(text: &str) -> bool {
    let start: String = text
        .chars()
        .take(200)
        .filter(|c| !c.is_whitespace())
        .collect();
    start.starts_with("{\"gendered-variants\":")
}

/// A tuple as JSON has it; a line without variants is one the authors did not expand.
#[derive(Deserialize)]
struct Object {
    id: Option<String>,
    #[serde(default)]
    labels: Vec<String>,
    source: Option<String>,
    kw_source: Option<String>,
    variants: Option<BTreeMap<String, String>>,
    split: Option<String>,
}

impl Object {
    fn tuple(self, id: impl FnOnce() -> String) -> Option<Result<Tuple, String>> {
        let variants = self.variants?;
        let Some(source) = self.source else {
            return Some(Err("there is no source".to_owned()));
        };
        if let Err(message) = check(&variants) {
            return Some(Err(message));
        }
        Some(Ok(Tuple {
            id: self.id.unwrap_or_else(id),
            source,
            variants,
            labels: self.labels,
            split: self.split,
            key_words: self.kw_source.unwrap_or_default(),
            structures: None,
        }))
    }
}

/// Codes are all combinations of f and m for as many entities.
fn check(variants: &BTreeMap<String, String>) -> Result<(), String> {
    let entities = variants.keys().next().map_or(0, String::len);
    let codes = variants.keys().all(|code| {
        code.len() == entities && code.chars().all(|letter| matches!(letter, 'f' | 'm'))
    });
    if entities == 0 || entities > 8 || !codes || variants.len() != 1 << entities {
        let known: Vec<&str> = variants.keys().map(String::as_str).collect();
        return Err(format!(
            "the variants are {}, expected every combination of f and m",
            known.join(", ")
        ));
    }
    Ok(())
}

fn read_lines(file: &TextFile) -> Result<Vec<Tuple>, InputError> {
    let mut tuples = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let bad = |message: String| InputError::new(&file.path, message).at_line(number);
        let object: Object =
            serde_json::from_str(line).map_err(|error| bad(format!("broken JSON: {error}")))?;
        if let Some(tuple) = object.tuple(|| format!("line-{number}")) {
            tuples.push(tuple.map_err(bad)?);
        }
    }
    Ok(tuples)
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "gendered-variants")]
    variants: BTreeMap<String, Vec<serde_json::Value>>,
}

/// The authors' JSON: tuples by the number of their variants; list "0" holds those without.
fn read_document(file: &TextFile, language: Language) -> Result<Vec<Tuple>, InputError> {
    let document: Document = serde_json::from_str(&file.text).map_err(|error| {
        let message = format!("broken JSON: {error}");
        InputError::new(&file.path, message).at_line(error.line() as u64)
    })?;
    let mut tuples = Vec::new();
    for size in ["2", "4", "8"] {
        let list = document.variants.get(size).map_or(&[][..], Vec::as_slice);
        for (place, value) in list.iter().enumerate() {
            let id = format!("{language}-{size}-{:04}", place + 1);
            let bad = |message: String| InputError::new(&file.path, format!("{id}: {message}"));
            let object: Object =
                serde_json::from_value(value.clone()).map_err(|error| bad(error.to_string()))?;
            if let Some(tuple) = object.tuple(|| id.clone()) {
                tuples.push(tuple.map_err(bad)?);
            }
        }
    }
    Ok(tuples)
}

/// The authors' tables, addressed by the names of their columns; quotation marks are text.
fn read_table(file: &TextFile, language: Language) -> Result<Vec<Tuple>, InputError> {
    let rows = lines(&file.text);
    let header: Vec<&str> = rows
        .first()
        .map_or_else(Vec::new, |row| row.split('\t').collect());
    let column = |name: &str| header.iter().position(|cell| cell.trim() == name);
    let codes: Vec<(usize, &str)> = header
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty() && name.chars().all(|c| matches!(c, 'f' | 'm')))
        .map(|(place, name)| (place, *name))
        .collect();
    let (Some(source), false) = (column("source"), codes.is_empty()) else {
        let message = "the header has no `source` or no variants";
        return Err(InputError::new(&file.path, message)
            .at_line(1)
            .with_hint("a table has the columns labels, source, f, m (or ff, fm, …), kw_s, kw_f, kw_m, data_split"));
    };
    let mut tuples = Vec::new();
    for (place, row) in rows.iter().enumerate().skip(1) {
        if row.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = row.split('\t').collect();
        let bad = |message: String| InputError::new(&file.path, message).at_line(place as u64 + 1);
        if cells.len() != header.len() {
            return Err(bad(format!(
                "this row has {} cells, the header has {}",
                cells.len(),
                header.len()
            )));
        }
        let variants: BTreeMap<String, String> = codes
            .iter()
            .map(|(at, code)| ((*code).to_owned(), cells[*at].to_owned()))
            .collect();
        check(&variants).map_err(bad)?;
        let optional = |name: &str| column(name).map(|at| cells[at].to_owned());
        let labels = optional("labels").unwrap_or_default();
        tuples.push(Tuple {
            id: format!("{language}-{}-{place:04}", codes.len()),
            source: cells[source].to_owned(),
            variants,
            labels: labels
                .split(';')
                .filter(|l| !l.is_empty())
                .map(str::to_owned)
                .collect(),
            split: optional("data_split").filter(|split| !split.is_empty()),
            key_words: optional("kw_s").unwrap_or_default(),
            structures: None,
        });
    }
    Ok(tuples)
}

/// The extension: sources by row from the raw files, variants from the processed one, GATE's rows before MT-GenEval's.
fn read_extension(files: &[TextFile], language: Language) -> Result<Vec<Tuple>, InputError> {
    let get = |name: String| {
        let found = files.iter().find(|file| {
            let own = base(&file.name);
            let packed = [".gz", ".zst", ".xz"];
            let plain = packed.iter().find_map(|ending| own.strip_suffix(ending));
            plain.unwrap_or(own) == name
        });
        found.ok_or_else(|| {
            InputError::new(&files[0].path, format!("there is no `{name}` beside it"))
                .with_hint("the extension needs gate.en-L.tsv, geneval.en-L.tsv and test.en-L.L")
        })
    };
    let processed = get(format!("test.en-{language}.{language}"))?;
    let targets = lines(&processed.text);
    let mut next = targets.iter();
    let mut tuples = Vec::new();
    for set in ["gate", "geneval"] {
        let raw = get(format!("{set}.en-{language}.tsv"))?;
        let mut rows = lines(&raw.text);
        if rows
            .first()
            .is_some_and(|row| row.split('\t').next() == Some("id"))
        {
            rows.remove(0);
        }
        for (place, row) in rows.iter().enumerate() {
            let bad =
                |message: String| InputError::new(&raw.path, message).at_line(place as u64 + 1);
            let cells: Vec<&str> = row.split('\t').collect();
            if cells.len() != 11 {
                return Err(bad(format!(
                    "this row has {} cells, expected 11",
                    cells.len()
                )));
            }
            let Some(target) = next.next() else {
                let message = format!(
                    "{}, fewer than rows",
                    there_are(targets.len(), "line", "lines")
                );
                return Err(InputError::new(&processed.path, message));
            };
            let genders: Vec<&str> = cells[6].split(',').map(str::trim).collect();
            if genders
                .iter()
                .any(|gender| gender.eq_ignore_ascii_case("na"))
                || cells[7].trim() == "na"
            {
                continue;
            }
            let variants = match target.split_once('\t') {
                Some((masculine, feminine)) => [("m", masculine), ("f", feminine)]
                    .map(|(c, t)| (c.to_owned(), t.to_owned()))
                    .into(),
                None => BTreeMap::from([(String::new(), (*target).to_owned())]),
            };
            let heads: Vec<&str> = bracketed(cells[7]);
            let open: Vec<&str> = heads
                .iter()
                .zip(&genders)
                .filter(|(_, gender)| **gender == "Amb")
                .map(|(head, _)| *head)
                .collect();
            let key_words = match open.as_slice() {
                [head] if heads.len() == 1 => format!("[{head}]"),
                _ => String::new(),
            };
            tuples.push(Tuple {
                id: format!("{language}-{set}-{:04}", place + 1),
                source: cells[1].to_owned(),
                variants,
                labels: Vec::new(),
                split: None,
                key_words,
                structures: Some(cells[9].to_owned()).filter(|text| text.contains("[[")),
            });
        }
    }
    if next.next().is_some() {
        let message = format!(
            "{}, more than rows",
            there_are(targets.len(), "line", "lines")
        );
        return Err(InputError::new(&processed.path, message));
    }
    Ok(tuples)
}

/// What stands in `[[ ]]`.
pub fn bracketed(text: &str) -> Vec<&str> {
    let pieces = text.split("[[").skip(1);
    pieces
        .filter_map(|piece| Some(piece.split_once("]]")?.0))
        .collect()
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
    fn every_form_gives_the_same_tuples() {
        let es = Language::find("es").unwrap();
        let line = file(
            "gate.es.jsonl",
            "{\"id\":\"es-2-0001\",\"labels\":[\"PROF\",\"SUBJ\"],\"source\":\"The boss left.\",\"kw_source\":\"boss\",\"variants\":{\"f\":\"La jefa salió.\",\"m\":\"El jefe salió.\"},\"split\":\"dev\"}\n{\"id\":\"es-0-0001\",\"note\":\"x\",\"line\":\"y\"}\n",
        );
        let table = file(
            "ES_2_variants.tsv",
            "labels\tsource\tf\tm\tkw_s\tkw_f\tkw_m\tdata_split\r\nPROF;SUBJ\tThe boss left.\tLa jefa salió.\tEl jefe salió.\tboss\t\t\tdev\r\n",
        );
        let document = file(
            "ES_readable.json",
            "{ \"gendered-variants\": {\"2\": [{\"labels\":[\"PROF\",\"SUBJ\"],\"source\":\"The boss left.\",\"kw_source\":\"boss\",\"kw_fem\":\"\",\"kw_masc\":\"\",\"variants\":{\"f\":\"La jefa salió.\",\"m\":\"El jefe salió.\"}}], \"0\": [[\"reason\",\"row\"]]}}",
        );
        let first = read(&[line], es).unwrap();
        assert_eq!(first, read(&[table], es).unwrap());
        let third = read(&[document], es).unwrap();
        assert_eq!((first.len(), third.len()), (1, 1));
        assert_eq!(first[0].variants, third[0].variants);
        let broken = file(
            "gate.es.jsonl",
            "{\"source\":\"x\",\"variants\":{\"f\":\"a\",\"mm\":\"b\"}}",
        );
        assert_eq!(read(&[broken], es).unwrap_err().line, Some(1));
    }

    #[test]
    fn the_extension_is_read_by_row() {
        let de = Language::find("de").unwrap();
        let raw = |rows: &str| rows.replace('|', "\t");
        let gate = file(
            "gate.en-de.tsv",
            &raw(
                "1|The boss left.||x|x|boss|Amb|The [[boss]] left.|v|[[Der/Die]] [[Chef/Chefin]] ging.|0-0,0-1\n2|na row||na|na|na|na|na|v|t|\n",
            ),
        );
        let geneval = file(
            "geneval.en-de.tsv",
            &raw("1|She left.||x|x|She|Female|[[She]] left.|v|Sie ging.|\n"),
        );
        let target = file(
            "test.en-de.de",
            "Der Chef ging.\tDie Chefin ging.\nna\nSie ging.\n",
        );
        let tuples = read(&[gate, geneval, target], de).unwrap();
        assert_eq!(tuples.len(), 2);
        assert_eq!(tuples[0].variants["f"], "Die Chefin ging.");
        assert_eq!(tuples[0].key_words, "[boss]");
        assert_eq!(tuples[1].variants[""], "Sie ging.");
    }
}
