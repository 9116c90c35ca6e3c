//! Tiny checkpoints whose numbers `transformers` gave (tests/checkpoints), as llama.cpp's converters store them: latent
//! attention in two tensors, experts and maps between copies in one.

use std::path::Path;
use std::sync::Arc;

use super::support::{CONVERTED, Writer, golden, open, string, typed};
use epicene_checkpoint::gguf::{Gguf, HfWeights, Kind, config};
use epicene_engine::{EngineOptions, TransformerModel};
use serde_json::{Value, json};

fn stored(checkpoint: &str, file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/checkpoints")
        .join(checkpoint)
        .join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list<T: serde::de::DeserializeOwned>(value: &Value) -> Vec<T> {
    serde_json::from_value(value.clone()).unwrap()
}

fn model(name: &str) -> TransformerModel {
    let path = golden(&format!("hf-{name}.gguf"));
    TransformerModel::open_gguf(&path, EngineOptions::default()).unwrap()
}

#[test]
fn logits_are_those_of_transformers() {
    for name in CONVERTED {
        let model = model(name);
        let mut largest = 0f64;
        for row in stored(name, "golden.json")["logits"].as_array().unwrap() {
            let (ids, at): (Vec<u32>, Vec<usize>) = (list(&row["ids"]), list(&row["positions"]));
            let wanted: Vec<Vec<f64>> = list(&row["values"]);
            let found = model.all_logits(&ids, &at).unwrap();
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                for (found, wanted) in found.iter().zip(wanted) {
                    largest = largest.max((f64::from(*found) - wanted).abs());
                }
            }
        }
        println!("{name}: largest difference {largest:.1e}");
        assert!(largest < 1e-4, "{name}: {largest}");
    }
}

#[test]
fn configurations_are_those_of_the_checkpoints() {
    /// Not in the files, or without a meaning there.
    const OTHERS: &[&str] = &[
        "attention_dropout",
        "aux_loss_alpha",
        "altup_coef_clip",
        "altup_lr_multiplier",
        "dtype",
        "head_dim",
        "initializer_range",
        "mlp_bias",
        "n_group",
        "pad_token_id",
        "pretraining_tp",
        "qk_head_dim",
        "query_pre_attn_scalar",
        "rope_interleave",
        "rope_scaling",
        "scoring_func",
        "seq_aux",
        "topk_group",
        "topk_method",
        "transformers_version",
        "use_cache",
    ];
    for name in CONVERTED {
        let found = config(&open(&format!("hf-{name}.gguf"))).unwrap();
        let same = |one: &Value, other: &Value| match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => (one - other).abs() < 1e-6,
            _ => one == other,
        };
        for (field, wanted) in stored(name, "config.json").as_object().unwrap() {
            if OTHERS.contains(&field.as_str()) {
                continue;
            }
            let found = found.get(field).unwrap_or(&Value::Null);
            let equal = match (found, wanted) {
                (Value::Array(found), Value::Array(wanted)) => {
                    found.len() == wanted.len()
                        && found
                            .iter()
                            .zip(wanted)
                            .all(|(one, other)| same(one, other))
                }
                _ => same(found, wanted),
            };
            assert!(equal, "{name} {field}: {found} {wanted}");
        }
    }
    let yarn = config(&open("hf-deepseek_v3.gguf")).unwrap()["rope_scaling"].clone();
    for (field, wanted) in stored("deepseek_v3", "config.json")["rope_scaling"]
        .as_object()
        .unwrap()
    {
        let same = yarn[field] == *wanted || yarn[field].as_f64() == wanted.as_f64();
        assert!(same, "{field}: {yarn} {wanted}");
    }
    let second = config(&open("hf-deepseek_v2.gguf")).unwrap();
    assert_eq!(second["topk_method"], json!("group_limited_greedy"));
    assert_eq!(
        (&second["n_group"], &second["topk_group"]),
        (&json!(3), &json!(2))
    );
}

#[test]
fn any_part_is_the_same_part_of_the_whole() {
    for name in CONVERTED {
        let weights = HfWeights::new(Arc::new(open(&format!("hf-{name}.gguf")))).unwrap();
        for name in weights.names() {
            let size: usize = weights.shape(name).unwrap().iter().product();
            let mut all = vec![0f32; size];
            weights.read(name, 0, &mut all).unwrap();
            for (first, count) in [(0, 0), (0, 1), (1, 33), (7, 300), (size / 2, 90), (size, 0)] {
                let first = first.min(size);
                let mut part = vec![0f32; count.min(size - first)];
                weights.read(name, first, &mut part).unwrap();
                assert_eq!(part, all[first..first + part.len()], "{name}");
            }
            assert!(weights.read(name, size, &mut [0.0]).is_err());
        }
    }
}

