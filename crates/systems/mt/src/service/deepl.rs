//! DeepL: `POST /v2/translate`, keys ending in `:fx` at the free service.
//! <https://developers.deepl.com/docs/api-reference/translate>

use epicene_io::http::{Request, Secret};
use serde_json::json;

use super::{Protocol, Service, code, endpoint, key, texts};
use crate::kind::{Form, Kind, Opened, Opening, no_place};
use crate::spec::TranslatorSpec;
use crate::{Limits, Price, Translated};

const VARIABLES: &str = "DEEPL_AUTH_KEY (or DEEPL_API_KEY)";
const SOURCES: &str = include_str!("../../data/codes/deepl-source.tsv");
const TARGETS: &str = include_str!("../../data/codes/deepl-target.tsv");

const PRICE: Price = Price::listed(25.0);
/// It stops at 500,000 characters a month by itself.
const FREE: Price = Price::listed(0.0);

pub(crate) const KIND: Kind = Kind {
    names: &["deepl"],
    options: &["formality", "model", "rate"],
    forms: &[Form {
        form: "deepl:[formality=F][,model=M]",
        about: "DeepL",
        needs: "DEEPL_AUTH_KEY",
        price: Some(PRICE),
    }],
    check: no_place,
    open: DeepL::open,
};

struct DeepL {
    url: String,
    key: Secret,
    formality: Option<String>,
    model: Option<String>,
}

impl DeepL {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let options = spec.options();
        let key = key("deepl", &["DEEPL_AUTH_KEY", "DEEPL_API_KEY"], VARIABLES)?;
        let usual = if key.expose().ends_with(":fx") {
            "https://api-free.deepl.com"
        } else {
            "https://api.deepl.com"
        };
        let url = endpoint("deepl", &["EPICENE_DEEPL_URL", "DEEPL_API_URL"], usual)?;
        let base = url.trim_end_matches("/translate").trim_end_matches("/v2");
        let protocol = DeepL {
            url: format!("{base}/v2/translate"),
            key: key.clone(),
            formality: options.get("formality").map(str::to_owned),
            model: options.get("model").map(str::to_owned),
        };
        let source = format!("deepl:{}", options.that_matter());
        Service::open(source, protocol, vec![key], spec, opening)
    }
}

impl Protocol for DeepL {
    fn service(&self) -> &'static str {
        "deepl"
    }

    fn variables(&self) -> &'static str {
        VARIABLES
    }

    /// 50 texts, 128 KiB a request.
    fn limits(&self) -> Limits {
        Limits {
            texts: 50,
            characters: 50_000,
            bytes: 100 << 10,
            requests: 2,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({
            "text": batch,
            "source_lang": code(SOURCES, from).to_uppercase(),
            "target_lang": code(TARGETS, to).to_uppercase(),
        });
        if let Some(formality) = &self.formality {
            body["formality"] = json!(formality);
        }
        if let Some(model) = &self.model {
            body["model_type"] = json!(model);
        }
        Request {
            url: self.url.clone(),
            headers: vec![(
                "Authorization",
                format!("DeepL-Auth-Key {}", self.key.expose()),
            )],
            body: body.to_string(),
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        texts(answer.get("translations"), |value| {
            value.get("text")?.as_str()
        })
    }

    fn price(&self) -> Option<Price> {
        // The free service stops by itself; asking it costs nothing but the month's quota.
        let free = self.key.expose().ends_with(":fx");
        Some(if free { FREE } else { PRICE })
    }
}
