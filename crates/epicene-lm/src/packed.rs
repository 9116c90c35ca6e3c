//! Texts as `build.rs` packed them.

use std::io::Read;

use lzma_rust2::XzReader;

/// `packed!("kernels.ptx")`: the text of that file.
macro_rules! packed {
    ($name:literal) => {
        $crate::packed::text(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".xz")))
    };
}

pub(crate) use packed;

pub(crate) fn text(packed: &[u8]) -> String {
    let mut text = String::new();
    XzReader::new(packed, false)
        .read_to_string(&mut text)
        .expect("the build wrote it with its checksum, from a text");
    text
}
