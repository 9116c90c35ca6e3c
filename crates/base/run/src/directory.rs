//! A run's directory: opening it to continue, checking that it is the same run, reading it back.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use epicene_core::{Answer, Items, TextFile};
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::{regular, write_file};

use crate::merge::answer_digest;
use crate::segments::segments;
use crate::writer::lock;
use crate::{
    Coverage, ItemStore, LogLayout, LogReader, Manifest, Plan, RunError, Sums, Times, sha256_hex,
};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const ITEMS: &str = "items.jsonl";
pub(crate) const LOG: &str = "log.jsonl";
pub(crate) const SEGMENTS: &str = "log";
pub(crate) const FAILURES: &str = "failures.jsonl";
pub(crate) const MEASURES: &str = "measures.json";
pub(crate) const VERDICTS: &str = "verdicts.bin";
pub(crate) const LOCK: &str = "lock";
pub(crate) const INPUTS: &str = "inputs";
pub(crate) const LINKS: &str = "links";
pub(crate) const AUDIT: &str = "audit.json";

/// A run that is there, opened for reading.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    pub manifest: Manifest,
    pub plan: Plan,
}

/// The files of the log of the run in `path`, in order.
pub fn log_files(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let lines = path.join(LOG);
    let mut files: Vec<PathBuf> = lines.exists().then_some(lines).into_iter().collect();
    files.extend(segments(&path.join(SEGMENTS))?);
    Ok(files)
}

impl RunDirectory {
    pub fn open_all(paths: &[PathBuf]) -> Result<Vec<RunDirectory>, RunError> {
        paths.iter().map(|path| RunDirectory::open(path)).collect()
    }

