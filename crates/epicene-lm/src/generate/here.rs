//! Texts written on the processor: threads take prompts from one queue, and each writes a batch of its own. A finished
//! text leaves its batch and another takes its place.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::choosing::{choose, log_probabilities};
use super::prefixes::{Run, runs};
use super::texts::{Live, Texts, in_order};
use super::{Completion, Manner, Prompt, TextGenerator};
use crate::LmError;
use crate::cpu::{Matrix, PackedMatrix, Workspace};
use crate::transformer::{Batch, Growing, Head, Past, Sequence};

/// Texts that one thread writes at once, where memory allows: whole tiles of rows.
pub const MOST_ROWS: usize = 72;
/// Keys and values of all threads together.
const PAST_BYTES: usize = 3 << 30;

/// One completion for each prompt, in order.
pub fn write(
    generator: &TextGenerator,
    prompts: &[&Prompt],
    manner: &Manner,
) -> Result<Vec<Completion>, LmError> {
    let (head, packed) = generator.head()?;
    let model = &generator.model;
    let threads = model.options.threads.clamp(1, prompts.len().max(1));
    let widths = model.transformer.layers.iter().map(|layer| {
        let how = &layer.attention.how;
        2 * how.key_heads * how.head_size
    });
    let longest = prompts
        .iter()
        .map(|prompt| manner.longest(prompt.ids.len()));
    let each = 4 * widths.sum::<usize>() * longest.max().unwrap_or(1);
    let room = (PAST_BYTES / threads / each.max(1)).clamp(1, MOST_ROWS);
    let work = Work {
        generator,
        manner,
        prompts,
        head,
        packed,
        room: room.min(prompts.len().div_ceil(threads)).max(1),
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
    };
    let found = Mutex::new(Vec::with_capacity(prompts.len()));
    let one = || {
        let done = work.run();
        if done.is_err() {
            work.failed.store(true, Ordering::Relaxed);
        }
        let mut found = found.lock().expect("no thread panics while it holds this");
        found.push(done);
    };
    match threads {
        1 => one(),
        _ => std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(one);
            }
        }),
    }
    let found = found.into_inner().expect("the threads are done");
    let mut every = Vec::with_capacity(prompts.len());
    for done in found {
        every.extend(done?);
    }
    Ok(in_order(prompts.len(), every))
}

/// What the threads share.
struct Work<'a> {
    generator: &'a TextGenerator,
    manner: &'a Manner,
    prompts: &'a [&'a Prompt],
    head: &'a Head,
    packed: &'a PackedMatrix,
    /// Texts in a batch.
    room: usize,
    next: AtomicUsize,
    failed: AtomicBool,
}

/// One thread's texts with the pasts of those that are live, in order.
struct Own<'a> {
    texts: Texts<'a>,
    pasts: Vec<Past>,
}

