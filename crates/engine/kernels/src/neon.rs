//! Products on Arm (Apple, Graviton, phones): f32 by NEON, sums of bytes by its dot products or, on older processors, by products of
//! sixteen bits.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::arch::asm;

use crate::narrow_kernel::{CacheLine, LINE};

/// Registers of four columns in a panel of 32.
const REGISTERS: usize = 8;

/// SAFETY: callers hand in `depth * 6` and `depth * 16` readable values and a 6 x 16 tile of `c`.
pub unsafe fn f32_tile(
    depth: usize,
    a: *const f32,
    b: *const u8,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
    height: usize,
) {
    // SAFETY: as the function's contract says. A few rows are not worth the work of six.
    unsafe {
        let b = b.cast();
        match height {
            0..=2 => f32_rows::<2>(depth, a, b, c, stride, accumulate),
            3..=4 => f32_rows::<4>(depth, a, b, c, stride, accumulate),
            _ => f32_rows::<6>(depth, a, b, c, stride, accumulate),
        }
    }
}

/// SAFETY: as above; the first `ROWS` of the six rows are computed.
#[target_feature(enable = "neon")]
unsafe fn f32_rows<const ROWS: usize>(
    depth: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
) {
    const PACKED: usize = 6;
    const QUARTERS: usize = 4;
    // SAFETY: as the function's contract says.
    unsafe {
        let mut sums = [[vdupq_n_f32(0.0); QUARTERS]; ROWS];
        for step in 0..depth {
            let right: [float32x4_t; QUARTERS] =
                std::array::from_fn(|quarter| vld1q_f32(b.add(step * 16 + quarter * 4)));
            for (row, sums) in sums.iter_mut().enumerate() {
                let left = *a.add(step * PACKED + row);
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = vfmaq_n_f32(*sum, right, left);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            for (quarter, sum) in sums.iter().enumerate() {
                let out = c.add(row * stride + quarter * 4);
                let sum = if accumulate {
                    vaddq_f32(vld1q_f32(out), *sum)
                } else {
                    *sum
                };
                vst1q_f32(out, sum);
            }
        }
    }
}

/// Sums of rows of signed bytes by dot products: six rows, sixteen columns at a time.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for the dot products.
#[target_feature(enable = "neon,dotprod")]
pub unsafe fn int8_dots(
    lines: usize,
    left: *const CacheLine,
    stride: usize,
    rows: usize,
    panel: *const CacheLine,
    sums: *mut CacheLine,
) {
    for first in (0..rows).step_by(6) {
        // SAFETY: as the function's contract says.
        unsafe {
            let (left, sums) = (left.add(first * stride).cast(), sums.add(2 * first).cast());
            match rows - first {
                1 => dots::<1>(lines, left, stride, panel.cast(), sums),
                2 => dots::<2>(lines, left, stride, panel.cast(), sums),
                3 => dots::<3>(lines, left, stride, panel.cast(), sums),
                4 => dots::<4>(lines, left, stride, panel.cast(), sums),
                5 => dots::<5>(lines, left, stride, panel.cast(), sums),
                _ => dots::<6>(lines, left, stride, panel.cast(), sums),
            }
        }
    }
}

/// SAFETY: as above, for `ROWS` rows.
#[target_feature(enable = "neon,dotprod")]
unsafe fn dots<const ROWS: usize>(
    lines: usize,
    left: *const i32,
    stride: usize,
    panel: *const i8,
    sums: *mut i32,
) {
    const HALF: usize = REGISTERS / 2;
    for half in 0..2 {
        // SAFETY: as the function's contract says. The instruction has no stable name in Rust yet.
        unsafe {
            let mut tile = [[vdupq_n_s32(0); HALF]; ROWS];
            let mut right = panel.add(half * HALF * 16);
            for step in 0..lines * LINE {
                let columns: [int8x16_t; HALF] =
                    std::array::from_fn(|register| vld1q_s8(right.add(register * 16)));
                for (row, tile) in tile.iter_mut().enumerate() {
                    let left = vdupq_n_s32(*left.add(row * stride * LINE + step));
                    for (sum, column) in tile.iter_mut().zip(columns) {
                        asm!(
                            "sdot {sum:v}.4s, {column:v}.16b, {left:v}.16b",
                            sum = inout(vreg) *sum,
                            column = in(vreg) column,
                            left = in(vreg) left,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                }
                right = right.add(REGISTERS * 16);
            }
            for (row, tile) in tile.iter().enumerate() {
                for (register, sum) in tile.iter().enumerate() {
                    vst1q_s32(sums.add(row * 32 + (half * HALF + register) * 4), *sum);
                }
            }
        }
    }
}

/// Sums of rows of signed bytes by products of sixteen bits: two steps fit before they must be widened.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says.
#[target_feature(enable = "neon")]
pub unsafe fn int8_pairs(
    lines: usize,
    left: *const CacheLine,
    stride: usize,
    rows: usize,
    panel: *const CacheLine,
    sums: *mut CacheLine,
) {
    for row in 0..rows {
        // SAFETY: as the function's contract says; a line has an even number of steps.
        unsafe {
            let left = left.add(row * stride).cast::<i32>();
            let (panel, sums) = (panel.cast::<i8>(), sums.add(2 * row).cast::<i32>());
            let mut tile = [[vdupq_n_s32(0); 2]; REGISTERS];
            for step in (0..lines * LINE).step_by(2) {
                let [one, other] =
                    [0, 1].map(|next| vreinterpretq_s8_s32(vdupq_n_s32(*left.add(step + next))));
                for (register, sums) in tile.iter_mut().enumerate() {
                    let at = panel.add((step * REGISTERS + register) * 16);
                    let [first, second] = [vld1q_s8(at), vld1q_s8(at.add(REGISTERS * 16))];
                    // At most 128 times 127, twice.
                    let low = vmull_s8(vget_low_s8(first), vget_low_s8(one));
                    let low = vmlal_s8(low, vget_low_s8(second), vget_low_s8(other));
                    let high = vmull_high_s8(first, one);
                    let high = vmlal_high_s8(high, second, other);
                    sums[0] = vpadalq_s16(sums[0], low);
                    sums[1] = vpadalq_s16(sums[1], high);
                }
            }
            for (register, [low, high]) in tile.into_iter().enumerate() {
                vst1q_s32(sums.add(register * 4), vpaddq_s32(low, high));
            }
        }
    }
}
