//! The revision of a checkpoint on disk: a SHA-256 over what can change an answer.
//!
//! Small files go in whole. Of a large file of weights the size, the beginning (with the header)
//! and blocks at even distances go in: reading a gigabyte to name it would take longer than the
//! first hundred scores, and no two checkpoints of one shape agree in all those places.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use epicene_io::digest::hex;
use epicene_io::regular;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::CheckpointError;
use super::weight_file::{read_file, unreadable};

/// Files up to this size are hashed whole.
const WHOLE: u64 = 64 << 20;
const BLOCK: u64 = 4 << 10;
const BLOCKS: u64 = 4096;

/// Files that a tokenizer is made of where there is no `tokenizer.json`.
pub const OLD_TOKENIZER_FILES: &[&str] = &[
    "added_tokens.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "spiece.model",
    "spm.model",
    "tokenizer.model",
    "vocab.json",
    "vocab.txt",
];

/// Which files make up a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSet {
    LanguageModel,
    /// A language model that writes: its settings and its chat template count too.
    Writer,
    Translator,
}

impl FileSet {
    /// Files that need not be there.
    pub fn optional(self) -> &'static [&'static str] {
        match self {
            FileSet::LanguageModel => &[
                "adapter_config.json",
                "adapter_model.safetensors",
                "added_tokens.json",
                "tokenizer.json",
                "tokenizer_config.json",
                "special_tokens_map.json",
            ],
            FileSet::Writer => &[
                "adapter_config.json",
                "adapter_model.safetensors",
                "added_tokens.json",
                "chat_template.jinja",
                "generation_config.json",
                "tokenizer.json",
                "tokenizer_config.json",
                "special_tokens_map.json",
            ],
            FileSet::Translator => &[
                "adapter_config.json",
                "adapter_model.safetensors",
                "generation_config.json",
                "sentencepiece.bpe.model",
                "source.spm",
                "special_tokens_map.json",
                "target.spm",
                "target_vocab.json",
                "tokenizer.json",
                "tokenizer_config.json",
                "vocab.json",
            ],
        }
    }

    /// Files that must be there, beside the weights.
    pub fn needed(self) -> &'static [&'static str] {
        match self {
            FileSet::LanguageModel | FileSet::Writer | FileSet::Translator => &["config.json"],
        }
    }

    /// Files that count only where there is no `tokenizer.json`, or none that is read.
    pub fn older(self) -> &'static [&'static str] {
        match self {
            FileSet::LanguageModel | FileSet::Writer => OLD_TOKENIZER_FILES,
            FileSet::Translator => &["spiece.model"],
        }
    }

    /// Files of which one must be there.
    pub fn one_of(self) -> &'static [&'static str] {
        match self {
            FileSet::LanguageModel | FileSet::Writer => &[
                "tokenizer.json",
                "sentencepiece.bpe.model",
                "sentencepiece.model",
                "spiece.model",
                "spm.model",
                "tokenizer.model",
                "vocab.json",
                "vocab.txt",
            ],
            FileSet::Translator => &[
                "tokenizer.json",
                "source.spm",
                "sentencepiece.bpe.model",
                "spiece.model",
            ],
        }
    }

    fn counts(self, name: &str) -> bool {
        let sets = [self.needed(), self.optional(), self.older()];
        is_weights(name) || sets.iter().any(|set| set.contains(&name))
    }
}

/// Files of weights, of either container.
pub fn is_weights(name: &str) -> bool {
    name.ends_with(".safetensors") || is_pickled(name)
}

fn is_pickled(name: &str) -> bool {
    name == "adapter_model.bin" || (name.starts_with("pytorch_model") && name.ends_with(".bin"))
}

/// The names of the files that count, in order.
fn counts(name: &str) -> bool {
    FileSet::LanguageModel.counts(name)
}

pub fn of_directory(directory: &Path, set: FileSet) -> Result<String, CheckpointError> {
    let listing = std::fs::read_dir(directory)
        .map_err(|error| unreadable(&directory.display().to_string(), &error))?;
    let mut names: Vec<String> = listing
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| set.counts(name))
        .collect();
    names.sort();
    // Pickled weights beside safetensors are not read.
    let is_preferred = |name: &String| name.starts_with("model") && name.ends_with(".safetensors");
    if names.iter().any(is_preferred) {
        names.retain(|name| !is_pickled(name));
    }
    let has_new = names.iter().any(|name| name == "tokenizer.json");
    if has_new && !reads_older_files(directory)? {
        names.retain(|name| {
            let name = name.as_str();
            set.optional().contains(&name) || !set.older().contains(&name)
        });
    }
    let mut hash = Sha256::new();
    let mut sampled = false;
    for name in names {
        sampled |= add(&mut hash, &directory.join(&name), &name)?;
    }
    Ok(name_of(hash, sampled))
}

/// Whether older files are read although there is a `tokenizer.json`: Japanese words are split by them.
fn reads_older_files(directory: &Path) -> Result<bool, CheckpointError> {
    for name in ["tokenizer_config.json", "config.json"] {
        let bytes = read_file(directory, name)?.unwrap_or_default();
        let parsed: Option<Value> = serde_json::from_slice(&bytes).ok();
        let class = parsed.as_ref().and_then(|v| v.get("tokenizer_class"));
        if let Some(class) = class.and_then(Value::as_str) {
            return Ok(class == "BertJapaneseTokenizer");
        }
    }
    Ok(false)
}

/// The files of one checkpoint in order, mostly one. Their names do not count: people rename them.
pub fn of_parts(paths: &[PathBuf]) -> Result<String, CheckpointError> {
    let mut hash = Sha256::new();
    let mut sampled = false;
    for path in paths {
        sampled |= add(&mut hash, path, "")?;
    }
    Ok(name_of(hash, sampled))
}

/// Whether only samples of the file went in.
fn add(hash: &mut Sha256, path: &Path, name: &str) -> Result<bool, CheckpointError> {
    let io = |error: std::io::Error| unreadable(&path.display().to_string(), &error);
    let mut file = regular::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    hash.update(format!("{name}\0{size}\0"));
    let whole = size <= WHOLE;
    let mut buffer = vec![0; if whole { 1 << 16 } else { BLOCK as usize }];
    for block in 0..if whole { 1 } else { BLOCKS } {
        if !whole {
            let start = u128::from(size - BLOCK) * u128::from(block) / u128::from(BLOCKS - 1);
            file.seek(SeekFrom::Start(start as u64)).map_err(io)?;
        }
        loop {
            let count = file.read(&mut buffer).map_err(io)?;
            hash.update(&buffer[..count]);
            if count == 0 || !whole {
                break;
            }
        }
    }
    Ok(!whole)
}

pub fn of_files(files: &[(&str, &[u8])]) -> String {
    let mut files: Vec<_> = files.iter().filter(|(name, _)| counts(name)).collect();
    files.sort();
    let mut hash = Sha256::new();
    for (name, bytes) in files {
        hash.update(format!("{name}\0{}\0", bytes.len()));
        hash.update(bytes);
    }
    name_of(hash, false)
}

fn name_of(hash: Sha256, sampled: bool) -> String {
    let kind = if sampled { "sampled-sha256" } else { "sha256" };
    format!("{kind}:{}", hex(&hash.finalize()))
}
