//! The first screen of a report: what was found, beside the ideal and the published systems; where it shows most, with one
//! sentence each; and how far the numbers can be trusted. All else is below it.

use std::fmt::Write;

use epicene_core::Metric;

use super::card_text::{card_fields, inline};
use super::item_pack::{AnswerCell, Shown};
use super::{Chapter, Report, ReportRun, items};
use crate::chart_data::distinct;
use crate::figures::svg::escape;
use crate::figures::{Data, Entry, Figure, front, map, tick_label};
use crate::number;
use crate::standing::{Standing, standings};
use crate::words::{self, capital};

/// Findings that are open; those of further systems can be unfolded.
const FINDINGS: usize = 3;
/// Parts of the items with the strongest numbers.
const WORST: usize = 5;
/// Longer examples would push the next part off the screen.
const EXAMPLE: usize = 110;
/// Figures beside the examples, and up to how many systems they leave room for that.
const OPEN: usize = 3;
const FEW: usize = 8;
/// Warnings that are open.
const WARNINGS: usize = 3;

/// What a report without measured systems says.
pub const ONLY_CONTROLS: &str =
    "No system but controls was measured: their result is known beforehand.";
/// Headings of the first screen.
pub const WHERE: &str = "Where it shows most";
pub const TRUST: &str = "Can I trust this?";

/// Writes the first screen of one benchmark; the figures that it does not show come back.
pub fn write(out: &mut String, report: &Report, chapter: &Chapter<'_>) -> Vec<Figure> {
    let data = &chapter.data;
    let standings = standings(data);
    let corrected = chapter.parts.iter().any(|&part| {
        let rows = &report.parts[part].results.rows;
        !super::tables::corrected(rows).is_empty()
    });
    if corrected {
        *out += "<p class=\"banner\" role=\"note\">Human labels correct the numbers marked † for the detector's errors; their <code>n</code> is the \
                 number of labels. What the detector alone gives ends in <code>_judged</code> or has no mark.</p>\n";
    }
    findings(out, data, &standings);
    let mut figures = front(data);
    // Rankings of a few systems leave room for more beside the examples.
    let few = standings
        .first()
        .is_none_or(|standing| standing.entries.len() <= FEW);
    let open: Vec<Figure> = figures
        .drain(..figures.len().min(if few { OPEN } else { 1 }))
        .collect();
    *out += "<div class=\"screen\">\n";
    for (place, figure) in open.iter().enumerate() {
        // On a phone all but the first come after the examples.
        *out += if place == 0 {
            "<div>\n"
        } else {
            "<div class=\"later\">\n"
        };
        super::page::figure(out, figure);
        *out += "</div>\n";
    }
    *out += "<div class=\"beside\">\n";
    let parts: Vec<&ReportRun> = chapter
        .parts
        .iter()
        .map(|&part| &report.parts[part])
        .collect();
    if let Some(standing) = standings.first() {
        worst(out, data, standing, &parts);
    }
    trust(out, data, &standings, &parts);
    *out += "</div></div>\n";
    figures
}

/// What was found, in words.
pub struct Finding {
    /// `deepl into Slovak follows the stereotypes`
    pub verdict: String,
    /// Its numbers and what they are made of.
    pub numbers: String,
}

/// The furthest from the ideal first; none where only controls were measured.
pub fn findings_of(data: &Data<'_>, standings: &[Standing<'_>]) -> Vec<Finding> {
    let Some(first) = standings.first() else {
        return Vec::new();
    };
    let entries = first.entries.iter().rev();
    let found = entries.map(|entry| {
        let mut found = finding(data, first, entry);
        // What the benchmark comes down to beside it.
        for other in &standings[1..] {
            let same =
                |other: &&Entry<'_>| other.system == entry.system && other.unit == entry.unit;
            if let Some(entry) = other.entries.iter().find(same) {
                found.numbers += " ";
                found.numbers += &aside(data, other, entry);
            }
        }
        found
    });
    found.collect()
}

/// How the systems compare, one sentence or more for each headline metric.
pub fn relations(data: &Data<'_>, standings: &[Standing<'_>]) -> Vec<String> {
    let several = standings
        .iter()
        .filter(|standing| standing.entries.len() > 1);
    let sentences = several.map(|standing| {
        if standing.entries.len() > FINDINGS {
            standing.sentences(data).join(" ")
        } else {
            standing.relation()
        }
    });
    sentences.filter(|text| !text.is_empty()).collect()
}

