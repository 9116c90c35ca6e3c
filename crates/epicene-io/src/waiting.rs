//! Waits that a person should know of: for a server that asks for patience, for another process, for the other end of a
//! pipe. A wait that lasts is shown once with its reason. Libraries print nothing: the program says how ([`show_with`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::limits::SILENT_WAIT;
use crate::stop::{self, Interrupted};

#[derive(Default)]
struct Waits {
    next: u64,
    /// Waits that are not shown yet: when they began, and why.
    open: BTreeMap<u64, (Instant, String)>,
    /// When a reason was shown last: a hundred requests wait for one server.
    shown: BTreeMap<String, Instant>,
}

/// The same reason is shown again after this long.
const SAME_AGAIN: Duration = Duration::from_secs(30);

static WAITS: Mutex<Option<Waits>> = Mutex::new(None);
static BEGUN: Condvar = Condvar::new();
static SHOW: OnceLock<fn(&str)> = OnceLock::new();

fn waits() -> MutexGuard<'static, Option<Waits>> {
    WAITS.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Shows waits that last with `show`, from a thread of its own. The first call counts.
pub fn show_with(show: fn(&str)) {
    if SHOW.set(show).is_err() {
        return;
    }
    // Without a thread to spare, waits are not shown and everything else works.
    let _ = std::thread::Builder::new()
        .name("waits".to_owned())
        .spawn(move || {
            loop {
                for reason in due() {
                    show(&reason);
                }
            }
        });
}

/// Blocks until a wait is due to be shown.
fn due() -> Vec<String> {
    let mut held = waits();
    loop {
        let waits = held.get_or_insert_default();
        let now = Instant::now();
        let is_due = |(begun, _): &(Instant, String)| now.duration_since(*begun) >= SILENT_WAIT;
        let ready: Vec<u64> = waits
            .open
            .iter()
            .filter(|(_, wait)| is_due(wait))
            .map(|(id, _)| *id)
            .collect();
        let reasons: BTreeSet<String> = ready
            .iter()
            .filter_map(|id| Some(waits.open.remove(id)?.1))
            .collect();
        let is_new = |reason: &String| {
            let last = waits.shown.insert(reason.clone(), now);
            last.is_none_or(|last| now.duration_since(last) >= SAME_AGAIN)
        };
        let new: Vec<String> = reasons.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            return new;
        }
        let first = waits.open.values().map(|(begun, _)| *begun).min();
        held = match first {
            Some(begun) => {
                let left = (begun + SILENT_WAIT).saturating_duration_since(now);
                let left = left.max(Duration::from_millis(1));
                let woken = BEGUN.wait_timeout(held, left);
                woken.unwrap_or_else(|broken| broken.into_inner()).0
            }
            None => BEGUN
                .wait(held)
                .unwrap_or_else(|broken| broken.into_inner()),
        };
    }
}

/// A wait under way; it ends when this is dropped.
#[derive(Debug)]
pub struct Waiting(Option<u64>);

/// Begins a wait, which is shown if it lasts.
pub fn begin(reason: impl FnOnce() -> String) -> Waiting {
    if SHOW.get().is_none() {
        return Waiting(None);
    }
    let mut held = waits();
    let waits = held.get_or_insert_default();
    let id = waits.next;
    waits.next += 1;
    waits.open.insert(id, (Instant::now(), reason()));
    BEGUN.notify_one();
    Waiting(Some(id))
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let (Some(id), Some(waits)) = (self.0, waits().as_mut()) {
            waits.open.remove(&id);
        }
    }
}

/// Waits for a time, unless asked to stop. A longer one is shown.
pub fn pause(time: Duration, reason: impl FnOnce() -> String) -> Result<(), Interrupted> {
    let _shown = (time >= SILENT_WAIT).then(|| begin(reason));
    stop::pause(time)
}
