//! Sums of bytes on processors with AVX2 but without AVX-512 (most desktops, and servers of AMD before Zen 4).
//!
//! The one instruction of AVX2 that multiplies bytes saturates at sixteen bits. Sums must be exact, so many rows are multiplied as
//! sixteen-bit numbers, for which a block of the panel is widened once, and few rows as bytes, one side without its sign.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::narrow_kernel::{CacheLine, LINE};

/// Registers of eight columns in a panel.
const REGISTERS: usize = 4;
/// Steps of four bytes whose widened weights (16 KB) stay in the first-level cache.
const BLOCK: usize = 64;

/// Sums of rows of sixteen-bit numbers.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn int8_many(
    lines: usize,
    left: *const CacheLine,
    stride: usize,
    rows: usize,
    panel: *const CacheLine,
    sums: *mut CacheLine,
) {
    const TILE: usize = 4;
    let mut wide = [_mm256_setzero_si256(); BLOCK * 2 * REGISTERS];
    let steps = lines * LINE;
    for first_step in (0..steps).step_by(BLOCK) {
        let block = BLOCK.min(steps - first_step);
        // SAFETY: as the function's contract says; a row of `left` has two pairs for each step.
        unsafe {
            let panel = panel.add(2 * first_step).cast();
            widen(panel, &mut wide[..block * 2 * REGISTERS]);
            for first in (0..rows).step_by(TILE) {
                let left = left.add(first * stride).cast::<i32>().add(2 * first_step);
                let sums = sums.add(2 * first).cast();
                let wide = &wide[..block * 2 * REGISTERS];
                let begun = first_step > 0;
                match rows - first {
                    1 => pairs::<1>(wide, left, stride, sums, begun),
                    2 => pairs::<2>(wide, left, stride, sums, begun),
                    3 => pairs::<3>(wide, left, stride, sums, begun),
                    _ => pairs::<TILE>(wide, left, stride, sums, begun),
                }
            }
        }
    }
}

/// Bytes to sixteen bits with their signs: of each step the first two numbers of every column, then the other two.
///
/// SAFETY: callers hand in a panel of half as many registers as `wide`.
#[target_feature(enable = "avx2")]
unsafe fn widen(panel: *const __m256i, wide: &mut [__m256i]) {
    // A byte goes to the upper half of sixteen bits, from where a shift brings its sign along.
    let spread = |pair: i32| _mm256_add_epi32(_mm256_set1_epi32(pair), columns());
    let (first, second) = (spread(0x0180_0080), spread(0x0380_0280));
    for (step, wide) in wide.chunks_exact_mut(2 * REGISTERS).enumerate() {
        for register in 0..REGISTERS {
            // SAFETY: as the function's contract says.
            let bytes = unsafe { _mm256_load_si256(panel.add(step * REGISTERS + register)) };
            wide[register] = _mm256_srai_epi16::<8>(_mm256_shuffle_epi8(bytes, first));
            wide[REGISTERS + register] = _mm256_srai_epi16::<8>(_mm256_shuffle_epi8(bytes, second));
        }
    }
}

/// Where the bytes of a column begin, in the two places of a pattern that takes bytes.
#[target_feature(enable = "avx2")]
fn columns() -> __m256i {
    let of = |column: i32| (4 * column) << 8 | (4 * column) << 24;
    _mm256_setr_epi32(of(0), of(1), of(2), of(3), of(0), of(1), of(2), of(3))
}

/// A tile of sums over a block, sixteen columns at a time.
///
/// SAFETY: callers hand in `ROWS` rows of as many pairs as `wide` has steps, and room for their sums.
#[target_feature(enable = "avx2")]
unsafe fn pairs<const ROWS: usize>(
    wide: &[__m256i],
    left: *const i32,
    stride: usize,
    sums: *mut __m256i,
    begun: bool,
) {
    const HALF: usize = REGISTERS / 2;
    for half in 0..2 {
        // SAFETY: as the function's contract says.
        unsafe {
            let mut tile = [[_mm256_setzero_si256(); HALF]; ROWS];
            if begun {
                for (row, tile) in tile.iter_mut().enumerate() {
                    for (register, sum) in tile.iter_mut().enumerate() {
                        *sum =
                            _mm256_load_si256(sums.add(row * REGISTERS + half * HALF + register));
                    }
                }
            }
            let mut right = wide.as_ptr().add(half * HALF);
            for step in 0..wide.len() / REGISTERS {
                let columns = [_mm256_load_si256(right), _mm256_load_si256(right.add(1))];
                for (row, tile) in tile.iter_mut().enumerate() {
                    let left = _mm256_set1_epi32(*left.add(row * stride * LINE + step));
                    for (sum, column) in tile.iter_mut().zip(columns) {
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(left, column));
                    }
                }
                right = right.add(REGISTERS);
            }
            for (row, tile) in tile.iter().enumerate() {
                for (register, sum) in tile.iter().enumerate() {
                    let to = sums.add(row * REGISTERS + half * HALF + register);
                    _mm256_store_si256(to, *sum);
                }
            }
        }
    }
}