impl Work<'_> {
    fn run(&self) -> Result<Vec<(usize, Completion)>, LmError> {
        let mut workspace = Workspace::default();
        let mut own = Own {
            texts: Texts::new(self.generator, self.prompts, self.manner),
            pasts: Vec::new(),
        };
        while !self.failed.load(Ordering::Relaxed) {
            // A few places at a time are filled, so that there is something to pack.
            if own.texts.live.len() <= self.room - self.room.div_ceil(4) {
                self.fill(&mut workspace, &mut own)?;
            }
            if own.texts.live.is_empty() {
                match self.next.load(Ordering::Relaxed) < self.prompts.len() {
                    true => continue,
                    false => break,
                }
            }
            self.step(&mut workspace, &mut own)?;
        }
        Ok(own.texts.done)
    }

    /// Takes prompts from the queue, reads them and writes their first tokens.
    fn fill(&self, workspace: &mut Workspace, own: &mut Own<'_>) -> Result<(), LmError> {
        let free = self.room - own.texts.live.len();
        let start = self.next.fetch_add(free, Ordering::Relaxed);
        let end = (start + free).min(self.prompts.len());
        if start >= end {
            return Ok(());
        }
        let taken = &self.prompts[start..end];
        let ids: Vec<&[u32]> = taken.iter().map(|prompt| prompt.ids.as_slice()).collect();
        let runs = runs(&ids);
        let mut pasts: Vec<Option<Past>> = vec![None; runs.len()];
        let deepest = runs.iter().map(|run| run.depth).max().unwrap_or(0);
        for depth in 0..=deepest {
            let level: Vec<usize> = (0..runs.len())
                .filter(|run| runs[*run].depth == depth)
                .collect();
            let mut rest = level.as_slice();
            while !rest.is_empty() {
                let mut tokens = 0;
                let limit = self.generator.model.options.batch_tokens;
                let count = rest.iter().take_while(|run| {
                    tokens += runs[**run].tokens.len();
                    tokens <= limit
                });
                let (group, later) = rest.split_at(count.count().max(1));
                rest = later;
                let hidden = self.read(workspace, &runs, group, &mut pasts)?;
                self.begin(workspace, &runs, group, hidden, start, &pasts, own)?;
            }
        }
        Ok(())
    }

    /// Reads runs after their parents'; the hidden states of the last tokens of those that end a prompt.
    fn read(
        &self,
        workspace: &mut Workspace,
        runs: &[Run],
        group: &[usize],
        pasts: &mut [Option<Past>],
    ) -> Result<Matrix, LmError> {
        let transformer = &self.generator.model.transformer;
        let mut growing: Vec<Past> = Vec::with_capacity(group.len());
        let mut sequences = Vec::with_capacity(group.len());
        for run in group {
            let run = &runs[*run];
            growing.push(match run.parent.and_then(|parent| pasts[parent].as_ref()) {
                Some(parent) => parent.clone(),
                None => transformer.no_past(),
            });
            let last = run.tokens.len() - 1;
            sequences.push(Sequence {
                ids: run.tokens.clone(),
                read: match run.prompts.is_empty() {
                    true => Vec::new(),
                    false => vec![last],
                },
            });
        }
        let batch = Batch::after(growing.iter().map(|past| past.length).zip(&sequences));
        let growing_now = Growing {
            pasts: &mut growing,
            one_by_one: false,
        };
        let hidden = transformer.grow(workspace, &batch, growing_now)?;
        for (run, past) in group.iter().zip(growing) {
            pasts[*run] = Some(past);
        }
        Ok(hidden)
    }

    /// Starts the texts of prompts that end in these runs.
    #[allow(clippy::too_many_arguments)]
    fn begin(
        &self,
        workspace: &mut Workspace,
        runs: &[Run],
        group: &[usize],
        hidden: Matrix,
        start: usize,
        pasts: &[Option<Past>],
        own: &mut Own<'_>,
    ) -> Result<(), LmError> {
        let ending = group.iter().filter(|run| !runs[**run].prompts.is_empty());
        let logits = self.logits(workspace, hidden);
        for (row, run) in ending.enumerate() {
            for prompt in &runs[*run].prompts {
                let place = start + prompt;
                let mut row = logits.row(row).to_vec();
                let mut live = own.texts.begin(place);
                live.first = log_probabilities(&row, &self.prompts[place].first);
                let past = pasts[*run]
                    .as_ref()
                    .expect("a run that was read has a past");
                if let Some(live) = self.advance(live, &mut row, own)? {
                    own.texts.live.push(live);
                    own.pasts.push(past.clone());
                }
            }
        }
        workspace.give(logits);
        Ok(())
    }

    fn logits(&self, workspace: &mut Workspace, hidden: Matrix) -> Matrix {
        let rows = self.head.transform(workspace, hidden);
        let logits = self.head.all(workspace, self.packed, &rows);
        workspace.give(rows);
        logits
    }

    /// One token further for every text.
    fn step(&self, workspace: &mut Workspace, own: &mut Own<'_>) -> Result<(), LmError> {
        let last = |live: &Live| Sequence {
            ids: live.ids.last().copied().into_iter().collect(),
            read: vec![0],
        };
        let sequences: Vec<Sequence> = own.texts.live.iter().map(last).collect();
        let lengths = own.pasts.iter().map(|past| past.length);
        let batch = Batch::after(lengths.zip(&sequences));
        let growing = Growing {
            pasts: &mut own.pasts,
            one_by_one: true,
        };
        let transformer = &self.generator.model.transformer;
        let hidden = transformer.grow(workspace, &batch, growing)?;
        let mut logits = self.logits(workspace, hidden);
        let pasts = std::mem::take(&mut own.pasts);
        let live = std::mem::take(&mut own.texts.live);
        for (row, (live, past)) in live.into_iter().zip(pasts).enumerate() {
            if let Some(live) = self.advance(live, logits.row_mut(row), own)? {
                own.texts.live.push(live);
                own.pasts.push(past);
            }
        }
        workspace.give(logits);
        Ok(())
    }

    /// Chooses a text's next token. A text that ends is done, and not given back.
    fn advance(
        &self,
        mut live: Live,
        logits: &mut [f32],
        own: &mut Own<'_>,
    ) -> Result<Option<Live>, LmError> {
        let prompt = self.prompts[live.place].ids.len();
        let token = choose(self.manner, &live.ids, prompt, logits, &mut live.draws);
        own.texts.take(live, token)
    }
}
