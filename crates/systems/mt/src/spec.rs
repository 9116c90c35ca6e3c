//! How translators are named on the command line: `kind:place,options`, with a name of one's own before it
//! (`mine=deepl:formality=more`) where the usual one does not do.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::MtError;
use crate::kind::{KINDS, Kind};

/// A translator as it was asked for.
#[derive(Clone)]
pub struct TranslatorSpec {
    kind: &'static Kind,
    name: &'static str,
    place: String,
    options: Options,
}

impl TranslatorSpec {
    pub(crate) fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// What stands before the colon.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What stands between the colon and the options: a path, an address, a model.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The file of existing translations, where it is one.
    pub fn file(&self) -> Option<&Path> {
        (self.name == "file").then(|| Path::new(&self.place))
    }

    /// Whether it is a model that is run here.
    pub fn is_checkpoint(&self) -> bool {
        matches!(self.name, "hf" | "dir")
    }

    pub(crate) fn refused(&self, message: impl Into<String>) -> MtError {
        MtError::Spec {
            given: self.to_string(),
            message: message.into(),
        }
    }
}

impl PartialEq for TranslatorSpec {
    fn eq(&self, other: &TranslatorSpec) -> bool {
        (self.name, &self.place, &self.options) == (other.name, &other.place, &other.options)
    }
}

impl Eq for TranslatorSpec {}

impl fmt::Debug for TranslatorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
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
            .map(|(name, value)| {
                if value.is_empty() {
                    name.clone()
                } else {
                    format!("{name}={value}")
                }
            })
            .collect();
        f.write_str(&parts.join(","))
    }
}

/// Where the options of a specification begin. A path or an address may have commas of its own, so they begin at the first
/// option that the kind knows.
fn options_begin(rest: &str, known: &[&str]) -> usize {
    let mut begin = 0;
    for part in rest.split(',') {
        let name = part.split_once('=').map_or(part, |(name, _)| name);
        if known.contains(&name) {
            return begin;
        }
        begin += part.len() + 1;
    }
    rest.len()
}

impl FromStr for TranslatorSpec {
    type Err = MtError;

    fn from_str(given: &str) -> Result<TranslatorSpec, MtError> {
        let error = |message: String| MtError::Spec {
            given: given.to_owned(),
            message,
        };
        let (name, rest) = given
            .split_once(':')
            .ok_or_else(|| error("a translator needs a kind before a colon".to_owned()))?;
        let found = KINDS.iter().find_map(|kind| {
            let name = kind.names.iter().find(|known| **known == name)?;
            Some((*kind, *name))
        });
        let (kind, name) =
            found.ok_or_else(|| error(format!("unknown kind of translator `{name}`")))?;
        let (place, options) = rest.split_at(options_begin(rest, kind.options));
        let spec = TranslatorSpec {
            kind,
            name,
            place: place.strip_suffix(',').unwrap_or(place).to_owned(),
            options: Options::parse(options, kind.options).map_err(error)?,
        };
        (kind.check)(&spec).map_err(error)?;
        Ok(spec)
    }
}

impl fmt::Display for TranslatorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.options.to_string();
        let comma = if self.place.is_empty() || options.is_empty() {
            ""
        } else {
            ","
        };
        write!(f, "{}:{}{comma}{options}", self.name, self.place)
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
            "apertium:unknown=plain",
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
