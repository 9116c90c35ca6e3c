//! Packs the printed numbers of papers, `data/published/NAME.json`: few commands read them, and every program carries them.

use std::path::Path;
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec_zlib;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=data/published");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    for entry in fs::read_dir("data/published")? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|name| name.ends_with(".json")) {
            let packed = Path::new(&out).join(format!("{name}.z"));
            fs::write(packed, compress_to_vec_zlib(&fs::read(&path)?, 9))?;
        }
    }
    Ok(())
}
