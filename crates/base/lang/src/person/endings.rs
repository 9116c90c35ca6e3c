//! Endings of words, letter by letter from the last: a word is looked up in all of them at once, and most words leave
//! after two or three letters.

use super::cells::Cells;

#[derive(Debug)]
pub(super) struct Endings(Vec<Node>);

#[derive(Debug, Default)]
struct Node {
    /// The letter before, and where it leads.
    before: Vec<(char, u32)>,
    cells: Option<Cells>,
}

impl Default for Endings {
    fn default() -> Endings {
        Endings(vec![Node::default()])
    }
}

impl Endings {
    /// The cells of an ending, which is added where it is new.
    pub(super) fn entry(&mut self, ending: &str) -> &mut Cells {
        let mut at = 0;
        for letter in ending.chars().rev() {
            at = match self.step(at, letter) {
                Some(next) => next,
                None => {
                    let next = self.0.len();
                    let number = u32::try_from(next).expect("a data file has fewer letters");
                    self.0[at].before.push((letter, number));
                    self.0.push(Node::default());
                    next
                }
            };
        }
        self.0[at].cells.get_or_insert_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    /// The endings that a word has, the shortest first: how many letters, where they begin, their cells.
    pub(super) fn of<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (usize, usize, Cells)> {
        let mut at = 0;
        let letters = word.char_indices().rev();
        let nodes = letters.map_while(move |(start, letter)| {
            at = self.step(at, letter)?;
            Some((start, self.0[at].cells))
        });
        let counted = (1..).zip(nodes);
        counted.filter_map(|(count, (start, cells))| Some((count, start, cells?)))
    }

    fn step(&self, at: usize, letter: char) -> Option<usize> {
        let before = &self.0[at].before;
        let found = before.iter().find(|(before, _)| *before == letter)?;
        Some(found.1 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occupation::Genders;
    use crate::person::lexicon::Number;

    #[test]
    fn every_ending_of_a_word_is_found_shortest_first() {
        let mut endings = Endings::default();
        assert!(endings.is_empty());
        let [f, m] = [Genders::F, Genders::M].map(|one| Cells::new(one, Number::SINGULAR));
        for (ending, cells) in [("a", f), ("ista", m), ("ña", f), ("o", m)] {
            *endings.entry(ending) = cells;
        }
        assert!(!endings.is_empty());
        let found = |word| endings.of(word).collect::<Vec<_>>();
        assert_eq!(found("dentista"), [(1, 7, f), (4, 4, m)]);
        assert_eq!(found("niña"), [(1, 4, f), (2, 2, f)]);
        assert_eq!(found("sta"), [(1, 2, f)]);
        assert_eq!(found("pan"), []);
        assert_eq!(found(""), []);
    }
}
