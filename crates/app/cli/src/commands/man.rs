//! `epicene man`: manual pages, made from the same words as `--help`.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::failure::{Failure, Outcome};
use crate::{console, outputs};

pub fn run(args: ManArgs) -> Result<Outcome, Failure> {
    let mut whole = Cli::grouped();
    whole.build();
    match (&args.out, &args.command) {
        (Some(directory), None) => write_all(&whole, directory)?,
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "--out writes every page; leave the command out",
            ));
        }
        (None, None) => print(&whole)?,
        (None, Some(name)) => {
            let known = whole
                .get_subcommands()
                .find(|command| command.get_name() == name);
            match known {
                Some(command) => print(command)?,
                None => {
                    return Err(Failure::usage(format!("there is no command `{name}`"))
                        .with_hint("epicene --help lists them"));
                }
            }
        }
    }
    Ok(Outcome::Done)
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

fn print(command: &Command) -> Result<(), Failure> {
    let page = page(command)?;
    console::print(|out| out.write_all(&page))
}

/// `epicene.1`, `epicene-run.1`, `epicene-data-pull.1`…
fn write_all(command: &Command, directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory).map_err(|error| outputs::failed(directory, &error))?;
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = directory.join(format!("{name}.1"));
    outputs::write(&path, &page(command)?)?;
    let shown = |child: &&Command| !child.is_hide_set() && child.get_name() != "help";
    command
        .get_subcommands()
        .filter(shown)
        .try_for_each(|child| write_all(child, directory))
}
