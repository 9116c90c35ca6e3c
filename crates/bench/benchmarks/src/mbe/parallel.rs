//! epicene-parallel: forty sentences of our own, half about women and half about men, in five languages.
//! A demonstration: forty sentences measure no model.

use epicene_core::{InputError, TextFile};

use super::sets;
use crate::MadeData;

pub const NAME: &str = "epicene-parallel";
const TABLE: &str = include_str!("../../data/epicene-parallel.tsv");

/// `epicene-parallel` is the English side, `epicene-parallel-de` its German translation, and so on.
pub fn made_data(name: &str) -> Option<Result<MadeData, InputError>> {
    let rest = name.strip_prefix(NAME)?;
    let language = match rest {
        "" => "en",
        _ => rest.strip_prefix('-')?,
    };
    Some(made(name, language))
}

fn made(name: &str, language: &str) -> Result<MadeData, InputError> {
    let mut lines = TABLE.lines();
    let header: Vec<&str> = lines
        .next()
        .expect("the table has a header")
        .split('\t')
        .collect();
    let Some(column) = header.iter().skip(1).position(|known| *known == language) else {
        let message = format!("{NAME} has no `{language}`");
        let known = header[1..].join(", ");
        return Err(InputError::new(name, message).with_hint(format!("its languages: {known}")));
    };
    let mut text = format!("{}\n", sets::HEADER);
    for (number, line) in (1..).zip(lines) {
        let cells: Vec<&str> = line.split('\t').collect();
        text.push_str(&format!("{}\t{number}\t{}\n", cells[0], cells[column + 1]));
    }
    let file = TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text: text.clone(),
    };
    Ok(MadeData {
        version: name.to_owned(),
        items: sets::read_sets(&file)?,
        source: text,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::mbe::extraction::{GenderLists, Matcher, Mention};

    #[test]
    fn the_english_side_says_which_gender_a_sentence_is_about() {
        let matcher = Matcher::new(&GenderLists::embedded(), false);
        for line in TABLE.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let gender = match cells[0] {
                "f" => Mention::Female,
                _ => Mention::Male,
            };
            assert_eq!(matcher.mention(cells[1]), gender, "{}", cells[1]);
            assert_eq!(cells.len(), 6, "{line}");
        }
    }

    #[test]
    fn every_language_has_twenty_of_each() {
        for name in [
            "epicene-parallel",
            "epicene-parallel-de",
            "epicene-parallel-sk",
        ] {
            let items = made_data(name).unwrap().unwrap().items;
            assert_eq!(items.len(), 40, "{name}");
        }
        assert!(made_data("epicene-parallel-xx").unwrap().is_err());
        assert!(made_data("epicene-mini").is_none());
    }
}
