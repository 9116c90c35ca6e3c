//! `epicene audit`: people check a sample of a judge's verdicts, of a run or of any JSON lines.

mod lines;
mod plan;
mod read;
mod sample;
mod words;

use std::path::Path;

use epicene_core::TextFile;

use crate::args::{AuditAction, AuditArgs};
use crate::failure::{Failure, Outcome};
use crate::source;

pub fn run(args: AuditArgs) -> Result<Outcome, Failure> {
    match args.action {
        AuditAction::Sample(args) => sample::run(&args),
        AuditAction::Read(args) => read::run(&args),
        AuditAction::Plan(args) => plan::run(&args),
    }
}

/// A run is a directory, verdicts are a file.
fn is_run(population: &Path) -> bool {
    population.is_dir()
}

fn read_all(paths: &[std::path::PathBuf]) -> Result<Vec<TextFile>, Failure> {
    let files = paths.iter().map(|path| source::read(path));
    Ok(files.collect::<Result<_, _>>()?)
}
