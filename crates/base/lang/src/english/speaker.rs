//! The gender that an English text gives to its speaker, the "I" of a translated sentence.
//!
//! English "I" shows no gender. What does: who says a quotation ("…", she said), and what the speaker is ("I am a mother").
//! Everybody else in the text is somebody else: "I told her" says nothing of the speaker.

use epicene_core::{Finding, Gender, Span, Verdict};

use super::{Class, Kind, Word, span, words};

/// Its name in signatures; another number where the same text may get another verdict.
pub const NAME: &str = "english-speaker-1";

/// How many words may stand between an article and its noun: "a good old mother".
const BETWEEN: usize = 2;

/// The gender a text gives to its speaker.
pub fn speaker(text: &str) -> Verdict {
    if text.trim().is_empty() {
        return Verdict::new(Finding::NotFound, "empty");
    }
    let words = words(text);
    let said = said(text, &words);
    let (rule, found) = if said.is_empty() {
        ("predicate", predicates(text, &words))
    } else {
        ("said", said)
    };
    let Some((first, _)) = found.first() else {
        return Verdict::new(Finding::NotFound, "none");
    };
    let spans: Vec<Span> = found.iter().map(|(_, word)| span(&words[*word])).collect();
    let verdict = if found.iter().all(|(gender, _)| gender == first) {
        Verdict::new((*first).into(), rule)
    } else {
        Verdict::new(Finding::Both, "mixed-speaker")
    };
    verdict.with_evidence(spans)
}

/// Who says the quotation: the subject beside a verb of saying, outside the quotation.
fn said(text: &str, words: &[Word]) -> Vec<(Gender, usize)> {
    if !words.iter().any(|word| word.is_quoted) {
        return Vec::new();
    }
    let outside = |word: &Word| !word.is_quoted;
    let mut found = Vec::new();
    let says = |(_, word): &(usize, &Word)| word.is(Class::Say) && outside(word);
    for (verb, _) in words.iter().enumerate().filter(says) {
        // "she said", "the woman said"
        let before = verb.checked_sub(1);
        let subject = before.and_then(|place| subject(text, words, place));
        // "said she", "said the old woman"
        let subject = subject.or_else(|| {
            let behind = verb + 1;
            let article = words.get(behind).is_some_and(is_article);
            let places = if article {
                behind + 1..behind + 2 + BETWEEN
            } else {
                behind..behind + 1
            };
            let same = places.take_while(|place| {
                words
                    .get(*place)
                    .is_some_and(|word| outside(word) && !word.starts_sentence)
            });
            same.into_iter()
                .find_map(|place| subject_behind(text, words, place))
        });
        found.extend(subject.filter(|(_, place)| outside(&words[*place])));
    }
    found
}

fn is_article(word: &Word) -> bool {
    word.is(Class::The) || word.is(Class::Article)
}

/// The gender of a subject: he, she, or a noun.
fn subject(text: &str, words: &[Word], place: usize) -> Option<(Gender, usize)> {
    let word = words.get(place)?;
    let Class::Gendered(gender, kind) = word.entry.class else {
        return None;
    };
    let written = &text[word.bytes.0..word.bytes.1];
    let is_subject = match kind {
        Kind::Pronoun => written.eq_ignore_ascii_case("he") || written.eq_ignore_ascii_case("she"),
        Kind::Title | Kind::Adjective => false,
        Kind::General | Kind::Relational | Kind::Role => !word.is_cut && !word.entry.is_plural,
    };
    is_subject.then_some((gender, place))
}

/// As [`subject`]; a noun behind its verb is no name: "said King".
fn subject_behind(text: &str, words: &[Word], place: usize) -> Option<(Gender, usize)> {
    let (gender, place) = subject(text, words, place)?;
    (!words[place].is_capital).then_some((gender, place))
}

/// What the speaker is: "I am a mother", "I was the only woman", "as a father, I".
fn predicates(text: &str, words: &[Word]) -> Vec<(Gender, usize)> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let begins = if word.entry.class == Class::I {
            let written = &text[word.bytes.0..word.bytes.1];
            if word.is_cut {
                let is_am = written.ends_with("'m") || written.ends_with("’m");
                is_am.then_some(place + 1)
            } else {
                let next = words.get(place + 1);
                next.is_some_and(|next| next.is(Class::Be))
                    .then_some(place + 2)
            }
        } else {
            // "As a mother, I …"; "such as a mother" is somebody.
            let behind_i = |noun: usize| {
                words
                    .get(noun + 1)
                    .is_some_and(|next| next.entry.class == Class::I)
            };
            let noun = (word.is(Class::As) && word.starts_sentence)
                .then(|| noun(words, place + 1))
                .flatten();
            found.extend(noun.filter(|(_, noun)| behind_i(*noun)));
            None
        };
        found.extend(begins.and_then(|begin| noun(words, begin)));
    }
    found
}

/// The gendered noun of a phrase that begins here with an article.
fn noun(words: &[Word], begin: usize) -> Option<(Gender, usize)> {
    let first = words.get(begin)?;
    if !is_article(first) {
        return None;
    }
    for (place, word) in words.iter().enumerate().skip(begin + 1).take(1 + BETWEEN) {
        match word.entry.class {
            _ if word.starts_sentence => return None,
            Class::Gendered(gender, Kind::General | Kind::Relational | Kind::Role) => {
                let names_one = !word.is_cut && !word.entry.is_plural && !word.is_capital;
                return names_one.then_some((gender, place));
            }
            // "I am the man's doctor", "I am a friend of women".
            Class::Other | Class::Gendered(_, Kind::Adjective) if !word.is_cut => {}
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_speaks_is_read_and_who_is_spoken_of_is_not() {
        for (text, finding) in [
            ("\"I was tired,\" she said.", Finding::Feminine),
            (
                "He said: \"I told her that I was tired.\"",
                Finding::Masculine,
            ),
            ("“I was tired,” said the woman.", Finding::Feminine),
            ("“I was tired,” the man said to her.", Finding::Masculine),
            ("«I am tired», answered he.", Finding::Masculine),
            ("\"I love him,\" the teacher said.", Finding::NotFound),
            ("She said: \"No.\" He said: \"I do.\"", Finding::Both),
            ("I am a mother of two.", Finding::Feminine),
            ("I was the only woman there.", Finding::Feminine),
            ("I'm a good father.", Finding::Masculine),
            ("As a mother, I worry.", Finding::Feminine),
            ("I was tired.", Finding::NotFound),
            ("I told her.", Finding::NotFound),
            ("I loved him and his mother.", Finding::NotFound),
            ("I am in love with a woman.", Finding::NotFound),
            ("I am the man's doctor.", Finding::NotFound),
            ("I am not a man.", Finding::NotFound),
            ("I have a wife.", Finding::NotFound),
            ("I am a friend of women.", Finding::NotFound),
            ("My mother said that I was late.", Finding::NotFound),
            ("", Finding::NotFound),
        ] {
            assert_eq!(speaker(text).finding, finding, "{text}");
        }
    }

    #[test]
    fn evidence_is_the_word_that_shows_it() {
        let text = "“Som tu,” she said.";
        let found = speaker(text);
        assert_eq!((found.rule, found.evidence[0].of(text)), ("said", "she"));
    }
}
