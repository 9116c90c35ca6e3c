//! The ordered rule lists, one per language (GEST, arXiv 2311.18711; rules of section 4).
//!
//! The first rule that finds a gender decides, so the order is part of the definition: where two
//! rules disagree nothing else settles it. Belarusian to Slovak are the lists behind the
//! published tables; the Bulgarian one was written by the authors but never used.

use super::primitives::{self, Finding};
use super::sentence::Sentence;
use crate::Gender;

/// One rule. Its name, such as `HEAD(som)`, is what a verdict reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    pub name: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Head(&'static str),
    Pair(&'static str, &'static str),
    /// Which gender is tested first, then the word, its masculine and its feminine sibling.
    Sibling(Gender, &'static str, &'static str, &'static str),
    Adverb(&'static str, &'static str),
    Glued,
    FirstPersonMultiWord,
    Gdybym,
    Czuje,
}

impl Rule {
    pub(super) fn apply<'s>(&self, sentence: &'s Sentence) -> Option<Finding<'s>> {
        match self.kind {
            Kind::Head(word) => primitives::head(sentence, word),
            Kind::Pair(masculine, feminine) => primitives::pair(sentence, masculine, feminine),
            Kind::Sibling(first, word, masculine, feminine) => {
                primitives::sibling(sentence, word, masculine, feminine, first)
            }
            Kind::Adverb(masculine, feminine) => primitives::adverb(sentence, masculine, feminine),
            Kind::Glued => primitives::glued(sentence),
            Kind::FirstPersonMultiWord => primitives::first_person_multi_word(sentence),
            Kind::Gdybym => primitives::gdybym(sentence),
            Kind::Czuje => primitives::czuje(sentence),
        }
    }
}

/// Writes a rule as the paper's authors would, and makes that its name.
macro_rules! rule {
    (HEAD($w:literal)) => {
        Rule {
            name: concat!("HEAD(", $w, ")"),
            kind: Kind::Head($w),
        }
    };
    (PAIR($m:literal, $f:literal)) => {
        Rule {
            name: concat!("PAIR(", $m, ", ", $f, ")"),
            kind: Kind::Pair($m, $f),
        }
    };
    (SIB($w:literal, $m:literal, $f:literal)) => {
        Rule {
            name: concat!("SIB(", $w, ", ", $m, ", ", $f, ")"),
            kind: Kind::Sibling(Gender::Feminine, $w, $m, $f),
        }
    };
    (SIBm($w:literal, $m:literal, $f:literal)) => {
        Rule {
            name: concat!("SIBm(", $w, ", ", $m, ", ", $f, ")"),
            kind: Kind::Sibling(Gender::Masculine, $w, $m, $f),
        }
    };
    (ADV($m:literal, $f:literal)) => {
        Rule {
            name: concat!("ADV(", $m, ", ", $f, ")"),
            kind: Kind::Adverb($m, $f),
        }
    };
    (GLUED) => {
        Rule {
            name: "GLUED",
            kind: Kind::Glued,
        }
    };
    (MWT1) => {
        Rule {
            name: "MWT1",
            kind: Kind::FirstPersonMultiWord,
        }
    };
    (GDYBYM) => {
        Rule {
            name: "GDYBYM",
            kind: Kind::Gdybym,
        }
    };
    (CZUJE) => {
        Rule {
            name: "CZUJE",
            kind: Kind::Czuje,
        }
    };
}

macro_rules! rules {
    ($($primitive:ident $(($($word:literal),+))?;)+) => {
        &[$(rule!($primitive $(($($word),+))?)),+]
    };
}

const BELARUSIAN: &[Rule] = rules![
    SIBm("я", "быў", "была");
    HEAD("я");
    PAIR("сам", "сама");
    GLUED;
];

const RUSSIAN: &[Rule] = rules![
    HEAD("я");
    SIB("я", "был", "была");
    HEAD("быть");
    PAIR("один", "одна");
];

const UKRAINIAN: &[Rule] = rules![
    HEAD("я");
    SIBm("я", "був", "була");
    PAIR("один", "одна");
];

const CROATIAN: &[Rule] = rules![
    HEAD("sam");
    HEAD("nisam");
    HEAD("bih");
    SIB("sam", "bio", "bila");
    ADV("sam", "sama");
];

const SERBIAN_CYRILLIC: &[Rule] = rules![
    HEAD("сам");
    HEAD("нисам");
    HEAD("бих");
    SIB("бих", "био", "била");
    SIB("сам", "био", "била");
    ADV("сам", "сама");
];

const SERBIAN_LATIN: &[Rule] = rules![
    HEAD("sam");
    HEAD("nisam");
    HEAD("bih");
    SIB("bih", "bio", "bila");
    SIB("sam", "bio", "bila");
    ADV("sam", "sama");
];

