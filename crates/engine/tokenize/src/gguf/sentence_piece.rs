//! SentencePiece's BPE: no merges are stored, only a score for each piece. Two neighbours join
//! where their text is a piece; the pair whose piece has the highest score goes first. So every
//! way to split a piece into two pieces is a merge, ranked by the score of the piece.

use tokenizers::Tokenizer;
use tokenizers::decoders::DecoderWrapper;
use tokenizers::decoders::byte_fallback::ByteFallback;
use tokenizers::decoders::fuse::Fuse;
use tokenizers::decoders::sequence::Sequence as Decoders;
use tokenizers::decoders::strip::Strip;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::normalizers::NormalizerWrapper;
use tokenizers::normalizers::prepend::Prepend;
use tokenizers::normalizers::replace::Replace;
use tokenizers::normalizers::utils::Sequence;

use super::{TokenType, Vocabulary, bad, beside};
use epicene_checkpoint::gguf::GgufError;

/// What a blank is written as.
const MARK: &str = "\u{2581}";

pub fn build(vocabulary: &Vocabulary<'_>) -> Result<Tokenizer, GgufError> {
    let gguf = vocabulary.gguf;
    let failed = |error: tokenizers::Error| bad(gguf, error.to_string());
    let ids = vocabulary.ids();
    let merges = merges(vocabulary, &ids)?;
    let has_bytes = vocabulary.of_type(TokenType::Byte).next().is_some();
    let mut builder = BPE::builder()
        .vocab_and_merges(ids, merges)
        .byte_fallback(has_bytes)
        .fuse_unk(true);
    let unknown = match vocabulary.special("unknown")? {
        Some(id) => vocabulary.tokens.get(id as usize).map(String::as_str),
        None => vocabulary
            .of_type(TokenType::Unknown)
            .next()
            .map(|(_, token)| token),
    };
    if let Some(unknown) = unknown {
        builder = builder.unk_token(unknown.to_owned());
    }
    let mut tokenizer = Tokenizer::new(builder.build().map_err(failed)?);
    let marked_first = gguf
        .flag("tokenizer.ggml.add_space_prefix")?
        .unwrap_or(true);
    let mut normalizers: Vec<NormalizerWrapper> = Vec::new();
    let mut decoders: Vec<DecoderWrapper> = vec![
        Replace::new(MARK, " ").map_err(failed)?.into(),
        ByteFallback::new().into(),
        Fuse::new().into(),
    ];
    if marked_first {
        normalizers.push(Prepend::new(MARK.to_owned()).into());
        decoders.push(Strip::new(' ', 1, 0).into());
    }
    normalizers.push(Replace::new(" ", MARK).map_err(failed)?.into());
    tokenizer
        .with_normalizer(Some(Sequence::new(normalizers)))
        .map_err(failed)?;
    tokenizer.with_decoder(Some(Decoders::new(decoders)));
    Ok(tokenizer)
}

/// Every split of a piece into two, best piece first; of one piece, longest left part first, which
/// is what joining from the left gives.
fn merges(vocabulary: &Vocabulary<'_>, ids: &Vocab) -> Result<Vec<(String, String)>, GgufError> {
    const SCORES: &str = "tokenizer.ggml.scores";
    let scores = beside(vocabulary, SCORES)?;
    let scores = scores.as_f32s().ok_or_else(|| {
        vocabulary
            .gguf
            .bad(SCORES, "is not an array of 32-bit numbers")
    })?;
    let joins = |kind: TokenType| matches!(kind, TokenType::Normal | TokenType::Unused);
    let is_piece = |text: &str| {
        let kind = ids
            .get(text)
            .and_then(|id| vocabulary.types.get(*id as usize));
        kind.is_some_and(|kind| joins(*kind))
    };
    let mut order: Vec<usize> = (0..vocabulary.tokens.len())
        .filter(|id| joins(vocabulary.types[*id]))
        .collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut pairs = Vec::with_capacity(2 * order.len());
    for id in order {
        let piece = vocabulary.tokens[id].as_str();
        for (at, _) in piece
            .char_indices()
            .skip(1)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let (left, right) = piece.split_at(at);
            if is_piece(left) && is_piece(right) {
                pairs.push((left.to_owned(), right.to_owned()));
            }
        }
    }
    Ok(pairs)
}
