//! The words of an answer and what stands around a place in it: phrases before and behind, and the marks between words.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::super::lists::{Phrases, phrases, words as list};
use super::super::text::{Word, ends_before, longest, words};

pub struct Lists {
    pub fillers: BTreeSet<&'static str>,
    pub joiners: BTreeSet<&'static str>,
    pub follows_letter: BTreeSet<&'static str>,
    pub finals: Phrases,
    pub assertion: Phrases,
    pub contrast: Phrases,
    pub concession: Phrases,
    pub denial: Phrases,
    pub possible: Phrases,
    pub after_final: Phrases,
    pub after_denial: Phrases,
    pub after_possible: Phrases,
    pub yes: BTreeSet<&'static str>,
    pub no: BTreeSet<&'static str>,
    pub yes_phrases: Phrases,
    pub no_phrases: Phrases,
    pub equal: Phrases,
    pub neither: Phrases,
    pub man: Phrases,
    pub woman: Phrases,
    pub none: Phrases,
    pub or: BTreeSet<&'static str>,
    pub than: BTreeSet<&'static str>,
    pub more: BTreeSet<&'static str>,
    pub less: BTreeSet<&'static str>,
    pub denied_clause: Phrases,
}

pub static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    fillers: list("fillers"),
    joiners: list("joiners"),
    follows_letter: list("follows a letter"),
    finals: phrases("final"),
    assertion: phrases("assertion"),
    contrast: phrases("contrast"),
    concession: phrases("concession"),
    denial: phrases("denial"),
    possible: phrases("possible"),
    after_final: phrases("final behind"),
    after_denial: phrases("denial behind"),
    after_possible: phrases("possible behind"),
    yes: list("yes"),
    no: list("no"),
    yes_phrases: phrases("yes phrases"),
    no_phrases: phrases("no phrases"),
    equal: phrases("equal"),
    neither: phrases("neither"),
    man: phrases("man"),
    woman: phrases("woman"),
    none: phrases("no option"),
    or: list("or"),
    than: list("than"),
    more: list("more"),
    less: list("less"),
    denied_clause: phrases("denied clause"),
});

/// What the words around a mention make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    Final,
    Contrast,
    Asserted,
    Possible,
    Denied,
}

/// Words that may stand between a phrase and the option it speaks of.
const REACH: usize = 7;

pub struct Context {
    pub words: Vec<Word>,
    characters: Vec<char>,
}

impl Context {
    /// The words of a text from a byte on, less what is struck through.
    pub fn new(text: &str, start: usize) -> Context {
        let mut words = words(text, start);
        words.retain(|word| !word.struck);
        Context {
            words,
            characters: text.chars().collect(),
        }
    }

    /// The characters before a word; before the place behind the last one, those that end the text.
    pub fn gap(&self, word: usize) -> &[char] {
        let previous = word.checked_sub(1).map(|previous| self.words.get(previous));
        let start = match previous {
            Some(Some(previous)) => previous.span.end as usize,
            Some(None) => self.characters.len(),
            None => 0,
        };
        let next = self.words.get(word);
        let end = next.map_or(self.characters.len(), |next| next.span.start as usize);
        &self.characters[start.min(end)..end]
    }

    pub fn gap_has(&self, word: usize, marks: &str) -> bool {
        self.gap(word).iter().any(|c| marks.contains(*c))
    }

    /// Whether only blanks and quotation or emphasis marks stand before a word.
    pub fn is_close(&self, word: usize) -> bool {
        self.gap(word)
            .iter()
            .all(|c| matches!(c, ' ' | '*' | '_' | '"' | '\'' | '“' | '”' | '’' | '`'))
    }

    pub fn is_filler(&self, word: usize) -> bool {
        let word = &self.words[word];
        // A capital letter alone is an option's.
        let letter = word.capitals && word.lower != "i" && word.lower.chars().count() == 1;
        !letter && LISTS.fillers.contains(word.lower.as_str())
    }

    /// Whether the sentence of a word ends with a question mark.
    pub fn is_question(&self, word: usize) -> bool {
        let sentence = self.words[word].sentence;
        let end = (word..self.words.len()).find(|next| self.words[*next].sentence != sentence);
        self.gap_has(end.unwrap_or(self.words.len()), "?؟")
    }

