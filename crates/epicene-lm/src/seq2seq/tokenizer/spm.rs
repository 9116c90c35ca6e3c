//! Pieces of SentencePiece models, numbered by a vocabulary of its own (Marian, M2M-100) or by their place in the
//! model (mBART-50).

use std::collections::HashMap;

use crate::seq2seq::sentencepiece::SentencePiece;

#[derive(Debug)]
pub struct SpmVocabulary {
    source: SentencePiece,
    /// Where the target has a model of its own.
    target: Option<SentencePiece>,
    source_ids: HashMap<String, u32>,
    unknown: u32,
    /// The piece of each target id; none for special tokens, which are not text.
    target_pieces: Vec<Option<String>>,
}

/// Tokens of a vocabulary that are not text.
const SPECIAL: [&str; 4] = ["<s>", "</s>", "<pad>", "<unk>"];

impl SpmVocabulary {
    /// With vocabularies beside the models. `None` if one lacks `<unk>`.
    pub fn new(
        source: SentencePiece,
        target: Option<SentencePiece>,
        source_ids: HashMap<String, u32>,
        target_ids: Option<&HashMap<String, u32>>,
    ) -> Option<SpmVocabulary> {
        let unknown = *source_ids.get("<unk>")?;
        let ids = target_ids.unwrap_or(&source_ids);
        let highest = ids.values().max().copied().unwrap_or(0);
        let mut target_pieces = vec![None; highest as usize + 1];
        let mut sorted: Vec<(&String, &u32)> = ids.iter().collect();
        sorted.sort();
        for (piece, id) in sorted {
            if !SPECIAL.contains(&piece.as_str()) {
                target_pieces[*id as usize] = Some(piece.clone());
            }
        }
        Some(SpmVocabulary {
            source,
            target,
            source_ids,
            unknown,
            target_pieces,
        })
    }

    /// Numbered as fairseq does: `<s>`, `<pad>`, `</s>`, `<unk>`, then the model's pieces.
    pub fn fairseq(model: SentencePiece) -> Option<SpmVocabulary> {
        let mut ids = HashMap::from([
            ("<s>".to_owned(), 0),
            ("<pad>".to_owned(), 1),
            ("</s>".to_owned(), 2),
            ("<unk>".to_owned(), 3),
        ]);
        for id in 3..model.size() {
            ids.insert(model.piece(id)?.to_owned(), id as u32 + 1);
        }
        SpmVocabulary::new(model, None, ids, None)
    }

    pub fn id(&self, piece: &str) -> Option<u32> {
        self.source_ids.get(piece).copied()
    }

    /// Pieces of the vocabulary, in alphabetical order.
    pub fn pieces(&self) -> Vec<(&str, u32)> {
        let mut all: Vec<(&str, u32)> = self
            .source_ids
            .iter()
            .map(|(piece, id)| (piece.as_str(), *id))
            .collect();
        all.sort_unstable();
        all
    }

    pub fn source_size(&self) -> usize {
        let highest = self.source_ids.values().max();
        highest.map_or(0, |id| *id as usize + 1)
    }

    pub fn target_size(&self) -> usize {
        self.target_pieces.len()
    }

    pub fn pieces_of_model(&self) -> usize {
        self.source.size()
    }

    pub fn variant(&self) -> &'static str {
        self.source.variant()
    }

    pub fn encode(&self, text: &str) -> Vec<u32> {
        let pieces = self.source.encode(text);
        pieces
            .iter()
            .map(|(piece, _)| self.id(piece).unwrap_or(self.unknown))
            .collect()
    }

    pub fn decode(&self, ids: &[u32]) -> String {
        let pieces = ids
            .iter()
            .filter_map(|id| self.target_pieces.get(*id as usize)?.as_deref());
        self.target.as_ref().unwrap_or(&self.source).decode(pieces)
    }
}
