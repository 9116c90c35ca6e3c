//! The only place that prints. Standard output is data; standard error is for people.
#![allow(clippy::print_stderr)]

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use epicene_report::Target;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::Failure;

static QUIET: AtomicBool = AtomicBool::new(false);

pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes data to standard output.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// What standard output is; colours only where a person reads them and did not decline.
pub fn target() -> Target {
    let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match io::stdout().is_terminal() && !declined {
        true => Target::Terminal,
        false => Target::Pipe,
    }
}

/// A line for people, unless they asked for quiet.
pub fn note(message: impl AsRef<str>) {
    if !is_quiet() {
        eprintln!("{}", message.as_ref());
    }
}

/// A line people need even when they asked for quiet: it explains the exit code or the numbers.
pub fn say(message: impl AsRef<str>) {
    eprintln!("{}", message.as_ref());
}

/// Something is off but the work goes on.
pub fn warn(message: impl AsRef<str>) {
    eprintln!("warning: {}", message.as_ref());
}

pub fn failure(failure: &Failure) {
    if failure.is_silent() {
        return;
    }
    eprintln!("error: {}", failure.message);
    if let Some(hint) = &failure.hint {
        eprintln!("hint: {hint}");
    }
}

/// A bar with rate and remaining time on a terminal; nothing in a pipe.
pub fn progress(total: u64, what: &str) -> ProgressBar {
    if is_quiet() || !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(total);
    let template = "{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}
