//! Matrix products over packed weights (`packed.rs`), which kernels widen as they read them. What is computed below
//! f32 is in `narrow.rs`.

use crate::kernel::{Kernel, LARGEST_TILE, Right};
use crate::matrix::{View, Workspace};
use crate::narrow_kernel;
use crate::packed::{PackedMatrix, Panels};
use crate::rounding::{widen, widen_bf16};

/// Depth of a block: a panel block of this depth stays in the first-level cache.
const DEPTH_BLOCK: usize = 384;
/// Rows of a block: the packed left operand of this many rows stays in the second-level cache.
/// A multiple of every kernel's rows.
const ROW_BLOCK: usize = 240;

/// The right operand of a product.
enum Operand<'a> {
    Packed(&'a Panels, /* first panel */ usize),
    Ready(&'a [f32]),
}

/// `out = a · weightsᵀ`, with `finish` called on each piece of an output row, and the piece's first
/// column, as soon as it is complete.
pub fn times_packed(
    workspace: &mut Workspace,
    a: View<'_>,
    weights: &PackedMatrix,
    out: &mut [f32],
    stride: usize,
    finish: &dyn Fn(&mut [f32], usize),
) {
    debug_assert_eq!(a.columns, weights.inputs);
    if let Panels::Rounded(panels) = &weights.panels {
        let narrow = &mut workspace.narrow;
        return panels.times(narrow, a, 0, weights.outputs, out, stride, finish);
    }
    let Workspace { left, right, .. } = workspace;
    blocked(
        a,
        &Operand::Packed(&weights.panels, 0),
        weights.outputs,
        left,
        right,
        out,
        stride,
        finish,
    );
}

/// How many outputs a part of a packed matrix may start after.
pub const PART: usize = 512;

/// The columns from `first` (a multiple of [`PART`]) on, at most [`PART`], of `a · weightsᵀ`.
pub fn times_part(
    workspace: &mut Workspace,
    a: View<'_>,
    weights: &PackedMatrix,
    first: usize,
    out: &mut [f32],
) {
    let columns = PART.min(weights.outputs - first);
    if let Panels::Rounded(panels) = &weights.panels {
        debug_assert!(first.is_multiple_of(PART) && PART.is_multiple_of(narrow_kernel::COLUMNS));
        let panel = first / narrow_kernel::COLUMNS;
        let narrow = &mut workspace.narrow;
        return panels.times(narrow, a, panel, columns, out, columns, &|_, _| {});
    }
    let Workspace { left, right, .. } = workspace;
    debug_assert!(first.is_multiple_of(PART) && PART.is_multiple_of(Kernel::best().columns));
    blocked(
        a,
        &Operand::Packed(&weights.panels, first / Kernel::best().columns),
        columns,
        left,
        right,
        out,
        columns,
        &|_, _| {},
    );
}

/// `out = a · bᵀ` for two matrices of activations.
pub fn times_transposed(
    workspace: &mut Workspace,
    a: View<'_>,
    b: View<'_>,
    out: &mut [f32],
    stride: usize,
) {
    let width = Kernel::best().columns;
    let depth = a.columns;
    let Workspace { left, right, .. } = workspace;
    right.resize(b.rows.div_ceil(width) * width * depth, 0.0);
    for (panel, right) in right.chunks_exact_mut(width * depth).enumerate() {
        let first = panel * width;
        let count = width.min(b.rows - first);
        if count < width {
            right.fill(0.0);
        }
        for row in 0..count {
            let start = (first + row) * b.stride;
            for (step, value) in b.data[start..start + depth].iter().enumerate() {
                right[step * width + row] = *value;
            }
        }
    }
    let ready = Operand::Ready(right);
    blocked(
        a,
        &ready,
        b.rows,
        left,
        &mut Vec::new(),
        out,
        stride,
        &|_, _| {},
    );
}

/// `out = a · b` for two matrices of activations.
pub fn times(workspace: &mut Workspace, a: View<'_>, b: View<'_>, out: &mut [f32], stride: usize) {
    let width = Kernel::best().columns;
    let depth = a.columns;
    let Workspace { left, right, .. } = workspace;
    right.resize(b.columns.div_ceil(width) * width * depth, 0.0);
    for (panel, right) in right.chunks_exact_mut(width * depth).enumerate() {
        let first = panel * width;
        let count = width.min(b.columns - first);
        for (step, right) in right.chunks_exact_mut(width).enumerate() {
            let start = step * b.stride + first;
            right[..count].copy_from_slice(&b.data[start..start + count]);
            right[count..].fill(0.0);
        }
    }
    let ready = Operand::Ready(right);
    blocked(
        a,
        &ready,
        b.columns,
        left,
        &mut Vec::new(),
        out,
        stride,
        &|_, _| {},
    );
}

#[allow(clippy::too_many_arguments)]
fn blocked(
    a: View<'_>,
    b: &Operand<'_>,
    outputs: usize,
    left: &mut Vec<f32>,
    widened: &mut Vec<f32>,
    out: &mut [f32],
    stride: usize,
    finish: &dyn Fn(&mut [f32], usize),
) {
    let kernel = Kernel::best();
    let depth = a.columns;
    for first_row in (0..a.rows).step_by(ROW_BLOCK) {
        let rows = ROW_BLOCK.min(a.rows - first_row);
        for first_step in (0..depth).step_by(DEPTH_BLOCK) {
            let steps = DEPTH_BLOCK.min(depth - first_step);
            pack_left(kernel, a, first_row, rows, first_step, steps, left);
            let last = first_step + steps == depth;
            for (panel, first_column) in (0..outputs).step_by(kernel.columns).enumerate() {
                let panel = match b {
                    Operand::Ready(_) => panel,
                    Operand::Packed(_, first) => first + panel,
                };
                let start = (panel * depth + first_step) * kernel.columns;
                let range = start..start + steps * kernel.columns;
                let right = match b {
                    Operand::Ready(panels) => Right::F32(&panels[range]),
                    Operand::Packed(Panels::F32(panels), _) => Right::F32(&panels[range]),
                    // A model on a device never comes here, and rounded weights have their own products.
                    Operand::Packed(Panels::OnDevice(_) | Panels::Rounded(_), _) => return,
                    Operand::Packed(Panels::F16(panels), _) => Right::F16(&panels[range]),
                    Operand::Packed(Panels::Bf16(panels), _) => Right::Bf16(&panels[range]),
                };
                if kernel.widens() {
                    widened.resize(right.len(), 0.0);
                }
                let right = match right {
                    Right::F16(narrow) if kernel.widens() => {
                        widen(narrow, widened);
                        Right::F32(widened)
                    }
                    Right::Bf16(narrow) if kernel.widens() => {
                        widen_bf16(narrow, widened);
                        Right::F32(widened)
                    }
                    kept => kept,
                };
                let columns = kernel.columns.min(outputs - first_column);
                for (tile, left) in left.chunks_exact(kernel.rows * steps).enumerate() {
                    let row = first_row + tile * kernel.rows;
                    let height = kernel.rows.min(first_row + rows - row);
                    let out = &mut out[row * stride + first_column..];
                    if height == kernel.rows && columns == kernel.columns {
                        kernel.run(steps, left, right, out, stride, first_step > 0, height);
                    } else {
                        at_the_edge(
                            kernel,
                            steps,
                            left,
                            right,
                            out,
                            stride,
                            height,
                            columns,
                            first_step > 0,
                        );
                    }
                }
                if last {
                    for row in first_row..first_row + rows {
                        let start = row * stride + first_column;
                        finish(&mut out[start..start + columns], first_column);
                    }
                }
            }
        }
    }
}

/// Computes a whole tile beside the result and copies the part that exists.
#[allow(clippy::too_many_arguments)]
fn at_the_edge(
    kernel: &Kernel,
    steps: usize,
    left: &[f32],
    right: Right<'_>,
    out: &mut [f32],
    stride: usize,
    height: usize,
    columns: usize,
    accumulate: bool,
) {
    let mut tile = [0f32; LARGEST_TILE];
    kernel.run(steps, left, right, &mut tile, kernel.columns, false, height);
    for row in 0..height {
        let from = &tile[row * kernel.columns..row * kernel.columns + columns];
        let to = &mut out[row * stride..row * stride + columns];
        if accumulate {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from)
        } else {
            to.copy_from_slice(from)
        }
    }
}

