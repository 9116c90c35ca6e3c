//! The two small English models that come with the program, as files in memory. The repository holds them rounded
//! and packed (`packed/`, written by `tools/pack_models.rs`); a model is unpacked when it is first asked for.
//!
//! How they were trained, on what, and what they measure at: `models/README.md`.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;
use half::f16;

/// A model's files: name and contents.
pub type Files = &'static [(&'static str, &'static [u8])];

/// Names and packed files, e.g. `mlm` for `demo:mlm`.
static EMBEDDED: [(&str, &[Packed]); 2] = include!("../packed/models.rs");

/// The models that were asked for, unpacked.
static UNPACKED: [OnceLock<Files>; 2] = [const { OnceLock::new() }; 2];

/// A packed file: bytes as they are and steps of weights, each a zlib stream.
struct Packed {
    name: &'static str,
    parts: &'static [Part],
    plain: &'static [u8],
    steps: &'static [u8],
}

#[cfg_attr(test, derive(Debug))]
enum Part {
    /// So many bytes as they are.
    Exact(usize),
    /// A matrix of 16-bit floats: in the plain stream a step for each row, then a bit for each weight; in the other the rest of
    /// each weight's number of steps.
    Rounded { rows: usize, columns: usize },
}

pub fn find(name: &str) -> Option<Files> {
    let index = EMBEDDED.iter().position(|(known, _)| *known == name)?;
    Some(UNPACKED[index].get_or_init(|| unpack(EMBEDDED[index].1)))
}

/// They live as long as the program, as the streams do.
fn unpack(packed: &[Packed]) -> Files {
    let mut files = Vec::new();
    for packed in packed {
        let file: &'static [u8] = unpack_file(packed).leak();
        files.push((packed.name, file));
    }
    files.leak()
}

fn unpack_file(packed: &Packed) -> Vec<u8> {
    let (plain, steps) = (inflate(packed.plain), inflate(packed.steps));
    let (mut plain, mut steps) = (&plain[..], &steps[..]);
    let mut file = Vec::with_capacity(plain.len() + 2 * steps.len());
    for part in packed.parts {
        match *part {
            Part::Exact(bytes) => file.extend_from_slice(take(&mut plain, bytes)),
            Part::Rounded { rows, columns } => {
                let step_of_row = take(&mut plain, rows * 4);
                let bits = take(&mut plain, (rows * columns).div_ceil(8));
                let rest = take(&mut steps, rows * columns);
                for (place, high) in rest.iter().enumerate() {
                    let row = place / columns * 4;
                    let step: [u8; 4] = step_of_row[row..row + 4].try_into().expect("four bytes");
                    let bit = bits[place / 8] >> (place % 8) & 1;
                    let steps = i32::from(*high) * 2 + i32::from(bit) - 256;
                    let weight = f16::from_f32(steps as f32 * f32::from_le_bytes(step));
                    file.extend_from_slice(&weight.to_le_bytes());
                }
            }
        }
    }
    file
}

fn take<'a>(stream: &mut &'a [u8], bytes: usize) -> &'a [u8] {
    stream
        .split_off(..bytes)
        .expect("as much was packed as its parts say")
}

fn inflate(stream: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(stream)
        .read_to_end(&mut bytes)
        .expect("it was packed with its checksum, and no program is run whose file is damaged");
    bytes
}

#[cfg(test)]
#[path = "../../../../tools/pack_models.rs"]
#[allow(dead_code, reason = "the example writes, the test compares")]
mod pack_models;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use half::f16;

    /// Texts and vectors are the repository's byte for byte; a weight of a matrix is off by half a step of its row at most, which
    /// is a 190th of the row's largest weight, and by its rounding to sixteen bits.
    #[test]
    fn every_file_unpacks_to_that_of_the_repository_or_half_a_step_beside_it() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
        for (model, _) in &super::EMBEDDED {
            let embedded = super::find(model).expect("it is embedded");
            assert_eq!(embedded.len(), 6);
            for (name, bytes) in embedded {
                let stored = fs::read(models.join(model).join(name)).expect("it was packed");
                assert_eq!(stored.len(), bytes.len(), "{model}/{name}");
                if !name.ends_with(".safetensors") {
                    assert!(stored == *bytes, "{model}/{name}");
                    continue;
                }
                let header = 8 + stored[0] as usize + 256 * stored[1] as usize;
                assert!(stored[..header] == bytes[..header], "{model}/{name}");
                let tensors: serde_json::Value =
                    serde_json::from_slice(&stored[8..header]).expect("a header");
                for (tensor, facts) in tensors.as_object().expect("of names") {
                    let Some(shape) = facts["shape"].as_array() else {
                        continue;
                    };
                    let place = |at: usize| {
                        let offset = facts["data_offsets"][at].as_u64().expect("a number");
                        header + usize::try_from(offset).expect("it fits")
                    };
                    let (ours, theirs) = (&bytes[place(0)..place(1)], &stored[place(0)..place(1)]);
                    let Some(columns) = shape.get(1).and_then(serde_json::Value::as_u64) else {
                        assert!(ours == theirs, "{model}: {tensor}");
                        continue;
                    };
                    let row_bytes = 2 * usize::try_from(columns).expect("it fits");
                    for (ours, theirs) in ours.chunks(row_bytes).zip(theirs.chunks(row_bytes)) {
                        let (ours, theirs) = (floats(ours), floats(theirs));
                        let largest = theirs.iter().fold(0.0_f32, |all, one| all.max(one.abs()));
                        for (our, their) in ours.iter().zip(&theirs) {
                            let allowed = largest / 190.0 + our.abs() / 2048.0 + 6e-8;
                            assert!((our - their).abs() <= allowed, "{model}: {tensor}");
                        }
                    }
                }
            }
        }
        assert!(super::find("other").is_none());
    }

    /// `packed/` is what the packer makes of `models/` today. Streams are compared unpacked: another version of the
    /// compressor may write other bytes.
    #[test]
    fn the_packed_files_are_those_of_the_models_in_the_repository() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
        for (model, files) in &super::EMBEDDED {
            for file in *files {
                let source = fs::read(models.join(model).join(file.name)).expect("a model's file");
                let packed = super::pack_models::pack(file.name, &source).expect("a file to pack");
                let parts = file.parts.iter();
                let parts: String = parts.map(|part| format!("Part::{part:?}, ")).collect();
                let why = "run tools/pack_models.rs";
                assert!(parts == packed.parts, "{model}/{}: {why}", file.name);
                let same = super::inflate(file.plain) == packed.plain
                    && super::inflate(file.steps) == packed.steps;
                assert!(same, "{model}/{}: {why}", file.name);
            }
        }
    }

    fn floats(bytes: &[u8]) -> Vec<f32> {
        let pairs = bytes.chunks_exact(2);
        pairs
            .map(|two| f16::from_le_bytes([two[0], two[1]]).to_f32())
            .collect()
    }

    #[test]
    fn a_damaged_stream_is_noticed() {
        let whole = include_bytes!("../packed/mlm-config.json.plain");
        let mut damaged = whole.to_vec();
        *damaged.last_mut().expect("it is not empty") ^= 1;
        assert!(super::inflate(whole).starts_with(b"{"));
        assert!(std::panic::catch_unwind(|| super::inflate(&damaged)).is_err());
    }
}
