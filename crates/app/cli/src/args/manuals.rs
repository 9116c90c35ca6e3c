//! `completions`, `man`: what a shell and a reader need of the command line itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Args)]
#[command(after_help = "Examples:
  epicene completions bash > ~/.local/share/bash-completion/completions/epicene
  epicene completions zsh > ~/.zfunc/_epicene
  epicene completions fish > ~/.config/fish/completions/epicene.fish")]
pub struct CompletionsArgs {
    /// The shell to write for
    pub shell: Shell,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene man | man -l -
  epicene man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write a page for every command into this directory, instead of one to standard output
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// The command whose page is wanted [default: epicene itself]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}
