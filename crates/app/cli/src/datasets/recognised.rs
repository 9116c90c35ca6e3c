//! Data sets recognised by their sentences: a file that fits no item may be of another data set.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use epicene_bench::Card;
use epicene_run::sha256_hex;

use crate::failure::Failure;

/// Fewer sentences of a data set may be there by chance.
const ENOUGH: usize = 2;

/// Data sets by length and hash of a few of their sentences.
static KNOWN: LazyLock<BTreeMap<(usize, &'static str), &'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/known-sentences.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let (set, length, hash) = (cells.next()?, cells.next()?, cells.next()?);
        Some(((length.parse().ok()?, hash), set))
    };
    rows.filter_map(row).collect()
});

/// The data set that these lines or table cells are sentences of.
pub fn data_set(text: &str) -> Option<&'static str> {
    let lengths: Vec<usize> = KNOWN.keys().map(|(length, _)| *length).collect();
    let mut found: BTreeMap<&'static str, usize> = BTreeMap::new();
    for cell in text.lines().flat_map(cells) {
        if !lengths.contains(&cell.len()) {
            continue;
        }
        let hash = sha256_hex(cell.as_bytes());
        if let Some(&set) = KNOWN.get(&(cell.len(), &hash[..16])) {
            *found.entry(set).or_default() += 1;
        }
    }
    let most = found.into_iter().max_by_key(|(_, count)| *count);
    most.filter(|(_, count)| *count >= ENOUGH)
        .map(|(set, _)| set)
}

/// A file with sentences of another data set than a benchmark was given.
pub fn elsewhere(path: &str, set: &str, card: &Card) -> Failure {
    let failure = Failure::input(format!("{path}: these are sentences of {set}"));
    failure.with_hint(match epicene_bench::find(set) {
        Some(other) if other.card().name != card.name => {
            format!("measure them with `epicene run {set}`")
        }
        _ => format!("give --data {set}"),
    })
}

/// A line, and its cells by every delimiter: the sentences that are looked for have none in them.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    [",", ";", "\t", "|||", "\"from\": \""]
        .into_iter()
        .flat_map(move |delimiter| line.split(delimiter))
        .map(|cell| cell.trim().trim_matches('"').trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_their_data_set() {
        let mini = include_str!("../../../../bench/benchmarks/data/epicene-mini.csv");
        assert_eq!(data_set(mini), Some("epicene-mini"));
        let own = "I was tired.,Bola som unavená.\nShe is a doctor.\tdoctor\n".repeat(99);
        assert_eq!(data_set(&own), None);
    }
}
