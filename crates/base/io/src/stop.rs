//! A wish to stop: whoever works in steps asks after each whether to go on, and whoever waits is woken.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

use crate::session::Session;

/// The flag of the process: signals set it, and threads that work for no session look at it.
static PROCESS: LazyLock<StopFlag> = LazyLock::new(StopFlag::default);

/// Says whether work is to stop. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    signal: AtomicI32,
    /// How much work is under way that looks at the flag between two steps.
    heard: AtomicUsize,
    lock: Mutex<()>,
    wake: Condvar,
}

/// The work was stopped by a signal, at a place where nothing is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped by signal {signal}")]
pub struct Interrupted {
    pub signal: i32,
}

impl StopFlag {
    /// The one that signals set.
    pub fn of_process() -> StopFlag {
        PROCESS.clone()
    }

    /// The one of the session this thread works for.
    fn current() -> StopFlag {
        Session::current().map_or_else(StopFlag::of_process, |session| session.stop.clone())
    }

    /// Asks the work to stop. Not for a signal handler: it takes a lock.
    pub fn request(&self, signal: i32) {
        self.0.signal.store(signal, Ordering::SeqCst);
        let _held = self.0.lock.lock().unwrap_or_else(|b| b.into_inner());
        self.0.wake.notify_all();
    }

    /// The signal that asked, if one did.
    pub fn requested(&self) -> Option<Interrupted> {
        match self.0.signal.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(Interrupted { signal }),
        }
    }

    /// Whether the work would stop at its next step.
    pub fn is_heard(&self) -> bool {
        self.0.heard.load(Ordering::SeqCst) > 0
    }

    fn pause(&self, time: Duration) -> Result<(), Interrupted> {
        let end = Instant::now() + time;
        let mut held = self.0.lock.lock().unwrap_or_else(|b| b.into_inner());
        loop {
            self.requested().map_or(Ok(()), Err)?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let woken = self.0.wake.wait_timeout(held, left);
            held = woken.unwrap_or_else(|b| b.into_inner()).0;
        }
    }
}

/// As long as this lives, a wish to stop is answered at the next step.
#[derive(Debug)]
pub struct Stoppable(StopFlag);

/// Begins work in steps that looks at the flag.
pub fn stoppable() -> Stoppable {
    let flag = StopFlag::current();
    flag.0.heard.fetch_add(1, Ordering::SeqCst);
    Stoppable(flag)
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        self.0.0.heard.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The signal that asked this thread's work to stop, if one did.
pub fn requested() -> Option<Interrupted> {
    StopFlag::current().requested()
}

/// Called between two steps.
pub fn check() -> Result<(), Interrupted> {
    requested().map_or(Ok(()), Err)
}

/// Waits, unless asked to stop.
pub fn pause(time: Duration) -> Result<(), Interrupted> {
    StopFlag::current().pause(time)
}
