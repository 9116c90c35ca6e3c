//! Tables for a paper: `booktabs` rules, numbers in `siunitx` columns, intervals beside them, stars where a difference has a
//! corrected p-value, a caption that says how to read it and a label to refer to.

use std::io::{self, Write};
use std::ops::Range;

use epicene_core::{CellStyle, Row, View};

use crate::pivot::Grid;
use crate::style::Style;
use crate::{Exporter, Results, number};

#[derive(Default)]
pub(crate) struct LatexExporter {
    pub style: Style,
}

impl Exporter for LatexExporter {
    fn write(&self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "% needs \\usepackage{{booktabs}}, \\usepackage{{graphicx}} and \\usepackage{{siunitx}} (version 3)"
        )?;
        writeln!(out, "% signature: {}", comment(&results.signature))?;
        for warning in results.warned() {
            writeln!(out, "% warning: {}", comment(&warning))?;
        }
        let mut number = 0;
        for view in &results.views {
            let Some(grid) = Grid::new(&results.rows, view) else {
                continue;
            };
            number += 1;
            self.write_table(out, results, view, &grid, number)?;
        }
        for note in &results.notes {
            writeln!(out, "% {}", comment(note))?;
        }
        Ok(())
    }
}

/// A column of numbers: how they are aligned, whether intervals stand beside them, and how many letters that takes.
struct Column {
    format: String,
    interval: bool,
    letters: usize,
}

/// What stands in one table: its columns and its lines.
struct Piece {
    columns: Range<usize>,
    lines: Range<usize>,
    /// Points, about.
    width: f64,
}

/// A table is set smaller down to this much; what is still too wide is divided.
const SMALLEST: f64 = 0.6;
/// Points between two columns, and of a letter as a part of the size of the text.
const BETWEEN: f64 = 12.0;
const LETTER: f64 = 0.5;
/// Makes what follows as wide as the text, where it is wider.
const SHRUNK: &str = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";

impl LatexExporter {
    /// Divides a table that a page could not hold, columns before lines.
    fn pieces(&self, grid: &Grid<'_>, columns: &[Column]) -> Vec<Piece> {
        let points = |letters: usize| letters as f64 * LETTER * self.style.table_points + BETWEEN;
        let names = (0..grid.line_headings.len()).map(|place| {
            let names = grid
                .lines
                .iter()
                .map(|line| line.names[place].chars().count());
            points(names.max().unwrap_or(0))
        });
        let names: f64 = names.sum();
        let room = self.style.page_width / SMALLEST;
        let mut across: Vec<(Range<usize>, f64)> = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            let own = points(column.letters);
            match across.last_mut() {
                Some((range, width)) if *width + own <= room => {
                    range.end = place + 1;
                    *width += own;
                }
                _ => across.push((place..place + 1, names + own)),
            }
        }
        let all = grid.lines.len();
        let page = self.style.page_lines;
        let down = (0..all)
            .step_by(page)
            .map(|start| start..(start + page).min(all));
        let pieces = across.iter().flat_map(|(columns, width)| {
            down.clone().map(|lines| Piece {
                columns: columns.clone(),
                lines,
                width: *width,
            })
        });
        pieces.collect()
    }

    fn write_table(
        &self,
        out: &mut dyn Write,
        results: &Results,
        view: &View,
        grid: &Grid<'_>,
        place: usize,
    ) -> io::Result<()> {
        let columns: Vec<Column> = (0..grid.column_names.len())
            .map(|column| Column::of(grid, view, column))
            .collect();
        let pieces = self.pieces(grid, &columns);
        let benchmark = results.rows.first().map_or("", |row| &row.benchmark);
        for (number, piece) in pieces.iter().enumerate() {
            let wide = piece.width > self.style.column_width
                && self.style.page_width > self.style.column_width;
            let table = if wide { "table*" } else { "table" };
            let line = if wide {
                self.style.page_width
            } else {
                self.style.column_width
            };
            let shrunk = piece.width > 0.85 * line;
            writeln!(
                out,
                "\\begin{{{table}}}\n\\centering{}",
                self.style.table_size
            )?;
            if shrunk {
                out.write_all(SHRUNK.as_bytes())?;
            }
            self.write_rows(out, results, view, grid, &columns, piece)?;
            if shrunk {
                out.write_all(b"}\n")?;
            }
            let (part, suffix) = match pieces.len() {
                1 => (String::new(), String::new()),
                all => (
                    format!(" (part {} of {all})", number + 1),
                    format!("-{}", number + 1),
                ),
            };
            writeln!(
                out,
                "\\caption{{{}{part}.{}}}\n\\label{{tab:{}-{place}{suffix}}}\n\\end{{{table}}}\n",
                escape(view.title.trim_end_matches('.')),
                reading(results, grid, &columns),
                label(benchmark)
            )?;
        }
        Ok(())
    }

    fn write_rows(
        &self,
        out: &mut dyn Write,
        results: &Results,
        view: &View,
        grid: &Grid<'_>,
        columns: &[Column],
        piece: &Piece,
    ) -> io::Result<()> {
        let columns = &columns[piece.columns.clone()];
        let mut layout = "l".repeat(grid.line_headings.len());
        for column in columns {
            layout += &format!(" S[table-format={}]", column.format);
            if column.interval {
                layout += "@{\\;}l";
            }
        }
        writeln!(out, "\\begin{{tabular}}{{{layout}}}\n\\toprule")?;
        let mut header: Vec<String> = grid.line_headings.iter().map(|name| escape(name)).collect();
        for (column, name) in columns
            .iter()
            .zip(&grid.column_names[piece.columns.clone()])
        {
            let span = if column.interval { 2 } else { 1 };
            header.push(format!("\\multicolumn{{{span}}}{{c}}{{{}}}", escape(name)));
        }
        writeln!(out, "{} \\\\\n\\midrule", header.join(" & "))?;
        for line in &grid.lines[piece.lines.clone()] {
            let mut cells: Vec<String> = line.names.iter().map(|name| escape(name)).collect();
            let own = line.cells[piece.columns.clone()].iter().zip(columns);
            for (place, (row, column)) in piece.columns.clone().zip(own) {
                let decimals = if grid.whole_columns[place] {
                    0
                } else {
                    view.decimals
                };
                cells.push(row.map_or_else(
                    || "{}".to_owned(),
                    |row| number::part(row, row.value, decimals),
                ));
                if column.interval {
                    let beside = row.map_or_else(String::new, |row| {
                        interval_of(row, decimals) + &stars(&results.rows, row)
                    });
                    cells.push(beside);
                }
            }
            writeln!(out, "{} \\\\", cells.join(" & "))?;
        }
        writeln!(out, "\\bottomrule\n\\end{{tabular}}")
    }
}