const SLOVENE: &[Rule] = rules![
    HEAD("sem");
    HEAD("nisem");
    HEAD("bi");
    HEAD("biti");
    PAIR("rad", "rada");
    PAIR("sam", "sama");
];

const SLOVENE_REPOSITORY: &[Rule] = rules![
    HEAD("sem");
    HEAD("nisem");
    HEAD("bi");
    HEAD("biti");
    SIB("sem", "bil", "bila");
    PAIR("rad", "rada");
    PAIR("sam", "sama");
];

const CZECH: &[Rule] = rules![
    HEAD("jsem");
    HEAD("nejsem");
    HEAD("bych");
    HEAD("já");
    PAIR("rád", "ráda");
    PAIR("nerad", "nerada");
    PAIR("sám", "sama");
    SIB("jsem", "byl", "byla");
];

const POLISH: &[Rule] = rules![
    MWT1;
    HEAD("jestem");
    HEAD("być");
    GDYBYM;
    CZUJE;
    PAIR("sam", "sama");
];

const SLOVAK: &[Rule] = rules![
    HEAD("som");
    HEAD("byť");
    HEAD("budem");
    PAIR("rád", "rada");
    PAIR("nerád", "nerada");
    PAIR("sám", "sama");
    SIB("som", "bol", "bola");
];

const BULGARIAN: &[Rule] = rules![
    HEAD("съм");
    HEAD("бих");
];

/// The languages [`rule_set`] knows. `sr` picks the list by the script of each sentence.
pub const LANGUAGES: &[&str] = &[
    "be", "ru", "uk", "hr", "sl", "sr", "sr-Cyrl", "sr-Latn", "cs", "pl", "sk", "bg",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleOptions {
    pub slovene: SloveneRules,
}

/// Which of the two Slovene lists to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SloveneRules {
    /// The six rules that made the published tables.
    #[default]
    Published,
    /// The repository's later list, with `SIB(sem, bil, bila)` before `PAIR(rad, rada)`. It finds
    /// 103 more genders over the four systems of the paper.
    Repository,
}

/// The rules of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSet(Lists);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lists {
    One(&'static [Rule]),
    ByScript {
        cyrillic: &'static [Rule],
        latin: &'static [Rule],
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no first-person rules for language `{language}`; there are some for {}", LANGUAGES.join(", "))]
pub struct UnknownLanguage {
    pub language: String,
}

/// The rules of a language, given as one of [`LANGUAGES`].
///
/// Serbian is written in two scripts and the authors chose the list by translation system
/// (Latin for Amazon Translate, Cyrillic for Google Translate and NLLB). `sr-Latn` and `sr-Cyrl`
/// choose it outright; `sr` goes by the script most letters of the sentence are in.
pub fn rule_set(language: &str, options: RuleOptions) -> Result<RuleSet, UnknownLanguage> {
    let rules = match language {
        "be" => BELARUSIAN,
        "ru" => RUSSIAN,
        "uk" => UKRAINIAN,
        "hr" => CROATIAN,
        "sl" => match options.slovene {
            SloveneRules::Published => SLOVENE,
            SloveneRules::Repository => SLOVENE_REPOSITORY,
        },
        "sr" => {
            return Ok(RuleSet(Lists::ByScript {
                cyrillic: SERBIAN_CYRILLIC,
                latin: SERBIAN_LATIN,
            }));
        }
        "sr-Cyrl" => SERBIAN_CYRILLIC,
        "sr-Latn" => SERBIAN_LATIN,
        "cs" => CZECH,
        "pl" => POLISH,
        "sk" => SLOVAK,
        "bg" => BULGARIAN,
        _ => {
            return Err(UnknownLanguage {
                language: language.to_owned(),
            });
        }
    };
    Ok(RuleSet(Lists::One(rules)))
}

impl RuleSet {
    /// The rules for a text, in order.
    pub fn rules_for(&self, text: &str) -> &'static [Rule] {
        match self.0 {
            Lists::One(rules) => rules,
            Lists::ByScript { cyrillic, .. } if mostly_cyrillic(text) => cyrillic,
            Lists::ByScript { latin, .. } => latin,
        }
    }
}

/// Whether more letters are Cyrillic than Latin.
fn mostly_cyrillic(text: &str) -> bool {
    let letters = |in_script: fn(&char) -> bool| text.chars().filter(in_script).count();
    let cyrillic = letters(|c| ('\u{400}'..='\u{52f}').contains(c));
    let latin = letters(|c| c.is_alphabetic() && *c < '\u{250}');
    cyrillic > latin
}
