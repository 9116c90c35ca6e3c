//! One file per language: its rules in order, its spelling, its data file.

pub(crate) mod be;
pub(crate) mod bg;
pub(crate) mod cs;
pub(crate) mod hr;
pub(crate) mod lt;
pub(crate) mod lv;
pub(crate) mod pl;
pub(crate) mod ru;
pub(crate) mod sk;
pub(crate) mod sl;
pub(crate) mod sr;
pub(crate) mod uk;

use std::sync::OnceLock;

use super::lexicon::Lexicon;
use super::rules::Line;
use super::script::Folding;

/// Everything the engine knows of a language.
pub(crate) struct Grammar {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) folding: Folding,
    pub(crate) rules: &'static [Line],
    /// The text of the data file.
    pub(crate) data: &'static str,
    /// The data file, once read.
    pub(crate) read: OnceLock<Lexicon>,
}

impl Grammar {
    pub(crate) fn lexicon(&self) -> &Lexicon {
        self.read.get_or_init(|| Lexicon::parse(self.data).0)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::first_person::lexicon::Lexicon;
    use crate::first_person::{Language, Mode};

    #[test]
    fn data_files_have_no_faults() {
        for language in Language::ALL {
            let (_, errors) = Lexicon::parse(language.grammar().data);
            assert_eq!(errors, [], "{}", language.name());
        }
    }

    #[test]
    fn extended_rules_come_last() {
        for language in Language::ALL {
            let modes: Vec<Mode> = language
                .grammar()
                .rules
                .iter()
                .map(|line| line.mode)
                .collect();
            assert!(modes.is_sorted(), "{language}");
        }
    }

    #[test]
    fn every_rule_decides_a_fixture() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        for language in Language::ALL {
            let fixtures = std::fs::read_to_string(folder.join(format!("{language}.tsv"))).unwrap();
            for line in language.grammar().rules {
                let decides = fixtures.contains(&format!("\t{}\t", line.name));
                assert!(decides, "{language}: no fixture for {}", line.name);
            }
        }
    }
}
