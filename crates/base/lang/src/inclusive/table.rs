//! The endings and joining words of a language, read from its data file.

use crate::packed::Packed;

/// `inclusive.txt` of every language that has one.
static FILES: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/inclusive.rs"));

/// What inclusive writing looks like in one language.
#[derive(Debug)]
pub struct Inclusive {
    /// Masculine and feminine endings of one word.
    endings: Vec<(Box<str>, Box<str>)>,
    or: Vec<Box<str>>,
    and: Vec<Box<str>>,
    apart: Vec<Box<str>>,
    neo: Vec<char>,
}

/// A word that joins two forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joiner {
    Or,
    And,
}

impl Inclusive {
    /// The table of a language, folded as the detector folds words; `None` for a language without one.
    pub fn read(code: &str, fold: impl Fn(&str) -> String) -> Option<Inclusive> {
        let (_, file) = FILES.iter().find(|(known, _)| *known == code)?;
        let mut table = Inclusive {
            endings: Vec::new(),
            or: Vec::new(),
            and: Vec::new(),
            apart: Vec::new(),
            neo: Vec::new(),
        };
        let mut section = String::new();
        for line in file.text().lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(header) = line.strip_prefix('[') {
                header.trim_end_matches(']').clone_into(&mut section);
                continue;
            }
            for entry in line.split_whitespace() {
                match section.as_str() {
                    "endings" => {
                        let (masculine, feminine) = entry
                            .split_once(':')
                            .expect("the build's own data: a test reads every file");
                        let (masculine, feminine) = (fold(masculine), fold(feminine));
                        if masculine != feminine {
                            table.endings.push((masculine.into(), feminine.into()));
                        }
                    }
                    "or" => table.or.push(fold(entry).into()),
                    "and" => table.and.push(fold(entry).into()),
                    "apart" => table.apart.push(fold(entry).into()),
                    "neo" => table.neo.extend(entry.chars()),
                    _ => {}
                }
            }
        }
        Some(table)
    }

    /// The other gender of `word`, if `tail` is that form or its last letters.
    pub fn other_form(&self, word: &str, tail: &str) -> Option<String> {
        if word.ends_with(tail) {
            return None;
        }
        self.both_ways().find_map(|(from, to)| {
            let stem = word.strip_suffix(from)?;
            // "Un/une" has no stem: only the whole form counts.
            let whole = stem.len() + to.len() == tail.len();
            if stem.is_empty() && !whole {
                return None;
            }
            let shared = tail.len().checked_sub(to.len());
            let fits = match shared {
                Some(shared) => tail.ends_with(to) && stem.ends_with(tail.get(..shared)?),
                None => to.ends_with(tail),
            };
            fits.then(|| format!("{stem}{to}"))
        })
    }

    /// Whether two words are the masculine and the feminine of one.
    pub fn is_pair(&self, one: &str, other: &str) -> bool {
        one != other
            && self.both_ways().any(|(from, to)| {
                match (one.strip_suffix(from), other.strip_suffix(to)) {
                    (Some(stem), Some(same)) => stem == same,
                    _ => false,
                }
            })
    }

    /// Masculine and feminine forms that `stem` and `tail` with one letter, or none, between them stand for.
    pub fn readings<'a>(
        &'a self,
        stem: &'a str,
        tail: &'a str,
    ) -> impl Iterator<Item = [String; 2]> + 'a {
        self.endings
            .iter()
            .filter_map(move |(masculine, feminine)| {
                let masculine = masculine.strip_suffix(tail)?;
                let feminine = feminine.strip_suffix(tail)?;
                let shared = common_start(masculine, feminine);
                let (before, one) = masculine.split_at(shared);
                let other = &feminine[shared..];
                let fits = stem.ends_with(before)
                    && one.chars().count() <= 1
                    && other.chars().count() == 1;
                fits.then(|| [format!("{stem}{one}{tail}"), format!("{stem}{other}{tail}")])
            })
    }

    /// The word without the letter that stands in place of its ending ("cansadx", "amigues"), and what follows that letter.
    pub fn neo_stem<'a>(&self, word: &'a str) -> Option<(&'a str, &'a str)> {
        let (body, tail) = match word.strip_suffix('s') {
            Some(body) => (body, "s"),
            None => (word, ""),
        };
        let last = body.chars().next_back()?;
        let stem = &body[..body.len() - last.len_utf8()];
        (self.stands_in_place(last) && stem.chars().count() >= 2).then_some((stem, tail))
    }

    fn stands_in_place(&self, letter: char) -> bool {
        self.neo.contains(&letter) || super::IN_PLACE.contains(letter)
    }

    /// Whether `word` is "or" or "and".
    pub fn joiner(&self, word: &str) -> Option<Joiner> {
        let is_one = |words: &[Box<str>]| words.iter().any(|known| **known == *word);
        if is_one(&self.or) {
            Some(Joiner::Or)
        } else if is_one(&self.and) {
            Some(Joiner::And)
        } else {
            None
        }
    }

    /// Whether a hyphen or full stop may join `tail` to a word though it is no ending.
    pub(super) fn is_apart(&self, tail: &str) -> bool {
        self.apart.iter().any(|known| **known == *tail)
    }

    fn both_ways(&self) -> impl Iterator<Item = (&str, &str)> {
        self.endings
            .iter()
            .flat_map(|(one, other)| [(&**one, &**other), (&**other, &**one)])
    }
}

/// How many bytes two texts begin with in common, whole characters.
fn common_start(one: &str, other: &str) -> usize {
    let alike = one.char_indices().zip(other.chars());
    alike
        .take_while(|((_, a), b)| a == b)
        .map(|((at, letter), _)| at + letter.len_utf8())
        .last()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_whole() {
        let sections = ["endings", "or", "and", "apart", "neo"];
        for (code, file) in FILES {
            for line in file.text().lines().filter(|line| line.starts_with('[')) {
                let name = line.trim_matches(['[', ']']);
                assert!(sections.contains(&name), "{code}: {line}");
            }
            let table = Inclusive::read(code, str::to_owned).unwrap();
            assert!(table.endings.len() > 5 && !table.or.is_empty(), "{code}");
        }
    }

    #[test]
    fn letters_in_place_of_an_ending_leave_a_stem() {
        let spanish = Inclusive::read("es", str::to_owned).unwrap();
        assert_eq!(spanish.neo_stem("cansadx"), Some(("cansad", "")));
        assert_eq!(spanish.neo_stem("todes"), Some(("tod", "s")));
        assert_eq!(spanish.neo_stem("cansado"), None);
    }
}
