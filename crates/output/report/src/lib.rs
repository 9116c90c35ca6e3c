//! Shows measure rows: for people as aligned tables, Markdown, LaTeX, figures and a page, for machines
//! as JSON and CSV. Every format prints from the same rows and carries the signature; none knows how the
//! numbers were made.

mod bar;
mod chart_data;
mod csv_export;
pub mod export;
mod figures;
mod html;
mod json;
mod latex;
mod markdown;
mod number;
mod pivot;
mod standing;
mod style;
mod table;
pub mod template;
mod words;

use std::io::{self, Write};
use std::str::FromStr;

pub use epicene_core::Results;

pub(crate) use csv_export::CsvExporter;
pub use figures::svg::escape;
pub use figures::{Data, Entry, Figure, PaintError, figures};
pub use html::{
    AnswerCell, AnswerColumn, CardField, Change, Comparison, Headline, ItemTable, Report,
    ReportRun, Served, Shown, card_fields, page_policy,
};
pub use json::JsonExporter;
pub(crate) use latex::LatexExporter;
pub(crate) use markdown::MarkdownExporter;
pub use style::Style;
pub(crate) use table::TableExporter;
pub use table::aligned;
pub use words::{count, grouped};

/// One output format.
pub trait Exporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()>;
}

/// The formats by their command-line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
    Latex,
}

/// Where an export goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Its width in columns, and whether the reader wants colours.
    Terminal {
        colour: bool,
        width: usize,
    },
    Pipe,
    File,
}

impl Format {
    pub const NAMES: [&'static str; 5] = ["table", "json", "csv", "md", "latex"];

    /// The exporter for a terminal, a pipe or a file; tables of a paper in its style.
    pub fn exporter(self, target: Target, style: Style) -> Box<dyn Exporter> {
        match self {
            Format::Table => Box::new(match target {
                Target::Terminal { colour, width } => TableExporter {
                    colour,
                    width: Some(width),
                },
                Target::Pipe | Target::File => TableExporter {
                    colour: false,
                    width: None,
                },
            }),
            Format::Json => Box::new(JsonExporter),
            Format::Csv => Box::new(CsvExporter {
                signature_line: target == Target::File,
            }),
            Format::Markdown => Box::new(MarkdownExporter),
            Format::Latex => Box::new(LatexExporter { style }),
        }
    }
}

impl Format {
    /// The format a file name asks for.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension {
            "txt" => Some(Format::Table),
            "table" => None,
            other => other.parse().ok(),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(given: &str) -> Result<Format, String> {
        match given {
            "table" => Ok(Format::Table),
            "json" => Ok(Format::Json),
            "csv" => Ok(Format::Csv),
            "md" | "markdown" => Ok(Format::Markdown),
            "latex" | "tex" => Ok(Format::Latex),
            _ => Err(format!("`{given}` is none of {}", Format::NAMES.join(", "))),
        }
    }
}
