//! Answers in other languages: words that give a gender to whoever speaks or is spoken of. They decide only where all
//! of them agree.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use epicene_core::{Finding, Span, Verdict};

use super::super::lists::words as list;
use super::GENDERS;
use super::people::{Person, Scene};

/// Words that English text has many of.
const ENGLISH: [&str; 20] = [
    "the", "and", "of", "was", "he", "she", "his", "with", "that", "they", "said", "had", "not",
    "you", "their", "him", "them", "it", "for", "is",
];

/// Articles and endings of nouns for people: "la conductora", "die Bäckerin".
const NOUNS: [(&str, usize, &[&str]); 13] = [
    (
        "la",
        1,
        &[
            "ora", "era", "triz", "ista", "trice", "euse", "ière", "ère", "iera", "aia", "essa",
            "enne", "ienne",
        ],
    ),
    ("el", 0, &["or", "ero", "ista"]),
    ("le", 0, &["eur", "ier", "er", "iste", "ien"]),
    ("il", 0, &["tore", "aio", "iere", "ista", "ario"]),
    ("a", 1, &["ora", "eira", "ista"]),
    ("o", 0, &["or", "eiro", "ista"]),
    ("die", 1, &["in"]),
    ("der", 0, &["er", "or", "ist"]),
    ("une", 1, &["trice", "euse", "ière", "ère"]),
    ("una", 1, &["ora", "era", "trice", "iera"]),
    ("uma", 1, &["ora", "eira"]),
    ("eine", 1, &["in"]),
    ("ein", 0, &["er", "or"]),
];

/// Words that texts in other languages have many of, and English ones have not.
const OTHERS: [&str; 29] = [
    "es", "un", "una", "su", "se", "el", "la", "los", "est", "une", "le", "les", "sa", "ist",
    "und", "der", "die", "das", "ein", "eine", "il", "è", "uma", "um", "jest", "je", "и", "в",
    "na",
];

/// Whether a text is in another language than English.
pub fn is_foreign(scene: &Scene<'_>) -> bool {
    let count = |list: &[&str]| {
        let own = |word: &&crate::chat::reading::text::Word| list.contains(&word.lower.as_str());
        scene.words.iter().filter(own).count()
    };
    count(&OTHERS) >= 2 && count(&OTHERS) > count(&ENGLISH)
}

/// Verbs of saying that show no gender and come before who spoke.
const SAID: [&str; 14] = [
    "sagte",
    "flüsterte",
    "murmelte",
    "gestand",
    "dit",
    "murmura",
    "avoua",
    "dijo",
    "susurró",
    "confesó",
    "disse",
    "sussurrou",
    "mormorò",
    "sussurrò",
];

struct Lists {
    cues: [BTreeSet<&'static str>; 2],
    people: [BTreeSet<&'static str>; 2],
}

/// Within so many words from the beginning, a noun may be who the words are attributed to: "dijo el hombre".
const ATTRIBUTED: usize = 5;

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    cues: [list("masculine cues"), list("feminine cues")],
    people: [list("masculine people"), list("feminine people")],
});

/// `None` for English, or too few words to know.
pub fn read(scene: &Scene<'_>) -> Option<Verdict> {
    let words: Vec<&str> = scene.words.iter().map(|word| word.lower.as_str()).collect();
    let english = words.iter().filter(|word| ENGLISH.contains(word)).count();
    let foreign: Vec<(usize, Span)> = cues(scene, &words);
    // An English text has an English function word in every seven.
    if 7 * english >= words.len().max(2) {
        return None;
    }
    // "sagte sie, und ihr Mann lachte": the words that go on with the prompt's sentence say who spoke.
    let goes_on = scene.is_of_speaker() && scene.words.first().is_some_and(|word| !word.capital);
    let clause = (1..scene.words.len())
        .find(|place| scene.gap(*place).contains([',', '.', ';', '\n']))
        .map_or(u32::MAX, |place| scene.words[place].span.start);
    let own: Vec<(usize, Span)> = foreign
        .iter()
        .copied()
        .filter(|(_, span)| span.start < clause)
        .collect();
    let foreign = if goes_on && !own.is_empty() && clause < u32::MAX {
        own
    } else {
        foreign
    };
    let (first, _) = foreign.first()?;
    let same = foreign.iter().all(|(gender, _)| gender == first);
    let spans = foreign.iter().map(|(_, span)| *span);
    Some(if same {
        Verdict::new(GENDERS[*first], "other-language").with_evidence(spans)
    } else {
        Verdict::new(Finding::Unreadable, "conflict").with_evidence(spans)
    })
}

fn cues(scene: &Scene<'_>, words: &[&str]) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    for (place, word) in scene.words.iter().enumerate() {
        if word.quoted {
            continue;
        }
        // "dit-elle", "dit-il"
        let last = word.lower.rsplit('-').next().unwrap_or(&word.lower);
        for gender in [0, 1] {
            let il = gender == 0 && last == "il" && last != word.lower;
            let person = place > 0
                && place < ATTRIBUTED
                && (scene.is_of_speaker() || scene.is_profile())
                && scene.words[place].sentence == scene.words[0].sentence
                && LISTS.people[gender].contains(last);
            if il || person || LISTS.cues[gender].contains(last) {
                found.push((gender, word.span));
            }
        }
        // "sagte Anna leise"
        let named = (place == 1 && scene.is_of_speaker() && SAID.contains(&words[0]))
            .then(|| scene.people.iter().find(|one| one.from == 1))
            .flatten();
        if let Some(Person::Named(Some(gender))) = named.map(|one| one.person) {
            found.push((gender, word.span));
        }
        let next = words.get(place + 1).copied().unwrap_or("");
        for (article, gender, endings) in NOUNS {
            if words[place] == article
                && (place == 0 || scene.words[place - 1].sentence != word.sentence)
                && next.chars().count() > 4
                && endings.iter().any(|ending| next.ends_with(ending))
            {
                found.push((gender, scene.words[place + 1].span));
            }
        }
    }
    found
}
