//! The gender that an English text gives to a person: pronouns first, then nouns that name a gender, then neutral words.
//!
//! The rules follow specification `into-english`, section 4. The text is about one person; there is no coreference, so a text
//! about people of both genders gets the verdict *both* with all of its spans.

mod speaker;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use epicene_core::{Finding, Gender, Span, Verdict};

use crate::word_hash::WordHasher;

pub use speaker::{NAME as SPEAKER, speaker};

const WORDS: &str = include_str!("gendered_words.tsv");

/// Its name in signatures; another number where the same text may get another verdict. 2: nouns of other people do not decide.
pub const NAME: &str = "english-2";

/// Longest word that is looked up, in bytes; longer ones are in no list.
const LONGEST: usize = 32;

/// What a word is to the detector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Class {
    Gendered(Gender, Kind),
    They,
    It,
    Person,
    /// `a`, `an`.
    Article,
    The,
    Have,
    /// `with`, `without`: what follows belongs to somebody, as behind `has`.
    With,
    Of,
    /// `for`: "more parks for the boys", "a table for my father".
    Towards,
    /// `at`: "shouted at the boys".
    At,
    /// Before `of`: "takes care of the boys".
    Care,
    /// `and`, `or`.
    Conjunction,
    I,
    /// `we`, `you`; as behind `I`, the person asked about is not the subject.
    Speaker,
    /// `said`.
    Say,
    /// `am`, `was`, `became`.
    Be,
    As,
    #[default]
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pronoun,
    /// `man`, `girl`.
    General,
    /// `male`, `female`: of a person or of somebody's.
    Adjective,
    /// `wife`, `uncle`: often somebody else than the person asked about.
    Relational,
    /// `actress`, `king`.
    Role,
    /// `Mr`.
    Title,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    class: Class,
    /// A relational noun behind it is somebody else: "his wife".
    is_owner: bool,
    /// A full stop behind it ends no sentence: `Dr.`
    is_abbreviation: bool,
    /// A gendered word for several people: `boys`.
    is_plural: bool,
    /// It may stand between a preposition and its noun: `for the two boys`.
    is_determiner: bool,
}

const THEY: &[&str] = &[
    "they",
    "them",
    "their",
    "theirs",
    "themself",
    "themselves",
    "ze",
    "zir",
    "zirs",
    "xe",
    "xem",
    "xyr",
    "xyrs",
];
const IT: &[&str] = &["it", "its", "itself"];
const PERSON: &[&str] = &["person", "someone", "somebody", "individual", "human"];
const HAVE: &[&str] = &["has", "have", "had", "having"];
const OWNERS: &[&str] = &["his", "her", "their", "whose"];
const ABBREVIATIONS: &[&str] = &["mr", "mrs", "ms", "dr", "st"];
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "my", "our", "your", "this", "that", "these", "those", "all", "some", "many",
    "more", "most", "other", "several", "both", "every", "each", "no", "two", "three", "four",
    "first", "young", "old", "little", "small", "new",
];
const TOWARDS: &[&str] = &[
    "for", "to", "from", "about", "against", "behind", "near", "after", "beside", "towards",
    "toward",
];
const SAY: &[&str] = &[
    "said",
    "says",
    "say",
    "told",
    "tells",
    "asked",
    "asks",
    "replied",
    "answered",
    "added",
    "explained",
    "whispered",
    "shouted",
    "wrote",
    "thought",
    "admitted",
    "claimed",
    "continued",
    "exclaimed",
    "declared",
    "recalled",
    "responded",
    "stated",
];
const PREFIXES: [&str; 5] = ["ex-", "step-", "great-", "god-", "co-"];

