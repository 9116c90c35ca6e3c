//! A table of scores: one column for each model and way of asking, one row for each item. This is
//! the layout of the GEST prediction files joined side by side, and of each of them alone (one
//! number a line, no header, the column's name in the file's name). Columns `id` and `sentence` say which item a row is
//! about; they are compared with the data, row by row.

use epicene_core::{Answer, InputError, Item, ModelKind, TextFile, Unit, counted, there_are};

use crate::AnswerSheet;
use crate::csv_input::{CsvInput, RecordStart};

#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    pub columns: Vec<ScoreColumn>,
    pub rows: usize,
    /// Columns that say which item a row is about, with the line of each row.
    identity: Vec<Identity>,
}

#[derive(Debug, Clone, PartialEq)]
struct Identity {
    by: By,
    cells: Vec<(String, RecordStart)>,
}

/// What a column names items by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum By {
    Id,
    Sentence,
}

impl By {
    pub fn of(header: &str) -> Option<By> {
        match header.to_lowercase().as_str() {
            "id" | "item" | "item_id" | "sentence_id" => Some(By::Id),
            "sentence" | "text" => Some(By::Sentence),
            _ => None,
        }
    }

    fn fits(self, cell: &str, item: &Item) -> bool {
        match self {
            By::Id => is_id_of(cell, item),
            By::Sentence => cell.trim() == item.text.trim(),
        }
    }
}

/// Whether this is an item's id, with the benchmark's name before it or without.
pub fn is_id_of(given: &str, item: &Item) -> bool {
    let given = given.trim();
    let short = item.id.split_once(':').map_or("", |(_, short)| short);
    given == item.id || given == short
}

/// Whether the rows of a file of scores say which items they are about.
pub fn names_items(file: &TextFile) -> bool {
    let header = file.text.lines().next().unwrap_or("");
    if header.starts_with('{') {
        return ["\"id\"", "\"doc_id\"", "\"doc\"", "\"item\""]
            .iter()
            .any(|key| header.contains(key));
    }
    let names = header.split(char::from(delimiter(header)));
    names
        .map(|name| name.trim().trim_matches('"'))
        .any(|name| By::of(name).is_some())
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScoreColumn {
    pub name: String,
    pub scores: Vec<f64>,
}

impl ScoreTable {
    pub fn parse(file: &TextFile) -> Result<ScoreTable, InputError> {
        let bare = is_bare_list(&file.text);
        let mut input = CsvInput::new(file, delimiter(&file.text));
        let mut columns: Vec<ScoreColumn> = Vec::new();
        let mut identity: Vec<(usize, Identity)> = Vec::new();
        let mut is_header = !bare;
        if bare {
            columns.push(ScoreColumn {
                name: file.stem().to_owned(),
                scores: Vec::new(),
            });
        }
        while let Some((place, record)) = input.next()? {
            if is_header {
                let named = record.iter().map(str::trim).enumerate();
                let by = named.filter_map(|(at, name)| Some((at, By::of(name)?)));
                let of = |by| Identity {
                    by,
                    cells: Vec::new(),
                };
                identity = by.map(|(at, by)| (at, of(by))).collect();
                let names = record.iter().filter(|name| By::of(name.trim()).is_none());
                columns = header(names, &file.path)?;
                is_header = false;
                continue;
            }
            for (at, identity) in &mut identity {
                let cell = record.get(*at).unwrap_or("").to_owned();
                identity.cells.push((cell, place));
            }
            let is_identity = |at: usize| identity.iter().any(|(place, _)| *place == at);
            let cells = record
                .iter()
                .enumerate()
                .filter(|(at, _)| !is_identity(*at));
            for (column, (_, cell)) in columns.iter_mut().zip(cells) {
                let score = number(cell).map_err(|message| {
                    let message = format!("column `{}`: {message}", column.name);
                    place.complain(file, message)
                })?;
                column.scores.push(score);
            }
        }
        let rows = columns.first().map_or(0, |column| column.scores.len());
        if rows == 0 {
            return Err(InputError::new(
                &file.path,
                "there are no scores below the header",
            ));
        }
        let identity = identity.into_iter().map(|(_, identity)| identity).collect();
        Ok(ScoreTable {
            columns,
            rows,
            identity,
        })
    }

    /// Refuses rows that say that they are about other items than those in their place.
    pub fn check_identity(&self, file: &TextFile, items: &[Item]) -> Result<(), InputError> {
        const NAMED: usize = 3;
        for Identity { by, cells } in &self.identity {
            let other = cells
                .iter()
                .zip(items)
                .filter(|((cell, _), item)| !by.fits(cell, item));
            let other: Vec<_> = other.collect();
            let Some(((_, first), _)) = other.first() else {
                continue;
            };
            let name = |((cell, place), item): &(&(String, RecordStart), &Item)| {
                let line = place.line(file);
                match by {
                    By::Id => format!("line {line} is about `{cell}`, the data has `{}`", item.id),
                    By::Sentence => format!(
                        "line {line} is about `{cell}`, the data has `{}` ({})",
                        item.text, item.id
                    ),
                }
            };
            let named: Vec<String> = other.iter().take(NAMED).map(name).collect();
            let message = format!(
                "{} about another item than the data has there: {}",
                counted(other.len(), "row is", "rows are"),
                named.join("; ")
            );
            return Err(first
                .complain(file, message)
                .with_hint("put the rows in the order of the data"));
        }
        Ok(())
    }
}

/// Masked models whose columns carry nothing but their names, rows aligned to the items.
pub fn one_column_per_model(
    files: &[TextFile],
    unit: &Unit,
    items: &[Item],
) -> Result<Vec<AnswerSheet>, InputError> {
    let mut sheets: Vec<AnswerSheet> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let table = ScoreTable::parse(file)?;
        if table.rows != items.len() {
            let rows = there_are(table.rows, "row of scores", "rows of scores");
            let message = format!("{rows}, the pairs are {}", items.len());
            return Err(InputError::new(&file.path, message));
        }
        table.check_identity(file, items)?;
        for column in table.columns {
            if sheets.iter().any(|sheet| sheet.system == column.name) {
                let message = format!("two columns are called `{}`", column.name);
                return Err(InputError::new(&file.path, message).at_line(1));
            }
            let answers = column.scores.into_iter().map(Answer::Log10Ratio).collect();
            sheets.push(AnswerSheet {
                system: column.name,
                kind: ModelKind::Masked,
                files: vec![index],
                units: vec![(unit.clone(), answers)],
            });
        }
    }
    Ok(sheets)
}

