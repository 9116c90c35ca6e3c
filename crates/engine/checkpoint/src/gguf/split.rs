//! Models that llama.cpp has split into several files: `NAME-00001-of-00003.gguf` and so on. The first holds what is said
//! about the model, each holds some of its tensors.

use std::path::{Path, PathBuf};

use super::{Gguf, GgufError};

/// No model has more parts.
const MOST_PARTS: u64 = 1000;

/// Which part of a model a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// From one.
    part: u64,
    count: u64,
}

impl Gguf {
    /// Which part of a split model this file is, if it is one.
    pub(super) fn split(&self) -> Result<Option<Split>, GgufError> {
        let part = self.number("split.no")?.unwrap_or(0).saturating_add(1);
        Ok(match self.number("split.count")? {
            Some(count) if count > 1 => Some(Split { part, count }),
            _ => None,
        })
    }
}

impl Split {
    /// The complaint that the other parts cannot be found.
    pub fn alone(self, file: String) -> GgufError {
        GgufError::Split {
            file,
            part: self.part,
            count: self.count,
        }
    }

    /// The whole model of which `path` is one part.
    pub fn join(self, path: &Path) -> Result<Gguf, GgufError> {
        let mut joined: Option<Gguf> = None;
        for (number, path) in (1..).zip(parts(path)?) {
            let opened = Gguf::open_one(&path)?;
            let bad = |problem: String| GgufError::Malformed {
                file: opened.file.clone(),
                place: "metadata `split.no`".to_owned(),
                problem,
            };
            let expected = Split {
                part: number,
                count: self.count,
            };
            match opened.split()? {
                Some(found) if found == expected => {}
                found => return Err(bad(format!("is of {found:?}, not of {expected:?}"))),
            }
            let Some(joined) = &mut joined else {
                joined = Some(opened);
                continue;
            };
            for tensor in &opened.tensors {
                let place = joined.tensors.len();
                if joined.by_name.insert(tensor.name.clone(), place).is_some() {
                    return Err(bad(format!("`{}` is in another part too", tensor.name)));
                }
                let mut tensor = tensor.clone();
                tensor.part = joined.bytes.len();
                joined.tensors.push(tensor);
            }
            joined.bytes.extend(opened.bytes);
        }
        let joined = joined.expect("a split model has a first part");
        match joined.number("split.tensors.count")? {
            Some(count) if count != joined.tensors.len() as u64 => Err(joined.bad(
                "split.tensors.count",
                format!("is {count}, but the parts have {}", joined.tensors.len()),
            )),
            _ => Ok(joined),
        }
    }
}

/// The files of a model of which one is given, all of them there; the file itself where its name does not say.
pub fn parts(path: &Path) -> Result<Vec<PathBuf>, GgufError> {
    let opened = Gguf::open_one(path)?;
    let Some(split) = opened.split()? else {
        return Ok(vec![path.to_owned()]);
    };
    let alone = || split.alone(opened.file.clone());
    let name = path.file_name().and_then(|name| name.to_str());
    let ending = |part: u64| format!("-{part:05}-of-{:05}.gguf", split.count);
    let base = name.and_then(|name| name.strip_suffix(&ending(split.part)));
    let base = base.ok_or_else(alone)?;
    if split.count > MOST_PARTS {
        return Err(alone());
    }
    let files: Vec<PathBuf> = (1..=split.count)
        .map(|part| path.with_file_name(format!("{base}{}", ending(part))))
        .collect();
    match files.iter().find(|file| !file.exists()) {
        None => Ok(files),
        Some(missing) => Err(GgufError::MissingPart {
            file: missing.display().to_string(),
            count: split.count,
        }),
    }
}
