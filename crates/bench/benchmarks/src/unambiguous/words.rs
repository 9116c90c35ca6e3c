//! The words of the paper's grammars by what they are: occupations with their plurals, adjectives
//! and verbs. Read off the grammar files, so that there is one list of each.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::grammar;
use super::sets::{Edition, SetName, Size};

/// Words that mean something to the measures.
pub struct Words {
    /// Every form that names an occupation, with its singular.
    pub occupations: BTreeMap<String, String>,
    /// Adjectives; whether the authors' figures know them.
    pub adjectives: BTreeMap<String, bool>,
    pub verbs: Vec<String>,
}

/// The lists of the paper (specification, sections 4 and 5.4).
pub fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let labelled = |size: Size, label: &str| {
            let set = SetName {
                edition: Edition::Paper,
                size,
                without: Vec::new(),
            };
            // The embedded grammars are parsed by a test.
            grammar::parse(set.text()).map_or_else(|_| Vec::new(), |g| g.labelled_words(label))
        };
        let mut words = Words {
            occupations: BTreeMap::new(),
            adjectives: BTreeMap::new(),
            verbs: Vec::new(),
        };
        for label in ["_OCC_NO_F_", "_OCC_NO_M_"] {
            for word in labelled(Size::S, label) {
                words.occupations.insert(plural(&word), word.clone());
                words.occupations.insert(word.clone(), word);
            }
        }
        for label in ["_CONTEXT_A_F_", "_CONTEXT_A_M_"] {
            for word in labelled(Size::S, label) {
                words.adjectives.insert(word, false);
            }
            for word in labelled(Size::Xl, label) {
                words.adjectives.insert(word, true);
            }
        }
        for label in ["_CONTEXT_V_F_", "_CONTEXT_V_M_"] {
            words.verbs.extend(labelled(Size::Xl, label));
            words.verbs.extend(labelled(Size::S, label));
        }
        words
    })
}

fn plural(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("person") {
        return format!("{stem}people");
    }
    match word.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_occupations_in_two_numbers() {
        let words = words();
        assert_eq!(words.occupations.len(), 80);
        for (form, singular) in [
            ("nannies", "nanny"),
            ("salespeople", "salesperson"),
            ("ceo", "ceo"),
        ] {
            assert_eq!(words.occupations[form], singular);
        }
        assert_eq!(
            words.adjectives.values().filter(|known| **known).count(),
            178
        );
        assert!(!words.adjectives["pretty"]);
        assert!(words.verbs.contains(&"escort".to_owned()));
    }
}