/// Sums of rows of signed bytes.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for AVX2.
#[target_feature(enable = "avx2")]
pub unsafe fn int8_few(
    lines: usize,
    left: *const CacheLine,
    stride: usize,
    rows: usize,
    panel: *const CacheLine,
    sums: *mut CacheLine,
) {
    for first in (0..rows).step_by(2) {
        // SAFETY: as the function's contract says.
        unsafe {
            let (left, sums) = (left.add(first * stride).cast(), sums.add(2 * first).cast());
            match rows - first {
                1 => signed::<1>(lines, left, stride, panel.cast(), sums),
                _ => signed::<2>(lines, left, stride, panel.cast(), sums),
            }
        }
    }
}

/// SAFETY: as above, for `ROWS` rows.
#[target_feature(enable = "avx2")]
unsafe fn signed<const ROWS: usize>(
    lines: usize,
    left: *const i32,
    stride: usize,
    panel: *const __m256i,
    sums: *mut __m256i,
) {
    let ones = _mm256_set1_epi16(1);
    // SAFETY: as the function's contract says.
    unsafe {
        let mut tile = [[_mm256_setzero_si256(); REGISTERS]; ROWS];
        let mut right = panel;
        for step in 0..lines * LINE {
            for (row, tile) in tile.iter_mut().enumerate() {
                let left = _mm256_set1_epi32(*left.add(row * stride * LINE + step));
                // At most 128 times 127, twice: that fits sixteen bits.
                let size = _mm256_abs_epi8(left);
                for (register, sum) in tile.iter_mut().enumerate() {
                    let column = _mm256_load_si256(right.add(register));
                    let column = _mm256_sign_epi8(column, left);
                    let pairs = _mm256_maddubs_epi16(size, column);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                }
            }
            right = right.add(REGISTERS);
        }
        for (row, tile) in tile.iter().enumerate() {
            for (register, sum) in tile.iter().enumerate() {
                _mm256_store_si256(sums.add(row * REGISTERS + register), *sum);
            }
        }
    }
}

/// Sums of rows of bytes by the dot products that desktops have since 2021 (AVX-VNNI): six rows, sixteen columns at a time.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for AVX-VNNI.
#[target_feature(enable = "avx2,avxvnni")]
pub unsafe fn int8_vnni(
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
#[target_feature(enable = "avx2,avxvnni")]
unsafe fn dots<const ROWS: usize>(
    lines: usize,
    left: *const i32,
    stride: usize,
    panel: *const __m256i,
    sums: *mut __m256i,
) {
    const HALF: usize = REGISTERS / 2;
    for half in 0..2 {
        // SAFETY: as the function's contract says.
        unsafe {
            let mut tile = [[_mm256_setzero_si256(); HALF]; ROWS];
            let mut right = panel.add(half * HALF);
            for step in 0..lines * LINE {
                let columns = [_mm256_load_si256(right), _mm256_load_si256(right.add(1))];
                for (row, tile) in tile.iter_mut().enumerate() {
                    let left = _mm256_set1_epi32(*left.add(row * stride * LINE + step));
                    for (sum, column) in tile.iter_mut().zip(columns) {
                        *sum = _mm256_dpbusd_avx_epi32(*sum, left, column);
                    }
                }
                right = right.add(REGISTERS);
            }
            for (row, tile) in tile.iter().enumerate() {
                for (register, sum) in tile.iter().enumerate() {
                    let to = sums.add(row * REGISTERS + half * HALF + register);
                    _mm256_store_si256(to, *sum);
                }
            }
        }
    }
}
