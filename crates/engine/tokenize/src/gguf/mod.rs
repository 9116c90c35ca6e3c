//! The embedded vocabulary as a `tokenizers::Tokenizer` that gives the ids the model was trained
//! with: byte-level BPE (`gpt2`) or SentencePiece's BPE (`llama`, also Gemma's).
//!
//! Text that spells a special token becomes that token, as with Hugging Face's tokenizers.

mod byte_level;
mod pretokenizer;
mod sentence_piece;

use tokenizers::models::bpe::Vocab;
use tokenizers::processors::template::{SpecialToken, Template, TemplateProcessing};
use tokenizers::{AddedToken, Tokenizer};

use epicene_checkpoint::gguf::{Array, Gguf, GgufError};

/// A tokenizer and what the file says about its special tokens.
#[derive(Debug, Clone)]
pub struct GgufTokenizer {
    /// Puts BOS and EOS around a text where the file asks for it.
    pub tokenizer: Tokenizer,
    pub bos: Option<u32>,
    pub eos: Option<u32>,
    pub adds_bos: bool,
    pub adds_eos: bool,
    /// `tokenizer.ggml.model`, and for byte-level BPE `tokenizer.ggml.pre`: for the record.
    pub variant: String,
}

/// What a token is for: `tokenizer.ggml.token_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenType {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// The embedded vocabulary; positions are ids.
struct Vocabulary<'a> {
    gguf: &'a Gguf,
    tokens: &'a [String],
    types: Vec<TokenType>,
}

fn bad(gguf: &Gguf, problem: impl Into<String>) -> GgufError {
    GgufError::Tokenizer {
        file: gguf.file().to_owned(),
        problem: problem.into(),
    }
}

