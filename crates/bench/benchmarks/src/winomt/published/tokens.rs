//! The simple tokeniser: white space, then punctuation peeled off both ends.

use epicene_core::Span;
use epicene_lang::words;

/// A word or punctuation mark with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// Words and punctuation marks of a text, in order.
pub fn placed_tokens(text: &str) -> Vec<Token<'_>> {
    let words = text.split_whitespace().zip(words::spans(text));
    words
        .flat_map(|(word, span)| within(word, span, peeled))
        .collect()
}

/// The parts of a word, which stand in it one after the other.
pub fn within<'a>(
    word: &'a str,
    span: Span,
    parts: impl Fn(&'a str) -> Vec<&'a str>,
) -> Vec<Token<'a>> {
    let mut start = span.start;
    parts(word)
        .into_iter()
        .map(|text| {
            let end = start + text.chars().count() as u32;
            let span = Span { start, end };
            start = end;
            Token { text, span }
        })
        .collect()
}

/// A word without the marks around it, which stand by themselves.
pub fn peeled(word: &str) -> Vec<&str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let body = word.trim_start_matches(is_mark);
    let lead = word.len() - body.len();
    let body = body.trim_end_matches(is_mark);
    let body_alone = (!body.is_empty()).then_some(body);
    marks(&word[..lead])
        .chain(body_alone)
        .chain(marks(&word[lead + body.len()..]))
        .collect()
}

/// Every mark by itself.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices()
        .map(|(start, c)| &text[start..start + c.len_utf8()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_peeled_off() {
        let text = "Die Ärztin, (sie) kam... l'eau";
        let words = [
            "Die", "Ärztin", ",", "(", "sie", ")", "kam", ".", ".", ".", "l'eau",
        ];
        let texts =
            |text| -> Vec<&str> { placed_tokens(text).iter().map(|token| token.text).collect() };
        assert_eq!(texts(text), words);
        assert_eq!(texts(" - "), ["-"]);
        for token in placed_tokens(text) {
            assert_eq!(token.span.of(text), token.text);
        }
    }
}
