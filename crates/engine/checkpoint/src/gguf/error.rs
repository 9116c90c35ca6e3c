//! What can be wrong with a GGUF file. Every message names the file and, where there is one, the
//! tensor or the metadata key.

use std::sync::LazyLock;

use crate::CheckpointError;

use super::FAMILIES;

static WAY_OUT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    format!(
        "supported in GGUF files: {}; measure others through a llama.cpp server as openai:MODEL@URL",
        names.join(", ")
    )
});

#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    #[error("{file}: {source}")]
    Io {
        file: String,
        source: std::io::Error,
    },

    #[error("{file}: not GGUF: the file does not begin with the letters GGUF")]
    NotGguf { file: String },

    #[error("{file}: GGUF version {version}; versions 2 and 3 are supported")]
    Version { file: String, version: u32 },

    #[error("{file}: written for a big-endian machine")]
    BigEndian { file: String },

    #[error("{file}: part {part} of {count} of a split model")]
    Split { file: String, part: u64, count: u64 },

    #[error("{file}: missing; the model has {count} parts")]
    MissingPart { file: String, count: u64 },

    #[error("{file}: ends inside {place}: the file is truncated")]
    Truncated { file: String, place: String },

    #[error("{file}: {place}: {problem}")]
    Malformed {
        file: String,
        place: String,
        problem: String,
    },

    #[error(
        "{file}: `{tensor}` ends at byte {end}, the file at byte {length}: the file is truncated"
    )]
    BeyondEnd {
        file: String,
        tensor: String,
        end: u64,
        length: u64,
    },

    #[error("{file}: `{tensor}` is stored as {stored}, which this engine does not read")]
    Type {
        file: String,
        tensor: String,
        stored: String,
    },

    #[error("{file}: no tensor `{tensor}`")]
    NoTensor { file: String, tensor: String },

    #[error("{file}: unexpected tensor `{tensor}` for the architecture `{architecture}`")]
    UnknownTensor {
        file: String,
        tensor: String,
        architecture: String,
    },

    #[error("{file}: `{tensor}` has {found}, expected {expected}")]
    Shape {
        file: String,
        tensor: String,
        found: String,
        expected: String,
    },

    #[error(
        "{file}: `{tensor}` is made out of {count} stored tensor(s); those found for it are {found}"
    )]
    Parts {
        file: String,
        tensor: String,
        count: usize,
        found: String,
    },

    #[error("{file}: `{tensor}`: numbers {first} to {end} were asked for, it has {elements}")]
    OutOfRange {
        file: String,
        tensor: String,
        first: usize,
        end: usize,
        elements: usize,
    },

    #[error("{file}: metadata `{key}` {problem}")]
    Metadata {
        file: String,
        key: String,
        problem: String,
    },

    #[error("{file}: unknown architecture `{found}`{advice}")]
    Architecture {
        file: String,
        found: String,
        /// What it is, in brackets; empty where nothing is known of it.
        advice: String,
    },

    #[error("{file}: its tokenizer cannot be used: {problem}")]
    Tokenizer { file: String, problem: String },
}

impl GgufError {
    /// What to do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            GgufError::Truncated { .. } | GgufError::BeyondEnd { .. } => {
                Some("download or copy the file again")
            }
            GgufError::Version { .. } => {
                Some("convert the model again with a current llama.cpp; version 1 is from 2023")
            }
            GgufError::Split { .. } => Some(
                "the parts of a model lie together, called NAME-00001-of-0000N.gguf; or join them: llama-gguf-split --merge FIRST OUT",
            ),
            GgufError::MissingPart { .. } => Some("download all parts into one directory"),
            GgufError::Type { .. } => Some(
                "supported are F32, F16, BF16, MXFP4, Q4_0 to Q8_0, Q2_K to Q6_K, IQ1_S to IQ4_XS, TQ1_0 and TQ2_0; take such a file",
            ),
            GgufError::Architecture { .. } => Some(&WAY_OUT),
            _ => None,
        }
    }
}

impl From<GgufError> for CheckpointError {
    fn from(error: GgufError) -> CheckpointError {
        CheckpointError::Gguf {
            message: error.to_string(),
            hint: error.hint(),
        }
    }
}