fn header<'a>(
    names: impl Iterator<Item = &'a str>,
    path: &str,
) -> Result<Vec<ScoreColumn>, InputError> {
    let mut columns: Vec<ScoreColumn> = Vec::new();
    for name in names.map(str::trim) {
        if name.chars().any(char::is_control) {
            let message = format!("the column name {name:?} has a control character");
            return Err(InputError::new(path, message).at_line(1));
        }
        if name.is_empty() {
            return Err(InputError::new(path, "a column has no name").at_line(1));
        }
        if number(name).is_ok() {
            return Err(
                InputError::new(path, format!("the header holds a number, `{name}`"))
                    .at_line(1)
                    .with_hint(
                        "the first line names the columns, for example roberta-base_template-0",
                    ),
            );
        }
        if columns.iter().any(|column| column.name == name) {
            let message = format!("column `{name}` is there twice");
            return Err(InputError::new(path, message).at_line(1));
        }
        columns.push(ScoreColumn {
            name: name.to_owned(),
            scores: Vec::new(),
        });
    }
    Ok(columns)
}

/// One number a line, without a header.
fn is_bare_list(text: &str) -> bool {
    text.lines().next().is_some_and(|line| number(line).is_ok())
}

/// Tab where the header has tabs, else comma.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or("");
    if header.contains('\t') { b'\t' } else { b',' }
}

fn number(cell: &str) -> Result<f64, String> {
    let cell = cell.trim();
    match cell.parse::<f64>() {
        _ if cell.is_empty() => Err("the cell is empty".to_owned()),
        Ok(value) if value.is_finite() && value.abs() > Answer::LARGEST_RATIO => {
            Err(format!("`{cell}` is no log10 ratio of two probabilities"))
        }
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("`{cell}` is not a finite number")),
        Err(_) => Err(format!("`{cell}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> TextFile {
        TextFile {
            path: format!("some/{name}"),
            name: name.to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn joined_and_single_files_are_read() {
        let table = ScoreTable::parse(&file("x.csv", "a,b\r\n1,-2e-1\r\n3,4\r\n")).unwrap();
        assert_eq!(table.rows, 2);
        assert_eq!(table.columns[1].scores, [-0.2, 4.0]);
        let table = ScoreTable::parse(&file("m_template-0.txt", "1\n2\n3")).unwrap();
        assert_eq!(table.columns[0].name, "m_template-0");
        assert_eq!(table.columns[0].scores, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn rows_that_name_another_item_are_refused() {
        let items = [
            Item::new("gest:1", "I ran."),
            Item::new("gest:2", "I sat, too."),
        ];
        for text in [
            "id,a\n1,0.5\n2,0.25\n",
            "a,id\n0.5,gest:1\n0.25,gest:2\n",
            "sentence\ta\nI ran.\t0.5\nI sat, too.\t0.25\n",
            "id,Sentence,a\n1,I ran.,0.5\n2,\"I sat, too.\",0.25\n",
        ] {
            let file = file("x.csv", text);
            let table = ScoreTable::parse(&file).unwrap();
            assert_eq!(table.columns.len(), 1, "{text}");
            assert_eq!(table.columns[0].scores, [0.5, 0.25], "{text}");
            assert!(table.check_identity(&file, &items).is_ok(), "{text}");
            assert!(names_items(&file));
        }
        for (text, message) in [
            (
                "id,a\n2,0.5\n1,0.25\n",
                "line 2: 2 rows are about another item than the data has there: line 2 is about `2`, the data has `gest:1`",
            ),
            (
                "sentence,a\nI ran.,0.5\nI ran.,0.25\n",
                "line 3 is about `I ran.`, the data has `I sat, too.` (gest:2)",
            ),
        ] {
            let file = file("x.csv", text);
            let error = ScoreTable::parse(&file)
                .unwrap()
                .check_identity(&file, &items);
            let error = error.unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(!names_items(&file("x.csv", "a,b\n1,2\n")));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, message) in [
            (
                "a,b\n1,2\n3\n",
                "line 3: this row has 1 cell, the header has 2",
            ),
            ("a,b\n1,2\n3,x\n", "line 3: column `b`: `x` is not a number"),
            (
                "a,b\n1,NaN\n",
                "line 2: column `b`: `NaN` is not a finite number",
            ),
            ("a,b\n1,\n", "line 2: column `b`: the cell is empty"),
            ("a,a\n1,2\n", "line 1: column `a` is there twice"),
            ("a,2\n1,2\n", "line 1: the header holds a number, `2`"),
            ("a,\n1,2\n", "line 1: a column has no name"),
            ("a,b\n", "there are no scores below the header"),
            ("1\n\nx\n", "line 3: column `x`: `x` is not a number"),
        ] {
            let error = ScoreTable::parse(&file("x.csv", text)).unwrap_err();
            assert!(error.to_string().contains(message), "{text:?}: {error}");
        }
    }
}
