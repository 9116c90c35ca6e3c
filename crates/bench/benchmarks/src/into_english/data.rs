//! Twelve templates in nine languages whose pronouns show no gender, filled with the forty occupations of WinoBias
//! (specification `into-english`, section 5).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use epicene_core::{Item, Language};

use super::options::INCLUDE_MARKED;
use crate::Options;
use crate::translations::SOURCE;

const TEMPLATES: &str = include_str!("templates.tsv");
const WORDS: &str = include_str!("words.tsv");
const OCCUPATIONS: &str = include_str!("occupations.tsv");

/// Languages whose templates and words a native speaker has read.
const REVIEWED: &[&str] = &[];

pub const TEMPLATE: &str = "template";
pub const OCCUPATION: &str = "occupation";
/// `male` or `female`: WinoBias' list of the occupation.
pub const LIST: &str = "list";
/// How exact the word is: `ok`, `sense`, `lean_m`, `lean_f`, `marked_f`.
pub const STATUS: &str = "status";
/// Whom GEST's stereotype behind a trait sentence is about: `women` or `men`.
pub const ABOUT: &str = "about";

/// An occupation of WinoBias.
pub struct Occupation {
    pub name: &'static str,
    pub list: &'static str,
    /// Share of women, from 0 to 1.
    pub women: f64,
    /// English words that count as the occupation.
    pub accepted: Vec<&'static str>,
}

/// The cells of a table's rows, without comments and header.
fn rows<const N: usize>(table: &'static str, file: &str) -> Vec<[&'static str; N]> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let found = <[&str; N]>::try_from(cells);
            found.unwrap_or_else(|_| unreachable!("{file}, `{line}`: a row has {N} cells"))
        })
        .collect()
}

/// All occupations, in the order of the table.
pub fn occupations() -> &'static [Occupation] {
    static ALL: LazyLock<Vec<Occupation>> = LazyLock::new(|| {
        let rows = rows::<4>(OCCUPATIONS, "occupations.tsv").into_iter();
        rows.map(|[name, list, women, accepted]| Occupation {
            name,
            list,
            women: women.parse::<f64>().expect("the share is a number") / 100.0,
            accepted: accepted.split(',').collect(),
        })
        .collect()
    });
    &ALL
}

pub fn occupation(name: &str) -> Option<&'static Occupation> {
    static BY_NAME: LazyLock<BTreeMap<&str, &Occupation>> =
        LazyLock::new(|| occupations().iter().map(|one| (one.name, one)).collect());
    BY_NAME.get(name).copied()
}

/// The languages of the templates, in their order.
pub fn languages() -> Vec<Language> {
    let mut languages = Vec::new();
    for [_, _, _, code, ..] in rows::<7>(TEMPLATES, "templates.tsv") {
        let language = Language::find(code).expect("the registry has the templates' languages");
        if !languages.contains(&language) {
            languages.push(language);
        }
    }
    languages
}

/// Languages among these that no native speaker has read.
pub fn unreviewed<'a>(codes: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let open = codes.into_iter().filter(|code| !REVIEWED.contains(code));
    open.collect()
}

/// What the items are made of; its hash identifies the data.
pub fn source() -> String {
    [TEMPLATES, WORDS, OCCUPATIONS].concat()
}

/// The sentences in the chosen languages: template by template, occupations in the order of the words.
pub fn items(options: &Options) -> Vec<Item> {
    let marked = options.get(&INCLUDE_MARKED);
    let chosen = |code: &str| {
        let language = Language::find(code);
        options.languages.is_empty() || language.is_some_and(|own| options.languages.contains(&own))
    };
    let words = rows::<6>(WORDS, "words.tsv");
    let mut items = Vec::new();
    for [template, _, stereotype, code, text, ..] in rows::<7>(TEMPLATES, "templates.tsv") {
        if !chosen(code) {
            continue;
        }
        if let Ok(number) = stereotype.parse::<u32>() {
            // GEST numbers stereotypes about women 1 to 7, about men 8 to 16.
            let about = if number < 8 { "women" } else { "men" };
            let trait_item = Item::new(format!("{code}:{template}"), text)
                .with_label(SOURCE, code)
                .with_label(TEMPLATE, template)
                .with_label(ABOUT, about);
            items.push(trait_item);
            continue;
        }
        for [_, name, x, y, status, _] in words.iter().filter(|[own, ..]| *own == code) {
            if status.starts_with("marked") && !marked {
                continue;
            }
            let known = occupation(name).expect("words.tsv has the occupations of the list");
            let text = text.replace("{x}", x).replace("{y}", y);
            let id = format!("{code}:{template}:{}", name.replace(' ', "-"));
            let labelled = Item::new(id, text)
                .with_label(SOURCE, code)
                .with_label(TEMPLATE, template)
                .with_label(OCCUPATION, *name)
                .with_label(LIST, known.list)
                .with_label(STATUS, *status);
            items.push(labelled);
        }
    }
    items
}

/// Whether an accepted English word for the occupation stands in the text, alone or with a plural s.
pub fn is_found(occupation: &Occupation, text: &str) -> bool {
    let text = text.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands = |word: &str| {
        text.match_indices(word).any(|(start, _)| {
            let before = text[..start].chars().next_back();
            let behind = &text[start + word.len()..];
            let ends = |rest: &str| !rest.starts_with(is_word);
            let plural = behind.strip_prefix('s').is_some_and(ends);
            !before.is_some_and(is_word) && (ends(behind) || plural)
        })
    };
    occupation.accepted.iter().any(|word| stands(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupations_are_found_as_whole_words() {
        let nurse = occupation("nurse").unwrap();
        for text in ["A nurse.", "NURSES work.", "the nurse’s"] {
            assert!(is_found(nurse, text), "{text}");
        }
        for text in ["nursery", "a wetnurse_", "a doctor"] {
            assert!(!is_found(nurse, text), "{text}");
        }
    }

    #[test]
    fn words_that_name_women_are_left_out_by_default() {
        let all = Options::default();
        assert_eq!(items(&all).len(), 2202);
        assert!(items(&all).iter().all(|item| item.id != "et:O1:nurse"));
    }
}
