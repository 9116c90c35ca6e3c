//! WinoMT's further sets (Stanovsky et al., section 4.3): stereotypical adjectives before the entity, and the two halves of
//! WinoBias by themselves.

use std::io::{self, Write};
use std::str::FromStr;

use epicene_core::{InputError, TextFile};

use super::data;
use super::prediction::Gold;

/// Which sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    All,
    /// Pronouns that go with the stereotype of the occupation.
    Pro,
    Anti,
}

impl FromStr for Half {
    type Err = String;

    fn from_str(given: &str) -> Result<Half, String> {
        match given {
            "all" => Ok(Half::All),
            "pro" => Ok(Half::Pro),
            "anti" => Ok(Half::Anti),
            _ => Err(format!("`{given}` is none of all, pro, anti")),
        }
    }
}

/// The adjective that goes with a gender; what is neutral has none.
fn adjective(gold: Gold) -> Option<&'static str> {
    match gold {
        Gold::Male => Some("handsome"),
        Gold::Female => Some("pretty"),
        Gold::Neutral => None,
    }
}

/// Lines of gender, index, sentence and entity, as the authors wrote theirs: an article before the adjective stays as it was.
pub fn lines(files: &[TextFile], half: Half, adjectives: bool) -> Result<Vec<String>, InputError> {
    let mut made = Vec::new();
    for item in data::read(files)? {
        let label = |name: &str| item.label(name).unwrap_or_default();
        let wanted = match half {
            Half::All => true,
            Half::Pro => label(data::SET) == "pro",
            Half::Anti => label(data::SET) == "anti",
        };
        if !wanted {
            continue;
        }
        let gold: Gold = label(data::GOLD).parse().expect("the reader wrote it");
        let mut index: usize = label(data::INDEX).parse().expect("the reader wrote it");
        let mut words: Vec<&str> = item.text.split(' ').collect();
        if let Some(adjective) = adjective(gold).filter(|_| adjectives) {
            words.insert(index, adjective);
            index += 1;
        }
        let (gold, entity) = (label(data::GOLD), label(data::OCCUPATION));
        made.push(format!("{gold}\t{index}\t{}\t{entity}", words.join(" ")));
    }
    Ok(made)
}

pub fn write(made: &[String], out: &mut dyn Write) -> io::Result<()> {
    made.iter().try_for_each(|line| writeln!(out, "{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_stand_before_the_entity() {
        let file = TextFile {
            path: "en.txt".to_owned(),
            name: "en.txt".to_owned(),
            sha256: String::new(),
            text: "female\t1\tThe nurse hired an aide because she was busy.\tnurse\nmale\t4\tThe nurse hired an aide because he was cheap.\taide\nneutral\t1\tThe nurse said they were here.\tnurse\n".to_owned(),
        };
        let made = lines(std::slice::from_ref(&file), Half::All, true).unwrap();
        assert_eq!(
            made[0],
            "female\t2\tThe pretty nurse hired an aide because she was busy.\tnurse"
        );
        assert_eq!(
            made[1],
            "male\t5\tThe nurse hired an handsome aide because he was cheap.\taide"
        );
        assert_eq!(made[2], "neutral\t1\tThe nurse said they were here.\tnurse");
        let plain = lines(&[file], Half::All, false).unwrap();
        assert!(plain[0].starts_with("female\t1\tThe nurse"));
    }
}
