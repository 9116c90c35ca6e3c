//! Multi-head latent attention (DeepSeek-AI 2024): keys and values are read from one narrow row for each token, and
//! part of every key, the part that turns with the position, is the same in all heads.
//!
//! Heads of queries and keys hold the turning part first and are as wide as the wider of keys and values; what a value
//! lacks to that width is zero and is taken off again before the output.

use super::Attention;
use epicene_kernels::{Activation, Linear, Matrix, Norm, Workspace};

#[derive(Debug)]
pub struct Latent {
    /// From a token to the narrow row of its queries, where there is one.
    pub query: Option<(Linear, Norm)>,
    /// From a token to the narrow row of keys and values, then the turning part of its keys.
    pub down: Linear,
    pub norm: Norm,
    /// Features of a head's key that turn and that do not, and of its value. `Attention::key_value` gives the latter two
    /// for each head.
    pub turning: usize,
    pub still: usize,
    pub value: usize,
}

impl Latent {
    /// Queries and keys before they are turned, and values.
    pub(crate) fn project(
        &self,
        workspace: &mut Workspace,
        attention: &Attention,
        asking: &Matrix,
        input: &Matrix,
    ) -> (Matrix, Matrix) {
        let how = &attention.how;
        let (heads, size) = (how.heads, how.head_size);
        let mut narrow = None;
        if let Some((down, norm)) = &self.query {
            let mut row = down.apply(workspace, asking.view(), Activation::Identity);
            norm.apply(&mut row);
            narrow = Some(row);
        }
        let source = narrow.as_ref().unwrap_or(asking);
        let packed = attention
            .query
            .apply(workspace, source.view(), Activation::Identity);
        let key = self.turning + self.still;
        let mut query = workspace.matrix(packed.rows, heads * size);
        query.data.fill(0.0);
        for (to, from) in query
            .data
            .chunks_exact_mut(size)
            .zip(packed.data.chunks_exact(key))
        {
            to[..key].copy_from_slice(from);
        }
        let down = self
            .down
            .apply(workspace, input.view(), Activation::Identity);
        let rank = self.norm.width();
        let mut latent = workspace.matrix(down.rows, rank);
        for row in 0..down.rows {
            latent.row_mut(row).copy_from_slice(&down.row(row)[..rank]);
        }
        self.norm.apply(&mut latent);
        let up = attention
            .key_value
            .apply(workspace, latent.view(), Activation::Identity);
        let mut key_value = workspace.matrix(down.rows, 2 * heads * size);
        key_value.data.fill(0.0);
        for row in 0..down.rows {
            let shared = &down.row(row)[rank..];
            let (keys, values) = key_value.row_mut(row).split_at_mut(heads * size);
            let from = up.row(row).chunks_exact(self.still + self.value);
            let to = keys
                .chunks_exact_mut(size)
                .zip(values.chunks_exact_mut(size));
            for (from, (keys, values)) in from.zip(to) {
                let (still, value) = from.split_at(self.still);
                keys[..self.turning].copy_from_slice(shared);
                keys[self.turning..key].copy_from_slice(still);
                values[..self.value].copy_from_slice(value);
            }
        }
        for used in [Some(packed), Some(down), Some(latent), Some(up), narrow]
            .into_iter()
            .flatten()
        {
            workspace.give(used);
        }
        (query, key_value)
    }

    pub(crate) fn put_out(
        &self,
        workspace: &mut Workspace,
        attention: &Attention,
        mixed: &Matrix,
    ) -> Matrix {
        let how = &attention.how;
        let mut values = workspace.matrix(mixed.rows, how.heads * self.value);
        for (to, from) in values
            .data
            .chunks_exact_mut(self.value)
            .zip(mixed.data.chunks_exact(how.head_size))
        {
            to.copy_from_slice(&from[..self.value]);
        }
        let out = attention
            .output
            .apply(workspace, values.view(), Activation::Identity);
        workspace.give(values);
        out
    }
}
