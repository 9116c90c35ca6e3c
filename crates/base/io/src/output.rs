//! The one way this program writes a file: beside its place under no name, moved there when it is whole.
//! Whatever happens on the way, what was there before stays.
//!
//! Links are followed, permissions kept; devices, pipes and what the shell redirected are written
//! through, never replaced.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Temporary files with a name: those of file systems that cannot do without.
static NAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes temporary files, for a program that ends without unwinding.
pub fn abandon_all() {
    let mut named = NAMED.lock().unwrap_or_else(|broken| broken.into_inner());
    for part in std::mem::take(&mut *named) {
        let _ = fs::remove_file(part);
    }
}

/// A file on its way. Dropped before [`finish`](OutputFile::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    out: Option<BufWriter<File>>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Not a plain file.
    Through,
    /// A temporary file without a name, in the directory of its place.
    Unnamed { place: PathBuf },
    /// A temporary file beside its place.
    Named { part: PathBuf, place: PathBuf },
    /// The directory takes no new files, the file itself can be written: filled at the end.
    Copied { target: File },
}

impl OutputFile {
    /// Opens the way; nothing is changed yet.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let before = match fs::metadata(path) {
            Ok(facts) if facts.is_dir() => {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "is a directory",
                ));
            }
            Ok(facts) if !facts.is_file() || is_redirected(path) => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(OutputFile::new(file, Kind::Through));
            }
            Ok(facts) => Some(facts),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let place = followed(path)?;
        // A file that may not be written may not be replaced either.
        let target = match &before {
            Some(_) => Some(OpenOptions::new().write(true).open(&place)?),
            None => None,
        };
        let (file, kind) = match (temporary(&place), target) {
            (Ok(made), _) => made,
            (Err(error), Some(target)) if is_closed_to_us(&error) => {
                (spool()?, Kind::Copied { target })
            }
            (Err(error), _) => return Err(error),
        };
        let made = OutputFile::new(file, kind);
        if let (Some(before), Some(out)) = (before, &made.out)
            && !matches!(made.kind, Kind::Copied { .. })
        {
            keep_rights(out.get_ref(), &before)?;
        }
        Ok(made)
    }

    fn new(file: File, kind: Kind) -> OutputFile {
        OutputFile {
            out: Some(BufWriter::with_capacity(1 << 16, file)),
            kind,
        }
    }

    /// The file is whole: it takes its place.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(out) = self.out.take() else {
            return Ok(());
        };
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        match &mut self.kind {
            Kind::Through => Ok(()),
            Kind::Unnamed { place } => {
                file.sync_data()?;
                name_it(&file, place)
            }
            Kind::Named { part, place } => {
                file.sync_data()?;
                replace(part, place)?;
                forget(part);
                Ok(())
            }
            Kind::Copied { target } => {
                file.seek(SeekFrom::Start(0))?;
                target.set_len(0)?;
                io::copy(&mut file, target)?;
                target.sync_data()
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // What did not finish is not written by accident, not even what waits in the buffer.
        if let Some(out) = self.out.take() {
            let (file, _) = out.into_parts();
            drop(file);
        }
        if let Kind::Named { part, .. } = &self.kind {
            let _ = fs::remove_file(part);
            forget(part);
        }
    }
}

/// A whole file at once.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

fn forget(part: &Path) {
    let mut named = NAMED.lock().unwrap_or_else(|broken| broken.into_inner());
    named.remove(part);
}

fn is_closed_to_us(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// `/dev/stdout`, `/dev/fd/63`, `/proc/self/fd/1`: what lies behind is open elsewhere, and a file put in
/// its place would not be that.
fn is_redirected(path: &Path) -> bool {
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        if place.starts_with("/dev") || place.starts_with("/proc") {
            return true;
        }
        match next_link(&place) {
            Some(next) => place = next,
            None => return false,
        }
    }
    false
}

/// As many links as the kernel follows.
const LINKS: usize = 40;

