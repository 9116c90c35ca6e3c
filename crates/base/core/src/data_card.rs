//! Which data were asked: enough to tell whether two numbers were measured on the same.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataCard {
    pub name: String,
    pub version: String,
    pub sha256: String,
    pub items: usize,
}

impl DataCard {
    /// Whether this is that edition of that data set, by its hash.
    pub fn is(&self, name: &str, version: &str) -> bool {
        self.name == name && self.version == version
    }

    /// `gest-1.0@f0e1d2c3b4a5`, as the signature has it; without hash where no file was read.
    pub fn short(&self) -> String {
        match short_hash(&self.sha256) {
            "" => format!("{}-{}", self.name, self.version),
            hash => format!("{}-{}@{hash}", self.name, self.version),
        }
    }
}

/// The part of a hash that people read.
pub fn short_hash(hash: &str) -> &str {
    // The method, where one is named before a colon, is in the manifest.
    let hash = hash.rsplit_once(':').map_or(hash, |(_, hash)| hash);
    // Versions of programs are read whole: `3.8.3+eng-spa-0.8.1-2`.
    if hash.chars().all(|c| c.is_ascii_hexdigit()) {
        hash.get(..12).unwrap_or(hash)
    } else {
        hash
    }
}
