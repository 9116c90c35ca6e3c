//! SIGINT and SIGTERM. While answers come in, the first signal is a wish: what is under way is finished
//! and written, and the command says how to go on. Elsewhere, and the second time, it is the end: files
//! on their way are dropped, those in place stay.

use std::sync::Arc;

use epicene_io::session::Session;

/// `SIGINT`, for messages.
pub fn name(signal: i32) -> &'static str {
    match signal {
        2 => "SIGINT",
        15 => "SIGTERM",
        _ => "a signal",
    }
}

#[cfg(unix)]
pub fn watch(session: &Arc<Session>) {
    use epicene_io::output;
    use epicene_io::session::handed_on;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::console;

    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM]
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // The thread comes first: with a handler and no thread, signals would be lost.
    let (sender, receiver) = std::sync::mpsc::channel::<Signals>();
    let stop = session.stop.clone();
    let work = handed_on(move || {
        let Ok(mut signals) = receiver.recv() else {
            return;
        };
        for signal in signals.forever() {
            let again = stop.requested().is_some();
            if again || !stop.is_heard() {
                output::abandon_all();
                console::say(format!("stopped by {}", name(signal)));
                std::process::exit(128 + signal);
            }
            // The request comes first: nothing that happens to the message may lose it.
            stop.request(signal);
            console::say(format!(
                "{}: finishing what is under way; press Ctrl-C again to stop immediately",
                name(signal)
            ));
        }
    });
    let started = std::thread::Builder::new().spawn(work);
    if started.is_ok()
        && let Ok(signals) = Signals::new(wanted)
    {
        let _ = sender.send(signals);
    }
}

/// Signals that whoever started us wants ignored (`nohup`, a script's `&`), one bit each.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}

#[cfg(not(unix))]
pub fn watch(_: &Arc<Session>) {}
