//! The options of a question as probabilities: which tokens at the first answer position spell which option.
//!
//! The first answer position is the first generated token that is more than blanks, opening brackets, quotation
//! marks or markdown, after anything the model thought aloud. Models run here and servers that show their candidates
//! are read by the same rule.

/// Marks that may come before an option.
const BEFORE: &[char] = &[
    '"', '\'', '`', '*', '_', '#', '(', '[', '{', '<', '“', '„', '‘', '«', '-', '•', ':', 'Ġ', '▁',
    'Ċ',
];
/// Marks that may come after it.
const BEHIND: &[char] = &[
    '"', '\'', '`', '*', '_', ')', ']', '}', '>', '”', '“', '’', '»', '.', ',', ':', ';', '!',
];

/// One generated token with the candidates that the server listed for its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    pub token: String,
    /// Tokens as text, with their natural log-probabilities.
    pub candidates: Vec<(String, f64)>,
}

fn bare(token: &str) -> &str {
    let before = |c: char| c.is_whitespace() || BEFORE.contains(&c);
    let behind = |c: char| c.is_whitespace() || BEHIND.contains(&c);
    token.trim_start_matches(before).trim_end_matches(behind)
}

/// Whether a token only opens an answer: the option comes behind it.
pub fn is_opening(token: &str) -> bool {
    bare(token).is_empty()
}

/// The index of the option that a token begins. A single letter must be that letter in its own case; of longer options a
/// token may be the beginning, if it is long enough to be that of one option alone.
pub fn option_of_token(token: &str, options: &[String]) -> Option<usize> {
    let token = bare(token);
    if token.is_empty() {
        return None;
    }
    if let Some(index) = options.iter().position(|option| bare(option) == token) {
        return Some(index);
    }
    let lower = token.to_lowercase();
    if lower.chars().count() < 2 {
        return None;
    }
    let begins = |option: &String| bare(option).to_lowercase().starts_with(&lower);
    let mut found = (0..options.len()).filter(|index| begins(&options[*index]));
    match (found.next(), found.next()) {
        (Some(index), None) => Some(index),
        _ => None,
    }
}

/// The natural log-probability of each option at the first answer position; `None` where no token of it was shown.
/// `None` altogether where no position is an answer's.
pub fn option_log_probabilities(
    positions: &[Position],
    options: &[String],
) -> Option<Vec<Option<f64>>> {
    let thought = positions
        .iter()
        .rposition(|position| position.token.contains("</think>"))
        .map_or(0, |index| index + 1);
    let thinking = thought == 0 && spells(positions, "<think>");
    let answer = positions[thought..]
        .iter()
        .find(|position| !is_opening(&position.token))
        .filter(|_| !thinking)?;
    let mut sums = vec![0.0; options.len()];
    for (token, log_probability) in &answer.candidates {
        if let Some(index) = option_of_token(token, options) {
            sums[index] += log_probability.exp();
        }
    }
    let logarithm = |sum: f64| (sum > 0.0).then(|| sum.ln().min(0.0));
    Some(sums.into_iter().map(logarithm).collect())
}

/// Whether the tokens begin with a text.
fn spells(positions: &[Position], text: &str) -> bool {
    let mut begin = String::new();
    for position in positions {
        begin += &position.token;
        if begin.trim_start().len() >= text.len() {
            break;
        }
    }
    begin.trim_start().starts_with(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn position(token: &str, candidates: &[(&str, f64)]) -> Position {
        Position {
            token: token.to_owned(),
            candidates: candidates
                .iter()
                .map(|(token, p)| ((*token).to_owned(), p.ln()))
                .collect(),
        }
    }

    #[test]
    fn letters_are_found_in_their_dress() {
        let letters = options(&["A", "B", "C"]);
        for (token, expected) in [
            ("A", Some(0)),
            (" B", Some(1)),
            ("(C", Some(2)),
            ("**B**", Some(1)),
            ("C.", Some(2)),
            ("ĠA", Some(0)),
            ("a", None),
            ("An", None),
            ("Answer", None),
            ("(", None),
            ("", None),
        ] {
            assert_eq!(option_of_token(token, &letters), expected, "{token:?}");
        }
        assert!(is_opening(" (") && is_opening("**") && is_opening("\n") && !is_opening("A"));
    }

    #[test]
    fn words_are_found_by_their_beginning() {
        let words = options(&["man", "woman", "cannot be told"]);
        for (token, expected) in [
            ("man", Some(0)),
            (" Woman", Some(1)),
            ("wo", Some(1)),
            ("cann", Some(2)),
            ("Cannot", Some(2)),
            ("m", None),
            ("mankind", None),
            ("The", None),
        ] {
            assert_eq!(option_of_token(token, &words), expected, "{token:?}");
        }
    }

    #[test]
    fn spellings_add_up_at_the_first_answer_position() {
        let letters = options(&["A", "B", "C"]);
        let found = option_log_probabilities(
            &[
                position("(", &[("(", 0.9), ("A", 0.1)]),
                position("B", &[("B", 0.5), (" B", 0.25), ("A", 0.125), ("x", 0.125)]),
            ],
            &letters,
        )
        .unwrap();
        assert!((found[0].unwrap().exp() - 0.125).abs() < 1e-12);
        assert!((found[1].unwrap().exp() - 0.75).abs() < 1e-12);
        assert_eq!(found[2], None);
    }

    #[test]
    fn thoughts_are_no_answer() {
        let letters = options(&["A", "B", "C"]);
        let thought = |token: &str| position(token, &[("A", 1.0)]);
        let answer = position("C", &[("C", 1.0)]);
        let positions = [
            thought("<think>"),
            thought("A"),
            thought("</think>"),
            answer,
        ];
        let found = option_log_probabilities(&positions, &letters).unwrap();
        assert_eq!(found, [None, None, Some(0.0)]);
        assert_eq!(option_log_probabilities(&positions[..2], &letters), None);
        let split = [thought("<th"), thought("ink"), thought(">"), thought("A")];
        assert_eq!(option_log_probabilities(&split, &letters), None);
        assert_eq!(option_log_probabilities(&[], &letters), None);
    }
}
