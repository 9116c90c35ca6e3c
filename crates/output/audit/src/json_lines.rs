//! Verdicts of any judge, as JSON lines: `{"id": …, "verdict": …}` with whatever else there is.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{InputError, TextFile};
use epicene_io::digest::Sha256Digest;
use serde_json::{Map, Value};

/// Different verdicts beyond which they are no labels.
const MOST_VERDICTS: usize = 20;

/// One judged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictLine {
    /// With system and unit, where the line has them.
    pub id: String,
    pub verdict: String,
    pub source: String,
    pub text: String,
    /// Every other plain value, by its name; strata can be made of them.
    pub fields: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictLines {
    pub lines: Vec<VerdictLine>,
    /// The different verdicts, in order.
    pub verdicts: Vec<String>,
}

impl VerdictLines {
    pub fn read(file: &TextFile) -> Result<VerdictLines, InputError> {
        let mut lines = Vec::new();
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        let mut verdicts = BTreeSet::new();
        for (number, line) in (1u64..).zip(file.text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let complain = |message: String| InputError::new(&file.path, message).at_line(number);
            let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
                complain(format!("this is no JSON object: {error}")).with_hint(
                    "one object a line: {\"id\": \"1\", \"verdict\": \"m\", \"text\": \"…\"}",
                )
            })?;
            let line = VerdictLine::of(&object, number).ok_or_else(|| {
                complain("there is no verdict".to_owned())
                    .with_hint("every line needs a field verdict: a word, a number, true or false")
            })?;
            if let Some(before) = seen.insert(line.id.clone(), number) {
                return Err(
                    complain(format!("`{}` was on line {before} already", line.id))
                        .with_hint("every id needs exactly one verdict"),
                );
            }
            verdicts.insert(line.verdict.clone());
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(InputError::new(&file.path, "there are no verdicts"));
        }
        if verdicts.len() > MOST_VERDICTS {
            let message = format!("{} different verdicts are no labels", verdicts.len());
            return Err(InputError::new(&file.path, message)
                .with_hint("people choose between a few answers: m, f, u"));
        }
        Ok(VerdictLines {
            lines,
            verdicts: verdicts.into_iter().collect(),
        })
    }

    /// Changes with every id, verdict and text.
    pub fn key(&self) -> String {
        let mut digest = Sha256Digest::default();
        for line in &self.lines {
            for field in [&line.id, &line.verdict, &line.source, &line.text] {
                digest.update_field(field.as_bytes());
            }
        }
        digest.short_hex()
    }
}

impl VerdictLine {
    fn of(object: &Map<String, Value>, number: u64) -> Option<VerdictLine> {
        let plain = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(holds) => Some(holds.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        let get = |name: &str| object.get(name).and_then(plain);
        let first = |names: &[&str]| names.iter().find_map(|name| get(name));
        let verdict = get("verdict").filter(|verdict| !verdict.trim().is_empty())?;
        let id = get("id").unwrap_or_else(|| format!("line:{number}"));
        let place = ["system", "unit"].iter().filter_map(|name| get(name));
        let id = place.fold(id, |id, part| format!("{id} {part}"));
        // `epicene items` has the source as text and the answer as an observation.
        let observed = object
            .get("observation")
            .and_then(|answer| answer.get("translation"));
        let answer = observed
            .and_then(plain)
            .or_else(|| first(&["translation", "answer", "reply"]));
        let (source, text) = match answer {
            Some(answer) => (first(&["source", "text"]).unwrap_or_default(), answer),
            None => (
                get("source").unwrap_or_default(),
                get("text").unwrap_or_default(),
            ),
        };
        let mut fields: BTreeMap<String, String> = object
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), plain(value)?)))
            .collect();
        if let Some(Value::Object(labels)) = object.get("labels") {
            for (name, value) in labels {
                if let Some(value) = plain(value) {
                    fields.entry(name.clone()).or_insert(value);
                }
            }
        }
        Some(VerdictLine {
            id,
            verdict,
            source,
            text,
            fields,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<VerdictLines, InputError> {
        VerdictLines::read(&TextFile {
            path: "v.jsonl".to_owned(),
            name: "v.jsonl".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn lines_of_any_judge() {
        let lines = read("{\"id\": 1, \"verdict\": true, \"text\": \"a\"}\n\n{\"verdict\": \"m\", \"text\": \"b\"}\n").unwrap();
        assert_eq!(lines.lines[0].verdict, "true");
        assert_eq!(lines.lines[1].id, "line:3");
        assert_eq!(lines.verdicts, ["m", "true"]);
        let items = read("{\"id\":\"a\",\"text\":\"I was.\",\"system\":\"s\",\"unit\":\"u\",\"labels\":{\"stereotype\":\"7\"},\
            \"observation\":{\"translation\":\"Bol som.\"},\"verdict\":\"m\"}").unwrap();
        let line = &items.lines[0];
        assert_eq!(
            [&*line.id, &*line.source, &*line.text],
            ["a s u", "I was.", "Bol som."]
        );
        assert_eq!(line.fields["stereotype"], "7");
    }

    #[test]
    fn what_is_wrong_is_named_by_line() {
        for (text, line) in [
            ("{\"id\": 1, \"verdict\": \"m\"}\n[1]\n", 2),
            ("{\"id\": 1}\n", 1),
            (
                "{\"id\": 1, \"verdict\": \"m\"}\n{\"id\": 1, \"verdict\": \"f\"}\n",
                2,
            ),
        ] {
            assert_eq!(read(text).unwrap_err().line, Some(line), "{text}");
        }
        assert!(read("\n").is_err());
    }
}
