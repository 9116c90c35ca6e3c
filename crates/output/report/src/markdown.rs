//! Tables for a README or an issue.

use std::io::{self, Write};

use crate::pivot::Grid;
use crate::{Exporter, Results};

pub(crate) struct MarkdownExporter;

impl Exporter for MarkdownExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        for warning in results.warned() {
            writeln!(out, "> **Warning:** {}\n", escaped(&warning))?;
        }
        for view in &results.views {
            let Some(grid) = Grid::new(&results.rows, view) else {
                continue;
            };
            writeln!(out, "### {}\n", escaped(&view.title))?;
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
            writeln!(out, "- {}", escaped(note))?;
        }
        if !results.notes.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "Signature: {}", code(&results.signature))
    }
}

fn write_line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| escaped(&cell)).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}

/// Names of systems come from outside: they may not be HTML, end a cell, or become a link.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' | '\\' | '`' => out.extend(['\\', c]),
            '(' if before == ']' => out.push_str("\\("),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Text in a fence that is longer than any in it.
fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    match fence.len() {
        1 => format!("`{text}`"),
        _ => format!("{fence} {text} {fence}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_stay_text() {
        for (name, expected) in [
            ("g_s [1.2, 1.3]", "g_s [1.2, 1.3]"),
            ("<script>&", "&lt;script&gt;&amp;"),
            ("a|b\nc", "a\\|b c"),
            ("[x](javascript:1)", "[x]\\(javascript:1)"),
            ("a\\|b", "a\\\\\\|b"),
        ] {
            assert_eq!(escaped(name), expected);
        }
        assert_eq!(code("gest|a"), "`gest|a`");
        assert_eq!(code("a`b``<b>"), "``` a`b``<b> ```");
    }
}
