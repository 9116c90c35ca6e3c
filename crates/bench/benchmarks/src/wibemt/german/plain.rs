//! A translation without ASCII punctuation, which is deleted and not replaced, and where its words stand in the
//! translation itself.

use epicene_core::Span;

pub struct Plain {
    pub text: String,
    /// The place of every character in the translation.
    places: Vec<usize>,
}

/// A word with its place in the translation.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl Plain {
    pub fn of(text: &str) -> Plain {
        let kept = text.chars().enumerate();
        let kept = kept.filter(|(_, c)| !c.is_ascii_punctuation());
        let (places, text) = kept.unzip();
        Plain { text, places }
    }

    /// Where bytes `start..end` of the plain text stand in the translation.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let before = self.text[..start].chars().count();
        let length = self.text[start..end].chars().count();
        match length {
            0 => Span::new(0, 0),
            _ => Span::new(self.places[before], self.places[before + length - 1] + 1),
        }
    }

    /// The words between the characters that `is_between` accepts; empty ones too.
    pub fn split(&self, is_between: impl Fn(char) -> bool) -> Vec<Word<'_>> {
        let mut words = Vec::new();
        let mut start = 0;
        let ends = self.text.match_indices(&is_between);
        let ends = ends.map(|(end, mark)| (end, mark.len()));
        for (end, mark) in ends.chain([(self.text.len(), 0)]) {
            words.push(Word {
                text: &self.text[start..end],
                span: self.span(start, end),
            });
            start = end + mark;
        }
        words
    }

    /// The words between white space.
    pub fn words(&self) -> Vec<Word<'_>> {
        let mut words = self.split(char::is_whitespace);
        words.retain(|word| !word.text.is_empty());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places() {
        let text = "„Die“ Ärztin, (sie) lacht.";
        let plain = Plain::of(text);
        let words: Vec<(&str, &str)> = plain
            .words()
            .iter()
            .map(|word| (word.text, word.span.of(text)))
            .collect();
        assert_eq!(words[1], ("Ärztin", "Ärztin"));
        assert_eq!(words[2], ("sie", "sie"));
        assert_eq!(words[3], ("lacht", "lacht"));
    }
}
