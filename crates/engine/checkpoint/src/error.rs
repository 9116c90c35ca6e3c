//! What can be wrong with a checkpoint. Every message names the file and, where there is one, the
//! tensor.

use std::fmt;

use epicene_kernels::UnsupportedOnCpu;

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// A GPU that cannot be used.
    #[error("{message}")]
    Device {
        message: String,
        hint: Option<&'static str>,
    },

    #[error(transparent)]
    UnsupportedOnCpu(#[from] UnsupportedOnCpu),

    #[error("int8 sums at most {most} products, and a layer has {inputs} inputs")]
    TooDeep { inputs: usize, most: usize },

    #[error("{file}: {problem}")]
    Unreadable { file: String, problem: String },

    #[error("{directory}: no {wanted}")]
    Missing { directory: String, wanted: String },

    #[error("{file}: pickled weights that cannot be read: {problem}")]
    Pickled { file: String, problem: String },

    #[error("{file}: its pickle names `{global}`, which no weights need; nothing was run")]
    PickledCode { file: String, global: String },

    #[error("{file}: not safetensors: {problem}")]
    Malformed { file: String, problem: String },

    #[error("{file}: ends before the data of `{tensor}` does: the file is truncated")]
    Truncated { file: String, tensor: String },

    #[error("{file}: `{tensor}` is stored as {dtype}, which this engine does not read")]
    Dtype {
        file: String,
        tensor: String,
        dtype: String,
    },

    #[error("{file}: no tensor `{tensor}`")]
    NoTensor { file: String, tensor: String },

    #[error("{file}: `{tensor}` has shape {found}, expected {expected}")]
    Shape {
        file: String,
        tensor: String,
        found: Shape,
        expected: Shape,
    },

    #[error("{file}: `{field}` {problem}")]
    Config {
        file: String,
        field: String,
        problem: String,
    },

    #[error("{file}: `{field}` is {value}, which is not supported")]
    UnknownField {
        file: String,
        field: String,
        value: String,
    },

    #[error(
        "{file}: `{stored}` and `{other}` differ, but the configuration makes them one (`tie_word_embeddings`)"
    )]
    Tied {
        file: String,
        stored: String,
        other: String,
    },

    #[error("{file}: unexpected tensors in the checkpoint: {tensors}")]
    Unread { file: String, tensors: String },

    #[error("{directory}: {problem}")]
    Adapter { directory: String, problem: String },

    #[error("{file}: unknown architecture `{found}`{advice}")]
    UnknownArchitecture {
        file: String,
        found: String,
        /// What it is and which relative is read, in brackets; empty where nothing is known of it.
        advice: String,
        hint: &'static str,
    },

    #[error("{file}: `{found}` is a translation model, which answers no questions about texts")]
    Translates { file: String, found: String },

    #[error("{file}: `{found}` is a causal model, which translates only when it is asked to")]
    NeedsPrompt { file: String, found: String },

    #[error("{file}: `{field}`: quantised weights{method}, which are not supported")]
    Quantised {
        file: String,
        field: String,
        /// In brackets; empty where it is not said.
        method: String,
    },

    #[error("{file}: not a supported translation model: `{found}`{advice}")]
    UnknownTranslator {
        file: String,
        found: String,
        /// As above.
        advice: String,
    },

    #[error(
        "{file}: the tokenizer knows {tokens} tokens, the embedding `{tensor}` has {rows} rows"
    )]
    Vocabulary {
        file: String,
        tokens: usize,
        tensor: String,
        rows: usize,
    },

    #[error(
        "the tokenizer splits Japanese words by MeCab's dictionary `{wanted}`, which is missing"
    )]
    Dictionary { wanted: String },

    #[error("{file}: not a tokenizer: {problem}")]
    Tokenizer { file: String, problem: String },

    #[error("{name}: {problem}")]
    Hub { name: String, problem: String },

    #[error("{name}: cannot reach the hub: {problem}")]
    HubUnreachable { name: String, problem: String },

    #[error("{file}: damaged in the cache: {problem}")]
    Damaged { file: String, problem: String },

    #[error("{message}")]
    Gguf {
        message: String,
        hint: Option<&'static str>,
    },

    #[error("{name}: not in the cache, and HF_HUB_OFFLINE is set")]
    Offline { name: String },
}

