//! What was typed. What it means is decided by the commands.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use epicene_bench::{Convention, IntervalMethod};
use epicene_core::ModelKind;
use epicene_lang::first_person::Mode;
use epicene_lm::SystemSpec;
use epicene_report::Format;
use epicene_run::Shard;

use crate::sentence_args::{ExperimentArgs, ExtractArgs, SentenceArgs, SentenceMeasureArgs};

#[derive(Parser)]
#[command(
    name = "epicene",
    version,
    about = "Measures gender bias in language models and machine translation",
    after_help = "Examples:
  epicene demo
  epicene data pull gest
  epicene run gest --model file:scores.csv
  epicene run gest --model random:1 --format json --fail-if 'g_s>1.2'
  epicene list published

Exit codes: 0 done, 1 a gate (--fail-if) failed, 2 bad usage or bad input."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Threads to use [default: all cores]; never changes a number
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Say nothing on standard error but warnings and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum Command {
    /// Measure systems with a benchmark: prints a table, writes a run directory
    Run(Box<RunArgs>),
    /// Gender of the first person: lines in; verdict, rule, evidence out
    Detect(DetectArgs),
    /// Gender-swapped sentence pairs from translations (GEST on Slavic masked models)
    Pairs(PairsArgs),
    /// Sentences about women and about men from a parallel corpus (MBE)
    Extract(ExtractArgs),
    /// The MBE paper's experiments that need no model: templates, names, preservation, agreement
    Experiment(ExperimentArgs),
    /// Join the shards of a run (per-item logs, never metrics)
    Merge(MergeArgs),
    /// Paired tests between two systems on the same items
    Compare(CompareArgs),
    /// Every item of a run as JSON lines: id, text, observation, verdict, evidence
    Items(ItemsArgs),
    /// Measures of finished runs in any format, recomputed from their logs
    Report(ReportArgs),
    /// What there is: benchmarks, stereotypes, published results
    List(ListArgs),
    /// A benchmark's card: what it measures, data, harms, limits, licence
    Show(ShowArgs),
    /// Data sets that are not shipped: fetch, verify, locate
    Data(DataArgs),
    /// Everything above on what is embedded, offline
    Demo(DemoArgs),
}

#[derive(Args, Default)]
#[command(after_help = "Examples:
  epicene run gest --model file:english_mlm.csv.gz --data gest.csv
  epicene run gest --model random:1 --model always:he --data epicene-mini
  epicene run gest --model hf:google-bert/bert-base-uncased
  epicene run gest --mt file:translations.csv --lang sk
  epicene run gest --mt deepl=file:deepl.sk.csv --mt nllb=file:nllb.sk.csv --lang sk
  epicene run gest --model file:slavic_scores.csv --pairs pairs.csv
  epicene run gest --model file:scores.csv --shard 2/8 --out part2
  epicene run winobias --model file:winobias.csv
  epicene run mbe --source en.txt --target de.txt --model file:likelihoods.jsonl
  epicene run crows-pairs --data crows_pairs.csv --model file:likelihoods.csv

