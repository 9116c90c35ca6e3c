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

/// A printed number.
pub fn number(cell: &Value) -> f64 {
    cell.as_f64()
        .expect("the embedded tables have a number in this cell")
}

/// The same of a table in which a paper leaves cells empty (`null`).
pub fn number_or_empty(table: &Value, name: &str) -> Option<f64> {
    let cell = table.get(name).expect("the embedded tables have this cell");
    (!cell.is_null()).then(|| number(cell))
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

    /// What a paper leaves empty is known; what a table lacks is a broken table.
    #[test]
    fn empty_cells_are_known_and_lacking_ones_stop() {
        let systems = published_tables("winomt");
        let empty = |metric: &str| {
            let systems = listed(&systems["systems"]).iter();
            systems
                .filter(|system| number_or_empty(system, metric).is_none())
                .count()
        };
        assert_eq!(
            (empty("acc"), empty("delta_g"), empty("delta_s")),
            (0, 0, 6)
        );
        let lacking = std::panic::catch_unwind(|| empty("delta_x"));
        assert!(lacking.is_err());
        let word = serde_json::json!("0.5");
        assert!(std::panic::catch_unwind(|| number(&word)).is_err());
    }
}
