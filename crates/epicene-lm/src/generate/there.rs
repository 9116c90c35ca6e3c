//! Texts written on a GPU: keys and values lie in slots there, prompts that begin alike share theirs, and the next token is
//! found there. Where tokens are drawn, their logits come back and the draw is made here, by the same code.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::choosing::{Draws, choose, log_of_sums, suppressed_at};
use super::prefixes::runs;
use super::texts::{Live, Texts, in_order};
use super::{Completion, Manner, Prompt, TextGenerator};
use crate::LmError;
use crate::bans::Rules;
use crate::cuda::{Choosing, CudaError, DeviceModel, Grown, SlotCache, Slots};
use crate::model::joined;
use crate::transformer::Head;

/// Texts at once on one GPU, where memory allows.
const MOST_ROWS: usize = 2048;
/// Bytes of logits that are brought here at once.
const LOGITS: usize = 256 << 20;

pub fn write(
    generator: &TextGenerator,
    prompts: &[&Prompt],
    manner: &Manner,
) -> Result<Vec<Completion>, LmError> {
    let head = generator.model.transformer.head.as_ref();
    let head = head.ok_or_else(|| LmError::NoHead {
        system: generator.model.name(),
    })?;
    let longest = prompts
        .iter()
        .map(|prompt| manner.longest(prompt.ids.len()));
    let longest = longest.max().unwrap_or(1).max(1);
    let devices = &generator.model.devices;
    let share = prompts.len().div_ceil(devices.len()).max(1);
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let lane = |device: &DeviceModel| -> Result<Vec<(usize, Completion)>, LmError> {
        let slot: usize = device.kept_widths().iter().sum();
        let fit = device.free / (slot * longest).max(1);
        let room = fit.clamp(1, MOST_ROWS).min(share);
        let mut work = Work {
            device,
            head,
            manner,
            room,
            cache: device.slots(room * longest)?,
            slots: Slots::default(),
            texts: Texts::new(generator, prompts, manner),
            own: Vec::new(),
            next: &next,
        };
        let done = work.run(&failed);
        if done.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        done.map(|()| work.texts.done)
    };
    let written: Vec<Result<Vec<(usize, Completion)>, LmError>> = std::thread::scope(|scope| {
        let lane = &lane;
        let threads = devices
            .iter()
            .map(|device| scope.spawn(move || lane(device)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(joined).collect()
    });
    let mut every = Vec::with_capacity(prompts.len());
    for done in written {
        every.extend(done?);
    }
    Ok(in_order(prompts.len(), every))
}

/// One GPU's texts. A second lane on the same GPU gains nothing: the device has work for long enough.
struct Work<'a> {
    device: &'a DeviceModel,
    head: &'a Head,
    manner: &'a Manner,
    room: usize,
    cache: SlotCache,
    slots: Slots,
    texts: Texts<'a>,
    /// The slots of each text of `texts.live`, in order.
    own: Vec<Vec<u32>>,
    /// The first prompt that no GPU has taken.
    next: &'a AtomicUsize,
}

impl Work<'_> {
    fn run(&mut self, failed: &AtomicBool) -> Result<(), LmError> {
        while !failed.load(Ordering::Relaxed) {
            // A few places at a time are filled, so that there is something to pack.
            if self.texts.live.len() <= self.room - self.room.div_ceil(4) && !self.fill()? {
                break;
            }
            if !self.texts.live.is_empty() {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Takes prompts, reads what they share once, and writes their first tokens. Whether there is anything left to do.
    fn fill(&mut self) -> Result<bool, LmError> {
        let free = self.room - self.texts.live.len();
        let every = self.texts.prompts.len();
        let start = self.next.fetch_add(free, Ordering::Relaxed).min(every);
        let taken = &self.texts.prompts[start..(start + free).min(every)];
        if taken.is_empty() {
            return Ok(!self.texts.live.is_empty());
        }
        let ids: Vec<&[u32]> = taken.iter().map(|prompt| prompt.ids.as_slice()).collect();
        let runs = runs(&ids);
        // The slots of every run, those of its parents included.
        let mut whole: Vec<Vec<u32>> = vec![Vec::new(); runs.len()];
        let deepest = runs.iter().map(|run| run.depth).max().unwrap_or(0);
        for depth in 0..=deepest {
            let level = (0..runs.len()).filter(|run| runs[*run].depth == depth);
            let mut level = level.peekable();
            while level.peek().is_some() {
                let (mut grown, mut ending) = (Grown::default(), Vec::new());
                while let Some(run) = level.peek().copied() {
                    let tokens = &runs[run].tokens;
                    if grown.tokens() > 0 && grown.tokens() + tokens.len() > self.device.budget {
                        break;
                    }
                    level.next();
                    let mut slots = match runs[run].parent {
                        Some(parent) => whole[parent].clone(),
                        None => Vec::new(),
                    };
                    self.slots.share(&slots);
                    slots.extend(tokens.iter().map(|_| self.slots.take()));
                    let ends = !runs[run].prompts.is_empty();
                    grown.add(tokens, &slots, ends);
                    whole[run] = slots;
                    if ends {
                        ending.push(run);
                    }
                }
                let mut texts = Vec::new();
                let mut rows = Vec::new();
                for (row, run) in ending.iter().enumerate() {
                    for prompt in &runs[*run].prompts {
                        self.slots.share(&whole[*run]);
                        let place = start + prompt;
                        texts.push((self.texts.begin(place), whole[*run].clone()));
                        rows.push(row);
                    }
                }
                self.advance(&grown, texts, &rows, true)?;
            }
        }
        for slots in &whole {
            self.slots.give_back(slots);
        }
        Ok(true)
    }

    /// One token further for every text.
    fn step(&mut self) -> Result<(), LmError> {
        let live = std::mem::take(&mut self.texts.live);
        let own = std::mem::take(&mut self.own);
        let mut grown = Grown::default();
        let mut texts = Vec::with_capacity(live.len());
        for (live, mut slots) in live.into_iter().zip(own) {
            slots.push(self.slots.take());
            let last = *live.ids.last().expect("a text begins with its prompt");
            grown.add(&[last], &slots, true);
            texts.push((live, slots));
        }
        let rows: Vec<usize> = (0..texts.len()).collect();
        self.advance(&grown, texts, &rows, false)
    }

    /// Reads tokens and writes the next one of each text, whose hidden state is the row of that number.
    fn advance(
        &mut self,
        grown: &Grown,
        mut texts: Vec<(Live, Vec<u32>)>,
        rows: &[usize],
        beginning: bool,
    ) -> Result<(), LmError> {
        let drawn = self.manner.sampling.is_some();
        // Texts of the same row differ in what they ask and draw alone: a row is looked at once for each.
        let mut pairs = Vec::new();
        let mut rules = Vec::new();
        let distinct = rows.last().map_or(0, |row| row + 1);
        let mut first_of_row = vec![usize::MAX; distinct];
        for (text, row) in rows.iter().enumerate() {
            if first_of_row[*row] == usize::MAX {
                first_of_row[*row] = text;
                let (live, prompt) = (&texts[text].0, self.texts.prompt_of(&texts[text].0));
                let mut own = Rules::of(
                    &self.manner.bans,
                    &live.ids,
                    self.manner.shortest(prompt.ids.len()),
                );
                own.forbidden
                    .extend(suppressed_at(self.manner, live.ids.len(), prompt.ids.len()));
                own.forbidden.sort_unstable();
                own.forbidden.dedup();
                rules.push(own);
            }
            if beginning {
                let sets = &self.texts.prompt_of(&texts[text].0).first;
                pairs.extend(sets.iter().flatten().map(|token| (*row, *token)));
            }
        }
        let choosing = Choosing {
            rules: &rules,
            wanted: 1,
            repetition_penalty: self.manner.bans.repetition_penalty,
            greedy: true,
            renormalize: false,
            pairs: &pairs,
        };
        let alone = self.device.device().alone();
        let used = self.slots.used();
        self.cache.make_room(self.device.device(), used)?;
        let Some(hidden) = self.device.grow(grown, &self.cache)? else {
            return Ok(());
        };
        let finding = match drawn && pairs.is_empty() {
            true => None,
            false => Some(self.device.best(&hidden, choosing)?),
        };
        drop(alone);
        let best = match finding {
            Some(finding) => finding.wait()?,
            None => Default::default(),
        };
        if beginning {
            let mut values = best.pairs.iter();
            for (live, _) in &mut texts {
                let sets = &self.texts.prompt_of(live).first;
                live.first = log_of_sums(sets, &mut values);
            }
        }
        let chosen = match drawn {
            true => self.draw(&hidden, &mut texts, rows, distinct)?,
            false => rows
                .iter()
                .zip(&texts)
                .map(|(row, (live, _))| {
                    let prompt = self.texts.prompt_of(live).ids.len();
                    let forced = self.manner.forced_at(live.ids.len(), prompt);
                    forced.or(best.tokens[*row].first().map(|(token, _)| *token))
                })
                .collect(),
        };
        for ((live, slots), token) in texts.into_iter().zip(chosen) {
            match self.texts.take(live, token)? {
                Some(live) => {
                    self.texts.live.push(live);
                    self.own.push(slots);
                }
                None => self.slots.give_back(&slots),
            }
        }
        Ok(())
    }

    /// Draws tokens from logits that are brought here.
    fn draw(
        &self,
        hidden: &crate::cuda::Tensor,
        texts: &mut [(Live, Vec<u32>)],
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
                let live = &mut texts[text].0;
                let prompt = self.texts.prompt_of(live).ids.len();
                let mut own = logits[(row - first) * size..][..size].to_vec();
                let mut draws = std::mem::replace(&mut live.draws, Draws::none());
                chosen[text] = choose(self.manner, &live.ids, prompt, &mut own, &mut draws);
                live.draws = draws;
            }
        }
        Ok(chosen)
    }
}
