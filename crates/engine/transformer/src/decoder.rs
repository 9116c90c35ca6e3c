//! The decoder, one token further for every running hypothesis of a batch of sentences at once; the
//! search (`seq2seq/batch.rs` of epicene-engine) or the known text (`model/filler`) gives the next token.
//!
//! Rows are hypotheses. Keys and values of a sentence's source are computed once and shared by its hypotheses; keys
//! and values of what was written lie in slots, and a hypothesis is a list of slots, so that choosing among
//! hypotheses copies indices, never keys.

use std::sync::Arc;

use crate::{FeedForward, Transformer};
use epicene_checkpoint::{CheckpointError, Table};
use epicene_kernels::{
    self as cpu, Activation, DistanceBias, Linear, Matrix, Norm, PART, PackedMatrix, Workspace,
};

#[derive(Debug)]
pub struct Decoder {
    pub embedding: TargetEmbedding,
    pub layers: Vec<DecoderLayer>,
    /// After the last layer.
    pub norm: Option<Norm>,
    pub projection: Projection,
}

/// The two halves of a model that reads a text and writes another.
#[derive(Debug)]
pub struct EncoderDecoder {
    pub encoder: Transformer,
    pub decoder: Decoder,
    /// Longest target in tokens, where a table holds the positions.
    pub longest_target: Option<usize>,
}

/// From the last token of a hypothesis to the first layer's input.
#[derive(Debug)]
pub struct TargetEmbedding {
    pub tokens: Table,
    pub scale: f32,
    /// The first row for the first token; none where attention counts distances.
    pub positions: Option<Matrix>,
    /// A token without a position (M2M-100's padding).
    pub without_position: Option<u32>,
    pub norm: Option<Norm>,
}

#[derive(Debug)]
pub struct DecoderLayer {
    pub heads: usize,
    pub head_size: usize,
    pub scale: f32,
    pub own: OwnAttention,
    pub source: SourceAttention,
    pub feed_forward: FeedForward,
    pub norms: [Norm; 3],
    /// Norms stand before each part, not after it.
    pub norm_first: bool,
}

/// Attention to what was written.
#[derive(Debug)]
pub struct OwnAttention {
    /// Queries, keys and values side by side.
    pub query_key_value: Linear,
    pub output: Linear,
    pub bias: Option<Arc<DistanceBias>>,
}

/// Attention to the source.
#[derive(Debug)]
pub struct SourceAttention {
    pub query: Linear,
    pub key_value: Linear,
    pub output: Linear,
}

/// From the last layer's output to logits.
#[derive(Debug)]
pub struct Projection {
    pub weight: PackedMatrix,
    /// Empty where there is none.
    pub bias: Vec<f32>,
    pub scale: f32,
}

/// What is kept of a sentence while its target is written.
#[derive(Debug)]
pub struct Kept {
    /// For each layer, keys and values of the source.
    source: Vec<Matrix>,
    /// For each layer, slots of keys and values of what was written.
    written: Vec<Vec<f32>>,
    /// For each beam, the slots of its tokens.
    slots: Vec<Vec<u32>>,
    free: Vec<u32>,
    used: u32,
}

impl Kept {
    pub fn new(source: Vec<Matrix>) -> Kept {
        Kept {
            written: vec![Vec::new(); source.len()],
            source,
            slots: vec![Vec::new()],
            free: Vec::new(),
            used: 0,
        }
    }

    /// Gives each beam a slot for the token that is read now.
    fn take_slots(&mut self) {
        for slots in &mut self.slots {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.used += 1;
                self.used - 1
            });
            slots.push(slot);
        }
    }

    /// Goes on with beams that continue the given ones; slots that none of them uses are free.
    pub fn continue_from(&mut self, parents: &[usize]) {
        self.slots = parents
            .iter()
            .map(|parent| self.slots[*parent].clone())
            .collect();
        let mut needed = vec![false; self.used as usize];
        for slot in self.slots.iter().flatten() {
            needed[*slot as usize] = true;
        }
        self.free = (0..self.used)
            .rev()
            .filter(|slot| !needed[*slot as usize])
            .collect();
    }
}

