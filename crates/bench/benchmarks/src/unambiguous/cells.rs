//! Outcomes counted once by everything that tells sentences apart; every table is a sum over these
//! cells.

use std::collections::BTreeMap;

use epicene_core::{Gender, Outcome, Verdict};

use super::counts::{Counts, figure_outcome};
use super::sentences::{Seen, Sentences};

/// Sentences alike in trigger, labels, occupation, adjective and verb.
pub(crate) type CellKey = (bool, [u16; 4]);

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

/// Outcomes of some sentences, by the number of their occupation.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub total: Counts,
    pub occupations: BTreeMap<u16, Counts>,
}

impl Tally {
    fn join(&mut self, occupation: u16, counts: Counts) {
        self.total.join(counts);
        self.occupations.entry(occupation).or_default().join(counts);
    }

    pub fn add(&mut self, other: &Tally) {
        for (occupation, counts) in &other.occupations {
            self.join(*occupation, *counts);
        }
    }
}

impl Cells {
    pub fn count(items: &Sentences, verdicts: &[Option<Verdict>]) -> Cells {
        let mut cells: BTreeMap<CellKey, Cell> = BTreeMap::new();
        for (index, verdict) in verdicts.iter().enumerate() {
            let Some(verdict) = verdict else { continue };
            let expected = items.get(index).expected;
            let key = (expected == Gender::Feminine, items.place(index));
            let cell = cells.entry(key).or_insert(Cell {
                example: index,
                ..Cell::default()
            });
            cell.counts.add(Outcome::of(expected, verdict.finding));
            cell.figure.add(figure_outcome(expected, verdict.finding));
        }
        Cells(cells)
    }

    /// Sums cells by a key; cells without one are left out.
    pub fn sum<K: Ord>(
        &self,
        items: &Sentences,
        key: impl Fn(&Seen<'_>) -> Option<K>,
    ) -> BTreeMap<K, Counts> {
        self.sum_of(items, |cell| cell.counts, key)
    }

    pub fn sum_of<K: Ord>(
        &self,
        items: &Sentences,
        which: impl Fn(&Cell) -> Counts,
        key: impl Fn(&Seen<'_>) -> Option<K>,
    ) -> BTreeMap<K, Counts> {
        let mut sums: BTreeMap<K, Counts> = BTreeMap::new();
        for cell in self.0.values() {
            if let Some(key) = key(&items.get(cell.example)) {
                sums.entry(key).or_default().join(which(cell));
            }
        }
        sums
    }

    /// The same, occupation by occupation.
    pub fn tally<K: Ord>(
        &self,
        items: &Sentences,
        key: impl Fn(&Seen<'_>) -> Option<K>,
    ) -> BTreeMap<K, Tally> {
        let mut sums: BTreeMap<K, Tally> = BTreeMap::new();
        for ((_, [_, occupation, ..]), cell) in &self.0 {
            if let Some(key) = key(&items.get(cell.example)) {
                sums.entry(key).or_default().join(*occupation, cell.counts);
            }
        }
        sums
    }

    pub fn whole(&self) -> Tally {
        let mut whole = Tally::default();
        for ((_, [_, occupation, ..]), cell) in &self.0 {
            whole.join(*occupation, cell.counts);
        }
        whole
    }
}
