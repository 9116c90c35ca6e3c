//! The innermost loop of every matrix product: a tile of the result held in registers.
//!
//! Each element of the result is one chain of multiply-adds over the depth, whatever tile, row or
//! batch it falls into. That is what makes a score independent of what else was asked.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use half::{bf16, f16};

use crate::processor::{Level, allows};

/// (depth, left, right, out, stride of out, accumulate, rows that are wanted)
type Tile = unsafe fn(usize, *const f32, *const u8, *mut f32, usize, bool, usize);

/// A part of a panel, as it is kept.
#[derive(Debug, Clone, Copy)]
pub enum Right<'a> {
    F32(&'a [f32]),
    F16(&'a [f16]),
    Bf16(&'a [bf16]),
}

impl Right<'_> {
    pub fn len(self) -> usize {
        match self {
            Right::F32(values) => values.len(),
            Right::F16(values) => values.len(),
            Right::Bf16(values) => values.len(),
        }
    }
}

/// The same as a parameter of loops.
#[cfg(target_arch = "x86_64")]
mod kept {
    pub const F32: u8 = 0;
    pub const F16: u8 = 1;
    pub const BF16: u8 = 2;
}

/// A micro-kernel and the tile it computes.
#[derive(Debug)]
pub struct Kernel {
    pub name: &'static str,
    /// Rows of the left operand in a tile.
    pub rows: usize,
    /// Columns of the right operand in a tile: the width of a packed panel.
    pub columns: usize,
    level: Level,
    tile: Tile,
    /// The same for panels of f16 and bf16, where they need not be widened first.
    halves: Option<[Tile; 2]>,
}

/// The largest tile of any kernel, for buffers on the stack.
pub const LARGEST_TILE: usize = 12 * 32;

static PORTABLE: Kernel = Kernel {
    name: "portable",
    rows: 4,
    columns: 16,
    level: Level::Portable,
    tile: portable,
    halves: None,
};

#[cfg(target_arch = "x86_64")]
static AVX2: Kernel = Kernel {
    name: "avx2",
    rows: 6,
    columns: 16,
    level: Level::Avx2,
    tile: avx2::<{ kept::F32 }>,
    halves: Some([avx2::<{ kept::F16 }>, avx2::<{ kept::BF16 }>]),
};

#[cfg(target_arch = "x86_64")]
static AVX512: Kernel = Kernel {
    name: "avx512",
    rows: 12,
    columns: 32,
    level: Level::Newest,
    tile: avx512::<{ kept::F32 }>,
    halves: Some([avx512::<{ kept::F16 }>, avx512::<{ kept::BF16 }>]),
};

#[cfg(target_arch = "aarch64")]
static NEON: Kernel = Kernel {
    name: "neon",
    rows: 6,
    columns: 16,
    level: Level::Avx2,
    tile: crate::neon::f32_tile,
    halves: None,
};

impl Kernel {
    /// The fastest kernel of this machine.
    pub fn best() -> &'static Kernel {
        static BEST: OnceLock<&'static Kernel> = OnceLock::new();
        BEST.get_or_init(|| {
            let mut kernels = Kernel::supported().into_iter();
            kernels
                .find(|kernel| allows(kernel.level))
                .unwrap_or(&PORTABLE)
        })
    }

    /// Every kernel this machine can run, the fastest first.
    pub fn supported() -> Vec<&'static Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                kernels.push(&AVX512);
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
            {
                kernels.push(&AVX2);
            }
        }
        #[cfg(target_arch = "aarch64")]
        kernels.push(&NEON);
        kernels.push(&PORTABLE);
        kernels
    }

    /// Whether panels of sixteen bits must be widened first.
    pub fn widens(&self) -> bool {
        self.halves.is_none()
    }

    /// `c (+)= a · b` for one tile. `a` holds `rows` values for each step of the depth, `b`
    /// `columns` values; `c` is row-major with the given stride. At least the first `height` rows
    /// are computed; what is in `c` beyond them is spoiled.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub fn run(
        &self,
        depth: usize,
        a: &[f32],
        b: Right<'_>,
        c: &mut [f32],
        stride: usize,
        accumulate: bool,
        height: usize,
    ) {
        const WIDE: &str = "a kernel without loops over sixteen bits is given wide panels";
        let (tile, right) = match b {
            Right::F32(values) => (self.tile, values.as_ptr().cast()),
            Right::F16(values) => (self.halves.expect(WIDE)[0], values.as_ptr().cast()),
            Right::Bf16(values) => (self.halves.expect(WIDE)[1], values.as_ptr().cast()),
        };
        assert!(a.len() >= depth * self.rows && b.len() >= depth * self.columns);
        assert!(c.len() >= (self.rows - 1) * stride + self.columns);
        // SAFETY: the slices cover everything the kernel reads and writes (asserted above), and a
        // kernel is only handed out by `supported` where the processor has its instructions.
        unsafe {
            tile(
                depth,
                a.as_ptr(),
                right,
                c.as_mut_ptr(),
                stride,
                accumulate,
                height,
            );
        }
    }
}