fn pack_left(
    kernel: &Kernel,
    a: View<'_>,
    first_row: usize,
    rows: usize,
    first_step: usize,
    steps: usize,
    left: &mut Vec<f32>,
) {
    left.resize(rows.div_ceil(kernel.rows) * kernel.rows * steps, 0.0);
    for (tile, left) in left.chunks_exact_mut(kernel.rows * steps).enumerate() {
        let row = first_row + tile * kernel.rows;
        let height = kernel.rows.min(first_row + rows - row);
        if height < kernel.rows {
            left.fill(0.0);
        }
        const STEP: usize = 16;
        for block in (0..steps).step_by(STEP) {
            let count = STEP.min(steps - block);
            for r in 0..height {
                let start = (row + r) * a.stride + first_step + block;
                for (step, value) in a.data[start..start + count].iter().enumerate() {
                    left[(block + step) * kernel.rows + r] = *value;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::narrow::Narrow;
    use crate::packed::{Keeping, Precision};

    fn matrix(rows: usize, columns: usize, seed: usize) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        for (i, value) in matrix.data.iter_mut().enumerate() {
            *value = (((i + seed) * 7919) % 211) as f32 / 105.0 - 1.0;
        }
        matrix
    }

    fn exact(a: &Matrix, b: &Matrix, row: usize, column: usize) -> f64 {
        a.row(row)
            .iter()
            .zip(b.row(column))
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    }

    #[test]
    fn products_agree_with_plain_sums_at_awkward_sizes() {
        let mut workspace = Workspace::default();
        for (rows, outputs, depth) in [(1, 1, 1), (13, 33, 5), (12, 32, 400), (251, 70, 801)] {
            let (a, b) = (matrix(rows, depth, 1), matrix(outputs, depth, 5));
            let wide = [Precision::F32, Precision::F16, Precision::Bf16].map(Keeping::Wide);
            let rounded = [Narrow::Bf16, Narrow::Int8].map(Keeping::rounded);
            for keeping in wide.into_iter().chain(rounded) {
                let packed = PackedMatrix::pack(outputs, depth, keeping, |first, out| {
                    out.copy_from_slice(&b.data[first * depth..first * depth + out.len()]);
                    Ok::<(), ()>(())
                })
                .unwrap();
                let mut out = Matrix::zeros(rows, outputs);
                times_packed(
                    &mut workspace,
                    a.view(),
                    &packed,
                    &mut out.data,
                    outputs,
                    &|row, _| {
                        row.iter_mut().for_each(|v| *v += 1.0);
                    },
                );
                let tolerance = match keeping {
                    Keeping::Wide(Precision::F32) => 1e-5 * depth as f64 + 1e-5,
                    Keeping::Wide(Precision::F16) => 2e-4 * depth as f64,
                    Keeping::Wide(Precision::Bf16) => 2e-3 * depth as f64,
                    Keeping::Rounded(Narrow::Bf16) => 4e-3 * depth as f64,
                    Keeping::Rounded(Narrow::Int8) => 8e-3 * depth as f64,
                };
                for row in 0..rows {
                    for column in 0..outputs {
                        let found = f64::from(out.row(row)[column]) - 1.0;
                        let exact = exact(&a, &b, row, column);
                        assert!(
                            (found - exact).abs() < tolerance,
                            "{keeping:?} {rows} {outputs} {depth}: {found} {exact}"
                        );
                    }
                }
            }
            let mut out = Matrix::zeros(rows, outputs);
            times_transposed(&mut workspace, a.view(), b.view(), &mut out.data, outputs);
            assert!(
                (f64::from(out.row(rows - 1)[outputs - 1]) - exact(&a, &b, rows - 1, outputs - 1))
                    .abs()
                    < 1e-5 * depth as f64 + 1e-5
            );
            let mut again = Matrix::zeros(rows, depth);
            times(&mut workspace, out.view(), b.view(), &mut again.data, depth);
            let sum: f64 = (0..outputs)
                .map(|o| f64::from(out.row(0)[o]) * f64::from(b.row(o)[depth - 1]))
                .sum();
            assert!((f64::from(again.row(0)[depth - 1]) - sum).abs() < 1e-3 * (1.0 + sum.abs()));
        }
    }

    #[test]
    fn a_row_comes_out_the_same_in_any_company() {
        let mut workspace = Workspace::default();
        let (a, b) = (matrix(300, 500, 3), matrix(64, 500, 9));
        let wide = Keeping::Wide(Precision::F32);
        let rounded = [Narrow::Bf16, Narrow::Int8].map(Keeping::rounded);
        for keeping in [wide].into_iter().chain(rounded) {
            let packed = PackedMatrix::pack(64, 500, keeping, |first, out| {
                out.copy_from_slice(&b.data[first * 500..first * 500 + out.len()]);
                Ok::<(), ()>(())
            })
            .unwrap();
            let mut all = Matrix::zeros(300, 64);
            let nothing = |_: &mut [f32], _: usize| {};
            let out = &mut all.data;
            times_packed(&mut workspace, a.view(), &packed, out, 64, &nothing);
            for row in [0, 5, 11, 12, 239, 240, 299] {
                let mut one = Matrix::zeros(1, 64);
                let alone = a.part(row, 1, 0, 500);
                let out = &mut one.data;
                times_packed(&mut workspace, alone, &packed, out, 64, &nothing);
                assert_eq!(one.row(0), all.row(row), "{keeping:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_stays_none_in_rounded_products() {
        let mut workspace = Workspace::default();
        for narrow in [Narrow::Bf16, Narrow::Int8] {
            let pack = |b: &Matrix| {
                PackedMatrix::pack(40, 70, Keeping::rounded(narrow), |first, out| {
                    out.copy_from_slice(&b.data[first * 70..first * 70 + out.len()]);
                    Ok::<(), ()>(())
                })
                .unwrap()
            };
            for spoiled in [f32::NAN, f32::INFINITY] {
                let (mut a, mut b) = (matrix(3, 70, 1), matrix(40, 70, 2));
                a.row_mut(1)[69] = spoiled;
                let mut out = Matrix::zeros(3, 40);
                let (left, to) = (a.view(), &mut out.data);
                times_packed(&mut workspace, left, &pack(&b), to, 40, &|_, _| {});
                assert!(out.row(0).iter().chain(out.row(2)).all(|x| x.is_finite()));
                assert!(out.row(1).iter().all(|x| !x.is_finite()), "{narrow:?}");
                b.row_mut(33)[0] = spoiled;
                let to = &mut out.data;
                times_packed(&mut workspace, a.view(), &pack(&b), to, 40, &|_, _| {});
                assert!(!out.row(0)[33].is_finite() && out.row(0)[32].is_finite());
            }
            // Zeros alone have no scale.
            let mut out = Matrix::zeros(2, 40);
            let (zeros, packed) = (Matrix::zeros(2, 70), pack(&matrix(40, 70, 2)));
            times_packed(
                &mut workspace,
                zeros.view(),
                &packed,
                &mut out.data,
                40,
                &|_, _| {},
            );
            assert!(out.data.iter().all(|x| *x == 0.0));
        }
    }
}
