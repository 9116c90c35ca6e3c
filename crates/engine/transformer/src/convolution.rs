//! ConvBERT's and DeBERTa's convolutions over neighbouring tokens.

use super::{Batch, Convolution, SpanConvolution};
use epicene_kernels::{self as cpu, Activation, Matrix, Queries, Workspace};

impl SpanConvolution {
    /// For each asking token, a convolution of its neighbours' values with a kernel made from the
    /// token itself.
    pub(crate) fn apply(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        input: &Matrix,
        asking: &Matrix,
        query: &Matrix,
        asked: &Queries,
    ) -> Matrix {
        let reach = self.kernel / 2;
        let mut spans = workspace.matrix(asking.rows, input.columns);
        spans.data.fill(0.0);
        neighbours(batch, asked, reach, |row, token, tap| {
            let from = input.row(token);
            let to = spans.row_mut(row);
            for (feature, (to, from)) in to.iter_mut().zip(from).enumerate() {
                *to += from * self.depthwise[feature * self.kernel + tap];
            }
        });
        let mut keys = self
            .pointwise
            .apply(workspace, spans.view(), Activation::Identity);
        cpu::multiply(&mut keys.data, &query.data);
        let mut kernels = self
            .weights
            .apply(workspace, keys.view(), Activation::Identity);
        for kernel in kernels.data.chunks_exact_mut(self.kernel) {
            cpu::softmax(kernel);
        }
        let values = self
            .values
            .apply(workspace, input.view(), Activation::Identity);
        let heads = kernels.columns / self.kernel;
        let size = values.columns / heads;
        let mut out = workspace.matrix(asking.rows, values.columns);
        out.data.fill(0.0);
        neighbours(batch, asked, reach, |row, token, tap| {
            let weights = kernels.row(row);
            let from = values.row(token).chunks_exact(size);
            for (head, (to, from)) in out
                .row_mut(row)
                .chunks_exact_mut(size)
                .zip(from)
                .enumerate()
            {
                let weight = weights[head * self.kernel + tap];
                for (to, from) in to.iter_mut().zip(from) {
                    *to += from * weight;
                }
            }
        });
        for used in [spans, keys, kernels, values] {
            workspace.give(used);
        }
        out
    }
}

/// Calls `visit(query row, packed token, tap)` for every token within `reach` of a query in its own
/// sentence.
fn neighbours(
    batch: &Batch,
    asked: &Queries,
    reach: usize,
    mut visit: impl FnMut(usize, usize, usize),
) {
    for (sentence, bounds) in batch.starts.windows(2).enumerate() {
        let length = bounds[1] - bounds[0];
        for row in asked.starts[sentence]..asked.starts[sentence + 1] {
            let position = asked.positions[row];
            for token in position.saturating_sub(reach)..(position + reach + 1).min(length) {
                visit(row, bounds[0] + token, token + reach - position);
            }
        }
    }
}

impl Convolution {
    pub(crate) fn apply(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        embedded: &Matrix,
        mut hidden: Matrix,
    ) -> Matrix {
        let reach = self.taps.len() / 2;
        let mut sum = workspace.matrix(hidden.rows, hidden.columns);
        for row in sum.data.chunks_exact_mut(self.bias.len()) {
            row.copy_from_slice(&self.bias);
        }
        for (tap, map) in self.taps.iter().enumerate() {
            let moved = map.apply(workspace, embedded.view(), Activation::Identity);
            for bounds in batch.starts.windows(2) {
                for row in bounds[0]..bounds[1] {
                    if let Some(from) = (row + tap).checked_sub(reach)
                        && (bounds[0]..bounds[1]).contains(&from)
                    {
                        cpu::add(sum.row_mut(row), moved.row(from));
                    }
                }
            }
            workspace.give(moved);
        }
        self.activation.apply(&mut sum.data);
        cpu::add(&mut hidden.data, &sum.data);
        self.norm.apply(&mut hidden);
        workspace.give(sum);
        hidden
    }
}
