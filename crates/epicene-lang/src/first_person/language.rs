//! The languages the detector knows, by name and code.

use std::fmt;
use std::str::FromStr;

use super::languages::{self, Grammar};

/// A language whose first-person gender can be detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Belarusian,
    Russian,
    Ukrainian,
    Croatian,
    Slovenian,
    Serbian,
    Czech,
    Polish,
    Slovak,
    Bulgarian,
    Spanish,
    French,
    Italian,
    Portuguese,
    Catalan,
    Galician,
    Romanian,
    Greek,
    Lithuanian,
    Latvian,
    Hebrew,
    Arabic,
    Hindi,
    Macedonian,
    Bosnian,
}

/// A language code nobody knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage {
    pub code: String,
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unknown language '{}'; known:", self.code)?;
        for language in Language::ALL {
            write!(out, " {}", language.code())?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownLanguage {}

impl Language {
    /// In the order of the published tables; behind them Bulgarian and the languages without a published list.
    pub const ALL: [Language; 25] = [
        Language::Belarusian,
        Language::Russian,
        Language::Ukrainian,
        Language::Croatian,
        Language::Slovenian,
        Language::Serbian,
        Language::Czech,
        Language::Polish,
        Language::Slovak,
        Language::Bulgarian,
        Language::Spanish,
        Language::French,
        Language::Italian,
        Language::Portuguese,
        Language::Catalan,
        Language::Galician,
        Language::Romanian,
        Language::Greek,
        Language::Lithuanian,
        Language::Latvian,
        Language::Hebrew,
        Language::Arabic,
        Language::Hindi,
        Language::Macedonian,
        Language::Bosnian,
    ];

    /// The one line a new language adds.
    pub(crate) fn grammar(self) -> &'static Grammar {
        match self {
            Language::Belarusian => &languages::be::GRAMMAR,
            Language::Russian => &languages::ru::GRAMMAR,
            Language::Ukrainian => &languages::uk::GRAMMAR,
            Language::Croatian => &languages::hr::GRAMMAR,
            Language::Slovenian => &languages::sl::GRAMMAR,
            Language::Serbian => &languages::sr::GRAMMAR,
            Language::Czech => &languages::cs::GRAMMAR,
            Language::Polish => &languages::pl::GRAMMAR,
            Language::Slovak => &languages::sk::GRAMMAR,
            Language::Bulgarian => &languages::bg::GRAMMAR,
            Language::Spanish => &languages::romance::ES,
            Language::French => &languages::romance::FR,
            Language::Italian => &languages::romance::IT,
            Language::Portuguese => &languages::romance::PT,
            Language::Catalan => &languages::romance::CA,
            Language::Galician => &languages::romance::GL,
            Language::Romanian => &languages::romance::RO,
            Language::Greek => &languages::romance::EL,
            Language::Lithuanian => &languages::baltic::LT,
            Language::Latvian => &languages::baltic::LV,
            Language::Hebrew => &languages::semitic::HE,
            Language::Arabic => &languages::semitic::AR,
            Language::Hindi => &languages::hi::GRAMMAR,
            Language::Macedonian => &languages::mk::GRAMMAR,
            Language::Bosnian => &languages::bs::GRAMMAR,
        }
    }

    /// ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.grammar().code
    }

    /// English name.
    pub fn name(self) -> &'static str {
        self.grammar().name
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// The code, upper or lower case.
    fn from_str(code: &str) -> Result<Language, UnknownLanguage> {
        Language::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
            .ok_or_else(|| UnknownLanguage {
                code: code.to_owned(),
            })
    }
}
