//! Attention over packed sentences: each token sees its own sentence only.

use std::ops::Range;
use std::sync::Arc;

use crate::matrix::{Matrix, View, Workspace};
use crate::product::{times, times_transposed};
use crate::simd;

/// How far a token sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttentionMask {
    /// Only itself and what came before.
    pub causal: bool,
    /// Only positions at most this far away.
    pub reach: Option<usize>,
}

impl AttentionMask {
    /// Every token sees every other.
    pub const BOTH_WAYS: AttentionMask = AttentionMask {
        causal: false,
        reach: None,
    };
    /// A token sees itself and what came before.
    pub const CAUSAL: AttentionMask = AttentionMask {
        causal: true,
        reach: None,
    };

    /// A token sees itself and what came before, `window` tokens in all where there is one.
    pub fn causal(window: Option<usize>) -> AttentionMask {
        AttentionMask {
            causal: true,
            reach: window.map(|window| window.saturating_sub(1)),
        }
    }

    /// The keys that the token at `position` sees, of `length`.
    fn of(self, position: usize, length: usize) -> Range<usize> {
        let reach = self.reach.unwrap_or(length);
        let first = position.saturating_sub(reach);
        let end = if self.causal {
            position + 1
        } else {
            (position + reach + 1).min(length)
        };
        first..end
    }
}

/// The arithmetic of one attention layer.
#[derive(Debug, Clone)]
pub struct AttentionShape {
    pub heads: usize,
    /// Fewer than `heads` where several query heads share keys and values.
    pub key_heads: usize,
    pub head_size: usize,
    pub scale: f32,
    pub mask: AttentionMask,
    /// Bound of the scores (Gemma 2).
    pub soft_cap: Option<f32>,
    /// Added to the scores by distance (T5).
    pub bias: Option<Arc<DistanceBias>>,
    /// Added to the scores by the key's position (ALiBi).
    pub slopes: Option<Arc<Slopes>>,
    /// A score of each head that nothing stands behind (gpt-oss): its share of the attention goes nowhere.
    pub sinks: Option<Arc<[f32]>>,
}

impl AttentionShape {
    /// Scaled dot products with as many key heads as query heads.
    pub fn new(heads: usize, head_size: usize, mask: AttentionMask) -> AttentionShape {
        AttentionShape {
            heads,
            key_heads: heads,
            head_size,
            scale: 1.0 / (head_size as f32).sqrt(),
            mask,
            soft_cap: None,
            bias: None,
            slopes: None,
            sinks: None,
        }
    }

    /// The attention of a causal model, several query heads to each key head.
    pub fn causal(heads: usize, key_heads: usize, head_size: usize) -> AttentionShape {
        AttentionShape {
            key_heads,
            ..AttentionShape::new(heads, head_size, AttentionMask::CAUSAL)
        }
    }

    /// Turns the scaled scores of a head's queries into shares of their attention, a row of keys for each position, and
    /// shows each row.
    fn make_shares<'a>(
        &self,
        head: usize,
        positions: &[usize],
        rows: impl Iterator<Item = &'a mut [f32]>,
        mut show: impl FnMut(&[f32]),
    ) {
        for (position, row) in positions.iter().zip(rows) {
            if let Some(bias) = &self.bias {
                for (key, score) in row.iter_mut().enumerate() {
                    *score += bias.of(*position, key)[head];
                }
            }
            if let Some(slopes) = &self.slopes {
                for (key, score) in row.iter_mut().enumerate() {
                    *score += slopes.of(head, key);
                }
            }
            if let Some(cap) = self.soft_cap {
                simd::soft_cap(row, cap);
            }
            let seen = self.mask.of(*position, row.len());
            row[..seen.start].fill(0.0);
            row[seen.end..].fill(0.0);
            self.share_out(head, &mut row[seen]);
            show(row);
        }
    }

    /// Turns the scores of what one query of a head sees into shares of its attention.
    pub fn share_out(&self, head: usize, scores: &mut [f32]) {
        let Some(sink) = self.sinks.as_ref().map(|sinks| sinks[head]) else {
            return simd::softmax(scores);
        };
        let mut with_sink = scores.to_vec();
        with_sink.push(sink);
        simd::softmax(&mut with_sink);
        let count = scores.len();
        scores.copy_from_slice(&with_sink[..count]);
    }
}

/// Attention with linear biases (Press et al. 2022): what lies far back counts less, in each head in another measure.
#[derive(Debug)]
pub struct Slopes {
    /// What a score gains with each position of the key; what queries would lose is the same for all keys.
    pub of_heads: Vec<f32>,
    /// Falcon adds it before the scores are scaled, rounded to sixteen bits.
    pub rounded: Option<f32>,
}

