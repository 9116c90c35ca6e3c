//! `epicene translate`, and what every command that asks a translator shares.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use epicene_lm::{Dtype, Placement};
use epicene_mt::Named;

use super::known;
use super::run::parse_translator;

#[derive(Args)]
#[command(after_help = "Examples:
  epicene translate --mt apertium: --to es < english.txt > spanish.txt
  epicene translate --mt deepl: --to sk --format csv english.txt -o deepl.sk.csv.gz
  epicene translate --mt openai:MODEL@http://localhost:8000 --to cs --format jsonl english.txt

One line is one sentence; order is kept, empty lines stay empty. Translations are kept in
$EPICENE_CACHE (else the user's cache directory): the same command again asks nothing that was
answered before, and an interrupted one continues. A table (csv, tsv, jsonl) has the columns from
and to, and is read back with `--mt file:PATH`. Input may be gzip or zstd; an output file named
*.gz or *.zst is packed.

Keys come from the environment alone: see `epicene list translators`.")]
pub struct TranslateArgs {
    #[arg(long = "mt", value_name = "SPEC", value_parser = parse_translator, help = known::translator())]
    pub translator: Named,

    /// Language to translate into, e.g. sk, pt-BR; a file has its own
    #[arg(long, value_name = "LANG")]
    pub to: Option<String>,

    /// Language of the input [default: en]
    #[arg(long, value_name = "LANG")]
    pub from: Option<String>,

    #[arg(
        long,
        value_name = "lines|csv|tsv|jsonl",
        value_enum,
        default_value = "lines"
    )]
    pub format: TranslationFormat,

    /// Write this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub asking: AskingArgs,

    /// Read this file instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TranslationFormat {
    /// Translations alone, one a line
    Lines,
    /// Columns from,to
    Csv,
    /// Columns from and to, separated by tabs
    Tsv,
    /// {"from": …, "to": …}, one a line
    Jsonl,
}

/// How a translator may be asked.
#[derive(Args, Clone, Default)]
pub struct AskingArgs {
    /// Ask a paid service for more than 1,000 sentences
    #[arg(long)]
    pub yes: bool,

    /// Ask again for what is in the cache of translations
    #[arg(long)]
    pub fresh: bool,

    /// Where a model (hf:, dir:) runs: cpu, cuda, cuda:N, or cuda:N,N for several GPUs that share the work [default: cuda where a GPU is found and the
    /// model fits]
    #[arg(long, value_name = "cpu|cuda[:N,N]")]
    pub device: Option<Placement>,

    /// Arithmetic: f32, bf16, int8 on CPU [default: f32]; f32, tf32, f16, bf16 on a GPU [default: as the
    /// weights are stored]; stands in the signature
    #[arg(long, value_name = "DTYPE")]
    pub dtype: Option<Dtype>,

    /// Read a checkpoint (hf:, dir:) as if a field of its settings, or a tensor, were not there (may be repeated);
    /// stands in the signature
    #[arg(long, value_name = "FIELD")]
    pub ignore_config: Vec<String>,
}
