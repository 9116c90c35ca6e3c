//! The building blocks of the rule lists (GEST, arXiv 2311.18711; rules of section 4).
//!
//! All of them compare whole tokens in lower case and look at UPOS, FEATS and HEAD only; number,
//! person and case are not checked, because the authors did not check them.

use super::sentence::{Sentence, SurfaceToken, Word};
use crate::Gender;
use crate::Gender::{Feminine, Masculine};

/// A gender, and the words that show it: the gendered word first, then the word that ties it to
/// the speaker where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding<'s> {
    pub(super) gender: Gender,
    pub(super) tokens: Vec<&'s SurfaceToken>,
}

impl<'s> Finding<'s> {
    fn new(gender: Gender, tokens: impl Into<Vec<&'s SurfaceToken>>) -> Finding<'s> {
        Finding {
            gender,
            tokens: tokens.into(),
        }
    }
}

/// HEAD(w): the gender of the verb, auxiliary, adjective or determiner that governs a `w`.
pub(super) fn head<'s>(sentence: &'s Sentence, text: &'s str) -> Option<Finding<'s>> {
    sentence.tokens_written(text).find_map(|token| {
        let (head_token, head) = sentence.word(token.word()?.head)?;
        if !matches!(head.upos.as_str(), "VERB" | "AUX" | "ADJ" | "DET") {
            return None;
        }
        Some(Finding::new(head.gender()?, [head_token, token]))
    })
}

/// PAIR(m, f): either word anywhere in the sentence; the feminine one wins.
pub(super) fn pair<'s>(
    sentence: &'s Sentence,
    masculine: &'s str,
    feminine: &'s str,
) -> Option<Finding<'s>> {
    let found = |text, gender| {
        let token = sentence.tokens_written(text).next()?;
        Some(Finding::new(gender, [token]))
    };
    found(feminine, Feminine).or_else(|| found(masculine, Masculine))
}

/// SIB(w, m, f) and, with `first` masculine, SIBm(w, m, f): the first `m` or `f` if it has the
/// same head as the first `w`. Later occurrences are not considered.
pub(super) fn sibling<'s>(
    sentence: &'s Sentence,
    text: &'s str,
    masculine: &'s str,
    feminine: &'s str,
    first: Gender,
) -> Option<Finding<'s>> {
    let token = sentence.tokens_written(text).next()?;
    let word = token.word()?;
    let found = |gender| {
        let text = match gender {
            Masculine => masculine,
            Feminine => feminine,
        };
        let sibling = sentence.tokens_written(text).next()?;
        let same_head = sibling.word()?.head == word.head;
        same_head.then(|| Finding::new(gender, [sibling, token]))
    };
    found(first).or_else(|| found(first.opposite()))
}

/// ADV(m, f): `f` anywhere; else the first `m` if it is an adverb. In Croatian and Serbian `sam`
/// is both "alone" (masculine) and "am".
pub(super) fn adverb<'s>(
    sentence: &'s Sentence,
    masculine: &'s str,
    feminine: &'s str,
) -> Option<Finding<'s>> {
    if let Some(token) = sentence.tokens_written(feminine).next() {
        return Some(Finding::new(Feminine, [token]));
    }
    let token = sentence.tokens_written(masculine).next()?;
    (token.word()?.upos == "ADV").then(|| Finding::new(Masculine, [token]))
}

/// GLUED (Belarusian): tokenizers sometimes leave `я` glued to the next word, blank included;
/// the gender of the first such token that has one.
pub(super) fn glued(sentence: &Sentence) -> Option<Finding<'_>> {
    const GLUED: &str = "я ";
    if !sentence.text.to_lowercase().contains(GLUED) {
        return None;
    }
    sentence
        .words()
        .filter(|(token, _)| token.lowercase.starts_with(GLUED))
        .find_map(|(token, word)| Some(Finding::new(word.gender()?, [token])))
}

/// MWT1 (Polish): past and conditional forms of the first person are multi-word tokens of a
/// participle and an ending (`zrobił` + `em`). The first such token alone decides: a neuter one
/// ends the search.
pub(super) fn first_person_multi_word(sentence: &Sentence) -> Option<Finding<'_>> {
    let (token, participle) = sentence.tokens.iter().find_map(|token| {
        let sub_words = token.sub_words()?;
        let (participle, ending) = (sub_words.first()?, sub_words.last()?);
        let decides = ending.is_first_person() && participle.has_gender_feature();
        decides.then_some((token, participle))
    })?;
    Some(Finding::new(participle.gender()?, [token]))
}

/// GDYBYM (Polish): the head of the conjunction inside `gdybym` ("if I"), whatever its UPOS.
pub(super) fn gdybym(sentence: &Sentence) -> Option<Finding<'_>> {
    sentence.tokens_written("gdybym").find_map(|token| {
        let conjunction = token.sub_words()?.first()?;
        let (head_token, head) = sentence.word(conjunction.head)?;
        Some(Finding::new(head.gender()?, [head_token, token]))
    })
}

/// CZUJE (Polish): an auxiliary or adjective that depends on the first `czuję` ("I feel").
pub(super) fn czuje(sentence: &Sentence) -> Option<Finding<'_>> {
    let token = sentence.tokens_written("czuję").next()?;
    let verb = token.word()?;
    let depends = |word: &Word| word.head == verb.id && matches!(&*word.upos, "AUX" | "ADJ");
    sentence
        .words()
        .filter(|(_, word)| depends(word))
        .find_map(|(dependent, word)| Some(Finding::new(word.gender()?, [dependent, token])))
}
