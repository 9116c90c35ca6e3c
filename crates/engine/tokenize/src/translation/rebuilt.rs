//! What version 5 of `transformers` makes of a `tokenizer.json`: the classes of NLLB, mBART-50 and T5 take its pieces and the rules of its
//! normaliser, and build the rest anew: no character becomes bytes there, and bytes of a translation are spelled out (`<0xE2>`). A file that
//! version 5 wrote is like that already.

use serde_json::{Map, Value, json};
use tokenizers::{DecoderWrapper, ModelWrapper, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};
use tokenizers::{OffsetReferential, OffsetType};

use crate::text::{guarded, probe, probe_with};
use epicene_checkpoint::{CheckpointError, Config, Writer};

/// Classes that build their tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builder {
    Nllb,
    MBart50,
    T5,
}

impl Builder {
    pub fn of(class: Option<&str>, model_type: &str) -> Option<Builder> {
        let class = class.map(|class| class.strip_suffix("Fast").unwrap_or(class));
        match (class, model_type) {
            (Some("NllbTokenizer"), _) => Some(Builder::Nllb),
            (Some("MBart50Tokenizer"), _) => Some(Builder::MBart50),
            (Some("T5Tokenizer" | "MT5Tokenizer"), _) | (None, "t5" | "mt5" | "umt5") => {
                Some(Builder::T5)
            }
            _ => None,
        }
    }

    /// Special tokens that the class states where no file does.
    pub fn complete(
        self,
        named: &mut Map<String, Value>,
        inner: &Tokenizer,
        settings: &Config,
        writer: Writer,
    ) -> Result<(), CheckpointError> {
        // A new mask takes the blank before it.
        if self != Builder::T5
            && let Some(Value::String(mask)) = named.get("mask_token")
            && inner.token_to_id(mask).is_none()
        {
            let mask = json!({"content": mask, "lstrip": true, "normalized": self == Builder::Nllb, "special": true});
            named.insert("mask_token".to_owned(), mask);
        }
        let lists = ["additional_special_tokens", "extra_special_tokens"];
        if self == Builder::T5
            && writer == Writer::Five
            && !lists.iter().any(|list| named.contains_key(*list))
        {
            let extra = settings.size_or("extra_ids", 100)?.min(1 << 16);
            let extra = (0..extra).map(|number| json!(format!("<extra_id_{number}>")));
            named.insert(lists[0].to_owned(), extra.collect());
        }
        Ok(())
    }

    /// Makes a tokenizer what version 5 makes of it, where that wrote the checkpoint; says so where plain sentences, rare characters or
    /// bytes are read otherwise. What comes back tells texts whose blanks are, where only these are.
    pub fn follow(
        self,
        inner: &mut Tokenizer,
        config: &Config,
        writer: Writer,
    ) -> Result<Option<Blanks>, CheckpointError> {
        let before = (probe(inner)?, byte(inner)?);
        let ending = probe_with(inner, &ENDING)?;
        let normalizer = inner.get_normalizer().cloned();
        let splitting = inner.get_pre_tokenizer().cloned();
        let spelling = inner.get_decoder().cloned();
        self.rebuild(inner)?;
        let model = without_bytes(inner.get_model())?;
        let differs = (probe(inner)?, byte(inner)?) != before || model.is_some();
        if differs {
            config.remark_writer();
        }
        let blanks = !differs && probe_with(inner, &ENDING)? != ending;
        let blanks = blanks.then(|| Blanks {
            four: normalizer.clone(),
            five: inner.get_normalizer().cloned(),
        });
        match (writer, model) {
            (Writer::Four, _) => {
                inner.with_normalizer(normalizer).map_err(broken)?;
                inner.with_pre_tokenizer(splitting);
                inner.with_decoder(spelling);
            }
            (Writer::Five, Some(model)) => drop(inner.with_model(model)),
            (Writer::Five, None) => {}
        }
        Ok(blanks)
    }