fn two_heads() -> Writer {
    Writer::default()
        .with("general.architecture", typed(8, string("deepseek2")))
        .with(
            "deepseek2.attention.head_count",
            typed(4, 2u32.to_le_bytes()),
        )
        .with(
            "deepseek2.attention.head_count_kv",
            typed(4, 1u32.to_le_bytes()),
        )
}

/// A file of such a model, and these tensors: name, dimensions (fastest first). Their numbers count from zero.
fn latent(tensors: &[(&str, &[u64])]) -> Arc<Gguf> {
    let mut writer = two_heads();
    let mut data: Vec<u8> = Vec::new();
    for (name, dimensions) in tensors {
        data.resize(data.len().next_multiple_of(32), 0);
        writer = writer.tensor(name, dimensions, 0, data.len() as u64);
        for number in 0..dimensions.iter().product() {
            data.extend((number as f32).to_le_bytes());
        }
    }
    Arc::new(Gguf::from_bytes("m.gguf", writer.data(data).bytes()).unwrap())
}

const KEYS: (&str, &[u64]) = ("blk.0.attn_k_b.weight", &[2, 3, 2]);
const VALUES: (&str, &[u64]) = ("blk.0.attn_v_b.weight", &[3, 1, 2]);
const NAME: &str = "model.layers.0.self_attn.kv_b_proj.weight";

#[test]
fn each_head_has_its_keys_before_its_values() {
    // In either order.
    for tensors in [[KEYS, VALUES], [VALUES, KEYS]] {
        let weights = HfWeights::new(latent(&tensors)).unwrap();
        assert_eq!(weights.names().collect::<Vec<_>>(), [NAME]);
        assert_eq!(weights.shape(NAME), Some(&[6, 3][..]));
        assert_eq!(weights.kinds(NAME).collect::<Vec<_>>(), [Kind::F32; 2]);
        let mut found = [0f32; 18];
        weights.read(NAME, 0, &mut found).unwrap();
        let first = [0.0, 2.0, 4.0, 1.0, 3.0, 5.0, 0.0, 1.0, 2.0];
        let second = [6.0, 8.0, 10.0, 7.0, 9.0, 11.0, 3.0, 4.0, 5.0];
        assert_eq!(found[..], [first, second].concat());
    }
}

