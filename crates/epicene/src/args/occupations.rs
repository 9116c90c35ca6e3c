//! Choices of the benchmarks that look for the gender of an occupation.

use clap::Args;
use epicene_bench::unambiguous::Pick;

const OCCUPATIONS: &str = "Gender of occupations (unambiguous)";

#[derive(Args, Clone, Default)]
pub struct OccupationMeasureArgs {
    /// Which of several aligned words decides: last (published), first, majority, any-gendered or
    /// head-noun
    #[arg(long, help_heading = OCCUPATIONS, value_name = "PICK")]
    pub pick: Option<Pick>,

    /// Only the labelled occupation counts, not "cook" the verb
    #[arg(long, help_heading = OCCUPATIONS)]
    pub labelled_only: bool,
}
