//! What rows say about the next token: the best ones of every hypothesis, or the log-probabilities of those asked for. One product of all rows with the vocabulary, a part of the
//! vocabulary at a time, each row's highest logits and normaliser kept on the way. Logits of the whole vocabulary are
//! never in memory.

use super::generation::Generation;
use super::search::Beam;
use epicene_kernels::{self as cpu, Matrix, Workspace};
use epicene_transformer::{Projection, Rules};

/// The token that must come next, if there is only one.
pub fn forced(generation: &Generation, beam: &Beam, first: Option<u32>) -> Option<u32> {
    let length = beam.ids.len();
    if let Some(end) = generation.forced_end
        && length + 1 == generation.max_length
    {
        return Some(end);
    }
    match length {
        1 => first,
        _ => None,
    }
}

/// The sum of a row's exponentials, part by part.
pub(crate) struct Normaliser {
    highest: f32,
    sum: f64,
}

impl Default for Normaliser {
    fn default() -> Normaliser {
        Normaliser {
            highest: f32::NEG_INFINITY,
            sum: 0.0,
        }
    }
}

impl Normaliser {
    pub(crate) fn add(&mut self, logits: &[f32]) {
        let peak = cpu::highest(logits);
        if peak > self.highest {
            self.sum *= f64::from(self.highest - peak).exp();
            self.highest = peak;
        }
        if self.highest > f32::NEG_INFINITY {
            self.sum += f64::from(cpu::exp_sum(logits, self.highest));
        }
    }

    pub(crate) fn log(&self) -> f64 {
        f64::from(self.highest) + self.sum.ln()
    }
}

/// The highest logits of one row so far and its normaliser.
struct Row {
    best: Vec<(f32, u32)>,
    normaliser: Normaliser,
    rules: Rules,
    /// Logits of the penalised tokens.
    set_aside: Vec<(f32, u32)>,
}

impl Row {
    fn new(generation: &Generation, beam: &Beam, wanted: usize) -> Row {
        Row {
            best: Vec::with_capacity(wanted + 1),
            normaliser: Normaliser::default(),
            rules: Rules::of(&generation.bans, &beam.ids, generation.bans.min_length),
            set_aside: Vec::new(),
        }
    }

    fn offer(&mut self, logit: f32, token: u32, wanted: usize) {
        let place = self.best.partition_point(|(kept, _)| *kept >= logit);
        if place < wanted {
            if self.best.len() == wanted {
                self.best.pop();
            }
            self.best.insert(place, (logit, token));
        }
    }

    /// Takes in the logits of the tokens from `first` on.
    fn take(&mut self, first: usize, logits: &mut [f32], wanted: usize, renormalize: bool) {
        if !renormalize {
            self.normaliser.add(logits);
        }
        let range = |list: &[u32]| {
            let start = list.partition_point(|token| (*token as usize) < first);
            let end = list.partition_point(|token| (*token as usize) < first + logits.len());
            start..end
        };
        let penalised = range(&self.rules.penalised);
        let forbidden = range(&self.rules.forbidden);
        for token in &self.rules.forbidden[forbidden] {
            logits[*token as usize - first] = f32::NEG_INFINITY;
        }
        for token in &self.rules.penalised[penalised] {
            let logit = &mut logits[*token as usize - first];
            self.set_aside.push((*logit, *token));
            *logit = f32::NEG_INFINITY;
        }
        if renormalize {
            self.normaliser.add(logits);
        }
        const STRIDE: usize = 64;
        for (chunk, values) in logits.chunks(STRIDE).enumerate() {
            let bar = if self.best.len() < wanted {
                f32::NEG_INFINITY
            } else {
                self.best
                    .last()
                    .map_or(f32::NEG_INFINITY, |(kept, _)| *kept)
            };
            if cpu::highest(values) <= bar {
                continue;
            }
            for (offset, logit) in values.iter().enumerate() {
                let bar = if self.best.len() < wanted {
                    f32::NEG_INFINITY
                } else {
                    self.best
                        .last()
                        .map_or(f32::NEG_INFINITY, |(kept, _)| *kept)
                };
                if *logit > bar {
                    self.offer(*logit, (first + chunk * STRIDE + offset) as u32, wanted);
                }
            }
        }
    }

    /// Tokens with their log-probabilities, the best first.
    fn finish(mut self, generation: &Generation, wanted: usize) -> Vec<(u32, f32)> {
        let normaliser = self.normaliser.log() as f32;
        let greedy = generation.beams == 1;
        let bans = &generation.bans;
        for (logit, token) in std::mem::take(&mut self.set_aside) {
            // Greedy search weighs logits, beam search log-probabilities.
            let shift = if greedy { 0.0 } else { normaliser };
            let score = logit - shift;
            let score = bans.penalised(score);
            self.offer(score + shift, token, wanted);
        }
        self.best
            .into_iter()
            .map(|(logit, token)| (token, logit - normaliser))
            .collect()
    }
}

/// The best next tokens of each row of `hidden` (those of `beams`, in order) and their log-probabilities.
pub fn best_tokens(
    projection: &Projection,
    workspace: &mut Workspace,
    hidden: &Matrix,
    generation: &Generation,
    beams: &[&Beam],
    wanted: usize,
) -> Vec<Vec<(u32, f32)>> {
    let mut rows: Vec<Row> = beams
        .iter()
        .map(|beam| Row::new(generation, beam, wanted))
        .collect();
    projection.sweep(workspace, hidden, |row, first, logits| {
        rows[row].take(first, logits, wanted, generation.renormalize);
    });
    rows.into_iter()
        .map(|row| row.finish(generation, wanted))
        .collect()
}
