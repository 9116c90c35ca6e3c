//! `epicene show`: a benchmark's card.

use crate::args::ShowArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, results};

pub fn run(args: ShowArgs) -> Result<Outcome, Failure> {
    let benchmark = results::benchmark(&args.benchmark)?;
    console::print(|out| out.write_all(benchmark.card().as_bytes()))?;
    Ok(Outcome::Done)
}
