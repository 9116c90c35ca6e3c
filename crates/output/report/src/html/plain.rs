//! The report as Markdown, in the order of the page: what was found, where it shows most, how far it can be trusted, the tables. Of
//! a comparison first the verdict and what changed.

use std::io::{self, Write};

use super::changes::Comparison;
use super::first_screen::{
    ONLY_CONTROLS, TRUST, WHERE, findings_of, only_controls, relations, trust_of, worst_of,
};
use super::item_pack::{AnswerCell, EVIDENCE_END, EVIDENCE_START, Shown};
use super::{Chapter, Report, ReportRun, chapters};
use crate::markdown::{MarkdownExporter, escaped};
use crate::standing::standings;
use crate::{Exporter, Results};

/// Sentences of what changed.
const CHANGES: usize = 5;

impl Report {
    /// Writes the report as Markdown; `tables` are the results of its parts, or of the comparison.
    pub fn write_markdown(&self, tables: &[Results], out: &mut dyn Write) -> io::Result<()> {
        // What nobody may overlook comes first in every format.
        for warning in tables.iter().flat_map(Results::warned) {
            writeln!(out, "> **Warning:** {}\n", escaped(&warning))?;
        }
        writeln!(out, "# {}\n", escaped(&self.heading()))?;
        if let Some(check) = &self.check {
            writeln!(out, "{}\n", check.verdict())?;
            for line in &check.lines {
                writeln!(out, "- {}", escaped(line))?;
            }
            writeln!(out)?;
        }
        if let Some(comparison) = &self.comparison {
            changes(comparison, out)?;
        } else {
            for text in chapters(self, |chapter| screen(self, chapter)) {
                write!(out, "{text}")?;
            }
        }
        for results in tables {
            let mut results = Results {
                warnings: Vec::new(),
                partial: None,
                ..results.clone()
            };
            // The verdict was said at the top.
            if self.comparison.is_some() {
                results.notes = Vec::new();
            }
            MarkdownExporter.write(&results, out)?;
        }
        Ok(())
    }
}

/// The first screen of a benchmark.
fn screen(report: &Report, chapter: &Chapter<'_>) -> String {
    let data = &chapter.data;
    let standings = standings(data);
    let parts: Vec<&ReportRun> = chapter
        .parts
        .iter()
        .map(|&part| &report.parts[part])
        .collect();
    let mut text = String::new();
    if only_controls(data) {
        text += &format!("{ONLY_CONTROLS}\n\n");
    }
    for found in findings_of(data, &standings) {
        let (verdict, numbers) = (escaped(&found.verdict), escaped(&found.numbers));
        text += &format!("- **{verdict}**: {numbers}\n");
    }
    let compared = relations(data, &standings);
    if !compared.is_empty() {
        text += &format!("\n{}\n", escaped(&compared.join(" ")));
    }
    let worst = standings
        .first()
        .and_then(|standing| worst_of(data, standing, &parts));
    if let Some(worst) = worst {
        text += &format!("\n## {WHERE}\n\n{}\n\n", escaped(&worst.lead));
        for (place, part) in worst.parts.iter().enumerate() {
            let example = part.example.map_or(String::new(), |(item, cell)| {
                format!(": “{}” → {}", escaped(item), answer(cell))
            });
            let (name, number) = (escaped(&part.name), escaped(&part.number));
            text += &format!("{}. **{name}** {number}{example}\n", place + 1);
        }
    }
    text += &format!("\n## {TRUST}\n\n");
    for (name, said) in trust_of(data, &standings, &parts) {
        text += &format!("- **{}:** {said}\n", escaped(&name));
    }
    text + "\n"
}

/// The verdict, and the items on which the systems differ most.
fn changes(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for note in &comparison.results.notes {
        writeln!(out, "- {}", escaped(note))?;
    }
    let (changed, of) = comparison.changed;
    writeln!(
        out,
        "\n## What changed\n\n{changed} of {of} answers differ in their verdict.\n"
    )?;
    for change in comparison.changes.iter().take(CHANGES) {
        writeln!(out, "- “{}”", escaped(&change.text))?;
        for (system, cell) in comparison.systems.iter().zip(&change.answers) {
            writeln!(out, "  - {}: {}", escaped(system), answer(cell))?;
        }
    }
    writeln!(out)
}

/// An answer with its evidence in bold, and the verdict on it.
fn answer(cell: &AnswerCell) -> String {
    let shown = match &cell.shown {
        Shown::Text(text) => {
            let text = escaped_but_evidence(text);
            format!("“{text}” ")
        }
        Shown::Number(value) => format!("{value:+.2} "),
        Shown::Nothing => String::new(),
    };
    format!("{shown}({})", escaped(cell.words()))
}

fn escaped_but_evidence(text: &str) -> String {
    let parts = text.split([EVIDENCE_START, EVIDENCE_END]);
    let parts: Vec<String> = parts.map(escaped).collect();
    parts.join("**")
}
