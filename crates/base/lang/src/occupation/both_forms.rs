//! Words written for both genders at once: "Lehrer*in", "profesor/a", "étudiant·e·s".

/// Endings written behind a mark that make the other gender.
const ENDINGS: &[&str] = &[
    "in", "innen", "a", "as", "ora", "oras", "o", "os", "e", "es", "ne", "nes", "se", "euse",
    "euses", "trice", "trices", "ère", "ères", "ière", "ières", "ka", "ica", "kyně", "yně", "ė",
    "ка", "ница", "ша", "иця", "ниця", "иня", "іца", "ніца", "ית", "ת", "ה", "ة",
];

/// Endings behind a dot, which French writes, too: "étudiant.e.s"; or behind its hyphen: "agriculteur-trice".
const FRENCH: &[&str] = &[
    "e", "es", "ne", "nes", "se", "ses", "euse", "euses", "trice", "trices", "rice", "rices",
    "esse", "esses", "sse", "sses", "ive", "ives", "ve", "ves", "ère", "ères", "ière", "ières",
    "te", "tes",
];

/// Whether the word is the ending of another gender.
pub(crate) fn is_ending(word: &str) -> bool {
    ENDINGS.contains(&word)
}

/// Characters of the other form's ending, its mark included, at the start of `rest`; 0 if there is none. `dots` are marks
/// where words are elided, as in French.
pub(crate) fn ending(rest: &str, dots: bool) -> usize {
    let Some(mark) = rest.chars().next() else {
        return 0;
    };
    let known: &[&str] = match mark {
        _ if is_mark(mark) => ENDINGS,
        '.' if dots => FRENCH,
        _ => return 0,
    };
    let letters = &rest[mark.len_utf8()..];
    // "Lehrer/-innen"
    let hyphen = usize::from(mark == '/' && letters.starts_with('-'));
    let letters = &letters[hyphen..];
    let length = run(letters);
    // A capital behind a dot opens a sentence.
    let capital = mark == '.' && letters.starts_with(char::is_uppercase);
    if capital || !known.contains(&&*letters[..length].to_lowercase()) {
        return 0;
    }
    let after = &letters[length..];
    let closed = usize::from(mark == '(');
    if mark == '(' && !after.starts_with(')') {
        return 0;
    }
    // "étudiant·e·s"
    let plural = after.strip_prefix(mark).filter(|_| mark != '(');
    let plural = plural.is_some_and(|after| after.starts_with('s') && run(after) == 1);
    1 + hyphen + letters[..length].chars().count() + closed + 2 * usize::from(plural)
}

/// Whether a word, behind which `rest` stands, is written on for the other gender: "médico" before "/a", "étudiant" before
/// "·e", ".e" or "-e".
pub fn is_written_on(rest: &str) -> bool {
    if let Some(letters) = rest.strip_prefix('-') {
        // "-se" and "-ne" are pronouns elsewhere.
        return ["e", "es", "euse", "euses", "trice", "trices"].contains(&&letters[..run(letters)]);
    }
    ending(rest, true) > 0
}

/// Bytes of the letters at the start.
fn run(text: &str) -> usize {
    let end = text.find(|letter: char| !letter.is_alphabetic());
    end.unwrap_or(text.len())
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '*' | ':' | '_' | '/' | '(' | '·' | '•' | '⋅' | '‧')
}

/// The first form of a word that names both.
pub(crate) fn first(word: &str) -> Option<&str> {
    let at = word.find(|letter| is_mark(letter) || letter == '.')?;
    let whole = ending(&word[at..], true) == word[at..].chars().count();
    (at > 0 && whole).then(|| &word[..at])
}

/// "étudiant-e", "étudiant-e-s". In other languages such endings are pronouns ("chama-se").
pub(crate) fn has_french_hyphen(word: &str) -> bool {
    let word = word.strip_suffix("-s").unwrap_or(word);
    let rest = word.rsplit_once('-').map(|(_, rest)| rest);
    rest.is_some_and(|rest| FRENCH.contains(&rest))
}

/// "LehrerIn", "LehrerInnen".
pub(crate) fn is_binnen_i(word: &str) -> bool {
    let stem = word
        .strip_suffix("Innen")
        .or_else(|| word.strip_suffix("In"));
    stem.is_some_and(|stem| stem.ends_with(char::is_lowercase))
}
