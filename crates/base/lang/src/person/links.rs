//! Which word of a translation stands for a person of its source.
//!
//! An aligner that learns from the run's own lines misses what it saw once or twice. Here the lexicons
//! speak first: translations of the noun asked for, less what translates another person of the same
//! sentence; then what the aligner learnt, words that name persons at all, and how far a word stands
//! from where the source has its noun.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::both_genders::between;
use super::cognate::is_cognate;
use super::english::English;
use super::phrase::agreeing_before;
use super::view::{Kind, PersonNoun, View};
use crate::align::{Alignments, Link, ParallelText, Symmetry, align};
use crate::occupation::{Genders, OccupationJudge, Token, both_forms};

/// A person of an English sentence, and the sentence's translation.
#[derive(Debug, Clone, Copy)]
pub struct PersonPair<'a> {
    pub source: &'a str,
    /// The noun's place among the words between white space, of several words the first.
    pub index: usize,
    /// The noun as the sentence has it, one word or more.
    pub noun: &'a str,
    pub translation: &'a str,
}

/// Words of sources that a lexicon knows as nouns, and those that none knows: they come again and again.
type Nouns<'a> = HashMap<&'a str, Option<English>>;

/// Stems of an English noun and of a word that more than one translation links to it.
type Repeated = HashSet<(String, String)>;

/// Words are alike whose first letters are: inflected forms of one word, mostly.
const STEM: usize = 6;

/// What a candidate must at least have to be linked.
const LEAST: f64 = 1.0;

/// Two translations of the noun with different genders are tied if they are no further apart.
const TIE: f64 = 1.0;

