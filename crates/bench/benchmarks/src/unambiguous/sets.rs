//! The challenge sets: grammars of two names in three sizes (specification, section 4), and files in
//! the layout of `epicene data make unambiguous`.

use std::fmt;
use std::str::FromStr;

use epicene_core::{InputError, Item, TextFile};

use super::grammar::{self, Grammar, GrammarError, Sentence};
use super::labels;

/// Label of an item: feature labels between spaces.
pub(crate) const FEATURES: &str = "features";
/// Label of an item: `_EXP_M_` or `_EXP_F_`.
pub(crate) const ANSWER: &str = "answer";
/// Label of an item: the occupation the sentence is about, in lower case.
pub(crate) const OCCUPATION: &str = "occupation";

/// Whose grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edition {
    /// The published sets, defects included.
    #[default]
    Paper,
    /// The same design without them.
    Repaired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Size {
    Xs,
    #[default]
    S,
    Xl,
}

/// A set by name: `s`, `xl`, `repaired-s`, `s-without-nanny`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetName {
    pub edition: Edition,
    pub size: Size,
    /// Words left out.
    pub without: Vec<String>,
}

impl Edition {
    pub fn name(self) -> &'static str {
        match self {
            Edition::Paper => "paper",
            Edition::Repaired => "repaired",
        }
    }
}

impl Size {
    pub fn name(self) -> &'static str {
        match self {
            Size::Xs => "xs",
            Size::S => "s",
            Size::Xl => "xl",
        }
    }
}

impl FromStr for Edition {
    type Err = String;

    fn from_str(given: &str) -> Result<Edition, String> {
        match given {
            "paper" => Ok(Edition::Paper),
            "repaired" => Ok(Edition::Repaired),
            _ => Err(format!("`{given}` is neither `paper` nor `repaired`")),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(given: &str) -> Result<Size, String> {
        let known = [Size::Xs, Size::S, Size::Xl].into_iter();
        known
            .into_iter()
            .find(|size| size.name() == given)
            .ok_or_else(|| format!("`{given}` is none of xs, s, xl"))
    }
}

impl FromStr for SetName {
    type Err = String;

    fn from_str(given: &str) -> Result<SetName, String> {
        let mut parts = given.split("-without-");
        let first = parts.next().unwrap_or("");
        let (edition, size) = match first.split_once('-') {
            Some((edition, size)) => (edition.parse()?, size.parse()?),
            None => (Edition::Paper, first.parse()?),
        };
        Ok(SetName {
            edition,
            size,
            without: parts.map(str::to_owned).collect(),
        })
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.edition.name(), self.size.name())?;
        for word in &self.without {
            write!(f, "-without-{word}")?;
        }
        Ok(())
    }
}

impl SetName {
    /// The grammar file of the set.
    pub fn text(&self) -> &'static str {
        match (self.edition, self.size) {
            (Edition::Paper, Size::Xs) => include_str!("../../data/unambiguous/paper-xs.grammar"),
            (Edition::Paper, Size::S) => include_str!("../../data/unambiguous/paper-s.grammar"),
            (Edition::Paper, Size::Xl) => include_str!("../../data/unambiguous/paper-xl.grammar"),
            (Edition::Repaired, Size::Xs) => {
                include_str!("../../data/unambiguous/repaired-xs.grammar")
            }
            (Edition::Repaired, Size::S) => {
                include_str!("../../data/unambiguous/repaired-s.grammar")
            }
            (Edition::Repaired, Size::Xl) => {
                include_str!("../../data/unambiguous/repaired-xl.grammar")
            }
        }
    }

    pub fn grammar(&self) -> Result<Grammar, GrammarError> {
        grammar::parse_without(self.text(), &self.without)
    }

