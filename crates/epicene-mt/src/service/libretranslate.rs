//! LibreTranslate, on one's own server or another's.
//! <https://docs.libretranslate.com/api/operations/translate/>

use epicene_io::http::{Request, Secret};
use serde_json::{Value, json};

use super::{Protocol, Service, ServiceSettings, check_url, texts};
use crate::{Limits, MtError, Price, Translated};

const VARIABLES: &str = "LIBRETRANSLATE_API_KEY";

pub struct LibreTranslate {
    url: String,
    key: Option<Secret>,
}

impl LibreTranslate {
    pub(crate) fn open(
        url: &str,
        settings: &ServiceSettings,
    ) -> Result<Service<LibreTranslate>, MtError> {
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
        Ok(Service::new(
            "libretranslate",
            source,
            protocol,
            secrets,
            settings,
        ))
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
