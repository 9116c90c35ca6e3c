//! Writing that names both genders: "Lehrer*in", "profesor/a", "Tänzerin oder Tänzer", "le ou la juge", "Arzt (m/w/d)".

use super::lexicon::Role;
use super::sentence::Sentence;

/// Endings written behind a mark that make the other gender.
const ENDINGS: &[&str] = &[
    "in", "innen", "a", "as", "ora", "oras", "o", "os", "e", "es", "ne", "nes", "se", "euse",
    "euses", "trice", "trices", "ère", "ères", "ière", "ières", "ka", "ica", "kyně", "yně", "ė",
    "ка", "ница", "ша", "иця", "ниця", "иня", "іца", "ніца", "ית", "ת", "ה", "ة",
];

/// "or" between two forms; the second one may stand in brackets.
const OR: &[&str] = &[
    "/",
    "(",
    "oder",
    "bzw",
    "beziehungsweise",
    "o",
    "ou",
    "u",
    "oppure",
    "sau",
    "ori",
    "ή",
    "или",
    "або",
    "ці",
    "чи",
    "abo",
    "lub",
    "albo",
    "alebo",
    "ali",
    "nebo",
    "či",
    "ili",
    "arba",
    "ar",
    "vai",
    "או",
    "أو",
    "या",
    "یا",
];

/// Characters of the other form's ending, its mark included, at the start of `rest`; 0 if there
/// is none.
pub(crate) fn ending(rest: &str) -> usize {
    let Some(mark) = rest.chars().next().filter(|mark| is_mark(*mark)) else {
        return 0;
    };
    let letters = &rest[mark.len_utf8()..];
    let length = letters
        .find(|letter: char| !letter.is_alphabetic())
        .unwrap_or(letters.len());
    let run = letters[..length].to_lowercase();
    if !ENDINGS.contains(&run.as_str()) {
        return 0;
    }
    let closed = letters[length..].starts_with(')');
    match (mark, closed) {
        ('(', true) => letters[..length].chars().count() + 2,
        ('(', false) => 0,
        _ => letters[..length].chars().count() + 1,
    }
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '*' | ':' | '_' | '/' | '(')
}

/// The first form of a word that names both.
pub(crate) fn first(word: &str) -> Option<&str> {
    word.find(is_mark)
        .filter(|&at| at > 0)
        .map(|at| &word[..at])
}

/// Whether the noun is written in both forms, both articles stand before it, or its other form beside it.
pub(crate) fn named(sentence: &Sentence, at: usize, occupation: Option<u16>) -> bool {
    let or = |place: Option<usize>| place.is_some_and(|place| OR.contains(&sentence.word(place)));
    let article = |place: Option<usize>| {
        place.is_some_and(|place| matches!(sentence.role(place), Some(Role::Determiner(_))))
    };
    let right = |distance| Some(at + distance);
    let left = |distance| at.checked_sub(distance);
    // "o" is "or" in Spanish, an article in Portuguese.
    let articles = article(left(1))
        && or(left(2))
        && !article(left(2))
        && article(left(3))
        && left(1).map(|place| sentence.word(place)) != left(3).map(|place| sentence.word(place));
    if first(sentence.word(at)).is_some() || articles || is_for_all(sentence, at + 1) {
        return true;
    }
    let Some(own) = sentence
        .noun(at, occupation)
        .and_then(|noun| noun.genders.single())
    else {
        return false;
    };
    let other = |place: Option<usize>| {
        let noun = place.and_then(|place| sentence.noun(place, occupation));
        let gender = noun
            .filter(|noun| noun.translates)
            .and_then(|noun| noun.genders.single());
        gender.is_some_and(|gender| gender != own)
    };
    // "(o el médico)": a bracket and the word.
    let after = 1 + usize::from(or(right(1)) && or(right(2)));
    let before = 1 + usize::from(article(left(1)));
    let far = before + usize::from(or(left(before)) && or(left(before + 1)));
    or(right(after))
        && (other(right(after + 1)) || article(right(after + 1)) && other(right(after + 2)))
        || or(left(far)) && other(left(far + 1))
}

/// "(m/w/d)", "(m/f)": single letters between slashes, in brackets.
fn is_for_all(sentence: &Sentence, at: usize) -> bool {
    let letter = |place: usize| sentence.word(place).chars().count() == 1;
    sentence.word(at) == "("
        && letter(at + 1)
        && sentence.word(at + 2) == "/"
        && letter(at + 3)
        && matches!(sentence.word(at + 4), ")" | "/")
}
