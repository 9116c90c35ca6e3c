//! Runs as pages: what a file report shows of judged runs, and a local server that shows run directories of any size,
//! page by page from disk, with the same page and script. The server is for the person who started it: it listens on
//! 127.0.0.1, wants its token, reads and never writes.

mod answers;
mod guard;
mod index;
mod items;
mod page;
pub mod pages;
mod query;
mod run;
mod search;
mod server;
mod verdicts;

pub use run::find_runs;
pub use server::{ServeError, Server};
pub use verdicts::{keep as keep_verdicts, renew as renew_verdicts};
