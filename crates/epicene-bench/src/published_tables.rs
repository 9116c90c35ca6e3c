//! The numbers that papers printed, file by file as they are embedded: what `list published` shows and `reproduce` compares with.

use std::io::Read;

use flate2::read::ZlibDecoder;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A file of `data/published`, as `build.rs` packed it.
macro_rules! file {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".json.z")),
        )
    };
}

const FILES: [(&str, &[u8]); 7] = [
    file!("gest_english"),
    file!("gest_mt"),
    file!("gest_slavic"),
    file!("mbe"),
    file!("unambiguous"),
    file!("wibemt"),
    file!("winomt"),
];

/// An embedded file of printed numbers.
pub fn published_tables(name: &str) -> Value {
    read(name)
}

pub(crate) fn read<T: DeserializeOwned>(name: &str) -> T {
    let (_, packed) = FILES
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap_or_else(|| unreachable!("no file of published numbers is called {name}"));
    let mut text = String::new();
    ZlibDecoder::new(packed)
        .read_to_string(&mut text)
        .expect("the build wrote it with its checksum, from a text");
    serde_json::from_str(&text).expect("the embedded tables can be read")
}

/// The cells of a list of printed numbers.
pub fn listed(cells: &Value) -> &[Value] {
    cells
        .as_array()
        .expect("the embedded tables have this list")
}

/// The named parts of a table of printed numbers.
pub fn named(parts: &Value) -> &serde_json::Map<String, Value> {
    parts
        .as_object()
        .expect("the embedded tables have these names")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        for (name, _) in FILES {
            assert!(published_tables(name).is_object(), "{name}");
        }
    }
}
