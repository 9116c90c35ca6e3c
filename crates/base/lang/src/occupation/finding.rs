//! What the judge finds at a word, before it becomes a verdict, and what both modes ask of a word.

use super::gender::{Genders, NounGender};
use super::judge::JudgeMode;
use super::languages::CommonGender;
use super::lexicon::Role;
use super::phrase::{Agreement, agreement};
use super::sentence::Sentence;

/// The rule where no word stands for the person.
pub(crate) const NOT_ALIGNED: &str = "not aligned";

/// The rule where both genders are named by two forms.
pub(crate) const BOTH_FORMS: &str = "both forms";

/// The rule where one word is written for both genders.
pub(crate) const INCLUSIVE: &str = "inclusive writing";

/// A finding inside the judge: gender, rule, up to two deciding words.
pub(crate) struct Finding {
    pub(crate) gender: Option<NounGender>,
    pub(crate) rule: &'static str,
    pub(crate) words: [Option<usize>; 2],
}

impl Finding {
    pub(crate) fn none(rule: &'static str) -> Finding {
        Finding {
            gender: None,
            rule,
            words: [None; 2],
        }
    }

    pub(crate) fn at(gender: Option<NounGender>, rule: &'static str, word: usize) -> Finding {
        Finding {
            gender,
            rule,
            words: [Some(word), None],
        }
    }

    /// In the words that everybody shares.
    pub(crate) fn shown(&self) -> epicene_core::Finding {
        match self.gender {
            Some(NounGender::Masculine) => epicene_core::Finding::Masculine,
            Some(NounGender::Feminine) => epicene_core::Finding::Feminine,
            Some(NounGender::Neuter) => epicene_core::Finding::Neuter,
            Some(NounGender::Common) => match self.rule {
                BOTH_FORMS => epicene_core::Finding::Both,
                INCLUSIVE => epicene_core::Finding::Inclusive,
                _ => epicene_core::Finding::Common,
            },
            None if self.rule == NOT_ALIGNED => epicene_core::Finding::NotFound,
            None => epicene_core::Finding::Unmarked,
        }
    }

    pub(crate) fn with(mut self, other: Option<usize>) -> Finding {
        self.words[1] = other;
        self
    }
}

pub(crate) fn translates(sentence: &Sentence, at: usize, id: u16) -> bool {
    sentence.term(at, Some(id)).is_some()
        || sentence
            .noun(at, Some(id))
            .is_some_and(|noun| noun.translates)
}

pub(crate) fn find(sentence: &Sentence, id: u16) -> Vec<usize> {
    (0..sentence.len())
        .filter(|&at| translates(sentence, at, id))
        .collect()
}

/// A word that is no listed noun: its own class or ending, or its neighbours'.
pub(crate) fn other_word(sentence: &Sentence, at: usize) -> Finding {
    let word = sentence.word(at);
    match sentence.role(at) {
        Some(Role::Determiner(genders) | Role::Adjective(genders))
            if sentence.mode == JudgeMode::Published =>
        {
            return Finding::at(genders.single(), "agreeing word", at);
        }
        Some(Role::Determiner(_)) => return Finding::at(None, "no noun", at),
        Some(Role::Stop | Role::Copula | Role::Dative | Role::Skip) => {
            return Finding::at(None, "no noun", at);
        }
        _ => {}
    }
    if !sentence.is_word(at) {
        return Finding::at(None, "no noun", at);
    }
    let around = match sentence.grammar.common_gender {
        CommonGender::Fixed(_) if sentence.mode == JudgeMode::Published => Agreement::open(),
        _ => agreement(sentence, at),
    };
    if let Some((genders, _)) = sentence.lexicon.suffixes.find(word) {
        let contradicted = sentence.grammar.feminine_article_wins
            && around.genders == Genders::F
            && !(sentence.grammar.endings_decide && sentence.mode == JudgeMode::Published);
        match genders.single() {
            Some(NounGender::Masculine) if contradicted => {}
            Some(NounGender::Feminine) if genitive(sentence, at, around) => {
                return Finding::at(Some(NounGender::Masculine), "genitive", at).with(around.word);
            }
            Some(gender) => return Finding::at(Some(gender), "suffix", at),
            None => {
                let unmarked = sentence.grammar.common_gender == CommonGender::Unmarked;
                if unmarked && sentence.mode == JudgeMode::Published {
                    return Finding::at(None, "common gender", at);
                }
            }
        }
    }
    if let Some(gender) = around.genders.single() {
        return Finding::at(Some(gender), "agreement", at).with(around.word);
    }
    for endings in [
        &sentence.lexicon.adjective_suffixes,
        &sentence.lexicon.weak_suffixes,
    ] {
        let Some((genders, _)) = endings.find(word) else {
            continue;
        };
        if let Some(gender) = genders.and(around.genders).single() {
            return Finding::at(Some(gender), "weak suffix", at).with(around.word);
        }
    }
    Finding::at(None, "unknown word", at)
}

/// The one gender that noun and agreeing words leave, with the word that narrowed.
pub(crate) fn narrowed(
    sentence: &Sentence,
    at: usize,
    noun: Genders,
    around: Agreement,
) -> Option<(NounGender, Option<usize>)> {
    if let Some(gender) = noun.and(around.genders).single() {
        return Some((gender, around.word));
    }
    let (genders, word) = sentence
        .grammar
        .context
        .and_then(|read| read(sentence, at))?;
    let gender = noun.and(genders).single()?;
    Some((gender, Some(word)))
}

/// "от нового дилера": what looks like a feminine nominative is the genitive of a masculine noun
/// behind a preposition that governs it or an article in that case, masculine or neuter.
fn genitive(sentence: &Sentence, at: usize, around: Agreement) -> bool {
    let preposition = at > 0 && sentence.role(at - 1) == Some(Role::Dative);
    sentence.grammar.endings_decide
        && sentence.word(at).ends_with(['а', 'я', 'a'])
        && (preposition || around.genders == Genders::MN)
}
