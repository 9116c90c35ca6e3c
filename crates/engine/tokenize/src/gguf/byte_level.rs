//! Byte-level BPE as GPT-2 introduced it: every byte is a letter, merges are given in order.

use tokenizers::Tokenizer;
use tokenizers::decoders::byte_level::ByteLevel;
use tokenizers::models::bpe::{BPE, Vocab};

use super::pretokenizer::Pretokenizer;
use super::{Vocabulary, bad};
use epicene_checkpoint::gguf::GgufError;

/// The tokenizer, whether it adds BOS unless told otherwise, and its name.
pub fn build(vocabulary: &Vocabulary<'_>) -> Result<(Tokenizer, bool, String), GgufError> {
    let gguf = vocabulary.gguf;
    let failed = |error: tokenizers::Error| bad(gguf, error.to_string());
    let pretokenizer = Pretokenizer::of(gguf)?;
    let ids = vocabulary.ids();
    let merges = merges(vocabulary, &ids)?;
    let model = BPE::builder()
        .vocab_and_merges(ids, merges)
        .ignore_merges(pretokenizer.whole_words)
        .build()
        .map_err(failed)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(pretokenizer.build().map_err(failed)?));
    if let Some(normalizer) = pretokenizer.normalizer() {
        tokenizer
            .with_normalizer(Some(normalizer))
            .map_err(failed)?;
    }
    tokenizer.with_decoder(Some(ByteLevel::default()));
    let variant = format!("gpt2/{}", pretokenizer.name);
    Ok((tokenizer, pretokenizer.adds_bos, variant))
}

/// Pairs in order, each checked to make a token: the library takes that for granted.
fn merges(vocabulary: &Vocabulary<'_>, ids: &Vocab) -> Result<Vec<(String, String)>, GgufError> {
    const KEY: &str = "tokenizer.ggml.merges";
    let gguf = vocabulary.gguf;
    let stored = gguf
        .array(KEY)?
        .ok_or_else(|| gguf.bad(KEY, "is missing"))?;
    let stored = stored
        .as_strings()
        .ok_or_else(|| gguf.bad(KEY, "is not an array of strings"))?;
    let mut pairs = Vec::with_capacity(stored.len());
    for (number, merge) in stored.iter().enumerate() {
        // The first letter of the left part may be a blank itself.
        let blank = merge
            .char_indices()
            .skip(1)
            .find(|(_, letter)| *letter == ' ');
        let Some((at, _)) = blank else {
            return Err(gguf.bad(KEY, format!("has no pair at {number}: `{merge}`")));
        };
        let (left, right) = (&merge[..at], &merge[at + 1..]);
        let known = |token: &str| ids.contains_key(token);
        if !(known(left) && known(right) && known(&format!("{left}{right}"))) {
            return Err(gguf.bad(KEY, format!("has a pair outside the vocabulary: `{merge}`")));
        }
        pairs.push((left.to_owned(), right.to_owned()));
    }
    Ok(pairs)
}
