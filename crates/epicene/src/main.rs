//! epicene measures gender bias in language models and machine translation.
//!
//! This crate is the command line: arguments, progress, messages, exit codes. What is computed is
//! computed elsewhere.

#![deny(clippy::match_bool)]

mod answer_files;
mod args;
mod asking;
mod commands;
mod console;
mod datasets;
mod destination;
mod failure;
mod gate;
mod given;
mod outputs;
mod pages;
mod results;
mod signals;
mod source;
mod systems;
mod translating;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    console::set_quiet(cli.quiet);
    signals::watch();
    if let Some(bytes) = cli.max_input {
        epicene_io::input::allow(bytes);
    }
    let done = start_threads(cli.threads).and_then(|()| match cli.command {
        Command::Run(args) => commands::run::run(&args),
        Command::Detect(args) => commands::detect::run(args),
        Command::Judge(args) => commands::judge::run(&args),
        Command::Translate(args) => commands::translate::run(args),
        Command::Pairs(args) => commands::pairs::run(args),
        Command::Extract(args) => commands::extract::run(args),
        Command::Experiment(args) => commands::experiment::run(args),
        Command::Score(args) => commands::score::run(args),
        Command::GenerateText(args) => commands::generate_text::run(args),
        Command::Ask(args) => commands::ask::run(*args),
        Command::Tell(args) => commands::tell::run(&args),
        Command::Status(args) => commands::status::run(&args),
        Command::Align(args) => commands::align::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Wordscore(args) => commands::wordscore::run(&args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Items(args) => commands::items::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Data(args) => commands::data::run(args),
        Command::Demo(args) => commands::demo::run(args),
        Command::Gates => console::print(|out| out.write_all(gate::HELP.as_bytes()))
            .map(|()| failure::Outcome::Done),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    });
    match done {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            let failure = failure.or_stopped();
            console::failure(&failure);
            failure.exit_code()
        }
    }
}

fn start_threads(threads: Option<u16>) -> Result<(), failure::Failure> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| failure::Failure::usage(format!("cannot start threads: {error}")))
}
