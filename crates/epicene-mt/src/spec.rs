//! How translators are named on the command line: `kind:rest`, with a name of one's own before it
//! (`mine=deepl:formality=more`) where the usual one does not do.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use epicene_lm::ModelSpec;

use crate::{MtError, local};

pub(crate) const HINT: &str = "translators are named kind:rest; known here: deepl:, google:, microsoft:, amazon:, libretranslate:URL, openai:MODEL@URL, apertium:, hf:ORG/NAME, dir:PATH, file:PATH, copy: (see `epicene list translators`)";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslatorSpec {
    /// `file:PATH`: translations somebody already has.
    File(PathBuf),
    /// `deepl:`, `google:`, `microsoft:`, `amazon:` with `,`-separated options.
    Service { kind: ServiceKind, options: Options },
    /// `libretranslate:URL`
    LibreTranslate { url: String },
    /// `openai:MODEL@URL[,URL…]`: a chat model that is asked to translate.
    Chat { model: String, urls: Vec<String> },
    /// `apertium:[MODE|DIRECTORY][,unknown=marked]`
    Apertium {
        place: Option<String>,
        options: Options,
    },
    /// `dir:PATH`, `hf:ORG/NAME[@REVISION]` with options of the search: a sequence-to-sequence
    /// model run here.
    Model { model: ModelSpec, options: Options },
    /// `copy:`: gives the sentence back; a control that shows no gender.
    Copy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServiceKind {
    DeepL,
    Google,
    Microsoft,
    Amazon,
}

impl ServiceKind {
    pub fn name(self) -> &'static str {
        match self {
            ServiceKind::DeepL => "deepl",
            ServiceKind::Google => "google",
            ServiceKind::Microsoft => "microsoft",
            ServiceKind::Amazon => "amazon",
        }
    }

    /// The options it takes; a bare word is an option without a value.
    fn options(self) -> &'static [&'static str] {
        match self {
            ServiceKind::DeepL => &["formality", "model", "rate"],
            ServiceKind::Google => &["v2", "v3", "model", "location", "rate"],
            ServiceKind::Microsoft => &["category", "rate"],
            ServiceKind::Amazon => &["formality", "rate"],
        }
    }
}

/// `name=value` pairs in alphabetical order; bare words have an empty value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn parse(text: &str, known: &[&str]) -> Result<Options, String> {
        let mut options = BTreeMap::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if !known.contains(&name) {
                return Err(format!("no option `{name}` (known: {})", known.join(", ")));
            }
            if options.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(format!("the option `{name}` is given twice"));
            }
        }
        Ok(Options(options))
    }

    /// Without options that change the manner of asking but no answer.
    pub fn that_matter(&self) -> Options {
        let kept = self.0.iter().filter(|(name, _)| *name != "rate");
        Options(kept.map(|(n, v)| (n.clone(), v.clone())).collect())
    }

    /// Requests a second, where the user sets a pace.
    pub fn rate(&self) -> Result<Option<f64>, String> {
        let Some(rate) = self.get("rate") else {
            return Ok(None);
        };
        match rate.parse::<f64>() {
            Ok(rate) if rate > 0.0 && rate.is_finite() => Ok(Some(rate)),
            _ => Err(format!(
                "rate `{rate}` is not a number of requests a second"
            )),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| match value.is_empty() {
                true => name.clone(),
                false => format!("{name}={value}"),
            })
            .collect();
        f.write_str(&parts.join(","))
    }
}

impl FromStr for TranslatorSpec {
    type Err = MtError;

    fn from_str(given: &str) -> Result<TranslatorSpec, MtError> {
        let error = |message: String| MtError::Spec {
            given: given.to_owned(),
            message,
        };
        let (kind, rest) = given
            .split_once(':')
            .ok_or_else(|| error("a translator needs a kind before a colon".to_owned()))?;
        let service = |kind: ServiceKind| {
            let options = Options::parse(rest, kind.options()).map_err(error)?;
            options.rate().map_err(error)?;
            Ok(TranslatorSpec::Service { kind, options })
        };
        match kind {
            "file" if rest.is_empty() => Err(error("no path after `file:`".to_owned())),
            "file" => Ok(TranslatorSpec::File(PathBuf::from(rest))),
            "deepl" => service(ServiceKind::DeepL),
            "google" => service(ServiceKind::Google),
            "microsoft" => service(ServiceKind::Microsoft),
            "amazon" => service(ServiceKind::Amazon),
            "libretranslate" if rest.is_empty() => Err(error(
                "write it as libretranslate:URL, e.g. libretranslate:http://localhost:5000"
                    .to_owned(),
            )),
            "libretranslate" => Ok(TranslatorSpec::LibreTranslate {
                url: rest.to_owned(),
            }),
            "openai" => match rest.split_once('@') {
                Some((model, urls)) if !model.is_empty() && !urls.is_empty() => {
                    Ok(TranslatorSpec::Chat {
                        model: model.to_owned(),
                        urls: urls.split(',').map(str::to_owned).collect(),
                    })
                }
                _ => Err(error("write it as openai:MODEL@URL[,URL…]".to_owned())),
            },
            "apertium" => {
                let (place, options) = match rest.split_once(',') {
                    Some((place, options)) => (place, options),
                    None if rest.contains('=') => ("", rest),
                    None => (rest, ""),
                };
                let options = Options::parse(options, &["unknown"]).map_err(error)?;
                if !matches!(options.get("unknown"), None | Some("marked" | "plain")) {
                    return Err(error("unknown is `marked` or `plain`".to_owned()));
                }
                Ok(TranslatorSpec::Apertium {
                    place: (!place.is_empty()).then(|| place.to_owned()),
                    options,
                })
            }
            kind if ModelSpec::is_kind(kind) => {
                // A path may have commas of its own.
                let options = local::OPTIONS
                    .iter()
                    .filter_map(|name| given.find(&format!(",{name}=")))
                    .min();
                let (model, options) = given.split_at(options.unwrap_or(given.len()));
                let options = Options::parse(options, local::OPTIONS).map_err(error)?;
                local::decoding(&options).map_err(error)?;
                let model = model.parse();
                let model = model.map_err(|e: epicene_lm::SystemSpecError| error(e.to_string()))?;
                Ok(TranslatorSpec::Model { model, options })
            }
            "copy" if rest.is_empty() => Ok(TranslatorSpec::Copy),
            "copy" => Err(error("`copy:` takes nothing".to_owned())),
            kind => Err(error(format!("unknown kind of translator `{kind}`"))),
        }
    }
}

