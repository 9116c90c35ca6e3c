//! Inclusive writing: both genders in one word ("étudiant·e", "zrobił_m", "StudentIn") or in two forms of it side by side
//! ("cansado o cansada").
//!
//! A detector asks here before it reads a gender from a word. What a language needs is in `data/LANG/inclusive.txt`: pairs of a
//! masculine and a feminine ending, the words for "or" and "and", and the letters that stand in place of an ending. Words are
//! compared as the detector folds them, so the table is folded the same way when it is read.

mod table;

pub use table::{Inclusive, Joiner};

/// What follows a word and writes its other gender.
#[derive(Debug, PartialEq, Eq)]
pub struct Continuation {
    /// Characters that belong to it, signs included.
    pub length: usize,
    /// Forms that the spelling stands for, folded: the word in its other gender, or in both.
    pub forms: Vec<String>,
}

/// Signs that may stand between a word and its other ending, without a space.
const SIGNS: &str = "/|\\*_:·•‧⋅∙・-‑–.@+~";

/// Signs that join the ending with spaces around them, too: "cansado / a", "inscrit · e".
const STROKES: &str = "/|·•‧⋅∙・";

/// Signs that may stand where the ending would.
const IN_PLACE: &str = "*_@";

/// Most letters of an abbreviated ending; a longer one must be the whole other form.
const LONGEST_ENDING: usize = 6;

impl Inclusive {
    /// What `rest`, right behind the folded `word`, adds to write both genders. `before` is the character in front of the word.
    /// `named`: the word shows a gender and is no verb, so that what a hyphen joins to it is no pronoun ("cansado-a", not
    /// "limpo-a").
    pub fn continuation(
        &self,
        (word, named): (&str, bool),
        before: Option<char>,
        rest: &str,
        fold: impl Fn(char, &mut String),
    ) -> Option<Continuation> {
        let mut signs = rest.chars();
        let first = signs.next()?;
        // Most words end before a space or a comma: look at the sign first.
        let sign = if first == ' ' { signs.next()? } else { first };
        let close = closing(sign);
        if close.is_none() && !SIGNS.contains(sign) {
            return None;
        }
        let spaced = first == ' ';
        if spaced && close.is_none() && !STROKES.contains(sign) {
            return None;
        }
        let mut letters = rest.chars().peekable();
        let mut length = 0;
        let mut skip = |letters: &mut std::iter::Peekable<std::str::Chars>, sign: char| {
            let found = letters.next_if_eq(&sign).is_some();
            length += usize::from(found);
            found
        };
        skip(&mut letters, ' ');
        skip(&mut letters, sign);
        if spaced && close.is_none() {
            skip(&mut letters, ' ');
        }
        // "Byłem(-am)", "gatavs/-a".
        if sign != '-' {
            skip(&mut letters, '-');
        }
        let capital = letters.peek().is_some_and(|letter| letter.is_uppercase());
        let tail = take_word(&mut letters, &fold, &mut length);
        if tail.is_empty() {
            let marked = before == Some(sign) || spaced || !IN_PLACE.contains(sign);
            let goes_on = letters.peek().is_some_and(|next| next.is_alphanumeric());
            if marked || goes_on || word.chars().count() < 2 {
                return None;
            }
            let forms = self.readings(word, "").flatten().collect();
            return Some(Continuation { length, forms });
        }
        if let Some(close) = close {
            letters.next_if_eq(&close)?;
            length += 1;
            let further = take_word(&mut letters, &fold, &mut length);
            // "Chciał(a)bym", "student(k)ą".
            let forms = if further.is_empty() {
                vec![self.other_form(word, &tail)?]
            } else if tail.chars().count() <= LONGEST_ENDING {
                vec![format!("{word}{further}"), format!("{word}{tail}{further}")]
            } else {
                return None;
            };
            return Some(Continuation { length, forms });
        }
        let weak = matches!(sign, '-' | '‑' | '–' | '.');
        // "Из-за" is no "из" with an ending.
        let known = named || word.chars().count() > 3 && !self.is_apart(&tail);
        if weak && (!known || capital) {
            return None;
        }
        let short = tail.chars().count() <= LONGEST_ENDING;
        let other = self
            .other_form(word, &tail)
            .filter(|other| *other == tail || short);
        let Some(other) = other else {
            // "Zrobił_m": the sign stands for the vowel that differs.
            let forms: Vec<String> = self.readings(word, &tail).flatten().collect();
            let inside = IN_PLACE.contains(sign) && !forms.is_empty();
            return inside.then_some(Continuation { length, forms });
        };
        // "Étudiant·e·s", "auteur·rice·s".
        while letters.peek() == Some(&sign) && !spaced {
            let mut ahead = letters.clone();
            ahead.next();
            let mut count = 0;
            let plural = take_word(&mut ahead, &fold, &mut count);
            if plural.is_empty() || count > 3 {
                break;
            }
            letters = ahead;
            length += count + 1;
        }
        Some(Continuation {
            length,
            forms: vec![other],
        })
    }

    /// The other gender of a word with a capital inside ("étudiantE", "LehrerIn"), folded.
    pub fn capital_form(&self, raw: &str, fold: impl Fn(char, &mut String)) -> Option<String> {
        let mut stem = String::new();
        let mut small = false;
        let mut letters = raw.chars();
        let mut tail = String::new();
        for letter in letters.by_ref() {
            if small && letter.is_uppercase() {
                fold(letter, &mut tail);
                break;
            }
            small |= letter.is_lowercase();
            fold(letter, &mut stem);
        }
        if tail.is_empty() || stem.chars().count() < 3 {
            return None;
        }
        letters.for_each(|letter| fold(letter, &mut tail));
        self.other_form(&stem, &tail)
    }
}

