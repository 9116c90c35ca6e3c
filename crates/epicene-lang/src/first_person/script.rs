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
            '\u{ad}' | '\u{200b}' | '\u{200d}' | '\u{feff}' => return,
            '\u{300}'..='\u{36f}' => return combine(letter, out),
            _ => {}
        }
        match cyrillic_lower(letter) {
            Some(lower) => self.push_lower(lower, out),
            None => letter
                .to_lowercase()
                .for_each(|lower| self.push_lower(lower, out)),
        }
    }

    /// The same for the first letter of a word.
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
        }
    }
}

/// Whether a character is a letter; the common alphabets without a table look-up.
pub(crate) fn is_letter(letter: char) -> bool {
    match letter {
        'a'..='z' | 'A'..='Z' | 'А'..='я' => true,
        '\u{0}'..='\u{7f}' => false,
        _ => letter.is_alphabetic(),
    }
}

/// Lower case of a Cyrillic letter of the modern alphabets.
fn cyrillic_lower(letter: char) -> Option<char> {
    match letter {
        'а'..='џ' => Some(letter),
        'А'..='Я' => char::from_u32(u32::from(letter) + 0x20),
        'Ѐ'..='Џ' => char::from_u32(u32::from(letter) + 0x50),
        _ => None,
    }
}

/// Base letters and the letter each becomes under a combining mark.
const COMPOSED: &[(char, &str, &str)] = &[
    ('\u{301}', "aeiouylrszncαεηιουω", "áéíóúýĺŕśźńćάέήίόύώ"),
    ('\u{300}', "aeiou", "àèìòù"),
    ('\u{303}', "ano", "ãñõ"),
    ('\u{327}', "c", "ç"),
    ('\u{326}', "st", "șț"),
    ('\u{30c}', "cdelnrstz", "čďěľňřšťž"),
    ('\u{306}', "иуa", "йўă"),
    ('\u{308}', "аоuеіaoei", "äöüёїäöëï"),
    ('\u{302}', "oaeiu", "ôâêîû"),
    ('\u{30a}', "u", "ů"),
    ('\u{307}', "z", "ż"),
    ('\u{328}', "ae", "ąę"),
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
    fn russian_yo_is_ye() {
        assert_eq!(folded(Folding::Russian, "Ёлка нёс"), "елка нес");
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
