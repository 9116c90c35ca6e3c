//! Errors at the edge: one message, one hint, one exit code.

use std::io;

use epicene_bench::BenchError;
use epicene_core::InputError;
use epicene_io::stop::{self, Interrupted};
use epicene_lm::{LmError, SystemSpecError};
use epicene_mt::MtError;
use epicene_pipeline::PipelineError;
use epicene_run::RunError;

use crate::signals;

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

/// Bad usage or bad input: exit code 2. A reader that went away is no error.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub hint: Option<String>,
    broken_pipe: bool,
    /// The signal that stopped the work: exit code 128 and its number, as shells have it.
    signal: Option<i32>,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            hint: None,
            broken_pipe: false,
            signal: None,
        }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
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

    /// Work that was stopped between two steps, and what is left of it.
    pub fn stopped(Interrupted { signal }: Interrupted, kept: &str) -> Failure {
        Failure {
            signal: Some(signal),
            ..Failure::usage(format!("stopped by {}; {kept}", signals::name(signal)))
        }
    }

    /// What a signal broke off is no failure of its own.
    pub fn or_stopped(self) -> Failure {
        match stop::requested() {
            Some(interrupted) if self.signal.is_none() => Failure::stopped(
                interrupted,
                "what was answered is kept, and the same command continues",
            ),
            _ => self,
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure {
            message: error.to_string(),
            hint: error.hint,
            broken_pipe: false,
            signal: None,
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            broken_pipe: false,
            signal: None,
        }
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Failure {
        let hint = error.hint();
        Failure {
            hint,
            ..Failure::usage(error.to_string())
        }
    }
}

impl From<epicene_bench::OptionError> for Failure {
    fn from(error: epicene_bench::OptionError) -> Failure {
        PipelineError::from(error).into()
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        match error {
            BenchError::Input(error) => error.into(),
            other => Failure::usage(other.to_string()),
        }
    }
}

impl From<LmError> for Failure {
    fn from(error: LmError) -> Failure {
        Failure {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            broken_pipe: false,
            signal: None,
        }
    }
}

impl From<MtError> for Failure {
    fn from(error: MtError) -> Failure {
        Failure {
            message: error.to_string(),
            hint: error.hint(),
            broken_pipe: false,
            signal: None,
        }
    }
}

impl From<SystemSpecError> for Failure {
    fn from(error: SystemSpecError) -> Failure {
        Failure::usage(error.to_string()).with_hint(error.hint())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure {
            message: format!("cannot write: {error}"),
            hint: None,
            broken_pipe: error.kind() == io::ErrorKind::BrokenPipe,
            signal: None,
        }
    }
}
