//! Names, shapes and layouts: what a Hugging Face checkpoint of the same model would have.

use std::sync::Arc;

use super::support::{TINY, open};
use epicene_checkpoint::gguf::{Gguf, HfWeights, config};
use serde_json::json;

fn stored(gguf: &Gguf, name: &str) -> Vec<f32> {
    let tensor = gguf.tensor(name).unwrap();
    let mut out = vec![0f32; tensor.elements()];
    gguf.read(tensor, 0, &mut out).unwrap();
    out
}

fn whole(weights: &HfWeights, name: &str) -> Vec<f32> {
    let mut out = vec![0f32; weights.shape(name).unwrap().iter().product()];
    weights.read(name, 0, &mut out).unwrap();
    out
}

fn weights(model: &str) -> HfWeights {
    HfWeights::new(Arc::new(open(&format!("tiny-{model}.gguf")))).unwrap()
}

/// llama.cpp's converter: heads × 2 × half × columns, the middle two swapped.
fn interleave(rows: &[f32], heads: usize, size: usize, columns: usize) -> Vec<f32> {
    let mut out = Vec::new();
    for head in 0..heads {
        for pair in 0..size / 2 {
            for half in 0..2 {
                let row = head * size + half * (size / 2) + pair;
                out.extend(&rows[row * columns..(row + 1) * columns]);
            }
        }
    }
    out
}

#[test]
fn rotary_rows_of_llama_come_back_in_halves() {
    let weights = weights("llama");
    for (part, name, heads) in [("q", "q_proj", 4), ("k", "k_proj", 2)] {
        let found = whole(&weights, &format!("model.layers.1.self_attn.{name}.weight"));
        let stored = stored(weights.gguf(), &format!("blk.1.attn_{part}.weight"));
        assert_ne!(found, stored);
        assert_eq!(interleave(&found, heads, 8, 32), stored);
    }
    let values = whole(&weights, "model.layers.1.self_attn.v_proj.weight");
    assert_eq!(values, stored(weights.gguf(), "blk.1.attn_v.weight"));
}

#[test]
fn rotary_rows_of_the_others_are_left_alone() {
    for model in ["qwen2", "qwen3", "gemma3"] {
        let weights = weights(model);
        let found = whole(&weights, "model.layers.0.self_attn.q_proj.weight");
        assert_eq!(
            found,
            stored(weights.gguf(), "blk.0.attn_q.weight"),
            "{model}"
        );
    }
}

#[test]
fn gpt2_keeps_inputs_first() {
    let weights = weights("gpt2");
    let name = "transformer.h.0.attn.c_attn.weight";
    assert_eq!(weights.shape(name), Some(&[32, 96][..]));
    let (found, stored) = (
        whole(&weights, name),
        stored(weights.gguf(), "blk.0.attn_qkv.weight"),
    );
    for (i, value) in found.iter().enumerate() {
        assert_eq!(*value, stored[i % 96 * 32 + i / 96]);
    }
    assert_eq!(
        weights.shape("transformer.wpe.weight"),
        Some(&[128, 32][..])
    );
}

#[test]
fn gpt_neox_keeps_query_key_and_value_head_by_head() {
    let weights = weights("gptneox");
    for (end, columns) in [("weight", 32), ("bias", 1)] {
        let found = whole(
            &weights,
            &format!("gpt_neox.layers.1.attention.query_key_value.{end}"),
        );
        let stored = stored(weights.gguf(), &format!("blk.1.attn_qkv.{end}"));
        for (i, value) in found.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let (head, part, inside) = (row / 24, row / 8 % 3, row % 8);
            assert_eq!(
                *value,
                stored[(part * 32 + head * 8 + inside) * columns + column]
            );
        }
    }
}

