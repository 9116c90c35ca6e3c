//! Runs that a command makes on its way, by the line that anybody could type.

use std::path::{Path, PathBuf};

use clap::Parser;
use epicene_run::RunDirectory;

use crate::args::{Cli, Command, RunCommand};
use crate::commands::run;
use crate::failure::Failure;

/// Where runs lie: a directory of the user's, or one that goes when the command ends.
pub enum RunsIn {
    Kept(PathBuf),
    Passing(tempfile::TempDir),
}

impl RunsIn {
    pub fn path(&self) -> &Path {
        match self {
            RunsIn::Kept(path) => path,
            RunsIn::Passing(directory) => directory.path(),
        }
    }
}

pub fn place(kept: Option<&PathBuf>) -> Result<RunsIn, Failure> {
    if let Some(path) = kept {
        return Ok(RunsIn::Kept(path.clone()));
    }
    let made = tempfile::tempdir();
    made.map(RunsIn::Passing).map_err(|error| {
        Failure::system(format!("no place for the runs: {error}")).with_hint("set TMPDIR")
    })
}

/// `epicene run` with these arguments into this directory.
pub fn run(arguments: &[String], out: &Path) -> Result<RunDirectory, Failure> {
    let line = ["epicene".to_owned(), "run".to_owned()].into_iter();
    let line = line.chain(arguments.iter().cloned());
    let line = line.chain(["--out".to_owned(), out.display().to_string()]);
    let parsed = Cli::try_parse_from(line).map_err(|error| Failure::usage(error.to_string()))?;
    let Command::Run(RunCommand(args)) = parsed.command else {
        unreachable!("the line begins with `run`");
    };
    Ok(run::answer(&args)?.expect("a run without shards is measured"))
}
