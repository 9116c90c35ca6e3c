//! What a run would cost, before anybody is asked.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::{CachedTranslator, Direction, MtError};

/// What a run would have to ask for, each sentence once.
#[derive(Debug, Default)]
pub struct Bill {
    pub sentences: u64,
    pub characters: u64,
    seen: HashSet<[u8; 16]>,
}

impl Bill {
    /// Counts a sentence that is not in the cache.
    pub fn add(
        &mut self,
        translator: &CachedTranslator,
        text: &str,
        direction: Direction<'_>,
    ) -> Result<(), MtError> {
        let store = translator.store(direction)?;
        if store.as_ref().is_some_and(|store| store.has(text)) {
            return Ok(());
        }
        let mut digest = Sha256::new();
        for code in [direction.from, direction.to] {
            digest.update((code.len() as u64).to_le_bytes());
            digest.update(code);
        }
        digest.update(text);
        let mut key = [0; 16];
        key.copy_from_slice(&digest.finalize()[..16]);
        if self.seen.insert(key) {
            self.sentences += 1;
            self.characters += text.chars().count() as u64;
        }
        Ok(())
    }
}
