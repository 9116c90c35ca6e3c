//! Tokenizers of every kind, and chat templates: from a text to the token ids that a model was trained with, and back.
//!
//! [`TextTokenizer`] is the tokenizer of a language model, [`TranslationTokenizer`] that of a translator, [`SentencePiece`] the
//! library of that name, [`gguf_tokenizer`] the vocabulary of a GGUF file, [`ChatTemplate`] a conversation as one text.

mod chat_template;
mod gguf;
mod languages;
mod sentencepiece;
mod text;
mod translation;

pub use chat_template::{ChatTemplate, Message};
pub use gguf::{GgufTokenizer, tokenizer as gguf_tokenizer};
pub use sentencepiece::{SentencePiece, SentencePieceError};
pub use text::{Surroundings, TextTokenizer, WordToken, sentinel};
pub use translation::{Files, Request, Scheme, TranslationTokenizer};
