//! Checkpoints: a configuration, weights and a tokenizer, in a directory or in the program itself.

mod config;
mod digest;
mod error;
mod hub;
mod loader;
mod safetensors;
mod weights;

pub use config::Config;
pub(crate) use digest::{FileSet, of_directory as revision_of};
pub use error::{CheckpointError, Shape};
pub use hub::{Download, Hub, Snapshot};
pub use loader::{Bias, Loader};
pub use safetensors::SafeTensors;
pub use weights::{Table, Weights};

use std::path::Path;
use std::sync::Arc;

use crate::tokenizer::TextTokenizer;

/// Everything a model is made from.
#[derive(Debug)]
pub struct Checkpoint {
    pub config: Config,
    pub weights: Arc<dyn Weights>,
    pub tokenizer: TextTokenizer,
    /// What exactly this is: a hash of the files, or the hub's commit.
    pub revision: String,
}

impl Checkpoint {
    /// A directory with `config.json`, `tokenizer.json` and safetensors.
    pub fn open(directory: &Path) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::open_files(directory)?;
        Ok(Checkpoint {
            revision: digest::of_directory(directory, FileSet::LanguageModel)?,
            ..checkpoint
        })
    }

    /// As `open`, without a revision: the caller knows one.
    pub(crate) fn open_files(directory: &Path) -> Result<Checkpoint, CheckpointError> {
        let read = |name: &str| -> Result<Option<String>, CheckpointError> {
            let path = directory.join(name);
            match path.exists() {
                false => Ok(None),
                true => std::fs::read_to_string(&path)
                    .map(Some)
                    .map_err(|error| safetensors::unreadable(name, &error)),
            }
        };
        let missing = |wanted: &str| CheckpointError::Missing {
            directory: directory.display().to_string(),
            wanted: wanted.to_owned(),
        };
        if !directory.is_dir() {
            return Err(CheckpointError::Unreadable {
                file: directory.display().to_string(),
                problem: "not a directory".to_owned(),
            });
        }
        let config = read("config.json")?.ok_or_else(|| missing("config.json"))?;
        let config = Config::parse(&config)?;
        let weights = SafeTensors::open(directory)?;
        let tokenizer = read("tokenizer.json")?.ok_or_else(|| missing("tokenizer.json"))?;
        let tokenizer = TextTokenizer::parse(
            tokenizer.as_bytes(),
            read("tokenizer_config.json")?.as_deref(),
            read("special_tokens_map.json")?.as_deref(),
        )?;
        Ok(Checkpoint {
            config,
            weights: Arc::new(weights),
            tokenizer,
            revision: String::new(),
        })
    }

    /// One file in llama.cpp's format.
    pub fn open_gguf(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let parts = crate::gguf::open(path)?;
        Ok(Checkpoint {
            config: parts.config,
            weights: parts.weights,
            tokenizer: parts.tokenizer,
            revision: digest::of_file(path)?,
        })
    }

    /// From files that are part of the program: each a name and its contents.
    pub fn from_files(files: &[(&str, &'static [u8])]) -> Result<Checkpoint, CheckpointError> {
        let file = |wanted: &str| {
            files
                .iter()
                .find(|(name, _)| *name == wanted)
                .map(|(_, bytes)| *bytes)
        };
        let text = |wanted: &str| file(wanted).map(String::from_utf8_lossy);
        let missing = |wanted: &str| CheckpointError::Missing {
            directory: "embedded model".to_owned(),
            wanted: wanted.to_owned(),
        };
        let config = Config::parse(&text("config.json").ok_or_else(|| missing("config.json"))?)?;
        let shards: Vec<(&str, &'static [u8])> = files
            .iter()
            .filter(|(name, _)| name.ends_with(".safetensors"))
            .copied()
            .collect();
        let tokenizer = file("tokenizer.json").ok_or_else(|| missing("tokenizer.json"))?;
        let tokenizer = TextTokenizer::parse(
            tokenizer,
            text("tokenizer_config.json").as_deref(),
            text("special_tokens_map.json").as_deref(),
        )?;
        Ok(Checkpoint {
            config,
            weights: Arc::new(SafeTensors::from_shards(&shards)?),
            tokenizer,
            revision: digest::of_files(files),
        })
    }
}
