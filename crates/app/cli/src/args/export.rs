//! `export`: results in the layouts of other tools.

use std::path::PathBuf;

use clap::Args;
use epicene_report::export::Layout;

#[derive(Args)]
#[command(
    after_help = "Nothing is uploaded. A metric whose ideal value lies between its bounds leaves as its distance from that value: other tools
know only \"higher is better\" and \"lower is better\". Baselines (random:, always:, copy:) are left out.

  eee          Every Eval Ever: data/epicene-BENCHMARK/ORG/MODEL/UUID.json; needs --organization and --relationship
  hf           Hugging Face: ORG/MODEL/.eval_results/NAME.yaml; needs --dataset and --task
  model-index  Hugging Face: front matter of a model's README, printed without -o
  lm-eval      lm-evaluation-harness: MODEL/results_TIME.json

SOURCE_DATE_EPOCH sets the time of the record: a second export is byte-identical.

Examples:
  epicene export run --to eee --organization 'Example Org' --relationship third_party -o out
  epicene export run --to eee --organization 'Example Org' --relationship other --model-id mine=org/name -o out
  epicene export run --to model-index
  epicene export run --to hf --dataset org/winomt-de --task acc --metric acc -o out
  epicene export run --to lm-eval --samples -o out"
)]
pub struct ExportArgs {
    /// Run directories
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Layout: eee, hf, model-index or lm-eval
    #[arg(long, value_name = "LAYOUT")]
    pub to: Layout,

    /// Directory to write to
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Organisation that ran the evaluation (eee)
    #[arg(long, value_name = "NAME")]
    pub organization: Option<String>,

    /// Its relationship to the model's developer (eee)
    #[arg(long, value_name = "WHICH", value_parser = ["first_party", "third_party", "collaborative", "other"])]
    pub relationship: Option<String>,

    /// Repository of a system whose source does not name it (may be repeated)
    #[arg(long, value_name = "SYSTEM=ORG/NAME", value_parser = parse_model_id)]
    pub model_id: Vec<(String, String)>,

    /// Dataset on Hugging Face that is registered as a benchmark (hf)
    #[arg(long, value_name = "ORG/NAME")]
    pub dataset: Option<String>,

    /// Task of that benchmark (hf)
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,

    /// Export this metric alone
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,

    /// Export this prompt variant or language alone, e.g. lang:de
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<String>,

    /// Address of the published report (hf, model-index)
    #[arg(long, value_name = "URL")]
    pub report_url: Option<String>,

    /// Address of data that `epicene data list` does not know
    #[arg(long, value_name = "URL")]
    pub source_url: Option<String>,

    /// When the evaluation was made, e.g. 2026-11-17 or 2026-11-17T20:14:05Z [default: when the run finished]
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,

    /// Also export rows without an ideal value, which have no direction
    #[arg(long)]
    pub all: bool,

    /// Also export the values of metrics that leave as distances (eee)
    #[arg(long)]
    pub raw: bool,

    /// Also export every item with its answer, if the licence of the data allows it (eee, lm-eval)
    #[arg(long)]
    pub samples: bool,

    /// Licence of your own data, e.g. CC-BY-4.0
    #[arg(long, value_name = "SPDX", requires = "samples")]
    pub data_licence: Option<String>,

    /// Export what is there, although answers are missing
    #[arg(long)]
    pub allow_partial: bool,

    /// Replace files that are already there
    #[arg(long)]
    pub force: bool,
}

fn parse_model_id(given: &str) -> Result<(String, String), String> {
    match given.split_once('=') {
        Some((system, id)) if !system.is_empty() && !id.is_empty() => {
            Ok((system.to_owned(), id.to_owned()))
        }
        _ => Err(format!("`{given}` is not SYSTEM=ORG/NAME")),
    }
}
