//! The layers of causal models: attention with its matrices apart or stored as one, networks with a gate or without, norms
//! where a family puts them.

use std::sync::Arc;

use super::decoder::Decoder;
use epicene_checkpoint::{Bias, CheckpointError};
use epicene_kernels::{AttentionShape, Norm, Rotary};
use epicene_transformer::{Attention, FeedForward, Layer, Norms};

/// The layout of queries, keys and values in one stored matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fused {
    /// All queries, all keys, all values.
    Parts,
    /// For each key head its queries, its key, its value.
    Groups,
}

impl Decoder<'_> {
    /// A norm of each head of the queries or keys.
    pub fn head_norm(&self, name: &str) -> Result<Option<Norm>, CheckpointError> {
        self.norm.load(&self.loader, name, self.head_size).map(Some)
    }

    /// A norm in front of each half.
    pub fn norms(&self, attention: &str, feed_forward: &str) -> Result<Norms, CheckpointError> {
        Ok(Norms {
            before_attention: Some(self.norm(attention)?),
            before_feed_forward: Some(self.norm(feed_forward)?),
            ..Norms::default()
        })
    }

    /// A norm of queries and one of keys over all heads together, under OLMo's names.
    pub fn add_wide_norms(
        &self,
        attention: &mut Attention,
        layer: &str,
    ) -> Result<(), CheckpointError> {
        let norm = |name: &str, heads: usize| {
            let name = format!("{layer}.self_attn.{name}");
            self.norm.load(&self.loader, &name, heads * self.head_size)
        };
        attention.query_norm = Some(norm("q_norm", self.heads)?);
        attention.key_norm = Some(norm("k_norm", self.key_heads)?);
        Ok(())
    }

    /// Norms of what each half gives, and none in front.
    pub fn norms_behind(&self, layer: &str) -> Result<Norms, CheckpointError> {
        let norm = |name: &str| self.norm(&format!("{layer}.{name}")).map(Some);
        Ok(Norms {
            of_attention: norm("post_attention_layernorm")?,
            of_feed_forward: norm("post_feedforward_layernorm")?,
            ..Norms::default()
        })
    }

    /// Rows of one head in the engine's order.
    pub fn head_rows(&self, first: usize) -> impl Iterator<Item = usize> {
        let turned = self.neighbours.unwrap_or(0);
        let even = (0..turned).step_by(2);
        let odd = (0..turned).skip(1).step_by(2);
        even.chain(odd)
            .chain(turned..self.head_size)
            .map(move |row| first + row)
    }

    /// Attention with queries, keys and values under these names, and its output.
    pub fn attention(
        &self,
        [query, key, value, output]: [&str; 4],
        input_bias: Bias,
        output_bias: Bias,
    ) -> Result<Attention, CheckpointError> {
        let (size, hidden) = (self.head_size, self.hidden);
        let rows = |heads: usize| -> Vec<usize> {
            (0..heads)
                .flat_map(|head| self.head_rows(head * size))
                .collect()
        };
        let (queries, keys) = (self.heads * size, self.key_heads * size);
        let values: Vec<usize> = (0..keys).collect();
        Ok(Attention::new(
            AttentionShape::causal(self.heads, self.key_heads, size),
            self.loader
                .linear_rows(query, queries, hidden, &rows(self.heads), input_bias)?,
            self.loader.chosen_rows(
                &[(key, keys, &rows(self.key_heads)), (value, keys, &values)],
                hidden,
                input_bias,
            )?,
            self.linear(output, hidden, queries, output_bias)?,
        ))
    }

    /// Attention whose queries, keys and values are stored as one.
    pub fn fused_attention(
        &self,
        stored: &str,
        fused: Fused,
        output: &str,
        bias: [Bias; 2],
    ) -> Result<Attention, CheckpointError> {
        let (heads, key_heads, size) = (self.heads, self.key_heads, self.head_size);
        let share = heads / key_heads;
        let (mut query, mut key, mut value) = (Vec::new(), Vec::new(), Vec::new());
        for head in 0..heads {
            let place = match fused {
                Fused::Parts => head,
                Fused::Groups => head / share * (share + 2) + head % share,
            };
            query.extend(self.head_rows(place * size));
        }
        for head in 0..key_heads {
            let places = match fused {
                Fused::Parts => [heads + head, heads + key_heads + head],
                Fused::Groups => [head * (share + 2) + share, head * (share + 2) + share + 1],
            };
            key.extend(self.head_rows(places[0] * size));
            value.extend(places[1] * size..(places[1] + 1) * size);
        }
        key.extend(value);
        let all = (heads + 2 * key_heads) * size;
        let rows = |rows: &[usize]| {
            self.loader
                .linear_rows(stored, all, self.hidden, rows, bias[0])
        };
        Ok(Attention::new(
            AttentionShape::causal(heads, key_heads, size),
            rows(&query)?,
            rows(&key)?,
            self.linear(output, self.hidden, heads * size, bias[1])?,
        ))
    }

    /// In, activation, out.
    pub fn plain(
        &self,
        input: &str,
        output: &str,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::plain(
            self.linear(input, self.inner, self.hidden, bias)?,
            self.activation,
            self.linear(output, self.hidden, self.inner, bias)?,
        ))
    }

    /// Attention of one stored matrix under Megatron's names, as GPT-NeoX, BLOOM and Falcon have it.
    pub fn megatron_attention(
        &self,
        part: &str,
        fused: Fused,
        bias: Bias,
    ) -> Result<Attention, CheckpointError> {
        let (stored, output) = (format!("{part}.query_key_value"), format!("{part}.dense"));
        self.fused_attention(&stored, fused, &output, [bias; 2])
    }

    /// The network of the same.
    pub fn megatron_network(
        &self,
        layer: &str,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        let [inner, outer] = ["dense_h_to_4h", "dense_4h_to_h"].map(|n| format!("{layer}.mlp.{n}"));
        self.plain(&inner, &outer, bias)
    }

    /// A gated network of `inner` features: gate, what it gates, out.
    pub fn gated(
        &self,
        [gate, gated, output]: [&str; 3],
        inner: usize,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::gated(
            self.loader
                .linears(&[gate, gated], inner, self.hidden, bias)?,
            self.activation,
            self.linear(output, self.hidden, inner, bias)?,
        ))
    }

    /// A gated network under Llama's names.
    pub fn llama_network(
        &self,
        part: &str,
        inner: usize,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        let [gate, up, down] = ["gate_proj", "up_proj", "down_proj"].map(|n| format!("{part}.{n}"));
        self.gated([&gate, &up, &down], inner, bias)
    }

    /// A gated network whose gate is stored with what it gates.
    pub fn fused_network(&self, input: &str, output: &str) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::gated(
            self.linear(input, 2 * self.inner, self.hidden, Bias::None)?,
            self.activation,
            self.linear(output, self.hidden, self.inner, Bias::None)?,
        ))
    }

    /// Llama's attention under Llama's names.
    pub fn llama_attention(
        &self,
        layer: &str,
        input_bias: Bias,
        output_bias: Bias,
    ) -> Result<Attention, CheckpointError> {
        let names = ["q_proj", "k_proj", "v_proj", "o_proj"];
        let [query, key, value, output] = names.map(|name| format!("{layer}.self_attn.{name}"));
        self.attention([&query, &key, &value, &output], input_bias, output_bias)
    }

    /// Norms on each head of queries and keys, under Qwen's names.
    pub fn add_head_norms(
        &self,
        attention: &mut Attention,
        layer: &str,
    ) -> Result<(), CheckpointError> {
        attention.query_norm = self.head_norm(&format!("{layer}.self_attn.q_norm"))?;
        attention.key_norm = self.head_norm(&format!("{layer}.self_attn.k_norm"))?;
        Ok(())
    }

    /// A layer as Llama has it; biases of queries, keys and values, of attention's output, of the network.
    pub fn llama_layer(
        &self,
        layer: &str,
        rotary: &Arc<Rotary>,
        bias: [Bias; 3],
    ) -> Result<Layer, CheckpointError> {
        self.llama_layer_with(layer, rotary, bias, |layer| self.llama_norms(layer))
    }

    /// The same with other norms.
    pub fn llama_layer_with(
        &self,
        layer: &str,
        rotary: &Arc<Rotary>,
        bias: [Bias; 3],
        norms: impl Fn(&str) -> Result<Norms, CheckpointError>,
    ) -> Result<Layer, CheckpointError> {
        let mut attention = self.llama_attention(layer, bias[0], bias[1])?;
        attention.rotary = Some(rotary.clone());
        Ok(Layer::new(
            attention,
            self.llama_network(&format!("{layer}.mlp"), self.inner, bias[2])?,
            norms(layer)?,
        ))
    }

    /// Norms in front of each half, under Llama's names.
    pub fn llama_norms(&self, layer: &str) -> Result<Norms, CheckpointError> {
        self.norms(
            &format!("{layer}.input_layernorm"),
            &format!("{layer}.post_attention_layernorm"),
        )
    }
}
