//! epicene measures gender bias in language models and machine translation.
//!
//! This crate is the command line: arguments, progress, messages, exit codes. What is computed is
//! computed elsewhere. It is a library so that the Python package can hold the same commands.

mod answer_files;
mod args;
mod asking;
mod chatting;
mod commands;
mod console;
mod datasets;
mod destination;
mod effects;
mod encoder;
mod failure;
mod gate;
mod given;
mod host;
mod json_lines;
mod judge_figures;
mod junit;
mod languages;
pub mod library;
mod outputs;
mod pages;
mod results;
mod signals;
mod source;
mod systems;
mod tokenizers;
mod translating;

use std::ffi::OsString;

use clap::Parser;

use args::{Cli, Command};
use failure::{Failure, Outcome};

/// The program, with these arguments; the first is its name. The exit code is what it would end with.
pub fn main_with(arguments: Vec<OsString>) -> u8 {
    console::report_bugs();
    let cli = Cli::parse_from(&arguments);
    host::set_command(arguments);
    signals::watch();
    let threads = start_threads(cli.threads);
    match threads.and_then(|()| perform(cli)) {
        Ok(outcome) => outcome.exit_code(),
        Err(failure) => {
            let failure = failure.or_stopped();
            console::failure(&failure);
            failure.exit_code()
        }
    }
}

/// Does what a command line says.
fn perform(cli: Cli) -> Result<Outcome, Failure> {
    console::set_words(cli.quiet, cli.verbose);
    if let Some(bytes) = cli.max_input {
        epicene_io::input::allow(bytes);
    }
    match cli.command {
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
        Command::Audit(args) => commands::audit::run(args),
        Command::Items(args) => commands::items::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::View(args) => commands::view::run(&args),
        Command::List(args) => commands::list::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Data(args) => commands::data::run(args),
        Command::Cite(args) => commands::cite::run(args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::CheckSentences(args) => commands::check_sentences::run(&args),
        Command::Demo(args) => commands::demo::run(args),
        Command::Gates => {
            console::print(|out| out.write_all(gate::HELP.as_bytes())).map(|()| Outcome::Done)
        }
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    }
}

fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else {
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::system(format!("cannot start threads: {error}")))
}
