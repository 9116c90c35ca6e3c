//! Spanish, French, Italian: the most frequent gender of the aligned words, from a tagger's file or, without one, from
//! the articles alone.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile, Verdict};

use super::{Aligned, predicted};
use crate::winomt::prediction::Prediction;

/// Lines token, gender (male, female, neutral; empty for none).
pub fn tags(file: &TextFile) -> Result<BTreeMap<String, Prediction>, InputError> {
    let mut genders = BTreeMap::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        if line.is_empty() || (number == 1 && line.starts_with("token\t")) {
            continue;
        }
        let complain = |message: &str| InputError::new(&file.path, message).at_line(number);
        let (token, gender) = line
            .split_once('\t')
            .ok_or_else(|| complain("expected a token, a tab and its gender"))?;
        let gender = match gender
            .split('\t')
            .next()
            .unwrap_or("")
            .trim()
            .to_lowercase()
            .as_str()
        {
            "male" | "masc" | "m" => Prediction::Male,
            "female" | "fem" | "f" => Prediction::Female,
            "neutral" | "neut" | "n" => Prediction::Neutral,
            "" => continue,
            _ => return Err(complain("genders are male, female, neutral, or nothing")),
        };
        genders.insert(token.to_owned(), gender);
    }
    Ok(genders)
}

pub fn tagged(
    aligned: &Aligned<'_>,
    language: &str,
    genders: &BTreeMap<String, Prediction>,
) -> Verdict {
    majority(aligned, "tagger", |token| {
        let lower = token.to_lowercase();
        match language {
            "fr" if lower == "au" => Some(Prediction::Male),
            "it" if lower.starts_with("dell'") => Some(Prediction::Male),
            _ => genders.get(token).or_else(|| genders.get(&lower)).copied(),
        }
    })
}

pub fn by_articles(aligned: &Aligned<'_>, language: &str) -> Verdict {
    majority(aligned, "article", |token| {
        article(language, &token.to_lowercase())
    })
}

fn majority(
    aligned: &Aligned<'_>,
    rule: &'static str,
    gender: impl Fn(&str) -> Option<Prediction>,
) -> Verdict {
    let (mut seen, mut words) = (Vec::new(), Vec::new());
    for token in aligned.tokens() {
        if let Some(gender) = gender(token.text) {
            seen.push(gender);
            words.push(token.span);
        }
    }
    match Prediction::most_frequent(&seen) {
        Some(prediction) => predicted(prediction, rule, words),
        None => predicted(Prediction::Unknown, "no-gender", []),
    }
}

fn article(language: &str, token: &str) -> Option<Prediction> {
    let (masculine, feminine): (&[&str], &[&str]) = match language {
        "es" => (
            &[
                "el", "un", "al", "del", "los", "unos", "este", "ese", "aquel",
            ],
            &["la", "una", "las", "unas", "esta", "esa", "aquella"],
        ),
        "fr" => (
            &["le", "un", "au", "du", "ce", "cet"],
            &["la", "une", "cette"],
        ),
        _ => (
            &[
                "il", "lo", "un", "uno", "al", "allo", "del", "dello", "dal", "dallo", "nel",
                "sul", "col", "i", "gli", "questo", "quel", "quello",
            ],
            &[
                "la", "una", "alla", "della", "dalla", "nella", "sulla", "le", "questa", "quella",
            ],
        ),
    };
    // An elided article leans on its noun: "un'infermiera" is feminine, "dell'…" counts as masculine.
    let elided = match language {
        "it" if token.starts_with("un'") || token.starts_with("un’") => Some(Prediction::Female),
        "it" if token.starts_with("dell'") || token.starts_with("dell’") => {
            Some(Prediction::Male)
        }
        _ => None,
    };
    elided
        .or_else(|| masculine.contains(&token).then_some(Prediction::Male))
        .or_else(|| feminine.contains(&token).then_some(Prediction::Female))
}