impl Slopes {
    fn of(&self, head: usize, key: usize) -> f32 {
        let bias = self.of_heads[head] * key as f32;
        match self.rounded {
            None => bias,
            Some(scale) => half::bf16::from_f32(bias).to_f32() * scale,
        }
    }
}

/// A learned number for each head and range of distances (T5).
#[derive(Debug)]
pub struct DistanceBias {
    /// Buckets x heads.
    pub table: Matrix,
    /// Distances of this many tokens and more are one bucket.
    pub farthest: usize,
    /// Whether what comes later has buckets of its own.
    pub both_ways: bool,
}

impl DistanceBias {
    /// The numbers of all heads for a query and a key position.
    pub fn of(&self, query: usize, key: usize) -> &[f32] {
        let (mut buckets, mut first) = (self.table.rows, 0);
        if self.both_ways {
            buckets /= 2;
            if key > query {
                first = buckets;
            }
        } else if key > query {
            return self.table.row(0);
        }
        let distance = query.abs_diff(key);
        let exact = buckets / 2;
        if distance < exact {
            return self.table.row(first + distance);
        }
        // In single precision, as it was trained.
        let far = (distance as f32 / exact as f32).ln()
            / (self.farthest as f64 / exact as f64).ln() as f32
            * (buckets - exact) as f32;
        self.table
            .row(first + (exact + far as usize).min(buckets - 1))
    }
}

/// Which tokens of each packed sentence ask: all of them, or in the last layer only those that are
/// read.
#[derive(Debug, Clone)]
pub struct Queries {
    /// Positions inside their sentence, sentence by sentence.
    pub positions: Vec<usize>,
    /// Where each sentence's queries start, and the end.
    pub starts: Vec<usize>,
}

/// Disentangled attention (DeBERTa): content looks at relative positions and the other way round.
#[derive(Debug)]
pub struct Relative {
    /// Projected key of each relative position, heads side by side; empty if content does not look
    /// at positions.
    pub keys: Matrix,
    /// Projected query of each relative position, likewise.
    pub queries: Matrix,
    /// Row of relative distance 0.
    pub centre: usize,
    /// Distances up to half this many are told apart one by one, farther ones by logarithm.
    pub buckets: usize,
    pub farthest: usize,
}

impl Relative {
    /// Row of `keys` and `queries` for a query and a key position.
    pub fn row(&self, query: usize, key: usize) -> usize {
        let distance = query as i64 - key as i64;
        let rows = self.keys.rows.max(self.queries.rows) as i64;
        (self.bucket(distance) + self.centre as i64).clamp(0, rows - 1) as usize
    }

    fn bucket(&self, distance: i64) -> i64 {
        let middle = (self.buckets / 2) as i64;
        if self.buckets == 0 || self.farthest == 0 || distance.abs() <= middle {
            return distance;
        }
        let ratio = (distance.abs() as f32 / middle as f32).ln()
            / ((self.farthest as f32 - 1.0) / middle as f32).ln();
        let far = (ratio * (middle as f32 - 1.0)).ceil() as i64 + middle;
        far * distance.signum()
    }
}

/// What each sentence's queries look at.
#[derive(Debug)]
pub struct Seen<'a> {
    /// For each sentence its tokens' rows: the key heads, then the value heads.
    pub sentences: Vec<View<'a>>,
    /// Queries that come one at a time, as a text is written: sums then run along a key, not across keys.
    pub one_by_one: bool,
}