/// A tensor's shape, printed as `768 x 768`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<usize>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("scalar");
        }
        for (i, size) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" x ")?;
            }
            write!(f, "{size}")?;
        }
        Ok(())
    }
}

impl CheckpointError {
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            CheckpointError::Device { hint, .. } => *hint,
            CheckpointError::UnsupportedOnCpu(_) => {
                Some("use --dtype f32 (the default), bf16 or int8, or a GPU (--device cuda)")
            }
            CheckpointError::TooDeep { .. } => Some("take --dtype bf16 or f32"),
            CheckpointError::Pickled { .. } => Some(
                "convert it: AutoModelForMaskedLM (…ForCausalLM, …ForSeq2SeqLM).from_pretrained(DIR).save_pretrained(OUT, safe_serialization=True)",
            ),
            CheckpointError::PickledCode { .. } => Some(
                "loading such a file in Python may run whatever it likes; ask for the weights as safetensors",
            ),
            CheckpointError::Missing { .. } => Some(
                "a checkpoint is a directory with config.json, tokenizer.json and model.safetensors or pytorch_model.bin (or index and shards); Marian has source.spm, target.spm and vocab.json for a tokenizer, M2M-100 sentencepiece.bpe.model and vocab.json",
            ),
            CheckpointError::UnknownField { .. } => Some(
                "a setting that is not supported may change every number; `--ignore-config FIELD` reads the model without it, and appears in the signature",
            ),
            CheckpointError::Tied { .. } => Some(
                "versions of transformers disagree on such a file: set `tie_word_embeddings` to false in config.json if both are meant, or delete the one that is not",
            ),
            CheckpointError::Unread { .. } => Some(
                "config.json describes another model than the weights make up; `--ignore-config TENSOR` (or `PREFIX*`) leaves tensors out, and appears in the signature",
            ),
            CheckpointError::Adapter { .. } => Some(
                "an adapter is merged if its base model is in the same directory; merge others with peft's merge_and_unload and save the result",
            ),
            CheckpointError::Dictionary { .. } => Some(
                "EPICENE_MECAB_DICTIONARY names the directory with sys.dic, matrix.bin, char.bin and unk.dic: that of the packages ipadic, unidic-lite (pip) or mecab-ipadic-utf8 (Debian)",
            ),
            CheckpointError::Dtype { .. } => {
                Some("save the model in single or half precision, e.g. `model.float()`")
            }
            CheckpointError::Truncated { .. } => Some("download or copy the file again"),
            CheckpointError::UnknownArchitecture { hint, .. } => Some(hint),
            CheckpointError::Translates { .. } => Some(
                "name it as a translator: --mt dir:PATH or --mt hf:ORG/NAME, without `prompt=`",
            ),
            CheckpointError::NeedsPrompt { .. } => Some(
                "say how behind a comma: prompt=chat (through its chat template), prompt=tower, eurollm or alma (what those were trained on), prompt=FILE or prompt=chat:FILE (a wording of your own)",
            ),
            CheckpointError::Quantised { .. } => {
                Some("take the unquantised checkpoint, or a GGUF of it (gguf:PATH)")
            }
            CheckpointError::UnknownTranslator { .. } => Some(
                "supported translation models: Marian (OPUS-MT), M2M-100, NLLB-200, mBART-50, T5, MADLAD-400, and causal models with prompt=…; a server is asked as openai:MODEL@URL, translations of others are read as file:PATH",
            ),
            CheckpointError::Vocabulary { .. } => {
                Some("tokenizer.json belongs to another model, or the embedding was not resized")
            }
            CheckpointError::Shape { .. } => {
                Some("config.json and the weights belong to different models")
            }
            CheckpointError::Offline { .. } => {
                Some("unset HF_HUB_OFFLINE to download, or copy the files and name them dir:PATH")
            }
            CheckpointError::Hub { .. } => Some(
                "check the name; private and gated models need HF_TOKEN; HF_ENDPOINT names a mirror",
            ),
            CheckpointError::HubUnreachable { .. } => Some(
                "offline? name a copy of the checkpoint (dir:PATH), or set HF_HUB_OFFLINE=1 to use the cache; HF_ENDPOINT names a mirror",
            ),
            CheckpointError::Damaged { .. } => {
                Some("delete the file that it links to, and run the command again to download it")
            }
            CheckpointError::Gguf { hint, .. } => *hint,
            _ => None,
        }
    }
}
