//! What a run would cost, before anybody is asked.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::{CachedTranslator, MtError};

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
        to: &str,
    ) -> Result<(), MtError> {
        let store = translator.store(to)?;
        if store.as_ref().is_some_and(|store| store.has(text)) {
            return Ok(());
        }
        let mut digest = Sha256::new();
        digest.update((to.len() as u64).to_le_bytes());
        digest.update(to);
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
