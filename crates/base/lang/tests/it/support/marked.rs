//! Sentences whose linked words stand in square brackets.

use epicene_core::Finding;

pub fn letter(finding: Finding) -> &'static str {
    match finding {
        Finding::Masculine => "m",
        Finding::Feminine => "f",
        Finding::Neuter => "n",
        Finding::Common | Finding::Both | Finding::Inclusive => "c",
        _ => "-",
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
