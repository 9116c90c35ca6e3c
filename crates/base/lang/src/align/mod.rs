//! Which word of a translation stands for which word of its source.
//!
//! [`fast_align`] learns the answer from the translations themselves (a log-linear reparameterisation
//! of IBM model 2; Dyer, Chahuneau and Smith 2013, as WinoMT uses it); [`from_vectors`] reads it off
//! the hidden states of an encoder. Links are written in Pharaoh's form, `0-0 1-2`.

mod cells;
mod diagonal;
mod digamma;
mod fast_align;
mod parallel_text;
mod pharaoh;
mod symmetry;
mod vectors;

pub use fast_align::{align, align_one_way};
pub use parallel_text::{Direction, MOST_WORDS, ParallelText};
pub use pharaoh::{PharaohError, parse_links};
pub use symmetry::Symmetry;
pub use vectors::{EncoderThreshold, SubwordVectors, from_vectors};

use std::fmt;

/// A source word and a target word, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    pub source: u32,
    pub target: u32,
}

/// The links of many sentences, one after the other in one array.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignments {
    links: Vec<Link>,
    ends: Vec<usize>,
}

impl Alignments {
    pub fn push(&mut self, links: impl IntoIterator<Item = Link>) {
        self.links.extend(links);
        self.ends.push(self.links.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The links of one sentence, in the order of the aligner.
    pub fn of(&self, sentence: usize) -> &[Link] {
        let start = match sentence {
            0 => 0,
            _ => self.ends[sentence - 1],
        };
        &self.links[start..self.ends[sentence]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[Link]> {
        (0..self.len()).map(|sentence| self.of(sentence))
    }

    fn append(&mut self, other: &Alignments) {
        let shift = self.links.len();
        self.links.extend_from_slice(&other.links);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }
}

impl Link {
    pub fn new(source: usize, target: usize) -> Link {
        Link {
            source: source as u32,
            target: target as u32,
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.source, self.target)
    }
}
