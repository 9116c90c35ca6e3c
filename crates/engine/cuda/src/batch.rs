//! The numbers of a batch on the device: all of them go up in one copy.

use super::device::{Argument, Buffer};
use super::operations::Listed;
use super::slots::SlotCache;
use epicene_transformer::Batch;

/// A batch's numbers on the device: pointers into one upload.
#[derive(Debug, Clone, Copy)]
pub struct DeviceBatch {
    pub ids: Argument,
    pub positions: Argument,
    pub starts: Argument,
    pub read_rows: Argument,
    pub read_starts: Argument,
    pub read_positions: Argument,
    pub tokens: usize,
    pub sentences: usize,
    pub reads: usize,
    pub longest: usize,
    pub highest_id: usize,
}

/// All integers of several batches, one after the other.
#[derive(Debug, Default)]
pub struct Integers(Vec<i32>);

impl Integers {
    /// Where these begin.
    pub fn add(&mut self, values: impl Iterator<Item = usize>) -> usize {
        let start = self.0.len();
        self.0.extend(
            values.map(|value| i32::try_from(value).expect("places in a batch fit 32 bits")),
        );
        start
    }

    pub fn values(&self) -> &[i32] {
        &self.0
    }
}

/// Places of a batch's numbers among the integers, until they are uploaded.
#[derive(Debug)]
pub struct BatchPlaces {
    ids: usize,
    positions: usize,
    starts: usize,
    read_rows: usize,
    read_starts: usize,
    read_positions: usize,
    tokens: usize,
    sentences: usize,
    reads: usize,
    longest: usize,
    highest_id: usize,
}

/// The address of an integer.
pub fn at(base: &Buffer, place: usize) -> Argument {
    Argument::Pointer(base.pointer() + 4 * place as u64)
}

impl BatchPlaces {
    pub fn new(integers: &mut Integers, batch: &Batch) -> BatchPlaces {
        let rows = batch.read_rows();
        let lengths = batch.starts.windows(2).map(|bounds| bounds[1] - bounds[0]);
        BatchPlaces {
            longest: lengths.max().unwrap_or(0),
            highest_id: batch.ids.iter().max().map_or(0, |id| *id as usize),
            ids: integers.add(batch.ids.iter().map(|id| *id as usize)),
            positions: integers.add(batch.all.positions.iter().copied()),
            starts: integers.add(batch.starts.iter().copied()),
            reads: rows.len(),
            read_rows: integers.add(rows.into_iter()),
            read_starts: integers.add(batch.read.starts.iter().copied()),
            read_positions: integers.add(batch.read.positions.iter().copied()),
            tokens: batch.ids.len(),
            sentences: batch.starts.len() - 1,
        }
    }

    pub fn on(&self, base: &Buffer) -> DeviceBatch {
        DeviceBatch {
            ids: at(base, self.ids),
            positions: at(base, self.positions),
            starts: at(base, self.starts),
            read_rows: at(base, self.read_rows),
            read_starts: at(base, self.read_starts),
            read_positions: at(base, self.read_positions),
            tokens: self.tokens,
            sentences: self.sentences,
            reads: self.reads,
            longest: self.longest,
            highest_id: self.highest_id,
        }
    }
}

/// Keys and values kept from pass to pass.
#[derive(Debug, Clone, Copy)]
pub struct Growing<'a> {
    pub cache: &'a SlotCache,
    /// Where each token's keys and values go.
    pub slots: Argument,
    /// What every token sees.
    pub all: Listed,
    /// What the tokens that are read see.
    pub read: Listed,
    /// Whether every text begins in this pass: what is seen then lies side by side.
    pub fresh: bool,
}
