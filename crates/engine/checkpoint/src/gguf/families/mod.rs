//! The architectures that can be read, one file each: where each of their tensors goes, from llama.cpp's names
//! (`blk.0.attn_q.weight`) to those of Hugging Face (`model.layers.0.self_attn.q_proj.weight`), from the layout
//! llama.cpp's converters give a tensor back to the one it was converted from, and what its keys say.

mod bloom;
mod cohere;
mod deepseek2;
mod exaone4;
mod falcon;
mod gemma;
mod gemma3n;
mod glm4;
mod gpt2;
mod gpt_neox;
mod gpt_oss;
mod granite;
mod llama;
mod mpt;
mod nemotron;
mod olmo2;
mod olmoe;
mod phi;
mod phi3;
mod qwen;
mod qwen_moe;
mod smollm3;
mod stablelm;
mod starcoder2;

use serde_json::Value;

use super::config::Reader;
use super::layout::{Heads, Layout};
use super::{Gguf, GgufError};

/// GGUF name, Hugging Face name. Several names with `|` between them share the rows; `*` stands for the number of one of
/// several that lie behind each other; behind a name with `!` stands neither `weight` nor `bias`.
pub type Names = &'static [(&'static str, &'static str)];

/// An architecture of llama.cpp's.
#[derive(Debug)]
pub struct Family {
    /// llama.cpp's name, also the prefix of its metadata keys.
    pub name: &'static str,
    /// Where the checkpoint has its layers.
    layers: &'static str,
    /// Names inside a block.
    inside: &'static [Names],
    /// Names outside the blocks.
    outside: Names,
    /// How a part is laid out; the second is `weight` or `bias`.
    layout: fn(&str, &str, Heads) -> Layout,
    /// The fields of `config.json` that are not everybody's.
    pub config: fn(&Reader<'_>) -> Result<Value, GgufError>,
}

/// In the order they are listed.
pub const FAMILIES: &[&Family] = &[
    &llama::LLAMA,
    &qwen::QWEN2,
    &qwen::QWEN3,
    &qwen_moe::QWEN2_MOE,
    &qwen_moe::QWEN3_MOE,
    &gemma::GEMMA,
    &gemma::GEMMA2,
    &gemma::GEMMA3,
    &gemma3n::GEMMA3N,
    &phi::PHI2,
    &phi3::PHI3,
    &olmo2::OLMO2,
    &olmoe::OLMOE,
    &granite::GRANITE,
    &granite::GRANITE_MOE,
    &smollm3::SMOLLM3,
    &cohere::COMMAND_R,
    &cohere::COHERE2,
    &glm4::GLM4,
    &stablelm::STABLELM,
    &starcoder2::STARCODER2,
    &nemotron::NEMOTRON,
    &exaone4::EXAONE4,
    &gpt_oss::GPT_OSS,
    &deepseek2::DEEPSEEK2,
    &gpt2::GPT2,
    &gpt_neox::GPT_NEOX,
    &falcon::FALCON,
    &bloom::BLOOM,
    &mpt::MPT,
];

/// Attention under Llama's names.
const ATTENTION: Names = &[
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
];
const HEAD_NORMS: Names = &[
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k_norm", "self_attn.k_norm"),
];
const NORMS: Names = &[
    ("attn_norm", "input_layernorm"),
    ("ffn_norm", "post_attention_layernorm"),
];
/// Norms behind each half.
const NORMS_BEHIND: Names = &[
    ("post_attention_norm", "post_attention_layernorm"),
    ("post_ffw_norm", "post_feedforward_layernorm"),
];
const NETWORK: Names = &[
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];
const EXPERTS: Names = &[
    ("ffn_gate_inp", "mlp.gate"),
    ("ffn_gate_exps", "mlp.experts.*.gate_proj"),
    ("ffn_up_exps", "mlp.experts.*.up_proj"),
    ("ffn_down_exps", "mlp.experts.*.down_proj"),
];
const OUTSIDE: Names = &[
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.norm"),
    ("output", "lm_head"),
];

/// What Llama's relatives have in common.
const LIKE_LLAMA: Family = Family {
    name: "llama",
    layers: "model.layers",
    inside: &[ATTENTION, NORMS, NETWORK],
    outside: OUTSIDE,
    layout: same,
    config: |_| Ok(Value::Null),
};

fn same(_: &str, _: &str, _: Heads) -> Layout {
    Layout::Same
}

/// Rotary positions turn neighbours here, and halves in the checkpoint.
fn interleaved(part: &str, _: &str, heads: Heads) -> Layout {
    match part {
        "attn_q" => Layout::Interleaved { heads: heads.query },
        "attn_k" => Layout::Interleaved { heads: heads.key },
        _ => Layout::Same,
    }
}

/// Weights of norms that count from one in the checkpoint.
fn plus_one(part: &str, end: &str, _: Heads) -> Layout {
    if end == "weight" && part.ends_with("norm") {
        Layout::PlusOne
    } else {
        Layout::Same
    }
}

/// Hyper-parameters that are stored as tensors: factors on rotary frequencies.
pub const ROTARY_FACTORS: &str = "rope_freqs.weight";
pub const SHORT_FACTORS: &str = "rope_factors_short.weight";
pub const LONG_FACTORS: &str = "rope_factors_long.weight";

impl Family {
    pub fn of(gguf: &Gguf) -> Result<&'static Family, GgufError> {
        const KEY: &str = "general.architecture";
        let found = gguf.text(KEY)?.ok_or_else(|| gguf.bad(KEY, "is missing"))?;
        let family = FAMILIES.iter().find(|family| family.name == found);
        family.copied().ok_or_else(|| GgufError::Architecture {
            file: gguf.file().to_owned(),
            found: found.to_owned(),
            advice: String::new(),
        })
    }

