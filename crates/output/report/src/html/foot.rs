//! The foot of the page: signatures, data, limits, and how to cite.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::card_text::{card_fields, html};
use super::{Report, ReportRun};
use crate::figures::svg::escape;

/// Fields of a card that every reader of a number needs.
const FIELDS: [&str; 7] = [
    "Harms",
    "Genders",
    "How right",
    "Data",
    "Licence",
    "Limits",
    "Cite",
];

pub fn write(out: &mut String, report: &Report) {
    *out += "<footer id=\"about\"><div class=\"wrap\">\n<h2>Signatures and data</h2>\n\
             <p>Two numbers with the same signature are comparable.</p>\n";
    for part in &report.parts {
        write_signature(out, part);
    }
    if let Some(comparison) = &report.comparison {
        let _ = writeln!(
            out,
            "<p><strong>Comparison</strong></p><pre class=\"signature\">{}</pre>",
            escape(&comparison.results.signature)
        );
    }
    let mut seen = BTreeSet::new();
    for part in &report.parts {
        if seen.insert(part.benchmark.as_str()) {
            write_card(out, part);
        }
    }
    let _ = writeln!(
        out,
        "<h2>How not to read this</h2>\n<p>A system at the ideal value on one benchmark is not thereby fair: it was \
         asked these items in these words. Benchmarks here know two genders, because their data do. An interval \
         speaks of the items that were drawn, not of other languages, texts or uses.</p>\n\
         <p>Made by epicene {}; please cite the benchmarks, and epicene by its CITATION.cff.</p>\n</div></footer>",
        escape(&report.version)
    );
}

fn write_signature(out: &mut String, part: &ReportRun) {
    let _ = writeln!(
        out,
        "<p><strong>{}</strong>: {}</p>\n<pre class=\"signature\">{}</pre>",
        escape(&part.run),
        escape(&part.data),
        escape(&part.results.signature)
    );
}

fn write_card(out: &mut String, part: &ReportRun) {
    let fields = card_fields(&part.card);
    let _ = writeln!(
        out,
        "<h2>{}: limits, licence, how to cite</h2>",
        escape(&part.benchmark)
    );
    for wanted in FIELDS {
        let found = fields.iter().filter(|field| field.name.starts_with(wanted));
        for field in found {
            let _ = writeln!(out, "<h3>{}</h3>\n{}", escape(field.name), html(field.text));
        }
    }
}
