//! What an annotator may answer.

use epicene_core::InputError;

/// One answer: a key to press, a name to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub key: String,
    pub name: String,
    /// When to give it, in one line.
    pub meaning: String,
}

/// The answers of an audit, in the order they are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices(pub Vec<Choice>);

impl Choice {
    pub fn new(key: &str, name: &str, meaning: &str) -> Choice {
        Choice {
            key: key.to_owned(),
            name: name.to_owned(),
            meaning: meaning.to_owned(),
        }
    }
}

impl Choices {
    /// The place of what somebody wrote: the key or the name, in any case.
    pub fn find(&self, written: &str) -> Option<u32> {
        let written = written.trim().to_lowercase();
        let is = |choice: &Choice| {
            choice.key.to_lowercase() == written || choice.name.to_lowercase() == written
        };
        self.0
            .iter()
            .position(is)
            .map(|place| u32::try_from(place).expect("there are few answers"))
    }

    pub fn key(&self, place: u32) -> &str {
        &self.0[place as usize].key
    }

    /// `m (masculine), f (feminine)…`
    pub fn in_words(&self) -> String {
        let each = self.0.iter().map(|choice| {
            if choice.key == choice.name {
                choice.key.clone()
            } else {
                format!("{} ({})", choice.key, choice.name)
            }
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// Answers that are the verdicts of a judge nobody here knows: keys are their first letters where these differ, else
    /// numbers.
    pub fn of_verdicts(names: &[String]) -> Result<Choices, InputError> {
        let letters: Vec<String> = names
            .iter()
            .map(|name| name.chars().take(1).collect::<String>().to_lowercase())
            .collect();
        let usable = |letter: &String| {
            let same = letters.iter().filter(|other| *other == letter).count();
            same == 1 && letter.chars().all(char::is_alphanumeric)
        };
        let all = letters.iter().all(usable);
        let choices = names.iter().zip(&letters).enumerate();
        let choices = choices.map(|(place, (name, letter))| Choice {
            key: if all {
                letter.clone()
            } else {
                (place + 1).to_string()
            },
            name: name.clone(),
            meaning: String::new(),
        });
        Ok(Choices(choices.collect()))
    }
}
