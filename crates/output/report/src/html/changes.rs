//! Systems compared: the verdict in words, paired differences sorted by how strong the evidence is, and the items on which
//! the systems differ most.

use std::collections::BTreeMap;
use std::fmt::Write;

use epicene_core::Row;

use super::AnswerCell;
use super::items::answer;
use crate::Results;
use crate::figures::svg::escape;
use crate::figures::{Dot, DotChart, DotLine, Entry, Figure, Group};
use crate::{number, words};

/// Lines of the figure; the table has them all.
const DRAWN: usize = 30;

/// Systems whose answers stand side by side in the list of what differs.
const BESIDE: usize = 6;

/// What `epicene compare` found.
#[derive(Debug)]
pub struct Comparison {
    /// In the order of the command: a difference is a later one less an earlier one.
    pub systems: Vec<String>,
    pub results: Results,
    /// Items with different verdicts, or scored furthest apart; the strongest first.
    pub changes: Vec<Change>,
    /// How many answers have different verdicts, of how many.
    pub changed: (usize, usize),
}

#[derive(Debug)]
pub struct Change {
    pub id: String,
    pub text: String,
    pub unit: String,
    /// One for each system.
    pub answers: Vec<AnswerCell>,
}

impl Comparison {
    pub fn title(&self) -> String {
        match &self.systems[..] {
            [first, second] => format!("{first} compared with {second}"),
            all => format!("{} compared", words::count(all.len(), "system")),
        }
    }

    fn is_of_two(&self) -> bool {
        self.systems.len() == 2
    }
}

/// A difference with the p-values that belong to it.
struct Difference<'a> {
    row: &'a Row,
    /// The metric.
    of: &'a str,
    place: usize,
    p: Option<(&'a Row, usize)>,
    adjusted: Option<(&'a Row, usize)>,
}

impl Difference<'_> {
    /// Smaller is stronger: the p-value, and among equals the distance in half intervals.
    fn strength(&self) -> (f64, f64) {
        let p = self.adjusted.or(self.p).map_or(1.0, |(row, _)| row.value);
        let half = match (self.row.low, self.row.high) {
            (Some(low), Some(high)) => (high - low) / 2.0,
            _ => 0.0,
        };
        let distance = if half > 0.0 {
            self.row.value.abs() / half
        } else {
            0.0
        };
        (p, -distance)
    }
}

