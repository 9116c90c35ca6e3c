//! A sentence as the person judge reads it: its words with every lexicon that knows them, and the
//! English noun that is asked for.

use super::PersonWords;
use super::cells::Cells;
use super::english::English;
use super::lexicon::{Form, Number, Term};
use super::rules_file::Table;
use crate::occupation::{Genders, Grammar, Role, Sentence, Token, both_forms, fold_into};

pub(crate) struct View<'a> {
    pub(crate) sentence: Sentence,
    pub(crate) tokens: &'a [Token],
    pub(crate) words: &'a PersonWords,
    /// The English noun in the lexicon of occupations.
    pub(crate) occupation: Option<u16>,
    /// Its lines in each lexicon of persons.
    entries: Vec<&'a [u32]>,
    /// Its number.
    pub(crate) number: Number,
    /// It says a gender itself.
    pub(crate) of_one_gender: bool,
    /// It names a group or an institution.
    pub(crate) of_group: bool,
    /// It is a name: a capital letter, and no lexicon has it.
    name: Option<String>,
}

/// What the lexicons or an ending say of a noun form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PersonNoun {
    pub(crate) cells: Cells,
    /// Cells of the readings in which this is the form dictionaries list.
    pub(crate) citation: Cells,
    /// Its gender says nothing of the person.
    pub(crate) epicene: bool,
    /// Listed as a translation of the English noun.
    pub(crate) translates: bool,
    /// Listed as a noun for persons or as an occupation, not only as some noun ("відповідь").
    pub(crate) certain: bool,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Person,
    /// No person: "movement".
    Thing,
    /// Known by so many letters of its ending.
    Ending(usize),
}

/// Readings of one form, gathered.
#[derive(Default)]
struct Readings {
    cells: Cells,
    citation: Cells,
    /// All that was added is epicene.
    epicene: Option<bool>,
}

impl Readings {
    fn add(&mut self, cells: Cells, oblique: bool, epicene: bool) {
        self.cells = self.cells.or(cells);
        if !oblique {
            self.citation = self.citation.or(cells);
        }
        self.epicene = Some(self.epicene.unwrap_or(true) && epicene);
    }

    /// The lexicon of occupations knows what its words mean there, that of persons their number.
    fn numbered_by(self, persons: Readings, grammar: &Grammar) -> Readings {
        if self.epicene.is_none() {
            return persons;
        }
        // "Le témoin": a tagger's gender says nothing of the person.
        if persons.epicene == Some(true) {
            return persons;
        }
        // In Hindi and Urdu nearly every noun may be used of both; the occupations say where it is not.
        if self.epicene == Some(true) || persons.epicene != Some(false) || grammar.head_final {
            return self;
        }
        // What either lexicon allows is possible.
        let known = Cells::new(persons.cells.genders(), Number::EITHER);
        Readings {
            cells: persons.cells.or(self.cells.without(known)),
            citation: persons.citation.or(self.citation.without(known)),
            epicene: self.epicene,
        }
    }

    fn noun(&self, translates: bool, kind: Kind) -> Option<PersonNoun> {
        Some(PersonNoun {
            cells: self.cells,
            citation: self.citation,
            epicene: self.epicene?,
            translates,
            certain: kind == Kind::Person,
            kind,
        })
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(
        sentence: Sentence,
        tokens: &'a [Token],
        words: &'a PersonWords,
        english: &English,
        occupation: Option<u16>,
    ) -> View<'a> {
        let mut view = View {
            entries: Vec::with_capacity(words.lexicons.len()),
            sentence,
            tokens,
            words,
            occupation,
            number: english.number,
            of_one_gender: false,
            of_group: false,
            name: None,
        };
        view.ask(english, occupation);
        view
    }

