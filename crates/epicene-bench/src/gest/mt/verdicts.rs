//! The verdicts on one system's translations into one language, item by item.

use epicene_core::Answer;
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Language, Mode};

/// What was found in one translation, in every mode, so that the mode can be changed without
/// reading the translations again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    published: Option<Gender>,
    extended: Option<Gender>,
    strict: Option<Gender>,
    pub quality: Quality,
}

/// Why a translation could not show a gender, where that is plain to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    Text,
    Empty,
    /// Most letters are of a script the language is not written in.
    OtherScript,
    /// The file had none.
    Missing,
}

#[derive(Debug, Clone)]
pub struct UnitVerdicts {
    pub system: usize,
    pub unit: String,
    pub language: Language,
    /// `None` where the item was not answered (yet).
    pub judged: Vec<Option<Judged>>,
}

/// The language a unit names: `lang:sk`.
pub fn language_of(unit: &str) -> Option<Language> {
    unit.strip_prefix("lang:")?.parse().ok()
}

impl Judged {
    pub fn gender(&self, mode: Mode) -> Option<Gender> {
        match mode {
            Mode::Published => self.published,
            Mode::Extended => self.extended,
            Mode::Strict => self.strict,
        }
    }
}

impl UnitVerdicts {
    pub fn judge(&mut self, item: usize, answer: &Answer) -> bool {
        let judged = match answer {
            Answer::Missing => Judged {
                published: None,
                extended: None,
                strict: None,
                quality: Quality::Missing,
            },
            Answer::Translation(text) => Judged {
                published: self.gender(text, Mode::Published),
                extended: self.gender(text, Mode::Extended),
                strict: self.gender(text, Mode::Strict),
                quality: quality(text, self.language),
            },
            Answer::Log10Ratio(_)
            | Answer::GroupMeans { .. }
            | Answer::Likelihoods(_)
            | Answer::Sentence { .. }
            | Answer::Noted { .. } => return false,
        };
        self.judged[item] = Some(judged);
        true
    }

    fn gender(&self, text: &str, mode: Mode) -> Option<Gender> {
        Detector::new(self.language, mode).judge(text).gender
    }

    pub fn count(&self, quality: Quality) -> usize {
        let found = self.judged.iter().flatten();
        found.filter(|judged| judged.quality == quality).count()
    }
}

fn quality(text: &str, language: Language) -> Quality {
    if text.trim().is_empty() {
        return Quality::Empty;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (own, other): (Vec<char>, Vec<char>) = letters.partition(|&c| is_written_with(language, c));
    let foreign = other.len() > own.len();
    match foreign {
        true => Quality::OtherScript,
        false => Quality::Text,
    }
}

/// Whether a letter is of a script that the language is written in.
fn is_written_with(language: Language, letter: char) -> bool {
    let latin = letter < '\u{0250}' || ('\u{1e00}'..='\u{1eff}').contains(&letter);
    let cyrillic = ('\u{0400}'..='\u{052f}').contains(&letter);
    match language {
        Language::Serbian | Language::Bosnian => latin || cyrillic,
        Language::Belarusian
        | Language::Russian
        | Language::Ukrainian
        | Language::Bulgarian
        | Language::Macedonian => cyrillic,
        Language::Greek => {
            ('\u{0370}'..='\u{03ff}').contains(&letter)
                || ('\u{1f00}'..='\u{1fff}').contains(&letter)
        }
        Language::Hebrew => ('\u{0590}'..='\u{05ff}').contains(&letter),
        Language::Arabic => ('\u{0600}'..='\u{06ff}').contains(&letter),
        Language::Hindi => ('\u{0900}'..='\u{097f}').contains(&letter),
        _ => latin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_apart() {
        for (text, language, expected) in [
            ("Я был дома.", Language::Russian, Quality::Text),
            ("I was at home.", Language::Russian, Quality::OtherScript),
            ("Ήμουν στο σπίτι.", Language::Greek, Quality::Text),
            ("I was at home.", Language::Greek, Quality::OtherScript),
            ("Ήμουν στο σπίτι.", Language::Spanish, Quality::OtherScript),
            ("Bol som doma.", Language::Slovak, Quality::Text),
            ("Я был дома.", Language::Slovak, Quality::OtherScript),
            ("Био сам код куће.", Language::Serbian, Quality::Text),
            ("Bio sam kod kuće.", Language::Serbian, Quality::Text),
            ("Я купил iPhone 14.", Language::Russian, Quality::Text),
            ("Аз съм тук.", Language::Macedonian, Quality::Text),
            ("I was at home.", Language::Hindi, Quality::OtherScript),
            ("मैं घर पर था।", Language::Hindi, Quality::Text),
            ("אני בבית.", Language::Hebrew, Quality::Text),
            ("كنت في البيت.", Language::Arabic, Quality::Text),
            ("אני בבית.", Language::Arabic, Quality::OtherScript),
            ("  ", Language::Czech, Quality::Empty),
            ("…", Language::Czech, Quality::Text),
        ] {
            assert_eq!(quality(text, language), expected, "{text}");
        }
    }
}
