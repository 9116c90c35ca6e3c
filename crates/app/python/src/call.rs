//! A command on a thread of its own. The thread that called waits in short steps, so that Python handles signals between
//! them, shows progress, and answers what Python systems are asked.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use epicene::library::{self, Done, Failure, FailureKind, Host, Outcome, Said};
use epicene_core::{System, SystemCard};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::import_exception;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::results::Results;
use crate::system::{self, Event, PythonSystem};

import_exception!(epicene.errors, InputError);
import_exception!(epicene.errors, Stopped);
import_exception!(epicene.errors, SystemFailed);
import_exception!(epicene.errors, UsageError);

/// A failure with the command line's words.
pub fn raised(failure: Failure) -> PyErr {
    let words = (failure.message.clone(), failure.hint.clone());
    match (failure.exit_code(), failure.kind) {
        (130 | 143, _) => Stopped::new_err(words),
        (_, FailureKind::Usage) => UsageError::new_err(words),
        (_, FailureKind::Input) => InputError::new_err(words),
        (_, FailureKind::System) => SystemFailed::new_err(words),
    }
}

/// A system as Python describes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Described {
    name: String,
    kind: String,
    source: String,
    revision: Option<String>,
    dtype: Option<String>,
    batch_size: usize,
    probabilities: bool,
}

#[pyclass(frozen)]
pub struct Call {
    host: Arc<Host>,
    inner: Mutex<Inner>,
}

struct Inner {
    events: Receiver<Event>,
    worker: Option<JoinHandle<Result<Done, Failure>>>,
    reply: Option<Sender<Result<String, String>>>,
}

impl Call {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}

#[pymethods]
impl Call {
    /// Starts a command. `arguments` begin with the program's name; `input` is its standard input.
    #[new]
    fn new(
        arguments: Vec<OsString>,
        input: Option<Vec<u8>>,
        systems: Vec<Described>,
    ) -> PyResult<Call> {
        let (sender, events) = channel();
        let mut models: Vec<Box<dyn System>> = Vec::new();
        for (number, described) in systems.into_iter().enumerate() {
            let kind = system::kind(&described.kind).ok_or_else(|| {
                PyValueError::new_err(format!("`{}` is no kind of system", described.kind))
            })?;
            models.push(Box::new(PythonSystem {
                number,
                card: SystemCard {
                    name: described.name,
                    source: described.source,
                    revision: described.revision,
                    dtype: described.dtype,
                    tokenizer: None,
                    kind,
                },
                batch: described.batch_size.max(1),
                probabilities: described.probabilities,
                events: sender.clone(),
            }));
        }
        let host = Arc::new(Host::new(input, models));
        let held = Arc::clone(&host);
        let worker = std::thread::Builder::new()
            .name("epicene".to_owned())
            .spawn(move || {
                let done = library::perform(arguments, &held);
                // Nobody hears it who has gone.
                let _ = sender.send(Event::Done);
                done
            })?;
        Ok(Call {
            host,
            inner: Mutex::new(Inner {
                events,
                worker: Some(worker),
                reply: None,
            }),
        })
    }

    /// Waits at most so many seconds. Gives `None` when nothing happened, `(number, questions)` when a system is asked,
    /// `(-1, "")` when the command is over.
    fn wait(&self, py: Python<'_>, seconds: f64) -> Option<(i64, String)> {
        let time = Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        py.detach(|| {
            let mut inner = self.inner();
            match inner.events.recv_timeout(time) {
                Ok(Event::Asked {
                    system,
                    questions,
                    reply,
                }) => {
                    inner.reply = Some(reply);
                    Some((system as i64, questions))
                }
                Err(RecvTimeoutError::Timeout) => None,
                // The thread ended without a word: it panicked, and `finish` says so.
                Ok(Event::Done) | Err(RecvTimeoutError::Disconnected) => Some((-1, String::new())),
            }
        })
    }

    /// The answers to the last questions, as a JSON list, or why there are none.
    #[pyo3(signature = (answers=None, problem=None))]
    fn answer(&self, answers: Option<String>, problem: Option<String>) {
        if let Some(reply) = self.inner().reply.take() {
            let told = answers.ok_or_else(|| problem.unwrap_or_default());
            // A command that is over needs no answer.
            let _ = reply.send(told);
        }
    }

    /// What was said since the last time, as ("note" | "word" | "warning", text).
    fn news(&self) -> Vec<(&'static str, String)> {
        let news = self.host.news().into_iter();
        news.map(|said| match said {
            Said::Note(text) => ("note", text),
            Said::Word(text) => ("word", text),
            Said::Warning(text) => ("warning", text),
        })
        .collect()
    }

    /// (done, total, what), where something is counted.
    fn progress(&self) -> Option<(u64, u64, String)> {
        self.host.progress()
    }

    /// Asks the command to stop; whether it will do so at its next step.
    fn stop(&self) -> bool {
        let is_heard = self.host.stop();
        self.inner().reply = None;
        is_heard
    }

    /// Waits for the end: (gate failed, output, results, run directory), or the failure.
    #[allow(clippy::type_complexity)]
    fn finish<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(bool, Bound<'py, PyBytes>, Vec<Results>, Option<PathBuf>)> {
        let worker = self.inner().worker.take();
        let worker = worker.ok_or_else(|| PyRuntimeError::new_err("the call is over"))?;
        let done = py
            .detach(|| worker.join())
            .map_err(|_| {
                PyRuntimeError::new_err(
                    "epicene stopped by a bug; the message is on standard error",
                )
            })?
            .map_err(raised)?;
        let results = done.results.into_iter().map(Results::from).collect();
        let output = PyBytes::new(py, &done.output);
        Ok((
            done.outcome == Outcome::GateFailed,
            output,
            results,
            done.run,
        ))
    }
}