    /// Asks for another noun in the same sentence; false where no lexicon has it.
    pub(crate) fn ask(&mut self, english: &English, occupation: Option<u16>) -> bool {
        self.entries.clear();
        for lexicon in &self.words.lexicons {
            let mut found = english.names.iter().map(|name| lexicon.translations(name));
            let lines = found.find(|lines| !lines.is_empty());
            self.entries.push(lines.unwrap_or_default());
        }
        self.occupation = occupation;
        self.number = english.number;
        self.of_one_gender = english.is_of_one_gender();
        self.of_group = english.is_of_group();
        let known = self.is_known();
        let name = english.names.first().filter(|_| english.capital && !known);
        self.name = name.map(|name| {
            let mut folded = String::new();
            fold_into(name, self.sentence.grammar.fold, &mut folded);
            folded
        });
        known
    }

    /// The word is the name that is asked for, as the source has it.
    pub(crate) fn is_name(&self, at: usize) -> bool {
        // "Der Methodist", "les Inuits": a noun with its article is no name.
        let article = at > 0
            && (self
                .words
                .rules
                .determiners
                .word(self.word(at - 1))
                .is_some()
                || matches!(self.sentence.role(at - 1), Some(Role::Determiner(_))));
        self.is_capital(at) && !article && self.name.as_deref() == Some(self.word(at))
    }

    /// A lexicon has the English noun.
    pub(crate) fn is_known(&self) -> bool {
        self.occupation.is_some() || self.entries.iter().any(|lines| !lines.is_empty())
    }

    pub(crate) fn len(&self) -> usize {
        self.sentence.len()
    }

    pub(crate) fn word(&self, at: usize) -> &str {
        self.sentence.word(at)
    }

    pub(crate) fn is_word(&self, at: usize) -> bool {
        self.sentence.is_word(at)
    }

    /// Written with a capital letter.
    pub(crate) fn is_capital(&self, at: usize) -> bool {
        let first = self
            .tokens
            .get(at)
            .and_then(|token| token.text.chars().next());
        first.is_some_and(char::is_uppercase)
    }

