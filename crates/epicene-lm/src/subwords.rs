//! Vectors of sub-words from one layer of an encoder, with the words they belong to: what an aligner
//! compares.

use crate::reading::Wanted;
use crate::{LmError, TransformerModel};

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

    /// For each sentence (its words) the vectors of its sub-words, row by row, and the word of each.
    /// Special tokens are read and left out.
    pub fn subword_vectors(
        &self,
        sentences: &[Vec<String>],
    ) -> Result<Vec<(Vec<f32>, Vec<usize>)>, LmError> {
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
        let sights = self.look_at(texts, wanted)?;
        let vectors = sights.into_iter().zip(places).map(|(sight, places)| {
            let mut values = Vec::new();
            let mut words = Vec::new();
            for (token, word) in places {
                values.extend_from_slice(sight.hidden.row(token));
                words.push(word);
            }
            (values, words)
        });
        Ok(vectors.collect())
    }
}
