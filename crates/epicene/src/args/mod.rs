//! What was typed. What it means is decided by the commands. One file for each command or family.

mod align;
mod aligner;
mod audit;
mod catalogue;
mod choices;
mod detect;
mod exchange;
mod generate;
mod generate_text;
mod judge;
mod known;
mod manuals;
mod pairs;
mod papers;
mod plan;
mod results;
mod run;
mod score;
mod sentences;
mod translators;
mod wordscore;

pub use align::AlignArgs;
pub use aligner::Aligner;
pub use audit::{AuditAction, AuditArgs, AuditPlanArgs, AuditReadArgs, AuditSampleArgs};
pub use catalogue::{CiteArgs, DataAction, DataArgs, DemoArgs, ListArgs, Listing, ShowArgs};
pub use choices::ChoiceArgs;
pub use detect::DetectArgs;
pub use exchange::{AskArgs, StatusArgs, TellArgs};
pub use generate::{
    GenerateArgs, GenerateSet, UnambiguousArgs, WibemtArgs, WibemtPart, WinomtArgs,
};
pub use generate_text::GenerateTextArgs;
pub use judge::JudgeArgs;
pub use manuals::{CompletionsArgs, ManArgs};
pub use pairs::{PairSource, PairsAction, PairsArgs};
pub use papers::{CheckSentencesArgs, Paper, ReproduceArgs, ReproduceFormat};
pub use plan::PlanArgs;
pub use results::{CompareArgs, ItemsArgs, MergeArgs, ReportArgs, ResultArgs, ViewArgs};
pub use run::RunArgs;
pub use score::ScoreArgs;
pub use sentences::{
    CorpusArgs, Experiment, ExperimentArgs, ExtractArgs, SentenceArgs, WordListArgs,
};
pub use translators::{AskingArgs, TranslateArgs, TranslationFormat};
pub use wordscore::{Aggregate, WordscoreArgs};

use clap::{Parser, Subcommand};
use epicene_core::ModelKind;
use epicene_lang::first_person::Mode;

#[derive(Parser)]
#[command(
    name = "epicene",
    version,
    about = "Measures gender bias in language models and machine translation",
    after_help = "Examples:
  epicene demo
  epicene data pull gest
  epicene run gest --model file:scores.csv
  epicene run gest --model random:1 --format json --fail-if 'g_s>1.2'
  epicene report RUN -o report.html
  epicene list published

Exit codes: 0 done, 1 a gate (--fail-if) failed, 2 bad usage, bad input or a failure of what is needed (a server,
the disk), 101 a bug in epicene, 130 and 143 stopped by SIGINT and SIGTERM."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Threads to use [default: all cores]; never changes a number
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Say nothing on standard error but warnings and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// Say more on standard error: where the time of loading a model went
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Most that one file may unpack to, e.g. 8G [default: 100 times its packed size or 64M, whichever is
    /// more; 2G where it is held in memory]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    pub max_input: Option<u64>,
}

/// Bytes, with K, M, G or T for powers of 1024.
fn parse_size(given: &str) -> Result<u64, String> {
    let (digits, unit) = match given.char_indices().next_back() {
        Some((place, unit)) if !unit.is_ascii_digit() => (&given[..place], unit),
        _ => (given, ' '),
    };
    let shift = match unit.to_ascii_uppercase() {
        ' ' => 0,
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => return Err("write a number of bytes, or 64M, 8G".to_owned()),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "write a number of bytes, or 64M, 8G".to_owned())
}

