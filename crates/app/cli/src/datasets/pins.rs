//! Hashes of files the registry has none for: what was fetched first is trusted, written down, and asked of every later copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::outputs;

const FILE: &str = "pins.tsv";

/// The pins of one data set, by path.
#[derive(Debug, Default)]
pub struct Pins {
    path: PathBuf,
    hashes: BTreeMap<String, String>,
}

impl Pins {
    pub fn read(directory: &Path) -> Result<Pins, Failure> {
        let path = directory.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::input(format!("{}: {error}", path.display()))),
        };
        let mut hashes = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let Some((hash, name)) = line.split_once('\t').filter(|(hash, _)| hash.len() == 64)
            else {
                return Err(Failure::input(format!(
                    "{}, line {number}: this is no SHA-256 with a path",
                    path.display()
                ))
                .with_hint("delete the line to trust the file when it is fetched next"));
            };
            hashes.insert(name.to_owned(), hash.to_owned());
        }
        Ok(Pins { path, hashes })
    }

    pub fn get(&self, file: &str) -> Option<&str> {
        self.hashes.get(file).map(String::as_str)
    }

    /// Writes down what a file is from now on.
    pub fn pin(&mut self, file: &str, hash: &str) -> Result<(), Failure> {
        self.hashes.insert(file.to_owned(), hash.to_owned());
        let lines: String = self
            .hashes
            .iter()
            .map(|(file, hash)| format!("{hash}\t{file}\n"))
            .collect();
        epicene_io::write_file(&self.path, lines.as_bytes())
            .map_err(|error| outputs::failed(&self.path, &error))
    }
}
