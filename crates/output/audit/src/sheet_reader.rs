//! Labels as they come back: from a text editor, from the form, or through a spreadsheet that added trailing commas, a
//! byte order mark, semicolons or quotation marks. Every line is held against the sample that was drawn; a foreign, an
//! edited and a doubled one are refused by their number.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};
use epicene_io::limits::MOST_COLUMNS;

use crate::sheet::{FIRST_LINE, meant};
use crate::{DrawnStratum, Header, Sheet};

/// The labels of one annotator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelFile {
    pub annotator: String,
    /// For each row of the sheet, in its order.
    pub labels: Vec<Option<u32>>,
    /// Rows that are not in the file.
    pub absent: usize,
}

/// A file as far as it can be understood without the sample.
struct Draft {
    header: Header,
    annotator: Option<String>,
    columns: BTreeMap<String, usize>,
    /// With the line each begins on.
    records: Vec<(u64, csv::StringRecord)>,
}

impl Header {
    /// The head of a label file.
    pub fn read(file: &TextFile) -> Result<Header, InputError> {
        Ok(Draft::read(file)?.header)
    }
}

/// The labels that the head of a file offers; none where it cannot be read, which [`Header::read`] explains.
pub fn named_labels(file: &TextFile) -> Vec<String> {
    let mut rest = file.text.trim_start_matches('\u{feff}');
    let mut names = Vec::new();
    while let Some((line, after)) = head_line(rest) {
        rest = after;
        if let Some((_, name)) = line
            .strip_prefix("# label ")
            .and_then(|label| label.split_once(':'))
        {
            names.push(name.trim().to_owned());
        }
    }
    names
}

/// Reads the files of several annotators against the sample they were made from. Annotators are named by their files, or
/// as the form names them.
pub fn label_files(files: &[TextFile], sheet: &Sheet) -> Result<Vec<LabelFile>, InputError> {
    let mut read: Vec<LabelFile> = Vec::new();
    for (place, file) in files.iter().enumerate() {
        if files[..place].iter().any(|other| other.path == file.path) {
            return Err(InputError::new(&file.path, "the file is given twice"));
        }
        let mut labels = check(file, Draft::read(file)?, sheet)?;
        for other_name in [&file.name, &file.path] {
            if read.iter().any(|other| other.annotator == labels.annotator) {
                labels.annotator.clone_from(other_name);
            }
        }
        read.push(labels);
    }
    Ok(read)
}

