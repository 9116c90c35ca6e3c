//! A whole checkpoint: configuration, weights and tokenizer, from a directory, a GGUF file or the program itself.

use std::path::Path;
use std::sync::Arc;

use epicene_checkpoint::{
    CheckpointError, Config, FileSet, StoredTensors, Weights, open_weights, read_file, revision_of,
    revision_of_bytes, revision_of_parts,
};

use crate::architectures::{gguf_advice, refuse_unread};
use epicene_checkpoint::gguf::{self, Gguf, GgufError, HfWeights};
use epicene_tokenize::{TextTokenizer, gguf_tokenizer};

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
            revision: revision_of(directory, FileSet::LanguageModel)?,
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
        let gguf = Arc::new(Gguf::open(path)?);
        Ok(Checkpoint {
            config: Config::from_fields(gguf::config(&gguf).map_err(with_advice)?),
            tokenizer: TextTokenizer::from_tokenizer(gguf_tokenizer(&gguf)?.tokenizer),
            weights: Arc::new(HfWeights::new(gguf)?),
            revision: revision_of_parts(&gguf::files_of(path)?)?,
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
            revision: revision_of_bytes(files),
            ignored: Vec::new(),
        })
    }
}

/// Adds to the error of an unknown architecture what is known about it.
fn with_advice(error: GgufError) -> GgufError {
    match error {
        GgufError::Architecture { file, found, .. } => GgufError::Architecture {
            advice: gguf_advice(&found),
            file,
            found,
        },
        other => other,
    }
}

/// How many more tokens than embedding rows a tokenizer may have and still be the model's own (Gemma 3 has one).
pub(crate) fn vocabulary_slack(rows: usize) -> usize {
    (rows / 64).max(64)
}
