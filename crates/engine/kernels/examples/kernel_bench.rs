//! How fast products with weights are, beside the highest rate of multiply-adds that the processor reaches in registers.
//!
//!     cargo run --release -p epicene-kernels --example kernel_bench [-- ROWS OUTPUTS INPUTS]
//!
//! `EPICENE_INSTRUCTIONS=avx2` measures the kernels of an older processor. Formats alternate; the best of sixty short rounds is printed,
//! one line of JSON each, in billions of products a second.
#![allow(unsafe_code, clippy::print_stdout)]

use std::convert::Infallible;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use epicene_kernels::{
    Keeping, Matrix, Narrow, PackedMatrix, Precision, Workspace, instruction_set, times_packed,
};

const ROUNDS: usize = 60;

/// Products in one call of [`chains`].
const IN_CHAINS: f64 = 40_000.0 * 12.0 * 16.0;

/// Twelve independent chains of multiply-adds over sixteen numbers each, on the registers that f32 runs on.
fn chains() {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        macro_rules! chains {
            ($name:ident, $feature:literal, $registers:literal, $set:ident, $multiply:ident) => {
                #[target_feature(enable = $feature)]
                fn $name() {
                    let (factor, term) = ($set(black_box(0.999)), $set(black_box(1e-3)));
                    let mut sums = [$set(0.5); 12];
                    for _ in 0..40_000 * $registers {
                        for sum in &mut sums {
                            *sum = $multiply(*sum, factor, term);
                        }
                    }
                    black_box(&sums);
                }
            };
        }
        chains!(newest, "avx512f", 1, _mm512_set1_ps, _mm512_fmadd_ps);
        chains!(older, "avx2,fma", 2, _mm256_set1_ps, _mm256_fmadd_ps);
        // SAFETY: products run on these instructions.
        unsafe {
            match instruction_set(None) {
                "avx512" => newest(),
                "avx2" => older(),
                _ => {}
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .map(|size| size.parse())
        .collect::<Result<_, _>>()?;
    let shapes: Vec<[usize; 3]> = match *sizes.as_slice() {
        [rows, outputs, inputs] => vec![[rows, outputs, inputs]],
        _ => vec![
            [48, 3072, 768],
            [48, 768, 3072],
            [12, 768, 768],
            [1, 3072, 768],
        ],
    };
    let mut random = 1u64;
    // Sums of four uniform numbers: nearly normal, as weights are.
    let mut numbers = |count: usize| -> Vec<f32> {
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        (0..count)
            .map(|_| next() + next() + next() + next())
            .collect()
    };
    let keepings = [
        ("f32", Keeping::Wide(Precision::F32), None),
        ("f16 in memory", Keeping::Wide(Precision::F16), None),
        ("bf16", Keeping::rounded(Narrow::Bf16), Some(Narrow::Bf16)),
        ("int8", Keeping::rounded(Narrow::Int8), Some(Narrow::Int8)),
    ];
    for [rows, outputs, inputs] in shapes {
        let mut left = Matrix::zeros(rows, inputs);
        left.data = numbers(rows * inputs);
        let weights = numbers(outputs * inputs);
        let packed: Vec<PackedMatrix> = keepings
            .iter()
            .map(|(_, keeping, _)| {
                PackedMatrix::pack(outputs, inputs, *keeping, |first, out| {
                    out.copy_from_slice(&weights[first * inputs..first * inputs + out.len()]);
                    Ok::<(), Infallible>(())
                })
            })
            .collect::<Result<_, _>>()?;
        let mut workspace = Workspace::default();
        let mut out = vec![0.0; rows * outputs];
        let products = (rows * outputs * inputs) as f64;
        let times = (5e7 / products).ceil() as usize;
        let (mut peak, mut best) = (0f64, vec![0f64; packed.len()]);
        for _ in 0..ROUNDS {
            let started = Instant::now();
            chains();
            peak = peak.max(IN_CHAINS / started.elapsed().as_secs_f64());
            for (packed, best) in packed.iter().zip(&mut best) {
                let started = Instant::now();
                for _ in 0..times {
                    times_packed(
                        &mut workspace,
                        left.view(),
                        packed,
                        &mut out,
                        outputs,
                        &|_, _| {},
                    );
                }
                let rate = products * times as f64 / started.elapsed().as_secs_f64();
                *best = best.max(rate);
            }
        }
        for ((name, _, narrow), rate) in keepings.iter().zip(&best) {
            println!(
                "{{\"rows\": {rows}, \"outputs\": {outputs}, \"inputs\": {inputs}, \"dtype\": \"{name}\", \
                 \"instructions\": \"{}\", \"billions_a_second\": {:.1}, \"of_f32\": {:.2}, \"of_peak\": {:.2}}}",
                instruction_set(*narrow),
                rate / 1e9,
                rate / best[0],
                rate / peak,
            );
        }
    }
    Ok(())
}
