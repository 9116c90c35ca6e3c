//! What was typed. What it means is decided by the commands. One file for each command or family.

mod align;
mod aligner;
mod audit;
mod benchmarks;
mod catalogue;
mod choices;
mod detect;
mod exchange;
mod export;
mod gender;
mod generate;
mod generate_text;
mod judge;
mod known;
mod manuals;
mod pairs;
mod papers;
mod plan;
mod refusal;
mod results;
mod run;
mod score;
mod sentences;
mod translators;
mod wordscore;

pub use align::AlignArgs;
pub use aligner::Aligner;
pub use audit::{AuditAction, AuditArgs, AuditPlanArgs, AuditReadArgs, AuditSampleArgs};
pub use benchmarks::{RunCommand, has_effect};
pub use catalogue::{
    CheckPackArgs, CiteArgs, DataAction, DataArgs, DemoArgs, ListArgs, Listing, SetAction, ShowArgs,
};
pub use choices::ChoiceArgs;
pub use detect::DetectArgs;
pub use exchange::{AskArgs, StatusArgs, TellArgs, VerifyArgs};
pub use export::ExportArgs;
pub use gender::{Asked, GenderArgs};
pub use generate::{
    GenerateArgs, GenerateSet, UnambiguousArgs, WibemtArgs, WibemtPart, WinomtArgs,
};
pub use generate_text::GenerateTextArgs;
pub use judge::JudgeArgs;
pub use manuals::{CompletionsArgs, ManArgs};
pub use pairs::{PairSource, PairsAction, PairsArgs};
pub use papers::{
    CheckSentencesArgs, Checkpoints, Paper, PaperWork, ReproduceArgs, ReproduceFormat,
};
pub use plan::PlanArgs;
pub use refusal::refusal;
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

const GLOBAL: &str = "Global options";

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

Exit codes: 0 done, 1 a check (--fail-if) failed, 2 bad usage, bad input or a failure of what is needed (a server,
the disk), 101 a bug in epicene, 130 and 143 stopped by SIGINT and SIGTERM."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Threads to use [default: all cores]; never changes a number
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Say nothing on standard error but warnings and errors
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,

    /// Say more on standard error: where the time of loading a model went
    #[arg(long, short, global = true, help_heading = GLOBAL, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Maximum decompressed size of an input file, e.g. 8G [default: 100 times its packed size or 64M, whichever is
    /// more; 2G if it is held in memory]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "SIZE", value_parser = parse_size)]
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
    Run(RunCommand),
    /// Compare systems on the same items with paired tests
    Compare(CompareArgs),
    /// Write finished runs as an HTML report with figures and every item, or in any format
    Report(ReportArgs),
    /// Write results in the layouts of Every Eval Ever, Hugging Face and lm-evaluation-harness
    Export(Box<ExportArgs>),
    /// Browse run directories: every item of runs of any size, live progress
    View(ViewArgs),
    /// Read the gender of the speaker or of a person out of text
    Gender(GenderArgs),
    /// Check that runs are intact and complete: manifest, items, answers, input files, data
    Verify(VerifyArgs),
    /// Have people check a sample of the verdicts; their labels correct every number
    Audit(AuditArgs),
    /// Statistical power: the smallest difference a run can detect
    Power(PlanArgs),
    /// Download, check and make data sets
    Data(DataArgs),
    /// Show a benchmark's card: what it measures, data, harms, limits, licence
    Show(ShowArgs),
    /// List benchmarks, languages, translators, published results
    List(ListArgs),
    /// Print what to cite, as BibTeX
    Cite(CiteArgs),
    /// Recompute the tables of a paper from its authors' data: printed, ours, difference
    Reproduce(ReproduceArgs),
    /// Export a benchmark's questions as JSON lines
    ExportQuestions(Box<AskArgs>),
    /// Import answers into a run
    ImportAnswers(TellArgs),
    /// Show the progress of runs: answered, rate, time left, failures
    Status(StatusArgs),
    /// Join the shards of a run
    Merge(MergeArgs),
    /// Score lines with a model: JSON objects in, JSON objects out, nothing stored
    Score(ScoreArgs),
    /// Translate lines with any translator and its cache
    Translate(TranslateArgs),
    /// Complete prompts or answer conversations with a causal model, as JSON lines
    Complete(GenerateTextArgs),
    /// Align words: `source ||| target` lines in, Pharaoh pairs out
    Align(AlignArgs),
    /// Try epicene offline on embedded models and data
    Demo(DemoArgs),
    /// The expressions of --fail-if, with examples
    #[command(
        hide = true,
        long_about = crate::gate::HELP,
        after_help = "Example:\n  epicene help checks"
    )]
    Checks,
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print manual pages
    Man(ManArgs),

    #[command(flatten)]
    Old(OldCommand),
}

