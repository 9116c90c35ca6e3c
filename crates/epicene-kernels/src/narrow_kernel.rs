//! The innermost loops of products below f32: pairs of bf16 or quadruples of bytes, added up in four bytes.
//!
//! Both are the same loop over four-byte steps, written once for each kind of instruction: plain code, AVX-512's dot
//! products, AMX's tiles. Each element of the result is one chain over the whole depth, so that a row comes out the same in
//! any company. Sums of bytes are exact and the same everywhere.
#![allow(unsafe_code)]

use std::sync::OnceLock;

/// Four-byte steps of a cache line, and columns of half a panel.
pub const LINE: usize = 16;
/// Columns of a panel: two lines for each step.
pub const COLUMNS: usize = 2 * LINE;
/// Left rows are padded to a multiple of this, whatever the kernel's tile.
pub const ROWS: usize = 48;

/// One cache line of a packed matrix: sixteen steps of a row, or a step of sixteen columns.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct CacheLine(pub [u32; LINE]);

// SAFETY: sixteen numbers, as long as their alignment: no padding, and every pattern of bits is one.
unsafe impl bytemuck::Zeroable for CacheLine {}
// SAFETY: likewise.
unsafe impl bytemuck::Pod for CacheLine {}

impl CacheLine {
    pub const ZERO: CacheLine = CacheLine([0; LINE]);
}

/// What is multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Narrow {
    /// Both sides rounded to sixteen bits, summed in f32.
    Bf16,
    /// Weights in eight bits with a scale for each output, activations with a scale and a zero for each row.
    Int8,
}

impl Narrow {
    pub fn name(self) -> &'static str {
        match self {
            Narrow::Bf16 => "bf16",
            Narrow::Int8 => "int8",
        }
    }

    /// Numbers in one step.
    pub fn in_step(self) -> usize {
        match self {
            Narrow::Bf16 => 2,
            Narrow::Int8 => 4,
        }
    }
}

/// (lines of a row, left, lines from row to row, rows, panel, sums)
type Panel = unsafe fn(usize, *const CacheLine, usize, usize, *const CacheLine, *mut CacheLine);

/// A kernel that multiplies rows with a panel.
#[derive(Debug)]
pub struct NarrowKernel {
    pub name: &'static str,
    /// Rows it takes at once.
    rows: usize,
    panel: Panel,
}

impl NarrowKernel {
    /// The fastest of this machine.
    pub fn best(narrow: Narrow) -> &'static NarrowKernel {
        static BEST: OnceLock<[NarrowKernel; 2]> = OnceLock::new();
        let best = BEST.get_or_init(|| {
            [Narrow::Bf16, Narrow::Int8].map(|narrow| {
                let kernels = NarrowKernel::supported(narrow);
                kernels
                    .into_iter()
                    .next()
                    .expect("plain code runs everywhere")
            })
        });
        &best[narrow as usize]
    }

    /// Every kernel this machine can run, the fastest first.
    pub fn supported(narrow: Narrow) -> Vec<NarrowKernel> {
        let mut kernels = Vec::new();
        let mut add = |name, rows, panel| kernels.push(NarrowKernel { name, rows, panel });
        #[cfg(target_arch = "x86_64")]
        {
            #[cfg(target_os = "linux")]
            if crate::amx::permitted() {
                match narrow {
                    Narrow::Bf16 => add("amx-bf16", 16, crate::amx::bf16_panel),
                    Narrow::Int8 => add("amx-int8", 16, crate::amx::int8_panel),
                }
            }
            match narrow {
                Narrow::Bf16 if is_x86_feature_detected!("avx512bf16") => {
                    add("avx512-bf16", 12, avx512_bf16);
                }
                Narrow::Int8 if is_x86_feature_detected!("avx512vnni") => {
                    add("avx512-vnni", 12, avx512_int8);
                }
                _ => {}
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                match narrow {
                    Narrow::Bf16 => add("avx2", 4, avx2_bf16),
                    Narrow::Int8 => add("avx2", 4, avx2_int8),
                }
            }
        }
        match narrow {
            Narrow::Bf16 => add("portable", 4, portable_bf16),
            Narrow::Int8 => add("portable", 4, portable_int8),
        }
        kernels
    }

    /// Sums of `rows` rows of `left` with a panel, two lines for each row. A row has `lines` lines and begins `stride` lines
    /// after the one before; a panel has two lines for each step. Rows are computed up to the next multiple of the tile's.
    pub fn run(
        &self,
        lines: usize,
        left: &[CacheLine],
        stride: usize,
        rows: usize,
        panel: &[CacheLine],
        sums: &mut [CacheLine],
    ) {
        let rows = rows.next_multiple_of(self.rows);
        assert!(left.len() >= rows.saturating_sub(1) * stride + lines);
        assert!(panel.len() >= lines * LINE * 2 && sums.len() >= rows * 2);
        // SAFETY: the slices cover what the kernel reads and writes (asserted above), and a kernel is only handed out by
        // `supported` where the processor has its instructions.
        unsafe {
            (self.panel)(
                lines,
                left.as_ptr(),
                stride,
                rows,
                panel.as_ptr(),
                sums.as_mut_ptr(),
            );
        }
    }
}

