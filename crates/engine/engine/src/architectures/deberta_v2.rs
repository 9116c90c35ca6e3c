//! DeBERTa-v2 and -v3 (He et al. 2021): attention between content and relative position, both ways
//! round; the xlarge models add a convolution after the first layer.

use std::sync::Arc;

use serde_json::Value;

use super::encoder::{BERT_HEAD, ENCODER, masked_encoder};
use super::parts::{HeadNames, LayerNames, Sizes, encoder_layer, positions};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::{Activation, Matrix, Relative, Workspace};
use epicene_transformer::{Convolution, Embedding, Layer, Transformer};

/// What the first generation has too.
pub const RELATIVE: &[&str] = all_of!(
    ENCODER,
    &[
        "embedding_size legacy max_relative_positions pos_att_type position_biased_input",
        "relative_attention"
    ]
);

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        RELATIVE,
        &[
            "attention_head_size conv_act conv_groups conv_kernel_size norm_rel_ebd position_buckets",
            "share_att_key"
        ]
    ),
    harmless: &["padding_idx"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "deberta.");
    let sizes = Sizes::of(config)?;
    if config.size_or("attention_head_size", sizes.head_size)? != sizes.head_size {
        return Err(config.unknown("attention_head_size"));
    }
    let embedding = embedding(&loader, config, &sizes)?;
    let ways = Ways::of(config)?;
    let positions = Positions::of(&loader, config, &sizes, ways)?;
    let head = head_names(&loader, config)?;
    let head = (&head, sizes.activation);
    masked_encoder(&loader, config, &sizes, embedding, head, |index| {
        let prefix = format!("deberta.encoder.layer.{index}");
        let names = LayerNames {
            query: format!("{prefix}.attention.self.query_proj"),
            key: format!("{prefix}.attention.self.key_proj"),
            value: format!("{prefix}.attention.self.value_proj"),
            ..LayerNames::bert(&prefix)
        };
        let mut layer = encoder_layer(&loader, &names, &sizes, false)?;
        // The ways positions are looked at count even where none is.
        layer.attention.how.scale = 1.0 / ((sizes.head_size * ways.terms()) as f32).sqrt();
        if let Some(positions) = &positions {
            positions.attach(&loader, &sizes, &names, &mut layer)?;
        }
        if index == 0 && config.size_or("conv_kernel_size", 0)? > 0 {
            layer.convolution = Some(convolution(&loader, config, &sizes)?);
        }
        Ok(layer)
    })
}

/// BERT's head where it is stored, else the one the models were trained with.
pub fn head_names(loader: &Loader, config: &Config) -> Result<HeadNames<'static>, CheckpointError> {
    let legacy = config.flag("legacy", true)?;
    Ok(
        if legacy && loader.has(&format!("{}.weight", BERT_HEAD.dense)) {
            BERT_HEAD
        } else {
            HeadNames {
                dense: "lm_predictions.lm_head.dense",
                norm: "lm_predictions.lm_head.LayerNorm",
                bias: "lm_predictions.lm_head.bias",
                decoder_bias: None,
                decoder: None,
            }
        },
    )
}

pub fn embedding(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
) -> Result<Embedding, CheckpointError> {
    let hidden = sizes.hidden;
    if config.size_or("embedding_size", hidden)? != hidden {
        return Err(config.bad(
            "embedding_size",
            "differs from hidden_size, which is not supported",
        ));
    }
    let types = config.size_or("type_vocab_size", 0)?;
    let segment = match types {
        0 => None,
        _ => Some(
            loader
                .matrix(
                    "deberta.embeddings.token_type_embeddings.weight",
                    types,
                    hidden,
                )?
                .row(0)
                .to_vec(),
        ),
    };
    let tokens = loader.table(
        "deberta.embeddings.word_embeddings.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let learned = config.flag("position_biased_input", true)?;
    Ok(Embedding {
        tokens,
        scale: 1.0,
        positions: if learned {
            Some(positions(
                loader,
                "deberta.embeddings.position_embeddings.weight",
                config.size(&["max_position_embeddings"])?,
                hidden,
                0,
                segment.as_deref(),
            )?)
        } else {
            None
        },
        constant: if learned { None } else { segment },
        norm: Some(loader.layer_norm(
            "deberta.embeddings.LayerNorm",
            hidden,
            sizes.epsilon,
            Bias::Needed,
        )?),
        projection: None,
    })
}

/// Which way relative positions are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Ways {
    pub content_to_position: bool,
    pub position_to_content: bool,
}

impl Ways {
    pub fn of(config: &Config) -> Result<Ways, CheckpointError> {
        const FIELD: &str = "pos_att_type";
        let stated: Vec<String> = match config.get(FIELD) {
            None => Vec::new(),
            Some(Value::String(ways)) => ways.split('|').map(str::to_owned).collect(),
            Some(Value::Array(ways)) => ways
                .iter()
                .map(|way| way.as_str().map(str::to_owned))
                .collect::<Option<_>>()
                .ok_or_else(|| config.unknown(FIELD))?,
            Some(_) => return Err(config.unknown(FIELD)),
        };
        let stated: Vec<String> = stated
            .iter()
            .map(|way| way.trim().to_lowercase())
            .filter(|way| !way.is_empty())
            .collect();
        if stated.iter().any(|way| way != "c2p" && way != "p2c") {
            return Err(config.unknown(FIELD));
        }
        Ok(Ways {
            content_to_position: stated.iter().any(|way| way == "c2p"),
            position_to_content: stated.iter().any(|way| way == "p2c"),
        })
    }

