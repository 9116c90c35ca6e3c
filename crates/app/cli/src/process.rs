//! What the process takes from the system: threads, as many as there are, and a write error instead of a signal where
//! files may not grow.

use std::io;
use std::sync::mpsc::{Sender, channel};

use epicene_io::bounded;
use epicene_io::session::handed_on;

use crate::failure::Failure;

/// Holds threads that work on files of others at their limit.
#[global_allocator]
static ALLOCATOR: bounded::BoundedAllocator = bounded::BoundedAllocator;

/// Threads that are left for other work: to read tokenizers, to ask servers, to show waits.
const SPARE: usize = 3;

/// A write beyond `ulimit -f` fails with an error that names the file, instead of ending the process.
#[cfg(unix)]
pub fn outlive_size_limits() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::SIGXFSZ;
    // Where it cannot be registered, the process ends as it would without.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

#[cfg(not(unix))]
pub fn outlive_size_limits() {}

/// Starts the threads of all parallel work. Where the system allows fewer, fewer are used, and in the end this thread alone:
/// the library would panic at the first parallel step.
pub fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    let wanted = match threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let failed =
        |error: &dyn std::fmt::Display| Failure::system(format!("cannot start threads: {error}"));
    let mut started = waiting_threads(wanted + SPARE);
    // Where there are any, one works: with this thread alone, another that waits for parallel work would wait for ever.
    let kept = started.len().saturating_sub(SPARE);
    started.truncate(kept.max(1));
    let builder = rayon::ThreadPoolBuilder::new();
    if started.is_empty() {
        let alone = builder.num_threads(1).use_current_thread();
        return alone.build_global().map_err(|error| failed(&error));
    }
    builder
        .num_threads(started.len())
        .spawn_handler(|thread| {
            let taken = started.pop().ok_or(io::ErrorKind::WouldBlock)?;
            let _ = taken.send(thread);
            Ok(())
        })
        .build_global()
        .map_err(|error| failed(&error))
}

/// Up to so many threads, each of which waits for its work.
fn waiting_threads(wanted: usize) -> Vec<Sender<rayon::ThreadBuilder>> {
    let mut started = Vec::new();
    for place in 0..wanted {
        let (sender, work) = channel::<rayon::ThreadBuilder>();
        let thread = std::thread::Builder::new().name(format!("worker {place}"));
        let spawned = thread.spawn(handed_on(move || {
            if let Ok(work) = work.recv() {
                work.run();
            }
        }));
        if spawned.is_err() {
            break;
        }
        started.push(sender);
    }
    started
}