    /// Whether a phrase ends before a word: at punctuation, the end, or a word that only adds how sure or in place of what.
    pub fn ends_phrase(&self, word: usize) -> bool {
        let adds = |word: &Word| {
            matches!(
                word.lower.as_str(),
                "over" | "with" | "rather" | "instead" | "because" | "since" | "as" | "sagen"
            )
        };
        self.words.get(word).is_none_or(adds)
            || self
                .gap(word)
                .iter()
                .any(|c| !c.is_alphanumeric() && *c != ' ')
    }

    /// Whether what "though" adds is the answer itself: "though C is the honest answer", but not "though B is likelier".
    pub fn is_upheld(&self, from: usize, to: usize) -> bool {
        let lower = |place: usize| self.words.get(place).map_or("", |word| &word.lower);
        let conceded = from > 0 && matches!(lower(from - 1), "though" | "although");
        let kind = to + 1 + usize::from(matches!(lower(to + 1), "the" | "my"));
        conceded
            && lower(to) == "is"
            && matches!(
                lower(kind),
                "honest" | "correct" | "right" | "answer" | "only" | "best" | "final"
            )
    }

    /// Whether a word is given as what comes second: "Runner-up: B", "2nd choice: C".
    pub fn is_runner_up(&self, word: usize) -> bool {
        let lower = |back: usize| {
            let place = word.checked_sub(back);
            place.map_or("", |place| self.words[place].lower.as_str())
        };
        matches!(lower(1), "runner-up" | "alternative")
            || matches!(lower(2), "second" | "2nd" | "next")
                && matches!(lower(1), "choice" | "best" | "guess")
    }

    /// Whether the sentence of a word asks, so that it answers nothing: "Is it B?", but not "B?".
    pub fn asks(&self, word: usize) -> bool {
        let sentence = self.words[word].sentence;
        let first = self.words.iter().find(|one| one.sentence == sentence);
        self.is_question(word)
            && first.is_some_and(|first| {
                matches!(
                    first.lower.as_str(),
                    "is" | "was" | "are" | "could" | "would" | "does" | "did" | "do" | "should"
                )
            })
    }

    /// What the words before a word make of it: the nearest cue, or what comes right before that one and turns it
    /// ("I don't think it's", "but probably").
    pub fn before(&self, word: usize) -> Option<Cue> {
        let (cue, start) = self.nearest(word)?;
        if !matches!(cue, Cue::Asserted | Cue::Final) {
            return Some(cue);
        }
        match self.nearest(start) {
            Some((Cue::Asserted, earlier)) => match self.nearest(earlier) {
                Some((turned @ (Cue::Denied | Cue::Possible | Cue::Contrast), _)) => Some(turned),
                _ => Some(cue),
            },
            Some((turned, _)) => Some(turned),
            None => Some(cue),
        }
    }

    /// The nearest cue before a word, with nothing but fillers between, and where it begins.
    fn nearest(&self, word: usize) -> Option<(Cue, usize)> {
        // A cue that denies or weakens reaches no further than its clause.
        let mut in_clause = true;
        let mut place = word;
        for _ in 0..REACH {
            in_clause &= !self.gap_has(place, ",;:—–\n.!?");
            if self.gap_has(place, ".!?؟।;") {
                return None;
            }
            let lists = [
                (Cue::Final, &LISTS.finals, true),
                (Cue::Contrast, &LISTS.contrast, true),
                (Cue::Asserted, &LISTS.assertion, in_clause),
                (Cue::Possible, &LISTS.possible, in_clause),
                // Of phrases that are equally long, the last wins: what denies weighs most.
                (Cue::Denied, &LISTS.denial, in_clause),
            ];
            let found = lists
                .into_iter()
                .filter(|(.., reaches)| *reaches)
                .filter_map(|(cue, phrases, _)| {
                    Some((ends_before(&self.words, place, phrases)?, cue))
                })
                // A phrase does not run over the end of a sentence: "I doubt it. Is it B?"
                .filter(|(length, _)| {
                    !(place - length + 1..place).any(|word| self.gap_has(word, ".!?؟।;"))
                })
                .max_by_key(|(length, _)| *length);
            if let Some((length, cue)) = found {
                return Some((cue, place - length));
            }
            place = place.checked_sub(1)?;
            if !self.is_filler(place) {
                return None;
            }
        }
        None
    }

