//! The strict mode: every sentence, every rule, and one answer or none.
//!
//! The published lists stop at the first gender they see, in the first sentence, and some of their
//! rules do not ask whose gender it is. Here a form counts only where a first-person singular
//! stands in its clause, everything found must agree, and a word written for both genders ("byl/a")
//! says that the speaker has none.

mod auxiliary;
mod clause;
mod object;
mod ownership;
mod predicates;
mod role;
mod sex;
mod subject;
mod words;

pub(crate) use clause::is_noun;
pub(crate) use predicates::adjunct;

use epicene_core::{Finding, Span, Verdict};

use super::Detector;
use super::dropped;
use super::nouns::{Nouns, Predicates};
use super::predicate::Found;
use super::rules::{Rule, RuleEntry, conjunction, forms, stands_alone};
use super::sentence::Sentence;
use super::tags::Tags;
use crate::Gender;
use crate::house::{both, shown, unmarked};

/// The rule a text is given that shows both genders.
const BOTH: &str = "both";

/// The gender all of `text` gives to the speaker.
pub(crate) fn judge(text: &str, detector: &Detector) -> Verdict {
    let mut found_in = Shown::default();
    for_sentences(text, detector, |sentence, by_lexicon| {
        found_in.read(sentence, detector, by_lexicon);
    });
    found_in.verdict()
}

/// The gender each sentence of `text` gives to the speaker.
pub(crate) fn each_sentence(text: &str, detector: &Detector, tell: &mut dyn FnMut(Verdict)) {
    for_sentences(text, detector, |sentence, by_lexicon| {
        if sentence.len() > 0 {
            let mut found_in = Shown::default();
            found_in.read(sentence, detector, by_lexicon);
            tell(found_in.verdict());
        }
    });
}

fn for_sentences(
    text: &str,
    detector: &Detector,
    mut read: impl FnMut(&Sentence, Option<&Predicates>),
) {
    let by_lexicon = match detector.nouns {
        Nouns::Lexicon => Predicates::of(detector.language, text),
        Nouns::Listed | Nouns::Off => None,
    };
    for sentence in Sentence::read_all(text, detector.grammar.folding, detector.lexicon) {
        read(&sentence, by_lexicon.as_ref());
    }
}

