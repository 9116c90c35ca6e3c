//! Gemma 3n's way through its layers (Gemma Team 2025). The residual stream has several copies: a layer reads and changes one of
//! them and guesses what becomes of the others (AltUp, Baykal et al. 2023). A narrow map goes around attention beside the
//! residual stream (LAuReL, Menghani et al. 2024), every token brings a vector of its own to each layer, and late layers read
//! the keys and values of earlier ones.

use std::f32::consts::FRAC_1_SQRT_2;

use super::forward::{Forward, gather};
use super::{Batch, Depth, Growing, Layer, Past, Transformer};
use epicene_checkpoint::{CheckpointError, Table};
use epicene_kernels::{self as cpu, Activation, Linear, Matrix, Norm, Workspace, attend};

/// What is beside the layers.
#[derive(Debug)]
pub struct Alternating {
    /// The copy that layers read.
    pub active: usize,
    /// From the embedding to each other copy, and from there back.
    pub spread: Vec<Linear>,
    pub collected: Vec<Linear>,
    /// The tokens' vectors for all layers, side by side, and the factor on them.
    pub tokens: Table,
    pub token_scale: f32,
    /// To such vectors from the embedding, and the norm of each.
    pub projection: Linear,
    pub norm: Norm,
    /// One for each layer.
    pub around: Vec<Around>,
}

/// What stands around one layer.
#[derive(Debug)]
pub struct Around {
    /// From the active copy to a share for each copy, and its norm.
    pub router: Linear,
    pub router_norm: Norm,
    /// From those shares to what each copy gives to each, and to how much of the change each takes.
    pub predicted: Linear,
    pub corrected: Linear,
    /// On what the token's own vector is weighed with.
    pub scale: Option<Vec<f32>>,
    /// Around attention: down, up, norm.
    pub beside: (Linear, Linear, Norm),
    /// Weighs the token's own vector, and takes it to the copies.
    pub gate: Linear,
    pub added: Linear,
    pub added_norm: Norm,
    /// The earlier layer whose keys and values are read.
    pub keys_of: Option<usize>,
}

/// Sets to zero what is not so many standard deviations above its row's mean, and takes that off the rest.
pub fn cut_off(gate: &mut [f32], deviations: f32) {
    let count = gate.len() as f64;
    let mean = gate.iter().map(|x| f64::from(*x)).sum::<f64>() / count;
    let squares = gate.iter().map(|x| (f64::from(*x) - mean).powi(2));
    let cutoff = (mean + (squares.sum::<f64>() / count).sqrt() * f64::from(deviations)) as f32;
    gate.iter_mut().for_each(|x| *x = (*x - cutoff).max(0.0));
}

