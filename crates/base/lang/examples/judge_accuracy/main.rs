//! How right the judges are: precision, recall and wrong genders on gold that people annotated.
//!
//! `cargo run --release --example judge_accuracy -- first-person` prints a table for each gold of the speaker's
//! gender, `-- persons` for each gold of persons; `first-person errors LANG MODE` every sentence judged wrong.
//! Gold is looked for in `../shared` beside the project, or in `EPICENE_SHARED`.

#![allow(clippy::print_stdout, reason = "a program that prints")]

mod first_person;
mod persons;
#[path = "../../../../../tests/shared_data.rs"]
#[allow(dead_code, reason = "only tests skip")]
mod shared_data;
mod traps;
mod treebanks;

use std::error::Error;
use std::path::PathBuf;

const USAGE: &str =
    "judge_accuracy first-person [write | treebanks | errors LANG MODE | eurogest-errors LANG MODE]
judge_accuracy persons [write | LANG,…] [--links given|built-in] [--errors N] [--gold DIR]
judge_accuracy traps [own|unseen FILE] [LANG,…] [--file FILE]";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["first-person", ref rest @ ..] => first_person::run(rest),
        ["persons", ref rest @ ..] => persons::run(rest),
        ["traps", ref rest @ ..] => traps::run(rest),
        _ => Err(USAGE.into()),
    }
}

/// A folder of the shared data.
fn shared(part: &str) -> PathBuf {
    shared_data::data().join(part)
}
