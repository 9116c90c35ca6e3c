//! Words split on white space, with their places: what rules that know no other words look at.

use epicene_core::Span;

/// What stands between white space, in characters.
pub fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = None;
    let mut length = 0;
    for (place, letter) in text.chars().enumerate() {
        length = place + 1;
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some(place),
            (true, Some(from)) => {
                spans.push(Span::new(from, place));
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| Span::new(from, length)));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_where_they_stand() {
        let text = " Ärztin  war da.";
        let words: Vec<&str> = spans(text).iter().map(|span| span.of(text)).collect();
        assert_eq!(words, ["Ärztin", "war", "da."]);
        assert_eq!(spans(text)[0], Span::new(1, 7));
    }
}
