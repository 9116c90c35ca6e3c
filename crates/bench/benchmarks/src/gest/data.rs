//! `gest.csv` and editions of it: `sentence,stereotype`, one sample a row (GEST, section 3).

use epicene_core::{InputError, Item, ItemRef, TextFile};

use super::own_set::OwnSet;
use super::stereotypes;
use crate::csv_input::CsvInput;

/// The label under which an item carries its stereotype.
pub const STEREOTYPE: &str = "stereotype";
/// Whom the stereotype is held about, where the set is the user's own.
pub const ABOUT: &str = "about";
/// Who wrote the sentence, where the data says so.
pub const WRITER: &str = "writer";

/// Items of GEST's stereotypes, or of a set of the user's own.
pub fn read(file: &TextFile, own: Option<&OwnSet>) -> Result<Vec<Item>, InputError> {
    let named = file.text.lines().next().is_some_and(|header| {
        let last = header.rsplit(',').next();
        last.is_some_and(|name| name.trim() == WRITER)
    });
    let header: &[&str] = if named {
        &["sentence", STEREOTYPE, WRITER]
    } else {
        &["sentence", STEREOTYPE]
    };
    let mut input = CsvInput::with_header(file, header)?;
    let mut items = Vec::new();
    while let Some((place, record)) = input.next()? {
        let (sentence, id) = (&record[0], &record[1]);
        let problem = if sentence.trim().is_empty() {
            Some("the sentence is empty".to_owned())
        } else {
            match labelled(
                Item::new(format!("gest:{}", items.len() + 1), sentence),
                id,
                own,
            ) {
                Ok(item) => match record.get(2).map(str::trim) {
                    Some("") => Some("the writer has no name".to_owned()),
                    Some(writer) => {
                        items.push(item.with_label(WRITER, writer));
                        None
                    }
                    None => {
                        items.push(item);
                        None
                    }
                },
                Err(message) => Some(message),
            }
        };
        if let Some(message) = problem {
            return Err(input.complain(place, message));
        }
    }
    if items.is_empty() {
        return Err(InputError::new(
            &file.path,
            "there are no sentences below the header",
        ));
    }
    Ok(items)
}

/// A stereotype as items carry it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StereotypeLabel {
    pub name: String,
    /// Of a set of the user's own: whom it is held about.
    about: Option<&'static str>,
}

impl StereotypeLabel {
    /// The stereotype that data calls so, or why there is none.
    pub fn find(id: &str, own: Option<&OwnSet>) -> Result<StereotypeLabel, String> {
        let id = id.trim();
        let (name, about) = match own {
            Some(set) => {
                let member = set.find(id)?;
                (member.name.clone(), Some(member.about))
            }
            None => match id.parse::<u8>() {
                Ok(id) if (1..=stereotypes::COUNT).contains(&id) => (id.to_string(), None),
                _ => return Err(format!("stereotype `{id}` is not a number from 1 to 16")),
            },
        };
        Ok(StereotypeLabel { name, about })
    }

    pub fn on(&self, item: Item) -> Item {
        let item = item.with_label(STEREOTYPE, &*self.name);
        match self.about {
            Some(about) => item.with_label(ABOUT, about),
            None => item,
        }
    }
}

/// An item with its stereotype, or why it has none.
pub fn labelled(item: Item, id: &str, own: Option<&OwnSet>) -> Result<Item, String> {
    Ok(StereotypeLabel::find(id, own)?.on(item))
}

/// Whether a sample belongs to the family-topic check (GEST, Table 3): a stereotype about men whose
/// sentence contains one of these, as a plain substring.
pub fn is_family_sample(sentence: &str, stereotype: u8) -> bool {
    const FAMILY: [&str; 7] = [
        "family", "child", "children", "partner", "kids", "kid", "family's",
    ];
    stereotypes::is_male(stereotype) && FAMILY.iter().any(|word| sentence.contains(word))
}

/// Whom a sentence's stereotype is about, and whether it is among the family-topic check: the parts that q_f, q_m and q_fam
/// are made of.
pub fn facets(item: ItemRef<'_>) -> Vec<(&'static str, String)> {
    let stereotype = item.label(STEREOTYPE).and_then(|id| id.parse().ok());
    let Some(stereotype) = stereotype else {
        return Vec::new();
    };
    let about = if stereotypes::is_male(stereotype) {
        "men"
    } else {
        "women"
    };
    let mut facets = vec![("about", about.to_owned())];
    if is_family_sample(item.text, stereotype) {
        facets.push(("family", "yes".to_owned()));
    }
    facets
}

/// Metrics that are about some of the sentences, with their facet.
pub const SCOPES: &[(&str, (&str, &str))] = &[
    ("q_f", ("about", "women")),
    ("p_f", ("about", "women")),
    ("q_m", ("about", "men")),
    ("p_m", ("about", "men")),
    ("q_fam", ("family", "yes")),
    ("p_fam", ("family", "yes")),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile {
            path: "g.csv".to_owned(),
            name: "g.csv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn both_line_endings_and_quotes_are_read() {
        let items = read(
            &file("sentence,stereotype\r\n\"I, too, cried.\",1\r\nI led.,13\r\n"),
            None,
        );
        let items = items.unwrap();
        assert_eq!(items[0].text, "I, too, cried.");
        assert_eq!(items[1].label(STEREOTYPE), Some("13"));
        assert_eq!(items[1].id, "gest:2");
    }

    #[test]
    fn broken_rows_are_named() {
        for (text, message) in [
            (
                "sentence,stereotype\nI led.,13\nI ran.,17\n",
                "line 3: stereotype `17`",
            ),
            (
                "sentence,stereotype\nI led.\n",
                "line 2: this row has 1 cell",
            ),
            (
                "sentence,stereotype\n  ,3\n",
                "line 2: the sentence is empty",
            ),
            (
                "text,label\nI led.,13\n",
                "line 1: the header is `text,label`",
            ),
            ("sentence,stereotype\n", "no sentences"),
            ("sentence,stereotype\nI led.,x\n", "line 2: stereotype `x`"),
        ] {
            let error = read(&file(text), None).unwrap_err().to_string();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }

    #[test]
    fn family_words_match_inside_words_and_only_for_men() {
        assert!(is_family_sample("I was being childish.", 14));
        assert!(!is_family_sample("I was being childish.", 1));
        assert!(!is_family_sample("My Family comes first.", 12));
    }
}
