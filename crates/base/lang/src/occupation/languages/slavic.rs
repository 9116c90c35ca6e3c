//! What the Slavic languages share: past verbs show the gender of their subject.

use crate::occupation::gender::Genders;
use crate::occupation::lexicon::Role;
use crate::occupation::sentence::Sentence;

/// How many words may stand between a subject and its verb.
const REACH: usize = 4;

/// Gender of the past verb whose subject the noun is: "врач вчера сказала". The noun must be in
/// the form of a subject and not belong to the word before it; the search ends with the clause.
pub(crate) fn past_tense(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    if sentence
        .noun(noun, None)
        .is_some_and(|noun| noun.citation.is_empty())
    {
        return None;
    }
    if noun > 0 && belongs_to(sentence, noun - 1) {
        return None;
    }
    for at in noun + 1..sentence.len().min(noun + 1 + REACH) {
        if !sentence.is_word(at) {
            return None;
        }
        let ending = sentence.lexicon.predicate_suffixes.find(sentence.word(at));
        if let Some((genders, _)) = ending
            && sentence.role(at).is_none_or(|role| role == Role::Stop)
            && sentence.noun(at, None).is_none()
        {
            return Some((genders, at));
        }
    }
    None
}

/// The word may be a noun of which the next one is a genitive: "rada doradcy była".
fn belongs_to(sentence: &Sentence, at: usize) -> bool {
    let adjective = &sentence.lexicon.prenominal_suffixes;
    sentence.is_word(at)
        && sentence.role(at).is_none()
        && adjective.find(sentence.word(at)).is_none()
}

/// One apostrophe for the many that are written, no stress marks.
pub(crate) fn apostrophe(letter: char) -> Option<char> {
    Some(match letter {
        '’' | 'ʼ' | '‘' | '`' | '´' => '\'',
        '\u{301}' => return None,
        letter => letter,
    })
}
