//! Where each token stands in the text of its sentence, in characters.

use super::error::ReadError;
use super::sentence::SurfaceToken;

/// The tokens put together again, with a blank between them unless `SpaceAfter=No` forbids it.
pub(super) fn rebuild(tokens: &[SurfaceToken]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        text.push_str(&token.form);
        if token.space_after && index + 1 < tokens.len() {
            text.push(' ');
        }
    }
    text
}

/// Sets the offsets of every token by walking the text. Blanks are skipped on both sides, since
/// tools disagree on how many of them to keep; every other character must match, and none may be
/// left over: evidence that points at the wrong word is worse than none.
pub(super) fn locate(
    text: &str,
    tokens: &mut [SurfaceToken],
    line: usize,
) -> Result<(), ReadError> {
    let mut characters = text.chars().enumerate();
    let mut reached = 0;
    for token in tokens {
        let mut start = None;
        for wanted in token.form.chars().filter(|c| !c.is_whitespace()) {
            match characters.by_ref().find(|(_, c)| !c.is_whitespace()) {
                Some((offset, found)) if found == wanted => {
                    start.get_or_insert(offset);
                    reached = offset + 1;
                }
                _ => return Err(mismatch(line, &token.form)),
            }
        }
        token.start = start.unwrap_or(reached);
        token.end = reached;
    }
    let rest: String = characters.map(|(_, c)| c).collect();
    match rest.split_whitespace().next() {
        Some(word) => Err(mismatch(line, word)),
        None => Ok(()),
    }
}

fn mismatch(line: usize, word: &str) -> ReadError {
    ReadError::TextMismatch {
        line,
        word: word.to_owned(),
    }
}
