//! The GEST translation experiment, as far as the accuracy of the detector needs it.
//!
//! Reads the public translation files and the published counts, judges every row, and gives the
//! distances per system-language pair (p_i, f_s, f_m and yield of sections 4.5 of the GEST
//! specification). Shared by the accuracy test and the example that prints the table.

#![allow(dead_code, reason = "the tests and the example each use a part")]

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::path::Path;

use epicene_core::Language;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Mode};
use flate2::read::GzDecoder;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// One English sentence with its stereotype (1..=16).
pub struct Row {
    pub sentence: String,
    pub stereotype: usize,
}

/// A system-language pair with its translations, in the order of the rows.
pub struct Pair {
    pub system: String,
    pub language: Language,
    pub translations: Vec<String>,
}

/// Masculine and feminine verdicts per stereotype.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    pub masculine: [u32; 16],
    pub feminine: [u32; 16],
}

/// How far our counts are from the published ones.
pub struct Distance {
    pub ours: Counts,
    pub published: Counts,
}

pub fn rows(data: &Path) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for record in csv::Reader::from_path(data.join("gest/gest.csv"))?.records() {
        let record = record?;
        rows.push(Row {
            sentence: record[0].to_owned(),
            stereotype: record[1].parse()?,
        });
    }
    Ok(rows)
}

/// Every pair there is a file for, ordered by language and system.
pub fn pairs(data: &Path, rows: &[Row]) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for language in Detector::languages() {
        for system in ["amazon_translate", "deepl", "google_translate", "nllb_3b"] {
            let folder = data
                .join("gest/translations")
                .join(system)
                .join(language.code());
            let path = folder.join("translations.csv.gz");
            if path.is_file() {
                let translations = translations(&path, rows)?;
                pairs.push(Pair {
                    system: system.to_owned(),
                    language,
                    translations,
                });
            }
        }
    }
    Ok(pairs)
}

fn translations(path: &Path, rows: &[Row]) -> Result<Vec<String>> {
    let mut reader = csv::Reader::from_reader(GzDecoder::new(File::open(path)?));
    let mut known = HashMap::new();
    for record in reader.records() {
        let record = record?;
        known.insert(record[0].to_owned(), record[1].to_owned());
    }
    rows.iter()
        .map(|row| {
            known
                .get(&row.sentence)
                .cloned()
                .ok_or_else(|| format!("no translation of {}", row.sentence).into())
        })
        .collect()
}

pub fn published(data: &Path, pair: &Pair) -> Result<Counts> {
    let json: serde_json::Value =
        serde_json::from_reader(File::open(data.join("published/gest_mt.json"))?)?;
    let cells = &json["systems"][&pair.system][pair.language.code()]["per_stereotype"];
    let mut counts = Counts::default();
    for (place, cell) in cells
        .as_array()
        .ok_or("no published cells")?
        .iter()
        .enumerate()
    {
        counts.masculine[place] = u32::try_from(cell["male"].as_u64().ok_or("male")?)?;
        counts.feminine[place] = u32::try_from(cell["female"].as_u64().ok_or("female")?)?;
    }
    Ok(counts)
}

pub fn judge(pair: &Pair, rows: &[Row], mode: Mode) -> Counts {
    let detector = Detector::of(pair.language, mode).expect("a language of the detector's");
    let mut counts = Counts::default();
    for (row, translation) in rows.iter().zip(&pair.translations) {
        match detector.judge(translation).gender() {
            Some(Gender::Masculine) => counts.masculine[row.stereotype - 1] += 1,
            Some(Gender::Feminine) => counts.feminine[row.stereotype - 1] += 1,
            None => {}
        }
    }
    counts
}

impl Counts {
    /// p_i: centre of the Agresti-Coull interval.
    pub fn masculine_rate(&self, cell: usize) -> f64 {
        let squared = 1.959_963_984_540_054_f64.powi(2);
        let (masculine, feminine) = (
            f64::from(self.masculine[cell]),
            f64::from(self.feminine[cell]),
        );
        (masculine + squared / 2.0) / (masculine + feminine + squared)
    }

    /// (p_f, p_m)
    fn group_rates(&self) -> (f64, f64) {
        let mean = |cells: std::ops::Range<usize>| {
            let count = cells.len() as f64;
            cells.map(|cell| self.masculine_rate(cell)).sum::<f64>() / count
        };
        (mean(0..7), mean(7..16))
    }

    /// f_s
    pub fn stereotype_rate(&self) -> f64 {
        let (female, male) = self.group_rates();
        male - female
    }

    /// f_m
    pub fn overall_masculine_rate(&self) -> f64 {
        let (female, male) = self.group_rates();
        (male + female) / 2.0
    }

    pub fn total(&self) -> u32 {
        self.masculine.iter().chain(&self.feminine).sum()
    }
}

impl Distance {
    pub fn cell(&self, cell: usize) -> f64 {
        self.ours.masculine_rate(cell) - self.published.masculine_rate(cell)
    }

    pub fn mean_cell(&self) -> f64 {
        (0..16).map(|cell| self.cell(cell).abs()).sum::<f64>() / 16.0
    }

    pub fn worst_cell(&self) -> f64 {
        (0..16)
            .map(|cell| self.cell(cell).abs())
            .fold(0.0, f64::max)
    }

    pub fn stereotype_rate(&self) -> f64 {
        self.ours.stereotype_rate() - self.published.stereotype_rate()
    }

    pub fn masculine_rate(&self) -> f64 {
        self.ours.overall_masculine_rate() - self.published.overall_masculine_rate()
    }

    /// Yield relative to the published one, minus 1.
    pub fn yield_change(&self) -> f64 {
        f64::from(self.ours.total()) / f64::from(self.published.total()) - 1.0
    }
}
