//! Persons whose word in a language has one gender whoever is meant (`dítě`, `ofiara`): what a translator gives them says nothing. The
//! published evaluation of Czech and Polish leaves them out (WinoMT specification, B3); here that is a choice.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use epicene_core::{Finding, Language, Verdict};

use crate::options::{Choice, Spec, Stage, Values, switch};

/// The rule of verdicts that do not count.
pub const IGNORED: &str = "fixed-gender";

pub static IGNORE_FIXED: Choice<bool> = Choice {
    spec: Spec {
        name: "ignore-fixed",
        values: Values::Switch,
        default: None,
        help: "Leave out persons whose word has one gender for women and men (Czech, Polish: child, someone, victim …), and sentences without a gender",
        heading: "Detector",
        stage: Stage::verdicts(&["ignored"]),
    },
    read: switch,
};

fn table() -> &'static BTreeSet<(&'static str, &'static str)> {
    static TABLE: LazyLock<BTreeSet<(&str, &str)>> = LazyLock::new(|| {
        let lines = include_str!("../data/fixed-gender.tsv").lines();
        let lines = lines.filter(|line| !line.starts_with('#'));
        lines
            .filter_map(|line| {
                let mut cells = line.split('\t');
                Some((cells.next()?, cells.next()?))
            })
            .collect()
    });
    &TABLE
}

/// Whether a language has such persons at all.
pub fn is_known(language: Language) -> bool {
    table().iter().any(|(code, _)| *code == language.code())
}

/// Whether the language's word for this person has one gender for everybody; `person` may have an article.
pub fn is_fixed(language: Language, person: &str) -> bool {
    let person = person.trim().to_lowercase();
    let bare = ["the ", "a ", "an "]
        .iter()
        .find_map(|article| person.strip_prefix(article));
    table().contains(&(language.code(), bare.unwrap_or(&person)))
}

/// The verdict of what is left out.
pub fn ignored() -> Verdict {
    Verdict::new(Finding::NoAnswer, IGNORED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn czech_and_polish_children_are_neuter() {
        let language = |code| Language::find(code).unwrap();
        assert!(is_fixed(language("cs"), "the child") && is_fixed(language("pl"), "Someone"));
        assert!(!is_fixed(language("cs"), "the nurse") && !is_fixed(language("de"), "child"));
        assert!(is_known(language("pl")) && !is_known(language("de")));
    }
}