/// Whether there are numbers, and all of them are of controls.
pub fn only_controls(data: &Data<'_>) -> bool {
    let of_control = |entry: &Entry<'_>| words::is_control(&entry.row.system);
    // A run that is not measured yet has no row.
    !data.entries.is_empty() && data.entries.iter().all(of_control)
}

/// One finding for each system, then how the systems compare.
fn findings(out: &mut String, data: &Data<'_>, standings: &[Standing<'_>]) {
    let all = findings_of(data, standings);
    if only_controls(data) {
        let _ = writeln!(out, "<p class=\"finding\">{ONLY_CONTROLS}</p>");
    }
    let paragraph = |found: &Finding| {
        let (verdict, numbers) = (escape(&found.verdict), escape(&found.numbers));
        format!("<p class=\"finding\"><strong>{verdict}</strong>: {numbers}</p>\n")
    };
    let open = all.len().min(FINDINGS);
    for found in &all[..open] {
        *out += &paragraph(found);
    }
    if all.len() > open {
        let _ = write!(
            out,
            "<details class=\"more\"><summary>{} more</summary>\n{}</details>\n",
            words::count(all.len() - open, "finding"),
            all[open..].iter().map(paragraph).collect::<String>()
        );
    }
    let sentences = relations(data, standings);
    if !sentences.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"answer more\">{}</p>",
            escape(&sentences.join(" "))
        );
    }
}

/// `deepl into Slovak follows the stereotypes`: stereotype rate f_s 0.298 [0.269, 0.327], ideal 0; …`
fn finding(data: &Data<'_>, standing: &Standing<'_>, entry: &Entry<'_>) -> Finding {
    let because = because(data, standing.metric, entry);
    let because = because.map_or(String::new(), |because| format!(" {}.", capital(&because)));
    Finding {
        verdict: format!(
            "{} {}",
            words::contestant(entry.system, &entry.unit),
            standing.reading(entry)
        ),
        numbers: format!("{}.{because}", named(data, standing, entry)),
    }
}

/// Another headline number of the same system.
fn aside(data: &Data<'_>, standing: &Standing<'_>, entry: &Entry<'_>) -> String {
    let because = because(data, standing.metric, entry);
    let because = because.map_or(String::new(), |because| format!("; {because}"));
    format!(
        "It {}: {}{because}.",
        standing.reading(entry),
        named(data, standing, entry)
    )
}

/// `stereotype rate f_s 0.298 [0.269, 0.327], ideal 0`
fn named(data: &Data<'_>, standing: &Standing<'_>, entry: &Entry<'_>) -> String {
    let name = match standing.metric.name {
        "" => String::new(),
        name => format!("{name} "),
    };
    format!(
        "{name}{} {}, ideal {}",
        standing.metric.symbol,
        entry.number(data.decimals(entry.row)),
        tick_label(standing.ideal)
    )
}

/// The metric's explanation with the numbers of this system; none where every sentence lacks one of them.
fn because(data: &Data<'_>, metric: &Metric, entry: &Entry<'_>) -> Option<String> {
    let sentences = metric.because.split('|');
    let mut sentences = sentences.filter(|sentence| !sentence.is_empty());
    sentences.find_map(|sentence| filled(data, sentence, entry))
}

fn filled(data: &Data<'_>, sentence: &str, entry: &Entry<'_>) -> Option<String> {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (symbol, after) = after.split_once('}')?;
        let (symbol, percent) = match symbol.strip_suffix('%') {
            Some(symbol) => (symbol, true),
            None => (symbol, false),
        };
        let place = [entry.system, &entry.row.unit, &entry.row.group];
        let found = data.find(place, symbol)?;
        text += before;
        if percent {
            let _ = write!(text, "{:.0} %", 100.0 * found.value);
        } else {
            text += &number::part(found.row, found.value, data.decimals(found.row));
        }
        rest = after;
    }
    Some(text + rest)
}

/// Where a system is furthest from the ideal.
pub struct Worst<'a> {
    pub lead: String,
    pub parts: Vec<WorstPart<'a>>,
}

/// A part of the items, with an item on which the system does what it does most often there.
pub struct WorstPart<'a> {
    pub name: String,
    pub number: String,
    entry: Entry<'a>,
    pub example: Option<(&'a str, &'a AnswerCell)>,
}

