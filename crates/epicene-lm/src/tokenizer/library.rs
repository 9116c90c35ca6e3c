//! The `tokenizers` library, which may fail or panic on files that are not what they should be.

use epicene_io::guard;
use tokenizers::Tokenizer;

use super::longest;
use crate::checkpoint::CheckpointError;

/// Model of a tokenizer, for the record.
pub fn variant(tokenizer: &Tokenizer) -> &'static str {
    use tokenizers::models::ModelWrapper;
    match tokenizer.get_model() {
        ModelWrapper::BPE(_) => "bpe",
        ModelWrapper::WordPiece(_) => "wordpiece",
        ModelWrapper::WordLevel(_) => "wordlevel",
        ModelWrapper::Unigram(_) => "unigram",
    }
}

/// The library's tokenizer, without padding and truncation.
pub fn library_tokenizer(json: &[u8]) -> Result<Tokenizer, CheckpointError> {
    let bad = |problem: String| CheckpointError::Tokenizer {
        file: "tokenizer.json".to_owned(),
        problem,
    };
    if longest::has_endless_string(json) {
        let limit = longest::LONGEST_TOKEN;
        return Err(bad(format!("a token of more than {limit} bytes")));
    }
    // The library panics on some files that are not what they should be.
    let mut inner = guarded(|| Tokenizer::from_bytes(json)).map_err(bad)?;
    inner.with_padding(None);
    let untruncated = inner.with_truncation(None);
    untruncated.map_err(|error| bad(error.to_string()))?;
    Ok(inner)
}

/// Calls the library, which may fail or panic.
pub fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    guard::catch(work)?.map_err(|error| error.to_string())
}
