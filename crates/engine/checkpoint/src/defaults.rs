//! What `transformers` takes for the fields a file leaves out, in its fourth and in its fifth generation. The table is
//! made from its configuration classes by `tools/reference/config_defaults.py`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::packed::unpack_text;

/// The generation of `transformers` that wrote a file. Where the two read one file differently, a file is read as
/// the one that wrote it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// 4 and before, also where a file does not say.
    Four,
    Five,
}

impl Writer {
    /// From `transformers_version`.
    pub fn of(version: Option<&str>) -> Writer {
        let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
        match major {
            Some(5..) => Writer::Five,
            _ => Writer::Four,
        }
    }

    /// As it stands in cards.
    pub fn name(self) -> &'static str {
        match self {
            Writer::Four => "transformers-4",
            Writer::Five => "transformers-5",
        }
    }

    pub fn other(self) -> Writer {
        match self {
            Writer::Four => Writer::Five,
            Writer::Five => Writer::Four,
        }
    }

    fn table(self) -> &'static Table {
        match self {
            Writer::Four => &TABLES.four,
            Writer::Five => &TABLES.five,
        }
    }
}

/// Whether both generations have defaults for a model type, so that a file may leave fields out.
pub fn has_defaults(model_type: &str) -> bool {
    Class::of(model_type, Writer::Four).is_some() && TABLES.five.models.contains_key(model_type)
}

/// A configuration class in the generation that wrote a file.
#[derive(Debug, Clone, Copy)]
pub struct Class {
    pub writer: Writer,
    model_type: &'static str,
}

impl Class {
    /// None for a model type the table does not have.
    pub fn of(model_type: &str, writer: Writer) -> Option<Class> {
        let found = |table: &'static Table| table.models.get_key_value(model_type);
        if let Some((model_type, _)) = found(&TABLES.four) {
            return Some(Class { writer, model_type });
        }
        // Older files of newer models were written by their authors' own code.
        let (model_type, _) = found(&TABLES.five)?;
        Some(Class {
            writer: Writer::Five,
            model_type,
        })
    }

    fn default_of(self, writer: Writer, field: &str) -> Option<&'static Value> {
        let table = writer.table();
        let own = table.models.get(self.model_type)?.fields.get(field);
        own.or_else(|| table.base.get(field))
    }

    /// What an absent field means.
    pub fn default(self, field: &str) -> Option<&'static Value> {
        self.default_of(self.writer, field)
    }

    /// Whether a value is the default: of this generation, or of the other where this one does not know the field.
    pub fn is_default(self, field: &str, value: &Value) -> bool {
        let known = self.default(field);
        match known.or_else(|| self.default_of(self.writer.other(), field)) {
            Some(default) => same(default, value),
            None => value.is_null(),
        }
    }

    /// The name a field goes by, where this is another name of it.
    pub fn alias(self, field: &str) -> Option<&'static str> {
        let aliases = &self.writer.table().models.get(self.model_type)?.aliases;
        aliases.get(field).map(String::as_str)
    }
}

/// The default of a setting of `generate`, by the fourth generation: the fifth's are the same, worked out later.
pub fn of_generation(field: &str) -> Option<&'static Value> {
    TABLES.four.generation.get(field)
}

/// Whether two values mean the same: 10000 is 10000.0.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, l)| right.get(key).is_some_and(|r| same(l, r)))
        }
        _ => left == right,
    }
}

#[derive(Debug, Deserialize)]
struct Model {
    fields: Map<String, Value>,
    aliases: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Table {
    base: Map<String, Value>,
    generation: Map<String, Value>,
    models: BTreeMap<String, Model>,
}

#[derive(Debug, Deserialize)]
struct Tables {
    #[serde(rename = "4")]
    four: Table,
    #[serde(rename = "5")]
    five: Table,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    serde_json::from_str(&unpack_text(include_bytes!(concat!(
        env!("OUT_DIR"),
        "/config_defaults.json.xz"
    ))))
    .expect("the table is part of the program")
});

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_writer_is_told_by_the_version() {
        for (version, writer) in [
            (None, Writer::Four),
            (Some("3.0.2"), Writer::Four),
            (Some("4.57.6"), Writer::Four),
            (Some("5.0.0.dev0"), Writer::Five),
            (Some("5.22.2"), Writer::Five),
            (Some("x"), Writer::Four),
        ] {
            assert_eq!(Writer::of(version), writer, "{version:?}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_generation() {
        let four = Class::of("mt5", Writer::Four).unwrap();
        let five = Class::of("mt5", Writer::Five).unwrap();
        assert_eq!(four.default("tie_word_embeddings"), Some(&json!(false)));
        assert_eq!(five.default("tie_word_embeddings"), Some(&json!(true)));
        // A field only the other generation has.
        assert!(five.is_default("torchscript", &json!(false)));
        assert!(!five.is_default("torchscript", &json!(true)));
        assert!(five.is_default("nonsense", &json!(null)));
        assert!(!five.is_default("nonsense", &json!(false)));
        let gemma = Class::of("gemma2", Writer::Four).unwrap();
        assert!(gemma.is_default("rope_theta", &json!(10000)));
        assert_eq!(gemma.alias("hidden_size"), None);
        let gpt2 = Class::of("gpt2", Writer::Four).unwrap();
        assert_eq!(gpt2.alias("hidden_size"), Some("n_embd"));
    }
}
