//! Packs the models for the program, so that it carries half of them: `cargo run --release -p epicene-models --example pack_models`
//! writes `crates/base/models/packed` from `models/`. Every matrix of 16-bit floats is rounded to whole steps, a step for each
//! of its rows, and the steps are Huffman-coded. `demo:` models are what is unpacked; other tools read `models/`
//! (docs/decisions.md says how far the two are apart).

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use half::f16;
use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output,
    create_comp_flags_from_zip_params,
};
use serde::Deserialize;

const MODELS: [&str; 2] = ["mlm", "clm"];
const FILES: [&str; 6] = [
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "model-00001-of-00002.safetensors",
    "model-00002-of-00002.safetensors",
];

/// Steps from zero to a row's largest weight. Rows of words are compared with each other one by one (`he` with `she`), so their
/// noise does not average out: they get twice the steps.
const STEPS: i32 = 95;
const STEPS_OF_WORDS: i32 = 191;

/// A tensor as the header of a safetensors file names it.
#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// What becomes of a file: the parts it is unpacked from, in its order, and their streams.
#[derive(Default)]
pub struct Packed {
    /// As Rust source: `Part::Exact(bytes)` or `Part::Rounded { rows, columns }`.
    pub parts: String,
    /// Bytes as they are, and for each rounded matrix the steps of its rows, then the last bits of its weights, eight to a byte.
    pub plain: Vec<u8>,
    /// A byte for each rounded weight: its number of steps without the last bit.
    pub steps: Vec<u8>,
}

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (models, out) = (root.join("../../models"), root.join("packed"));
    fs::create_dir_all(&out)?;
    let mut list = String::from("// Written by tools/pack_models.rs.\n[\n");
    for model in MODELS {
        list += &format!("    ({model:?}, &[\n");
        for name in FILES {
            let path = models.join(model).join(name);
            let packed = pack(name, &fs::read(&path)?)
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            let plain = format!("{model}-{name}.plain");
            let bytes = deflate(&packed.plain, CompressionStrategy::Default)?;
            fs::write(out.join(&plain), bytes)?;
            let steps = format!("{model}-{name}.steps");
            let bytes = deflate(&packed.steps, CompressionStrategy::HuffmanOnly)?;
            fs::write(out.join(&steps), bytes)?;
            list += &format!(
                "        Packed {{ name: {name:?}, parts: &[{}], plain: include_bytes!({plain:?}), steps: include_bytes!({steps:?}) }},\n",
                packed.parts
            );
        }
        list += "    ]),\n";
    }
    fs::write(out.join("models.rs"), list + "]\n")
}

pub fn pack(name: &str, bytes: &[u8]) -> io::Result<Packed> {
    let mut packed = Packed::default();
    if !name.ends_with(".safetensors") {
        packed.exact(bytes);
        return Ok(packed);
    }
    let (length, rest) = bytes
        .split_first_chunk::<8>()
        .ok_or_else(|| io::Error::other("too short"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(io::Error::other)?;
    let (header, data) = rest.split_at(length);
    packed.exact(&bytes[..8 + length]);
    let mut named: BTreeMap<String, serde_json::Value> = serde_json::from_slice(header)?;
    named.remove("__metadata__");
    let mut tensors = Vec::new();
    for (name, tensor) in named {
        tensors.push((serde_json::from_value::<Tensor>(tensor)?, name));
    }
    tensors.sort_by_key(|(tensor, _)| tensor.data_offsets);
    let mut place = 0;
    for (tensor, name) in tensors {
        let (from, to) = tensor.data_offsets;
        if tensor.dtype != "F16" || from != place {
            return Err(io::Error::other(format!(
                "{name}: not 16-bit floats in their order"
            )));
        }
        place = to;
        match tensor.shape[..] {
            [rows, columns] => {
                let words = name.ends_with("word_embeddings.weight")
                    || name.ends_with("embed_tokens.weight");
                packed.rounded(
                    &data[from..to],
                    rows,
                    columns,
                    if words { STEPS_OF_WORDS } else { STEPS },
                );
            }
            _ => packed.exact(&data[from..to]),
        }
    }
    if place != data.len() {
        return Err(io::Error::other("bytes after the last tensor"));
    }
    Ok(packed)
}

impl Packed {
    fn exact(&mut self, bytes: &[u8]) {
        self.parts += &format!("Part::Exact({}), ", bytes.len());
        self.plain.extend_from_slice(bytes);
    }

    fn rounded(&mut self, bytes: &[u8], rows: usize, columns: usize, most: i32) {
        self.parts += &format!("Part::Rounded {{ rows: {rows}, columns: {columns} }}, ");
        let weights: Vec<f32> = bytes
            .chunks_exact(2)
            .map(|two| f16::from_le_bytes([two[0], two[1]]).to_f32())
            .collect();
        let mut last_bits = Vec::with_capacity(weights.len());
        for row in weights.chunks_exact(columns) {
            let largest = row
                .iter()
                .fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
            // A row of zeros has any step.
            let step = if largest > 0.0 {
                largest / most as f32
            } else {
                1.0
            };
            self.plain.extend_from_slice(&step.to_le_bytes());
            for weight in row {
                // 256 is zero; `most` is below 256.
                let steps = ((weight / step).round() as i32 + 256) as u16;
                self.steps.push((steps >> 1) as u8);
                last_bits.push((steps & 1) as u8);
            }
        }
        for eight in last_bits.chunks(8) {
            let byte = eight.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
            self.plain.push(byte);
        }
    }
}

/// A zlib stream, which ends with a checksum.
fn deflate(bytes: &[u8], strategy: CompressionStrategy) -> io::Result<Vec<u8>> {
    let flags = create_comp_flags_from_zip_params(9, 15, strategy as i32);
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
