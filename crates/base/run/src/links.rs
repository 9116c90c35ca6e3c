//! The links of a run whose aligner is an encoder: made once, when all answers are there, and kept with it, since
//! whoever measures the run again may not have the encoder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use epicene_core::TextFile;
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::{regular, write_file};

use crate::directory::{LINKS, write_manifest};
use crate::writer::lock;
use crate::{AlignerCard, RunDirectory, RunError, sha256_hex};

impl RunDirectory {
    /// Keeps what an encoder linked, by probe: the files first, then the manifest that names them.
    pub fn write_links(
        &mut self,
        aligner: &str,
        links: &BTreeMap<usize, String>,
    ) -> Result<(), RunError> {
        let _lock = lock(self.path())?;
        let folder = self.path().join(LINKS);
        fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        let mut card = AlignerCard {
            name: aligner.to_owned(),
            links: BTreeMap::new(),
        };
        for (&probe, text) in links {
            let path = links_path(&folder, probe);
            write_file(&path, text.as_bytes()).map_err(RunError::io(&path))?;
            card.links.insert(probe, sha256_hex(text.as_bytes()));
        }
        self.manifest.aligner = Some(card);
        write_manifest(self.path(), &self.manifest)
    }

    /// The links an encoder made, by probe. A file that is not as it was written is an error.
    pub fn links(&self) -> Result<BTreeMap<usize, TextFile>, RunError> {
        let mut links = BTreeMap::new();
        for (&probe, sha256) in self.manifest.aligner.iter().flat_map(|card| &card.links) {
            let path = links_path(&self.path().join(LINKS), probe);
            let text = regular::read_to_string(&path, LARGEST_TEXT).map_err(RunError::io(&path))?;
            if sha256_hex(text.as_bytes()) != *sha256 {
                return Err(RunError::OtherLinks { path });
            }
            let file = TextFile {
                name: format!("{probe}.align"),
                path: path.display().to_string(),
                sha256: sha256.clone(),
                text,
            };
            links.insert(probe, file);
        }
        Ok(links)
    }
}

fn links_path(folder: &Path, probe: usize) -> PathBuf {
    folder.join(format!("{probe}.align"))
}
