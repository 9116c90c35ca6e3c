//! `merge`, `compare`, `items`, `report`: what is done with finished runs.

use std::path::PathBuf;

use clap::Args;
use epicene_report::Style;
use epicene_report::template::Template;

use super::choices::ChoiceArgs;
use super::run::OutputArgs;
use crate::failure::Failure;
use crate::gate::Gate;
use crate::junit::Junit;

/// How results go out, and the check on them.
#[derive(Args, Default)]
pub struct ResultArgs {
    #[command(flatten)]
    pub output: OutputArgs,

    /// Let a check pass although answers are missing
    #[arg(long, requires = "fail_if")]
    pub allow_partial: bool,

    /// Fail (exit code 1) if the expression is true, e.g. 'g_s>1.2' (see `epicene help checks`)
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

impl ResultArgs {
    /// The check as it was meant, and the file that will say how it went: opened before any work.
    pub fn gate(&self) -> Result<(Option<Gate>, Option<Junit>), Failure> {
        let gate = self.fail_if.as_deref().map(Gate::parse).transpose()?;
        Ok((gate, Junit::open(self.output.junit.as_ref())?))
    }
}

#[derive(Args)]
#[command(after_help = "Example:
  epicene merge part1 part2 part3 --out whole")]
pub struct MergeArgs {
    /// Run directories of the shards
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Directory of the joined run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// Accept items answered in several runs; the first answer is kept
    #[arg(long)]
    pub allow_overlap: bool,

    /// Accept that items are missing
    #[arg(long)]
    pub allow_gaps: bool,

    /// Replace a run that is already there
    #[arg(long)]
    pub fresh: bool,

    #[command(flatten)]
    pub results: ResultArgs,
}

#[derive(Args)]
#[command(
    after_help = "A difference is the second system less the first, and both are named in every row: with `before after`, a
positive delta means that the number has grown.

Examples:
  epicene compare before after
  epicene compare before after --fail-if 'low(delta_g_s[all])>0'   fails if g_s has surely grown
  epicene compare run --systems roberta-base,bert-base-uncased
  epicene compare run                                              every pair of its systems
  epicene compare run --baseline roberta-base                      every other with this one
  epicene compare before after -o changes.html"
)]
pub struct CompareArgs {
    /// One run or several
    #[arg(required = true, num_args = 1.., value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Which systems, where a run holds several: FIRST,SECOND, or more
    #[arg(long, value_name = "FIRST,SECOND[,…]")]
    pub systems: Option<String>,

    /// Compare every other system with this one alone, instead of every pair
    #[arg(long, value_name = "SYSTEM")]
    pub baseline: Option<String>,

    /// Write here instead of standard output; the extension chooses the format (.html: a page with
    /// figures and the items that changed)
    #[arg(long, short, value_name = "FILE")]
    pub output_file: Option<PathBuf>,

    /// Sizes of LaTeX tables: plain, acl or neurips
    #[arg(long, value_name = "STYLE")]
    pub style: Option<Style>,

    /// Numbers corrected by the labels of `epicene audit` are the headline; judged ones end in `_judged`
    #[arg(long)]
    pub corrected: bool,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,

    /// Rounds of the randomisation test
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub rounds: u32,

    #[command(flatten)]
    pub results: ResultArgs,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene report runs/a --items | head
  epicene report runs/a --items --detector published
  epicene report runs/a --items | jq -r 'select(.verdict == \"f\") | .text'")]
pub struct ItemsArgs {
    /// Run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Only items on which annotators differ, or the given verdicts and epicene's
    #[arg(long)]
    pub disagreements: bool,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,
}

#[derive(Args, Default)]
#[command(after_help = "Examples:
  epicene report runs/a runs/b -o report.html
  epicene report runs/a --figures figures
  epicene report epicene-runs/gest-0123456789 --format latex
  epicene report runs/a --tables paper --style acl -o tables.tex
  epicene report runs/a --figures figures --style neurips
  epicene report runs/a runs/b -o tables.md
  epicene report runs/a --convention true
  epicene report runs/a --template model-card -o card.md
  epicene report runs/a --template audit --baseline runs/before --fail-if 'g_s[all]>1.2' -o audit.html")]
pub struct ReportArgs {
    /// Run directories
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Write here instead of standard output; the extension chooses the format (.html: a page with
    /// figures and every item, .txt, .json, .csv, .md, .tex)
    #[arg(long, short, value_name = "FILE")]
    pub output_file: Option<PathBuf>,

    /// Write the answers that the rules leave to a person here (wibemt)
    #[arg(long, value_name = "FILE")]
    pub unresolved: Option<PathBuf>,

    /// Also write the results in the layout of the benchmark's authors into a directory, to be compared
    /// with their files (unambiguous)
    #[arg(long, value_name = "DIR")]
    pub author_files: Option<PathBuf>,

    /// Fill a template instead: model-card (sections of Hugging Face's model card) or audit (a file for auditors), as
    /// Markdown or with -o FILE.html as HTML
    #[arg(long, value_name = "TEMPLATE", conflicts_with_all = ["unresolved", "author_files", "title", "figures", "style", "tables", "format", "items"])]
    pub template: Option<Template>,

    /// Exit with 1 if lines are left to be filled by you
    #[arg(long, requires = "template")]
    pub strict: bool,

    /// Compare with this earlier run in an audit file
    #[arg(long, value_name = "RUN", requires = "template")]
    pub baseline: Option<PathBuf>,

    /// Print every item of one run as JSON lines instead: id, text, answer, verdict, evidence
    #[arg(long, conflicts_with_all = ["output_file", "unresolved", "author_files", "title", "figures", "style", "tables", "corrected", "fail_if", "format", "junit", "allow_partial"])]
    pub items: bool,

    /// With --items: only those on which annotators differ, or the given verdicts and epicene's
    #[arg(long, requires = "items")]
    pub disagreements: bool,

    /// Heading of the page
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Also draw the figures of these results into a directory, as SVG, PNG and PDF
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,

    /// Sizes of LaTeX tables and PDF figures: plain, acl or neurips
    #[arg(long, value_name = "STYLE")]
    pub style: Option<Style>,

    /// Which tables: `paper` has those of every unit (template, language) as papers print them, in LaTeX unless --format
    /// says otherwise
    #[arg(long, value_name = "paper", value_parser = ["paper"])]
    pub tables: Option<String>,

    /// Numbers corrected by the labels of `epicene audit` are the headline; judged ones end in `_judged`
    #[arg(long)]
    pub corrected: bool,

    #[command(flatten)]
    pub choices: ChoiceArgs<false>,

    #[command(flatten)]
    pub results: ResultArgs,
}

#[derive(Args)]
#[command(
    after_help = "The server listens on 127.0.0.1 alone and answers only to the token in the address it prints. It reads run
directories and never writes. Items come page by page from disk; runs that are still being asked show how far they are.

Examples:
  epicene view                      the runs in epicene-runs
  epicene view runs/a runs/b
  epicene view --port 8080 runs"
)]
pub struct ViewArgs {
    /// Run directories, or directories that hold some [default: epicene-runs]
    #[arg(value_name = "DIR")]
    pub directories: Vec<PathBuf>,

    /// Port to listen on [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub port: u16,
}
