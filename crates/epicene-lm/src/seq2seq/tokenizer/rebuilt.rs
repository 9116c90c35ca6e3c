//! What version 5 of `transformers` makes of a `tokenizer.json`: the classes of NLLB, mBART-50 and T5 take its pieces and the rules of its
//! normaliser, and build the rest anew. A file that version 5 wrote is like that already.

use serde_json::{Map, Value, json};
use tokenizers::{DecoderWrapper, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};

use crate::checkpoint::{CheckpointError, Config, Writer};
use crate::tokenizer::probe;

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

    /// Makes a tokenizer what version 5 makes of it, where that wrote the checkpoint; says so where plain sentences are read otherwise.
    pub fn follow(
        self,
        inner: &mut Tokenizer,
        config: &Config,
        writer: Writer,
    ) -> Result<(), CheckpointError> {
        let before = probe(inner)?;
        let normalizer = inner.get_normalizer().cloned();
        let splitting = inner.get_pre_tokenizer().cloned();
        let spelling = inner.get_decoder().cloned();
        self.rebuild(inner)?;
        if probe(inner)? != before {
            config.remark_writer();
        }
        if writer == Writer::Four {
            inner.with_normalizer(normalizer).map_err(broken)?;
            inner.with_pre_tokenizer(splitting);
            inner.with_decoder(spelling);
        }
        Ok(())
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