    /// Normaliser, splitting and spelling as version 5 builds them.
    fn rebuild(self, inner: &mut Tokenizer) -> Result<(), CheckpointError> {
        let space = json!({
            "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true
        });
        let rules = rules_of(&serde_json::to_value(inner.get_normalizer()).map_err(broken)?);
        let one = json!({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "});
        let normalizer = match (self, rules) {
            (Builder::T5, rules) => rules,
            (Builder::Nllb, None) => None,
            (_, rules) => {
                let steps: Vec<Value> = rules.into_iter().chain([one]).collect();
                Some(json!({"type": "Sequence", "normalizers": steps}))
            }
        };
        let splitting = match self {
            Builder::T5 => json!({
                "type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, space]
            }),
            Builder::Nllb | Builder::MBart50 => space.clone(),
        };
        let normalizer: Option<NormalizerWrapper> = normalizer.map(parsed).transpose()?;
        inner.with_normalizer(normalizer).map_err(broken)?;
        inner.with_pre_tokenizer(Some(parsed::<PreTokenizerWrapper>(splitting)?));
        inner.with_decoder(Some(parsed::<DecoderWrapper>(space)?));
        Ok(())
    }
}

/// A text that ends in a blank.
const ENDING: [&str; 1] = ["He said. "];

/// Where the versions differ on blanks at the end of a text or beside a token that is found first: the rules of both.
#[derive(Debug)]
pub struct Blanks {
    four: Option<NormalizerWrapper>,
    five: Option<NormalizerWrapper>,
}

impl Blanks {
    /// Whether the versions read a text differently.
    pub fn are_in_doubt(&self, text: &str, tokenizer: &Tokenizer) -> Result<bool, String> {
        let parts = |rules: &Option<NormalizerWrapper>| {
            let found = tokenizer.get_added_vocabulary();
            let parts = guarded(|| Ok(found.extract_and_normalize(rules.as_ref(), text)))?;
            let parts = parts.get_splits(OffsetReferential::Normalized, OffsetType::None);
            let parts = parts.into_iter().map(|(part, _, tokens)| match tokens {
                Some(tokens) => (tokens.first().map(|token| token.id), String::new()),
                None => (None, part.replace(' ', "▁")),
            });
            // Every part gets a mark in front, if it has none.
            let parts = parts.map(|(token, part)| match part.strip_prefix('▁') {
                Some(rest) => (token, part.is_empty(), rest.to_owned()),
                None => (token, part.is_empty(), part),
            });
            let parts = parts.filter(|(token, is_empty, _)| token.is_some() || !is_empty);
            Ok::<_, String>(parts.collect::<Vec<_>>())
        };
        Ok(parts(&self.four)? != parts(&self.five)?)
    }
}

/// What a byte among the tokens is spelled as, if there is one.
fn byte(inner: &Tokenizer) -> Result<Option<String>, CheckpointError> {
    let id = inner.token_to_id("<0x41>");
    let text = id.map(|id| guarded(|| inner.decode(&[id], true)));
    text.transpose().map_err(broken)
}

/// A model that makes bytes of no character, if this is none.
fn without_bytes(model: &ModelWrapper) -> Result<Option<ModelWrapper>, CheckpointError> {
    match model {
        ModelWrapper::BPE(bpe) if bpe.byte_fallback || !bpe.fuse_unk || bpe.ignore_merges => {
            let mut bpe = bpe.clone();
            (bpe.byte_fallback, bpe.fuse_unk, bpe.ignore_merges) = (false, true, false);
            Ok(Some(bpe.into()))
        }
        ModelWrapper::Unigram(unigram) if unigram.byte_fallback() => {
            let mut state = serde_json::to_value(unigram).map_err(broken)?;
            state["byte_fallback"] = json!(false);
            parsed(state).map(Some)
        }
        _ => Ok(None),
    }
}

/// The compiled rules among the steps of a normaliser.
fn rules_of(normalizer: &Value) -> Option<Value> {
    let steps = match normalizer.get("normalizers").and_then(Value::as_array) {
        Some(steps) => steps.as_slice(),
        None => std::slice::from_ref(normalizer),
    };
    let rules = |step: &&Value| step.get("type") == Some(&json!("Precompiled"));
    steps.iter().find(rules).cloned()
}

fn broken(error: impl ToString) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: "tokenizer.json".to_owned(),
        problem: error.to_string(),
    }
}

fn parsed<T: serde::de::DeserializeOwned>(state: Value) -> Result<T, CheckpointError> {
    serde_json::from_value(state).map_err(broken)
}
