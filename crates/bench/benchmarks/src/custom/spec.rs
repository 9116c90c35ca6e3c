//! The specification: which table, which template, which columns, which measure.

use std::collections::BTreeMap;

use epicene_core::{InputError, Item, TextFile};
use serde::Deserialize;

use crate::csv_input::{CsvInput, RecordStart};
use crate::gest::own_set::OwnSet;
use crate::gest::read_labelled;
use crate::unambiguous::sets::{ANSWER, FEATURES, OCCUPATION};

/// What is measured, by the name a specification gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Which gender translations give to "I" (GEST).
    FirstPersonGender,
    /// Whether translations give a person the gender that the sentence states (Unambiguous).
    PersonGender,
    /// Which of two sentences that differ in one word a masked model prefers (WinoBias).
    PairPreference,
    /// Whom a chat model chooses as the speaker (GEST, chat).
    Choice,
}

impl Measure {
    pub const ALL: [Measure; 4] = [
        Measure::FirstPersonGender,
        Measure::PersonGender,
        Measure::PairPreference,
        Measure::Choice,
    ];
}

/// A specification as its file has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Of the data set, in results.
    pub name: String,
    pub measure: Measure,
    /// The table, beside this file.
    pub items: String,
    /// The sentence, with columns in braces.
    template: Option<String>,
    /// The two sentences of a pair.
    masculine: Option<String>,
    feminine: Option<String>,
    /// Columns: what results are grouped by, and whom its stereotype is held about (men or women).
    group: Option<String>,
    about: Option<String>,
    /// Columns of a person's gender: the word, and the gender that the sentence states.
    person: Option<String>,
    expected: Option<String>,
    /// Column of further features, in the labels of the unambiguous sets.
    features: Option<String>,
    #[serde(skip)]
    path: String,
}

/// A row of the table.
struct Row<'a> {
    place: RecordStart,
    cells: Vec<&'a str>,
}

/// The table with its header.
struct Table<'a> {
    file: &'a TextFile,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    places: Vec<RecordStart>,
}

impl Spec {
    pub fn read(file: &TextFile) -> Result<Spec, InputError> {
        let mut spec: Spec = toml::from_str(&file.text).map_err(|error| {
            let line = error.span().map(|span| {
                let before = &file.text.as_bytes()[..span.start.min(file.text.len())];
                before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1
            });
            let message = error.message().replace('\n', " ");
            // What is no TOML has no fields yet.
            let of_fields = ["field", "variant", "invalid type"];
            let hint = if of_fields.iter().any(|part| message.contains(part)) {
                "a specification has name, measure, items, a template and columns; see `epicene show custom`"
            } else {
                "a line is a key, = and a text in quotation marks: name = \"traits\""
            };
            let complaint = InputError::new(&file.path, message).with_hint(hint);
            match line {
                Some(line) => complaint.at_line(line),
                None => complaint,
            }
        })?;
        spec.path.clone_from(&file.path);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if spec.name.is_empty() || !spec.name.chars().all(is_name) {
            return Err(spec.bad("the name has other characters than letters, digits, - and _"));
        }
        spec.check_fields()?;
        Ok(spec)
    }

    fn bad(&self, message: impl Into<String>) -> InputError {
        InputError::new(&self.path, message)
    }

    /// Refuses fields that the measure does not read, and asks for those it needs.
    fn check_fields(&self) -> Result<(), InputError> {
        let (needed, allowed): (&[&str], &[&str]) = match self.measure {
            Measure::FirstPersonGender | Measure::Choice => (&["template", "group"], &["about"]),
            Measure::PersonGender => (&["template", "person", "expected"], &["about", "features"]),
            Measure::PairPreference => (&["masculine", "feminine", "about"], &["group"]),
        };
        let fields = [
            ("template", &self.template),
            ("masculine", &self.masculine),
            ("feminine", &self.feminine),
            ("group", &self.group),
            ("about", &self.about),
            ("person", &self.person),
            ("expected", &self.expected),
            ("features", &self.features),
        ];
        for (name, value) in fields {
            if value.is_none() && needed.contains(&name) {
                return Err(self
                    .bad(format!("there is no `{name}`"))
                    .with_hint(format!("this measure needs {}", needed.join(", "))));
            }
            if value.is_some() && !needed.contains(&name) && !allowed.contains(&name) {
                let known = [needed, allowed].concat().join(", ");
                return Err(self
                    .bad(format!("`{name}` has no effect on this measure"))
                    .with_hint(format!("it reads {known}")));
            }
        }
        Ok(())
    }

