//! A run's directory: opening it to continue, checking that it is the same run, reading it back.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use epicene_core::{Answer, Item, Observation, TextFile};
use epicene_io::write_file;

use crate::merge::answer_digest;
use crate::segments::{SegmentWriter, segments};
use crate::{Coverage, ItemStore, LogLayout, LogReader, LogWriter, Manifest, Plan, RunError};

const MANIFEST: &str = "manifest.json";
const ITEMS: &str = "items.jsonl";
const LOG: &str = "log.jsonl";
const SEGMENTS: &str = "log";
const FAILURES: &str = "failures.jsonl";
const MEASURES: &str = "measures.json";
const VERDICTS: &str = "verdicts.bin";
const LOCK: &str = "lock";
const INPUTS: &str = "inputs";
const AUDIT: &str = "audit.json";

/// A run that is there, opened for reading.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    pub manifest: Manifest,
    pub plan: Plan,
}

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
    fn append(&mut self, observation: &Observation<'_>) -> Result<(), RunError> {
        match self {
            Log::Lines(log) => log.append(observation),
            Log::Segments(log) => log.append(observation),
        }
    }
}

impl RunDirectory {
    pub fn open(path: &Path) -> Result<RunDirectory, RunError> {
        let manifest = read_manifest(path)?.ok_or_else(|| RunError::NotARun {
            path: path.to_owned(),
        })?;
        let items = ItemStore::open(&path.join(ITEMS))?;
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
        let lines = self.path.join(LOG);
        let mut files: Vec<PathBuf> = lines.exists().then_some(lines).into_iter().collect();
        files.extend(segments(&self.path.join(SEGMENTS))?);
        Ok(files)
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
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(RunError::io(path)(error)),
        }
    }

    /// Visits every observation (item index, probe index, answer); returns which were there.
    pub fn observations<E: From<RunError>>(
        &self,
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
                Some(observation) => match self.plan.place(&observation) {
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
            let text = fs::read_to_string(&path).map_err(RunError::io(&path))?;
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
        match fs::read_to_string(&path) {
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
}

impl RunDirectory {
    /// Replaces the stored verdicts of a large run; they are made anew with its measures, and read by whoever shows it.
    pub fn write_verdicts(&self, bytes: &[u8]) -> Result<PathBuf, RunError> {
        let path = self.path.join(VERDICTS);
        write_file(&path, bytes).map_err(RunError::io(&path))?;
        Ok(path)
    }
}

impl RunWriter {
    /// Starts the run in `path`, or continues it if the same command was there before.
    pub fn open(
        path: &Path,
        manifest: Manifest,
        items: impl IntoIterator<Item = Item>,
        inputs: &BTreeMap<String, TextFile>,
        fresh: bool,
    ) -> Result<RunWriter, RunError> {
        fs::create_dir_all(path).map_err(RunError::io(path))?;
        refuse_foreign_directory(path)?;
        let lock = match manifest.log {
            LogLayout::Lines => Some(lock(path)?),
            LogLayout::Segments => None,
        };
        // Without a manifest there is no run: what an interrupted start or --fresh left is not ours.
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
                ItemStore::write(&path.join(ITEMS), items)?;
                write_inputs(&path.join(INPUTS), inputs)?;
                write_manifest(path, &manifest)?;
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
        let plan = &self.run.plan;
        let place = &plan.probes()[probe];
        let system = &plan.systems()[place.system].name;
        if !answer.is_finite() {
            return Err(RunError::NotFinite {
                item: item.id.clone(),
                system: system.clone(),
                unit: place.unit.to_string(),
            });
        }
        self.log.append(&Observation {
            key: plan.key(item, probe).into(),
            item: index as u64 + 1,
            system: system.into(),
            unit: place.unit.as_str().into(),
            scorer: place.scorer.name().into(),
            answer,
        })?;
        self.done.insert(plan.ordinal(index, probe));
        Ok(())
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
        self.log.append(observation)?;
        self.done.insert(ordinal);
        Ok(())
    }

    /// Ends the asking; the lock is released.
    pub fn finish(mut self) -> Result<RunDirectory, RunError> {
        match &mut self.log {
            Log::Lines(log) => log.sync()?,
            Log::Segments(log) => log.put()?,
        }
        Ok(self.run)
    }
}

/// A role is a plain word, or two with a colon (`align:de`): a manifest from elsewhere cannot point
/// outside its run. Not every file system takes a colon.
fn input_path(directory: &Path, role: &str) -> Result<PathBuf, RunError> {
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

fn write_manifest(path: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let mut text =
        serde_json::to_string_pretty(manifest).map_err(|error| RunError::io(path)(error.into()))?;
    text.push('\n');
    let path = path.join(MANIFEST);
    write_file(&path, text.as_bytes()).map_err(RunError::io(&path))
}

fn read_manifest(path: &Path) -> Result<Option<Manifest>, RunError> {
    let path = path.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunError::io(path)(error)),
    };
    Manifest::parse(&text, &path).map(Some)
}

/// A directory with other people's files is not ours to write into, and never to clear.
fn refuse_foreign_directory(path: &Path) -> Result<(), RunError> {
    const OURS: [&str; 10] = [
        MANIFEST, INPUTS, ITEMS, LOG, SEGMENTS, FAILURES, MEASURES, VERDICTS, AUDIT, LOCK,
    ];
    if path.join(MANIFEST).exists() {
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(RunError::io(path))? {
        let name = entry.map_err(RunError::io(path))?.file_name();
        if !OURS.iter().any(|ours| name == *ours) && !is_part(&name) {
            return Err(RunError::NotEmpty {
                path: path.to_owned(),
            });
        }
    }
    Ok(())
}

fn lock(path: &Path) -> Result<File, RunError> {
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

/// Removes what a run wrote; the manifest goes first, so that a half-cleared run is no run.
fn clear(path: &Path) -> Result<(), RunError> {
    let mut names: Vec<OsString> = [MANIFEST, AUDIT, MEASURES, VERDICTS, LOG, FAILURES, ITEMS]
        .map(OsString::from)
        .into();
    for entry in fs::read_dir(path).map_err(RunError::io(path))? {
        let name = entry.map_err(RunError::io(path))?.file_name();
        if is_part(&name) {
            names.push(name);
        }
    }
    for name in names {
        let file = path.join(name);
        match fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(RunError::io(file)(error)),
        }
    }
    for segment in segments(&path.join(SEGMENTS))? {
        fs::remove_file(&segment).map_err(RunError::io(&segment))?;
    }
    let inputs = path.join(INPUTS);
    if inputs.is_dir() && !inputs.is_symlink() {
        fs::remove_dir_all(&inputs).map_err(RunError::io(inputs))
    } else {
        Ok(())
    }
}

/// A file that was being written when its process was killed: `measures.json.part`,
/// `.measures.json.4711-0.part`.
fn is_part(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        let begins = |ours: &&str| name.trim_start_matches('.').starts_with(*ours);
        name.ends_with(".part") && [MANIFEST, MEASURES, ITEMS, AUDIT].iter().any(begins)
    })
}