/// A step of one column in plain code.
fn add_pair(sum: &mut f32, left: u32, right: u32) {
    let low = |pair: u32| f32::from_bits(pair << 16);
    let high = |pair: u32| f32::from_bits(pair & 0xffff_0000);
    *sum += low(left) * low(right);
    *sum += high(left) * high(right);
}

fn add_quadruple(sum: &mut i32, left: u32, right: u32) {
    let (left, right) = (left.to_le_bytes(), right.to_le_bytes());
    for (left, right) in left.iter().zip(right) {
        *sum += i32::from(*left) * i32::from(right as i8);
    }
}

/// The loop of plain code, for the instructions it is compiled for.
macro_rules! plain {
    ($name:ident, $sum:ty, $add:ident $(, $feature:literal)?) => {
        /// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for the instructions.
        $(#[target_feature(enable = $feature)])?
        unsafe fn $name(
            lines: usize,
            left: *const CacheLine,
            stride: usize,
            rows: usize,
            panel: *const CacheLine,
            sums: *mut CacheLine,
        ) {
            const TILE: usize = 4;
            for first in (0..rows).step_by(TILE) {
                // SAFETY: as the function's contract says; lines are plain numbers.
                unsafe {
                    let mut tile = [[<$sum>::default(); COLUMNS]; TILE];
                    for step in 0..lines * LINE {
                        let right = &*panel.add(2 * step).cast::<[u32; COLUMNS]>();
                        for (row, sums) in tile.iter_mut().enumerate() {
                            let line = &*left.add((first + row) * stride + step / LINE);
                            let left = line.0[step % LINE];
                            for (sum, right) in sums.iter_mut().zip(right) {
                                $add(sum, left, *right);
                            }
                        }
                    }
                    let out = sums.add(2 * first).cast::<[[$sum; COLUMNS]; TILE]>();
                    *out = tile;
                }
            }
        }
    };
}

plain!(portable_bf16, f32, add_pair);
plain!(portable_int8, i32, add_quadruple);
#[cfg(target_arch = "x86_64")]
plain!(avx2_bf16, f32, add_pair, "avx2");
#[cfg(target_arch = "x86_64")]
plain!(avx2_int8, i32, add_quadruple, "avx2");

/// The loop over AVX-512's dot products: twelve rows, two registers of sixteen columns.
#[cfg(target_arch = "x86_64")]
macro_rules! avx512 {
    ($name:ident, $features:literal, |$sum:ident, $left:ident, $right:ident| $dot:expr) => {
        /// SAFETY: callers hand in what `NarrowKernel::run` says, and have checked for the instructions.
        #[target_feature(enable = $features)]
        unsafe fn $name(
            lines: usize,
            left: *const CacheLine,
            stride: usize,
            rows: usize,
            panel: *const CacheLine,
            sums: *mut CacheLine,
        ) {
            use std::arch::x86_64::*;
            const TILE: usize = 12;
            for first in (0..rows).step_by(TILE) {
                // SAFETY: as the function's contract says.
                unsafe {
                    let mut tile = [[_mm512_setzero_si512(); 2]; TILE];
                    let mut steps = left.add(first * stride).cast::<i32>();
                    let mut right = panel.cast::<__m512i>();
                    for _ in 0..lines * LINE {
                        let columns = [_mm512_load_si512(right), _mm512_load_si512(right.add(1))];
                        for (row, sums) in tile.iter_mut().enumerate() {
                            let $left = _mm512_set1_epi32(*steps.add(row * stride * LINE));
                            for (sum, $right) in sums.iter_mut().zip(columns) {
                                let $sum = *sum;
                                *sum = $dot;
                            }
                        }
                        steps = steps.add(1);
                        right = right.add(2);
                    }
                    let out = sums.add(2 * first).cast::<[[__m512i; 2]; TILE]>();
                    *out = tile;
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
avx512!(avx512_bf16, "avx512f,avx512bf16", |sum, left, right| {
    let pairs = |four: __m512i| std::mem::transmute::<__m512i, __m512bh>(four);
    let sum = _mm512_castsi512_ps(sum);
    _mm512_castps_si512(_mm512_dpbf16_ps(sum, pairs(left), pairs(right)))
});
#[cfg(target_arch = "x86_64")]
avx512!(avx512_int8, "avx512f,avx512vnni", |sum, left, right| {
    _mm512_dpbusd_epi32(sum, left, right)
});

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines whose halves or bytes are small odd numbers, negative ones too.
    fn lines(narrow: Narrow, count: usize, seed: u32) -> Vec<CacheLine> {
        let value = |i: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 13) % 251;
        let step = |i: u32| match narrow {
            Narrow::Int8 => u32::from_le_bytes([0, 1, 2, 3].map(|n| value(4 * i + n) as u8)),
            Narrow::Bf16 => {
                let half = |n| half::bf16::from_f32(value(2 * i + n) as f32 / 125.0 - 1.0);
                u32::from(half(0).to_bits()) | u32::from(half(1).to_bits()) << 16
            }
        };
        let line = |l| CacheLine(std::array::from_fn(|i| step((l * LINE + i) as u32)));
        (0..count).map(line).collect()
    }

    #[test]
    fn every_kernel_gives_the_plain_sum_of_every_row_and_column() {
        let (depth, stride, rows) = (5, 7, 29);
        for narrow in [Narrow::Bf16, Narrow::Int8] {
            let left = lines(narrow, ROWS * stride, 3);
            let panel = lines(narrow, depth * LINE * 2, 9);
            for kernel in NarrowKernel::supported(narrow) {
                let mut sums = vec![CacheLine([7; LINE]); ROWS * 2 + 2];
                kernel.run(depth, &left, stride, rows, &panel, &mut sums);
                for row in 0..rows {
                    for column in 0..COLUMNS {
                        let (mut bytes, mut floats) = (0i64, 0f64);
                        for step in 0..depth * LINE {
                            let a = left[row * stride + step / LINE].0[step % LINE];
                            let b = panel[2 * step + column / LINE].0[column % LINE];
                            for place in 0..4 {
                                let b = b.to_le_bytes()[place] as i8;
                                bytes += i64::from(a.to_le_bytes()[place]) * i64::from(b);
                            }
                            for shift in [0, 16] {
                                let value = |x: u32| f64::from(f32::from_bits(x >> shift << 16));
                                floats += value(a) * value(b);
                            }
                        }
                        let found = sums[2 * row + column / LINE].0[column % LINE];
                        let what = format!("{} {row} {column}", kernel.name);
                        match narrow {
                            Narrow::Int8 => assert_eq!(i64::from(found as i32), bytes, "{what}"),
                            Narrow::Bf16 => {
                                let found = f64::from(f32::from_bits(found));
                                assert!((found - floats).abs() < 1e-4, "{what}: {found} {floats}");
                            }
                        }
                    }
                }
                assert_eq!(sums[ROWS * 2].0, [7; LINE], "{} wrote beside", kernel.name);
            }
        }
    }
}
