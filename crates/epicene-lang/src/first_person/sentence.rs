//! The first sentence of a text as tokens with classes and clauses.
//!
//! Only the first sentence counts (GEST, section 4.2 of its specification), so reading stops at
//! its end. Clauses matter because a gendered form belongs to the speaker only if it stands in the
//! clause of the word that says "I": a comma, a dash or a subordinator starts a new clause (hard
//! boundary), a coordinating conjunction a new phrase inside it (soft boundary).

use std::ops::Range;

use super::lexicon::Lexicon;
use super::script::{Folding, is_letter};
use super::tags::Tags;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// A word with a capital where none belongs: a name, whatever its ending looks like.
    Name,
    Number,
    /// Comma, dash, colon, bracket: ends a clause.
    Break,
    /// Quotation marks and other signs that end nothing.
    Mark,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) tags: Tags,
    /// Characters of the judged text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Bytes of the folded text.
    low: u32,
    high: u32,
    /// Number of the clause, from 0.
    pub(crate) clause: u16,
    /// Number of the phrase, counted through the sentence.
    pub(crate) phrase: u16,
}

pub(crate) struct Sentence {
    folded: String,
    pub(crate) tokens: Vec<Token>,
}

impl Sentence {
    /// Reads the first sentence of `text`.
    pub(crate) fn read(text: &str, folding: Folding, lexicon: &Lexicon) -> Sentence {
        let mut reader = Reader {
            sentence: Sentence {
                folded: String::with_capacity(text.len() + 8),
                tokens: Vec::with_capacity(text.len() / 5 + 4),
            },
            folding,
            lexicon,
        };
        reader.run(text);
        let mut sentence = reader.sentence;
        sentence.mark_clauses();
        sentence
    }

    /// The folded text of a token.
    pub(crate) fn word(&self, index: usize) -> &str {
        let token = &self.tokens[index];
        &self.folded[token.low as usize..token.high as usize]
    }

    pub(crate) fn tags(&self, index: usize) -> Tags {
        self.tokens[index].tags
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// First token that is `word`.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        self.all(word).next()
    }

    /// All tokens that are `word`.
    pub(crate) fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        (0..self.len())
            .filter(move |&index| self.tokens[index].kind == Kind::Word && self.word(index) == word)
    }

    /// The tokens of the clause that `index` stands in.
    pub(crate) fn clause(&self, index: usize) -> Range<usize> {
        let clause = self.tokens[index].clause;
        let start = self.tokens.partition_point(|token| token.clause < clause);
        let end = self.tokens.partition_point(|token| token.clause <= clause);
        start..end
    }

    /// The tokens of the phrase that `index` stands in.
    pub(crate) fn phrase(&self, index: usize) -> Range<usize> {
        let phrase = self.tokens[index].phrase;
        let start = self.tokens.partition_point(|token| token.phrase < phrase);
        let end = self.tokens.partition_point(|token| token.phrase <= phrase);
        start..end
    }

    /// How many soft boundaries lie between two tokens.
    pub(crate) fn crossings(&self, one: usize, other: usize) -> usize {
        usize::from(self.tokens[one].phrase.abs_diff(self.tokens[other].phrase))
    }

    fn mark_clauses(&mut self) {
        let (mut clause, mut phrase) = (0u16, 0u16);
        let mut fresh = true;
        let mut after_preposition = false;
        for token in &mut self.tokens {
            let word = token.kind == Kind::Word;
            // "ні на що": an interrogative under a preposition, no comma before, opens nothing.
            if !fresh && word && token.tags.any(Tags::SUBORD) && !after_preposition {
                clause = clause.saturating_add(1);
                phrase = phrase.saturating_add(1);
                fresh = true;
            } else if !fresh && word && token.tags.any(Tags::COORD) {
                phrase = phrase.saturating_add(1);
            }
            token.clause = clause;
            token.phrase = phrase;
            if token.kind == Kind::Break {
                clause = clause.saturating_add(1);
                phrase = phrase.saturating_add(1);
                fresh = true;
            } else if word && !token.tags.any(Tags::COORD | Tags::PREPOSITION) {
                fresh = false;
            }
            after_preposition = word && token.tags.any(Tags::PREPOSITION);
        }
    }
}

struct Reader<'a> {
    sentence: Sentence,
    folding: Folding,
    lexicon: &'a Lexicon,
}

