//! Sentences whose linked words stand in square brackets.

use epicene_lang::occupation::NounGender;

pub fn letter(gender: Option<NounGender>) -> &'static str {
    match gender {
        Some(NounGender::Masculine) => "m",
        Some(NounGender::Feminine) => "f",
        Some(NounGender::Neuter) => "n",
        Some(NounGender::Common) => "c",
        None => "-",
    }
}

/// The sentence without its brackets, and the characters that were inside.
pub fn unmark(marked: &str) -> (String, Vec<bool>) {
    let mut text = String::new();
    let mut inside = Vec::new();
    let mut open = false;
    for letter in marked.chars() {
        match letter {
            '[' => open = true,
            ']' => open = false,
            _ => {
                text.push(letter);
                inside.push(open);
            }
        }
    }
    (text, inside)
}
