//! Packs the models, so that the program carries a sixth less of them. Weights are 16-bit floats: their high bytes (sign,
//! exponent) take few values and are Huffman-coded, their low bytes are noise and stay as they are. Nothing is lost, and the
//! files in `models/` stay what everybody else's tools read.

use std::path::Path;
use std::{env, fs, io};

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output,
    create_comp_flags_from_zip_params,
};

const MODELS: [&str; 2] = ["mlm", "clm"];
const FILES: [&str; 6] = [
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "model-00001-of-00002.safetensors",
    "model-00002-of-00002.safetensors",
];

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let (models, out) = (Path::new(&root).join("../../models"), Path::new(&out));
    println!("cargo::rerun-if-changed=build.rs");
    let mut list = String::from("[\n");
    for model in MODELS {
        list += &format!("({model:?}, LazyLock::new(|| unpack(&[\n");
        for name in FILES {
            let path = models.join(model).join(name);
            println!("cargo::rerun-if-changed={}", path.display());
            list += &format!("({name:?}, &[");
            for (number, stream) in streams(name, &fs::read(&path)?)?.iter().enumerate() {
                let place = out.join(format!("{model}-{name}.{number}"));
                fs::write(&place, stream)?;
                list += &format!("include_bytes!({place:?}), ");
            }
            list += "]),\n";
        }
        list += "]))),\n";
    }
    fs::write(out.join("models.rs"), list + "]\n")
}

/// A text is one stream; weights are two, of their low and of their high bytes.
fn streams(name: &str, bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
    if !name.ends_with(".safetensors") {
        return Ok(vec![deflate(bytes, 9, CompressionStrategy::Default)?]);
    }
    if !bytes.len().is_multiple_of(2) {
        return Err(io::Error::other(format!("{name}: not of 16-bit numbers")));
    }
    let (low, high): (Vec<u8>, Vec<u8>) = bytes.chunks_exact(2).map(|two| (two[0], two[1])).unzip();
    Ok(vec![
        deflate(&low, 0, CompressionStrategy::Default)?,
        deflate(&high, 9, CompressionStrategy::HuffmanOnly)?,
    ])
}

/// A zlib stream, which ends with a checksum.
fn deflate(bytes: &[u8], level: i32, strategy: CompressionStrategy) -> io::Result<Vec<u8>> {
    let flags = create_comp_flags_from_zip_params(level, 15, strategy as i32);
    let mut packed = Vec::new();
    let (status, _) = compress_to_output(
        &mut CompressorOxide::new(flags),
        bytes,
        TDEFLFlush::Finish,
        |part| {
            packed.extend_from_slice(part);
            true
        },
    );
    match status {
        TDEFLStatus::Done => Ok(packed),
        other => Err(io::Error::other(format!("deflate ended with {other:?}"))),
    }
}
