//! The translation models and fillers of blanks this engine reads, one file each. A file says which tensors make up which part of an
//! [`EncoderDecoder`]; `epicene-transformer` has the arithmetic.

mod bart;
mod m2m_100;
mod marian;
mod mbart;
mod parts;
mod t5;

use std::sync::Arc;

use epicene_core::ModelKind;

use super::{ARCHITECTURES, Architecture, relatives};
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights};
use epicene_transformer::EncoderDecoder;

type Load = fn(&Config, Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError>;

/// A family of checkpoints.
#[derive(Debug)]
pub struct TranslationArchitecture {
    /// As people call it.
    pub name: &'static str,
    /// The values of `model_type` in `config.json`.
    pub model_types: &'static [&'static str],
    pub(crate) fields: Fields,
    load: Load,
}

/// In the order they are listed.
pub const TRANSLATION_ARCHITECTURES: &[TranslationArchitecture] = &[
    TranslationArchitecture {
        name: "Marian (OPUS-MT)",
        model_types: &["marian"],
        fields: marian::FIELDS,
        load: marian::load,
    },
    TranslationArchitecture {
        name: "M2M-100, NLLB-200",
        model_types: &["m2m_100"],
        fields: m2m_100::FIELDS,
        load: m2m_100::load,
    },
    TranslationArchitecture {
        name: "mBART, mBART-50",
        model_types: &["mbart"],
        fields: mbart::FIELDS,
        load: mbart::load,
    },
    TranslationArchitecture {
        name: "T5, mT5, MADLAD-400",
        model_types: &["t5", "mt5"],
        fields: t5::FIELDS,
        load: t5::load,
    },
];

/// Those that answer as masked models, in the order they are listed.
pub const FILLING_ARCHITECTURES: &[TranslationArchitecture] = &[
    TranslationArchitecture {
        name: "BART",
        model_types: &["bart"],
        fields: bart::FIELDS,
        load: bart::load,
    },
    TranslationArchitecture {
        name: "mBART, mBART-50 (blanks)",
        model_types: &["mbart"],
        fields: mbart::FIELDS,
        load: mbart::load,
    },
    TranslationArchitecture {
        name: "T5, mT5 (blanks)",
        model_types: &["t5", "mt5"],
        fields: t5::FIELDS,
        load: t5::load,
    },
];

/// The encoder-decoder model that fills blanks, if `config.json` names one.
pub(crate) fn filling_architecture(config: &Config) -> Option<&'static TranslationArchitecture> {
    let found = config.model_type()?;
    let mut all = FILLING_ARCHITECTURES.iter();
    all.find(|architecture| architecture.model_types.contains(&found))
}

/// The error for a model type that is not a supported translator.
fn unread(found: &str, config: &Config) -> CheckpointError {
    let file = "config.json".to_owned();
    let of_type = |architecture: &&Architecture| architecture.model_types.contains(&found);
    let advice = match ARCHITECTURES.iter().find(of_type) {
        Some(architecture) if architecture.kind == ModelKind::Causal => {
            let found = found.to_owned();
            return CheckpointError::NeedsPrompt { file, found };
        }
        Some(_) => " (a masked model, which writes nothing)".to_owned(),
        None => {
            let read = TRANSLATION_ARCHITECTURES.iter().flat_map(|a| a.model_types);
            relatives::advice(found, read.copied()).0
        }
    };
    CheckpointError::UnknownTranslator {
        file,
        found: match found {
            "" => config.class().unwrap_or("(no model_type)").to_owned(),
            found => found.to_owned(),
        },
        advice,
    }
}

impl TranslationArchitecture {
    /// Well-known checkpoints of this architecture, as translators or as fillers of blanks.
    pub fn known(&self, kind: ModelKind) -> String {
        let translates = kind == ModelKind::Translator;
        let known = self.model_types.iter().filter_map(|model_type| {
            let before = if translates { "mt:" } else { "" };
            relatives::known(&format!("{before}{model_type}"))
        });
        known.collect::<Vec<&str>>().join(", ")
    }

    /// The architecture `config.json` names.
    pub fn of(config: &Config) -> Result<&'static TranslationArchitecture, CheckpointError> {
        let found = config.model_type().unwrap_or_default();
        let mut all = TRANSLATION_ARCHITECTURES.iter();
        all.find(|architecture| architecture.model_types.contains(&found))
            .ok_or_else(|| unread(found, config))
    }

    pub(crate) fn load(
        &self,
        config: &Config,
        weights: Arc<dyn Weights>,
    ) -> Result<EncoderDecoder, CheckpointError> {
        (self.load)(config, weights)
    }
}
