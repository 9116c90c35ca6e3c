//! How a model is told the languages: a token in front of the source (`>>deu<<`), a source token and a forced first
//! target token (`deu_Latn`, `__de__`, `de_DE`), words (`translate English to German: `) or not at all.

use std::collections::BTreeMap;

use crate::languages::{Language, common};

#[derive(Debug)]
pub enum Scheme {
    /// One direction, as far as it is known.
    Fixed {
        from: Option<Language>,
        to: Option<Language>,
    },
    /// The target's token in front of the source (OPUS-MT's multilingual models).
    TargetInFront {
        from: Option<Language>,
        codes: BTreeMap<String, u32>,
    },
    /// The source's token beside the source, the target's token forced (M2M-100, NLLB-200, mBART-50).
    Tokens {
        codes: BTreeMap<String, u32>,
        /// The source's token stands after the end (older NLLB).
        legacy: bool,
    },
    /// The target's token spelled in front of the source (MADLAD-400).
    SpelledInFront { codes: BTreeMap<String, u32> },
    /// Words in front of the source (T5), for the pairs the configuration names; any pair if it names none.
    Words {
        pairs: BTreeMap<(String, String), String>,
    },
}

/// What has to be put around a source sentence, and how the target begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    pub text_before: String,
    pub before: Vec<u32>,
    pub after: Vec<u32>,
    pub forced_first: Option<u32>,
}

/// A language the model does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage {
    pub language: String,
    /// Those it has, as people name them.
    pub known: Vec<String>,
}

impl Scheme {
    /// Ids of language tokens, which are never text.
    pub fn is_language(&self, id: u32) -> bool {
        match self {
            Scheme::Tokens { codes, .. } => codes.values().any(|token| *token == id),
            _ => false,
        }
    }

    pub fn highest(&self) -> Option<u32> {
        match self {
            Scheme::TargetInFront { codes, .. }
            | Scheme::Tokens { codes, .. }
            | Scheme::SpelledInFront { codes } => codes.values().max().copied(),
            Scheme::Fixed { .. } | Scheme::Words { .. } => None,
        }
    }

    /// The languages it can translate into, as people name them; empty where that cannot be told.
    pub fn targets(&self) -> Vec<String> {
        let mut known: Vec<String> = match self {
            Scheme::Fixed { to, .. } => to.iter().map(|to| to.code.to_owned()).collect(),
            Scheme::TargetInFront { codes, .. }
            | Scheme::Tokens { codes, .. }
            | Scheme::SpelledInFront { codes } => codes.keys().map(|code| common(code)).collect(),
            Scheme::Words { pairs } => pairs.keys().map(|(_, to)| to.clone()).collect(),
        };
        known.sort();
        known.dedup();
        known
    }

    fn unknown(&self, language: &str) -> UnknownLanguage {
        UnknownLanguage {
            language: language.to_owned(),
            known: self.targets(),
        }
    }

    /// What a sentence needs to get from one language to another.
    pub fn request(&self, from: &str, to: &str, end: u32) -> Result<Request, UnknownLanguage> {
        let plain = Request {
            after: vec![end],
            ..Request::default()
        };
        match self {
            Scheme::Fixed {
                from: has,
                to: gives,
            } => {
                self.check(*has, from)?;
                self.check(*gives, to)?;
                Ok(plain)
            }
            Scheme::TargetInFront { from: has, codes } => {
                self.check(*has, from)?;
                let (code, _) = find(codes, to).ok_or_else(|| self.unknown(to))?;
                Ok(Request {
                    text_before: format!(">>{code}<< "),
                    ..plain
                })
            }
            Scheme::Tokens { codes, legacy } => {
                let (_, source) = find(codes, from).ok_or_else(|| self.unknown(from))?;
                let (_, target) = find(codes, to).ok_or_else(|| self.unknown(to))?;
                let (before, after) = match legacy {
                    true => (Vec::new(), vec![end, source]),
                    false => (vec![source], vec![end]),
                };
                Ok(Request {
                    before,
                    after,
                    forced_first: Some(target),
                    ..plain
                })
            }
            Scheme::SpelledInFront { codes } => {
                let (code, _) = find(codes, to).ok_or_else(|| self.unknown(to))?;
                Ok(Request {
                    text_before: format!("<2{code}> "),
                    ..plain
                })
            }
            Scheme::Words { pairs } if pairs.is_empty() => {
                let from = Language::of(from).ok_or_else(|| self.unknown(from))?;
                let to = Language::of(to).ok_or_else(|| self.unknown(to))?;
                Ok(Request {
                    text_before: format!("translate {} to {}: ", from.name, to.name),
                    ..plain
                })
            }
            Scheme::Words { pairs } => {
                let pair = (common(from), common(to));
                let words = pairs.get(&pair).ok_or_else(|| self.unknown(to))?;
                Ok(Request {
                    text_before: words.clone(),
                    ..plain
                })
            }
        }
    }

