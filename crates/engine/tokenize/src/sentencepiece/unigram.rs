//! The most probable segmentation under a unigram model: Viterbi's algorithm as SentencePiece's
//! `EncodeOptimized` runs it, in single precision.

use super::proto::PieceType;
use super::{Segment, SentencePiece};

/// An unknown character is this much worse than the worst piece.
const UNKNOWN_PENALTY: f32 = 10.0;

#[derive(Clone, Copy)]
struct Best {
    score: f32,
    start: usize,
    piece: usize,
}

impl SentencePiece {
    pub(super) fn unigram<'a>(&self, text: &'a str) -> Vec<Segment<'a>> {
        let unknown_score = self.lowest_score - UNKNOWN_PENALTY;
        let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
        let mut offer = |end: usize, start: usize, score: f64, piece: usize| {
            let before = match start {
                0 => 0.0,
                _ => best[start].map_or(0.0, |best| best.score),
            };
            // Compared in double precision, kept in single.
            let score = score + f64::from(before);
            if best[end].is_none_or(|best| score > f64::from(best.score)) {
                best[end] = Some(Best {
                    score: score as f32,
                    start,
                    piece,
                });
            }
        };
        for (start, first) in text.char_indices() {
            let single = first.len_utf8();
            let mut known = false;
            let longest = (start + self.longest).min(text.len());
            for end in start + single..=longest {
                if !text.is_char_boundary(end) {
                    continue;
                }
                let Some(id) = self.by_text.get(&text[start..end]) else {
                    continue;
                };
                let piece = &self.pieces[*id];
                let length = end - start;
                let score = match piece.kind {
                    PieceType::Unused => continue,
                    // A symbol of the user's is always taken.
                    PieceType::UserDefined => f64::from(length as f32 * self.highest_score) - 0.1,
                    _ => f64::from(piece.score),
                };
                offer(end, start, score, *id);
                known |= length == single;
            }
            if !known {
                offer(
                    start + single,
                    start,
                    f64::from(unknown_score),
                    self.unknown,
                );
            }
        }
        let mut segments = Vec::new();
        let mut end = text.len();
        while let Some(Best { start, piece, .. }) = best[end]
            && end > 0
        {
            segments.push(Segment {
                text: &text[start..end],
                piece,
            });
            end = start;
        }
        segments.reverse();
        segments
    }
}
