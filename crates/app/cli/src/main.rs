//! The command `epicene`. Everything is in the library, which the Python package holds as well.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(epicene::main_with(std::env::args_os().collect()))
}
