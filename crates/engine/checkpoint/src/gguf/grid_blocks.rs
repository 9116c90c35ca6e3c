//! Blocks that choose eight or four numbers at once from a grid: `IQ1`, `IQ2` and `IQ3`. The grids are part of the format;
//! `tools/reference/gguf_small_types.py` writes them. Products in the order of the format's reference.

use half::f16;

use super::blocks::half_at;

static GRIDS: &[u8] = include_bytes!("grids.bin");

/// One grid: where it begins, and how many numbers a place has.
struct Grid {
    first: usize,
    width: usize,
}

const IQ2_XXS: Grid = Grid { first: 0, width: 8 };
const IQ2_XS: Grid = Grid {
    first: 256 * 8,
    width: 8,
};
const IQ2_S: Grid = Grid {
    first: 768 * 8,
    width: 8,
};
const IQ3_XXS: Grid = Grid {
    first: 1792 * 8,
    width: 4,
};
const IQ3_S: Grid = Grid {
    first: 1792 * 8 + 256 * 4,
    width: 4,
};
const IQ1_S: Grid = Grid {
    first: 1792 * 8 + 768 * 4,
    width: 8,
};

impl Grid {
    fn at(&self, place: usize) -> impl Iterator<Item = f32> {
        let first = self.first + place * self.width;
        GRIDS[first..first + self.width]
            .iter()
            .map(|number| f32::from(*number as i8))
    }
}

/// Seven signs and, so that their number is even, an eighth.
fn eight_signs(seven: u32) -> u8 {
    let seven = (seven & 127) as u8;
    seven | (((seven.count_ones() % 2) as u8) << 7)
}

/// Numbers of the grid with a scale; bit i of `signs` makes number i negative.
fn signed(scale: f32, numbers: impl Iterator<Item = f32>, signs: u8, out: &mut [f32]) {
    for (i, (out, number)) in out.iter_mut().zip(numbers).enumerate() {
        let number = scale * number;
        *out = if (signs >> i) & 1 == 1 {
            -number
        } else {
            number
        };
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn half_word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Half i of the bytes, four bits.
fn nibble(bytes: &[u8], i: usize) -> u8 {
    (bytes[i / 2] >> (i % 2 * 4)) & 15
}

/// For each 32 numbers four places, and a word of four times seven signs and a scale.
pub fn iq2_xxs(bytes: &[u8; 66], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let group = 2 + i / 4 * 8;
        let rest = word(bytes, group + 4);
        let scale = scale * (0.5 + (rest >> 28) as f32) * 0.25;
        let place = usize::from(bytes[group + i % 4]);
        let signs = eight_signs(rest >> (i % 4 * 7));
        signed(scale, IQ2_XXS.at(place), signs, out);
    }
}

/// For each eight numbers nine bits of place and seven signs; a scale for sixteen.
pub fn iq2_xs(bytes: &[u8; 74], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let chosen = half_word(bytes, 2 + 2 * i);
        let scale = scale * (0.5 + f32::from(nibble(&bytes[66..], i / 2))) * 0.25;
        let place = usize::from(chosen & 511);
        signed(
            scale,
            IQ2_XS.at(place),
            eight_signs(u32::from(chosen >> 9)),
            out,
        );
    }
}

/// Ten bits of place, the upper two apart; eight signs; a scale for sixteen.
pub fn iq2_s(bytes: &[u8; 82], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let upper = (bytes[66 + i / 4] >> (i % 4 * 2)) & 3;
        let place = usize::from(bytes[2 + i]) | (usize::from(upper) << 8);
        let scale = scale * (0.5 + f32::from(nibble(&bytes[74..], i / 2))) * 0.25;
        signed(scale, IQ2_S.at(place), bytes[34 + i], out);
    }
}

/// A place for each four numbers; a word of four times seven signs and a scale for 32.
pub fn iq3_xxs(bytes: &[u8; 98], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(4).enumerate() {
        let rest = word(bytes, 66 + i / 8 * 4);
        let scale = scale * (0.5 + (rest >> 28) as f32) * 0.5;
        let signs = eight_signs(rest >> (i % 8 / 2 * 7)) >> (i % 2 * 4);
        signed(scale, IQ3_XXS.at(usize::from(bytes[2 + i])), signs, out);
    }
}

/// Nine bits of place, the uppermost apart; eight signs for two places; a scale for 32 numbers.
pub fn iq3_s(bytes: &[u8; 110], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(4).enumerate() {
        let upper = (bytes[66 + i / 8] >> (i % 8)) & 1;
        let place = usize::from(bytes[2 + i]) | (usize::from(upper) << 8);
        let scale = scale * f32::from(1 + 2 * nibble(&bytes[106..], i / 8));
        let signs = bytes[74 + i / 2] >> (i % 2 * 4);
        signed(scale, IQ3_S.at(place), signs, out);
    }
}

/// What is added to numbers of -1, 0 and 1.
const SHIFT: f32 = 0.125;

fn shifted(scale: f32, place: usize, down: bool, out: &mut [f32]) {
    let shift = if down { -SHIFT } else { SHIFT };
    for (out, number) in out.iter_mut().zip(IQ1_S.at(place)) {
        *out = scale * (number + shift);
    }
}

/// Eleven bits of place, the upper three in a word for 32 numbers, with a scale and the sign of the shift.
pub fn iq1_s(bytes: &[u8; 50], out: &mut [f32; 256]) {
    let scale = half_at(bytes, 0);
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let rest = half_word(bytes, 34 + i / 4 * 2);
        let upper = (rest >> (i % 4 * 3)) & 7;
        let place = usize::from(bytes[2 + i]) | (usize::from(upper) << 8);
        let scale = scale * f32::from(2 * ((rest >> 12) & 7) + 1);
        shifted(scale, place, rest & 0x8000 != 0, out);
    }
}

/// The upper three bits of a place and the sign of its shift in four; scales of three bits for sixteen numbers, and the scale
/// of scales in what their words have left.
pub fn iq1_m(bytes: &[u8; 56], out: &mut [f32; 256]) {
    let words: [u16; 4] = std::array::from_fn(|i| half_word(bytes, 48 + 2 * i));
    let bits = (words[0] >> 12)
        | ((words[1] >> 8) & 0x00f0)
        | ((words[2] >> 4) & 0x0f00)
        | (words[3] & 0xf000);
    let scale = f16::from_bits(bits).to_f32();
    for (i, out) in out.chunks_exact_mut(8).enumerate() {
        let upper = nibble(&bytes[32..48], i);
        let place = usize::from(bytes[i]) | (usize::from(upper & 7) << 8);
        let part = (words[i / 8] >> (i / 2 % 4 * 3)) & 7;
        shifted(scale * f32::from(2 * part + 1), place, upper & 8 != 0, out);
    }
}
