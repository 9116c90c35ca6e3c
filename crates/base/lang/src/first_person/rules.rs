//! The rule kinds, and how each is applied to a sentence.
//!
//! A language is an ordered list of these; the first that finds a gender decides. The published
//! lists work on dependency trees (GEST, sections 4.3 and 4.4 of its specification); each kind
//! here predicts what its counterpart would conclude, or, in extended mode, goes beyond it.

use super::Mode;
use super::agreement::{Agreement, Counted};
use super::dropped;
use super::head::{self, Auxiliary, AuxiliaryKind};
use super::predicate::{Found, Predicate, predicate};
use super::romance::Romance;
use super::sentence::Sentence;
use super::strict;
use super::tags::Tags;
use crate::Gender;

/// One line of a language's list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleEntry {
    /// What a verdict calls it.
    pub(crate) name: &'static str,
    /// Smallest mode in which it applies.
    pub(crate) mode: Mode,
    pub(crate) rule: Rule,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// HEAD(w), w an auxiliary or a present copula.
    Auxiliary(Auxiliary),
    /// HEAD(w), w a subject pronoun.
    Subject(&'static str),
    /// HEAD(w), w an infinitive or future copula.
    Copula(Copula),
    /// PAIR(m, f): the words alone decide, the feminine first.
    Pair {
        masculine: &'static str,
        feminine: &'static str,
    },
    /// The same, but only in a phrase whose verb is in the first person.
    OwnPair {
        masculine: &'static str,
        feminine: &'static str,
    },
    /// SIB and SIBm: the past copula in the clause of the first `word`.
    Sibling {
        word: &'static str,
        masculine: &'static str,
        feminine: &'static str,
        masculine_first: bool,
    },
    /// A word that decides wherever it stands.
    Word { word: &'static str, gender: Gender },
    /// Croatian and Serbian `sam` when it means "alone", not "am".
    Alone(&'static str),
    /// A verb form with person and gender in its ending (Polish `zrobiłam`).
    Inflected,
    /// A conjunction with a personal ending, whose participle follows (`gdybym była`).
    Conjunction(&'static str),
    /// The adjective after a first-person verb of feeling or becoming (`czuję się silna`): the one
    /// verb given, else all that the data file lists.
    Feeling {
        word: Option<&'static str>,
        instrumental: bool,
    },
    /// The participle of any word that carries a first-person ending (`kdybych`, `żem`).
    Carried,
    /// An adjective beside the clause it describes ("Облечена в кожа, излязох"). Strict mode only.
    Adjunct,
    /// What is said of the speaker as an object, in Bulgarian ("ме направи щастлива"). Strict mode only.
    Object,
    /// What agrees with the speaker, in the languages of `agreement.rs`.
    Agreement(Agreement),
    /// A past tense or short adjective without any subject (Russian `Никогда не плакала`).
    Dropped,
    /// A form that agrees with the speaker of a Romance or Greek verb.
    Romance(Romance),
}

/// A copula that is no finite past or present form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copula {
    pub(crate) word: &'static str,
    /// Its adjective may stand in the instrumental.
    pub(crate) instrumental: bool,
    /// Counts only in a phrase whose verb is in the first person.
    pub(crate) first_person: bool,
}

impl RuleEntry {
    /// A rule of the published list.
    pub(crate) const fn published(name: &'static str, rule: Rule) -> RuleEntry {
        RuleEntry {
            name,
            mode: Mode::Published,
            rule,
        }
    }

    /// A rule beyond it.
    pub(crate) const fn extended(name: &'static str, rule: Rule) -> RuleEntry {
        RuleEntry {
            name,
            mode: Mode::Extended,
            rule,
        }
    }

    /// Whether it counts nouns for the speaker.
    pub(crate) fn is_of_nouns(&self) -> bool {
        matches!(
            self.rule,
            Rule::Romance(Romance::Noun)
                | Rule::Agreement(
                    Agreement::Complement(Counted::Persons)
                        | Agreement::VerbFinal(Counted::Persons)
                        | Agreement::Role(_)
                )
        )
    }

    /// A rule of the strict mode for Romance languages and Greek.
    pub(crate) const fn romance(name: &'static str, rule: Romance) -> RuleEntry {
        RuleEntry::strict(name, Rule::Romance(rule))
    }

    /// A rule of the strict mode in a language of `agreement.rs`.
    pub(crate) const fn agreement(name: &'static str, agreement: Agreement) -> RuleEntry {
        RuleEntry::strict(name, Rule::Agreement(agreement))
    }

    /// A rule of the strict mode.
    pub(crate) const fn strict(name: &'static str, rule: Rule) -> RuleEntry {
        RuleEntry {
            name,
            mode: Mode::Strict,
            rule,
        }
    }
}

impl Rule {
    /// HEAD of a first-person auxiliary.
    pub(crate) const fn auxiliary(word: &'static str) -> Rule {
        Rule::special_auxiliary(word, AuxiliaryKind::Plain)
    }

    /// HEAD of an auxiliary that fits every person.
    pub(crate) const fn any_person(word: &'static str) -> Rule {
        Rule::special_auxiliary(word, AuxiliaryKind::AnyPerson)
    }

    pub(crate) const fn special_auxiliary(word: &'static str, kind: AuxiliaryKind) -> Rule {
        Rule::Auxiliary(Auxiliary {
            word,
            first_person: !matches!(kind, AuxiliaryKind::AnyPerson),
            kind,
        })
    }

    pub(crate) const fn pair(masculine: &'static str, feminine: &'static str) -> Rule {
        Rule::Pair {
            masculine,
            feminine,
        }
    }

    pub(crate) const fn own_pair(masculine: &'static str, feminine: &'static str) -> Rule {
        Rule::OwnPair {
            masculine,
            feminine,
        }
    }

    /// Any listed verb of feeling.
    pub(crate) const fn feeling(instrumental: bool) -> Rule {
        Rule::Feeling {
            word: None,
            instrumental,
        }
    }

    /// "To be" and its like, where the clause is in the first person.
    pub(crate) const fn to_be(word: &'static str, instrumental: bool) -> Rule {
        Rule::Copula(Copula {
            word,
            instrumental,
            first_person: true,
        })
    }

    /// "Will be", and infinitives that the published lists do not tie to a person.
    pub(crate) const fn will_be(word: &'static str, instrumental: bool) -> Rule {
        Rule::Copula(Copula {
            word,
            instrumental,
            first_person: false,
        })
    }

    /// SIB: the feminine word is looked for first.
    pub(crate) const fn sibling(
        word: &'static str,
        masculine: &'static str,
        feminine: &'static str,
    ) -> Rule {
        Rule::Sibling {
            word,
            masculine,
            feminine,
            masculine_first: false,
        }
    }

    pub(crate) fn apply(self, sentence: &Sentence) -> Option<Found> {
        match self {
            Rule::Auxiliary(auxiliary) => first(sentence, auxiliary.word, |anchor| {
                head::of_auxiliary(sentence, anchor, auxiliary)
            }),
            Rule::Subject(word) => {
                first(sentence, word, |anchor| head::of_subject(sentence, anchor))
            }
            Rule::Copula(copula) => first(sentence, copula.word, |anchor| {
                if copula.first_person && !is_own_phrase(sentence, anchor) {
                    return None;
                }
                // The published rules do not ask for the number: "otroci morajo biti previdni" counts.
                let plural = if copula.first_person {
                    Tags::NONE
                } else {
                    Tags::PLURAL_M
                };
                head::of_infinitive(sentence, anchor, forms(copula.instrumental) | plural)
            }),
            Rule::Pair {
                masculine,
                feminine,
            } => word(sentence, feminine, Gender::Feminine)
                .or_else(|| word(sentence, masculine, Gender::Masculine)),
            Rule::OwnPair {
                masculine,
                feminine,
            } => {
                let own = |found: &Found| is_own_phrase(sentence, found.token);
                let female = word(sentence, feminine, Gender::Feminine).filter(own);
                female.or_else(|| word(sentence, masculine, Gender::Masculine).filter(own))
            }
            Rule::Sibling {
                word: anchor,
                masculine,
                feminine,
                masculine_first,
            } => {
                let anchor = sentence.find(anchor)?;
                let clause = sentence.tokens[anchor].clause;
                let beside = |copula: &str, gender| {
                    let found = word(sentence, copula, gender)?.at(anchor);
                    (sentence.tokens[found.token].clause == clause).then_some(found)
                };
                let male = beside(masculine, Gender::Masculine);
                let female = beside(feminine, Gender::Feminine);
                if masculine_first {
                    male.or(female)
                } else {
                    female.or(male)
                }
            }
            Rule::Word {
                word: wanted,
                gender,
            } => word(sentence, wanted, gender),
            Rule::Alone(masculine) => sentence
                .all(masculine)
                .find(|&token| stands_alone(sentence, token))
                .map(|token| Found::new(Gender::Masculine, token)),
            Rule::Inflected => (0..sentence.len()).find_map(|token| {
                let tags = sentence.tags(token);
                if tags.any(Tags::FIRST_M) {
                    Some(Found::new(Gender::Masculine, token))
                } else if tags.any(Tags::FIRST_F) {
                    Some(Found::new(Gender::Feminine, token))
                } else {
                    None
                }
            }),
            Rule::Conjunction(word) => {
                first(sentence, word, |anchor| conjunction(sentence, anchor))
            }
            Rule::Feeling { word, instrumental } => {
                let wanted = |index: usize| match word {
                    Some(word) => sentence.word(index) == word,
                    None => sentence.tags(index).any(Tags::FEEL),
                };
                let anchor = (0..sentence.len()).find(|&index| wanted(index))?;
                let end = sentence.phrase(anchor).end;
                match predicate(sentence, anchor + 1, end, forms(instrumental)) {
                    Predicate::Gendered(found) => Some(found.at(anchor)),
                    Predicate::Other(_) | Predicate::Nothing => None,
                }
            }
            Rule::Carried => (0..sentence.len())
                .filter(|&index| sentence.tags(index).any(Tags::CARRIER))
                .find_map(|index| Some(conjunction(sentence, index)?.at(index))),
            Rule::Adjunct => strict::adjunct(sentence),
            // No published list has them.
            Rule::Agreement(_) | Rule::Object => None,
            Rule::Dropped => dropped::subject(sentence),
            // Languages of the strict mode only.
            Rule::Romance(_) => None,
        }
    }
}

pub(crate) fn forms(instrumental: bool) -> Tags {
    if instrumental {
        Tags::ADJ_MF | Tags::INS_MF
    } else {
        Tags::ADJ_MF
    }
}

/// The first `anchor` word whose head shows a gender.
fn first(
    sentence: &Sentence,
    anchor: &str,
    head: impl Fn(usize) -> Option<Found>,
) -> Option<Found> {
    sentence
        .all(anchor)
        .find_map(|index| head(index).map(|found| found.at(index)))
}

fn word(sentence: &Sentence, word: &str, gender: Gender) -> Option<Found> {
    sentence.find(word).map(|token| Found::new(gender, token))
}

/// Whether the phrase of `index` has the pronoun "I" or a listed first-person verb, and no other
/// subject.
fn is_own_phrase(sentence: &Sentence, index: usize) -> bool {
    let mut own = false;
    for other in sentence.phrase(index) {
        let tags = sentence.tags(other);
        if tags.any(Tags::OTHER_SUBJECT) {
            return false;
        }
        own |= tags.any(Tags::FINITE | Tags::SPEAKER);
    }
    own
}

/// Whether `sam` stands beside a verb that needs no auxiliary: "živim sam", "sam rješavam".
pub(crate) fn stands_alone(sentence: &Sentence, token: usize) -> bool {
    let finite = Tags::FINITE | Tags::MAYBE_FINITE;
    let clause = sentence.clause(token);
    let before = (clause.start..token).next_back();
    let after = (token + 1..clause.end).find(|&index| !sentence.tags(index).any(Tags::CLITIC));
    before.is_some_and(|index| sentence.tags(index).any(finite | Tags::INFINITIVE))
        || after.is_some_and(|index| sentence.tags(index).any(finite))
}

pub(crate) fn conjunction(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    (anchor + 1..clause.end).find_map(|index| head::own_past(sentence, index))
}
