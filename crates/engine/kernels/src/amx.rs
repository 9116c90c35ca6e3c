//! AMX: products of tiles of 16 rows, added up in tile registers (Intel, since 2023).
//!
//! Written as assembly, for the instructions have no stable names in Rust yet. A process asks Linux for the tile registers
//! once; where it says no, AVX-512 computes.
#![allow(unsafe_code)]

use std::arch::asm;
use std::sync::OnceLock;

use crate::narrow_kernel::{CacheLine, LINE};

/// Whether this process may use tiles of bf16 and of bytes.
pub fn permitted() -> bool {
    static PERMITTED: OnceLock<bool> = OnceLock::new();
    *PERMITTED.get_or_init(|| {
        // Leaf 7: bf16, tiles, bytes.
        const NEEDED: u32 = 1 << 22 | 1 << 24 | 1 << 25;
        let leaves = std::arch::x86_64::__cpuid(0).eax;
        leaves >= 7
            && std::arch::x86_64::__cpuid_count(7, 0).edx & NEEDED == NEEDED
            && is_x86_feature_detected!("avx512f")
            && ask_for_tiles()
    })
}

/// `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`.
fn ask_for_tiles() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    const XTILEDATA: u64 = 18;
    let answer: i64;
    // SAFETY: the call reads its two numbers and touches no memory of ours.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => answer,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XTILEDATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    answer == 0
}

/// Eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start: u8,
    reserved: [u8; 14],
    bytes: [u16; 16],
    rows: [u8; 16],
}

const SHAPES: Shapes = {
    let (mut bytes, mut rows) = ([0; 16], [0; 16]);
    let mut tile = 0;
    while tile < 8 {
        bytes[tile] = 64;
        rows[tile] = 16;
        tile += 1;
    }
    Shapes {
        palette: 1,
        start: 0,
        reserved: [0; 14],
        bytes,
        rows,
    }
};

/// The loop over tiles: two of rows by two of columns, at the end one by two.
macro_rules! panel {
    ($name:ident, $multiply:literal) => {
        /// SAFETY: callers hand in what `NarrowKernel::run` says, `rows` a multiple of 16, and `permitted` has said yes.
        pub unsafe fn $name(
            lines: usize,
            left: *const CacheLine,
            stride: usize,
            rows: usize,
            panel: *const CacheLine,
            sums: *mut CacheLine,
        ) {
            const TILE: usize = 16;
            let stride_bytes = stride * size_of::<CacheLine>();
            // SAFETY: as the function's contract says. No other code uses the tile registers, and they are released.
            unsafe {
                asm!("ldtilecfg [{}]", in(reg) &SHAPES, options(nostack, readonly));
                let mut first = 0;
                while first < rows {
                    let upper = left.add(first * stride);
                    let out = sums.add(2 * first);
                    if lines == 0 {
                        out.write_bytes(0, 2 * TILE);
                        first += TILE;
                    } else if rows - first >= 2 * TILE {
                        asm!(
                            "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3",
                            "2:",
                            "tileloadd tmm6, [{panel} + {step}]",
                            "tileloadd tmm4, [{upper} + {stride}]",
                            "tileloadd tmm7, [{panel} + {step} + 64]",
                            "tileloadd tmm5, [{lower} + {stride}]",
                            concat!($multiply, " tmm0, tmm4, tmm6"),
                            concat!($multiply, " tmm1, tmm4, tmm7"),
                            concat!($multiply, " tmm2, tmm5, tmm6"),
                            concat!($multiply, " tmm3, tmm5, tmm7"),
                            "add {upper}, 64", "add {lower}, 64", "add {panel}, 2048",
                            "dec {lines}",
                            "jnz 2b",
                            "tilestored [{out} + {step}], tmm0",
                            "tilestored [{out} + {step} + 64], tmm1",
                            "tilestored [{below} + {step}], tmm2",
                            "tilestored [{below} + {step} + 64], tmm3",
                            upper = inout(reg) upper => _,
                            lower = inout(reg) upper.add(TILE * stride) => _,
                            panel = inout(reg) panel => _,
                            lines = inout(reg) lines => _,
                            stride = in(reg) stride_bytes,
                            step = in(reg) 2 * size_of::<CacheLine>(),
                            out = in(reg) out,
                            below = in(reg) out.add(2 * TILE),
                            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                            options(nostack),
                        );
                        first += 2 * TILE;
                    } else {
                        asm!(
                            "tilezero tmm0", "tilezero tmm1",
                            "2:",
                            "tileloadd tmm6, [{panel} + {step}]",
                            "tileloadd tmm4, [{upper} + {stride}]",
                            "tileloadd tmm7, [{panel} + {step} + 64]",
                            concat!($multiply, " tmm0, tmm4, tmm6"),
                            concat!($multiply, " tmm1, tmm4, tmm7"),
                            "add {upper}, 64", "add {panel}, 2048",
                            "dec {lines}",
                            "jnz 2b",
                            "tilestored [{out} + {step}], tmm0",
                            "tilestored [{out} + {step} + 64], tmm1",
                            upper = inout(reg) upper => _,
                            panel = inout(reg) panel => _,
                            lines = inout(reg) lines => _,
                            stride = in(reg) stride_bytes,
                            step = in(reg) 2 * size_of::<CacheLine>(),
                            out = in(reg) out,
                            out("tmm0") _, out("tmm1") _, out("tmm4") _, out("tmm6") _,
                            out("tmm7") _,
                            options(nostack),
                        );
                        first += TILE;
                    }
                }
                asm!("tilerelease", options(nostack, nomem));
            }
        }
    };
}

panel!(bf16_panel, "tdpbf16ps");
panel!(int8_panel, "tdpbusd");

const _: () = assert!(LINE == 16 && size_of::<Shapes>() == 64);
