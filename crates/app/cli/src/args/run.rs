//! `epicene run`, and what other commands share with it.

use std::collections::BTreeSet;
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
use crate::detector_command::DetectorCommand;
use crate::suggest;

pub(super) const SYSTEMS: &str = "Systems";
pub(super) const DATA: &str = "Data";
pub(super) const DETECTOR: &str = "Detector";
pub(super) const STATISTICS: &str = "Statistics";
pub(super) const OUTPUT: &str = "Output";
pub(super) const ADVANCED: &str = "Advanced";

#[derive(Args, Default)]
pub struct RunArgs {
    #[arg(skip)]
    pub benchmark: String,

    #[arg(long = "model", help_heading = SYSTEMS, value_name = "SPEC", value_parser = parse_model, help = known::systems())]
    pub models: Vec<SystemSpec>,

    #[arg(long = "mt", help_heading = SYSTEMS, value_name = "SPEC", value_parser = parse_translator, help = known::translators())]
    pub translators: Vec<Named>,

    /// Languages, e.g. sk or sk,cs: every translator is asked for all of them; files have one for all, or one each in
    /// their order
    #[arg(long, help_heading = SYSTEMS, value_name = "L,L", value_delimiter = ',')]
    pub lang: Vec<String>,

    /// Where checkpoints run: cpu, cuda, cuda:N, or cuda:N,N for several GPUs that share the work [default: cuda if a GPU
    /// is found and the model fits]
    #[arg(long, help_heading = SYSTEMS, value_name = "cpu|cuda[:N,N]")]
    pub device: Option<Placement>,

    /// Arithmetic: f32, bf16, int8 on CPU [default: f32]; f32, tf32, f16, bf16 on a GPU [default: as the weights are
    /// stored]; part of the signature
    #[arg(long, help_heading = SYSTEMS, value_name = "DTYPE")]
    pub dtype: Option<Dtype>,

    /// Ask a paid translation service for more than 1,000 sentences
    #[arg(long, help_heading = SYSTEMS)]
    pub yes: bool,

    /// Spend at most this many US dollars on services, by their list prices, over all shards (a shard of N spends an
    /// N-th); the run's spent.json says what it spent. Implies --yes
    #[arg(long, help_heading = SYSTEMS, value_name = "USD", value_parser = parse_dollars)]
    pub budget: Option<f64>,

    /// Price of a million tokens of a chat service in US dollars, in and out, by its price list (0.15,0.60)
    #[arg(long, help_heading = SYSTEMS, value_name = "IN,OUT")]
    pub price: Option<TokenPrice>,

    /// Data: a file, a directory, a data set (see `epicene data list`), or epicene-mini for gest and gest-chat [default: the
    /// benchmark's own]
    #[arg(long, help_heading = DATA, value_name = "PATH|NAME")]
    pub data: Option<String>,

    /// Size of the challenge set that is generated: xs, s or xl
    #[arg(long, help_heading = DATA, value_name = "xs|s|xl")]
    pub size: Option<String>,

    /// Gender-swapped pairs to score instead of the English sentences (see `epicene data pairs`)
    #[arg(long, help_heading = DATA, value_name = "FILE")]
    pub pairs: Option<PathBuf>,

    /// The description of a benchmark of your own (see `epicene show custom`)
    #[arg(long, help_heading = DATA, value_name = "FILE")]
    pub spec: Option<PathBuf>,

    /// Translate back into English: --data are translations whose speaker shows a gender, and --lang is their language
    #[arg(long, help_heading = DATA, value_name = "en", value_parser = ["en"])]
    pub into: Option<String>,

    /// Ask only the first N items
    #[arg(long, help_heading = DATA, value_name = "N")]
    pub limit: Option<usize>,

    /// A further file that the benchmark uses, e.g. align:de=FILE; `epicene show` lists the roles (may be repeated)
    #[arg(long, help_heading = DATA, value_name = "ROLE=FILE", value_parser = parse_input)]
    pub input: Vec<(String, PathBuf)>,

    #[command(flatten)]
    pub sentences: SentenceArgs,

    /// Word aligner: built-in, or encoder:dir:PATH, encoder:hf:ORG/NAME (a multilingual encoder; encoder:6:… compares
    /// its layer 6, not 8). The run keeps its links [default: built-in]
    #[arg(long, help_heading = DETECTOR, value_name = "ALIGNER")]
    pub aligner: Option<Aligner>,

