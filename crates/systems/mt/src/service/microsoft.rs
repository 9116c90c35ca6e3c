//! Microsoft (Azure AI) Translator, version 3.0.
//! <https://learn.microsoft.com/azure/ai-services/translator/text-translation/reference/v3/translate>

use epicene_io::http::{Request, Secret};
use serde_json::{Value, json};

use super::{Protocol, Service, code, endpoint, key, texts};
use crate::kind::{Form, Kind, Opened, Opening, no_place};
use crate::spec::TranslatorSpec;
use crate::{Limits, Price, Translated};

const VARIABLES: &str =
    "AZURE_TRANSLATOR_KEY (with AZURE_TRANSLATOR_REGION where the resource is regional)";
const CODES: &str = include_str!("../../data/codes/microsoft.tsv");

const PRICE: Price = Price::listed(10.0);

pub(crate) const KIND: Kind = Kind {
    names: &["microsoft"],
    options: &["category", "rate"],
    forms: &[Form {
        form: "microsoft:[category=C]",
        about: "Microsoft Translator",
        needs: "AZURE_TRANSLATOR_KEY, AZURE_TRANSLATOR_REGION",
        price: Some(PRICE),
    }],
    check: no_place,
    open: Microsoft::open,
};

struct Microsoft {
    url: String,
    key: Secret,
    region: Option<String>,
    category: Option<String>,
}

impl Microsoft {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let options = spec.options();
        let names = [
            "AZURE_TRANSLATOR_KEY",
            "MICROSOFT_TRANSLATOR_KEY",
            "TRANSLATOR_TEXT_SUBSCRIPTION_KEY",
        ];
        let key = key("microsoft", &names, VARIABLES)?;
        let region = Secret::from_environment(&[
            "AZURE_TRANSLATOR_REGION",
            "MICROSOFT_TRANSLATOR_REGION",
            "TRANSLATOR_TEXT_REGION",
        ]);
        let url = endpoint(
            "microsoft",
            &["EPICENE_MICROSOFT_URL", "AZURE_TRANSLATOR_ENDPOINT"],
            "https://api.cognitive.microsofttranslator.com",
        )?;
        let protocol = Microsoft {
            url: format!("{url}/translate?api-version=3.0&textType=plain"),
            key: key.clone(),
            region: region.map(|region| region.expose().to_owned()),
            category: options.get("category").map(str::to_owned),
        };
        let source = format!("microsoft:{}", options.that_matter());
        Service::open(source, protocol, vec![key], spec, opening)
    }
}

impl Protocol for Microsoft {
    fn service(&self) -> &'static str {
        "microsoft"
    }

    fn variables(&self) -> &'static str {
        VARIABLES
    }

    /// 1,000 texts and 50,000 characters are allowed; fewer are asked at once, so that less is on
    /// the way when something breaks.
    fn limits(&self) -> Limits {
        Limits {
            texts: 100,
            characters: 50_000,
            bytes: usize::MAX,
            requests: 2,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut url = format!(
            "{}&from={}&to={}",
            self.url,
            plain(&code(CODES, from)),
            plain(&code(CODES, to))
        );
        if let Some(category) = &self.category {
            url += &format!("&category={}", plain(category));
        }
        let mut headers = vec![("Ocp-Apim-Subscription-Key", self.key.expose().to_owned())];
        if let Some(region) = &self.region {
            headers.push(("Ocp-Apim-Subscription-Region", region.clone()));
        }
        let texts: Vec<Value> = batch.iter().map(|text| json!({"Text": text})).collect();
        Request {
            url,
            headers,
            body: Value::from(texts).to_string(),
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        texts(Some(&answer), |value| {
            value.pointer("/translations/0/text")?.as_str()
        })
    }

    /// 403001: the free quota is used up.
    fn refusal(&self, status: u16, message: &str) -> super::Refusal {
        match status {
            403 if message.contains("403001") => super::Refusal::Quota,
            401 | 403 => super::Refusal::Key,
            _ => super::Refusal::Request,
        }
    }

    fn price(&self) -> Option<Price> {
        Some(PRICE)
    }
}

/// Letters, digits, `-` and `.` alone: nothing else can stand in a language or a category.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c))
        .collect()
}
