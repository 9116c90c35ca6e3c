//! A wish to stop, from a signal: whoever works in steps asks after each whether to go on, and whoever
//! waits is woken.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

static SIGNAL: AtomicI32 = AtomicI32::new(0);
static LOCK: Mutex<()> = Mutex::new(());
static WAKE: Condvar = Condvar::new();

/// The work was stopped by a signal, at a place where nothing is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped by signal {signal}")]
pub struct Interrupted {
    pub signal: i32,
}

/// Asks all work to stop. Not for a signal handler: it takes a lock.
pub fn request(signal: i32) {
    SIGNAL.store(signal, Ordering::SeqCst);
    let _held = LOCK.lock().unwrap_or_else(|broken| broken.into_inner());
    WAKE.notify_all();
}

/// Forgets the wish: for a program that goes on after work was stopped.
pub fn clear() {
    SIGNAL.store(0, Ordering::SeqCst);
}

/// The signal that asked, if one did.
pub fn requested() -> Option<Interrupted> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(Interrupted { signal }),
    }
}

/// Called between two steps.
pub fn check() -> Result<(), Interrupted> {
    requested().map_or(Ok(()), Err)
}

/// Waits, unless asked to stop.
pub fn pause(time: Duration) -> Result<(), Interrupted> {
    let end = Instant::now() + time;
    let mut held = LOCK.lock().unwrap_or_else(|broken| broken.into_inner());
    loop {
        check()?;
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        held = WAKE
            .wait_timeout(held, left)
            .unwrap_or_else(|broken| broken.into_inner())
            .0;
    }
}
