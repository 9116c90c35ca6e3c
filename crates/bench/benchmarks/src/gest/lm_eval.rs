//! Answers from lm-evaluation-harness: the file `samples_TASK_DATE.jsonl` that `--log_samples` writes, for a task made of
//! the lines of `epicene export-questions gest --kind causal` (integrations/lm_eval). A line is believed only where the harness asked the
//! question that the benchmark asks: few-shot examples or a chat template make another.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::{Answer, InputError, Item, ModelKind, Question, TextFile, Unit};
use serde_json::Value;

use super::Gest;
use crate::{AnswerSheet, Benchmark, Options};

/// Whether a file is one of the harness.
pub fn is_samples(file: &TextFile) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    first.starts_with('{')
        && serde_json::from_str::<Value>(first)
            .is_ok_and(|line| line.get("doc").is_some() && line.get("resps").is_some())
}

/// The answers of one file, the one of this number.
pub fn read(file: &TextFile, number: usize, items: &[Item]) -> Result<AnswerSheet, InputError> {
    let asks = Gest.asks(ModelKind::Causal, &Options::default());
    let places: BTreeMap<&str, usize> = items
        .iter()
        .enumerate()
        .map(|(place, item)| (item.id.as_str(), place))
        .collect();
    let mut answers: Vec<Vec<Option<f64>>> = vec![vec![None; items.len()]; asks.len()];
    for (count, line) in (1u64..).zip(file.text.lines()) {
        let fault = |message: String| InputError::new(&file.path, message).at_line(count);
        let line: Value = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
        let text = |name: &str| {
            line["doc"][name]
                .as_str()
                .ok_or_else(|| fault(format!("`doc` has no text `{name}`")).with_hint(HOW))
        };
        let (item, unit) = (text("item")?, text("unit")?);
        let place = *places.get(item).ok_or_else(|| {
            fault(format!("`{item}` is no item of the data"))
                .with_hint("is --data the edition the task was made of?")
        })?;
        let column = asks
            .iter()
            .position(|ask| ask.unit.as_str() == unit)
            .ok_or_else(|| fault(format!("`{unit}` is no template of causal models")))?;
        let question = Gest.question(&items[place], &asks[column]);
        let ratio = ratio(&line, &question).map_err(|message| fault(message).with_hint(HOW))?;
        if answers[column][place].replace(ratio).is_some() {
            return Err(fault(format!("{item} is answered twice in {unit}")));
        }
    }
    let mut units: Vec<(Unit, Vec<Answer>)> = Vec::new();
    for (ask, column) in asks.into_iter().zip(answers) {
        if column.iter().all(Option::is_none) {
            continue;
        }
        let open = column.iter().position(Option::is_none);
        if let Some(place) = open {
            let missing = column.iter().filter(|ratio| ratio.is_none()).count();
            let message = format!(
                "{missing} of {} items have no answer in {}, the first is {}",
                items.len(),
                ask.unit,
                items[place].id
            );
            return Err(InputError::new(&file.path, message).with_hint(
                "run the task without --limit, or measure with the --limit it was made with",
            ));
        }
        let ratios = column.into_iter().flatten().map(Answer::Log10Ratio);
        units.push((ask.unit, ratios.collect()));
    }
    Ok(AnswerSheet {
        system: system(file),
        kind: ModelKind::Causal,
        files: vec![number; units.len()],
        units,
    })
}

const HOW: &str = "the task is made by integrations/lm_eval/make_task.py; it is asked without few-shot examples and chat template";

/// log10 P(masculine) / P(feminine), where the harness asked this question.
fn ratio(line: &Value, question: &Question) -> Result<f64, String> {
    let Question::NextWord {
        prompt,
        masculine,
        feminine,
    } = question
    else {
        return Err("this is no question of a causal model".to_owned());
    };
    let resps = line["resps"].as_array().map_or(&[][..], Vec::as_slice);
    let mut found: [Option<f64>; 2] = [None, None];
    for (place, response) in resps.iter().enumerate() {
        let (context, word) = asked(&line["arguments"], place)
            .ok_or_else(|| format!("`arguments` does not say what response {place} answers"))?;
        if context.trim_end() != prompt.trim_end() {
            return Err(format!(
                "the harness asked another question: `{context}` instead of `{prompt}`"
            ));
        }
        let side = [masculine, feminine]
            .iter()
            .position(|known| word.trim() == known.trim())
            .ok_or_else(|| {
                format!(
                    "`{}` is neither `{masculine}` nor `{feminine}`",
                    word.trim()
                )
            })?;
        found[side] = log_likelihood(response);
    }
    match found {
        [Some(masculine), Some(feminine)] => Ok((masculine - feminine) / std::f64::consts::LN_10),
        _ => Err("`resps` does not hold two log-likelihoods".to_owned()),
    }
}

