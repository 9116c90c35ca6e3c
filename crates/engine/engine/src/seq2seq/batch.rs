//! Many sentences at once, wherever the model runs: lanes take sentences from one queue, the longest first, and each works on a
//! batch of its own. A finished sentence leaves its batch and another takes its slot, so that the vocabulary is multiplied
//! with as many hypotheses as there is room for. A lane computes on CPU (`cpu.rs`) or on a
//! GPU (`on_device.rs`).

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::cpu::ProcessorLane;
use super::generation::Generation;
use super::gpu::DeviceLane;
use super::search::{Candidate, Finished, Search};
use super::{Seq2Seq, vocabulary};
use epicene_checkpoint::CheckpointError;
use epicene_io::threads::spawn_or_run;
use epicene_transformer::{Batch, Sequence};

/// The best continuations of a hypothesis, with their log-probabilities.
pub type Continuations = Vec<(u32, f32)>;

/// A sentence whose translation is being searched for.
#[derive(Debug)]
pub struct Live<Kept> {
    /// The index of the sentence in the request.
    index: usize,
    pub search: Search,
    pub kept: Kept,
}

/// What computes: one batch of sentences, one token further at a time.
pub trait Lane {
    /// What is kept of a sentence: keys and values of its source, and of what each beam has written.
    type Kept;

    /// Tokens of sources that are worth reading at once.
    fn source_tokens(&self) -> usize;

    fn read(&mut self, sources: &[&[u32]]) -> Result<Vec<Self::Kept>, CheckpointError>;

    /// Reads the last token of every beam. Its best continuations, beam by beam and sentence by sentence; what they are where the
    /// next token is certain does not matter.
    fn step(
        &mut self,
        live: &mut [Live<Self::Kept>],
    ) -> Result<Vec<Continuations>, CheckpointError>;

    /// Goes on with beams that continue the given ones.
    fn continue_from(&mut self, kept: &mut Self::Kept, parents: &[usize]);

    fn forget(&mut self, kept: Self::Kept);
}

/// The best hypothesis for each input. `first` is the token every translation must begin with.
pub fn search(
    model: &Seq2Seq,
    inputs: &[&[u32]],
    first: Option<u32>,
) -> Result<Vec<Option<Finished>>, CheckpointError> {
    // Equal inputs are translated once.
    let mut places: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    for (place, input) in inputs.iter().enumerate() {
        places.entry(input).or_default().push(place);
    }
    let mut queue: Vec<(&[u32], Vec<usize>)> = places.into_iter().collect();
    queue.sort_by_key(|(input, _)| std::cmp::Reverse(input.len()));
    let inputs_once: Vec<&[u32]> = queue.iter().map(|(input, _)| *input).collect();

    let generation = &model.generation;
    let found = match model.devices.as_slice() {
        [] => {
            let lanes = model.options.threads.clamp(1, inputs_once.len().max(1));
            let work = Work::new(model, &inputs_once, first, model.sentences_at_once(), lanes);
            work.on((0..lanes)
                .map(|_| ProcessorLane::new(model, first))
                .collect())
        }
        devices => {
            let each = DeviceLane::worth(inputs_once.len(), model.options.threads, devices.len());
            let rooms = devices
                .iter()
                .map(|device| device.sentences_at_once(generation));
            let room = rooms.min().unwrap_or(1) / each;
            let work = Work::new(model, &inputs_once, first, room, each * devices.len());
            let lanes = devices
                .iter()
                .flat_map(|device| (0..each).map(move |_| device));
            let lanes = lanes.map(|device| DeviceLane::new(device, generation));
            work.on(lanes.collect::<Result<_, _>>()?)
        }
    };
    let mut out = vec![None; inputs.len()];
    for done in found {
        for (index, finished) in done? {
            for place in &queue[index].1 {
                out[*place] = finished.clone();
            }
        }
    }
    Ok(out)
}

/// Sources that the encoder reads as a whole.
pub fn batch_of(sources: &[&[u32]]) -> Batch {
    let sequence = |ids: &&[u32]| Sequence {
        ids: ids.to_vec(),
        read: Vec::new(),
    };
    let sequences: Vec<Sequence> = sources.iter().map(sequence).collect();
    Batch::of(&sequences)
}

/// What the lanes share.
struct Work<'a> {
    generation: &'a Generation,
    inputs: &'a [&'a [u32]],
    first: Option<u32>,
    /// Sentences in a batch.
    room: usize,
    next: AtomicUsize,
    failed: AtomicBool,
}

