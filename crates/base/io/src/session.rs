//! What the work of one caller shares: its wish to stop, how large its inputs may be, who shows its waits, and what the program
//! keeps for it. A thread works for one session and hands it on to the threads it starts, so that two callers in one
//! process do not meet.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use crate::stop::StopFlag;
use crate::waiting::Waits;

pub struct Session {
    pub stop: StopFlag,
    /// What the user allows one file to unpack to, in bytes.
    pub largest_input: Option<u64>,
    pub(crate) waits: Arc<Waits>,
    program: Arc<dyn Any + Send + Sync>,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Session>>> = const { RefCell::new(None) };
}

/// This thread works for a session until this is dropped.
#[must_use]
pub struct Entered(Option<Arc<Session>>);

impl Session {
    /// `program` is what the program keeps for the session; `show_wait` tells its user of a wait that lasts.
    pub fn new(
        stop: StopFlag,
        largest_input: Option<u64>,
        program: Arc<dyn Any + Send + Sync>,
        show_wait: impl Fn(&str) + Send + Sync + 'static,
    ) -> Arc<Session> {
        Arc::new(Session {
            stop,
            largest_input,
            waits: Waits::shown_by(show_wait),
            program,
        })
    }

    /// The session this thread works for.
    pub fn current() -> Option<Arc<Session>> {
        CURRENT.with_borrow(Clone::clone)
    }

    pub fn enter(self: &Arc<Session>) -> Entered {
        Entered(CURRENT.replace(Some(Arc::clone(self))))
    }

    pub fn program<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.program).downcast().ok()
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.waits.close();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

/// Work for another thread, which does it for the session of this one.
pub fn handed_on<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let session = Session::current();
    move || {
        let _entered = session.as_ref().map(Session::enter);
        work()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{stop, threads};

    #[test]
    fn threads_work_for_the_session_of_those_who_started_them() {
        let session =
            |name: &str| Session::new(StopFlag::default(), None, Arc::new(name.to_owned()), |_| {});
        let name = || {
            let current = Session::current()?;
            current.program::<String>().map(|name| (*name).clone())
        };
        let (first, second) = (session("first"), session("second"));
        assert_eq!(name(), None);
        let entered = first.enter();
        {
            let _inner = second.enter();
            let started = std::thread::spawn(handed_on(move || {
                let found = threads::all_at_once(&[1, 2], |_| (name(), stop::requested()));
                (found, stop::pause(Duration::from_secs(60)))
            }));
            second.stop.request(15);
            let (found, paused) = started.join().unwrap();
            assert!(
                found
                    .iter()
                    .all(|(name, _)| name.as_deref() == Some("second"))
            );
            assert_eq!(paused.unwrap_err().signal, 15);
        }
        assert_eq!(name().as_deref(), Some("first"));
        assert_eq!(stop::requested(), None);
        let stoppable = stop::stoppable();
        assert!(first.stop.is_heard() && !second.stop.is_heard());
        drop(stoppable);
        assert!(!first.stop.is_heard());
        drop(entered);
        assert_eq!(name(), None);
    }
}
