//! The readers' word lists, from `data/chat/reader.en.txt` and `reader.other.txt`: all readers know the same words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::text::is_unspaced;

/// Phrases as lists of words.
pub type Phrases = Vec<Vec<String>>;

static SECTIONS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut section = "";
    let files = [
        include_str!("../../../data/chat/reader.en.txt"),
        include_str!("../../../data/chat/reader.other.txt"),
    ];
    for line in files.into_iter().flat_map(str::lines) {
        match line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(name) => section = name,
            None if line.is_empty() || line.starts_with('#') => {}
            None => sections.entry(section).or_default().push(line),
        }
    }
    sections
});

fn section(name: &str) -> &'static [&'static str] {
    SECTIONS.get(name).expect("the section is in the file")
}

/// A list of single words.
pub fn words(name: &'static str) -> BTreeSet<&'static str> {
    section(name).iter().copied().collect()
}

/// A list of phrases.
pub fn phrases(name: &'static str) -> Phrases {
    let split = |phrase: &&str| phrase.split(' ').flat_map(words_of).collect();
    section(name).iter().map(split).collect()
}

/// A word, or its characters where its script has no blanks between words.
fn words_of(word: &str) -> Vec<String> {
    if word.starts_with(is_unspaced) {
        word.chars().map(String::from).collect()
    } else {
        vec![word.to_owned()]
    }
}
