//! What several architectures have in common.

use epicene_checkpoint::{Bias, CheckpointError, Config, Loader, Table};
use epicene_kernels::{Activation, AttentionMask, AttentionShape, Matrix};
use epicene_transformer::{Attention, Embedding, FeedForward, Head, Layer, Norms, Transform};

/// The sizes of an encoder layer.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub hidden: usize,
    pub inner: usize,
    pub heads: usize,
    pub head_size: usize,
    pub epsilon: f64,
    pub activation: Activation,
}

impl Sizes {
    /// From the field names most encoders use.
    pub fn of(config: &Config) -> Result<Sizes, CheckpointError> {
        let hidden = config.size(&["hidden_size"])?;
        let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
        Ok(Sizes {
            hidden,
            inner: config.size(&["intermediate_size"])?,
            heads,
            head_size,
            epsilon: config.epsilon("layer_norm_eps", 1e-12)?,
            activation: config.activation("hidden_act", "gelu")?,
        })
    }
}

/// Heads of keys and values, several query heads to each.
pub fn key_heads(config: &Config, heads: usize) -> Result<usize, CheckpointError> {
    let field = "num_key_value_heads";
    match config.optional_size(field)?.unwrap_or(heads) {
        key_heads if heads.is_multiple_of(key_heads) => Ok(key_heads),
        key_heads => {
            let problem = format!("is {key_heads}, which does not divide {heads}");
            Err(config.bad(field, problem))
        }
    }
}

/// The tensors of a layer, by what they do.
#[derive(Debug)]
pub struct LayerNames {
    pub query: String,
    pub key: String,
    pub value: String,
    pub mixed: String,
    pub attention_norm: String,
    pub inner: String,
    pub outer: String,
    pub feed_forward_norm: String,
}

impl LayerNames {
    /// With one beginning: queries, keys, values, what mixes them, their norm; in, out, their norm.
    pub fn of(layer: &str, parts: [&str; 8]) -> LayerNames {
        let name = |place: usize| format!("{layer}.{}", parts[place]);
        LayerNames {
            query: name(0),
            key: name(1),
            value: name(2),
            mixed: name(3),
            attention_norm: name(4),
            inner: name(5),
            outer: name(6),
            feed_forward_norm: name(7),
        }
    }

    /// As BERT names them and most of its descendants still do.
    pub fn bert(layer: &str) -> LayerNames {
        let parts = [
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
            "attention.output.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm",
        ];
        LayerNames::of(layer, parts)
    }
}

/// An encoder layer with a norm after each half, or before.
pub fn encoder_layer(
    loader: &Loader,
    names: &LayerNames,
    sizes: &Sizes,
    norm_first: bool,
) -> Result<Layer, CheckpointError> {
    let hidden = sizes.hidden;
    let norm = |name: &str| {
        loader
            .layer_norm(name, hidden, sizes.epsilon, Bias::Needed)
            .map(Some)
    };
    let attention_norm = norm(&names.attention_norm)?;
    let feed_forward_norm = norm(&names.feed_forward_norm)?;
    let norms = if norm_first {
        Norms {
            before_attention: attention_norm,
            before_feed_forward: feed_forward_norm,
            ..Norms::default()
        }
    } else {
        Norms {
            after_attention: attention_norm,
            after_feed_forward: feed_forward_norm,
            ..Norms::default()
        }
    };
    let width = sizes.heads * sizes.head_size;
    Ok(Layer::new(
        Attention::new(
            AttentionShape::new(sizes.heads, sizes.head_size, AttentionMask::BOTH_WAYS),
            loader.linear(&names.query, width, hidden, Bias::Needed)?,
            loader.linears(&[&names.key, &names.value], width, hidden, Bias::Needed)?,
            loader.linear(&names.mixed, hidden, width, Bias::Needed)?,
        ),
        FeedForward::plain(
            loader.linear(&names.inner, sizes.inner, hidden, Bias::Needed)?,
            sizes.activation,
            loader.linear(&names.outer, hidden, sizes.inner, Bias::Needed)?,
        ),
        norms,
    ))
}

