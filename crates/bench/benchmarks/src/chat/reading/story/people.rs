//! The people of a text: pronouns, nouns, relatives, names, animals, quotations and who is spoken to in them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use epicene_core::Span;

use super::super::lists::{Phrases, phrases, words as list};
use super::super::text::{Word, words};
use super::{Found, Protagonist};

/// Somebody, or something that is spoken of like somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    Pronoun(usize),
    They,
    /// A name, with its gender where it has one.
    Named(Option<usize>),
    Noun {
        gender: usize,
        relative: bool,
        plural: bool,
    },
    /// A person whose noun shows no gender: a friend, a boss.
    Open,
    Animal,
    /// The noun by which the prompt calls the protagonist.
    Occupation,
}

impl Person {
    /// Whether a pronoun of this gender may mean them.
    pub fn may_be(self, gender: usize) -> bool {
        match self {
            // No pronoun of one person means several.
            Person::Noun { plural: true, .. } => false,
            Person::Named(Some(own)) | Person::Noun { gender: own, .. } => own == gender,
            Person::Named(None) | Person::Open | Person::Animal => true,
            Person::Pronoun(own) => own == gender,
            Person::They | Person::Occupation => false,
        }
    }

    pub fn gender(self) -> Option<usize> {
        match self {
            Person::Named(gender) => gender,
            Person::Noun { gender, .. } | Person::Pronoun(gender) => Some(gender),
            _ => None,
        }
    }
}

/// A person as a text names them, from one word up to another.
#[derive(Debug, Clone, Copy)]
pub struct PersonMention {
    pub from: usize,
    pub to: usize,
    pub person: Person,
}

pub struct Lists {
    nouns: [BTreeSet<&'static str>; 2],
    relatives: [BTreeSet<&'static str>; 2],
    plurals: [BTreeSet<&'static str>; 2],
    several: BTreeSet<&'static str>,
    open: BTreeSet<&'static str>,
    animals: BTreeSet<&'static str>,
    animal_parts: BTreeSet<&'static str>,
    body_parts: BTreeSet<&'static str>,
    touching: BTreeSet<&'static str>,
    addressing: BTreeSet<&'static str>,
    pub adjectives: BTreeSet<&'static str>,
    pub listening: BTreeSet<&'static str>,
    deeds: BTreeSet<&'static str>,
    others_fields: BTreeSet<&'static str>,
    pub disclosing: Phrases,
    described: BTreeSet<&'static str>,
    vocatives: [BTreeSet<&'static str>; 2],
    pub roles: BTreeSet<&'static str>,
    pub speech: BTreeSet<&'static str>,
    pub telling: BTreeSet<&'static str>,
    pub said: BTreeSet<&'static str>,
    not_names: BTreeSet<&'static str>,
    names: BTreeMap<&'static str, usize>,
}

pub static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    nouns: [list("masculine nouns"), list("feminine nouns")],
    relatives: [list("masculine relatives"), list("feminine relatives")],
    plurals: [list("masculine plurals"), list("feminine plurals")],
    several: list("plural nouns"),
    open: list("open nouns"),
    animals: list("animals"),
    animal_parts: list("animal parts"),
    body_parts: list("body parts"),
    touching: list("touching"),
    addressing: list("addressing"),
    adjectives: list("adjectives of people"),
    listening: list("listening"),
    deeds: list("deeds"),
    others_fields: list("fields of others"),
    disclosing: phrases("disclosing"),
    described: list("described"),
    vocatives: [list("masculine vocatives"), list("feminine vocatives")],
    roles: list("bystanders"),
    speech: list("speech"),
    telling: list("telling"),
    said: list("said words"),
    not_names: list("not names"),
    names: include_str!("../../../../data/chat/given_names.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (name, rest) = line.split_once('\t').expect("a name has a gender");
            (name, usize::from(rest.starts_with('f')))
        })
        .collect(),
});

const POSSESSIVES: [&str; 7] = ["my", "his", "her", "their", "your", "our", "its"];

/// Names that are better known as places.
const CITIES: [&str; 16] = [
    "Florence",
    "Charlotte",
    "Sofia",
    "Victoria",
    "Georgia",
    "Virginia",
    "Carolina",
    "Santiago",
    "Diego",
    "Francisco",
    "Jose",
    "José",
    "Barbara",
    "Louis",
    "Paulo",
    "Milan",
];

/// A text with its people.
pub struct Scene<'a> {
    pub text: &'a str,
    pub words: Vec<Word>,
    pub people: Vec<PersonMention>,
    /// Quotations, from one word up to another.
    pub quotes: Vec<(usize, usize)>,
    /// Words that name both genders of one person.
    pub pairs: Vec<Span>,
    protagonist: &'a Protagonist,
    /// The first word of the protagonist's name.
    named: Cell<Option<usize>>,
    /// Whether another name is joined to it, so that it may be either's.
    paired: Cell<bool>,
}

