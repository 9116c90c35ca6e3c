//! Italian: elided articles hide the gender of common-gender nouns, so that predicates and
//! object pronouns behind the noun are asked too; taggers leave such nouns without gender.

use super::{CommonGender, Grammar, Language};
use crate::occupation::gender::Genders;
use crate::occupation::lexicon::Role;
use crate::occupation::predicate::any_predicate;
use crate::occupation::sentence::Sentence;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    elision: true,
    common_gender: CommonGender::Unmarked,
    feminine_article_wins: true,
    context: Some(context),
    articles: true,
    ..Grammar::plain("it", packed!("it/occupations.txt"))
});

fn context(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    object_pronoun(sentence, noun).or_else(|| any_predicate(sentence, noun))
}

/// "ha parlato con l'insegnante e le ha detto": a dative pronoun in front of its verb, or a
/// participle that agrees with "l'" ("l'ha invitata"), behind a noun that is not the subject.
fn object_pronoun(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    if noun < 2 {
        return None;
    }
    (noun + 1..sentence.len()).find_map(|at| {
        if !matches!(sentence.word(at + 1), "ha" | "aveva" | "hanno" | "avevano") {
            return None;
        }
        match sentence.word(at) {
            "le" => Some((Genders::F, at)),
            "gli" => Some((Genders::M, at)),
            "l'" => match sentence.role(at + 2) {
                Some(Role::Adjective(genders)) => Some((genders, at + 2)),
                _ => {
                    let word = sentence.word(at + 2);
                    let (genders, _) = sentence.lexicon.predicate_suffixes.find(word)?;
                    Some((genders, at + 2))
                }
            },
            _ => None,
        }
    })
}