fn closing(sign: char) -> Option<char> {
    match sign {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        '<' => Some('>'),
        _ => None,
    }
}

/// The folded letters at the front of `letters`; `length` grows by their number.
fn take_word(
    letters: &mut std::iter::Peekable<std::str::Chars>,
    fold: &impl Fn(char, &mut String),
    length: &mut usize,
) -> String {
    let mut word = String::new();
    while let Some(letter) = letters.next_if(|&next| is_part(next)) {
        fold(letter, &mut word);
        *length += 1;
    }
    word
}

/// Letters, and the signs over and under them that are characters of their own.
fn is_part(letter: char) -> bool {
    letter.is_alphabetic() || matches!(letter, '\u{300}'..='\u{36f}' | '\u{93c}' | '\u{94d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(letter: char, out: &mut String) {
        out.extend(letter.to_lowercase());
    }

    fn length(language: &str, word: &str, rest: &str) -> Option<usize> {
        let table = Inclusive::read(language, str::to_owned)?;
        let found = table.continuation((word, false), None, rest, fold);
        found.map(|found| found.length)
    }

    #[test]
    fn every_separator_joins_the_other_ending() {
        for (language, word, ending) in [
            ("fr", "content", "e"),
            ("fr", "heureux", "se"),
            ("fr", "heureux", "euse"),
            ("fr", "auteur", "rice"),
            ("es", "cansado", "a"),
            ("es", "cansada", "o"),
            ("pl", "byłem", "am"),
            ("pl", "miałam", "em"),
            ("hr", "dopustio", "la"),
            ("hr", "umoran", "na"),
            ("cs", "unavený", "á"),
            ("ru", "устал", "а"),
            ("uk", "втомився", "лася"),
            ("sl", "utrujen", "a"),
            ("el", "κουρασμένος", "η"),
            ("ro", "obosit", "ă"),
            ("lt", "pavargęs", "usi"),
            ("lv", "gatavs", "a"),
            ("he", "עייפ", "ה"),
            ("ar", "متعب", "ة"),
            ("hi", "जाता", "ती"),
            ("de", "lehrer", "in"),
        ] {
            for sign in ["/", "*", "_", ":", "·", "/-"] {
                let rest = format!("{sign}{ending} x");
                let wanted = sign.chars().count() + ending.chars().count();
                assert_eq!(
                    length(language, word, &rest),
                    Some(wanted),
                    "{language} {word}{rest}"
                );
            }
            for (open, close) in [("(", ")"), ("[", "]"), (" (", ")"), ("(-", ")")] {
                let rest = format!("{open}{ending}{close} x");
                let wanted = open.chars().count() + ending.chars().count() + 1;
                assert_eq!(
                    length(language, word, &rest),
                    Some(wanted),
                    "{language} {word}{rest}"
                );
            }
        }
    }

    #[test]
    fn whole_forms_and_plurals_belong_to_the_word() {
        assert_eq!(length("cs", "byl", " / byla jsem"), Some(7));
        assert_eq!(length("cs", "šel", "*šla jsem"), Some(4));
        assert_eq!(length("es", "cansado", " / a de"), Some(4));
        assert_eq!(length("fr", "inscrit", " ⋅ e depuis"), Some(4));
        assert_eq!(length("pl", "chciał", "(a)bym"), Some(6));
        assert_eq!(length("pl", "zrobił", "_m to"), Some(2));
        assert_eq!(length("es", "cansad", "@."), Some(1));
        assert_eq!(length("es", "cansad", "* hoy"), Some(1));
        assert_eq!(length("fr", "étudiant", "·e·s"), Some(4));
        assert_eq!(length("es", "cansado", " (a)."), Some(4));
        assert_eq!(length("lv", "gatavs", " (gatava) sākt"), Some(9));
    }

    #[test]
    fn other_words_do_not() {
        assert_eq!(length("cs", "byl", "/nebyl"), None);
        assert_eq!(length("cs", "byl", " a šel"), None);
        assert_eq!(length("cs", "byl", " (a to včera)"), None);
        assert_eq!(length("cs", "byl", "-li"), None);
        assert_eq!(length("cs", "byl", ": byla"), None);
        assert_eq!(length("cs", "byl", ". A šel"), None);
        assert_eq!(length("fr", "est", "-elle"), None);
        assert_eq!(length("ru", "дай", "-ка"), None);
        assert_eq!(length("es", "user", "@mail"), None);
        assert_eq!(length("fr", "site", ".fr"), None);
        assert_eq!(length("es", "blanco", "/negra"), None);
    }

    #[test]
    fn a_capital_inside_writes_the_other_ending() {
        let form = |language: &str, raw: &str| {
            let table = Inclusive::read(language, str::to_owned).unwrap();
            table.capital_form(raw, fold)
        };
        assert_eq!(form("fr", "étudiantE").as_deref(), Some("étudiante"));
        assert_eq!(form("de", "LehrerInnen").as_deref(), Some("lehrerinnen"));
        assert_eq!(form("fr", "McDonald"), None);
    }

    #[test]
    fn forms_of_one_word_are_a_pair() {
        let pair = |language: &str, one: &str, other: &str| {
            let table = Inclusive::read(language, str::to_owned).unwrap();
            table.is_pair(one, other)
        };
        assert!(pair("es", "cansado", "cansada"));
        assert!(pair("it", "vista", "visto"));
        assert!(pair("ru", "студенты", "студентки"));
        assert!(pair("hi", "गया", "गई"));
        assert!(pair("hr", "htio", "htjela"));
        assert!(!pair("es", "cansado", "perdida"));
        assert!(!pair("es", "cansado", "cansado"));
    }
}