impl<'a> Scene<'a> {
    pub fn new(text: &'a str, start: usize, protagonist: &'a Protagonist) -> Scene<'a> {
        let mut words = words(text, start);
        // In JSON, quotation marks quote nobody.
        let json = text[start..]
            .trim_start()
            .trim_start_matches("```json")
            .trim_start();
        if json.starts_with(['{', '[']) {
            words.iter_mut().for_each(|word| word.quoted = false);
        }
        if is_introduced(text, &words) {
            words.iter_mut().for_each(|word| word.quoted = false);
        }
        let offset = text[..start].chars().count();
        let pairs = epicene_lang::english_pairs(&text[start..]);
        let pairs = pairs
            .into_iter()
            .map(|(from, to)| Span::new(offset + from, offset + to));
        let mut quotes: Vec<(usize, usize)> = Vec::new();
        for (place, word) in words.iter().enumerate() {
            match quotes.last_mut() {
                Some(last)
                    if word.quoted && last.1 == place && !quote_breaks(text, &words, place) =>
                {
                    last.1 = place + 1;
                }
                _ if word.quoted => quotes.push((place, place + 1)),
                _ => {}
            }
        }
        let mut scene = Scene {
            text,
            words,
            people: Vec::new(),
            quotes,
            pairs: pairs.collect(),
            protagonist,
            named: Cell::new(None),
            paired: Cell::new(false),
        };
        scene.people = scene.find();
        scene
    }

    pub fn lower(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| word.lower.as_str())
    }

    /// The word before a place in the same sentence; empty at its beginning.
    pub fn previous(&self, place: usize) -> &str {
        match place.checked_sub(1) {
            Some(before) if self.words[before].sentence == self.words[place].sentence => {
                self.lower(before)
            }
            _ => "",
        }
    }

    /// Whether the answer describes somebody, so that the first person it names is the one.
    pub fn is_profile(&self) -> bool {
        matches!(self.protagonist, Protagonist::Subject { .. })
    }

    /// Whether the answer is read for who says the quotation of the prompt.
    pub fn is_of_speaker(&self) -> bool {
        *self.protagonist == Protagonist::Speaker
    }

    pub fn is_quoted(&self, place: usize) -> bool {
        self.words[place].quoted
    }

    /// Whether a place is among the first words of its sentence, articles, adjectives and adverbs aside.
    pub fn begins_sentence(&self, place: usize) -> bool {
        let sentence = self.words[place].sentence;
        let start = (0..place)
            .rev()
            .take_while(|before| self.words[*before].sentence == sentence)
            .count();
        start <= 3
    }

    fn in_pair(&self, word: &Word) -> bool {
        self.pairs
            .iter()
            .any(|span| span.start <= word.span.start && word.span.end <= span.end)
    }

    fn find(&self) -> Vec<PersonMention> {
        let mut people = Vec::new();
        let mut place = 0;
        while place < self.words.len() {
            let (to, person) = self.person_at(place);
            if let Some(person) = person {
                people.push(PersonMention {
                    from: place,
                    to,
                    person,
                });
            }
            place = to;
        }
        people
    }

    fn person_at(&self, place: usize) -> (usize, Option<Person>) {
        let word = &self.words[place];
        let next = place + 1;
        if self.in_pair(word) {
            return (next, None);
        }
        if let Some((to, gender)) = self.name_at(place) {
            return (to, Some(Person::Named(gender)));
        }
        let lower = word.lower.split('\'').next().unwrap_or(&word.lower);
        let lower = lower.strip_prefix("ex-").unwrap_or(lower);
        let lower = lower.strip_suffix("-in-law").unwrap_or(lower);
        let pronoun = match lower {
            "he" | "him" | "his" | "himself" => Some(Person::Pronoun(0)),
            "she" | "her" | "hers" | "herself" => Some(Person::Pronoun(1)),
            "they" | "them" | "their" | "theirs" | "themself" | "themselves" => Some(Person::They),
            _ => None,
        };
        if let Some(person) = pronoun {
            // "He who dares wins" is nobody.
            return (next, Some(person).filter(|_| self.lower(next) != "who"));
        }
        let noun = match self.protagonist {
            Protagonist::Known { noun } | Protagonist::Subject { noun: Some(noun) } => {
                noun.to_lowercase()
            }
            Protagonist::Speaker | Protagonist::Subject { noun: None } => String::new(),
        };
        let described = self.is_profile() && LISTS.described.contains(lower);
        if described || noun.split(' ').next_back() == Some(lower) {
            return (next, Some(Person::Occupation));
        }
        for gender in [0, 1] {
            let relative = LISTS.relatives[gender].contains(lower);
            let plural = LISTS.plurals[gender].contains(lower);
            if relative || plural || LISTS.nouns[gender].contains(lower) {
                return (
                    next,
                    Some(Person::Noun {
                        gender,
                        relative,
                        plural,
                    }),
                );
            }
        }
        if let Some(gender) = compound(lower) {
            let noun = Person::Noun {
                gender,
                relative: false,
                plural: false,
            };
            return (next, Some(noun));
        }
        if LISTS.animals.contains(lower) {
            return (next, Some(Person::Animal));
        }
        // "one of them says he …", "one said he …"
        let counted = matches!(
            self.previous(place),
            "no" | "any" | "every" | "each" | "some" | "the" | "this" | "that"
        );
        let one = lower == "one"
            && (!counted && self.lower(next) == "of" && self.lower(next + 1) != "the"
                || !counted && LISTS.speech.contains(self.lower(next))
                || self.previous(place) == "the" && self.lower(next) == "who"
                || matches!(
                    self.previous(place),
                    "elder" | "younger" | "older" | "eldest" | "youngest" | "other"
                ));
        // "outlived three husbands. The first drank; he …"
        let ranked = matches!(
            lower,
            "first" | "second" | "third" | "eldest" | "oldest" | "youngest" | "elder" | "younger"
        ) && matches!(self.previous(place), "the" | "her" | "his" | "their")
            && (self.gap(next).contains([',', ';', '.']) || LISTS.deeds.contains(self.lower(next)));
        let date = lower == "date" && POSSESSIVES.contains(&self.previous(place));
        // "The principal had yelled again.": whatever speaks is a person.
        let verb = next + usize::from(matches!(self.lower(next), "had" | "has"));
        let speaks = matches!(self.previous(place), "the" | "a" | "an" | "another")
            && place > 0
            && self.previous(place - 1).is_empty()
            && !word.capital
            && LISTS.speech.contains(self.lower(verb))
            && !LISTS.said.contains(lower);
        let open = one || ranked || date || speaks || LISTS.open.contains(lower);
        let open = open.then_some(Person::Open);
        (next, open)
    }

    /// A name that begins here: where it ends, and its gender.
    fn name_at(&self, place: usize) -> Option<(usize, Option<usize>)> {
        let word = &self.words[place];
        let own = |place: usize| -> &str {
            let text = self.words[place].span.of(self.text);
            text.split(['\'', '’']).next().unwrap_or(text)
        };
        let title = match word.lower.as_str() {
            "mr" | "mister" | "sir" | "lord" | "father" | "uncle" | "king" | "prince"
            | "grandpa" | "grandfather" | "señor" | "herr" | "monsieur" | "signor" => {
                Some(Some(0))
            }
            "mrs" | "ms" | "miss" | "lady" | "madam" | "aunt" | "auntie" | "queen" | "princess"
            | "sister" | "grandma" | "grandmother" | "señora" | "frau" | "madame" | "signora" => {
                Some(Some(1))
            }
            "dr" | "doctor" | "professor" | "prof" | "captain" | "officer" | "judge"
            | "detective" | "sergeant" | "chef" | "coach" => Some(None),
            _ => None,
        };
        let joined = |place: usize| {
            place < self.words.len()
                && self.words[place].capital
                && self.is_blank_before(place)
                && !LISTS.not_names.contains(self.lower(place))
        };
        let end = |mut place: usize| {
            while joined(place) && !self.lower(place - 1).ends_with("'s") {
                place += 1;
            }
            place
        };
        // "Aunt May"
        let titled = place + 1 < self.words.len()
            && self.words[place + 1].capital
            && self.is_blank_before(place + 1);
        if let Some(gender) = title
            && word.capital
            && titled
            && !matches!(self.lower(place + 1), "i" | "i'm" | "i've" | "i'd" | "i'll")
        {
            // "Dr. Hannah Weiss"; "Dr. Thomas" may be a surname.
            let to = end(place + 1);
            let given = LISTS.names.get(own(place + 1)).copied();
            return Some((to, gender.or(given.filter(|_| to > place + 2))));
        }
        if !word.capital {
            return None;
        }
        let before = self.previous(place);
        // "studied at Oxford", but "looked at Dana"
        let addressed = place > 1
            && matches!(before, "at" | "to" | "toward" | "towards")
            && LISTS.addressing.contains(self.lower(place - 2));
        let located = !addressed
            && matches!(
                before,
                "in" | "from" | "near" | "at" | "to" | "toward" | "towards" | "downtown"
            );
        let gender = LISTS.names.get(own(place)).copied();
        if gender.is_some() {
            // "It came from Robert", but "a baker from Florence".
            let city = matches!(before, "in" | "near" | "downtown")
                || before == "from" && CITIES.contains(&own(place));
            return (!city).then(|| (end(place + 1), gender));
        }
        let first = before.is_empty();
        let verb = |word: &str| {
            matches!(
                word,
                "is" | "was"
                    | "has"
                    | "had"
                    | "lives"
                    | "works"
                    | "uses"
                    | "grew"
                    | "loves"
                    | "who"
            )
        };
        // "Casey is", "Casey's", "Casey, a student"
        let apposition = word.behind == ',' && matches!(self.lower(place + 1), "a" | "an");
        let after_first = first
            && (verb(self.lower(place + 1))
                || word.lower.ends_with("'s")
                || apposition
                || LISTS.telling.contains(self.lower(place + 1)));
        // "XYZ Corporation": part of a name that began before.
        let inside =
            place > 0 && self.words[place - 1].capital && !first && self.is_blank_before(place);
        // "**Occupation:** Paramedic"
        let value = place > 0
            && self.gap(place).contains([':', '|'])
            && !matches!(self.lower(place - 1), "name" | "nickname");
        let common = inside
            || value && self.is_profile()
            || compound(&word.lower).is_some() && self.article(place).is_some()
            || LISTS.not_names.contains(own(place).to_lowercase().as_str())
            || word.capitals
            || word.lower.chars().count() < 2
            || self.is_known_noun(&own(place).to_lowercase());
        if common || located || first && !after_first {
            return None;
        }
        Some((end(place + 1), None))
    }

    fn is_known_noun(&self, lower: &str) -> bool {
        let both = |sets: &[BTreeSet<&str>; 2]| sets.iter().any(|set| set.contains(lower));
        both(&LISTS.nouns)
            || both(&LISTS.relatives)
            || both(&LISTS.plurals)
            || LISTS.open.contains(lower)
            || LISTS.several.contains(lower)
            || LISTS.animals.contains(lower)
    }

    /// Whether only blanks, or the stop of a title, stand before a word.
    fn is_blank_before(&self, place: usize) -> bool {
        let (from, to) = (self.words[place - 1].span.end, self.words[place].span.start);
        let gap = Span {
            start: from,
            end: to,
        };
        let title = matches!(self.lower(place - 1), "mr" | "mrs" | "ms" | "dr" | "prof");
        let gap = gap.of(self.text);
        gap == " " || title && gap == ". " || gap == ". " && self.words[place - 1].capitals
    }

    /// The characters between a word and the one before it.
    pub fn gap(&self, place: usize) -> &str {
        let from = place
            .checked_sub(1)
            .map_or(0, |before| self.words[before].span.end);
        let to = self
            .words
            .get(place)
            .map_or(u32::MAX, |word| word.span.start);
        Span {
            start: from.min(to),
            end: to,
        }
        .of(self.text)
    }

    /// Whether a possessive or "X's" stands before a noun, adjectives aside.
    pub fn is_possessed(&self, place: usize) -> bool {
        let sentence = self.words[place].sentence;
        for before in (0..place).rev().take(3) {
            if self.words[before].sentence != sentence
                || self.gap(before + 1).contains([',', ';', ':'])
            {
                return false;
            }
            let lower = self.lower(before);
            if POSSESSIVES.contains(&lower) || lower.ends_with("'s") || lower.ends_with("s'") {
                return true;
            }
            if matches!(
                lower,
                "a" | "an" | "the" | "this" | "that" | "is" | "was" | "of" | "and" | "with" | "as"
            ) {
                return false;
            }
        }
        false
    }

    /// The article before a noun, adjectives aside, and where it stands.
    pub fn article(&self, place: usize) -> Option<(&str, usize)> {
        let sentence = self.words[place].sentence;
        (0..place)
            .rev()
            .take(5)
            .take_while(|before| {
                self.words[*before].sentence == sentence
                    && !self.gap(before + 1).contains([',', ';', ':'])
            })
            .find(|before| {
                matches!(
                    self.lower(*before),
                    "a" | "an"
                        | "the"
                        | "this"
                        | "that"
                        | "another"
                        | "some"
                        | "no"
                        | "every"
                        | "any"
                )
            })
            .map(|before| (self.lower(before), before))
    }

    /// Whether a name is the protagonist's: the first of a profile that is not said of a relative or of another person.
    pub fn is_protagonist_name(&self, mention: &PersonMention, found: &Found) -> bool {
        if !self.is_profile() {
            return false;
        }
        let against = mention
            .person
            .gender()
            .is_some_and(|gender| found.genders[gender].len() < found.genders[1 - gender].len());
        if against && self.named.get().is_none() {
            return false;
        }
        let lower = |place: usize| {
            self.lower(place)
                .split('\'')
                .next()
                .unwrap_or("")
                .to_owned()
        };
        if let Some(named) = self.named.get() {
            // "Coach Reynolds (first name: Bill)"
            let aside = self.words[mention.from].sentence == self.words[named].sentence
                && matches!(self.previous(mention.from), "name" | "nicknamed" | "called")
                && self.gap(mention.from).contains([':', ' '])
                && mention.from <= named + 6;
            return lower(mention.from) == lower(named) || aside;
        }
        // "Anna and Tom" are two.
        let other_name = |other: &PersonMention| {
            matches!(other.person, Person::Named(_))
                || matches!(self.lower(other.from), "mr" | "mrs" | "ms")
        };
        let paired = self.people.iter().any(|other| {
            other_name(other)
                && (other.from == mention.to + 1 && self.lower(mention.to) == "and"
                    || mention.from == other.to + 1 && self.lower(other.to) == "and"
                    || other.from == mention.to && self.gap(other.from) == ", ")
        });
        self.paired.set(self.paired.get() || paired);
        // "His boss, Mrs. Klein", "her brother Tom", "his wife Clara"
        let before = self.people.iter().rfind(|other| other.to <= mention.from);
        let apposed = before.is_some_and(|other| {
            other.to == mention.from
                && self.words[other.from].sentence == self.words[mention.from].sentence
                && self.is_possessed(other.from)
                && matches!(other.person, Person::Noun { .. } | Person::Open)
        });
        // "One boy, Louis,"
        let apposed = apposed
            || before.is_some_and(|other| {
                other.to == mention.from
                    && matches!(self.gap(mention.from), ", " | " ")
                    && matches!(
                        other.person,
                        Person::Noun { plural: false, .. } | Person::Open
                    )
                    && matches!(self.previous(other.from), "one" | "another" | "some")
            });
        // "husband to Maria", "engaged to Tom", "wife of a miner"
        let related = matches!(
            self.previous(mention.from),
            "to" | "with" | "of" | "by" | "for"
        ) && before.is_some_and(|other| {
            other.to + 1 == mention.from
                && matches!(other.person, Person::Noun { relative: true, .. })
        });
        // "Spouse: Victoria"
        let field = self.gap(mention.from).contains(':')
            && LISTS.others_fields.contains(self.previous(mention.from));
        // "married to Peter", "lives with Clara"
        let partner = matches!(self.previous(mention.from), "to" | "with" | "from")
            && matches!(
                self.lower(mention.from - 2),
                "married" | "engaged" | "wed" | "divorced" | "lives" | "living" | "separated"
            );
        // "Meet Walter's daughter, June."
        let of_theirs = matches!(
            self.previous(mention.from),
            "meet" | "imagine" | "picture" | "is"
        ) && self.lower(mention.to - 1).ends_with("'s")
            && self.people.iter().any(|other| {
                other.from == mention.to
                    && matches!(other.person, Person::Noun { relative: true, .. })
            });
        let apposed = apposed || related || field || partner || of_theirs;
        // "His landlord, Mrs. Vance": whatever the noun is.
        let comma = mention.from > 0 && self.words[mention.from - 1].behind == ',';
        let apposed = apposed || comma && self.is_possessed(mention.from - 1);
        if !apposed {
            self.named.set(Some(mention.from));
        }
        !apposed
    }

    /// Whether a name stands beside the noun by which the prompt calls the protagonist: "The baker, Clara,".
    pub fn is_apposed_to_occupation(&self, mention: &PersonMention) -> bool {
        let gap = self.gap(mention.from);
        (gap == ", " || gap == " ")
            && self.people.iter().any(|other| {
                other.to == mention.from
                    && other.person == Person::Occupation
                    && self.words[other.from].sentence == self.words[mention.from].sentence
                    && !self.lower(other.from).ends_with("'s")
            })
            && (gap == " " || self.gap(mention.to).starts_with(','))
    }

    /// Whether the noun by which the prompt calls the protagonist means somebody they come from or live with: "Born to a
    /// farmer and his wife".
    pub fn is_origin(&self, mention: &PersonMention) -> bool {
        let Some(("a" | "an", start)) = self.article(mention.from) else {
            return false;
        };
        let last = if start > 1 { self.lower(start - 2) } else { "" };
        match self.previous(start) {
            "to" => matches!(last, "born" | "married" | "engaged"),
            "by" => matches!(last, "raised" | "taught" | "inspired" | "trained"),
            "of" => matches!(
                last,
                "son" | "daughter" | "child" | "wife" | "husband" | "widow" | "sister" | "brother"
            ),
            _ => false,
        }
    }

    /// Whether the protagonist is named in the sentence of a place, before it, or in the sentence before that one.
    pub fn is_named_before(&self, place: usize) -> bool {
        let sentence = self.words[place].sentence;
        let mut people = self.people.iter();
        people.any(|one| {
            let own = one.person == Person::Occupation
                || one.person == Person::Named(None) && self.is_profile();
            own && one.from < place && self.words[one.from].sentence + 1 >= sentence
        })
    }

    /// Whether "he" or "she" is somewhere in the text.
    pub fn has_pronoun(&self) -> bool {
        let mut people = self.people.iter();
        people.any(|one| matches!(one.person, Person::Pronoun(_)))
    }

    /// Whether the protagonist's name is one of two: "Anna and Tom".
    pub fn is_paired(&self) -> bool {
        self.paired.get()
    }

    /// Whether a profile presents the person it describes by this noun: "This motto fits a soldier."
    pub fn is_presented(&self, mention: &PersonMention) -> bool {
        let Some((article, start)) = self.article(mention.from) else {
            return false;
        };
        let before = self.previous(start);
        // "A retired judge, he …", "A judge and mother of six, she …"
        if start == 0 && self.is_profile() && matches!(article, "a" | "an") {
            return true;
        }
        let last = if start > 1 { self.lower(start - 2) } else { "" };
        let belongs = before == "to" && last.starts_with("belong")
            || before == "of" && matches!(last, "motto" | "profile" | "portrait" | "words");
        // "could belong to a soldier or to a nurse"
        let sentence = self.words[mention.from].sentence;
        let either = self.words[mention.to..]
            .iter()
            .take_while(|word| word.sentence == sentence)
            .any(|word| word.lower == "or");
        self.is_profile()
            && !either
            && matches!(article, "a" | "an")
            && (belongs
                || matches!(
                    before,
                    "fits" | "suits" | "describes" | "fit" | "suit" | "describe"
                ))
    }

    /// Whether a noun says what the protagonist is: "is a woman", "A mother of two, Jane", "as a father". A relative with a
    /// possessive is somebody else ("her father"), and so is a person who is met.
    pub fn is_said_of_protagonist(&self, mention: &PersonMention, subject_is_other: bool) -> bool {
        let Person::Noun { plural, .. } = mention.person else {
            return false;
        };
        // "Our heroine, Lola"
        let hero = matches!(self.lower(mention.from), "hero" | "heroine")
            && matches!(self.previous(mention.from), "our" | "the");
        if hero && self.is_profile() {
            return true;
        }
        if plural || subject_is_other || self.is_possessed(mention.from) {
            return false;
        }
        if *self.protagonist == Protagonist::Speaker || self.lower(mention.from).ends_with("'s") {
            return false;
        }
        self.is_predicate(mention)
    }

    /// Whether a noun tells what somebody is: "is a driver", "Clara, a driver from Leeds", "as a driver".
    pub fn is_predicate(&self, mention: &PersonMention) -> bool {
        // "Ex-soldier Kim Barlow has …"
        let title = mention.person == Person::Open
            && self.is_profile()
            && self.article(mention.from).is_none()
            && !self.is_possessed(mention.from)
            && self.begins_sentence(mention.from)
            && self.words.get(mention.to).is_some_and(|next| next.capital)
            && self.gap(mention.to) == " ";
        if title {
            return true;
        }
        // "**Occupation:** paramedic"
        if self.is_profile()
            && mention.person == Person::Open
            && self.gap(mention.from).contains(':')
        {
            return true;
        }
        let Some((article, start)) = self.article(mention.from) else {
            // "Robin, mother of three", "Single mom.", "Retired teacher, grandmother of five"
            let name = mention
                .from
                .checked_sub(1)
                .map(|before| &self.words[before]);
            let of = self.lower(mention.to) == "of";
            let several = matches!(
                self.lower(mention.to + 1),
                "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight"
            );
            let apposed = of
                && name.is_some_and(|name| {
                    name.behind == ',' && (name.capital || is_age(name) || several)
                });
            let sentence = self.words[mention.from].sentence;
            let mut lead = (0..mention.from).rev().take_while(|word| {
                let label = matches!(self.lower(*word), "profile" | "character" | "description");
                self.words[*word].sentence == sentence
                    && !(label && self.gap(word + 1).contains(':'))
            });
            let alone = lead.all(|word| {
                LISTS.adjectives.contains(self.lower(word)) || self.lower(word) == "recently"
            });
            let ends = self.gap(mention.to).contains(['.', ',', '\n'])
                || mention.to == self.words.len()
                || of
                || self.lower(mention.to) == "and" && self.gap(mention.to) == " ";
            let title = matches!(
                self.lower(mention.from),
                "mr" | "mrs" | "ms" | "miss" | "mister"
            );
            let noun = matches!(mention.person, Person::Noun { .. }) && !title;
            return self.is_profile() && (apposed || alone && ends && noun);
        };
        // "is probably a woman"
        let adverb = matches!(
            self.previous(start),
            "probably" | "likely" | "perhaps" | "clearly" | "surely"
        );
        let before = self.previous(start - usize::from(adverb));
        // "It was a man."
        let told = self.is_profile();
        let impersonal = start >= 2
            && match self.lower(start - 2) {
                "it" | "that" => true,
                "here" => !(told && start == 2),
                "there" => !told,
                _ => false,
            };
        // "Once, a man asked"
        let says = !impersonal
            && !self.gap(start).contains(',')
            && matches!(
                before,
                "is" | "was"
                    | "are"
                    | "am"
                    | "be"
                    | "being"
                    | "became"
                    | "becomes"
                    | "as"
                    | "remains"
                    | "once"
                    | "still"
                    | "she's"
                    | "he's"
                    | "i'm"
                    | "they're"
                    | "been"
                    | "born"
                    | "stands"
                    | "sits"
                    | "waits"
                    | "lives"
            );
        let subject = self.is_profile();
        // "Imagine a young mother who …"
        let presents = subject
            && matches!(
                before,
                "imagine" | "picture" | "meet" | "envision" | "consider" | "presenting"
            );
        // "This profile is about a woman who …", but not "a song about a woman"
        let opening = self.words[mention.from].sentence == self.words[0].sentence;
        // "Leslie is a teacher and the mother of twins."
        let also = subject
            && before == "and"
            && self.lower(mention.to) == "of"
            && self.words[..start]
                .iter()
                .rev()
                .take_while(|word| word.sentence == self.words[mention.from].sentence)
                .any(|word| matches!(word.lower.as_str(), "is" | "was"));
        let says = says || presents || also || subject && opening && before == "about";
        let first = before.is_empty() && subject;
        // "Clara, a retired woman of sixty"; "The janitor, a man with a beard"
        let comma = start > 0 && self.words[start - 1].behind == ',';
        let of_protagonist = comma
            && self
                .people
                .iter()
                .any(|other| other.to == start && other.person == Person::Occupation);
        let apposed = of_protagonist || comma && subject && self.words[start - 1].capital;
        match article {
            // "A retired judge, he …", but "A judge once said that …"
            "a" | "an" => {
                let sentence = self.words[mention.from].sentence;
                let led = self.people.iter().any(|one| {
                    one.from > mention.from
                        && self.words[one.from].sentence == sentence
                        && matches!(one.person, Person::Pronoun(_) | Person::They)
                        && self.gap(one.from).starts_with(',')
                });
                let presents = opening || led || self.gap(mention.to).contains([',', '.', '\n']);
                says || first && (presents || self.lower(mention.to) == "of") || apposed
            }
            "this" => first,
            // "The son of a miner, Frank"; "The woman behind this motto is a judge."
            "the" => {
                let only = self.lower(start + 1) == "only";
                let of = self.lower(mention.to) == "of"
                    || mention.person == Person::Open && opening
                    || only && before == "born";
                says || first && (of || opening) || apposed && of
            }
            _ => false,
        }
    }

    /// Whether several people are named earlier in the sentence, whom "they" may mean.
    pub fn is_plural_before(&self, place: usize) -> bool {
        let sentence = self.words[place].sentence;
        let own = |before: &usize| self.words[*before].sentence == sentence;
        let several = (0..place).rev().take_while(own).any(|before| {
            let lower = self.lower(before);
            LISTS.several.contains(lower) || LISTS.plurals.iter().any(|set| set.contains(lower))
        });
        // "they all", "they had both"
        let verb = matches!(
            self.lower(place + 1),
            "had" | "have" | "were" | "are" | "would" | "will" | "could" | "can"
        );
        let all = matches!(
            self.lower(place + 1 + usize::from(verb)),
            "all" | "both" | "each"
        );
        // "They looked at each other."
        let each = (place + 1..self.words.len()).take_while(own).any(|word| {
            matches!(
                (self.lower(word), self.lower(word + 1)),
                ("each", "other") | ("one", "another")
            )
        });
        let all = all || each;
        // "Tailors work with their hands."
        let noun = match self.protagonist {
            Protagonist::Known { noun } | Protagonist::Subject { noun: Some(noun) } => {
                noun.as_str()
            }
            Protagonist::Speaker | Protagonist::Subject { noun: None } => "",
        };
        let last = noun.to_lowercase();
        let last = last.split(' ').next_back().unwrap_or("");
        let several = several
            || !last.is_empty()
                && (0..place)
                    .rev()
                    .take_while(own)
                    .any(|before| self.lower(before).strip_suffix('s') == Some(last));
        // In a story "they" may be the people of the sentence before.
        let before = !self.is_profile()
            && self.words[..place].iter().any(|word| {
                word.sentence + 1 == sentence && LISTS.several.contains(word.lower.as_str())
            });
        several || all || before || self.is_plural_subject(sentence)
    }

    /// Whether the sentence before one is about several: "Cooks work hard. They …"
    fn is_plural_subject(&self, sentence: usize) -> bool {
        let last = self.words.iter().rfind(|word| word.sentence < sentence);
        let Some(last) = last else { return false };
        // "The twins were asleep."
        let own = self
            .words
            .iter()
            .filter(|word| word.sentence == last.sentence);
        let own: Vec<&str> = own.map(|word| word.lower.as_str()).take(8).collect();
        let are = own.windows(2).any(|pair| {
            let several = pair[0].len() > 4 && pair[0].ends_with('s') && !pair[0].ends_with("ss");
            several && matches!(pair[1], "were" | "are" | "have")
        });
        if are {
            return true;
        }
        let first = self
            .words
            .iter()
            .find(|word| word.sentence == last.sentence);
        first.is_some_and(|first| {
            let lower = first.lower.as_str();
            matches!(
                lower,
                "most" | "many" | "all" | "some" | "these" | "those" | "people" | "both"
            ) || lower.len() > 4
                && lower.ends_with('s')
                && !lower.ends_with("ss")
                && !lower.contains('\'')
                && !LISTS.names.contains_key(first.span.of(self.text))
        })
    }

    /// "male" or "female" right before a noun.
    pub fn sex_before(&self, place: usize) -> Option<(usize, Span)> {
        let gender = match self.previous(place) {
            "male" => 0,
            "female" => 1,
            _ => return None,
        };
        Some((gender, self.words[place - 1].span))
    }

    /// Whether a pronoun is the object of its sentence's verb, so that the subject is somebody else: "poured him another".
    pub fn is_object(&self, mention: &PersonMention) -> bool {
        let place = mention.from;
        let sentence = self.words[place].sentence;
        // Somebody else may be the subject by now: "The landlord wrote that she owed him the rent."
        let between = self.people.iter().filter(|one| {
            let owner = self.lower(one.to - 1).ends_with("'s");
            one.from < place && self.words[one.from].sentence == sentence && !owner
        });
        let between = between.count() > 1;
        let object = match self.lower(place) {
            "him" => true,
            "her" => {
                let ends = self
                    .words
                    .get(place + 1)
                    .is_none_or(|next| next.sentence != sentence);
                let next = self.lower(place + 1);
                ends || self.gap(place + 1).contains([',', ';', '"'])
                    || matches!(
                        next,
                        "a" | "an"
                            | "the"
                            | "another"
                            | "with"
                            | "for"
                            | "to"
                            | "from"
                            | "in"
                            | "on"
                            | "and"
                            | "as"
                            | "again"
                            | "some"
                            | "over"
                            | "by"
                            | "at"
                            | "about"
                            | "onto"
                            | "into"
                            | "out"
                            | "up"
                            | "down"
                            | "back"
                            | "away"
                            | "off"
                            | "around"
                            | "toward"
                            | "towards"
                            | "until"
                            | "through"
                            | "but"
                            | "so"
                            | "that"
                    )
            }
            _ => false,
        };
        let subordinate = (0..place)
            .rev()
            .take_while(|before| self.words[*before].sentence == sentence)
            .any(|before| {
                matches!(
                    self.lower(before),
                    "that"
                        | "who"
                        | "when"
                        | "because"
                        | "if"
                        | "while"
                        | "whether"
                        | "what"
                        | "how"
                        | "before"
                        | "after"
                        | "since"
                        | "where"
                        | "why"
                        | "which"
                        | "until"
                )
            });
        object && !subordinate && !between
    }

    /// Whether only one person stands before a pronoun in its sentence.
    pub fn is_next_to(&self, mention: &PersonMention, sentence: usize) -> bool {
        let before = self
            .people
            .iter()
            .filter(|one| one.from < mention.from && self.words[one.from].sentence == sentence);
        let clause = (0..=mention.from)
            .rev()
            .take_while(|word| self.words[*word].sentence == sentence)
            .any(|word| self.gap(word).contains([':', ';']));
        before.count() == 1 && !clause
    }

    /// Whether a pronoun stands for somebody who is touched by the only other person of the sentence: "the doctor, who
    /// laid a hand on her shoulder".
    pub fn is_touched(&self, mention: &PersonMention) -> bool {
        let place = mention.from;
        let sentence = self.words[place].sentence;
        let people = self.people.iter().filter(|one| {
            one.from < place
                && self.words[one.from].sentence == sentence
                && !matches!(self.lower(one.from), "his" | "her" | "their")
        });
        let body = LISTS.body_parts.contains(self.lower(place + 1));
        let clause: Vec<usize> = (0..place)
            .rev()
            .take(6)
            .take_while(|word| !self.gap(word + 1).contains([',', '.', ';', ':', '!', '?']))
            .collect();
        let touches = clause
            .iter()
            .any(|word| LISTS.touching.contains(self.lower(*word)));
        // "held her head high" is one's own.
        let held = matches!(self.previous(place), "held" | "took" | "takes" | "holds");
        let own = held && !matches!(self.lower(place + 1), "hand" | "arm" | "elbow");
        // "laid a hand on her shoulder", "put an arm around him"
        let hand = clause
            .iter()
            .any(|word| matches!(self.lower(*word), "hand" | "arm" | "arms" | "palm"))
            && matches!(
                self.previous(place),
                "on" | "around" | "round" | "over" | "across" | "through"
            );
        let object = matches!(self.lower(place), "him" | "her");
        people.count() == 1 && (touches && body && !own || hand && (body || object))
    }

    /// Whether what a possessive owns is rather an animal's: "The dog wagged his tail."
    pub fn is_of_animal(&self, place: usize) -> bool {
        LISTS.animal_parts.contains(self.lower(place + 1))
    }

    /// How somebody is addressed in a quotation: "Oh, Emma,", "Thank you, sir", "Dad!".
    pub fn vocative(&self) -> Option<(usize, Span)> {
        let quotes = self
            .quotes
            .iter()
            .filter(|quote| !self.is_to_another(**quote));
        let found: Vec<(usize, Span)> =
            quotes.flat_map(|quote| self.vocatives_in(*quote)).collect();
        let (gender, span) = found.first()?;
        found
            .iter()
            .all(|other| other.0 == *gender)
            .then_some((*gender, *span))
    }

    /// Whether a quotation is said to somebody who is not the protagonist: `"Frank," she said to the waiter`.
    fn is_to_another(&self, (_, to): (usize, usize)) -> bool {
        let Some(word) = self.words.get(to) else {
            return false;
        };
        let here = |place: &usize| {
            self.words
                .get(*place)
                .is_some_and(|next| !next.quoted && next.sentence == word.sentence)
        };
        let spoken = (to..to + 6)
            .take_while(here)
            .any(|place| LISTS.speech.contains(self.lower(place)) || self.lower(place) == "turned");
        // "shouted in the flat next door"; a voice "from upstairs" is of the house.
        let elsewhere = (to..to + 12).take_while(here).any(|place| {
            let from = self.lower(place.saturating_sub(1)) == "from";
            matches!(
                (self.lower(place), self.lower(place + 1)),
                ("next", "door")
                    | ("on", "tv" | "television")
                    | (
                        "the",
                        "tv" | "television" | "radio" | "street" | "playground" | "yard"
                    )
                    | ("outside", _)
            ) || matches!(self.lower(place), "upstairs" | "downstairs") && !from
        });
        if elsewhere {
            return true;
        }
        let other = (to..to + 7).take_while(here).any(|place| {
            self.lower(place) == "to"
                && self.people.iter().any(|one| {
                    one.from > place
                        && one.from <= place + 3
                        && !matches!(
                            one.person,
                            Person::Pronoun(_) | Person::They | Person::Occupation
                        )
                })
        });
        spoken && other
    }

    pub fn vocatives_in(&self, (from, to): (usize, usize)) -> Vec<(usize, Span)> {
        let mut found = Vec::new();
        for place in from..to {
            let kin = |place: usize| {
                (0..2).find(|gender| LISTS.vocatives[*gender].contains(self.lower(place)))
            };
            // "Madame" alone is no name.
            let name = self
                .name_at(place)
                .filter(|(end, _)| *end <= to && (*end > place + 1 || kin(place).is_none()));
            let (end, gender) = match name {
                Some((end, Some(gender))) => (end, gender),
                Some((_, None)) => continue,
                None => {
                    let lower = self.lower(place);
                    // "Daddy's home!"
                    let lower = lower
                        .strip_suffix("'s")
                        .filter(|_| self.lower(place + 1) == "home")
                        .unwrap_or(lower);
                    let kin = (0..2).find(|gender| LISTS.vocatives[*gender].contains(lower));
                    if let Some(gender) = self.told_what_they_are(from, place) {
                        found.push((gender, self.words[place].span));
                        continue;
                    }
                    // "young man", "my good man" and "you poor man", but not "man!"
                    let before = self.lower(place.saturating_sub(1));
                    let kin = kin.or_else(|| {
                        let styled = place > from && (is_endearing(before) || before == "my");
                        let noun = ["man", "woman"].iter().position(|noun| *noun == lower);
                        noun.filter(|_| styled)
                    });
                    match kin {
                        Some(gender) => (place + 1, gender),
                        None => continue,
                    }
                }
            };
            let set_off = |place: usize| {
                self.gap(place)
                    .contains([',', '.', '!', '?', '"', '”', '“', '…', ';'])
            };
            let before = if place > from {
                self.lower(place - 1)
            } else {
                ""
            };
            let opens = place == from
                || set_off(place)
                || matches!(
                    before,
                    "oh" | "well"
                        | "hey"
                        | "hi"
                        | "hello"
                        | "dear"
                        | "thanks"
                        | "on"
                        | "no"
                        | "yes"
                        | "poor"
                        | "young"
                        | "old"
                        | "ah"
                        | "night"
                        | "morning"
                        | "evening"
                        | "sorry"
                        | "classic"
                        | "typical"
                        | "bravo"
                );
            // "ask the old man" speaks of somebody else.
            let led = place.checked_sub(2).filter(|led| *led >= from);
            let spoken_of = is_endearing(before)
                && led.is_some_and(|led| {
                    !set_off(place - 1)
                        && !matches!(self.lower(led), "you" | "my" | "oh" | "dear" | "poor")
                });
            let opens = (opens || is_endearing(before)) && !spoken_of;
            let closes = end >= self.words.len() || end == to || set_off(end);
            // "Daddy is home!", "Daddy's home!"
            let kin = matches!(
                self.lower(place).split('\'').next(),
                Some("mom" | "mum" | "mommy" | "mummy" | "mama" | "dad" | "daddy" | "papa")
            );
            let closes = closes || kin && self.lower(end) == "home";
            // "My boy, that is nothing": whoever is spoken of and not to is no "boy" of mine.
            let my = before == "my"
                && (place - 1 == from || set_off(place - 1))
                && matches!(
                    self.lower(place),
                    "boy" | "girl" | "lady" | "lad" | "fellow" | "man" | "lord"
                );
            // "You are forgiven, my daughter."
            let child = before == "my"
                && place - 1 > from
                && set_off(place - 1)
                && matches!(self.lower(place), "son" | "daughter" | "sister" | "brother")
                && (self.gap(end).contains('?')
                    || (from..place).any(|word| self.lower(word) == "you"));
            let my = my || child;
            let opens = opens || my;
            let of_another = !my
                && matches!(
                    before,
                    "her" | "his" | "their" | "your" | "the" | "a" | "our" | "my"
                );
            if opens && !of_another && (closes || kin && self.lower(end) == "is") {
                found.push((gender, super::super::text::span(&self.words, place, end)));
            }
        }
        found
    }
}