    /// A word that is no article, preposition, verb or the like.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        self.is_word(at)
            && self.sentence.role(at).is_none()
            && self.words.rules.determiners.word(self.word(at)).is_none()
    }

    /// The noun at this place, in the lexicons as a whole or by its head.
    pub(crate) fn listed(&self, at: usize) -> Option<PersonNoun> {
        let word = self.word(at);
        let word = both_forms::first(word).unwrap_or(word);
        if let Some(noun) = self.reading(at, word) {
            return Some(noun);
        }
        if word.contains('-') {
            return self.hyphenated(at, word);
        }
        if let Some(noun) = self.in_place_of_ending(at) {
            return Some(noun);
        }
        if self.sentence.grammar.compounds && self.is_capital(at) {
            let starts = word.char_indices().map(|(start, _)| start);
            let ending = self
                .words
                .rules
                .nouns
                .find(word)
                .map_or(0, |(_, length)| length);
            return starts
                .skip(3)
                .take_while(|start| word.len() - start >= 4)
                .find_map(|start| Some((self.form(at, &word[start..])?, start)))
                // "Protestanten" are no aunts.
                .filter(|(_, start)| word[*start..].chars().count() > ending)
                .map(|(noun, _)| noun);
        }
        None
    }

    /// "Les alumnes", "amicə", "trabalhador@s": a noun that no lexicon has, with a letter or sign where its masculine and
    /// its feminine ending differ; the masculine form's reading.
    pub(crate) fn in_place_of_ending(&self, at: usize) -> Option<PersonNoun> {
        let inclusive = self.words.inclusive.as_ref()?;
        let word = self.word(at);
        let (stem, tail) = inclusive.neo_stem(word)?;
        if self.reading(at, word).is_some() {
            return None;
        }
        // "amigues", "músiques", "collegh3"
        let hard = [("gu", "g"), ("qu", "c"), ("gh", "g"), ("ch", "c")];
        let hard = hard
            .iter()
            .find_map(|(soft, hard)| Some(format!("{}{hard}", stem.strip_suffix(soft)?)));
        let forms = inclusive.readings(stem, tail);
        let others = hard.iter().flat_map(|stem| inclusive.readings(stem, tail));
        forms.chain(others).find_map(|forms| {
            let [one, other] = forms.map(|form| {
                let noun = self.reading(at, &form)?;
                let gendered = noun.kind == Kind::Person && !noun.epicene;
                gendered.then_some(noun)
            });
            let (one, other) = (one?, other?);
            one.cells.and(other.cells).is_empty().then_some(one)
        })
    }

    /// A form as the lexicons have it, maybe behind what is written with it ("הסטודנט").
    pub(crate) fn reading(&self, at: usize, word: &str) -> Option<PersonNoun> {
        let prefixes = self.sentence.lexicon.prefixes.iter();
        let bare = prefixes.filter_map(|prefix| word.strip_prefix(&**prefix));
        let bare = bare.filter(|rest| rest.chars().nth(1).is_some());
        self.form(at, word)
            .or_else(|| bare.into_iter().find_map(|rest| self.form(at, rest)))
    }

    /// "ex-marido", "друг-католик", "женщина-врач": a part for a woman makes a woman; an agreeing part
    /// shows the gender of the rest ("petite-enfant").
    fn hyphenated(&self, at: usize, word: &str) -> Option<PersonNoun> {
        let mut nouns = Vec::new();
        let mut listed = false;
        let mut agreeing = Cells::ALL;
        for part in word.split('-') {
            match self.form(at, part).filter(|noun| noun.kind == Kind::Person) {
                Some(noun) => {
                    listed = true;
                    nouns.push(noun);
                }
                None => match self.sentence.lexicon.role(part) {
                    Some(Role::Adjective(genders) | Role::Determiner(genders)) => {
                        agreeing = agreeing.and(Cells::new(genders, Number::EITHER));
                    }
                    // "вице-президент": what is short is a prefix.
                    _ if part.chars().count() > 4 => nouns.extend(self.ending_of(part)),
                    _ => {}
                },
            }
        }
        nouns.retain(|noun| noun.kind != Kind::Thing);
        if !listed {
            return None;
        }
        let woman = |noun: &&PersonNoun| !noun.epicene && noun.cells.genders() == Genders::F;
        let woman = nouns.iter().find(woman);
        let head = if self.sentence.grammar.head_last {
            nouns.last()
        } else {
            nouns.first()
        };
        let mut noun = *woman.or(head)?;
        if !noun.cells.and(agreeing).is_empty() {
            noun.cells = noun.cells.and(agreeing);
        }
        Some(noun)
    }

    /// Hindi "शिक्षक" beside "शिक्षिका": the other noun stands ready for a woman, as "учительница" beside "учитель".
    pub(crate) fn is_masculine_of_pair(&self, at: usize) -> bool {
        let word = self.word(at);
        let Some(stem) = word.strip_suffix('क').or_else(|| word.strip_suffix("कों")) else {
            return false;
        };
        let noun = self.form(at, &format!("{stem}िका"));
        noun.is_some_and(|noun| noun.cells.genders() == Genders::F)
    }

    /// A noun form as the lexicons have it.
    fn form(&self, at: usize, word: &str) -> Option<PersonNoun> {
        let mut own = Readings::default();
        let mut all = Readings::default();
        for (lexicon, entries) in self.words.lexicons.iter().zip(&self.entries) {
            for form in lexicon.forms(word) {
                let cells = Cells::new(form.genders, form.number);
                let epicene = form.genders.is_epicene();
                if entries.contains(&form.entry) {
                    own.add(cells, form.oblique, epicene);
                }
                all.add(cells, form.oblique, epicene);
            }
            // What a user says is believed.
            if lexicon.given && all.epicene.is_some() {
                let own = own.noun(true, Kind::Person);
                return own.or_else(|| all.noun(false, Kind::Person));
            }
        }
        let mut occupation = Readings::default();
        let mut thing = Readings::default();
        let mut others = Readings::default();
        let mut occupied = false;
        for reading in self.sentence.lexicon.readings(word).unwrap_or_default() {
            let cells = Cells::new(reading.genders, Number::EITHER);
            let (oblique, epicene) = (reading.genders.is_oblique(), reading.genders.is_epicene());
            if self.occupation.is_some() && reading.occupation == self.occupation {
                occupation.add(cells, oblique, epicene);
            }
            occupied |= reading.occupation.is_some();
            if reading.thing {
                thing.add(cells, oblique, epicene)
            } else {
                others.add(cells, oblique, epicene)
            }
        }
        // "La carretera": a word for a thing, though some lexicon has a person of that name.
        let asked = own.epicene.or(occupation.epicene);
        if asked.is_none() && self.words.rules.things.word(word).is_some() {
            thing.add(Cells::ALL, false, false);
            return thing.noun(false, Kind::Thing);
        }
        let own = occupation.numbered_by(own, self.sentence.grammar);
        // "analityka": an oblique form of the occupation, or another noun as dictionaries list it,
        // which it can only be as the subject.
        let citation = thing.citation.or(others.citation);
        let homograph = own.citation.is_empty() && !citation.is_empty();
        // "Работающий человек": a noun for anybody, whatever a list of trades calls it.
        let anybody = asked.is_none() && all.epicene == Some(true);
        let own = own.noun(true, Kind::Person);
        let other = || {
            let noun = others.noun(false, Kind::Person)?;
            Some(PersonNoun {
                certain: occupied,
                ..noun
            })
        };
        own.filter(|_| !(homograph && self.sentence.opens_clause(at)))
            .or_else(|| {
                if homograph && !anybody {
                    other()
                } else {
                    all.noun(false, Kind::Person)
                }
            })
            .or_else(other)
            .or_else(|| thing.noun(false, Kind::Thing))
    }

    /// The noun at this place by its ending; of a hyphenated word by the part that tells.
    pub(crate) fn by_ending(&self, at: usize) -> Option<PersonNoun> {
        let word = self.word(at);
        let word = both_forms::first(word).unwrap_or(word);
        let Some((first, rest)) = word.split_once('-') else {
            return self.ending_of(word);
        };
        let last = rest.rsplit('-').next().unwrap_or(rest);
        let last = self.ending_of(last).filter(|noun| noun.kind != Kind::Thing);
        let tells = last.is_some_and(|noun| noun.cells.single().is_some());
        if tells || self.sentence.grammar.head_last {
            last
        } else {
            self.ending_of(first).or(last)
        }
    }

    fn ending_of(&self, word: &str) -> Option<PersonNoun> {
        let rules = &self.words.rules;
        let neutral = rules.neutral.find(word);
        let longest = |table: &Table| table.find(word).map_or(0, |(_, length)| length);
        if let Some((cells, length)) = neutral
            && length > longest(&rules.nouns).max(longest(&rules.things))
        {
            return Some(PersonNoun {
                cells,
                citation: cells,
                epicene: true,
                translates: false,
                certain: false,
                kind: Kind::Ending(length),
            });
        }
        let mut thing = rules.things.find(word).map_or(0, |(_, length)| length);
        if rules.copulas.is_empty()
            && let Some((_, length)) = rules.predicates.find(word)
        {
            thing = thing.max(length);
        }
        let (cells, kind) = match rules.nouns.find(word) {
            Some((cells, length)) if length > thing => (cells, Kind::Ending(length)),
            _ if thing > 0 => (Cells::ALL, Kind::Thing),
            _ => return None,
        };
        let citation = match (kind, rules.oblique.find(word)) {
            (Kind::Ending(length), Some((oblique, found))) if found == length => {
                cells.without(oblique)
            }
            _ => cells,
        };
        Some(PersonNoun {
            cells,
            citation,
            epicene: false,
            translates: false,
            certain: false,
            kind,
        })
    }

    /// A term of several words whose head stands here: its reading, and the words before and behind.
    pub(crate) fn term(
        &self,
        head: usize,
    ) -> Option<(PersonNoun, std::ops::RangeInclusive<usize>)> {
        let lexicons = self.words.lexicons.iter().zip(&self.entries);
        let word = self.word(head);
        let mut other = None;
        for (lexicon, entries) in lexicons {
            for term in lexicon.terms(word) {
                if !self.spelt(term, head) {
                    continue;
                }
                let translates = entries.contains(&term.head.entry);
                let span = head - term.before.len()..=head + term.after.len();
                let found = (noun(term.head, translates), span);
                if translates {
                    return Some(found);
                }
                other.get_or_insert(found);
            }
        }
        let occupation = self.occupation.filter(|_| other.is_none());
        let term = occupation
            .and_then(|id| self.sentence.term(head, Some(id)).map(|term| (term, true)))
            .or_else(|| self.sentence.term(head, None).map(|term| (term, false)));
        other.or_else(|| {
            let (term, translates) = term?;
            let cells = Cells::new(term.genders, Number::EITHER);
            let found = PersonNoun {
                cells,
                citation: cells,
                epicene: term.genders.is_epicene(),
                translates,
                certain: true,
                kind: Kind::Person,
            };
            Some((found, head - term.before.len()..=head + term.after.len()))
        })
    }

    fn spelt(&self, term: &Term, head: usize) -> bool {
        let fits = |words: &[Box<str>], at: Option<usize>| {
            at.is_some_and(|at| words.iter().any(|word| **word == *self.word(at)))
        };
        let mut before = term.before.iter().enumerate();
        let mut after = term.after.iter().enumerate();
        before.all(|(i, words)| fits(words, head.checked_sub(i + 1)))
            && after.all(|(i, words)| fits(words, Some(head + i + 1)))
    }

    /// The noun here is a translation of the English one.
    pub(crate) fn translates(&self, at: usize) -> bool {
        self.term(at).is_some_and(|(noun, _)| noun.translates)
            || self.listed(at).is_some_and(|noun| noun.translates)
    }

    /// Places of all translations of the English noun.
    pub(crate) fn translations(&self) -> Vec<usize> {
        if !self.is_known() {
            return Vec::new();
        }
        let open = |at: &usize| self.is_word(*at) && self.translates(*at);
        (0..self.len()).filter(open).collect()
    }

    /// The word names a person, by a lexicon or by an ending that outweighs those of things.
    pub(crate) fn is_person(&self, at: usize) -> bool {
        self.is_open(at)
            && match self.listed(at) {
                Some(noun) => noun.kind == Kind::Person,
                None => self
                    .by_ending(at)
                    .is_some_and(|noun| noun.kind != Kind::Thing),
            }
    }

    /// A lexicon lists the word as a person's, or as an occupation: not only as some noun ("відповідь").
    pub(crate) fn is_listed_person(&self, at: usize) -> bool {
        let word = self.word(at);
        let readings = self.sentence.lexicon.readings(word).unwrap_or_default();
        let mut lexicons = self.words.lexicons.iter();
        lexicons.any(|lexicon| !lexicon.forms(word).is_empty())
            || readings.iter().any(|reading| reading.occupation.is_some())
    }

    /// The word cannot name a person: a function word, a thing.
    pub(crate) fn is_vetoed(&self, at: usize) -> bool {
        !self.is_word(at)
            || matches!(
                self.sentence.role(at),
                Some(Role::Stop | Role::Copula | Role::Dative | Role::Skip | Role::Determiner(_))
            ) && self.listed(at).is_none()
            || self
                .listed(at)
                .or_else(|| self.by_ending(at))
                .is_some_and(|noun| noun.kind == Kind::Thing)
    }
}

fn noun(form: Form, translates: bool) -> PersonNoun {
    let cells = Cells::new(form.genders, form.number);
    PersonNoun {
        cells,
        citation: cells,
        epicene: form.genders.is_epicene(),
        translates,
        certain: true,
        kind: Kind::Person,
    }
}
