//! Files of answers as systems: who answered, and by which bytes.

use std::path::Path;

use epicene_bench::{AnswerFile, AnswerSheet};
use epicene_core::{SystemCard, TextFile, Unit};
use epicene_lm::AnswerBook;
use epicene_run::sha256_hex;

/// A system that looks its answers up, with the units it has answers in.
pub fn from_sheet(sheet: AnswerSheet, files: &[AnswerFile]) -> (AnswerBook, Vec<Unit>) {
    let sources: Vec<&TextFile> = sheet.files.iter().map(|&file| files[file].file()).collect();
    let mut book = AnswerBook::new(SystemCard {
        name: sheet.system,
        source: format!("file:{}", shared_name(&sources)),
        revision: Some(revision(&sources)),
        dtype: None,
        tokenizer: None,
        kind: sheet.kind,
    });
    let units: Vec<Unit> = sheet.units.iter().map(|(unit, _)| unit.clone()).collect();
    for (unit, answers) in sheet.units {
        book.insert(unit, answers);
    }
    (book, units)
}

/// Who is in the files, as a hint for a name that is not.
pub fn held(sheets: &[AnswerSheet]) -> String {
    let known: Vec<&str> = sheets.iter().map(|sheet| sheet.system.as_str()).collect();
    if known.is_empty() {
        "it names a system of a file of answers (--model file:PATH), and there is none".to_owned()
    } else {
        format!("the files hold {}", known.join(", "))
    }
}

/// The files' name where they have one, else all their names.
fn shared_name(files: &[&TextFile]) -> String {
    let mut names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    names.dedup();
    names.join("+")
}

/// The hash of the file, or of the hashes of several.
fn revision(files: &[&TextFile]) -> String {
    match files {
        [file] => file.sha256.clone(),
        _ => {
            let hashes: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
            sha256_hex(hashes.join("\n").as_bytes())
        }
    }
}

/// A name from the path: `deepl/sk/translations.csv.gz` is deepl, `nllb.sk.csv` is nllb.
pub fn translator_name(path: &Path, language: &str) -> String {
    let component = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let parent = path.parent();
    if component(parent).as_deref() == Some(language)
        && let Some(name) = component(parent.and_then(Path::parent))
    {
        return name;
    }
    let name = component(Some(path)).unwrap_or_default();
    let packed = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let stem = packed.unwrap_or(&name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let bare = ['.', '-', '_']
        .iter()
        .find_map(|separator| stem.strip_suffix(language)?.strip_suffix(*separator));
    bare.filter(|bare| !bare.is_empty())
        .unwrap_or(stem)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translators_are_named_by_their_path() {
        for (path, language, name) in [
            ("x/deepl/sk/translations.csv.gz", "sk", "deepl"),
            ("nllb.sk.csv", "sk", "nllb"),
            ("nllb.sk.csv.zst", "sk", "nllb"),
            ("out/nllb-sk.tsv.gz", "sk", "nllb"),
            ("my_system.csv", "sk", "my_system"),
            ("sk.csv", "sk", "sk"),
        ] {
            assert_eq!(translator_name(Path::new(path), language), name, "{path}");
        }
    }
}
