//! The views of a run as HTML tables. Every cell names the row of the JSON that it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use epicene_core::{CellStyle, Row, View};

use crate::figures::svg::escape;
use crate::pivot::Grid;

/// Where each row stands in the JSON: rows are told apart by their address.
type Places = BTreeMap<*const Row, usize>;

/// Rows that human labels corrected: they say so themselves, or stand beside what the detector alone gives.
pub fn corrected(rows: &[Row]) -> BTreeSet<*const Row> {
    let names = |row: &Row, metric: &str| {
        let place = [row.system.as_str(), row.unit.as_str(), row.group.as_str()].map(str::to_owned);
        (place, metric.to_owned())
    };
    let judged = rows.iter().filter_map(|row| {
        let metric = row.metric.strip_suffix("_judged")?;
        Some(names(row, metric))
    });
    let judged: BTreeSet<_> = judged.collect();
    let is_corrected = |row: &&Row| {
        row.metric.ends_with("_corrected")
            || !judged.is_empty() && judged.contains(&names(row, &row.metric))
    };
    rows.iter()
        .filter(is_corrected)
        .map(std::ptr::from_ref)
        .collect()
}

/// All the tables of one run; the first is open, the rest can be unfolded.
pub fn write(out: &mut String, rows: &[Row], views: &[View], offset: usize) {
    let places: Places = rows
        .iter()
        .enumerate()
        .map(|(place, row)| (std::ptr::from_ref(row), offset + place))
        .collect();
    let corrected = corrected(rows);
    let mut first = true;
    for view in views {
        let Some(grid) = Grid::new(rows, view) else {
            continue;
        };
        let open = if first { " open" } else { "" };
        first = false;
        let title = escape(&view.title);
        let _ = writeln!(
            out,
            "<details class=\"more\"{open}><summary>{title}</summary>"
        );
        write_table(out, &grid, view, (&places, &corrected));
        *out += "</details>\n";
    }
}

fn style_name(style: CellStyle) -> &'static str {
    match style {
        CellStyle::LowValueHigh => "low-value-high",
        CellStyle::ValueInterval => "value-interval",
        CellStyle::Value => "value",
    }
}

fn write_table(
    out: &mut String,
    grid: &Grid<'_>,
    view: &View,
    (places, corrected): (&Places, &BTreeSet<*const Row>),
) {
    let title = escape(&view.title);
    let _ = write!(
        out,
        "<div class=\"table\"><div class=\"scroll\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">\n\
         <table data-style=\"{}\"><thead><tr>",
        style_name(view.style)
    );
    for heading in &grid.line_headings {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"name\">{}</th>",
            escape(heading)
        );
    }
    for heading in &grid.column_names {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(heading));
    }
    *out += "</tr></thead><tbody>\n";
    for line in &grid.lines {
        let text = line.text(view, &grid.whole_columns);
        *out += "<tr>";
        for name in &text[..line.names.len()] {
            let _ = write!(
                out,
                "<th scope=\"row\" class=\"name\">{}</th>",
                escape(name)
            );
        }
        let cells = text[line.names.len()..].iter().zip(&line.cells);
        for ((cell, row), whole) in cells.zip(&grid.whole_columns) {
            let Some(row) = row else {
                *out += "<td></td>";
                continue;
            };
            let class = match (
                row.excludes_ideal(),
                corrected.contains(&std::ptr::from_ref(*row)),
            ) {
                (true, true) => " class=\"off corrected\"",
                (true, false) => " class=\"off\"",
                (false, true) => " class=\"corrected\"",
                (false, false) => "",
            };
            let decimals = if *whole { 0 } else { view.decimals };
            let place = places.get(&std::ptr::from_ref(*row));
            let place = place.expect("the grid is made of these rows");
            let _ = write!(
                out,
                "<td{class} data-row=\"{place}\" data-decimals=\"{decimals}\">{}</td>",
                escape(cell)
            );
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></div>\n";
}