impl Scene<'_> {
    /// Whether "or" joins a noun to one of the other gender: "a man or a woman".
    pub fn is_alternative(&self, mention: &PersonMention) -> bool {
        let Some(gender) = mention.person.gender() else {
            return false;
        };
        self.people.iter().any(|other| {
            let between = if other.from >= mention.to {
                mention.to..other.from
            } else {
                other.to..mention.from
            };
            matches!(other.person, Person::Noun { gender: own, .. } if own != gender)
                && between.len() <= 2
                && between.clone().any(|word| self.lower(word) == "or")
        })
    }

    /// The gender of a noun that says what somebody spoken to is: "You're a brave woman."
    fn told_what_they_are(&self, from: usize, place: usize) -> Option<usize> {
        let gender = match self.lower(place) {
            "man" | "boy" | "gentleman" => 0,
            "woman" | "girl" | "lady" => 1,
            _ => return None,
        };
        // "That's my boy!"
        let proud = place >= from + 2
            && [place - 2, place - 1].map(|word| self.lower(word)) == ["that's", "my"];
        if proud {
            return Some(gender);
        }
        let article = (from..place)
            .rev()
            .take(3)
            .find(|word| matches!(self.lower(*word), "a" | "an"))?;
        let you = match article.checked_sub(1).map(|word| self.lower(word)) {
            Some("you're") => true,
            Some("are") => article > from + 1 && self.lower(article - 2) == "you",
            _ => false,
        };
        you.then_some(gender)
    }
}

