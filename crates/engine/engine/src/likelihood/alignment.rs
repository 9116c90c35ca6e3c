//! Ratcliff–Obershelp alignment exactly as Python's `difflib.SequenceMatcher` does it, with its
//! `autojunk` heuristic: the published CPS and SSS depend on its choices, ties included.
//!
//! The longest common block is found; among equally long ones the earliest in `a`, then in `b`; then
//! the same left and right of it. With `autojunk`, elements that make up more than one percent of a
//! `b` of 200 or more do not start blocks, but a block is extended over them.

use std::collections::HashMap;
use std::hash::Hash;

/// Below this length of `b` nothing is popular.
const AUTOJUNK_LENGTH: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    Equal,
    Replace,
    Delete,
    Insert,
}

impl Tag {
    /// Python's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Tag::Equal => "equal",
            Tag::Replace => "replace",
            Tag::Delete => "delete",
            Tag::Insert => "insert",
        }
    }
}

/// How `a[a.0..a.1]` becomes `b[b.0..b.1]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opcode {
    pub tag: Tag,
    pub a: (usize, usize),
    pub b: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    a: usize,
    b: usize,
    size: usize,
}

struct Matcher<'s, T> {
    a: &'s [T],
    b: &'s [T],
    /// The indices of every element of `b` that may start a block, in ascending order.
    places: HashMap<&'s T, Vec<usize>>,
}

/// `SequenceMatcher(None, a, b, autojunk).get_opcodes()`.
pub fn opcodes<T: Eq + Hash>(a: &[T], b: &[T], autojunk: bool) -> Vec<Opcode> {
    let mut opcodes = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut push = |tag: Option<Tag>, a, b| {
        if let Some(tag) = tag {
            opcodes.push(Opcode { tag, a, b });
        }
    };
    for (ai, bj, size) in matching_blocks(a, b, autojunk) {
        let tag = match (i < ai, j < bj) {
            (true, true) => Some(Tag::Replace),
            (true, false) => Some(Tag::Delete),
            (false, true) => Some(Tag::Insert),
            (false, false) => None,
        };
        push(tag, (i, ai), (j, bj));
        (i, j) = (ai + size, bj + size);
        push((size > 0).then_some(Tag::Equal), (ai, i), (bj, j));
    }
    opcodes
}

/// `get_matching_blocks()`: (start in a, start in b, size), the last one of size 0 at both ends.
fn matching_blocks<T: Eq + Hash>(a: &[T], b: &[T], autojunk: bool) -> Vec<(usize, usize, usize)> {
    let matcher = Matcher::new(a, b, autojunk);
    let mut blocks = Vec::new();
    let mut waiting = vec![(0, a.len(), 0, b.len())];
    while let Some((alo, ahi, blo, bhi)) = waiting.pop() {
        let block = matcher.longest(alo, ahi, blo, bhi);
        if block.size == 0 {
            continue;
        }
        blocks.push(block);
        if alo < block.a && blo < block.b {
            waiting.push((alo, block.a, blo, block.b));
        }
        let (a_end, b_end) = (block.a + block.size, block.b + block.size);
        if a_end < ahi && b_end < bhi {
            waiting.push((a_end, ahi, b_end, bhi));
        }
    }
    blocks.sort_unstable();
    let mut merged: Vec<(usize, usize, usize)> = Vec::new();
    for block in blocks {
        match merged.last_mut() {
            Some((a, b, size)) if *a + *size == block.a && *b + *size == block.b => {
                *size += block.size;
            }
            _ => merged.push((block.a, block.b, block.size)),
        }
    }
    merged.push((a.len(), b.len(), 0));
    merged
}

impl<'s, T: Eq + Hash> Matcher<'s, T> {
    fn new(a: &'s [T], b: &'s [T], autojunk: bool) -> Matcher<'s, T> {
        let mut places: HashMap<&T, Vec<usize>> = HashMap::new();
        for (place, element) in b.iter().enumerate() {
            places.entry(element).or_default().push(place);
        }
        if autojunk && b.len() >= AUTOJUNK_LENGTH {
            let most = b.len() / 100 + 1;
            places.retain(|_, places| places.len() <= most);
        }
        Matcher { a, b, places }
    }

    /// The longest block within the bounds. No element is junk here, so Python's second extension
    /// over junk never happens; the first one extends over popular elements.
    fn longest(&self, alo: usize, ahi: usize, blo: usize, bhi: usize) -> Block {
        let mut best = Block {
            a: alo,
            b: blo,
            size: 0,
        };
        // Length of the block that ends at j of `b` and at the previous, the current i of `a`.
        let mut previous: HashMap<usize, usize> = HashMap::new();
        for i in alo..ahi {
            let mut current = HashMap::new();
            for &j in self.places.get(&self.a[i]).map_or(&[][..], Vec::as_slice) {
                if j < blo {
                    continue;
                }
                if j >= bhi {
                    break;
                }
                let before = j.checked_sub(1).and_then(|j| previous.get(&j));
                let size = before.copied().unwrap_or(0) + 1;
                current.insert(j, size);
                if size > best.size {
                    best = Block {
                        a: i + 1 - size,
                        b: j + 1 - size,
                        size,
                    };
                }
            }
            previous = current;
        }
        while best.a > alo && best.b > blo && self.a[best.a - 1] == self.b[best.b - 1] {
            best.a -= 1;
            best.b -= 1;
            best.size += 1;
        }
        while best.a + best.size < ahi
            && best.b + best.size < bhi
            && self.a[best.a + best.size] == self.b[best.b + best.size]
        {
            best.size += 1;
        }
        best
    }
}
