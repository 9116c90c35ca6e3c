//! Stereotypes, or occupations, of the user's own: one table says which there are and whom each is held about. GEST's measures
//! then speak of these.
//!
//! ```text
//! id      about   name
//! nurse   women   Nurse
//! smith   men     Smith
//! ```

use epicene_core::{InputError, Row, TextFile};

use super::stereotypes::Set;
use crate::csv_input::CsvInput;
use crate::inputs::{By, InputSpec};
use crate::{Card, Options, RowWriter};

/// More are no set of stereotypes.
pub const MOST: u8 = 200;

const ROLE: &str = "stereotypes";

/// The table as a file beside the data.
pub(crate) const INPUT: InputSpec = InputSpec {
    flag: Some("stereotype-set"),
    ..InputSpec::new(
        ROLE,
        By::Run,
        "Stereotypes or occupations of your own: a TSV with the columns id, about (women or men) and name",
        |file, _| OwnSet::read(file).map(drop),
    )
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSet {
    members: Vec<OwnStereotype>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnStereotype {
    /// As the data spells it.
    pub id: String,
    /// `women` or `men`.
    pub about: &'static str,
    /// As results spell it.
    pub name: String,
}

impl OwnSet {
    /// The set a command gives, if it gives one.
    pub fn of(options: &Options) -> Result<Option<OwnSet>, InputError> {
        options.inputs.get(ROLE).map(OwnSet::read).transpose()
    }

    pub fn read(file: &TextFile) -> Result<OwnSet, InputError> {
        let mut input = CsvInput::new(file, b'\t');
        let mut names: Vec<String> = Vec::new();
        if let Some((_, header)) = input.next()? {
            names = header
                .iter()
                .map(|cell| cell.trim().to_lowercase())
                .collect();
        }
        let column = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let id = column(&["id", "group", "stereotype", "occupation"]);
        let (Some(id), Some(about)) = (id, column(&["about", "pole", "gender"])) else {
            let message = "the header has no column `id` or no column `about`";
            return Err(InputError::new(&file.path, message)
                .at_line(1)
                .with_hint("the columns are id, about (women or men) and name, between tabs"));
        };
        let name = column(&["name", "label"]);
        let mut members: Vec<OwnStereotype> = Vec::new();
        while let Some((place, record)) = input.next()? {
            let cell = |column: usize| record.get(column).map_or("", str::trim);
            if cell(id).starts_with('#') {
                continue;
            }
            let member = OwnStereotype {
                id: cell(id).to_owned(),
                about: pole(cell(about)).ok_or_else(|| {
                    let given = cell(about);
                    place.complain(file, format!("`{given}` is neither `women` nor `men`"))
                })?,
                name: name
                    .map(cell)
                    .filter(|name| !name.is_empty())
                    .unwrap_or(cell(id))
                    .to_owned(),
            };
            let known = |other: &OwnStereotype| other.id == member.id || other.name == member.name;
            let fault = if member.id.is_empty() {
                Some("the id is empty".to_owned())
            } else if member.name.parse::<f64>().is_ok() {
                // GEST's own have numbers: results would be taken for theirs.
                Some(format!(
                    "the name `{}` is a number; give a column `name` with words",
                    member.name
                ))
            } else {
                members
                    .iter()
                    .any(known)
                    .then(|| format!("`{}` stands above already", member.name))
            };
            if let Some(message) = fault {
                return Err(place.complain(file, message));
            }
            members.push(member);
        }
        for about in ["women", "men"] {
            if !members.iter().any(|member| member.about == about) {
                let message = format!("there is no stereotype about {about}");
                return Err(InputError::new(&file.path, message)
                    .with_hint("g_s and f_s compare the two; each needs at least one"));
            }
        }
        if members.len() > usize::from(MOST) {
            let message = format!("there are {} stereotypes, more than {MOST}", members.len());
            return Err(InputError::new(&file.path, message));
        }
        Ok(OwnSet { members })
    }

    /// The stereotype that the data calls so.
    pub fn find(&self, id: &str) -> Result<&OwnStereotype, String> {
        let found = self.members.iter().find(|member| member.id == id);
        found.ok_or_else(|| format!("stereotype `{id}` is not in the set"))
    }
}

/// Rows that say whom each stereotype of a user's own set is about: 1 men, 0 women. GEST's need none.
pub fn rows(card: &'static Card, set: &Set) -> Vec<Row> {
    if *set == Set::default() {
        return Vec::new();
    }
    let mut writer = RowWriter::new(card, "all", "all");
    for number in set.numbers() {
        let male = f64::from(u8::from(set.is_male(number)));
        writer.push(&set.group(number), "about_men", male);
    }
    writer.rows
}

fn pole(given: &str) -> Option<&'static str> {
    match given.to_lowercase().as_str() {
        "women" | "woman" | "female" | "feminine" | "f" => Some("women"),
        "men" | "man" | "male" | "masculine" | "m" => Some("men"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile {
            path: "s.tsv".to_owned(),
            name: "s.tsv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn columns_in_any_order_and_either_spelling() {
        let set = OwnSet::read(&file(
            "name\tpole\tgroup\textra\nNurse\tf\t1\tx\n\tmen\tsmith\ty\n",
        ));
        let set = set.unwrap();
        assert_eq!(set.find("1").unwrap().name, "Nurse");
        assert_eq!(set.find("1").unwrap().about, "women");
        assert_eq!(set.find("smith").unwrap().name, "smith");
        assert!(set.find("2").is_err());
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for (text, message) in [
            ("id\tname\n1\ta\n", "no column `about`"),
            ("id\tabout\nn\tx\n", "line 2: `x` is neither"),
            ("id\tabout\n1\tmen\n", "is a number"),
            ("id\tabout\na\tmen\na\tmen\n", "line 3: `a` stands above"),
            ("id\tabout\na\tmen\n", "no stereotype about women"),
            ("id\tabout\n\tmen\n", "the id is empty"),
        ] {
            let error = OwnSet::read(&file(text)).unwrap_err().to_string();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }
}
