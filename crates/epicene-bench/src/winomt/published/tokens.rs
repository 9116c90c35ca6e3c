//! The simple tokeniser: white space, then punctuation peeled off both ends.

/// Words and punctuation marks of a text, in order.
pub fn simple_tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in text.split_whitespace() {
        let is_mark = |c: char| !c.is_alphanumeric();
        let body = word.trim_start_matches(is_mark);
        let lead = word.len() - body.len();
        let body = body.trim_end_matches(is_mark);
        tokens.extend(marks(&word[..lead]));
        if !body.is_empty() {
            tokens.push(body);
        }
        tokens.extend(marks(&word[lead + body.len()..]));
    }
    tokens
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
        assert_eq!(
            simple_tokens("Die Ärztin, (sie) kam... l'eau"),
            [
                "Die", "Ärztin", ",", "(", "sie", ")", "kam", ".", ".", ".", "l'eau"
            ]
        );
        assert_eq!(simple_tokens(" - "), ["-"]);
    }
}
