//! How a benchmark would like its rows to be laid out for people: which rows, what goes down, what
//! goes across. A view names fields of the tidy table and nothing else, so that every printed table
//! can be rebuilt from the rows.

use std::collections::BTreeMap;

use crate::Row;

/// The text fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    System,
    Unit,
    Group,
    Metric,
}

/// Keeps the rows whose field has one of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub field: Field,
    pub any_of: Vec<String>,
}

/// How a cell shows its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellStyle {
    /// `0.80 0.84 0.88`, as in the GEST paper's tables.
    LowValueHigh,
    /// `1.238 [1.21, 1.26]`.
    ValueInterval,
    /// The value alone.
    Value,
}

/// One table for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub title: String,
    pub filters: Vec<Filter>,
    /// Fields whose values name the lines.
    pub lines: Vec<Field>,
    /// The field whose values name the columns.
    pub columns: Field,
    pub style: CellStyle,
    pub decimals: usize,
    /// What people read instead of a field's value: `7 Beautiful` for `stereotype:7`.
    pub labels: BTreeMap<String, String>,
}

impl Field {
    pub fn of<'a>(&self, row: &'a Row) -> &'a str {
        match self {
            Field::System => &row.system,
            Field::Unit => &row.unit,
            Field::Group => &row.group,
            Field::Metric => &row.metric,
        }
    }

    pub fn heading(&self) -> &'static str {
        match self {
            Field::System => "system",
            Field::Unit => "unit",
            Field::Group => "group",
            Field::Metric => "metric",
        }
    }
}

impl Filter {
    pub fn new<S: Into<String>>(field: Field, any_of: impl IntoIterator<Item = S>) -> Filter {
        Filter {
            field,
            any_of: any_of.into_iter().map(Into::into).collect(),
        }
    }

    pub fn keeps(&self, row: &Row) -> bool {
        let value = self.field.of(row);
        self.any_of.iter().any(|wanted| wanted == value)
    }
}
