//! `plan`: how much to sample.

use clap::Args;
use epicene_report::Format;

use super::choices::ChoiceArgs;
use super::known;

#[derive(Args)]
#[command(
    after_help = "From a pilot run, or from what was measured on published systems, where a benchmark's name is given. Of a run with two
systems or more the difference between them is what is planned for; else another system is taken to err for itself.

Examples:
  epicene power runs/pilot
  epicene power runs/pilot --see 2
  epicene power winomt --see 1.5 --power 0.9
  epicene power unambiguous --format json"
)]
pub struct PlanArgs {
    /// A run directory, or the name of a benchmark
    #[arg(value_name = "RUN|BENCHMARK")]
    pub from: String,

    /// The difference that is to be seen, in the numbers of the metric: 2 percentage points, 0.05 of f_s
    #[arg(long, value_name = "X", value_parser = positive)]
    pub see: Option<f64>,

    /// How surely it is to be seen
    #[arg(long, default_value_t = 0.8, value_name = "P", value_parser = power)]
    pub power: f64,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,

    #[arg(long, value_name = "FORMAT", help = known::formats())]
    pub format: Option<Format>,
}

fn positive(given: &str) -> Result<f64, String> {
    let number = given.parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "write a number above 0".to_owned())
}

fn power(given: &str) -> Result<f64, String> {
    let number = given.parse::<f64>().ok();
    number
        .filter(|number| *number > 0.5 && *number < 1.0)
        .ok_or_else(|| "write a number between 0.5 and 1, as 0.8".to_owned())
}
