//! Tables for a README or an issue.

use std::io::{self, Write};

use crate::pivot::Grid;
use crate::{Exporter, Results};

pub struct MarkdownExporter;

impl Exporter for MarkdownExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        for view in &results.views {
            let Some(grid) = Grid::new(&results.rows, view) else {
                continue;
            };
            writeln!(out, "### {}\n", view.title)?;
            write_line(out, grid.header().into_iter())?;
            let rule = grid.line_headings.iter().map(|_| "---".to_owned());
            write_line(
                out,
                rule.chain(grid.column_names.iter().map(|_| "---:".to_owned())),
            )?;
            for line in &grid.lines {
                write_line(out, line.text(view, &grid.whole_columns).into_iter())?;
            }
            writeln!(out)?;
        }
        for note in &results.notes {
            writeln!(out, "- {note}")?;
        }
        if !results.notes.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "Signature: `{}`", results.signature)
    }
}

fn write_line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}
