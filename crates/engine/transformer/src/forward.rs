//! One pass over a packed batch, on one thread.

use super::{Batch, Embedding, Past, Transformer};
use epicene_checkpoint::CheckpointError;
use epicene_kernels::{self as cpu, Activation, Matrix, Seen, View, Workspace};

/// How much of the last layer is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the rows that are read.
    Read,
    /// Every row.
    All,
}

/// What a pass gives.
#[derive(Debug)]
pub struct Forward {
    /// Last hidden states: of the tokens that are read, or of all.
    pub hidden: Matrix,
    /// For each token the attention it receives, summed over layers, heads and queries; empty
    /// unless it was asked for.
    pub received: Vec<f64>,
}

/// Keys and values kept from pass to pass.
#[derive(Debug)]
pub struct Growing<'a> {
    /// One for each sentence of the batch; this pass's tokens are added.
    pub pasts: &'a mut [Past],
    /// One token for each sentence: the text is being written.
    pub one_by_one: bool,
}

impl Growing<'_> {
    /// Takes in a layer's keys and values.
    pub(crate) fn add(&mut self, layer: usize, starts: &[usize], keys_values: &Matrix) {
        for (past, bounds) in self.pasts.iter_mut().zip(starts.windows(2)) {
            let new = bounds[0] * keys_values.columns..bounds[1] * keys_values.columns;
            past.layers[layer].extend_from_slice(&keys_values.data[new]);
        }
    }

    /// Leaves out a layer's keys and values.
    pub(crate) fn forget(&mut self, layer: usize) {
        for past in self.pasts.iter_mut() {
            past.layers[layer] = Vec::new();
        }
    }

    pub(crate) fn seen(&self, layer: usize, columns: usize) -> Seen<'_> {
        let view = |past| {
            let Past { layers, .. }: &Past = past;
            View {
                data: &layers[layer],
                rows: layers[layer].len() / columns,
                columns,
                stride: columns,
            }
        };
        Seen {
            sentences: self.pasts.iter().map(view).collect(),
            one_by_one: self.one_by_one,
        }
    }
}

impl Transformer {
    /// Nothing read so far.
    pub fn no_past(&self) -> Past {
        Past {
            layers: vec![Vec::new(); self.layers.len()],
            length: 0,
        }
    }

    /// Reads the batch's tokens after those of `growing`, which is made longer by them; the hidden states of the tokens
    /// that are read.
    pub fn grow(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        mut growing: Growing<'_>,
    ) -> Result<Matrix, CheckpointError> {
        let forward = self.run(workspace, batch, Depth::Read, false, Some(&mut growing))?;
        for (past, bounds) in growing.pasts.iter_mut().zip(batch.starts.windows(2)) {
            past.length += bounds[1] - bounds[0];
        }
        Ok(forward.hidden)
    }

    /// Runs a batch. With `attention` the attention each token receives is summed up on the way,
    /// which needs every query of the last layer.
    pub fn forward(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        depth: Depth,
        attention: bool,
    ) -> Result<Forward, CheckpointError> {
        self.run(workspace, batch, depth, attention, None)
    }

    fn run(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        depth: Depth,
        attention: bool,
        mut growing: Option<&mut Growing<'_>>,
    ) -> Result<Forward, CheckpointError> {
        if let Some(alternating) = &self.alternating {
            return self.run_alternating(alternating, workspace, batch, depth, attention, growing);
        }
        let mut received = if attention {
            vec![0.0; batch.ids.len()]
        } else {
            Vec::new()
        };
        let mut hidden = self.embedding.apply(workspace, batch)?;
        let embedded = if self.layers.iter().any(|layer| layer.convolution.is_some()) {
            Some(hidden.clone())
        } else {
            None
        };
        let read = match depth {
            Depth::Read => Some(batch.read_rows()),
            Depth::All => None,
        };
        for (index, layer) in self.layers.iter().enumerate() {
            let last = index + 1 == self.layers.len();
            let rows = match (&read, last && layer.convolution.is_none()) {
                (Some(rows), true) => Some(rows.as_slice()),
                _ => None,
            };
            let received = attention.then_some(received.as_mut_slice());
            let growing = growing.as_deref_mut().map(|growing| (growing, index));
            hidden = layer.apply(workspace, batch, hidden, rows, received, growing)?;
            if let (Some(convolution), Some(embedded)) = (&layer.convolution, &embedded) {
                hidden = convolution.apply(workspace, batch, embedded, hidden);
            }
            if let (Some(rows), true, true) = (&read, last, layer.convolution.is_some()) {
                hidden = gather(workspace, &hidden, rows);
            }
        }
        if let (Some(rows), true) = (&read, self.layers.is_empty()) {
            hidden = gather(workspace, &hidden, rows);
        }
        if let Some(norm) = &self.norm {
            norm.apply(&mut hidden);
        }
        Ok(Forward { hidden, received })
    }
}

pub(crate) fn gather(workspace: &mut Workspace, from: &Matrix, rows: &[usize]) -> Matrix {
    let mut out = workspace.matrix(rows.len(), from.columns);
    for (to, row) in rows.iter().enumerate() {
        out.row_mut(to).copy_from_slice(from.row(*row));
    }
    out
}

impl Embedding {
    pub(crate) fn apply(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
    ) -> Result<Matrix, CheckpointError> {
        let mut out = workspace.matrix(batch.ids.len(), self.tokens.columns);
        for (row, (id, position)) in batch.ids.iter().zip(&batch.all.positions).enumerate() {
            let row = out.row_mut(row);
            self.tokens.read(*id as usize, row)?;
            if self.scale != 1.0 {
                cpu::scale(row, self.scale);
            }
            if let Some(positions) = self.positions.as_ref().filter(|_| !self.positions_behind()) {
                cpu::add(row, positions.row(*position));
            }
            if let Some(constant) = &self.constant {
                cpu::add(row, constant);
            }
        }
        if let Some(norm) = &self.norm {
            norm.apply(&mut out);
        }
        match &self.projection {
            Some(projection) => {
                let mut projected = projection.apply(workspace, out.view(), Activation::Identity);
                workspace.give(out);
                if let Some(positions) = self.positions.as_ref().filter(|_| self.positions_behind())
                {
                    for (row, position) in batch.all.positions.iter().enumerate() {
                        cpu::add(projected.row_mut(row), positions.row(*position));
                    }
                }
                Ok(projected)
            }
            None => Ok(out),
        }
    }
}
