//! Language packs: folders that bring a language of their own (`--language-pack DIR`, or `languages/CODE` in the data
//! directory).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_bench::gest::language_pack;
use epicene_core::{InputError, TextFile};
use epicene_lang::first_person::Detector;
use epicene_lang::first_person::pack::{MANIFEST, Pack, PackError, files_of};
use epicene_run::sha256_hex;

use crate::datasets;
use crate::failure::Failure;
use crate::source;

/// The texts of a pack's files, by their names.
pub type PackFiles = BTreeMap<String, String>;

/// What is wrong with a pack, as the user knows its files.
pub fn complain(folder: &Path, error: PackError) -> InputError {
    let path = folder.join(&error.file).display().to_string();
    let complaint = InputError::new(&path, error.message).with_hint(error.hint);
    match error.line {
        Some(line) => complaint.at_line(line as u64),
        None => complaint,
    }
}

/// Reads the files of a folder that its manifest names.
pub fn read(folder: &Path) -> Result<(Pack, PackFiles), Failure> {
    if !folder.is_dir() {
        return Err(
            Failure::input(format!("{}: there is no such folder", folder.display()))
                .with_hint(format!("a language pack is a folder with {MANIFEST}")),
        );
    }
    let manifest = source::read(&folder.join(MANIFEST))?.text;
    let named = files_of(&manifest).map_err(|error| complain(folder, error))?;
    let mut files = PackFiles::from([(MANIFEST.to_owned(), manifest)]);
    for name in named {
        let text = source::read(&folder.join(&name))?.text;
        files.insert(name, text);
    }
    let pack = Pack::read(&files).map_err(|error| complain(folder, error))?;
    Ok((pack, files))
}

/// The folder of a language: the one that a command names, else the one in the data directory.
fn folder(code: &str, given: Option<&Path>) -> Option<PathBuf> {
    if let Some(given) = given {
        return Some(given.to_owned());
    }
    let is_name = !code.is_empty() && code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let root = datasets::cache_root().ok().filter(|_| is_name)?;
    let folder = root.join("languages").join(code);
    folder.join(MANIFEST).is_file().then_some(folder)
}

/// The pack of a language without a built-in detector, where there is one.
pub fn of(code: &str, given: Option<&Path>) -> Result<Option<(Pack, PackFiles)>, Failure> {
    let Some(folder) = folder(code, given) else {
        return Ok(None);
    };
    let (pack, files) = read(&folder)?;
    if pack.language().code() != code {
        return Err(Failure::usage(format!(
            "{} is a pack of {} (`{}`), not of `{code}`",
            folder.display(),
            pack.language().name(),
            pack.language().code()
        ))
        .with_hint(format!("give --lang {}", pack.language().code())));
    }
    Ok(Some((pack, files)))
}

/// The detector of a language that has none built in.
pub fn detector(code: &str, given: Option<&Path>) -> Result<Option<Detector>, Failure> {
    Ok(of(code, given)?.map(|(pack, _)| pack.detector()))
}

/// A pack as a file that its run keeps.
pub fn kept(code: &str, files: &PackFiles) -> Result<TextFile, Failure> {
    let text = language_pack::bundle(files);
    Ok(TextFile {
        path: format!("language pack {code}"),
        name: code.to_owned(),
        sha256: sha256_hex(text.as_bytes()),
        text,
    })
}
