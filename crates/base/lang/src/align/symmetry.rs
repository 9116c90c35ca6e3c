//! Two alignments, one in each direction, made into one.
//!
//! Koehn, Och and Marcu 2003; `grow-diag-final-and` in the order of fast_align's own `atools`:
//! candidates by source, then target position, each taken as soon as it qualifies.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::Link;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symmetry {
    /// Every target word has at most one source word.
    #[default]
    Forward,
    /// Every source word has at most one target word.
    Reverse,
    Intersection,
    Union,
    GrowDiagFinalAnd,
}

impl Symmetry {
    pub const ALL: [Symmetry; 5] = [
        Symmetry::Forward,
        Symmetry::Reverse,
        Symmetry::Intersection,
        Symmetry::Union,
        Symmetry::GrowDiagFinalAnd,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Symmetry::Forward => "forward",
            Symmetry::Reverse => "reverse",
            Symmetry::Intersection => "intersection",
            Symmetry::Union => "union",
            Symmetry::GrowDiagFinalAnd => "grow-diag-final-and",
        }
    }

    /// One alignment of a sentence pair from two; sorted by source, then target.
    pub(super) fn join(
        self,
        forward: &[Link],
        reverse: &[Link],
        lengths: (usize, usize),
    ) -> Vec<Link> {
        let mut sorted = reverse.to_vec();
        sorted.sort_unstable();
        let mut both: Vec<Link> = forward
            .iter()
            .copied()
            .filter(|link| sorted.binary_search(link).is_ok())
            .collect();
        let mut either: Vec<Link> = forward.iter().chain(reverse).copied().collect();
        either.sort_unstable();
        either.dedup();
        match self {
            Symmetry::Forward => return forward.to_vec(),
            Symmetry::Reverse => return reverse.to_vec(),
            Symmetry::Intersection => both.sort_unstable(),
            Symmetry::Union => both = either,
            Symmetry::GrowDiagFinalAnd => {
                let mut grid = Grid::new(&both, lengths);
                grid.grow(either);
                for way in [forward, reverse] {
                    let mut way = way.to_vec();
                    way.sort_unstable();
                    grid.finish(&way);
                }
                both = grid.links;
                both.sort_unstable();
            }
        }
        both
    }
}

/// An alignment that grows.
struct Grid {
    links: Vec<Link>,
    /// The same links in order, to find neighbours.
    ordered: BTreeSet<Link>,
    source_aligned: Vec<bool>,
    target_aligned: Vec<bool>,
}

impl Grid {
    fn new(links: &[Link], (source, target): (usize, usize)) -> Grid {
        let mut grid = Grid {
            links: Vec::with_capacity(source.max(target)),
            ordered: BTreeSet::new(),
            source_aligned: vec![false; source],
            target_aligned: vec![false; target],
        };
        for link in links {
            grid.add(*link);
        }
        grid
    }

    fn add(&mut self, link: Link) {
        self.links.push(link);
        self.ordered.insert(link);
        self.source_aligned[link.source as usize] = true;
        self.target_aligned[link.target as usize] = true;
    }

    fn aligned(&self, link: Link) -> (bool, bool) {
        let source = self.source_aligned[link.source as usize];
        (source, self.target_aligned[link.target as usize])
    }

    /// Whether there is a link one place away, or less, on both sides.
    fn has_neighbour(&self, link: Link) -> bool {
        let sources = link.source.saturating_sub(1)..=link.source + 1;
        let first = link.target.saturating_sub(1);
        let last = link.target + 1;
        sources.into_iter().any(|source| {
            let at = |target| Link { source, target };
            self.ordered.range(at(first)..=at(last)).next().is_some()
        })
    }

    /// Takes candidates beside a link (diagonals included) that align a word without one, until
    /// none is left.
    fn grow(&mut self, mut candidates: Vec<Link>) {
        candidates.retain(|link| !self.ordered.contains(link));
        loop {
            let before = candidates.len();
            candidates.retain(|candidate| {
                let (source, target) = self.aligned(*candidate);
                let takes = !(source && target) && self.has_neighbour(*candidate);
                if takes {
                    self.add(*candidate);
                }
                !takes
            });
            if candidates.len() == before {
                return;
            }
        }
    }

    /// Takes candidates both of whose words are without a link.
    fn finish(&mut self, candidates: &[Link]) {
        for candidate in candidates {
            if self.aligned(*candidate) == (false, false) {
                self.add(*candidate);
            }
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Symmetry {
    type Err = String;

    fn from_str(given: &str) -> Result<Symmetry, String> {
        let found = Symmetry::ALL
            .into_iter()
            .find(|symmetry| symmetry.name() == given);
        found.ok_or_else(|| {
            let known: Vec<&str> = Symmetry::ALL.map(Symmetry::name).to_vec();
            format!("`{given}` is none of {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::parse_links;

    fn join(symmetry: Symmetry, forward: &str, reverse: &str) -> String {
        let (forward, reverse) = (parse_links(forward).unwrap(), parse_links(reverse).unwrap());
        let links = symmetry.join(&forward, &reverse, (6, 6));
        let words: Vec<String> = links.iter().map(Link::to_string).collect();
        words.join(" ")
    }

    #[test]
    fn directions_are_joined() {
        let (forward, reverse) = ("0-0 1-1 1-2 3-4 5-5", "0-0 1-1 2-2 3-4 4-5");
        for (symmetry, expected) in [
            (Symmetry::Forward, forward),
            (Symmetry::Reverse, reverse),
            (Symmetry::Intersection, "0-0 1-1 3-4"),
            (Symmetry::Union, "0-0 1-1 1-2 2-2 3-4 4-5 5-5"),
            // 1-2 lies beside 1-1, 2-2 beside that, 4-5 beside 3-4, 5-5 beside 4-5.
            (Symmetry::GrowDiagFinalAnd, "0-0 1-1 1-2 2-2 3-4 4-5 5-5"),
        ] {
            assert_eq!(join(symmetry, forward, reverse), expected, "{symmetry}");
        }
        // Nothing lies beside a link: only pairs of free words are taken, forward ones first.
        let grown = join(Symmetry::GrowDiagFinalAnd, "0-0 3-3 4-5", "0-0 3-4 5-3");
        assert_eq!(grown, "0-0 3-3 4-5");
    }
}
