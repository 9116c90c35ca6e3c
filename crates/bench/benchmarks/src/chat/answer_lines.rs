//! Answers of chat models that somebody already has: JSON lines with the item, the unit and what was said, as
//! `epicene items` and a run's log write them, or as plain as `{"id": …, "unit": …, "text": …}`.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Answer, ChatAnswer, Finish, InputError, Item, ModelKind, TextFile, Unit};
use serde::Deserialize;
use serde_json::Value;

use crate::{AnswerFile, AnswerSheet, Ask, Card};

/// A man, a woman, neither.
const OPTIONS: usize = 3;

#[derive(Deserialize)]
struct AnswerLine {
    #[serde(alias = "item")]
    id: Value,
    unit: Unit,
    system: Option<String>,
    text: Option<Value>,
    #[serde(alias = "observation", alias = "output", alias = "response")]
    answer: Option<Value>,
    finish: Option<Finish>,
    options: Option<Vec<Option<f64>>>,
    reasoning: Option<String>,
    model: Option<String>,
}

/// The sheets of all files. `asks` are the units that the command's options ask.
pub fn sheets(
    card: &Card,
    files: &[AnswerFile],
    items: &[Item],
    asks: &[Ask],
) -> Result<Vec<AnswerSheet>, InputError> {
    let (files, _) = AnswerFile::of_models(files, card)?;
    let places: BTreeMap<&str, usize> = items
        .iter()
        .enumerate()
        .map(|(place, item)| (item.id.as_str(), place))
        .collect();
    let units: BTreeSet<&Unit> = asks.iter().map(|ask| &ask.unit).collect();
    let mut sheets: Vec<AnswerSheet> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let mut systems: BTreeMap<String, BTreeMap<Unit, Vec<Option<Answer>>>> = BTreeMap::new();
        let mut served: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (line, text) in (1..).zip(file.text.lines()) {
            if text.trim().is_empty() {
                continue;
            }
            let bad = |message: String| InputError::new(&file.path, message).at_line(line);
            let read: AnswerLine = serde_json::from_str(text)
                .map_err(|error| bad(format!("this is no answer of a chat model ({error})")))?;
            let place = place(&read.id, &places, items.len()).map_err(bad)?;
            if !units.contains(&read.unit) {
                let known: Vec<&str> = units.iter().take(6).map(|unit| unit.as_str()).collect();
                let message = format!("the unit `{}` is not one that is asked", read.unit);
                return Err(bad(message).with_hint(format!(
                    "with these options units are {} …; --orders, --temperature, --repeat and --frames decide which",
                    known.join(", ")
                )));
            }
            let name = read.system.clone().unwrap_or_else(|| stem(file));
            let unit = read.unit.clone();
            let answer = answer(read).map_err(bad)?;
            if !answer.is_finite() {
                return Err(bad(
                    "an option's log-probability is above 0 or no number".to_owned()
                ));
            }
            if let Answer::Chat(chat) = &answer {
                check(chat, served.entry(name.clone()).or_default()).map_err(bad)?;
            }
            let answers = systems.entry(name).or_default().entry(unit.clone());
            let answers = answers.or_insert_with(|| vec![None; items.len()]);
            if answers[place].replace(answer).is_some() {
                let id = &items[place].id;
                return Err(bad(format!("{id} has two answers in the unit `{unit}`")));
            }
        }
        for (system, units) in systems {
            let mut whole = Vec::new();
            for (unit, answers) in units {
                let missing = answers.iter().position(Option::is_none);
                if let Some(missing) = missing {
                    let count = answers.iter().filter(|answer| answer.is_none()).count();
                    let message = format!(
                        "{system} has no answer to {} in the unit `{unit}` ({count} are missing)",
                        items[missing].id
                    );
                    return Err(InputError::new(&file.path, message).with_hint(
                        "a unit has an answer to every item; --limit N asks the first N alone",
                    ));
                }
                whole.push((unit, answers.into_iter().flatten().collect()));
            }
            sheets.push(AnswerSheet {
                files: vec![number],
                kind: ModelKind::Chat,
                system,
                units: whole,
            });
        }
    }
    Ok(sheets)
}

fn place(id: &Value, places: &BTreeMap<&str, usize>, items: usize) -> Result<usize, String> {
    let unknown = || format!("there is no item {id} in the data");
    match id {
        Value::String(id) => places.get(id.as_str()).copied().ok_or_else(unknown),
        // The line of the item, from 1, as a run's log counts.
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| usize::try_from(number).ok()?.checked_sub(1))
            .filter(|place| *place < items)
            .ok_or_else(unknown),
        _ => Err("`id` is the item's id, or its line counted from 1".to_owned()),
    }
}

fn answer(line: AnswerLine) -> Result<Answer, String> {
    // Of the lines of `epicene items`, `text` is the item's own.
    let said = match (line.answer, line.text) {
        (Some(Value::Object(answer)), _) => {
            let read = serde_json::from_value(Value::Object(answer));
            return read.map_err(|error| format!("the answer cannot be read ({error})"));
        }
        (Some(Value::String(said)), _) | (None, Some(Value::String(said))) => said,
        (Some(Value::Null), _) | (None, Some(Value::Null)) => return Ok(Answer::Missing),
        (None, None) => return Err("the line has neither `text` nor `answer`".to_owned()),
        _ => return Err("the answer is neither a text nor an object".to_owned()),
    };
    Ok(Answer::Chat(Box::new(ChatAnswer {
        options: line.options,
        reasoning: line.reasoning,
        model: line.model,
        ..ChatAnswer::new(said, line.finish.unwrap_or(Finish::Other))
    })))
}

/// An answer by the model that answered before, with the probabilities of all options or none.
fn check(answer: &ChatAnswer, served: &mut Option<String>) -> Result<(), String> {
    if let Some(model) = &answer.model {
        let before = served.get_or_insert_with(|| model.clone());
        if before != model {
            return Err(format!(
                "`{model}` answered this, and `{before}` what stands above: a line names its system ({{\"system\": …}}) where there are two"
            ));
        }
    }
    match &answer.options {
        Some(options) if options.len() != OPTIONS => Err(format!(
            "`options` has {} log-probabilities of {OPTIONS} options",
            options.len()
        )),
        _ => Ok(()),
    }
}

/// The file's name up to its first dot.
fn stem(file: &TextFile) -> String {
    file.name.split('.').next().unwrap_or(&file.name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_models_and_half_of_the_options_are_refused() {
        let by = |model: &str, options: Option<Vec<Option<f64>>>| ChatAnswer {
            model: Some(model.to_owned()),
            options,
            ..ChatAnswer::new("A".to_owned(), Finish::Stop)
        };
        let mut served = None;
        let whole = Some(vec![Some(-1.0), None, Some(-2.0)]);
        assert_eq!(check(&by("a", None), &mut served), Ok(()));
        assert_eq!(check(&by("a", whole), &mut served), Ok(()));
        let error = check(&by("b", None), &mut served).unwrap_err();
        assert!(error.starts_with("`b` answered this, and `a`"), "{error}");
        let error = check(&by("a", Some(vec![Some(-1.0), None])), &mut served).unwrap_err();
        assert!(error.contains("2 log-probabilities of 3"), "{error}");
    }
}
