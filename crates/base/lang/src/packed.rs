//! Word lists as `build.rs` packed them: most programs read one or two languages of them.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// A file of `data/`.
#[derive(Clone, Copy)]
pub(crate) struct Packed(pub(crate) &'static [u8]);

/// `packed!("sk/words.txt")`: that file of `data/`.
macro_rules! packed {
    ($name:literal) => {
        $crate::packed::Packed(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".z")))
    };
}

impl Packed {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        ZlibDecoder::new(self.0)
            .read_to_string(&mut text)
            .expect("the build wrote it with its checksum, from a text");
        text
    }
}
