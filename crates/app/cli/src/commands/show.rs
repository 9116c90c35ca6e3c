//! `epicene show`: a benchmark's card.

use crate::args::ShowArgs;
use crate::console;
use crate::failure::{Failure, Outcome};
use crate::judge_figures;

pub fn run(args: ShowArgs) -> Result<Outcome, Failure> {
    let benchmark = epicene_pipeline::benchmark(&args.benchmark)?;
    let text = judge_figures::card(benchmark.card(), None);
    console::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}
