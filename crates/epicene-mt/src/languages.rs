//! What languages are called: by their code here, by their English name in a prompt, and by each
//! service in its own way. The tables are data files.

use std::sync::OnceLock;

/// A language that has a name here. Translators may know others, which are passed on by their code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 where there is one, with a region or script where it matters: `pt-BR`.
    pub code: &'static str,
    /// ISO 639-3.
    pub three: &'static str,
    pub name: &'static str,
}

const LANGUAGES: &str = include_str!("../data/languages.tsv");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect())
}

fn all() -> &'static [Language] {
    static ALL: OnceLock<Vec<Language>> = OnceLock::new();
    ALL.get_or_init(|| {
        rows(LANGUAGES)
            .filter_map(|row| match row[..] {
                [code, three, name] => Some(Language { code, three, name }),
                _ => None,
            })
            .collect()
    })
}

/// A language by its code of two or three letters, whatever its case; a region that is not in the
/// table is passed over.
pub fn language(code: &str) -> Option<Language> {
    let find = |code: &str| {
        all().iter().copied().find(|language| {
            code != "-"
                && (language.code.eq_ignore_ascii_case(code)
                    || language.three.eq_ignore_ascii_case(code))
        })
    };
    find(code).or_else(|| find(code.split(['-', '_']).next().unwrap_or(code)))
}

/// The code a service uses, where its table has one of its own.
pub(crate) fn renamed(table: &'static str, code: &str) -> Option<&'static str> {
    rows(table).find_map(|row| match row[..] {
        [ours, theirs] if ours.eq_ignore_ascii_case(code) => Some(theirs),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_one_row() {
        let mut codes: Vec<&str> = all().iter().map(|language| language.code).collect();
        assert_eq!(
            codes.len(),
            rows(LANGUAGES).count(),
            "a row of languages.tsv does not have three cells"
        );
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
    }

    #[test]
    fn languages_are_found_by_either_code_and_region() {
        for code in ["sk", "SK", "slk", "sk-SK", "sk_SK"] {
            assert_eq!(language(code).unwrap().name, "Slovak", "{code}");
        }
        assert_eq!(language("pt-BR").unwrap().name, "Brazilian Portuguese");
        assert_eq!(language("sr-Latn").unwrap().name, "Serbian in Latin script");
        assert!(language("tlh").is_none());
    }
}
