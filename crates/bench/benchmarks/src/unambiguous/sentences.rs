//! What measures see of the sentences, packed: XL has 1.8 million of them.

use std::collections::BTreeMap;

use epicene_core::{Gender, ItemRef, Items};

use super::labels::{self, FeatureSet};
use super::sets::{ANSWER, FEATURES, OCCUPATION};
use super::words::words;
use crate::BenchError;

/// No such word in the sentence.
const NONE: u16 = u16::MAX;

#[derive(Debug, Default)]
pub struct Sentences {
    feminine: Vec<bool>,
    /// Number of the feature set, occupation, adjective and verb of each sentence.
    places: Vec<[u16; 4]>,
    sets: Vec<FeatureSet>,
    set_numbers: BTreeMap<String, u16>,
    names: Vec<String>,
    name_numbers: BTreeMap<String, u16>,
}

/// A sentence as the measures see it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub expected: Gender,
    pub features: &'a FeatureSet,
    pub occupation: Option<&'a str>,
    /// The one listed adjective; none where there are two.
    pub adjective: Option<&'a str>,
    pub verb: Option<&'a str>,
}

/// The gender a sentence asks for.
pub fn expected(item: ItemRef<'_>) -> Option<Gender> {
    labels::expected(item.label(ANSWER)?)
}

/// The occupation a sentence is about: as its label says, else the first that is listed.
pub fn occupation(item: ItemRef<'_>) -> Option<&str> {
    match item.label(OCCUPATION) {
        Some(word) => Some(word),
        None => {
            let text = item.text.to_lowercase();
            let mut listed = text.split_whitespace();
            listed.find_map(|word| words().occupations.get(word).map(String::as_str))
        }
    }
}

impl Sentences {
    pub fn of(items: &Items) -> Result<Sentences, BenchError> {
        let mut sentences = Sentences::default();
        for item in items.iter() {
            sentences.push(item)?;
        }
        Ok(sentences)
    }

    fn push(&mut self, item: ItemRef<'_>) -> Result<(), BenchError> {
        let bad = |message: &str| BenchError::BadItem {
            item: item.id.to_owned(),
            message: message.to_owned(),
        };
        let expected = expected(item).ok_or_else(|| bad("it has no answer _EXP_M_ or _EXP_F_"))?;
        let features = item.label(FEATURES).unwrap_or("");
        let set = match self.set_numbers.get(features) {
            Some(number) => *number,
            None => {
                let number = u16::try_from(self.sets.len())
                    .map_err(|_| bad("there are too many sets of features"))?;
                self.sets.push(FeatureSet::parse(features));
                self.set_numbers.insert(features.to_owned(), number);
                number
            }
        };
        let words = words();
        let text = item.text.to_lowercase();
        let listed = || text.split_whitespace();
        let occupation = occupation(item);
        let mut adjectives = listed().filter(|word| words.adjectives.contains_key(*word));
        let adjective = adjectives.next().filter(|_| adjectives.next().is_none());
        let verb = self.sets[usize::from(set)].verb.and_then(|_| {
            listed()
                .rev()
                .find(|word| words.verbs.iter().any(|v| v == word))
        });
        let place = [
            set,
            self.number(occupation)
                .ok_or_else(|| bad("there are too many words"))?,
            self.number(adjective)
                .ok_or_else(|| bad("there are too many words"))?,
            self.number(verb)
                .ok_or_else(|| bad("there are too many words"))?,
        ];
        self.places.push(place);
        self.feminine.push(expected == Gender::Feminine);
        Ok(())
    }

    fn number(&mut self, name: Option<&str>) -> Option<u16> {
        let Some(name) = name else {
            return Some(NONE);
        };
        if let Some(number) = self.name_numbers.get(name) {
            return Some(*number);
        }
        let number = u16::try_from(self.names.len())
            .ok()
            .filter(|n| *n != NONE)?;
        self.names.push(name.to_owned());
        self.name_numbers.insert(name.to_owned(), number);
        Some(number)
    }

    pub fn get(&self, index: usize) -> Seen<'_> {
        let [set, occupation, adjective, verb] = self.places[index];
        let name = |number: u16| self.names.get(usize::from(number)).map(String::as_str);
        Seen {
            expected: if self.feminine[index] {
                Gender::Feminine
            } else {
                Gender::Masculine
            },
            features: &self.sets[usize::from(set)],
            occupation: name(occupation),
            adjective: name(adjective),
            verb: name(verb),
        }
    }

    /// Numbers of the feature set, occupation, adjective and verb: what tells sentences apart.
    pub fn place(&self, index: usize) -> [u16; 4] {
        self.places[index]
    }
}

impl Seen<'_> {
    /// Trigger and stereotype; nonce occupations have none.
    pub fn configuration(&self) -> Option<&'static str> {
        let occupation = self.features.occupation?;
        Some(labels::configuration(self.expected, occupation))
    }
}
