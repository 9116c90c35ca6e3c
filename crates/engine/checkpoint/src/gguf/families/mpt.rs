//! MPT: positions by distance, no biases.

use serde_json::json;

use super::{Family, Names, same};

const INSIDE: Names = &[
    ("attn_norm", "norm_1"),
    ("attn_qkv", "attn.Wqkv"),
    ("attn_output", "attn.out_proj"),
    ("ffn_norm", "norm_2"),
    ("ffn_up", "ffn.up_proj"),
    ("ffn_down", "ffn.down_proj"),
];

pub const MPT: Family = Family {
    name: "mpt",
    layers: "transformer.blocks",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "transformer.wte"),
        ("output_norm", "transformer.norm_f"),
        ("output", "lm_head"),
    ],
    layout: same,
    config: |reader| {
        let hidden = reader.size("embedding_length")?;
        Ok(json!({
            "model_type": "mpt",
            "architectures": ["MptForCausalLM"],
            "d_model": hidden,
            "n_heads": reader.heads()?.query,
            "n_layers": reader.size("block_count")?,
            "expansion_ratio": reader.size("feed_forward_length")? / hidden,
            "max_seq_len": reader.size("context_length")?,
            "layer_norm_epsilon": reader.needed_real("attention.layer_norm_epsilon")?,
            "attn_config": {
                "alibi_bias_max": reader.needed_real("attention.max_alibi_bias")?,
                "clip_qkv": reader.real("attention.clamp_kqv")?,
            },
        }))
    },
};
