//! What `epicene list translators` shows.

/// A kind of translator.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub form: &'static str,
    pub about: &'static str,
    /// What has to be there: variables of the environment, packages.
    pub needs: &'static str,
    /// The service's name in the price list, where asking costs money.
    priced: Option<&'static str>,
}

impl Entry {
    /// `20 USD per million characters (2025-10)`, or nothing.
    pub fn price(&self) -> String {
        let price = self.priced.and_then(crate::prices::price);
        match price.and_then(|price| Some((price.dollars_per_million?, price.as_of))) {
            Some((dollars, as_of)) => {
                format!("about {dollars} USD per million characters ({as_of})")
            }
            None => String::new(),
        }
    }
}

/// Every kind, in the order of the documentation.
pub fn catalogue() -> &'static [Entry] {
    const fn entry(
        form: &'static str,
        about: &'static str,
        needs: &'static str,
        priced: Option<&'static str>,
    ) -> Entry {
        Entry {
            form,
            about,
            needs,
            priced,
        }
    }
    const ALL: &[Entry] = &[
        entry("file:PATH", "translations somebody already has", "", None),
        entry(
            "hf:ORG/NAME[@REV][,beam=N…], dir:PATH[,beam=N…]",
            "a sequence-to-sequence model run here",
            "",
            None,
        ),
        entry(
            "apertium:[MODE|DIRECTORY][,unknown=marked]",
            "rule-based, as installed",
            "packages apertium and apertium-PAIR",
            None,
        ),
        entry(
            "deepl:[formality=F][,model=M]",
            "DeepL",
            "DEEPL_AUTH_KEY",
            Some("deepl"),
        ),
        entry(
            "google:[v2][,model=M]",
            "Google Translate, Basic",
            "GOOGLE_API_KEY",
            Some("google"),
        ),
        entry(
            "google:v3[,model=M][,location=L]",
            "Google Translate, Advanced",
            "GOOGLE_OAUTH_ACCESS_TOKEN, GOOGLE_CLOUD_PROJECT",
            Some("google"),
        ),
        entry(
            "microsoft:[category=C]",
            "Microsoft Translator",
            "AZURE_TRANSLATOR_KEY, AZURE_TRANSLATOR_REGION",
            Some("microsoft"),
        ),
        entry(
            "amazon:[formality=F]",
            "Amazon Translate",
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION",
            Some("amazon"),
        ),
        entry(
            "libretranslate:URL",
            "LibreTranslate",
            "LIBRETRANSLATE_API_KEY where the server wants one",
            None,
        ),
        entry(
            "openai:MODEL@URL[,URL…]",
            "a chat model that is asked to translate",
            "OPENAI_API_KEY where the server wants one",
            None,
        ),
        entry("copy:", "gives the sentence back: a control", "", None),
    ];
    ALL
}
