//! Results on their way to people and files.

use epicene_core::counted;
use std::path::Path;

use epicene_pipeline::JudgedRun;
use epicene_report::{Exporter, Format, JsonExporter, Results, Style, Target};

use crate::failure::Failure;
use crate::{console, host, outputs};

/// Writes the answers of a run that its rules leave to a person: a table with an empty column `label`.
pub fn write_undecided(run: &JudgedRun<'_>, path: &Path) -> Result<(), Failure> {
    let undecided = run.undecided();
    let mut text = String::from("id\tlabel\tsystem\tunit\treason\tsource\ttranslation\n");
    for open in &undecided {
        let flat = |cell: &str| cell.replace(['\t', '\n', '\r'], " ");
        let cells = [
            open.item.to_owned(),
            String::new(),
            flat(open.system),
            open.unit.to_owned(),
            open.reason.to_owned(),
            flat(open.source),
            flat(open.translation),
        ];
        text += &cells.join("\t");
        text.push('\n');
    }
    outputs::write(path, text.as_bytes())?;
    console::note(format!(
        "{}: {} to decide",
        path.display(),
        counted(undecided.len(), "answer", "answers")
    ));
    Ok(())
}

/// Prints results; CSV on a pipe is rows alone, so its signature goes to standard error.
pub fn show(results: &Results, format: Option<Format>) -> Result<(), Failure> {
    show_in(results, format.unwrap_or_default(), Style::default())
}

/// The same with the sizes of a paper.
pub fn show_in(results: &Results, format: Format, style: Style) -> Result<(), Failure> {
    if let Some(host) = host::current() {
        host.keep(results);
        return Ok(());
    }
    let target = console::target();
    console::print(|out| format.exporter(target, style).write(results, out))?;
    if format == Format::Csv {
        for warning in results.warned() {
            console::warn(warning);
        }
        console::say(format!("signature: {}", results.signature));
    }
    Ok(())
}

/// The bytes of `measures.json`.
pub fn as_json(results: &Results) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    JsonExporter.write(results, &mut bytes)?;
    Ok(bytes)
}

/// Exporter target of a file.
pub const FILE: Target = Target::File;