    /// The items of the table, as the measure's benchmark knows them.
    pub fn items(&self, file: &TextFile) -> Result<Vec<Item>, InputError> {
        let table = Table::read(file)?;
        match self.measure {
            Measure::FirstPersonGender | Measure::Choice => self.spoken(&table),
            Measure::PersonGender => self.persons(&table),
            Measure::PairPreference => self.pairs(&table),
        }
    }

    fn column(
        &self,
        table: &Table<'_>,
        name: Option<&String>,
    ) -> Result<Option<usize>, InputError> {
        name.map(|name| table.column(name).ok_or_else(|| self.unknown(table, name)))
            .transpose()
    }

    fn unknown(&self, table: &Table<'_>, name: &str) -> InputError {
        self.bad(format!("{} has no column `{name}`", table.file.path))
            .with_hint(format!("its columns are {}", table.header.join(", ")))
    }

    fn template<'t>(
        &self,
        table: &Table<'_>,
        text: Option<&'t String>,
    ) -> Result<Template<'t>, InputError> {
        let text = text.expect("the fields were checked");
        Template::parse(text, |name| {
            table.column(name).ok_or_else(|| self.unknown(table, name))
        })
        .map_err(|error| match error {
            Ok(message) => self
                .bad(message)
                .with_hint("columns stand in braces: \"I am {trait}.\""),
            Err(unknown) => unknown,
        })
    }

    fn spoken(&self, table: &Table<'_>) -> Result<Vec<Item>, InputError> {
        let template = self.template(table, self.template.as_ref())?;
        let group = self
            .column(table, self.group.as_ref())?
            .expect("the fields were checked");
        let about = self.column(table, self.about.as_ref())?;
        let own = about.map(|about| table.own_set(group, about)).transpose()?;
        table.each(|number, row| {
            let item = Item::new(self.id(number), template.fill(row)?);
            let group = row.filled(group, "group")?;
            read_labelled(item, group, own.as_ref()).map_err(|message| {
                format!(
                    "{message}; without a column `about`, groups are GEST's stereotypes 1 to 16"
                )
            })
        })
    }

    fn persons(&self, table: &Table<'_>) -> Result<Vec<Item>, InputError> {
        let template = self.template(table, self.template.as_ref())?;
        let person = self
            .column(table, self.person.as_ref())?
            .expect("the fields were checked");
        let expected = self
            .column(table, self.expected.as_ref())?
            .expect("the fields were checked");
        let about = self.column(table, self.about.as_ref())?;
        let features = self.column(table, self.features.as_ref())?;
        table.each(|number, row| {
            let text = template.fill(row)?;
            let person = row.filled(person, "person")?.to_lowercase();
            if !text.to_lowercase().contains(&person) {
                return Err(format!("`{text}` does not name the person `{person}`"));
            }
            let expected = match row.filled(expected, "expected")? {
                "m" | "male" | "masculine" | "_EXP_M_" => "_EXP_M_",
                "f" | "female" | "feminine" | "_EXP_F_" => "_EXP_F_",
                other => return Err(format!("the expected gender is `{other}`, not m or f")),
            };
            let mut labels: Vec<&str> = Vec::new();
            labels.extend(
                features
                    .map(|at| row.cells[at])
                    .filter(|cell| !cell.is_empty()),
            );
            if let Some(about) = about {
                labels.push(match row.about(about)? {
                    "men" => "_OCC_NO_M_",
                    _ => "_OCC_NO_F_",
                });
            }
            Ok(Item::new(self.id(number), text)
                .with_label(FEATURES, labels.join(" "))
                .with_label(ANSWER, expected)
                .with_label(OCCUPATION, person))
        })
    }

    fn pairs(&self, table: &Table<'_>) -> Result<Vec<Item>, InputError> {
        let masculine = self.template(table, self.masculine.as_ref())?;
        let feminine = self.template(table, self.feminine.as_ref())?;
        let about = self
            .column(table, self.about.as_ref())?
            .expect("the fields were checked");
        let group = self.column(table, self.group.as_ref())?;
        table.each(|number, row| {
            let (he, she) = (masculine.fill(row)?, feminine.fill(row)?);
            if he == she {
                return Err(format!("both sentences are `{he}`"));
            }
            let occupation = match row.about(about)? {
                "men" => "male",
                _ => "female",
            };
            let split = match group {
                Some(group) => row.filled(group, "group")?,
                None => "pairs",
            };
            Ok(Item::new(self.id(number), he)
                .with_label("she", she)
                .with_label("split", split)
                .with_label("occupation", occupation))
        })
    }

    fn id(&self, number: usize) -> String {
        format!("{}:{number}", self.name)
    }
}

