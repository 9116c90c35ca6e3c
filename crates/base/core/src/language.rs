//! The one registry of languages: what a code means, and which scripts a language is written in. Which judges know a
//! language is theirs to say (`epicene list languages` joins both).

use std::fmt;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../data/languages.tsv");

/// A language of `data/languages.tsv`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u16);

/// What a text is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Script {
    Latin,
    Cyrillic,
    Greek,
    Armenian,
    Hebrew,
    Arabic,
    Thaana,
    Devanagari,
    Bengali,
    Gurmukhi,
    Gujarati,
    Oriya,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
    Sinhala,
    Thai,
    Lao,
    Tibetan,
    Burmese,
    Georgian,
    Ethiopic,
    Khmer,
    Hiragana,
    Katakana,
    Han,
    Hangul,
}

struct Entry {
    code: &'static str,
    three: &'static str,
    name: &'static str,
    scripts: Vec<Script>,
}

static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [code, three, name, scripts] = cells[..] else {
            unreachable!("languages.tsv, `{row}`: a row has four cells");
        };
        let script = |code: &str| {
            let found = Script::ALL.iter().find(|(known, ..)| *known == code);
            found.expect("languages.tsv names scripts of the table").1
        };
        Entry {
            code,
            three,
            name,
            scripts: scripts.split(',').map(script).collect(),
        }
    })
    .collect()
});

impl Language {
    /// All languages, by code.
    pub fn all() -> impl Iterator<Item = Language> {
        (0..ALL.len()).map(|place| Language(place as u16))
    }

    /// The language with exactly this code, of two letters or three, whatever its case.
    pub fn find(code: &str) -> Option<Language> {
        // Units name a language by its own code, once for every question.
        if let Ok(place) = ALL.binary_search_by_key(&code, |entry| entry.code) {
            return Some(Language(place as u16));
        }
        let is = |own: &str| own != "-" && own.eq_ignore_ascii_case(code);
        let place = ALL
            .iter()
            .position(|entry| is(entry.code) || is(entry.three))?;
        Some(Language(place as u16))
    }

    /// The same, where a region or script that the registry does not tell apart is passed over: `sk-SK`.
    pub fn closest(tag: &str) -> Option<Language> {
        Language::find(tag).or_else(|| Language::find(tag.split(['-', '_']).next()?))
    }

    fn entry(self) -> &'static Entry {
        &ALL[usize::from(self.0)]
    }

    /// ISO 639-1 where there is one, with a region or script where it matters: `pt-BR`.
    pub fn code(self) -> &'static str {
        self.entry().code
    }

    /// ISO 639-3; `-` for a variety without one.
    pub fn three(self) -> &'static str {
        self.entry().three
    }

    /// English name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The usual one first.
    pub fn scripts(self) -> &'static [Script] {
        &self.entry().scripts
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.code())
    }
}

/// First and last character of a block.
type Block = (char, char);

