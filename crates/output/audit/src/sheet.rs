//! The file people fill in: CSV with a head of comment lines that says what was sampled, how, and with which
//! probabilities. Made so that a spreadsheet may open and save it: no comma, quotation mark or semicolon in the head, no
//! cell that would be taken for a formula.

use crate::{Choices, DrawnStratum};

/// First line of every file.
pub(crate) const FIRST_LINE: &str = "# epicene audit 1";

/// What was sampled, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Key of the population.
    pub population: String,
    pub seed: u64,
    /// What strata are made of.
    pub by: Vec<String>,
    /// What part of a run was sampled, where not all: `lang:sk`, `system:deepl`.
    pub only: Vec<String>,
    pub strata: Vec<DrawnStratum>,
}

/// One answer to be labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Says nothing about system or verdict.
    pub key: String,
    pub unit: String,
    pub question: String,
    pub source: String,
    pub answer: String,
    /// System and verdict, where annotators may see them.
    pub shown: Option<[String; 2]>,
}

/// A sample, ready to be labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    pub header: Header,
    pub choices: Choices,
    pub rows: Vec<SheetRow>,
}

impl Header {
    /// The comment lines, in order; also what the form writes.
    pub fn lines(&self, choices: &Choices) -> Vec<String> {
        let words = |list: &[String]| {
            let clean = list.iter().map(|word| plain(word));
            clean.collect::<Vec<_>>().join(" ")
        };
        let mut lines = vec![
            FIRST_LINE.to_owned(),
            format!("# population: {}", self.population),
            format!("# seed: {}", self.seed),
            format!("# by: {}", words(&self.by)),
            format!("# only: {}", words(&self.only)),
        ];
        for (place, DrawnStratum { size, drawn }) in self.strata.iter().enumerate() {
            lines.push(format!("# stratum {}: {drawn} of {size}", place + 1));
        }
        for choice in &choices.0 {
            lines.push(format!("# label {}: {}", choice.key, plain(&choice.name)));
        }
        lines
    }
}

/// Without what a spreadsheet would split or quote.
pub fn plain(text: &str) -> String {
    let clean = |c: char| match c {
        ',' | ';' | '"' => '_',
        c if c.is_control() || c.is_whitespace() => '_',
        c => c,
    };
    text.chars().map(clean).collect()
}

/// A cell that no spreadsheet takes for a formula.
pub(crate) fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// The cell as it was meant.
pub(crate) fn meant(text: &str) -> &str {
    text.strip_prefix('\'').unwrap_or(text)
}

impl Sheet {
    pub fn columns(&self) -> Vec<&'static str> {
        let mut columns = vec!["id", "unit", "source", "translation", "question"];
        if self.rows.iter().any(|row| row.shown.is_some()) {
            columns.extend(["system", "verdict"]);
        }
        columns.extend(["label", "comment"]);
        columns
    }

    /// The whole file, with empty labels.
    pub fn to_csv(&self) -> String {
        let mut text = self.header.lines(&self.choices).join("\n");
        text.push('\n');
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut records = vec![self.columns().into_iter().map(str::to_owned).collect()];
        for row in &self.rows {
            let mut cells = vec![
                row.key.clone(),
                harmless(&row.unit),
                harmless(&row.source),
                harmless(&row.answer),
                harmless(&row.question),
            ];
            if let Some(shown) = &row.shown {
                cells.extend(shown.iter().map(|cell| harmless(cell)));
            }
            cells.extend([String::new(), String::new()]);
            records.push(cells);
        }
        for record in records {
            writer
                .write_record(&record)
                .expect("records of one length go into memory");
        }
        let bytes = writer.into_inner().expect("memory takes everything");
        text += std::str::from_utf8(&bytes).expect("text was written");
        text
    }
}
