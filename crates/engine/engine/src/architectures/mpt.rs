//! MPT (MosaicML 2023): positions by distance alone, no biases anywhere.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::alibi::mpt_slopes;
use super::decoder::{CAUSAL, Decoder, NormKind, Sizes};
use super::layers::Fused;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of, same, short};
use epicene_kernels::{Activation, Slopes};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "attn_config d_model expansion_ratio layer_norm_epsilon max_seq_len n_heads n_layers",
        "tie_word_embeddings vocab_size",
    ],
    // `transformers` reads none of these: norms have no bias, positions are not learned.
    harmless: all_of!(
        CAUSAL,
        &[
            "attn_impl emb_pdrop init_config init_device learned_pos_emb no_bias norm_type tokenizer_name",
            "verbose"
        ]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let hidden = config.size(&["d_model"])?;
    let (heads, _) = config.heads(&["n_heads"], hidden)?;
    let (clip, scale) = attention_fields(config)?;
    // `transformers` has four times the width whatever is stated; the authors' program has what is stated. The file decides.
    let ratio = config.size_or("expansion_ratio", 4)?;
    let stored = weights.shape("transformer.blocks.0.ffn.up_proj.weight");
    let inner = match stored.and_then(|shape| shape.first().copied()) {
        Some(rows) if rows == ratio * hidden => rows,
        _ => 4 * hidden,
    };
    let sizes = Sizes {
        hidden,
        heads,
        inner,
        layers: config.layers(&["n_layers"])?,
    };
    let norm = NormKind::layer_without_bias(config, "layer_norm_epsilon")?;
    let activation = Activation::Gelu;
    let decoder = Decoder::sized(config, weights, "transformer.", sizes, norm, activation);
    let alibi = Arc::new(Slopes {
        of_heads: mpt_slopes(heads, 8.0),
        rounded: None,
    });
    let layers = decoder.each_layer("transformer.blocks", |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let (stored, output) = (name("attn.Wqkv"), name("attn.out_proj"));
        let mut attention =
            decoder.fused_attention(&stored, Fused::Parts, &output, [Bias::None; 2])?;
        attention.how.slopes = Some(alibi.clone());
        attention.clip = clip;
        if let Some(scale) = scale {
            attention.how.scale = scale;
        }
        let network = decoder.plain(&name("ffn.up_proj"), &name("ffn.down_proj"), Bias::None)?;
        let norms = decoder.norms(&name("norm_1"), &name("norm_2"))?;
        Ok(Layer::new(attention, network, norms))
    })?;
    let names = ["transformer.wte", "transformer.norm_f", "lm_head"];
    let longest = config.size(&["max_seq_len"])?;
    decoder.model(names, layers, Some(longest))
}

/// The bound of queries, keys and values, and the factor on the scores; any other setting of attention must be the usual.
fn attention_fields(config: &Config) -> Result<(Option<f32>, Option<f32>), CheckpointError> {
    const FIELD: &str = "attn_config";
    let none = Map::new();
    let fields = match config.stored(FIELD) {
        None => &none,
        Some(Value::Object(fields)) => fields,
        Some(_) => return Err(config.unknown(FIELD)),
    };
    let usual = json!({"attn_type": "multihead_attention", "prefix_lm": false, "attn_uses_sequence_id": false,
        "alibi": true, "qk_ln": false, "alibi_bias_max": 8});
    let bad = |field: &str, value: &Value| {
        let problem = format!("has `{field}` {}, which is not supported", short(value));
        config.bad(FIELD, problem)
    };
    for (field, usual) in usual.as_object().into_iter().flatten() {
        if let Some(value) = fields.get(field)
            && !same(value, usual)
        {
            return Err(bad(field, value));
        }
    }
    let positive = |field: &str| match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(0.0) if field == "clip_qkv" => Ok(None),
            Some(number) if number > 0.0 => Ok(Some(number as f32)),
            _ => Err(bad(field, value)),
        },
    };
    Ok((positive("clip_qkv")?, positive("softmax_scale")?))
}
