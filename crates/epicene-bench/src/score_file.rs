//! A table of scores: one column for each model and way of asking, one row for each item. This is
//! the layout of the GEST prediction files joined side by side, and of each of them alone (one
//! number a line, no header, the column's name in the file's name).

use epicene_core::{Answer, InputError, ModelKind, TextFile, Unit, there_are};

use crate::AnswerSheet;
use crate::csv_input::CsvInput;

#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    pub columns: Vec<ScoreColumn>,
    pub rows: usize,
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
        if bare {
            columns.push(ScoreColumn {
                name: file.stem().to_owned(),
                scores: Vec::new(),
            });
        }
        while let Some((place, record)) = input.next()? {
            if columns.is_empty() {
                columns = header(record, &file.path)?;
                continue;
            }
            for (column, cell) in columns.iter_mut().zip(record.iter()) {
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
        Ok(ScoreTable { columns, rows })
    }
}

/// Masked models whose columns carry nothing but their names, rows aligned to the items.
pub fn one_column_per_model(
    files: &[TextFile],
    unit: &Unit,
    items: usize,
) -> Result<Vec<AnswerSheet>, InputError> {
    let mut sheets: Vec<AnswerSheet> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let table = ScoreTable::parse(file)?;
        if table.rows != items {
            let rows = there_are(table.rows, "row of scores", "rows of scores");
            let message = format!("{rows}, the pairs are {items}");
            return Err(InputError::new(&file.path, message));
        }
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

fn header(record: &csv::StringRecord, path: &str) -> Result<Vec<ScoreColumn>, InputError> {
    let mut columns: Vec<ScoreColumn> = Vec::new();
    for name in record.iter().map(str::trim) {
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
