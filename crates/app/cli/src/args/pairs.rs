//! `epicene data pairs`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use epicene_lang::first_person::Mode;
use epicene_mt::Named;

use super::parse_mode;
use super::run::parse_translator;
use super::translators::AskingArgs;

#[derive(Args)]
#[command(after_help = "Both steps at once, with a translator that can be asked:
  epicene data pairs build --mt deepl: --lang sk --yes > pairs.csv

Or two steps, with a translator in between:
  epicene data pairs prompts --translations sk.csv --lang sk > prompts.txt     (one prompt a line)
  … translate prompts.txt with the same system into answers.txt …
  epicene data pairs build --translations sk.csv --answers answers.txt --lang sk --name deepl > pairs.csv")]
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

        /// Translations of the prompts, one a line in their order, or a table from,to; not needed
        /// with --mt
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,

        /// Keep only pairs whose differing words start with the same letter
        #[arg(long)]
        same_letter: bool,
    },
}

#[derive(Args)]
pub struct PairSource {
    /// The system's translations of the sentences as they are (columns from,to, or one a line)
    #[arg(long, value_name = "FILE", required_unless_present = "translator")]
    pub translations: Option<PathBuf>,

    /// A translator that is asked for what no file has (see `epicene list translators`)
    #[arg(long = "mt", value_name = "SPEC", value_parser = parse_translator)]
    pub translator: Option<Named>,

    #[command(flatten)]
    pub asking: AskingArgs,

    #[arg(long, value_name = "LANG")]
    pub lang: String,

    /// Name of the translator in the pair file [default: from the path]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Sentences: a CSV file, or gest, gest-1.1, epicene-mini
    #[arg(long, value_name = "PATH|NAME", default_value = "gest")]
    pub data: String,

    #[arg(long, value_name = "published|extended|strict", value_parser = parse_mode, default_value = "published")]
    pub mode: Mode,

    /// Leave the colon out of the prompts (the paper did so for DeepL and Czech, and so does --mt
    /// deepl: by itself)
    #[arg(long)]
    pub no_colon: bool,

    /// Count sentences that the file does not translate as unknown instead of refusing it
    #[arg(long)]
    pub allow_missing: bool,
}
