//! The commands for a program that holds this one inside: the same arguments and the same words, but what would be printed
//! is handed back. Several may run at once, each on a thread of its own.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgAction, CommandFactory};
use epicene_bench::Given;
use epicene_core::{Results, Row};
use epicene_pipeline::JudgedRun;
use epicene_run::RunDirectory;

pub use crate::failure::{Failure, FailureKind, Outcome};
pub use crate::host::{Host, Said};

use crate::args::{Cli, has_effect, refusal};
use crate::gate::{Fired, Gate};
use crate::host::locked;
use crate::pages;
use crate::session::Session;

/// Commands parse and judge texts of any depth.
const STACK: usize = 16 << 20;

/// What a command leaves behind.
pub struct Done {
    pub outcome: Outcome,
    /// What it printed, results apart.
    pub output: Vec<u8>,
    pub results: Vec<Results>,
    /// The run directory it made.
    pub run: Option<PathBuf>,
}

/// Performs a command. `arguments` begin with the program's name.
pub fn perform(arguments: Vec<OsString>, host: &Arc<Host>) -> Result<Done, Failure> {
    let cli = Cli::read(&arguments).map_err(|error| refusal(&error, &arguments))?;
    let threads = cli.threads.map_or(0, usize::from);
    let session = Session::begin(&cli, arguments, Some(Arc::clone(host)));
    let entered = Arc::clone(&session);
    // Threads of its own: those of the process work for nobody.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .spawn_handler(move |thread| {
            let session = Arc::clone(&entered);
            let work = move || {
                let _entered = session.enter();
                thread.run();
            };
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn(work).map(drop)
        })
        .build()
        .map_err(|error| Failure::system(format!("cannot start threads: {error}")))?;
    let _entered = session.enter();
    let outcome = pool.install(|| crate::perform(cli));
    let outcome = outcome.map_err(Failure::or_stopped)?;
    Ok(Done {
        outcome,
        output: host.take_output(),
        results: std::mem::take(&mut locked(&host.results)),
        run: locked(&host.run).take(),
    })
}

/// Whether a command line is one that this version understands; nothing is done.
pub fn understand(arguments: Vec<OsString>) -> Result<(), Failure> {
    match Cli::read(&arguments) {
        Ok(_) => Ok(()),
        Err(error) if !error.use_stderr() => Ok(()),
        Err(error) => Err(refusal(&error, &arguments)),
    }
}

/// An option of a command: how a program may give it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// Without the dashes in front.
    pub name: String,
    pub takes: Takes,
    pub help: String,
    /// The values it has, where they are few.
    pub values: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    One,
    /// May be repeated.
    Several,
}

/// The options of a command (`run`, `run gest`, `data pull`), as its arguments and the benchmarks' cards declare them; `None` of
/// an unknown command.
pub fn flags(command: &str) -> Option<Vec<Flag>> {
    let mut program = Cli::command();
    program.build();
    let benchmark = command.strip_prefix("run ").and_then(epicene_bench::find);
    let mut words = command.split(' ');
    let command = words.try_fold(&program, |command, word| command.find_subcommand(word))?;
    // Options of `run` are those of its benchmarks.
    let mut commands = vec![command];
    commands.extend(command.get_subcommands());
    let arguments = commands.into_iter().flat_map(clap::Command::get_arguments);
    let mut known = BTreeSet::new();
    let flags = arguments.filter_map(|argument| {
        let short = || argument.get_short().map(String::from);
        let name = argument.get_long().map(str::to_owned).or_else(short)?;
        let takes = match argument.get_action() {
            ArgAction::Set => Takes::One,
            ArgAction::Append => Takes::Several,
            _ => Takes::Nothing,
        };
        let help = argument.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let values = match argument.get_action() {
            ArgAction::Set | ArgAction::Append => argument.get_possible_values(),
            _ => Vec::new(),
        };
        let values = values.iter().map(|value| value.get_name().to_owned());
        let values = values.collect();
        let id = argument.get_id().as_str();
        let heeded = benchmark.is_none_or(|benchmark| has_effect(benchmark, id));
        let fresh = heeded && name != "help" && known.insert(name.clone());
        fresh.then_some(Flag {
            name,
            takes,
            help,
            values,
        })
    });
    Some(flags.collect())
}

/// A run's summary cards as HTML for a notebook.
pub fn cards(run: &Path) -> Result<String, Failure> {
    let directory = RunDirectory::open(run)?;
    let judged = JudgedRun::open(&directory, &Given::default())?;
    let results = judged.measure()?;
    let part = pages::part(&directory, &judged, results);
    Ok(pages::report(None, vec![part], None).cards())
}

/// The symbols of a benchmark's headline metrics; none of a benchmark there is not.
pub fn headlines(benchmark: &str) -> Vec<&'static str> {
    let card = epicene_bench::find(benchmark).map(|benchmark| benchmark.card());
    let metrics = card.map_or(&[][..], |card| card.metrics).iter();
    metrics
        .filter(|metric| metric.headline)
        .map(|metric| metric.symbol)
        .collect()
}

/// Whether rows pass a check, and what it says of them, one line each.
pub fn check(expression: &str, rows: &[Row]) -> Result<(bool, Vec<String>), Failure> {
    let gate = Gate::parse(expression)?;
    let words = |fired: Vec<Fired<'_>>| fired.iter().map(Fired::words).collect();
    Ok(match gate.fired(rows)? {
        Some(fired) => (false, words(fired)),
        None => (true, gate.passed(rows, &[])),
    })
}

/// The names of all benchmarks.
pub fn benchmarks() -> Vec<&'static str> {
    let all = epicene_bench::ALL.iter();
    all.map(|benchmark| benchmark.card().name).collect()
}
