//! The next token, from the logits of the whole vocabulary: what is forbidden, then the highest or a draw, as
//! `transformers`' processors and warpers do it and in their order.

use epicene_stats::stream_rng;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::manner::{Manner, Sampling};
use epicene_kernels as cpu;
use epicene_transformer::Rules;

/// The draws of one text.
#[derive(Debug)]
pub struct Draws(Option<Xoshiro256PlusPlus>);

impl Draws {
    /// `id` names the text.
    pub fn new(manner: &Manner, id: &str) -> Draws {
        let stream = |sampling: &Sampling| stream_rng(sampling.seed, &format!("generate/{id}"));
        Draws(manner.sampling.as_ref().map(stream))
    }

    /// Stands in while a text's own draws are borrowed.
    pub fn none() -> Draws {
        Draws(None)
    }

    /// Uniform in 0..1, 53 bits.
    fn next(&mut self) -> Option<f64> {
        let draw = self.0.as_mut()?.next_u64();
        Some((draw >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// The natural logarithm of each set's probability. Before anything is forbidden: what the model says.
pub fn log_probabilities(logits: &[f32], sets: &[Vec<u32>]) -> Vec<f64> {
    if sets.is_empty() {
        return Vec::new();
    }
    let highest = cpu::highest(logits);
    let sum: f64 = logits
        .chunks(512)
        .map(|part| f64::from(cpu::exp_sum(part, highest)))
        .sum();
    let log = |set: &Vec<u32>| {
        let part: f64 = set
            .iter()
            .filter_map(|token| logits.get(*token as usize))
            .map(|logit| f64::from(logit - highest).exp())
            .sum();
        part.ln() - sum.ln()
    };
    sets.iter().map(log).collect()
}

/// The logarithms of the sums of sets' probabilities, from those of their tokens one after the other.
pub fn log_of_sums<'a>(sets: &[Vec<u32>], values: &mut impl Iterator<Item = &'a f64>) -> Vec<f64> {
    let sum = |set: &Vec<u32>| {
        let part: f64 = values.by_ref().take(set.len()).map(|log| log.exp()).sum();
        part.ln()
    };
    sets.iter().map(sum).collect()
}

/// Tokens that may not be the first of a text that is `length` tokens long, `prompt` of them given.
pub fn suppressed_at(manner: &Manner, length: usize, prompt: usize) -> &[u32] {
    if length == prompt {
        &manner.suppressed_first
    } else {
        &[]
    }
}

/// The token that comes after `ids` (`prompt` of them given); none if every token is forbidden.
pub fn choose(
    manner: &Manner,
    ids: &[u32],
    prompt: usize,
    logits: &mut [f32],
    draws: &mut Draws,
) -> Option<u32> {
    if let Some(end) = manner.forced_at(ids.len(), prompt) {
        return Some(end);
    }
    let rules = Rules::of(&manner.bans, ids, manner.shortest(prompt));
    for token in &rules.penalised {
        if let Some(logit) = logits.get_mut(*token as usize) {
            *logit = manner.bans.penalised(*logit);
        }
    }
    let first = suppressed_at(manner, ids.len(), prompt);
    for token in rules.forbidden.iter().chain(first) {
        if let Some(logit) = logits.get_mut(*token as usize) {
            *logit = f32::NEG_INFINITY;
        }
    }
    match (&manner.sampling, draws.next()) {
        (Some(sampling), Some(draw)) => sampled(sampling, logits, draw),
        _ => highest(logits),
    }
}

/// The first of the highest.
fn highest(logits: &[f32]) -> Option<u32> {
    let peak = cpu::highest(logits);
    if peak == f32::NEG_INFINITY {
        return None;
    }
    let place = logits.iter().position(|logit| *logit == peak)?;
    Some(u32::try_from(place).expect("tokens have 32 bits"))
}

fn sampled(sampling: &Sampling, logits: &[f32], draw: f64) -> Option<u32> {
    let temperature = sampling.temperature as f32;
    let peak = cpu::highest(logits) / temperature;
    if peak == f32::NEG_INFINITY {
        return None;
    }
    // In the order of their numbers, unless something is cut off.
    let all = logits.iter().enumerate();
    let mut candidates: Vec<(u32, f32)> = all
        .filter(|(_, logit)| **logit > f32::NEG_INFINITY)
        .map(|(token, logit)| (token as u32, logit / temperature))
        .collect();
    let cut_by_rank = sampling.top_k.filter(|k| *k < candidates.len());
    if cut_by_rank.is_some() || sampling.top_p.is_some() {
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    }
    if let Some(k) = cut_by_rank {
        // Those as likely as the last one stay.
        let bar = candidates[k.max(1) - 1].1;
        candidates.truncate(candidates.partition_point(|(_, logit)| *logit >= bar));
    }
    let mut weights: Vec<f64> = candidates
        .iter()
        .map(|(_, logit)| f64::from(logit - peak).exp())
        .collect();
    if let Some(p) = sampling.top_p {
        // The least likely that together have no more than 1 - p go; one always stays.
        let total: f64 = weights.iter().sum();
        let mut tail = 0.0;
        while weights.len() > 1 {
            tail += weights[weights.len() - 1];
            if tail > (1.0 - p) * total {
                break;
            }
            weights.pop();
        }
    }
    let total: f64 = weights.iter().sum();
    let mut left = draw * total;
    let place = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    // The last one where rounding leaves a remainder.
    let place = place.unwrap_or(weights.len() - 1);
    Some(candidates[place].0)
}
