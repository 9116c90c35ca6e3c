//! The item section: a first page that reads without JavaScript, and the packed rest for the browser.

use std::fmt::Write;

use super::item_pack::{AnswerCell, EVIDENCE_END, EVIDENCE_START, ItemTable, Shown};
use super::{Report, ReportRun, rows};
use crate::figures::svg::escape;

/// Items and columns of the page that reads without JavaScript.
const STATIC_ITEMS: usize = 20;
const STATIC_COLUMNS: usize = 3;

/// Bytes that a page has; packed items take what figures and tables leave.
pub const PAGE: usize = 1_990_000;
/// Items always have this much, or there would be nothing to look at.
const LEAST: usize = 200_000;

/// Whether there is an item to look at, in the page or behind its server.
pub fn are_shown(report: &Report) -> bool {
    let has = |part: &ReportRun| !part.items.items.is_empty();
    report.parts.iter().any(has) || (report.served.is_some() && !report.parts.is_empty())
}

/// Writes the section into the `room` that the rest of the page leaves.
pub fn write(out: &mut String, report: &Report, room: usize) {
    if !are_shown(report) {
        return;
    }
    *out += "<section id=\"items\" aria-labelledby=\"items-h\"><h2 id=\"items-h\">Items</h2>\n\
             <p class=\"lead\">Every number above is made of answers like these; a click on a number, a mark or a cell opens \
             its own. The evidence of a verdict is <mark>marked</mark>.</p>\n\
             <div id=\"items-live\" hidden></div>\n";
    let served = report.served.is_some();
    let in_page = |part: &ReportRun| served || !part.items.items.is_empty();
    if let Some(index) = rows::pack(report, in_page) {
        let _ = writeln!(
            out,
            "<script type=\"text/plain\" class=\"packed-rows\">{index}</script>"
        );
    }
    if !served {
        let shown: Vec<&ReportRun> = report.parts.iter().filter(|part| in_page(part)).collect();
        *out += "<div id=\"items-static\">\n";
        for part in &shown {
            write_static(out, part);
        }
        *out += "</div>\n";
        write_packed(out, &shown, room.saturating_sub(out.len()));
    }
    *out += "</section>\n";
}

/// All the items packed, thinned out where there are too many for the room.
fn write_packed(out: &mut String, shown: &[&ReportRun], room: usize) {
    let total: usize = shown.iter().map(|part| part.items.weight()).sum();
    for part in shown {
        let budget = room.max(LEAST) * part.items.weight() / total.max(1);
        let packed = part
            .items
            .pack(&part.run, &part.benchmark, budget.max(10_000));
        let _ = writeln!(
            out,
            "<script type=\"text/plain\" class=\"packed-items\">{}</script>",
            packed.base64
        );
    }
}

impl ItemTable {
    /// Its share of the page.
    fn weight(&self) -> usize {
        self.items.len() * (self.columns.len() + 1)
    }
}

fn write_static(out: &mut String, part: &ReportRun) {
    let table = &part.items;
    let title = format!("The first items of {} ({})", part.run, part.benchmark);
    let title = escape(&title);
    let _ = write!(
        out,
        "<div class=\"table\"><h3>{title}</h3>\n<p class=\"count\">{} of {} items and {} of {} systems and units; the \
         list of all needs JavaScript, or <code>epicene items</code>.</p>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\"><table><thead><tr>\
         <th scope=\"col\" class=\"name\">item</th><th scope=\"col\" class=\"name\">text</th>",
        table.items.len().min(STATIC_ITEMS),
        table.total,
        table.columns.len().min(STATIC_COLUMNS),
        table.columns.len()
    );
    for column in table.columns.iter().take(STATIC_COLUMNS) {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"name\">{} {}</th>",
            escape(&column.system),
            escape(&column.unit)
        );
    }
    *out += "</tr></thead><tbody>\n";
    for (index, item) in table.items.iter().take(STATIC_ITEMS).enumerate() {
        let _ = write!(
            out,
            "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"sentence\">{}</td>",
            escape(&item.id),
            escape(&item.text)
        );
        for column in table.columns.iter().take(STATIC_COLUMNS) {
            let cell = column.cells.get(index).and_then(Option::as_ref);
            let _ = write!(
                out,
                "<td class=\"sentence\">{}</td>",
                cell.map_or_else(String::new, answer)
            );
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></div>\n";
}

/// An answer with its verdict; evidence is marked.
pub fn answer(cell: &AnswerCell) -> String {
    let shown = match &cell.shown {
        Shown::Text(text) => marked(text) + " ",
        Shown::Number(value) => format!("{value:+.2} "),
        Shown::Nothing => String::new(),
    };
    let word = cell.words();
    let outcome = match cell.outcome() {
        "" => String::new(),
        outcome => format!(", {}", escape(outcome)),
    };
    format!(
        "{shown}<span class=\"verdict {}\">{word}{outcome}</span>",
        cell.letter()
    )
}

/// Escaped text with `mark` around the evidence.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for part in text.split_inclusive([EVIDENCE_START, EVIDENCE_END]) {
        let (plain, tag) = match part.chars().next_back() {
            Some(EVIDENCE_START) => (&part[..part.len() - 1], "<mark>"),
            Some(EVIDENCE_END) => (&part[..part.len() - 1], "</mark>"),
            _ => (part, ""),
        };
        out += &escape(plain);
        out += tag;
    }
    out
}

#[cfg(test)]
mod tests {
    use epicene_core::{Finding, Span, Verdict};

    use super::*;

    #[test]
    fn html_in_a_translation_is_text() {
        let cell = AnswerCell {
            verdict: Verdict::new(Finding::Feminine, ""),
            shown: Shown::with_evidence(
                "<script>alert(1)</script> bola & co",
                &[Span::new(26, 30)],
            ),
        };
        assert_eq!(
            answer(&cell),
            "&lt;script&gt;alert(1)&lt;/script&gt; <mark>bola</mark> &amp; co \
             <span class=\"verdict f\">feminine</span>"
        );
    }
}
