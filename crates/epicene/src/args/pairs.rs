//! `epicene pairs`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use epicene_lang::first_person::Mode;

use super::parse_mode;

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
