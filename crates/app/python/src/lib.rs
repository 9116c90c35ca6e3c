//! The extension module inside the Python package: small parts from which `python/epicene` makes what people call. It holds
//! the command line whole, so that a call and a command are the same thing; no number is computed here.

// Macros of pyo3 expand to code that no hand wrote.
#![allow(unsafe_code)]

mod call;
mod results;
mod system;
mod table;

use std::ffi::OsString;
use std::path::PathBuf;

use epicene::library;
use pyo3::prelude::*;

#[pymodule]
mod _epicene {
    #[pymodule_export]
    use super::call::Call;
    #[pymodule_export]
    use super::results::Results;
    #[pymodule_export]
    use super::{abandon, benchmarks, cards, flags, headlines, main, version};
}

/// The command `epicene`; gives its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| epicene::main_with(arguments))
}

#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// An option: name, "nothing" | "one" | "several", help, values.
type Described = (String, &'static str, String, Vec<String>);

/// The options of a command. `None` of an unknown command.
#[pyfunction]
fn flags(command: &str) -> Option<Vec<Described>> {
    let flags = library::flags(command)?.into_iter().map(|flag| {
        let takes = match flag.takes {
            library::Takes::Nothing => "nothing",
            library::Takes::One => "one",
            library::Takes::Several => "several",
        };
        (flag.name, takes, flag.help, flag.values)
    });
    Some(flags.collect())
}

/// The names of all benchmarks.
#[pyfunction]
fn benchmarks() -> Vec<&'static str> {
    library::benchmarks()
}

/// The summary cards of a run as HTML.
#[pyfunction]
fn cards(py: Python<'_>, run: PathBuf) -> PyResult<String> {
    py.detach(|| library::cards(&run)).map_err(call::raised)
}

/// The symbols of a benchmark's headline metrics.
#[pyfunction]
fn headlines(benchmark: &str) -> Vec<&'static str> {
    library::headlines(benchmark)
}

/// At the end of the process: files on their way are dropped.
#[pyfunction]
fn abandon() {
    epicene_io::output::abandon_all();
}
