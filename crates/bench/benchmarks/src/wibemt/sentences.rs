//! What measures need to know of the items, read once for rows, comparisons and audits alike.

use epicene_core::Items;

use super::data::{self, NONE};
use super::german::ChallengePart;
use crate::BenchError;

pub struct Sentence {
    pub part: ChallengePart,
    pub occupation: String,
    /// Its verb or adjective, and the class of that.
    pub word: String,
    pub class: String,
    pub groups: Vec<String>,
    /// Whether the pronoun is feminine, where there is one.
    pub feminine_pronoun: Option<bool>,
}

pub fn read(items: &Items) -> Result<Vec<Sentence>, BenchError> {
    items
        .iter()
        .map(|item| {
            let bad = |what: &str| BenchError::BadItem {
                item: item.id.to_owned(),
                message: format!("it has no {what}"),
            };
            let label = |name: &'static str| item.label(name).ok_or_else(|| bad(name));
            let part = data::part(&item).ok_or_else(|| bad("part"))?;
            let occupation = label(data::OCCUPATION)?;
            let third = label(data::THIRD)?;
            let mut groups = vec![format!("part:{}", label(data::PART)?)];
            let mut feminine_pronoun = None;
            let (word, class) = match part {
                ChallengePart::Verb => (label(data::VERB)?, label(data::VERB_CLASS)?),
                ChallengePart::Adjective => {
                    (label(data::ADJECTIVE)?, label(data::ADJECTIVE_CLASS)?)
                }
            };
            match part {
                ChallengePart::Verb => {
                    groups.push(format!("verb:{}", label(data::VERB_CLASS)?));
                    groups.push(format!("third:{third}"));
                    groups.push(format!("verb:{}", label(data::VERB)?));
                    groups.push(format!("occupation:{occupation}"));
                }
                ChallengePart::Adjective => {
                    let adjective = label(data::ADJECTIVE)?;
                    let class = label(data::ADJECTIVE_CLASS)?;
                    feminine_pronoun = Some(label(data::GENDER)? == "female");
                    groups.push(format!("adjective:{class}"));
                    if adjective != NONE {
                        groups.push(format!("adjective:{adjective}"));
                    }
                    groups.push(format!("adjective-occupation:{occupation}"));
                }
            }
            Ok(Sentence {
                part,
                occupation: occupation.to_owned(),
                word: word.to_owned(),
                class: class.to_owned(),
                groups,
                feminine_pronoun,
            })
        })
        .collect()
}