    /// The frames of the set with these words in place of all occupations; they carry no
    /// stereotype. Masculine classes are left without a rule, and so vanish.
    pub fn with_occupations(&self, words: &[String]) -> Result<Grammar, GrammarError> {
        let mut text = String::new();
        let mut inside = false;
        for line in self.text().lines() {
            let continues = line.starts_with(' ');
            inside = if continues {
                inside
            } else {
                line.starts_with("F_OCCUPATION_") || line.starts_with("M_OCCUPATION_")
            };
            if !inside {
                text.push_str(line);
                text.push('\n');
            }
        }
        let vowel = |word: &&String| word.starts_with(['a', 'e', 'i', 'o', 'u']);
        for (class, is_vowel) in [("VOWEL", true), ("OTHER", false)] {
            let members: Vec<String> = words
                .iter()
                .filter(|word| vowel(word) == is_vowel)
                .map(|word| format!("\"{word}\""))
                .collect();
            if !members.is_empty() {
                text.push_str(&format!(
                    "F_OCCUPATION_{class} -> {}\n",
                    members.join(" | ")
                ));
            }
        }
        grammar::parse(&text)
    }
}

/// The item of a sentence. `number` counts from 1.
pub fn item(number: u64, sentence: Sentence, occupation: Option<&str>) -> Item {
    let item = Item::new(format!("unambiguous:{number}"), sentence.text)
        .with_label(FEATURES, sentence.features)
        .with_label(ANSWER, sentence.answer);
    match occupation {
        Some(word) => item.with_label(OCCUPATION, word),
        None => item,
    }
}

/// Items of a file: text, features, answer and, if need be, the occupation, between tabs.
pub fn read(file: &TextFile) -> Result<Vec<Item>, InputError> {
    let mut items = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let complain = |message: String| {
            InputError::new(&file.path, message)
                .at_line(index as u64 + 1)
                .with_hint(
                    "`epicene data make unambiguous` writes such files: text, features, answer",
                )
        };
        let cells: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
        let (text, features, answer, occupation) = match cells[..] {
            [text, features, answer] => (text, features, answer, None),
            [text, features, answer, occupation] => (text, features, answer, Some(occupation)),
            _ => {
                let message = format!("there are {} cells, expected 3 or 4", cells.len());
                return Err(complain(message));
            }
        };
        if index == 0 && answer == ANSWER {
            continue;
        }
        if labels::expected(answer).is_none() {
            let message = format!("the answer is `{answer}`, expected _EXP_M_ or _EXP_F_");
            return Err(complain(message));
        }
        if text.trim().is_empty() {
            return Err(complain("the text is empty".to_owned()));
        }
        let sentence = Sentence {
            text: text.to_owned(),
            features: features.to_owned(),
            answer: answer.to_owned(),
            ..Sentence::default()
        };
        let occupation = occupation.map(str::to_lowercase);
        let number = items.len() as u64 + 1;
        items.push(item(
            number,
            sentence,
            occupation.as_deref().filter(|word| !word.is_empty()),
        ));
    }
    if items.is_empty() {
        Err(InputError::new(
            &file.path,
            "there is no sentence in the file",
        ))
    } else {
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for (given, shown) in [
            ("s", "paper-s"),
            ("repaired-xl", "repaired-xl"),
            ("s-without-nanny", "paper-s-without-nanny"),
        ] {
            assert_eq!(given.parse::<SetName>().unwrap().to_string(), shown);
        }
        for bad in ["", "m", "paper", "other-s", "s-x"] {
            assert!(bad.parse::<SetName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn files_are_checked() {
        let read = |text: &str| {
            read(&TextFile {
                path: "set.tsv".to_owned(),
                name: "set.tsv".to_owned(),
                sha256: String::new(),
                text: text.to_owned(),
            })
        };
        let items = read("text\tfeatures\tanswer\nThe cook ran .\t_OCC_NO_M_\t_EXP_F_\n").unwrap();
        assert_eq!((items.len(), items[0].label(ANSWER)), (1, Some("_EXP_F_")));
        let nonce = read("The nurson ran .\t\t_EXP_F_\tNurson\n").unwrap();
        assert_eq!(nonce[0].label(OCCUPATION), Some("nurson"));
        for (text, line) in [
            ("a b\n", Some(1)),
            ("A .\t_X_\t_EXP_M_\nB .\t_X_\t_EXP_N_\n", Some(2)),
            (" \t_X_\t_EXP_M_\n", Some(1)),
            ("text\tfeatures\tanswer\n", None),
        ] {
            assert_eq!(read(text).unwrap_err().line, line, "{text:?}");
        }
    }
}