/// The first finding of each kind: its rule and its words.
#[derive(Default)]
struct Shown {
    masculine: Option<(&'static str, Vec<Span>)>,
    feminine: Option<(&'static str, Vec<Span>)>,
    both: Option<(&'static str, Vec<Span>)>,
}

impl Shown {
    /// Asks every rule about a sentence.
    fn read(&mut self, sentence: &Sentence, detector: &Detector, by_lexicon: Option<&Predicates>) {
        let counted = |line: &&RuleEntry| detector.nouns != Nouns::Off || !line.is_of_nouns();
        for line in detector.grammar.strict.iter().filter(counted) {
            line.rule.each(sentence, &mut |found| {
                if !ownership::is_disowned(sentence, found) {
                    self.add(sentence, line.name, found);
                }
            });
        }
        sex::each(sentence, &mut |found| self.add(sentence, "sex", found));
        words::bare(sentence, &mut |found| self.add(sentence, "bare", found));
        if detector.nouns != Nouns::Off {
            role::each(sentence, &mut |found| {
                if !ownership::is_disowned(sentence, found) {
                    self.add(sentence, "role", found);
                }
            });
        }
        if let Some(nouns) = by_lexicon {
            nouns.each(sentence, &mut |found| {
                self.add(sentence, "predicate noun", found);
            });
        }
    }

    fn add(&mut self, sentence: &Sentence, rule: &'static str, found: Found) {
        let place = match found.gender {
            _ if is_both(sentence, found.token) => &mut self.both,
            Gender::Masculine => &mut self.masculine,
            Gender::Feminine => &mut self.feminine,
        };
        if place.is_none() {
            *place = Some((rule, super::evidence(sentence, found)));
        }
    }

    fn verdict(self) -> Verdict {
        match (self.masculine, self.feminine, self.both) {
            (None, None, None) => unmarked(),
            (Some((rule, words)), None, None) => shown(Gender::Masculine, rule, words),
            (None, Some((rule, words)), None) => shown(Gender::Feminine, rule, words),
            (None, None, Some((_, words))) => both(BOTH, words),
            (masculine, feminine, both) => {
                let all = [masculine, feminine, both].into_iter().flatten();
                let mut words: Vec<Span> = all.flat_map(|(_, words)| words).collect();
                words.sort_unstable_by_key(|word| word.start);
                words.dedup();
                Verdict::new(Finding::Unmarked, BOTH).with_evidence(words)
            }
        }
    }
}

/// Whether the word is written for both genders, or its article is: "un*a studente", "ο/η μόνος".
fn is_both(sentence: &Sentence, index: usize) -> bool {
    let agreeing = Tags::DETERMINER | Tags::ADJ_MF | Tags::A_M | Tags::A_F;
    let before = index.checked_sub(1).is_some_and(|at| {
        let token = &sentence.tokens[at];
        token.both && token.tags.any(agreeing)
    });
    sentence.tokens[index].both || before
}

impl Rule {
    /// Every gender of the speaker that the rule finds.
    fn each(self, sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
        match self {
            Rule::Auxiliary(auxiliary) => anchored(sentence, auxiliary.word, tell, |anchor| {
                auxiliary::of_auxiliary(sentence, anchor, auxiliary)
            }),
            Rule::Subject(word) => anchored(sentence, word, tell, |anchor| {
                subject::of_subject(sentence, anchor)
            }),
            Rule::Copula(copula) => anchored(sentence, copula.word, tell, |anchor| {
                let forms = forms(copula.instrumental);
                if copula.first_person {
                    predicates::of_copula(sentence, anchor, forms)
                } else {
                    predicates::own_predicate(sentence, anchor, forms)
                }
            }),
            Rule::OwnPair {
                masculine,
                feminine,
            }
            | Rule::Pair {
                masculine,
                feminine,
            } => {
                let genders = [(Gender::Feminine, feminine), (Gender::Masculine, masculine)];
                for (gender, word) in genders {
                    let own = |token| words::own_word(sentence, token, gender);
                    sentence.all(word).filter_map(own).for_each(&mut *tell);
                }
            }
            Rule::Sibling {
                word,
                masculine,
                feminine,
                ..
            } => {
                let genders = [(Gender::Feminine, feminine), (Gender::Masculine, masculine)];
                for (gender, copula) in genders {
                    for token in sentence.all(copula) {
                        let phrase = sentence.phrase(token);
                        let other = Tags::OTHER_SUBJECT | Tags::THIRD;
                        let alone = !phrase.clone().any(|at| sentence.tags(at).any(other));
                        let beside = sentence.all(word).find(|anchor| phrase.contains(anchor));
                        if let Some(anchor) = beside.filter(|_| alone) {
                            tell(Found::new(gender, token).at(anchor));
                        }
                    }
                }
            }
            Rule::Word { word, gender } => sentence
                .all(word)
                .filter_map(|token| words::own_word(sentence, token, gender))
                .for_each(tell),
            Rule::Alone(masculine) => sentence
                .all(masculine)
                .filter(|&token| {
                    stands_alone(sentence, token) && words::is_own(sentence, token)
                        || auxiliary::is_alone(sentence, token)
                })
                .for_each(|token| tell(Found::new(Gender::Masculine, token))),
            Rule::Inflected => {
                for token in 0..sentence.len() {
                    let tags = sentence.tags(token);
                    if is_noun(sentence, token) {
                        continue;
                    }
                    if tags.any(Tags::FIRST_M) {
                        tell(Found::new(Gender::Masculine, token));
                    } else if tags.any(Tags::FIRST_F) {
                        tell(Found::new(Gender::Feminine, token));
                    }
                }
            }
            Rule::Conjunction(word) => {
                anchored(sentence, word, tell, |anchor| conjunction(sentence, anchor))
            }
            Rule::Feeling { instrumental, .. } => {
                for anchor in 0..sentence.len() {
                    if sentence.tags(anchor).any(Tags::FEEL | Tags::CONSIDER)
                        && let Some(found) =
                            predicates::of_feeling(sentence, anchor, forms(instrumental))
                    {
                        tell(found.at(anchor));
                    }
                }
            }
            Rule::Agreement(agreement) => agreement.each(sentence, tell),
            Rule::Carried => {
                for anchor in 0..sentence.len() {
                    if sentence.tags(anchor).any(Tags::CARRIER)
                        && let Some(found) = auxiliary::of_carrier(sentence, anchor)
                    {
                        tell(found.at(anchor));
                    }
                }
            }
            Rule::Adjunct => adjunct(sentence).into_iter().for_each(tell),
            Rule::Object => object::each(sentence, tell),
            Rule::Dropped => dropped::beside_own(sentence).into_iter().for_each(tell),
            Rule::Romance(romance) => romance.each(sentence, tell),
        }
    }
}

/// What `head` finds at each `anchor` word.
fn anchored(
    sentence: &Sentence,
    anchor: &str,
    tell: &mut dyn FnMut(Found),
    head: impl Fn(usize) -> Option<Found>,
) {
    for index in sentence.all(anchor) {
        if let Some(found) = head(index) {
            tell(found.at(index));
        }
    }
}
