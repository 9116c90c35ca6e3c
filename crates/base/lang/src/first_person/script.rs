//! One internal spelling per language: lower case, composed accents, one script, one apostrophe.
//!
//! The rules and lists are written once, in this spelling; offsets into the judged text are kept
//! beside it, so what is folded here never shows in the evidence.

/// How a language's letters are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folding {
    /// Lower case only.
    Plain,
    /// `ё` is written or not at the writer's whim: read it as `е`.
    Russian,
    /// A first `у` turns into `ў` after a vowel: read it as `у`.
    Belarusian,
    /// Cyrillic to Latin: the two alphabets map letter for letter, `љ њ џ` to digraphs.
    Serbian,
    /// Words that lose a vowel before a vowel ("l'altra", "j'étais") and verbs with clitics behind
    /// a hyphen ("sinto-me", "m-am") are cut there. Romanian `ş ţ` are `ș ț`.
    Elided,
    /// Vowel points are left out.
    Hebrew,
    /// Vowel signs and the stretching dash are left out; `أ إ آ ٱ` are written or not at the
    /// writer's whim: read them as `ا`, and a final `ى` as `ي`.
    Arabic,
    /// The two signs of nasal vowels are one, the dot under a letter is left out.
    Devanagari,
}

impl Folding {
    /// Appends `letter` to `out` in the internal spelling.
    pub(crate) fn push(self, letter: char, out: &mut String) {
        if letter.is_ascii() {
            out.push(letter.to_ascii_lowercase());
            return;
        }
        match letter {
            '’' | 'ʼ' | '‘' | '`' | '´' => return out.push('\''),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => return,
            '\u{300}'..='\u{36f}' => return combine(letter, out),
            _ => {}
        }
        if is_caseless(letter) {
            return self.push_lower(letter, out);
        }
        match simple_lower(letter) {
            Some(lower) => self.push_lower(lower, out),
            None => letter
                .to_lowercase()
                .for_each(|lower| self.push_lower(lower, out)),
        }
    }

    /// A whole text in the internal spelling.
    pub(crate) fn fold(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        text.chars().for_each(|letter| self.push(letter, &mut out));
        out
    }

    /// The same as `push` for the first letter of a word.
    pub(crate) fn push_first(self, letter: char, out: &mut String) {
        match (self, letter) {
            (Folding::Belarusian, 'ў' | 'Ў') => out.push('у'),
            _ => self.push(letter, out),
        }
    }

    fn push_lower(self, lower: char, out: &mut String) {
        match self {
            Folding::Plain | Folding::Belarusian => out.push(lower),
            Folding::Elided => out.push(match lower {
                'ş' => 'ș',
                'ţ' => 'ț',
                '‧' | '•' => '·',
                _ => lower,
            }),
            Folding::Russian => out.push(if lower == 'ё' { 'е' } else { lower }),
            Folding::Serbian => match latin(lower) {
                Some(latin) => out.push_str(latin),
                None => out.push(lower),
            },
            Folding::Hebrew => match lower {
                '\u{591}'..='\u{5c7}' => {}
                _ => out.push(lower),
            },
            Folding::Arabic => match lower {
                '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{640}' => {}
                'أ' | 'إ' | 'آ' | 'ٱ' => out.push('ا'),
                'ى' | 'ی' => out.push('ي'),
                _ => out.push(lower),
            },
            Folding::Devanagari => match lower {
                '\u{93c}' => {}
                'ँ' => out.push('ं'),
                '\u{958}'..='\u{95f}' => out.push(without_dot(lower)),
                _ => out.push(lower),
            },
        }
    }
}

/// A Devanagari letter without its dot, for those that Unicode has as one.
fn without_dot(letter: char) -> char {
    match letter {
        '\u{958}' => 'क',
        '\u{959}' => 'ख',
        '\u{95a}' => 'ग',
        '\u{95b}' => 'ज',
        '\u{95c}' => 'ड',
        '\u{95d}' => 'ढ',
        '\u{95e}' => 'फ',
        _ => 'य',
    }
}

/// Whether a character is of Hebrew, Arabic or Devanagari, which have no capitals.
pub(crate) fn is_caseless(letter: char) -> bool {
    ('\u{590}'..='\u{97f}').contains(&letter)
}

/// Whether a character is a letter; the common alphabets without a table look-up.
pub(crate) fn is_letter(letter: char) -> bool {
    match letter {
        'a'..='z' | 'A'..='Z' | 'А'..='я' => true,
        'Α'..='Ρ' | 'Σ'..='ώ' | 'Ά' | 'Έ'..='Ί' | 'Ό' | 'Ύ'..='Ώ' => true,
        '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{904}'..='\u{939}' => true,
        '\u{0}'..='\u{7f}' => false,
        _ => letter.is_alphabetic(),
    }
}

/// Lower case of a letter of the modern Cyrillic and Greek alphabets, without a table look-up.
fn simple_lower(letter: char) -> Option<char> {
    let further = |by: u32| char::from_u32(u32::from(letter) + by);
    match letter {
        'а'..='џ' | 'ά'..='ώ' => Some(letter),
        'А'..='Я' | 'Α'..='Ρ' | 'Σ'..='Ϋ' => further(0x20),
        'Ѐ'..='Џ' => further(0x50),
        'Ά' => Some('ά'),
        'Έ'..='Ί' => further(0x25),
        'Ό' => Some('ό'),
        'Ύ' | 'Ώ' => further(0x3f),
        _ => None,
    }
}

