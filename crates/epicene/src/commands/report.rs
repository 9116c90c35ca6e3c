//! `epicene report`: measures of finished runs, recomputed from their logs, in any format.

use std::path::Path;

use epicene_core::Row;
use epicene_report::{Report, Results};
use epicene_run::RunDirectory;

use crate::args::ReportArgs;
use crate::commands::run::judge;
use crate::destination::Destination;
use crate::failure::{Failure, Outcome};
use crate::gate::Gate;
use crate::{console, outputs, pages, results};

pub fn run(args: ReportArgs) -> Result<Outcome, Failure> {
    let gate = args.fail_if.as_deref().map(Gate::parse).transpose()?;
    let runs = args
        .runs
        .iter()
        .map(|path| RunDirectory::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let destination = Destination::open(args.output_file.as_deref(), args.output.format)?;
    // Items are read back and judged only where somebody will see them.
    let pictured = destination.is_page() || args.figures.is_some();
    let mut report = pages::report(args.title.clone(), Vec::new(), None);
    let mut measured: Vec<Results> = Vec::new();
    for run in &runs {
        match pictured {
            true => report.parts.push(pages::part(run, &args.measure)?),
            false => measured.push(results::measure(run, &args.measure)?),
        }
    }
    if let Some(directory) = &args.figures {
        draw(&report, directory)?;
    }
    if let Some(path) = &args.unresolved {
        match runs.as_slice() {
            [run] => results::write_undecided(run, &args.measure, path)?,
            _ => return Err(Failure::usage("--unresolved is written for one run")),
        }
    }
    if let Some(directory) = &args.author_files {
        for run in &runs {
            write_author_files(run, &args, directory)?;
        }
    }
    measured.extend(report.parts.iter().map(|part| part.results.clone()));
    let rows: Vec<Row> = measured.iter().flat_map(|part| part.rows.clone()).collect();
    destination.write(report, measured)?;
    judge(gate, &rows)
}

/// Writes what can be compared with the authors' own files.
fn write_author_files(
    run: &RunDirectory,
    args: &ReportArgs,
    directory: &Path,
) -> Result<(), Failure> {
    let files = results::author_files(run, &args.measure)?;
    if files.is_empty() {
        console::warn(format!(
            "{} has no files in its authors' layout",
            run.manifest.benchmark
        ));
        return Ok(());
    }
    std::fs::create_dir_all(directory).map_err(|error| outputs::failed(directory, &error))?;
    let count = files.len();
    for (name, text) in files {
        // Names of systems come from outside: they stay inside the directory.
        let name = name.replace(['/', '\\', ':'], "_");
        let path = directory.join(name.trim_start_matches('.'));
        outputs::write(&path, text.as_bytes())?;
    }
    console::note(format!("{}: {count} files", directory.display()));
    Ok(())
}

/// Every figure the results have something for, as SVG and as PNG.
pub fn draw(report: &Report, directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| outputs::failed(directory, &error))?;
    let figures = report.figures();
    for figure in &figures {
        let painted = figure
            .png()
            .map_err(|error| Failure::usage(format!("{}: {error}", figure.name)))?;
        for (extension, bytes) in [("svg", figure.svg().into_bytes()), ("png", painted)] {
            let path = directory.join(format!("{}.{extension}", figure.name));
            outputs::write(&path, &bytes)?;
        }
        let path = directory.join(&figure.name);
        console::note(format!("{}.svg, .png: drawn", path.display()));
    }
    if figures.is_empty() {
        console::warn("these results have no figure yet");
    }
    Ok(())
}
