//! Rows of numbers rounded to sixteen or eight bits, and sums of bytes made numbers again.
#![allow(unsafe_code)]

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

#[cfg(target_arch = "x86_64")]
use crate::processor::{Level, allows};
use crate::simd::vectorised;

/// Adding it to a number below 2^22 leaves the nearest whole number, ties to even, in the last bits.
const MAGIC: f32 = 12_582_912.0;
const LANES: usize = 16;

vectorised! {
    /// To bf16, the nearest, ties to even. What is no number stays none.
    pub fn to_bf16(values: &[f32], out: &mut [u16]) {
        for (value, out) in values.iter().zip(out) {
            let bits = value.to_bits();
            let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
            *out = if value.is_nan() { 0x7fc0 } else { nearest as u16 };
        }
    }
}

vectorised! {
    /// The lowest and the highest of the numbers and zero; not numbers if one of them is none or boundless.
    pub fn extremes(values: &[f32]) -> (f32, f32) {
        let (mut low, mut high, mut spoiled) = ([0f32; LANES], [0f32; LANES], [0f32; LANES]);
        let chunks = values.chunks_exact(LANES);
        let rest = chunks.remainder();
        for chunk in chunks {
            for (low, value) in low.iter_mut().zip(chunk) {
                *low = if *value < *low { *value } else { *low };
            }
            for (high, value) in high.iter_mut().zip(chunk) {
                *high = if *value > *high { *value } else { *high };
            }
            for (spoiled, value) in spoiled.iter_mut().zip(chunk) {
                *spoiled += value * 0.0;
            }
        }
        for value in rest {
            low[0] = low[0].min(*value);
            high[0] = high[0].max(*value);
            spoiled[0] += value * 0.0;
        }
        let spoiled: f32 = spoiled.iter().sum();
        let low = low.iter().copied().fold(0.0, f32::min);
        let high = high.iter().copied().fold(0.0, f32::max);
        (low + spoiled, high + spoiled)
    }
}

vectorised! {
    /// To whole numbers of one byte, after a factor and a shift; those beyond `least` and `most` become these.
    pub fn to_bytes(values: &[f32], factor: f32, shift: f32, least: f32, most: f32, out: &mut [u8]) {
        for (value, out) in values.iter().zip(out) {
            let placed = (value * factor + shift).max(least).min(most);
            *out = (placed + MAGIC).to_bits() as u8;
        }
    }
}

vectorised! {
    /// Numbers from sums of bytes: the row's zero is taken off, both sides' scales are put back.
    pub fn from_sums(sums: &[u32], zero: i32, of_weights: &[i32], scale: f32, scales: &[f32], out: &mut [f32]) {
        let columns = of_weights.iter().zip(scales);
        for ((out, sum), (of_weights, of_column)) in out.iter_mut().zip(sums).zip(columns) {
            let sum = (*sum as i32).wrapping_sub(zero.wrapping_mul(*of_weights));
            *out = sum as f32 * (scale * of_column);
        }
    }
}

vectorised! {
    /// Bytes to sixteen bits.
    pub fn bytes_to_halves(bytes: &[u8], halves: &mut [u16]) {
        for (half, byte) in halves.iter_mut().zip(bytes) {
            *half = u16::from(*byte);
        }
    }
}

vectorised! {
    /// Bytes from zero on to bytes around it, 128 less.
    pub fn centre(bytes: &mut [u8]) {
        for byte in bytes {
            *byte ^= 0x80;
        }
    }
}

vectorised! {
    /// bf16 to f32. What is no number stays none.
    pub fn widen_bf16(narrow: &[bf16], out: &mut [f32]) {
        for (out, narrow) in out.iter_mut().zip(narrow) {
            *out = f32::from_bits(u32::from(narrow.to_bits()) << 16);
        }
    }
}

/// f16 to f32.
pub fn widen(narrow: &[f16], wide: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if allows(Level::Newest) && is_x86_feature_detected!("avx512f") {
        let (narrow, rest) = narrow.as_chunks::<LANES>();
        let (wide, wide_rest) = wide.as_chunks_mut::<LANES>();
        // SAFETY: the processor has these instructions.
        unsafe { widen_lines(narrow, wide) };
        return rest.convert_to_f32_slice(wide_rest);
    }
    narrow.convert_to_f32_slice(wide);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn widen_lines(narrow: &[[f16; LANES]], wide: &mut [[f32; LANES]]) {
    use std::arch::x86_64::{_mm256_loadu_si256, _mm512_cvtph_ps, _mm512_storeu_ps};
    for (narrow, wide) in narrow.iter().zip(wide) {
        // SAFETY: sixteen numbers are read and sixteen written.
        unsafe {
            let line = _mm256_loadu_si256(narrow.as_ptr().cast());
            _mm512_storeu_ps(wide.as_mut_ptr(), _mm512_cvtph_ps(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_are_made_wide_again() {
        let narrow: Vec<f16> = (0..u16::MAX).map(f16::from_bits).collect();
        let mut wide = vec![0.0; narrow.len()];
        widen(&narrow, &mut wide);
        for (narrow, wide) in narrow.iter().zip(wide) {
            let exact = narrow.to_f32();
            assert!(exact == wide || exact.is_nan() && wide.is_nan(), "{exact}");
        }
    }

    #[test]
    fn sixteen_bits_are_the_nearest() {
        let values = [
            0.0,
            -0.0,
            1.0,
            1.003_906_2,
            1.003_907,
            1.011_718_8,
            -2.7,
            1e38,
            3.4e38,
            1e-40,
            f32::INFINITY,
        ];
        let mut out = [0; 11];
        to_bf16(&values, &mut out);
        for (value, out) in values.iter().zip(out) {
            assert_eq!(out, bf16::from_f32(*value).to_bits(), "{value}");
        }
        to_bf16(&[f32::NAN], &mut out[..1]);
        assert!(bf16::from_bits(out[0]).is_nan());
    }

    #[test]
    fn extremes_hold_zero_and_show_what_is_no_number() {
        let values: Vec<f32> = (0..40).map(|i| i as f32 - 3.0).collect();
        assert_eq!(extremes(&values), (-3.0, 36.0));
        assert_eq!(extremes(&values[5..]), (0.0, 36.0));
        assert_eq!(extremes(&[]), (0.0, 0.0));
        for spoiled in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in [0, 17, 39] {
                let mut values = values.clone();
                values[place] = spoiled;
                assert!(extremes(&values).0.is_nan() && extremes(&values).1.is_nan());
            }
        }
    }

    #[test]
    fn bytes_are_rounded_to_the_nearest_and_kept_in_bounds() {
        let mut out = [0; 7];
        let values = [-9.0, -0.26, 0.0, 0.25, 0.26, 126.9, 9e9];
        to_bytes(&values, 2.0, 3.0, 0.0, 255.0, &mut out);
        assert_eq!(out, [0, 2, 3, 4, 4, 255, 255]);
        to_bytes(&values, 1.0, 0.0, -127.0, 127.0, &mut out);
        assert_eq!(out.map(|byte| byte as i8), [-9, 0, 0, 0, 0, 127, 127]);
    }
}