/// Whether a letter is a capital, and whether it is a small one.
pub(crate) fn case_of(letter: char) -> (bool, bool) {
    if letter.is_ascii() {
        return (letter.is_ascii_uppercase(), letter.is_ascii_lowercase());
    }
    if is_caseless(letter) {
        return (false, false);
    }
    match simple_lower(letter) {
        Some(lower) => (lower != letter, lower == letter),
        None => (letter.is_uppercase(), letter.is_lowercase()),
    }
}

/// Base letters and the letter each becomes under a combining mark.
const COMPOSED: &[(char, &str, &str)] = &[
    ('\u{301}', "aeiouylrszncαεηιουωгк", "áéíóúýĺŕśźńćάέήίόύώѓќ"),
    ('\u{300}', "aeiou", "àèìòù"),
    ('\u{303}', "ano", "ãñõ"),
    ('\u{327}', "cgklnst", "çģķļņșț"),
    ('\u{326}', "st", "șț"),
    ('\u{30c}', "cdelnrstz", "čďěľňřšťž"),
    ('\u{304}', "aeiu", "āēīū"),
    ('\u{306}', "иуa", "йўă"),
    ('\u{308}', "аоuеіaoei", "äöüёїäöëï"),
    ('\u{302}', "oaeiu", "ôâêîû"),
    ('\u{30a}', "u", "ů"),
    ('\u{307}', "ze", "żė"),
    ('\u{328}', "aeiu", "ąęįų"),
];

/// Joins a combining mark to the letter before it; a mark that makes no letter (a stress mark) goes.
fn combine(mark: char, out: &mut String) {
    let Some(base) = out.chars().next_back() else {
        return;
    };
    for (known, bases, results) in COMPOSED {
        if *known != mark {
            continue;
        }
        let place = bases.chars().position(|letter| letter == base);
        if let Some(joined) = place.and_then(|place| results.chars().nth(place)) {
            out.pop();
            out.push(joined);
        }
    }
}

/// The Cyrillic letter that a Latin one looks like.
pub(crate) fn cyrillic_twin(letter: char) -> char {
    const LATIN: &str = "aeopcxyikmthbjsAEOPCXYIKMTHBJS";
    const TWINS: &str = "аеорсхуікмтнвјѕАЕОРСХУІКМТНВЈЅ";
    let place = LATIN.chars().position(|known| known == letter);
    place
        .and_then(|place| TWINS.chars().nth(place))
        .unwrap_or(letter)
}

/// Whether a word mixes Cyrillic letters with Latin ones that look alike ("усталa" with a Latin a).
pub(crate) fn is_mixed(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes.iter().any(|byte| matches!(byte, 0xd0 | 0xd1))
}

/// Serbian Cyrillic letter in Latin.
fn latin(letter: char) -> Option<&'static str> {
    Some(match letter {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'ђ' => "đ",
        'е' => "e",
        'ж' => "ž",
        'з' => "z",
        'и' => "i",
        'ј' => "j",
        'к' => "k",
        'л' => "l",
        'љ' => "lj",
        'м' => "m",
        'н' => "n",
        'њ' => "nj",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'ћ' => "ć",
        'у' => "u",
        'ф' => "f",
        'х' => "h",
        'ц' => "c",
        'ч' => "č",
        'џ' => "dž",
        'ш' => "š",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(folding: Folding, text: &str) -> String {
        let mut out = String::new();
        text.chars()
            .for_each(|letter| folding.push(letter, &mut out));
        out
    }

    #[test]
    fn every_language_is_lower_cased_and_composed() {
        assert_eq!(folded(Folding::Plain, "ŽĽABA Я Ї Ў"), "žľaba я ї ў");
        assert_eq!(folded(Folding::Plain, "c\u{30c}i\u{301}s\u{30c}e"), "číše");
        assert_eq!(folded(Folding::Plain, "з’їв"), "з'їв");
        assert_eq!(folded(Folding::Plain, "уста\u{301}ла"), "устала");
    }

    #[test]
    fn short_cuts_agree_with_the_tables() {
        let letters = ('\u{370}'..='\u{3ff}')
            .chain('\u{400}'..='\u{45f}')
            .chain('\u{0}'..='\u{17f}');
        for letter in letters {
            let lower: String = letter.to_lowercase().collect();
            if let Some(simple) = simple_lower(letter) {
                assert_eq!(simple.to_string(), lower, "{letter}");
            }
            let case = (letter.is_uppercase(), letter.is_lowercase());
            assert_eq!(case_of(letter), case, "{letter}");
            assert_eq!(is_letter(letter), letter.is_alphabetic(), "{letter}");
        }
    }

    #[test]
    fn russian_yo_is_ye() {
        assert_eq!(folded(Folding::Russian, "Ёлка нёс"), "елка нес");
    }

    #[test]
    fn points_and_vowel_signs_are_left_out() {
        assert_eq!(folded(Folding::Hebrew, "אֲנִי"), "אני");
        assert_eq!(folded(Folding::Arabic, "أَنَا إلى سعيـــدة"), "انا الي سعيدة");
        assert_eq!(folded(Folding::Devanagari, "हूँ बड़ा बड़ा"), "हूं बडा बडा");
    }

    #[test]
    fn serbian_cyrillic_becomes_latin() {
        assert_eq!(
            folded(Folding::Serbian, "Љубав, џеп и Њива"),
            "ljubav, džep i njiva"
        );
        assert_eq!(folded(Folding::Serbian, "ćud"), "ćud");
    }
}
