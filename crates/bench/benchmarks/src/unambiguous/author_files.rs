//! The authors' analysis files (specification, section 6): rows "key p_correct p_wrong p_na n_correct
//! n_wrong n_na n_total" for each of seven ways of grouping, so that files can be compared.

use std::collections::BTreeMap;

use super::cells::Cells;
use super::counts::Counts;
use super::labels::Grouping;
use super::sentences::Sentences;

/// The rows of one grouping by their keys, in the order of the files.
pub fn rows(items: &Sentences, cells: &Cells, grouping: Grouping) -> BTreeMap<Vec<String>, Counts> {
    let mut rows: BTreeMap<Vec<String>, Counts> = BTreeMap::new();
    for cell in cells.0.values() {
        let seen = items.get(cell.example);
        let keys = grouping.keys(seen.features);
        let mut heads = vec!["all".to_owned()];
        heads.extend(
            seen.occupation
                .map(|occupation| format!("occ={occupation}")),
        );
        for head in heads {
            rows.entry(vec![head.clone()])
                .or_default()
                .join(cell.counts);
            if !keys.is_empty() {
                let key = std::iter::once(head).chain(keys.iter().cloned());
                rows.entry(key.collect()).or_default().join(cell.counts);
            }
        }
    }
    rows
}

/// One file of one language.
pub fn text(items: &Sentences, cells: &Cells, grouping: Grouping) -> String {
    let mut text = String::new();
    for (key, counts) in rows(items, cells, grouping) {
        text.push_str(&format!("{} {}\n", key.join(" "), counts.line()));
    }
    text
}

/// The summary by occupation.
pub fn scores(items: &Sentences, cells: &Cells) -> String {
    let mut rows = cells.sum(items, |seen| seen.occupation.map(str::to_owned));
    rows.insert("all".to_owned(), cells.whole().total);
    let mut text = String::new();
    for (key, counts) in rows {
        text.push_str(&format!("{key} {}\n", counts.line()));
    }
    text
}

/// All groupings of one language as lines of one table: lang, view, key, correct, wrong, na, total.
pub(crate) fn table_lines(items: &Sentences, cells: &Cells, language: &str) -> String {
    let mut text = String::new();
    for grouping in Grouping::ALL {
        for (key, counts) in rows(items, cells, grouping) {
            let [correct, wrong, na] = counts.each();
            text.push_str(&format!(
                "{language}\t{}\t{}\t{correct}\t{wrong}\t{na}\t{}\n",
                grouping.name(),
                key.join(" "),
                counts.total()
            ));
        }
    }
    text
}

/// The header of that table.
pub(crate) const TABLE_HEADER: &str = "lang\tview\tkey\tcorrect\twrong\tna\ttotal\n";
