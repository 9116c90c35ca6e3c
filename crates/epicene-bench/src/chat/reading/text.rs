//! An answer as words, each with its place in characters, its sentence, and whether it stands inside a quotation:
//! what all readers ask before they believe a word.

use epicene_core::Span;

use super::lists::Phrases;

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
}

/// The words of a text from a byte on; places are those of the whole text.
pub fn words(text: &str, from: usize) -> Vec<Word> {
    let offset = text[..from].chars().count();
    let characters: Vec<char> = text[from..].chars().collect();
    let inside = |place: usize| -> bool {
        let c = characters[place];
        if c.is_alphanumeric() {
            return true;
        }
        // An apostrophe or a hyphen between letters belongs to the word.
        let joins = matches!(c, '\'' | '’' | '-' | '‑');
        let letter = |place: Option<usize>| {
            place
                .and_then(|place| characters.get(place))
                .is_some_and(|c| c.is_alphanumeric())
        };
        joins && letter(place.checked_sub(1)) && letter(Some(place + 1))
    };
    let mut words = Vec::new();
    let (mut sentence, mut quoted) = (0, false);
    let mut place = 0;
    while place < characters.len() {
        if inside(place) {
            let start = place;
            while place < characters.len() && inside(place) {
                place += 1;
            }
            let word: String = characters[start..place].iter().collect();
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
            });
            continue;
        }
        match characters[place] {
            '“' | '„' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '"' => quoted = !quoted,
            '.' | '!' | '?' => sentence += 1,
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

/// The span of a phrase that begins at this word.
pub fn at(words: &[Word], start: usize, phrases: &Phrases) -> Option<Span> {
    let fits = |phrase: &&Vec<String>| {
        let here = words.get(start..start + phrase.len());
        here.is_some_and(|here| {
            here.iter()
                .zip(*phrase)
                .all(|(word, wanted)| word.lower == *wanted)
        })
    };
    let longest = phrases.iter().filter(fits).map(Vec::len).max()?;
    let (first, last) = (words[start].span, words[start + longest - 1].span);
    Some(Span {
        start: first.start,
        end: last.end,
    })
}

/// Whether one of the phrases ends right before this word.
pub fn ends_before(words: &[Word], place: usize, phrases: &Phrases) -> bool {
    phrases.iter().any(|phrase| {
        let Some(start) = place.checked_sub(phrase.len()) else {
            return false;
        };
        words[start..place]
            .iter()
            .zip(phrase)
            .all(|(word, wanted)| word.lower == *wanted)
    })
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
