//! One way to write texts for everything that can: a lane, a thread or a GPU, takes prompts from the queue, reads what they
//! share once, and writes a batch of its own. A finished text leaves its batch and another takes its slot.

use std::sync::atomic::Ordering;

use super::prefixes::{Run, runs};
use super::texts::{Done, Live, Queue};
use crate::error::LmError;
use epicene_transformer::Sequence;

/// What a thread and a GPU do differently.
pub trait Lane {
    /// Keys and values of what a text has had so far.
    type Past;

    /// Texts at once.
    fn room(&self) -> usize;

    /// Tokens read in one pass.
    fn budget(&self) -> usize;

    /// A past that goes on by itself after another, or after nothing.
    fn after(&mut self, past: Option<&Self::Past>) -> Self::Past;

    fn forget(&mut self, past: Self::Past);

    /// Reads a pass, whose pasts grow by it. For each text what is asked of its next position, and its next token; its
    /// row says which of the positions that are read it goes on from.
    fn advance(
        &mut self,
        pass: Pass<'_, Self::Past>,
        texts: &mut [Live<'_>],
        rows: &[usize],
    ) -> Result<Vec<Option<u32>>, LmError>;
}

/// Tokens that are read together.
pub struct Pass<'a, P> {
    /// One for each sequence.
    pub pasts: &'a mut [P],
    pub sequences: Vec<Sequence>,
    /// One token for each sequence: texts are being written.
    pub one_by_one: bool,
}

/// Writes until the queue is empty.
pub fn write<L: Lane>(
    lane: Result<L, LmError>,
    queue: &Queue<'_>,
    done: &Done,
) -> Result<(), LmError> {
    let written = lane.and_then(|lane| {
        let (live, pasts) = (Vec::new(), Vec::new());
        Writing {
            lane,
            queue,
            done,
            live,
            pasts,
        }
        .run()
    });
    if written.is_err() {
        queue.failed.store(true, Ordering::Relaxed);
    }
    written
}

/// One lane's texts, with the past of each.
struct Writing<'a, L: Lane> {
    lane: L,
    queue: &'a Queue<'a>,
    done: &'a Done,
    live: Vec<Live<'a>>,
    pasts: Vec<L::Past>,
}

impl<L: Lane> Writing<'_, L> {
    fn run(&mut self) -> Result<(), LmError> {
        let room = self.lane.room();
        while !self.queue.failed.load(Ordering::Relaxed) {
            // Several free slots are filled together, so that prompts are read in batches.
            let short = self.live.len() <= room - room.div_ceil(4);
            let more = short && self.fill()?;
            if !self.live.is_empty() {
                self.step()?;
            } else if !more {
                break;
            }
        }
        Ok(())
    }

    /// Takes prompts, reads them and writes their first tokens. Whether there were any.
    fn fill(&mut self) -> Result<bool, LmError> {
        let free = self.lane.room() - self.live.len();
        let every = self.queue.prompts.len();
        let start = self
            .queue
            .next
            .fetch_add(free, Ordering::Relaxed)
            .min(every);
        let taken = &self.queue.prompts[start..(start + free).min(every)];
        let ids: Vec<&[u32]> = taken.iter().map(|prompt| prompt.ids.as_slice()).collect();
        let runs = runs(&ids);
        let mut pasts: Vec<Option<L::Past>> = runs.iter().map(|_| None).collect();
        let mut goes_on = vec![false; runs.len()];
        for parent in runs.iter().filter_map(|run| run.parent) {
            goes_on[parent] = true;
        }
        let deepest = runs.iter().map(|run| run.depth).max().unwrap_or(0);
        for depth in 0..=deepest {
            let level = (0..runs.len()).filter(|run| runs[*run].depth == depth);
            let level: Vec<usize> = level.collect();
            let mut rest = level.as_slice();
            while !rest.is_empty() {
                let mut tokens = 0;
                let fits = rest.iter().take_while(|run| {
                    tokens += runs[**run].tokens.len();
                    tokens <= self.lane.budget()
                });
                let (group, later) = rest.split_at(fits.count().max(1));
                rest = later;
                self.read(&runs, group, start, &mut pasts, &goes_on)?;
            }
        }
        for past in pasts.into_iter().flatten() {
            self.lane.forget(past);
        }
        Ok(!taken.is_empty())
    }

    /// Reads runs after their parents', and starts the texts of prompts that end in them.
    fn read(
        &mut self,
        runs: &[Run],
        group: &[usize],
        start: usize,
        pasts: &mut [Option<L::Past>],
        goes_on: &[bool],
    ) -> Result<(), LmError> {
        let mut growing = Vec::with_capacity(group.len());
        let mut sequences = Vec::with_capacity(group.len());
        let (mut texts, mut rows, mut ends) = (Vec::new(), Vec::new(), 0);
        for run in group.iter().map(|run| &runs[*run]) {
            let parent = run.parent.and_then(|parent| pasts[parent].as_ref());
            growing.push(self.lane.after(parent));
            let last = run.tokens.len() - 1;
            sequences.push(Sequence {
                ids: run.tokens.clone(),
                read: (!run.prompts.is_empty())
                    .then_some(last)
                    .into_iter()
                    .collect(),
            });
            for prompt in &run.prompts {
                texts.push(self.queue.begin(start + prompt));
                rows.push(ends);
            }
            ends += usize::from(!run.prompts.is_empty());
        }
        let pass = Pass {
            pasts: &mut growing,
            sequences,
            one_by_one: false,
        };
        let chosen = self.lane.advance(pass, &mut texts, &rows)?;
        let mut begun = texts.into_iter().zip(chosen);
        for (run, past) in group.iter().zip(growing) {
            let mut going = Vec::new();
            for (live, token) in begun.by_ref().take(runs[*run].prompts.len()) {
                going.extend(self.queue.take(live, token, self.done)?);
            }
            // What nothing else goes on from is the last text's own.
            let own = if goes_on[*run] { None } else { going.pop() };
            for live in going {
                self.pasts.push(self.lane.after(Some(&past)));
                self.live.push(live);
            }
            if let Some(live) = own {
                self.pasts.push(past);
                self.live.push(live);
            } else if goes_on[*run] {
                pasts[*run] = Some(past);
            } else {
                self.lane.forget(past);
            }
        }
        Ok(())
    }

    /// One token further for every text.
    fn step(&mut self) -> Result<(), LmError> {
        let last = |live: &Live<'_>| Sequence {
            ids: live.ids.last().copied().into_iter().collect(),
            read: vec![0],
        };
        let sequences = self.live.iter().map(last).collect();
        let rows: Vec<usize> = (0..self.live.len()).collect();
        let pass = Pass {
            pasts: &mut self.pasts,
            sequences,
            one_by_one: true,
        };
        let chosen = self.lane.advance(pass, &mut self.live, &rows)?;
        let texts = std::mem::take(&mut self.live).into_iter().zip(chosen);
        for ((live, token), past) in texts.zip(std::mem::take(&mut self.pasts)) {
            match self.queue.take(live, token, self.done)? {
                Some(live) => {
                    self.live.push(live);
                    self.pasts.push(past);
                }
                None => self.lane.forget(past),
            }
        }
        Ok(())
    }
}
