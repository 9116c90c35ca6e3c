//! `epicene audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use epicene_report::Format;

use super::{ChoiceArgs, known};

#[derive(Args)]
pub struct AuditArgs {
    #[command(subcommand)]
    pub action: AuditAction,
}

#[derive(Subcommand)]
pub enum AuditAction {
    /// Draw a sample of verdicts for people to check: a CSV file, an offline form, or both
    Sample(AuditSampleArgs),
    /// Read the labels back: how good the detector is, and every number corrected
    Read(AuditReadArgs),
    /// How many labels an interval of a wanted width needs
    Plan(AuditPlanArgs),
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene audit sample runs/a -n 300 -o labels.csv
  epicene audit sample runs/a -n 300 --by verdict,stereotype --only lang:sk -o labels.csv -o labels.html
  epicene gender --lang sk --json < texts.txt > verdicts.jsonl
  epicene audit sample verdicts.jsonl -n 200 -o labels.csv

Annotators see neither system nor verdict. Every line is drawn at random within its stratum; the file's head
records run, seed and the size of every stratum. The rows are in random order: an annotator who stops early has
labelled a random part.")]
pub struct AuditSampleArgs {
    /// Run directory, or JSON lines with id and verdict
    #[arg(value_name = "RUN|FILE")]
    pub population: PathBuf,

    /// Labels wanted
    #[arg(short = 'n', value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    pub count: u32,

    /// What strata are made of: verdict, system, lang, unit, or a label of the items
    /// [default: verdict,system,unit; verdict for JSON lines]
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub by: Vec<String>,

    /// Only these systems or languages of a run: lang:sk,system:deepl
    #[arg(long, value_name = "KIND:NAME,…", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Show system and verdict: faster, and no longer blind
    #[arg(long)]
    pub show: bool,

    /// Labels to choose from, where JSON lines have verdicts of their own [default: the verdicts]
    #[arg(long = "labels", value_name = "LABEL,…", value_delimiter = ',')]
    pub choices_given: Vec<String>,

    /// Where the sample goes: .csv for a spreadsheet, .html for the form; may be repeated
    #[arg(long, short, value_name = "FILE", required = true)]
    pub output: Vec<PathBuf>,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene audit read runs/a labels.csv
  epicene audit read runs/a anna.csv ben.csv
  epicene audit read verdicts.jsonl labels.csv --format json
  epicene report runs/a --corrected

The labels of a run are kept in it (audit.json): from then on every report has corrected numbers beside the judged
ones, and --corrected makes them the headline. Annotators who differ count in equal parts.")]
pub struct AuditReadArgs {
    /// Run directory, or the JSON lines that were sampled
    #[arg(value_name = "RUN|FILE")]
    pub population: PathBuf,

    /// Label files, one of each annotator
    #[arg(value_name = "LABELS.csv", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,

    #[arg(long, value_name = "FORMAT", help = known::formats())]
    pub format: Option<Format>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene audit plan runs/a --width 0.02 --error 0.05
  epicene audit plan runs/a --width 0.05 --metric f_s
  epicene audit plan verdicts.jsonl pilot.csv --width 0.1

From the labels a run already has (a pilot), or from a known error rate of the detector. The width is
that of the whole 95 % interval, in the unit of the metric.")]
pub struct AuditPlanArgs {
    /// Run directory, or JSON lines with id and verdict
    #[arg(value_name = "RUN|FILE")]
    pub population: PathBuf,

    /// Labels of a pilot, for JSON lines; a run has its own
    #[arg(value_name = "LABELS.csv")]
    pub files: Vec<PathBuf>,

    /// Width wanted, from the lower to the upper end
    #[arg(long, value_name = "X")]
    pub width: f64,

    /// Share of verdicts that are wrong, where there is no pilot
    #[arg(long, value_name = "SHARE")]
    pub error: Option<f64>,

    /// Only this metric
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,
}
