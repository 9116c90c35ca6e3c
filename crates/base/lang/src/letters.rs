//! Whether a file has lost the diacritics of its language.
//!
//! A text without them reads as another text: Romanian "obosită" becomes "obosita", which no rule knows, while "obosit" stays. So
//! one gender can no longer be seen, and a share of genders would be wrong without any error.

use epicene_core::Language;

static EXPECTED: &str = include_str!("../data/letters.tsv");

/// Letters that a file must have before its share means anything.
const FEWEST: u64 = 400;

/// Part of the usual share below which the diacritics count as lost.
const LOST: f64 = 0.25;

/// The letters of a file, counted text by text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Letters {
    all: u64,
    marked: u64,
}

/// A file that lacks the diacritics of its language, with its share and the usual one, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stripped {
    pub share: f64,
    pub usual: f64,
}

impl Letters {
    pub fn add(&mut self, text: &str) {
        for letter in text.chars() {
            if letter.is_ascii_alphabetic() {
                self.all += 1;
            } else if is_combining(letter) {
                self.marked += 1;
            } else if letter.is_alphabetic() {
                self.all += 1;
                self.marked += u64::from(is_marked(letter));
            }
        }
    }

    /// `None` where the language has few diacritics, the file is short, or all is well.
    pub fn stripped(&self, language: Language) -> Option<Stripped> {
        let usual = expected(language.code())?;
        let share = self.marked as f64 / self.all.max(1) as f64;
        (self.all >= FEWEST && share < LOST * usual).then_some(Stripped { share, usual })
    }
}

fn expected(code: &str) -> Option<f64> {
    let rows = EXPECTED.lines().filter(|line| !line.starts_with('#'));
    let mut pairs = rows.filter_map(|line| line.split_once('\t'));
    let (_, percent) = pairs.find(|(known, _)| *known == code)?;
    let percent: f64 = percent
        .parse()
        .expect("the table's own numbers: a test reads them");
    Some(percent / 100.0)
}

fn is_combining(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Latin letters with a diacritic, and accented Greek ones.
fn is_marked(letter: char) -> bool {
    matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
        || matches!(
            letter,
            'ά' | 'έ' | 'ή' | 'ί' | 'ό' | 'ύ' | 'ώ' | 'ΐ' | 'ΰ' | 'ϊ' | 'ϋ'
        )
        || matches!(letter, 'Ά' | 'Έ' | 'Ή' | 'Ί' | 'Ό' | 'Ύ' | 'Ώ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_person::Detector;

    fn stripped(code: &str, text: &str) -> Option<Stripped> {
        let mut letters = Letters::default();
        (0..20).for_each(|_| letters.add(text));
        letters.stripped(Language::find(code).unwrap())
    }

    #[test]
    fn a_text_without_its_diacritics_is_noticed() {
        let whole = "Sunt foarte obosită și mă duc acasă după o zi grea.";
        let lost = "Sunt foarte obosita si ma duc acasa dupa o zi grea.";
        assert_eq!(stripped("ro", whole), None);
        assert!(stripped("ro", lost).is_some());
        assert_eq!(
            stripped("ru", "Я устала и хочу домой, потому что уже поздно."),
            None
        );
        let decomposed = "Sunt foarte obosita\u{306} s\u{326}i ma\u{306} duc.";
        assert_eq!(stripped("ro", decomposed), None);
    }

    #[test]
    fn every_line_of_the_table_is_a_language_with_a_number() {
        for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
            let (code, _) = line.split_once('\t').unwrap();
            assert!(expected(code).is_some_and(|share| share < 0.2), "{line}");
            assert!(
                Detector::languages()
                    .iter()
                    .any(|known| known.code() == code),
                "{line}"
            );
        }
    }
}