/// Differences from the most to the least certain.
fn differences(rows: &[Row]) -> Vec<Difference<'_>> {
    let mut by_name: BTreeMap<[&str; 4], (&Row, usize)> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        by_name.insert(
            [&row.system, &row.unit, &row.group, &row.metric],
            (row, place),
        );
    }
    let mut found: Vec<Difference<'_>> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.ideal == Some(0.0))
        .filter_map(|(place, row)| Some((place, row, row.difference_of()?)))
        .map(|(place, row, of)| {
            let own = format!("p_value_{of}");
            let other = |metric: &str| {
                by_name
                    .get(&[row.system.as_str(), &row.unit, &row.group, metric])
                    .copied()
            };
            let corrected = own.replacen("p_value", "p_holm", 1);
            let (p, adjusted) = match other(&own) {
                Some(p) => (Some(p), other(&corrected)),
                None => (other("p_value"), other("p_holm")),
            };
            Difference {
                row,
                of,
                place,
                p,
                adjusted,
            }
        })
        .collect();
    found.sort_by(|a, b| {
        let (a, b) = (a.strength(), b.strength());
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    found
}

fn label(comparison: &Comparison, row: &Row) -> String {
    let views = comparison.results.views.iter();
    let labels = views.flat_map(|view| &view.labels);
    let known = labels.into_iter().find(|(name, _)| **name == row.group);
    let group = match known {
        Some((_, label)) => label.clone(),
        None => row
            .group
            .split_once(':')
            .map_or(&*row.group, |(_, rest)| rest)
            .to_owned(),
    };
    let symbol = row.difference_of().unwrap_or(&row.metric);
    let symbol = if comparison.is_of_two() {
        symbol.to_owned()
    } else {
        format!("{}: {symbol}", row.system)
    };
    let place = match row.unit.as_str() {
        "all" => "over all".to_owned(),
        unit => unit.replace(':', " "),
    };
    match row.group.as_str() {
        "all" => format!("{symbol}, {place}"),
        _ => format!("{symbol} of {group}, {place}"),
    }
}

/// The differences as a forest of intervals, the most certain on top.
pub fn figure(comparison: &Comparison, offset: usize) -> Option<Figure> {
    let found = differences(&comparison.results.rows);
    if found.is_empty() {
        return None;
    }
    let lines = found.iter().take(DRAWN).map(|difference| DotLine {
        label: label(comparison, difference.row),
        dots: vec![Dot::new(
            Entry {
                row: difference.row,
                index: Some(offset + difference.place),
                system: &difference.row.system,
            },
            0,
        )],
    });
    let of = match &comparison.systems[..] {
        [first, second] => format!("{second} less {first}"),
        _ => "later less earlier system".to_owned(),
    };
    let chart = DotChart {
        axis_label: of.clone(),
        logarithmic: false,
        decimals: 3,
        ideal: None,
        reference: Some((0.0, "no difference".to_owned())),
        series: vec![String::new()],
        groups: vec![Group {
            heading: None,
            ink: None,
            lines: lines.collect(),
        }],
        range: None,
    };
    let strongest: Vec<String> = found
        .iter()
        .take(5)
        .map(|difference| {
            let number = number::fixed(difference.row.value, 3);
            format!("{} {number}", label(comparison, difference.row))
        })
        .collect();
    Some(Figure {
        name: "differences".to_owned(),
        title: format!("Differences: {of}"),
        caption: format!(
            "Paired differences with their 95 % intervals on the same items, the most certain first{}.",
            match found.len() {
                all if all > DRAWN => format!(" ({DRAWN} of {all}; the table has all)"),
                _ => String::new(),
            }
        ),
        description: format!(
            "Differences, {of}, the most certain first: {}.",
            strongest.join("; ")
        ),
        scene: chart.draw(),
    })
}

pub fn write(out: &mut String, comparison: &Comparison, offset: usize) {
    let _ = writeln!(
        out,
        "<section id=\"compare\" aria-labelledby=\"compare-h\"><h2 id=\"compare-h\">{}</h2>\n\
         <p class=\"lead\">All were asked the same items, so the differences are paired: {}; sorted by evidence.</p>",
        escape(&comparison.title()),
        if comparison.is_of_two() {
            "second less first"
        } else {
            "the later system of the command less the earlier one"
        }
    );
    if !comparison.results.notes.is_empty() {
        *out += "<ul class=\"notes answer\">\n";
        for note in &comparison.results.notes {
            let _ = writeln!(out, "<li>{}</li>", escape(note));
        }
        *out += "</ul>\n";
    }
    // The verdict, what changed with its sentences, then the numbers.
    write_changes(out, comparison);
    if !comparison.is_of_two() {
        write_pairs(out, comparison, offset);
    }
    if let Some(figure) = figure(comparison, offset) {
        super::page::figure(out, &figure);
    }
    write_differences(out, comparison, offset);
    *out += "</section>\n";
}

/// Every pair by the difference that stands for the whole: the system of the line less that of the column.
fn write_pairs(out: &mut String, comparison: &Comparison, offset: usize) {
    let found = differences(&comparison.results.rows);
    let joint = |difference: &&Difference<'_>| words::is_joint(&difference.row.unit);
    let Some(leading) = found
        .iter()
        .filter(|difference| difference.row.is_whole())
        .min_by_key(|difference| (!joint(difference), difference.place))
    else {
        return;
    };
    let (unit, group, symbol) = (&leading.row.unit, &leading.row.group, leading.of);
    let of_pair = |line: &str, column: &str| {
        found.iter().find(|difference| {
            let row = difference.row;
            row.compared() == Some((column, line))
                && row.unit == *unit
                && row.group == *group
                && difference.of == symbol
        })
    };
    let _ = write!(
        out,
        "<div class=\"table\"><h3>Every pair by {}</h3><p class=\"count\">The system of the line less that of the column, \
         {}. Stars: p below 0.05, 0.01, 0.001 after Holm's correction.</p>\
         <div class=\"scroll\" role=\"region\" aria-label=\"Every pair\" tabindex=\"0\"><table><thead><tr>\
         <th scope=\"col\" class=\"name\">system</th>",
        escape(symbol),
        escape(&words::unit(unit))
    );
    for name in &comparison.systems {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(name));
    }
    *out += "</tr></thead><tbody>\n";
    for line in &comparison.systems {
        let _ = write!(
            out,
            "<tr><th scope=\"row\" class=\"name\">{}</th>",
            escape(line)
        );
        for column in &comparison.systems {
            let Some(difference) = of_pair(line, column) else {
                *out += "<td></td>";
                continue;
            };
            let p = difference
                .adjusted
                .or(difference.p)
                .map(|(row, _)| row.value);
            let _ = write!(
                out,
                "<td data-row=\"{}\" data-decimals=\"3\">{} <sup>{}</sup></td>",
                offset + difference.place,
                number::part(difference.row, difference.row.value, 3),
                p.map_or("", number::stars)
            );
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></div>\n";
}

fn write_differences(out: &mut String, comparison: &Comparison, offset: usize) {
    *out += "<details class=\"more\" open><summary>All differences, by evidence</summary>\n<div class=\"table\">\
             <div class=\"scroll\" role=\"region\" aria-label=\"Differences\" tabindex=\"0\">\
             <table data-style=\"value-interval\"><thead><tr><th scope=\"col\" class=\"name\">what</th>\
             <th scope=\"col\">difference</th><th scope=\"col\">p</th><th scope=\"col\">p (Holm)</th></tr></thead>\
             <tbody>\n";
    let p = |out: &mut String, found: Option<(&Row, usize)>| {
        let _ = match found {
            None => write!(out, "<td></td>"),
            Some((row, place)) => write!(
                out,
                "<td data-row=\"{}\" data-decimals=\"4\">{}</td>",
                offset + place,
                number::fixed(row.value, 4)
            ),
        };
    };
    for difference in differences(&comparison.results.rows) {
        let row = difference.row;
        let off = if row.excludes_ideal() {
            " class=\"off\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<tr><th scope=\"row\" class=\"name\">{}</th><td{off} data-row=\"{}\" data-decimals=\"4\">{}</td>",
            escape(&label(comparison, row)),
            offset + difference.place,
            number::cell(row, epicene_core::CellStyle::ValueInterval, 4)
        );
        p(out, difference.p);
        p(out, difference.adjusted);
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></div></details>\n";
}

fn write_changes(out: &mut String, comparison: &Comparison) {
    let (changed, of) = comparison.changed;
    let (heading, differ) = if comparison.is_of_two() {
        ("What changed", "another verdict")
    } else {
        (
            "Where they differ",
            "verdicts that differ between the systems",
        )
    };
    let _ = writeln!(
        out,
        "<h3>{heading}</h3>\n<p>{changed} of {of} answers have {differ}. {}</p>",
        if comparison.changes.is_empty() {
            ""
        } else {
            "Those furthest apart:"
        }
    );
    if comparison.changes.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<div class=\"table\"><div class=\"scroll\" role=\"region\" aria-label=\"{heading}\" tabindex=\"0\"><table>\
         <thead><tr><th scope=\"col\" class=\"name\">item</th><th scope=\"col\" class=\"name\">text</th>"
    );
    for system in comparison.systems.iter().take(BESIDE) {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"name\">{}</th>",
            escape(system)
        );
    }
    *out += "</tr></thead><tbody>\n";
    for change in &comparison.changes {
        let _ = write!(
            out,
            "<tr><th scope=\"row\" class=\"name\">{} {}</th><td class=\"sentence\">{}</td>",
            escape(&change.id),
            escape(&change.unit),
            escape(&change.text)
        );
        for cell in change.answers.iter().take(BESIDE) {
            let _ = write!(out, "<td class=\"sentence\">{}</td>", answer(cell));
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></div>\n";
}
