//! Watches which tensors of a file become part of a model. A tensor that nothing reads is a sign that the model is not
//! the one that was saved: a head of its own that a flag hides, a bias, an adapter, layers beyond those counted.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::{CheckpointError, Config, Weights};

/// Tensors that are never part of the model: buffers that can be computed, heads of other tasks, what training
/// left behind. By their endings…
const ENDINGS: &[&str] = &[
    ".position_ids",
    ".token_type_ids",
    ".rotary_emb.inv_freq",
    ".attn.bias",
    ".attn.masked_bias",
    ".attention.bias",
    ".attention.masked_bias",
    // M2M-100's sines.
    ".embed_positions.weights",
    // T5's first decoder layer once had a bias for the source too.
    ".EncDecAttention.relative_attention_bias.weight",
    // Published DeBERTa files have positions that nothing adds.
    "deberta.embeddings.position_embeddings.weight",
    // Read only where a language is named.
    "lang_embeddings.weight",
];

/// …or by one of their parts.
const PARTS: &[&str] = &[
    "pooler",
    "seq_relationship",
    "sop_classifier",
    "classifier",
    "qa_outputs",
    "score",
    "discriminator_predictions",
    "mask_predictions",
    // LUKE's entities, and Longformer's tokens that see all others: no text here has any.
    "entity_embeddings",
    "entity_predictions",
    "w2e_query",
    "e2w_query",
    "e2e_query",
    "query_global",
    "key_global",
    "value_global",
    "position_ids",
];

/// Weights that remember what was read.
#[derive(Debug)]
pub struct Watched {
    weights: Arc<dyn Weights>,
    read: Mutex<BTreeSet<String>>,
}

impl Watched {
    pub fn new(weights: Arc<dyn Weights>) -> Watched {
        Watched {
            weights,
            read: Mutex::default(),
        }
    }

    /// Refuses tensors that nothing read, but for those known to be harmless and those a user names (`PREFIX*` names
    /// all that begin so).
    pub fn refuse_unread(
        &self,
        config: &Config,
        ignored: &[String],
    ) -> Result<(), CheckpointError> {
        let read = match self.read.lock() {
            Ok(read) => read.clone(),
            Err(_) => return Ok(()),
        };
        let guessing = guessing_layers(config);
        let unread = self.weights.names().into_iter().filter(|name| {
            !read.contains(*name)
                && !guessing.iter().any(|layer| name.starts_with(layer))
                && !ENDINGS.iter().any(|ending| name.ends_with(ending))
                && !name.split('.').any(|part| PARTS.contains(&part))
        });
        let is_named = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == pattern,
        };
        let mut left = Vec::new();
        for name in unread {
            match ignored.iter().find(|pattern| is_named(pattern, name)) {
                Some(pattern) => config.remark(format!("ignore-config={pattern}")),
                None => left.push(name),
            }
        }
        let Some(first) = left.first() else {
            return Ok(());
        };
        let shown: Vec<String> = left
            .iter()
            .take(3)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = match left.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more tensors"),
        };
        Err(CheckpointError::Unread {
            file: self.weights.file_of(first).to_owned(),
            tensors: format!("{}{more}", shown.join(", ")),
        })
    }
}

/// Layers behind the last that guess tokens further on (DeepSeek-V3), which no probability of the next one needs.
fn guessing_layers(config: &Config) -> Vec<String> {
    let size = |field: &str| config.stored(field).and_then(|value| value.as_u64());
    match (size("num_hidden_layers"), size("num_nextn_predict_layers")) {
        (Some(last), Some(more @ 1..=8)) => {
            let layers = last..last.saturating_add(more);
            layers
                .map(|layer| format!("model.layers.{layer}."))
                .collect()
        }
        _ => Vec::new(),
    }
}

impl Weights for Watched {
    fn inner(&self) -> Option<&dyn Weights> {
        Some(&*self.weights)
    }

    fn note(&self, name: &str) {
        if let Ok(mut read) = self.read.lock() {
            read.insert(name.to_owned());
        }
    }
}
