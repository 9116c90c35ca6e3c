//! Files that are made of a run's answers and read with them: kept like those a command gives, but no part of what was
//! asked, so that the same command finds its run again.

use std::fs;

use epicene_io::write_file;

use crate::directory::{INPUTS, input_path, write_manifest};
use crate::manifest::MADE;
use crate::writer::lock;
use crate::{InputCard, RunDirectory, RunError, sha256_hex};

impl RunDirectory {
    /// Keeps a file under a role, in place of one that was made before; `by` names what made it.
    pub fn keep_made(&mut self, role: &str, by: &str, text: &str) -> Result<(), RunError> {
        let _lock = lock(self.path())?;
        let folder = self.path().join(INPUTS);
        fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        let path = input_path(&folder, role)?;
        write_file(&path, text.as_bytes()).map_err(RunError::io(&path))?;
        let sha256 = sha256_hex(text.as_bytes());
        let card = InputCard {
            name: format!("{MADE}{by}"),
            sha256: sha256.clone(),
            kept: Some(sha256),
        };
        self.manifest.inputs.insert(role.to_owned(), card);
        write_manifest(self.path(), &self.manifest)
    }

    /// Whether a file under a role was made by something.
    pub fn has_made(&self, role: &str, by: &str) -> bool {
        let card = self.manifest.inputs.get(role);
        card.is_some_and(|card| card.name.strip_prefix(MADE) == Some(by))
    }
}
