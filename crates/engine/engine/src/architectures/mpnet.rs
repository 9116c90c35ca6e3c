//! MPNet (Song et al. 2020): BERT with a learned number for each range of distances, as T5 has.

use std::sync::Arc;

use super::encoder::{ENCODER, masked_encoder};
use super::parts::{HeadNames, LayerNames, Sizes, encoder_layer, positions};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::{Activation, DistanceBias};
use epicene_transformer::{Embedding, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, &["relative_attention_num_buckets"]),
    harmless: &[],
};

/// The padding token, whatever the configuration calls so; positions begin after it.
pub const PADDING: u32 = 1;
/// Farther tokens are all the same.
const FARTHEST: usize = 128;

const HEAD: HeadNames<'static> = HeadNames {
    decoder_bias: Some(("lm_head.decoder.bias", false)),
    ..super::roberta::HEAD
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "mpnet.");
    let sizes = Sizes::of(config)?;
    let hidden = sizes.hidden;
    let place = "mpnet.embeddings";
    let tokens = loader.table(
        &format!("{place}.word_embeddings.weight"),
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let table = format!("{place}.position_embeddings.weight");
    let stored = config.size(&["max_position_embeddings"])?;
    let first = PADDING as usize + 1;
    let norm = format!("{place}.LayerNorm");
    let embedding = Embedding {
        positions: Some(positions(&loader, &table, stored, hidden, first, None)?),
        norm: Some(loader.layer_norm(&norm, hidden, sizes.epsilon, Bias::Needed)?),
        ..Embedding::of(tokens)
    };
    let field = "relative_attention_num_buckets";
    let buckets = config.size(&[field])?;
    // `transformers` counts so many, whatever the table has.
    if buckets != 32 {
        return Err(config.unknown(field));
    }
    let name = "mpnet.encoder.relative_attention_bias.weight";
    let bias = Arc::new(DistanceBias {
        table: loader.matrix(name, buckets, sizes.heads)?,
        farthest: FARTHEST,
        both_ways: true,
    });
    let head = (&HEAD, Activation::Gelu);
    masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let prefix = format!("mpnet.encoder.layer.{layer}");
        let part = |name: &str| format!("{prefix}.attention.attn.{name}");
        let names = LayerNames {
            query: part("q"),
            key: part("k"),
            value: part("v"),
            mixed: part("o"),
            attention_norm: format!("{prefix}.attention.LayerNorm"),
            ..LayerNames::bert(&prefix)
        };
        let mut layer = encoder_layer(&loader, &names, &sizes, false)?;
        layer.attention.how.bias = Some(bias.clone());
        Ok(layer)
    })
}
