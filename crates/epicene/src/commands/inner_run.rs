//! Runs that a command makes on its way, by the line that anybody could type.

use std::path::{Path, PathBuf};

use clap::Parser;
use epicene_run::RunDirectory;

use crate::args::{Cli, Command, RunCommand};
use crate::commands::run;
use crate::failure::Failure;

/// Where runs lie: a directory of the user's, or one that goes when the command ends.
pub enum Place {
    Kept(PathBuf),
    Passing(tempfile::TempDir),
}

impl Place {
    pub fn path(&self) -> &Path {
        match self {
            Place::Kept(path) => path,
            Place::Passing(directory) => directory.path(),
        }
    }
}

pub fn place(kept: Option<&PathBuf>) -> Result<Place, Failure> {
    if let Some(path) = kept {
        return Ok(Place::Kept(path.clone()));
    }
    let made = tempfile::tempdir();
    made.map(Place::Passing).map_err(|error| {
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
