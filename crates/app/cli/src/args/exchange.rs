//! `ask`, `tell` and `status`: questions out, answers in.

use std::path::PathBuf;

use clap::Args;
use epicene_core::ModelKind;
use epicene_run::Shard;

use super::choices::ChoiceArgs;
use super::known;
use super::run::parse_input;
use super::sentences::SentenceArgs;

fn parse_kind(given: &str) -> Result<ModelKind, String> {
    match given {
        "masked" => Ok(ModelKind::Masked),
        "causal" => Ok(ModelKind::Causal),
        "chat" => Ok(ModelKind::Chat),
        "mt" | "translator" => Ok(ModelKind::Translator),
        _ => Err(format!("`{given}` is none of masked, causal, chat, mt")),
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene export-questions gest --kind masked > questions.jsonl
  epicene export-questions gest --kind mt --lang sk,cs --out run > questions.jsonl
  epicene export-questions gest --kind causal --shard 2/8 | epicene score --stream --model hf:ORG/NAME > part2.jsonl
  epicene export-questions --rest run | epicene score --stream --model dir:clm | epicene import-answers run

The first line names the version, the benchmark, the data and a hash of the questions; every further line is one question
with an id and everything needed to answer it: `task` and the fields `epicene score` takes. Any program may answer them, in any
order, and send {\"id\": …, \"answer\": …} lines to `epicene import-answers`. See docs/scale.md.")]
pub struct AskArgs {
    #[arg(required_unless_present = "rest", help = known::benchmarks())]
    pub benchmark: Option<String>,

    /// Who will answer: masked, causal, chat or mt
    #[arg(long, value_name = "masked|causal|chat|mt", value_parser = parse_kind, required_unless_present = "rest")]
    pub kind: Option<ModelKind>,

    /// The questions that this run has no answer to, instead of all of a benchmark
    #[arg(long, value_name = "RUN", conflicts_with_all = ["benchmark", "kind", "out"])]
    pub rest: Option<PathBuf>,

    /// Target languages of translators, e.g. sk,cs
    #[arg(long, value_name = "L,L", value_delimiter = ',')]
    pub lang: Vec<String>,

    /// Data, as `epicene run` takes it
    #[arg(long, value_name = "PATH|NAME")]
    pub data: Option<String>,

    /// Size of a challenge set that is generated: xs, s or xl (unambiguous)
    #[arg(long, value_name = "xs|s|xl", conflicts_with = "data")]
    pub size: Option<String>,

    /// Gender-swapped pairs to ask about instead of the English sentences
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,

    /// A further file a benchmark uses (may be repeated)
    #[arg(long, value_name = "ROLE=FILE", value_parser = parse_input)]
    pub input: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub sentences: SentenceArgs,

    /// Only the first N items
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Only the questions of every N-th item, from the I-th on; the ids are those of the whole
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// Also make the run directory the answers are told to
    #[arg(long, value_name = "RUN")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub choices: ChoiceArgs<true>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene score --stream --model dir:bert < questions.jsonl | epicene import-answers run
  cat part*.jsonl | epicene import-answers run && epicene report run
  epicene import-answers run --system my-model --source my-model-v2 < answers.jsonl

Lines in any order: answers {\"id\": …, \"answer\": …}, failures {\"id\": …, \"error\": …}, the card of who answered (the
first line of `score --stream`), the first line of `epicene export-questions`. The same answer again is passed over; another answer to a
question, and a question of another plan, are refused by line, and the rest is kept. Run it again with more lines as often as
you like; `epicene export-questions --rest RUN` lists what is open. Where RUN is not there it is made from the first line of `export-questions`.

An answer is what a run's log holds ({\"log10_ratio\": 0.3}), or in short a number, a list of likelihoods, a text, null.")]
pub struct TellArgs {
    /// Run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Who answered, where no line says so
    #[arg(long, value_name = "NAME")]
    pub system: Option<String>,

    /// Where that system came from; stands in the signature as told:SOURCE [default: its name]
    #[arg(long, value_name = "SOURCE", requires = "system")]
    pub source: Option<String>,

    /// Read this file (plain, gzip, Zstandard) instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene status run
  epicene status part*/ --json

Answered questions of all, answers a second since the run began, the time that is left at that rate, questions without an
answer by their system, and failures that were told and not made good since.")]
pub struct StatusArgs {
    /// Run directories
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,

    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene verify run
  epicene verify part*/

Exit codes: 0 intact and complete, 1 intact but answers are missing, 2 changed after it was written.")]
pub struct VerifyArgs {
    /// Run directories
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
}
