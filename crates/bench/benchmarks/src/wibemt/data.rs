//! The challenge set as items: verb sentences, extended WinoBias, or both in one file.

use std::collections::BTreeSet;

use epicene_core::{InputError, Item, ItemRef, TextFile};

use super::german::{self, ChallengePart};
use super::occupations::{self, Class};

pub const PART: &str = "part";
pub(crate) const OCCUPATION: &str = "occupation";
/// Third of the occupation: F, N or M.
pub const THIRD: &str = "class";
pub const VERB: &str = "verb";
pub const VERB_CLASS: &str = "verb_class";
pub const ADJECTIVE: &str = "adjective";
pub const ADJECTIVE_CLASS: &str = "adjective_class";
/// Gender of the pronoun that refers to the occupation.
pub const GENDER: &str = "gender";

/// What stands for no adjective.
pub const NONE: &str = "none";

/// Rows by their number of cells: id, sentence, verb, occupation (and maybe translation, label); or gender, index,
/// sentence, phrase (and maybe class, adjective, its class, id).
pub fn read(file: &TextFile) -> Result<Vec<Item>, InputError> {
    let mut items = Vec::new();
    let mut ids = BTreeSet::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let complain = |message: String| {
            InputError::new(&file.path, message).at_line(number).with_hint(
                "expected rows of `epicene data make wibemt`: id, sentence, verb, occupation; or gender, index, sentence, phrase, class, adjective, class, id",
            )
        };
        let item = match cells.as_slice() {
            [gender @ ("male" | "female"), index, sentence, phrase] => {
                let id = format!("wibemt:{number}");
                adjective_item(&id, gender, index, sentence, phrase, ("---", "---", ""))
            }
            [gender, index, sentence, phrase, third, adjective, class, id] => adjective_item(
                id,
                gender,
                index,
                sentence,
                phrase,
                (adjective, class, third),
            ),
            [id, sentence, verb, occupation] | [id, sentence, verb, occupation, _, _] => {
                verb_item(id, sentence, verb, occupation)
            }
            _ => Err(format!("there are {} cells", cells.len())),
        };
        let item = item.map_err(complain)?;
        if !ids.insert(item.id.clone()) {
            return Err(complain(format!("the id {} is there already", item.id)));
        }
        items.push(item);
    }
    if items.is_empty() {
        Err(InputError::new(&file.path, "there are no sentences"))
    } else {
        Ok(items)
    }
}

fn verb_item(id: &str, sentence: &str, verb: &str, occupation: &str) -> Result<Item, String> {
    let class = match id.get(..2) {
        Some("VF") => Class::Feminine,
        Some("VM") => Class::Masculine,
        _ => return Err(format!("the id `{id}` begins neither with VF nor with VM")),
    };
    // Occupations of the user's own have their third in the id: VF01OccN02.
    let own = id.split_once("Occ").and_then(|(_, rest)| rest.get(..1));
    let third = third(occupation, own)?;
    Ok(Item::new(id, sentence)
        .with_label(PART, "verb")
        .with_label(OCCUPATION, occupation)
        .with_label(THIRD, third.to_string())
        .with_label(VERB, verb)
        .with_label(VERB_CLASS, class.to_string()))
}

fn adjective_item(
    id: &str,
    gender: &str,
    index: &str,
    sentence: &str,
    phrase: &str,
    (adjective, class, own): (&str, &str, &str),
) -> Result<Item, String> {
    if !["male", "female"].contains(&gender) {
        return Err(format!("the gender is `{gender}`, expected male or female"));
    }
    if index.parse::<usize>().is_err() {
        return Err(format!("`{index}` is not a number"));
    }
    let (adjective, class) = match class {
        "---" => (NONE, NONE),
        "F" | "M" => (adjective, class),
        other => return Err(format!("the class of the adjective is `{other}`")),
    };
    let lower = phrase.trim();
    let articles = ["the ", "The ", "a ", "A ", "an ", "An "];
    let noun = articles
        .iter()
        .find_map(|article| lower.strip_prefix(article));
    let occupation = noun.unwrap_or(lower).trim();
    Ok(Item::new(id, sentence)
        .with_label(PART, "adjective")
        .with_label(OCCUPATION, occupation)
        .with_label(THIRD, third(occupation, Some(own))?.to_string())
        .with_label(ADJECTIVE, adjective)
        .with_label(ADJECTIVE_CLASS, class)
        .with_label(GENDER, gender))
}

/// The third of an occupation: the paper's, or of an occupation of the user's own, what the row says.
fn third(occupation: &str, own: Option<&str>) -> Result<Class, String> {
    let known = occupations::find(occupation).filter(|_| german::knows(occupation));
    let known = known.map(|known| known.class);
    let own = own.and_then(|letter| letter.parse().ok());
    known.or(own).ok_or_else(|| {
        format!(
            "`{occupation}` is not one of the occupations of WiBeMT, and the row does not say its third; `epicene data make \
             wibemt --occupations FILE` writes sentences about occupations of your own"
        )
    })
}

pub fn part(item: &ItemRef<'_>) -> Option<ChallengePart> {
    match item.label(PART)? {
        "verb" => Some(ChallengePart::Verb),
        "adjective" => Some(ChallengePart::Adjective),
        _ => None,
    }
}
