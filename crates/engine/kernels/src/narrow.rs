//! Products below f32: weights packed once into panels of bf16 or bytes, activations rounded as they come.
//!
//! Bytes have a scale for each output and, on the side of the activations, a scale and a zero for each row, so that a row
//! is rounded the same way in any company.

use crate::matrix::View;
use crate::narrow_kernel::{COLUMNS, CacheLine, FEW, LINE, Left, NarrowKernel, ROWS};
use crate::rounding::{bytes_to_halves, centre, extremes, from_sums, to_bf16, to_bytes};

pub use crate::narrow_kernel::Narrow;

/// Rows whose rounded numbers stay in the second-level cache. A multiple of [`ROWS`].
const ROW_BLOCK: usize = 240;
/// Sums of more bytes than this might not fit 32 bits.
pub const MOST_BYTES: usize = 1 << 16;

/// The panels of a weight matrix.
#[derive(Debug)]
pub struct NarrowPanels {
    narrow: Narrow,
    /// Lines of a row of activations: two for each of their steps are in a panel.
    depth: usize,
    lines: Vec<CacheLine>,
    /// Of each output, the scale and the sum of its bytes; empty unless they are bytes.
    scales: Vec<f32>,
    sums: Vec<i32>,
}

/// What a thread keeps from product to product.
#[derive(Debug, Default)]
pub struct NarrowWorkspace {
    left: Vec<CacheLine>,
    /// Scale and zero of each row.
    rows: Vec<(f32, i32)>,
    sums: Vec<CacheLine>,
    /// A row of bytes on its way to sixteen bits.
    bytes: Vec<u8>,
}

impl NarrowPanels {
    pub fn with_capacity(narrow: Narrow, outputs: usize, inputs: usize) -> NarrowPanels {
        let depth = inputs.div_ceil(narrow.in_step() * LINE);
        let panels = outputs.div_ceil(COLUMNS);
        let of_bytes = match narrow {
            Narrow::Bf16 => 0,
            Narrow::Int8 => panels * COLUMNS,
        };
        NarrowPanels {
            narrow,
            depth,
            lines: Vec::with_capacity(panels * depth * LINE * 2),
            scales: Vec::with_capacity(of_bytes),
            sums: Vec::with_capacity(of_bytes),
        }
    }

