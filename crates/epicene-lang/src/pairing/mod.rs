//! Whether lines are translations of the lines beside them.
//!
//! A file of translations without its sources is taken in the order of the data. If a line was lost, or
//! the file was shuffled, every number made of it is about other sentences. Two looks tell, and only
//! strong evidence counts: words that are known in both languages ([`known_words`]), and the company
//! that words of both texts keep ([`company`]).

mod company;
mod kin;
mod known_words;

pub use company::{Company, company};

use std::collections::BTreeSet;

/// Lines of one look, and how many looks a file gets.
const WINDOW: usize = 400;
const WINDOWS: usize = 4;
/// Fewer lines say too little.
const LEAST_LINES: usize = 40;
/// Orders nearby that are tried: a line lost or doubled moves all that follow.
const SHIFTS: [isize; 6] = [-1, 1, -2, 2, -3, 3];

/// What the order of a file looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pairing {
    /// Lines go with their sources.
    InOrder,
    /// Between these lines (from 0, without the end) they go with the sources `by` lines further on.
    Moved { by: isize, lines: (usize, usize) },
    /// Between these lines they go with their sources no better than by chance.
    Unrelated { lines: (usize, usize) },
    /// There is too little to tell.
    Unclear,
}

/// Looks whether translations are in the order of their English sources. `occupations` names the
/// occupation of each source, where there is one.
pub fn pairing(
    sources: &[&str],
    targets: &[&str],
    language: &str,
    occupations: &[Option<&str>],
) -> Pairing {
    let mut finding = Pairing::Unclear;
    for (start, end) in windows(sources.len().min(targets.len())) {
        let (ours, theirs) = (&sources[start..end], &targets[start..end]);
        // Lines that are much alike have no order to be wrong.
        let distinct: BTreeSet<&str> = theirs.iter().copied().collect();
        if ours.len() < LEAST_LINES || 2 * distinct.len() < theirs.len() {
            continue;
        }
        let named = occupations.get(start..end).unwrap_or(&[]);
        // What is known is believed before what is counted, which is looked at only where that tells nothing.
        let seen = known_words::kin(ours, theirs, language)
            .or_else(|| known_words::numbers(ours, theirs))
            .or_else(|| known_words::occupations(named, theirs, language))
            .or_else(|| company(ours, theirs).seen());
        let lines = (start, end);
        match seen {
            Seen::Unclear => {}
            Seen::InOrder => finding = Pairing::InOrder,
            Seen::Moved(by) => return Pairing::Moved { by, lines },
            Seen::Unrelated => return Pairing::Unrelated { lines },
        }
    }
    finding
}

/// What one look at one part says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Seen {
    InOrder,
    Moved(isize),
    Unrelated,
    Unclear,
}

impl Seen {
    /// What another look says, where this one cannot tell.
    fn or_else(self, next: impl FnOnce() -> Seen) -> Seen {
        if self == Seen::Unclear { next() } else { self }
    }
}

/// The parts of a file that are looked at, from its first line to its last.
fn windows(lines: usize) -> Vec<(usize, usize)> {
    if lines <= WINDOW {
        return vec![(0, lines)];
    }
    let count = lines.div_ceil(WINDOW).min(WINDOWS);
    (0..count)
        .map(|place| place * (lines - WINDOW) / (count - 1))
        .map(|start| (start, start + WINDOW))
        .collect()
}

/// The line that stands `by` further on, around the end.
fn further(line: usize, by: isize, count: usize) -> usize {
    (line as isize + by).rem_euclid(count as isize) as usize
}

/// A shuffle that is the same every time (Fisher and Yates; splitmix64).
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for place in (1..count).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        order.swap(
            place,
            ((mixed ^ (mixed >> 31)) % (place as u64 + 1)) as usize,
        );
    }
    order
}