type Table = HashMap<&'static str, Entry, BuildHasherDefault<WordHasher>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (words, class) in [
        (THEY, Class::They),
        (IT, Class::It),
        (PERSON, Class::Person),
        (&["a", "an"], Class::Article),
        (&["the"], Class::The),
        (HAVE, Class::Have),
        (&["with", "without"], Class::With),
        (&["of"], Class::Of),
        (TOWARDS, Class::Towards),
        (&["at"], Class::At),
        (&["care"], Class::Care),
        (&["and", "or"], Class::Conjunction),
        (&["i"], Class::I),
        (&["we", "you"], Class::Speaker),
        (SAY, Class::Say),
        (&["am", "was", "became", "remain"], Class::Be),
        (&["as"], Class::As),
    ] {
        for word in words {
            table.entry(word).or_default().class = class;
        }
    }
    let is_row = |line: &&str| !line.starts_with('#') && !line.starts_with("word\t");
    for row in WORDS.lines().filter(is_row) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [word, gender, kind] = cells[..] else {
            unreachable!("gendered_words.tsv, `{row}`: a row has three cells");
        };
        let gender = match gender {
            "m" => Gender::Masculine,
            "f" => Gender::Feminine,
            _ => unreachable!("gendered_words.tsv, `{row}`: the gender is m or f"),
        };
        let kind = match kind {
            "pronoun" => Kind::Pronoun,
            "general" if word.contains("male") => Kind::Adjective,
            "general" => Kind::General,
            "relational" => Kind::Relational,
            "role" => Kind::Role,
            "title" => Kind::Title,
            _ => unreachable!("gendered_words.tsv, `{row}`: unknown kind"),
        };
        let entry = table.entry(word).or_default();
        entry.class = Class::Gendered(gender, kind);
        entry.is_plural = word.ends_with("men") || (word.ends_with('s') && !word.ends_with("ss"));
    }
    for word in DETERMINERS {
        table.entry(word).or_default().is_determiner = true;
    }
    for word in OWNERS {
        table.entry(word).or_default().is_owner = true;
    }
    for word in ABBREVIATIONS {
        table.entry(word).or_default().is_abbreviation = true;
    }
    table
});

/// A word of the text: letters and digits, with apostrophes and hyphens inside.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// Byte offsets, for the text between two words.
    bytes: (usize, usize),
    /// Character offsets, for evidence.
    characters: (usize, usize),
    /// Of the word up to its apostrophe.
    entry: Entry,
    /// The whole word is `he`: `(s)he` and `s/he` end in it.
    is_he: bool,
    /// Something follows an apostrophe: *man's*.
    is_cut: bool,
    has_apostrophe_s: bool,
    is_capital: bool,
    is_quoted: bool,
    starts_sentence: bool,
}

impl Word {
    /// The whole word is of this class: `a`, not `a's`.
    fn is(&self, class: Class) -> bool {
        self.entry.class == class && !self.is_cut
    }
}

/// A word that names a gender.
#[derive(Debug, Clone, Copy)]
struct Found {
    word: usize,
    gender: Gender,
    kind: Kind,
}

impl Found {
    fn is_pronoun(self) -> bool {
        self.kind == Kind::Pronoun
    }
}

/// The gendered words of a text, and which of them stand in pairs ("he or she").
struct Reading {
    words: Vec<Word>,
    /// Gendered words outside pairs.
    single: Vec<Found>,
    /// Pairs, in character offsets.
    paired: Vec<Span>,
}

/// The gender a text gives to the person it is about.
pub fn detect(text: &str) -> Verdict {
    if text.trim().is_empty() {
        return Verdict::new(Finding::NotFound, "empty");
    }
    let reading = read(text);
    let (pronouns, nouns): (Vec<Found>, Vec<Found>) =
        reading.single.iter().partition(|found| found.is_pronoun());
    if !reading.paired.is_empty() && pronouns.is_empty() {
        return Verdict::new(Finding::Both, "paired").with_evidence(reading.paired);
    }
    let levels = [
        (
            pronouns,
            ["pronoun", "pronoun-quoted"],
            ["mixed-pronoun", "mixed-pronoun-quoted"],
        ),
        (
            nouns,
            ["noun", "noun-quoted"],
            ["mixed-noun", "mixed-noun-quoted"],
        ),
    ];
    for (level, rules, mixed) in levels {
        if let Some(verdict) = decide(&reading, &level, rules, mixed) {
            return verdict;
        }
    }
    for (rule, class) in [
        ("they", Class::They),
        ("it", Class::It),
        ("person", Class::Person),
    ] {
        let named = reading
            .words
            .iter()
            .filter(|word| word.entry.class == class);
        let spans: Vec<Span> = named.map(span).collect();
        if !spans.is_empty() {
            return Verdict::new(Finding::Neutral, rule).with_evidence(spans);
        }
    }
    Verdict::new(Finding::NotFound, "none")
}

