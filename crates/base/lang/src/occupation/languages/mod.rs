//! One file per language: what its data file cannot express.

mod ar;
mod be;
mod bg;
mod ca;
mod cs;
mod de;
mod el;
mod es;
mod fr;
mod gl;
mod he;
mod hi;
mod hr;
mod indic;
mod it;
mod lt;
mod lv;
mod pl;
mod pt;
mod ro;
mod ru;
mod sk;
mod sl;
mod slavic;
mod sr;
mod uk;
mod ur;

use std::sync::OnceLock;

use super::gender::{Genders, NounGender};
use super::judge::OccupationJudge;
use super::lexicon::Lexicon;
use super::sentence::Sentence;
use crate::packed::Packed;
use crate::person::{Cells, View};

/// Every language, by code.
pub(crate) static ALL: &[&Language] = &[
    &ar::LANGUAGE,
    &be::LANGUAGE,
    &bg::LANGUAGE,
    &ca::LANGUAGE,
    &cs::LANGUAGE,
    &de::LANGUAGE,
    &el::LANGUAGE,
    &es::LANGUAGE,
    &fr::LANGUAGE,
    &gl::LANGUAGE,
    &he::LANGUAGE,
    &hi::LANGUAGE,
    &hr::LANGUAGE,
    &it::LANGUAGE,
    &lt::LANGUAGE,
    &lv::LANGUAGE,
    &pl::LANGUAGE,
    &pt::LANGUAGE,
    &ro::LANGUAGE,
    &ru::LANGUAGE,
    &sk::LANGUAGE,
    &sl::LANGUAGE,
    &sr::LANGUAGE,
    &uk::LANGUAGE,
    &ur::LANGUAGE,
];

/// What taggers do with a noun whose form serves both genders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommonGender {
    /// They leave the gender out ("asistente").
    Unmarked,
    /// They take it from the article; without one they guess `otherwise`.
    Agreement { otherwise: Option<NounGender> },
    /// They give all such nouns this gender, whatever agrees with them.
    Fixed(NounGender),
}

/// Gender a determiner at `at` allows for the noun at `noun`, given what the data file says.
pub(crate) type DeterminerRule = fn(&Sentence, usize, usize, Genders) -> Genders;

/// What a determiner at `at` allows for the noun at `noun`, given what the data files say.
pub(crate) type PersonDeterminerRule = fn(&View, usize, usize, Cells) -> Cells;

/// Evidence outside the noun phrase (a verb, a predicate) for the noun, and the word that gives it.
pub(crate) type ContextRule = fn(&Sentence, usize) -> Option<(Genders, usize)>;

/// Everything the judge knows of a language.
pub(crate) struct Grammar {
    pub(crate) code: &'static str,
    /// The text of the data file.
    pub(crate) data: Packed,
    /// Maps a lower-case letter to the one it is looked up by; `None` drops it.
    pub(crate) fold: fn(char) -> Option<char>,
    /// Words end after an apostrophe ("l'infirmière").
    pub(crate) elision: bool,
    /// Of a hyphenated word the last part is the head.
    pub(crate) head_last: bool,
    /// Everything that belongs to a noun stands before it (Hindi, Urdu).
    pub(crate) head_final: bool,
    /// Nouns are compounded without a space: the last listed noun is the head.
    pub(crate) compounds: bool,
    pub(crate) common_gender: CommonGender,
    /// "la médico" means a woman: a feminine article outweighs a masculine noun.
    pub(crate) feminine_article_wins: bool,
    /// The noun's own ending shows its gender whatever article it has ("та електрик").
    pub(crate) endings_decide: bool,
    /// Noun phrases usually begin with a determiner: a word before the noun whose ending looks
    /// like an adjective's is believed only behind one ("busco ayudante" has none).
    pub(crate) articles: bool,
    /// "врач сказала" means a woman: a feminine predicate outweighs a masculine noun.
    pub(crate) feminine_predicate_wins: bool,
    /// The other script of a language that has two; the data file is written in the first.
    pub(crate) also_written: Option<fn(&str) -> String>,
    pub(crate) determiner: Option<DeterminerRule>,
    /// The same for the person judge, with number.
    pub(crate) person_determiner: Option<PersonDeterminerRule>,
    pub(crate) context: Option<ContextRule>,
}

/// A language with its lexicon and judge, once read.
pub(crate) struct Language {
    pub(crate) grammar: Grammar,
    lexicon: OnceLock<Lexicon>,
    judge: OnceLock<OccupationJudge>,
}

impl Grammar {
    /// A language without special rules.
    pub(crate) const fn plain(code: &'static str, data: Packed) -> Grammar {
        Grammar {
            code,
            data,
            fold: keep,
            elision: false,
            head_last: false,
            head_final: false,
            compounds: false,
            common_gender: CommonGender::Agreement { otherwise: None },
            feminine_article_wins: false,
            endings_decide: false,
            articles: false,
            feminine_predicate_wins: false,
            also_written: None,
            determiner: None,
            person_determiner: None,
            context: None,
        }
    }
}

impl Language {
    pub(crate) const fn new(grammar: Grammar) -> Language {
        Language {
            grammar,
            lexicon: OnceLock::new(),
            judge: OnceLock::new(),
        }
    }

    pub(crate) fn judge(&'static self) -> &'static OccupationJudge {
        let grammar = &self.grammar;
        let lexicon = self
            .lexicon
            .get_or_init(|| Lexicon::parse(&grammar.data.text(), grammar).0);
        self.judge
            .get_or_init(|| OccupationJudge::new(grammar, lexicon))
    }
}

/// The letter as it is.
pub(crate) fn keep(letter: char) -> Option<char> {
    Some(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_files_have_no_faults() {
        for language in ALL {
            let grammar = &language.grammar;
            let (_, errors) = Lexicon::parse(&grammar.data.text(), grammar);
            assert_eq!(errors, [], "{}", grammar.code);
        }
    }

    #[test]
    fn codes_are_in_order() {
        assert!(ALL.is_sorted_by_key(|language| language.grammar.code));
    }
}
