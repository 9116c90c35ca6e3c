//! A text as people see it: letters composed, characters without a shape left out. The same words are written in several
//! ways, and two texts are compared word by word.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Soft hyphens, zero-width spaces and joiners, marks of direction, byte order marks.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The text in composed letters, without what cannot be seen.
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_nfc(text) && !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_invisible(*c)).nfc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_differently_is_seen_alike() {
        for written in [
            "me\u{301}dica",
            "m\u{e9}\u{ad}dica",
            "\u{200f}m\u{e9}di\u{200b}ca\u{feff}",
        ] {
            assert_eq!(visible(written), "m\u{e9}dica", "{written:?}");
        }
        assert!(matches!(visible("m\u{e9}dica"), Cow::Borrowed(_)));
    }
}