type Done = Vec<(usize, Option<Finished>)>;

impl<'a> Work<'a> {
    /// At most `room` sentences a lane, and no more than its share.
    fn new(
        model: &'a Seq2Seq,
        inputs: &'a [&'a [u32]],
        first: Option<u32>,
        room: usize,
        lanes: usize,
    ) -> Work<'a> {
        let share = inputs.len().div_ceil(lanes.max(1));
        Work {
            generation: &model.generation,
            inputs,
            first,
            room: room.min(share).max(1),
            next: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// Every lane on a thread of its own, until the queue is empty.
    fn on<L: Lane + Send>(&self, lanes: Vec<L>) -> Vec<Result<Done, CheckpointError>> {
        let found = Mutex::new(Vec::with_capacity(lanes.len()));
        let run = |mut lane: L| {
            let done = self.run(&mut lane);
            if done.is_err() {
                self.failed.store(true, Ordering::Relaxed);
            }
            let mut found = found.lock().expect("no thread panics while it holds this");
            found.push(done);
        };
        match lanes.len() {
            1 => lanes.into_iter().for_each(run),
            _ => std::thread::scope(|scope| {
                for lane in lanes {
                    spawn_or_run(scope, || run(lane));
                }
            }),
        }
        found.into_inner().expect("the threads are done")
    }

    fn run<L: Lane>(&self, lane: &mut L) -> Result<Done, CheckpointError> {
        let mut live: Vec<Live<L::Kept>> = Vec::new();
        let mut done = Vec::new();
        while !self.failed.load(Ordering::Relaxed) {
            // Several free slots are filled together, so that the encoder reads a batch.
            if live.len() <= self.room - self.room.div_ceil(4) {
                self.fill(lane, &mut live)?;
            }
            if live.is_empty() {
                break;
            }
            self.step(lane, &mut live)?;
            let mut index = 0;
            while index < live.len() {
                if live[index].search.is_done() {
                    let sentence = live.remove(index);
                    lane.forget(sentence.kept);
                    done.push((sentence.index, sentence.search.best()));
                } else {
                    index += 1
                }
            }
        }
        Ok(done)
    }

    /// Takes sentences from the queue until the batch is full, and reads them.
    fn fill<L: Lane>(
        &self,
        lane: &mut L,
        live: &mut Vec<Live<L::Kept>>,
    ) -> Result<(), CheckpointError> {
        let mut taken = Vec::new();
        while live.len() + taken.len() < self.room {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.inputs.len() {
                break;
            }
            taken.push(index);
        }
        let mut rest = taken.as_slice();
        while !rest.is_empty() {
            let mut tokens = 0;
            let count = rest.iter().take_while(|index| {
                tokens += self.inputs[**index].len();
                tokens <= lane.source_tokens()
            });
            let (group, later) = rest.split_at(count.count().max(1));
            rest = later;
            let sources: Vec<&[u32]> = group.iter().map(|index| self.inputs[*index]).collect();
            let kept = lane.read(&sources)?;
            live.extend(group.iter().zip(kept).map(|(index, kept)| Live {
                index: *index,
                search: Search::new(self.generation),
                kept,
            }));
        }
        Ok(())
    }

    /// One token further for every sentence.
    fn step<L: Lane>(
        &self,
        lane: &mut L,
        live: &mut [Live<L::Kept>],
    ) -> Result<(), CheckpointError> {
        let generation = self.generation;
        let best = lane.step(live)?;
        let mut best = best.iter();
        let mut candidates = Vec::new();
        for sentence in live {
            candidates.clear();
            for (index, beam) in sentence.search.beams().iter().enumerate() {
                let open = best.next().expect("a lane answers for every beam");
                let forced = vocabulary::forced(generation, beam, self.first);
                let forced = forced.map(|token| [(token, 0.0)]);
                let tokens = match &forced {
                    Some(one) => one.as_slice(),
                    None => open,
                };
                candidates.extend(tokens.iter().map(|(token, log_probability)| Candidate {
                    beam: index,
                    token: *token,
                    log_probability: *log_probability,
                }));
            }
            let parents = sentence.search.advance(generation, &candidates);
            if !sentence.search.is_done() {
                lane.continue_from(&mut sentence.kept, &parents);
            }
        }
        Ok(())
    }
}