/// Names of before version 0.3. They work for one more version and say what they are called now.
#[derive(Subcommand)]
#[command(hide = true)]
pub enum OldCommand {
    #[command(hide = true)]
    Detect(DetectArgs),
    #[command(hide = true)]
    Judge(JudgeArgs),
    #[command(hide = true)]
    Pairs(PairsArgs),
    #[command(hide = true)]
    Extract(ExtractArgs),
    #[command(hide = true)]
    Experiment(ExperimentArgs),
    #[command(hide = true)]
    GenerateText(GenerateTextArgs),
    #[command(hide = true)]
    Ask(Box<AskArgs>),
    #[command(hide = true)]
    Tell(TellArgs),
    #[command(hide = true)]
    Generate(GenerateArgs),
    #[command(hide = true)]
    Wordscore(WordscoreArgs),
    #[command(hide = true)]
    Plan(PlanArgs),
    #[command(hide = true)]
    Items(ItemsArgs),
    #[command(hide = true)]
    CheckSentences(CheckSentencesArgs),
    #[command(hide = true, long_about = crate::gate::HELP)]
    Gates,
}

/// Old names of commands, and what they are called now.
pub const RENAMED: [(&str, &str); 14] = [
    ("detect", "gender"),
    ("judge", "gender --word WORD` or `gender --table"),
    ("pairs", "data pairs"),
    ("extract", "data extract"),
    ("experiment", "reproduce experiment"),
    ("generate-text", "complete"),
    ("ask", "export-questions"),
    ("tell", "import-answers"),
    ("generate", "data make"),
    ("wordscore", "reproduce wordscore"),
    ("plan", "power"),
    ("items", "report --items"),
    ("check-sentences", "data lint"),
    ("gates", "help checks"),
];

impl OldCommand {
    /// What it was called, and what it is called now.
    pub fn names(&self) -> (&'static str, &'static str) {
        let before = match self {
            OldCommand::Detect(_) => "detect",
            OldCommand::Judge(_) => "judge",
            OldCommand::Pairs(_) => "pairs",
            OldCommand::Extract(_) => "extract",
            OldCommand::Experiment(_) => "experiment",
            OldCommand::GenerateText(_) => "generate-text",
            OldCommand::Ask(_) => "ask",
            OldCommand::Tell(_) => "tell",
            OldCommand::Generate(_) => "generate",
            OldCommand::Wordscore(_) => "wordscore",
            OldCommand::Plan(_) => "plan",
            OldCommand::Items(_) => "items",
            OldCommand::CheckSentences(_) => "check-sentences",
            OldCommand::Gates => "gates",
        };
        let renamed = RENAMED.iter().find(|(name, _)| *name == before);
        *renamed.expect("every old name has a new one")
    }
}

/// The commands as help shows them.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Measure", &["run", "compare", "report", "export", "view"]),
    ("Read text", &["gender"]),
    ("Check", &["verify", "audit", "power"]),
    ("Data", &["data", "show", "list", "cite"]),
    ("Papers", &["reproduce"]),
    (
        "Ask systems",
        &[
            "score",
            "translate",
            "complete",
            "align",
            "export-questions",
            "import-answers",
            "status",
            "merge",
        ],
    ),
    ("Start", &["demo", "completions", "man"]),
];