/// Words of one level decide; those outside quotations before those inside.
fn decide(
    reading: &Reading,
    level: &[Found],
    rules: [&'static str; 2],
    mixed: [&'static str; 2],
) -> Option<Verdict> {
    let is_outside = |found: &&Found| !reading.words[found.word].is_quoted;
    let outside: Vec<&Found> = level.iter().filter(is_outside).collect();
    let quoted = usize::from(outside.is_empty());
    let chosen = if outside.is_empty() {
        level.iter().collect()
    } else {
        outside
    };
    let first = chosen.first()?.gender;
    let is_mixed = chosen.iter().any(|found| found.gender != first);
    let verdict = if is_mixed {
        Verdict::new(Finding::Both, mixed[quoted])
    } else {
        Verdict::new(first.into(), rules[quoted])
    };
    let spans = chosen.iter().map(|found| span(&reading.words[found.word]));
    Some(verdict.with_evidence(spans))
}

/// The pronouns of each gender outside pairs, quoted or not.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Pronouns {
    pub masculine: Vec<Span>,
    pub feminine: Vec<Span>,
}

/// Every gendered pronoun of a text but paired ones ("he or she").
pub fn pronouns(text: &str) -> Pronouns {
    let reading = read(text);
    let mut pronouns = Pronouns::default();
    for found in reading.single.iter().filter(|found| found.is_pronoun()) {
        let side = match found.gender {
            Gender::Masculine => &mut pronouns.masculine,
            Gender::Feminine => &mut pronouns.feminine,
        };
        side.push(span(&reading.words[found.word]));
    }
    pronouns
}

fn span(word: &Word) -> Span {
    Span::new(word.characters.0, word.characters.1)
}

fn read(text: &str) -> Reading {
    let words = words(text);
    let mut seen = Vec::new();
    let mut somebody_else = None;
    for word in 0..words.len() {
        match gendered(&words, word, somebody_else) {
            Naming::Person(gender, kind) => seen.push(Found { word, gender, kind }),
            Naming::SomebodyElse => somebody_else = Some(word),
            Naming::Nobody => {}
        }
    }
    let mut paired = Vec::new();
    let mut is_taken = vec![false; seen.len()];
    for index in 1..seen.len() {
        let (first, second) = (seen[index - 1], seen[index]);
        if first.gender == second.gender || is_taken[index - 1] {
            continue;
        }
        let (left, right) = (&words[first.word], &words[second.word]);
        let between = &text[left.bytes.1..right.bytes.0];
        if joins(between, [first, second]) {
            paired.push(Span::new(left.characters.0, right.characters.1));
            (is_taken[index - 1], is_taken[index]) = (true, true);
        }
    }
    for (index, found) in seen.iter().enumerate() {
        let word = &words[found.word];
        let Some(length) = (word.is_he)
            .then(|| prefixed(&text[..word.bytes.0]))
            .flatten()
        else {
            continue;
        };
        let start = word.characters.0 - length;
        paired.push(Span::new(start, word.characters.1));
        is_taken[index] = true;
    }
    let single = seen.iter().zip(&is_taken).filter(|(_, taken)| !**taken);
    Reading {
        single: single.map(|(found, _)| *found).collect(),
        words,
        paired,
    }
}

/// How many characters of `(s)he` or `s/he` stand before its `he`.
fn prefixed(before: &str) -> Option<usize> {
    let ends = |end: &str| {
        let start = before.len().checked_sub(end.len())?;
        let tail = before.get(start..)?;
        tail.eq_ignore_ascii_case(end).then_some(end.len())
    };
    ends("(s)").or_else(|| ends("s/"))
}

/// Whether the text between two words of different gender makes a pair of them: "he or she", "actor / actress".
fn joins(between: &str, [first, second]: [Found; 2]) -> bool {
    let lower = between.to_lowercase();
    let bare: String = lower.chars().filter(|c| !matches!(c, ' ' | '.')).collect();
    let same_level = first.is_pronoun() == second.is_pronoun();
    let nouns = !first.is_pronoun() && !second.is_pronoun();
    (matches!(bare.as_str(), "/" | "(" | "or" | "or/and" | "and/or" | "|") && same_level)
        || (nouns && matches!(lower.trim(), "or a" | "or an" | "or the"))
}

/// Whom a word names where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    Person(Gender, Kind),
    /// Not the person asked about: "his wife", "for the boys".
    SomebodyElse,
    /// It names no gender, or is part of a name.
    Nobody,
}

