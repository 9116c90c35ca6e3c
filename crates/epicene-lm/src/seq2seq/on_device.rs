//! The same search with the model on a GPU: the device reads, keeps keys and values, and finds the best continuations of
//! every hypothesis; a few numbers come back for each, and what is chosen among them is chosen here, by the same code.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::generation::Generation;
use super::search::{Candidate, Finished, Search};
use super::{EncoderDecoder, Seq2Seq, vocabulary};
use crate::bans::Rules;
use crate::checkpoint::CheckpointError;
use crate::cuda::{
    Choosing, CudaError, Device, DeviceDecoder, DeviceModel, Rows, SlotCache, Slots,
};
use crate::transformer::{Batch, Sequence};

/// Hypotheses that are followed at once, where memory allows.
const MOST_ROWS: usize = 4096;

#[derive(Debug)]
pub struct DeviceSeq2Seq {
    encoder: DeviceModel,
    decoder: DeviceDecoder,
    /// Bytes that are free for keys and values.
    free: usize,
}

impl DeviceSeq2Seq {
    /// From a model whose matrices are on the device already.
    pub fn new(
        device: Arc<Device>,
        model: &EncoderDecoder,
    ) -> Result<DeviceSeq2Seq, CheckpointError> {
        let encoder = DeviceModel::new(device.clone(), &model.encoder)?;
        let decoder = DeviceDecoder::new(device.clone(), &model.decoder)?;
        // The rest is for logits and what lies between.
        let free = device.free_bytes()? / 2;
        Ok(DeviceSeq2Seq {
            encoder,
            decoder,
            free,
        })
    }

    pub fn name(&self) -> String {
        let device = self.encoder.device();
        format!("{}, {}", device.name, device.dtype)
    }

    /// Sentences that are translated at once.
    pub fn sentences_at_once(&self, generation: &Generation) -> usize {
        let slot: usize = self.decoder.kept_widths().iter().sum();
        // As much again for growing, and for the sources.
        let each = 4 * slot * generation.beams * generation.max_length;
        (self.free / each.max(1)).clamp(1, (MOST_ROWS / generation.beams).max(1))
    }
}

/// A sentence whose translation is being searched for.
struct Running {
    index: usize,
    search: Search,
    /// Slots of its source.
    source: Vec<u32>,
    /// For each beam, the slots of its tokens.
    slots: Vec<Vec<u32>>,
}

/// The best hypothesis for each input.
pub fn search(
    model: &Seq2Seq,
    device: &DeviceSeq2Seq,
    inputs: &[&[u32]],
    first: Option<u32>,
) -> Result<Vec<Option<Finished>>, CheckpointError> {
    // Equal inputs are translated once; sentences of like length start together.
    let mut places: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    for (place, input) in inputs.iter().enumerate() {
        places.entry(input).or_default().push(place);
    }
    let mut queue: Vec<(&[u32], Vec<usize>)> = places.into_iter().collect();
    queue.sort_by_key(|(input, _)| std::cmp::Reverse(input.len()));
    let mut translating = Translating {
        model,
        device,
        first,
        room: device.sentences_at_once(&model.generation),
        running: Vec::new(),
        sources: device.decoder.slots(0)?,
        source_slots: Slots::default(),
        written: device.decoder.slots(0)?,
        written_slots: Slots::default(),
    };
    let mut out = vec![None; inputs.len()];
    let mut next = 0;
    while next < queue.len() || !translating.running.is_empty() {
        // A few places at a time are filled, so that the encoder has something to pack.
        let room = translating.room;
        if translating.running.len() <= room - room.div_ceil(4) {
            let end = queue.len().min(next + room - translating.running.len());
            let sentences: Vec<(usize, &[u32])> =
                (next..end).map(|place| (place, queue[place].0)).collect();
            translating.take_in(&sentences)?;
            next = end;
        }
        for (index, finished) in translating.step()? {
            for place in &queue[index].1 {
                out[*place] = finished.clone();
            }
        }
    }
    Ok(out)
}

struct Translating<'a> {
    model: &'a Seq2Seq,
    device: &'a DeviceSeq2Seq,
    /// The token every translation begins with.
    first: Option<u32>,
    /// Sentences at once.
    room: usize,
    running: Vec<Running>,
    sources: SlotCache,
    source_slots: Slots,
    written: SlotCache,
    written_slots: Slots,
}

