//! The innermost loops of products below f32: pairs of bf16 or quadruples of bytes, added up in four bytes.
//!
//! Both are the same loop over four-byte steps, written once for each kind of instruction: plain code, AVX2, AVX-512's dot products,
//! AMX's tiles, NEON. Each element of the result is one chain over the whole depth, so that a row comes out the same in any
//! company. Sums of bytes are exact and the same everywhere. bf16 has kernels only where the processor has instructions for it:
//! elsewhere its weights are stored in bf16 and multiplied in f32, which is faster.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use crate::processor::{Level, allows};

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

/// How a kernel wants the numbers of the left rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub enum Left {
    Bf16,
    /// 0 to 255.
    Bytes,
    /// The same less 128.
    SignedBytes,
    /// 0 to 255 in sixteen bits.
    Halves,
}

impl Left {
    /// Lines of a row, for a panel of so many.
    pub fn lines(self, depth: usize) -> usize {
        match self {
            Left::Halves => 2 * depth,
            Left::Bf16 | Left::Bytes | Left::SignedBytes => depth,
        }
    }
}

/// (lines of a panel's row, left, lines from row to row, rows, panel, sums)
type Panel = unsafe fn(usize, *const CacheLine, usize, usize, *const CacheLine, *mut CacheLine);

/// A kernel that multiplies rows with a panel.
#[derive(Debug, Clone, Copy)]
pub struct NarrowKernel {
    pub name: &'static str,
    pub left: Left,
    level: Level,
    /// Rows it takes at once.
    rows: usize,
    panel: Panel,
}

/// The kernels that products run on.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    /// For at most [`FEW`] rows.
    pub few: NarrowKernel,
    pub many: NarrowKernel,
}

/// Rows for which it is not worth while to widen a panel.
pub const FEW: usize = 6;

impl NarrowKernel {
    /// The fastest of this machine; `None` where products in f32 are faster.
    pub fn best(narrow: Narrow) -> Option<&'static Best> {
        static BEST: OnceLock<[Option<Best>; 2]> = OnceLock::new();
        let best = BEST.get_or_init(|| {
            [Narrow::Bf16, Narrow::Int8].map(|narrow| {
                let kernels = NarrowKernel::supported(narrow);
                let mut allowed = kernels.into_iter().filter(|kernel| allows(kernel.level));
                let many = allowed.next()?;
                let few = match many.left {
                    Left::Halves => allowed.next()?,
                    Left::Bf16 | Left::Bytes | Left::SignedBytes => many,
                };
                Some(Best { few, many })
            })
        });
        best[narrow as usize].as_ref()
    }

    /// Every kernel this machine can run, the fastest first.
    pub fn supported(narrow: Narrow) -> Vec<NarrowKernel> {
        let mut kernels = Vec::new();
        let mut add = |name, left, level, rows, panel| {
            kernels.push(NarrowKernel {
                name,
                left,
                level,
                rows,
                panel,
            });
        };
        match narrow {
            Narrow::Bf16 => {
                #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
                if crate::amx::permitted() {
                    add(
                        "amx-bf16",
                        Left::Bf16,
                        Level::Newest,
                        16,
                        crate::amx::bf16_panel,
                    );
                }
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx512bf16") {
                    add("avx512-bf16", Left::Bf16, Level::Newest, 12, avx512_bf16);
                }
            }
            Narrow::Int8 => {
                #[cfg(target_arch = "x86_64")]
                {
                    use crate::avx2::{int8_few, int8_many, int8_vnni};
                    #[cfg(target_os = "linux")]
                    if crate::amx::permitted() {
                        add(
                            "amx-int8",
                            Left::Bytes,
                            Level::Newest,
                            16,
                            crate::amx::int8_panel,
                        );
                    }
                    if is_x86_feature_detected!("avx512vnni") {
                        add("avx512-vnni", Left::Bytes, Level::Newest, 12, avx512_int8);
                    }
                    if is_x86_feature_detected!("avxvnni") {
                        add("avx-vnni", Left::Bytes, Level::AvxVnni, 1, int8_vnni);
                    }
                    if is_x86_feature_detected!("avx2") {
                        add("avx2", Left::Halves, Level::Avx2, 1, int8_many);
                        add("avx2-few", Left::SignedBytes, Level::Avx2, 1, int8_few);
                    }
                }
                #[cfg(target_arch = "aarch64")]
                {
                    use crate::neon::{int8_dots, int8_pairs};
                    if std::arch::is_aarch64_feature_detected!("dotprod") {
                        add("neon-dot", Left::SignedBytes, Level::Newest, 1, int8_dots);
                    }
                    add("neon", Left::SignedBytes, Level::Avx2, 1, int8_pairs);
                }
                add("portable", Left::Bytes, Level::Portable, 4, portable_int8);
            }
        }
        kernels
    }

    /// Sums of `rows` rows of `left` with a panel, two lines for each row. A row has as many lines as [`Left`] says
    /// for `lines` and begins `stride` lines after the one before; a panel has two lines for each step. Rows are computed up to the next multiple of the tile's.
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
        assert!(left.len() >= rows.saturating_sub(1) * stride + self.left.lines(lines));
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

