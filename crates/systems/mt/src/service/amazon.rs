//! Amazon Translate: `TranslateText`, one text a request, signed with Signature Version 4.
//! <https://docs.aws.amazon.com/translate/latest/APIReference/API_TranslateText.html>

use epicene_io::Moment;
use epicene_io::http::{Request, Secret};
use serde_json::{Value, json};

use super::sigv4::{Scope, Signed, authorization};
use super::{Protocol, Refusal, Service, code, endpoint, key};
use crate::kind::{Form, Kind, Opened, Opening, no_place};
use crate::spec::TranslatorSpec;
use crate::{Limits, Price, Translated};

const VARIABLES: &str = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
const CODES: &str = include_str!("../../data/codes/amazon.tsv");
const TARGET: &str = "AWSShineFrontendService_20170701.TranslateText";
const CONTENT: &str = "application/x-amz-json-1.1";

const PRICE: Price = Price::listed(15.0);

pub(crate) const KIND: Kind = Kind {
    names: &["amazon"],
    options: &["formality", "rate"],
    forms: &[Form {
        form: "amazon:[formality=F]",
        about: "Amazon Translate",
        needs: "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION",
        price: Some(PRICE),
    }],
    check: no_place,
    open: Amazon::open,
};

struct Amazon {
    url: String,
    host: String,
    region: String,
    access_key: Secret,
    secret_key: Secret,
    session: Option<Secret>,
    formality: Option<String>,
}

impl Amazon {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let options = spec.options();
        let access_key = key("amazon", &["AWS_ACCESS_KEY_ID"], VARIABLES)?;
        let secret_key = key("amazon", &["AWS_SECRET_ACCESS_KEY"], VARIABLES)?;
        let session = Secret::from_environment(&["AWS_SESSION_TOKEN"]);
        let region = Secret::from_environment(&["AWS_REGION", "AWS_DEFAULT_REGION"])
            .map_or_else(|| "us-east-1".to_owned(), |set| set.expose().to_owned());
        let url = endpoint(
            "amazon",
            &["EPICENE_AMAZON_URL", "AWS_ENDPOINT_URL_TRANSLATE"],
            format!("https://translate.{region}.amazonaws.com"),
        )?;
        let host = url.split_once("://").map_or(&*url, |(_, host)| host);
        let host = host.split('/').next().unwrap_or(host).to_owned();
        let mut secrets = vec![access_key.clone(), secret_key.clone()];
        secrets.extend(session.clone());
        let protocol = Amazon {
            url: format!("{url}/"),
            host,
            region,
            access_key,
            secret_key,
            session,
            formality: options.get("formality").map(str::to_owned),
        };
        let source = format!("amazon:{}", options.that_matter());
        Service::open(source, protocol, secrets, spec, opening)
    }
}

impl Protocol for Amazon {
    fn service(&self) -> &'static str {
        "amazon"
    }

    fn variables(&self) -> &'static str {
        VARIABLES
    }

    /// One text of 10,000 bytes.
    fn limits(&self) -> Limits {
        Limits {
            texts: 1,
            characters: 10_000,
            bytes: 10_000,
            requests: 8,
        }
    }

    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request {
        let mut body = json!({
            "Text": batch.first().copied().unwrap_or(""),
            "SourceLanguageCode": code(CODES, from),
            "TargetLanguageCode": code(CODES, to),
        });
        if let Some(formality) = &self.formality {
            body["Settings"] = json!({"Formality": formality});
        }
        let body = body.to_string();
        let now = Moment::now().written("%Y%m%dT%H%M%SZ");
        let time = now.expect("the directives are known");
        let mut signed = vec![
            ("content-type", CONTENT),
            ("host", self.host.as_str()),
            ("x-amz-date", time.as_str()),
        ];
        if let Some(session) = &self.session {
            signed.push(("x-amz-security-token", session.expose()));
        }
        signed.push(("x-amz-target", TARGET));
        let scope = Scope {
            access_key: self.access_key.expose(),
            secret_key: self.secret_key.expose(),
            region: &self.region,
            service: "translate",
        };
        let request = Signed {
            method: "POST",
            path: "/",
            query: "",
            headers: &signed,
            body: body.as_bytes(),
        };
        let mut headers = vec![
            ("Content-Type", CONTENT.to_owned()),
            ("X-Amz-Target", TARGET.to_owned()),
            ("Authorization", authorization(&scope, &request, &time)),
        ];
        if let Some(session) = &self.session {
            headers.push(("X-Amz-Security-Token", session.expose().to_owned()));
        }
        headers.push(("X-Amz-Date", time));
        Request {
            url: self.url.clone(),
            headers,
            body,
        }
    }

    fn read(&self, answer: &str) -> Result<Vec<Translated>, String> {
        let answer = super::json(answer)?;
        let text = answer.get("TranslatedText").and_then(Value::as_str);
        let text = text.ok_or("the answer holds no TranslatedText")?;
        Ok(vec![Translated::Text(text.to_owned())])
    }

    /// Amazon says "slow down" with status 400.
    fn stumbles(&self) -> fn(u16, &str) -> bool {
        |status, text| {
            status == 400
                && [
                    "ThrottlingException",
                    "TooManyRequestsException",
                    "RequestTimeout",
                    "ServiceUnavailableException",
                ]
                .iter()
                .any(|kind| text.contains(kind))
        }
    }

    fn refusal(&self, status: u16, message: &str) -> Refusal {
        const KEYS: [&str; 9] = [
            "UnrecognizedClientException",
            "InvalidClientTokenId",
            "InvalidSignatureException",
            "SignatureDoesNotMatch",
            "IncompleteSignature",
            "MissingAuthenticationToken",
            "ExpiredToken",
            "AccessDenied",
            "OptInRequired",
        ];
        match status {
            _ if KEYS.iter().any(|kind| message.contains(kind)) => Refusal::Key,
            401 | 403 => Refusal::Key,
            _ if message.contains("LimitExceededException") => Refusal::Quota,
            _ => Refusal::Request,
        }
    }

    fn price(&self) -> Option<Price> {
        Some(PRICE)
    }
}
