//! Errors at the edge: one message, one hint, one exit code.

use std::io;

use epicene_bench::BenchError;
use epicene_core::{InputError, SystemError};
use epicene_io::stop::{self, Interrupted};
use epicene_lm::{LmError, SystemSpecError};
use epicene_mt::MtError;
use epicene_pipeline::PipelineError;
use epicene_run::RunError;

use crate::{signals, suggest};

/// How a command ended when nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// `--fail-if` held: exit code 1.
    GateFailed,
}

impl Outcome {
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::GateFailed => 1,
        }
    }
}

/// Whose doing a failure is. What only a bug of ours can break is none of these: it stops the program (`expect`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The command itself: an option, a name, a combination that has no meaning.
    Usage,
    /// What the command was given to read.
    Input,
    /// What the command needs and does not command: a model, a server, the disk.
    System,
}

/// A command that came to nothing: exit code 2. A reader that left is no error: a command that streams stops there.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub hint: Option<String>,
    broken_pipe: bool,
    /// The signal that stopped the work: exit code 128 and its number, as shells have it.
    signal: Option<i32>,
}

impl Failure {
    fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: message.into(),
            hint: None,
            broken_pipe: false,
            signal: None,
        }
    }

    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Usage, message)
    }

    pub fn input(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::Input, message)
    }

    pub fn system(message: impl Into<String>) -> Failure {
        Failure::new(FailureKind::System, message)
    }

    fn hinted(self, hint: Option<String>) -> Failure {
        Failure { hint, ..self }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// A file or a stream that could not be written.
    pub fn of_writing(message: String, error: &io::Error) -> Failure {
        Failure {
            broken_pipe: error.kind() == io::ErrorKind::BrokenPipe,
            ..Failure::system(message)
        }
    }

    /// What becomes of a command whose outcome is decided when the reader of its output leaves: nothing.
    pub fn unless_reader_left(written: Result<(), Failure>) -> Result<(), Failure> {
        written.or_else(|failure| {
            if failure.broken_pipe {
                Ok(())
            } else {
                Err(failure)
            }
        })
    }

    pub fn is_silent(&self) -> bool {
        self.broken_pipe
    }

    pub fn exit_code(&self) -> u8 {
        match (self.broken_pipe, self.signal) {
            (true, _) => 0,
            (false, None) => 2,
            (false, Some(signal)) => u8::try_from(128 + signal).unwrap_or(2),
        }
    }

    /// Whether a signal ended the work.
    pub fn is_stopped(&self) -> bool {
        self.signal.is_some()
    }

    /// Work that was stopped between two steps, and what is left of it.
    pub fn stopped(Interrupted { signal }: Interrupted, kept: &str) -> Failure {
        Failure {
            signal: Some(signal),
            ..Failure::system(format!("stopped by {}; {kept}", signals::name(signal)))
        }
    }

    /// What a signal broke off is no failure of its own.
    pub fn or_stopped(self) -> Failure {
        self.or_stopped_keeping("what was answered is kept, and the same command continues")
    }

    /// The same, with what is left of the work.
    pub fn or_stopped_keeping(self, kept: &str) -> Failure {
        match stop::requested() {
            Some(interrupted) if self.signal.is_none() => Failure::stopped(interrupted, kept),
            _ => self,
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::input(error.to_string()).hinted(error.hint)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        PipelineError::from(error).into()
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Failure {
        let hint = match &error {
            PipelineError::Run(RunError::NotARun { .. }) => Some(runs_here()),
            PipelineError::UnknownBenchmark(name) => {
                let known = epicene_bench::ALL.iter().map(|b| b.card().name);
                let closest = suggest::closest(name, known, 2);
                if closest.is_empty() {
                    error.hint()
                } else {
                    Some(format!(
                        "closest: {}; `epicene list benchmarks` has them all",
                        closest.join(", ")
                    ))
                }
            }
            error => error.hint(),
        };
        let kind = match &error {
            PipelineError::Option(_) | PipelineError::UnknownBenchmark(_) => FailureKind::Usage,
            // A full disk, a directory that may not be written to, somebody else at work there.
            PipelineError::Run(RunError::Io { .. } | RunError::Locked { .. })
            | PipelineError::WrongNumber { .. } => FailureKind::System,
            PipelineError::Run(_)
            | PipelineError::Bench(_)
            | PipelineError::NoLabels { .. }
            | PipelineError::TooFewLabels { .. }
            | PipelineError::NoLinks { .. }
            | PipelineError::LinksOfNothing { .. }
            | PipelineError::NotTheSame { .. }
            | PipelineError::UnknownRecord { .. } => FailureKind::Input,
        };
        Failure::new(kind, error.to_string()).hinted(hint)
    }
}

/// Runs that a wrong path may have meant.
fn runs_here() -> String {
    let mut found: Vec<String> = Vec::new();
    for folder in [".", "epicene-runs"] {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().join("manifest.json").is_file() {
                let path = entry.path();
                let path = path.strip_prefix(".").unwrap_or(&path);
                found.push(path.display().to_string());
            }
        }
    }
    found.sort();
    let more = match found.len().checked_sub(MOST_RUNS) {
        None | Some(0) => String::new(),
        Some(more) => format!(" and {more} more"),
    };
    found.truncate(MOST_RUNS);
    if found.is_empty() {
        "there are no runs here; `epicene run` makes one".to_owned()
    } else {
        format!("runs here: {}{more}", found.join(", "))
    }
}

/// Runs that a hint names.
const MOST_RUNS: usize = 5;

impl From<epicene_bench::OptionError> for Failure {
    fn from(error: epicene_bench::OptionError) -> Failure {
        PipelineError::from(error).into()
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        PipelineError::from(error).into()
    }
}

impl From<LmError> for Failure {
    fn from(error: LmError) -> Failure {
        let hint = error.hint().map(str::to_owned);
        Failure::system(error.to_string()).hinted(hint)
    }
}

impl From<SystemError> for Failure {
    fn from(error: SystemError) -> Failure {
        Failure::system(error.to_string()).hinted(error.hint)
    }
}

impl From<MtError> for Failure {
    fn from(error: MtError) -> Failure {
        let hint = error.hint();
        Failure::system(error.to_string()).hinted(hint)
    }
}

impl From<SystemSpecError> for Failure {
    fn from(error: SystemSpecError) -> Failure {
        Failure::usage(error.to_string()).with_hint(error.hint())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::of_writing(format!("cannot write: {error}"), &error)
    }
}
