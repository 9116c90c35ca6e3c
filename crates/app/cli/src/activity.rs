//! A line on the terminal while a command works and shows nothing else: what it does, and for how long. It begins after a second,
//! makes room for bars, messages and output, and is only there for a person who looks at standard error.

use std::io::{self, IsTerminal};
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::session::Session;

/// A command that is done before has nothing to show.
const SILENT: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);

pub struct Activity {
    what: String,
    begun: Instant,
    /// Bars that say more than this line.
    bars: Vec<ProgressBar>,
    line: Option<ProgressBar>,
}

fn activity(session: &Session) -> MutexGuard<'_, Option<Activity>> {
    let activity = session.activity.lock();
    activity.unwrap_or_else(|broken| broken.into_inner())
}

/// Begins the line of a command.
pub fn start(command: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    let session = Session::current();
    *activity(&session) = Some(Activity {
        what: command.to_owned(),
        begun: Instant::now(),
        bars: Vec::new(),
        line: None,
    });
    // Without a thread to spare there is no line, and everything else works.
    let thread = std::thread::Builder::new().name("activity".to_owned());
    let _ = thread.spawn(move || {
        loop {
            std::thread::sleep(BETWEEN);
            match &mut *activity(&session) {
                Some(activity) => activity.draw(),
                None => return,
            }
        }
    });
}

/// Says what the command does now.
pub fn step(what: impl Into<String>) {
    if let Some(activity) = &mut *activity(&Session::current()) {
        activity.what = what.into();
    }
}

/// Leaves the terminal to a bar until that is finished.
pub fn make_room_for(bar: &ProgressBar) {
    if let Some(activity) = &mut *activity(&Session::current()) {
        activity.clear();
        activity.bars.push(bar.clone());
    }
}

/// Writes something beside the line: it is gone before, and comes back after.
pub fn beside<T>(session: &Session, write: impl FnOnce() -> T) -> T {
    let mut held = activity(session);
    if let Some(activity) = &mut *held {
        activity.clear();
    }
    write()
}

/// Ends the line.
pub fn stop() {
    if let Some(mut activity) = activity(&Session::current()).take() {
        activity.clear();
    }
}

impl Activity {
    fn draw(&mut self) {
        self.bars.retain(|bar| !bar.is_finished());
        if !self.bars.is_empty() || self.begun.elapsed() < SILENT {
            return;
        }
        let begun = self.begun;
        let line = self.line.get_or_insert_with(|| {
            let line = ProgressBar::new_spinner().with_elapsed(begun.elapsed());
            match ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                Ok(style) => line.with_style(style),
                Err(_) => line,
            }
        });
        line.set_message(self.what.clone());
        line.tick();
    }

    fn clear(&mut self) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
    }
}
