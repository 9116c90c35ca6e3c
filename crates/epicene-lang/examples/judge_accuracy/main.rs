//! Figures of the judges on gold files.
#![allow(clippy::print_stdout, reason = "a tool for developers")]
mod persons;
fn main() {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    persons::run(&arguments);
}