impl<'a> Table<'a> {
    fn read(file: &'a TextFile) -> Result<Table<'a>, InputError> {
        let first = file.text.lines().next().unwrap_or_default();
        let mut input = CsvInput::new(file, if first.contains('\t') { b'\t' } else { b',' });
        let header: Vec<String> = match input.next()? {
            Some((_, cells)) => {
                let cell = |cell: &str| cell.trim_start_matches('\u{feff}').trim().to_owned();
                cells.iter().map(cell).collect()
            }
            None => return Err(InputError::new(&file.path, "the file is empty")),
        };
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        while let Some((place, cells)) = input.next()? {
            rows.push(cells.iter().map(|cell| cell.trim().to_owned()).collect());
            places.push(place);
        }
        if rows.is_empty() {
            return Err(InputError::new(
                &file.path,
                "there are no rows below the header",
            ));
        }
        Ok(Table {
            file,
            header,
            rows,
            places,
        })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|cell| cell == name)
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows
            .iter()
            .zip(&self.places)
            .map(|(cells, place)| Row {
                place: *place,
                cells: cells.iter().map(String::as_str).collect(),
            })
    }

    /// An item for each row; what is wrong with one names its line.
    fn each(
        &self,
        item: impl Fn(usize, &Row<'_>) -> Result<Item, String>,
    ) -> Result<Vec<Item>, InputError> {
        let numbered = (1..).zip(self.rows());
        numbered
            .map(|(number, row)| {
                item(number, &row).map_err(|message| row.place.complain(self.file, message))
            })
            .collect()
    }

    /// The groups with whom each is about, as a set of stereotypes.
    fn own_set(&self, group: usize, about: usize) -> Result<OwnSet, InputError> {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        let mut text = String::from("id\tabout\tname\n");
        for row in self.rows() {
            let complain = |message| row.place.complain(self.file, message);
            let (group, about) = (
                row.filled(group, "group").map_err(complain)?,
                row.about(about).map_err(complain)?,
            );
            if group.parse::<f64>().is_ok() {
                return Err(complain(format!(
                    "the group `{group}` is a number, as GEST's stereotypes are; name it in words"
                )));
            }
            match seen.insert(group.to_owned(), about) {
                None => text += &format!("{group}\t{about}\t{group}\n"),
                Some(before) if before != about => {
                    return Err(complain(format!(
                        "`{group}` is about {about} here and about {before} above"
                    )));
                }
                Some(_) => {}
            }
        }
        OwnSet::read(&TextFile {
            path: self.file.path.clone(),
            name: self.file.name.clone(),
            sha256: String::new(),
            text,
        })
    }
}

impl<'a> Row<'a> {
    fn filled(&self, column: usize, what: &str) -> Result<&'a str, String> {
        match self.cells[column] {
            "" => Err(format!("the {what} is empty")),
            cell => Ok(cell),
        }
    }

    fn about(&self, column: usize) -> Result<&'static str, String> {
        match self.cells[column] {
            "men" | "male" | "m" => Ok("men"),
            "women" | "female" | "f" => Ok("women"),
            "" => Err("the column of `about` is empty; it says men or women".to_owned()),
            other => Err(format!("`{other}` is neither men nor women")),
        }
    }
}

/// Text with columns in braces.
struct Template<'t> {
    parts: Vec<(&'t str, Option<usize>)>,
}

impl<'t> Template<'t> {
    fn parse(
        text: &'t str,
        column: impl Fn(&str) -> Result<usize, InputError>,
    ) -> Result<Template<'t>, Result<String, InputError>> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return Err(Ok(format!("a brace is never closed in `{text}`")));
            };
            parts.push((before, Some(column(name.trim()).map_err(Err)?)));
            rest = after;
        }
        if parts.is_empty() {
            return Err(Ok(format!("`{text}` names no column")));
        }
        parts.push((rest, None));
        Ok(Template { parts })
    }

    fn fill(&self, row: &Row<'_>) -> Result<String, String> {
        let mut text = String::new();
        for (before, column) in &self.parts {
            text.push_str(before);
            text.push_str(column.map_or("", |column| row.cells[column]));
        }
        if text.trim().is_empty() {
            return Err("the sentence is empty".to_owned());
        }
        Ok(text)
    }
}
