//! One file per language, or per family where one engine reads all of it: the rules in order, the spelling, the data
//! file.

mod be;
mod bg;
mod bs;
mod cs;
mod east_slavic;
mod hi;
mod hr;
mod pl;
mod ru;
mod sk;
mod sl;
mod south_slavic;
mod sr;
mod uk;

use std::sync::{LazyLock, OnceLock};

use super::Mode;
use super::lexicon::{DataError, Lexicon};
use super::pack;
use super::rules::RuleEntry;
use super::script::Folding;
use crate::inclusive::Inclusive;
use crate::packed::Packed;

/// Languages whose rules are code, in the order of the published tables, with Bulgarian behind them; then those that are
/// packs, by their codes; then the others.
static PUBLISHED: &[&Grammar] = &[
    &be::GRAMMAR,
    &ru::GRAMMAR,
    &uk::GRAMMAR,
    &hr::GRAMMAR,
    &sl::GRAMMAR,
    &sr::GRAMMAR,
    &cs::GRAMMAR,
    &pl::GRAMMAR,
    &sk::GRAMMAR,
    &bg::GRAMMAR,
];
const PACKS: [&str; 13] = [
    "es", "fr", "it", "pt", "ca", "gl", "ro", "el", "lt", "lv", "he", "ar", "mk",
];
static OTHERS: &[&Grammar] = &[&hi::GRAMMAR, &bs::GRAMMAR];

/// Every built-in language.
pub(crate) fn all() -> &'static [&'static Grammar] {
    static ALL: LazyLock<Vec<&'static Grammar>> = LazyLock::new(|| {
        let file = |files: &[(&str, Packed)], code: &str| {
            let found = files.iter().find(|(own, _)| *own == code);
            found.expect("a built-in pack has its files").1
        };
        let packs = PACKS.iter().map(|code| {
            let grammar = pack::built_in(file(MANIFESTS, code), file(WORDS, code));
            &*Box::leak(Box::new(grammar))
        });
        let published = PUBLISHED.iter().copied();
        published
            .chain(packs)
            .chain(OTHERS.iter().copied())
            .collect()
    });
    &ALL
}

/// `language.toml` and `words.txt` of every language that has one.
static MANIFESTS: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/language.rs"));
static WORDS: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// `speaker.txt` of every language that has one: classes of words that every language needs alike, added to those of its
/// other files in strict mode.
static CLASSES: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/speaker.rs"));

/// Everything the engine knows of a language.
pub(crate) struct Grammar {
    /// As `epicene-core`'s registry of languages has it.
    pub(crate) code: &'static str,
    pub(crate) folding: Folding,
    /// The rules of the published and the extended mode, in order; the first that finds a gender
    /// decides. Empty for a language nobody published a list for: it is read strictly in every mode.
    pub(crate) rules: &'static [RuleEntry],
    /// The rules of the strict mode: all are asked, and they must agree.
    pub(crate) strict: &'static [RuleEntry],
    /// The data file.
    pub(crate) data: Packed,
    /// What the strict mode knows better: entries here replace those of the data file. The other
    /// modes stay with the words they had when they were compared with the published counts.
    pub(crate) strict_data: &'static [Packed],
    /// Of a pack: its `speaker.txt`.
    pub(crate) classes: Option<Packed>,
    read: OnceLock<Lexicon>,
    read_strict: OnceLock<Lexicon>,
}

impl Grammar {
    /// A language with a published list.
    pub(crate) const fn published(
        code: &'static str,
        folding: Folding,
        rules: &'static [RuleEntry],
        strict: &'static [RuleEntry],
        (data, strict_data): (Packed, &'static [Packed]),
    ) -> Grammar {
        Grammar {
            code,
            folding,
            rules,
            strict,
            data,
            strict_data,
            classes: None,
            read: OnceLock::new(),
            read_strict: OnceLock::new(),
        }
    }

    /// A language that is only ever read strictly.
    pub(crate) const fn strict(
        code: &'static str,
        folding: Folding,
        strict: &'static [RuleEntry],
        data: Packed,
    ) -> Grammar {
        Grammar::published(code, folding, &[], strict, (data, &[]))
    }

    pub(crate) fn lexicon(&self, mode: Mode) -> &Lexicon {
        match mode {
            Mode::Published | Mode::Extended => self
                .read
                .get_or_init(|| self.complete(Lexicon::parse(&self.data.text()).0)),
            Mode::Strict => self
                .read_strict
                .get_or_init(|| self.complete(self.read_amended().0)),
        }
    }

    /// Adds what belongs to the language but not to its word lists.
    fn complete(&self, mut lexicon: Lexicon) -> Lexicon {
        lexicon.inclusive = Inclusive::read(self.code, |text| self.folding.fold(text));
        lexicon
    }

    fn read_amended(&self) -> (Lexicon, Vec<DataError>) {
        let amendments: String = self.strict_data.iter().map(Packed::text).collect();
        let (mut lexicon, mut errors) = Lexicon::parse_amended(&self.data.text(), &amendments);
        let own = CLASSES.iter().find(|(code, _)| *code == self.code);
        if let Some(classes) = self.classes.or(own.map(|(_, classes)| *classes)) {
            errors.extend(lexicon.add_classes(&self.folding.fold(&classes.text())));
        }
        (lexicon, errors)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::all;
    use crate::first_person::Mode;

    #[test]
    fn data_files_have_no_faults() {
        for grammar in all() {
            let (_, errors) = grammar.read_amended();
            assert_eq!(errors, [], "{}", grammar.code);
        }
    }

    #[test]
    fn extended_rules_come_last() {
        for grammar in all() {
            let modes: Vec<Mode> = grammar.rules.iter().map(|line| line.mode).collect();
            assert!(modes.is_sorted(), "{}", grammar.code);
        }
    }

    #[test]
    fn every_rule_decides_a_fixture() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        for grammar in all() {
            let language = grammar.code;
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
