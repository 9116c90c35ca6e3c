//! `plan`: how much to sample.

use clap::Args;
use epicene_report::Format;

use super::choices::ChoiceArgs;
use super::known;

#[derive(Args)]
#[command(
    after_help = "Give a pilot run, or a benchmark's name for numbers of published systems. If the run has two systems or more, the difference
between them is planned for; otherwise the second system is assumed to make errors of its own.

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

    /// The difference to detect, in the metric's own numbers: 2 percentage points, 0.05 of f_s
    #[arg(long, value_name = "X", value_parser = positive)]
    pub see: Option<f64>,

    /// The probability of detecting it
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
