//! Words behind which a full stop ends no sentence ("Dr.", "No. 5"), by language: the lists of Moses as sacremoses has them
//! (tools/reference/moses_data.py; DATA-LICENCES.md).

use std::collections::BTreeSet;

macro_rules! lists {
    ($($language:literal)*) => {
        &[$(($language, include_str!(concat!("../../../data/moses/", $language, ".txt")))),*]
    };
}

const LISTS: &[(&str, &str)] = lists!(
    "bn" "ca" "cs" "de" "el" "en" "es" "et" "fi" "fr" "ga" "gu" "hi" "hu" "is" "it" "kn" "lt" "lv" "ml" "mr" "nl" "pl" "pt" "ro" "ru" "sk"
    "sl" "sv" "ta" "te"
);

/// Which list a language without one of its own has.
const OTHERS: &str = "en";

#[derive(Debug)]
pub struct Prefixes {
    always: BTreeSet<&'static str>,
    before_numbers: BTreeSet<&'static str>,
}

impl Prefixes {
    pub fn new(language: &str) -> Prefixes {
        let list = |language: &str| LISTS.iter().find(|(name, _)| *name == language);
        let (_, list) = list(language)
            .or_else(|| list(OTHERS))
            .expect("English has a list");
        let (mut always, mut before_numbers) = (BTreeSet::new(), BTreeSet::new());
        for line in list.lines() {
            match line.strip_suffix(" #") {
                Some(word) => before_numbers.insert(word),
                None => always.insert(line),
            };
        }
        Prefixes {
            always,
            before_numbers,
        }
    }

    /// Whether the full stop behind a word belongs to it, where this word follows.
    pub fn keeps_stop(&self, word: &str, next: Option<&str>) -> bool {
        let is_number = || next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        self.always.contains(word) || (self.before_numbers.contains(word) && is_number())
    }
}
