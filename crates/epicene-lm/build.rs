//! Packs the GPU's kernels: their text is a fifth of its size when deflated, and most programs never read it.

use std::path::Path;
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec_zlib;

const KERNELS: &str = "src/cuda/kernels.ptx";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={KERNELS}");
    println!("cargo::rerun-if-changed=build.rs");
    let packed = compress_to_vec_zlib(&fs::read(KERNELS)?, 9);
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("kernels.ptx.z"), packed)
}
