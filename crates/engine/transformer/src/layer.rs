//! One layer of a pass: attention, the network behind it, and the sums and norms between them.

use super::forward::{Growing, gather};
use super::{Attention, Batch, FeedForward, Layer, cut_off};
use epicene_checkpoint::CheckpointError;
use epicene_kernels::{self as cpu, Activation, Matrix, Seen, Workspace, attend};

impl Layer {
    /// `rows`: where only some tokens are needed, their packed rows; the result has those only.
    pub(crate) fn apply(
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
    pub fn feed(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
    ) -> Result<Matrix, CheckpointError> {
        let shared = if self.feed_forward.input.is_empty() {
            None
        } else {
            Some(self.feed_forward.apply(workspace, input))
        };
        match (&self.experts, shared) {
            (Some(experts), shared) => experts.apply(workspace, input, shared),
            (None, shared) => Ok(shared.expect("a layer without experts has a network")),
        }
    }
}

impl Attention {
    /// Queries of the rows that ask, keys and values of all rows, normed and turned.
    pub fn project(
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
        let keys = how.key_heads * how.head_size;
        if let Some(norm) = &self.key_norm {
            for row in key_value.data.chunks_exact_mut(2 * keys) {
                norm.apply_to(&mut row[..keys]);
            }
        }
        if let Some(norm) = &self.value_norm {
            for row in key_value.data.chunks_exact_mut(2 * keys) {
                norm.apply_to(&mut row[keys..]);
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
    pub fn put_out(&self, workspace: &mut Workspace, mixed: &Matrix) -> Matrix {
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
    pub fn apply(&self, workspace: &mut Workspace, input: &Matrix) -> Matrix {
        let then = if self.gated {
            Activation::Identity
        } else {
            self.activation
        };
        let mut inner = grouped(workspace, &self.input, input, then);
        let width = if self.gated {
            inner.columns / 2
        } else {
            inner.columns
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