    /// Products that make up a score.
    pub fn terms(self) -> usize {
        1 + usize::from(self.content_to_position) + usize::from(self.position_to_content)
    }
}

/// The relative positions all layers share.
struct Positions {
    table: Matrix,
    span: usize,
    buckets: usize,
    farthest: usize,
    ways: Ways,
    shared: bool,
}

impl Positions {
    fn of(
        loader: &Loader,
        config: &Config,
        sizes: &Sizes,
        ways: Ways,
    ) -> Result<Option<Positions>, CheckpointError> {
        let stated = config.get("norm_rel_ebd");
        let normed = match stated.map(|stated| stated.as_str().map(str::to_lowercase)) {
            None => false,
            Some(Some(norms)) => norms.split('|').any(|norm| norm.trim() == "layer_norm"),
            Some(None) => return Err(config.unknown("norm_rel_ebd")),
        };
        let norm = if normed {
            Some(loader.layer_norm(
                "deberta.encoder.LayerNorm",
                sizes.hidden,
                sizes.epsilon,
                Bias::Needed,
            )?)
        } else {
            None
        };
        if !config.flag("relative_attention", false)? {
            return Ok(None);
        }
        // Both sizes are -1 where the default holds.
        let whole = |name: &str| match config.get(name).map(Value::as_i64) {
            None => Ok(None),
            Some(Some(..=0)) => Ok(None),
            Some(_) => config.optional_size(name),
        };
        let buckets = whole("position_buckets")?.unwrap_or(0);
        let farthest = match whole("max_relative_positions")? {
            Some(count) => count,
            None => config.size(&["max_position_embeddings"])?,
        };
        // Half of the buckets count single steps, the others reach as far as the farthest.
        if buckets == 1 || (buckets > 1 && farthest <= buckets / 2 + 1) {
            let problem =
                format!("is {buckets}, which does not go with distances up to {farthest}");
            return Err(config.bad("position_buckets", problem));
        }
        let span = match buckets {
            0 => farthest,
            buckets => buckets,
        };
        let mut table = loader.matrix(
            "deberta.encoder.rel_embeddings.weight",
            2 * span,
            sizes.hidden,
        )?;
        if let Some(norm) = norm {
            norm.apply(&mut table);
        }
        if ways.terms() == 1 {
            return Ok(None);
        }
        Ok(Some(Positions {
            table,
            span,
            buckets,
            farthest,
            ways,
            shared: config.flag("share_att_key", false)?,
        }))
    }

    /// Projects the table for one layer; it never changes, so that is done once.
    fn attach(
        &self,
        loader: &Loader,
        sizes: &Sizes,
        names: &LayerNames,
        layer: &mut Layer,
    ) -> Result<(), CheckpointError> {
        let mut workspace = Workspace::default();
        let loader = loader.on_cpu();
        let width = sizes.heads * sizes.head_size;
        let mut project =
            |wanted: bool, shared: &str, own: &str| -> Result<Matrix, CheckpointError> {
                if !wanted {
                    return Ok(Matrix::default());
                }
                let name = if self.shared {
                    shared.to_owned()
                } else {
                    shared.replace(own, &format!("pos_{own}"))
                };
                let map = loader.linear(&name, width, sizes.hidden, Bias::IfThere)?;
                Ok(map.apply(&mut workspace, self.table.view(), Activation::Identity))
            };
        let relative = Relative {
            keys: project(self.ways.content_to_position, &names.key, "key_proj")?,
            queries: project(self.ways.position_to_content, &names.query, "query_proj")?,
            centre: self.span,
            buckets: self.buckets,
            farthest: self.farthest,
        };
        layer.attention.relative = Some(relative);
        Ok(())
    }
}

fn convolution(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
) -> Result<Convolution, CheckpointError> {
    let hidden = sizes.hidden;
    let kernel = config.size(&["conv_kernel_size"])?;
    let groups = config.optional_size("conv_groups")?.unwrap_or(1);
    if kernel.is_multiple_of(2) || !hidden.is_multiple_of(groups) {
        let field = if kernel.is_multiple_of(2) {
            "conv_kernel_size"
        } else {
            "conv_groups"
        };
        return Err(config.unknown(field));
    }
    let inputs = hidden / groups;
    let stored = loader.tensor(
        "deberta.encoder.conv.conv.weight",
        &[hidden, inputs, kernel],
    )?;
    let taps = (0..kernel).map(|tap| {
        let mut rows = vec![0.0; hidden * hidden];
        for output in 0..hidden {
            let first = output / (hidden / groups) * inputs;
            for input in 0..inputs {
                rows[output * hidden + first + input] =
                    stored[(output * inputs + input) * kernel + tap];
            }
        }
        loader.made(hidden, hidden, &rows, Vec::new())
    });
    Ok(Convolution {
        taps: taps.collect::<Result<_, _>>()?,
        bias: loader.vector("deberta.encoder.conv.conv.bias", hidden)?,
        activation: config.activation("conv_act", "tanh")?,
        norm: loader.layer_norm(
            "deberta.encoder.conv.LayerNorm",
            hidden,
            sizes.epsilon,
            Bias::Needed,
        )?,
    })
}
