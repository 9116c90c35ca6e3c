//! Languages as people name them (`de`) and as models do (`deu_Latn`, `de_DE`, `>>deu<<`).

/// A row of `data/languages.tsv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1, or the code in common use.
    pub code: &'static str,
    /// ISO 639-3 and other codes, in order of preference.
    pub others: &'static str,
    pub name: &'static str,
    pub nllb: &'static str,
    pub mbart: &'static str,
}

const TABLE: &str = include_str!("data/languages.tsv");
const LISTS: &str = include_str!("data/model_languages.txt");

/// All languages of the table.
pub fn all() -> impl Iterator<Item = Language> {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut columns = line.split('\t');
            Some(Language {
                code: columns.next()?,
                others: columns.next()?,
                name: columns.next()?,
                nllb: columns.next()?,
                mbart: columns.next()?,
            })
        })
}

impl Language {
    /// By any of its codes.
    pub fn of(code: &str) -> Option<Language> {
        let same = |known: &str| known.eq_ignore_ascii_case(code);
        all().find(|language| language.codes().any(same))
    }

    /// Every code it goes by, the commonest first.
    pub fn codes(self) -> impl Iterator<Item = &'static str> {
        let models = [self.nllb, self.mbart].into_iter();
        std::iter::once(self.code)
            .chain(self.others.split(','))
            .chain(models.filter(|code| *code != "-"))
    }
}

/// The language tokens of a family of checkpoints whose tokenizer does not list them.
pub fn list(family: &str) -> impl Iterator<Item = &'static str> + use<> {
    LISTS
        .lines()
        .find_map(|line| line.strip_prefix(family)?.strip_prefix(' '))
        .unwrap_or_default()
        .split_whitespace()
}

/// The code people use for a model's code: `de` for `deu_Latn`; the model's own where there is none.
pub fn common(code: &str) -> String {
    Language::of(code).map_or_else(|| code.to_owned(), |language| language.code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_language_of_the_benchmarks() {
        let wanted = "ar be bg bs ca cs da de el en es et fi fr gl he hi hr hu it ja ko lt lv mk nl no pl pt ro \
                      ru sk sl sr sv tr uk ur zh";
        for code in wanted.split_whitespace() {
            let language = Language::of(code).unwrap();
            assert_eq!(language.code, code);
            assert_ne!(language.nllb, "-", "{code}");
            assert!(list("m2m100").any(|known| known == code), "{code}");
        }
        assert_eq!(list("m2m100").count(), 100);
        assert_eq!(list("mbart50").count(), 52);
        for language in all() {
            assert!(language.mbart == "-" || list("mbart50").any(|code| code == language.mbart));
        }
    }

    #[test]
    fn no_code_means_two_languages() {
        let mut seen = std::collections::BTreeMap::new();
        for language in all() {
            for code in language.codes() {
                let other = seen.insert(code.to_ascii_lowercase(), language.code);
                assert!(other.is_none_or(|other| other == language.code), "{code}");
            }
        }
        assert_eq!(common("deu_Latn"), "de");
        assert_eq!(common("cs_CZ"), "cs");
        assert_eq!(common("xyz_Latn"), "xyz_Latn");
    }
}