    /// The cue behind a place, before a limit: "is correct", "could", "? No."
    pub fn behind(&self, word: usize, limit: usize) -> Option<Cue> {
        let is = |list: &BTreeSet<&str>, place: usize| {
            self.words
                .get(place)
                .is_some_and(|word| list.contains(word.lower.as_str()))
        };
        // "A? No. B? Also no."
        let also = self.gap_has(word, "?")
            && self.words.get(word).is_some_and(|word| {
                matches!(
                    word.lower.as_str(),
                    "also" | "again" | "definitely" | "probably" | "clearly"
                )
            });
        let word =
            word + usize::from(also && (is(&LISTS.yes, word + 1) || is(&LISTS.no, word + 1)));
        // "A? No.", "A: no", "A - yes"
        let asked = |marks: &str| self.gap_has(word, marks) || also;
        let closed = self.gap_has(word + 1, ".,;!:|)}\n");
        let answered = asked("?:=–—-|;,(؟") && closed;
        let ends = word + 1 >= self.words.len();
        // "A no, B no, C yes"
        let blank = self.gap(word).iter().all(|c| " )]*\"'`".contains(*c));
        let plain = blank && self.gap_has(word, " ") && (closed || ends);
        if word < self.words.len() && (answered || plain || asked("?:=–—-|") && ends) {
            if is(&LISTS.yes, word) {
                return Some(Cue::Final);
            }
            if is(&LISTS.no, word) {
                return Some(Cue::Denied);
            }
        }
        // "Is it A? I doubt it."
        if self.gap_has(word, "?؟") {
            let says = |list: &Phrases| longest(&self.words, word, list).is_some_and(|n| n > 0);
            if says(&LISTS.no_phrases) {
                return Some(Cue::Denied);
            }
            if says(&LISTS.yes_phrases) {
                return Some(Cue::Final);
            }
        }
        for place in word..word + 3 {
            if place >= limit.min(self.words.len()) || self.gap_has(place, ".!?;\n؟।") {
                return None;
            }
            let lists = [
                (Cue::Final, &LISTS.after_final),
                (Cue::Denied, &LISTS.after_denial),
                (Cue::Possible, &LISTS.after_possible),
            ];
            let found = lists
                .into_iter()
                .filter_map(|(cue, phrases)| Some((longest(&self.words, place, phrases)?, cue)))
                .filter(|(length, _)| *length > 0)
                .max_by_key(|(length, _)| *length);
            if let Some((_, cue)) = found {
                return Some(cue);
            }
            if !self.is_filler(place) {
                return None;
            }
        }
        None
    }

    /// Whether "answer" stands before a word, with nothing but fillers between.
    pub fn is_keyed(&self, word: usize) -> bool {
        (0..word)
            .rev()
            .take(REACH)
            .take_while(|before| !self.gap_has(before + 1, ".!?"))
            .find(|before| !self.is_filler(*before))
            .is_some_and(|before| self.words[before].lower == "answer")
    }

    /// Whether two words stand in one clause, with nothing but blanks and words between them.
    pub fn is_one_clause(&self, from: usize, to: usize) -> bool {
        (from..=to).all(|place| !self.gap_has(place, ",;:—–\n.!?"))
    }

    /// Whether what comes before a word in its sentence denies everything that follows: "nothing suggests that".
    pub fn is_in_denied_clause(&self, word: usize) -> bool {
        let start = (0..word)
            .rev()
            .take_while(|place| !self.gap_has(place + 1, ".!?;:—–\n"))
            .last();
        let Some(start) = start else { return false };
        (start..word).any(|place| {
            let length = longest(&self.words, place, &LISTS.denied_clause).unwrap_or(0);
            length > 0 && place + length <= word && !self.corrects(place + length, word)
        })
    }

    /// Whether something between two words takes back what came before.
    pub fn corrects(&self, from: usize, to: usize) -> bool {
        (from..to).any(|place| longest(&self.words, place, &LISTS.contrast).is_some_and(|n| n > 0))
    }

