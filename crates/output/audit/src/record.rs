//! An audit as it is kept with a run: who said what of which answer, and from which sample. Verdicts of the time of the
//! sample are kept where it was drawn by them, so that a better judge can be corrected by the same labels.

use std::collections::BTreeMap;

use epicene_core::InputError;
use epicene_io::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub format: u32,
    /// Key of the population: what was asked of whom, and every answer.
    pub population: String,
    pub seed: u64,
    pub by: Vec<String>,
    pub only: Vec<String>,
    /// Cells that were drawn.
    pub drawn: u64,
    pub annotators: Vec<String>,
    /// For each system and unit, a letter for each item's verdict when the sample was drawn; `-` where there was none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub verdicts: BTreeMap<String, String>,
    pub labels: Vec<LabelledCell>,
}

/// What people said of one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledCell {
    pub item: String,
    pub system: String,
    pub unit: String,
    /// Key of the label by each annotator, empty where one gave none.
    pub labels: Vec<String>,
}

impl Record {
    pub const FORMAT: u32 = FORMAT;

    /// The name under which the verdicts of a column are kept.
    pub fn column(system: &str, unit: &str) -> String {
        format!("{system}\t{unit}")
    }

    pub fn parse(text: &str, path: &str) -> Result<Record, InputError> {
        let complain = |message: String| {
            InputError::new(path, message)
                .with_hint("read the label files again: epicene audit read RUN labels.csv")
        };
        let record: Record = serde_json::from_str(text)
            .map_err(|error| complain(format!("this is no audit: {error}")))?;
        if record.format != FORMAT {
            return Err(complain(format!("the audit has format {}", record.format)));
        }
        let people = record.annotators.len();
        match record
            .labels
            .iter()
            .find(|cell| cell.labels.len() != people)
        {
            Some(cell) => Err(complain(format!(
                "{} has {} labels by {people} annotators",
                cell.item,
                cell.labels.len()
            ))),
            None => Ok(record),
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec_pretty(self).expect("strings and numbers can be written as JSON");
        bytes.push(b'\n');
        bytes
    }

    /// Names the labels: cells and what was said of them, in order of their names.
    pub fn hash(&self) -> String {
        let mut cells: Vec<&LabelledCell> = self.labels.iter().collect();
        cells.sort_by_key(|cell| (&cell.item, &cell.system, &cell.unit));
        let mut digest = Sha256Digest::default();
        for cell in cells {
            for field in [&cell.item, &cell.system, &cell.unit] {
                digest.update_field(field.as_bytes());
            }
            for label in &cell.labels {
                digest.update_field(label.as_bytes());
            }
        }
        digest.hex()[..12].to_owned()
    }
}
