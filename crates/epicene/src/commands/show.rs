//! `epicene show`: a benchmark's card.

use crate::args::ShowArgs;
use crate::console;
use crate::failure::{Failure, Outcome};

pub fn run(args: ShowArgs) -> Result<Outcome, Failure> {
    let benchmark = epicene_pipeline::benchmark(&args.benchmark)?;
    console::print(|out| out.write_all(benchmark.card().text.as_bytes()))?;
    Ok(Outcome::Done)
}
