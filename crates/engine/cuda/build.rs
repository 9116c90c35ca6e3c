//! Packs the GPU's kernels: they are a tenth of their size when packed, and most programs never read them.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use lzma_rust2::{XzOptions, XzWriter};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/kernels.ptx");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(6))?;
    packed.write_all(&fs::read("src/kernels.ptx")?)?;
    fs::write(Path::new(&out).join("kernels.ptx.xz"), packed.finish()?)
}
