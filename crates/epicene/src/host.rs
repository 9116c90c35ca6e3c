//! Who holds this program, and the words it was called with.

use std::ffi::OsString;
use std::sync::{Mutex, MutexGuard};

static COMMAND: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

fn locked() -> MutexGuard<'static, Vec<OsString>> {
    COMMAND.lock().unwrap_or_else(|broken| broken.into_inner())
}

pub fn set_command(arguments: Vec<OsString>) {
    *locked() = arguments;
}

/// The command line, for manifests: the program's name and its arguments.
pub fn command() -> Vec<String> {
    let words = locked();
    let words = words.iter();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}