impl Reader<'_> {
    fn run(&mut self, text: &str) {
        let mut letters = text.char_indices().enumerate().peekable();
        while let Some((place, (byte, letter))) = letters.next() {
            let rest = &text[byte + letter.len_utf8()..];
            if is_letter(letter) || letter.is_numeric() {
                let low = self.sentence.folded.len();
                let mut end = place + 1;
                let mut kind = if letter.is_numeric() {
                    Kind::Number
                } else {
                    Kind::Word
                };
                let mut case = Case::new(letter);
                self.folding.push(letter, &mut self.sentence.folded);
                while let Some(&(next_place, (next_byte, next))) = letters.peek() {
                    let after = text[next_byte + next.len_utf8()..].chars().next();
                    if !continues(next, after, kind) {
                        break;
                    }
                    if is_letter(next) {
                        kind = Kind::Word;
                    }
                    case.add(next);
                    self.folding.push(next, &mut self.sentence.folded);
                    end = next_place + 1;
                    letters.next();
                }
                if kind == Kind::Word && self.is_name(&case, low) {
                    kind = Kind::Name;
                }
                self.push(kind, place, end, low);
            } else if is_terminator(letter) {
                if letter == '.' && self.keeps_going(rest) {
                    continue;
                }
                if !self.sentence.tokens.is_empty() && ends_sentence(rest) {
                    break;
                }
            } else if letter == '\n' {
                let blank = rest.chars().take_while(|next| next.is_whitespace());
                if blank.into_iter().any(|next| next == '\n') && !self.sentence.tokens.is_empty() {
                    break;
                }
            } else if !letter.is_whitespace() {
                let low = self.sentence.folded.len();
                self.sentence.folded.push(letter);
                self.push(kind_of_sign(letter), place, place + 1, low);
            }
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, low: usize) {
        let high = self.sentence.folded.len();
        let word = &self.sentence.folded[low..high];
        let tags = match kind {
            Kind::Word => self.lexicon.tags(word),
            Kind::Name => Tags::NOUN_M | Tags::NOUN_F,
            Kind::Number => Tags::DETERMINER,
            Kind::Break | Kind::Mark => Tags::NONE,
        };
        self.sentence.tokens.push(Token {
            kind,
            tags,
            start: clamp(start),
            end: clamp(end),
            low: clamp(low),
            high: clamp(high),
            clause: 0,
            phrase: 0,
        });
    }

    /// Whether the word read from `low` on is a name: it has a capital inside, or one at its start
    /// where no sentence opens. A listed word stays what it is ("Ja" may be capitalised for respect).
    fn is_name(&self, case: &Case, low: usize) -> bool {
        if case.mixed {
            return true;
        }
        if !(case.first_upper && case.any_lower) {
            return false;
        }
        let Some(last) = self.sentence.tokens.last() else {
            return false;
        };
        let inside = match last.kind {
            Kind::Word | Kind::Name | Kind::Number => true,
            Kind::Break => &self.sentence.folded[last.low as usize..last.high as usize] == ",",
            Kind::Mark => false,
        };
        inside && self.lexicon.listed(&self.sentence.folded[low..]).is_none()
    }

    /// Whether a full stop belongs to an abbreviation or an initial.
    fn keeps_going(&self, rest: &str) -> bool {
        let Some(last) = self.sentence.tokens.last() else {
            return false;
        };
        if last.kind != Kind::Word {
            return false;
        }
        let word = &self.sentence.folded[last.low as usize..last.high as usize];
        if self.lexicon.is_abbreviation(word) {
            return !rest.trim().is_empty();
        }
        // An initial: one letter, and no vowel, since "я", "a", "i" are words.
        let mut letters = word.chars();
        let initial = letters
            .next()
            .is_some_and(|letter| !"aeiouyаеиоуыэюяёіїє".contains(letter));
        initial && letters.next().is_none()
    }
}

/// What the capitals of a word say.
struct Case {
    first_upper: bool,
    any_lower: bool,
    /// A capital after a small letter, as in "BiH".
    mixed: bool,
}

impl Case {
    fn new(letter: char) -> Case {
        Case {
            first_upper: letter.is_uppercase(),
            any_lower: letter.is_lowercase(),
            mixed: false,
        }
    }

    fn add(&mut self, letter: char) {
        self.mixed |= self.any_lower && letter.is_uppercase();
        self.any_lower |= letter.is_lowercase();
    }
}

fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn is_terminator(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…')
}

/// Whether `next` goes on with the word before it. Hyphens and apostrophes do between letters.
fn continues(next: char, after: Option<char>, kind: Kind) -> bool {
    match next {
        '-' | '‑' => after.is_some_and(is_letter),
        '\'' | '’' | 'ʼ' | '`' => kind == Kind::Word && after.is_some_and(is_letter),
        '.' | ',' => kind == Kind::Number && after.is_some_and(char::is_numeric),
        '\u{ad}' | '\u{200b}' | '\u{200d}' | '\u{300}'..='\u{36f}' => true,
        _ => is_letter(next) || next.is_numeric(),
    }
}

/// Whether what follows a terminator shows that the sentence is over: nothing, or a capital.
fn ends_sentence(rest: &str) -> bool {
    let after =
        rest.trim_start_matches(|next| is_terminator(next) || is_quote(next) || next == ')');
    if after.trim().is_empty() {
        return true;
    }
    if !after.starts_with(char::is_whitespace) {
        return false;
    }
    let opening = |next: char| next.is_whitespace() || is_quote(next) || "-–—(".contains(next);
    after
        .trim_start_matches(opening)
        .starts_with(|next: char| next.is_uppercase() || next.is_numeric())
}

fn is_quote(letter: char) -> bool {
    matches!(
        letter,
        '"' | '„' | '“' | '”' | '«' | '»' | '‚' | '‘' | '’' | '\'' | '‹' | '›'
    )
}

fn kind_of_sign(letter: char) -> Kind {
    match letter {
        ',' | ';' | ':' | '-' | '–' | '—' | '(' | ')' | '[' | ']' | '/' => Kind::Break,
        _ => Kind::Mark,
    }
}
