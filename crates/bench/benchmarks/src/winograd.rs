//! epicene-winograd: a small set of our own in the design of WinoBias, for demonstrations of `winobias` and `winomt`.

use epicene_core::{InputError, TextFile};

use crate::MadeData;
use crate::wibemt::base;

pub const NAME: &str = "epicene-winograd";
const TABLE: &str = include_str!("../data/epicene-winograd.tsv");

/// One line of the table.
struct Pair<'a> {
    kind: &'a str,
    part: &'a str,
    stereotype: &'a str,
    sentence: &'a str,
}

fn pairs() -> impl Iterator<Item = Pair<'static>> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("epicene-winograd.tsv has four columns");
        Pair {
            kind: cell(),
            part: cell(),
            stereotype: cell(),
            sentence: cell(),
        }
    })
}

/// The sentence with the pronoun of one gender.
fn with_pronoun(sentence: &str, female: bool) -> String {
    let mut text = sentence.to_owned();
    for (masculine, feminine) in [("he", "she"), ("him", "her"), ("his", "her")] {
        let slot = format!("[{masculine}/{feminine}]");
        let pronoun = if female { feminine } else { masculine };
        text = text.replace(&slot, &format!("[{pronoun}]"));
    }
    text
}

/// The eight files WinoBias has.
pub fn winobias_files() -> Vec<TextFile> {
    let mut files = Vec::new();
    for name in base::file_names() {
        let pro = name.starts_with("pro");
        let here = |pair: &Pair<'_>| {
            name.contains(&format!("type{}", pair.kind)) && name.ends_with(pair.part)
        };
        let mut text = String::new();
        for (number, pair) in (1..).zip(pairs().filter(here)) {
            let female = (pair.stereotype == "female") == pro;
            text += &format!("{number} {}\n", with_pronoun(pair.sentence, female));
        }
        files.push(TextFile {
            path: format!("(embedded) {NAME}/{name}"),
            name,
            sha256: String::new(),
            text,
        });
    }
    files
}

/// WinoMT's table: gold gender, index, sentence, entity; anti- before pro-stereotypical.
pub fn winomt_table() -> Result<TextFile, InputError> {
    let mut text = String::new();
    for file in winobias_files() {
        for sentence in base::from_winobias(&file)? {
            let cells = [
                &sentence.gender,
                &sentence.index.to_string(),
                &sentence.text,
                sentence.noun(),
            ];
            text += &cells.join("\t");
            text.push('\n');
        }
    }
    Ok(TextFile {
        path: format!("(embedded) {NAME}"),
        name: format!("{NAME}.txt"),
        sha256: String::new(),
        text,
    })
}

/// The data set under its name, with the items a benchmark makes of it.
pub fn made(items: Result<Vec<epicene_core::Item>, InputError>) -> Result<MadeData, InputError> {
    Ok(MadeData {
        version: NAME.to_owned(),
        source: TABLE.to_owned(),
        items: items?,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Options, find};

    #[test]
    fn every_pair_is_kept_by_winobias_and_every_sentence_by_winomt() {
        let items = |benchmark: &str| {
            let benchmark = find(benchmark).unwrap();
            benchmark
                .make_data(super::NAME, &Options::default())
                .unwrap()
                .unwrap()
                .items
        };
        let pairs = items("winobias");
        assert_eq!(pairs.len(), 32);
        let women = pairs
            .iter()
            .filter(|item| item.label("occupation") == Some("female"));
        assert_eq!(women.count(), 16);
        let sentences = items("winomt");
        assert_eq!(sentences.len(), 64);
        for (label, value, count) in [
            ("gender", "female", 32),
            ("gender", "male", 32),
            ("set", "pro", 32),
            ("set", "anti", 32),
        ] {
            let found = sentences
                .iter()
                .filter(|item| item.label(label) == Some(value));
            assert_eq!(found.count(), count, "{value}");
        }
        for item in &sentences {
            let index: usize = item.label("index").unwrap().parse().unwrap();
            let first = item.label("occupation").unwrap().split(' ').next().unwrap();
            assert_eq!(
                item.text.split(' ').nth(index),
                Some(first),
                "{}",
                item.text
            );
        }
    }
}