impl<'a> Vocabulary<'a> {
    fn read(gguf: &'a Gguf) -> Result<Vocabulary<'a>, GgufError> {
        const TOKENS: &str = "tokenizer.ggml.tokens";
        const TYPES: &str = "tokenizer.ggml.token_type";
        let tokens = gguf
            .array(TOKENS)?
            .ok_or_else(|| gguf.bad(TOKENS, "is missing"))?;
        let tokens = tokens
            .as_strings()
            .ok_or_else(|| gguf.bad(TOKENS, "is not an array of strings"))?;
        let types = match gguf.array(TYPES)? {
            None => vec![TokenType::Normal; tokens.len()],
            Some(types) => types
                .as_u64s()
                .ok_or_else(|| gguf.bad(TYPES, "is not an array of whole numbers"))?
                .into_iter()
                .map(TokenType::of)
                .collect(),
        };
        if types.len() != tokens.len() || tokens.len() > u32::MAX as usize {
            return Err(gguf.bad(
                TYPES,
                format!("has {} entries for {} tokens", types.len(), tokens.len()),
            ));
        }
        Ok(Vocabulary {
            gguf,
            tokens,
            types,
        })
    }

    fn ids(&self) -> Vocab {
        self.tokens.iter().cloned().zip(0..).collect()
    }

    /// Ids and texts of the tokens of a type.
    fn of_type(&self, wanted: TokenType) -> impl Iterator<Item = (u32, &'a str)> {
        let all = self.tokens.iter().zip(&self.types).zip(0..);
        all.filter(move |((_, found), _)| **found == wanted)
            .map(|((token, _), id)| (id, token.as_str()))
    }

    /// A special token's id, checked to be in the vocabulary.
    fn special(&self, name: &str) -> Result<Option<u32>, GgufError> {
        let key = format!("tokenizer.ggml.{name}_token_id");
        match self.gguf.number(&key)? {
            None => Ok(None),
            Some(id) if id < self.tokens.len() as u64 => Ok(Some(id as u32)),
            // Written as -1 where there is none.
            Some(0xFFFF_FFFF) => Ok(None),
            Some(id) => Err(self
                .gguf
                .bad(&key, format!("is {id}, beyond the vocabulary"))),
        }
    }

    /// Control tokens and those defined by the user are found before anything else is done to a
    /// text.
    fn add_to(&self, tokenizer: &mut Tokenizer) -> Result<(), GgufError> {
        let added = |wanted: TokenType, special: bool| {
            self.of_type(wanted)
                .map(move |(_, token)| AddedToken::from(token, special).normalized(false))
        };
        let all = added(TokenType::Control, true).chain(added(TokenType::UserDefined, false));
        match tokenizer.add_tokens(all) {
            Ok(_) => Ok(()),
            Err(error) => Err(bad(self.gguf, error.to_string())),
        }
    }
}

impl TokenType {
    fn of(code: u64) -> TokenType {
        match code {
            2 => TokenType::Unknown,
            3 => TokenType::Control,
            4 => TokenType::UserDefined,
            5 => TokenType::Unused,
            6 => TokenType::Byte,
            _ => TokenType::Normal,
        }
    }
}

/// Builds the tokenizer a file carries.
pub fn tokenizer(gguf: &Gguf) -> Result<GgufTokenizer, GgufError> {
    const MODEL: &str = "tokenizer.ggml.model";
    let vocabulary = Vocabulary::read(gguf)?;
    let model = gguf
        .text(MODEL)?
        .ok_or_else(|| gguf.bad(MODEL, "is missing"))?;
    let (mut tokenizer, bos_by_default, variant) = match model {
        "gpt2" => byte_level::build(&vocabulary)?,
        "llama" => (
            sentence_piece::build(&vocabulary)?,
            true,
            "llama".to_owned(),
        ),
        other => {
            return Err(gguf.bad(
                MODEL,
                format!("is `{other}`; `gpt2` and `llama` are supported"),
            ));
        }
    };
    vocabulary.add_to(&mut tokenizer)?;
    let (bos, eos) = (vocabulary.special("bos")?, vocabulary.special("eos")?);
    let wants = |name: &str, default: bool| -> Result<bool, GgufError> {
        Ok(gguf
            .flag(&format!("tokenizer.ggml.add_{name}_token"))?
            .unwrap_or(default))
    };
    let adds_bos = bos.is_some() && wants("bos", bos_by_default)?;
    let adds_eos = eos.is_some() && wants("eos", false)?;
    if let Some(template) = frame(
        &vocabulary,
        bos.filter(|_| adds_bos),
        eos.filter(|_| adds_eos),
    )? {
        tokenizer.with_post_processor(Some(template));
    }
    Ok(GgufTokenizer {
        tokenizer,
        bos,
        eos,
        adds_bos,
        adds_eos,
        variant,
    })
}

/// What stands around a text.
fn frame(
    vocabulary: &Vocabulary<'_>,
    bos: Option<u32>,
    eos: Option<u32>,
) -> Result<Option<TemplateProcessing>, GgufError> {
    if bos.is_none() && eos.is_none() {
        return Ok(None);
    }
    // Names instead of the tokens' texts, which may look like a template themselves.
    let mut pieces = vec!["$A"];
    let mut special = Vec::new();
    if let Some(id) = bos {
        pieces.insert(0, "BOS");
        special.push(("BOS", id));
    }
    if let Some(id) = eos {
        pieces.push("EOS");
        special.push(("EOS", id));
    }
    let failed = |problem: String| bad(vocabulary.gguf, problem);
    let special = special
        .into_iter()
        .map(|(name, id)| {
            let text = vocabulary
                .tokens
                .get(id as usize)
                .cloned()
                .unwrap_or_default();
            SpecialToken::new(name.to_owned(), vec![id], vec![text])
        })
        .collect::<Result<Vec<SpecialToken>, _>>()
        .map_err(|error| failed(error.to_string()))?;
    TemplateProcessing::builder()
        .single(Template::try_from(pieces).map_err(failed)?)
        .special_tokens(special)
        .build()
        .map(Some)
        .map_err(|error| failed(error.to_string()))
}

/// An array of the vocabulary that has to be as long as it.
fn beside<'a>(vocabulary: &Vocabulary<'a>, key: &str) -> Result<&'a Array, GgufError> {
    let gguf = vocabulary.gguf;
    let found = gguf
        .array(key)?
        .ok_or_else(|| gguf.bad(key, "is missing"))?;
    if found.len() == vocabulary.tokens.len() {
        Ok(found)
    } else {
        Err(gguf.bad(
            key,
            format!(
                "has {} entries for {} tokens",
                found.len(),
                vocabulary.tokens.len()
            ),
        ))
    }
}
