//! Sentences packed one after the other, without padding.

use crate::cpu::Queries;

/// Token ids, and the positions whose last hidden state will be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    pub ids: Vec<u32>,
    /// In ascending order, each once.
    pub read: Vec<usize>,
}

/// A group of sentences for one pass.
#[derive(Debug)]
pub struct Batch {
    pub ids: Vec<u32>,
    /// Where each sentence starts in `ids`, and the end.
    pub starts: Vec<usize>,
    /// Every token.
    pub all: Queries,
    /// The tokens that are read.
    pub read: Queries,
}

impl Batch {
    pub fn of<'a>(sequences: impl IntoIterator<Item = &'a Sequence>) -> Batch {
        let empty = || Queries {
            positions: Vec::new(),
            starts: vec![0],
        };
        let mut batch = Batch {
            ids: Vec::new(),
            starts: vec![0],
            all: empty(),
            read: empty(),
        };
        for sequence in sequences {
            batch.ids.extend(&sequence.ids);
            batch.starts.push(batch.ids.len());
            batch.all.positions.extend(0..sequence.ids.len());
            batch.all.starts.push(batch.ids.len());
            batch.read.positions.extend(&sequence.read);
            batch.read.starts.push(batch.read.positions.len());
        }
        batch
    }

    /// Packed rows of the tokens that are read.
    pub fn read_rows(&self) -> Vec<usize> {
        let mut rows = Vec::with_capacity(self.read.positions.len());
        for (sentence, start) in self.starts.iter().take(self.starts.len() - 1).enumerate() {
            let range = self.read.starts[sentence]..self.read.starts[sentence + 1];
            rows.extend(self.read.positions[range].iter().map(|p| start + p));
        }
        rows
    }
}
