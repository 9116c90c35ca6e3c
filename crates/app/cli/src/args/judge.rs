//! `epicene gender`.

use std::path::PathBuf;

use clap::Args;
use epicene_lang::occupation::JudgeMode;

use super::aligner::Aligner;

#[derive(Args)]
#[command(after_help = "Examples:
  printf 'The nurse slept.\\tnurse\\tDie Krankenschwester schlief.\\n' | epicene gender --lang de
  epicene gender --lang ru --json translated.tsv
  echo 'Frau Minister Huber kam.' | epicene gender --lang de --word Minister
  echo 'La femme médecin est venue.' | epicene gender --lang fr --word doctor
  epicene gender --lang es --aligner encoder:dir:mbert translated.tsv

Input: a line is `source TAB word TAB translation`, where word is the English noun (\"nurse\", \"police
officer\") or its index among the source's words, counted from 0. With --person a line is a translation.
Output: verdict (m, f; c: says nothing of the person or names both; n neuter; u unknown), rule, evidence as
word@start-end (characters from 0), text. Without --word and --table, `epicene gender` reads the gender of \"I\".")]
pub struct JudgeArgs {
    /// Language of the translations: ar be bg ca cs de el es fr gl he hi hr it lt lv pl pt ro ru sk sl sr uk ur
    #[arg(long, value_name = "LANG")]
    pub lang: String,

    /// Every line is a translation: judge this word of it, or the translation of this English noun
    #[arg(long, value_name = "WORD")]
    pub person: Option<String>,

    /// What counts: epicene (all that the phrase and what agrees with it say of the person) or published
    /// (the grammatical gender of the linked word, as a tagger gives it)
    #[arg(long = "detector", alias = "mode", value_name = "epicene|published", value_parser = parse_mode, default_value = "epicene")]
    pub mode: JudgeMode,

    /// How the noun is found: built-in (lexicon, the lines themselves, position) or encoder:dir:PATH,
    /// encoder:hf:ORG/NAME (a multilingual encoder instead of the lines; encoder:6:… compares its layer 6, not 8)
    #[arg(
        long,
        value_name = "ALIGNER",
        default_value = "built-in",
        conflicts_with = "person"
    )]
    pub aligner: Aligner,

    /// Nouns of your own, believed before ours, in the format of docs/adding-an-occupation-language.md
    #[arg(long, value_name = "FILE")]
    pub lexicon: Option<PathBuf>,

    /// One JSON object a line instead of TSV
    #[arg(long)]
    pub json: bool,

    /// Read this file (plain or packed) instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

pub(super) fn parse_mode(given: &str) -> Result<JudgeMode, String> {
    match given {
        "epicene" | "default" => Ok(JudgeMode::Default),
        "published" => Ok(JudgeMode::Published),
        _ => Err(format!("`{given}` is none of `epicene`, `published`")),
    }
}
