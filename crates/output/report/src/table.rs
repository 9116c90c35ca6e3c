//! Aligned tables for a terminal. An interval that leaves the ideal value out stands in bold
//! yellow, on a terminal only; the first column that has an ideal is also drawn as bars.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::bar::Scale;
use crate::pivot::Grid;
use crate::{Exporter, Results};

pub(crate) struct TableExporter {
    pub colour: bool,
    /// Columns of the terminal: a table that is wider is set in blocks below each other, each with its names.
    pub width: Option<usize>,
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
            let mut bars = bars(&grid);
            let lines = align(&text, names);
            let widths: Vec<usize> = lines[0].iter().map(|cell| cell.width()).collect();
            let bar = bars.iter().map(|bar| bar.width()).max().unwrap_or(0);
            let blocks = blocks(&widths, names, self.width);
            let whole = widths.iter().map(|width| width + GAP).sum::<usize>();
            if blocks.len() > 1 || self.width.is_some_and(|width| whole + bar > width) {
                bars.clear();
            }
            for (place, block) in blocks.iter().enumerate() {
                if place > 0 {
                    writeln!(out)?;
                }
                for (index, line) in lines.iter().enumerate() {
                    let shown = (0..names).chain(block.clone());
                    let mut painted: Vec<String> = shown
                        .map(|column| match (index, marked[index][column]) {
                            (0, _) => self.paint(DIM, &line[column]),
                            (_, true) => self.paint(BOLD_YELLOW, &line[column]),
                            _ => line[column].clone(),
                        })
                        .collect();
                    painted.extend(bars.get(index).map(|bar| self.paint(DIM, bar)));
                    writeln!(out, "{}", painted.join("  ").trim_end())?;
                }
            }
            writeln!(out)?;
        }
        for note in &results.notes {
            for line in folded(note, self.width) {
                writeln!(out, "{line}")?;
            }
        }
        writeln!(
            out,
            "{}",
            self.paint(DIM, &format!("signature: {}", results.signature))
        )
    }
}

/// A note in lines that the terminal is wide for, those after the first indented.
fn folded(note: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width else {
        return vec![note.to_owned()];
    };
    let mut lines: Vec<String> = Vec::new();
    for word in note.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Columns between two cells.
const GAP: usize = 2;

/// Which columns of numbers stand beside each other: as many as the terminal is wide for, at least one.
fn blocks(widths: &[usize], names: usize, width: Option<usize>) -> Vec<std::ops::Range<usize>> {
    let all = names..widths.len();
    let sum = |columns: std::ops::Range<usize>| {
        let own = widths[..names].iter().chain(&widths[columns]);
        own.map(|width| width + GAP)
            .sum::<usize>()
            .saturating_sub(GAP)
    };
    let Some(width) = width.filter(|width| sum(all.clone()) > *width) else {
        return vec![all];
    };
    let mut blocks = Vec::new();
    let mut start = names;
    for end in names + 1..=widths.len() {
        if end > start + 1 && sum(start..end) > width {
            blocks.push(start..end - 1);
            start = end - 1;
        }
    }
    blocks.push(start..widths.len());
    blocks
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_folded_between_words() {
        let note = "roberta-base: more stereotypical than 25 of 33";
        assert_eq!(folded(note, None), [note]);
        assert_eq!(
            folded(note, Some(22)),
            ["roberta-base: more", "  stereotypical than", "  25 of 33"]
        );
        assert_eq!(folded("", Some(10)), [""]);
        assert_eq!(
            folded("a-word-that-is-wider than", Some(10)),
            ["a-word-that-is-wider", "  than"]
        );
    }

    #[test]
    fn a_wide_table_is_set_in_blocks() {
        let widths = [10, 20, 20, 20, 20];
        assert_eq!(blocks(&widths, 1, None), vec![1..5]);
        assert_eq!(blocks(&widths, 1, Some(98)), vec![1..5]);
        assert_eq!(blocks(&widths, 1, Some(97)), [1..4, 4..5]);
        assert_eq!(blocks(&widths, 1, Some(60)), [1..3, 3..5]);
        assert_eq!(blocks(&widths, 1, Some(5)), [1..2, 2..3, 3..4, 4..5]);
    }
}
