//! SentencePiece's normaliser: the longest rule that matches is applied at each place of the text, then spaces
//! are trimmed, marked and prefixed as the model says. The rules are a double-array trie (Darts) compiled into the
//! model file.

use super::SPACE;
use super::proto::{NormalizerSpec, SentencePieceError};

#[derive(Debug)]
pub struct Normalizer {
    spec: NormalizerSpec,
    trie: Vec<u32>,
    /// Replacements, each ended by a zero byte.
    replacements: Vec<u8>,
    /// Symbols that are left as they are, the longest first.
    symbols: Vec<String>,
}

impl Normalizer {
    pub fn new(
        mut spec: NormalizerSpec,
        mut symbols: Vec<String>,
    ) -> Result<Normalizer, SentencePieceError> {
        symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.len()));
        let charsmap = std::mem::take(&mut spec.charsmap);
        let bad = || SentencePieceError("its normalisation rules make no sense".to_owned());
        let (trie, replacements) = match charsmap.as_slice() {
            [] => (Vec::new(), Vec::new()),
            [a, b, c, d, rest @ ..] => {
                let size = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                if size > rest.len() || !size.is_multiple_of(4) {
                    return Err(bad());
                }
                let (trie, replacements) = rest.split_at(size);
                let units = trie
                    .chunks_exact(4)
                    .map(|unit| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]));
                (units.collect(), replacements.to_vec())
            }
            _ => return Err(bad()),
        };
        Ok(Normalizer {
            spec,
            trie,
            replacements,
            symbols,
        })
    }

    /// Whether blanks are one, and none at either end.
    pub fn trims(&self) -> bool {
        self.spec.remove_extra_whitespaces
    }

    /// A piece at the beginning of a text, without the mark that stands in front of every text.
    pub fn without_first_blank<'a>(&self, piece: &'a str) -> &'a str {
        if self.spec.add_dummy_prefix || self.trims() {
            piece.strip_prefix(SPACE).unwrap_or(piece)
        } else {
            piece
        }
    }

    /// The longest rule that the text begins with: how many bytes it covers and where its replacement starts.
    fn rule(&self, text: &[u8]) -> Option<(usize, usize)> {
        let offset = |unit: u32| (unit >> 10) << ((unit & (1 << 9)) >> 6);
        let mut place = offset(*self.trie.first()?) as usize;
        let mut found = None;
        for (index, byte) in text.iter().enumerate() {
            place ^= usize::from(*byte);
            let Some(unit) = self.trie.get(place).copied() else {
                break;
            };
            if unit & ((1 << 31) | 0xff) != u32::from(*byte) {
                break;
            }
            place ^= offset(unit) as usize;
            if unit & (1 << 8) != 0
                && let Some(leaf) = self.trie.get(place)
            {
                found = Some((index + 1, (leaf & 0x7fff_ffff) as usize));
            }
        }
        found
    }

    /// What the text begins with, normalised, and how many bytes of the text that was.
    fn prefix<'a>(&'a self, text: &'a str) -> (&'a str, usize) {
        if let Some(symbol) = self.symbols.iter().find(|s| text.starts_with(s.as_str())) {
            return (&text[..symbol.len()], symbol.len());
        }
        if let Some((length, start)) = self.rule(text.as_bytes())
            && text.is_char_boundary(length)
        {
            let rest = self.replacements.get(start..).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == 0);
            let replacement = &rest[..end.unwrap_or(rest.len())];
            return (std::str::from_utf8(replacement).unwrap_or_default(), length);
        }
        let length = text.chars().next().map_or(0, char::len_utf8);
        (&text[..length], length)
    }

    pub fn apply(&self, text: &str) -> String {
        let trim = self.spec.remove_extra_whitespaces;
        let mut rest = text;
        if trim {
            while !rest.is_empty() {
                let (normalized, length) = self.prefix(rest);
                if normalized != " " {
                    break;
                }
                rest = &rest[length..];
            }
        }
        let mut out = String::with_capacity(text.len() + 8);
        if rest.is_empty() {
            return out;
        }
        let space = if self.spec.escape_whitespaces {
            SPACE
        } else {
            ' '
        };
        if self.spec.add_dummy_prefix && !self.spec.suffix {
            out.push(space);
        }
        let mut after_space = trim;
        while !rest.is_empty() {
            let (normalized, length) = self.prefix(rest);
            let normalized = if after_space {
                normalized.trim_start_matches(' ')
            } else {
                normalized
            };
            for character in normalized.chars() {
                out.push(if character == ' ' { space } else { character });
            }
            if !normalized.is_empty() {
                after_space = normalized.ends_with(' ');
            }
            after_space &= trim;
            rest = &rest[length..];
        }
        if trim {
            out.truncate(out.trim_end_matches(space).len());
        }
        if self.spec.add_dummy_prefix && self.spec.suffix {
            out.push(space);
        }
        out
    }
}
