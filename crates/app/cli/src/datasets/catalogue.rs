//! Data sets that may be used but not shipped: where each comes from, in which revision, under which licence, and the hashes
//! that make a download theirs. The registry is `data/datasets.json`. A file without a hash there is trusted when it is first
//! fetched, and pinned (`pins.rs`).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::suggest;

#[derive(Debug, Serialize, Deserialize)]
pub struct Dataset {
    pub name: String,
    pub about: String,
    pub licence: String,
    /// Where its authors keep it.
    pub source: String,
    /// Keys of `data/citations.bib`.
    pub cite: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// A data set in its design that is inside the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offline: Option<String>,
    pub editions: Vec<Edition>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Edition {
    pub version: String,
    /// Commit or branch of the source.
    pub revision: String,
    /// What the paths of its files are added to.
    pub base: String,
    pub files: Vec<DataFile>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct DataFile {
    /// Below the base, and below the data set's directory in the cache.
    pub path: String,
    #[serde(default)]
    pub sha256: Option<String>,
    #[serde(default)]
    pub bytes: Option<u64>,
}

#[derive(Deserialize)]
struct Registry {
    datasets: Vec<Dataset>,
}

pub fn all() -> &'static [Dataset] {
    static ALL: LazyLock<Vec<Dataset>> = LazyLock::new(|| {
        let text = include_str!("../../data/datasets.json");
        let registry: Registry =
            serde_json::from_str(text).expect("the embedded registry is JSON of its form");
        registry.datasets
    });
    &ALL
}

pub fn dataset(name: &str) -> Result<&'static Dataset, Failure> {
    let found = all().iter().find(|dataset| dataset.name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = all().iter().map(|dataset| dataset.name.as_str()).collect();
        let failure = Failure::usage(format!("unknown data set `{name}`"));
        match suggest::closest(name, known.iter().copied(), 2)[..] {
            [] => failure.with_hint(format!("data sets: {}", known.join(", "))),
            ref close => failure.with_hint(format!(
                "closest: {}; `epicene data list` has them all",
                close.join(", ")
            )),
        }
    })
}

/// The edition a name means: `gest` is its first, `gest-1.1` that one. Data sets that are made here have none.
pub fn edition(name: &str) -> Option<(&'static Dataset, &'static Edition)> {
    all().iter().find_map(|dataset| {
        let rest = name.strip_prefix(dataset.name.as_str())?;
        let edition = match rest.strip_prefix('-') {
            None if rest.is_empty() => dataset.editions.first(),
            None => None,
            Some(version) => dataset.editions.iter().find(|e| e.version == version),
        };
        Some((dataset, edition?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_whole() {
        let citations = include_str!("../../data/citations.bib");
        for dataset in all() {
            for key in &dataset.cite {
                assert!(citations.contains(&format!("{{{key},")), "{key}");
            }
            assert!(!dataset.licence.is_empty() && dataset.source.starts_with("https://"));
            assert!(
                !dataset.editions.is_empty() || dataset.note.is_some(),
                "{}",
                dataset.name
            );
            let mut paths = Vec::new();
            for edition in &dataset.editions {
                assert!(edition.base.starts_with("https://") && edition.base.ends_with('/'));
                for file in &edition.files {
                    assert!(!file.path.starts_with('/') && !file.path.contains(".."));
                    let hash = file.sha256.as_deref().unwrap_or("");
                    assert!(hash.is_empty() || hash.len() == 64, "{}", file.path);
                    paths.push(&file.path);
                }
            }
            let count = paths.len();
            paths.sort_unstable();
            paths.dedup();
            assert_eq!(
                paths.len(),
                count,
                "{}: editions share a file",
                dataset.name
            );
        }
    }
}
