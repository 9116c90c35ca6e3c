//! Aligned tables for a terminal. An interval that leaves the ideal value out stands in bold
//! yellow, on a terminal only; the first column that has an ideal is also drawn as bars.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::bar::Scale;
use crate::pivot::Grid;
use crate::{Exporter, Results};

pub struct TableExporter {
    pub colour: bool,
}

const BOLD: &str = "\u{1b}[1m";
const BOLD_YELLOW: &str = "\u{1b}[1;33m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

impl Exporter for TableExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        for warning in results.warned() {
            let line = format!("warning: {warning}");
            writeln!(out, "{}", self.paint(BOLD_YELLOW, &line))?;
        }
        for view in &results.views {
            let Some(grid) = Grid::new(&results.rows, view) else {
                continue;
            };
            writeln!(out, "{}", self.paint(BOLD, &view.title))?;
            let names = grid.line_headings.len();
            let mut text = vec![grid.header()];
            let mut marked = vec![vec![false; names + grid.column_names.len()]];
            for line in &grid.lines {
                text.push(line.text(view, &grid.whole_columns));
                let marks = line.cells.iter();
                let marks = marks.map(|row| row.is_some_and(|row| row.excludes_ideal()));
                marked.push(vec![false; names].into_iter().chain(marks).collect());
            }
            let bars = bars(&grid);
            for (index, line) in align(&text, names).into_iter().enumerate() {
                let mut painted: Vec<String> = line
                    .into_iter()
                    .zip(&marked[index])
                    .map(|(cell, marked)| match (index, marked) {
                        (0, _) => self.paint(DIM, &cell),
                        (_, true) => self.paint(BOLD_YELLOW, &cell),
                        _ => cell,
                    })
                    .collect();
                painted.extend(bars.get(index).map(|bar| self.paint(DIM, bar)));
                writeln!(out, "{}", painted.join("  ").trim_end())?;
            }
            writeln!(out)?;
        }
        for note in &results.notes {
            writeln!(out, "{note}")?;
        }
        writeln!(
            out,
            "{}",
            self.paint(DIM, &format!("signature: {}", results.signature))
        )
    }
}

/// A bar for every line, with its heading: the first column whose numbers have one ideal and lines to
/// compare. None where there is no such column.
fn bars(grid: &Grid<'_>) -> Vec<String> {
    let column = (0..grid.column_names.len()).find_map(|column| {
        let rows = grid.lines.iter().filter_map(|line| line.cells[column]);
        let values: Vec<(f64, Option<f64>)> = rows.map(|row| (row.value, row.ideal)).collect();
        // A column most lines leave empty compares little.
        let enough = values.len() > 1 && 2 * values.len() >= grid.lines.len();
        let scale = Scale::over(&values).filter(|_| enough)?;
        Some((column, scale))
    });
    let Some((column, scale)) = column else {
        return Vec::new();
    };
    let bars = grid
        .lines
        .iter()
        .map(|line| line.cells[column].map_or_else(String::new, |row| scale.bar(row.value)));
    std::iter::once(scale.heading()).chain(bars).collect()
}

impl TableExporter {
    fn paint(&self, style: &str, text: &str) -> String {
        if self.colour {
            format!("{style}{text}{PLAIN}")
        } else {
            text.to_owned()
        }
    }
}

/// Pads every cell to its column's width: names to the left, numbers to the right.
fn align(lines: &[Vec<String>], names: usize) -> Vec<Vec<String>> {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines
            .iter()
            .filter_map(|line| line.get(column))
            .map(|cell| cell.width())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    lines
        .iter()
        .map(|line| {
            line.iter()
                .enumerate()
                .map(|(column, cell)| {
                    let padding = " ".repeat(widths[column] - cell.width());
                    if column < names {
                        format!("{cell}{padding}")
                    } else {
                        format!("{padding}{cell}")
                    }
                })
                .collect()
        })
        .collect()
}

/// Lines of cells as one aligned text; the first `names` columns are words, the rest numbers.
pub fn aligned(lines: &[Vec<String>], names: usize) -> String {
    align(lines, names)
        .into_iter()
        .map(|line| line.join("  ").trim_end().to_owned() + "\n")
        .collect()
}