/// SAFETY: callers hand in `depth * 4` and `depth * 16` readable values and a 4 x 16 tile of `c`.
unsafe fn portable(
    depth: usize,
    a: *const f32,
    b: *const u8,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
    _height: usize,
) {
    const ROWS: usize = 4;
    const COLUMNS: usize = 16;
    // SAFETY: as the function's contract says.
    unsafe {
        let b = b.cast::<f32>();
        let mut sums = [[0f32; COLUMNS]; ROWS];
        for step in 0..depth {
            let left = std::slice::from_raw_parts(a.add(step * ROWS), ROWS);
            let right = std::slice::from_raw_parts(b.add(step * COLUMNS), COLUMNS);
            for (sums, left) in sums.iter_mut().zip(left) {
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum += left * right;
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let out = std::slice::from_raw_parts_mut(c.add(row * stride), COLUMNS);
            for (out, sum) in out.iter_mut().zip(sums) {
                *out = if accumulate { *out + sum } else { *sum };
            }
        }
    }
}

/// SAFETY: callers hand in `depth * 6` and `depth * 16` readable values and a 6 x 16 tile of `c`,
/// and have checked that the processor knows AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn avx2<const KEPT: u8>(
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
        match height {
            0..=2 => avx2_rows::<KEPT, 2>(depth, a, b, c, stride, accumulate),
            3..=4 => avx2_rows::<KEPT, 4>(depth, a, b, c, stride, accumulate),
            _ => avx2_rows::<KEPT, 6>(depth, a, b, c, stride, accumulate),
        }
    }
}

/// SAFETY: as above; the first `ROWS` of the six rows are computed.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn avx2_rows<const KEPT: u8, const ROWS: usize>(
    depth: usize,
    a: *const f32,
    b: *const u8,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
) {
    use std::arch::x86_64::{
        _mm256_add_ps, _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_setzero_ps,
        _mm256_storeu_ps,
    };
    const PACKED: usize = 6;
    // SAFETY: as the function's contract says.
    unsafe {
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        let (mut a, mut b) = (a, b);
        for _ in 0..depth {
            let (low, high) = (eight::<KEPT>(b, 0), eight::<KEPT>(b, 8));
            for (row, sums) in sums.iter_mut().enumerate() {
                let left = _mm256_broadcast_ss(&*a.add(row));
                sums[0] = _mm256_fmadd_ps(left, low, sums[0]);
                sums[1] = _mm256_fmadd_ps(left, high, sums[1]);
            }
            a = a.add(PACKED);
            b = b.add(16 * bytes::<KEPT>());
        }
        for (row, sums) in sums.iter().enumerate() {
            for (half, sum) in sums.iter().enumerate() {
                let out = c.add(row * stride + half * 8);
                let sum = if accumulate {
                    _mm256_add_ps(_mm256_loadu_ps(out), *sum)
                } else {
                    *sum
                };
                _mm256_storeu_ps(out, sum);
            }
        }
    }
}

/// SAFETY: callers hand in `depth * 12` and `depth * 32` readable values and a 12 x 32 tile of
/// `c`, and have checked that the processor knows AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512<const KEPT: u8>(
    depth: usize,
    a: *const f32,
    b: *const u8,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
    height: usize,
) {
    // SAFETY: as the function's contract says. A few rows are not worth the work of twelve.
    unsafe {
        match height {
            0..=4 => avx512_rows::<KEPT, 4>(depth, a, b, c, stride, accumulate),
            5..=8 => avx512_rows::<KEPT, 8>(depth, a, b, c, stride, accumulate),
            _ => avx512_rows::<KEPT, 12>(depth, a, b, c, stride, accumulate),
        }
    }
}

/// SAFETY: as above; the first `ROWS` of the twelve rows are computed.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512_rows<const KEPT: u8, const ROWS: usize>(
    depth: usize,
    a: *const f32,
    b: *const u8,
    c: *mut f32,
    stride: usize,
    accumulate: bool,
) {
    use std::arch::x86_64::{
        _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps,
        _mm512_storeu_ps,
    };
    const PACKED: usize = 12;
    // SAFETY: as the function's contract says.
    unsafe {
        let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
        let (mut a, mut b) = (a, b);
        for _ in 0..depth {
            let (low, high) = (sixteen::<KEPT>(b, 0), sixteen::<KEPT>(b, 16));
            for (row, sums) in sums.iter_mut().enumerate() {
                let left = _mm512_set1_ps(*a.add(row));
                sums[0] = _mm512_fmadd_ps(left, low, sums[0]);
                sums[1] = _mm512_fmadd_ps(left, high, sums[1]);
            }
            a = a.add(PACKED);
            b = b.add(32 * bytes::<KEPT>());
        }
        for (row, sums) in sums.iter().enumerate() {
            for (half, sum) in sums.iter().enumerate() {
                let out = c.add(row * stride + half * 16);
                let sum = if accumulate {
                    _mm512_add_ps(_mm512_loadu_ps(out), *sum)
                } else {
                    *sum
                };
                _mm512_storeu_ps(out, sum);
            }
        }
    }
}

