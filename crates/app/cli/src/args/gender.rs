//! `epicene gender`: whose gender is read out of text, and how.

use std::path::PathBuf;

use clap::Args;
use epicene_lang::first_person::{Nouns, Vote};

use super::aligner::Aligner;
use super::detect::DetectArgs;
use super::judge::{self, JudgeArgs};
use super::parse_mode;
use crate::failure::Failure;

const SPEAKER: &str = "With --speaker";
const WORD: &str = "With --word and --table";

#[derive(Args)]
#[command(after_help = "Examples:
  echo 'Bola som rada.' | epicene gender --lang sk
  echo 'Frau Minister Huber kam.' | epicene gender --lang de --word Minister
  echo 'La femme médecin est venue.' | epicene gender --lang fr --word doctor
  printf 'The nurse slept.\\tnurse\\tDie Krankenschwester schlief.\\n' | epicene gender --lang de --table
  epicene gender --lang fr --document < letters.jsonl

Output: verdict, rule, evidence as word@start-end (characters from 0), text. Verdicts: m, f, n (both genders or neutral
wording), u (unknown); of a word n is neutral wording alone, i inclusive writing, b both genders named.
With --document: verdict, how the sentences decided, sentences that show a man, a woman, both genders, and all, evidence.")]
pub struct GenderArgs {
    /// Language of the text (see `epicene list languages`)
    #[arg(long, value_name = "LANG")]
    lang: String,

    /// The gender of "I", the speaker; one text a line [default]
    #[arg(long, group = "whose")]
    speaker: bool,

    /// The gender that each line gives to this word, or to the translation of this English noun
    #[arg(long, value_name = "WORD", group = "whose")]
    word: Option<String>,

    /// Lines are `source TAB word TAB translation`; word is the English noun ("nurse", "police officer") or its index
    /// among the source's words, from 0
    #[arg(long, group = "whose")]
    table: bool,

    /// What counts. Of a speaker: epicene (only what certainly speaks of "I"), published (the paper's rules) or extended
    /// (all that may speak of it) [default: epicene]. Of a word: epicene (the phrase and what agrees with it) or published
    /// (the grammatical gender of the linked word) [default: epicene]
    #[arg(long, value_name = "DETECTOR", alias = "mode")]
    detector: Option<String>,

    /// One JSON object a line instead of TSV
    #[arg(long)]
    json: bool,

    /// Which nouns for "I" count for epicene's detector ("Som vedkyňa"): listed (those of the language's rules), lexicon
    /// (all that the lexicon of persons knows) or off [default: listed]
    #[arg(long, help_heading = SPEAKER, value_name = "listed|lexicon|off", conflicts_with_all = ["conllu", "word", "table"])]
    nouns: Option<Nouns>,

    /// Read JSON lines {"text": …} and give each text one verdict: every sentence is read by itself, a line end ends a
    /// sentence, and the majority decides (both genders on a tie); with `unanimous` all must agree
    #[arg(
        long,
        help_heading = SPEAKER,
        value_name = "majority|unanimous",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "majority",
        conflicts_with_all = ["conllu", "detector", "word", "table"]
    )]
    document: Option<Vote>,

    /// A language of your own: a folder with language.toml
    #[arg(long, help_heading = SPEAKER, value_name = "DIR", conflicts_with_all = ["conllu", "detector", "word", "table"])]
    language_pack: Option<PathBuf>,

    /// Apply the authors' exact rules to a parser's CoNLL-U output
    #[arg(long, help_heading = SPEAKER, conflicts_with_all = ["detector", "word", "table"])]
    conllu: bool,

    /// With --conllu: every sentence is a translation of its own, whatever documents the file has
    #[arg(long, help_heading = SPEAKER, requires = "conllu")]
    by_sentence: bool,

    /// With --conllu and sl: the seven rules of the authors' repository instead of the published six
    #[arg(long, help_heading = SPEAKER, requires = "conllu")]
    repository_rules: bool,

    /// Word aligner: built-in (lexicon, the lines themselves, position) or encoder:dir:PATH, encoder:hf:ORG/NAME (a
    /// multilingual encoder; encoder:6:… compares its layer 6, not 8) [default: built-in]
    #[arg(long, help_heading = WORD, value_name = "ALIGNER", requires = "table")]
    aligner: Option<Aligner>,

    /// Nouns of your own, believed before ours, in the format of docs/adding-an-occupation-language.md
    #[arg(long, help_heading = WORD, value_name = "FILE", conflicts_with = "speaker")]
    lexicon: Option<PathBuf>,

    /// Read this file (plain or packed) instead of standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Whose gender is asked for.
pub enum Asked {
    Speaker(DetectArgs),
    Person(JudgeArgs),
}

impl GenderArgs {
    pub fn asked(self) -> Result<Asked, Failure> {
        let named = |message: String| Failure::usage(format!("--detector: {message}"));
        if self.word.is_none() && !self.table {
            if self.lexicon.is_some() {
                return Err(Failure::usage("--lexicon has no effect on the speaker")
                    .with_hint("give --word WORD or --table"));
            }
            let mode = self.detector.as_deref().map(parse_mode).transpose();
            return Ok(Asked::Speaker(DetectArgs {
                lang: self.lang,
                detector: mode.map_err(named)?,
                nouns: self.nouns,
                document: self.document,
                language_pack: self.language_pack,
                conllu: self.conllu,
                by_sentence: self.by_sentence,
                repository_rules: self.repository_rules,
                json: self.json,
                file: self.file,
            }));
        }
        let mode = self.detector.as_deref().unwrap_or("epicene");
        Ok(Asked::Person(JudgeArgs {
            lang: self.lang,
            person: self.word,
            mode: judge::parse_mode(mode).map_err(named)?,
            aligner: self.aligner.unwrap_or(Aligner::BuiltIn),
            lexicon: self.lexicon,
            json: self.json,
            file: self.file,
        }))
    }
}
