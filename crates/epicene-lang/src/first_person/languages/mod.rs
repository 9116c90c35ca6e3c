//! One file per language, or per family where one engine reads all of it: the rules in order, the spelling, the data
//! file.

pub(crate) mod baltic;
pub(crate) mod be;
pub(crate) mod bg;
pub(crate) mod bs;
pub(crate) mod cs;
mod east_slavic;
pub(crate) mod hi;
pub(crate) mod hr;
pub(crate) mod mk;
pub(crate) mod pl;
pub(crate) mod romance;
pub(crate) mod ru;
pub(crate) mod semitic;
pub(crate) mod sk;
pub(crate) mod sl;
mod south_slavic;
pub(crate) mod sr;
pub(crate) mod uk;

use std::sync::OnceLock;

use super::Mode;
use super::lexicon::{DataError, Lexicon};
use super::rules::Line;
use super::script::Folding;
use crate::packed::Packed;

/// Everything the engine knows of a language.
pub(crate) struct Grammar {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) folding: Folding,
    /// The rules of the published and the extended mode, in order; the first that finds a gender
    /// decides. Empty for a language nobody published a list for: it is read strictly in every mode.
    pub(crate) rules: &'static [Line],
    /// The rules of the strict mode: all are asked, and they must agree.
    pub(crate) strict: &'static [Line],
    /// The data file.
    pub(crate) data: Packed,
    /// What the strict mode knows better: entries here replace those of the data file. The other
    /// modes stay with the words they had when they were compared with the published counts.
    pub(crate) strict_data: &'static [Packed],
    read: OnceLock<Lexicon>,
    read_strict: OnceLock<Lexicon>,
}

impl Grammar {
    /// A language with a published list.
    pub(crate) const fn published(
        (code, name): (&'static str, &'static str),
        folding: Folding,
        rules: &'static [Line],
        strict: &'static [Line],
        (data, strict_data): (Packed, &'static [Packed]),
    ) -> Grammar {
        Grammar {
            code,
            name,
            folding,
            rules,
            strict,
            data,
            strict_data,
            read: OnceLock::new(),
            read_strict: OnceLock::new(),
        }
    }

    /// A language that is only ever read strictly.
    pub(crate) const fn strict(
        (code, name): (&'static str, &'static str),
        folding: Folding,
        strict: &'static [Line],
        data: Packed,
    ) -> Grammar {
        Grammar::published((code, name), folding, &[], strict, (data, &[]))
    }

    pub(crate) fn lexicon(&self, mode: Mode) -> &Lexicon {
        match mode {
            Mode::Published | Mode::Extended => self
                .read
                .get_or_init(|| Lexicon::parse(&self.data.text()).0),
            Mode::Strict => self.read_strict.get_or_init(|| self.read_amended().0),
        }
    }

    fn read_amended(&self) -> (Lexicon, Vec<DataError>) {
        let amendments: String = self.strict_data.iter().map(Packed::text).collect();
        Lexicon::parse_amended(&self.data.text(), &amendments)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::first_person::{Language, Mode};

    #[test]
    fn data_files_have_no_faults() {
        for language in Language::ALL {
            let grammar = language.grammar();
            let (_, errors) = grammar.read_amended();
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
            let grammar = language.grammar();
            for (lines, file) in [
                (grammar.rules, format!("{language}.tsv")),
                (grammar.strict, format!("strict/{language}.tsv")),
            ] {
                if lines.is_empty() {
                    continue;
                }
                let fixtures = std::fs::read_to_string(folder.join(&file)).unwrap();
                for line in lines {
                    let decides = fixtures.contains(&format!("\t{}\t", line.name));
                    assert!(decides, "{file}: no fixture for {}", line.name);
                }
            }
        }
    }
}
