//! Why a translation could not show a gender, where that is plain to see.

use epicene_core::{Answer, Language, Script};

use crate::ColumnView;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    Text,
    Empty,
    /// Most letters are of a script the language is not written in.
    OtherScript,
    /// The file had none.
    Missing,
}

/// How many translations of a column are of this quality.
pub fn count(view: &ColumnView<'_>, quality: Quality) -> usize {
    let language = view.language();
    let answers = view.column().answers.iter().flatten();
    answers
        .filter(|answer| match answer.plain().0 {
            Answer::Translation(text) => of(text, language) == quality,
            _ => quality == Quality::Missing,
        })
        .count()
}

fn of(text: &str, language: Language) -> Quality {
    if text.trim().is_empty() {
        return Quality::Empty;
    }
    let (mut own, mut foreign) = (0, 0);
    for letter in text.chars() {
        match Script::of(letter) {
            Some(script) if language.scripts().contains(&script) => own += 1,
            Some(_) => foreign += 1,
            None => foreign += usize::from(letter.is_alphabetic()),
        }
    }
    if foreign > own {
        Quality::OtherScript
    } else {
        Quality::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        for (text, language, expected) in [
            ("Я был дома.", "ru", Quality::Text),
            ("I was at home.", "ru", Quality::OtherScript),
            ("Ήμουν στο σπίτι.", "el", Quality::Text),
            ("I was at home.", "el", Quality::OtherScript),
            ("Ήμουν στο σπίτι.", "es", Quality::OtherScript),
            ("Аз съм тук.", "mk", Quality::Text),
            ("I was at home.", "hi", Quality::OtherScript),
            ("मैं घर पर था।", "hi", Quality::Text),
            ("אני בבית.", "he", Quality::Text),
            ("كنت في البيت.", "ar", Quality::Text),
            ("אני בבית.", "ar", Quality::OtherScript),
            ("Bol som doma.", "sk", Quality::Text),
            ("Я был дома.", "sk", Quality::OtherScript),
            ("Био сам код куће.", "sr", Quality::Text),
            ("Bio sam kod kuće.", "sr", Quality::Text),
            ("Я купил iPhone 14.", "ru", Quality::Text),
            ("  ", "cs", Quality::Empty),
            ("…", "cs", Quality::Text),
        ] {
            let language = Language::find(language).unwrap();
            assert_eq!(of(text, language), expected, "{text}");
        }
    }
}
