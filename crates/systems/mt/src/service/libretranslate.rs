//! LibreTranslate, on one's own server or another's; several that translate alike are asked as one.
//! <https://docs.libretranslate.com/api/operations/translate/>

use epicene_io::http::{Request, Secret};
use epicene_io::pool::Endpoint;
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
        form: "libretranslate:URL[,URL…]",
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
    urls: Vec<String>,
    key: Option<Secret>,
}

/// Requests a server gets at once.
const REQUESTS: usize = 2;

impl LibreTranslate {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let key = Secret::from_environment(&[VARIABLES]);
        let (mut urls, mut hosts) = (Vec::new(), Vec::new());
        for url in spec.place().split(',') {
            check_url("libretranslate", url)?;
            let base = url.trim_end_matches('/').trim_end_matches("/translate");
            hosts.push(base.split_once("://").map_or(base, |(_, host)| host));
            urls.push(format!("{base}/translate"));
        }
        let source = format!("libretranslate:{}", hosts.join(","));
        let secrets = key.iter().cloned().collect();
        let protocol = LibreTranslate { urls, key };
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

    fn servers(&self) -> Vec<Endpoint> {
        let place = |url: &String| Endpoint {
            base: url.clone(),
            limit: REQUESTS,
        };
        self.urls.iter().map(place).collect()
    }

    /// Each server sets its own; these are below what public ones allow.
    fn limits(&self) -> Limits {
        Limits {
            texts: 25,
            characters: 5_000,
            bytes: usize::MAX,
            requests: REQUESTS * self.urls.len(),
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({"q": batch, "source": from, "target": to, "format": "text"});
        if let Some(key) = &self.key {
            body["api_key"] = json!(key.expose());
        }
        Request {
            url: self.urls[0].clone(),
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
