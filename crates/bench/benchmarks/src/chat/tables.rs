//! Small tables that prompts are filled from, so that every benchmark names people and occupations alike.

use std::sync::LazyLock;

use super::units::spread;

/// The names of the two speakers of a sentence, masculine and feminine; they depend on the sentence alone.
pub(crate) fn pairs_of_names(sentence: &str) -> (&'static str, &'static str) {
    static PAIRS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        include_str!("../../data/chat/names.en.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once('\t').expect("a line has two names"))
            .collect()
    });
    PAIRS[spread(sentence) % PAIRS.len()]
}

/// `a nurse`, `an editor`.
pub fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    match noun {
        _ if noun.starts_with("uni") || noun.starts_with("use") || noun.starts_with("eu") => {
            format!("a {noun}")
        }
        _ if vowel || noun.starts_with("hour") || noun.starts_with("heir") => format!("an {noun}"),
        _ => format!("a {noun}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_names_is_used() {
        let mut seen = std::collections::BTreeMap::new();
        for line in include_str!("../../data/epicene-mini.csv").lines().skip(1) {
            *seen.entry(pairs_of_names(line)).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(
            seen.values().all(|count| (4..=32).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn articles() {
        for (noun, expected) in [
            ("nurse", "a nurse"),
            ("editor", "an editor"),
            ("university teacher", "a university teacher"),
            ("CEO", "a CEO"),
            ("analyst", "an analyst"),
        ] {
            assert_eq!(article(noun), expected);
        }
    }
}
