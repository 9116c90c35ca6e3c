//! Sentences packed one after the other, without padding.

use epicene_kernels::Queries;

/// Token ids, and the positions whose last hidden state will be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    pub ids: Vec<u32>,
    /// In ascending order, each once.
    pub read: Vec<usize>,
}

/// Keys and values of the tokens a sequence has had so far, so that they need not be computed again.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// For each layer, a row for each token: the key heads, then the value heads.
    pub layers: Vec<Vec<f32>>,
    pub length: usize,
}

/// A group of sentences for one pass.
#[derive(Debug)]
pub struct Batch {
    pub ids: Vec<u32>,
    /// For each sentence, the tokens that were read before these.
    before: Vec<usize>,
    /// Where each sentence starts in `ids`, and the end.
    pub starts: Vec<usize>,
    /// Every token.
    pub all: Queries,
    /// The tokens that are read.
    pub read: Queries,
}

impl Batch {
    pub fn of<'a>(sequences: impl IntoIterator<Item = &'a Sequence>) -> Batch {
        Batch::after(sequences.into_iter().map(|sequence| (0, sequence)))
    }

    /// Sequences that go on after so many tokens; what is read counts from the first of these.
    pub fn after<'a>(sequences: impl IntoIterator<Item = (usize, &'a Sequence)>) -> Batch {
        let empty = || Queries {
            positions: Vec::new(),
            starts: vec![0],
        };
        let mut batch = Batch {
            ids: Vec::new(),
            before: Vec::new(),
            starts: vec![0],
            all: empty(),
            read: empty(),
        };
        for (before, sequence) in sequences {
            batch.before.push(before);
            batch.ids.extend(&sequence.ids);
            batch.starts.push(batch.ids.len());
            batch
                .all
                .positions
                .extend(before..before + sequence.ids.len());
            batch.all.starts.push(batch.ids.len());
            let read = sequence.read.iter().map(|position| before + position);
            batch.read.positions.extend(read);
            batch.read.starts.push(batch.read.positions.len());
        }
        batch
    }

    /// Packed rows of the tokens that are read.
    pub fn read_rows(&self) -> Vec<usize> {
        let mut rows = Vec::with_capacity(self.read.positions.len());
        for (sentence, start) in self.starts.iter().take(self.starts.len() - 1).enumerate() {
            let range = self.read.starts[sentence]..self.read.starts[sentence + 1];
            let before = self.before[sentence];
            rows.extend(
                self.read.positions[range]
                    .iter()
                    .map(|p| start + p - before),
            );
        }
        rows
    }
}
