//! The reference data beside the project (or in `EPICENE_SHARED`), and runs on it without a run
//! directory.

use std::fs::File;
use std::io::Read;

use epicene_bench::unambiguous::Unambiguous;
use epicene_bench::{Benchmark, Options};
use epicene_core::{Answer, Item, Row, TextFile};
use flate2::read::MultiGzDecoder;

use crate::table_support::Answered;

pub use crate::shared_data::shared;

/// A gzip file of the data.
pub fn text(part: &str) -> Option<String> {
    let path = shared(&format!("unambiguous/{part}"))?;
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    Some(text)
}

pub fn file(name: &str, text: String) -> TextFile {
    TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text,
    }
}

/// One system's answers in one language.
pub fn answered(items: &[Item], language: &str, answers: &[&str]) -> Answered {
    let answers = answers.iter();
    let answers = answers.map(|answer| Answer::Translation((*answer).to_owned()));
    let unit = format!("lang:{language}");
    Answered::translations(&Unambiguous, items, ("m2m", &unit), answers.collect())
}

/// Options whose resamples do not take long.
pub fn options() -> Options {
    Options::default()
        .drawing(100, 100)
        .with(&epicene_bench::options::INTERVAL, "published")
}

pub fn value(rows: &[Row], unit: &str, group: &str, metric: &str) -> f64 {
    let found = rows
        .iter()
        .find(|row| row.unit == unit && row.group == group && row.metric == metric);
    found
        .unwrap_or_else(|| panic!("no row {unit} {group} {metric}"))
        .value
}

/// The S set without "nanny", as the published analysis has it.
pub fn s_items() -> Vec<Item> {
    Unambiguous
        .make_data("s-without-nanny", &Options::default())
        .unwrap()
        .unwrap()
        .items
}

/// The text of one of the authors' files.
pub fn author_file(files: &[(String, String)], name: &str) -> String {
    let found = files.iter().find(|(other, _)| other == name);
    found.unwrap_or_else(|| panic!("no file {name}")).1.clone()
}
