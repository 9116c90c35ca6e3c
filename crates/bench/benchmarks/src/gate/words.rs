//! Words of a translation, which of them tell the variants apart, and how near a text is to another (specification, section 5).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::Span;
use epicene_lang::occupation::is_written_on;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::visible::visible;

/// Characters from which a word is strong evidence; shorter ones are articles, clitics, prepositions.
pub const STRONG: usize = 4;

/// A word with its place in the text, where its letters did not have to be composed first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Option<Span>,
    /// Written on for the other gender: "médico/a", "étudiant·e".
    pub both: bool,
    /// Nothing but a slash or bracket stands between the word before and this one: "el/la", "o(a)".
    pub joined: bool,
}

impl Word {
    pub fn is_strong(&self) -> bool {
        self.text.chars().count() >= STRONG
    }
}

/// Runs of letters, marks and digits as they are seen, in lower case.
pub fn words(text: &str) -> Vec<Word> {
    let composed = visible(text);
    let same = composed == text;
    let mut places = Vec::with_capacity(composed.len());
    for (place, c) in composed.chars().enumerate() {
        places.extend(c.to_lowercase().map(|_| place));
    }
    let kept = [
        GeneralCategoryGroup::Letter,
        GeneralCategoryGroup::Mark,
        GeneralCategoryGroup::Number,
    ];
    let mut found: Vec<Word> = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let (mut last, mut gap) = (0, String::new());
    let mut joined = false;
    let mut close = |open: &mut Option<(String, usize)>, end: usize, joined: bool| {
        if let Some((text, start)) = open.take() {
            let span = same.then(|| Span::new(start, end));
            let rest = composed
                .char_indices()
                .nth(end)
                .map_or(composed.len(), |(at, _)| at);
            let both = text.chars().count() > 2 && is_written_on(&composed[rest..]);
            found.push(Word {
                text,
                span,
                both,
                joined,
            });
        }
    };
    for (c, place) in composed.to_lowercase().chars().zip(places) {
        if kept.contains(&c.general_category_group()) {
            let (word, _) = open.get_or_insert_with(|| {
                joined = matches!(&*gap, "/" | "(" | "*" | ":");
                (String::new(), place)
            });
            word.push(c);
            gap.clear();
        } else {
            close(&mut open, last + 1, joined);
            gap.push(c);
        }
        last = place;
    }
    close(&mut open, last + 1, joined);
    found
}

fn bag(text: &str) -> BTreeSet<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

/// The words that only the masculine variants of an entity have, and only the feminine ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contrast {
    pub masculine: BTreeSet<String>,
    pub feminine: BTreeSet<String>,
}

impl Contrast {
    pub fn is_empty(&self) -> bool {
        self.masculine.is_empty() && self.feminine.is_empty()
    }
}

/// For each entity of a tuple. Variants have a code of `f` and `m`, a letter for each entity.
pub(crate) fn contrasts(variants: &BTreeMap<String, String>) -> Vec<Contrast> {
    let bags: BTreeMap<&str, BTreeSet<String>> = variants
        .iter()
        .map(|(code, text)| (code.as_str(), bag(text)))
        .collect();
    let entities = variants.keys().next().map_or(0, String::len);
    let mut raw = Vec::new();
    for entity in 0..entities {
        let (mut masculine, mut feminine) = (BTreeSet::new(), BTreeSet::new());
        for (code, own) in &bags {
            if code.as_bytes()[entity] != b'm' {
                continue;
            }
            let mut twin = (*code).to_owned();
            twin.replace_range(entity..=entity, "f");
            let Some(other) = bags.get(twin.as_str()) else {
                continue;
            };
            masculine.extend(own.difference(other).cloned());
            feminine.extend(other.difference(own).cloned());
        }
        raw.push(Contrast {
            masculine: &masculine - &feminine,
            feminine: &feminine - &masculine,
        });
    }
    (0..entities)
        .map(|entity| {
            let mut others = BTreeSet::new();
            for (place, contrast) in raw.iter().enumerate() {
                if place != entity {
                    others.extend(contrast.masculine.union(&contrast.feminine).cloned());
                }
            }
            Contrast {
                masculine: &raw[entity].masculine - &others,
                feminine: &raw[entity].feminine - &others,
            }
        })
        .collect()
}

/// 1 less the share of words that have to be changed, in the variant that is nearest.
pub fn similarity(hypothesis: &[Word], variants: &BTreeMap<String, String>) -> f64 {
    let near = |variant: &String| {
        let variant = words(variant);
        let longer = hypothesis.len().max(variant.len()).max(1);
        1.0 - distance(hypothesis, &variant) as f64 / longer as f64
    };
    variants.values().map(near).fold(0.0, f64::max)
}

fn distance(one: &[Word], other: &[Word]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, x) in one.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in other.iter().enumerate() {
            let change = before + usize::from(x.text != y.text);
            before = row[j + 1];
            row[j + 1] = change.min(row[j + 1] + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrasts_belong_to_one_entity() {
        let variants: BTreeMap<String, String> = [
            ("ff", "La jefa y la doctora"),
            ("fm", "La jefa y el doctor"),
            ("mf", "El jefe y la doctora"),
            ("mm", "El jefe y el doctor"),
        ]
        .into_iter()
        .map(|(code, text)| (code.to_owned(), text.to_owned()))
        .collect();
        let found = contrasts(&variants);
        // The articles belong to both, and to neither.
        assert_eq!(found[0].masculine.iter().collect::<Vec<_>>(), ["jefe"]);
        assert_eq!(found[1].feminine.iter().collect::<Vec<_>>(), ["doctora"]);
    }

    #[test]
    fn apostrophes_and_hyphens_split() {
        let texts: Vec<String> = words("L’amie dit-elle!")
            .into_iter()
            .map(|w| w.text)
            .collect();
        assert_eq!(texts, ["l", "amie", "dit", "elle"]);
        assert_eq!(words("mé\u{ad}di\u{200b}co")[0].text, "médico");
        let both = |text: &str| words(text).iter().any(|word| word.both);
        for text in [
            "médico/a",
            "étudiant·e",
            "étudiant.e.s",
            "étudiant-e",
            "Lehrer*innen",
            "autor(a)",
        ] {
            assert!(both(text), "{text}");
        }
        for text in [
            "médico / a",
            "dit-elle",
            "fin. E poi",
            "casa (a)",
            "24/a",
            "torna-se",
            "A/a",
        ] {
            assert!(!both(text), "{text}");
        }
        assert!(words("el/la")[1].joined && !words("el / la")[1].joined);
        assert_eq!(distance(&words("a b c"), &words("a c d e")), 3);
    }
}
