//! `epicene run`, and what other commands share with it.

use std::path::PathBuf;

use clap::Args;
use epicene_bench::translation_columns::Columns;
use epicene_core::ModelKind;
use epicene_lm::{Dtype, Placement, SystemSpec, SystemSpecError};
use epicene_mt::{MtError, Named, TokenPrice};
use epicene_report::Format;
use epicene_run::{LogLayout, Shard};

use super::aligner::Aligner;
use super::choices::ChoiceArgs;
use super::known;
use super::parse_kind;
use super::sentences::SentenceArgs;

#[derive(Args, Default)]
#[command(
    after_help = "Examples:
  epicene run gest --model hf:google-bert/bert-base-uncased
  epicene run gest --mt deepl=file:deepl.sk.csv --mt nllb=file:nllb.sk.csv --lang sk
  epicene run unambiguous --size s --mt file:de.txt.gz --lang de

All options, formats of files and more examples: epicene run --help",
    after_long_help = "Examples:
  epicene run gest --model file:english_mlm.csv.gz --data gest.csv
  epicene run gest --model random:1 --model always:he --data epicene-mini
  epicene run gest --model hf:google-bert/bert-base-uncased
  epicene run gest --mt file:translations.csv --lang sk
  epicene run gest --mt deepl=file:deepl.sk.csv --mt nllb=file:nllb.sk.csv --lang sk
  epicene run gest --mt apertium: --mt deepl: --lang sk,cs --yes
  epicene run gest --model file:slavic_scores.csv --pairs pairs.csv
  epicene run gest --model file:scores.csv --shard 2/8 --out part2
  epicene run unambiguous --size s --mt file:de.txt.gz --lang de
  epicene run wibemt --mt file:de.txt --lang de --unresolved open.tsv
  epicene run winomt --data en.txt --mt file:en-de.txt --lang de
  epicene run winobias --model file:winobias.csv
  epicene run mbe --source en.txt --target de.txt --model file:likelihoods.jsonl
  epicene run crows-pairs --data crows_pairs.csv --model file:likelihoods.csv