impl Script {
    /// ISO 15924 code, script, the Unicode blocks its letters stand in.
    const ALL: &[(&str, Script, &[Block])] = &[
        (
            "Latn",
            Script::Latin,
            &[('A', '\u{24f}'), ('\u{1e00}', '\u{1eff}')],
        ),
        ("Cyrl", Script::Cyrillic, &[('\u{400}', '\u{52f}')]),
        (
            "Grek",
            Script::Greek,
            &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')],
        ),
        ("Armn", Script::Armenian, &[('\u{530}', '\u{58f}')]),
        ("Hebr", Script::Hebrew, &[('\u{590}', '\u{5ff}')]),
        (
            "Arab",
            Script::Arabic,
            &[
                ('\u{600}', '\u{6ff}'),
                ('\u{750}', '\u{77f}'),
                ('\u{fb50}', '\u{fdff}'),
                ('\u{fe70}', '\u{feff}'),
            ],
        ),
        ("Thaa", Script::Thaana, &[('\u{780}', '\u{7bf}')]),
        ("Deva", Script::Devanagari, &[('\u{900}', '\u{97f}')]),
        ("Beng", Script::Bengali, &[('\u{980}', '\u{9ff}')]),
        ("Guru", Script::Gurmukhi, &[('\u{a00}', '\u{a7f}')]),
        ("Gujr", Script::Gujarati, &[('\u{a80}', '\u{aff}')]),
        ("Orya", Script::Oriya, &[('\u{b00}', '\u{b7f}')]),
        ("Taml", Script::Tamil, &[('\u{b80}', '\u{bff}')]),
        ("Telu", Script::Telugu, &[('\u{c00}', '\u{c7f}')]),
        ("Knda", Script::Kannada, &[('\u{c80}', '\u{cff}')]),
        ("Mlym", Script::Malayalam, &[('\u{d00}', '\u{d7f}')]),
        ("Sinh", Script::Sinhala, &[('\u{d80}', '\u{dff}')]),
        ("Thai", Script::Thai, &[('\u{e00}', '\u{e7f}')]),
        ("Laoo", Script::Lao, &[('\u{e80}', '\u{eff}')]),
        ("Tibt", Script::Tibetan, &[('\u{f00}', '\u{fff}')]),
        ("Mymr", Script::Burmese, &[('\u{1000}', '\u{109f}')]),
        ("Geor", Script::Georgian, &[('\u{10a0}', '\u{10ff}')]),
        ("Ethi", Script::Ethiopic, &[('\u{1200}', '\u{139f}')]),
        ("Khmr", Script::Khmer, &[('\u{1780}', '\u{17ff}')]),
        ("Hira", Script::Hiragana, &[('\u{3040}', '\u{309f}')]),
        ("Kana", Script::Katakana, &[('\u{30a0}', '\u{30ff}')]),
        (
            "Hani",
            Script::Han,
            &[('\u{3400}', '\u{9fff}'), ('\u{f900}', '\u{faff}')],
        ),
        (
            "Hang",
            Script::Hangul,
            &[('\u{1100}', '\u{11ff}'), ('\u{ac00}', '\u{d7af}')],
        ),
    ];

    /// ISO 15924: `Latn`.
    pub fn code(self) -> &'static str {
        let own = Script::ALL.iter().find(|(_, script, _)| *script == self);
        own.expect("every script is in the table").0
    }

    /// The script of a letter; none for digits, marks and letters of other scripts.
    pub fn of(letter: char) -> Option<Script> {
        // Most letters that are ever asked about are among the first; every file of translations is read letter by letter.
        static FIRST: LazyLock<Vec<Option<Script>>> =
            LazyLock::new(|| ('\0'..'\u{800}').map(Script::looked_up).collect());
        match FIRST.get(letter as usize) {
            Some(known) => *known,
            None => Script::looked_up(letter),
        }
    }

    fn looked_up(letter: char) -> Option<Script> {
        if !letter.is_alphabetic() {
            return None;
        }
        let holds = |block: &Block| (block.0..=block.1).contains(&letter);
        let found = Script::ALL
            .iter()
            .find(|(.., blocks)| blocks.iter().any(holds));
        found.map(|(_, script, _)| *script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_one_row_and_the_rows_are_in_order() {
        let codes: Vec<&str> = Language::all().map(Language::code).collect();
        assert!(codes.len() > 100);
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        for language in Language::all() {
            assert_eq!(Language::find(language.code()), Some(language));
            assert!(!language.scripts().is_empty());
        }
    }

    #[test]
    fn languages_are_found_by_either_code_and_region() {
        for code in ["sk", "SK", "slk", "sk-SK", "sk_SK"] {
            assert_eq!(Language::closest(code).unwrap().name(), "Slovak", "{code}");
        }
        assert_eq!(Language::find("sk-SK"), None);
        assert_eq!(
            Language::find("pt-BR").unwrap().name(),
            "Brazilian Portuguese"
        );
        assert_eq!(Language::find("-"), None);
        assert_eq!(Language::find("tlh"), None);
    }

    #[test]
    fn letters_have_their_script() {
        for (text, script) in [
            ("aŽß", Script::Latin),
            ("яЂ", Script::Cyrillic),
            ("ώ", Script::Greek),
            ("ش", Script::Arabic),
            ("ब", Script::Devanagari),
            ("漢", Script::Han),
        ] {
            for letter in text.chars() {
                assert_eq!(Script::of(letter), Some(script), "{letter}");
            }
        }
        assert_eq!(Script::of('1'), None);
        assert_eq!(Script::Han.code(), "Hani");
    }
}
