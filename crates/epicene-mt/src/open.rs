//! From a specification to something that translates.

use epicene_io::http::RetryPolicy;
use epicene_lm::{Download, Dtype, Placement};

use crate::apertium::Apertium;
use crate::copy::Copy;
use crate::service::{
    Amazon, Chat, DeepL, GoogleV2, GoogleV3, LibreTranslate, Microsoft, ServiceSettings,
};
use crate::spec::{ServiceKind, TranslatorSpec};
use crate::{MtError, Translator, local};

/// What a translator is opened for.
pub struct Opening<'a> {
    /// Language translated from.
    pub from: &'a str,
    /// Languages it will be asked for: what cannot be asked is refused now.
    pub to: &'a [String],
    pub policy: RetryPolicy,
    /// How a model is run here.
    pub threads: usize,
    pub placement: Placement,
    pub dtype: Option<Dtype>,
    /// Fields of a checkpoint's settings, and tensors, that are left out.
    pub ignored: &'a [String],
    /// Told of files that are fetched.
    pub progress: &'a dyn Fn(Download<'_>),
    /// Told what a person may like to know.
    pub tell: &'a dyn Fn(&str),
}

/// Opens a translator. `file:` is not one: its answers are read with the benchmark's items.
pub fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Result<Box<dyn Translator>, MtError> {
    let given = spec.to_string();
    let bad = |message: String| MtError::Spec {
        given: given.clone(),
        message,
    };
    let settings = |rate: Option<f64>| ServiceSettings {
        from: opening.from.to_owned(),
        rate,
        policy: opening.policy,
    };
    let translator: Box<dyn Translator> = match spec {
        TranslatorSpec::File(_) => {
            return Err(bad("a file has answers and cannot be asked".to_owned()));
        }
        TranslatorSpec::Service { kind, options } => {
            let settings = settings(options.rate().map_err(bad)?);
            match kind {
                ServiceKind::DeepL => Box::new(DeepL::open(options, &settings)?),
                ServiceKind::Google if options.get("v3").is_some() => {
                    if options.get("v2").is_some() {
                        return Err(bad("v2 or v3, not both".to_owned()));
                    }
                    Box::new(GoogleV3::open(options, &settings)?)
                }
                ServiceKind::Google => Box::new(GoogleV2::open(options, &settings)?),
                ServiceKind::Microsoft => Box::new(Microsoft::open(options, &settings)?),
                ServiceKind::Amazon => Box::new(Amazon::open(options, &settings)?),
            }
        }
        TranslatorSpec::LibreTranslate { url } => {
            Box::new(LibreTranslate::open(url, &settings(None))?)
        }
        TranslatorSpec::Chat { model, urls } => {
            Box::new(Chat::open(model, urls, opening.from, opening.policy)?)
        }
        TranslatorSpec::Apertium { place, options } => Box::new(Apertium::open(
            place.as_deref(),
            options.get("unknown") == Some("marked"),
            opening.from,
            opening.to,
        )?),
        TranslatorSpec::Model { model, options } => local::open(model, options, opening)?,
        TranslatorSpec::Copy => Box::new(Copy::new(opening.from)),
    };
    for to in opening.to {
        translator.check_language(to)?;
    }
    Ok(translator)
}
