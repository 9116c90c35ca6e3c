//! The same sheet as a form: one file that works offline from a file URL, by keyboard alone, saves in the browser as one
//! labels, writes the CSV that `audit read` takes, and compares with a second annotator's.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Sheet;
use crate::sheet::harmless;

const STYLE: &str = include_str!("form.css");
const SCRIPT: &str = include_str!("form.js");
const BODY: &str = include_str!("form.html");

#[derive(Serialize)]
struct Data<'a> {
    population: &'a str,
    seed: u64,
    head: Vec<String>,
    columns: Vec<&'static str>,
    choices: Vec<[&'a str; 3]>,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    unit: &'a str,
    source: &'a str,
    translation: &'a str,
    question: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a str>,
    /// The cells before the label, as the CSV has them.
    cells: Vec<String>,
}

/// The page. Texts from outside are data that the script shows as text; the policy lets nothing in or out.
pub fn form(sheet: &Sheet) -> String {
    let rows = sheet.rows.iter().map(|row| {
        let mut cells = vec![
            row.key.clone(),
            harmless(&row.unit),
            harmless(&row.source),
            harmless(&row.answer),
            harmless(&row.question),
        ];
        if let Some(shown) = &row.shown {
            cells.extend(shown.iter().map(|cell| harmless(cell)));
        }
        Row {
            id: &row.key,
            unit: &row.unit,
            source: &row.source,
            translation: &row.answer,
            question: &row.question,
            system: row.shown.as_ref().map(|[system, _]| system.as_str()),
            verdict: row.shown.as_ref().map(|[_, verdict]| verdict.as_str()),
            cells,
        }
    });
    let choices = sheet.choices.0.iter();
    let data = Data {
        population: &sheet.header.population,
        seed: sheet.header.seed,
        head: sheet.header.lines(&sheet.choices),
        columns: sheet.columns(),
        choices: choices
            .map(|choice| [&*choice.key, &*choice.name, &*choice.meaning])
            .collect(),
        rows: rows.collect(),
    };
    let data = serde_json::to_string(&data).expect("strings can be written as JSON");
    // Nothing in a text can end the element it stands in.
    let data = data.replace('<', "\\u003c");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>epicene audit</title>\n<style>{STYLE}</style>\n{BODY}\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>\n</html>\n",
        hash(STYLE),
        hash(SCRIPT),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Choices, Header, SheetRow};

    #[test]
    fn hostile_texts_stay_text() {
        let page = form(&Sheet {
            header: Header {
                population: "p".to_owned(),
                seed: 1,
                by: Vec::new(),
                only: Vec::new(),
                strata: Vec::new(),
            },
            choices: Choices(vec![Choice::new("m", "masculine", "")]),
            rows: vec![SheetRow {
                key: "k".to_owned(),
                unit: "lang:sk".to_owned(),
                question: "?".to_owned(),
                source: "</script><script>alert(1)</script>".to_owned(),
                answer: "<!--".to_owned(),
                shown: None,
            }],
        });
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains("<!--"));
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
