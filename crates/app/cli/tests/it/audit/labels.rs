//! Label files as annotators leave them, and a run to label.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::support::succeed;

/// A label file, row by row: (line in the file, cells by column).
pub struct Labels {
    pub head: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Labels {
    pub fn read(path: &Path) -> Labels {
        let text = std::fs::read_to_string(path).unwrap();
        let body = text.find("\nid,").unwrap() + 1;
        let mut reader = csv::Reader::from_reader(&text.as_bytes()[body..]);
        let columns = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let rows = reader.records().map(|record| {
            let record = record.unwrap();
            record.iter().map(str::to_owned).collect()
        });
        Labels {
            head: text[..body].to_owned(),
            columns,
            rows: rows.collect(),
        }
    }

    pub fn at(&self, column: &str) -> usize {
        self.columns.iter().position(|name| name == column).unwrap()
    }

    /// Fills in the labels and writes the file again.
    pub fn label(&mut self, path: &Path, mut say: impl FnMut(&BTreeMap<&str, &str>) -> String) {
        let label = self.at("label");
        for row in &mut self.rows {
            let cells = self.columns.iter().zip(row.iter());
            let cells = cells
                .map(|(name, cell)| (name.as_str(), cell.as_str()))
                .collect();
            let said = say(&cells);
            row[label] = said;
        }
        self.write(path);
    }

    pub fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns).unwrap();
        for row in &self.rows {
            writer.write_record(row).unwrap();
        }
        let body = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        std::fs::write(path, format!("{}{body}", self.head)).unwrap();
    }
}

/// 640 sentences and their translations; the verb shows the gender. Every eighth text is about somebody who is a woman
/// although the verb is masculine, which no judge can see: the people of these tests do.
pub fn workshop() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let (mut data, mut good, mut poor) = (
        String::from("sentence,stereotype\n"),
        String::from("from,to\n"),
        String::from("from,to\n"),
    );
    for number in 0..640 {
        let stereotype = number % 16 + 1;
        writeln!(data, "I did {number}.,{stereotype}").unwrap();
        for (file, often) in [(&mut good, 2), (&mut poor, 5)] {
            let text = match number % often {
                0 => format!("Urobila som {number}."),
                _ if number % 8 == 3 => format!("Urobil som {number} ženou."),
                _ => format!("Urobil som {number}."),
            };
            writeln!(file, "I did {number}.,{text}").unwrap();
        }
    }
    for (name, text) in [("g.csv", data), ("good.csv", good), ("poor.csv", poor)] {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let files = ["good=file:good.csv", "poor=file:poor.csv"];
    for (name, file) in ["r", "s"].into_iter().zip(files) {
        let command = [
            "run", "gest", "--data", "g.csv", "--mt", file, "--lang", "sk", "--out", name,
        ];
        succeed(&command, directory.path());
    }
    directory
}

/// What people say in the workshop.
pub fn truth(cells: &BTreeMap<&str, &str>) -> String {
    let feminine =
        cells["translation"].contains("ženou") || cells["translation"].contains("Urobila");
    if feminine { "f" } else { "m" }.to_owned()
}

pub fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    text
}
