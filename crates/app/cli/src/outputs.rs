//! Files this command writes. Each is opened before the work, so that a bad path does not cost it, and
//! takes its place when it is whole. A file that is read is never written, and no file is two outputs.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use epicene_core::InputError;
use epicene_io::{FileId, OutputFile};

use crate::failure::Failure;
use crate::session::Session;

/// The files of a command so far.
#[derive(Default)]
pub struct Files {
    read: BTreeMap<FileId, PathBuf>,
    written: BTreeMap<FileId, PathBuf>,
}

/// Looks at the files of the command, and may change them.
fn with_files<T>(look: impl FnOnce(&mut Files) -> T) -> T {
    let session = Session::current();
    let mut files = session.files.lock().unwrap_or_else(|b| b.into_inner());
    look(&mut files)
}

/// Remembers a file that is read; refuses one that is to be written.
pub fn note_input(path: &Path) -> Result<(), InputError> {
    let Some(id) = FileId::of(path) else {
        return Ok(());
    };
    with_files(|files| {
        if files.written.contains_key(&id) {
            return Err(InputError::new(
                path.display().to_string(),
                "is an input and an output of the same command",
            )
            .with_hint("write to another file; nothing was changed"));
        }
        files.read.insert(id, path.to_owned());
        Ok(())
    })
}

/// Opens a file for writing.
pub fn create(path: &Path) -> Result<OutputFile, Failure> {
    let refuse = |message: String| {
        Failure::system(format!("{}: {message}", path.display()))
            .with_hint("write to another file; nothing was changed")
    };
    if is_part_of_a_run(path) {
        return Err(refuse(
            "belongs to a run and is not written by hand".to_owned(),
        ));
    }
    if let Some(id) = FileId::of(path) {
        with_files(|files| {
            if files.read.contains_key(&id) {
                return Err(refuse(
                    "is an input and an output of the same command".to_owned(),
                ));
            }
            match files.written.insert(id, path.to_owned()) {
                Some(before) => Err(refuse(format!(
                    "is written twice by the same command (as {})",
                    before.display()
                ))),
                None => Ok(()),
            }
        })?;
    }
    OutputFile::create(path).map_err(|error| failed(path, &error))
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = create(path)?;
    std::io::Write::write_all(&mut file, bytes).map_err(|error| failed(path, &error))?;
    finish(path, file)
}

/// Ends a file that was written piece by piece.
pub fn finish(path: &Path, file: OutputFile) -> Result<(), Failure> {
    file.finish().map_err(|error| failed(path, &error))?;
    // From now on it is a file like any other.
    with_files(|files| files.written.retain(|_, written| written != path));
    Ok(())
}

/// Makes a directory for several files.
pub fn make_directory(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| {
        if path.is_file() {
            Failure::input(format!("{}: this is a file", path.display()))
                .with_hint("name a directory, which is made if it is not there")
        } else {
            failed(path, &error)
        }
    })
}

pub fn failed(path: &Path, error: &std::io::Error) -> Failure {
    let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
    match parent {
        Some(parent) if error.kind() == ErrorKind::NotFound && !parent.exists() => {
            let message = format!(
                "{}: there is no directory {}",
                path.display(),
                parent.display()
            );
            Failure::of_writing(message, error).with_hint(format!("mkdir -p {}", parent.display()))
        }
        _ => Failure::of_writing(format!("{}: {error}", path.display()), error),
    }
}

/// The log and what it is understood by.
fn is_part_of_a_run(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    matches!(
        name,
        Some(
            "manifest.json"
                | "items.jsonl"
                | "log.jsonl"
                | "failures.jsonl"
                | "measures.json"
                | "times.json"
                | "verdicts.bin"
                | "audit.json"
                | "lock"
        )
    ) && path
        .parent()
        .is_some_and(|directory| directory.join("manifest.json").exists())
}
