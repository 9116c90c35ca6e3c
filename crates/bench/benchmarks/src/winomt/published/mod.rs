//! The authors' rules for the gender of the aligned words (WinoMT, section 3; specification, B3), so that their numbers can be
//! had again.

mod german;
mod lexicon;
mod romance;
mod semitic;
mod tokens;

use std::collections::BTreeMap;

use epicene_core::{InputError, Language, Span, TextFile, Verdict};

use super::prediction::Prediction;
pub use lexicon::Lexicon;
pub use tokens::Token;

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Aligned<'a> {
    pub translation: &'a str,
    /// Target words linked to the entity and its article.
    pub words: &'a [Token<'a>],
    /// The first of their positions among words split on white space.
    pub position: Option<usize>,
    /// The English entity without its article, in lower case.
    pub entity: &'a str,
}

/// The authors' rules for one language.
#[derive(Debug)]
pub(crate) enum Predictor {
    German,
    Hebrew,
    Arabic,
    /// Russian and Ukrainian, with the analyses of a dictionary.
    Lexicon(Lexicon),
    /// Spanish, French, Italian with genders from a tagger.
    Tagged {
        language: &'static str,
        genders: BTreeMap<String, Prediction>,
    },
    /// The same without a tagger: articles of our own lists.
    Articles {
        language: &'static str,
    },
}

/// A verdict with the words that made it.
fn predicted(
    prediction: Prediction,
    rule: &'static str,
    evidence: impl IntoIterator<Item = Span>,
) -> Verdict {
    Verdict::new(prediction.finding(), rule).with_evidence(evidence)
}

impl Aligned<'_> {
    /// The linked words without their punctuation, which stands by itself.
    fn tokens(&self) -> Vec<Token<'_>> {
        let words = self.words.iter();
        words
            .flat_map(|word| tokens::within(word.text, word.span, tokens::peeled))
            .collect()
    }
}

/// Languages whose rules read a dictionary.
pub fn reads_lexicon(language: Language) -> bool {
    matches!(language.code(), "ru" | "uk")
}

/// Languages whose rules read the tags of a tagger.
pub fn reads_tags(language: Language) -> bool {
    matches!(language.code(), "es" | "fr" | "it")
}

impl Predictor {
    /// The rules for a language; `lexicon` and `tags` are files the command gives.
    pub fn new(
        language: Language,
        lexicon: Option<&TextFile>,
        tags: Option<&TextFile>,
    ) -> Result<Predictor, InputError> {
        Ok(match (language.code(), lexicon, tags) {
            ("de", ..) => Predictor::German,
            ("he", ..) => Predictor::Hebrew,
            ("ar", ..) => Predictor::Arabic,
            ("ru" | "uk", Some(file), _) => Predictor::Lexicon(Lexicon::read(file)?),
            ("ru" | "uk", None, _) => {
                let message = format!("the published detector of {language} needs a dictionary");
                return Err(InputError::new("winomt", message).with_hint(format!(
                    "give --input lexicon:{language}=FILE (token, genders of its analyses), or --detector epicene"
                )));
            }
            ("es" | "fr" | "it", _, Some(file)) => Predictor::Tagged {
                language: language.code(),
                genders: romance::tags(file)?,
            },
            ("es" | "fr" | "it", _, None) => Predictor::Articles {
                language: language.code(),
            },
            _ => {
                let message = format!("the authors have no rules for {language}");
                return Err(InputError::new("winomt", message).with_hint(
                    "known: ar, de, es, fr, he, it, ru, uk; --detector epicene knows more",
                ));
            }
        })
    }

    pub fn predict(&self, aligned: &Aligned<'_>) -> Verdict {
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
            Predictor::Lexicon(lexicon) => lexicon.unknown(aligned),
            Predictor::Tagged { genders, .. } => aligned
                .tokens()
                .into_iter()
                .map(|token| token.text)
                .filter(|token| {
                    token.chars().any(char::is_alphabetic) && !genders.contains_key(*token)
                })
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }
}
