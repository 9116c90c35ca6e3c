//! How a translator is named on the command line.

use std::path::PathBuf;
use std::str::FromStr;

/// `NAME=file:PATH`; without a name, the path gives one.
#[derive(Debug, Clone)]
pub struct TranslatorSpec {
    pub name: Option<String>,
    pub path: PathBuf,
}

impl FromStr for TranslatorSpec {
    type Err = String;

    fn from_str(given: &str) -> Result<TranslatorSpec, String> {
        let (name, spec) = match given.split_once("=file:") {
            Some(("", _)) => return Err("no name before `=`".to_owned()),
            Some((name, path)) => (Some(name.to_owned()), format!("file:{path}")),
            None => (None, given.to_owned()),
        };
        match spec.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Ok(TranslatorSpec {
                name,
                path: PathBuf::from(path),
            }),
            Some(("file", _)) => Err("no path after `file:`".to_owned()),
            _ => Err("translators known here: file:PATH, NAME=file:PATH".to_owned()),
        }
    }
}