impl fmt::Display for TranslatorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslatorSpec::File(path) => write!(f, "file:{}", path.display()),
            TranslatorSpec::Service { kind, options } => write!(f, "{}:{options}", kind.name()),
            TranslatorSpec::LibreTranslate { url } => write!(f, "libretranslate:{url}"),
            TranslatorSpec::Chat { model, urls } => write!(f, "openai:{model}@{}", urls.join(",")),
            TranslatorSpec::Apertium { place, options } => {
                let place = place.as_deref().unwrap_or("");
                match options.to_string().as_str() {
                    "" => write!(f, "apertium:{place}"),
                    options => write!(f, "apertium:{place},{options}"),
                }
            }
            TranslatorSpec::Model { model, options } => match options.to_string().as_str() {
                "" => write!(f, "{model}"),
                options => write!(f, "{model},{options}"),
            },
            TranslatorSpec::Copy => f.write_str("copy:"),
        }
    }
}

/// A translator with the name its rows carry, where the command gives one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: Option<String>,
    pub spec: TranslatorSpec,
}

impl FromStr for Named {
    type Err = MtError;

    /// The name stands before the first `=`, if that comes before the first `:`.
    fn from_str(given: &str) -> Result<Named, MtError> {
        let (name, spec) = match given.split_once('=') {
            Some(("", _)) => {
                return Err(MtError::Spec {
                    given: given.to_owned(),
                    message: "no name before `=`".to_owned(),
                });
            }
            Some((name, spec)) if !name.contains(':') => (Some(name.to_owned()), spec),
            _ => (None, given),
        };
        Ok(Named {
            name,
            spec: spec.parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_and_print_the_same() {
        for given in [
            "file:a/b.csv.gz",
            "deepl:",
            "deepl:formality=more,model=quality_optimized",
            "google:",
            "google:model=nmt,v3",
            "microsoft:",
            "amazon:formality=INFORMAL",
            "libretranslate:http://localhost:5000",
            "openai:gpt-4o@https://api.openai.com",
            "openai:a/b@http://localhost:1,http://localhost:2",
            "apertium:",
            "apertium:eng-spa",
            "apertium:/opt/pair,unknown=marked",
            "apertium:,unknown=plain",
            "hf:Helsinki-NLP/opus-mt-en-sk",
            "hf:Helsinki-NLP/opus-mt-en-sk@main,beam=1,length-penalty=0.6",
            "dir:models/nllb",
            "dir:models/a,b,early-stopping=never",
            "copy:",
        ] {
            assert_eq!(given.parse::<TranslatorSpec>().unwrap().to_string(), given);
        }
        assert_eq!(
            "apertium:unknown=marked".parse::<TranslatorSpec>().unwrap(),
            "apertium:,unknown=marked"
                .parse::<TranslatorSpec>()
                .unwrap()
        );
    }

    #[test]
    fn a_name_stands_before_the_kind() {
        let named: Named = "mine=deepl:formality=more".parse().unwrap();
        assert_eq!(named.name.as_deref(), Some("mine"));
        assert_eq!(named.spec.to_string(), "deepl:formality=more");
        let bare: Named = "deepl:formality=more".parse().unwrap();
        assert_eq!(bare.name, None);
        assert!("=file:x".parse::<Named>().is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for given in [
            "",
            "deepl",
            "file:",
            "deepl:tone=more",
            "deepl:rate=0",
            "deepl:rate=x",
            "deepl:formality=a,formality=b",
            "libretranslate:",
            "openai:gpt",
            "openai:@x",
            "copy:x",
            "apertium:eng-spa,unknown=odd",
            "babelfish:",
            "hf:a/b/c",
            "hf:a/b,beam=0",
            "hf:a/b,temperature=1",
            "dir:x,length-penalty=inf",
        ] {
            assert!(given.parse::<TranslatorSpec>().is_err(), "{given}");
        }
    }
}