A file of scores has one row for each item of the data, in its order, and one column for each model
and template, named NAME_template-K (K from 0 within the model's templates, the published layout) or
NAME/template:N (the paper's number). Scores are log10 P(masculine)/P(feminine). gzip is accepted.

Likelihoods for mbe, crows-pairs and stereoset: one row for each sentence in the order of the
data (of a pair: stereotypical, anti-stereotypical, for stereoset also unrelated), one column for
each model and method: NAME/aula, NAME/aul, NAME/cps, NAME/sss, NAME/sss-released, for stereoset
NAME/filled-blank. NAME alone is filled-blank for stereoset, aula elsewhere. With a column
sentence_id rows come in any order: ID-more and ID-less for crows-pairs, the official ids for
stereoset. An empty cell is no likelihood. Weighted MBE needs embeddings: JSON lines
{\"aula\": -0.9, \"embedding\": [0.1, …]}, one model a file; a table does for --weight none.

The same command continues a run that was interrupted, and asks nothing twice.")]
pub struct RunArgs {
    /// gest, winobias, mbe, crows-pairs, stereoset (see `epicene list benchmarks`)
    pub benchmark: String,

    /// System to measure: demo:mlm, demo:clm, dir:PATH, hf:ORG/NAME, gguf:PATH, openai:MODEL@URL, file:PATH, random:SEED, always:he, always:she (may be repeated)
    #[arg(long = "model", value_name = "SPEC")]
    pub models: Vec<SystemSpec>,

    /// Translator to measure: file:PATH or NAME=file:PATH with columns from,to, or one translation a
    /// line (may be repeated)
    #[arg(long = "mt", value_name = "SPEC")]
    pub translators: Vec<TranslatorSpec>,

    /// Target language of the translations: one for all, or one for each --mt, e.g. sk or sk,cs
    #[arg(long, value_name = "L,L", value_delimiter = ',')]
    pub lang: Vec<String>,

    /// Count sentences that a file does not translate as unknown instead of refusing it
    #[arg(long)]
    pub allow_missing: bool,

    /// Tokens a checkpoint reads in one go on each thread; changes speed, never an answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch_tokens: Option<u32>,

    /// Gender-swapped pairs to score instead of the English sentences (see `epicene pairs`)
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,

    /// Leave out a system of a file, by name (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub exclude: Vec<String>,

    /// What the models of score files are, where their columns do not tell
    #[arg(long, value_parser = parse_kind, value_name = "masked|causal")]
    pub kind: Option<ModelKind>,

    /// Data: a CSV file, or gest, gest-1.1, epicene-mini [default: gest]
    #[arg(long, value_name = "PATH|NAME")]
    pub data: Option<String>,

    /// Means of WinoBias splits to correlate g_s with (CSV)
    #[arg(long, value_name = "FILE")]
    pub winobias: Option<PathBuf>,

    /// Annotated gender swaps to check the first-letter heuristic on
    #[arg(long, value_name = "FILE")]
    pub swap_pairs: Option<PathBuf>,

    #[command(flatten)]
    pub sentences: SentenceArgs,

    /// Run directory [default: epicene-runs/BENCHMARK-HASH]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Start over: forget the answers in the run directory
    #[arg(long)]
    pub fresh: bool,

    /// Ask the first N items only
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Answer every N-th item, beginning with the I-th; join the parts with `epicene merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub measure: MeasureArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Exit with 1 if the expression holds for any row, e.g. 'g_s>1.2' or 'high(q[stereotype:7])<0.9'
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

/// Choices that change numbers after the answers are in.
#[derive(Args, Clone, Default)]
pub struct MeasureArgs {
    /// How log10 ratios become factors: published (e^mean, as in the paper's tables) or true (10^mean)
    #[arg(long, value_name = "published|true")]
    pub convention: Option<Convention>,

    /// What shows the gender of "I" in a translation: published (the paper's rules) or extended
    #[arg(long, value_name = "published|extended", value_parser = parse_mode)]
    pub mode: Option<Mode>,

    /// Seed of every resampling [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Intervals of means: limit (of endless resamples) or resampled (drawn, as in the paper)
    #[arg(long, value_name = "limit|resampled")]
    pub interval: Option<IntervalMethod>,

    /// Bootstrap resamples [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub bootstrap: Option<u32>,

    #[command(flatten)]
    pub sentences: SentenceMeasureArgs,
}

#[derive(Args, Clone, Default)]
pub struct OutputArgs {
    /// table, json, csv, md or latex [default: table]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  echo 'Bola som rada.' | epicene detect --lang sk
  epicene detect --lang pl --mode extended < translations.txt
  epicene detect --lang cs --conllu < parsed.conllu

Output: verdict (m, f, u unknown), rule, evidence as word@start-end (characters from 0), text.")]
pub struct DetectArgs {
    /// Language code (see `epicene list languages`); with --conllu also sr-Latn, sr-Cyrl
    #[arg(long, value_name = "LANG")]
    pub lang: String,

    /// The paper's rules, or extended
    #[arg(long, value_name = "published|extended", value_parser = parse_mode, default_value = "published")]
    pub mode: Mode,

    /// Apply the authors' exact rules to a parser's CoNLL-U output
    #[arg(long)]
    pub conllu: bool,

    /// With --conllu: every sentence is a translation of its own, whatever documents the file has
    #[arg(long, requires = "conllu")]
    pub by_sentence: bool,

    /// With --conllu and sl: the seven rules of the authors' repository instead of the published six
    #[arg(long, requires = "conllu")]
    pub repository_rules: bool,

    /// One JSON object a line instead of TSV
    #[arg(long)]
    pub json: bool,

    /// Read this file instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Two steps, with a translator in between:
  epicene pairs prompts --translations sk.csv --lang sk > prompts.txt     (one prompt a line)
  … translate prompts.txt with the same system into answers.txt …
  epicene pairs build --translations sk.csv --answers answers.txt --lang sk --name deepl > pairs.csv")]
pub struct PairsArgs {
    #[command(subcommand)]
    pub action: PairsAction,
}

#[derive(Subcommand)]
pub enum PairsAction {
    /// He-said / She-said prompts for the other gender than each translation shows
    Prompts(PairSource),
    /// Cut the quotations out of the answers, pair them with the translations, filter
    Build {
        #[command(flatten)]
        source: PairSource,

        /// Translations of the prompts, one a line in their order, or a table from,to
        #[arg(long, value_name = "FILE")]
        answers: PathBuf,

        /// Keep only pairs whose differing words start with the same letter
        #[arg(long)]
        same_letter: bool,
    },
}

#[derive(Args)]
pub struct PairSource {
    /// The system's translations of the sentences as they are (columns from,to, or one a line)
    #[arg(long, value_name = "FILE")]
    pub translations: PathBuf,

    #[arg(long, value_name = "LANG")]
    pub lang: String,

    /// Name of the translator in the pair file [default: from the path]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Sentences: a CSV file, or gest, gest-1.1, epicene-mini
    #[arg(long, value_name = "PATH|NAME", default_value = "gest")]
    pub data: String,

    #[arg(long, value_name = "published|extended", value_parser = parse_mode, default_value = "published")]
    pub mode: Mode,

    /// Leave the colon out of the prompts (the paper did so for DeepL and Czech)
    #[arg(long)]
    pub no_colon: bool,

    /// Count sentences that the file does not translate as unknown instead of refusing it
    #[arg(long)]
    pub allow_missing: bool,
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
    pub output: OutputArgs,

    /// Exit with 1 if the expression holds for any row
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene compare before after
  epicene compare before after --fail-if 'low(delta_g_s[all])>0'
  epicene compare run --systems roberta-base,bert-base-uncased")]
pub struct CompareArgs {
    /// One run or two
    #[arg(required = true, num_args = 1..=2, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Which systems, where a run holds several: FIRST,SECOND
    #[arg(long, value_name = "FIRST,SECOND")]
    pub systems: Option<String>,

    #[command(flatten)]
    pub measure: MeasureArgs,

    /// Rounds of the randomisation test
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub rounds: u32,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Exit with 1 if the expression holds for any row
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

#[derive(Args)]
pub struct ItemsArgs {
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene report epicene-runs/gest-0123456789 --format latex
  epicene report runs/a runs/b -o tables.md
  epicene report runs/a --convention true")]
pub struct ReportArgs {
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Write here instead of standard output; the extension chooses the format
    #[arg(long, short, value_name = "FILE")]
    pub output_file: Option<PathBuf>,

    /// Also draw the figures of these results into a directory, as SVG
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,

    #[command(flatten)]
    pub measure: MeasureArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Exit with 1 if the expression holds for any row
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

#[derive(Args)]
pub struct ListArgs {
    pub what: Listing,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Listing {
    /// What can be measured
    Benchmarks,
    /// The sixteen stereotypes of GEST
    Stereotypes,
    /// Results of the papers, the baselines every result is placed among
    Published,
    /// Checkpoints that can be run
    Architectures,
    /// Languages whose first-person gender can be told
    Languages,
    /// Data sets `epicene data` knows
    Data,
}

#[derive(Args)]
pub struct ShowArgs {
    /// gest, winobias, mbe, crows-pairs, stereoset
    pub benchmark: String,
}

#[derive(Args)]
#[command(
    after_help = "Data sets live in $EPICENE_CACHE, else in the user's cache directory.
EPICENE_DATA_URL replaces the address they are fetched from (a mirror or a local server)."
)]
pub struct DataArgs {
    #[command(subcommand)]
    pub action: DataAction,
}

#[derive(Subcommand)]
pub enum DataAction {
    /// Download a data set, continue an interrupted download, check its SHA-256
    Pull { name: String },
    /// Check the files in the cache
    Verify { name: String },
    /// Print where its files are
    Path { name: String },
}

#[derive(Args)]
pub struct DemoArgs {
    /// Where the demo's runs go [default: epicene-runs/demo]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `NAME=file:PATH`; without a name, the path gives one.
#[derive(Debug, Clone)]
pub struct TranslatorSpec {
    pub name: Option<String>,
    pub path: PathBuf,
}

impl FromStr for TranslatorSpec {
    type Err = String;

    fn from_str(given: &str) -> Result<TranslatorSpec, String> {
        let (name, spec) = match given.split_once("=file:") {
            Some(("", _)) => return Err("no name before `=`".to_owned()),
            Some((name, path)) => (Some(name.to_owned()), format!("file:{path}")),
            None => (None, given.to_owned()),
        };
        match spec.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Ok(TranslatorSpec {
                name,
                path: PathBuf::from(path),
            }),
            Some(("file", _)) => Err("no path after `file:`".to_owned()),
            _ => Err("translators known here: file:PATH, NAME=file:PATH".to_owned()),
        }
    }
}

pub fn parse_mode(given: &str) -> Result<Mode, String> {
    match given {
        "published" => Ok(Mode::Published),
        "extended" => Ok(Mode::Extended),
        _ => Err(format!("`{given}` is neither `published` nor `extended`")),
    }
}

fn parse_kind(given: &str) -> Result<ModelKind, String> {
    match given {
        "masked" => Ok(ModelKind::Masked),
        "causal" => Ok(ModelKind::Causal),
        _ => Err(format!("`{given}` is neither `masked` nor `causal`")),
    }
}