    /// The Hugging Face tensors a stored one of these sizes makes up, with their layouts. None if the name has no
    /// place; nothing in it where a tensor is no weight.
    pub fn place(
        &self,
        stored: &str,
        heads: Heads,
        shape: &[usize],
    ) -> Option<Vec<(String, Layout)>> {
        if [ROTARY_FACTORS, SHORT_FACTORS, LONG_FACTORS].contains(&stored) {
            return Some(Vec::new());
        }
        let (part, end) = stored.rsplit_once('.')?;
        if !matches!(end, "weight" | "bias") {
            return None;
        }
        let named = |table: Names, part: &str| {
            let found = table.iter().find(|(stored, _)| *stored == part);
            found.map(|(_, name)| *name)
        };
        let (part, name, before) = match part.strip_prefix("blk.") {
            None => (part, named(self.outside, part)?, String::new()),
            Some(rest) => {
                let (layer, part) = rest.split_once('.')?;
                let layer: usize = layer.parse().ok()?;
                let name = self.inside.iter().find_map(|table| named(table, part))?;
                (part, name, format!("{}.{layer}.", self.layers))
            }
        };
        let full = |name: &str| match name.strip_suffix('!') {
            Some(name) => format!("{before}{name}"),
            None => format!("{before}{name}.{end}"),
        };
        let rows = shape.first().copied().unwrap_or(1);
        if name.contains('*') {
            let one = |index: usize| {
                (
                    full(&name.replace('*', &index.to_string())),
                    Layout::Part { index },
                )
            };
            return Some((0..rows).map(one).collect());
        }
        if name.contains('|') {
            let names: Vec<&str> = name.split('|').collect();
            let count = rows / names.len();
            let places = names.into_iter().enumerate().map(|(place, name)| {
                let first = place * count;
                (full(name), Layout::Rows { first, count })
            });
            return Some(places.collect());
        }
        Some(vec![(full(name), (self.layout)(part, end, heads))])
    }
}
