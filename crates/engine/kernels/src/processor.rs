//! Which of the processor's instruction sets the kernels use.
//!
//! The environment variable `EPICENE_INSTRUCTIONS` (`portable`, `avx2` or `avxvnni`) keeps to the older sets, so that benchmarks and
//! tests can try the kernels of another machine.

use std::sync::OnceLock;

/// Instruction sets, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the platform has.
    Portable,
    Avx2,
    AvxVnni,
    Newest,
}

/// Whether kernels of this level may be chosen. Tests of single kernels do not ask.
pub fn allows(level: Level) -> bool {
    static HIGHEST: OnceLock<Level> = OnceLock::new();
    let highest = HIGHEST.get_or_init(|| {
        let named = std::env::var("EPICENE_INSTRUCTIONS").unwrap_or_default();
        match named.as_str() {
            "portable" => Level::Portable,
            "avx2" => Level::Avx2,
            "avxvnni" => Level::AvxVnni,
            _ => Level::Newest,
        }
    });
    level <= *highest
}