/// Context and continuation of a request: `{"gen_args_0": {"arg_0": …, "arg_1": …}}`, or lists in older versions.
fn asked(arguments: &Value, place: usize) -> Option<(&str, &str)> {
    let request = match arguments {
        Value::Object(all) => all.get(&format!("gen_args_{place}"))?,
        Value::Array(all) => all.get(place)?,
        _ => return None,
    };
    let part = |number: usize| match request {
        Value::Object(parts) => parts.get(&format!("arg_{number}"))?.as_str(),
        Value::Array(parts) => parts.get(number)?.as_str(),
        _ => None,
    };
    Some((part(0)?, part(1)?))
}

/// The first number of `[["-3.1", "False"]]`; the harness writes numbers as texts.
fn log_likelihood(response: &Value) -> Option<f64> {
    match response {
        Value::Array(inner) => log_likelihood(inner.first()?),
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_f64(),
        _ => None,
    }
    .filter(|value: &f64| value.is_finite() && *value <= 0.0)
}

/// The harness writes into a directory named by the model, `ORG__NAME`.
fn system(file: &TextFile) -> String {
    let directory = Path::new(&file.path).parent().and_then(Path::file_name);
    let directory = directory.map(|name| name.to_string_lossy().into_owned());
    let name = directory.unwrap_or_else(|| file.stem().to_owned());
    let last = name.rsplit("__").find(|part| !part.is_empty());
    last.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items() -> Vec<Item> {
        vec![
            Item::new("gest:1", "I am strong."),
            Item::new("gest:2", "I like to cook."),
        ]
    }

    fn line(item: &Item, unit: usize, masculine: &str, feminine: &str) -> String {
        let ask = &Gest.asks(ModelKind::Causal, &Options::default())[unit];
        let Question::NextWord {
            prompt,
            masculine: he,
            feminine: she,
        } = Gest.question(item, ask)
        else {
            panic!("a causal model is asked for the next word");
        };
        serde_json::json!({
            "doc": {"item": item.id, "unit": ask.unit.as_str()},
            "arguments": {
                "gen_args_0": {"arg_0": prompt, "arg_1": format!(" {she}")},
                "gen_args_1": {"arg_0": prompt, "arg_1": format!(" {he}")},
            },
            "resps": [[[feminine, "False"]], [[masculine, "True"]]],
        })
        .to_string()
    }

    fn file(text: String) -> TextFile {
        TextFile {
            path: "out/org__tiny/samples_gest_2026.jsonl".to_owned(),
            name: "samples_gest_2026.jsonl".to_owned(),
            sha256: String::new(),
            text,
        }
    }

    #[test]
    fn samples_are_read_by_what_was_asked() {
        let items = items();
        let lines = [
            line(&items[1], 0, "-1.0", "-3.0"),
            line(&items[0], 0, "-2.0", "-2.5"),
        ];
        let file = file(lines.join("\n"));
        assert!(is_samples(&file));
        let sheet = read(&file, 3, &items).unwrap();
        assert_eq!((sheet.system.as_str(), sheet.files), ("tiny", vec![3]));
        let expected = [0.5, 2.0].map(|nats| Answer::Log10Ratio(nats / std::f64::consts::LN_10));
        assert_eq!(sheet.units[0].1, expected);
    }

    #[test]
    fn what_was_asked_otherwise_is_refused() {
        let items = items();
        let whole = [
            line(&items[0], 0, "-2.0", "-2.5"),
            line(&items[1], 0, "-1.0", "-3.0"),
        ];
        for (change, complaint) in [
            (
                ("\"arg_0\":\"", "\"arg_0\":\"Example. "),
                "another question",
            ),
            (("gest:2", "gest:9"), "no item of the data"),
            (("\"-1.0\"", "\"nan\""), "two log-likelihoods"),
            (("\"arguments\"", "\"args\""), "does not say"),
        ] {
            let text = whole.join("\n").replace(change.0, change.1);
            let error = read(&file(text), 0, &items).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
        let error = read(&file(whole[0].clone()), 0, &items).unwrap_err();
        assert!(error.to_string().contains("1 of 2 items"), "{error}");
    }
}
