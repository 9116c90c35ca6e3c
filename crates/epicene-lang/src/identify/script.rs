//! The writing system of a letter, as far as the languages of the profiles need it.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Tamil,
    Thai,
    Georgian,
    Hangul,
    Kana,
    Han,
    Other,
}

impl Script {
    /// `None` for what is no letter.
    pub fn of(letter: char) -> Option<Script> {
        let script = match letter {
            'a'..='z' | 'A'..='Z' => Script::Latin,
            '\u{900}'..='\u{97f}' => Script::Devanagari,
            '\u{b80}'..='\u{bff}' => Script::Tamil,
            '\u{e00}'..='\u{e7f}' => Script::Thai,
            _ if !letter.is_alphabetic() => return None,
            '\u{aa}' | '\u{ba}' => return None,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
            '\u{400}'..='\u{52f}' => Script::Cyrillic,
            '\u{530}'..='\u{58f}' => Script::Armenian,
            '\u{590}'..='\u{5ff}' => Script::Hebrew,
            '\u{600}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => {
                Script::Arabic
            }
            '\u{10a0}'..='\u{10ff}' => Script::Georgian,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
                Script::Hangul
            }
            '\u{3040}'..='\u{30ff}' => Script::Kana,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
                Script::Han
            }
            _ => Script::Other,
        };
        Some(script)
    }

    /// The scripts that an ISO 15924 code of the profiles stands for.
    pub fn of_code(code: &str) -> Option<&'static [Script]> {
        Some(match code {
            "Latn" => &[Script::Latin],
            "Grek" => &[Script::Greek],
            "Cyrl" => &[Script::Cyrillic],
            "Armn" => &[Script::Armenian],
            "Hebr" => &[Script::Hebrew],
            "Arab" => &[Script::Arabic],
            "Deva" => &[Script::Devanagari],
            "Taml" => &[Script::Tamil],
            "Thai" => &[Script::Thai],
            "Geor" => &[Script::Georgian],
            "Kore" => &[Script::Hangul],
            "Jpan" => &[Script::Kana, Script::Han],
            "Hans" => &[Script::Han],
            _ => return None,
        })
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Script::Other => "other".to_owned(),
            known => format!("{known:?}"),
        };
        f.write_str(&name)
    }
}
