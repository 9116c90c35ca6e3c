//! `epicene completions`: a script that completes commands and options in a shell.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::console;
use crate::failure::{Failure, Outcome};

pub fn run(args: CompletionsArgs) -> Result<Outcome, Failure> {
    // The generator writes to memory, which does not fail, and a closed pipe is told from an error here.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "epicene", &mut script);
    console::print(|out| out.write_all(&script))?;
    Ok(Outcome::Done)
}
