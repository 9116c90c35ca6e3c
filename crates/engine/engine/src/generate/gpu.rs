//! Texts written on a GPU, which keeps keys and values in slots and finds the next token. If tokens are drawn, the logits come back
//! and the code of the CPU draws.

use super::choosing::{Draws, choose, log_of_sums, suppressed_at};
use super::lane::{Lane, Pass};
use super::texts::{Live, Queue};
use crate::error::LmError;
use epicene_cuda::{Choosing, CudaError, DeviceModel, Grown, SlotCache, Slots, Tensor};
use epicene_transformer::Head;
use epicene_transformer::Rules;

/// Texts at once on one GPU, where memory allows.
const MOST_ROWS: usize = 2048;
/// Bytes of logits that are copied back at once.
const LOGITS: usize = 256 << 20;

/// One GPU's texts. A second lane on the same GPU gains nothing: the device has work for long enough.
pub struct OnDevice<'a> {
    queue: &'a Queue<'a>,
    device: &'a DeviceModel,
    head: &'a Head,
    room: usize,
    cache: SlotCache,
    slots: Slots,
}

impl<'a> OnDevice<'a> {
    pub fn new(queue: &'a Queue<'a>, device: &'a DeviceModel) -> Result<OnDevice<'a>, LmError> {
        let model = &queue.generator.model;
        let head = model.transformer.head.as_ref();
        let head = head.ok_or_else(|| LmError::NoHead {
            system: model.name(),
        })?;
        let longest = queue.longest();
        let share = queue.prompts.len().div_ceil(model.devices.len()).max(1);
        let slot: usize = device.kept_widths().iter().sum();
        let fit = device.free / (slot * longest).max(1);
        let room = fit.clamp(1, MOST_ROWS).min(share);
        Ok(OnDevice {
            queue,
            device,
            head,
            room,
            cache: device.slots(room * longest)?,
            slots: Slots::default(),
        })
    }

    /// What a text may not go on with.
    fn rules(&self, live: &Live<'_>) -> Rules {
        let manner = self.queue.manner;
        let mut rules = Rules::of(&manner.bans, &live.ids, manner.shortest(live.given));
        let first = suppressed_at(manner, live.ids.len(), live.given);
        rules.forbidden.extend(first);
        rules.forbidden.sort_unstable();
        rules.forbidden.dedup();
        rules
    }

    /// Draws tokens from logits that are copied back.
    fn draw(
        &self,
        hidden: &Tensor,
        texts: &mut [Live<'_>],
        rows: &[usize],
        distinct: usize,
    ) -> Result<Vec<Option<u32>>, CudaError> {
        let size = self.head.decoder.rows;
        let at_once = (LOGITS / (4 * size)).max(1);
        let mut chosen = vec![None; texts.len()];
        for first in (0..distinct).step_by(at_once) {
            let count = at_once.min(distinct - first);
            let mut logits = self.device.raw_logits(hidden, first, count)?;
            for row in logits.chunks_exact_mut(size) {
                self.head.finish_scaled(row);
            }
            for (text, row) in rows.iter().enumerate() {
                if !(first..first + count).contains(row) {
                    continue;
                }
                let live = &mut texts[text];
                let mut own = logits[(row - first) * size..][..size].to_vec();
                let mut draws = std::mem::replace(&mut live.draws, Draws::none());
                let manner = self.queue.manner;
                chosen[text] = choose(manner, &live.ids, live.given, &mut own, &mut draws);
                live.draws = draws;
            }
        }
        Ok(chosen)
    }
}

impl Lane for OnDevice<'_> {
    /// The slots, those of the texts it goes on after included.
    type Past = Vec<u32>;

    fn room(&self) -> usize {
        self.room
    }

    fn budget(&self) -> usize {
        self.device.budget
    }

    fn after(&mut self, past: Option<&Vec<u32>>) -> Vec<u32> {
        let Some(past) = past else {
            return Vec::new();
        };
        self.slots.share(past);
        past.clone()
    }

    fn forget(&mut self, past: Vec<u32>) {
        self.slots.give_back(&past);
    }

    fn advance(
        &mut self,
        pass: Pass<'_, Vec<u32>>,
        texts: &mut [Live<'_>],
        rows: &[usize],
    ) -> Result<Vec<Option<u32>>, LmError> {
        let manner = self.queue.manner;
        let drawn = manner.sampling.is_some();
        let mut grown = Grown::default();
        for (slots, sequence) in pass.pasts.iter_mut().zip(&pass.sequences) {
            slots.extend(sequence.ids.iter().map(|_| self.slots.take()));
            grown.add(&sequence.ids, slots, !sequence.read.is_empty());
        }
        // Texts of the same row differ in what they ask and draw alone: a row is looked at once for each.
        let mut pairs = Vec::new();
        let mut rules: Vec<Rules> = Vec::new();
        for (live, row) in texts.iter().zip(rows) {
            if *row == rules.len() {
                rules.push(self.rules(live));
            }
            pairs.extend(live.asked().iter().flatten().map(|token| (*row, *token)));
        }
        let choosing = Choosing {
            rules: &rules,
            wanted: 1,
            repetition_penalty: manner.bans.repetition_penalty,
            greedy: true,
            renormalize: false,
            pairs: &pairs,
        };
        let alone = self.device.device().alone();
        let used = self.slots.used();
        self.cache.make_room(self.device.device(), used)?;
        let Some(hidden) = self.device.grow(&grown, &self.cache)? else {
            return Ok(Vec::new());
        };
        let finding = if drawn && pairs.is_empty() {
            None
        } else {
            Some(self.device.best(&hidden, choosing)?)
        };
        drop(alone);
        let best = match finding {
            Some(finding) => finding.wait()?,
            None => Default::default(),
        };
        let mut values = best.pairs.iter();
        for live in texts.iter_mut().filter(|live| !live.asked().is_empty()) {
            live.first = log_of_sums(live.asked(), &mut values);
        }
        if drawn {
            return Ok(self.draw(&hidden, texts, rows, rules.len())?);
        }
        let next = |(row, live): (&usize, &Live<'_>)| {
            let forced = manner.forced_at(live.ids.len(), live.given);
            forced.or(best.tokens[*row].first().map(|(token, _)| *token))
        };
        Ok(rows.iter().zip(texts.iter()).map(next).collect())
    }
}
