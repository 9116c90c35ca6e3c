//! Which language a file is in.
//!
//! A measure of gender read with the rules of the wrong language is a confident wrong number, so a file
//! of translations is looked at before it is measured. The question is about a whole file, not about a
//! sentence: function words and letters tell close languages (Czech and Slovak, Russian and Ukrainian)
//! apart within a few lines, and where they do not, [`Finding::Unclear`] says so.

mod blocks;
mod file;
mod profile;

pub use blocks::{Foreign, foreign_lines};
pub use file::{Finding, Reading, identify};

use epicene_core::{Language, Script};

/// The English name of a language, or its code.
pub fn language_name(code: &str) -> &str {
    match Language::closest(code) {
        Some(language) => language.name(),
        None => code,
    }
}

/// The names of languages that a text may be in.
fn joined(codes: &[&'static str]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for code in codes {
        let name = language_name(code);
        // Norwegian Bokmål is Norwegian.
        if name != *code && !names.iter().any(|known| name.starts_with(known)) {
            names.push(name);
        }
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => codes.join(", "),
    }
}

/// Whether a language can be told: it has a profile.
pub fn knows(code: &str) -> bool {
    profile::profiles()
        .iter()
        .any(|profile| profile.stands_for(base(code)))
}

/// `pt` of `pt-BR`.
fn base(code: &str) -> &str {
    code.split(['-', '_']).next().unwrap_or(code)
}

/// The words of a line that is in small letters.
pub(crate) fn words(lower: &str) -> impl Iterator<Item = &str> {
    let is_letter = |letter: char| Script::of(letter).is_some() || is_mark(letter);
    lower
        .split(move |letter: char| !is_letter(letter))
        .filter(|word| !word.is_empty())
}

/// Marks that belong to the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{93c}' | '\u{94d}' | '\u{bcd}' | '\u{e47}'..='\u{e4e}')
}
