//! The only place that prints. Standard output is data; standard error is for people. A program that holds this one gets
//! both instead.

use std::io::{self, IsTerminal, Write};
use std::panic;

use epicene_io::quote::{self, TerminalWriter};
use epicene_report::Target;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::activity;
use crate::failure::Failure;
use crate::host::{self, Said};
use crate::session::Session;

pub fn is_quiet() -> bool {
    Session::current().quiet
}

/// Writes data that are complete to standard output. A reader that left does not change how the command ends.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = stdout();
    let written = write(&mut out).and_then(|()| out.flush());
    Failure::unless_reader_left(written.map_err(Failure::from))
}

/// Standard output. What somebody looks at does not act on their terminal.
pub fn stdout() -> io::BufWriter<Box<dyn Write>> {
    let out: Box<dyn Write> = if let Some(host) = host::current() {
        Box::new(host::Output(host))
    } else if io::stdout().is_terminal() {
        Box::new(Seen(TerminalWriter::new(io::stdout().lock())))
    } else {
        Box::new(io::stdout().lock())
    };
    io::BufWriter::with_capacity(1 << 16, out)
}

/// Standard output that a person sees: from the first word on, it shows that the command works.
struct Seen<W>(W);

impl<W: Write> Write for Seen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        activity::stop();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What standard output is; colours only where a person reads them and did not decline.
pub fn target() -> Target {
    let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match (
        host::current().is_none() && io::stdout().is_terminal(),
        declined,
    ) {
        (true, declined) => Target::Terminal {
            colour: !declined,
            width: width(),
        },
        (false, _) => Target::Pipe,
    }
}

/// Columns of the terminal: as it says itself, or as the environment does; 80 where neither tells.
fn width() -> usize {
    let said = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let found = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or(found).filter(|width| *width > 0).unwrap_or(80)
}

/// A number of things: `1 text`, `2 texts`.
pub fn count(number: impl std::fmt::Display, thing: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A line for people, unless they asked for quiet.
pub fn note(message: impl AsRef<str>) {
    note_in(&Session::current(), message.as_ref());
}

/// The same, from a thread that works for another session.
pub fn note_in(session: &Session, message: &str) {
    if !session.quiet {
        tell(session, Said::Note, "", message);
    }
}

/// A line for people who asked for more.
pub fn detail(message: impl AsRef<str>) {
    let session = Session::current();
    if session.verbose {
        tell(&session, Said::Note, "", message.as_ref());
    }
}

/// Where a model runs, and for those who asked for more where the time of loading it went.
pub fn place(system: &str, place: Option<String>, loading: &[String]) {
    if let Some(place) = place {
        note(format!("{system} runs on {place}"));
    }
    for line in loading {
        detail(format!("{system}: {line}"));
    }
}

/// A line people need even when they asked for quiet: it explains the exit code or the numbers.
pub fn say(message: impl AsRef<str>) {
    tell(&Session::current(), Said::Word, "", message.as_ref());
}

/// Something is off but the work goes on.
pub fn warn(message: impl AsRef<str>) {
    let session = Session::current();
    tell(&session, Said::Warning, "warning: ", message.as_ref());
}

fn tell(session: &Session, kind: fn(String) -> Said, prefix: &str, message: &str) {
    let message = quote::message(message);
    match &session.host {
        Some(host) => host.say(kind(message.to_string())),
        None => activity::beside(session, || write_error_line(prefix, &message)),
    }
}

/// Writes a line to standard error. `eprintln` would panic where the reader of standard error has left.
fn write_error_line(prefix: &str, line: &str) {
    let _ = writeln!(io::stderr(), "{prefix}{line}");
}

pub fn failure(failure: &Failure) {
    activity::stop();
    if failure.is_silent() {
        return;
    }
    write_error_line("error: ", &quote::message(&failure.message));
    if let Some(hint) = &failure.hint {
        write_error_line("hint: ", &quote::message(hint));
    }
}

/// From now on what only a bug can break is said in one sentence that can be reported; with `RUST_BACKTRACE` also the way
/// Rust says it.
pub fn report_bugs() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |facts| {
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            usual(facts);
        }
        write_error_line("error: ", &bug(&facts.to_string()));
    }));
}

fn bug(facts: &str) -> String {
    let facts = facts.replace('\n', " ");
    format!(
        "this is a bug in epicene; please report it with the command and the version ({}): {}",
        env!("CARGO_PKG_VERSION"),
        quote::message(&facts)
    )
}

/// A bar with rate and remaining time on a terminal; nothing in a pipe.
pub fn progress(total: u64, what: &str) -> ProgressBar {
    let host = host::current();
    if host.is_some() || is_quiet() || !io::stderr().is_terminal() {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Some(host) = host.filter(|_| !is_quiet()) {
            bar.set_message(what.to_owned());
            host.watch(&bar);
        }
        return bar;
    }
    let bar = ProgressBar::new(total);
    let template = "{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    activity::make_room_for(&bar);
    bar.set_message(what.to_owned());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_one_line_that_can_be_reported() {
        let said = bug("panicked at src/a.rs:1:2:\nno \x1b[31mitem");
        assert!(said.starts_with("this is a bug in epicene; please report it"));
        assert!(
            said.ends_with("panicked at src/a.rs:1:2: no \\x1b[31mitem"),
            "{said}"
        );
        assert!(said.contains(env!("CARGO_PKG_VERSION")) && !said.contains('\n'));
    }
}
