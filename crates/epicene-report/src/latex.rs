//! Tables for a paper, in the `booktabs` style.

use std::io::{self, Write};

use crate::pivot::Grid;
use crate::{Exporter, Results};

pub struct LatexExporter;

impl Exporter for LatexExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "% needs \\usepackage{{booktabs}}")?;
        writeln!(out, "% signature: {}", results.signature)?;
        for view in &results.views {
            let Some(grid) = Grid::new(&results.rows, view) else {
                continue;
            };
            let columns =
                "l".repeat(grid.line_headings.len()) + &"r".repeat(grid.column_names.len());
            writeln!(
                out,
                "\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{columns}}}\n\\toprule"
            )?;
            write_line(out, grid.header().into_iter())?;
            writeln!(out, "\\midrule")?;
            for line in &grid.lines {
                write_line(out, line.text(view, &grid.whole_columns).into_iter())?;
            }
            writeln!(out, "\\bottomrule\n\\end{{tabular}}")?;
            writeln!(
                out,
                "\\caption{{{}}}\n\\end{{table}}\n",
                escape(&view.title)
            )?;
        }
        for note in &results.notes {
            writeln!(out, "% {note}")?;
        }
        Ok(())
    }
}

fn write_line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| escape(&cell)).collect();
    writeln!(out, "{} \\\\", cells.join(" & "))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '|' => escaped.push_str("\\textbar{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            _ => escaped.push(c),
        }
    }
    escaped
}