/// The last token of a hypothesis, and its index in it.
#[derive(Debug, Clone, Copy)]
pub struct Last {
    pub token: u32,
    pub index: usize,
}

impl Last {
    pub fn of(ids: &[u32]) -> Last {
        let token = ids.last();
        Last {
            token: *token.expect("a hypothesis begins with a token"),
            index: ids.len() - 1,
        }
    }
}

impl Decoder {
    /// Keys and values of encoded sentences, for each sentence and layer. Sentence s is
    /// `starts[s]..starts[s + 1]` of the rows.
    pub fn read_source(
        &self,
        workspace: &mut Workspace,
        encoded: &Matrix,
        starts: &[usize],
    ) -> Vec<Vec<Matrix>> {
        let mut sources = vec![Vec::with_capacity(self.layers.len()); starts.len() - 1];
        for layer in &self.layers {
            let all = layer
                .source
                .key_value
                .apply(workspace, encoded.view(), Activation::Identity);
            for (source, bounds) in sources.iter_mut().zip(starts.windows(2)) {
                let rows = bounds[1] - bounds[0];
                source.push(Matrix {
                    data: all.data[bounds[0] * all.columns..bounds[1] * all.columns].to_vec(),
                    rows,
                    columns: all.columns,
                });
            }
            workspace.give(all);
        }
        sources
    }

    /// Reads one token more of every beam, the last ones given; the result has a row for each, sentence by sentence.
    pub fn step(
        &self,
        workspace: &mut Workspace,
        last: &[Last],
        live: &mut [&mut Kept],
    ) -> Result<Matrix, CheckpointError> {
        let mut hidden = self.embedding.apply(workspace, last)?;
        for sentence in live.iter_mut() {
            sentence.take_slots();
        }
        let longest = live.iter().map(|sentence| sentence.source.first());
        let longest = longest.flatten().map(|source| source.rows).max();
        let every: Vec<u32> = (0..longest.unwrap_or(0) as u32).collect();
        for (index, layer) in self.layers.iter().enumerate() {
            layer.part(workspace, &mut hidden, 0, |workspace, input| {
                layer.attend_to_written(workspace, input, live, index)
            });
            layer.part(workspace, &mut hidden, 1, |workspace, input| {
                layer.attend_to_source(workspace, input, live, index, &every)
            });
            layer.part(workspace, &mut hidden, 2, |workspace, input| {
                layer.feed_forward.apply(workspace, input)
            });
        }
        if let Some(norm) = &self.norm {
            norm.apply(&mut hidden);
        }
        if self.projection.scale != 1.0 {
            cpu::scale(&mut hidden.data, self.projection.scale);
        }
        Ok(hidden)
    }
}

impl TargetEmbedding {
    fn apply(&self, workspace: &mut Workspace, last: &[Last]) -> Result<Matrix, CheckpointError> {
        let mut out = workspace.matrix(last.len(), self.tokens.columns);
        for (row, Last { token, index }) in last.iter().enumerate() {
            let row = out.row_mut(row);
            self.tokens.read(*token as usize, row)?;
            if self.scale != 1.0 {
                cpu::scale(row, self.scale);
            }
            if let Some(positions) = &self.positions
                && self.without_position != Some(*token)
            {
                cpu::add(row, positions.row(*index));
            }
        }
        if let Some(norm) = &self.norm {
            norm.apply(&mut out);
        }
        Ok(out)
    }
}

