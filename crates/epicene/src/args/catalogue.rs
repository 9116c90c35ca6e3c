//! `list`, `show`, `data`, `demo`: what there is.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    /// Languages whose first-person gender can be told
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

Data sets live in $EPICENE_CACHE, else in the user's cache directory.
EPICENE_DATA_URL replaces the address they are fetched from (a mirror or a local server).")]
pub struct DataArgs {
    #[command(subcommand)]
    pub action: DataAction,
}

#[derive(Subcommand)]
pub enum DataAction {
    /// Download a data set, continue an interrupted download, check its SHA-256
    #[command(after_help = "Example:\n  epicene data pull gest")]
    Pull {
        /// A data set (see `epicene list data`)
        name: String,
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
  epicene demo
  epicene demo --out /tmp/demo")]
pub struct DemoArgs {
    /// Where the demo's runs go [default: epicene-runs/demo]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