    /// A second chat model that reads the answers which the rules cannot read: model:SPEC, with a SPEC as for --model. The
    /// run keeps its labels, reports its agreement with the rules, and names it in the signature [default: none]
    #[arg(long, help_heading = DETECTOR, value_name = "model:SPEC", value_parser = crate::model_reader::parse)]
    pub reader: Option<SystemSpec>,

    /// Verdicts of another detector or of annotators instead of epicene's: JSON lines, TSV or CSV with item, verdict (m, f, n,
    /// u), and maybe evidence, annotator, system, unit. Several files are by one annotator each
    #[arg(long, help_heading = DETECTOR, value_name = "NAME=FILE", value_parser = parse_input, conflicts_with = "parses")]
    pub verdicts: Vec<(String, PathBuf)>,

    /// A parser's CoNLL-U output on the translations: the paper's own rules judge it (may be repeated)
    #[arg(long, help_heading = DETECTOR, value_name = "[SYSTEM=]FILE")]
    pub parses: Vec<String>,

    /// A language of your own: a folder with language.toml (see docs/adding-a-language.md)
    #[arg(long, help_heading = DETECTOR, value_name = "DIR")]
    pub language_pack: Option<PathBuf>,

    /// The program of `--detector command:CMD`, which is one of the values of the benchmarks' own option.
    #[arg(skip)]
    pub detector_command: Option<DetectorCommand>,

    #[command(flatten)]
    pub choices: ChoiceArgs<true>,

    /// Run directory; the same command continues a run that was interrupted [default: epicene-runs/BENCHMARK-HASH]
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Start over: forget the answers in the run directory and ask translators anew
    #[arg(long, help_heading = OUTPUT)]
    pub fresh: bool,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Fail (exit code 1) if the expression is true, e.g. 'g_s>1.2' or 'f_s>0.29 and f_m>0.66' (see `epicene help checks`)
    #[arg(long, help_heading = OUTPUT, value_name = "EXPR")]
    pub fail_if: Option<String>,

    /// Write the answers that the rules cannot decide here, to be decided by a person and read back with --input
    /// decisions=FILE
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub unresolved: Option<PathBuf>,

    /// Count sentences that a file does not translate as unknown instead of rejecting the file
    #[arg(long, help_heading = ADVANCED)]
    pub allow_missing: bool,

    /// The column of a table that holds the translations, or two, SOURCE,TRANSLATION: by the header's names, or by
    /// numbers from 1 if there is no header
    #[arg(long, help_heading = ADVANCED, value_name = "[FROM,]TO")]
    pub column: Option<Columns>,

    /// Measure files of translations that look like another language, untranslated or in another order; the
    /// signature says so
    #[arg(long, help_heading = ADVANCED)]
    pub trust_language: bool,

    /// Leave out languages that cannot be measured or translated into, name them, and measure the rest
    #[arg(long, help_heading = ADVANCED)]
    pub keep_going: bool,

    /// Answer every N-th item, beginning with the I-th; join the parts with `epicene merge`
    #[arg(long, help_heading = ADVANCED, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// Tokens a checkpoint reads in one go on each thread; changes speed, never an answer
    #[arg(long, help_heading = ADVANCED, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch_tokens: Option<u32>,

    /// Read a checkpoint (hf:, dir:) as if a field of its settings, or a tensor, were not there (may be repeated);
    /// part of the signature
    #[arg(long, help_heading = ADVANCED, value_name = "FIELD")]
    pub ignore_config: Vec<String>,

    /// Tokenizer of a model whose scores are in a file, [NAME=]tokenizer.json or a directory: pairs that do not differ in
    /// exactly one token are left out, as for models that epicene runs (may be repeated)
    #[arg(long, help_heading = ADVANCED, value_name = "[NAME=]PATH")]
    pub tokenizer: Vec<String>,

    /// Leave out a system of a file, by name (may be repeated)
    #[arg(long, help_heading = ADVANCED, value_name = "NAME")]
    pub exclude: Vec<String>,

    /// Model type (masked or causal) if the column names of a score file do not say
    #[arg(long, help_heading = ADVANCED, value_parser = parse_kind, value_name = "masked|causal")]
    pub kind: Option<ModelKind>,

    /// lines (one file, under a lock) or segments (numbered files, each written whole: object stores)
    #[arg(long = "log", help_heading = ADVANCED, value_name = "lines|segments", value_parser = parse_layout, default_value = "lines")]
    pub log: LogLayout,
}

