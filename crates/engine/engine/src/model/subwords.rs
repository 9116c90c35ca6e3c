//! Vectors of sub-words from one layer of an encoder, with the words they belong to: what an aligner
//! compares.

use crate::error::LmError;
use crate::model::TransformerModel;
use crate::model::reading::Wanted;

/// The sub-words of one sentence: a vector each, row by row, and the word each belongs to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordPieces {
    pub values: Vec<f32>,
    /// Counted from 0.
    pub words: Vec<usize>,
}

impl TransformerModel {
    /// Leaves out what comes after layer `layer` (counted from 1; 0 is the embedding): the model's
    /// hidden states are then that layer's output.
    pub fn cut_after(&mut self, layer: usize) -> Result<(), LmError> {
        let layers = self.transformer.layers.len();
        if layer > layers {
            return Err(LmError::NoLayer {
                system: self.name(),
                layer,
                layers,
            });
        }
        if layer < layers {
            self.transformer.layers.truncate(layer);
            // The last norm belongs to the last layer's output.
            self.transformer.norm = None;
            self.transformer.head = None;
        }
        Ok(())
    }

    /// The sub-words of each sentence, which is given as its words. Special tokens are read and left
    /// out.
    pub fn word_pieces(&self, sentences: &[Vec<String>]) -> Result<Vec<WordPieces>, LmError> {
        let mut texts = Vec::new();
        let mut places = Vec::new();
        for words in sentences {
            let text = words.join(" ");
            let ids = self.encode(&text)?;
            places.push(self.tokenizer.words_of(&text, words)?);
            texts.push(ids);
        }
        let wanted = Wanted {
            hidden: true,
            ..Wanted::default()
        };
        let readings = self.look_at(texts, wanted)?;
        let vectors = readings.into_iter().zip(places).map(|(reading, places)| {
            let mut pieces = WordPieces::default();
            for (token, word) in places {
                pieces.values.extend_from_slice(reading.hidden.row(token));
                pieces.words.push(word);
            }
            pieces
        });
        Ok(vectors.collect())
    }
}