/// The parts of the items that are furthest from the ideal, or from the system's mean where there is none.
pub fn worst_of<'a>(
    data: &Data<'a>,
    standing: &Standing<'a>,
    parts: &[&'a ReportRun],
) -> Option<Worst<'a>> {
    let furthest = standing.entries.last()?;
    let mut groups = map::parts(data, furthest.system, &furthest.row.unit);
    if groups.is_empty() {
        return None;
    }
    let mean = groups.iter().map(|entry| entry.value).sum::<f64>() / groups.len() as f64;
    let target = |entry: &Entry<'_>| entry.row.ideal.unwrap_or(mean);
    let distance = |entry: &Entry<'_>| (entry.value - target(entry)).abs();
    groups.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    groups.truncate(WORST);
    let first = &groups[0];
    let against = match first.row.ideal {
        Some(ideal) => format!("ideal {}", tick_label(ideal)),
        None => format!(
            "mean {}",
            number::part(first.row, mean, data.decimals(first.row))
        ),
    };
    let meaning = data.meaning(&first.metric).map_or("", |metric| metric.name);
    let what = match meaning {
        "" => first.row.metric.clone(),
        name => format!("{name} {}", first.row.metric),
    };
    let lead = format!(
        "{}: {what} furthest from the {against}.",
        words::contestant(furthest.system, &furthest.unit)
    );
    let parts = groups.iter().map(|entry| WorstPart {
        name: data.label(&entry.group),
        number: number::part(entry.row, entry.value, data.decimals(entry.row)),
        entry: *entry,
        example: example(entry, parts),
    });
    Some(Worst {
        lead,
        parts: parts.collect(),
    })
}

fn worst(out: &mut String, data: &Data<'_>, standing: &Standing<'_>, parts: &[&ReportRun]) {
    let Some(worst) = worst_of(data, standing, parts) else {
        return;
    };
    let _ = writeln!(
        out,
        "<section class=\"worst\" aria-labelledby=\"worst-{id}\"><h3 id=\"worst-{id}\">{WHERE}</h3>\n\
         <p class=\"lead\">{}</p>\n<ol>",
        escape(&worst.lead),
        id = escape(data.benchmark),
    );
    for part in &worst.parts {
        let index = part.entry.index.map_or_else(String::new, |index| {
            format!(
                " data-row=\"{index}\" data-decimals=\"{}\"",
                data.decimals(part.entry.row)
            )
        });
        let example = part.example.map_or(String::new(), |(text, cell)| {
            format!("<p><q>{}</q> {}</p>", escape(text), items::answer(cell))
        });
        let _ = writeln!(
            out,
            "<li><p><strong>{}</strong> <span{index}>{}</span></p>{example}</li>",
            escape(&part.name),
            part.number,
        );
    }
    *out += "</ol></section>\n";
}

/// An item of the part on which the system does what it does most often there, with its evidence.
fn example<'a>(entry: &Entry<'_>, parts: &[&'a ReportRun]) -> Option<(&'a str, &'a AnswerCell)> {
    let (kind, value) = entry.row.group.split_once(':')?;
    parts.iter().find_map(|part| {
        let columns = part.items.columns.iter();
        let mut columns = columns.filter(|column| {
            column.system == entry.row.system
                && (words::is_joint(&entry.unit) || column.unit == *entry.row.unit)
        });
        let column = columns.next()?;
        let cells: Vec<(&str, &AnswerCell)> = part
            .items
            .items
            .iter()
            .zip(&column.cells)
            .filter(|(item, _)| item.labels.get(kind).is_some_and(|label| label == value))
            .filter_map(|(item, cell)| Some((item.text.as_str(), cell.as_ref()?)))
            .collect();
        let usual = ['m', 'f', 's', 'a', 'n'].into_iter().max_by_key(|letter| {
            cells
                .iter()
                .filter(|(_, cell)| cell.letter() == *letter)
                .count()
        })?;
        let length = |text: &str, cell: &AnswerCell| {
            let answer = match &cell.shown {
                Shown::Text(text) => text.chars().count(),
                Shown::Number(_) | Shown::Nothing => 0,
            };
            text.chars().count().max(answer)
        };
        cells
            .into_iter()
            .filter(|(_, cell)| cell.letter() == usual)
            .find(|(text, cell)| length(text, cell) <= EXAMPLE)
    })
}