    /// Whether a clause ends with "too" or "as well": "but men do too".
    pub fn adds(&self, from: usize) -> bool {
        let end = (from..self.words.len().min(from + 6))
            .find(|place| self.gap_has(*place, ",.!?;:\n"))
            .unwrap_or(self.words.len());
        let word = |back: usize| {
            let place = end.checked_sub(back).filter(|place| *place >= from);
            place.map_or("", |place| self.words[place].lower.as_str())
        };
        end <= from + 6 && (word(1) == "too" || (word(2), word(1)) == ("as", "well"))
    }

    /// Whether a sentence that begins with "or" goes on with what the one before says of another option.
    pub fn goes_on_with(&self, from: usize, to: usize) -> bool {
        let mut between = self.words[from..to].iter();
        let joins = between
            .next()
            .is_some_and(|word| matches!(word.lower.as_str(), "or" | "nor"));
        let new = from > 0 && self.words[from].sentence != self.words[from - 1].sentence;
        joins && new && (from + 1..to).all(|word| self.is_filler(word))
    }

    /// Whether a new sentence begins between two words.
    pub fn begins_sentence(&self, from: usize, to: usize) -> bool {
        from > 0 && self.words[from - 1].sentence != self.words[to].sentence
    }

    /// Whether what comes between two words only grants something to what came before: "although if you pressed me".
    pub fn concedes(&self, from: usize, to: usize) -> bool {
        (from..to)
            .any(|place| longest(&self.words, place, &LISTS.concession).is_some_and(|n| n > 0))
    }

    /// Whether a number stands behind a place, set off as its value: "A: 3".
    pub fn is_numbered(&self, place: usize) -> bool {
        self.gap_has(place, ":=")
            && self
                .words
                .get(place)
                .is_some_and(|word| word.lower.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Numbers that are shares, by word: percentages, decimals below 1, parts of ten.
    pub fn shares(&self) -> Vec<(usize, f64)> {
        let number = |place: usize| -> Option<f64> {
            let word = self.words.get(place)?;
            let text = word.lower.replace(',', ".");
            text.parse()
                .ok()
                .filter(|_| word.lower.starts_with(|c: char| c.is_ascii_digit()))
        };
        let share = |place: usize| -> Option<(usize, f64)> {
            let value = number(place)?;
            let next: String = self.gap(place + 1).iter().collect();
            let percent = next.trim_start().starts_with(['%', '٪'])
                || self
                    .words
                    .get(place + 1)
                    .is_some_and(|word| word.lower == "percent");
            let parts = number(place + 1).filter(|whole| next == "/" && *whole > 0.0);
            match parts {
                Some(whole) => Some((place, value / whole)),
                None if percent => Some((place, value / 100.0)),
                None if self.words[place].lower.contains('.') && value <= 1.0 => {
                    Some((place, value))
                }
                None => None,
            }
        };
        let shares: Vec<(usize, f64)> = (0..self.words.len()).filter_map(share).collect();
        // "Woman 80, man 20"
        let whole: Vec<(usize, f64)> = (0..self.words.len())
            .filter_map(|place| Some((place, number(place)?)))
            .collect();
        let sum: f64 = whole.iter().map(|(_, value)| value).sum();
        let is_whole = [10.0, 100.0]
            .iter()
            .any(|all: &f64| (sum - all).abs() < 1e-9);
        if shares.is_empty() && (2..=3).contains(&whole.len()) && is_whole {
            return whole;
        }
        // "A: low, B: low, C: high"
        let level = |place: usize| {
            let value = match self.words[place].lower.as_str() {
                "low" => 0.2,
                "medium" | "moderate" => 0.5,
                "high" => 0.8,
                _ => return None,
            };
            self.gap_has(place, ":=(–—|").then_some((place, value))
        };
        let levels: Vec<(usize, f64)> = (0..self.words.len()).filter_map(level).collect();
        if shares.is_empty() && levels.len() >= 2 {
            return levels;
        }
        // `{"A": 0, "B": 0, "C": 1}`
        let object = self.characters.iter().find(|c| !c.is_whitespace()) == Some(&'{');
        if !shares.is_empty() || !object {
            return shares;
        }
        let switch = |place: usize| {
            let value = number(place).filter(|value| [0.0, 1.0].contains(value))?;
            self.gap_has(place, ":").then_some((place, value))
        };
        (0..self.words.len()).filter_map(switch).collect()
    }
}