impl Draft {
    fn read(file: &TextFile) -> Result<Draft, InputError> {
        let complain = |line: u64, message: String| {
            InputError::new(&file.path, message)
                .at_line(line)
                .with_hint("label files are made by `epicene audit sample`; fill in the column label and leave the rest")
        };
        let text = file.text.trim_start_matches('\u{feff}');
        let mut header = Header {
            population: String::new(),
            seed: 0,
            by: Vec::new(),
            only: Vec::new(),
            strata: Vec::new(),
        };
        let mut annotator = None;
        let (mut number, mut rest) = (0u64, text);
        while let Some((line, after)) = head_line(rest) {
            number += 1;
            rest = after;
            if number == 1 && line != FIRST_LINE {
                let message = format!("`{line}` is not the first line of an audit's labels");
                return Err(complain(1, message));
            }
            let Some((name, value)) = line[1..].split_once(':') else {
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            let words = || value.split_whitespace().map(str::to_owned).collect();
            match name {
                "population" => header.population = value.to_owned(),
                "seed" => {
                    let seed = value.parse();
                    header.seed =
                        seed.map_err(|_| complain(number, format!("`{value}` is no seed")))?;
                }
                "by" => header.by = words(),
                "only" => header.only = words(),
                "annotator" if !value.is_empty() => annotator = Some(value.to_owned()),
                _ if name.starts_with("stratum ") => {
                    let parts = value.split_once(" of ");
                    let parts = parts.and_then(|(drawn, size)| {
                        Some(DrawnStratum {
                            drawn: drawn.trim().parse().ok()?,
                            size: size.trim().parse().ok()?,
                        })
                    });
                    let stratum = parts
                        .ok_or_else(|| complain(number, format!("`{value}` is no stratum")))?;
                    header.strata.push(stratum);
                }
                _ => {}
            }
        }
        if number == 0 || header.population.is_empty() {
            return Err(complain(
                1,
                "this file does not say what it is a sample of".to_owned(),
            ));
        }
        let head = rest.lines().next().unwrap_or("");
        let delimiter = [b',', b';', b'\t']
            .into_iter()
            .max_by_key(|delimiter| head.bytes().filter(|byte| byte == delimiter).count())
            .expect("there are three");
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(rest.as_bytes());
        let mut columns = BTreeMap::new();
        let mut records = Vec::new();
        for (place, record) in reader.records().enumerate() {
            let record = record.map_err(|error| complain(number + 1, error.to_string()))?;
            let start = record.position().map_or(0, |at| at.byte() as usize);
            let blank = rest[start..]
                .bytes()
                .take_while(|byte| matches!(byte, b'\n' | b'\r'));
            let before = &rest.as_bytes()[..start + blank.count()];
            let line = number + 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
            if record.len() > MOST_COLUMNS {
                let message = format!("{} columns; at most {MOST_COLUMNS} are read", record.len());
                return Err(complain(line, message));
            }
            if place == 0 {
                let names = record.iter().enumerate();
                columns = names
                    .map(|(at, name)| (name.trim().to_lowercase(), at))
                    .collect();
                for needed in ["id", "source", "translation", "label"] {
                    if !columns.contains_key(needed) {
                        return Err(complain(line, format!("the column {needed} is missing")));
                    }
                }
            } else if record.iter().any(|cell| !cell.trim().is_empty()) {
                records.push((line, record));
            }
        }
        if columns.is_empty() {
            return Err(complain(number + 1, "there are no rows".to_owned()));
        }
        Ok(Draft {
            header,
            annotator,
            columns,
            records,
        })
    }
}

/// The next comment line, without what a spreadsheet put around it, and what follows it.
fn head_line(text: &str) -> Option<(&str, &str)> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end().trim_end_matches([',', ';', '\t']);
    let line = line.trim_matches('"').trim_end();
    line.starts_with('#').then_some((line, rest))
}