#[derive(Subcommand)]
pub enum Command {
    /// Measure systems with a benchmark: prints a table, writes a run directory
    Run(Box<RunArgs>),
    /// Gender of the first person: lines in; verdict, rule, evidence out
    Detect(DetectArgs),
    /// Gender a translation gives to a person: lines in; verdict, rule, evidence out
    Judge(JudgeArgs),
    /// Translate: lines in, lines out, with any translator and its cache
    Translate(TranslateArgs),
    /// Gender-swapped sentence pairs from translations (GEST on Slavic masked models)
    Pairs(PairsArgs),
    /// Sentences about women and about men from a parallel corpus (MBE)
    Extract(ExtractArgs),
    /// The MBE paper's experiments that need no model: templates, names, preservation, agreement
    Experiment(ExperimentArgs),
    /// Ask a model about lines: JSON objects in, JSON objects out, nothing stored
    Score(ScoreArgs),
    /// Write texts with a causal model: prompts or conversations in, answers out, JSON lines
    GenerateText(GenerateTextArgs),
    /// The questions of a benchmark as lines, for whoever answers elsewhere
    Ask(Box<AskArgs>),
    /// Answers from elsewhere into a run: lines in any order, as often as they come
    Tell(TellArgs),
    /// How far runs are: answered, rate, time left, failures
    Status(StatusArgs),
    /// Word alignment: `source ||| target` lines in, Pharaoh pairs out
    Align(AlignArgs),
    /// Challenge sets: text, features and answers
    Generate(GenerateArgs),
    /// Gender score of words in static embeddings (WiBeMT)
    Wordscore(WordscoreArgs),
    /// Join the shards of a run (per-item logs, never metrics)
    Merge(MergeArgs),
    /// Paired tests between systems on the same items
    Compare(CompareArgs),
    /// What a run can see, and what smaller differences would take
    Plan(PlanArgs),
    /// Every item of a run as JSON lines: id, text, observation, verdict, evidence
    Items(ItemsArgs),
    /// People check a sample of the verdicts; their labels correct every number
    Audit(AuditArgs),
    /// Finished runs as a page with figures and every item, or in any format
    Report(ReportArgs),
    /// Run directories in a browser: every item of runs of any size, live progress
    View(ViewArgs),
    /// What there is: benchmarks, stereotypes, published results
    List(ListArgs),
    /// A benchmark's card: what it measures, data, harms, limits, licence
    Show(ShowArgs),
    /// Data sets that are not shipped: fetch, verify, locate
    Data(DataArgs),
    /// What to cite, as BibTeX
    Cite(CiteArgs),
    /// The tables of a paper from its authors' data: printed, ours, difference
    Reproduce(ReproduceArgs),
    /// Whether sentences for a data set in GEST's design keep to its guide; statistics of the set
    CheckSentences(CheckSentencesArgs),
    /// Everything above on what is embedded, offline
    Demo(DemoArgs),
    /// The grammar of --fail-if, with examples
    #[command(
        long_about = crate::gate::HELP,
        after_help = "Examples:\n  epicene gates\n  epicene help gates"
    )]
    Gates,
    /// A completion script for a shell
    Completions(CompletionsArgs),
    /// Manual pages
    Man(ManArgs),
}

pub fn parse_mode(given: &str) -> Result<Mode, String> {
    match given {
        "published" => Ok(Mode::Published),
        "extended" => Ok(Mode::Extended),
        "strict" => Ok(Mode::Strict),
        _ => Err(format!(
            "`{given}` is none of `published`, `extended`, `strict`"
        )),
    }
}

fn parse_kind(given: &str) -> Result<ModelKind, String> {
    match given {
        "masked" => Ok(ModelKind::Masked),
        "causal" => Ok(ModelKind::Causal),
        _ => Err(format!("`{given}` is neither `masked` nor `causal`")),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command as Tree, CommandFactory};

    use super::*;

    /// Every command that does something, with the help of all above it.
    fn leaves(command: &Tree, path: &str, above: &str, found: &mut Vec<(String, String)>) {
        let help = command.get_after_help().map(ToString::to_string);
        let help = format!("{above}\n{}", help.unwrap_or_default());
        let children: Vec<&Tree> = command
            .get_subcommands()
            .filter(|child| child.get_name() != "help" && !child.is_hide_set())
            .collect();
        if children.is_empty() {
            found.push((path.to_owned(), help));
        } else {
            for child in children {
                leaves(child, &format!("{path} {}", child.get_name()), &help, found);
            }
        }
    }

    #[test]
    fn every_command_has_an_example() {
        let mut found = Vec::new();
        leaves(&Cli::command(), "epicene", "", &mut found);
        assert!(found.len() > 15);
        for (path, help) in found {
            assert!(help.contains(&path), "`{path} --help` has no example");
        }
    }

    /// What can be typed is offered: the lists are read from where the things stand.
    #[test]
    fn help_names_every_benchmark_system_and_translator() {
        let mut tree = Cli::command();
        for command in ["run", "ask"] {
            let help = tree.find_subcommand_mut(command).unwrap();
            let help = help.render_long_help().to_string();
            for benchmark in epicene_bench::ALL {
                let name = benchmark.card().name;
                assert!(help.contains(name), "`{command} --help` lacks {name}");
            }
        }
        let run = tree.find_subcommand_mut("run").unwrap();
        let run = run.render_long_help().to_string();
        let forms = epicene_mt::forms();
        assert!(forms.contains(&"dir:PATH") && forms.contains(&"google:"));
        for form in forms.iter().chain(epicene_lm::SystemSpec::FORMS) {
            assert!(run.contains(form), "`run --help` lacks {form}");
        }
    }

    #[test]
    fn sizes() {
        for (given, bytes) in [
            ("1", Some(1)),
            ("64M", Some(64 << 20)),
            ("8g", Some(8 << 30)),
        ] {
            assert_eq!(parse_size(given).ok(), bytes, "{given}");
        }
        for given in ["", "M", "-1", "0", "1.5G", "1X", "1é", "99999999999999T"] {
            assert!(parse_size(given).is_err(), "{given}");
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
