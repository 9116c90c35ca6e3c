//! How systems are named on the command line: `kind:rest`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use epicene_engine::{ModelSpec, ModelSpecError};

use crate::chat::ChatSpec;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemSpec {
    /// `file:PATH`: scores somebody already has.
    File(PathBuf),
    /// `dir:PATH`, `hf:ORG/NAME[@REVISION]`: a checkpoint.
    Checkpoint(ModelSpec),
    /// `gguf:PATH`: a causal model in llama.cpp's format.
    Gguf(PathBuf),
    /// `demo:mlm`, `demo:clm`: a model inside the program.
    Embedded(String),
    /// `openai:MODEL@URL[,URL…]`: a causal model behind a server.
    Server { model: String, urls: Vec<String> },
    /// `chat:MODEL@URL[,URL…]`, `anthropic:MODEL`, `gemini:MODEL`: a chat model behind a service.
    Chat(ChatSpec),
    /// `random:SEED`
    Random(u64),
    /// `always:he`
    AlwaysHe,
    /// `always:she`
    AlwaysShe,
    /// `always:a`: the first option, whatever is asked.
    AlwaysFirst,
    /// `always:neither`
    AlwaysNeither,
}

impl SystemSpec {
    /// Every way of writing one, for help and hints.
    pub const FORMS: &[&str] = &[
        "demo:mlm",
        "demo:clm",
        "dir:PATH",
        "hf:ORG/NAME[@REVISION]",
        "gguf:PATH",
        "openai:MODEL@URL",
        "chat:MODEL@URL",
        "anthropic:MODEL",
        "gemini:MODEL",
        "file:PATH",
        "random:SEED",
        "always:he",
        "always:she",
        "always:a",
        "always:neither",
    ];
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}`: {message}")]
pub struct SystemSpecError {
    given: String,
    message: String,
}

impl From<ModelSpecError> for SystemSpecError {
    fn from(error: ModelSpecError) -> SystemSpecError {
        SystemSpecError {
            given: error.given,
            message: error.message,
        }
    }
}

impl SystemSpecError {
    pub fn hint(&self) -> String {
        let forms = SystemSpec::FORMS.join(", ");
        format!("systems are named kind:rest; supported: {forms}")
    }
}

impl FromStr for SystemSpec {
    type Err = SystemSpecError;

    fn from_str(given: &str) -> Result<SystemSpec, SystemSpecError> {
        let error = |message: String| SystemSpecError {
            given: given.to_owned(),
            message,
        };
        let (kind, rest) = given
            .split_once(':')
            .ok_or_else(|| error("a system needs a kind before a colon".to_owned()))?;
        // A checkpoint that is to hold a conversation; the benchmark decides how it is asked.
        if let Some(local @ ("dir" | "hf" | "gguf")) = kind.strip_prefix("chat-") {
            return format!("{local}:{rest}").parse();
        }
        match (kind, rest) {
            ("file", "") => Err(error("no path after `file:`".to_owned())),
            ("file", path) => Ok(SystemSpec::File(PathBuf::from(path))),
            (kind, _) if ModelSpec::is_kind(kind) => Ok(SystemSpec::Checkpoint(given.parse()?)),
            ("gguf", "") => Err(error("no path after `gguf:`".to_owned())),
            ("gguf", path) => Ok(SystemSpec::Gguf(PathBuf::from(path))),
            ("demo", "mlm" | "clm") => Ok(SystemSpec::Embedded(rest.to_owned())),
            ("demo", _) => Err(error("say `demo:mlm` or `demo:clm`".to_owned())),
            ("openai", rest) => match rest.split_once('@') {
                Some((model, urls)) if !model.is_empty() && !urls.is_empty() => {
                    Ok(SystemSpec::Server {
                        model: model.to_owned(),
                        urls: urls.split(',').map(str::to_owned).collect(),
                    })
                }
                _ => Err(error("write it as openai:MODEL@URL[,URL…]".to_owned())),
            },
            ("chat", rest) => match rest.split_once('@') {
                Some((model, urls)) if !model.is_empty() && !urls.is_empty() => {
                    Ok(SystemSpec::Chat(ChatSpec::OpenAi {
                        model: model.to_owned(),
                        urls: urls.split(',').map(str::to_owned).collect(),
                    }))
                }
                _ => Err(error("write it as chat:MODEL@URL[,URL…]".to_owned())),
            },
            ("anthropic" | "gemini", "") => Err(error(format!("no model after `{kind}:`"))),
            ("anthropic", model) => Ok(SystemSpec::Chat(ChatSpec::Anthropic(model.to_owned()))),
            ("gemini", model) => Ok(SystemSpec::Chat(ChatSpec::Gemini(model.to_owned()))),
            ("random", seed) => seed
                .parse()
                .map(SystemSpec::Random)
                .map_err(|_| error("the seed is not a whole number".to_owned())),
            ("always", "he") => Ok(SystemSpec::AlwaysHe),
            ("always", "she") => Ok(SystemSpec::AlwaysShe),
            ("always", "a") => Ok(SystemSpec::AlwaysFirst),
            ("always", "neither") => Ok(SystemSpec::AlwaysNeither),
            ("always", _) => Err(error(
                "say `always:he` or `always:she`, of chat models also `always:a` or `always:neither`"
                    .to_owned(),
            )),
            (kind, _) => Err(error(format!("unknown kind of system `{kind}`"))),
        }
    }
}

impl fmt::Display for SystemSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SystemSpec::File(path) => write!(f, "file:{}", path.display()),
            SystemSpec::Checkpoint(model) => write!(f, "{model}"),
            SystemSpec::Gguf(path) => write!(f, "gguf:{}", path.display()),
            SystemSpec::Embedded(name) => write!(f, "demo:{name}"),
            SystemSpec::Server { model, urls } => {
                write!(f, "openai:{model}@{}", urls.join(","))
            }
            SystemSpec::Chat(ChatSpec::OpenAi { model, urls }) => {
                write!(f, "chat:{model}@{}", urls.join(","))
            }
            SystemSpec::Chat(chat) => write!(f, "{}:{}", chat.kind(), chat.model()),
            SystemSpec::Random(seed) => write!(f, "random:{seed}"),
            SystemSpec::AlwaysHe => f.write_str("always:he"),
            SystemSpec::AlwaysShe => f.write_str("always:she"),
            SystemSpec::AlwaysFirst => f.write_str("always:a"),
            SystemSpec::AlwaysNeither => f.write_str("always:neither"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_and_print_the_same() {
        for given in [
            "file:a/b.csv.gz",
            "dir:models/mlm",
            "hf:org/name@v1",
            "demo:mlm",
            "gguf:smollm2.gguf",
            "openai:gpt2@http://localhost:8000,http://localhost:8001",
            "file:C:x",
            "chat:smollm2@http://localhost:8080",
            "anthropic:claude-3-5-haiku",
            "gemini:gemini-2.0-flash",
            "always:a",
            "always:neither",
            "random:7",
            "always:he",
            "always:she",
        ] {
            assert_eq!(given.parse::<SystemSpec>().unwrap().to_string(), given);
        }
    }

    /// What help offers can be typed, and a kind that can be typed is offered: the match below is of every variant.
    #[test]
    fn help_lists_every_kind() {
        let mut kinds = std::collections::BTreeSet::new();
        for form in SystemSpec::FORMS {
            let given = form.replace("SEED", "1").replace("[@REVISION]", "");
            kinds.insert(match given.parse::<SystemSpec>().unwrap() {
                SystemSpec::File(_) => 0,
                SystemSpec::Checkpoint(_) => 1,
                SystemSpec::Gguf(_) => 2,
                SystemSpec::Embedded(_) => 3,
                SystemSpec::Server { .. } => 4,
                SystemSpec::Chat(ChatSpec::OpenAi { .. }) => 5,
                SystemSpec::Chat(ChatSpec::Anthropic(_)) => 6,
                SystemSpec::Chat(ChatSpec::Gemini(_)) => 7,
                SystemSpec::Random(_) => 8,
                SystemSpec::AlwaysHe => 9,
                SystemSpec::AlwaysShe => 10,
                SystemSpec::AlwaysFirst => 11,
                SystemSpec::AlwaysNeither => 12,
            });
        }
        assert_eq!(kinds.len(), 13);
    }

    #[test]
    fn nonsense_is_refused() {
        for given in [
            "",
            "roberta-base",
            "file:",
            "random:x",
            "random:-1",
            "always:it",
            "htp:x",
        ] {
            assert!(given.parse::<SystemSpec>().is_err(), "{given}");
        }
    }
}