    pub fn open(path: &Path) -> Result<RunDirectory, RunError> {
        let manifest = read_manifest(path)?.ok_or_else(|| RunError::NotARun {
            path: path.to_owned(),
        })?;
        let items = open_items(&path.join(ITEMS), &manifest)?;
        let plan = Plan::new(&manifest, items)?;
        Ok(RunDirectory {
            path: path.to_owned(),
            manifest,
            plan,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files of the log, in order.
    pub(crate) fn log_files(&self) -> Result<Vec<PathBuf>, RunError> {
        log_files(&self.path)
    }

    /// When the run was started and finished; absent in runs of versions that did not record it.
    pub fn recorded_times(&self) -> Result<Option<Times>, RunError> {
        Times::read(&self.path)
    }

    /// When the run began, and when it was last answered.
    pub fn times(&self) -> Option<(SystemTime, SystemTime)> {
        let changed = |path: &Path| fs::metadata(path).ok()?.modified().ok();
        let last = self.log_files().ok()?;
        let last = last.iter().filter_map(|path| changed(path)).max()?;
        Some((changed(&self.path.join(MANIFEST))?, last))
    }

    /// Whether somebody is writing to it.
    pub fn is_busy(&self) -> bool {
        let file = File::open(self.path.join(LOCK));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Names who answers, in a run that was made to be told.
    pub fn name_system(&self, manifest: &Manifest) -> Result<(), RunError> {
        let _lock = lock(&self.path)?;
        write_manifest(&self.path, manifest)
    }

    /// Adds to the failures that were told, one JSON object each.
    pub fn add_failures(&self, lines: &[String]) -> Result<(), RunError> {
        if lines.is_empty() {
            return Ok(());
        }
        let path = self.path.join(FAILURES);
        let mut text = self.failures()?;
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        write_file(&path, text.as_bytes()).map_err(RunError::io(&path))
    }

    /// The failures that were told, one JSON object a line.
    pub fn failures(&self) -> Result<String, RunError> {
        let path = self.path.join(FAILURES);
        match regular::read_to_string(&path, LARGEST_TEXT) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(RunError::io(path)(error)),
        }
    }

    /// Visits every observation (item index, probe index, answer); returns which were there.
    pub fn observations<E: From<RunError>>(
        &self,
        visit: impl FnMut(usize, usize, Answer) -> Result<(), E>,
    ) -> Result<Coverage, E> {
        self.visit_observations(|item, probe| self.plan.stored_key(item, probe), visit)
    }

    /// The same for who holds the items: they are not read once more.
    pub fn observations_of<E: From<RunError>>(
        &self,
        items: &Items,
        visit: impl FnMut(usize, usize, Answer) -> Result<(), E>,
    ) -> Result<Coverage, E> {
        let key = |item, probe| {
            let item = items.get(item);
            Ok(self.plan.key(item.id, item.text, probe))
        };
        self.visit_observations(key, visit)
    }

    fn visit_observations<E: From<RunError>>(
        &self,
        key: impl Fn(usize, usize) -> Result<String, String>,
        mut visit: impl FnMut(usize, usize, Answer) -> Result<(), E>,
    ) -> Result<Coverage, E> {
        let mut coverage = Coverage::new(self.plan.len());
        let reader = LogReader::open_all(self.log_files()?, self.manifest.sums())?;
        let Some(mut reader) = reader else {
            return Ok(coverage);
        };
        // Without a lock two processes can have asked the same, and may have if they agree.
        let mut digests = match self.manifest.log {
            LogLayout::Lines => None,
            LogLayout::Segments => Some(vec![0; self.plan.len()]),
        };
        loop {
            let placed = match reader.read()? {
                None => return Ok(coverage),
                Some(observation) => match self.plan.place(&observation, &key) {
                    Ok(place) => Ok((place, observation.answer)),
                    Err(message) => Err(message),
                },
            };
            let ((item, probe), answer) = placed.map_err(|message| reader.complain(message))?;
            let ordinal = self.plan.ordinal(item, probe);
            let digest = digests.as_ref().map(|_| answer_digest(&answer) as u32);
            if !coverage.insert(ordinal) {
                if digests.as_ref().map(|digests| digests[ordinal]) == digest && digest.is_some() {
                    continue;
                }
                let message = format!("{} was answered before", self.plan.describe(ordinal));
                return Err(reader.complain(message).into());
            }
            if let (Some(digests), Some(digest)) = (&mut digests, digest) {
                digests[ordinal] = digest;
            }
            visit(item, probe, answer)?;
        }
    }

    /// The files kept with the run, by role.
    pub fn inputs(&self) -> Result<BTreeMap<String, TextFile>, RunError> {
        let mut inputs = BTreeMap::new();
        for (role, card) in &self.manifest.inputs {
            let path = input_path(&self.path.join(INPUTS), role)?;
            let text = regular::read_to_string(&path, LARGEST_TEXT).map_err(RunError::io(&path))?;
            if card
                .kept
                .as_ref()
                .is_some_and(|kept| *kept != sha256_hex(text.as_bytes()))
            {
                return Err(RunError::OtherInput { path });
            }
            let file = TextFile {
                path: path.display().to_string(),
                name: card.name.clone(),
                sha256: card.sha256.clone(),
                text,
            };
            inputs.insert(role.clone(), file);
        }
        Ok(inputs)
    }

    pub fn audit_path(&self) -> PathBuf {
        self.path.join(AUDIT)
    }

    /// What people said of the answers, where somebody was asked.
    pub fn audit(&self) -> Result<Option<String>, RunError> {
        let path = self.audit_path();
        match regular::read_to_string(&path, LARGEST_TEXT) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(RunError::io(path)(error)),
        }
    }

    pub fn write_audit(&self, bytes: &[u8]) -> Result<PathBuf, RunError> {
        let path = self.audit_path();
        write_file(&path, bytes).map_err(RunError::io(&path))?;
        Ok(path)
    }

    /// Replaces the stored measures; a reader sees the old file or the new one, never half of one.
    pub fn write_measures(&self, bytes: &[u8]) -> Result<PathBuf, RunError> {
        let path = self.path.join(MEASURES);
        write_file(&path, bytes).map_err(RunError::io(&path))?;
        Ok(path)
    }

    /// Replaces the stored verdicts of a large run; they are made anew with its measures, and read by whoever shows it.
    pub fn write_verdicts(&self, bytes: &[u8]) -> Result<PathBuf, RunError> {
        let path = self.path.join(VERDICTS);
        write_file(&path, bytes).map_err(RunError::io(&path))?;
        Ok(path)
    }
}

fn open_items(path: &Path, manifest: &Manifest) -> Result<ItemStore, RunError> {
    let Some(written) = manifest.items else {
        return ItemStore::open(path, Sums::Absent);
    };
    let items = ItemStore::open(path, Sums::Required)?;
    match items.len() {
        found if found == written => Ok(items),
        found => Err(RunError::OtherItems {
            path: path.to_owned(),
            found,
            written,
        }),
    }
}

/// A role is a plain word, or two with a colon (`align:de`): a manifest from elsewhere cannot point
/// outside its run. Not every file system takes a colon.
pub(crate) fn input_path(directory: &Path, role: &str) -> Result<PathBuf, RunError> {
    let plain = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_plain = |word: &str| !word.is_empty() && word.chars().all(plain);
    if role.split(':').all(is_plain) {
        Ok(directory.join(role.replace(':', ".")))
    } else {
        Err(RunError::BadManifest {
            path: directory.to_owned(),
            message: format!("`{role}` is not the name of an input"),
        })
    }
}

pub(crate) fn write_manifest(path: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let text = manifest
        .to_text()
        .map_err(|error| RunError::io(path)(error.into()))?;
    let path = path.join(MANIFEST);
    write_file(&path, text.as_bytes()).map_err(RunError::io(&path))
}

/// A file in the place of the directory has no manifest either.
fn is_absent(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

pub(crate) fn read_manifest(path: &Path) -> Result<Option<Manifest>, RunError> {
    let path = path.join(MANIFEST);
    let text = match regular::read_to_string(&path, LARGEST_TEXT) {
        Ok(text) => text,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(RunError::io(path)(error)),
    };
    let manifest = Manifest::parse(&text, &path)?;
    match manifest.mixed {
        Some(why) => Err(RunError::Mixed {
            path: path.parent().unwrap_or(&path).to_owned(),
            why,
        }),
        None => Ok(Some(manifest)),
    }
}
