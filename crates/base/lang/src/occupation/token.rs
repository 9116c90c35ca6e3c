//! Words of a sentence as judge and aligner see them.
//!
//! Words are runs of letters, digits, marks and inner hyphens, dots or apostrophes; every other
//! character that is not white space is a word of its own. Languages with elision ("l'éditeur")
//! end a word after the apostrophe.

use super::both_forms;

/// A word with its place in the text, counted in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub start: usize,
    pub end: usize,
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ' | '‘' | '`' | '´')
}

/// Marks that combine with a letter: Hebrew points, Arabic vowels, Indic vowel signs, accents.
fn is_mark(letter: char) -> bool {
    matches!(letter as u32,
        0x0300..=0x036F | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670
        | 0x06D6..=0x06ED | 0x0900..=0x0903 | 0x093A..=0x094F | 0x0951..=0x0957 | 0x0962..=0x0963
        | 0x200C | 0x200D | 0x0640)
}

/// Shows nothing and divides nothing: soft hyphen, zero-width space, word joiner, byte order mark.
fn is_invisible(letter: char) -> bool {
    matches!(letter as u32, 0x00AD | 0x200B | 0x2060 | 0xFEFF)
}

fn is_word(letter: char) -> bool {
    match letter as u32 {
        0x00..=0x7F => letter.is_ascii_alphanumeric(),
        // Letters of the scripts at hand, without a look into the tables.
        0x0386 | 0x0388..=0x03CE | 0x0400..=0x0481 | 0x05D0..=0x05EA | 0x0620..=0x064A => true,
        0x0904..=0x094D | 0x0671..=0x06D3 => true,
        _ => letter.is_alphanumeric() || is_mark(letter) || is_invisible(letter),
    }
}

/// Joins two letters into one word: hyphens, the Catalan middle dot, Hebrew gershayim.
fn is_joint(letter: char) -> bool {
    matches!(letter, '-' | '‐' | '‑' | '·' | '•' | '״' | '׳' | '"')
}

pub(crate) fn tokens(text: &str, elision: bool) -> Vec<Token> {
    let mut found = Vec::with_capacity(text.len() / 5 + 2);
    let mut letters = text.char_indices().enumerate().peekable();
    while let Some((position, (byte, letter))) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        let mut end = (position + 1, byte + letter.len_utf8());
        if is_word(letter) {
            while let Some(&(next, (at, letter))) = letters.peek() {
                if is_word(letter) {
                    end = (next + 1, at + letter.len_utf8());
                    letters.next();
                    continue;
                }
                let other_form = if next - position >= 3 {
                    both_forms::ending(&text[at..], elision)
                } else {
                    0
                };
                if other_form > 0 {
                    for _ in 0..other_form {
                        if let Some((next, (at, letter))) = letters.next() {
                            end = (next + 1, at + letter.len_utf8());
                        }
                    }
                    break;
                }
                let in_place = if next - position >= 3 {
                    in_place(&text[at..])
                } else {
                    0
                };
                let emphasised = text[..byte].ends_with(letter);
                if in_place > 0 && !emphasised {
                    for _ in 0..in_place {
                        if let Some((next, (at, letter))) = letters.next() {
                            end = (next + 1, at + letter.len_utf8());
                        }
                    }
                    break;
                }
                let after = text[at + letter.len_utf8()..].chars().next();
                let inside = after.is_some_and(is_word);
                if is_apostrophe(letter) {
                    if elision && inside {
                        end = (next + 1, at + letter.len_utf8());
                        letters.next();
                        break;
                    }
                    if !inside {
                        break;
                    }
                    end = (next + 1, at + letter.len_utf8());
                    letters.next();
                } else if inside && is_joint(letter) && (letter != '"' || is_hebrew(text, at)) {
                    end = (next + 1, at + letter.len_utf8());
                    letters.next();
                } else {
                    break;
                }
            }
        }
        let mut word = text[byte..end.1].to_owned();
        if !word.is_ascii() && word.contains(is_invisible) {
            word.retain(|letter| !is_invisible(letter));
        }
        if !word.is_empty() {
            found.push(Token {
                text: word,
                start: position,
                end: end.0,
            });
        }
    }
    found
}

/// Characters of a sign that stands where a word's ending would, with the plural's s behind it: "trabalhador@s", "lavorator*".
fn in_place(rest: &str) -> usize {
    let mut letters = rest.chars();
    if !matches!(letters.next(), Some('@' | '*')) {
        return 0;
    }
    let length = 1 + usize::from(letters.clone().next() == Some('s'));
    let ends = letters
        .nth(length - 1)
        .is_none_or(|letter| !letter.is_alphanumeric() && !matches!(letter, '*' | '@'));
    if ends { length } else { 0 }
}

/// A straight double quote stands for gershayim inside Hebrew abbreviations only.
fn is_hebrew(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_some_and(|letter| matches!(letter as u32, 0x05D0..=0x05EA))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_divides_no_word() {
        let words = tokens("Die Kranken\u{AD}schwester\u{200B} \u{AD} kam.", false);
        let words: Vec<(&str, usize, usize)> = words
            .iter()
            .map(|word| (&*word.text, word.start, word.end))
            .collect();
        assert_eq!(
            words,
            [
                ("Die", 0, 3),
                ("Krankenschwester", 4, 22),
                ("kam", 25, 28),
                (".", 28, 29)
            ]
        );
    }

    fn words(text: &str, elision: bool) -> Vec<String> {
        tokens(text, elision)
            .into_iter()
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn punctuation_is_split_off_and_elided_articles_are_words() {
        assert_eq!(
            words("L’éditeur, là.", true),
            ["L’", "éditeur", ",", "là", "."]
        );
        assert_eq!(words("Пам'ять є.", false), ["Пам'ять", "є", "."]);
        assert_eq!(words("IT-Chef (neu)", false), ["IT-Chef", "(", "neu", ")"]);
        assert_eq!(words("המנכ\"ל אמר", false), ["המנכ\"ל", "אמר"]);
        assert_eq!(words("dit \"oui\"", true), ["dit", "\"", "oui", "\""]);
        assert_eq!(
            words("Lehrer*in, profesor/a (und/oder) Autor(in)", false),
            [
                "Lehrer*in",
                ",",
                "profesor/a",
                "(",
                "und",
                "/",
                "oder",
                ")",
                "Autor(in)"
            ]
        );
        assert_eq!(
            words(
                "l'étudiant·e, étudiant.e.s agriculteur-trices dit-elle. Et",
                true
            ),
            [
                "l'",
                "étudiant·e",
                ",",
                "étudiant.e.s",
                "agriculteur-trices",
                "dit-elle",
                ".",
                "Et"
            ]
        );
        assert_eq!(words("col·lega Lehrer/-innen", false).len(), 2);
        assert_eq!(words("", true), Vec::<String>::new());
    }

    #[test]
    fn spans_count_characters() {
        let found = tokens("Ärztin ist da", false);
        assert_eq!((found[1].start, found[1].end), (7, 10));
    }
}
