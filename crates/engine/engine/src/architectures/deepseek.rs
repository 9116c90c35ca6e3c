//! DeepSeek-V2, V3 and R1 (DeepSeek-AI 2024): latent attention, experts in groups and shared ones beside them, the first
//! layers without.

use std::sync::Arc;

use super::decoder::{Decoder, LLAMA_LIKE, NormKind};
use super::experts::{Mixture, Stored};
use super::rope::{PLAIN, rotary};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::{AttentionShape, Rotary};
use epicene_transformer::{Attention, FeedForward, Groups, Latent, Layer, Scoring, Transformer};

const BOTH: &[&str] = all_of!(
    LLAMA_LIKE,
    &[
        "attention_bias first_k_dense_replace kv_lora_rank moe_intermediate_size moe_layer_freq n_group",
        "n_routed_experts n_shared_experts norm_topk_prob num_experts_per_tok q_lora_rank qk_head_dim",
        "qk_nope_head_dim qk_rope_head_dim routed_scaling_factor scoring_func topk_group topk_method",
        "v_head_dim"
    ]
);
/// Of training, of how work is split over machines, and of layers that predict further tokens.
const HARMLESS: &[&str] =
    &["aux_loss_alpha ep_size is_decoder num_nextn_predict_layers pretraining_tp seq_aux"];

pub const DEEPSEEK_V2: Fields = Fields {
    understood: all_of!(BOTH, &["mlp_bias"]),
    harmless: HARMLESS,
};

pub const DEEPSEEK_V3: Fields = Fields {
    understood: all_of!(BOTH, &["rope_interleave"]),
    harmless: HARMLESS,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let third = config.model_type() == Some("deepseek_v3");
    let decoder = Decoder::llama(config, weights)?;
    let latent = Widths::of(&decoder, third)?;
    let turning = rotary(config, PLAIN, latent.turning, 1.0)?;
    let (rotary, longest) = (Arc::new(turning.rotary), turning.longest);
    let inner_bias = Bias::needed_if(!third && config.flag("mlp_bias", false)?);
    let first = config.size_or("first_k_dense_replace", 0)?;
    let sparse = decoder.layers.saturating_sub(first);
    let inner = config.size(&["moe_intermediate_size"])?;
    let mixture = match sparse {
        0 => None,
        _ => Some(mixture(&decoder, third, inner, sparse)?),
    };
    let shared_inner = inner * config.size_or("n_shared_experts", 0)?;
    decoder.llama_model(longest, |layer, at| {
        let attention = latent.attention(&decoder, at, &rotary)?;
        let norms = decoder.llama_norms(at)?;
        let part = format!("{at}.mlp");
        let Some(mixture) = mixture.as_ref().filter(|_| layer >= first) else {
            let network = decoder.llama_network(&part, decoder.inner, inner_bias)?;
            return Ok(Layer::new(attention, network, norms));
        };
        let stored = Stored::Each {
            part: format!("{part}.experts"),
            names: ["gate_proj", "up_proj", "down_proj"],
        };
        let correction = format!("{part}.gate.e_score_correction_bias");
        let correction = third.then_some(correction.as_str());
        let experts = mixture.load(&format!("{part}.gate"), Bias::None, correction, stored)?;
        let shared = match shared_inner {
            0 => FeedForward::none(),
            _ => {
                let part = format!("{part}.shared_experts");
                decoder.llama_network(&part, shared_inner, inner_bias)?
            }
        };
        Ok(Layer {
            experts: Some(experts),
            ..Layer::new(attention, shared, norms)
        })
    })
}

fn mixture<'a>(
    decoder: &'a Decoder<'a>,
    third: bool,
    inner: usize,
    layers: usize,
) -> Result<Mixture<'a>, CheckpointError> {
    let config = decoder.config;
    let count = config.size(&["n_routed_experts"])?;
    // Written by DeepSeek's own programs; `transformers` knows one of each.
    let scoring = if third { "sigmoid" } else { "softmax" };
    for (field, usual) in [("scoring_func", scoring), ("topk_method", "noaux_tc")] {
        if (third || field == "scoring_func")
            && config.stored(field).is_some()
            && config.text(field) != Some(usual)
        {
            return Err(config.unknown(field));
        }
    }
    if config.optional_size("moe_layer_freq")?.unwrap_or(1) != 1 {
        return Err(config.unknown("moe_layer_freq"));
    }
    let grouped = match (third, config.text("topk_method")) {
        (true, _) | (false, Some("group_limited_greedy")) => true,
        (false, None | Some("greedy")) => false,
        _ => return Err(config.unknown("topk_method")),
    };
    let mut mixture = Mixture::new(decoder, count, inner, layers)?;
    if grouped {
        let groups = Groups {
            count: config.size(&["n_group"])?,
            kept: config.size(&["topk_group"])?,
            best: if third { 2 } else { 1 },
        };
        let size = count / groups.count;
        if mixture.chosen > groups.kept * size {
            let problem = format!(
                "is {}, more than the groups to choose from hold",
                mixture.chosen
            );
            return Err(config.bad("num_experts_per_tok", problem));
        }
        if !count.is_multiple_of(groups.count) || groups.kept > groups.count || size < groups.best {
            let problem = format!("does not part {count} experts into groups to choose from");
            return Err(config.bad("n_group", problem));
        }
        mixture.groups = Some(groups);
    }
    if third {
        mixture.scoring = Scoring::Sigmoid;
    }
    // The second generation has the field, and `transformers` does not read it there.
    mixture.to_one = third && config.flag("norm_topk_prob", true)?;
    if !third && config.flag("norm_topk_prob", false)? {
        return Err(config.unknown("norm_topk_prob"));
    }
    mixture.scale = config.positive("routed_scaling_factor", 1.0)? as f32;
    Ok(mixture)
}

