//! Runs code of others on data of others in a thread with a stack, a memory and a time of its own. A library that
//! allocates without end would end the process: an allocation that fails aborts, and nothing can catch that. Here the
//! allocator holds the thread at the first allocation beyond its limit, and the caller gets an error.
//!
//! A thread that is held keeps what it allocated, at most its limit, until the process ends.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::guard;
use crate::input::size;
use crate::session::handed_on;

/// What a piece of work may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes of stack. Pages that are never touched cost nothing.
    pub stack: usize,
    /// Bytes the thread may hold at once.
    pub memory: usize,
    pub time: Duration,
}

/// Why a piece of work gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exceeded {
    Memory(usize),
    Time(Duration),
    /// It panicked, with these words.
    Panicked(String),
    /// The system starts no thread.
    NoThread(String),
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Memory(bytes) => {
                write!(f, "it needs more than {} of memory", size(*bytes as u64))
            }
            Exceeded::Time(time) => write!(f, "it takes more than {} s", time.as_secs_f64()),
            Exceeded::Panicked(words) => f.write_str(words),
            Exceeded::NoThread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

/// Between a bounded thread and its caller.
#[derive(Debug)]
struct Shared {
    /// The thread is held.
    held: AtomicBool,
    /// The caller waits no longer: the next allocation holds the thread.
    given_up: AtomicBool,
}

thread_local! {
    /// Bytes this thread may hold, and how the caller is told; none for every other thread.
    static LIMIT: Cell<Option<(usize, &'static Shared)>> = const { Cell::new(None) };
    /// Bytes it holds. What it frees for other threads counts too: an estimate that only errs to its advantage.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// Records that are free for the next piece of work. Those of held threads never come back.
static FREE: Mutex<Vec<&'static Shared>> = Mutex::new(Vec::new());

/// The system's allocator, which holds bounded threads at their limit. Programs install it with `#[global_allocator]`;
/// without it, stack and time are bounded and memory is not.
#[derive(Debug)]
pub struct BoundedAllocator;

/// Counts an allocation. Does not return where it would be too much.
fn charge(bytes: usize) {
    // A thread that ends has no limit any more.
    let Ok(Some((limit, shared))) = LIMIT.try_with(Cell::get) else {
        return;
    };
    let now = HELD.get().saturating_add(bytes);
    if now <= limit && !shared.given_up.load(Ordering::Relaxed) {
        HELD.set(now);
        return;
    }
    shared.held.store(true, Ordering::Release);
    loop {
        // Takes no lock and allocates nothing, which `park` would.
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn refund(bytes: usize) {
    if let Ok(Some(_)) = LIMIT.try_with(Cell::get) {
        HELD.set(HELD.get().saturating_sub(bytes));
    }
}

// SAFETY: every call goes to the system's allocator unchanged, or never returns.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for BoundedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        refund(layout.size());
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new: usize) -> *mut u8 {
        charge(new.saturating_sub(layout.size()));
        refund(layout.size().saturating_sub(new));
        unsafe { System.realloc(memory, layout, new) }
    }
}

/// How long the caller waits before it looks whether the thread is held.
const GLANCE: Duration = Duration::from_millis(10);

/// Does `work` within `bounds`.
pub fn run<T: Send + 'static>(
    bounds: Bounds,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Exceeded> {
    let free = || FREE.lock().unwrap_or_else(|broken| broken.into_inner());
    let kept = free().pop();
    let shared: &'static Shared = kept.unwrap_or_else(|| {
        Box::leak(Box::new(Shared {
            held: AtomicBool::new(false),
            given_up: AtomicBool::new(false),
        }))
    });
    let (sender, result) = sync_channel(1);
    let work = handed_on(work);
    let started = std::thread::Builder::new()
        .name("bounded".to_owned())
        .stack_size(bounds.stack)
        .spawn(move || {
            HELD.set(0);
            LIMIT.set(Some((bounds.memory, shared)));
            let done = guard::catch(work);
            LIMIT.set(None);
            let _ = sender.send(done);
        });
    let thread = match started {
        Ok(thread) => thread,
        Err(error) => {
            free().push(shared);
            return Err(Exceeded::NoThread(error.to_string()));
        }
    };
    let begun = Instant::now();
    loop {
        match result.recv_timeout(GLANCE) {
            Ok(done) => {
                // Its stack is given back before the next one is taken.
                let _ = thread.join();
                free().push(shared);
                return done.map_err(Exceeded::Panicked);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Exceeded::Panicked("it ended without a result".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) => {
                if shared.held.load(Ordering::Acquire) {
                    return Err(Exceeded::Memory(bounds.memory));
                }
                if begun.elapsed() > bounds.time {
                    shared.given_up.store(true, Ordering::Relaxed);
                    return Err(Exceeded::Time(bounds.time));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: BoundedAllocator = BoundedAllocator;

    const BOUNDS: Bounds = Bounds {
        stack: 8 << 20,
        memory: 16 << 20,
        time: Duration::from_secs(60),
    };

    #[test]
    fn work_within_its_bounds_gives_its_result() {
        for round in 0..100 {
            assert_eq!(
                run(BOUNDS, move || vec![round; 1000]),
                Ok(vec![round; 1000])
            );
        }
        let panicked = run(BOUNDS, || [0u8; 4][std::hint::black_box(7)]);
        assert!(matches!(panicked, Err(Exceeded::Panicked(_))));
        // What is freed may be used again.
        let sum = run(BOUNDS, || {
            (0..1000)
                .map(|_| std::hint::black_box(vec![1u8; 1 << 20]).len())
                .sum::<usize>()
        });
        assert_eq!(sum, Ok(1000 << 20));
    }

    #[test]
    fn memory_and_time_end_and_the_process_goes_on() {
        let doubled = run(BOUNDS, || {
            let mut text = "x".to_owned();
            loop {
                text = text.clone() + &text;
            }
        });
        assert_eq!(doubled, Err::<(), _>(Exceeded::Memory(16 << 20)));
        // An allocation that the system would refuse ends no process either.
        let huge = run(BOUNDS, || Vec::<u8>::with_capacity(1 << 46).capacity());
        assert_eq!(huge, Err(Exceeded::Memory(16 << 20)));
        let short = Bounds {
            time: Duration::from_millis(20),
            ..BOUNDS
        };
        let endless = run(short, || {
            loop {
                std::hint::black_box(vec![0u8; 10]);
            }
        });
        assert_eq!(endless, Err::<(), _>(Exceeded::Time(short.time)));
        assert_eq!(run(BOUNDS, || 1), Ok(1));
    }
}
