//! The unit of measurement: one way of asking one system. `template:3`, `lang:sk`, `pairs`, `prompt:2+order:ba`.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Language;

const LANGUAGE: &str = "lang";

/// A name that benchmarks make. It is part of the log's keys and of every row; what is *done* in a unit is decided by
/// its scorer, and only the benchmark that made it takes it apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(Box<str>);

impl Unit {
    /// A unit without parts: `pairs`.
    pub fn named(name: &str) -> Unit {
        Unit(name.into())
    }

    /// `Unit::of("template", 3)` is `template:3`.
    pub fn of(kind: &str, value: impl fmt::Display) -> Unit {
        Unit(format!("{kind}:{value}").into())
    }

    /// The unit of translations into a language, named by its code where a table has only that.
    pub fn into_language(language: impl fmt::Display) -> Unit {
        Unit::of(LANGUAGE, language)
    }

    /// The code in a unit that is a language: `sk` of `lang:sk`. The code may be nobody's.
    pub fn language_code(unit: &str) -> Option<&str> {
        unit.strip_prefix(LANGUAGE)?.strip_prefix(':')
    }

    /// This unit with a further part: `prompt:2+order:ba`.
    pub fn and(&self, kind: &str, value: impl fmt::Display) -> Unit {
        Unit(format!("{self}+{kind}:{value}").into())
    }

    /// The value of a part.
    pub fn get(&self, kind: &str) -> Option<&str> {
        let mut parts = self.0.split('+');
        parts.find_map(|part| part.strip_prefix(kind)?.strip_prefix(':'))
    }

    /// The language that is translated into, or that a question is asked in.
    pub fn language(&self) -> Option<Language> {
        Language::find(self.get(LANGUAGE)?)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Units are looked up by their name.
impl Borrow<str> for Unit {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Rows name their unit, and are looked up by that name.
impl PartialEq<str> for Unit {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Unit {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl std::ops::Deref for Unit {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unit, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.is_empty() || name.chars().any(char::is_control) {
            Err(serde::de::Error::custom(format!("{name:?} is no unit")))
        } else {
            Ok(Unit(name.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_print_as_the_log_has_them() {
        let slovak = Language::find("sk").unwrap();
        assert_eq!(Unit::of("template", 3).as_str(), "template:3");
        assert_eq!(Unit::into_language(slovak).to_string(), "lang:sk");
        assert_eq!(Unit::into_language(slovak).language(), Some(slovak));
        let both = Unit::of("prompt", 2).and("order", "ba");
        assert_eq!(both.as_str(), "prompt:2+order:ba");
        assert_eq!(both.get("order"), Some("ba"));
        assert_eq!(both.get("ord"), None);
        assert_eq!(Unit::named("pairs").get("pairs"), None);
    }

    #[test]
    fn a_unit_from_outside_is_a_plain_name() {
        assert!(serde_json::from_str::<Unit>("\"lang:sk\"").is_ok());
        assert!(serde_json::from_str::<Unit>("\"\"").is_err());
        assert!(serde_json::from_str::<Unit>("\"a\\nb\"").is_err());
    }
}