impl Transformer {
    pub(crate) fn run_alternating(
        &self,
        alternating: &Alternating,
        workspace: &mut Workspace,
        batch: &Batch,
        depth: Depth,
        attention: bool,
        growing: Option<&mut Growing<'_>>,
    ) -> Result<Forward, CheckpointError> {
        match growing {
            Some(growing) => self.alternate(
                alternating,
                workspace,
                batch,
                depth,
                attention,
                growing,
                true,
            ),
            // Layers that share keys find them where they are kept from pass to pass.
            None => {
                let mut pasts: Vec<Past> = vec![self.no_past(); batch.starts.len() - 1];
                let mut growing = Growing {
                    pasts: &mut pasts,
                    one_by_one: false,
                };
                let growing = &mut growing;
                self.alternate(
                    alternating,
                    workspace,
                    batch,
                    depth,
                    attention,
                    growing,
                    false,
                )
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn alternate(
        &self,
        alternating: &Alternating,
        workspace: &mut Workspace,
        batch: &Batch,
        depth: Depth,
        attention: bool,
        growing: &mut Growing<'_>,
        kept: bool,
    ) -> Result<Forward, CheckpointError> {
        let mut received = vec![0.0; if attention { batch.ids.len() } else { 0 }];
        let embedded = self.embedding.apply(workspace, batch)?;
        let own = alternating.own_vectors(workspace, batch, &embedded)?;
        let mut copies = alternating.spread(workspace, embedded);
        let width = own.columns / alternating.around.len();
        for (index, (layer, around)) in self.layers.iter().zip(&alternating.around).enumerate() {
            let received = attention.then_some(received.as_mut_slice());
            let pass = Pass {
                batch,
                layer,
                around,
                active: alternating.active,
            };
            let vectors = own.part(0, own.rows, index * width, width);
            pass.apply(workspace, &mut copies, vectors, index, growing, received)?;
            let shared = |around: &Around| around.keys_of == Some(index);
            if !kept && !alternating.around.iter().any(shared) {
                growing.forget(index);
            }
        }
        if depth == Depth::Read {
            let rows = batch.read_rows();
            copies = copies
                .iter()
                .map(|copy| gather(workspace, copy, &rows))
                .collect();
        }
        let mut hidden = alternating.collect(workspace, copies);
        if let Some(norm) = &self.norm {
            norm.apply(&mut hidden);
        }
        Ok(Forward { hidden, received })
    }
}

/// The root of the mean square of each row.
fn magnitudes(matrix: &Matrix) -> impl Iterator<Item = f32> {
    let rows = matrix.data.chunks_exact(matrix.columns);
    rows.map(|row| (cpu::dot(row, row) / row.len() as f32).sqrt())
}

/// Gives every row the magnitude it is to have.
fn set_magnitudes(matrix: &mut Matrix, wanted: &[f32]) {
    let found: Vec<f32> = magnitudes(matrix).collect();
    let least = 1e-5f32.sqrt();
    let rows = matrix.data.chunks_exact_mut(matrix.columns);
    for (row, (found, wanted)) in rows.zip(found.iter().zip(wanted)) {
        cpu::scale(row, wanted / found.max(least));
    }
}

impl Alternating {
    /// Each token's vectors for all layers.
    fn own_vectors(
        &self,
        workspace: &mut Workspace,
        batch: &Batch,
        embedded: &Matrix,
    ) -> Result<Matrix, CheckpointError> {
        let mut vectors = self
            .projection
            .apply(workspace, embedded.view(), Activation::Identity);
        cpu::scale(&mut vectors.data, 1.0 / (embedded.columns as f32).sqrt());
        self.norm.apply_to(&mut vectors.data);
        let mut stored = vec![0.0; self.tokens.columns];
        for (row, id) in batch.ids.iter().enumerate() {
            if *id as usize >= self.tokens.rows {
                return Err(CheckpointError::Config {
                    file: "config.json".to_owned(),
                    field: "vocab_size_per_layer_input".to_owned(),
                    problem: format!(
                        "is {}: token {id} stands for a picture or a sound, which is not supported",
                        self.tokens.rows
                    ),
                });
            }
            self.tokens.read(*id as usize, &mut stored)?;
            cpu::scale(&mut stored, self.token_scale);
            cpu::add(vectors.row_mut(row), &stored);
        }
        cpu::scale(&mut vectors.data, FRAC_1_SQRT_2);
        Ok(vectors)
    }

    /// The embedding, and its other copies.
    fn spread(&self, workspace: &mut Workspace, embedded: Matrix) -> Vec<Matrix> {
        let magnitude: Vec<f32> = magnitudes(&embedded).collect();
        let mut copies = Vec::with_capacity(1 + self.spread.len());
        for map in &self.spread {
            let mut copy = map.apply(workspace, embedded.view(), Activation::Identity);
            set_magnitudes(&mut copy, &magnitude);
            copies.push(copy);
        }
        copies.insert(0, embedded);
        copies
    }

    /// The mean of all copies.
    fn collect(&self, workspace: &mut Workspace, copies: Vec<Matrix>) -> Matrix {
        let share = 1.0 / copies.len() as f32;
        let mut copies = copies.into_iter();
        let mut sum = copies.next().expect("there is an embedding");
        let magnitude: Vec<f32> = magnitudes(&sum).collect();
        for (map, copy) in self.collected.iter().zip(copies) {
            let mut back = map.apply(workspace, copy.view(), Activation::Identity);
            set_magnitudes(&mut back, &magnitude);
            cpu::add(&mut sum.data, &back.data);
            workspace.give(back);
            workspace.give(copy);
        }
        cpu::scale(&mut sum.data, share);
        sum
    }
}

/// One layer's work on one batch.
struct Pass<'a> {
    batch: &'a Batch,
    layer: &'a Layer,
    around: &'a Around,
    active: usize,
}

impl Pass<'_> {
    fn apply(
        &self,
        workspace: &mut Workspace,
        copies: &mut [Matrix],
        vectors: cpu::View<'_>,
        index: usize,
        growing: &mut Growing<'_>,
        received: Option<&mut [f64]>,
    ) -> Result<(), CheckpointError> {
        let (around, norms) = (self.around, &self.layer.norms);
        self.predict(workspace, copies);
        let active = &copies[self.active];
        let normed = |workspace: &mut Workspace, from: &Matrix, norm: &Option<Norm>| {
            let mut normed = copied(workspace, from);
            if let Some(norm) = norm {
                norm.apply(&mut normed);
            }
            normed
        };
        let input = normed(workspace, active, &norms.before_attention);
        let (down, up, norm) = &around.beside;
        let narrow = down.apply(workspace, input.view(), Activation::Identity);
        let mut beside = up.apply(workspace, narrow.view(), Activation::Identity);
        norm.apply(&mut beside);
        let attended = self.attend(workspace, &input, index, growing, received);
        let mut changed = normed(workspace, &attended, &norms.of_attention);
        for part in [active, &input, &beside] {
            cpu::add(&mut changed.data, &part.data);
        }
        cpu::scale(&mut changed.data, FRAC_1_SQRT_2);
        let source = normed(workspace, &changed, &norms.before_feed_forward);
        let fed = self.layer.feed(workspace, &source)?;
        let fed_normed = normed(workspace, &fed, &norms.of_feed_forward);
        cpu::add(&mut changed.data, &fed_normed.data);
        for used in [input, narrow, beside, attended, source, fed, fed_normed] {
            workspace.give(used);
        }
        self.correct(workspace, copies, changed);
        self.add_vectors(workspace, copies, vectors);
        Ok(())
    }

    /// A share for each copy, from one of them.
    fn shares(&self, workspace: &mut Workspace, from: &Matrix) -> Matrix {
        let mut normed = copied(workspace, from);
        self.around.router_norm.apply(&mut normed);
        cpu::scale(&mut normed.data, 1.0 / from.columns as f32);
        let router = &self.around.router;
        let shares = router.apply(workspace, normed.view(), Activation::Tanh);
        workspace.give(normed);
        shares
    }

    /// Every copy takes something of all of them.
    fn predict(&self, workspace: &mut Workspace, copies: &mut [Matrix]) {
        let shares = self.shares(workspace, &copies[self.active]);
        let map = &self.around.predicted;
        let given = map.apply(workspace, shares.view(), Activation::Identity);
        let (count, columns) = (copies.len(), copies[0].columns);
        let mut mixed = vec![0.0f32; count * columns];
        for row in 0..given.rows {
            let given = given.row(row);
            for (to, mixed) in mixed.chunks_exact_mut(columns).enumerate() {
                mixed.copy_from_slice(copies[to].row(row));
                for (from, copy) in copies.iter().enumerate() {
                    let weight = given[to * count + from];
                    let values = mixed.iter_mut().zip(copy.row(row));
                    values.for_each(|(to, from)| *to += weight * from);
                }
            }
            for (copy, mixed) in copies.iter_mut().zip(mixed.chunks_exact(columns)) {
                copy.row_mut(row).copy_from_slice(mixed);
            }
        }
        workspace.give(shares);
        workspace.give(given);
    }

    /// Every copy takes its part of what the layer changed.
    fn correct(&self, workspace: &mut Workspace, copies: &mut [Matrix], mut changed: Matrix) {
        let shares = self.shares(workspace, &changed);
        let map = &self.around.corrected;
        let taken = map.apply(workspace, shares.view(), Activation::Identity);
        let before = copies[self.active].data.iter();
        let change = changed.data.iter_mut().zip(before);
        change.for_each(|(after, before)| *after -= before);
        for (place, copy) in copies.iter_mut().enumerate() {
            for row in 0..copy.rows {
                let weight = taken.row(row)[place] + 1.0;
                let values = copy.row_mut(row).iter_mut().zip(changed.row(row));
                values.for_each(|(to, change)| *to += weight * change);
            }
        }
        for used in [shares, taken, changed] {
            workspace.give(used);
        }
    }

    /// All copies but the first take what is made of the tokens' own vectors.
    fn add_vectors(
        &self,
        workspace: &mut Workspace,
        copies: &mut [Matrix],
        vectors: cpu::View<'_>,
    ) {
        let around = self.around;
        let mut source = copied(workspace, &copies[self.active]);
        if let Some(scale) = &around.scale {
            for row in source.data.chunks_exact_mut(scale.len()) {
                cpu::multiply(row, scale);
            }
        }
        let activation = self.layer.feed_forward.activation;
        let mut gate = around.gate.apply(workspace, source.view(), activation);
        for row in 0..gate.rows {
            let from = &vectors.data[row * vectors.stride..][..vectors.columns];
            cpu::multiply(gate.row_mut(row), from);
        }
        let mut added = around
            .added
            .apply(workspace, gate.view(), Activation::Identity);
        around.added_norm.apply(&mut added);
        for copy in &mut copies[1..] {
            cpu::add(&mut copy.data, &added.data);
        }
        for used in [source, gate, added] {
            workspace.give(used);
        }
    }

    fn attend(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
        index: usize,
        growing: &mut Growing<'_>,
        received: Option<&mut [f64]>,
    ) -> Matrix {
        let attention = &self.layer.attention;
        let (how, batch) = (&attention.how, self.batch);
        let positions = &batch.all.positions;
        let keys = how.key_heads * how.head_size;
        let query = match self.around.keys_of {
            None => {
                let (query, key_value) =
                    attention.project(workspace, input, positions, input, positions);
                growing.add(index, &batch.starts, &key_value);
                workspace.give(key_value);
                query
            }
            Some(_) => {
                let map = &attention.query;
                let mut query = map.apply(workspace, input.view(), Activation::Identity);
                if let Some(norm) = &attention.query_norm {
                    norm.apply_to(&mut query.data);
                }
                if let Some(rotary) = &attention.rotary {
                    rotary.apply(&mut query, how.heads, how.head_size, positions);
                }
                query
            }
        };
        let seen = growing.seen(self.around.keys_of.unwrap_or(index), 2 * keys);
        let mixed = attend(workspace, how, None, &query, &seen, &batch.all, received);
        let out = attention.put_out(workspace, &mixed);
        workspace.give(query);
        workspace.give(mixed);
        out
    }
}

fn copied(workspace: &mut Workspace, from: &Matrix) -> Matrix {
    let mut copy = workspace.matrix(from.rows, from.columns);
    copy.data.copy_from_slice(&from.data);
    copy
}
