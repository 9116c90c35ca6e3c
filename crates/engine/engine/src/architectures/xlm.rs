//! XLM (Conneau and Lample 2019) and FlauBERT (Le et al. 2020), as masked models: BERT's layout under names of its own. Language
//! embeddings are added only when a language is named, which no scorer here does.

use std::sync::Arc;

use super::encoder::{BY_LETTER, masked_model, placed_embedding};
use super::parts::{LayerNames, Sizes, encoder_layer};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::Activation;
use epicene_transformer::{Head, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        BY_LETTER,
        &["asm causal emb_dim gelu_activation is_encoder layer_norm_eps"]
    ),
    harmless: &[
        "asm_cutoffs asm_div_value bos_index eos_index id2lang lang2id lang_id langs mask_index max_vocab",
        "min_count n_langs pad_index same_enc_dec share_inout_emb sinusoidal_embeddings unk_index",
        "use_lang_emb",
        // How they were trained, as published files tell.
        "accumulate_gradients amp batch_size bptt clip_grad_norm clm_steps context_size data_path encoder_only epoch_size fp16",
        "group_by_size lg_sampling_factor lgs max_batch_size max_epoch max_len mlm_steps mono_dataset optimizer para_dataset sample_alpha",
        "split_data stopping_criterion tokens_per_batch validation_metrics word_blank word_dropout word_keep word_mask",
        "word_mask_keep_rand word_pred word_rand word_shuffle",
    ],
};

pub const FLAUBERT: Fields = Fields {
    understood: all_of!(FIELDS.understood, &["pre_norm"]),
    harmless: FIELDS.harmless,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "transformer.");
    // Only masked models, without an adaptive softmax.
    config.refuse("causal")?;
    config.refuse("asm")?;
    if !config.flag("is_encoder", true)? {
        return Err(config.unknown("is_encoder"));
    }
    let hidden = config.size(&["emb_dim"])?;
    let (heads, head_size) = config.heads(&["n_heads"], hidden)?;
    let sizes = Sizes {
        hidden,
        inner: 4 * hidden,
        heads,
        head_size,
        epsilon: config.epsilon("layer_norm_eps", 1e-12)?,
        activation: if config.flag("gelu_activation", true)? {
            Activation::Gelu
        } else {
            Activation::Relu
        },
    };
    let vocabulary = config.size(&["vocab_size"])?;
    let stored = config.size(&["max_position_embeddings"])?;
    let embedding = placed_embedding(
        &loader,
        "transformer",
        ["embeddings", "position_embeddings", "layer_norm_emb"],
        [vocabulary, stored, hidden],
        sizes.epsilon,
    )?;
    let norm_first = config.declares("pre_norm") && config.flag("pre_norm", false)?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["n_layers"])? {
        let names = LayerNames {
            query: format!("transformer.attentions.{layer}.q_lin"),
            key: format!("transformer.attentions.{layer}.k_lin"),
            value: format!("transformer.attentions.{layer}.v_lin"),
            mixed: format!("transformer.attentions.{layer}.out_lin"),
            attention_norm: format!("transformer.layer_norm1.{layer}"),
            inner: format!("transformer.ffns.{layer}.lin1"),
            outer: format!("transformer.ffns.{layer}.lin2"),
            feed_forward_norm: format!("transformer.layer_norm2.{layer}"),
        };
        layers.push(Arc::new(encoder_layer(
            &loader, &names, &sizes, norm_first,
        )?));
    }
    let bias = "pred_layer.proj.bias";
    let head = if loader.has(bias) {
        Some(Head {
            bias: loader.vector(bias, vocabulary)?,
            ..Head::of(
                loader
                    .head_table(
                        config,
                        config.flag("tie_word_embeddings", true)?,
                        "pred_layer.proj.weight",
                        &embedding.tokens,
                    )?
                    .ok_or_else(|| loader.missing("pred_layer.proj.weight"))?,
            )
        })
    } else {
        None
    };
    Ok(masked_model(embedding, layers, head))
}
