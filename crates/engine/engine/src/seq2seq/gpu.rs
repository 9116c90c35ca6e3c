//! A lane on a GPU: the device reads, keeps keys and values, and finds the best continuations of every hypothesis; a few numbers come
//! back for each. While one lane chooses among them, the device works on what another has queued.

use std::sync::Arc;

use super::batch::{Continuations, Lane, Live, batch_of};
use super::generation::Generation;
use super::search::Search;
use epicene_checkpoint::CheckpointError;
use epicene_cuda::{
    Choosing, CudaError, Device, DeviceDecoder, DeviceModel, Rows, SlotCache, Slots,
};
use epicene_transformer::{EncoderDecoder, Rules};

/// Hypotheses that are followed at once, where memory allows.
const MOST_ROWS: usize = 4096;
/// Lanes of one GPU, and the fewest sentences that are worth a lane.
const MOST_LANES: usize = 2;
const FEWEST_SENTENCES: usize = 48;

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
        // The rest is for logits and intermediate results.
        let free = device.free_bytes()? / 2;
        Ok(DeviceSeq2Seq {
            encoder,
            decoder,
            free,
        })
    }

    pub fn device(&self) -> &Arc<Device> {
        self.encoder.device()
    }

    /// Encoder and decoder, for callers that give the decoder its tokens.
    pub fn halves(self) -> (DeviceModel, DeviceDecoder) {
        (self.encoder, self.decoder)
    }

    /// Sentences that are translated at once.
    pub fn sentences_at_once(&self, generation: &Generation) -> usize {
        let slot: usize = self.decoder.kept_widths().iter().sum();
        // As much again for growing, and for the sources.
        let each = 4 * slot * generation.beams * generation.max_length;
        (self.free / each.max(1)).clamp(1, (MOST_ROWS / generation.beams).max(1))
    }
}

/// Slots of a sentence's source, and of each beam's tokens.
#[derive(Debug)]
pub struct OwnSlots {
    source: Vec<u32>,
    beams: Vec<Vec<u32>>,
}

pub struct DeviceLane<'a> {
    device_model: &'a DeviceSeq2Seq,
    generation: &'a Generation,
    sources: SlotCache,
    source_slots: Slots,
    written: SlotCache,
    written_slots: Slots,
}

impl<'a> DeviceLane<'a> {
    /// Lanes of each of several GPUs that so many sentences are worth.
    pub fn worth(sentences: usize, threads: usize, devices: usize) -> usize {
        let worth = sentences / (FEWEST_SENTENCES * devices.max(1));
        worth.min(threads).clamp(1, MOST_LANES)
    }

    pub fn new(
        device_model: &'a DeviceSeq2Seq,
        generation: &'a Generation,
    ) -> Result<DeviceLane<'a>, CudaError> {
        Ok(DeviceLane {
            device_model,
            generation,
            sources: device_model.decoder.slots(0)?,
            source_slots: Slots::default(),
            written: device_model.decoder.slots(0)?,
            written_slots: Slots::default(),
        })
    }
}

impl Lane for DeviceLane<'_> {
    type Kept = OwnSlots;

    fn source_tokens(&self) -> usize {
        self.device_model.encoder.budget
    }

    fn read(&mut self, sources: &[&[u32]]) -> Result<Vec<OwnSlots>, CheckpointError> {
        let mut kept = Vec::with_capacity(sources.len());
        let mut slots = Vec::new();
        for ids in sources {
            let source: Vec<u32> = ids.iter().map(|_| self.source_slots.take()).collect();
            slots.extend_from_slice(&source);
            kept.push(OwnSlots {
                source,
                beams: vec![Vec::new()],
            });
        }
        let used = self.source_slots.used();
        let (encoder, decoder) = (&self.device_model.encoder, &self.device_model.decoder);
        let batch = batch_of(sources);
        let alone = self.device_model.device().alone();
        let encoded = encoder.encode(&batch)?;
        decoder.read_source(&encoded, &slots, &mut self.sources, used)?;
        drop(alone);
        Ok(kept)
    }

    fn step(&mut self, live: &mut [Live<OwnSlots>]) -> Result<Vec<Continuations>, CheckpointError> {
        let (generation, decoder) = (self.generation, &self.device_model.decoder);
        let bans = &generation.bans;
        let mut rows = Rows::default();
        let mut rules = Vec::new();
        for (place, sentence) in live.iter_mut().enumerate() {
            rows.sources.push(&sentence.kept.source);
            let beams = sentence.search.beams().iter();
            for (beam, slots) in beams.zip(&mut sentence.kept.beams) {
                let slot = self.written_slots.take();
                slots.push(slot);
                let token = *beam.ids.last().expect("a beam has its first token");
                rows.tokens.push(token as usize);
                let position = decoder.position(token, beam.ids.len() - 1);
                rows.positions.push(position);
                rows.slots.push(slot as usize);
                rows.written.push(slots);
                rows.sentences.push(place);
                rules.push(Rules::of(bans, &beam.ids, bans.min_length));
            }
        }
        let choosing = Choosing {
            rules: &rules,
            wanted: Search::wanted(generation),
            repetition_penalty: bans.repetition_penalty,
            greedy: generation.beams == 1,
            renormalize: generation.renormalize,
            pairs: &[],
        };
        let used = self.written_slots.used();
        let best = decoder.step(
            &rows,
            &mut self.written,
            used,
            &self.sources,
            Some(choosing),
        )?;
        Ok(best.tokens)
    }

    /// Slots go from the beams to those that continue them.
    fn continue_from(&mut self, kept: &mut OwnSlots, parents: &[usize]) {
        let next: Vec<Vec<u32>> = parents
            .iter()
            .map(|parent| kept.beams[*parent].clone())
            .collect();
        for slots in &next {
            self.written_slots.share(slots);
        }
        for slots in std::mem::replace(&mut kept.beams, next) {
            self.written_slots.give_back(&slots);
        }
    }

    fn forget(&mut self, kept: OwnSlots) {
        self.source_slots.give_back(&kept.source);
        for slots in &kept.beams {
            self.written_slots.give_back(slots);
        }
    }
}
