//! Outcomes counted once by everything that tells sentences apart; every table is a sum over these
//! cells.

use std::collections::BTreeMap;

use epicene_lang::Gender;

use super::counts::{Counts, Outcome, Tag};
use super::items::Items;

/// Sentences alike in trigger, labels, occupation, adjective and verb.
pub type CellKey = (bool, [u16; 4]);

/// The two ways of counting (specification, section 6).
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    pub counts: Counts,
    /// As the authors' adjective figures count.
    pub figure: Counts,
    /// Any sentence of the cell: it stands for all.
    pub example: usize,
}

/// The outcomes of one column.
#[derive(Debug, Clone, Default)]
pub struct Cells(pub BTreeMap<CellKey, Cell>);

impl Cells {
    pub fn count(items: &Items, tags: &[Option<Tag>]) -> Cells {
        let mut cells: BTreeMap<CellKey, Cell> = BTreeMap::new();
        for (index, tag) in tags.iter().enumerate() {
            let Some(tag) = tag else { continue };
            let expected = items.get(index).expected;
            let key = (expected == Gender::Feminine, items.place(index));
            let cell = cells.entry(key).or_insert(Cell {
                example: index,
                ..Cell::default()
            });
            cell.counts.add(Outcome::of(expected, *tag));
            cell.figure.add(Outcome::of_figure(expected, *tag));
        }
        Cells(cells)
    }

    /// Sums cells by a key; cells without one are left out.
    pub fn sum<K: Ord>(
        &self,
        items: &Items,
        key: impl Fn(&super::items::Seen<'_>) -> Option<K>,
    ) -> BTreeMap<K, Counts> {
        self.sum_of(items, |cell| cell.counts, key)
    }

    pub fn sum_of<K: Ord>(
        &self,
        items: &Items,
        which: impl Fn(&Cell) -> Counts,
        key: impl Fn(&super::items::Seen<'_>) -> Option<K>,
    ) -> BTreeMap<K, Counts> {
        let mut sums: BTreeMap<K, Counts> = BTreeMap::new();
        for cell in self.0.values() {
            if let Some(key) = key(&items.get(cell.example)) {
                sums.entry(key).or_default().join(which(cell));
            }
        }
        sums
    }

    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for cell in self.0.values() {
            total.join(cell.counts);
        }
        total
    }
}
