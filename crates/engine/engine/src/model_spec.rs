//! How language models are named: `dir:PATH`, `hf:ORG/NAME[@REVISION]`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Why a text does not name a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}`: {message}")]
pub struct ModelSpecError {
    pub given: String,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSpec {
    /// `dir:PATH`: a directory with config.json, tokenizer.json and safetensors.
    Directory(PathBuf),
    /// `hf:ORG/NAME[@REVISION]`: from the hub or its cache.
    Hub {
        repository: String,
        revision: Option<String>,
    },
}

impl ModelSpec {
    /// The kinds `from_str` knows, for hints.
    pub const FORMS: &'static str = "dir:PATH, hf:ORG/NAME[@REVISION]";

    /// Whether a specification is of a kind that names a model.
    pub fn is_kind(kind: &str) -> bool {
        matches!(kind, "dir" | "hf")
    }
}

impl FromStr for ModelSpec {
    type Err = ModelSpecError;

    fn from_str(given: &str) -> Result<ModelSpec, ModelSpecError> {
        let error = |message: &str| ModelSpecError {
            given: given.to_owned(),
            message: message.to_owned(),
        };
        match given.split_once(':') {
            Some(("dir", "")) => Err(error("no path after `dir:`")),
            Some(("dir", path)) => Ok(ModelSpec::Directory(PathBuf::from(path))),
            Some(("hf", name)) => {
                let (repository, revision) = match name.split_once('@') {
                    Some((repository, revision)) => (repository, Some(revision)),
                    None => (name, None),
                };
                let parts: Vec<&str> = repository.split('/').collect();
                let plain = |part: &str| {
                    !part.is_empty()
                        && !part.starts_with('.')
                        && part
                            .chars()
                            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                };
                if parts.len() > 2 || !parts.iter().all(|part| plain(part)) {
                    return Err(error("a model on the hub is named ORG/NAME"));
                }
                if revision.is_some_and(|r| r.is_empty() || r.contains("..") || r.starts_with('/'))
                {
                    return Err(error("no branch, tag or commit after `@`"));
                }
                Ok(ModelSpec::Hub {
                    repository: repository.to_owned(),
                    revision: revision.map(str::to_owned),
                })
            }
            _ => Err(error("not the name of a model")),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSpec::Directory(path) => write!(f, "dir:{}", path.display()),
            ModelSpec::Hub {
                repository,
                revision: None,
            } => write!(f, "hf:{repository}"),
            ModelSpec::Hub {
                repository,
                revision: Some(revision),
            } => write!(f, "hf:{repository}@{revision}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_and_print_the_same() {
        for given in [
            "dir:a/b",
            "hf:gpt2",
            "hf:facebook/xlm-v-base",
            "hf:EleutherAI/pythia-70m@step3000",
        ] {
            assert_eq!(given.parse::<ModelSpec>().unwrap().to_string(), given);
        }
    }

    #[test]
    fn names_that_could_leave_the_cache_are_refused() {
        for given in [
            "dir:",
            "hf:",
            "hf:../x",
            "hf:a/b/c",
            "hf:a/..",
            "hf:a@",
            "hf:a@../../x",
            "x:y",
            "gpt2",
        ] {
            assert!(given.parse::<ModelSpec>().is_err(), "{given}");
        }
    }
}
