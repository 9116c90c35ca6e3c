//! Blocks of quantised numbers back to f32.
//!
//! Each type is one function from a block of fixed size to a fixed number of floats, so that the
//! compiler sees constant trip counts and vectorises them. Products are taken in the order of the
//! format's reference (scale × sub-scale first, then × number), so results agree to the last bit.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::{Kind, grid_blocks as grid, small_blocks as small};

/// Fills `out`, a whole number of blocks, from the beginning of `bytes`.
pub fn dequantise(kind: Kind, bytes: &[u8], out: &mut [f32]) {
    match kind {
        Kind::F32 => {
            let (numbers, _) = bytes.as_chunks::<4>();
            for (out, bytes) in out.iter_mut().zip(numbers) {
                *out = f32::from_le_bytes(*bytes);
            }
        }
        Kind::F16 => halves(bytes, out),
        Kind::Bf16 => {
            let (numbers, _) = bytes.as_chunks::<2>();
            for (out, bytes) in out.iter_mut().zip(numbers) {
                *out = f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
            }
        }
        Kind::Q8_0 => each(bytes, out, q8_0),
        Kind::Q4_0 => each(bytes, out, q4_0),
        Kind::Q4_1 => each(bytes, out, q4_1),
        Kind::Q5_0 => each(bytes, out, q5_0),
        Kind::Q5_1 => each(bytes, out, q5_1),
        Kind::Q4K => each(bytes, out, q4_k),
        Kind::Q5K => each(bytes, out, q5_k),
        Kind::Q6K => each(bytes, out, q6_k),
        Kind::Q2K => each(bytes, out, small::q2_k),
        Kind::Q3K => each(bytes, out, small::q3_k),
        Kind::Iq2Xxs => each(bytes, out, grid::iq2_xxs),
        Kind::Iq2Xs => each(bytes, out, grid::iq2_xs),
        Kind::Iq3Xxs => each(bytes, out, grid::iq3_xxs),
        Kind::Iq1S => each(bytes, out, grid::iq1_s),
        Kind::Iq4Nl => each(bytes, out, small::iq4_nl),
        Kind::Iq3S => each(bytes, out, grid::iq3_s),
        Kind::Iq2S => each(bytes, out, grid::iq2_s),
        Kind::Iq4Xs => each(bytes, out, small::iq4_xs),
        Kind::Iq1M => each(bytes, out, grid::iq1_m),
        Kind::Tq1_0 => each(bytes, out, small::tq1_0),
        Kind::Tq2_0 => each(bytes, out, small::tq2_0),
        Kind::Mxfp4 => each(bytes, out, small::mxfp4),
    }
}

#[inline(always)]
fn each<const BYTES: usize, const COUNT: usize>(
    bytes: &[u8],
    out: &mut [f32],
    block: impl Fn(&[u8; BYTES], &mut [f32; COUNT]),
) {
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (outs, _) = out.as_chunks_mut::<COUNT>();
    for (bytes, out) in blocks.iter().zip(outs) {
        block(bytes, out);
    }
}

/// Converted sixty-four at a time: one at a time the processor's abilities are asked for each.
fn halves(bytes: &[u8], out: &mut [f32]) {
    let mut buffer = [f16::ZERO; 64];
    for (bytes, out) in bytes.chunks(128).zip(out.chunks_mut(64)) {
        let (numbers, _) = bytes.as_chunks::<2>();
        for (number, bytes) in buffer.iter_mut().zip(numbers) {
            *number = f16::from_le_bytes(*bytes);
        }
        buffer[..out.len()].convert_to_f32_slice(out);
    }
}

#[inline(always)]
pub fn half_at<const N: usize>(bytes: &[u8; N], at: usize) -> f32 {
    f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

/// Scale, 32 signed bytes.
fn q8_0(bytes: &[u8; 34], out: &mut [f32; 32]) {
    let scale = half_at(bytes, 0);
    for i in 0..32 {
        out[i] = f32::from(bytes[2 + i] as i8) * scale;
    }
}

/// Scale, then 16 bytes: number i in the low half of byte i, number i + 16 in the high half.
fn q4_0(bytes: &[u8; 18], out: &mut [f32; 32]) {
    let scale = half_at(bytes, 0);
    for i in 0..16 {
        let byte = bytes[2 + i];
        out[i] = (i32::from(byte & 15) - 8) as f32 * scale;
        out[i + 16] = (i32::from(byte >> 4) - 8) as f32 * scale;
    }
}

/// As Q4_0, with a minimum instead of the fixed offset.
fn q4_1(bytes: &[u8; 20], out: &mut [f32; 32]) {
    let (scale, least) = (half_at(bytes, 0), half_at(bytes, 2));
    for i in 0..16 {
        let byte = bytes[4 + i];
        out[i] = f32::from(byte & 15) * scale + least;
        out[i + 16] = f32::from(byte >> 4) * scale + least;
    }
}

/// As Q4_0 with fifth bits: bit i of a 32-bit word belongs to number i.
fn q5_0(bytes: &[u8; 22], out: &mut [f32; 32]) {
    let scale = half_at(bytes, 0);
    let fifth = u32::from_le_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]);
    for i in 0..16 {
        let byte = u32::from(bytes[6 + i]);
        let low = (byte & 15) | (((fifth >> i) & 1) << 4);
        let high = (byte >> 4) | (((fifth >> (i + 16)) & 1) << 4);
        out[i] = (low as i32 - 16) as f32 * scale;
        out[i + 16] = (high as i32 - 16) as f32 * scale;
    }
}