/// Bytes of a number.
#[cfg(target_arch = "x86_64")]
const fn bytes<const KEPT: u8>() -> usize {
    if KEPT == kept::F32 { 4 } else { 2 }
}

/// Eight numbers from the `first` on, widened.
///
/// SAFETY: callers hand in as many.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn eight<const KEPT: u8>(numbers: *const u8, first: usize) -> std::arch::x86_64::__m256 {
    use std::arch::x86_64::{
        _mm_loadu_si128, _mm256_castsi256_ps, _mm256_cvtepu16_epi32, _mm256_cvtph_ps,
        _mm256_loadu_ps, _mm256_slli_epi32,
    };
    // SAFETY: as the function's contract says.
    unsafe {
        let at = numbers.add(first * bytes::<KEPT>());
        match KEPT {
            kept::F32 => _mm256_loadu_ps(at.cast()),
            kept::F16 => _mm256_cvtph_ps(_mm_loadu_si128(at.cast())),
            _ => {
                let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(at.cast()));
                _mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide))
            }
        }
    }
}

/// The same for sixteen.
///
/// SAFETY: callers hand in as many.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn sixteen<const KEPT: u8>(numbers: *const u8, first: usize) -> std::arch::x86_64::__m512 {
    use std::arch::x86_64::{
        _mm256_loadu_si256, _mm512_castsi512_ps, _mm512_cvtepu16_epi32, _mm512_cvtph_ps,
        _mm512_loadu_ps, _mm512_slli_epi32,
    };
    // SAFETY: as the function's contract says.
    unsafe {
        let at = numbers.add(first * bytes::<KEPT>());
        match KEPT {
            kept::F32 => _mm512_loadu_ps(at.cast()),
            kept::F16 => _mm512_cvtph_ps(_mm256_loadu_si256(at.cast())),
            _ => {
                let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(at.cast()));
                _mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_multiplies_and_accumulates() {
        for kernel in Kernel::supported() {
            let depth = 37;
            let value = |i: usize| ((i * 7919) % 101) as f32 / 50.0 - 1.0;
            let a: Vec<f32> = (0..depth * kernel.rows).map(value).collect();
            let b: Vec<f32> = (0..depth * kernel.columns).map(|i| value(i + 13)).collect();
            let stride = kernel.columns + 3;
            // Numbers of fewer bits give what their widened ones give, to the last bit.
            if !kernel.widens() {
                let f16s: Vec<f16> = b.iter().map(|x| f16::from_f32(*x)).collect();
                let bf16s: Vec<bf16> = b.iter().map(|x| bf16::from_f32(*x)).collect();
                let of_f16: Vec<f32> = f16s.iter().map(|x| x.to_f32()).collect();
                let of_bf16: Vec<f32> = bf16s.iter().map(|x| x.to_f32()).collect();
                for (kept, wide) in [(Right::F16(&f16s), of_f16), (Right::Bf16(&bf16s), of_bf16)] {
                    for height in 1..=kernel.rows {
                        let [found, exact] = [kept, Right::F32(&wide)].map(|right| {
                            let mut c = vec![0.5f32; kernel.rows * stride];
                            kernel.run(depth, &a, right, &mut c, stride, true, height);
                            c.truncate((height - 1) * stride + kernel.columns);
                            c
                        });
                        assert_eq!(found, exact, "{} {kept:?}", kernel.name);
                    }
                }
            }
            for height in 1..=kernel.rows {
                let mut c = vec![0.5f32; kernel.rows * stride];
                kernel.run(depth, &a, Right::F32(&b), &mut c, stride, true, height);
                for row in 0..height {
                    for column in 0..kernel.columns {
                        let exact: f64 = (0..depth)
                            .map(|k| {
                                f64::from(a[k * kernel.rows + row])
                                    * f64::from(b[k * kernel.columns + column])
                            })
                            .sum();
                        let found = f64::from(c[row * stride + column]) - 0.5;
                        assert!(
                            (found - exact).abs() < 1e-4,
                            "{} {row} {column}",
                            kernel.name
                        );
                    }
                    assert_eq!(
                        c[row * stride + kernel.columns],
                        0.5,
                        "wrote beside the tile"
                    );
                }
            }
        }
    }
}
