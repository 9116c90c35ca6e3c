//! What people must know of translations before they read a number: texts that are no translations of their sentence and
//! are counted all the same. A model that declines, a service that fails and a pipeline that drops lines write the same
//! text again and again; a model that is unsure writes several translations, of which a judge reads one.

use std::collections::BTreeSet;

use epicene_core::Finding;
use epicene_io::quote::shown;

use crate::judging::{ColumnView, Verdicts};
use crate::spoiled::{is_garbled, is_refusal};
use crate::translation_checks::{bare, has_words};

/// Different sentences below which nothing is said.
const LEAST: usize = 5;

/// Something is said of every thirtieth translation.
const MANY: usize = 30;

/// Whether so many are worth a word.
pub(crate) fn is_many(count: usize, of: usize) -> bool {
    count >= LEAST && MANY * count > of
}

/// What is to be said of a column of translations, each in a sentence.
pub fn text_warnings(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<String> {
    let pairs = || {
        (0..view.items().len()).filter_map(|item| {
            let text = view.text(item).filter(|text| has_letter(text))?;
            Some((item, view.items().get(item).text, text))
        })
    };
    if !has_words(pairs().map(|(_, _, text)| text)) {
        return without_text(view);
    }
    let of = pairs().count();
    let mut said = without_text(view);
    let mut say = |count: usize, words: &str, text: &str| {
        if is_many(count, of) {
            let text = shown(text);
            said.push(format!(
                "{count} of {of} translations {words}: `{text}`; they are counted as they are"
            ));
        }
    };
    let refused = || pairs().filter(|(_, source, text)| is_refusal(source, text));
    if let Some((_, _, first)) = refused().next() {
        say(refused().count(), "decline to translate", first);
    }
    let garbled = || pairs().filter(|(_, _, text)| is_garbled(text));
    if let Some((_, _, first)) = garbled().next() {
        let words = "are garbled, as UTF-8 that was read in another encoding is";
        say(garbled().count(), words, first);
    }
    let texts = || pairs().map(|(_, _, text)| text.trim());
    let candidates = frequent(texts());
    let mut counts = vec![0; candidates.len()];
    for text in texts() {
        if let Some(place) = candidates.iter().position(|known| *known == text) {
            counts[place] += 1;
        }
    }
    for (frequent, count) in candidates.into_iter().zip(counts) {
        if !is_many(count, of) {
            continue;
        }
        let same = pairs().filter(|(_, _, text)| text.trim() == frequent);
        let sources: BTreeSet<&str> = same.map(|(_, source, _)| source).collect();
        let words = "of different sentences are one and the same text";
        say(sources.len(), words, frequent);
    }
    let numbered = || {
        let first = |text: &str| text.split_whitespace().next().map(str::to_owned);
        pairs().filter(move |(item, source, text)| {
            let id = view.items().get(*item).id;
            let is_label = first(text).is_some_and(|word| names_item(&word, *item, id));
            is_label && first(source) != first(text)
        })
    };
    if let Some((_, _, first)) = numbered().next() {
        say(numbered().count(), "begin with their own number", first);
    }
    let labelled =
        || pairs().filter(|(_, source, text)| label(text).is_some() && !source.contains(": "));
    if let Some((_, _, text)) = labelled().next() {
        let own = label(text);
        let same = labelled().filter(|(_, _, text)| label(text) == own);
        let words = "begin with the same label, which is no part of the sentence";
        say(same.count(), words, text);
    }
    let copies = || pairs().filter(|(_, source, text)| bare(source).eq(bare(text)));
    if let Some((_, _, first)) = copies().next() {
        let words = "are the sentence itself, not translated";
        say(copies().count(), words, first);
    }
    let escaped = || pairs().filter(|(_, source, text)| has_entity(text) && !has_entity(source));
    if let Some((_, _, first)) = escaped().next() {
        let words = "hold HTML entities (`&#39;`, `&amp;`), which are read as letters";
        say(escaped().count(), words, first);
    }
    let one_gender = |item: usize| {
        let finding = verdicts.cells[item].as_ref().map(|verdict| verdict.finding);
        matches!(finding, Some(Finding::Masculine | Finding::Feminine))
    };
    let several = || {
        pairs().filter(|(item, source, text)| {
            names_several(text) && !names_several(source) && one_gender(*item)
        })
    };
    if let Some((_, _, first)) = several().next() {
        let words = "give alternatives (`/`, brackets), and one of them decides";
        say(several().count(), words, first);
    }
    said
}

/// Translations that are empty; benchmarks count those that are not there.
fn without_text(view: &ColumnView<'_>) -> Vec<String> {
    let answers = || view.column().answers.iter().flatten();
    let of = answers().count();
    let empty = answers().filter(|answer| answer.text().is_some_and(|text| text.trim().is_empty()));
    let empty = empty.count();
    let mut said = Vec::new();
    if is_many(empty, of) {
        let words = "translations are empty; they are counted as unknown";
        said.push(format!("{empty} of {of} {words}"));
    }
    let texts = || answers().filter_map(|answer| answer.text());
    let signs = || texts().filter(|text| !text.trim().is_empty() && !has_letter(text));
    if let Some(first) = signs().next().filter(|_| is_many(signs().count(), of)) {
        let (count, first) = (signs().count(), shown(first));
        said.push(format!(
            "{count} of {of} translations have no letter: `{first}`; they are counted as they are"
        ));
    }
    said
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Whether a word is the number or the id of an item: `17.`, `gest:17`, `(17)`.
fn names_item(word: &str, place: usize, id: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let short = id.split_once(':').map_or(id, |(_, short)| short);
    bare == id || bare == short || bare.parse() == Ok(place + 1)
}

/// What stands before a colon at the beginning, where that is one word or two: `Translation:`.
fn label(text: &str) -> Option<&str> {
    let (label, _) = text.trim_start().split_once(": ")?;
    let words = label.split_whitespace().count();
    ((1..=2).contains(&words) && label.chars().all(|c| c.is_alphabetic() || c == ' '))
        .then_some(label)
}

/// All texts that may be every thirtieth, in one walk and little memory (Misra and Gries 1982).
fn frequent<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut counters: Vec<(&str, usize)> = Vec::new();
    for text in texts {
        if let Some((_, count)) = counters.iter_mut().find(|(known, _)| *known == text) {
            *count += 1;
        } else if counters.len() < MANY {
            counters.push((text, 1));
        } else {
            counters.iter_mut().for_each(|(_, count)| *count -= 1);
            counters.retain(|(_, count)| *count > 0);
        }
    }
    counters.into_iter().map(|(text, _)| text).collect()
}

/// Whether a text has a character written as HTML does.
fn has_entity(text: &str) -> bool {
    let named = ["amp", "quot", "apos", "lt", "gt", "nbsp"];
    text.match_indices('&').any(|(at, _)| {
        let name = text[at + 1..].split_once(';').map_or("", |(name, _)| name);
        let number = name.strip_prefix('#');
        let number = number.map(|number| number.strip_prefix(['x', 'X']).unwrap_or(number));
        let is_number = |number: &str| {
            (2..7).contains(&number.len()) && number.chars().all(|c| c.is_ascii_hexdigit())
        };
        named.contains(&name) || number.is_some_and(is_number)
    })
}

/// Whether a text has a slash that its words can be chosen by, or an ending or a second wording in brackets.
fn names_several(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(2).any(|pair| match pair {
        ['/', _] => true,
        [before, '('] => before.is_alphabetic(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_seen_and_plain_texts_are_not() {
        for text in [
            "Bol/a som tam.",
            "Bol som. / Bola som.",
            "un(e) ami(e)",
            "le/la juge",
        ] {
            assert!(names_several(text), "{text}");
        }
        for text in ["Bola som tam.", "um 9 (neun) Uhr", "a-b", "/"] {
            assert!(!names_several(text), "{text}");
        }
    }

    #[test]
    fn entities_are_seen_and_signs_are_not() {
        for text in ["L&#39;amie", "Tom &amp; Eva", "&quot;no&quot;", "&#x27;s"] {
            assert!(has_entity(text), "{text}");
        }
        for text in ["Tom & Eva; oni", "R&D", "a&b;c", "&#;", "AT&T; amp;"] {
            assert!(!has_entity(text), "{text}");
        }
    }

    #[test]
    fn what_is_frequent_is_found() {
        let rare: Vec<String> = (0..900).map(|line| line.to_string()).collect();
        let texts = |line: usize| if line % 20 == 7 { "null" } else { &*rare[line] };
        assert!(frequent((0..900).map(texts)).contains(&"null"));
    }

    #[test]
    fn numbers_and_labels_before_a_text_are_seen() {
        for word in ["17.", "17", "gest:17", "(17)", "[17]", "#17"] {
            assert!(names_item(word, 16, "gest:17"), "{word}");
        }
        assert!(names_item("VF01:", 3, "wibemt:VF01"));
        assert!(!names_item("18.", 16, "gest:17") && !names_item("Bola", 16, "gest:17"));
        assert_eq!(label("Translation: Bola som."), Some("Translation"));
        assert_eq!(
            label("Slovak translation: Bola."),
            Some("Slovak translation")
        );
        assert_eq!(label("Povedala som mu: choď."), None);
        assert_eq!(label("Bola som."), None);
    }

    #[test]
    fn few_are_not_many() {
        assert!(is_many(5, 20) && is_many(41, 1200));
        assert!(!is_many(4, 4) && !is_many(40, 1200));
    }
}
