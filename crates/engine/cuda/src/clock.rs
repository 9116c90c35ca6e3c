//! Where the time of loading goes: eight threads read and convert while the device copies, so that seconds of threads are counted, and
//! shown as shares.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Nanoseconds of all threads together.
#[derive(Debug, Default)]
pub struct Clock {
    bytes: AtomicU64,
    reading: AtomicU64,
    converting: AtomicU64,
    waiting: AtomicU64,
}

/// What a thread spends its time on.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    Reading,
    Converting,
    /// For the device, which still copies what the thread gave it before.
    Waiting,
}

impl Clock {
    pub fn timed<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        let counter = match phase {
            Phase::Reading => &self.reading,
            Phase::Converting => &self.converting,
            Phase::Waiting => &self.waiting,
        };
        let spent = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        counter.fetch_add(spent, Ordering::Relaxed);
        done
    }

    pub fn count(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// In words: `opened` is what the GPU and its kernels took, `loaded` everything after it.
    pub fn in_words(&self, opened: Duration, loaded: Duration) -> String {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let phases = [&self.reading, &self.converting, &self.waiting].map(of);
        let all = phases.iter().sum::<f64>().max(1.0);
        let [reading, converting, waiting] = phases.map(|phase| 100.0 * phase / all);
        let (bytes, seconds) = (of(&self.bytes) / 1e9, loaded.as_secs_f64());
        format!(
            "GPU and kernels {:.2} s; weights {bytes:.2} GB in {seconds:.2} s ({:.1} GB/s), of its threads' time {reading:.0} % reading, {converting:.0} % converting, {waiting:.0} % waiting for copies",
            opened.as_secs_f64(),
            bytes / seconds.max(1e-9),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_threads() {
        let clock = Clock::default();
        clock.count(3_000_000_000);
        clock.reading.store(600, Ordering::Relaxed);
        clock.converting.store(300, Ordering::Relaxed);
        clock.waiting.store(100, Ordering::Relaxed);
        assert_eq!(
            clock.in_words(Duration::from_millis(500), Duration::from_secs(2)),
            "GPU and kernels 0.50 s; weights 3.00 GB in 2.00 s (1.5 GB/s), of its threads' time 60 % reading, 30 % converting, 10 % waiting for copies"
        );
        clock.timed(Phase::Waiting, || {
            std::thread::sleep(Duration::from_millis(2))
        });
        assert!(clock.waiting.load(Ordering::Relaxed) >= 2_000_000);
    }
}
