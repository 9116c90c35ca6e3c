//! LibreTranslate, on one's own server or another's.
//! <https://docs.libretranslate.com/api/operations/translate/>

use epicene_io::http::{Request, Secret};
use serde_json::{Value, json};

use super::{Protocol, Service, check_url, texts};
use crate::kind::{Form, Kind, Opened, Opening};
use crate::spec::TranslatorSpec;
use crate::{Limits, Price, Translated};

const VARIABLES: &str = "LIBRETRANSLATE_API_KEY";

pub(crate) const KIND: Kind = Kind {
    names: &["libretranslate"],
    options: &[],
    forms: &[Form {
        form: "libretranslate:URL",
        about: "LibreTranslate",
        needs: "LIBRETRANSLATE_API_KEY where the server wants one",
        price: None,
    }],
    check: |spec| match spec.place() {
        "" => Err(
            "write it as libretranslate:URL, e.g. libretranslate:http://localhost:5000".to_owned(),
        ),
        _ => Ok(()),
    },
    open: LibreTranslate::open,
};

struct LibreTranslate {
    url: String,
    key: Option<Secret>,
}

impl LibreTranslate {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let url = spec.place();
        check_url("libretranslate", url)?;
        let key = Secret::from_environment(&[VARIABLES]);
        let base = url.trim_end_matches('/').trim_end_matches("/translate");
        let host = base.split_once("://").map_or(base, |(_, host)| host);
        let source = format!("libretranslate:{host}");
        let secrets = key.iter().cloned().collect();
        let protocol = LibreTranslate {
            url: format!("{base}/translate"),
            key,
        };
        Service::open(source, protocol, secrets, spec, opening)
    }
}

impl Protocol for LibreTranslate {
    fn service(&self) -> &'static str {
        "libretranslate"
    }

    fn variables(&self) -> &'static str {
        VARIABLES
    }

    /// Each server sets its own; these are below what public ones allow.
    fn limits(&self) -> Limits {
        Limits {
            texts: 25,
            characters: 5_000,
            bytes: usize::MAX,
            requests: 2,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({"q": batch, "source": from, "target": to, "format": "text"});
        if let Some(key) = &self.key {
            body["api_key"] = json!(key.expose());
        }
        Request {
            url: self.url.clone(),
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        match answer.get("translatedText") {
            // Servers that do not know batches answer one text with one text.
            Some(Value::String(text)) => Ok(vec![Translated::Text(text.clone())]),
            list => texts(list, Value::as_str),
        }
    }

    /// Subscriptions are flat: a sentence more costs nothing more.
    fn price(&self) -> Option<Price> {
        None
    }
}