/// The loop in plain code.
///
/// SAFETY: callers hand in what `NarrowKernel::run` says.
unsafe fn portable_int8(
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
            let mut tile = [[0; COLUMNS]; TILE];
            for step in 0..lines * LINE {
                let right = &*panel.add(2 * step).cast::<[[i8; 4]; COLUMNS]>();
                for (row, sums) in tile.iter_mut().enumerate() {
                    let line = &*left.add((first + row) * stride + step / LINE);
                    let left = line.0[step % LINE].to_le_bytes();
                    for (sum, right) in sums.iter_mut().zip(right) {
                        for (left, right) in left.iter().zip(right) {
                            *sum += i32::from(*left) * i32::from(*right);
                        }
                    }
                }
            }
            let out = sums.add(2 * first).cast::<[[i32; COLUMNS]; TILE]>();
            *out = tile;
        }
    }
}

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

    /// Left rows as a kernel wants them.
    fn in_form(of: Left, bytes: &[CacheLine], stride: usize) -> Vec<CacheLine> {
        let all: &[u8] = bytemuck::cast_slice(bytes);
        match of {
            Left::Bf16 | Left::Bytes => bytes.to_vec(),
            Left::SignedBytes => {
                let mut lines = bytes.to_vec();
                crate::rounding::centre(bytemuck::cast_slice_mut(&mut lines));
                lines
            }
            Left::Halves => {
                let mut lines = vec![CacheLine::ZERO; 2 * bytes.len()];
                for (row, halves) in all.chunks(64 * stride).zip(lines.chunks_mut(2 * stride)) {
                    crate::rounding::bytes_to_halves(row, bytemuck::cast_slice_mut(halves));
                }
                lines
            }
        }
    }

    #[test]
    fn every_kernel_gives_the_plain_sum_of_every_row_and_column() {
        for (depth, stride, rows) in [(5, 7, 29), (1, 2, 1), (9, 9, 6), (4, 5, 3), (2, 3, 47)] {
            for narrow in [Narrow::Bf16, Narrow::Int8] {
                let left = lines(narrow, ROWS * stride, 3);
                let mut panel = lines(narrow, depth * LINE * 2, 9);
                if narrow == Narrow::Int8 {
                    // Weights are symmetric: -128 does not occur.
                    for byte in bytemuck::cast_slice_mut::<_, i8>(&mut panel) {
                        *byte = (*byte).max(-127);
                    }
                }
                for kernel in NarrowKernel::supported(narrow) {
                    check(kernel, narrow, (depth, stride, rows), &left, &panel);
                }
            }
        }
    }

    /// Bytes whose products would not fit sixteen bits: 255 times 127 or -127, and 128 apart from the middle.
    #[test]
    fn the_largest_bytes_do_not_saturate() {
        for (left, right) in [(255, 127), (255, -127i8), (0, 127), (0, -127), (128, -127)] {
            let left = vec![CacheLine([u32::from_le_bytes([left; 4]); LINE]); ROWS * 5];
            let panel = vec![CacheLine([u32::from_le_bytes([right as u8; 4]); LINE]); 4 * LINE * 2];
            for kernel in NarrowKernel::supported(Narrow::Int8) {
                check(kernel, Narrow::Int8, (4, 5, 9), &left, &panel);
            }
        }
    }

    fn check(
        kernel: NarrowKernel,
        narrow: Narrow,
        (depth, stride, rows): (usize, usize, usize),
        left: &[CacheLine],
        panel: &[CacheLine],
    ) {
        let mut sums = vec![CacheLine([7; LINE]); ROWS * 2 + 2];
        let (of, given) = (kernel.left, in_form(kernel.left, left, stride));
        kernel.run(depth, &given, of.lines(stride), rows, panel, &mut sums);
        for row in 0..rows {
            for column in 0..COLUMNS {
                let (mut bytes, mut floats) = (0i64, 0f64);
                for step in 0..depth * LINE {
                    let a = left[row * stride + step / LINE].0[step % LINE];
                    let b = panel[2 * step + column / LINE].0[column % LINE];
                    for place in 0..4 {
                        let a = i64::from(a.to_le_bytes()[place]);
                        let a = if of == Left::SignedBytes { a - 128 } else { a };
                        bytes += a * i64::from(b.to_le_bytes()[place] as i8);
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
