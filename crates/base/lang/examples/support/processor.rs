//! How long a thread has computed, whatever else the machine does.

use std::time::Instant;

/// Seconds this thread has been on a core, so that a busy machine does not show; the clock where
/// the system does not tell.
pub fn seconds(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |spent| spent / 1e9)
}
