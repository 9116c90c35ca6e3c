//! What people must know of translations before they read a number: texts that are no translations of their sentence and
//! are counted all the same. A model that declines, a service that fails and a pipeline that drops lines write the same
//! text again and again; a model that is unsure writes several translations, of which a judge reads one.

use std::collections::BTreeSet;

use epicene_core::Finding;
use epicene_io::quote::shown;

use crate::judging::{ColumnView, Verdicts};
use crate::spoiled::{is_garbled, is_refusal};
use crate::translation_checks::{bare, has_words, read_lines};

/// Different sentences below which nothing is said.
const LEAST: usize = 5;

/// Something is said of every thirtieth translation.
const MANY: usize = 30;

/// Whether so many are worth a word.
pub fn is_many(count: usize, of: usize) -> bool {
    count >= LEAST && MANY * count > of
}

/// What is to be said of a column of translations, each in a sentence.
pub fn text_warnings(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<String> {
    let read = read_lines(view.items().len());
    let translations = if read.len() < view.items().len() {
        "translations that were read"
    } else {
        "translations"
    };
    let pairs = || {
        read.iter().filter_map(|item| {
            let text = view.text(*item).filter(|text| has_letter(text))?;
            Some((*item, view.items().get(*item).text, text))
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
                "{count} of {of} {translations} {words}: `{text}`; they are counted as they are"
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
    let quoted = || pairs().filter(|(_, source, text)| is_quoted(text) && !has_quotes(source));
    if let Some((_, _, first)) = quoted().next() {
        let words = "are in quotation marks, which their sentences do not have";
        say(quoted().count(), words, first);
    }
    let texts: Vec<(&str, &str)> = pairs().map(|(_, source, text)| (source, text)).collect();
    if let Some((count, first)) = cut_off(&texts) {
        let words = "end without the full stop of their sentence, and look cut off";
        say(count, words, first);
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

const QUOTES: &str = "\"'“”„‟«»‹›‘’‚「」『』";

/// Whether a text begins and ends with a quotation mark.
fn is_quoted(text: &str) -> bool {
    let mut letters = text.trim().chars();
    let is_quote = |letter: Option<char>| letter.is_some_and(|letter| QUOTES.contains(letter));
    is_quote(letters.next()) && is_quote(letters.next_back())
}

/// Whether a text has quotation marks; apostrophes inside words are none.
fn has_quotes(text: &str) -> bool {
    let is_inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.char_indices().any(|(at, letter)| {
        let inside =
            is_inside(text[..at].chars().next_back()) && is_inside(text[at..].chars().nth(1));
        QUOTES.contains(letter) && !inside
    })
}

/// The share of unfinished texts that have the same greatest length where all were cut there.
const AT_THE_END: f64 = 0.9;
/// How often the sentence of an unfinished text is longer than that of a finished one, where long ones were cut.
const LONGER: f64 = 0.75;
/// The share of finished texts that tells.
const FINISHED: f64 = 0.2;

/// How many texts end without the punctuation that their source ends with, and the first of them, where they were cut:
/// after so many letters, bytes or words, or (after so many tokens) where they are the longest. Some systems leave the
/// full stop out of any text.
fn cut_off<'a>(pairs: &[(&'a str, &'a str)]) -> Option<(usize, &'a str)> {
    let ends_a_word = |text: &str| text.trim_end().ends_with(char::is_alphanumeric);
    let punctuated = || pairs.iter().filter(|(source, _)| !ends_a_word(source));
    let unfinished: Vec<&(&str, &str)> =
        punctuated().filter(|(_, text)| ends_a_word(text)).collect();
    let first = unfinished.first()?.1;
    let count = unfinished.len();
    let share_at_the_end = |length: fn(&str) -> usize, room: usize| {
        let lengths: Vec<usize> = unfinished
            .iter()
            .map(|(_, text)| length(text.trim()))
            .collect();
        let most = lengths.iter().copied().max().unwrap_or(0);
        let near = lengths.iter().filter(|length| **length + room >= most);
        (near.count() as f64 / count as f64, most)
    };
    // A blank or a part of a letter may have been at the end.
    let letters = share_at_the_end(|text| text.chars().count(), 1).0;
    let bytes = share_at_the_end(str::len, 3).0;
    let (words, most) = share_at_the_end(|text| text.split_whitespace().count(), 0);
    let is_cut = letters > AT_THE_END || bytes > AT_THE_END || words > AT_THE_END && most > 2;
    (is_cut || is_longer(&unfinished, punctuated())).then_some((count, first))
}

/// Whether the sentences of unfinished texts are longer than those of the others.
fn is_longer<'a, 'b: 'a>(
    unfinished: &[&(&str, &str)],
    all: impl Iterator<Item = &'a (&'b str, &'b str)>,
) -> bool {
    fn length((source, _): &(&str, &str)) -> usize {
        source.chars().count()
    }
    let mut lengths: Vec<usize> = all.map(length).collect();
    lengths.sort_unstable();
    let (of, count) = (lengths.len(), unfinished.len());
    let below = |pair: &&(&str, &str)| {
        let own = length(pair);
        let shorter = lengths.partition_point(|other| *other < own);
        let same = lengths.partition_point(|other| *other <= own) - shorter;
        shorter as f64 + same as f64 / 2.0
    };
    // Sums of ranks among all: those among themselves are half of all pairs.
    let among_all: f64 = unfinished.iter().map(below).sum();
    let wins = among_all - (count * count) as f64 / 2.0;
    let finished = of - count;
    finished as f64 >= FINISHED * of as f64 && wins > LONGER * (count * finished) as f64
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
    fn quotation_marks_around_a_text_are_seen() {
        for text in [
            "\"Bola som.\"",
            "„Bola som.“",
            "« J’étais là. »",
            "'Ja.'",
            "「私」",
        ] {
            assert!(is_quoted(text) && has_quotes(text), "{text}");
        }
        for text in [
            "Bola som.",
            "J'étais là.",
            "\"",
            "O’Neil l'a vu.",
            "„Áno“, povedala.",
        ] {
            assert!(!is_quoted(text), "{text}");
        }
        assert!(!has_quotes("I didn't, and O’Neil's dog doesn't.") && has_quotes("the 'dog'"));
    }

    #[test]
    fn texts_that_were_cut_are_seen_and_missing_full_stops_are_not() {
        let word = |number: usize| "slovo ".repeat(3 + number % 40) + "koniec.";
        let whole: Vec<(String, String)> = (0..200)
            .map(|number| ("word ".repeat(3 + number % 40) + "end.", word(number)))
            .collect();
        let found = |cut: &dyn Fn(usize, &str) -> String| {
            let texts: Vec<String> = (0..200).map(|n| cut(n, &whole[n].1)).collect();
            let pairs: Vec<(&str, &str)> = (0..200).map(|n| (&*whole[n].0, &*texts[n])).collect();
            cut_off(&pairs).map(|(count, _)| count)
        };
        let first = |text: &str, count: usize| text.chars().take(count).collect::<String>();
        assert_eq!(found(&|_, text| text.to_owned()), None);
        for length in [11, 60, 152] {
            assert!(
                found(&|_, text| first(text, length)).unwrap() > 20,
                "{length}"
            );
        }
        let words = |text: &str, count: usize| {
            let words: Vec<&str> = text.split_whitespace().take(count).collect();
            words.join(" ")
        };
        assert!(found(&|_, text| words(text, 20)).unwrap() > 90);
        // So many tokens, of words that are not equally long.
        assert!(found(&|n, text| words(text, 15 + n % 9)).unwrap() > 90);
        // A system without full stops, everywhere or here and there.
        assert_eq!(found(&|_, text| text.replace('.', "")), None);
        let some = |n: usize, text: &str| match n * 7 % 3 {
            0 => text.replace('.', ""),
            _ => text.to_owned(),
        };
        assert_eq!(found(&some), None);
    }

    #[test]
    fn few_are_not_many() {
        assert!(is_many(5, 20) && is_many(41, 1200));
        assert!(!is_many(4, 4) && !is_many(40, 1200));
    }
}