fn q5_1(bytes: &[u8; 24], out: &mut [f32; 32]) {
    let (scale, least) = (half_at(bytes, 0), half_at(bytes, 2));
    let fifth = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    for i in 0..16 {
        let byte = u32::from(bytes[8 + i]);
        let low = (byte & 15) | (((fifth >> i) & 1) << 4);
        let high = (byte >> 4) | (((fifth >> (i + 16)) & 1) << 4);
        out[i] = low as i32 as f32 * scale + least;
        out[i + 16] = high as i32 as f32 * scale + least;
    }
}

/// Eight 6-bit scales and eight 6-bit minima in twelve bytes: the first four of each in the low six
/// bits of bytes 0–3 and 4–7, the last four in the halves of bytes 8–11 and the top two bits of the
/// others.
fn scales_and_minima(packed: &[u8]) -> [(u8, u8); 8] {
    std::array::from_fn(|i| match i {
        0..4 => (packed[i] & 63, packed[i + 4] & 63),
        _ => (
            (packed[i + 4] & 15) | ((packed[i - 4] >> 6) << 4),
            (packed[i + 4] >> 4) | ((packed[i] >> 6) << 4),
        ),
    })
}

/// Scale of scales, scale of minima, 12 bytes of both, 128 bytes of 4-bit numbers: each 32 bytes
/// hold one sub-block in their low halves and the next in their high halves.
fn q4_k(bytes: &[u8; 144], out: &mut [f32; 256]) {
    let (scale, least) = (half_at(bytes, 0), half_at(bytes, 2));
    let parts = scales_and_minima(&bytes[4..16]);
    let (numbers, _) = bytes[16..].as_chunks::<32>();
    let (outs, _) = out.as_chunks_mut::<64>();
    for (pair, (numbers, out)) in numbers.iter().zip(outs).enumerate() {
        let part = |i: usize| (scale * f32::from(parts[i].0), least * f32::from(parts[i].1));
        let (low_scale, low_least) = part(2 * pair);
        let (high_scale, high_least) = part(2 * pair + 1);
        for i in 0..32 {
            out[i] = f32::from(numbers[i] & 15) * low_scale - low_least;
            out[i + 32] = f32::from(numbers[i] >> 4) * high_scale - high_least;
        }
    }
}

/// As Q4_K with 32 bytes of fifth bits: bit j of byte i belongs to number i of sub-block j.
fn q5_k(bytes: &[u8; 176], out: &mut [f32; 256]) {
    let (scale, least) = (half_at(bytes, 0), half_at(bytes, 2));
    let parts = scales_and_minima(&bytes[4..16]);
    let (fifth, numbers) = bytes[16..].split_at(32);
    let (numbers, _) = numbers.as_chunks::<32>();
    let (outs, _) = out.as_chunks_mut::<64>();
    for (pair, (numbers, out)) in numbers.iter().zip(outs).enumerate() {
        let part = |i: usize| (scale * f32::from(parts[i].0), least * f32::from(parts[i].1));
        let (low_scale, low_least) = part(2 * pair);
        let (high_scale, high_least) = part(2 * pair + 1);
        for i in 0..32 {
            let low = (numbers[i] & 15) | (((fifth[i] >> (2 * pair)) & 1) << 4);
            let high = (numbers[i] >> 4) | (((fifth[i] >> (2 * pair + 1)) & 1) << 4);
            out[i] = f32::from(low) * low_scale - low_least;
            out[i + 32] = f32::from(high) * high_scale - high_least;
        }
    }
}

/// 128 bytes of low four bits, 64 bytes of upper two, 16 signed scales (one for 16 numbers), scale
/// of scales. Each half of the block takes 64, 32 and 8 of them.
fn q6_k(bytes: &[u8; 210], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 208);
    let (outs, _) = out.as_chunks_mut::<128>();
    for (half, out) in outs.iter_mut().enumerate() {
        let low = &bytes[half * 64..half * 64 + 64];
        let upper = &bytes[128 + half * 32..160 + half * 32];
        let part: [f32; 8] =
            std::array::from_fn(|i| scale * f32::from(bytes[192 + half * 8 + i] as i8));
        for i in 0..32 {
            let (a, b, u) = (low[i], low[i + 32], upper[i]);
            let numbers = [
                (a & 15) | ((u & 3) << 4),
                (b & 15) | (((u >> 2) & 3) << 4),
                (a >> 4) | (((u >> 4) & 3) << 4),
                (b >> 4) | ((u >> 6) << 4),
            ];
            for (quarter, number) in numbers.into_iter().enumerate() {
                out[quarter * 32 + i] =
                    (i32::from(number) - 32) as f32 * part[quarter * 2 + i / 16];
            }
        }
    }
}
