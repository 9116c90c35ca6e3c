//! Threads where the system may have none to spare: the work is done all the same, on the thread that is there.

use std::sync::{Arc, Mutex};
use std::thread::{Builder, Result, Scope, ScopedJoinHandle};

use crate::session::handed_on;

/// Work that a thread does, or that is done already.
pub enum Started<'scope, T> {
    Thread(ScopedJoinHandle<'scope, T>),
    Done(T),
}

impl<T> Started<'_, T> {
    /// The result; an error where the work panicked.
    pub fn join(self) -> Result<T> {
        match self {
            Started::Thread(thread) => thread.join(),
            Started::Done(result) => Ok(result),
        }
    }
}

/// Does `work` in a thread of its own, or here and now where no thread can be started. Not for work that waits for what the
/// caller does next.
pub fn spawn_or_run<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Started<'scope, T> {
    // A thread that cannot be started drops what it was given: the work is kept here until it begins.
    let kept = Arc::new(Mutex::new(Some(handed_on(work))));
    let given = Arc::clone(&kept);
    match Builder::new().spawn_scoped(scope, move || take(&given)()) {
        Ok(thread) => Started::Thread(thread),
        Err(_) => Started::Done(take(&kept)()),
    }
}

/// Does `work` on every input at once, in threads of their own where they can be started. For waiting, not for computing.
pub fn all_at_once<I: Sync, T: Send>(inputs: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let started: Vec<_> = inputs
            .iter()
            .map(|input| spawn_or_run(scope, move || work(input)))
            .collect();
        let results = started.into_iter().map(|thread| thread.join());
        results
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn take<Work>(kept: &Mutex<Option<Work>>) -> Work {
    let mut kept = kept.lock().unwrap_or_else(|broken| broken.into_inner());
    kept.take().expect("only one of the two takes it")
}
