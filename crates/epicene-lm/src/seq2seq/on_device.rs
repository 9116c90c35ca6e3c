//! The same search with the model on a GPU: sentences of a batch start together, the device gives logits, and what
//! is done with them is done here, by the same code.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::generation::Generation;
use super::search::{Beam, Candidate, Finished, Search};
use super::{EncoderDecoder, Seq2Seq, vocabulary};
use crate::checkpoint::CheckpointError;
use crate::cuda::{CudaError, Device, DeviceDecoder, DeviceModel, Dtype, Rows, Written};
use crate::transformer::{Batch, Sequence};

/// Sentences that start together.
const TOGETHER: usize = 256;

#[derive(Debug)]
pub struct DeviceSeq2Seq {
    encoder: DeviceModel,
    decoder: DeviceDecoder,
}

impl DeviceSeq2Seq {
    /// From a model whose matrices are on the device already.
    pub fn new(
        device: Arc<Device>,
        model: &EncoderDecoder,
    ) -> Result<DeviceSeq2Seq, CheckpointError> {
        Ok(DeviceSeq2Seq {
            encoder: DeviceModel::new(device.clone(), &model.encoder)?,
            decoder: DeviceDecoder::new(device, &model.decoder)?,
        })
    }

    pub fn dtype(&self) -> Dtype {
        self.encoder.device().dtype
    }

    pub fn name(&self) -> String {
        let device = self.encoder.device();
        format!("{}, {}", device.name, device.dtype)
    }
}

/// A sentence whose translation is being searched for.
struct Running {
    index: usize,
    search: Search,
    /// First row and length of its source.
    source: (usize, usize),
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
    let mut out = vec![None; inputs.len()];
    for group in queue.chunks(TOGETHER) {
        let sentences: Vec<&[u32]> = group.iter().map(|(input, _)| *input).collect();
        for (index, finished) in search_group(model, device, &sentences, first)? {
            for place in &group[index].1 {
                out[*place] = finished.clone();
            }
        }
    }
    Ok(out)
}

fn search_group(
    model: &Seq2Seq,
    device: &DeviceSeq2Seq,
    sentences: &[&[u32]],
    first: Option<u32>,
) -> Result<Vec<(usize, Option<Finished>)>, CheckpointError> {
    let generation = &model.generation;
    let sequences: Vec<Sequence> = sentences
        .iter()
        .map(|ids| Sequence {
            ids: ids.to_vec(),
            read: Vec::new(),
        })
        .collect();
    let batch = Batch::of(&sequences);
    let encoded = device.encoder.encode(&batch)?;
    let source = device.decoder.read_source(&encoded)?;
    let mut running: Vec<Running> = batch
        .starts
        .windows(2)
        .enumerate()
        .map(|(index, bounds)| Running {
            index,
            search: Search::new(generation),
            source: (bounds[0], bounds[1] - bounds[0]),
            slots: vec![Vec::new()],
        })
        .collect();
    let mut slots = Slots::default();
    let mut written: Option<Written> = None;
    let mut done = Vec::with_capacity(sentences.len());
    while !running.is_empty() {
        let rows = slots.rows(&device.decoder, &mut running);
        device
            .decoder
            .make_room(&mut written, slots.used as usize)?;
        let Some(written) = &written else {
            break;
        };
        let mut logits = device.decoder.step(&rows, written, &source)?;
        let beams: Vec<&Beam> = running
            .iter()
            .flat_map(|sentence| sentence.search.beams())
            .collect();
        let best = best(model, &beams, &mut logits);
        let mut best = best.into_iter();
        for sentence in &mut running {
            let candidates = candidates(generation, &sentence.search, first, &mut best);
            let parents = sentence.search.advance(generation, &candidates);
            if !sentence.search.is_done() {
                sentence.slots = parents
                    .iter()
                    .map(|parent| sentence.slots[*parent].clone())
                    .collect();
            }
        }
        let (finished, rest) = running
            .into_iter()
            .partition::<Vec<Running>, _>(|sentence| sentence.search.is_done());
        running = rest;
        let finished = finished.into_iter();
        done.extend(finished.map(|sentence| (sentence.index, sentence.search.best())));
        slots.keep(&running);
    }
    Ok(done)
}

fn candidates(
    generation: &Generation,
    search: &Search,
    first: Option<u32>,
    best: &mut impl Iterator<Item = Vec<(u32, f32)>>,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (index, beam) in search.beams().iter().enumerate() {
        let open = best.next().unwrap_or_default();
        let tokens = match vocabulary::forced(generation, beam, first) {
            Some(token) => vec![(token, 0.0)],
            None => open,
        };
        let tokens = tokens.into_iter();
        candidates.extend(tokens.map(|(token, log_probability)| Candidate {
            beam: index,
            token,
            log_probability,
        }));
    }
    candidates
}

/// The best tokens of every row, on all threads.
fn best(model: &Seq2Seq, beams: &[&Beam], logits: &mut [f32]) -> Vec<Vec<(u32, f32)>> {
    let generation = &model.generation;
    let bias = &model.model.decoder.projection.bias;
    let wanted = Search::wanted(generation);
    let vocabulary = logits.len() / beams.len().max(1);
    let share = beams.len().div_ceil(model.options.threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let parts = beams.chunks(share);
        let parts: Vec<_> = parts
            .zip(logits.chunks_mut((share * vocabulary).max(1)))
            .map(|(beams, logits)| {
                scope.spawn(move || vocabulary::best_of(generation, beams, bias, logits, wanted))
            })
            .collect();
        let parts = parts.into_iter().flat_map(|part| match part.join() {
            Ok(best) => best,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        parts.collect()
    })
}

/// Which slots of keys and values are in use.
#[derive(Default)]
struct Slots {
    free: Vec<u32>,
    used: u32,
}

impl Slots {
    /// Gives each beam a slot for the token that is read now.
    fn rows(&mut self, decoder: &DeviceDecoder, running: &mut [Running]) -> Rows {
        let mut rows = Rows::default();
        for sentence in running {
            for (beam, slots) in sentence.search.beams().iter().zip(&mut sentence.slots) {
                let slot = self.free.pop().unwrap_or_else(|| {
                    self.used += 1;
                    self.used - 1
                });
                slots.push(slot);
                let token = beam.ids.last().copied().unwrap_or_default();
                rows.tokens.push(token as usize);
                rows.positions
                    .push(decoder.position(token, beam.ids.len() - 1));
                rows.slots.push(slot as usize);
                rows.written.push(slots.clone());
                rows.sources.push(sentence.source);
            }
        }
        rows
    }

    /// Slots that nobody uses any more are free.
    fn keep(&mut self, running: &[Running]) {
        let mut needed = vec![false; self.used as usize];
        for slot in running.iter().flat_map(|s| s.slots.iter().flatten()) {
            needed[*slot as usize] = true;
        }
        self.free = (0..self.used)
            .rev()
            .filter(|slot| !needed[*slot as usize])
            .collect();
    }
}

impl From<CudaError> for crate::LmError {
    fn from(error: CudaError) -> crate::LmError {
        crate::LmError::Checkpoint(CheckpointError::Cuda(error))
    }
}
