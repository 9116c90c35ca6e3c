//! A signature in the manner of sacrebleu: two numbers with the same signature are comparable.

use std::fmt;

/// Ordered `name:value` pairs, printed as `gest|data:gest-1.0@f0e1…|…|epicene:0.1.0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    benchmark: String,
    fields: Vec<(&'static str, String)>,
}

impl Signature {
    pub fn new(benchmark: &str) -> Signature {
        Signature {
            benchmark: clean(benchmark),
            fields: Vec::new(),
        }
    }

    /// Adds a field. Separators inside the value are replaced, so that a signature can be split
    /// on `|` whatever a model is called.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Signature {
        self.fields.push((name, clean(&value.to_string())));
        self
    }

    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(field, _)| *field == name)
            .map(|(_, value)| value.as_str())
    }
}

fn clean(value: &str) -> String {
    value
        .chars()
        .map(|c| {
            if c == '|' || c.is_control() || c.is_whitespace() {
                '_'
            } else {
                c
            }
        })
        .collect()
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.benchmark)?;
        for (name, value) in &self.fields {
            write!(f, "|{name}:{value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_values_cannot_forge_a_field() {
        let signature = Signature::new("gest")
            .with("system", "a|seed:9 b")
            .with("seed", 1);
        assert_eq!(signature.to_string(), "gest|system:a_seed:9_b|seed:1");
        assert_eq!(signature.field("seed"), Some("1"));
    }
}
