//! Golden files, and a writer of GGUF files that can be wrong on purpose.

use std::path::{Path, PathBuf};

use epicene_checkpoint::gguf::Gguf;
use serde_json::Value;

pub fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/gguf/golden")
        .join(name)
}

pub fn open(name: &str) -> Gguf {
    Gguf::open(&golden(name)).unwrap()
}

/// What llama.cpp answered (tools/reference/gguf_golden.py).
pub fn llama_cpp() -> Value {
    serde_json::from_str(&std::fs::read_to_string(golden("llama_cpp.json")).unwrap()).unwrap()
}

/// The same of the architectures that came later (tools/reference/gguf_families.py).
pub fn families() -> Value {
    serde_json::from_str(&std::fs::read_to_string(golden("families.json")).unwrap()).unwrap()
}

/// The same of checkpoints that were converted (tools/reference/gguf_converted.py).
pub fn converted() -> Value {
    serde_json::from_str(&std::fs::read_to_string(golden("hf.json")).unwrap()).unwrap()
}

pub const CONVERTED: &[&str] = &["deepseek_v2", "deepseek_v2-lite", "deepseek_v3", "gemma3n"];

pub const TINY: &[&str] = &[
    "llama", "llama3", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi2", "gpt2", "gptneox",
];

#[derive(Debug, Clone)]
pub struct Writer {
    pub version: u32,
    pub metadata: Vec<(String, Vec<u8>)>,
    /// Name, dimensions (fastest first), type, offset.
    pub tensors: Vec<(String, Vec<u64>, u32, u64)>,
    pub alignment: usize,
    pub data: Vec<u8>,
}

pub fn string(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

/// A value with its type in front.
pub fn typed(code: u32, value: impl AsRef<[u8]>) -> Vec<u8> {
    let mut bytes = code.to_le_bytes().to_vec();
    bytes.extend(value.as_ref());
    bytes
}

impl Default for Writer {
    fn default() -> Writer {
        Writer {
            version: 3,
            metadata: Vec::new(),
            tensors: Vec::new(),
            alignment: 32,
            data: Vec::new(),
        }
    }
}

impl Writer {
    pub fn with(mut self, key: &str, value: Vec<u8>) -> Writer {
        self.metadata.push((key.to_owned(), value));
        self
    }

    pub fn tensor(mut self, name: &str, dimensions: &[u64], code: u32, offset: u64) -> Writer {
        self.tensors
            .push((name.to_owned(), dimensions.to_vec(), code, offset));
        self
    }

    pub fn data(mut self, data: Vec<u8>) -> Writer {
        self.data = data;
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            bytes.extend(string(key));
            bytes.extend(value);
        }
        for (name, dimensions, code, offset) in &self.tensors {
            bytes.extend(string(name));
            bytes.extend((dimensions.len() as u32).to_le_bytes());
            dimensions
                .iter()
                .for_each(|size| bytes.extend(size.to_le_bytes()));
            bytes.extend(code.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(self.alignment), 0);
        bytes.extend(&self.data);
        bytes
    }
}
