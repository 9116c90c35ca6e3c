//! What a run recorded of its options, under the names they had then, so that old runs stay readable.

use std::collections::BTreeMap;

use super::{ESTIMATE, INTERVAL, OptionError, Spec, Values};
use crate::Card;

/// Options that had another name when they were recorded: benchmark, key, name now. The command line still takes the names of
/// [`ALIASES`].
const RENAMED: [(&str, &str, &str); 6] = [
    ("eurogest", "nouns", "noun-frames"),
    ("gate", "as_published", "csv-quoting"),
    ("gest", "mode", "detector"),
    ("unambiguous", "judge", "detector"),
    ("wibemt", "judge", "detector"),
    ("winomt", "judge", "detector"),
];

/// Values that had another name: option, value before, value now.
const RENAMED_VALUES: [(&str, &str, &str); 2] = [
    ("detector", "default", "epicene"),
    ("detector", "strict", "epicene"),
];

/// Old names of options that commands still take.
pub const ALIASES: [(&str, &str); 2] = [("mode", "detector"), ("judge", "detector")];

/// A value of an option as it is called now.
pub fn value_now<'v>(option: &str, value: &'v str) -> &'v str {
    let renamed = RENAMED_VALUES
        .iter()
        .find(|(of, before, _)| (*of, *before) == (option, value));
    renamed.map_or(value, |(_, _, now)| *now)
}

/// Old names of a value.
pub fn values_before(option: &str, value: &str) -> impl Iterator<Item = &'static str> {
    let renamed = RENAMED_VALUES.iter();
    let renamed = renamed.filter(move |(of, _, now)| (*of, *now) == (option, value));
    renamed.map(|(_, before, _)| *before)
}

/// What a run recorded of an option, under the key it has or had.
pub fn recorded_value<'r>(
    card: &Card,
    spec: &Spec,
    recorded: &'r BTreeMap<String, String>,
) -> Option<&'r str> {
    let before = RENAMED
        .iter()
        .find(|(of, _, name)| (*of, *name) == (card.name, spec.name));
    let value = recorded.get(&spec.key());
    let value = value
        .or_else(|| recorded.get(before?.1))
        .map(String::as_str);
    // Runs from before the option made their numbers the way they made their intervals.
    if value.is_none() && spec.name == ESTIMATE.spec.name {
        let interval = recorded.get(&INTERVAL.spec.key())?;
        return (interval != "clustered").then_some("published");
    }
    match (value, spec.values) {
        // 0.1.0 recorded GEST's interval for everybody.
        (Some("limit" | "resampled"), Values::OneOf(known))
            if spec.name == INTERVAL.spec.name && !known.contains(&"limit") =>
        {
            Some("published")
        }
        _ => value.map(|value| value_now(spec.name, value)),
    }
}

/// Whether a benchmark has, or had, an option of this key.
pub fn is_recorded_by(card: &Card, key: &str) -> bool {
    card.specs().any(|spec| spec.key() == key)
        || RENAMED
            .iter()
            .any(|(of, before, _)| (*of, *before) == (card.name, key))
}

/// Whether the asking itself drew by the seed: a sample of the data, answers at a temperature, or orders in turn.
pub fn drew_when_asking(card: &Card, recorded: &BTreeMap<String, String>) -> bool {
    let drawn = |spec: &&Spec| ["sample", "temperature", "orders"].contains(&spec.name);
    let mut specs = card.specs().filter(drawn);
    specs.any(|spec| {
        let value = recorded_value(card, spec, recorded);
        value.is_some() && value != spec.default
    })
}

pub fn asked_already(spec: &Spec, recorded: Option<&str>) -> OptionError {
    let how = match recorded.or(spec.default) {
        Some(value) if spec.values != Values::Switch => format!("with {value}"),
        Some(_) => "with it".to_owned(),
        None => "without it".to_owned(),
    };
    OptionError {
        message: format!(
            "--{} is chosen before the asking, and this run was asked {how}",
            spec.name
        ),
        hint: Some("run the benchmark again to ask otherwise".to_owned()),
    }
}
