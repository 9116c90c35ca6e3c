//! The authors' rules for the gender of the aligned words (WinoMT, section 3; specification, B3).

mod german;
mod lexicon;
mod romance;
mod semitic;
mod tokens;

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};

use super::prediction::Prediction;
pub use lexicon::Lexicon;
pub use tokens::simple_tokens;

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Aligned<'a> {
    pub translation: &'a str,
    /// Target words linked to the entity and its article, joined by spaces.
    pub text: &'a str,
    /// The first of their positions among words split on white space.
    pub position: Option<usize>,
    /// The English entity without its article, in lower case.
    pub entity: &'a str,
}

/// The authors' rules for one language.
#[derive(Debug)]
pub enum Predictor {
    German,
    Hebrew,
    Arabic,
    /// Russian and Ukrainian, with the analyses of a dictionary.
    Lexicon(Lexicon),
    /// Spanish, French, Italian with genders from a tagger.
    Tagged {
        language: String,
        genders: BTreeMap<String, Prediction>,
    },
    /// The same without a tagger: articles of our own lists.
    Articles {
        language: String,
    },
}

/// A verdict with the words that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicted {
    pub prediction: Prediction,
    pub rule: &'static str,
    pub evidence: Vec<String>,
}

impl Predicted {
    fn new(prediction: Prediction, rule: &'static str, evidence: Vec<String>) -> Predicted {
        Predicted {
            prediction,
            rule,
            evidence,
        }
    }
}

impl Predictor {
    /// The rules for a language; `lexicon` and `tags` are files the command gives.
    pub fn new(
        language: &str,
        lexicon: Option<&TextFile>,
        tags: Option<&TextFile>,
    ) -> Result<Predictor, InputError> {
        Ok(match (language, lexicon, tags) {
            ("de", ..) => Predictor::German,
            ("he", ..) => Predictor::Hebrew,
            ("ar", ..) => Predictor::Arabic,
            ("ru" | "uk", Some(file), _) => Predictor::Lexicon(Lexicon::read(file)?),
            ("ru" | "uk", None, _) => {
                let message = format!("the published judge of {language} needs a dictionary");
                return Err(InputError::new("winomt", message).with_hint(format!(
                    "give --input lexicon:{language}=FILE (token, genders of its analyses), or --judge default"
                )));
            }
            ("es" | "fr" | "it", _, Some(file)) => Predictor::Tagged {
                language: language.to_owned(),
                genders: romance::tags(file)?,
            },
            ("es" | "fr" | "it", _, None) => Predictor::Articles {
                language: language.to_owned(),
            },
            _ => {
                let message = format!("the authors have no rules for {language}");
                return Err(InputError::new("winomt", message).with_hint(
                    "known: ar, de, es, fr, he, it, ru, uk; --judge default knows more",
                ));
            }
        })
    }

    pub fn predict(&self, aligned: &Aligned<'_>) -> Predicted {
        match self {
            Predictor::German => german::predict(aligned),
            Predictor::Hebrew => semitic::hebrew(aligned),
            Predictor::Arabic => semitic::arabic(aligned),
            Predictor::Lexicon(lexicon) => lexicon.predict(aligned),
            Predictor::Tagged { language, genders } => romance::tagged(aligned, language, genders),
            Predictor::Articles { language } => romance::by_articles(aligned, language),
        }
    }

    /// Words of the aligned text that the rules' files do not know.
    pub fn unknown_words(&self, aligned: &Aligned<'_>) -> Vec<String> {
        match self {
            Predictor::Lexicon(lexicon) => lexicon.unknown(aligned.text),
            Predictor::Tagged { genders, .. } => simple_tokens(aligned.text)
                .into_iter()
                .filter(|token| {
                    token.chars().any(char::is_alphabetic) && !genders.contains_key(*token)
                })
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }
}