/// What the numbers rest on, each line with its name; the text is Markdown.
pub fn trust_of(
    data: &Data<'_>,
    standings: &[Standing<'_>],
    parts: &[&ReportRun],
) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut line = |name: &str, text: String| lines.push((name.to_owned(), text));
    let entries: Vec<&Entry<'_>> = standings
        .first()
        .map_or(Vec::new(), |standing| standing.entries.iter().collect());
    let off = entries
        .iter()
        .filter(|entry| entry.row.excludes_ideal())
        .count();
    let without = entries
        .iter()
        .filter(|entry| entry.row.low.is_none())
        .count();
    match (entries.len(), without) {
        (0, _) => {}
        (all, without) if without == all => {
            line("Interval", "none; the numbers may be chance.".to_owned());
        }
        (1, _) => line(
            "Interval (95 %)",
            format!(
                "{} the ideal.",
                if off == 1 { "excludes" } else { "contains" }
            ),
        ),
        (all, _) => line(
            "Intervals (95 %)",
            format!("{off} of {all} exclude the ideal."),
        ),
    }
    // Runs on the same data share a line.
    let data_of = distinct(parts.iter().map(|part| part.data.as_str()));
    for text in &data_of {
        let runs: Vec<&str> = parts
            .iter()
            .filter(|part| part.data == *text)
            .map(|part| part.run.as_str())
            .collect();
        let name = match runs.as_slice() {
            _ if data_of.len() == 1 => "Data".to_owned(),
            [run] => (*run).to_owned(),
            runs => words::count(runs.len(), "run"),
        };
        line(&name, format!("{text}."));
    }
    if let Some(part) = parts.first() {
        let fields = card_fields(&part.card);
        let accuracy = fields
            .iter()
            .find(|field| field.name.starts_with("Detector accuracy"))
            .filter(|_| part.results.signature.contains("|judge:"));
        if let Some(accuracy) = accuracy {
            let accuracy = accuracy_of(accuracy.text, &part.results.signature);
            line("Detector", accuracy.to_owned());
            let corrected = data
                .entries
                .iter()
                .any(|entry| entry.row.metric.ends_with("_judged"));
            let labels = if corrected {
                "numbers are corrected by them; those of the detector end in `_judged`."
            } else {
                "none; `epicene audit sample` draws items to label."
            };
            line("Human labels", labels.to_owned());
        }
    }
    lines
}

/// What the numbers rest on, and what was found wanting.
fn trust(out: &mut String, data: &Data<'_>, standings: &[Standing<'_>], parts: &[&ReportRun]) {
    let id = escape(data.benchmark);
    let _ = writeln!(
        out,
        "<section class=\"trust\" aria-labelledby=\"trust-{id}\"><h3 id=\"trust-{id}\">{TRUST}</h3>\n<ul>"
    );
    let mut line = |text: String| {
        let _ = writeln!(out, "<li>{text}</li>");
    };
    for (name, text) in trust_of(data, standings, parts) {
        line(format!(
            "<strong>{}:</strong> {}",
            escape(&name),
            inline(&text)
        ));
    }
    line(
        "<strong>Limits:</strong> these items, asked in this way; see <a href=\"#about\">limits and citation</a>."
            .to_owned(),
    );
    let warnings: Vec<String> = parts
        .iter()
        .flat_map(|part| part.results.warned())
        .collect();
    for warning in warnings.iter().take(WARNINGS) {
        line(format!("<strong>Warning:</strong> {}", escape(warning)));
    }
    if warnings.len() > WARNINGS {
        let more: String = warnings[WARNINGS..]
            .iter()
            .map(|warning| format!("<p>{}</p>", escape(warning)))
            .collect();
        line(format!(
            "<details><summary>{} more</summary>{more}</details>",
            words::count(warnings.len() - WARNINGS, "warning")
        ));
    }
    *out += "</ul></section>\n";
}

/// The line about the detector that the run used, where the card has one for each; else its first sentence.
fn accuracy_of<'a>(text: &'a str, signature: &str) -> &'a str {
    let lines = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "));
    let used = signature
        .split('|')
        .find_map(|field| field.strip_prefix("judge:"))
        .unwrap_or_default();
    let named = |line: &&str| {
        let name = line
            .strip_prefix('`')
            .and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| used.ends_with(name))
    };
    lines
        .clone()
        .find(named)
        .or_else(|| lines.clone().next())
        .unwrap_or_else(|| {
            let end = text.find(". ").map_or(text.len(), |end| end + 1);
            &text[..end]
        })
}
