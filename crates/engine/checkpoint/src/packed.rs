//! Texts that a build script packed.

use std::io::Read;

use lzma_rust2::XzReader;

/// Unpacks a text that a build script packed with xz: kernels and tables are a tenth of their size when packed.
pub fn unpack_text(packed: &[u8]) -> String {
    let mut text = String::new();
    XzReader::new(packed, false)
        .read_to_string(&mut text)
        .expect("the build wrote it with its checksum, from a text");
    text
}