impl Translating<'_> {
    /// Encodes sentences, as many tokens at once as the encoder takes.
    fn take_in(&mut self, sentences: &[(usize, &[u32])]) -> Result<(), CheckpointError> {
        let mut rest = sentences;
        while !rest.is_empty() {
            let mut tokens = 0;
            let count = rest.iter().take_while(|(_, ids)| {
                tokens += ids.len();
                tokens <= self.device.encoder.budget
            });
            let (group, later) = rest.split_at(count.count().max(1));
            rest = later;
            let sequence = |(_, ids): &(usize, &[u32])| Sequence {
                ids: ids.to_vec(),
                read: Vec::new(),
            };
            let sequences: Vec<Sequence> = group.iter().map(sequence).collect();
            let encoded = self.device.encoder.encode(&Batch::of(&sequences))?;
            let mut slots = Vec::with_capacity(encoded.rows);
            for (index, ids) in group {
                let source: Vec<u32> = ids.iter().map(|_| self.source_slots.take()).collect();
                slots.extend_from_slice(&source);
                self.running.push(Running {
                    index: *index,
                    search: Search::new(&self.model.generation),
                    source,
                    slots: vec![Vec::new()],
                });
            }
            let used = self.source_slots.used();
            self.device
                .decoder
                .read_source(&encoded, &slots, &mut self.sources, used)?;
        }
        Ok(())
    }

    /// One token further for every sentence; those that are done.
    fn step(&mut self) -> Result<Vec<(usize, Option<Finished>)>, CheckpointError> {
        let generation = &self.model.generation;
        let mut rows = Rows::default();
        for (place, sentence) in self.running.iter_mut().enumerate() {
            rows.sources.push(sentence.source.clone());
            for (beam, slots) in sentence.search.beams().iter().zip(&mut sentence.slots) {
                let slot = self.written_slots.take();
                slots.push(slot);
                let token = *beam.ids.last().expect("a beam begins with a token");
                rows.tokens.push(token as usize);
                let position = self.device.decoder.position(token, beam.ids.len() - 1);
                rows.positions.push(position);
                rows.slots.push(slot as usize);
                rows.written.push(slots.clone());
                rows.sentences.push(place);
            }
        }
        let rules = self.on_threads(|sentences| {
            let beams = sentences
                .iter()
                .flat_map(|sentence| sentence.search.beams());
            let bans = &generation.bans;
            beams
                .map(|beam| Rules::of(bans, &beam.ids, bans.min_length))
                .collect()
        });
        let choosing = Choosing {
            rules: &rules,
            wanted: Search::wanted(generation),
            repetition_penalty: generation.bans.repetition_penalty,
            greedy: generation.beams == 1,
            renormalize: generation.renormalize,
            pairs: &[],
        };
        let used = self.written_slots.used();
        let decoder = &self.device.decoder;
        let best = decoder.step(&rows, &mut self.written, used, &self.sources, choosing)?;
        let parents = self.advance(&best);
        // Slots go from the beams to those that continue them.
        for (sentence, parents) in self.running.iter_mut().zip(parents) {
            let next: Vec<Vec<u32>> = parents
                .iter()
                .map(|parent| sentence.slots[*parent].clone())
                .collect();
            next.iter()
                .for_each(|slots| self.written_slots.share(slots));
            let before = std::mem::replace(&mut sentence.slots, next);
            before
                .iter()
                .for_each(|slots| self.written_slots.give_back(slots));
        }
        let (finished, running): (Vec<Running>, Vec<Running>) = std::mem::take(&mut self.running)
            .into_iter()
            .partition(|sentence| sentence.search.is_done());
        self.running = running;
        let mut done = Vec::with_capacity(finished.len());
        for sentence in finished {
            self.source_slots.give_back(&sentence.source);
            done.push((sentence.index, sentence.search.best()));
        }
        Ok(done)
    }

    /// Every sentence chooses among its candidates; which beams the new ones continue, none where it is done.
    fn advance(&mut self, best: &[Vec<(u32, f32)>]) -> Vec<Vec<usize>> {
        let (generation, first) = (&self.model.generation, self.first);
        let mut offered: Vec<&[Vec<(u32, f32)>]> = Vec::with_capacity(self.running.len());
        let mut rest = best;
        for sentence in &self.running {
            let (own, later) = rest.split_at(sentence.search.beams().len());
            offered.push(own);
            rest = later;
        }
        let share = self.share();
        std::thread::scope(|scope| {
            let parts = self.running.chunks_mut(share).zip(offered.chunks(share));
            let parts: Vec<_> = parts
                .map(|(sentences, offered)| {
                    scope.spawn(move || {
                        let pairs = sentences.iter_mut().zip(offered);
                        pairs
                            .map(|(sentence, best)| {
                                let candidates =
                                    candidates(generation, &sentence.search, first, best);
                                let parents = sentence.search.advance(generation, &candidates);
                                match sentence.search.is_done() {
                                    true => Vec::new(),
                                    false => parents,
                                }
                            })
                            .collect::<Vec<Vec<usize>>>()
                    })
                })
                .collect();
            parts.into_iter().flat_map(joined).collect()
        })
    }

    /// Sentences that a thread works on.
    fn share(&self) -> usize {
        const WORTH_A_THREAD: usize = 32;
        let threads = self.model.options.threads.max(1);
        self.running.len().div_ceil(threads).max(WORTH_A_THREAD)
    }

    /// What all threads make of the running sentences, in order.
    fn on_threads<T: Send>(&self, work: impl Fn(&[Running]) -> Vec<T> + Sync) -> Vec<T> {
        let work = &work;
        std::thread::scope(|scope| {
            let parts = self.running.chunks(self.share());
            let parts: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            parts.into_iter().flat_map(joined).collect()
        })
    }
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn candidates(
    generation: &Generation,
    search: &Search,
    first: Option<u32>,
    best: &[Vec<(u32, f32)>],
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (index, (beam, open)) in search.beams().iter().zip(best).enumerate() {
        let forced = vocabulary::forced(generation, beam, first).map(|token| [(token, 0.0)]);
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
    candidates
}

impl From<CudaError> for crate::LmError {
    fn from(error: CudaError) -> crate::LmError {
        crate::LmError::Checkpoint(CheckpointError::Cuda(error))
    }
}