/// The widths of latent attention.
struct Widths {
    turning: usize,
    still: usize,
    value: usize,
    rank: usize,
    query_rank: Option<usize>,
    /// Whether the turning part is stored with neighbours side by side.
    neighbours: bool,
    scale: f32,
}

impl Widths {
    fn of(decoder: &Decoder<'_>, third: bool) -> Result<Widths, CheckpointError> {
        let config = decoder.config;
        let turning = config.size(&["qk_rope_head_dim"])?;
        let still = config.size(&["qk_nope_head_dim"])?;
        let key = turning + still;
        if config.stored("qk_head_dim").is_some() && config.size(&["qk_head_dim"])? != key {
            return Err(config.unknown("qk_head_dim"));
        }
        if decoder.key_heads != decoder.heads {
            return Err(config.unknown("num_key_value_heads"));
        }
        Ok(Widths {
            turning,
            still,
            value: config.size(&["v_head_dim"])?,
            rank: config.size(&["kv_lora_rank"])?,
            query_rank: config.optional_size("q_lora_rank")?,
            neighbours: !third || config.flag("rope_interleave", true)?,
            scale: (1.0 / (key as f64).sqrt() * stretched(config, third)) as f32,
        })
    }

    /// The turning features of a head in the engine's order, from the first on.
    fn turning_rows(&self, first: usize) -> Vec<usize> {
        let all = first..first + self.turning;
        if self.neighbours {
            let even = all.clone().step_by(2);
            even.chain(all.skip(1).step_by(2)).collect()
        } else {
            all.collect()
        }
    }

    fn attention(
        &self,
        decoder: &Decoder<'_>,
        at: &str,
        rotary: &Arc<Rotary>,
    ) -> Result<Attention, CheckpointError> {
        let (heads, hidden) = (decoder.heads, decoder.hidden);
        let name = |part: &str| format!("{at}.self_attn.{part}");
        let loader = &decoder.loader;
        let bias = Bias::needed_if(decoder.config.flag("attention_bias", false)?);
        // These norms have an epsilon of their own.
        let norm = |part: &str, width: usize| {
            let kind = NormKind::RootMeanSquare {
                epsilon: 1e-6,
                offset: 0.0,
            };
            kind.load(loader, &name(part), width)
        };
        let key = self.turning + self.still;
        let rows: Vec<usize> = (0..heads)
            .flat_map(|head| {
                let still = head * key..head * key + self.still;
                let turning = self.turning_rows(head * key + self.still);
                turning.into_iter().chain(still)
            })
            .collect();
        let (query_name, inputs, query) = match self.query_rank {
            None => (name("q_proj"), hidden, None),
            Some(rank) => {
                let down = loader.linear(&name("q_a_proj"), rank, hidden, bias)?;
                let narrow = (down, norm("q_a_layernorm", rank)?);
                (name("q_b_proj"), rank, Some(narrow))
            }
        };
        let down_rows: Vec<usize> = (0..self.rank).chain(self.turning_rows(self.rank)).collect();
        let stored = self.rank + self.turning;
        let latent = Latent {
            query,
            down: loader.linear_rows(
                &name("kv_a_proj_with_mqa"),
                stored,
                hidden,
                &down_rows,
                bias,
            )?,
            norm: norm("kv_a_layernorm", self.rank)?,
            turning: self.turning,
            still: self.still,
            value: self.value,
        };
        let up = heads * (self.still + self.value);
        let mut attention = Attention::new(
            AttentionShape {
                scale: self.scale,
                ..AttentionShape::causal(heads, heads, key.max(self.value))
            },
            loader.linear_rows(&query_name, heads * key, inputs, &rows, Bias::None)?,
            loader.linear(&name("kv_b_proj"), up, self.rank, Bias::None)?,
            loader.linear(&name("o_proj"), hidden, heads * self.value, bias)?,
        );
        attention.rotary = Some(rotary.clone());
        attention.latent = Some(latent);
        Ok(attention)
    }
}

/// The factor on the scores where positions are stretched. The models were trained with it; version 4 of `transformers`
/// leaves it out in the second generation, and is not followed there.
fn stretched(config: &Config, third: bool) -> f64 {
    let scaling = config
        .stored("rope_parameters")
        .or_else(|| config.stored("rope_scaling"));
    let number = |field: &str| scaling.and_then(|scaling| scaling.get(field)?.as_f64());
    match (number("mscale_all_dim"), number("factor")) {
        (Some(share), Some(factor)) if share != 0.0 && factor > 1.0 => {
            if !third {
                config.remark("as-transformers-5");
            }
            let grown = 0.1 * share * factor.ln() + 1.0;
            grown * grown
        }
        _ => 1.0,
    }
}
