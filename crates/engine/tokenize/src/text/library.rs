//! The `tokenizers` library, which may fail or panic on files that are not what they should be.

use epicene_io::bounded::{self, Bounds};
use epicene_io::guard;
use epicene_io::limits::{TOKENIZER, TOKENIZER_EXPANSION};
use tokenizers::Tokenizer;

use super::{growth, longest};
use epicene_checkpoint::CheckpointError;

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
    Ok(measured_tokenizer(json)?.0)
}

/// The same, and how much longer its steps may make a text.
pub fn measured_tokenizer(json: &[u8]) -> Result<(Tokenizer, f64), CheckpointError> {
    let bad = |problem: String| CheckpointError::Tokenizer {
        file: "tokenizer.json".to_owned(),
        problem,
    };
    if longest::has_endless_string(json) {
        let limit = longest::LONGEST_TOKEN;
        return Err(bad(format!("a token of more than {limit} bytes")));
    }
    let growth = growth::check(json).map_err(bad)?;
    // The library panics on some files that are not what they should be, and may ask for any amount of memory.
    let bytes = json.to_vec();
    let bounds = Bounds {
        memory: TOKENIZER
            .memory
            .saturating_add(json.len().saturating_mul(TOKENIZER_EXPANSION)),
        ..TOKENIZER
    };
    let mut inner = within(bounds, move || Tokenizer::from_bytes(bytes)).map_err(bad)?;
    inner.with_padding(None);
    let untruncated = inner.with_truncation(None);
    untruncated.map_err(|error| bad(error.to_string()))?;
    Ok((inner, growth))
}

/// Calls the library in a thread of its own, for what a file may make expensive.
pub fn within<T: Send + 'static>(
    bounds: Bounds,
    work: impl FnOnce() -> tokenizers::Result<T> + Send + 'static,
) -> Result<T, String> {
    let done = bounded::run(bounds, work).map_err(|exceeded| exceeded.to_string())?;
    done.map_err(|error| error.to_string())
}

/// Calls the library, which may fail or panic.
pub fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    guard::catch(work)?.map_err(|error| error.to_string())
}
