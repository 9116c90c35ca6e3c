//! epicene measures gender bias in language models and machine translation.
//!
//! This crate is the command line: arguments, progress, messages, exit codes. What is computed is
//! computed elsewhere. It is a library so that the Python package can hold the same commands.

mod activity;
mod answer_files;
mod args;
mod asking;
mod chatting;
mod commands;
mod console;
mod datasets;
mod destination;
mod detector_command;
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
mod model_reader;
mod outputs;
mod packs;
mod pages;
mod process;
mod results;
mod session;
mod signals;
mod source;
mod suggest;
mod systems;
mod tokenizers;
mod translating;

use std::ffi::OsString;

use clap::error::ErrorKind;

use args::{Asked, Cli, Command, DataAction, OldCommand, PaperWork, RunCommand};
use failure::{Failure, Outcome};
use session::Session;

/// The program, with these arguments; the first is its name. The exit code is what it would end with.
pub fn main_with(arguments: Vec<OsString>) -> u8 {
    console::report_bugs();
    let cli = match Cli::read(&arguments) {
        Ok(cli) => cli,
        Err(error) if is_help(&error) => error.exit(),
        Err(error) => {
            let failure = args::refusal(&error, &arguments);
            console::failure(&failure);
            return failure.exit_code();
        }
    };
    // `data pull` is at work on data.
    let is_word = |word: &&str| !word.starts_with('-') && word.parse::<u64>().is_err();
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let command = words.find(is_word).unwrap_or("epicene").to_owned();
    let session = Session::begin(&cli, arguments, None);
    let _entered = session.enter();
    if !cli.quiet {
        activity::start(&command);
    }
    signals::watch(&session);
    process::outlive_size_limits();
    let threads = process::start_threads(cli.threads);
    let renamed = match &cli.command {
        Command::Old(old) => Some(old.names()),
        _ => None,
    };
    let code = match threads.and_then(|()| perform(cli)) {
        Ok(outcome) => outcome.exit_code(),
        Err(failure) => {
            let failure = failure.or_stopped();
            console::failure(&failure);
            failure.exit_code()
        }
    };
    activity::stop();
    if let Some((before, now)) = renamed {
        console::note(format!(
            "note: `epicene {before}` is now called `epicene {now}`; the old name will be removed in version 0.4"
        ));
    }
    code
}

/// What was asked for, or what a command without words shows.
fn is_help(error: &clap::Error) -> bool {
    let on_nothing = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    !error.use_stderr() || error.kind() == on_nothing
}

/// Does what a command line says.
fn perform(cli: Cli) -> Result<Outcome, Failure> {
    match cli.command {
        Command::Run(RunCommand(args)) => commands::run::run(&args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::Export(args) => commands::export::run(&args),
        Command::View(args) => commands::view::run(&args),
        Command::Gender(args) => match args.asked()? {
            Asked::Speaker(args) => commands::detect::run(args),
            Asked::Person(args) => commands::judge::run(&args),
        },
        Command::Verify(args) => commands::verify::run(&args),
        Command::Audit(args) => commands::audit::run(args),
        Command::Power(args) => commands::plan::run(args),
        Command::Data(args) => match args.action {
            DataAction::Make(args) => commands::generate::run(&args),
            DataAction::CheckPack(args) => commands::check_pack::run(&args),
            DataAction::Lint(args) => commands::check_sentences::run(&args),
            DataAction::Extract(args) => commands::extract::run(args),
            DataAction::Pairs(args) => commands::pairs::run(args),
            DataAction::Sets(action) => commands::data::run(action),
        },
        Command::Show(args) => commands::show::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Cite(args) => commands::cite::run(args),
        Command::Reproduce(args) => match args.work {
            Some(PaperWork::Experiment(args)) => commands::experiment::run(args),
            Some(PaperWork::Wordscore(args)) => commands::wordscore::run(&args),
            None => commands::reproduce::run(&args),
        },
        Command::ExportQuestions(args) => commands::ask::run(*args),
        Command::ImportAnswers(args) => commands::tell::run(&args),
        Command::Status(args) => commands::status::run(&args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Score(args) => commands::score::run(args),
        Command::Translate(args) => commands::translate::run(args),
        Command::Complete(args) => commands::generate_text::run(args),
        Command::Align(args) => commands::align::run(&args),
        Command::Demo(args) => commands::demo::run(args),
        Command::Checks => print_checks(),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
        Command::Old(old) => match old {
            OldCommand::Detect(args) => commands::detect::run(args),
            OldCommand::Judge(args) => commands::judge::run(&args),
            OldCommand::Pairs(args) => commands::pairs::run(args),
            OldCommand::Extract(args) => commands::extract::run(args),
            OldCommand::Experiment(args) => commands::experiment::run(args),
            OldCommand::GenerateText(args) => commands::generate_text::run(args),
            OldCommand::Ask(args) => commands::ask::run(*args),
            OldCommand::Tell(args) => commands::tell::run(&args),
            OldCommand::Generate(args) => commands::generate::run(&args),
            OldCommand::Wordscore(args) => commands::wordscore::run(&args),
            OldCommand::Plan(args) => commands::plan::run(args),
            OldCommand::Items(args) => commands::items::run(args),
            OldCommand::CheckSentences(args) => commands::check_sentences::run(&args),
            OldCommand::Gates => print_checks(),
        },
    }
}

fn print_checks() -> Result<Outcome, Failure> {
    console::print(|out| out.write_all(gate::HELP.as_bytes())).map(|()| Outcome::Done)
}
