//! `epicene report`: measures of finished runs, recomputed from their logs, in any format.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use epicene_core::Row;
use epicene_report::{Format, Results};
use epicene_run::RunDirectory;

use crate::args::ReportArgs;
use crate::commands::run::judge;
use crate::failure::{Failure, Outcome};
use crate::gate::Gate;
use crate::{console, results};

pub fn run(args: ReportArgs) -> Result<Outcome, Failure> {
    let gate = args.fail_if.as_deref().map(Gate::parse).transpose()?;
    let format = match (&args.output_file, args.output.format) {
        (Some(path), None) => format_of(path)?,
        (_, format) => format.unwrap_or_default(),
    };
    let runs = args
        .runs
        .iter()
        .map(|path| RunDirectory::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    // The file is opened before the work, so that a bad path does not cost it; what it replaces goes
    // only when the new one is whole.
    let file = args.output_file.as_deref().map(create).transpose()?;
    let parts = runs
        .iter()
        .map(|run| results::measure(run, &args.measure))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(directory) = &args.figures {
        draw(&runs, &parts, directory)?;
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
    let joined = match format {
        Format::Json | Format::Csv => vec![join(parts)],
        _ => parts,
    };
    match file {
        Some((mut out, part, path)) => {
            for results in &joined {
                format.exporter(results::FILE).write(results, &mut out)?;
            }
            out.flush()?;
            std::fs::rename(&part, &path)?;
        }
        None => {
            for results in &joined {
                results::show(results, Some(format))?;
            }
        }
    }
    let rows: Vec<Row> = joined.into_iter().flat_map(|part| part.rows).collect();
    judge(gate, &rows)
}

/// Writes what can be compared with the authors' own files.
fn write_author_files(
    run: &RunDirectory,
    args: &ReportArgs,
    directory: &Path,
) -> Result<(), Failure> {
    let failed =
        |path: &Path, error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    let files = results::author_files(run, &args.measure)?;
    if files.is_empty() {
        console::warn(format!(
            "{} has no files in its authors' layout",
            run.manifest.benchmark
        ));
        return Ok(());
    }
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let count = files.len();
    for (name, text) in files {
        // Names of systems come from outside: they stay inside the directory.
        let name = name.replace(['/', '\\', ':'], "_");
        let path = directory.join(name.trim_start_matches('.'));
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    console::note(format!("{}: {count} files", directory.display()));
    Ok(())
}

/// Draws what the rows of all runs have a figure for.
fn draw(runs: &[RunDirectory], parts: &[Results], directory: &Path) -> Result<(), Failure> {
    let rows: Vec<&[Row]> = parts.iter().map(|part| part.rows.as_slice()).collect();
    let baselines = results::benchmark(&runs[0].manifest.benchmark)?.baselines();
    let failed =
        |path: &Path, error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let figures = epicene_report::figures(&rows, &baselines);
    for figure in &figures {
        let path = directory.join(format!("{}.svg", figure.name));
        std::fs::write(&path, &figure.svg).map_err(|error| failed(&path, error))?;
        console::note(format!("{}: drawn", path.display()));
    }
    if figures.is_empty() {
        console::warn("these results have no figure yet");
    }
    Ok(())
}

/// One tidy table for machines; the signatures stand side by side.
fn join(parts: Vec<Results>) -> Results {
    let signatures: Vec<String> = parts.iter().map(|part| part.signature.clone()).collect();
    Results {
        signature: signatures.join(" + "),
        rows: parts.into_iter().flat_map(|part| part.rows).collect(),
        notes: Vec::new(),
        views: Vec::new(),
    }
}

fn format_of(path: &Path) -> Result<Format, Failure> {
    path.extension()
        .and_then(|extension| Format::of_extension(extension.to_str()?))
        .ok_or_else(|| {
            Failure::usage(format!("{}: the extension names no format", path.display()))
                .with_hint("use .txt, .json, .csv, .md or .tex, or give --format")
        })
}

/// The file that becomes `path`.
fn create(path: &Path) -> Result<(BufWriter<File>, PathBuf, PathBuf), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    match File::create(&part) {
        Ok(file) => Ok((BufWriter::new(file), part, path.to_owned())),
        Err(error) => Err(Failure::usage(format!("{}: {error}", path.display()))),
    }
}