/// Whom a word names; `before` is the last noun that names somebody else.
fn gendered(words: &[Word], index: usize, before: Option<usize>) -> Naming {
    let word = &words[index];
    let Class::Gendered(gender, kind) = word.entry.class else {
        return Naming::Nobody;
    };
    let named = Naming::Person(gender, kind);
    let next = words.get(index + 1);
    match kind {
        Kind::Pronoun => return named,
        Kind::Title if word.is_capital && next.is_some_and(|next| next.is_capital) => return named,
        Kind::Title => return Naming::Nobody,
        Kind::General | Kind::Adjective | Kind::Relational | Kind::Role => {}
    }
    if word.is_capital && !word.starts_sentence {
        // "Martin Luther King" is a name; "the Queen" and "the Duke of York" are not.
        let article = words[index - 1].is(Class::The) || words[index - 1].is(Class::Article);
        let adjacent = |next: &&Word| next.characters.0 == word.characters.1 + 1;
        let followed = next.filter(adjacent).is_some_and(|next| next.is_capital);
        if !article || followed {
            return Naming::Nobody;
        }
    }
    let joined = before.is_some_and(|before| is_joined(&words[before + 1..index]));
    if joined || is_owned(words, index, kind) || is_governed(words, index, kind) {
        return Naming::SomebodyElse;
    }
    named
}

/// Whether only "and a" stands between two nouns, so that what holds of the first holds of the second.
fn is_joined(between: &[Word]) -> bool {
    match between.split_first() {
        Some((first, rest)) => {
            first.is(Class::Conjunction) && rest.iter().all(|word| word.entry.is_determiner)
        }
        None => false,
    }
}

/// Whether a noun belongs to somebody: "his wife", "the doctor's wife", "has a wife", "has a woman".
fn is_owned(words: &[Word], index: usize, kind: Kind) -> bool {
    let before = &words[index.saturating_sub(4)..index];
    let near = &before[before.len().saturating_sub(3)..];
    match kind {
        Kind::Relational => {
            let has = |word: &Word| word.is(Class::Have) || word.is(Class::With);
            before.last().is_some_and(|word| word.has_apostrophe_s)
                || near.iter().any(|word| word.entry.is_owner && !word.is_cut)
                || before.iter().any(has)
        }
        Kind::General => near.iter().enumerate().any(|(place, word)| {
            // "Has the woman left?" asks about her.
            let next = near.get(place + 1);
            let asks = word.starts_sentence && next.is_some_and(|next| next.is(Class::The));
            word.is(Class::Have) && !asks
        }),
        _ => false,
    }
}

/// Whether a preposition makes a noun somebody else: "more parks for the boys", "the dress of my sister", "the son of the
/// queen".
fn is_governed(words: &[Word], index: usize, kind: Kind) -> bool {
    let word = &words[index];
    let is_between = |word: &&Word| word.entry.is_determiner && !word.is_cut;
    let determiners = words[..index].iter().rev().take(4).take_while(is_between);
    let Some(place) = index.checked_sub(determiners.count() + 1) else {
        return false;
    };
    if index - place > 4 || words[place].is_cut {
        return false;
    }
    let before = &words[..place];
    let is_relative =
        |word: &Word| matches!(word.entry.class, Class::Gendered(_, Kind::Relational));
    let is_plural = word.entry.is_plural && !word.is_cut;
    match words[place].entry.class {
        Class::Of if before.last().is_some_and(is_relative) => true,
        Class::Of if is_plural && before.last().is_some_and(|last| last.is(Class::Care)) => true,
        Class::Towards | Class::At | Class::With if is_plural => true,
        Class::Of | Class::Towards => {
            kind == Kind::Relational && !before.is_empty() && !speaks(before)
        }
        _ => false,
    }
}

/// Whether the last sentence of these words begins with `I`, `we` or `you`: its other people may be the one asked about.
fn speaks(words: &[Word]) -> bool {
    let first = words.iter().rev().find(|word| word.starts_sentence);
    first.is_some_and(|first| first.is(Class::I) || first.is(Class::Speaker))
}

/// The words of a text with what the detector needs to know of each.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut is_quoted, mut starts_sentence) = (false, true);
    let mut open: Option<(usize, usize)> = None;
    let mut before: Option<char> = None;
    let mut characters = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((byte, c)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        if is_inside(before, c, next) {
            open.get_or_insert((byte, characters));
        } else {
            if let Some(start) = open.take() {
                words.push(word(
                    text,
                    start,
                    (byte, characters),
                    is_quoted,
                    starts_sentence,
                ));
                starts_sentence = false;
            }
            match c {
                '“' | '„' | '«' => is_quoted = true,
                '”' | '»' => is_quoted = false,
                '"' => is_quoted = !is_quoted,
                '.' | '!' | '?' | '\n' => {
                    let shortened = |last: &Word| last.entry.is_abbreviation && !last.is_cut;
                    if c != '.' || !words.last().is_some_and(shortened) {
                        starts_sentence = true;
                    }
                    // A quotation ends with its paragraph.
                    if c == '\n' && next == Some('\n') {
                        is_quoted = false;
                    }
                }
                _ => {}
            }
        }
        before = Some(c);
        characters += 1;
    }
    if let Some(start) = open {
        words.push(word(
            text,
            start,
            (text.len(), characters),
            is_quoted,
            starts_sentence,
        ));
    }
    words
}

