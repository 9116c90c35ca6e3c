//! Texts written on CPU, a lane for each thread.

use super::TextGenerator;
use super::choosing::{choose, log_probabilities};
use super::lane::{Lane, Pass};
use super::texts::{Live, Queue};
use crate::error::LmError;
use epicene_kernels::{PackedMatrix, Workspace};
use epicene_transformer::{Batch, Growing, Head, Past};

/// Texts that one thread writes at once, where memory allows: whole tiles of rows.
pub const MOST_ROWS: usize = 120;
/// Keys and values of all threads together.
const PAST_BYTES: usize = 3 << 30;

/// A thread's texts.
pub struct OnProcessor<'a> {
    queue: &'a Queue<'a>,
    head: &'a Head,
    packed: &'a PackedMatrix,
    room: usize,
    workspace: Workspace,
}

/// How many threads are worth starting.
pub fn threads(queue: &Queue<'_>) -> usize {
    let threads = queue.generator.model.options.threads;
    threads.clamp(1, queue.prompts.len().max(1))
}

impl<'a> OnProcessor<'a> {
    pub fn new(queue: &'a Queue<'a>) -> Result<OnProcessor<'a>, LmError> {
        let (head, packed) = queue.generator.head()?;
        let widths = queue
            .generator
            .model
            .transformer
            .layers
            .iter()
            .map(|layer| {
                let how = &layer.attention.how;
                2 * how.key_heads * how.head_size
            });
        let each = 4 * widths.sum::<usize>() * queue.longest();
        let threads = threads(queue);
        let room = (PAST_BYTES / threads / each.max(1)).clamp(1, MOST_ROWS);
        Ok(OnProcessor {
            queue,
            head,
            packed,
            room: room.min(queue.prompts.len().div_ceil(threads)).max(1),
            workspace: Workspace::default(),
        })
    }

    fn generator(&self) -> &'a TextGenerator {
        self.queue.generator
    }
}

impl Lane for OnProcessor<'_> {
    type Past = Past;

    fn room(&self) -> usize {
        self.room
    }

    fn budget(&self) -> usize {
        self.generator().model.options.batch_tokens
    }

    fn after(&mut self, past: Option<&Past>) -> Past {
        match past {
            Some(past) => past.clone(),
            None => self.generator().model.transformer.no_past(),
        }
    }

    fn forget(&mut self, _past: Past) {}

    fn advance(
        &mut self,
        pass: Pass<'_, Past>,
        texts: &mut [Live<'_>],
        rows: &[usize],
    ) -> Result<Vec<Option<u32>>, LmError> {
        let transformer = &self.generator().model.transformer;
        let lengths = pass.pasts.iter().map(|past| past.length);
        let batch = Batch::after(lengths.zip(&pass.sequences));
        let growing = Growing {
            pasts: pass.pasts,
            one_by_one: pass.one_by_one,
        };
        let workspace = &mut self.workspace;
        let hidden = transformer.grow(workspace, &batch, growing)?;
        let hidden = self.head.transform(workspace, hidden);
        let mut logits = self.head.all(workspace, self.packed, &hidden);
        workspace.give(hidden);
        let mut chosen = Vec::with_capacity(texts.len());
        for (place, (live, row)) in texts.iter_mut().zip(rows).enumerate() {
            // Texts of one row may forbid different tokens.
            let mut copy;
            let own = if rows.get(place + 1) == Some(row) {
                copy = logits.row(*row).to_vec();
                copy.as_mut_slice()
            } else {
                logits.row_mut(*row)
            };
            if !live.asked().is_empty() {
                live.first = log_probabilities(own, live.asked());
            }
            let (manner, draws) = (self.queue.manner, &mut live.draws);
            chosen.push(choose(manner, &live.ids, live.given, own, draws));
        }
        workspace.give(logits);
        Ok(chosen)
    }
}
