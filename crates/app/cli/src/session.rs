//! What one command shares: the words it was given, how much it says, the files it reads and writes, and the program that holds
//! it. Commands in one process do not meet.

use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use epicene_core::System;
use epicene_io::session;
use epicene_io::stop::StopFlag;

use crate::activity::Activity;
use crate::args::Cli;
use crate::console;
use crate::host::Host;
use crate::outputs::Files;

/// A command under way.
#[derive(Default)]
pub struct Session {
    /// The command line: the program's name and its arguments.
    pub command: Vec<OsString>,
    pub quiet: bool,
    pub verbose: bool,
    /// Who holds the command; `None` where it is the program itself.
    pub host: Option<Arc<Host>>,
    pub files: Mutex<Files>,
    pub activity: Mutex<Option<Activity>>,
    /// Systems that the command opened for a run it makes on its way.
    pub lent: Mutex<Vec<Box<dyn System>>>,
}

impl Session {
    /// Begins a command. Threads that enter the session, and those they start, work for it.
    pub fn begin(
        cli: &Cli,
        command: Vec<OsString>,
        host: Option<Arc<Host>>,
    ) -> Arc<session::Session> {
        let stop = host
            .as_ref()
            .map_or_else(StopFlag::of_process, |host| host.stop.clone());
        let own = Arc::new(Session {
            command,
            quiet: cli.quiet,
            verbose: cli.verbose,
            host,
            ..Session::default()
        });
        let shown = Arc::clone(&own);
        let show_wait = move |reason: &str| console::note_in(&shown, reason);
        session::Session::new(stop, cli.max_input, own, show_wait)
    }

    /// The command this thread works for. Without one, as in a program that only reads a run, there is nobody to speak to but
    /// the terminal.
    pub fn current() -> Arc<Session> {
        let current = session::Session::current();
        current
            .and_then(|session| session.program())
            .unwrap_or_default()
    }
}
