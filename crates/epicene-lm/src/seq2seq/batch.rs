//! Many sentences at once: threads take sentences from one queue, the longest first, and each works on a batch of its
//! own. A finished sentence leaves its batch and another takes its place, so that the vocabulary is multiplied with
//! as many hypotheses as there is room for.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Seq2Seq;
use super::decoder::Live;
use super::search::{Beam, Candidate, Finished, Search};
use super::vocabulary;
use crate::checkpoint::CheckpointError;
use crate::cpu::{Matrix, Workspace};
use crate::transformer::{Batch, Depth, Sequence};

/// Tokens that the encoder reads at once.
const ENCODER_TOKENS: usize = 480;

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

    let threads = model.options.threads.clamp(1, inputs_once.len().max(1));
    let share = inputs_once.len().div_ceil(threads).max(1);
    let work = Work {
        model,
        inputs: &inputs_once,
        first,
        room: model.sentences_at_once().min(share),
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
    };
    let found = Mutex::new(Vec::with_capacity(inputs_once.len()));
    let one = || {
        let done = work.run();
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
    let mut out = vec![None; inputs.len()];
    for done in found.into_inner().expect("all threads have ended well") {
        for (index, finished) in done? {
            for place in &queue[index].1 {
                out[*place] = finished.clone();
            }
        }
    }
    Ok(out)
}

/// What the threads share.
struct Work<'a> {
    model: &'a Seq2Seq,
    inputs: &'a [&'a [u32]],
    first: Option<u32>,
    /// Sentences in a batch.
    room: usize,
    next: AtomicUsize,
    failed: AtomicBool,
}

type Done = Vec<(usize, Option<Finished>)>;

impl Work<'_> {
    /// One thread's part.
    fn run(&self) -> Result<Done, CheckpointError> {
        let done = self.run_until_empty();
        if done.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        done
    }

    fn run_until_empty(&self) -> Result<Done, CheckpointError> {
        let mut workspace = Workspace::default();
        let mut live: Vec<Live> = Vec::new();
        let mut done = Vec::new();
        while !self.failed.load(Ordering::Relaxed) {
            // A few places at a time are filled, so that the encoder has something to pack.
            if live.len() <= self.room - self.room.div_ceil(4) {
                self.fill(&mut workspace, &mut live)?;
            }
            if live.is_empty() {
                break;
            }
            self.step(&mut workspace, &mut live)?;
            let mut index = 0;
            while index < live.len() {
                match live[index].search.is_done() {
                    true => {
                        let sentence = live.remove(index);
                        done.push((sentence.index, sentence.search.best()));
                    }
                    false => index += 1,
                }
            }
        }
        Ok(done)
    }

    /// Takes sentences from the queue until the batch is full, and encodes them.
    fn fill(&self, workspace: &mut Workspace, live: &mut Vec<Live>) -> Result<(), CheckpointError> {
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
            let count = rest
                .iter()
                .take_while(|index| {
                    tokens += self.inputs[**index].len();
                    tokens <= ENCODER_TOKENS
                })
                .count()
                .max(1);
            let (group, later) = rest.split_at(count);
            self.encode(workspace, group, live)?;
            rest = later;
        }
        Ok(())
    }

    fn encode(
        &self,
        workspace: &mut Workspace,
        group: &[usize],
        live: &mut Vec<Live>,
    ) -> Result<(), CheckpointError> {
        let sequences: Vec<Sequence> = group
            .iter()
            .map(|index| Sequence {
                ids: self.inputs[*index].to_vec(),
                read: Vec::new(),
            })
            .collect();
        let batch = Batch::of(&sequences);
        let halves = &self.model.model;
        let encoded = halves
            .encoder
            .forward(workspace, &batch, Depth::All, false)?
            .hidden;
        let sources = halves
            .decoder
            .read_source(workspace, &encoded, &batch.starts);
        workspace.give(encoded);
        for (index, source) in group.iter().zip(sources) {
            let search = Search::new(&self.model.generation);
            live.push(Live::new(*index, search, source));
        }
        Ok(())
    }

    /// One token further for every sentence.
    fn step(&self, workspace: &mut Workspace, live: &mut [Live]) -> Result<(), CheckpointError> {
        let generation = &self.model.generation;
        let decoder = &self.model.model.decoder;
        let hidden = decoder.step(workspace, live)?;
        // Rows whose next token is certain need no logits.
        let mut open: Vec<(usize, &Beam)> = Vec::new();
        let mut row = 0;
        for sentence in &*live {
            for beam in sentence.search.beams() {
                if vocabulary::forced(generation, beam, self.first).is_none() {
                    open.push((row, beam));
                }
                row += 1;
            }
        }
        let mut asked = workspace.matrix(open.len(), hidden.columns);
        for (to, (from, _)) in open.iter().enumerate() {
            asked.row_mut(to).copy_from_slice(hidden.row(*from));
        }
        workspace.give(hidden);
        let best = self.best(workspace, &asked, &open);
        workspace.give(asked);
        let mut best = best.into_iter();
        let mut continued = Vec::with_capacity(live.len());
        for sentence in &*live {
            let mut candidates = Vec::new();
            for (index, beam) in sentence.search.beams().iter().enumerate() {
                let tokens = match vocabulary::forced(generation, beam, self.first) {
                    Some(token) => vec![(token, 0.0)],
                    None => best.next().expect("every open beam has its candidates"),
                };
                candidates.extend(
                    tokens
                        .into_iter()
                        .map(|(token, log_probability)| Candidate {
                            beam: index,
                            token,
                            log_probability,
                        }),
                );
            }
            continued.push(candidates);
        }
        for (sentence, candidates) in live.iter_mut().zip(continued) {
            let parents = sentence.search.advance(generation, &candidates);
            if !sentence.search.is_done() {
                sentence.continue_from(&parents);
            }
        }
        Ok(())
    }

    fn best(
        &self,
        workspace: &mut Workspace,
        asked: &Matrix,
        open: &[(usize, &Beam)],
    ) -> Vec<Vec<(u32, f32)>> {
        if open.is_empty() {
            return Vec::new();
        }
        let generation = &self.model.generation;
        let beams: Vec<&Beam> = open.iter().map(|(_, beam)| *beam).collect();
        let wanted = Search::wanted(generation);
        let projection = &self.model.model.decoder.projection;
        projection.best(workspace, asked, generation, &beams, wanted)
    }
}
