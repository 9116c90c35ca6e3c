//! `epicene gender`.

use std::path::PathBuf;

use clap::Args;
use epicene_lang::first_person::{Mode, Nouns, Vote};

use super::parse_mode;

#[derive(Args)]
#[command(after_help = "Examples:
  echo 'Bola som rada.' | epicene gender --lang sk
  epicene gender --lang pl --detector published < translations.txt
  epicene gender --lang cs --conllu < parsed.conllu
  epicene gender --lang fr --document < letters.jsonl

Output: verdict (m, f, n both genders, u unknown), rule, evidence as word@start-end (characters from 0), text.
With --document: verdict, how the sentences decided, sentences that show a man, a woman, both genders, and all, evidence.")]
pub struct DetectArgs {
    /// Language code (see `epicene list languages`); with --conllu also sr-Latn, sr-Cyrl
    #[arg(long, value_name = "LANG")]
    pub lang: String,

    /// What counts: epicene (only what certainly speaks of "I", in all sentences), published (the
    /// paper's rules) or extended (all that may speak of it)
    /// [default: epicene]
    #[arg(long, alias = "mode", value_name = "epicene|published|extended", value_parser = parse_mode, conflicts_with = "conllu")]
    pub detector: Option<Mode>,

    /// Which nouns for "I" count for epicene's detector ("Som vedkyňa"): listed (those of the language's rules), lexicon
    /// (all that the lexicon of persons knows) or off [default: listed]
    #[arg(long, value_name = "listed|lexicon|off", conflicts_with = "conllu")]
    pub nouns: Option<Nouns>,

    /// Read JSON lines {"text": …} and judge each text as a document: every sentence is judged by itself, a line end ends a
    /// sentence, and the majority decides (both genders on a tie); with `unanimous` all must agree
    #[arg(
        long,
        value_name = "majority|unanimous",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "majority",
        conflicts_with_all = ["conllu", "detector"]
    )]
    pub document: Option<Vote>,

    /// Apply the authors' exact rules to a parser's CoNLL-U output
    #[arg(long)]
    pub conllu: bool,

    /// With --conllu: every sentence is a translation of its own, whatever documents the file has
    #[arg(long, requires = "conllu")]
    pub by_sentence: bool,

    /// With --conllu and sl: the seven rules of the authors' repository instead of the published six
    #[arg(long, requires = "conllu")]
    pub repository_rules: bool,

    /// A language of your own: a folder with language.toml (see docs/adding-a-language.md)
    #[arg(long, value_name = "DIR", conflicts_with = "conllu")]
    pub language_pack: Option<PathBuf>,

    /// One JSON object a line instead of TSV
    #[arg(long)]
    pub json: bool,

    /// Read this file instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}
