//! Whether files of the hub's cache are what the hub sent. A blob is named by its hash, so that damage is found when a
//! model is opened. A large file takes seconds to hash: what was found is stamped with the file's size and time, and
//! hashed again when these change.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use epicene_io::{Checksum, regular, sha256_hex, waiting, write_file};

use super::CheckpointError;
use super::weight_file::unreadable;

/// Where stamps are kept: epicene's own cache, since the hub's may be somebody else's.
pub fn stamps_directory() -> Option<PathBuf> {
    let set = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let base = match set("EPICENE_CACHE") {
        Some(own) => return Some(own.join("verified")),
        None if cfg!(windows) => set("LOCALAPPDATA"),
        None if cfg!(target_os = "macos") => set("HOME").map(|home| home.join("Library/Caches")),
        None => set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache"))),
    };
    Some(base?.join("epicene").join("verified"))
}

/// What could be checked of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    All,
    /// The name of a file's blob is no hash, or the file is a copy without one.
    NotAll,
}

/// Checks every file of a snapshot against its hash.
pub fn check(directory: &Path, stamps: Option<&Path>) -> Result<Checked, CheckpointError> {
    let shown = directory.display().to_string();
    let listing = fs::read_dir(directory).map_err(|error| unreadable(&shown, &error))?;
    let mut files: Vec<PathBuf> = listing.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut checked = Checked::All;
    for file in files {
        // A folder belongs to another tool; links that lead nowhere are no files.
        if !file.is_file() {
            continue;
        }
        let blob = fs::read_link(&file).ok();
        let name = blob.as_ref().and_then(|blob| blob.file_name()?.to_str());
        match name.and_then(Checksum::of_length) {
            Some(checksum) => check_file(&file, &checksum, stamps)?,
            None => checked = Checked::NotAll,
        }
    }
    Ok(checked)
}

fn check_file(
    file: &Path,
    checksum: &Checksum,
    stamps: Option<&Path>,
) -> Result<(), CheckpointError> {
    let name = file.display().to_string();
    let io = |error: std::io::Error| unreadable(&name, &error);
    let opened = regular::open(file).map_err(io)?;
    let facts = opened.metadata().map_err(io)?;
    let stamp = stamps.map(|stamps| stamps.join(stamp_name(file, checksum)));
    let text = stamp_text(&facts, checksum);
    if let Some(stamp) = &stamp
        && regular::read(stamp, 1 << 10).is_ok_and(|found| found == text.as_bytes())
    {
        return Ok(());
    }
    let _shown = waiting::begin(|| format!("checking {name} against its hash"));
    let found = checksum.of(opened, facts.len()).map_err(io)?;
    if found != checksum.expected() {
        return Err(CheckpointError::Damaged {
            file: name,
            problem: format!(
                "the {} is {found}, expected {}",
                checksum.name(),
                checksum.expected()
            ),
        });
    }
    if let Some(stamp) = &stamp {
        // Without a stamp the file is hashed again the next time.
        let folder = stamp.parent().map_or(Ok(()), fs::create_dir_all);
        let _ = folder.and_then(|()| write_file(stamp, text.as_bytes()));
    }
    Ok(())
}

/// One stamp for a path and a hash.
fn stamp_name(file: &Path, checksum: &Checksum) -> String {
    let path = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let key = format!("{}\0{}", path.display(), checksum.expected());
    sha256_hex(key.as_bytes())[..32].to_owned()
}

/// What changes when a file does.
fn stamp_text(facts: &Metadata, checksum: &Checksum) -> String {
    let changed = facts.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = changed.map_or(0, |time| time.as_nanos());
    #[cfg(unix)]
    let number = {
        use std::os::unix::fs::MetadataExt;
        // The time of the last change of any kind, which no program sets back.
        format!("{}.{}.{}", facts.ino(), facts.ctime(), facts.ctime_nsec())
    };
    #[cfg(not(unix))]
    let number = String::new();
    format!(
        "{} {} {nanoseconds} {number}",
        checksum.expected(),
        facts.len()
    )
}
