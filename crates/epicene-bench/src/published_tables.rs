//! The numbers that papers printed, file by file as they are embedded: what `list published` shows and `reproduce` compares with.

use serde_json::Value;

const FILES: [(&str, &str); 7] = [
    (
        "gest_english",
        include_str!("../data/published/gest_english.json"),
    ),
    ("gest_mt", include_str!("../data/published/gest_mt.json")),
    (
        "gest_slavic",
        include_str!("../data/published/gest_slavic.json"),
    ),
    ("mbe", include_str!("../data/published/mbe.json")),
    (
        "unambiguous",
        include_str!("../data/published/unambiguous.json"),
    ),
    ("wibemt", include_str!("../data/published/wibemt.json")),
    ("winomt", include_str!("../data/published/winomt.json")),
];

/// An embedded file of printed numbers.
pub fn published_tables(name: &str) -> Value {
    let (_, text) = FILES
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap_or_else(|| unreachable!("no file of published numbers is called {name}"));
    serde_json::from_str(text).expect("the embedded tables can be read")
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