impl OccupationJudge {
    /// Words of each translation (by [`OccupationJudge::tokens`]) that stand for the person; none where
    /// nothing in the translation can. Learns from the pairs themselves.
    pub fn link_persons(&self, pairs: &[PersonPair<'_>]) -> Vec<Vec<usize>> {
        let learnt = self.learn(pairs);
        let links: Vec<&[Link]> = learnt.iter().collect();
        let repeated = self.repeated(pairs, &links);
        self.linked(pairs, &links, Some(&repeated))
    }

    /// The same with another aligner's links, from words between white space to tokens, one list for
    /// each pair.
    pub fn link_persons_by(
        &self,
        pairs: &[PersonPair<'_>],
        links: &[Vec<Link>],
    ) -> Vec<Vec<usize>> {
        let links: Vec<&[Link]> = links.iter().map(Vec::as_slice).collect();
        self.linked(pairs, &links, None)
    }

    /// Pairs of stems that more than one translation links: what is seen once, an aligner that learns from few lines
    /// has guessed.
    fn repeated(&self, pairs: &[PersonPair<'_>], links: &[&[Link]]) -> Repeated {
        let mut seen: HashMap<(String, String), Option<&str>> = HashMap::new();
        for (pair, links) in pairs.iter().zip(links) {
            let tokens = self.tokens(pair.translation);
            for link in links
                .iter()
                .filter(|link| spans(pair).contains(&(link.source as usize)))
            {
                let Some(token) = tokens.get(link.target as usize) else {
                    continue;
                };
                let key = (stem(pair.noun), stem(&token.text));
                let first = seen.entry(key).or_insert(Some(pair.translation));
                if *first != Some(pair.translation) {
                    *first = None;
                }
            }
        }
        seen.retain(|_, first| first.is_none());
        seen.into_keys().collect()
    }

    fn linked(
        &self,
        pairs: &[PersonPair<'_>],
        links: &[&[Link]],
        repeated: Option<&Repeated>,
    ) -> Vec<Vec<usize>> {
        let pairs = pairs.par_iter().zip(links);
        pairs
            .map_init(Nouns::new, |nouns, (pair, links)| {
                let words = words(pair.source);
                let tokens = self.tokens(pair.translation);
                let span = spans(pair);
                let learnt: Vec<usize> = links
                    .iter()
                    .filter(|link| span.contains(&(link.source as usize)))
                    .map(|link| link.target as usize)
                    .collect();
                let guessed: Vec<usize> = match repeated {
                    Some(repeated) => learnt
                        .iter()
                        .copied()
                        .filter(|at| {
                            let token = tokens.get(*at).map_or("", |token| &*token.text);
                            !repeated.contains(&(stem(pair.noun), stem(token)))
                        })
                        .collect(),
                    None => Vec::new(),
                };
                let found = self.link_person(&words, pair, &tokens, [&learnt, &guessed], nouns);
                found.into_iter().collect()
            })
            .collect()
    }

    fn learn(&self, pairs: &[PersonPair<'_>]) -> Alignments {
        let mut text = ParallelText::default();
        for pair in pairs {
            let tokens = self.tokens(pair.translation);
            text.push_words(
                words(pair.source).iter().map(|word| stem(word)),
                tokens.iter().map(|token| stem(&token.text)),
            );
        }
        align(&text, Symmetry::GrowDiagFinalAnd)
    }

    fn link_person<'a>(
        &self,
        words: &[&'a str],
        pair: &PersonPair<'_>,
        tokens: &[Token],
        [learnt, guessed]: [&[usize]; 2],
        nouns: &mut Nouns<'a>,
    ) -> Option<usize> {
        let mut view = self.view(tokens, pair.noun);
        let mut own = view.translations();
        own.extend((0..tokens.len()).filter(|&at| view.is_name(at)));
        let mut others: Vec<(usize, usize)> = Vec::new();
        let count = pair.noun.split_whitespace().count().max(1);
        for (at, word) in words.iter().enumerate() {
            if (pair.index..pair.index + count).contains(&at) || word.len() < 3 {
                continue;
            }
            let noun = nouns.entry(word).or_insert_with(|| {
                let english = English::new(word);
                let known = self.ask(&mut view, &english);
                known.then_some(english)
            });
            if let Some(english) = noun {
                self.ask(&mut view, english);
                others.extend(view.translations().into_iter().map(|target| (at, target)));
            }
        }
        self.ask(&mut view, &English::new(pair.noun));
        let place = |at: usize, length: usize| (at as f64 + 0.5) / length.max(1) as f64;
        let wanted = place(pair.index, words.len());
        let far = |target: usize, source: f64| (place(target, tokens.len()) - source).abs();
        let cognate: Vec<bool> = (0..tokens.len())
            .map(|at| is_cognate(pair.noun, &tokens[at].text, at == 0))
            .collect();
        let score = |at: usize| {
            let mut score = -4.0 * far(at, wanted);
            if own.contains(&at) {
                score += 5.0;
            } else if cognate[at] {
                score += 2.0;
            }
            // Another person of the sentence whom the word translates, and who stands nearer.
            let taken = others.iter().any(|(source, target)| {
                *target == at
                    && (!own.contains(&at)
                        || far(at, place(*source, words.len())) < far(at, wanted))
            });
            if taken {
                score -= 4.0;
            }
            if learnt.contains(&at) {
                score += 2.0;
            } else if learnt.iter().any(|other| other.abs_diff(at) == 1) {
                score += 0.5;
            }
            score + kind(&view, at)
        };
        let known = view.is_known();
        // Where the English noun is known, a word that no lexicon has needs more than its ending and a guess.
        let names = |at: usize| {
            if is_inclusive(&view, at) {
                return true;
            }
            let noun = view.listed(at).or_else(|| view.by_ending(at));
            if cognate[at] {
                return noun.is_none_or(|noun| noun.kind != Kind::Thing);
            }
            let linked = learnt.contains(&at) && !guessed.contains(&at);
            match noun.map(|noun| noun.kind) {
                Some(Kind::Thing) => false,
                Some(Kind::Person) if noun.is_some_and(|noun| noun.certain) => true,
                Some(Kind::Ending(5..)) => true,
                Some(Kind::Person | Kind::Ending(4..)) => !known || learnt.contains(&at),
                Some(Kind::Ending(3..)) => !known || linked,
                Some(Kind::Ending(_)) | None => !known && learnt.contains(&at) || linked,
            }
        };
        let candidates = (0..tokens.len()).filter(|&at| {
            view.is_word(at)
                && (own.contains(&at)
                    || view.is_open(at)
                        && !view.is_vetoed(at)
                        && may_be_noun(&view, at)
                        && names(at))
        });
        let candidates: Vec<(f64, usize)> = candidates.map(|at| (score(at), at)).collect();
        let mut best: Option<(f64, usize)> = None;
        for &(score, at) in &candidates {
            if score >= LEAST && best.is_none_or(|(known, _)| score > known) {
                best = Some((score, at));
            }
        }
        // "Пассажир ударил ножом пассажирку" for a porter and a passenger: which of the two is meant, nothing says.
        if let Some((top, at)) = best.filter(|(_, at)| own.contains(at)) {
            let gender = gender(&view, at);
            let tied = candidates.iter().any(|&(score, other)| {
                let (one, another) = (gender, self::gender(&view, other));
                top - score <= TIE
                    && own.contains(&other)
                    && !is_pair(&view, at.min(other), at.max(other))
                    && one.is_some()
                    && another.is_some()
                    && one != another
            });
            if tied {
                return None;
            }
        }
        // "Juriul", "Žiri": a group has no noun for a person; what is learnt stands for it.
        let group = || {
            let open = |at: &&usize| **at < tokens.len() && view.is_open(**at);
            learnt.iter().find(open).copied()
        };
        match best {
            Some((_, at)) => Some(at),
            None if view.of_group => group(),
            None => only_person(&view, &others),
        }
    }
}

/// "Сотрудник моего отца" for "my father's co-worker": the one noun for a person that translates nobody else, wherever it
/// stands; of nouns that only end as such, one that fits in number.
fn only_person(view: &View, others: &[(usize, usize)]) -> Option<usize> {
    let free = |at: &usize| {
        view.is_open(*at)
            && !view.is_vetoed(*at)
            && may_be_noun(view, *at)
            // "La porte s'est ouverte": by its ending alone a participle is no noun.
            && (view.listed(*at).is_some()
                || view.words.rules.predicates.find(view.word(*at)).is_none())
            && others.iter().all(|(_, target)| target != at)
    };
    let only = |wanted: &dyn Fn(&PersonNoun) -> bool| {
        let found = |at: &usize| {
            let noun = view.listed(*at).or_else(|| view.by_ending(*at));
            let fits =
                |noun: &PersonNoun| noun.epicene || noun.cells.numbers().and(view.number).is_some();
            noun.is_some_and(|noun| wanted(&noun) && fits(&noun))
        };
        let mut all = (0..view.len()).filter(free).filter(found);
        all.next().filter(|_| all.next().is_none())
    };
    // German compounds and Hindi nouns for things end like those for persons.
    let grammar = view.sentence.grammar;
    let ends = |noun: &PersonNoun| {
        let clear = match noun.kind {
            Kind::Ending(5..) => true,
            Kind::Ending(4) => !noun.citation.is_empty(),
            _ => false,
        };
        clear && !noun.epicene && !grammar.compounds && !grammar.head_final
    };
    let person = |noun: &PersonNoun| noun.kind == Kind::Person && noun.certain;
    only(&|noun| person(noun) && !noun.epicene && !grammar.head_final)
        .or_else(|| only(&ends))
        // "Osoby studiujące" for students
        .or_else(|| only(&|noun| person(noun) && noun.epicene))
}

/// Words of the source that the noun has.
fn spans(pair: &PersonPair<'_>) -> Range<usize> {
    let count = pair.noun.split_whitespace().count().max(1);
    pair.index..pair.index + count
}

/// "Ruheständler*innen": nothing but a noun for people is written for both genders.
fn is_inclusive(view: &View, at: usize) -> bool {
    let text = view.tokens.get(at).map_or("", |token| &*token.text);
    both_forms::first(view.word(at)).is_some()
        || both_forms::is_binnen_i(text)
        || view.in_place_of_ending(at).is_some()
}

/// "Учитель или учительница", "الطلاب والطالبات": two forms for the same people.
fn is_pair(view: &View, first: usize, second: usize) -> bool {
    second - first <= 2 || (first..second).any(|at| between(view, at).is_some())
}

/// The one gender of a noun for a person.
fn gender(view: &View, at: usize) -> Option<Genders> {
    let noun = view.listed(at).or_else(|| view.by_ending(at))?;
    let genders = noun.cells.genders();
    [Genders::M, Genders::F]
        .into_iter()
        .find(|one| *one == genders)
}

/// How much a word looks like a noun for a person, in the number asked for.
fn kind(view: &View, at: usize) -> f64 {
    let noun = view.listed(at).or_else(|| view.by_ending(at));
    if is_inclusive(view, at) {
        return 2.0;
    }
    let Some(noun) = noun else { return -0.5 };
    let number = match noun.cells.numbers().and(view.number) {
        Some(_) => 0.0,
        None => -1.0,
    };
    // A group or institution stands for somebody only if nothing else can.
    let group = if noun.epicene && !noun.translates {
        -1.0
    } else {
        0.0
    };
    number
        + group
        + match noun.kind {
            Kind::Person => 2.0,
            Kind::Ending(4..) => 1.75,
            Kind::Ending(3) => 1.0,
            Kind::Ending(_) => -0.25,
            Kind::Thing => -2.0,
        }
}

/// Words between white space without the marks around them.
fn words(source: &str) -> Vec<&str> {
    let words = source.split_whitespace();
    // A mark that stands alone stays, so that places keep their numbers.
    words
        .map(
            |word| match word.trim_matches(|letter: char| !letter.is_alphanumeric()) {
                "" => word,
                bare => bare,
            },
        )
        .collect()
}

fn stem(word: &str) -> String {
    word.to_lowercase().chars().take(STEM).collect()
}

/// German writes its nouns large: a small word is none.
fn may_be_noun(view: &View, at: usize) -> bool {
    let grammar = view.sentence.grammar;
    if grammar.compounds {
        return view.is_capital(at);
    }
    !grammar.feminine_predicate_wins || view.listed(at).is_some() || !is_attribute(view, at)
}

/// An adjective before its noun, or a genitive behind the noun for a person that it belongs to ("работница гастронома").
fn is_attribute(view: &View, at: usize) -> bool {
    let adjective = agreeing_before(view, at).is_some() && view.is_open(at + 1);
    let genitive = at > 0 && view.is_person(at - 1) && agreeing_before(view, at - 1).is_none();
    adjective || genitive
}