#[derive(Args, Clone, Default)]
pub struct OutputArgs {
    #[arg(long, help_heading = OUTPUT, value_name = "FORMAT", help = known::formats())]
    pub format: Option<Format>,

    /// Also write a JUnit test report: a check that fails, and the rows that make it fail, are failed tests
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// A system; of a name without a kind, what it may have meant.
pub(super) fn parse_model(given: &str) -> Result<SystemSpec, String> {
    given
        .parse()
        .map_err(|error: SystemSpecError| format!("{error}{}", meant_system(given)))
}

/// Other names of kinds of systems.
const OTHER_KINDS: [(&str, &str); 6] = [
    ("huggingface", "hf"),
    ("hub", "hf"),
    ("path", "dir"),
    ("local", "dir"),
    ("vllm", "openai"),
    ("claude", "anthropic"),
];

/// Services by how the names of their models begin, and how a system of theirs is written.
const SERVICES: [(&str, &str); 5] = [
    ("gpt-3", "chat:{}@https://api.openai.com"),
    ("gpt-4", "chat:{}@https://api.openai.com"),
    ("gpt-5", "chat:{}@https://api.openai.com"),
    ("claude-", "anthropic:{}"),
    ("gemini-", "gemini:{}"),
];

/// Systems that one option names together.
fn separate(given: &str) -> Option<String> {
    let parts: Vec<&str> = given.split(',').collect();
    let are_systems = parts.iter().all(|part| part.parse::<SystemSpec>().is_ok());
    let options: Vec<String> = parts.iter().map(|part| format!("--model {part}")).collect();
    (parts.len() > 1 && are_systems).then(|| options.join(" "))
}

fn meant_system(given: &str) -> String {
    match given {
        "demo" => return "; did you mean `demo:mlm` or `demo:clm`?".to_owned(),
        "random" => return "; did you mean `random:1`?".to_owned(),
        "always" => return "; did you mean `always:he` or `always:she`?".to_owned(),
        _ => {}
    }
    if let Some(options) = separate(given) {
        return format!("; did you mean `{options}`?");
    }
    let name = given.strip_prefix("openai:").unwrap_or(given);
    let service = SERVICES.iter().find(|(start, _)| name.starts_with(start));
    if let Some((_, form)) = service.filter(|_| !name.contains(['@', ':'])) {
        return format!("; did you mean `{}`?", form.replace("{}", name));
    }
    let Some((kind, rest)) = given.split_once(':') else {
        return meant(given);
    };
    let kinds: BTreeSet<&str> = SystemSpec::FORMS
        .iter()
        .filter_map(|form| Some(form.split_once(':')?.0))
        .collect();
    if kinds.contains(kind) || kind.starts_with("chat-") {
        return String::new();
    }
    let other = OTHER_KINDS.iter().find(|(name, _)| *name == kind);
    let closest = || {
        suggest::closest(kind, kinds.iter().copied(), 1)
            .first()
            .copied()
    };
    if let Some(kind) = other.map(|(_, kind)| *kind).or_else(closest) {
        return format!("; did you mean `{kind}:{rest}`?");
    }
    let kinds: Vec<&str> = kinds.into_iter().collect();
    format!("; kinds of systems: {}", kinds.join(", "))
}

pub(super) fn parse_translator(given: &str) -> Result<Named, String> {
    let spec = given.rsplit('=').next().unwrap_or(given);
    given
        .parse()
        .map_err(|error: MtError| format!("{error}{}{}", meant(spec), meant_translator(spec)))
}

/// Of an unknown kind of translator, the closest one.
fn meant_translator(given: &str) -> String {
    let Some((kind, rest)) = given.split_once(':') else {
        return String::new();
    };
    let kinds = epicene_mt::forms();
    let kinds: BTreeSet<&str> = kinds
        .iter()
        .filter_map(|form| Some(form.split_once(':')?.0))
        .collect();
    if kinds.contains(kind) {
        return String::new();
    }
    match suggest::closest(kind, kinds.iter().copied(), 1).first() {
        Some(close) => format!("; did you mean `{close}:{rest}`?"),
        None => {
            let kinds: Vec<&str> = kinds.into_iter().collect();
            format!("; kinds of translators: {}", kinds.join(", "))
        }
    }
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