/// Learned positions from row `first` on, with the row of the only segment added.
pub fn positions(
    loader: &Loader,
    name: &str,
    stored: usize,
    width: usize,
    first: usize,
    segment: Option<&[f32]>,
) -> Result<Matrix, CheckpointError> {
    let all = loader.matrix(name, stored, width)?;
    if first >= stored {
        return Err(CheckpointError::Config {
            file: "config.json".to_owned(),
            field: "max_position_embeddings".to_owned(),
            problem: format!("is {stored}: positions begin at {first}, so that none is left"),
        });
    }
    let mut kept = Matrix {
        data: all.data[first * width..].to_vec(),
        rows: stored - first,
        columns: width,
    };
    if let Some(segment) = segment {
        for row in kept.data.chunks_exact_mut(width) {
            row.iter_mut()
                .zip(segment)
                .for_each(|(value, add)| *value += add);
        }
    }
    Ok(kept)
}

/// BERT's embeddings: tokens, positions from row `first` on and segment 0, normalised where the
/// architecture does that here. `width` may be narrower than the layers.
pub fn bert_embedding(
    loader: &Loader,
    config: &Config,
    prefix: &str,
    width: usize,
    first: usize,
    norm: bool,
) -> Result<Embedding, CheckpointError> {
    if let Some(kind) = config.get("position_embedding_type")
        && kind.as_str() != Some("absolute")
    {
        return Err(config.unknown("position_embedding_type"));
    }
    let vocabulary = config.size(&["vocab_size"])?;
    let stored = config.size(&["max_position_embeddings"])?;
    let types = config.size_or("type_vocab_size", 2)?;
    let segments = match types {
        0 => None,
        _ => Some(loader.matrix(
            &format!("{prefix}.token_type_embeddings.weight"),
            types,
            width,
        )?),
    };
    let epsilon = config.epsilon("layer_norm_eps", 1e-12)?;
    Ok(Embedding {
        tokens: loader.table(
            &format!("{prefix}.word_embeddings.weight"),
            vocabulary,
            width,
        )?,
        scale: 1.0,
        positions: Some(positions(
            loader,
            &format!("{prefix}.position_embeddings.weight"),
            stored,
            width,
            first,
            segments.as_ref().map(|segments| segments.row(0)),
        )?),
        constant: None,
        norm: if norm {
            Some(loader.layer_norm(&format!("{prefix}.LayerNorm"), width, epsilon, Bias::Needed)?)
        } else {
            None
        },
        projection: None,
    })
}

/// A masked model's head: dense, activation, norm, then the token embeddings again.
#[derive(Debug)]
pub struct HeadNames<'a> {
    pub dense: &'a str,
    pub norm: &'a str,
    pub bias: &'a str,
    /// The decoder's name of the same bias, where it has one, and whether version 4 of `transformers` takes it where
    /// both are stored.
    pub decoder_bias: Option<(&'a str, bool)>,
    /// The decoder's own weights, where they are not the embeddings.
    pub decoder: Option<&'a str>,
}

/// None if the checkpoint was saved without its head.
pub fn masked_head(
    loader: &Loader,
    config: &Config,
    names: &HeadNames<'_>,
    tokens: &Table,
    hidden: usize,
    activation: Activation,
    epsilon: f64,
) -> Result<Option<Head>, CheckpointError> {
    if !loader.has(&format!("{}.weight", names.dense)) {
        return Ok(None);
    }
    let tied = config.flag("tie_word_embeddings", true)?;
    let decoder = match names.decoder {
        Some(name) => loader
            .head_table(config, tied, name, tokens)?
            .ok_or_else(|| loader.missing(name))?,
        None => tokens.clone(),
    };
    let bias = match names.decoder_bias {
        Some((own, own_wins)) => loader.head_bias(config, tied, names.bias, own, own_wins)?,
        None => names.bias,
    };
    let width = decoder.columns;
    Ok(Some(Head {
        transform: Some(Transform {
            dense: loader.linear(names.dense, width, hidden, Bias::Needed)?,
            activation,
            norm: Some(loader.layer_norm(names.norm, width, epsilon, Bias::Needed)?),
        }),
        bias: loader.vector(bias, decoder.rows)?,
        ..Head::of(decoder)
    }))
}

/// A causal model's head: one row for each token. None if it is neither tied nor there.
pub fn causal_head(
    loader: &Loader,
    config: &Config,
    name: &str,
    tokens: &Table,
    bias: Bias,
) -> Result<Option<Head>, CheckpointError> {
    let tied = config.flag("tie_word_embeddings", false)?;
    let own = format!("{name}.weight");
    let Some(decoder) = loader.head_table(config, tied, &own, tokens)? else {
        return Ok(None);
    };
    let bias = match bias {
        Bias::None => Vec::new(),
        Bias::Needed | Bias::IfThere => loader.vector(&format!("{name}.bias"), decoder.rows)?,
    };
    Ok(Some(Head {
        bias,
        ..Head::of(decoder)
    }))
}
