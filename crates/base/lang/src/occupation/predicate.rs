//! Evidence outside the noun phrase: adjectives and participles predicated of the noun.

use super::gender::Genders;
use super::lexicon::Role;
use super::sentence::Sentence;

/// How far behind the noun its copula may stand.
const NEAR: usize = 3;

/// A predicate of the noun itself: "mi asistente es muy guapa".
pub(crate) fn own_predicate(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    (noun + 1..sentence.len().min(noun + 1 + NEAR))
        .take_while(|&at| sentence.is_word(at))
        .find(|&at| sentence.role(at) == Some(Role::Copula))
        .and_then(|copula| predicate_at(sentence, copula))
}

/// The first predicate anywhere behind the noun: "l'insegnante, perché era entrata". For
/// languages that drop the subject pronoun.
pub(crate) fn any_predicate(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    (noun + 1..sentence.len())
        .filter(|&at| sentence.role(at) == Some(Role::Copula))
        .find_map(|copula| predicate_at(sentence, copula))
}

/// The agreeing word behind a copula: the last of a chain ("è sempre stato onesto"), not an
/// adjective in front of a noun ("es su guapa hermana").
fn predicate_at(sentence: &Sentence, copula: usize) -> Option<(Genders, usize)> {
    let mut found = None;
    for at in copula + 1..sentence.len() {
        match sentence.role(at) {
            Some(Role::Skip | Role::Copula) => continue,
            Some(Role::Adjective(genders)) => found = Some((genders, at)),
            Some(_) => break,
            None => {
                if !sentence.is_word(at) {
                    break;
                }
                if sentence.noun(at, None).is_some() {
                    return None;
                }
                match sentence.lexicon.predicate_suffixes.find(sentence.word(at)) {
                    Some((genders, _)) => found = Some((genders, at)),
                    None => break,
                }
            }
        }
    }
    found.filter(|(genders, _)| genders.single().is_some())
}
