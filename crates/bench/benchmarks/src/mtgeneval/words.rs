//! Words of a line, and what they show (specification, section 3): one word that only the reference of the other gender has
//! makes a line incorrect.

use std::collections::BTreeSet;

use epicene_core::Span;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::options::Words;
use crate::python;
use crate::visible::visible;

/// A word with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    /// Characters of the text as it was given; empty where its letters had to be composed first.
    pub span: Option<Span>,
}

/// The words of a text in their order, in lower case.
pub fn words(text: &str, how: Words) -> Vec<Word> {
    match how {
        Words::Published => split(text, text.to_lowercase(), |c| {
            c.is_ascii_punctuation() || python::is_space(c)
        }),
        Words::Unicode => {
            let composed = visible(text);
            let changed = composed != text;
            let mark = |c: char| {
                let group = c.general_category_group();
                let marks = [
                    GeneralCategoryGroup::Punctuation,
                    GeneralCategoryGroup::Symbol,
                ];
                marks.contains(&group) || python::is_space(c)
            };
            let mut words = split(&composed, composed.to_lowercase(), mark);
            if changed {
                words.iter_mut().for_each(|word| word.span = None);
            }
            words
        }
    }
}

/// Cuts the lower-cased text, which may have more characters than the original, and finds the places in that.
fn split(original: &str, lower: String, separates: impl Fn(char) -> bool) -> Vec<Word> {
    let mut places = Vec::with_capacity(lower.len());
    for (place, c) in original.chars().enumerate() {
        places.extend(c.to_lowercase().map(|_| place));
    }
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let mut last = 0;
    for (c, place) in lower.chars().zip(places) {
        if separates(c) {
            words.extend(open.take().map(|(text, start)| Word {
                text,
                span: Some(Span::new(start, last + 1)),
            }));
        } else {
            open.get_or_insert_with(|| (String::new(), place)).0.push(c);
        }
        last = place;
    }
    words.extend(open.map(|(text, start)| Word {
        text,
        span: Some(Span::new(start, last + 1)),
    }));
    words
}

pub fn set(text: &str, how: Words) -> BTreeSet<String> {
    words(text, how).into_iter().map(|word| word.text).collect()
}

/// What the words of a hypothesis show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Words that only its own reference has.
    Own,
    /// Words that only the other reference has.
    Other,
    Both,
    None,
}

impl Shown {
    /// As verdicts name it.
    pub fn rule(self) -> &'static str {
        match self {
            Shown::Own => "own",
            Shown::Other => "other",
            Shown::Both => "both",
            Shown::None => "none",
        }
    }

    pub fn of_rule(rule: &str) -> Option<Shown> {
        [Shown::Own, Shown::Other, Shown::Both, Shown::None]
            .into_iter()
            .find(|shown| shown.rule() == rule)
    }

    /// The authors' decision: no word of the other reference alone.
    pub fn is_correct(self) -> bool {
        matches!(self, Shown::Own | Shown::None)
    }
}

/// The words only one of two references has: its own, the other's.
pub fn unique(reference: &str, other: &str, how: Words) -> (BTreeSet<String>, BTreeSet<String>) {
    let (own, wrong) = (set(reference, how), set(other, how));
    (&own - &wrong, &wrong - &own)
}

/// Whether a line would show something else if it and its references were written as they are seen.
pub fn hides(hypothesis: &str, reference: &str, other: &str, shown: Shown) -> bool {
    let seen = visible(hypothesis);
    let unique = unique(&visible(reference), &visible(other), Words::Published);
    evidence(&seen, &unique, Words::Published).0 != shown
}

/// What a hypothesis shows, and which words made it: the wrong ones where there are any, else its own.
pub fn evidence(
    hypothesis: &str,
    (own, wrong): &(BTreeSet<String>, BTreeSet<String>),
    how: Words,
) -> (Shown, Vec<Word>) {
    let found = words(hypothesis, how);
    let (mut right, mut bad) = (Vec::new(), Vec::new());
    for word in found {
        if wrong.contains(&word.text) {
            bad.push(word);
        } else if own.contains(&word.text) {
            right.push(word);
        }
    }
    match (right.is_empty(), bad.is_empty()) {
        (true, true) => (Shown::None, Vec::new()),
        (false, true) => (Shown::Own, right),
        (true, false) => (Shown::Other, bad),
        (false, false) => (Shown::Both, bad),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, how: Words) -> Vec<String> {
        words(text, how).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn marks_outside_ascii_stick_by_default() {
        let published = texts("¿L'ex-président «Ana»?", Words::Published);
        assert_eq!(published, ["¿l", "ex", "président", "«ana»"]);
        let unicode = texts("¿L’ex-président «Ana»?", Words::Unicode);
        assert_eq!(unicode, ["l", "ex", "président", "ana"]);
        assert_eq!(texts("a\u{a0}b\u{1d}c", Words::Published), ["a", "b", "c"]);
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "İki Doktor, Ana.";
        for word in words(text, Words::Published) {
            let span = word.span.unwrap();
            assert_eq!(span.of(text).to_lowercase(), word.text);
        }
    }

    #[test]
    fn one_wrong_word_decides() {
        let unique = unique("la doctora llegó", "el doctor llegó", Words::Published);
        let shown = |text: &str| evidence(text, &unique, Words::Published).0;
        assert_eq!(shown("La doctora vino"), Shown::Own);
        assert_eq!(shown("el médico llegó"), Shown::Other);
        assert_eq!(shown("la doctora y el niño"), Shown::Both);
        assert_eq!(shown(""), Shown::None);
        let (own, other) = ("la médica", "el médico");
        let of = |text: &str| {
            evidence(
                text,
                &super::unique(own, other, Words::Published),
                Words::Published,
            )
            .0
        };
        let hidden = |text: &str| hides(text, own, other, of(text));
        assert!(hidden("un me\u{301}dico") && hidden("un médi\u{ad}co") && !hidden("un médico"));
        assert_eq!(texts("me\u{301}di\u{200b}co", Words::Unicode), ["médico"]);
        assert!(shown("").is_correct() && !Shown::Both.is_correct());
    }
}
