//! The tokeniser: one sentence of a text, word by word.
//!
//! A sentence ends with a terminator followed by a capital, unless an abbreviation or an initial
//! stands before it. The published rules see the first sentence only (GEST, section 4.2 of its
//! specification); the strict mode goes on where it ended, and sees two things more: a question or
//! exclamation inside a sentence ends its clause, and a word written for both genders is one word.

use super::lexicon::Lexicon;
use super::romance;
use super::script::{Folding, case_of, cyrillic_twin, is_letter, is_mixed};
use super::sentence::{Kind, Sentence, Token};
use super::tags::Tags;

/// Tokens read at most. What is longer is no sentence, and the rules look at pairs of words.
const LONGEST_SENTENCE: usize = 1024;

/// Where in a text a sentence begins.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SentenceStart {
    pub(crate) byte: usize,
    pub(crate) character: usize,
}

pub(crate) struct Reader<'a> {
    sentence: Sentence,
    folding: Folding,
    lexicon: &'a Lexicon,
    strict: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        text: &str,
        folding: Folding,
        lexicon: &'a Lexicon,
        strict: bool,
    ) -> Reader<'a> {
        let sentence = Sentence {
            folded: String::with_capacity(text.len() + 8),
            tokens: Vec::with_capacity(text.len() / 5 + 4),
            follows: false,
        };
        Reader {
            sentence,
            folding,
            lexicon,
            strict,
        }
    }

    /// Reads the sentence that begins at `from`, and says where the next one does; its clauses are
    /// not marked yet.
    pub(crate) fn run(
        mut self,
        text: &str,
        from: SentenceStart,
    ) -> (Sentence, Option<SentenceStart>) {
        let places = text[from.byte..].char_indices().enumerate();
        let mut letters = places
            .map(|(index, (byte, letter))| (from.character + index, (from.byte + byte, letter)))
            .peekable();
        while let Some((place, (byte, letter))) = letters.next() {
            if self.sentence.tokens.len() == LONGEST_SENTENCE {
                break;
            }
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
                self.folding.push_first(letter, &mut self.sentence.folded);
                let mut cut = false;
                let mut both = None;
                while let Some(&(next_place, (next_byte, next))) = letters.peek() {
                    let after = text[next_byte + next.len_utf8()..].chars().next();
                    let piece = &text[next_byte + next.len_utf8()..];
                    // "Dopustio-la", "désolé-e": before anything takes the hyphen for its own.
                    if matches!(next, '-' | '‑') && kind == Kind::Word {
                        both = self.other_gender(low, text, byte, next_byte);
                        if both.is_some() {
                            break;
                        }
                    }
                    if self.folding == Folding::Elided && self.cuts(low, next, piece) {
                        // "l'" keeps its apostrophe, "sinto-me" loses its hyphen.
                        if !matches!(next, '-' | '‑') {
                            self.sentence.folded.push('\'');
                            end = next_place + 1;
                        }
                        letters.next();
                        cut = true;
                        break;
                    }
                    if !continues(next, after, kind) && !self.is_geminate(next, after) {
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
                let stop = letters.peek().map_or(text.len(), |&(_, (stop, _))| stop);
                if is_mixed(&text[byte..stop]) {
                    self.sentence.folded.truncate(low);
                    for letter in text[byte..stop].chars().map(cyrillic_twin) {
                        self.folding.push(letter, &mut self.sentence.folded);
                    }
                }
                if kind == Kind::Word && !cut && both.is_none() {
                    both = self.other_gender(low, text, byte, stop);
                }
                if let Some((length, tags)) = both {
                    letters.by_ref().take(length).for_each(drop);
                    self.push_both(place, end + length, low, tags);
                    continue;
                }
                if kind == Kind::Word && !cut && self.is_neo(&case, low, &text[byte..stop]) {
                    let tags = self.lexicon.tags(&self.sentence.folded[low..]);
                    self.push_both(place, end, low, tags);
                    continue;
                }
                if kind == Kind::Word && self.is_name(&case, low) {
                    kind = Kind::Name;
                }
                self.push(kind, place, end, low);
                // "كنتِ", "كنتَ": the vowel sign says "you were".
                if self.folding == Folding::Arabic
                    && text[byte..stop].ends_with(['\u{650}', '\u{64e}'])
                    && self.sentence.folded.ends_with('ت')
                    && let Some(token) = self.sentence.tokens.last_mut()
                {
                    token.tags = Tags::OTHER_SUBJECT;
                }
            } else if is_terminator(letter) {
                if letter == '.' && self.keeps_going(rest) {
                    continue;
                }
                if !self.sentence.tokens.is_empty() && ends_sentence(rest) {
                    break;
                }
                if self.strict && matches!(letter, '?' | '!') {
                    self.push_sign(Kind::Break, place, letter);
                }
                while letters
                    .next_if(|&(_, (_, next))| is_terminator(next))
                    .is_some()
                {}
            } else if letter == '\n' {
                let blank = rest.chars().take_while(|next| next.is_whitespace());
                if blank.into_iter().any(|next| next == '\n') && !self.sentence.tokens.is_empty() {
                    break;
                }
            } else if !letter.is_whitespace() {
                self.push_sign(kind_of_sign(letter), place, letter);
            }
        }
        let next = letters
            .peek()
            .map(|&(character, (byte, _))| SentenceStart { byte, character });
        (self.sentence, next)
    }

    /// Whether `sign` is the point of Catalan "col·lega".
    fn is_geminate(&self, sign: char, after: Option<char>) -> bool {
        self.folding == Folding::Elided
            && matches!(sign, '·' | '‧' | '•')
            && self.sentence.folded.ends_with('l')
            && matches!(after, Some('l' | 'L'))
    }

    /// Whether a word of a language with clitics ends before `sign`, which joins it to `rest`.
    fn cuts(&self, low: usize, sign: char, rest: &str) -> bool {
        if !rest.starts_with(is_letter) {
            return false;
        }
        match sign {
            '\'' | '’' | 'ʼ' | '`' => true,
            '-' | '‑' => {
                let light = Tags::CLITIC | Tags::ME | Tags::SPEAKER | Tags::OTHER_SUBJECT;
                let mut after = String::new();
                for letter in rest.chars().take_while(|&next| is_letter(next)) {
                    self.folding.push(letter, &mut after);
                }
                let before = &self.sentence.folded[low..];
                let opens = Tags::CLITIC | Tags::ME | Tags::PREPOSITION;
                let is = |word: &str, tags: Tags| {
                    self.lexicon
                        .listed(word)
                        .is_some_and(|known| known.any(tags))
                };
                is(&after, light) || is(before, opens) || before == "n"
            }
            _ => false,
        }
    }

    fn push_sign(&mut self, kind: Kind, place: usize, letter: char) {
        let low = self.sentence.folded.len();
        self.sentence.folded.push(letter);
        self.push(kind, place, place + 1, low);
    }

    /// A word that is written for both genders.
    fn push_both(&mut self, start: usize, end: usize, low: usize, tags: Tags) {
        self.push(Kind::Word, start, end, low);
        if let Some(token) = self.sentence.tokens.last_mut() {
            token.tags = tags;
            token.both = true;
        }
    }

    /// Whether what follows the word in `text[start..end]`, folded from `low` on, writes its other gender: how many characters,
    /// and the classes of the word in one of its genders.
    fn other_gender(
        &self,
        low: usize,
        text: &str,
        start: usize,
        end: usize,
    ) -> Option<(usize, Tags)> {
        let inclusive = self.lexicon.inclusive.as_ref()?;
        let rest = &text[end..];
        // Most words end before a space and a letter: look before anything is looked up.
        let mut next = rest.bytes().take(2);
        let plain = match (next.next()?, next.next()) {
            (b' ', Some(second)) => !matches!(second, b'(' | b'[' | b'/' | b'|' | 0xc2 | 0xe2),
            (b',' | b'?' | b'!' | b';' | b'\'' | b'"' | b')', _) | (b'.', Some(b' ') | None) => {
                true
            }
            _ => false,
        };
        if plain {
            return None;
        }
        let word = &self.sentence.folded[low..];
        let known = self.lexicon.tags(word);
        // "Estou canso-a": no verb stands behind "am".
        let last = self.sentence.tokens.last();
        let predicate = last.is_some_and(|last| last.tags.any(Tags::COPULA | Tags::DEGREE));
        let verb = known.any(Tags::FINITE | Tags::MAYBE_FINITE) && !predicate;
        let named = known.gender().is_some() && !verb;
        let before = text[..start].chars().next_back();
        // The ending may be damaged, too: a Latin "a" behind a Cyrillic word.
        let cyrillic = word.starts_with(|letter: char| ('\u{400}'..='\u{4ff}').contains(&letter));
        let fold = |letter: char, out: &mut String| {
            let letter = if cyrillic {
                cyrillic_twin(letter)
            } else {
                letter
            };
            self.folding.push(letter, out);
        };
        let found = inclusive.continuation((word, named), before, rest, fold)?;
        let forms = found.forms.iter().map(|form| self.lexicon.tags(form));
        let mut readings: Vec<Tags> = forms.collect();
        // "Zrobił(a)bym": with more behind the bracket the word itself is only a part.
        let place = if readings.len() > 1 {
            readings.len()
        } else {
            0
        };
        readings.insert(place, known);
        let shows = |tags: &Tags| tags.any(Tags::NOUN_M | Tags::NOUN_F) || tags.gender().is_some();
        let tags = readings.into_iter().find(shows).unwrap_or(known);
        Some((found.length, tags))
    }

    /// Whether the word folded from `low` on has a capital ("étudiantE") or a letter ("cansadx", "stancə") that stands for the
    /// ending of both genders.
    fn is_neo(&mut self, case: &Case, low: usize, raw: &str) -> bool {
        let Some(inclusive) = self.lexicon.inclusive.as_ref() else {
            return false;
        };
        let fold = |letter: char, out: &mut String| self.folding.push(letter, out);
        if case.mixed && inclusive.capital_form(raw, fold).is_some() {
            return true;
        }
        let word = &self.sentence.folded[low..];
        let Some((stem, tail)) = inclusive.neo_stem(word) else {
            return false;
        };
        let plain = self.lexicon.tags(word);
        if !(plain.is_empty() || plain.any(Tags::GUESS)) {
            return false;
        }
        let known = inclusive.readings(stem, tail).find(|forms| {
            let [masculine, feminine] = [&forms[0], &forms[1]].map(|form| self.lexicon.tags(form));
            let sure = !masculine.any(Tags::GUESS | Tags::FINITE);
            sure && masculine.any(Tags::ADJ_M | Tags::NOUN_M)
                && feminine.any(Tags::ADJ_F | Tags::NOUN_F)
        });
        match known {
            Some([masculine, _]) => {
                // The rules look for a form that they know.
                self.sentence.folded.truncate(low);
                self.sentence.folded.push_str(&masculine);
                true
            }
            None => word.contains(['ə', 'æ']) && self.folding == Folding::Elided,
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, low: usize) {
        let high = self.sentence.folded.len();
        let word = &self.sentence.folded[low..high];
        let tags = match kind {
            Kind::Word if self.folding == Folding::Elided => {
                let before = self.sentence.tokens.last();
                let before = before.filter(|token| token.kind == Kind::Word);
                romance::in_place(self.lexicon.tags(word), before.map(|token| token.tags))
            }
            Kind::Word if self.folding == Folding::Arabic => arabic_tags(self.lexicon, word),
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
            both: false,
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
            .is_some_and(|letter| !"aeiouyàèéòóαεηιουωήώаеиоуыэюяёіїє".contains(letter));
        initial && letters.next().is_none()
    }
}

/// The classes of an Arabic word; a final ه may stand for ة ("سعيده"). In a noun it may be "his" ("صديقه"), so only adjectives are
/// read so.
fn arabic_tags(lexicon: &Lexicon, word: &str) -> Tags {
    let Some(stem) = word
        .strip_suffix('ه')
        .filter(|_| lexicon.listed(word).is_none())
    else {
        return lexicon.tags(word);
    };
    let tags = lexicon.tags(&format!("{stem}ة"));
    if tags.any(Tags::ADJ_F) && !tags.any(Tags::PERSON_F | Tags::NOUN_F) {
        tags
    } else {
        lexicon.tags(word)
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
        let (first_upper, any_lower) = case_of(letter);
        Case {
            first_upper,
            any_lower,
            mixed: false,
        }
    }

    fn add(&mut self, letter: char) {
        let (upper, lower) = case_of(letter);
        self.mixed |= self.any_lower && upper;
        self.any_lower |= lower;
    }
}

fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn is_terminator(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…' | '؟' | '।' | '॥')
}

/// Whether `next` goes on with the word before it. Hyphens and apostrophes do between letters.
fn continues(next: char, after: Option<char>, kind: Kind) -> bool {
    match next {
        '-' | '‑' => after.is_some_and(is_letter),
        '\'' | '’' | 'ʼ' | '`' => kind == Kind::Word && after.is_some_and(is_letter),
        '.' | ',' => kind == Kind::Number && after.is_some_and(char::is_numeric),
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{300}'..='\u{36f}' => true,
        // Hebrew points (but the hyphen among them), Arabic vowel signs, Devanagari dot and virama.
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' => true,
        '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{93c}' | '\u{94d}' => true,
        _ => is_letter(next) || next.is_numeric(),
    }
}

/// Whether what follows a terminator shows that the sentence is over: nothing, or a capital, or
/// a letter of a script without capitals.
fn ends_sentence(rest: &str) -> bool {
    let after =
        rest.trim_start_matches(|next| is_terminator(next) || is_quote(next) || next == ')');
    if after.trim().is_empty() {
        return true;
    }
    if !after.starts_with(char::is_whitespace) {
        return false;
    }
    let opening = |next: char| next.is_whitespace() || is_quote(next) || "-–—(¿¡".contains(next);
    after
        .trim_start_matches(opening)
        .starts_with(|next: char| next.is_alphabetic() && !next.is_lowercase() || next.is_numeric())
}

fn is_quote(letter: char) -> bool {
    matches!(
        letter,
        '"' | '„' | '“' | '”' | '«' | '»' | '‚' | '‘' | '’' | '\'' | '‹' | '›'
    )
}

fn kind_of_sign(letter: char) -> Kind {
    match letter {
        ',' | '،' | '؛' | ';' | ':' | '-' | '–' | '—' | '(' | ')' | '[' | ']' | '/' => {
            Kind::Break
        }
        _ => Kind::Mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "[coord]\na i\n[subord]\nže keď čo\n[preposition]\nna\n[abbreviations]\ndr\n[adj_f]\nrada\n";

    fn read(text: &str) -> Sentence {
        Sentence::read(text, Folding::Plain, &Lexicon::parse(DATA).0)
    }

    fn words(text: &str) -> Vec<String> {
        let sentence = read(text);
        (0..sentence.len())
            .map(|index| sentence.word(index).to_owned())
            .collect()
    }

    #[test]
    fn reading_stops_at_the_end_of_the_first_sentence() {
        assert_eq!(words("Prišla som. Odišla."), ["prišla", "som"]);
        assert_eq!(words("Kto? Ja!"), ["kto"]);
        assert_eq!(words("Čo ... neviem"), ["čo", "neviem"]);
        assert_eq!(
            words("\u{201e}Kto?\u{201c} pýtala sa."),
            ["\u{201e}", "kto", "\u{201c}", "pýtala", "sa"]
        );
        assert_eq!(words("Prvý odsek\n\nDruhý"), ["prvý", "odsek"]);
        assert_eq!(words("Prvý riadok\ndruhý"), ["prvý", "riadok", "druhý"]);
        assert_eq!(words("... Začala som."), ["začala", "som"]);
    }

    #[test]
    fn abbreviations_initials_and_numbers_end_nothing() {
        assert_eq!(words("U dr. Nováka."), ["u", "dr", "nováka"]);
        assert_eq!(words("U J. Nováka."), ["u", "j", "nováka"]);
        assert_eq!(
            words("Od 15. mája 3.5 km."),
            ["od", "15", "mája", "3.5", "km"]
        );
    }

    #[test]
    fn words_keep_their_hyphens_and_apostrophes() {
        assert_eq!(
            words("e-mail z’їv - 40-ji"),
            ["e-mail", "z'їv", "-", "40-ji"]
        );
    }

    #[test]
    fn offsets_count_characters() {
        let sentence = read("Žaba, ďaleko");
        let spans: Vec<_> = sentence
            .tokens
            .iter()
            .map(|token| (token.start, token.end))
            .collect();
        assert_eq!(spans, [(0, 4), (4, 5), (6, 12)]);
    }

    #[test]
    fn a_capital_inside_a_sentence_is_a_name_unless_listed() {
        let kinds = |text: &str| {
            read(text)
                .tokens
                .iter()
                .map(|token| token.kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds("Pavla Pavla"), [Kind::Word, Kind::Name]);
        assert_eq!(kinds("som Rada"), [Kind::Word, Kind::Word]);
        assert_eq!(kinds("v BiH"), [Kind::Word, Kind::Name]);
        assert_eq!(kinds("SOM RADA"), [Kind::Word, Kind::Word]);
    }
}