fn next_link(place: &Path) -> Option<PathBuf> {
    let target = fs::read_link(place).ok()?;
    Some(match place.parent() {
        Some(parent) => parent.join(target),
        None => target,
    })
}

/// Where a path leads, whether or not something is there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match next_link(&place) {
            Some(next) => place = next,
            None => return Ok(place),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn directory_of(place: &Path) -> &Path {
    match place.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A name beside `place` that nobody has.
fn beside(place: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = place
        .file_name()
        .ok_or_else(|| io::Error::other("names no file"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    hidden.push(format!(".{}-{count}.part", std::process::id()));
    Ok(directory_of(place).join(hidden))
}

fn temporary(place: &Path) -> io::Result<(File, Kind)> {
    if let Some(file) = unnamed(directory_of(place))? {
        let place = place.to_owned();
        return Ok((file, Kind::Unnamed { place }));
    }
    let part = beside(place)?;
    let file = File::options().write(true).create_new(true).open(&part)?;
    let mut named = NAMED.lock().unwrap_or_else(|broken| broken.into_inner());
    named.insert(part.clone());
    let place = place.to_owned();
    Ok((file, Kind::Named { part, place }))
}

/// A file in a directory but under no name: a process that is killed leaves nothing of it. None where
/// the system or the file system has no such thing.
#[cfg(target_os = "linux")]
fn unnamed(directory: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    if !Path::new("/proc/self/fd").exists() {
        return Ok(None);
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(directory, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(File::from(file))),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Gives a file without a name its place.
#[cfg(target_os = "linux")]
fn name_it(file: &File, place: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD};
    let source = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |to: &Path| rustix::fs::linkat(CWD, &*source, CWD, to, AtFlags::SYMLINK_FOLLOW);
    match link(place) {
        Ok(()) => return Ok(()),
        Err(rustix::io::Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let part = beside(place)?;
    link(&part)?;
    let moved = replace(&part, place);
    if moved.is_err() {
        let _ = fs::remove_file(&part);
    }
    moved
}

#[cfg(not(target_os = "linux"))]
fn name_it(_: &File, _: &Path) -> io::Result<()> {
    Err(io::Error::other("a file without a name"))
}

/// Moves a file over another. A file that is mounted by itself cannot be replaced and is filled instead.
fn replace(part: &Path, place: &Path) -> io::Result<()> {
    match fs::rename(part, place) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            let mut from = File::open(part)?;
            let mut to = OpenOptions::new().write(true).truncate(true).open(place)?;
            io::copy(&mut from, &mut to)?;
            to.sync_data()?;
            fs::remove_file(part)
        }
        other => other,
    }
}

/// A file anywhere that is gone when it is closed.
fn spool() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!(".epicene-{}.part", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(unix)]
fn keep_rights(file: &File, before: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    // Only root may give files away; for others the file is theirs from now on.
    let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn keep_rights(file: &File, before: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(before.permissions())
}

/// Which file a path means, however it is spelt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileId {
    /// Device and number on it.
    Number(u64, u64),
    /// Where it would be: nothing is there yet, or the system has no numbers.
    Place(PathBuf),
}

impl FileId {
    /// None for what cannot clash: devices, pipes, places in directories that are not there.
    pub fn of(path: &Path) -> Option<FileId> {
        match fs::metadata(path) {
            Ok(facts) if facts.is_file() => FileId::of_facts(path, &facts),
            Ok(_) => None,
            Err(_) => {
                let place = followed(path).ok()?;
                let directory = directory_of(&place).canonicalize().ok()?;
                Some(FileId::Place(directory.join(place.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn of_facts(_: &Path, facts: &fs::Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId::Number(facts.dev(), facts.ino()))
    }

    #[cfg(not(unix))]
    fn of_facts(path: &Path, _: &fs::Metadata) -> Option<FileId> {
        path.canonicalize().ok().map(FileId::Place)
    }
}
