//! The two small English models that come with the program, as files in memory. They are a crate of
//! their own so that a build packs the weights once (`build.rs`); a model is unpacked when it is first asked for.
//!
//! How they were trained, on what, and what they measure at: `models/README.md`.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;

/// A model's files: name and contents.
pub type Files = &'static [(&'static str, &'static [u8])];

/// Names and files, e.g. `mlm` for `demo:mlm`.
static EMBEDDED: [(&str, LazyLock<Files>); 2] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

pub fn find(name: &str) -> Option<Files> {
    EMBEDDED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, files)| **files)
}

/// Files from what `build.rs` made of each: one stream, or one of its even and one of its odd bytes. They live as long as the
/// program, as the streams do.
fn unpack(packed: &[(&'static str, &[&[u8]])]) -> Files {
    let mut files = Vec::new();
    for (name, streams) in packed {
        let mut parts = streams.iter().map(|stream| inflate(stream));
        let first = parts.next().unwrap_or_default();
        let file = match parts.next() {
            None => first,
            Some(odd) => first
                .into_iter()
                .zip(odd)
                .flat_map(<[u8; 2]>::from)
                .collect(),
        };
        let file: &'static [u8] = file.leak();
        files.push((*name, file));
    }
    files.leak()
}

fn inflate(stream: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(stream).read_to_end(&mut bytes).expect(
        "the build wrote it with its checksum, and no program is run whose file is damaged",
    );
    bytes
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_unpacks_to_the_bytes_in_the_repository() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        for model in ["mlm", "clm"] {
            let files = super::find(model).expect("both are there");
            assert_eq!(files.len(), 6);
            for (name, bytes) in files {
                let stored = fs::read(models.join(model).join(name)).expect("it was packed");
                assert!(stored == *bytes, "{model}/{name}");
            }
        }
        assert!(super::find("other").is_none());
    }

    #[test]
    fn a_damaged_stream_is_noticed() {
        let whole = include_bytes!(concat!(env!("OUT_DIR"), "/mlm-config.json.0"));
        let mut damaged = whole.to_vec();
        *damaged.last_mut().expect("it is not empty") ^= 1;
        assert!(super::inflate(whole).starts_with(b"{"));
        assert!(std::panic::catch_unwind(|| super::inflate(&damaged)).is_err());
    }
}