#[test]
fn phi_gets_its_three_projections_back() {
    let weights = weights("phi2");
    for (end, columns) in [("weight", 32), ("bias", 1)] {
        let all: Vec<f32> = ["q_proj", "k_proj", "v_proj"]
            .iter()
            .flat_map(|name| whole(&weights, &format!("model.layers.0.self_attn.{name}.{end}")))
            .collect();
        assert_eq!(all.len(), 96 * columns);
        assert_eq!(
            all,
            stored(weights.gguf(), &format!("blk.0.attn_qkv.{end}"))
        );
    }
}

#[test]
fn norms_of_gemma_count_from_one_again() {
    for model in ["gemma", "gemma2", "gemma3"] {
        let weights = weights(model);
        for (name, from) in [
            ("model.norm.weight", "output_norm.weight"),
            (
                "model.layers.0.input_layernorm.weight",
                "blk.0.attn_norm.weight",
            ),
        ] {
            let stored = stored(weights.gguf(), from);
            for (found, stored) in whole(&weights, name).iter().zip(stored) {
                assert_eq!(*found, stored - 1.0);
            }
        }
        let embedding = whole(&weights, "model.embed_tokens.weight");
        assert_eq!(embedding, stored(weights.gguf(), "token_embd.weight"));
    }
}

#[test]
fn any_part_is_the_same_part_of_the_whole() {
    for model in TINY {
        let weights = weights(model);
        for name in weights.names() {
            let all = whole(&weights, name);
            for (first, count) in [(0, 1), (1, 33), (7, 90), (all.len() - 5, 5)] {
                let count = count.min(all.len() - first);
                let mut part = vec![0f32; count];
                weights.read(name, first, &mut part).unwrap();
                assert_eq!(part, all[first..first + count], "{model} {name}");
            }
            assert!(weights.read(name, all.len(), &mut [0.0]).is_err());
        }
        assert!(weights.read("model.nothing", 0, &mut []).is_err());
    }
}

#[test]
fn configurations_are_those_of_the_checkpoints() {
    let expect = |model: &str, fields: serde_json::Value| {
        let found = config(&open(&format!("tiny-{model}.gguf"))).unwrap();
        for (field, value) in fields.as_object().unwrap() {
            assert_eq!(
                found.get(field).unwrap_or(&json!(null)),
                value,
                "{model} {field}"
            );
        }
    };
    expect(
        "llama",
        json!({
            "model_type": "llama", "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "rms_norm_eps": 1e-6,
            "rope_theta": 10000.0, "tie_word_embeddings": true, "hidden_act": "silu",
            "max_position_embeddings": 128, "attention_bias": false, "rope_scaling": null,
            "bos_token_id": 1, "eos_token_id": 2,
        }),
    );
    expect(
        "llama3",
        json!({
            "tie_word_embeddings": false, "rope_theta": 500000.0,
            "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
        }),
    );
    expect("qwen2", json!({"model_type": "qwen2"}));
    expect("qwen3", json!({"model_type": "qwen3", "head_dim": 16}));
    expect(
        "gemma",
        json!({"model_type": "gemma", "head_dim": 16, "layer_types": null}),
    );
    expect(
        "gemma2",
        json!({
            "model_type": "gemma2", "query_pre_attn_scalar": 16, "sliding_window": 16,
            "layer_types": ["sliding_attention", "full_attention"],
            "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
        }),
    );
    expect(
        "gemma3",
        json!({
            "model_type": "gemma3_text", "rope_theta": 10000.0, "rope_local_base_freq": 10000.0,
            "layer_types": ["sliding_attention", "sliding_attention"], "final_logit_softcapping": null,
        }),
    );
    expect(
        "phi2",
        json!({
            "model_type": "phi", "partial_rotary_factor": 0.5, "layer_norm_eps": 1e-5, "tie_word_embeddings": false,
        }),
    );
    expect(
        "gpt2",
        json!({
            "model_type": "gpt2", "n_embd": 32, "n_head": 4, "n_layer": 2, "n_inner": 32, "n_positions": 128,
            "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new",
        }),
    );
    expect(
        "gptneox",
        json!({"model_type": "gpt_neox", "rotary_pct": 0.5, "use_parallel_residual": true}),
    );
}
