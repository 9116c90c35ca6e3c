//! A run's directory opened for asking: begun or continued, locked, appended to.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

use epicene_core::{Answer, Item, Observation, TextFile};
use epicene_io::write_file;

use crate::directory::{
    AUDIT, FAILURES, INPUTS, ITEMS, LINKS, LOCK, LOG, MANIFEST, MEASURES, SEGMENTS, VERDICTS,
    input_path, read_manifest, write_manifest,
};
use crate::merge::answer_digest;
use crate::segments::{SegmentWriter, segments};
use crate::times::TIMES;
use crate::{Coverage, ItemStore, LogLayout, LogWriter, Manifest, RunDirectory, RunError, Times};

/// A run opened for asking. Holds the directory's lock as long as it lives.
#[derive(Debug)]
pub struct RunWriter {
    pub run: RunDirectory,
    pub done: Coverage,
    log: Log,
    /// None where nobody can lock.
    _lock: Option<File>,
}

#[derive(Debug)]
enum Log {
    Lines(LogWriter),
    Segments(SegmentWriter),
}

impl Log {
    fn add(&mut self, observation: &Observation<'_>) -> Result<(), RunError> {
        match self {
            Log::Lines(log) => log.add(observation),
            Log::Segments(log) => log.append(observation),
        }
    }

    fn write(&mut self) -> Result<(), RunError> {
        match self {
            Log::Lines(log) => log.write(),
            Log::Segments(_) => Ok(()),
        }
    }
}

impl RunWriter {
    /// Starts the run in `path`, or continues it if the same command was there before.
    pub fn open(
        path: &Path,
        mut manifest: Manifest,
        items: impl IntoIterator<Item = Item>,
        inputs: &BTreeMap<String, TextFile>,
        fresh: bool,
    ) -> Result<RunWriter, RunError> {
        if path.is_file() {
            return Err(RunError::NotADirectory {
                path: path.to_owned(),
            });
        }
        fs::create_dir_all(path).map_err(RunError::io(path))?;
        refuse_foreign_directory(path)?;
        let lock = match manifest.log {
            LogLayout::Lines => Some(lock(path)?),
            LogLayout::Segments => None,
        };
        // Without a manifest there is no run, only what an interrupted start left.
        if fresh || !path.join(MANIFEST).exists() {
            clear(path)?;
        }
        match read_manifest(path)? {
            Some(before) => {
                let differences = before.differences(&manifest, false);
                if !differences.is_empty() {
                    return Err(RunError::Disagrees {
                        path: path.to_owned(),
                        differences,
                    });
                }
            }
            None => {
                manifest.items = Some(ItemStore::write(&path.join(ITEMS), items)?);
                write_inputs(&path.join(INPUTS), inputs)?;
                write_manifest(path, &manifest)?;
                Times::starting_now().write(path)?;
            }
        }
        let run = RunDirectory::open(path)?;
        // The log is read before it is touched: a foreign file is refused as it is.
        let done = run.observations(|_, _, _| Ok::<(), RunError>(()))?;
        let sums = run.manifest.sums();
        let log = match run.manifest.log {
            LogLayout::Lines => Log::Lines(LogWriter::open(&path.join(LOG), sums)?),
            LogLayout::Segments => Log::Segments(SegmentWriter::open(&path.join(SEGMENTS), sums)?),
        };
        Ok(RunWriter {
            run,
            done,
            log,
            _lock: lock,
        })
    }

    /// Stores an answer. It is on its way to the disk when this returns.
    pub fn record(
        &mut self,
        index: usize,
        item: &Item,
        probe: usize,
        answer: Answer,
    ) -> Result<(), RunError> {
        self.record_all([(index, item, probe, answer)])
    }

    /// Stores answers that are there together. They are on their way to the disk when this returns; of one that cannot
    /// be stored, those before it are.
    pub fn record_all<'a>(
        &mut self,
        answers: impl IntoIterator<Item = (usize, &'a Item, usize, Answer)>,
    ) -> Result<(), RunError> {
        let mut added = Vec::new();
        let mut refused = Ok(());
        for (index, item, probe, answer) in answers {
            refused = self.add(item, index, probe, answer);
            if refused.is_err() {
                break;
            }
            added.push(self.run.plan.ordinal(index, probe));
        }
        self.log.write()?;
        for ordinal in added {
            self.done.insert(ordinal);
        }
        refused
    }

    fn add(
        &mut self,
        item: &Item,
        index: usize,
        probe: usize,
        answer: Answer,
    ) -> Result<(), RunError> {
        let plan = &self.run.plan;
        let place = &plan.probes()[probe];
        let system = &plan.systems()[place.system].name;
        if !answer.is_finite() {
            return Err(RunError::NotFinite {
                item: item.id.clone(),
                system: system.clone(),
                unit: place.ask.unit.to_string(),
            });
        }
        self.log.add(&Observation {
            key: plan.key(&item.id, &item.text, probe).into(),
            item: index as u64 + 1,
            system: system.into(),
            unit: place.ask.unit.as_str().into(),
            scorer: place.ask.scorer.name().into(),
            answer,
        })
    }

