//! Limits of what comes from outside: sizes, depths, times and stacks. Every reader takes its limit from here, so that a
//! change is made once and a reviewer sees all of them together.

use std::time::Duration;

use crate::bounded::Bounds;

/// A packed file or a table may unpack to this many times its size…
pub const EXPANSION: u64 = 100;
/// …or to this much, whichever is more.
pub const EXPANSION_FLOOR: u64 = 64 << 20;
/// The largest file that is held in memory.
pub const LARGEST_FILE: u64 = 2 << 30;
/// The longest line of a file, of a log and of a cache. A writer refuses what no reader would take.
pub const LONGEST_LINE: u64 = 16 << 20;
/// KiB an xz file may want for its dictionary: `xz -9` wants 64 MiB.
pub const XZ_MEMORY: u32 = 256 << 10;
/// The most columns of a table. Score files have one for each model, sheets one for each annotator.
pub const MOST_COLUMNS: usize = 4096;

/// The largest body of an HTTP answer. One body may hold the answers to a batch.
pub const LARGEST_BODY: u64 = 64 << 20;
/// As much of the body of an HTTP error is read.
pub const LARGEST_ERROR_BODY: u64 = 64 << 10;
/// The longest a server can make us wait between two attempts.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Redirects that are followed on the way to a file.
pub const MOST_REDIRECTS: usize = 10;
/// A wait that lasts longer than this is shown with its reason.
pub const SILENT_WAIT: Duration = Duration::from_millis(1200);

/// A client of the viewer sends a whole request within this time.
pub const REQUEST_HEADERS: Duration = Duration::from_secs(10);

/// Configurations, vocabularies and indices are not larger than this.
pub const LARGEST_TEXT: u64 = 256 << 20;
/// The longest source of a chat template; the longest in use have about 30 kB.
pub const LONGEST_TEMPLATE: usize = 256 << 10;
/// The longest prompt a chat template may write.
pub const LONGEST_PROMPT: usize = 16 << 20;
/// Instructions one rendering may take: a long conversation needs some thousands. It also bounds how deep a template can
/// nest a list, and so the stack that dropping or printing the list takes.
pub const TEMPLATE_FUEL: u64 = 300_000;
/// The most blanks `tojson(indent=…)` puts before a line, and the deepest value it writes.
pub const JSON_INDENT: usize = 64;
pub const JSON_DEPTH: usize = 100;
/// One rendering of a chat template.
pub const TEMPLATE: Bounds = Bounds {
    stack: 512 << 20,
    memory: 64 << 20,
    time: Duration::from_secs(10),
};

/// The steps of a tokenizer may make a text this many times longer at most, taking the worst of every step. Real ones stay
/// below 5,000.
pub const NORMALIZER_GROWTH: f64 = 100_000.0;
/// A text that may become longer than this is tokenised in a thread of its own.
pub const GROWN_TEXT: f64 = (64 << 20) as f64;
/// Tokenising one such text.
pub const ENCODING: Bounds = Bounds {
    stack: 64 << 20,
    memory: 1 << 30,
    time: Duration::from_secs(60),
};
/// Reading a `tokenizer.json`; the file's own size times [`TOKENIZER_EXPANSION`] comes on top.
pub const TOKENIZER: Bounds = Bounds {
    stack: 64 << 20,
    memory: 256 << 20,
    time: Duration::from_secs(120),
};
pub const TOKENIZER_EXPANSION: usize = 48;
/// The deepest nesting of a tokenizer's steps. Real ones have two levels.
pub const TOKENIZER_DEPTH: usize = 8;

/// Reading a table of columns. The memory comes on top of the file's own limit.
pub const TABLE_STACK: usize = 16 << 20;