    /// Adds a panel of [`COLUMNS`] rows of weights.
    pub fn push(&mut self, rows: &[f32], inputs: usize) {
        let start = self.lines.len();
        self.lines
            .resize(start + self.depth * LINE * 2, CacheLine::ZERO);
        let panel = &mut self.lines[start..];
        let mut rounded = vec![CacheLine::ZERO; self.depth];
        for column in 0..COLUMNS {
            let row = &rows[column * inputs..(column + 1) * inputs];
            match self.narrow {
                Narrow::Bf16 => to_bf16(row, bytemuck::cast_slice_mut(&mut rounded)),
                Narrow::Int8 => {
                    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rounded);
                    let (low, high) = extremes(row);
                    let scale = high.max(-low) / 127.0;
                    // A row of zeros has no scale, and one that holds no number has none that could hide it.
                    let factor = if scale.is_normal() { 1.0 / scale } else { 0.0 };
                    to_bytes(row, factor, 0.0, -127.0, 127.0, bytes);
                    self.scales
                        .push(if low.is_nan() { f32::NAN } else { scale });
                    self.sums
                        .push(bytes.iter().map(|byte| i32::from(*byte as i8)).sum());
                }
            }
            let steps = rounded.iter().flat_map(|line| line.0);
            for (step, value) in steps.enumerate() {
                panel[2 * step + column / LINE].0[column % LINE] = value;
            }
        }
    }

    /// `out = a · weightsᵀ` for `outputs` outputs from a panel on, with `finish` called on each piece of an output row, and
    /// the piece's first column, as soon as it is complete.
    #[allow(clippy::too_many_arguments)]
    pub fn times(
        &self,
        workspace: &mut NarrowWorkspace,
        a: View<'_>,
        first_panel: usize,
        outputs: usize,
        out: &mut [f32],
        stride: usize,
        finish: &dyn Fn(&mut [f32], usize),
    ) {
        let best = NarrowKernel::best(self.narrow)
            .expect("weights are only rounded where a kernel multiplies them");
        let kernel = if a.rows <= FEW { best.few } else { best.many };
        let stride_of_left = self.stride(kernel.left);
        for first_row in (0..a.rows).step_by(ROW_BLOCK) {
            let rows = ROW_BLOCK.min(a.rows - first_row);
            self.round(workspace, kernel.left, a, first_row, rows);
            let NarrowWorkspace {
                left,
                rows: of_rows,
                sums,
                ..
            } = &mut *workspace;
            for (panel, first_column) in (0..outputs).step_by(COLUMNS).enumerate() {
                let panel = first_panel + panel;
                let lines = self.depth * LINE * 2;
                let weights = &self.lines[panel * lines..(panel + 1) * lines];
                kernel.run(self.depth, left, stride_of_left, rows, weights, sums);
                let columns = COLUMNS.min(outputs - first_column);
                for row in 0..rows {
                    let start = (first_row + row) * stride + first_column;
                    let out = &mut out[start..start + columns];
                    let sums: &[u32] = bytemuck::cast_slice(&sums[2 * row..2 * row + 2]);
                    match self.narrow {
                        Narrow::Bf16 => out.copy_from_slice(bytemuck::cast_slice(&sums[..columns])),
                        Narrow::Int8 => {
                            let (scale, zero) = of_rows[row];
                            let of = panel * COLUMNS..panel * COLUMNS + columns;
                            from_sums(
                                sums,
                                zero,
                                &self.sums[of.clone()],
                                scale,
                                &self.scales[of],
                                out,
                            );
                        }
                    }
                    finish(out, first_column);
                }
            }
        }
    }

    /// Lines from one row of activations to the next: they are a line apart, lest rows of a power of two share a place in the cache.
    fn stride(&self, left: Left) -> usize {
        left.lines(self.depth) + 1
    }

    /// Rounds rows of activations.
    fn round(
        &self,
        workspace: &mut NarrowWorkspace,
        form: Left,
        a: View<'_>,
        first_row: usize,
        rows: usize,
    ) {
        let stride = self.stride(form);
        let room = rows.next_multiple_of(ROWS);
        let NarrowWorkspace {
            left,
            rows: of_rows,
            sums,
            bytes: wanted,
        } = workspace;
        left.resize(room * stride, CacheLine::ZERO);
        sums.resize(room * 2, CacheLine::ZERO);
        of_rows.clear();
        for (row, lines) in left.chunks_exact_mut(stride).take(rows).enumerate() {
            let values = a.row(first_row + row);
            // What is left over of the last line meets weights that are zero, but must not be what is no number.
            if let Some(last) = lines[..form.lines(self.depth)].last_mut() {
                *last = CacheLine::ZERO;
            }
            match self.narrow {
                Narrow::Bf16 => to_bf16(values, bytemuck::cast_slice_mut(lines)),
                Narrow::Int8 => {
                    let (low, high) = extremes(values);
                    let scale = (high - low) / 255.0;
                    let factor = if scale.is_normal() { 1.0 / scale } else { 0.0 };
                    let zero = (-low * factor).round();
                    let mut middle = 0;
                    match form {
                        Left::Halves => {
                            wanted.resize(values.len(), 0);
                            to_bytes(values, factor, zero, 0.0, 255.0, wanted);
                            bytes_to_halves(wanted, bytemuck::cast_slice_mut(lines));
                        }
                        Left::Bytes | Left::SignedBytes | Left::Bf16 => {
                            let bytes = bytemuck::cast_slice_mut(lines);
                            to_bytes(values, factor, zero, 0.0, 255.0, bytes);
                            if form == Left::SignedBytes {
                                centre(bytes);
                                middle = 128;
                            }
                        }
                    }
                    of_rows.push((scale, zero as i32 - middle));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    fn matrix(rows: usize, columns: usize, seed: usize) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        for (i, value) in matrix.data.iter_mut().enumerate() {
            let unit = (((i + seed) * 7919) % 509) as f32 / 254.0 - 1.0;
            *value = unit * unit * unit * 3.0 + 0.2;
        }
        matrix
    }

    /// The numbers that rounding leaves, in plain code: of a row of weights, or of activations.
    fn left_of(narrow: Narrow, row: &[f32], weights: bool) -> Vec<f64> {
        let (low, high) = row
            .iter()
            .fold((0f32, 0f32), |(low, high), x| (low.min(*x), high.max(*x)));
        let scale = if weights {
            high.max(-low) / 127.0
        } else {
            (high - low) / 255.0
        };
        // Where the rounding of activations begins.
        let zero = if weights { 0.0 } else { (-low / scale).round() };
        let value = |x: &f32| match narrow {
            Narrow::Bf16 => half::bf16::from_f32(*x).to_f64(),
            Narrow::Int8 => {
                f64::from(scale * ((x * (1.0 / scale) + zero).round_ties_even() - zero))
            }
        };
        row.iter().map(value).collect()
    }

    #[test]
    fn a_product_is_that_of_the_rounded_numbers() {
        let mut workspace = NarrowWorkspace::default();
        for (rows, outputs, inputs) in [(1, 1, 1), (3, 40, 63), (250, 70, 130), (17, 32, 512)] {
            let (a, b) = (matrix(rows, inputs, 1), matrix(outputs, inputs, 5));
            for narrow in [Narrow::Bf16, Narrow::Int8] {
                if NarrowKernel::best(narrow).is_none() {
                    continue;
                }
                let mut panels = NarrowPanels::with_capacity(narrow, outputs, inputs);
                for first in (0..outputs).step_by(COLUMNS) {
                    let count = COLUMNS.min(outputs - first);
                    let mut part = b.data[first * inputs..(first + count) * inputs].to_vec();
                    part.resize(COLUMNS * inputs, 0.0);
                    panels.push(&part, inputs);
                }
                let mut out = Matrix::zeros(rows, outputs);
                let finish = |piece: &mut [f32], _: usize| {
                    piece.iter_mut().for_each(|value| *value += 1.0);
                };
                panels.times(
                    &mut workspace,
                    a.view(),
                    0,
                    outputs,
                    &mut out.data,
                    outputs,
                    &finish,
                );
                let right: Vec<Vec<f64>> = (0..outputs)
                    .map(|output| left_of(narrow, b.row(output), true))
                    .collect();
                for row in 0..rows {
                    let left = left_of(narrow, a.row(row), false);
                    for (output, right) in right.iter().enumerate() {
                        let exact: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                        let found = f64::from(out.row(row)[output]) - 1.0;
                        let size: f64 = left.iter().zip(right).map(|(a, b)| (a * b).abs()).sum();
                        assert!(
                            (found - exact).abs() < 1e-5 * (1.0 + size),
                            "{narrow:?} {rows} x {inputs}, {row} {output}: {found} {exact}"
                        );
                    }
                }
            }
        }
    }
}