impl Column {
    fn of(grid: &Grid<'_>, view: &View, column: usize) -> Column {
        let rows = || grid.lines.iter().filter_map(|line| line.cells[column]);
        let decimals = if grid.whole_columns[column] {
            0
        } else {
            view.decimals
        };
        let shown: Vec<String> = rows()
            .map(|row| number::part(row, row.value, decimals))
            .collect();
        let negative = shown.iter().any(|text| text.starts_with('-'));
        let whole = shown.iter().map(|text| {
            let text = text.trim_start_matches('-');
            text.find(['.', 'e']).unwrap_or(text.len())
        });
        let whole = whole.max().unwrap_or(1);
        let power = shown.iter().any(|text| text.contains('e'));
        let interval = view.style != CellStyle::Value && rows().any(|row| row.low.is_some());
        let beside = |row: &Row| {
            if interval {
                interval_of(row, decimals).len()
            } else {
                0
            }
        };
        let letters = rows()
            .zip(&shown)
            .map(|(row, text)| text.len() + beside(row));
        let heading = grid.column_names[column].chars().count();
        Column {
            letters: letters.max().unwrap_or(0).max(heading),
            format: format!(
                "{}{whole}{}{}",
                if negative { "-" } else { "" },
                match decimals {
                    0 => String::new(),
                    decimals => format!(".{decimals}"),
                },
                if power { "e-2" } else { "" }
            ),
            interval,
        }
    }
}

fn interval_of(row: &Row, decimals: usize) -> String {
    match (row.low, row.high) {
        (Some(low), Some(high)) => format!(
            "[{}, {}]",
            number::part(row, low, decimals),
            number::part(row, high, decimals)
        ),
        _ => String::new(),
    }
}

/// The p-value of a difference after its correction.
fn corrected<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    let what = row.difference_of()?;
    let own = format!("p_holm_{what}");
    let same = |other: &&Row| {
        other.system == row.system && other.unit == row.unit && other.group == row.group
    };
    // A bare one belongs to the first difference of its place.
    let leading = rows
        .iter()
        .filter(same)
        .find(|other| other.difference_of().is_some());
    let leads = leading.is_some_and(|first| first.metric == row.metric);
    rows.iter()
        .filter(same)
        .find(|other| other.metric == own || (leads && other.metric == "p_holm"))
}

fn stars(rows: &[Row], row: &Row) -> String {
    match corrected(rows, row).map(|p| number::stars(p.value)) {
        None | Some("") => String::new(),
        Some(stars) => format!("$^{{{stars}}}$"),
    }
}

/// How to read the table, for its caption.
fn reading(results: &Results, grid: &Grid<'_>, columns: &[Column]) -> String {
    let mut text = String::new();
    if columns.iter().any(|column| column.interval) {
        text += " Brackets: 95\\,\\% intervals.";
    }
    let rows = || {
        grid.lines
            .iter()
            .flat_map(|line| line.cells.iter().flatten())
    };
    let mut ideals: Vec<String> = Vec::new();
    for row in rows() {
        let Some(ideal) = row.ideal else { continue };
        let said = format!("{} {ideal}", escape(&row.metric));
        if !ideals.contains(&said) && ideals.len() < 4 {
            ideals.push(said);
        }
    }
    if !ideals.is_empty() {
        text += &format!(" Without bias: {}.", ideals.join(", "));
    }
    if rows().any(|row| corrected(&results.rows, row).is_some()) {
        text += " Stars: $p<0.05$, $0.01$, $0.001$ after Holm's correction.";
    }
    text
}

/// A name that `\ref` can hold.
fn label(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

/// One line of a comment: what comes from outside does not end it.
fn comment(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

pub(crate) fn escape(text: &str) -> String {
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
            'Δ' => escaped.push_str("$\\Delta$"),
            '−' => escaped.push_str("$-$"),
            '·' => escaped.push_str("$\\cdot$"),
            '…' => escaped.push_str("\\dots{}"),
            c if c.is_control() => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}
