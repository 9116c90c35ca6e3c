//! The architectures that can be read, and where each of their tensors goes: from llama.cpp's names
//! (`blk.0.attn_q.weight`) to those of Hugging Face (`model.layers.0.self_attn.q_proj.weight`), and
//! from the layout llama.cpp's converters give a tensor back to the one it was converted from.

use super::{Gguf, GgufError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// Also Mistral and SmolLM, which llama.cpp files under the same name.
    Llama,
    Qwen2,
    Qwen3,
    Gemma,
    Gemma2,
    Gemma3,
    Phi2,
    Gpt2,
    GptNeox,
}

/// How a tensor differs from the one it was converted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Same,
    /// Rows of each head were reordered so that the two numbers a rotary position turns lie side
    /// by side; Hugging Face keeps them half a head apart. With the heads' number.
    Interleaved {
        heads: usize,
    },
    /// Queries, keys and values of all heads after each other; GPT-NeoX keeps them head by head.
    PartAfterPart {
        heads: usize,
    },
    /// Some rows of a larger tensor.
    Rows {
        first: usize,
        count: usize,
    },
    /// Outputs first; GPT-2 keeps inputs first.
    Transposed,
    /// One was added (Gemma's norms, whose weights count from one).
    PlusOne,
}

/// GGUF name inside a block, Hugging Face name inside a layer.
type Names = &'static [(&'static str, &'static str)];

const LLAMA: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

/// From Gemma 2 on a norm stands on both sides of each half.
const GEMMA: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("post_attention_norm", "post_attention_layernorm"),
    ("ffn_norm", "pre_feedforward_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
    ("post_ffw_norm", "post_feedforward_layernorm"),
];

const PHI: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.dense"),
    ("ffn_up", "mlp.fc1"),
    ("ffn_down", "mlp.fc2"),
];

const GPT2: Names = &[
    ("attn_norm", "ln_1"),
    ("attn_qkv", "attn.c_attn"),
    ("attn_output", "attn.c_proj"),
    ("ffn_norm", "ln_2"),
    ("ffn_up", "mlp.c_fc"),
    ("ffn_down", "mlp.c_proj"),
];

const NEOX: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_qkv", "attention.query_key_value"),
    ("attn_output", "attention.dense"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_up", "mlp.dense_h_to_4h"),
    ("ffn_down", "mlp.dense_4h_to_h"),
];

/// GGUF name outside the blocks, Hugging Face name.
const OUTSIDE: Names = &[
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.norm"),
    ("output", "lm_head"),
];
const OUTSIDE_PHI: Names = &[
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.final_layernorm"),
    ("output", "lm_head"),
];
const OUTSIDE_GPT2: Names = &[
    ("token_embd", "transformer.wte"),
    ("position_embd", "transformer.wpe"),
    ("output_norm", "transformer.ln_f"),
    ("output", "lm_head"),
];
const OUTSIDE_NEOX: Names = &[
    ("token_embd", "gpt_neox.embed_in"),
    ("output_norm", "gpt_neox.final_layer_norm"),
    ("output", "embed_out"),
];

/// More is nobody's model.
const MOST_HEADS: u64 = 1 << 16;

/// Factors on rotary frequencies: hyper-parameters that are stored as a tensor.
pub const ROTARY_FACTORS: &str = "rope_freqs.weight";

impl Architecture {
    pub fn of(gguf: &Gguf) -> Result<Architecture, GgufError> {
        const KEY: &str = "general.architecture";
        let found = gguf.text(KEY)?.ok_or_else(|| gguf.bad(KEY, "is missing"))?;
        Ok(match found {
            "llama" => Architecture::Llama,
            "qwen2" => Architecture::Qwen2,
            "qwen3" => Architecture::Qwen3,
            "gemma" => Architecture::Gemma,
            "gemma2" => Architecture::Gemma2,
            "gemma3" => Architecture::Gemma3,
            "phi2" => Architecture::Phi2,
            "gpt2" => Architecture::Gpt2,
            "gptneox" => Architecture::GptNeox,
            found => {
                return Err(GgufError::Architecture {
                    file: gguf.file().to_owned(),
                    found: found.to_owned(),
                });
            }
        })
    }

