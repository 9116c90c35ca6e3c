//! DeBERTa, the first (He et al. 2020): queries, keys and values in one matrix, biases on two of them, distances that are
//! told apart one by one.

use std::sync::Arc;

use super::deberta_v2::{RELATIVE, Ways, embedding, head_names};
use super::encoder::masked_encoder;
use super::parts::Sizes;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::{Activation, AttentionMask, AttentionShape, Matrix, Relative, Workspace};
use epicene_transformer::{Attention, FeedForward, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(RELATIVE, &["talking_head"]),
    harmless: &["padding_idx"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "deberta.");
    let sizes = Sizes::of(config)?;
    config.refuse("talking_head")?;
    let embedding = embedding(&loader, config, &sizes)?;
    let ways = Ways::of(config)?;
    let table = table(&loader, config, &sizes)?;
    let names = head_names(&loader, config)?;
    let head = (&names, sizes.activation);
    masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let prefix = format!("deberta.encoder.layer.{layer}");
        self::layer(&loader, &sizes, &prefix, ways, table.as_ref())
    })
}

/// The relative positions, where there are any.
fn table(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
) -> Result<Option<Matrix>, CheckpointError> {
    if !config.flag("relative_attention", false)? {
        return Ok(None);
    }
    // Below one where the default holds.
    let farthest = match config
        .get("max_relative_positions")
        .and_then(|f| f.as_i64())
    {
        Some(1..) => config.size(&["max_relative_positions"])?,
        _ => config.size(&["max_position_embeddings"])?,
    };
    let name = "deberta.encoder.rel_embeddings.weight";
    loader.matrix(name, 2 * farthest, sizes.hidden).map(Some)
}

fn layer(
    loader: &Loader,
    sizes: &Sizes,
    prefix: &str,
    ways: Ways,
    table: Option<&Matrix>,
) -> Result<Layer, CheckpointError> {
    let (hidden, size, width) = (sizes.hidden, sizes.head_size, sizes.heads * sizes.head_size);
    let own = |name: &str| format!("{prefix}.attention.self.{name}");
    // Each head has its queries, keys and values together.
    let rows = |part: usize| -> Vec<usize> {
        (0..sizes.heads)
            .flat_map(|head| (0..size).map(move |row| (3 * head + part) * size + row))
            .collect()
    };
    let map =
        |rows: &[usize]| loader.linear_rows(&own("in_proj"), 3 * width, hidden, rows, Bias::None);
    let mut query = map(&rows(0))?;
    query.bias = loader.vector(&own("q_bias"), width)?;
    let mut key_value = map(&[rows(1), rows(2)].concat())?;
    key_value.bias = vec![0.0; width];
    key_value.bias.extend(loader.vector(&own("v_bias"), width)?);
    let linear = |name: &str, outputs: usize, inputs: usize| {
        loader.linear(&format!("{prefix}.{name}"), outputs, inputs, Bias::Needed)
    };
    let how = AttentionShape {
        scale: 1.0 / ((size * ways.terms()) as f32).sqrt(),
        ..AttentionShape::new(sizes.heads, size, AttentionMask::BOTH_WAYS)
    };
    let mixed = linear("attention.output.dense", hidden, width)?;
    let mut attention = Attention::new(how, query, key_value, mixed);
    if let Some(table) = table.filter(|_| ways.terms() > 1) {
        attention.relative = Some(relative(loader, sizes, &own, ways, table)?);
    }
    let norm = |name: &str| {
        let name = format!("{prefix}.{name}.LayerNorm");
        loader
            .layer_norm(&name, hidden, sizes.epsilon, Bias::Needed)
            .map(Some)
    };
    Ok(Layer::new(
        attention,
        FeedForward::plain(
            linear("intermediate.dense", sizes.inner, hidden)?,
            sizes.activation,
            linear("output.dense", hidden, sizes.inner)?,
        ),
        Norms {
            after_attention: norm("attention.output")?,
            after_feed_forward: norm("output")?,
            ..Norms::default()
        },
    ))
}

/// The table projected for one layer; it never changes, so that is done once.
fn relative(
    loader: &Loader,
    sizes: &Sizes,
    own: &impl Fn(&str) -> String,
    ways: Ways,
    table: &Matrix,
) -> Result<Relative, CheckpointError> {
    let mut workspace = Workspace::default();
    let loader = loader.on_cpu();
    let mut project = |wanted: bool, name: &str, bias: Bias| {
        if wanted {
            let width = sizes.heads * sizes.head_size;
            let map = loader.linear(&own(name), width, sizes.hidden, bias)?;
            Ok::<_, CheckpointError>(map.apply(&mut workspace, table.view(), Activation::Identity))
        } else {
            Ok(Matrix::default())
        }
    };
    Ok(Relative {
        keys: project(ways.content_to_position, "pos_proj", Bias::None)?,
        queries: project(ways.position_to_content, "pos_q_proj", Bias::Needed)?,
        centre: table.rows / 2,
        buckets: 0,
        farthest: table.rows / 2,
    })
}
