//! An answer as words, each with its place in characters, its sentence, and whether it stands inside a quotation:
//! what all readers ask before they believe a word.

use epicene_core::Span;

use super::lists::Phrases;
use super::markup;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// In lower case, apostrophes straight.
    pub lower: String,
    pub span: Span,
    /// Whether it begins with a capital.
    pub capital: bool,
    /// Whether every letter is a capital.
    pub capitals: bool,
    pub quoted: bool,
    pub sentence: usize,
    /// The character before it and the one behind it; a blank at the ends.
    pub before: char,
    pub behind: char,
    /// Whether it is struck through, so that the answer takes it back.
    pub struck: bool,
    /// Whether it is printed bold.
    pub bold: bool,
}

/// The words of a text from a byte on; places are those of the whole text.
pub fn words(text: &str, from: usize) -> Vec<Word> {
    let offset = text[..from].chars().count();
    let mut characters: Vec<char> = text[from..].chars().collect();
    let marks = markup::marks(&mut characters);
    let inside = |place: usize| -> bool {
        let c = characters[place];
        if c.is_alphanumeric() {
            return true;
        }
        let at = |place: Option<usize>| place.and_then(|place| characters.get(place));
        let letter = |place: Option<usize>| at(place).is_some_and(|c| c.is_alphanumeric());
        let digit = |place: Option<usize>| at(place).is_some_and(char::is_ascii_digit);
        match c {
            // An apostrophe or a hyphen between letters belongs to the word.
            '\'' | '’' | '-' | '‑' => letter(place.checked_sub(1)) && letter(Some(place + 1)),
            '.' | ',' => digit(place.checked_sub(1)) && digit(Some(place + 1)),
            // Marks that combine with the letter before: accents, strokes, Arabic and Indic signs.
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{963}' => place > 0,
            _ => false,
        }
    };
    let mut words = Vec::new();
    let (mut sentence, mut quoted) = (0, begins_quoted(&characters));
    let mut place = 0;
    while place < characters.len() {
        let symbol = markup::is_symbol(&characters, place);
        if symbol || inside(place) {
            let start = place;
            place += 1;
            while !symbol
                && place < characters.len()
                && inside(place)
                && !markup::is_symbol(&characters, place)
                && !is_unspaced(characters[place])
                && !is_unspaced(characters[place - 1])
                && !(characters[place - 1].is_ascii_alphanumeric() && is_hangul(characters[place]))
            {
                place += 1;
            }
            let word: String = markup::plain(&characters[start..place]);
            let at = |place: Option<usize>| {
                let found = place.and_then(|place| characters.get(place));
                found.copied().unwrap_or(' ')
            };
            words.push(Word {
                lower: word.to_lowercase().replace('’', "'").replace('‑', "-"),
                span: Span::new(offset + start, offset + place),
                capital: word.starts_with(char::is_uppercase),
                capitals: word.chars().all(char::is_uppercase),
                quoted,
                sentence,
                before: at(start.checked_sub(1)),
                behind: at(Some(place)),
                struck: marks[start].struck,
                bold: marks[start].bold,
            });
            continue;
        }
        match characters[place] {
            '“' | '„' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '"' => quoted = !quoted,
            '.' if ends_title(&words, offset + place) => {}
            '.' | '!' | '?' | '।' | '؟' | '…' | '。' | '！' | '？' | '۔' => sentence += 1,
            '\n' => {
                sentence += 1;
                // A quotation that was never closed ends with its paragraph.
                quoted = quoted && characters.get(place + 1) != Some(&'\n');
            }
            _ => {}
        }
        place += 1;
    }
    words
}

/// Whether a character is of a script without blanks between words: each is a word of its own.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Whether a character is Korean: its endings follow a letter without a blank, as in "C입니다".
fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a text begins inside a quotation, which its first quotation mark ends: `I can't," she said.`
fn begins_quoted(characters: &[char]) -> bool {
    let Some(first) = characters.iter().position(|c| matches!(c, '"' | '”' | '“')) else {
        return false;
    };
    let before = first.checked_sub(1).map(|place| characters[place]);
    let behind = characters.get(first + 1);
    let closes = characters[first] == '”'
        || characters[first] == '"' && characters.iter().filter(|c| **c == '"').count() % 2 == 1;
    closes
        && before.is_some_and(|c| matches!(c, ',' | '.' | '!' | '?' | '…'))
        && behind.is_some_and(|c| *c == ' ')
}

/// Whether a full stop at a place only shortens a title: "Mr. Brown".
fn ends_title(words: &[Word], place: usize) -> bool {
    words.last().is_some_and(|word| {
        let title = matches!(word.lower.as_str(), "mr" | "mrs" | "ms" | "dr" | "prof");
        title && word.capital && word.span.end as usize == place
    })
}

/// How many words a phrase takes that begins at this one. `*` is any one word or none.
pub fn length(words: &[Word], start: usize, phrase: &[String]) -> Option<usize> {
    let Some((wanted, rest)) = phrase.split_first() else {
        return Some(0);
    };
    let word = words.get(start);
    if wanted == "*" {
        let with = word.and_then(|_| length(words, start + 1, rest));
        return with
            .map(|count| count + 1)
            .or_else(|| length(words, start, rest));
    }
    word.filter(|word| word.lower == *wanted)?;
    Some(length(words, start + 1, rest)? + 1)
}

/// How many words the longest of the phrases takes that begins at this word.
pub fn longest(words: &[Word], start: usize, phrases: &Phrases) -> Option<usize> {
    let lengths = phrases.iter();
    lengths
        .filter_map(|phrase| length(words, start, phrase))
        .max()
}

/// The span of a phrase that begins at this word.
pub fn at(words: &[Word], start: usize, phrases: &Phrases) -> Option<Span> {
    let length = longest(words, start, phrases).filter(|length| *length > 0)?;
    Some(span(words, start, start + length))
}

/// The span of words from one up to another.
pub fn span(words: &[Word], from: usize, to: usize) -> Span {
    let (first, last) = (words[from].span, words[to - 1].span);
    Span {
        start: first.start,
        end: last.end,
    }
}

/// The number of words of the longest phrase that ends right before this word.
pub fn ends_before(words: &[Word], place: usize, phrases: &Phrases) -> Option<usize> {
    let lengths = phrases.iter().filter_map(|phrase| {
        let start = place.checked_sub(phrase.len())?;
        (length(words, start, phrase)? == phrase.len()).then_some(phrase.len())
    });
    lengths.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_places_sentences_and_quotations() {
        let text = "Ĝi: “I’m he,” she said. Then?";
        let words = words(text, 0);
        let seen: Vec<(&str, bool, usize)> = words
            .iter()
            .map(|word| (word.span.of(text), word.quoted, word.sentence))
            .collect();
        assert_eq!(
            seen,
            [
                ("Ĝi", false, 0),
                ("I’m", true, 0),
                ("he", true, 0),
                ("she", false, 0),
                ("said", false, 0),
                ("Then", false, 1),
            ]
        );
        assert_eq!(words[1].lower, "i'm");
    }
}
