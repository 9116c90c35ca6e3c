//! Whether lines are translations of the lines beside them.
//!
//! A file of translations without its sources is taken in the order of the data. If a line was lost, or
//! the file was shuffled, every number made of it is about other sentences. Three looks tell, and only
//! strong evidence counts: words that are known in both languages ([`known_words`]), words whose translation the file itself
//! teaches, line by line ([`learned`]), and, where it teaches nothing, the company that words of both texts keep ([`company`]).

mod company;
mod kin;
mod known_words;
mod learned;
mod signs;

pub use company::{Company, company};

use std::collections::BTreeSet;

use learned::{Block, Fit};
use signs::Signs;

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
    let count = sources.len().min(targets.len());
    let (sources, targets) = (&sources[..count], &targets[..count]);
    // Lines that are much alike have no order to be wrong.
    let is_told = |lines: &[&str]| {
        let distinct: BTreeSet<&str> = lines.iter().copied().collect();
        lines.len() >= LEAST_LINES && 2 * distinct.len() >= lines.len()
    };
    let each = |look: &dyn Fn((usize, usize)) -> Seen| {
        let mut finding = Pairing::Unclear;
        for lines in windows(count) {
            if !is_told(&targets[lines.0..lines.1]) {
                continue;
            }
            match look(lines) {
                Seen::Unclear => {}
                Seen::InOrder => finding = Pairing::InOrder,
                Seen::Moved(by) => return Pairing::Moved { by, lines },
                Seen::Unrelated => return Pairing::Unrelated { lines },
            }
        }
        finding
    };
    // What is known is believed before what is counted.
    let known = each(&|(start, end)| {
        let (ours, theirs) = (&sources[start..end], &targets[start..end]);
        let named = occupations.get(start..end).unwrap_or(&[]);
        known_words::kin(ours, theirs, language)
            .or_else(|| known_words::numbers(ours, theirs))
            .or_else(|| known_words::occupations(named, theirs, language))
    });
    if !matches!(known, Pairing::InOrder | Pairing::Unclear) || !is_told(targets) {
        return known;
    }
    match learned::look(&Signs::of(sources), &Signs::of(targets)) {
        Fit::Not(Block::Moved { by, lines }) => Pairing::Moved { by, lines },
        Fit::Not(Block::Unrelated { lines }) => Pairing::Unrelated { lines },
        Fit::InOrder => Pairing::InOrder,
        Fit::Unknown if known == Pairing::InOrder => known,
        Fit::Unknown => {
            each(&|(start, end)| company(&sources[start..end], &targets[start..end]).seen())
        }
    }
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
