//! Checkpoints: a configuration, weights and a tokenizer, in a directory or in the program itself.

mod adapter;
mod config;
mod defaults;
mod digest;
mod eight_bits;
mod error;
mod fields;
mod four_bits;
mod hub;
mod loader;
mod packing;
mod part;
mod pickle;
mod safetensors;
mod slices;
mod stored;
mod tied;
mod verified;
mod watched;
mod weights;

pub use config::Config;
pub(crate) use config::short;
pub(crate) use defaults::{Writer, of_generation, same};
pub(crate) use digest::{FileSet, of_directory as revision_of};
use eight_bits::EightBits;
pub use error::CheckpointError;
pub use fields::Fields;
pub(crate) use fields::{all_of, count, joined};
pub use four_bits::FourBits;
pub use hub::{Download, Hub};
pub use loader::{Bias, Loader};
pub use stored::StoredTensors;
use watched::Watched;
use weights::keeping;
pub use weights::{Table, Weights};

use std::path::Path;
use std::sync::Arc;

use crate::architectures::refuse_unread;
use crate::tokenizer::{TextTokenizer, read_file};

/// Everything a model is made from.
#[derive(Debug)]
pub struct Checkpoint {
    pub config: Config,
    pub weights: Arc<dyn Weights>,
    pub tokenizer: TextTokenizer,
    /// What exactly this is: a hash of the files, or the hub's commit.
    pub revision: String,
    /// Fields and tensors a user wants left out.
    pub ignored: Vec<String>,
}

impl Checkpoint {
    /// A directory with `config.json`, `tokenizer.json` and weights.
    pub fn open(directory: &Path, ignored: &[String]) -> Result<Checkpoint, CheckpointError> {
        let checkpoint = Checkpoint::open_files(directory, ignored)?;
        Ok(Checkpoint {
            revision: digest::of_directory(directory, FileSet::LanguageModel)?,
            ..checkpoint
        })
    }

    /// As `open`, without a revision: the caller knows one.
    pub(crate) fn open_files(
        directory: &Path,
        ignored: &[String],
    ) -> Result<Checkpoint, CheckpointError> {
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
        let config = read_file(directory, "config.json")?.ok_or_else(|| missing("config.json"))?;
        let config = Config::parse(&String::from_utf8_lossy(&config))?.ignoring(ignored);
        refuse_unread(&config, FileSet::LanguageModel)?;
        let weights = open_weights(directory, &config)?;
        let tokenizer = TextTokenizer::open(directory, &config, ignored)?;
        Ok(Checkpoint {
            config,
            weights,
            tokenizer,
            revision: String::new(),
            ignored: ignored.to_vec(),
        })
    }

    /// One file in llama.cpp's format.
    pub fn open_gguf(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let parts = crate::gguf::open(path)?;
        Ok(Checkpoint {
            config: parts.config,
            weights: parts.weights,
            tokenizer: parts.tokenizer,
            revision: digest::of_parts(&crate::gguf::files_of(path)?)?,
            ignored: Vec::new(),
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
            &config,
            &[],
        )?;
        Ok(Checkpoint {
            config,
            weights: Arc::new(StoredTensors::from_shards(&shards)?),
            tokenizer,
            revision: digest::of_files(files),
            ignored: Vec::new(),
        })
    }
}

/// The remark that weights came from a pickle, which other tools run when they read it.
pub(crate) const PICKLED: &str = "pickled";

/// The weights of a directory, an adapter beside them merged in.
pub(crate) fn open_weights(
    directory: &Path,
    config: &Config,
) -> Result<Arc<dyn Weights>, CheckpointError> {
    let stored = StoredTensors::open(directory)?;
    if stored.is_pickled() {
        config.remark(PICKLED);
    }
    let weights: Arc<dyn Weights> = match config.eight_bits() {
        None => Arc::new(stored),
        Some(block) => {
            config.remark("fp8");
            Arc::new(EightBits::over(stored, block)?)
        }
    };
    let (weights, remark) = adapter::merged(directory, weights)?;
    if let Some(remark) = remark {
        config.remark(remark);
    }
    Ok(weights)
}

/// Builds a model of watched weights: tensors that no part of it is made from are refused.
pub(crate) fn build<Model>(
    config: &Config,
    weights: Arc<dyn Weights>,
    ignored: &[String],
    load: impl Fn(&Config, Arc<dyn Weights>) -> Result<Model, CheckpointError>,
) -> Result<Model, CheckpointError> {
    if !config.is_written() {
        return load(config, weights);
    }
    let watched = Arc::new(Watched::new(weights));
    let model = load(config, watched.clone())?;
    watched.refuse_unread(config, ignored)?;
    Ok(model)
}

/// Where a system came from, with what a card has to say about how its files were read.
pub(crate) fn remarked(source: &str, config: &Config) -> String {
    let mut parts = vec![source.to_owned()];
    parts.extend(config.remarks());
    parts.join(",")
}
