//! `list`, `show`, `data`, `demo`: what there is.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    /// What can translate, and which keys or packages it needs
    Translators,
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
