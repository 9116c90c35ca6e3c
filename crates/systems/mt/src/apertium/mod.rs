//! Apertium: rule-based translation with the programs and language pairs that are installed
//! (`apertium:`), one long-lived pipeline for each direction.
//!
//! A direction is a "mode" of a language pair, a file with a pipeline in the words of a shell. Its
//! programs are run here as they stand there, without the `apertium` wrapper, which reads all of
//! its input before it says anything.

mod format;
mod pipeline;
mod process;
mod tagger;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use epicene_core::{Language, ModelKind, SystemCard};
use sha2::{Digest, Sha256};

use crate::kind::{Form, Kind};
use crate::{Direction, Limits, MtError, Translated, Translator};
use pipeline::Direction as Programs;

/// Where packages put their modes.
const DIRECTORY: &str = "/usr/share/apertium";

pub(crate) const KIND: Kind = Kind {
    names: &["apertium"],
    options: &["unknown"],
    forms: &[Form {
        form: "apertium:[MODE|DIRECTORY][,unknown=marked]",
        about: "rule-based, as installed",
        needs: "packages apertium and apertium-PAIR",
        price: None,
    }],
    check: |spec| match spec.options().get("unknown") {
        None | Some("marked" | "plain") => Ok(()),
        Some(_) => Err("unknown is `marked` or `plain`".to_owned()),
    },
    open: |spec, opening| {
        let place = Some(spec.place()).filter(|place| !place.is_empty());
        let marked = spec.options().get("unknown") == Some("marked");
        Ok(Box::new(Apertium::open(place, marked, opening.directions)?))
    },
};

pub struct Apertium {
    card: SystemCard,
    /// By source and target language.
    pipelines: BTreeMap<(String, String), Pipeline>,
}

struct Pipeline {
    revision: String,
    programs: Mutex<Programs>,
}

/// A mode that was found.
struct Mode {
    name: String,
    path: PathBuf,
}

impl Apertium {
    /// `place` is the name of a mode or a directory with modes; `marked` keeps the signs Apertium
    /// puts before words it does not know.
    pub fn open(
        place: Option<&str>,
        marked: bool,
        directions: &[Direction<'_>],
    ) -> Result<Apertium, MtError> {
        let usual = std::env::var("APERTIUM_DATADIR").ok();
        let usual = usual.filter(|path| !path.is_empty());
        let usual = PathBuf::from(usual.as_deref().unwrap_or(DIRECTORY));
        let (directory, mode) = match place {
            Some(place) if Path::new(place).is_dir() => (PathBuf::from(place), None),
            Some(mode) => (usual, Some(mode)),
            None => (usual, None),
        };
        let version = version()?;
        let mut pipelines = BTreeMap::new();
        let mut revisions = vec![version.clone()];
        for Direction { from, to } in directions {
            let mode = find(&directory, mode, from, to)?;
            let pair = pair_version(&mode);
            let revision = format!("{version}+{}-{pair}", mode.name);
            revisions.push(format!("{}-{pair}", mode.name));
            let script = script(&mode)?;
            let programs = Mutex::new(Programs::new(&mode.name, &script, marked));
            let pipeline = Pipeline { revision, programs };
            pipelines.insert(((*from).to_owned(), (*to).to_owned()), pipeline);
        }
        let unknown = if marked { "marked" } else { "plain" };
        let named = mode.unwrap_or("");
        Ok(Apertium {
            card: SystemCard {
                name: "apertium".to_owned(),
                source: format!("apertium:{named},unknown={unknown}"),
                revision: Some(revisions.join("+")),
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Translator,
            },
            pipelines,
        })
    }

    fn pipeline(&self, Direction { from, to }: Direction<'_>) -> Result<&Pipeline, MtError> {
        let key = (from.to_owned(), to.to_owned());
        self.pipelines.get(&key).ok_or_else(|| MtError::Language {
            service: "apertium".to_owned(),
            from: key.0,
            to: key.1,
            message: "it was not opened for these languages".to_owned(),
        })
    }
}

impl Translator for Apertium {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    /// Anything goes; a batch is what a killed run has to do again.
    fn limits(&self) -> Limits {
        Limits {
            texts: 512,
            characters: usize::MAX,
            bytes: usize::MAX,
            requests: 1,
        }
    }

    fn check_direction(&self, direction: Direction<'_>) -> Result<(), MtError> {
        self.pipeline(direction).map(drop)
    }

    fn revision(&self, direction: Direction<'_>) -> Option<String> {
        let pipeline = self.pipeline(direction).ok()?;
        Some(pipeline.revision.clone())
    }