impl<'a> Seen<'a> {
    /// Sentences packed one after the other: sentence s is `tokens[s]..tokens[s + 1]`.
    pub fn packed(keys_values: &'a Matrix, tokens: &[usize]) -> Seen<'a> {
        let whole = |bounds: &[usize]| {
            keys_values.part(bounds[0], bounds[1] - bounds[0], 0, keys_values.columns)
        };
        Seen {
            sentences: tokens.windows(2).map(whole).collect(),
            one_by_one: false,
        }
    }
}

/// Mixes values into each query's row. `received`, where wanted, gains for every token of every
/// sentence, one after the other, the attention probability it receives, summed over heads and queries.
pub fn attend(
    workspace: &mut Workspace,
    how: &AttentionShape,
    relative: Option<&Relative>,
    queries: &Matrix,
    seen: &Seen<'_>,
    asked: &Queries,
    mut received: Option<&mut [f64]>,
) -> Matrix {
    let size = how.head_size;
    let mut out = workspace.matrix(queries.rows, how.heads * size);
    let stride = out.columns;
    let share = how.heads / how.key_heads;
    let mut first = 0;
    for (sentence, tokens) in seen.sentences.iter().enumerate() {
        let length = tokens.rows;
        let before = first;
        first += length;
        let (start, end) = (asked.starts[sentence], asked.starts[sentence + 1]);
        if start == end {
            continue;
        }
        let count = end - start;
        // Heads that share keys ask them together.
        let mut scores = workspace.matrix(share * count, length);
        for key_head in 0..how.key_heads {
            let asking = match share {
                1 => None,
                _ => Some(stacked(
                    workspace,
                    queries,
                    start..end,
                    key_head,
                    share,
                    size,
                )),
            };
            let query = match &asking {
                Some(asking) => asking.view(),
                None => queries.part(start, count, key_head * size, size),
            };
            let keys = tokens.columns_from(key_head * size, size);
            if seen.one_by_one {
                for (row, scores) in scores.data.chunks_exact_mut(length).enumerate() {
                    simd::dots(query.row(row), keys.data, keys.stride, scores);
                }
            } else {
                times_transposed(workspace, query, keys, &mut scores.data, length)
            }
            let positions = &asked.positions[start..end];
            if let Some(relative) = relative {
                // There no heads share keys.
                add_relative(
                    workspace,
                    relative,
                    key_head,
                    size,
                    query,
                    keys,
                    positions,
                    &mut scores,
                );
            }
            simd::scale(&mut scores.data, how.scale);
            for of_head in 0..share {
                let head = key_head * share + of_head;
                let own = of_head * count * length..(of_head + 1) * count * length;
                let rows = scores.data[own].chunks_exact_mut(length);
                how.make_shares(head, positions, rows, |row| {
                    if let Some(received) = received.as_deref_mut() {
                        for (sum, p) in received[before..before + length].iter_mut().zip(row) {
                            *sum += f64::from(*p);
                        }
                    }
                });
            }
            let values = (how.key_heads + key_head) * size;
            let values = tokens.columns_from(values, size);
            let mut mixed = workspace.matrix(share * count, size);
            if seen.one_by_one {
                let rows = scores.data.chunks_exact(length);
                for (weights, out) in rows.zip(mixed.data.chunks_exact_mut(size)) {
                    simd::mix(weights, values.data, values.stride, out);
                }
            } else {
                times(workspace, scores.view(), values, &mut mixed.data, size)
            }
            for (place, mixed) in mixed.data.chunks_exact(size).enumerate() {
                let (of_head, row) = (place / count, place % count);
                let first = (start + row) * stride + (key_head * share + of_head) * size;
                out.data[first..first + size].copy_from_slice(mixed);
            }
            workspace.give(mixed);
            if let Some(asking) = asking {
                workspace.give(asking);
            }
        }
        workspace.give(scores);
    }
    out
}

/// The queries of some rows of all heads that share one head of keys, head by head.
fn stacked(
    workspace: &mut Workspace,
    queries: &Matrix,
    rows: Range<usize>,
    key_head: usize,
    share: usize,
    size: usize,
) -> Matrix {
    let mut out = workspace.matrix(share * rows.len(), size);
    let places = (0..share).flat_map(|head| rows.clone().map(move |row| (head, row)));
    for (out, (head, row)) in out.data.chunks_exact_mut(size).zip(places) {
        let first = (key_head * share + head) * size;
        out.copy_from_slice(&queries.row(row)[first..first + size]);
    }
    out
}

#[allow(clippy::too_many_arguments)]
fn add_relative(
    workspace: &mut Workspace,
    relative: &Relative,
    head: usize,
    size: usize,
    query: View<'_>,
    keys: View<'_>,
    positions: &[usize],
    scores: &mut Matrix,
) {
    let length = keys.rows;
    // Only the distances that occur in this sentence.
    let low = relative.row(0, length - 1);
    let rows = relative.row(length - 1, 0) - low + 1;
    if relative.keys.rows > 0 {
        let at = relative.keys.part(low, rows, head * size, size);
        let mut content_position = workspace.matrix(query.rows, rows);
        times_transposed(workspace, query, at, &mut content_position.data, rows);
        for (row, position) in positions.iter().enumerate() {
            let from = content_position.row(row);
            for (key, score) in scores.row_mut(row).iter_mut().enumerate() {
                *score += from[relative.row(*position, key) - low];
            }
        }
        workspace.give(content_position);
    }
    if relative.queries.rows > 0 {
        let at = relative.queries.part(low, rows, head * size, size);
        let mut position_content = workspace.matrix(length, rows);
        times_transposed(workspace, keys, at, &mut position_content.data, rows);
        for (row, position) in positions.iter().enumerate() {
            for (key, score) in scores.row_mut(row).iter_mut().enumerate() {
                *score += position_content.row(key)[relative.row(*position, key) - low];
            }
        }
        workspace.give(position_content);
    }
}