impl DecoderLayer {
    /// One part of the layer with its norm and the way around it.
    fn part(
        &self,
        workspace: &mut Workspace,
        hidden: &mut Matrix,
        index: usize,
        compute: impl FnOnce(&mut Workspace, &Matrix) -> Matrix,
    ) {
        let norm = &self.norms[index];
        let changed = if self.norm_first {
            let mut normed = workspace.matrix(hidden.rows, hidden.columns);
            normed.data.copy_from_slice(&hidden.data);
            norm.apply(&mut normed);
            let changed = compute(workspace, &normed);
            workspace.give(normed);
            changed
        } else {
            compute(workspace, hidden)
        };
        cpu::add(&mut hidden.data, &changed.data);
        workspace.give(changed);
        if !self.norm_first {
            norm.apply(hidden);
        }
    }

    fn attend_to_written(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
        live: &mut [&mut Kept],
        layer: usize,
    ) -> Matrix {
        let all = self
            .own
            .query_key_value
            .apply(workspace, input.view(), Activation::Identity);
        let width = self.heads * self.head_size;
        let mut mixed = workspace.matrix(input.rows, width);
        let mut weights: Vec<f32> = Vec::new();
        let mut row = 0;
        for sentence in live {
            let written = &mut sentence.written[layer];
            written.resize(sentence.used as usize * 2 * width, 0.0);
            for (beam, slots) in sentence.slots.iter().enumerate() {
                if let Some(slot) = slots.last() {
                    let place = *slot as usize * 2 * width;
                    written[place..place + 2 * width]
                        .copy_from_slice(&all.row(row + beam)[width..]);
                }
            }
            for slots in &sentence.slots {
                weights.clear();
                weights.resize(self.heads * slots.len(), 0.0);
                if let Some(bias) = &self.own.bias {
                    for key in 0..slots.len() {
                        let biases = bias.of(slots.len() - 1, key);
                        for (head, bias) in biases.iter().enumerate() {
                            weights[head * slots.len() + key] = *bias;
                        }
                    }
                }
                cpu::attend_rows(
                    &all.row(row)[..width],
                    self.head_size,
                    self.scale,
                    written,
                    slots,
                    &mut weights,
                    mixed.row_mut(row),
                );
                row += 1;
            }
        }
        let out = self
            .own
            .output
            .apply(workspace, mixed.view(), Activation::Identity);
        workspace.give(all);
        workspace.give(mixed);
        out
    }

    fn attend_to_source(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
        live: &[&mut Kept],
        layer: usize,
        every: &[u32],
    ) -> Matrix {
        let query = self
            .source
            .query
            .apply(workspace, input.view(), Activation::Identity);
        let mut mixed = workspace.matrix(input.rows, query.columns);
        let mut weights: Vec<f32> = Vec::new();
        let mut row = 0;
        for sentence in live {
            let source = &sentence.source[layer];
            for _ in &sentence.slots {
                weights.clear();
                weights.resize(self.heads * source.rows, 0.0);
                cpu::attend_rows(
                    query.row(row),
                    self.head_size,
                    self.scale,
                    &source.data,
                    &every[..source.rows],
                    &mut weights,
                    mixed.row_mut(row),
                );
                row += 1;
            }
        }
        let out = self
            .source
            .output
            .apply(workspace, mixed.view(), Activation::Identity);
        workspace.give(query);
        workspace.give(mixed);
        out
    }
}

impl Projection {
    /// The logits of every row, a part of the vocabulary after the other: the row, the part's first token, its logits.
    pub fn sweep(
        &self,
        workspace: &mut Workspace,
        hidden: &Matrix,
        mut take: impl FnMut(usize, usize, &mut [f32]),
    ) {
        let mut logits = workspace.matrix(hidden.rows, PART);
        for first in (0..self.weight.outputs).step_by(PART) {
            let count = PART.min(self.weight.outputs - first);
            let part = &mut logits.data[..hidden.rows * count];
            cpu::times_part(workspace, hidden.view(), &self.weight, first, part);
            for (row, logits) in part.chunks_exact_mut(count).enumerate() {
                if !self.bias.is_empty() {
                    cpu::add(logits, &self.bias[first..first + count]);
                }
                take(row, first, logits);
            }
        }
        workspace.give(logits);
    }
}