    fn check(&self, has: Option<Language>, wanted: &str) -> Result<(), UnknownLanguage> {
        let Some(has) = has else {
            return Ok(());
        };
        if Language::of(wanted) == Some(has) {
            Ok(())
        } else {
            Err(UnknownLanguage {
                language: wanted.to_owned(),
                known: vec![self.direction()],
            })
        }
    }

    fn direction(&self) -> String {
        match self {
            Scheme::Fixed { from, to } => {
                let name = |language: &Option<Language>| language.map_or("?", |l| l.code);
                format!("{} to {}", name(from), name(to))
            }
            _ => self.targets().join(", "),
        }
    }
}

/// The model's code and token for a language: the code as given, or another code of the same language.
fn find(codes: &BTreeMap<String, u32>, wanted: &str) -> Option<(String, u32)> {
    let exact = |code: &str| Some((code.to_owned(), *codes.get(code)?));
    if let Some(found) = exact(wanted) {
        return Some(found);
    }
    if let Some(language) = Language::of(wanted) {
        return language.codes().find_map(exact);
    }
    // `xyz` for `xyz_Latn`, where there is one script only.
    let prefix = format!("{wanted}_");
    let mut matching = codes.iter().filter(|(code, _)| code.starts_with(&prefix));
    match (matching.next(), matching.next()) {
        (Some((code, token)), None) => Some((code.clone(), *token)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(names: &[&str]) -> BTreeMap<String, u32> {
        let numbered = names.iter().enumerate();
        numbered
            .map(|(i, name)| ((*name).to_owned(), i as u32))
            .collect()
    }

    #[test]
    fn languages_are_found_by_any_code() {
        let nllb = codes(&[
            "deu_Latn", "eng_Latn", "srp_Cyrl", "zho_Hans", "zho_Hant", "szl_Latn",
        ]);
        for (wanted, found) in [
            ("de", 0),
            ("deu", 0),
            ("deu_Latn", 0),
            ("sr", 2),
            ("zh", 3),
            ("zho_Hant", 4),
            ("szl", 5),
        ] {
            assert_eq!(find(&nllb, wanted).unwrap().1, found, "{wanted}");
        }
        let opus = codes(&["cmn_Hans", "nob", "fra", "por"]);
        for (wanted, found) in [("zh", 0), ("no", 1), ("fr", 2), ("pt", 3)] {
            assert_eq!(find(&opus, wanted).unwrap().1, found, "{wanted}");
        }
        assert!(find(&opus, "de").is_none());
    }

    #[test]
    fn an_unknown_language_is_told_what_there_is() {
        let scheme = Scheme::Tokens {
            codes: codes(&["deu_Latn", "eng_Latn"]),
            legacy: false,
        };
        let error = scheme.request("en", "is", 9).unwrap_err();
        assert_eq!(error.language, "is");
        assert_eq!(error.known, ["de", "en"]);
        let request = scheme.request("en", "de", 9).unwrap();
        assert_eq!((request.before, request.after), (vec![1], vec![9]));
        assert_eq!(request.forced_first, Some(0));
    }

    #[test]
    fn a_direction_that_is_known_is_kept() {
        let scheme = Scheme::Fixed {
            from: Language::of("eng"),
            to: Language::of("deu"),
        };
        assert!(scheme.request("en", "de", 0).is_ok());
        assert!(scheme.request("en", "fr", 0).is_err());
        assert!(scheme.request("de", "de", 0).is_err());
        let unknown = Scheme::Fixed {
            from: None,
            to: None,
        };
        assert!(unknown.request("en", "xx", 0).is_ok());
    }
}
