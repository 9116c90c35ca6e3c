//! Text as Python's `str` and `re` see it: the published scripts split and trim by these definitions.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// `str.isspace`: Unicode's white space and the four separators of ASCII.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.split()`.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|piece| !piece.is_empty())
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `\w` of `re`: letters, numbers and the underscore; marks are none.
pub fn is_word(c: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber,
        TitlecaseLetter, UppercaseLetter,
    };
    c == '_'
        || matches!(
            c.general_category(),
            UppercaseLetter
                | LowercaseLetter
                | TitlecaseLetter
                | ModifierLetter
                | OtherLetter
                | DecimalNumber
                | LetterNumber
                | OtherNumber
        )
}

/// Lines as text files are read: LF, CR LF and CR end one, nothing else does. A last end opens no further line.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut left = text;
    while !left.is_empty() {
        let Some(end) = left.find(['\n', '\r']) else {
            lines.push(left);
            break;
        };
        lines.push(&left[..end]);
        let wide = left[end..].starts_with("\r\n");
        left = &left[end + if wide { 2 } else { 1 }..];
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_words_and_lines_are_pythons() {
        let pieces: Vec<&str> = split("a\u{a0}b\u{1c}c\u{202f}d\u{200b}e ").collect();
        assert_eq!(pieces, ["a", "b", "c", "d\u{200b}e"]);
        assert!(is_word('é') && is_word('½') && is_word('_') && is_word('ª'));
        assert!(!is_word('\u{301}') && !is_word('’') && !is_word('-'));
        assert_eq!(lines("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
        assert_eq!(lines("a\u{2028}b\n"), ["a\u{2028}b"]);
        assert_eq!(lines("\n\n"), ["", ""]);
    }
}
