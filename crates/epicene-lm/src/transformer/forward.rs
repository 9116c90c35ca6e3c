//! One pass over a packed batch, on one thread.

use super::alternating::cut_off;
use super::{
    Attention, Batch, Convolution, Embedding, FeedForward, Layer, Past, SpanConvolution,
    Transformer,
};
use crate::checkpoint::CheckpointError;
use crate::cpu::{self, Activation, Matrix, Queries, Seen, View, Workspace, attend};

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
    pub(super) fn add(&mut self, layer: usize, starts: &[usize], keys_values: &Matrix) {
        for (past, bounds) in self.pasts.iter_mut().zip(starts.windows(2)) {
            let new = bounds[0] * keys_values.columns..bounds[1] * keys_values.columns;
            past.layers[layer].extend_from_slice(&keys_values.data[new]);
        }
    }

    /// Leaves out a layer's keys and values.
    pub(super) fn forget(&mut self, layer: usize) {
        for past in self.pasts.iter_mut() {
            past.layers[layer] = Vec::new();
        }
    }

    pub(super) fn seen(&self, layer: usize, columns: usize) -> Seen<'_> {
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
        let mut received = match attention {
            true => vec![0.0; batch.ids.len()],
            false => Vec::new(),
        };
        let mut hidden = self.embedding.apply(workspace, batch)?;
        let embedded = match self.layers.iter().any(|layer| layer.convolution.is_some()) {
            true => Some(hidden.clone()),
            false => None,
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

pub(super) fn gather(workspace: &mut Workspace, from: &Matrix, rows: &[usize]) -> Matrix {
    let mut out = workspace.matrix(rows.len(), from.columns);
    for (to, row) in rows.iter().enumerate() {
        out.row_mut(to).copy_from_slice(from.row(*row));
    }
    out
}

impl Embedding {
    pub(super) fn apply(
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

impl Layer {
    /// `rows`: where only some tokens are needed, their packed rows; the result has those only.
    fn apply(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        input: Matrix,
        rows: Option<&[usize]>,
        received: Option<&mut [f64]>,
        growing: Option<(&mut Growing<'_>, usize)>,
    ) -> Result<Matrix, CheckpointError> {
        let norms = &self.norms;
        let normed = norms.before_attention.as_ref().map(|norm| {
            let mut normed = workspace.matrix(input.rows, input.columns);
            normed.data.copy_from_slice(&input.data);
            norm.apply(&mut normed);
            normed
        });
        let source = normed.as_ref().unwrap_or(&input);
        let mut attended = self
            .attention
            .apply(workspace, batch, source, rows, received, growing);
        if let Some(norm) = &norms.of_attention {
            norm.apply(&mut attended);
        }
        let (mut residual, mut normed) = match rows {
            None => (input, normed),
            Some(rows) => {
                let kept = gather(workspace, &input, rows);
                let kept_normed = normed
                    .as_ref()
                    .map(|normed| gather(workspace, normed, rows));
                workspace.give(input);
                if let Some(normed) = normed {
                    workspace.give(normed);
                }
                (kept, kept_normed)
            }
        };
        if self.parallel {
            // Both halves read the layer's input, through one norm or one each.
            let own = norms.before_feed_forward.as_ref().map(|norm| {
                let mut own = workspace.matrix(residual.rows, residual.columns);
                own.data.copy_from_slice(&residual.data);
                norm.apply(&mut own);
                own
            });
            let source = own.as_ref().or(normed.as_ref()).unwrap_or(&residual);
            let fed = self.feed(workspace, source)?;
            cpu::add(&mut residual.data, &attended.data);
            cpu::add(&mut residual.data, &fed.data);
            for used in [Some(attended), Some(fed), own, normed]
                .into_iter()
                .flatten()
            {
                workspace.give(used);
            }
            return Ok(residual);
        }
        cpu::add(&mut residual.data, &attended.data);
        workspace.give(attended);
        if let Some(norm) = &norms.after_attention {
            norm.apply(&mut residual);
        }
        if let Some(norm) = &norms.before_feed_forward {
            let mut buffer = match normed.take() {
                Some(buffer) => buffer,
                None => workspace.matrix(residual.rows, residual.columns),
            };
            buffer.data.copy_from_slice(&residual.data);
            norm.apply(&mut buffer);
            normed = Some(buffer);
        } else if let Some(unused) = normed.take() {
            workspace.give(unused);
        }
        let source = normed.as_ref().unwrap_or(&residual);
        let mut fed = self.feed(workspace, source)?;
        if let Some(norm) = &norms.of_feed_forward {
            norm.apply(&mut fed);
        }
        cpu::add(&mut residual.data, &fed.data);
        if let Some(norm) = &norms.after_feed_forward {
            norm.apply(&mut residual);
        }
        workspace.give(fed);
        if let Some(used) = normed {
            workspace.give(used);
        }
        Ok(residual)
    }

    /// The second half: the network all tokens pass through, the experts they choose, or both.
    pub(crate) fn feed(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
    ) -> Result<Matrix, CheckpointError> {
        let shared = match self.feed_forward.input.is_empty() {
            true => None,
            false => Some(self.feed_forward.apply(workspace, input)),
        };
        match (&self.experts, shared) {
            (Some(experts), shared) => experts.apply(workspace, input, shared),
            (None, shared) => Ok(shared.expect("a layer without experts has a network")),
        }
    }
}

impl Attention {
    /// Queries of the rows that ask, keys and values of all rows, normed and turned.
    pub(crate) fn project(
        &self,
        workspace: &mut Workspace,
        asking: &Matrix,
        asked: &[usize],
        input: &Matrix,
        positions: &[usize],
    ) -> (Matrix, Matrix) {
        let how = &self.how;
        let (mut query, mut key_value) = match &self.latent {
            Some(latent) => latent.project(workspace, self, asking, input),
            None => (
                self.query
                    .apply(workspace, asking.view(), Activation::Identity),
                self.key_value
                    .apply(workspace, input.view(), Activation::Identity),
            ),
        };
        if let Some(norm) = &self.query_norm {
            norm.apply_to(&mut query.data);
        }
        if let Some(norm) = &self.key_norm {
            let keys = how.key_heads * how.head_size;
            for row in key_value.data.chunks_exact_mut(2 * keys) {
                norm.apply_to(&mut row[..keys]);
            }
        }
        if let Some(bound) = self.clip {
            for value in query.data.iter_mut().chain(&mut key_value.data) {
                *value = value.clamp(-bound, bound);
            }
        }
        if let Some(rotary) = &self.rotary {
            rotary.apply(&mut query, how.heads, how.head_size, asked);
            rotary.apply(&mut key_value, how.key_heads, how.head_size, positions);
        }
        (query, key_value)
    }

    /// From what the heads mixed to what the layer adds.
    pub(crate) fn put_out(&self, workspace: &mut Workspace, mixed: &Matrix) -> Matrix {
        match &self.latent {
            Some(latent) => latent.put_out(workspace, self, mixed),
            None => self
                .output
                .apply(workspace, mixed.view(), Activation::Identity),
        }
    }

    fn apply(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        input: &Matrix,
        rows: Option<&[usize]>,
        received: Option<&mut [f64]>,
        growing: Option<(&mut Growing<'_>, usize)>,
    ) -> Matrix {
        let how = &self.how;
        let chosen = rows.map(|rows| gather(workspace, input, rows));
        let asking = chosen.as_ref().unwrap_or(input);
        let asked = match rows {
            Some(_) => &batch.read,
            None => &batch.all,
        };
        let positions = &batch.all.positions;
        let (query, key_value) =
            self.project(workspace, asking, &asked.positions, input, positions);
        let relative = self.relative.as_ref();
        let seen = match growing {
            None => Seen::packed(&key_value, &batch.starts),
            Some((growing, layer)) => {
                growing.add(layer, &batch.starts, &key_value);
                growing.seen(layer, key_value.columns)
            }
        };
        let mut mixed = attend(workspace, how, relative, &query, &seen, asked, received);
        if let Some(span) = &self.span {
            let spans = span.apply(workspace, batch, input, asking, &query, asked);
            let beside = beside(workspace, &mixed, &spans);
            workspace.give(mixed);
            workspace.give(spans);
            mixed = beside;
        }
        let out = self.put_out(workspace, &mixed);
        for used in [Some(query), Some(key_value), Some(mixed), chosen]
            .into_iter()
            .flatten()
        {
            workspace.give(used);
        }
        out
    }
}

fn beside(workspace: &mut Workspace, left: &Matrix, right: &Matrix) -> Matrix {
    let mut out = workspace.matrix(left.rows, left.columns + right.columns);
    for row in 0..left.rows {
        let (first, second) = out.row_mut(row).split_at_mut(left.columns);
        first.copy_from_slice(left.row(row));
        second.copy_from_slice(right.row(row));
    }
    out
}

impl FeedForward {
    pub(crate) fn apply(&self, workspace: &mut Workspace, input: &Matrix) -> Matrix {
        let then = match self.gated {
            true => Activation::Identity,
            false => self.activation,
        };
        let mut inner = grouped(workspace, &self.input, input, then);
        let width = match self.gated {
            true => inner.columns / 2,
            false => inner.columns,
        };
        if self.gated {
            let columns = inner.columns;
            for row in inner.data.chunks_exact_mut(columns) {
                let (gate, gated) = row.split_at_mut(width);
                match self.bound {
                    Some(bound) => bounded_gate(gate, gated, bound),
                    None => {
                        if let Some(deviations) = self.cutoff {
                            cut_off(gate, deviations);
                        }
                        self.activation.apply(gate);
                        cpu::multiply(gate, gated);
                    }
                }
            }
        }
        let out = match self.output.as_slice() {
            [one] => one.apply(
                workspace,
                inner.part(0, inner.rows, 0, width),
                Activation::Identity,
            ),
            several => grouped(workspace, several, &inner, Activation::Identity),
        };
        workspace.give(inner);
        out
    }
}

/// gpt-oss: both sides bounded, the gate a sigmoid of 1.702 x, one added to what it gates.
fn bounded_gate(gate: &mut [f32], gated: &[f32], bound: f32) {
    const STEEPNESS: f32 = 1.702;
    for (gate, gated) in gate.iter_mut().zip(gated) {
        let x = gate.min(bound);
        let open = x / (1.0 + (-STEEPNESS * x).exp());
        *gate = (gated.clamp(-bound, bound) + 1.0) * open;
    }
}

/// Linear maps of equal slices of the input, side by side (one slice as a rule; ConvBERT may have
/// several).
fn grouped(
    workspace: &mut Workspace,
    maps: &[cpu::Linear],
    input: &Matrix,
    then: Activation,
) -> Matrix {
    if let [one] = maps {
        return one.apply(workspace, input.view(), then);
    }
    let slice = input.columns / maps.len().max(1);
    let mut out: Option<Matrix> = None;
    for (group, map) in maps.iter().enumerate() {
        let part = map.apply(
            workspace,
            input.part(0, input.rows, group * slice, slice),
            then,
        );
        out = Some(match out {
            None => part,
            Some(left) => beside(workspace, &left, &part),
        });
    }
    out.expect("a layer has at least one group")
}

impl SpanConvolution {
    /// For each asking token, a convolution of its neighbours' values with a kernel made from the
    /// token itself.
    fn apply(
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
    fn apply(
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
