//! JSON with its keys in the order of writing, as Python's `json` prints it: reference exporters are Python, and checksums
//! cover bytes.

use std::io;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::ser::{Formatter, PrettyFormatter};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Whole(u64),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

/// `object! { "key": value, … }`
macro_rules! object {
    ($($key:literal: $value:expr),* $(,)?) => {
        Json::Map(vec![$(($key.to_owned(), Json::from($value))),*])
    };
}
pub(crate) use object;

impl Json {
    pub fn map<K: Into<String>, V: Into<Json>>(entries: impl IntoIterator<Item = (K, V)>) -> Json {
        let entries = entries.into_iter();
        Json::Map(
            entries
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
        )
    }

    /// Adds a field to an object.
    pub fn push(&mut self, key: &str, value: impl Into<Json>) {
        if let Json::Map(entries) = self {
            entries.push((key.to_owned(), value.into()));
        }
    }

    /// In lines, two blanks for every level.
    pub fn pretty(&self) -> String {
        self.printed(PrettyFormatter::new())
    }

    /// In one line, with a blank after commas and colons.
    pub fn line(&self) -> String {
        self.printed(OneLine)
    }

    /// In one line without blanks, and with ASCII alone.
    pub fn ascii(&self) -> String {
        let plain = self.printed(serde_json::ser::CompactFormatter);
        let mut out = String::with_capacity(plain.len());
        for c in plain.chars() {
            if c.is_ascii() {
                out.push(c);
            } else {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out += &format!("\\u{unit:04x}");
                }
            }
        }
        out
    }

    fn printed(&self, formatter: impl Formatter) -> String {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        self.serialize(&mut serializer)
            .expect("memory takes every byte, and keys are texts");
        String::from_utf8(bytes).expect("JSON is UTF-8")
    }
}

/// Python's separators.
struct OneLine;

impl Formatter for OneLine {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Whole(value) => serializer.serialize_u64(*value),
            Json::Number(value) => serializer.serialize_f64(*value),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(value)?;
                }
                list.end()
            }
            Json::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Whole(value)
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Json {
        Json::Whole(value as u64)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Json {
        Json::Number(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

/// Keys in alphabetical order.
impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Json {
        use serde_json::Value;
        match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => match number.as_u64() {
                Some(whole) => Json::Whole(whole),
                None => number.as_f64().map_or(Json::Null, Json::Number),
            },
            Value::String(text) => Json::Text(text.clone()),
            Value::Array(values) => Json::List(values.iter().map(Json::from).collect()),
            Value::Object(fields) => Json::map(
                fields
                    .iter()
                    .map(|(key, value)| (key.as_str(), Json::from(value))),
            ),
        }
    }
}

/// A number as Python's `repr` writes it.
pub(crate) fn repr(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            format!("{digits}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Python's `repr` and `json.dumps`.
    #[test]
    fn numbers_and_texts_are_written_as_python_writes_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (50.0, "50.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.00005, "5e-05"),
            (-1.25e-7, "-1.25e-07"),
            (1e16, "1e+16"),
            (123_456_789.0, "123456789.0"),
        ] {
            assert_eq!(repr(value), text);
        }
        let json =
            object! { "raw": "é😀\"", "list": vec![1u64, 2], "none": Json::Null, "half": 0.5 };
        assert_eq!(
            json.line(),
            "{\"raw\": \"é😀\\\"\", \"list\": [1, 2], \"none\": null, \"half\": 0.5}"
        );
        assert_eq!(
            json.ascii(),
            "{\"raw\":\"\\u00e9\\ud83d\\ude00\\\"\",\"list\":[1,2],\"none\":null,\"half\":0.5}"
        );
    }
}
