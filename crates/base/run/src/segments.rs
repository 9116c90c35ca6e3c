//! A log in numbered files, each written whole: for places that know neither appending nor locks, as object stores do.
//! Several processes can write beside each other, since every file has a name of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use epicene_core::Observation;
use epicene_io::write_file;

use crate::log::encode;
use crate::{RunError, Sums};

/// A file is put down when it has this many bytes, or when its first line is this old.
const LARGEST: usize = 4 << 20;
const OLDEST: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct SegmentWriter {
    directory: PathBuf,
    /// Tells the files of one process from those of another.
    own: String,
    next: u64,
    lines: Vec<u8>,
    since: Instant,
    sums: Sums,
}

/// The segments that are there, in the order of their names.
pub fn segments(directory: &Path) -> Result<Vec<PathBuf>, RunError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RunError::io(directory)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(RunError::io(directory))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.ends_with(".jsonl") && !name.starts_with('.')) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

impl SegmentWriter {
    pub fn open(directory: &Path, sums: Sums) -> Result<SegmentWriter, RunError> {
        fs::create_dir_all(directory).map_err(RunError::io(directory))?;
        let last = segments(directory)?.into_iter().filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            name.split('-').next()?.parse::<u64>().ok()
        });
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        let seed = format!("{} {now} {:p}", std::process::id(), &now);
        Ok(SegmentWriter {
            directory: directory.to_owned(),
            own: crate::sha256_hex(seed.as_bytes())[..8].to_owned(),
            next: last.max().unwrap_or(0) + 1,
            lines: Vec::new(),
            since: Instant::now(),
            sums,
        })
    }

    pub fn append(&mut self, observation: &Observation<'_>) -> Result<(), RunError> {
        if self.lines.is_empty() {
            self.since = Instant::now();
        }
        encode(observation, self.sums, &mut self.lines).map_err(RunError::io(&self.directory))?;
        if self.lines.len() >= LARGEST || self.since.elapsed() >= OLDEST {
            self.put()?;
        }
        Ok(())
    }

    /// Writes down what waits, as a file of its own.
    pub fn put(&mut self) -> Result<(), RunError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let name = format!("{:06}-{}.jsonl", self.next, self.own);
        let path = self.directory.join(name);
        write_file(&path, &self.lines).map_err(RunError::io(&path))?;
        self.next += 1;
        self.lines.clear();
        Ok(())
    }
}

/// An error elsewhere loses no answer.
impl Drop for SegmentWriter {
    fn drop(&mut self) {
        let _ = self.put();
    }
}
