//! Brother, sister, father and mother in other languages (data/identify/kin.txt).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::identify::words;

const ENGLISH: [&str; 4] = ["brother", "sister", "father", "mother"];

/// Beginnings of one word's translations; `true` where the whole word is meant.
type Beginnings = Vec<(&'static str, bool)>;

/// The words of one language.
pub struct Kin(&'static [Beginnings]);

impl Kin {
    pub fn of(code: &str) -> Option<Kin> {
        static TABLE: OnceLock<BTreeMap<&'static str, Vec<Beginnings>>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            include_str!("../../data/identify/kin.txt")
                .lines()
                .filter_map(|line| line.split_once(": "))
                .filter(|(code, _)| !code.starts_with('#'))
                .map(|(code, row)| (code, row.split(" / ").map(beginnings).collect()))
                .collect()
        });
        table.get(code).map(|row| Kin(row))
    }

    /// Which of the four words an English sentence has, if one alone.
    pub fn in_source(source: &str) -> Option<usize> {
        let lower = source.to_lowercase();
        let mut places =
            (0..ENGLISH.len()).filter(|&place| words(&lower).any(|word| word == ENGLISH[place]));
        let first = places.next()?;
        places.next().is_none().then_some(first)
    }

    /// Which of the four words a translation has.
    pub fn in_target(&self, target: &str) -> Vec<usize> {
        let lower = target.to_lowercase();
        let found: Vec<&str> = words(&lower).collect();
        let has = |list: &Beginnings| {
            found.iter().any(|word| {
                list.iter().any(|(begin, whole)| match *whole {
                    true => word == begin,
                    // Chinese and Japanese have no spaces between words.
                    false if begin.chars().all(|c| c > '\u{3000}') => word.contains(begin),
                    false => word.starts_with(begin),
                })
            })
        };
        (0..self.0.len())
            .filter(|&place| has(&self.0[place]))
            .collect()
    }
}

fn beginnings(cell: &'static str) -> Beginnings {
    cell.split_whitespace()
        .map(|begin| match begin.strip_suffix('=') {
            Some(whole) => (whole, true),
            None => (begin, false),
        })
        .collect()
}
