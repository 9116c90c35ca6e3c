//! `epicene view`: run directories in a browser, live, whatever their size.

use std::path::PathBuf;

use epicene_io::stop;
use epicene_view::{Server, find_runs};

use crate::args::ViewArgs;
use crate::failure::{Failure, Outcome};
use crate::{activity, console};

/// Where runs are made when nobody says otherwise.
const USUAL: &str = "epicene-runs";

pub fn run(args: &ViewArgs) -> Result<Outcome, Failure> {
    let given = if args.directories.is_empty() {
        vec![PathBuf::from(USUAL)]
    } else {
        args.directories.clone()
    };
    for path in &given {
        if !path.is_dir() {
            let what = if path.exists() {
                "this is a file, not a directory"
            } else {
                "there is no such directory"
            };
            let hint = "name run directories, or a directory with runs in it";
            return Err(Failure::input(format!("{}: {what}", path.display())).with_hint(hint));
        }
    }
    let runs = find_runs(&given);
    if runs.is_empty() {
        return Err(Failure::input("no run directory found")
            .with_hint("a run is a directory with a manifest.json, as `epicene run` makes it"));
    }
    let server = Server::bind(&runs, args.port, env!("CARGO_PKG_VERSION"))
        .map_err(|error| Failure::system(error.to_string()))?;
    let address = server
        .address()
        .map_err(|error| Failure::system(error.to_string()))?;
    // The address is the data: whoever starts this from a program reads it.
    console::print(|out| writeln!(out, "{address}"))?;
    console::note(format!(
        "{}; open the address in a browser on this machine; Ctrl-C ends",
        console::count(runs.len(), "run")
    ));
    activity::stop();
    let _finishing = stop::stoppable();
    server
        .serve(|| stop::requested().is_some())
        .map_err(|error| Failure::system(error.to_string()))?;
    Ok(Outcome::Done)
}