impl Cli {
    /// The command line, with the commands in groups.
    pub fn grouped() -> clap::Command {
        let command = <Cli as clap::CommandFactory>::command();
        let about = |name: &str| {
            let command = command.find_subcommand(name).expect("groups name commands");
            command
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        let groups = GROUPS.iter().map(|(group, names)| {
            let lines = names
                .iter()
                .map(|name| format!("  {name:18}{}\n", about(name)));
            format!("{group}:\n{}", lines.collect::<String>())
        });
        let groups: Vec<String> = groups.collect();
        let template = format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\n{{options}}{{after-help}}\n",
            groups.join("\n")
        );
        flowing(command.help_template(template))
    }

    /// What was typed; the error is as clap words it.
    pub fn read(
        arguments: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
    ) -> Result<Cli, clap::Error> {
        let mut command = Cli::grouped();
        let matches = command.try_get_matches_from_mut(arguments)?;
        <Cli as clap::FromArgMatches>::from_arg_matches(&matches)
            .map_err(|error| error.format(&mut command))
    }
}

/// A command whose help fills the lines of any terminal, with its subcommands.
fn flowing(command: clap::Command) -> clap::Command {
    let help = command
        .get_after_help()
        .map(|help| flowed(&help.to_string()));
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_subcommands(flowing)
}

/// Paragraphs on one line each; indented lines, and what follows a colon, stay as they are.
fn flowed(text: &str) -> String {
    let mut out = String::new();
    let mut open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !out.is_empty() {
            out.push(if open && is_prose { ' ' } else { '\n' });
        }
        out += line;
        open = is_prose && !line.ends_with(':');
    }
    out
}

pub fn parse_mode(given: &str) -> Result<Mode, String> {
    match given {
        "published" => Ok(Mode::Published),
        "extended" => Ok(Mode::Extended),
        "epicene" | "strict" => Ok(Mode::Strict),
        _ => Err(format!(
            "`{given}` is none of `epicene`, `published`, `extended`"
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
        let mut command = Cli::command();
        command.build();
        leaves(&command, "epicene", "", &mut found);
        assert!(found.len() > 15);
        for (path, help) in found {
            assert!(help.contains(&path), "`{path} --help` has no example");
        }
    }

    /// What can be typed is offered: the lists are read from where the things stand.
    #[test]
    fn help_names_every_benchmark_system_and_translator() {
        let mut tree = Cli::command();
        for command in ["run", "export-questions"] {
            let help = tree.find_subcommand_mut(command).unwrap();
            let help = help.render_long_help().to_string();
            for benchmark in epicene_bench::ALL {
                let name = benchmark.card().name;
                assert!(help.contains(name), "`{command} --help` lacks {name}");
            }
        }
        tree.build();
        let run = tree.find_subcommand_mut("run").unwrap();
        let run = run.find_subcommand_mut("gest").unwrap();
        let run = run.render_long_help().to_string();
        let forms = epicene_mt::forms();
        assert!(forms.contains(&"dir:PATH") && forms.contains(&"google:"));
        for form in forms.iter().chain(epicene_lm::SystemSpec::FORMS) {
            assert!(run.contains(form), "`run --help` lacks {form}");
        }
    }

    #[test]
    fn paragraphs_flow() {
        let text =
            "Examples:\n  one\n  two\n\nOutput is\nin lines.\nAlso:\nthis\nword\n  table\nend";
        let flowed = flowed(text);
        assert_eq!(
            flowed,
            "Examples:\n  one\n  two\n\nOutput is in lines. Also:\nthis word\n  table\nend"
        );
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
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let mut shown: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Tree::get_name)
            .collect();
        grouped.sort_unstable();
        shown.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
