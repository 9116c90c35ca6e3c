//! Pairs of texts through a server: every token of either text with its log-probability, as `echo` gives them.

use epicene_core::{TextPairScore, TextScore};

use super::protocol::{Choice, spells_but_for_split};
use epicene_engine::{divergence, text_score};

/// Log-probabilities further apart belong to different tokens.
const SAME: f64 = 1e-4;

/// A token as a server lists it. Parts of a character have no spelling on some; then its probability tells it apart.
#[derive(Debug, Clone)]
pub(super) struct Token {
    text: String,
    log_probability: Option<f64>,
}

impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        let near = match (self.log_probability, other.log_probability) {
            (Some(one), Some(other)) => (one - other).abs() < SAME,
            (one, other) => one.is_none() && other.is_none(),
        };
        self.text == other.text && (near || !self.text.is_empty())
    }
}

/// The tokens of a text in a reply, without the one that was generated behind it.
pub(super) fn tokens(reply: &Choice, text: &str) -> Result<Vec<Token>, String> {
    let all: Vec<Token> = reply
        .tokens()?
        .into_iter()
        .map(|(text, log_probability)| Token {
            text,
            log_probability,
        })
        .collect();
    let without_last = &all[..all.len().saturating_sub(1)];
    let spelling = [without_last, &all[..]]
        .into_iter()
        .find(|tokens| spells(tokens, text));
    spelling.map(<[Token]>::to_vec).ok_or_else(|| {
        "its tokens do not spell the text that was sent; does the server honour `echo`?".to_owned()
    })
}

/// Whether tokens spell a text; characters that are split over tokens may be missing, and something invisible may
/// stand in front.
fn spells(tokens: &[Token], text: &str) -> bool {
    let tokens = match tokens.split_first() {
        Some((first, rest))
            if first.log_probability.is_none() && !text.starts_with(first.text.trim_start()) =>
        {
            rest
        }
        _ => tokens,
    };
    let mut spelled: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    let Some(first) = spelled.first_mut() else {
        return false;
    };
    // Some tokenizers put a blank before the first word.
    if !text.starts_with(*first) {
        *first = first.trim_start();
    }
    spells_but_for_split(&spelled, text)
}

/// The sums of both texts.
pub(super) fn score(masculine: &[Token], feminine: &[Token]) -> Result<TextPairScore, String> {
    let (relation, start) = divergence(masculine, feminine);
    Ok(TextPairScore {
        relation,
        masculine: sums(masculine, start)?,
        feminine: sums(feminine, start)?,
    })
}

fn sums(tokens: &[Token], start: usize) -> Result<TextScore, String> {
    let mut values = Vec::with_capacity(tokens.len());
    for token in tokens.iter().skip(1) {
        match token.log_probability.filter(|value| value.is_finite()) {
            Some(value) => values.push(value),
            None => return Err(format!("the token `{}` has no log-probability", token.text)),
        }
    }
    let region = values.get(start - 1..).unwrap_or_default();
    let before = values[..(start - 1).min(values.len())].iter().sum();
    text_score(tokens.len(), region, Some(before))
        .ok_or_else(|| "a text has no token that could be scored".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(tokens: &[(&str, Option<f64>)]) -> Choice {
        let (texts, values): (Vec<_>, Vec<_>) = tokens.iter().copied().unzip();
        let choice = serde_json::json!({"logprobs": {"tokens": texts, "token_logprobs": values}});
        serde_json::from_value(choice).unwrap()
    }

    #[test]
    fn pairs_are_scored_from_where_they_part() {
        let he = reply(&[
            ("<s>", None),
            ("I", Some(-1.0)),
            (" ran", Some(-2.0)),
            (" he", Some(-3.0)),
            (".", Some(-9.0)),
        ]);
        let she = reply(&[
            ("<s>", None),
            ("I", Some(-1.0)),
            (" ran", Some(-2.0)),
            (" s", Some(-4.0)),
            ("he", Some(-0.5)),
            (".", Some(-9.0)),
        ]);
        let (he, she) = (
            tokens(&he, "I ran he").unwrap(),
            tokens(&she, "I ran she").unwrap(),
        );
        let pair = score(&he, &she).unwrap();
        assert_eq!((pair.masculine.region, pair.masculine.scored), (-3.0, 1));
        assert_eq!((pair.feminine.region, pair.feminine.scored), (-4.5, 2));
        assert_eq!(pair.masculine.whole, Some(-6.0));
        assert_eq!((pair.masculine.tokens, pair.feminine.tokens), (4, 5));
    }

    #[test]
    fn characters_split_over_tokens_may_be_missing() {
        let split = reply(&[
            ("My", None),
            (" ", Some(-1.0)),
            ("", Some(-1.0)),
            ("", Some(-2.0)),
            ("ena", Some(-1.0)),
            ("!", Some(-1.0)),
        ]);
        assert_eq!(tokens(&split, "My žena").unwrap().len(), 5);
        assert!(tokens(&split, "My cat").is_err());
        assert!(tokens(&reply(&[(" said", Some(-1.0))]), "I ran").is_err());
    }
}
