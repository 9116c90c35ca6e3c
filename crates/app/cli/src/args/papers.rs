//! `reproduce` and `check-sentences`: what papers printed, and data sets in their design.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};

use super::sentences::ExperimentArgs;
use super::wordscore::WordscoreArgs;

#[derive(Args)]
#[command(after_help = "Examples:
  epicene reproduce gest --data gest/
  epicene reproduce unambiguous --data Unambiguous-gender-bias/ --all
  epicene reproduce gest --data gest/ --figures figures/
  epicene reproduce mbe --data bias_eval_in_multiple_mlm/ --models hub --yes
  epicene reproduce winomt --data mt_gender/ --format csv > winomt.csv

Every number comes out of a run whose command is shown. docs/papers.md names the repositories to clone and what cannot be
compared.")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct ReproduceArgs {
    #[command(subcommand)]
    pub work: Option<PaperWork>,

    /// The paper
    #[arg(required = true)]
    pub paper: Option<Paper>,

    /// A clone of the authors' repository
    #[arg(long, value_name = "DIR", required = true)]
    pub data: Option<PathBuf>,

    /// Every number, also of long tables
    #[arg(long)]
    pub all: bool,

    /// table, csv or json; the last two have every number
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ReproduceFormat,

    /// Draw the paper's figures into this directory, under the paper's numbers
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,

    /// Run the checkpoints of the paper's tables (mbe): `hub` fetches them, after a word on their sizes; or a directory with one
    /// folder for each, ORG/NAME or NAME
    #[arg(long, value_name = "hub|DIR")]
    pub models: Option<Checkpoints>,

    /// Where the runs of --models are kept; the same command continues there [default: epicene-runs/reproduce-mbe]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Fetch the checkpoints of --models hub
    #[arg(long)]
    pub yes: bool,
}

/// Where checkpoints come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkpoints {
    Hub,
    Directory(PathBuf),
}

impl FromStr for Checkpoints {
    type Err = String;

    fn from_str(given: &str) -> Result<Checkpoints, String> {
        match given {
            "hub" => Ok(Checkpoints::Hub),
            path if Path::new(path).is_dir() => Ok(Checkpoints::Directory(PathBuf::from(path))),
            path => Err(format!("`{path}` is neither `hub` nor a directory")),
        }
    }
}

/// Parts of papers that take no authors' data.
#[derive(Subcommand)]
pub enum PaperWork {
    /// Run the MBE paper's experiments that need no model: templates, names, preservation, agreement
    Experiment(ExperimentArgs),
    /// Score the gender of words in static embeddings (WiBeMT)
    Wordscore(WordscoreArgs),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    Gest,
    Mbe,
    Wibemt,
    Winomt,
    Unambiguous,
}

impl Paper {
    pub fn name(self) -> &'static str {
        match self {
            Paper::Gest => "gest",
            Paper::Mbe => "mbe",
            Paper::Wibemt => "wibemt",
            Paper::Winomt => "winomt",
            Paper::Unambiguous => "unambiguous",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReproduceFormat {
    Table,
    Csv,
    Json,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data lint gest mine.csv
  epicene data lint gest mine.csv --statistics
  epicene data lint gest mine.csv --stereotype-set occupations.tsv
  epicene data lint gest mine.csv --translations mine.sk.csv --lang sk

The file has the columns sentence,stereotype. docs/gest-guide.md is the guide; each problem names the rule it breaks. Ends
with 1 where a sentence is refused.")]
pub struct CheckSentencesArgs {
    /// The design: gest
    #[arg(value_parser = ["gest"])]
    pub design: String,

    /// Sentences with their stereotype (CSV: sentence,stereotype)
    pub sentences: PathBuf,

    /// Stereotypes of your own: a TSV with the columns id, about and name
    #[arg(long, value_name = "FILE")]
    pub stereotype_set: Option<PathBuf>,

    /// Translations that must show a gender: columns from,to or one a line; says which sentences show none
    #[arg(long, value_name = "FILE", requires = "lang")]
    pub translations: Option<PathBuf>,

    /// Language of the translations
    #[arg(long, value_name = "LANG", requires = "translations")]
    pub lang: Option<String>,

    /// Numbers of the set (the paper's Table 1): sentences, words, by stereotype
    #[arg(long)]
    pub statistics: bool,

    /// Write forms for annotators into this directory: first the gender that a sentence suggests, then its stereotype
    #[arg(long, value_name = "DIR", conflicts_with_all = ["statistics", "translations", "labels"])]
    pub form: Option<PathBuf>,

    /// Files that annotators saved: their agreement, and the sentences to drop (may be repeated)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["statistics", "translations"])]
    pub labels: Vec<PathBuf>,
}