/// White space as one blank: spreadsheets and editors change line ends.
fn same_text(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

fn check(file: &TextFile, draft: Draft, sheet: &Sheet) -> Result<LabelFile, InputError> {
    let complain = |line: u64, message: String| InputError::new(&file.path, message).at_line(line);
    let places: BTreeMap<&str, usize> = sheet
        .rows
        .iter()
        .enumerate()
        .map(|(place, row)| (row.key.as_str(), place))
        .collect();
    let mut labels = vec![None; sheet.rows.len()];
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for (line, record) in &draft.records {
        let cell = |name: &str| {
            let at = draft.columns.get(name);
            at.and_then(|at| record.get(*at)).unwrap_or("")
        };
        let key = cell("id").trim();
        let Some(place) = places.get(key) else {
            let message = format!("`{key}` is not in the sample");
            return Err(complain(*line, message).with_hint(
                "a label file belongs to the run it was drawn from; leave the column id as it is",
            ));
        };
        if let Some(before) = seen.insert(&sheet.rows[*place].key, *line) {
            return Err(complain(
                *line,
                format!("`{key}` was labelled on line {before} already"),
            ));
        }
        let row = &sheet.rows[*place];
        for (name, own) in [("source", &row.source), ("translation", &row.answer)] {
            let written = cell(name);
            if !same_text(written, own) && !same_text(meant(written), own) {
                let message = format!("the {name} of `{key}` was edited: `{written}` was `{own}`");
                return Err(complain(*line, message)
                    .with_hint("people label what the system wrote; put the text back as it was"));
            }
        }
        let label = cell("label").trim();
        if !label.is_empty() {
            let found = sheet.choices.find(label).ok_or_else(|| {
                complain(*line, format!("the label is `{label}`"))
                    .with_hint(format!("labels are {}", sheet.choices.in_words()))
            })?;
            labels[*place] = Some(found);
        }
    }
    if labels.iter().all(Option::is_none) {
        return Err(
            InputError::new(&file.path, "there is no label in it").with_hint(format!(
                "fill in the column label: {}",
                sheet.choices.in_words()
            )),
        );
    }
    Ok(LabelFile {
        annotator: draft.annotator.unwrap_or_else(|| file.stem().to_owned()),
        absent: sheet.rows.len() - seen.len(),
        labels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Choices, SheetRow};

    fn sheet() -> Sheet {
        let row = |key: &str, answer: &str| SheetRow {
            key: key.to_owned(),
            unit: "lang:sk".to_owned(),
            question: "Who, then?".to_owned(),
            source: "I was \"tired\".".to_owned(),
            answer: answer.to_owned(),
            shown: None,
        };
        Sheet {
            header: Header {
                population: "abc".to_owned(),
                seed: 3,
                by: vec!["verdict".to_owned(), "lang".to_owned()],
                only: Vec::new(),
                strata: vec![DrawnStratum { size: 9, drawn: 3 }],
            },
            choices: Choices(vec![
                Choice::new("m", "masculine", ""),
                Choice::new("f", "feminine", ""),
            ]),
            rows: vec![
                row("k1", "Bol som unavený;\nveľmi."),
                row("k2", "=HYPERLINK(1)"),
                row("k3", "Bola som."),
            ],
        }
    }

    fn file(text: &str) -> TextFile {
        TextFile {
            path: "labels.csv".to_owned(),
            name: "labels.csv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    /// Fills in the labels of the rows, in order.
    fn filled(labels: [&str; 3]) -> String {
        let mut text = sheet().to_csv();
        for label in labels {
            // Every row ends with an empty label and an empty comment.
            text = text.replacen("?\",,\n", &format!("?\",{label},\n"), 1);
        }
        text
    }

    #[test]
    fn labels_come_back_through_editors_and_spreadsheets() {
        let expected = [Some(0), Some(1), None];
        let plain = filled(["m", "Feminine", ""]);
        assert!(plain.contains("'=HYPERLINK"), "{plain}");
        let trailing = plain.replace("# seed: 3\n", "# seed: 3,,,,,,\r\n");
        let quoted = plain.replace("# by: verdict lang", "\"# by: verdict lang\"");
        let mark = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
        for text in [plain, trailing, quoted, mark] {
            let header = Header::read(&file(&text)).unwrap();
            assert_eq!(header, sheet().header, "{text}");
            let read = label_files(&[file(&text)], &sheet()).unwrap();
            assert_eq!(read[0].labels, expected, "{text}");
            assert_eq!(read[0].annotator, "labels");
        }
    }

    #[test]
    fn semicolons_instead_of_commas() {
        let text = "# epicene audit 1;;\n# population: abc;;\n# seed: 3;;\nid;unit;source;translation;label\n\
                    k3;x;\"I was \"\"tired\"\".\";Bola som.;f\n";
        let read = label_files(&[file(text)], &sheet()).unwrap();
        assert_eq!(read[0].labels, [None, None, Some(1)]);
        assert_eq!(read[0].absent, 2);
    }

    #[test]
    fn foreign_edited_and_doubled_lines_are_refused_by_number() {
        let refused = |text: &str| {
            let error = label_files(&[file(text)], &sheet()).unwrap_err();
            (error.line, error.to_string())
        };
        let good = filled(["m", "f", "f"]);
        let (line, message) = refused(&good.replace("k3,", "k9,"));
        assert_eq!(line, Some(13), "{message}");
        let (line, message) = refused(&good.replace("Bola som.", "Bol som."));
        assert_eq!(line, Some(13), "{message}");
        assert!(message.contains("edited"), "{message}");
        let last = good.lines().last().unwrap();
        let (line, message) = refused(&format!("{good}{last}\n"));
        assert_eq!(line, Some(14), "{message}");
        assert!(message.contains("line 13"), "{message}");
        let (line, message) = refused(&filled(["m", "x", "f"]));
        assert_eq!(line, Some(12), "{message}");
        let (line, _) = refused("id,label\n1,m\n");
        assert_eq!(line, Some(1));
        assert_eq!(refused(&filled(["", "", ""])).0, None);
        let twice = label_files(&[file(&good), file(&good)], &sheet());
        assert!(twice.unwrap_err().to_string().contains("twice"));
    }
}
