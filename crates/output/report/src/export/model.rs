//! Which model a system is, as registries name it: `ORG/NAME`.

use epicene_core::SystemCard;

use super::{ExportError, Settings};

/// Systems whose weights epicene reads.
const LOCAL: [&str; 4] = ["demo", "dir", "gguf", "hf"];

/// Services, and who runs them.
const SERVICES: [(&str, &str); 6] = [
    ("deepl", "deepl"),
    ("google", "google"),
    ("microsoft", "microsoft"),
    ("amazon", "amazon"),
    ("anthropic", "anthropic"),
    ("gemini", "google"),
];

/// A model as registries know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    /// `ORG/NAME`
    pub id: String,
    /// `hf`, `file`, `deepl`…
    pub kind: String,
}

impl Model {
    /// The model behind a system: by its own name, or as `--model-id` says.
    pub fn of(system: &SystemCard, settings: &Settings) -> Result<Model, ExportError> {
        let (kind, rest) = system
            .source
            .split_once(':')
            .unwrap_or((&system.source, ""));
        // Translation models add how they decode.
        let rest = rest.split(',').next().unwrap_or(rest);
        let known = match kind {
            "hf" => rest.split('@').next().map(str::to_owned),
            "demo" => Some(format!("epicene/demo-{rest}")),
            _ => service(kind).map(|owner| {
                let name = if rest.is_empty() { "translate" } else { rest };
                format!("{owner}/{name}")
            }),
        };
        let hint = format!("pass --model-id {}=ORG/NAME", system.name);
        let id = settings.model_ids.get(&system.name).cloned().or(known);
        let Some(id) = id else {
            return Err(ExportError::new(
                format!(
                    "the developer of {} ({}) is not known",
                    system.name, system.source
                ),
                hint,
            ));
        };
        let parts: Vec<&str> = id.split('/').collect();
        if parts.len() < 2 || parts.iter().any(|part| part.trim().is_empty()) {
            return Err(ExportError::new(format!("`{id}` is not ORG/NAME"), hint));
        }
        Ok(Model {
            id,
            kind: kind.to_owned(),
        })
    }

    /// Organisation and name.
    pub fn parts(&self) -> (&str, &str) {
        self.id.split_once('/').unwrap_or((&self.id, ""))
    }

    pub fn is_local(&self) -> bool {
        LOCAL.contains(&self.kind.as_str())
    }

    pub fn is_service(&self) -> bool {
        service(&self.kind).is_some()
    }

    pub fn deployment(&self) -> &'static str {
        match (self.is_local(), self.is_service()) {
            (true, _) => "self_deployed",
            (_, true) => "externally_managed",
            _ => "unknown",
        }
    }

    pub fn availability(&self) -> &'static str {
        match self.kind.as_str() {
            "hf" | "demo" => "open_weights",
            _ if self.is_service() => "closed_weights",
            _ => "unknown",
        }
    }
}

fn service(kind: &str) -> Option<&'static str> {
    let mut services = SERVICES.iter();
    services
        .find(|(name, _)| *name == kind)
        .map(|(_, owner)| *owner)
}

/// One folder name that every file system and the datastore of Every Eval Ever take.
pub(crate) fn component(text: &str, what: &str) -> Result<String, ExportError> {
    let replaced: String = text
        .trim()
        .chars()
        .map(|c| match c {
            '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*' | '/' => '_',
            c if u32::from(c) < 32 => '_',
            c => c,
        })
        .collect();
    let stem = replaced
        .split('.')
        .next()
        .unwrap_or("")
        .to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || ["COM", "LPT"].iter().any(|port| {
            let number = stem.strip_prefix(port);
            number.is_some_and(|number| {
                number.len() == 1 && number.chars().all(|c| ('1'..='9').contains(&c))
            })
        });
    let is_bad = matches!(replaced.as_str(), "" | "." | ".." | "data")
        || replaced.eq_ignore_ascii_case("unknown")
        || replaced.ends_with(['.', ' '])
        || is_device;
    if is_bad {
        return Err(ExportError::new(
            format!("`{replaced}` cannot name a folder ({what})"),
            "pass --model-id SYSTEM=ORG/NAME",
        ));
    }
    Ok(replaced)
}

#[cfg(test)]
mod tests {
    use epicene_core::ModelKind;

    use super::*;

    fn system(source: &str) -> SystemCard {
        SystemCard {
            name: "s".to_owned(),
            source: source.to_owned(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Causal,
        }
    }

    #[test]
    fn sources_name_their_model_or_the_option_does() {
        let settings = Settings::default();
        for (source, id) in [
            ("hf:org/name@main", "org/name"),
            ("hf:org/name@main,prompt=plain,max-length=9", "org/name"),
            ("demo:mlm", "epicene/demo-mlm"),
            ("deepl:", "deepl/translate"),
            ("gemini:flash", "google/flash"),
        ] {
            assert_eq!(Model::of(&system(source), &settings).unwrap().id, id);
        }
        for source in ["file:a.csv", "hf:gpt2", "dir:x", "python:f", "openai:m"] {
            let error = Model::of(&system(source), &settings).unwrap_err();
            assert_eq!(
                error.hint.as_deref(),
                Some("pass --model-id s=ORG/NAME"),
                "{source}"
            );
        }
        let given = Settings {
            model_ids: [("s".to_owned(), "a/b".to_owned())].into(),
            ..Settings::default()
        };
        assert_eq!(Model::of(&system("file:x"), &given).unwrap().id, "a/b");
    }

    #[test]
    fn folders_have_names_that_every_system_takes() {
        assert_eq!(component("a/b:c", "model").unwrap(), "a_b_c");
        for bad in ["", "..", "data", "Unknown", "a.", "con", "COM1.txt", "lpt9"] {
            assert!(component(bad, "model").is_err(), "{bad}");
        }
        for good in ["COM0", "communicator", "console"] {
            assert!(component(good, "model").is_ok(), "{good}");
        }
    }
}