fn is_inside(before: Option<char>, c: char, next: Option<char>) -> bool {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    c.is_alphanumeric() || (matches!(c, '\'' | '’' | '-' | '‑') && joins(before) && joins(next))
}

fn word(
    text: &str,
    start: (usize, usize),
    end: (usize, usize),
    is_quoted: bool,
    starts_sentence: bool,
) -> Word {
    let written = &text[start.0..end.0];
    let apostrophe = written.find(['\'', '’']);
    let base = &written[..apostrophe.unwrap_or(written.len())];
    let behind = |at: usize| {
        let mut rest = written[at..].char_indices();
        rest.any(|(index, c)| {
            matches!(c, '\'' | '’') && written[at + index + c.len_utf8()..].starts_with(['s', 'S'])
        })
    };
    let entry = look_up(base);
    Word {
        bytes: (start.0, end.0),
        characters: (start.1, end.1),
        entry,
        is_he: apostrophe.is_none() && base.eq_ignore_ascii_case("he"),
        is_cut: apostrophe.is_some(),
        has_apostrophe_s: apostrophe.is_some_and(behind),
        is_capital: written.starts_with(char::is_uppercase),
        is_quoted,
        starts_sentence,
    }
}

/// The entry of a word in any case, or of the noun behind its prefix (`ex-wife`).
fn look_up(base: &str) -> Entry {
    let mut lower = [0; LONGEST];
    let mut length = 0;
    for c in base.chars() {
        let c = match c {
            '‑' => '-',
            'É' => 'é',
            c => c.to_ascii_lowercase(),
        };
        // No listed word has other letters.
        if !c.is_ascii() && c != 'é' {
            return Entry::default();
        }
        match lower.get_mut(length..length + c.len_utf8()) {
            Some(place) => c.encode_utf8(place),
            None => return Entry::default(),
        };
        length += c.len_utf8();
    }
    let mut base = std::str::from_utf8(&lower[..length]).expect("it is made of characters");
    if base.contains('-') {
        for prefix in PREFIXES {
            if let Some(noun) = base.strip_prefix(prefix)
                && let Some(entry) = TABLE.get(noun)
                && matches!(entry.class, Class::Gendered(..))
            {
                base = noun;
            }
        }
    }
    let listed = TABLE.get(base).copied();
    listed.or_else(|| compound(base)).unwrap_or_default()
}

/// `fisherwoman`, `noblewomen`: every compound of woman names one. Those of man are listed, because `shaman` is none.
fn compound(word: &str) -> Option<Entry> {
    let is_plural = word.ends_with("women");
    let is_one = (is_plural || word.ends_with("woman")) && !word.contains('-');
    is_one.then(|| Entry {
        class: Class::Gendered(Gender::Feminine, Kind::Role),
        is_plural,
        ..Entry::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> (Finding, &'static str) {
        let verdict = detect(text);
        (verdict.finding, verdict.rule)
    }

    #[test]
    fn pronouns_decide_before_nouns_and_neutral_words() {
        assert_eq!(verdict("She is a fireman."), (Finding::Feminine, "pronoun"));
        assert_eq!(verdict("The actress left."), (Finding::Feminine, "noun"));
        assert_eq!(verdict("They left."), (Finding::Neutral, "they"));
        assert_eq!(verdict("It is a doctor."), (Finding::Neutral, "it"));
        assert_eq!(verdict("A doctor."), (Finding::NotFound, "none"));
        assert_eq!(verdict(" \n"), (Finding::NotFound, "empty"));
    }

    #[test]
    fn paired_pronouns_name_both_and_count_for_neither_side() {
        for text in ["He or she left.", "S/he left.", "(s)he left", "his/her job"] {
            assert_eq!(verdict(text), (Finding::Both, "paired"), "{text}");
            assert_eq!(pronouns(text), Pronouns::default(), "{text}");
        }
        assert_eq!(
            verdict("He or she left. She ran."),
            (Finding::Feminine, "pronoun")
        );
    }

    #[test]
    fn spans_count_characters() {
        let text = "Žofia said “no” – she’s tired.";
        let found = detect(text);
        assert_eq!(found.evidence[0].of(text), "she’s");
    }
}
