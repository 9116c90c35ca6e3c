//! Packs the GPU's kernels and the defaults of configurations: their texts are a tenth of their size when packed, and most
//! programs never read them.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use lzma_rust2::{XzOptions, XzWriter};

const PACKED: [(&str, &str); 2] = [
    ("src/cuda", "kernels.ptx"),
    ("src/checkpoint", "config_defaults.json"),
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (folder, name) in PACKED {
        let path = Path::new(folder).join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(6))?;
        packed.write_all(&fs::read(path)?)?;
        fs::write(Path::new(&out).join(format!("{name}.xz")), packed.finish()?)?;
    }
    Ok(())
}
