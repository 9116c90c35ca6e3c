//! Packs the defaults of configurations: they are a tenth of their size when packed.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use lzma_rust2::{XzOptions, XzWriter};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/config_defaults.json");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(6))?;
    packed.write_all(&fs::read("src/config_defaults.json")?)?;
    fs::write(
        Path::new(&out).join("config_defaults.json.xz"),
        packed.finish()?,
    )
}