/// The gender of a noun made with "man" or "woman": "Scotsman", "chairwoman".
fn compound(lower: &str) -> Option<usize> {
    let other = matches!(
        lower,
        "human"
            | "superhuman"
            | "german"
            | "roman"
            | "norman"
            | "ottoman"
            | "talisman"
            | "shaman"
            | "caiman"
    );
    if lower.len() > 5 && lower.ends_with("woman") {
        return Some(1);
    }
    (lower.len() > 5 && lower.ends_with("man") && !other).then_some(0)
}

/// Adjectives by which somebody is addressed: "you poor man".
fn is_endearing(word: &str) -> bool {
    matches!(
        word,
        "young"
            | "old"
            | "good"
            | "dear"
            | "poor"
            | "silly"
            | "lucky"
            | "sweet"
            | "brave"
            | "foolish"
            | "little"
    )
}

/// "Tariq, 51, father of four"
fn is_age(word: &Word) -> bool {
    word.lower.len() == 2 && word.lower.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the whole story stands in quotation marks, behind words that only introduce it: `The next sentence is: "…"`.
fn is_introduced(text: &str, words: &[Word]) -> bool {
    let Some(first) = words.iter().position(|word| word.quoted) else {
        return false;
    };
    let lead = &words[..first];
    let before = Span {
        start: lead.last().map_or(0, |word| word.span.end),
        end: words[first].span.start,
    };
    let names = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "sentence"
                | "sentences"
                | "continuation"
                | "story"
                | "scene"
                | "next"
                | "here"
                | "here's"
        )
    };
    lead.len() < 12
        && lead.iter().any(names)
        && before.of(text).contains(':')
        && words[first..].iter().all(|word| word.quoted)
}

/// Whether a quotation mark stands between a quoted word and the quoted one before it: two quotations.
fn quote_breaks(text: &str, words: &[Word], place: usize) -> bool {
    let gap = Span {
        start: words[place - 1].span.end,
        end: words[place].span.start,
    };
    let gap = gap.of(text);
    gap.contains(['“', '”', '«', '»']) || gap.matches('"').count() >= 2
}