    /// What the log already answers, for a merge that is repeated.
    pub(crate) fn answers_there(&self) -> Result<BTreeMap<usize, u64>, RunError> {
        let mut there = BTreeMap::new();
        if self.done.count() > 0 {
            self.run.observations(|item, probe, answer| {
                let ordinal = self.run.plan.ordinal(item, probe);
                there.insert(ordinal, answer_digest(&answer));
                Ok::<(), RunError>(())
            })?;
        }
        Ok(there)
    }

    /// Takes over an observation that another run of the same plan made.
    pub(crate) fn join(
        &mut self,
        ordinal: usize,
        observation: &Observation<'_>,
    ) -> Result<(), RunError> {
        self.log.add(observation)?;
        self.log.write()?;
        self.done.insert(ordinal);
        Ok(())
    }

    /// Marks the answers as those of two models: a report would give a number that is of neither.
    pub fn mark_mixed(&mut self, why: &str) -> Result<(), RunError> {
        self.run.manifest.mixed = Some(why.to_owned());
        write_manifest(self.run.path(), &self.run.manifest)
    }

    /// Ends the asking; the lock is released.
    pub fn finish(mut self) -> Result<RunDirectory, RunError> {
        match &mut self.log {
            Log::Lines(log) => log.sync()?,
            Log::Segments(log) => log.put()?,
        }
        if self.done.count() == self.run.plan.share() as u64 {
            Times::finish(self.run.path())?;
        }
        Ok(self.run)
    }
}

fn write_inputs(directory: &Path, inputs: &BTreeMap<String, TextFile>) -> Result<(), RunError> {
    if inputs.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(directory).map_err(RunError::io(directory))?;
    for (role, file) in inputs {
        let path = input_path(directory, role)?;
        write_file(&path, file.text.as_bytes()).map_err(RunError::io(&path))?;
    }
    Ok(())
}

/// A directory without a manifest is written into only where it is empty or holds what an interrupted start leaves: the
/// lock, items with our checksums, input files beside them, and temporary files. Answers without a manifest are kept.
fn refuse_foreign_directory(path: &Path) -> Result<(), RunError> {
    if path.join(MANIFEST).exists() {
        return Ok(());
    }
    let log = fs::metadata(path.join(LOG)).is_ok_and(|log| log.len() > 0);
    if log || !segments(&path.join(SEGMENTS))?.is_empty() {
        return Err(RunError::LostManifest {
            path: path.to_owned(),
        });
    }
    let started = ItemStore::is_ours(&path.join(ITEMS))?;
    for entry in fs::read_dir(path).map_err(RunError::io(path))? {
        let name = entry.map_err(RunError::io(path))?.file_name();
        let is_ours = match name.to_str() {
            Some(LOCK | TIMES) => true,
            Some(ITEMS | INPUTS) => started,
            // Clearing a run leaves the folder.
            Some(SEGMENTS) => is_empty_folder(&path.join(SEGMENTS)),
            _ => is_part(&name),
        };
        if !is_ours {
            return Err(RunError::NotEmpty {
                path: path.to_owned(),
            });
        }
    }
    Ok(())
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

pub(crate) fn lock(path: &Path) -> Result<File, RunError> {
    let lock_path = path.join(LOCK);
    let file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&lock_path)
        .map_err(RunError::io(&lock_path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(RunError::io(lock_path)(error)),
    }
}

/// Removes what a run wrote. The answers go before the manifest: a run that is half cleared has fewer answers, and answers
/// without a manifest are never the remains of a start.
fn clear(path: &Path) -> Result<(), RunError> {
    let remove = |name: &OsStr| {
        let file = path.join(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(RunError::io(file)(error))
            }
            _ => Ok(()),
        }
    };
    for name in [AUDIT, MEASURES, VERDICTS, FAILURES, TIMES, LOG] {
        remove(OsStr::new(name))?;
    }
    for segment in segments(&path.join(SEGMENTS))? {
        fs::remove_file(&segment).map_err(RunError::io(&segment))?;
    }
    let folder = |name: &str| {
        let folder = path.join(name);
        if folder.is_dir() && !folder.is_symlink() {
            fs::remove_dir_all(&folder).map_err(RunError::io(folder))?;
        }
        Ok(())
    };
    folder(LINKS)?;
    remove(OsStr::new(MANIFEST))?;
    folder(INPUTS)?;
    remove(OsStr::new(ITEMS))?;
    for entry in fs::read_dir(path).map_err(RunError::io(path))? {
        let name = entry.map_err(RunError::io(path))?.file_name();
        if is_part(&name) {
            remove(&name)?;
        }
    }
    Ok(())
}

/// A file that was being written when its process was killed: `measures.json.part`,
/// `.measures.json.4711-0.part`.
fn is_part(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        let begins = |ours: &&str| name.trim_start_matches('.').starts_with(*ours);
        name.ends_with(".part") && [MANIFEST, MEASURES, ITEMS, AUDIT, TIMES].iter().any(begins)
    })
}
