//! Waits that a person should know of: for a server that asks for patience, for another process, for the other end of a
//! pipe. A wait that lasts is shown once with its reason. Libraries print nothing: the session says how.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

use crate::limits::SILENT_WAIT;
use crate::session::Session;
use crate::stop::{self, Interrupted};

/// The waits of a session.
pub(crate) struct Waits {
    state: Mutex<State>,
    begun: Condvar,
    started: Once,
    show: Box<dyn Fn(&str) + Send + Sync>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// Waits that are not shown yet: when they began, and why.
    open: BTreeMap<u64, (Instant, String)>,
    /// When a reason was shown last: a hundred requests wait for one server.
    shown: BTreeMap<String, Instant>,
    closed: bool,
}

/// The same reason is shown again after this long.
const SAME_AGAIN: Duration = Duration::from_secs(30);

impl Waits {
    pub(crate) fn shown_by(show: impl Fn(&str) + Send + Sync + 'static) -> Arc<Waits> {
        Arc::new(Waits {
            state: Mutex::default(),
            begun: Condvar::new(),
            started: Once::new(),
            show: Box::new(show),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Nothing is shown any more.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.begun.notify_all();
    }

    /// Shows waits from a thread of its own, which the first wait starts.
    fn start(self: &Arc<Waits>) {
        self.started.call_once(|| {
            let waits = Arc::clone(self);
            // Without a thread to spare, waits are not shown and everything else works.
            let _ = std::thread::Builder::new()
                .name("waits".to_owned())
                .spawn(move || {
                    while let Some(due) = waits.due() {
                        due.iter().for_each(|reason| (waits.show)(reason));
                    }
                });
        });
    }

    /// Blocks until a wait is due to be shown; `None` when nothing will be.
    fn due(&self) -> Option<Vec<String>> {
        let mut held = self.state();
        loop {
            if held.closed {
                return None;
            }
            let waits = &mut *held;
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
                return Some(new);
            }
            let first = waits.open.values().map(|(begun, _)| *begun).min();
            held = match first {
                Some(begun) => {
                    let left = (begun + SILENT_WAIT).saturating_duration_since(now);
                    let left = left.max(Duration::from_millis(1));
                    let woken = self.begun.wait_timeout(held, left);
                    woken.unwrap_or_else(|broken| broken.into_inner()).0
                }
                None => {
                    let woken = self.begun.wait(held);
                    woken.unwrap_or_else(|broken| broken.into_inner())
                }
            };
        }
    }
}

/// A wait under way; it ends when this is dropped.
pub struct Waiting(Option<(u64, Arc<Waits>)>);

/// Begins a wait, which is shown if it lasts.
pub fn begin(reason: impl FnOnce() -> String) -> Waiting {
    let Some(session) = Session::current() else {
        return Waiting(None);
    };
    let waits = Arc::clone(&session.waits);
    waits.start();
    let mut state = waits.state();
    let id = state.next;
    state.next += 1;
    state.open.insert(id, (Instant::now(), reason()));
    drop(state);
    waits.begun.notify_one();
    Waiting(Some((id, waits)))
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((id, waits)) = &self.0 {
            waits.state().open.remove(id);
        }
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waiting").finish_non_exhaustive()
    }
}

/// Waits for a time, unless asked to stop. A longer one is shown.
pub fn pause(time: Duration, reason: impl FnOnce() -> String) -> Result<(), Interrupted> {
    let _shown = (time >= SILENT_WAIT).then(|| begin(reason));
    stop::pause(time)
}
