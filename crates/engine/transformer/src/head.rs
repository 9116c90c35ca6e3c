//! Logits, at the positions and for the tokens that are needed; normalisers in one sweep over the
//! vocabulary, a chunk at a time.

use std::collections::BTreeMap;
use std::sync::RwLock;

use super::Head;
use epicene_checkpoint::CheckpointError;
use epicene_kernels::{self as cpu, Activation, Matrix, PackedMatrix, Workspace};

/// Rows of the vocabulary worked on at once.
const CHUNK: usize = 1024;
/// Decoder rows kept: the words compared are few and come again and again.
const KEPT_ROWS: usize = 256;

/// The decoder's rows, some of them kept.
#[derive(Debug, Default)]
pub struct Vocabulary {
    kept: RwLock<BTreeMap<u32, Vec<f32>>>,
}

/// What is known of a whole distribution over the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distribution {
    /// Natural logarithm of the softmax's denominator.
    pub log_normaliser: f64,
    /// The token with the highest logit, the first of several.
    pub likeliest: u32,
}

impl Head {
    /// What the decoder's rows are multiplied with.
    pub fn transform(&self, workspace: &mut Workspace, hidden: Matrix) -> Matrix {
        match &self.transform {
            None => hidden,
            Some(transform) => {
                let mut out = transform
                    .dense
                    .apply(workspace, hidden.view(), transform.activation);
                if let Some(norm) = &transform.norm {
                    norm.apply(&mut out);
                }
                workspace.give(hidden);
                out
            }
        }
    }

    /// The logit of one token for a transformed row.
    pub fn logit(
        &self,
        kept: &Vocabulary,
        row: &[f32],
        token: u32,
    ) -> Result<f32, CheckpointError> {
        let logit = match kept.kept.read() {
            Ok(rows) => rows.get(&token).map(|weights| cpu::dot(row, weights)),
            Err(_) => None,
        };
        let logit = match logit {
            Some(logit) => logit,
            None => {
                let mut weights = vec![0.0; self.decoder.columns];
                self.decoder.read(token as usize, &mut weights)?;
                let logit = cpu::dot(row, &weights);
                if let Ok(mut rows) = kept.kept.write()
                    && rows.len() < KEPT_ROWS
                {
                    rows.insert(token, weights);
                }
                logit
            }
        };
        Ok(self.finish(logit, token))
    }

    fn finish(&self, logit: f32, token: u32) -> f32 {
        let logit = self.scale * logit + self.bias.get(token as usize).copied().unwrap_or(0.0);
        match self.soft_cap {
            None => logit,
            Some(cap) => {
                let mut one = [logit];
                cpu::soft_cap(&mut one, cap);
                one[0]
            }
        }
    }

    /// Makes logits of the products of a run of tokens, from `first` on.
    fn finish_run(&self, products: &mut [f32], first: usize) {
        if self.scale != 1.0 {
            cpu::scale(products, self.scale);
        }
        if !self.bias.is_empty() {
            cpu::add(products, &self.bias[first..first + products.len()]);
        }
        if let Some(cap) = self.soft_cap {
            cpu::soft_cap(products, cap);
        }
    }

    /// Makes logits of products with the whole vocabulary that are scaled already.
    pub fn finish_scaled(&self, products: &mut [f32]) {
        if !self.bias.is_empty() {
            cpu::add(products, &self.bias);
        }
        if let Some(cap) = self.soft_cap {
            cpu::soft_cap(products, cap);
        }
    }

    /// The decoder in memory, for those who need all of it again and again.
    pub fn packed(&self) -> Result<PackedMatrix, CheckpointError> {
        self.decoder.packed()
    }

    /// Logits of the whole vocabulary for transformed rows.
    pub fn all(&self, workspace: &mut Workspace, packed: &PackedMatrix, rows: &Matrix) -> Matrix {
        let mut logits = workspace.matrix(rows.rows, packed.outputs);
        let stride = logits.columns;
        let finish = |piece: &mut [f32], first: usize| self.finish_run(piece, first);
        cpu::times_packed(
            workspace,
            rows.view(),
            packed,
            &mut logits.data,
            stride,
            &finish,
        );
        logits
    }

    /// Calls `visit(first token, logits of a chunk of tokens for every row)` over the whole
    /// vocabulary.
    pub fn sweep(
        &self,
        workspace: &mut Workspace,
        rows: &Matrix,
        mut visit: impl FnMut(usize, &Matrix),
    ) -> Result<(), CheckpointError> {
        let mut weights = Matrix::zeros(CHUNK.min(self.decoder.rows), self.decoder.columns);
        let mut logits = Matrix::default();
        for first in (0..self.decoder.rows).step_by(CHUNK) {
            let count = CHUNK.min(self.decoder.rows - first);
            self.decoder
                .read(first, &mut weights.data[..count * self.decoder.columns])?;
            logits.rows = rows.rows;
            logits.columns = count;
            logits.data.resize(rows.rows * count, 0.0);
            let chunk = weights.part(0, count, 0, self.decoder.columns);
            cpu::times_transposed(workspace, rows.view(), chunk, &mut logits.data, count);
            for row in logits.data.chunks_exact_mut(count) {
                self.finish_run(row, first);
            }
            visit(first, &logits);
        }
        Ok(())
    }

    /// Each row's softmax normaliser and likeliest token.
    pub fn distributions(
        &self,
        workspace: &mut Workspace,
        rows: &Matrix,
    ) -> Result<Vec<Distribution>, CheckpointError> {
        let mut highest = vec![f32::NEG_INFINITY; rows.rows];
        let mut sums = vec![0f64; rows.rows];
        let mut likeliest = vec![0; rows.rows];
        self.sweep(workspace, rows, |first, logits| {
            for (row, (highest, sum)) in highest.iter_mut().zip(&mut sums).enumerate() {
                let chunk = logits.row(row);
                let peak = cpu::highest(chunk);
                if peak > *highest {
                    *sum *= f64::from(*highest - peak).exp();
                    *highest = peak;
                    let place = chunk.iter().position(|logit| *logit == peak);
                    let place = place.expect("the highest of a row stands in it");
                    likeliest[row] = (first + place) as u32;
                }
                *sum += f64::from(cpu::exp_sum(chunk, *highest));
            }
        })?;
        Ok(highest
            .iter()
            .zip(&sums)
            .zip(likeliest)
            .map(|((highest, sum), likeliest)| Distribution {
                log_normaliser: f64::from(*highest) + sum.ln(),
                likeliest,
            })
            .collect())
    }

    /// The transform's activation, for callers that describe a model.
    pub fn activation(&self) -> Activation {
        self.transform
            .as_ref()
            .map_or(Activation::Identity, |transform| transform.activation)
    }
}
