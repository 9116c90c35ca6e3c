//! Google Cloud Translation: v2 (Basic) with an API key, v3 (Advanced) with a project and an OAuth
//! access token. <https://cloud.google.com/translate/docs/reference/rest>

use epicene_io::http::{Request, Secret};
use serde_json::json;

use super::{Protocol, Service, code, endpoint, key, texts};
use crate::kind::{Form, Kind, Opened, Opening, no_place};
use crate::spec::TranslatorSpec;
use crate::{Limits, Price, Translated};

const KEY: &str = "GOOGLE_API_KEY (or GOOGLE_TRANSLATE_API_KEY)";
const TOKEN: &str = "GOOGLE_OAUTH_ACCESS_TOKEN (or GOOGLE_ACCESS_TOKEN)";
const PROJECT: &str = "GOOGLE_CLOUD_PROJECT (or GOOGLE_PROJECT_ID)";
const CODES: &str = include_str!("../../data/codes/google.tsv");
const USUAL: &str = "https://translation.googleapis.com";

const PRICE: Price = Price::listed(20.0);

pub(crate) const KIND: Kind = Kind {
    names: &["google"],
    options: &["v2", "v3", "model", "location", "rate"],
    forms: &[
        Form {
            form: "google:[v2][,model=M]",
            about: "Google Translate, Basic",
            needs: "GOOGLE_API_KEY",
            price: Some(PRICE),
        },
        Form {
            form: "google:v3[,model=M][,location=L]",
            about: "Google Translate, Advanced",
            needs: "GOOGLE_OAUTH_ACCESS_TOKEN, GOOGLE_CLOUD_PROJECT",
            price: Some(PRICE),
        },
    ],
    check: |spec| match (spec.options().get("v2"), spec.options().get("v3")) {
        (Some(_), Some(_)) => Err("v2 or v3, not both".to_owned()),
        _ => no_place(spec),
    },
    open: |spec, opening| match spec.options().get("v3") {
        Some(_) => GoogleV3::open(spec, opening),
        None => GoogleV2::open(spec, opening),
    },
};

struct GoogleV2 {
    url: String,
    key: Secret,
    model: Option<String>,
}

impl GoogleV2 {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let options = spec.options();
        let key = key(
            "google",
            &["GOOGLE_API_KEY", "GOOGLE_TRANSLATE_API_KEY"],
            KEY,
        )?;
        let base = endpoint("google", &["EPICENE_GOOGLE_URL"], USUAL)?;
        let protocol = GoogleV2 {
            url: format!("{base}/language/translate/v2"),
            key: key.clone(),
            model: options.get("model").map(str::to_owned),
        };
        let source = match options.that_matter().to_string().as_str() {
            "" | "v2" => "google:v2".to_owned(),
            options => format!("google:{options}"),
        };
        Service::open(source, protocol, vec![key], spec, opening)
    }
}

impl Protocol for GoogleV2 {
    fn service(&self) -> &'static str {
        "google"
    }

    fn variables(&self) -> &'static str {
        KEY
    }

    /// 128 segments a request; 5,000 characters are recommended.
    fn limits(&self) -> Limits {
        Limits {
            texts: 100,
            characters: 5_000,
            bytes: 100 << 10,
            requests: 2,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({
            "q": batch,
            "source": code(CODES, from),
            "target": code(CODES, to),
            "format": "text",
        });
        if let Some(model) = &self.model {
            body["model"] = json!(model);
        }
        Request {
            url: self.url.clone(),
            // In a header and not in the address, which messages repeat.
            headers: vec![("X-Goog-Api-Key", self.key.expose().to_owned())],
            body: body.to_string(),
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        texts(answer.pointer("/data/translations"), |value| {
            value.get("translatedText")?.as_str()
        })
    }

    fn stumbles(&self) -> fn(u16, &str) -> bool {
        |status, text| {
            status == 403
                && (text.contains("rateLimitExceeded") || text.contains("userRateLimitExceeded"))
        }
    }

    /// A key that is not valid is "400 API key not valid".
    fn refusal(&self, status: u16, message: &str) -> super::Refusal {
        match (status, message.contains("API key")) {
            (400 | 401 | 403, true) => super::Refusal::Key,
            (401, _) => super::Refusal::Key,
            (403, _) if message.contains("imit Exceeded") || message.contains("uota") => {
                super::Refusal::Quota
            }
            (403, _) => super::Refusal::Key,
            _ => super::Refusal::Request,
        }
    }

    fn price(&self) -> Option<Price> {
        Some(PRICE)
    }
}

struct GoogleV3 {
    url: String,
    token: Secret,
    project: String,
    location: String,
    model: Option<String>,
}

impl GoogleV3 {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let options = spec.options();
        let names = ["GOOGLE_OAUTH_ACCESS_TOKEN", "GOOGLE_ACCESS_TOKEN"];
        let token = key("google", &names, TOKEN)?;
        let names = ["GOOGLE_CLOUD_PROJECT", "GOOGLE_PROJECT_ID"];
        let project = key("google", &names, PROJECT)?.expose().to_owned();
        let base = endpoint("google", &["EPICENE_GOOGLE_URL"], USUAL)?;
        let location = options.get("location").unwrap_or("global").to_owned();
        let protocol = GoogleV3 {
            url: format!("{base}/v3/projects/{project}/locations/{location}:translateText"),
            token: token.clone(),
            project,
            location,
            model: options.get("model").map(str::to_owned),
        };
        let source = format!("google:{}", options.that_matter());
        Service::open(source, protocol, vec![token], spec, opening)
    }
}

impl Protocol for GoogleV3 {
    fn service(&self) -> &'static str {
        "google"
    }

    fn variables(&self) -> &'static str {
        TOKEN
    }

    /// 1,024 strings and 30,720 code points a request.
    fn limits(&self) -> Limits {
        Limits {
            texts: 100,
            characters: 30_000,
            bytes: 200_000,
            requests: 2,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({
            "contents": batch,
            "mimeType": "text/plain",
            "sourceLanguageCode": code(CODES, from),
            "targetLanguageCode": code(CODES, to),
        });
        if let Some(model) = &self.model {
            let (project, location) = (&self.project, &self.location);
            // `nmt` and `translation-llm` are the general models; anything else is one's own.
            let kind = match model.as_str() {
                "nmt" | "translation-llm" => "general/",
                _ => "",
            };
            body["model"] = json!(format!(
                "projects/{project}/locations/{location}/models/{kind}{model}"
            ));
        }
        Request {
            url: self.url.clone(),
            headers: vec![
                ("Authorization", format!("Bearer {}", self.token.expose())),
                ("X-Goog-User-Project", self.project.clone()),
            ],
            body: body.to_string(),
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        texts(answer.get("translations"), |value| {
            value.get("translatedText")?.as_str()
        })
    }

    fn price(&self) -> Option<Price> {
        Some(PRICE)
    }
}
