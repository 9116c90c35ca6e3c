//! `list`, `show`, `data`, `demo`: what there is.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::generate::GenerateArgs;
use super::pairs::PairsArgs;
use super::papers::CheckSentencesArgs;
use super::sentences::ExtractArgs;

#[derive(Args)]
#[command(after_help = "Examples:
  epicene list benchmarks
  epicene list published")]
pub struct ListArgs {
    /// What to list
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
    /// What can translate, and which keys or packages it needs
    Translators,
    /// Languages, with their scripts, detectors and benchmarks
    Languages,
    /// Data sets `epicene data` knows
    Data,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene show gest
  epicene show mbe")]
pub struct ShowArgs {
    /// A benchmark (see `epicene list benchmarks`)
    pub benchmark: String,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data pull gest
  epicene data verify gest
  epicene data path gest
  epicene data list --json
  epicene data pull --all --license mit,apache-2.0

Data sets live in $EPICENE_CACHE, else in the user's cache directory.
EPICENE_DATA_URL replaces the address they are fetched from (a mirror or a local server).")]
pub struct DataArgs {
    #[command(subcommand)]
    pub action: DataAction,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  epicene data check-pack my-language")]
pub struct CheckPackArgs {
    /// The folder with language.toml
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Subcommand)]
pub enum DataAction {
    #[command(flatten)]
    Sets(SetAction),
    /// Make a challenge set: text, features and answers
    Make(GenerateArgs),
    /// Check sentences of your own in GEST's design against its guide; statistics of the set
    Lint(CheckSentencesArgs),
    /// Let a language pack judge its own gold sentences: precision, recall, mistakes
    CheckPack(CheckPackArgs),
    /// Extract sentences about women and about men from a parallel corpus (MBE)
    Extract(ExtractArgs),
    /// Build gender-swapped sentence pairs from translations (GEST on Slavic masked models)
    Pairs(PairsArgs),
}

#[derive(Subcommand)]
pub enum SetAction {
    /// Which data sets there are, with licence, source, revision and hashes
    #[command(after_help = "Examples:\n  epicene data list\n  epicene data list --json")]
    List {
        /// Everything the registry has, and what is in the cache
        #[arg(long)]
        json: bool,
    },
    /// Download a data set, continue an interrupted download, check its SHA-256; a file without a recorded hash is
    /// trusted on first use and pinned
    #[command(
        after_help = "Examples:\n  epicene data pull gest\n  epicene data pull --all --license mit,apache-2.0"
    )]
    Pull {
        /// A data set (see `epicene data list`)
        #[arg(conflicts_with_all = ["all", "license"])]
        name: Option<String>,
        /// Every data set that can be fetched
        #[arg(long)]
        all: bool,
        /// Only data sets under these licences
        #[arg(long, value_name = "L,L", value_delimiter = ',')]
        license: Vec<String>,
    },
    /// Check the files in the cache
    #[command(after_help = "Example:\n  epicene data verify gest")]
    Verify {
        /// A data set
        name: String,
    },
    /// Print where its files are
    #[command(after_help = "Example:\n  epicene data path gest")]
    Path {
        /// A data set
        name: String,
    },
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene cite gest
  epicene cite epicene-runs/gate-1234 > references.bib")]
pub struct CiteArgs {
    /// Benchmarks, or run directories
    #[arg(required = true, value_name = "RUN|BENCHMARK")]
    pub what: Vec<String>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene demo
  epicene demo --full
  epicene demo --out /tmp/demo")]
pub struct DemoArgs {
    /// Every table, more models, a chat model, a comparison, and challenge sets
    #[arg(long)]
    pub full: bool,

    /// Where the demo's runs go [default: epicene-runs/demo]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
