//! Texts that are being written, on the device: tokens are read after what was kept of those before them, and the best next
//! ones are found there.

use super::CudaError;
use super::batch::{DeviceBatch, Growing, Integers, at};
use super::best::{Choosing, Finding};
use super::forward::DeviceModel;
use super::operations::{Listed, Tensor};
use super::slots::SlotCache;
use epicene_transformer::Depth;

/// Tokens of several texts, one after the other.
#[derive(Debug, Default)]
pub struct Grown {
    ids: Vec<usize>,
    positions: Vec<usize>,
    slots: Vec<usize>,
    /// For each token, where its text's slots begin in `list`.
    firsts: Vec<usize>,
    /// The slots of whole texts, one after the other.
    list: Vec<usize>,
    /// Where each text's tokens begin here, and how many of its tokens that are read come before them.
    starts: Vec<usize>,
    read_starts: Vec<usize>,
    /// Whether tokens were read before those of some text.
    continued: bool,
    longest: usize,
    read: Vec<usize>,
}

impl Grown {
    /// Adds the last `ids` of a text whose tokens have these slots; whether its last token's hidden state is read.
    pub fn add(&mut self, ids: &[u32], slots: &[u32], read: bool) {
        let before = slots.len() - ids.len();
        let first = self.list.len();
        self.continued |= before > 0;
        self.starts.push(self.ids.len());
        self.read_starts.push(self.read.len());
        self.list.extend(slots.iter().map(|slot| *slot as usize));
        self.longest = self.longest.max(slots.len());
        for (place, id) in ids.iter().enumerate() {
            self.ids.push(*id as usize);
            self.positions.push(before + place);
            self.slots.push(slots[before + place] as usize);
            self.firsts.push(first);
        }
        if read {
            self.read.push(self.ids.len() - 1);
        }
    }
}

impl DeviceModel {
    /// Reads tokens; what their last ones become, ready for the head, in the device's precision.
    pub fn grow(&self, grown: &Grown, cache: &SlotCache) -> Result<Option<Tensor>, CudaError> {
        let Some(head) = &self.head else {
            return Err(CudaError::Unsupported("a model without its head"));
        };
        let mut integers = Integers::default();
        let of_read = |values: &[usize]| -> Vec<usize> {
            grown.read.iter().map(|row| values[*row]).collect()
        };
        let ids = integers.add(grown.ids.iter().copied());
        let positions = integers.add(grown.positions.iter().copied());
        let slots = integers.add(grown.slots.iter().copied());
        let firsts = integers.add(grown.firsts.iter().copied());
        let lengths = integers.add(grown.positions.iter().map(|position| position + 1));
        let list = integers.add(grown.list.iter().copied());
        let read_rows = integers.add(grown.read.iter().copied());
        let read_positions = integers.add(of_read(&grown.positions).into_iter());
        let read_firsts = integers.add(of_read(&grown.firsts).into_iter());
        let read_lengths = integers.add(of_read(&grown.positions).iter().map(|place| place + 1));
        let texts = grown.starts.len();
        let starts = integers.add(grown.starts.iter().copied().chain([grown.ids.len()]));
        let read_starts = grown.read_starts.iter().copied().chain([grown.read.len()]);
        let read_starts = integers.add(read_starts);
        let base = self.device().upload(integers.values())?;
        let batch = DeviceBatch {
            ids: at(&base, ids),
            positions: at(&base, positions),
            starts: at(&base, starts),
            read_rows: at(&base, read_rows),
            read_starts: at(&base, read_starts),
            read_positions: at(&base, read_positions),
            tokens: grown.ids.len(),
            sentences: texts,
            reads: grown.read.len(),
            longest: grown.longest,
            highest_id: grown.ids.iter().copied().max().unwrap_or(0),
        };
        let listed = |firsts, lengths| Listed {
            firsts: at(&base, firsts),
            lengths: at(&base, lengths),
            list: at(&base, list),
        };
        let growing = Growing {
            cache,
            slots: at(&base, slots),
            all: listed(firsts, lengths),
            read: listed(read_firsts, read_lengths),
            fresh: !grown.continued,
        };
        let forward = self.run(&batch, Depth::Read, false, Some(growing))?;
        if grown.read.is_empty() {
            return Ok(None);
        }
        let rows = head.rows(&self.operations, forward)?;
        rows.narrow(&self.operations).map(Some)
    }

    /// The best next tokens of rows that `grow` gave.
    pub fn best(&self, hidden: &Tensor, choosing: Choosing<'_>) -> Result<Finding<'_>, CudaError> {
        let Some(head) = &self.head else {
            return Err(CudaError::Unsupported("a model without its head"));
        };
        self.operations.best(hidden, head.vocabulary(), choosing)
    }

    /// Products of such rows with the whole vocabulary; the reader applies bias and bounds.
    pub fn raw_logits(
        &self,
        hidden: &Tensor,
        first: usize,
        count: usize,
    ) -> Result<Vec<f32>, CudaError> {
        let Some(head) = &self.head else {
            return Err(CudaError::Unsupported("a model without its head"));
        };
        let vocabulary = head.vocabulary();
        let logits =
            self.operations
                .vocabulary_logits(hidden, vocabulary, first, count, vocabulary.size)?;
        self.device().download(&logits, count * vocabulary.size)
    }
}
