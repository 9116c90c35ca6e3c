//! Byte-pair encoding as XLM's class does it: of letters, the last one of a word with `</w>`. Unlike in `tokenizer.json`, pairs may lead to
//! pieces that the vocabulary lacks on the way to one that it has.

use std::collections::HashMap;
use std::ops::Range;

use super::placed::is_space;

/// What marks the end of a word.
pub const END: &str = "</w>";

#[derive(Debug)]
pub struct Pairs {
    /// Pieces that are part of a pair or made by one.
    numbers: HashMap<String, u32>,
    /// By the numbers of both: the pair's place in the list, and what they make.
    ranks: HashMap<(u32, u32), (usize, u32)>,
}

/// A piece in the making.
#[derive(Debug, Clone)]
struct Piece {
    range: Range<usize>,
    /// None if no pair has it.
    number: Option<u32>,
}

impl Pairs {
    /// `merges.txt`: two pieces in a line and what may follow; what is behind the last line end does not count, and of a pair that is
    /// there twice its last place does.
    pub fn parse(text: &str) -> Pairs {
        let mut pairs = Pairs {
            numbers: HashMap::new(),
            ranks: HashMap::new(),
        };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        for (rank, line) in lines.split('\n').enumerate() {
            let mut parts = line.split(is_space).filter(|part| !part.is_empty());
            if let (Some(left), Some(right)) = (parts.next(), parts.next()) {
                let pair = (pairs.number(left), pairs.number(right));
                let made = pairs.number(&format!("{left}{right}"));
                pairs.ranks.insert(pair, (rank, made));
            }
        }
        pairs
    }

    fn number(&mut self, piece: &str) -> u32 {
        let next = u32::try_from(self.numbers.len()).expect("fewer pieces than the file has bytes");
        *self.numbers.entry(piece.to_owned()).or_insert(next)
    }

    /// The pieces of a word that is not empty, by their places in it. The last one is spelled with `END`.
    pub fn of(&self, word: &str) -> Vec<Range<usize>> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (start, letter) in word.char_indices() {
            let range = start..start + letter.len_utf8();
            let spelled = if range.end == word.len() {
                self.numbers.get(&format!("{letter}{END}"))
            } else {
                self.numbers.get(&word[range.clone()])
            };
            pieces.push(Piece {
                range,
                number: spelled.copied(),
            });
        }
        while let Some((_, first, second, made)) = self.best(&pieces) {
            let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
            let mut rest = pieces.into_iter().peekable();
            while let Some(mut piece) = rest.next() {
                if piece.number == Some(first)
                    && let Some(next) = rest.next_if(|next| next.number == Some(second))
                {
                    piece = Piece {
                        range: piece.range.start..next.range.end,
                        number: Some(made),
                    };
                }
                joined.push(piece);
            }
            pieces = joined;
        }
        pieces.into_iter().map(|piece| piece.range).collect()
    }

    /// The pair that is first in the list: its place, both pieces and what they make.
    fn best(&self, pieces: &[Piece]) -> Option<(usize, u32, u32, u32)> {
        let pairs = pieces.windows(2).filter_map(|pair| {
            let (first, second) = (pair[0].number?, pair[1].number?);
            let (rank, made) = self.ranks.get(&(first, second))?;
            Some((*rank, first, second, *made))
        });
        pairs.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled<'a>(pairs: &Pairs, word: &'a str) -> Vec<&'a str> {
        pairs
            .of(word)
            .into_iter()
            .map(|piece| &word[piece])
            .collect()
    }

    #[test]
    fn pairs_join_in_the_order_of_the_list() {
        let pairs = Pairs::parse("n e 9\ne n</w> 8\nne u</w> 5\nb b 1\nbroken\n\na b");
        assert_eq!(spelled(&pairs, "neneu"), ["ne", "neu"]);
        assert_eq!(spelled(&pairs, "nen"), ["ne", "n"]);
        assert_eq!(spelled(&pairs, "een"), ["e", "en"]);
        assert_eq!(spelled(&pairs, "bbbc"), ["bb", "b", "c"]);
        // The last line has no end.
        assert_eq!(spelled(&pairs, "abx"), ["a", "b", "x"]);
        assert_eq!(spelled(&pairs, "é"), ["é"]);
    }
}