    fn translate(
        &self,
        batch: &[&str],
        direction: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        let programs = &self.pipeline(direction)?.programs;
        let mut programs = programs.lock().unwrap_or_else(|broken| broken.into_inner());
        programs.translate(batch)
    }
}

fn program(name: &str, message: impl Into<String>) -> MtError {
    MtError::Program {
        program: name.to_owned(),
        message: message.into(),
    }
}

/// `3.8.3`, from `apertium -V`.
fn version() -> Result<String, MtError> {
    let output = Command::new("apertium")
        .arg("-V")
        .output()
        .map_err(|error| program("apertium", format!("cannot be run ({error})")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.split_whitespace().last();
    version
        .map(str::to_owned)
        .ok_or_else(|| program("apertium", "does not say its version"))
}

/// The mode with this name, or the one between these languages: names are made of codes with three
/// letters or with two.
fn find(directory: &Path, name: Option<&str>, from: &str, to: &str) -> Result<Mode, MtError> {
    let at = |name: &str| {
        [directory.join("modes"), directory.to_owned()]
            .into_iter()
            .map(|place| place.join(format!("{name}.mode")))
            .find(|path| path.is_file())
            .map(|path| Mode {
                name: name.to_owned(),
                path,
            })
    };
    let codes = |code: &str| {
        let base = code.split(['-', '_']).next().unwrap_or(code).to_owned();
        let three = Language::closest(&base).map(|language| language.three().to_owned());
        three.into_iter().chain([base]).collect::<Vec<_>>()
    };
    let (sources, targets) = (codes(from), codes(to));
    let between = |name: &str| {
        let parts: Vec<&str> = name.split(['-', '_']).collect();
        matches!(parts[..], [source, target, ..]
            if sources.iter().any(|code| code == source) && targets.iter().any(|code| code == target))
    };
    let plain = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    let found = match name {
        Some(name) if !plain(name) => None,
        Some(name) if !between(name) => {
            return Err(MtError::Language {
                service: format!("apertium:{name}"),
                from: from.to_owned(),
                to: to.to_owned(),
                message: "the mode is for other languages".to_owned(),
            });
        }
        Some(name) => at(name),
        None => sources
            .iter()
            .flat_map(|source| {
                targets
                    .iter()
                    .map(move |target| format!("{source}-{target}"))
            })
            .find_map(|name| at(&name)),
    };
    found.ok_or_else(|| {
        let there = modes(directory);
        let message = if there.is_empty() {
            format!("there are no modes in {}", directory.display())
        } else {
            format!("the modes there are: {}", there.join(", "))
        };
        MtError::Language {
            service: "apertium".to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            message,
        }
    })
}

fn modes(directory: &Path) -> Vec<String> {
    let entries = [directory.join("modes"), directory.to_owned()];
    let entries = entries.iter().filter_map(|path| fs::read_dir(path).ok());
    let mut names: Vec<String> = entries
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.strip_suffix(".mode").map(str::to_owned)
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The version of the package a mode belongs to, or the hash of the files it names.
fn pair_version(mode: &Mode) -> String {
    let said = |arguments: &[&str]| {
        let output = Command::new("dpkg-query").args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let path = mode.path.to_string_lossy();
    let packaged = said(&["-S", &path]).and_then(|owner| {
        let package = owner.split(':').next()?.to_owned();
        said(&["-W", "-f", "${Version}", &package])
    });
    packaged.unwrap_or_else(|| {
        let text = fs::read_to_string(&mode.path).unwrap_or_default();
        let mut digest = Sha256::new();
        digest.update(&text);
        for word in text.split(['\'', ' ', '"']) {
            if let Ok(bytes) = fs::read(word) {
                digest.update(&bytes);
            }
        }
        let hex = digest.finalize();
        hex.iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    })
}

/// The pipeline of a mode, each program told to answer at every zero byte.
fn script(mode: &Mode) -> Result<String, MtError> {
    let output = Command::new("apertium-wblank-mode")
        .arg("-z")
        .arg(&mode.path)
        .output();
    if let Ok(output) = output
        && output.status.success()
        && let Ok(script) = String::from_utf8(output.stdout)
        && !script.trim().is_empty()
    {
        return Ok(script.trim().to_owned());
    }
    let path = mode.path.display().to_string();
    let text = fs::read_to_string(&mode.path).map_err(|error| program(&path, error.to_string()))?;
    Ok(flushing(&text))
}

/// As `apertium-wblank-mode -z` does, for versions that do not have it.
fn flushing(mode: &str) -> String {
    let programs = mode.trim().split('|').map(|program| {
        let program = program.trim();
        match program.split_once(' ') {
            Some((name, rest)) => format!("{name} -z {rest}"),
            None => format!("{program} -z"),
        }
    });
    programs.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_found_by_language_or_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let modes_at = directory.path().join("modes");
        fs::create_dir(&modes_at).unwrap();
        for name in ["eng-spa", "en-gl", "eng-cat", "eng-cat_valencia"] {
            fs::write(modes_at.join(format!("{name}.mode")), "cat").unwrap();
        }
        let path = directory.path();
        let name = |name, to| find(path, name, "en", to).map(|mode| mode.name);
        assert_eq!(name(None, "es").unwrap(), "eng-spa");
        assert_eq!(name(None, "gl").unwrap(), "en-gl");
        assert_eq!(name(None, "ca").unwrap(), "eng-cat");
        assert_eq!(
            name(Some("eng-cat_valencia"), "ca").unwrap(),
            "eng-cat_valencia"
        );
        assert!(name(Some("eng-spa"), "ca").is_err());
        let error = name(None, "sk").unwrap_err().to_string();
        assert!(error.contains("eng-cat_valencia, eng-spa"), "{error}");
        assert!(name(Some("../eng-spa"), "es").is_err());
    }

    #[test]
    fn programs_are_told_to_flush() {
        assert_eq!(
            flushing("lt-proc '/a b.bin' | apertium-pretransfer | lt-proc $1 'x'\n"),
            "lt-proc -z '/a b.bin' | apertium-pretransfer -z | lt-proc -z $1 'x'"
        );
    }
}
