//! Blocks with two, three or four bits a number, or three values: `Q2_K`, `Q3_K`, `IQ4_NL`, `IQ4_XS`, `MXFP4`, `TQ1_0`,
//! `TQ2_0`. Products in the order of the format's reference.

use super::blocks::half_at;

/// The sixteen numbers of IQ4_NL and IQ4_XS.
const CURVE: [i8; 16] = [
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
];

/// The sixteen numbers of MXFP4, twice as large as they are.
const FLOATS: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Sixteen scales and minima of four bits, 64 bytes of numbers of two, scale of scales, scale of minima. Each 32 bytes hold
/// four times 32 numbers, from the low bits up.
pub fn q2_k(bytes: &[u8; 84], out: &mut [f32; 256]) {
    let (scale, least) = (half_at(bytes, 80), half_at(bytes, 82));
    for (i, out) in out.iter_mut().enumerate() {
        let part = bytes[i / 16];
        let number = two_bits(&bytes[16..80], i);
        *out = scale * f32::from(part & 15) * f32::from(number) - least * f32::from(part >> 4);
    }
}

/// Number i where four times 32 numbers of two bits share 32 bytes.
fn two_bits(bytes: &[u8], i: usize) -> u8 {
    (bytes[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3
}

/// 32 bytes of third bits, numbers as in Q2_K, sixteen scales of six bits in twelve bytes, scale of scales. Where the third
/// bit is missing, four is taken away.
pub fn q3_k(bytes: &[u8; 110], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 108);
    let packed = &bytes[96..108];
    let scales: [f32; 16] = std::array::from_fn(|i| {
        let low = (packed[i % 8] >> (i / 8 * 4)) & 15;
        let high = (packed[8 + i % 4] >> (i / 4 * 2)) & 3;
        scale * (i32::from(low | (high << 4)) - 32) as f32
    });
    for (i, out) in out.iter_mut().enumerate() {
        let number = i32::from(two_bits(&bytes[32..96], i));
        let third = i32::from((bytes[i % 32] >> (i / 32)) & 1);
        *out = scales[i / 16] * (number - 4 * (1 - third)) as f32;
    }
}

/// Scale, then 16 bytes as in Q4_0, whose numbers are places in a table.
pub fn iq4_nl(bytes: &[u8; 18], out: &mut [f32; 32]) {
    halves(half_at(bytes, 0), &CURVE, &bytes[2..], out);
}

/// Low and high halves of 16 bytes as places in a table.
fn halves(scale: f32, table: &[i8; 16], bytes: &[u8], out: &mut [f32]) {
    for (i, byte) in bytes.iter().enumerate() {
        out[i] = scale * f32::from(table[usize::from(byte & 15)]);
        out[i + 16] = scale * f32::from(table[usize::from(byte >> 4)]);
    }
}

/// Scale of scales, eight scales of six bits (upper two in a word, lower four in four bytes), eight times IQ4_NL.
pub fn iq4_xs(bytes: &[u8; 136], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    let upper = u16::from_le_bytes([bytes[2], bytes[3]]);
    let (numbers, _) = bytes[8..].as_chunks::<16>();
    let (outs, _) = out.as_chunks_mut::<32>();
    for (i, (numbers, out)) in numbers.iter().zip(outs).enumerate() {
        let low = (bytes[4 + i / 2] >> (i % 2 * 4)) & 15;
        let high = (upper >> (2 * i)) & 3;
        let part = i32::from(u16::from(low) | (high << 4)) - 32;
        halves(scale * part as f32, &CURVE, numbers, out);
    }
}

/// An exponent, then 16 bytes of numbers of four bits (OCP microscaling formats).
pub fn mxfp4(bytes: &[u8; 17], out: &mut [f32; 32]) {
    let exponent = u32::from(bytes[0]);
    // Half of two to the exponent: the table is twice as large.
    let bits = match exponent {
        0 | 1 => 0x0020_0000 << exponent,
        exponent => (exponent - 1) << 23,
    };
    halves(f32::from_bits(bits), &FLOATS, &bytes[1..], out);
}

/// 48 bytes of five and four bytes of four numbers of three values each, scale. A byte is a fraction whose digits to the base
/// of three are the numbers.
pub fn tq1_0(bytes: &[u8; 54], out: &mut [f32; 256]) {
    const POWERS: [u8; 5] = [1, 3, 9, 27, 81];
    let scale = half_at(bytes, 52);
    let digit = |byte: u8, power: u8| {
        let rest = byte.wrapping_mul(power);
        i32::from((u16::from(rest) * 3) >> 8) - 1
    };
    let mut place = 0;
    for (first, count, powers) in [(0, 32, 5), (32, 16, 5), (48, 4, 4)] {
        for power in &POWERS[..powers] {
            for byte in &bytes[first..first + count] {
                out[place] = scale * digit(*byte, *power) as f32;
                place += 1;
            }
        }
    }
}

/// 64 bytes of numbers as in Q2_K, less one, then the scale.
pub fn tq2_0(bytes: &[u8; 66], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 64);
    for (i, out) in out.iter_mut().enumerate() {
        *out = scale * (i32::from(two_bits(&bytes[..64], i)) - 1) as f32;
    }
}