    /// llama.cpp's name, also the prefix of its metadata keys.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Llama => "llama",
            Architecture::Qwen2 => "qwen2",
            Architecture::Qwen3 => "qwen3",
            Architecture::Gemma => "gemma",
            Architecture::Gemma2 => "gemma2",
            Architecture::Gemma3 => "gemma3",
            Architecture::Phi2 => "phi2",
            Architecture::Gpt2 => "gpt2",
            Architecture::GptNeox => "gptneox",
        }
    }

    pub fn is_gemma(self) -> bool {
        matches!(
            self,
            Architecture::Gemma | Architecture::Gemma2 | Architecture::Gemma3
        )
    }

    fn names(self) -> (Names, &'static str, Names) {
        match self {
            Architecture::Llama
            | Architecture::Qwen2
            | Architecture::Qwen3
            | Architecture::Gemma => (LLAMA, "model.layers", OUTSIDE),
            Architecture::Gemma2 | Architecture::Gemma3 => (GEMMA, "model.layers", OUTSIDE),
            Architecture::Phi2 => (PHI, "model.layers", OUTSIDE_PHI),
            Architecture::Gpt2 => (GPT2, "transformer.h", OUTSIDE_GPT2),
            Architecture::GptNeox => (NEOX, "gpt_neox.layers", OUTSIDE_NEOX),
        }
    }

    /// The Hugging Face tensors a stored one makes up, with their layouts. None if the name has no
    /// place; nothing in it where a tensor is no weight.
    pub fn place(self, stored: &str, heads: Heads, rows: usize) -> Option<Vec<(String, Layout)>> {
        if stored == ROTARY_FACTORS {
            return Some(Vec::new());
        }
        let (inside, layers, outside) = self.names();
        let (part, end) = stored.rsplit_once('.')?;
        if !matches!(end, "weight" | "bias") {
            return None;
        }
        let Some(rest) = part.strip_prefix("blk.") else {
            let (_, name) = outside.iter().find(|(stored, _)| *stored == part)?;
            return Some(vec![(format!("{name}.{end}"), self.norm_layout(part))]);
        };
        let (layer, part) = rest.split_once('.')?;
        let layer: usize = layer.parse().ok()?;
        let named = |name: &str| format!("{layers}.{layer}.{name}.{end}");
        if self == Architecture::Phi2 && part == "attn_qkv" {
            // Three tensors of the checkpoint, written as one by older converters.
            let count = rows / 3;
            let thirds = ["q_proj", "k_proj", "v_proj"].into_iter().enumerate();
            return Some(
                thirds
                    .map(|(third, name)| {
                        let first = third * count;
                        (
                            named(&format!("self_attn.{name}")),
                            Layout::Rows { first, count },
                        )
                    })
                    .collect(),
            );
        }
        let (_, name) = inside.iter().find(|(stored, _)| *stored == part)?;
        let layout = match (self, part, end) {
            (Architecture::Llama, "attn_q", _) => Layout::Interleaved { heads: heads.query },
            (Architecture::Llama, "attn_k", _) => Layout::Interleaved { heads: heads.key },
            (Architecture::GptNeox, "attn_qkv", _) => Layout::PartAfterPart { heads: heads.query },
            (Architecture::Gpt2, "attn_qkv" | "attn_output" | "ffn_up" | "ffn_down", "weight") => {
                Layout::Transposed
            }
            _ => self.norm_layout(part),
        };
        Some(vec![(named(name), layout)])
    }

    fn norm_layout(self, part: &str) -> Layout {
        match self.is_gemma() && part.ends_with("norm") {
            true => Layout::PlusOne,
            false => Layout::Same,
        }
    }
}

/// Heads of queries and of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    pub query: usize,
    pub key: usize,
}

impl Heads {
    pub fn of(gguf: &Gguf, architecture: Architecture) -> Result<Heads, GgufError> {
        let key = |name: &str| format!("{}.attention.{name}", architecture.name());
        let count = key("head_count");
        let query = gguf
            .number(&count)?
            .ok_or_else(|| gguf.bad(&count, "is missing"))?;
        let key = gguf.number(&key("head_count_kv"))?.unwrap_or(query);
        match (query, key) {
            (1..=MOST_HEADS, 1..=MOST_HEADS) => Ok(Heads {
                query: query as usize,
                key: key as usize,
            }),
            _ => Err(gguf.bad(&count, format!("is {query} (keys: {key})"))),
        }
    }
}
