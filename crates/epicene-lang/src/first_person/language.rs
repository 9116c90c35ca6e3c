//! The languages the detector knows, by name and code.

use std::fmt;
use std::str::FromStr;

use super::languages::{self, Grammar};

/// Makes the languages of a list of names and grammars.
macro_rules! languages {
    ($($name:ident = $family:ident::$grammar:ident,)*) => {
        /// A language whose first-person gender can be detected.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Language {
            $($name,)*
        }

        const COUNT: usize = [$(stringify!($name)),*].len();

        impl Language {
            pub const ALL: [Language; COUNT] = [$(Language::$name),*];

            pub(crate) fn grammar(self) -> &'static Grammar {
                match self {
                    $(Language::$name => &languages::$family::$grammar,)*
                }
            }
        }
    };
}

// In the order of the published tables; behind them Bulgarian and the languages without a published list.
languages! {
    Belarusian = be::GRAMMAR,
    Russian = ru::GRAMMAR,
    Ukrainian = uk::GRAMMAR,
    Croatian = hr::GRAMMAR,
    Slovenian = sl::GRAMMAR,
    Serbian = sr::GRAMMAR,
    Czech = cs::GRAMMAR,
    Polish = pl::GRAMMAR,
    Slovak = sk::GRAMMAR,
    Bulgarian = bg::GRAMMAR,
    Spanish = romance::ES,
    French = romance::FR,
    Italian = romance::IT,
    Portuguese = romance::PT,
    Catalan = romance::CA,
    Galician = romance::GL,
    Romanian = romance::RO,
    Greek = romance::EL,
    Lithuanian = baltic::LT,
    Latvian = baltic::LV,
    Hebrew = semitic::HE,
    Arabic = semitic::AR,
    Hindi = hi::GRAMMAR,
    Macedonian = mk::GRAMMAR,
    Bosnian = bs::GRAMMAR,
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
