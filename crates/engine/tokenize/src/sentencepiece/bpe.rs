//! Merges of a BPE model: the neighbours whose union has the highest score are joined first, the leftmost among
//! equals, until no union is a piece.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::proto::PieceType;
use super::{Segment, SentencePiece};

/// A part of the text, with its neighbours.
struct Symbol {
    start: usize,
    /// Empty once it was joined to the one before it.
    end: usize,
    before: Option<usize>,
    after: Option<usize>,
    /// A symbol of the user's, which is never joined.
    frozen: bool,
}

#[derive(PartialEq)]
struct Union {
    score: f32,
    left: usize,
    right: usize,
    length: usize,
}

impl Eq for Union {}

impl Ord for Union {
    fn cmp(&self, other: &Union) -> Ordering {
        let score = self.score.total_cmp(&other.score);
        score.then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Union {
    fn partial_cmp(&self, other: &Union) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl SentencePiece {
    pub(super) fn bpe<'a>(&self, text: &'a str) -> Vec<Segment<'a>> {
        let mut symbols = self.symbols(text);
        let mut agenda = BinaryHeap::new();
        // What an unused piece was made from, to take it apart again.
        let mut parts: HashMap<&'a str, (&'a str, &'a str)> = HashMap::new();
        for right in 1..symbols.len() {
            self.consider(text, &symbols, right - 1, right, &mut agenda, &mut parts);
        }
        while let Some(union) = agenda.pop() {
            let (left, right) = (union.left, union.right);
            let (first, second) = (&symbols[left], &symbols[right]);
            let length = second.end.saturating_sub(first.start);
            let alive = first.end > first.start && second.end > second.start;
            if !alive || first.after != Some(right) || length != union.length {
                continue;
            }
            let (end, after) = (second.end, second.after);
            symbols[left].end = end;
            symbols[left].after = after;
            symbols[right].end = symbols[right].start;
            if let Some(after) = after {
                symbols[after].before = Some(left);
                self.consider(text, &symbols, left, after, &mut agenda, &mut parts);
            }
            if let Some(before) = symbols[left].before {
                self.consider(text, &symbols, before, left, &mut agenda, &mut parts);
            }
        }
        let mut out = Vec::new();
        let mut next = (!symbols.is_empty()).then_some(0);
        while let Some(index) = next {
            let symbol = &symbols[index];
            self.resegment(&text[symbol.start..symbol.end], &parts, &mut out);
            next = symbol.after;
        }
        out
    }

    /// Single characters, and symbols of the user's in one piece.
    fn symbols(&self, text: &str) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut start = 0;
        while let Some(first) = text[start..].chars().next() {
            let single = start + first.len_utf8();
            let longest = (start + self.longest).min(text.len());
            let frozen = (single..=longest).rev().find(|end| {
                text.get(start..*end)
                    .and_then(|part| self.by_text.get(part))
                    .is_some_and(|id| self.pieces[*id].kind == PieceType::UserDefined)
            });
            let end = frozen.unwrap_or(single);
            let index = symbols.len();
            symbols.push(Symbol {
                start,
                end,
                before: index.checked_sub(1),
                after: (end < text.len()).then_some(index + 1),
                frozen: frozen.is_some(),
            });
            start = end;
        }
        symbols
    }

    fn consider<'a>(
        &self,
        text: &'a str,
        symbols: &[Symbol],
        left: usize,
        right: usize,
        agenda: &mut BinaryHeap<Union>,
        parts: &mut HashMap<&'a str, (&'a str, &'a str)>,
    ) {
        let (first, second) = (&symbols[left], &symbols[right]);
        if first.frozen || second.frozen {
            return;
        }
        let whole = &text[first.start..second.end];
        let Some(id) = self.by_text.get(whole) else {
            return;
        };
        agenda.push(Union {
            score: self.pieces[*id].score,
            left,
            right,
            length: whole.len(),
        });
        if self.pieces[*id].kind == PieceType::Unused {
            let halves = (
                &text[first.start..first.end],
                &text[second.start..second.end],
            );
            parts.insert(whole, halves);
        }
    }

    fn resegment<'a>(
        &self,
        text: &'a str,
        parts: &HashMap<&'a str, (&'a str, &'a str)>,
        out: &mut Vec<Segment<'a>>,
    ) {
        let piece = self.by_text.get(text).copied().unwrap_or(self.unknown);
        if self.pieces[piece].kind == PieceType::Unused
            && let Some((left, right)) = parts.get(text)
        {
            self.resegment(left, parts, out);
            self.resegment(right, parts, out);
            return;
        }
        out.push(Segment { text, piece });
    }
}