A file of scores has one row for each item of the data, in its order, and one column for each model
and template, named NAME_template-K (K from 0 within the model's templates, the published layout) or
NAME/template:N (the paper's number). Scores are log10 P(masculine)/P(feminine). gzip is accepted.

Likelihoods for mbe, crows-pairs and stereoset: one row for each sentence in the order of the
data (of a pair: stereotypical, anti-stereotypical, for stereoset also unrelated), one column for
each model and method: NAME/aula, NAME/aul, NAME/cps, NAME/sss, NAME/sss-released, for stereoset
NAME/filled-blank. NAME alone is filled-blank for stereoset, aula elsewhere. With a column
sentence_id rows come in any order: ID-more and ID-less for crows-pairs, the official ids for
stereoset. An empty cell is no likelihood. Weighted MBE needs embeddings: JSON lines
{\"aula\": -0.9, \"embedding\": [0.1, …]}, one model a file; a table does for --weight none.

The same command continues a run that was interrupted, and asks nothing twice."
)]
pub struct RunArgs {
    #[arg(help = known::benchmarks())]
    pub benchmark: String,

    #[arg(long = "model", value_name = "SPEC", value_parser = parse_model, help = known::systems())]
    pub models: Vec<SystemSpec>,

    #[arg(long = "mt", value_name = "SPEC", value_parser = parse_translator, help = known::translators())]
    pub translators: Vec<Named>,

    /// Target languages, e.g. sk or sk,cs: every translator is asked for all of them; files have one
    /// for all, or one each in their order
    #[arg(long, value_name = "L,L", value_delimiter = ',')]
    pub lang: Vec<String>,

    /// Count sentences that a file does not translate as unknown instead of refusing it
    #[arg(long, hide_short_help = true)]
    pub allow_missing: bool,

    /// The column of a table that holds the translations, or two, SOURCE,TRANSLATION: by the header's names, or by
    /// numbers from 1 where there is no header
    #[arg(long, value_name = "[FROM,]TO", hide_short_help = true)]
    pub column: Option<Columns>,

    /// Measure files of translations that look like another language, untranslated or in another order; the
    /// signature says so
    #[arg(long, hide_short_help = true)]
    pub trust_language: bool,

    /// Leave out languages that cannot be measured or translated into, say which, and measure the rest
    #[arg(long, hide_short_help = true)]
    pub keep_going: bool,

    /// Tokens a checkpoint reads in one go on each thread; changes speed, never an answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), hide_short_help = true)]
    pub batch_tokens: Option<u32>,

    /// Where checkpoints run: cpu, cuda, cuda:N, or cuda:N,N for several GPUs that share the work [default: cuda where a GPU is found and the model
    /// fits]
    #[arg(long, value_name = "cpu|cuda[:N,N]")]
    pub device: Option<Placement>,

    /// Arithmetic: f32, bf16, int8 on the processor [default: f32]; f32, tf32, f16, bf16 on a GPU [default: as the
    /// weights are stored]; stands in the signature
    #[arg(long, value_name = "DTYPE", hide_short_help = true)]
    pub dtype: Option<Dtype>,

    /// Read a checkpoint (hf:, dir:) as if a field of its settings, or a tensor, were not there (may be repeated);
    /// stands in the signature
    #[arg(long, value_name = "FIELD", hide_short_help = true)]
    pub ignore_config: Vec<String>,

    /// Gender-swapped pairs to score instead of the English sentences (see `epicene pairs`)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub pairs: Option<PathBuf>,

    /// Tokenizer of a model whose scores a file has, [NAME=]tokenizer.json or a directory: pairs that do not differ in exactly one
    /// token are left out, as for models that are run here (gest --pairs; may be repeated)
    #[arg(long, value_name = "[NAME=]PATH", hide_short_help = true)]
    pub tokenizer: Vec<String>,

    /// Leave out a system of a file, by name (may be repeated)
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub exclude: Vec<String>,

    /// What the models of score files are, where their columns do not tell
    #[arg(long, value_parser = parse_kind, value_name = "masked|causal", hide_short_help = true)]
    pub kind: Option<ModelKind>,

    /// Data: a file, a directory, a data set (see `epicene data list`), or epicene-mini for gest and gest-chat [default: the
    /// benchmark's own]
    #[arg(long, value_name = "PATH|NAME")]
    pub data: Option<String>,

    /// Size of a challenge set that is generated: xs, s or xl (unambiguous)
    #[arg(long, value_name = "xs|s|xl", conflicts_with = "data")]
    pub size: Option<String>,

    /// A further file a benchmark uses, e.g. align:de=FILE; its card (`epicene show`) names the roles
    /// (may be repeated)
    #[arg(long, value_name = "ROLE=FILE", value_parser = parse_input, hide_short_help = true)]
    pub input: Vec<(String, PathBuf)>,

    /// Who links the occupation to a word of the translation: built-in, or encoder:dir:PATH, encoder:hf:ORG/NAME (a
    /// multilingual encoder; encoder:6:… compares its layer 6, not 8). Its links are kept with the run [default: built-in]
    #[arg(long, value_name = "ALIGNER", hide_short_help = true)]
    pub aligner: Option<Aligner>,

    #[command(flatten)]
    pub sentences: SentenceArgs,

    /// Write the answers that the rules leave to a person here, to be decided and read back with --input
    /// decisions=FILE (wibemt)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub unresolved: Option<PathBuf>,

    /// Run directory [default: epicene-runs/BENCHMARK-HASH]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Start over: forget the answers in the run directory and ask translators anew
    #[arg(long)]
    pub fresh: bool,

    /// Ask a paid translation service for more than 1,000 sentences
    #[arg(long)]
    pub yes: bool,

    /// Spend at most so many US dollars on services, by their list prices, over all shards (a shard of N spends an N-th);
    /// what a run spent is in its spent.json. Implies --yes
    #[arg(long, value_name = "USD", value_parser = parse_dollars, hide_short_help = true)]
    pub budget: Option<f64>,

    /// What a million tokens of a chat service cost in US dollars, in and out, by its price list (0.15,0.60)
    #[arg(long, value_name = "IN,OUT", hide_short_help = true)]
    pub price: Option<TokenPrice>,

    /// lines (one file, under a lock) or segments (numbered files, each written whole: object stores)
    #[arg(long = "log", value_name = "lines|segments", value_parser = parse_layout, default_value = "lines", hide_short_help = true)]
    pub log: LogLayout,

    /// Ask the first N items only
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Answer every N-th item, beginning with the I-th; join the parts with `epicene merge`
    #[arg(long, value_name = "I/N", hide_short_help = true)]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub choices: ChoiceArgs<true>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Exit with 1 if the expression holds, e.g. 'g_s>1.2' or 'f_s>0.29 and f_m>0.66' (see `epicene help gates`)
    #[arg(long, value_name = "EXPR")]
    pub fail_if: Option<String>,
}

#[derive(Args, Clone, Default)]
pub struct OutputArgs {
    #[arg(long, value_name = "FORMAT", help = known::formats())]
    pub format: Option<Format>,

    /// Also write a JUnit test report: a gate that holds, and the rows that make it hold, are failed tests
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// A system; of a name without a kind, what it may have meant.
fn parse_model(given: &str) -> Result<SystemSpec, String> {
    given
        .parse()
        .map_err(|error: SystemSpecError| format!("{error}{}", meant(given)))
}

fn parse_translator(given: &str) -> Result<Named, String> {
    let spec = given.rsplit('=').next().unwrap_or(given);
    given
        .parse()
        .map_err(|error: MtError| format!("{error}{}", meant(spec)))
}

fn meant(given: &str) -> String {
    if given.is_empty() || given.contains(':') {
        return String::new();
    }
    let path = std::path::Path::new(given);
    let kind = match (path.is_dir(), path.extension().and_then(|end| end.to_str())) {
        (true, _) => "dir",
        (false, Some("gguf")) => "gguf",
        (false, _) if path.is_file() => "file",
        _ => "hf",
    };
    format!("; did you mean `{kind}:{given}`?")
}

fn parse_layout(given: &str) -> Result<LogLayout, String> {
    match given {
        "lines" => Ok(LogLayout::Lines),
        "segments" => Ok(LogLayout::Segments),
        _ => Err(format!("`{given}` is neither `lines` nor `segments`")),
    }
}

pub(super) fn parse_input(given: &str) -> Result<(String, PathBuf), String> {
    match given.split_once('=') {
        Some((role, path)) if !role.is_empty() && !path.is_empty() => {
            Ok((role.to_owned(), PathBuf::from(path)))
        }
        _ => Err(format!("`{given}` is not ROLE=FILE")),
    }
}

fn parse_dollars(given: &str) -> Result<f64, String> {
    let dollars = given.parse::<f64>().ok();
    let dollars = dollars.filter(|dollars| dollars.is_finite() && *dollars > 0.0);
    dollars.ok_or_else(|| format!("`{given}` is no amount of dollars"))
}