/// Keys in blocks of 8 bits, values in 16.
#[test]
fn parts_may_be_stored_in_different_ways() {
    let (heads, rank, still) = (2, 3, 64);
    let block = |first: i8| {
        let scale = [0x00, 0x3C];
        scale
            .into_iter()
            .chain((first..first + 32).map(|n| n as u8))
    };
    let keys = (0..heads * rank).flat_map(|row| [0, 32].map(|at| block(at + row as i8)));
    let mut data: Vec<u8> = keys.flatten().collect();
    data.resize(data.len().next_multiple_of(32), 0);
    let values = data.len() as u64;
    for half in [0x0000u16, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500] {
        data.extend(half.to_le_bytes());
    }
    let bytes = two_heads()
        .tensor(KEYS.0, &[still, rank, heads], 8, 0)
        .tensor(VALUES.0, &[rank, 1, heads], 1, values)
        .data(data)
        .bytes();
    let weights = HfWeights::new(Arc::new(Gguf::from_bytes("m.gguf", bytes).unwrap())).unwrap();
    assert_eq!(
        weights.kinds(NAME).collect::<Vec<_>>(),
        [Kind::Q8_0, Kind::F16]
    );
    let mut expected: Vec<f32> = Vec::new();
    for head in 0..heads {
        for row in 0..still {
            expected.extend((0..rank).map(|column| (row + head * rank + column) as f32));
        }
        expected.extend((0..rank).map(|column| (head * rank + column) as f32));
    }
    for first in 0..expected.len() {
        let mut found = vec![0f32; (expected.len() - first).min(70)];
        weights.read(NAME, first, &mut found).unwrap();
        assert_eq!(found, expected[first..first + found.len()], "{first}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let complaint = |tensors: &[(&str, &[u64])]| {
        let found = HfWeights::new(latent(tensors));
        found.unwrap_err().to_string()
    };
    let made_of = |count: usize, found: &str| {
        format!(
            "m.gguf: `{NAME}` is made out of {count} stored tensor(s); those found for it are {found}"
        )
    };
    let whole: (&str, &[u64]) = ("blk.0.attn_kv_b.weight", &[3, 6]);
    assert_eq!(complaint(&[KEYS]), made_of(2, KEYS.0));
    assert_eq!(complaint(&[VALUES]), made_of(2, VALUES.0));
    assert!(HfWeights::new(latent(&[whole])).is_ok());
    let all = complaint(&[KEYS, VALUES, whole]);
    assert!(
        all.contains("made out of 2 stored") && all.contains(whole.0),
        "{all}"
    );
    let beside = complaint(&[whole, KEYS]);
    assert!(beside.contains("made out of 2 stored"), "{beside}");
    for (keys, values, expected) in [
        (
            &[2, 3, 2][..],
            &[4, 1, 2][..],
            "`blk.0.attn_v_b.weight` has shape [2, 1, 4], expected 3 columns as `blk.0.attn_k_b.weight`",
        ),
        (
            &[2, 6],
            &[3, 1, 2],
            "`blk.0.attn_k_b.weight` has shape [6, 2], expected a matrix for each of 2 heads",
        ),
        (
            &[2, 3, 4],
            &[3, 1, 2],
            "`blk.0.attn_k_b.weight` has shape [4, 3, 2], expected a matrix for each of 2 heads",
        ),
        (
            &[2, 3, 2],
            &[3, 2],
            "`blk.0.attn_v_b.weight` has shape [2, 3], expected a matrix for each of 2 heads",
        ),
    ] {
        let found = complaint(&[(KEYS.0, keys), (VALUES.0, values)]);
        assert_eq!(found, format!("m.gguf: {expected}"));
    }
}

/// A good file with other bytes behind a key and its type.
fn with(name: &str, key: &str, value: [u8; 4]) -> Vec<u8> {
    let mut bytes = std::fs::read(golden(&format!("hf-{name}.gguf"))).unwrap();
    let at = bytes
        .windows(key.len())
        .position(|part| part == key.as_bytes());
    let at = at.unwrap() + key.len() + 4;
    bytes[at..at + 4].copy_from_slice(&value);
    bytes
}

#[test]
fn keys_that_say_something_else_are_refused() {
    let complaint = |name: &str, key: &str, value: [u8; 4]| {
        let gguf = Gguf::from_bytes("m.gguf", with(name, key, value)).unwrap();
        config(&gguf).unwrap_err().to_string()
    };
    for (name, key, value, expected) in [
        (
            "deepseek_v3",
            "deepseek2.expert_gating_func",
            3u32.to_le_bytes(),
            "gating_func` is neither softmax nor sigmoid",
        ),
        (
            "deepseek_v3",
            "deepseek2.rope.scaling.yarn_log_multiplier",
            1f32.to_le_bytes(),
            "yarn_log_multiplier` is not a tenth of the share",
        ),
        (
            "deepseek_v3",
            "deepseek2.rope.dimension_count",
            14u32.to_le_bytes(),
            "rope.dimension_count` is no part of the length of a key",
        ),
        (
            "deepseek_v2-lite",
            "deepseek2.expert_count",
            256u32.to_le_bytes(),
            "expert_group_count` is missing",
        ),
        (
            "gemma3n",
            "gemma3n.altup.num_inputs",
            0u32.to_le_bytes(),
            "altup.num_inputs` is zero",
        ),
    ] {
        let found = complaint(name, key, value);
        assert!(found.contains(expected), "{key}: {found}");
    }
}

/// Newer converters fill the table of the tokens' vectors up with zeros.
#[test]
fn tokens_without_vectors_are_not_counted() {
    let file = golden("hf-gemma3n.gguf");
    let gguf = Gguf::open(&file).unwrap();
    let table = gguf.tensor("per_layer_token_embd.weight").unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    for row in table.rows() - 3..table.rows() {
        let mut numbers = vec![0f32; table.columns()];
        gguf.row(table, row, &mut numbers).unwrap();
        assert_eq!(table.kind, Kind::Bf16);
        let halves = numbers.iter().map(|number| number.to_bits() >> 16);
        let stored: Vec<u8> = halves
            .flat_map(|half| (half as u16).to_le_bytes())
            .collect();
        let at = bytes.windows(stored.len()).position(|part| part == stored);
        bytes[at.unwrap()..][..stored.len()].fill(0);
    }
    let counted = |gguf: &Gguf| config(gguf).unwrap()["vocab_size_per_layer_input"].clone();
    assert_eq!(counted(&gguf), json!(150));
    let filled = Gguf::from_bytes("m.gguf", bytes).unwrap();
    assert_eq!(counted(&filled), json!(147));
}

/// What only shows when a model is made of it.
#[test]
fn models_of_other_sizes_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m.gguf");
    for (name, key, value, expected) in [
        // Weights that sum to one are the third generation's.
        (
            "deepseek_v3",
            "deepseek2.expert_gating_func",
            1u32,
            "norm_topk_prob",
        ),
        (
            "deepseek_v3",
            "deepseek2.attention.kv_lora_rank",
            15,
            "kv_a",
        ),
        ("deepseek_v2-lite", "deepseek2.expert_count", 7, "mlp."),
        ("gemma3n", "gemma3n.altup.num_inputs", 5, "altup"),
        (
            "gemma3n",
            "gemma3n.embedding_length_per_layer_input",
            5,
            "per_layer",
        ),
    ] {
        std::fs::write(&path, with(name, key, value.to_le_bytes())).unwrap();
        let found = TransformerModel::open_gguf(&path, EngineOptions::default());
        let found = found
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(found.contains(expected), "{name} {key}: {found}");
    }
}
