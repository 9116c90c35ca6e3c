//! SentencePiece (Kudo and Richardson 2018), read and run natively: Marian's and M2M-100's checkpoints have
//! nothing else.
//!
//! Segmentation follows the C++ library step by step (normaliser, Viterbi over a unigram model in single
//! precision, merges of a BPE model by score), since a different piece is a different translation.

mod bpe;
mod normalizer;
mod proto;
mod unigram;

use std::collections::HashMap;

use normalizer::Normalizer;
pub use proto::SentencePieceError;
pub(crate) use proto::{ModelProto, ModelType, PieceType, parse as parse_model};

/// The mark of a space inside pieces.
pub const SPACE: char = '\u{2581}';

/// A loaded model.
#[derive(Debug)]
pub struct SentencePiece {
    pieces: Vec<proto::Piece>,
    /// Pieces that text can become: normal, user-defined and unused ones.
    by_text: HashMap<String, usize>,
    /// All others: the unknown one, control symbols, bytes.
    reserved: HashMap<String, usize>,
    /// Longest of the former, in bytes.
    longest: usize,
    unknown: usize,
    kind: ModelType,
    normalizer: Normalizer,
    lowest_score: f32,
    highest_score: f32,
    byte_fallback: bool,
}

/// A segment of normalised text and the piece it is, the unknown one where none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment<'a> {
    text: &'a str,
    piece: usize,
}

impl SentencePiece {
    /// From the bytes of a `.spm` or `.model` file.
    pub fn parse(bytes: &[u8]) -> Result<SentencePiece, SentencePieceError> {
        let ModelProto {
            pieces,
            kind,
            byte_fallback,
            normalizer,
            ..
        } = proto::parse(bytes)?;
        let (mut by_text, mut reserved) = (HashMap::new(), HashMap::new());
        let (mut lowest_score, mut highest_score) = (f32::MAX, f32::MIN);
        for (id, piece) in pieces.iter().enumerate() {
            match piece.kind {
                PieceType::Normal | PieceType::UserDefined | PieceType::Unused => {
                    by_text.insert(piece.text.clone(), id);
                }
                PieceType::Unknown | PieceType::Control | PieceType::Byte => {
                    reserved.insert(piece.text.clone(), id);
                }
            }
            if piece.kind == PieceType::Normal {
                lowest_score = lowest_score.min(piece.score);
                highest_score = highest_score.max(piece.score);
            }
        }
        let unknown = pieces
            .iter()
            .position(|piece| piece.kind == PieceType::Unknown)
            .ok_or_else(|| SentencePieceError("no unknown piece".to_owned()))?;
        let symbols = pieces
            .iter()
            .filter(|piece| piece.kind == PieceType::UserDefined)
            .map(|piece| piece.text.clone())
            .collect();
        Ok(SentencePiece {
            longest: by_text.keys().map(String::len).max().unwrap_or(0),
            by_text,
            reserved,
            unknown,
            kind,
            normalizer: Normalizer::new(normalizer, symbols)?,
            lowest_score,
            highest_score,
            byte_fallback,
            pieces,
        })
    }

    pub fn size(&self) -> usize {
        self.pieces.len()
    }

    /// Model of the pieces, for the record.
    pub fn variant(&self) -> &'static str {
        match self.kind {
            ModelType::Unigram => "unigram",
            ModelType::Bpe => "bpe",
        }
    }

    /// The text of a piece.
    pub fn piece(&self, id: usize) -> Option<&str> {
        self.pieces.get(id).map(|piece| piece.text.as_str())
    }

    /// Pieces of a text: each with its id in this model.
    pub fn encode(&self, text: &str) -> Vec<(String, usize)> {
        let normalized = self.normalizer.apply(text);
        let segments = match self.kind {
            ModelType::Unigram => self.unigram(&normalized),
            ModelType::Bpe => self.bpe(&normalized),
        };
        let mut out: Vec<(String, usize)> = Vec::with_capacity(segments.len());
        let mut after_unknown = false;
        for Segment { text, piece } in segments {
            let unknown = piece == self.unknown;
            if unknown && self.byte_fallback {
                for byte in text.bytes() {
                    let name = format!("<0x{byte:02X}>");
                    let id = self.byte(&name);
                    out.push((name, id));
                }
            } else if unknown && after_unknown {
                // Neighbouring unknown characters are one piece.
                if let Some((last, _)) = out.last_mut() {
                    last.push_str(text);
                }
            } else {
                out.push((text.to_owned(), piece));
            }
            after_unknown = unknown;
        }
        out
    }

    /// Whether pieces spell the same with another model: no byte or control symbol of one is text in the other.
    pub fn spells_like(&self, other: &SentencePiece) -> bool {
        let kind = |model: &SentencePiece, text: &str| {
            let reserved = model.reserved.get(text);
            reserved.map(|id| model.pieces[*id].kind)
        };
        let mut all = self.pieces.iter().chain(&other.pieces);
        all.all(|piece| kind(self, &piece.text) == kind(other, &piece.text))
    }

    fn byte(&self, name: &str) -> usize {
        self.reserved.get(name).copied().unwrap_or(self.unknown)
    }

    /// The text that pieces spell, without the blanks in front of it. What is no piece of this model is spelled as it is.
    pub fn decode<'a>(&self, pieces: impl Iterator<Item = &'a str>) -> String {
        let mut text = String::new();
        let mut bytes = Vec::new();
        let mut is_begun = false;
        for piece in pieces {
            let reserved = self.reserved.get(piece).map(|id| self.pieces[*id].kind);
            if reserved == Some(PieceType::Byte)
                && let Some(byte) = byte_of(piece)
            {
                bytes.push(byte);
                continue;
            }
            spell(&std::mem::take(&mut bytes), &mut text);
            match reserved {
                Some(PieceType::Unknown) => text.push_str(" \u{2047} "),
                Some(_) => {}
                None if !self.by_text.contains_key(piece) => text.push_str(piece),
                None => {
                    let cut = if is_begun || !text.is_empty() {
                        piece
                    } else {
                        self.normalizer.without_first_blank(piece)
                    };
                    is_begun |= cut.len() < piece.len() && !self.normalizer.trims();
                    text.push_str(&cut.replace(SPACE, " "));
                }
            }
        }
        spell(&bytes, &mut text);
        text
    }
}

/// Bytes as text, with a mark for each that is none.
fn spell(mut bytes: &[u8], text: &mut String) {
    while !bytes.is_empty() {
        let good = match std::str::from_utf8(bytes) {
            Ok(all) => all.len(),
            Err(error) => error.valid_up_to(),
        };
        text.push_str(&String::from_utf8_lossy(&bytes[..good]));
        bytes = &bytes[good..];
        if let [_, rest @ ..] = bytes {
            text.push(char::REPLACEMENT_CHARACTER);
            bytes = rest;
        }
    }
}

/// The byte that a piece such as `<0x41>` stands for.
fn byte_of(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    match digits.len() {
        2 => u8::from_str_radix(digits, 16).ok(),
        _ => None,
    }
}
