//! What a run recorded of its options, under the names they had then, so that old runs stay readable.

use std::collections::BTreeMap;

use super::{ESTIMATE, INTERVAL, OptionError, Spec, Values};
use crate::Card;

/// Options that had another name when they were recorded: benchmark, key, name now.
const RENAMED: [(&str, &str, &str); 2] = [
    ("eurogest", "nouns", "noun-frames"),
    ("gate", "as_published", "csv-quoting"),
];

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
        _ => value,
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

pub(super) fn asked_already(spec: &Spec, recorded: Option<&str>) -> OptionError {
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
