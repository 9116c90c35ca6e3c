//! `run BENCHMARK`: a subcommand for each benchmark, with the options that have an effect on it.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use epicene_bench::{Benchmark, Instead, Options};
use epicene_core::{ModelKind, Scorer};

use super::choices;
use super::flowed;
use super::run::RunArgs;
use crate::{encoder, model_reader};
use epicene_bench::gest::language_pack::LANGUAGE_PACK;
use epicene_bench::given_verdicts::takes_verdicts;

/// Options that few need. They work, and help names them in one line.
const RARE: [&str; 12] = [
    "allow_missing",
    "batch_tokens",
    "column",
    "exclude",
    "ignore_config",
    "keep_going",
    "kind",
    "language_pack",
    "log",
    "parses",
    "swap-pairs",
    "tokenizer",
];

/// `run` with its benchmark.
pub struct RunCommand(pub Box<RunArgs>);

impl Args for RunCommand {
    fn augment_args(command: Command) -> Command {
        let command = command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            // An unknown benchmark gets our own message, with the closest ones.
            .allow_external_subcommands(true)
            .subcommand_value_name("BENCHMARK")
            .subcommand_help_heading("Benchmarks")
            .after_help(format!(
                "Examples:
  epicene run gest --model hf:google-bert/bert-base-uncased
  epicene run gest --mt deepl=file:deepl.sk.csv --mt nllb=file:nllb.sk.csv --lang sk
  epicene run unambiguous --size s --mt file:de.txt.gz --lang de

The options of a benchmark: epicene run BENCHMARK --help

Which benchmark do you need? epicene list benchmarks, epicene show BENCHMARK

Rarely needed options:
{}",
                rare_options()
            ));
        epicene_bench::ALL
            .iter()
            .fold(command, |command, benchmark| {
                let card = benchmark.card();
                command.subcommand(Command::new(card.name).about(card.summary).defer(options))
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn rare_options() -> String {
    let all = RunArgs::augment_args(Command::new("run"));
    let rare = all
        .get_arguments()
        .filter(|argument| RARE.contains(&argument.get_id().as_str()));
    let lines = rare.map(|argument| {
        let help = argument.get_help().map(ToString::to_string);
        format!("  {}: {}", shown(argument), help.unwrap_or_default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The options of the benchmark that a command is named after.
fn options(command: Command) -> Command {
    let benchmark = epicene_bench::find(command.get_name()).expect("benchmarks name the commands");
    let card = benchmark.card();
    let mut command = RunArgs::augment_args(command).mut_args(|argument| {
        let id = argument.get_id().as_str();
        let foreign = !has_effect(benchmark, id);
        // It means the same in every benchmark, so that scripts may give it to all.
        let idle = id == choices::BOOTSTRAP && !card.resamples && !card.turns(Instead::BySpec);
        let rare = RARE.contains(&id);
        argument.hide(foreign || idle || rare)
    });
    for spec in card.specs() {
        command = command.mut_arg(spec.name, |_| choices::own(spec, takes_programs(benchmark)));
    }
    if takes_programs(benchmark) && choices::is_of(card, choices::DETECTOR) == Some(false) {
        command = command.mut_arg(choices::DETECTOR, |argument| {
            argument
                .help("A program that reads the gender instead of epicene's detector: a JSON line in for each translation, a verdict out")
                .value_name("command:CMD")
                .value_parser(choices::or_program([]))
        });
    }
    let rare = command.get_arguments().filter(|argument| {
        let id = argument.get_id().as_str();
        RARE.contains(&id) && has_effect(benchmark, id)
    });
    let rare: Vec<String> = rare.map(shown).collect();
    let mut help = format!("Examples:\n  {}", card.examples.join("\n  "));
    if !card.answer_file.is_empty() {
        help += &format!("\n\n{}", card.answer_file);
    }
    help += &format!(
        "\n\nRarely needed (`epicene run --help` explains them): {}",
        rare.join(", ")
    );
    // What is flattened into the arguments would set its own.
    command.about(card.summary).after_help(flowed(&help))
}

fn shown(argument: &Arg) -> String {
    let long = argument.get_long().expect("options have a long name");
    format!("--{long}")
}

impl FromArgMatches for RunCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Some((name, given)) = matches.subcommand() else {
            let message = "name a benchmark: epicene run BENCHMARK\n";
            return Err(Error::raw(ErrorKind::MissingSubcommand, message));
        };
        let mut args = match epicene_bench::find(name) {
            Some(benchmark) => {
                refuse_foreign(benchmark, given)?;
                with_program(RunArgs::from_arg_matches(given)?)?
            }
            // The command itself says which benchmark is closest.
            None => RunArgs::default(),
        };
        name.clone_into(&mut args.benchmark);
        Ok(RunCommand(Box::new(args)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Whether verdicts on translations may come from a program or a file.
fn takes_programs(benchmark: &dyn Benchmark) -> bool {
    let asked = benchmark.asks(ModelKind::Translator, &Options::default());
    takes_verdicts(benchmark.card()) && !asked.is_empty()
}

/// A program that was given as the detector is no value of the benchmark's option.
fn with_program(mut args: RunArgs) -> Result<RunArgs, Error> {
    let values = &mut args.choices.given.values;
    let program = values.get(choices::DETECTOR);
    let Some(program) = program.filter(|value| value.starts_with(choices::COMMAND)) else {
        return Ok(args);
    };
    let parsed = program.parse();
    args.detector_command = Some(parsed.map_err(|error| {
        Error::raw(ErrorKind::ValueValidation, format!("--detector: {error}\n"))
    })?);
    values.remove(choices::DETECTOR);
    if !args.verdicts.is_empty() || !args.parses.is_empty() {
        let message =
            "`--detector command:` does not go with --verdicts or --parses: give one of them\n";
        return Err(Error::raw(ErrorKind::ArgumentConflict, message));
    }
    Ok(args)
}

/// An option of another benchmark is an unknown option, with a word on whose it is.
fn refuse_foreign(benchmark: &dyn Benchmark, given: &ArgMatches) -> Result<(), Error> {
    let name = benchmark.card().name;
    let all = RunArgs::augment_args(Command::new(name));
    for argument in all.get_arguments() {
        let id = argument.get_id().as_str();
        let typed = given.value_source(id) == Some(ValueSource::CommandLine);
        if !typed || has_effect(benchmark, id) {
            continue;
        }
        let owners = epicene_bench::ALL.iter();
        let owners: Vec<&str> = owners
            .filter(|other| has_effect(**other, id))
            .map(|other| other.card().name)
            .collect();
        let message = format!(
            "`{}` has no effect on {name}; it is an option of {}\nhint: `epicene run {name} --help` lists the options\n",
            shown(argument),
            owners.join(", ")
        );
        return Err(Error::raw(ErrorKind::UnknownArgument, message));
    }
    Ok(())
}

/// Whether an option of `run`, by its id, can do anything for a benchmark.
pub fn has_effect(benchmark: &dyn Benchmark, id: &str) -> bool {
    let card = benchmark.card();
    let asks = |kind| benchmark.asks(kind, &Options::default());
    let has_models = || {
        let kinds = [ModelKind::Masked, ModelKind::Causal, ModelKind::Chat];
        kinds.into_iter().any(|kind| !asks(kind).is_empty())
    };
    let has_translators =
        || !(card.languages)().is_empty() && !asks(ModelKind::Translator).is_empty();
    let has_languages = || has_translators() || card.by_language || !(card.sources)().is_empty();
    match id {
        "models" | "exclude" | "kind" | "batch_tokens" => has_models(),
        "translators" | "allow_missing" | "column" | "trust_language" => has_translators(),
        "lang" | "keep_going" => has_languages(),
        "pairs" | "tokenizer" => {
            card.data_flag.starts_with("--pairs") || card.turns(Instead::WithPairs)
        }
        "spec" => card.turns(Instead::BySpec),
        "data" => !card.turns(Instead::BySpec),
        "into" => card.turns(Instead::IntoEnglish),
        "size" => !card.sizes.is_empty(),
        "input" => !card.inputs.is_empty(),
        "aligner" => encoder::reads_links(card),
        "reader" => model_reader::reads_answers(card),
        "verdicts" => takes_programs(benchmark),
        choices::DETECTOR => {
            takes_programs(benchmark) || choices::is_of(card, choices::DETECTOR) == Some(true)
        }
        "language_pack" => card.input(LANGUAGE_PACK).is_some(),
        "parses" => card.input("parses:sk").is_some(),
        "unresolved" => card.input("decisions").is_some(),
        "source" | "target" | "table" | "words" | "names" | "no_names" | "names_ignore_case" => {
            card.from_corpus
        }
        "method" => {
            let scorers: Vec<Scorer> = asks(ModelKind::Masked)
                .into_iter()
                .map(|ask| ask.scorer)
                .collect();
            scorers.iter().any(|scorer| *scorer != scorers[0])
        }
        "price" => card.chat.is_some(),
        "yes" | "budget" => card.chat.is_some() || has_translators(),
        _ => choices::is_of(card, id).unwrap_or(true),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::{Cli, Command as Typed};
    use super::*;

    /// With --help.
    const MOST_OPTIONS: usize = 34;

    fn run_help() -> Command {
        let mut tree = Cli::command();
        tree.build();
        tree.find_subcommand("run").unwrap().clone()
    }

    #[test]
    fn every_benchmark_shows_only_its_own_options() {
        let run = run_help();
        for benchmark in epicene_bench::ALL {
            let name = benchmark.card().name;
            let command = run.find_subcommand(name).unwrap();
            let shown: Vec<&Arg> = command
                .get_arguments()
                .filter(|argument| !argument.is_hide_set() && argument.get_id() != "help")
                .collect();
            println!("{name}: {} options", shown.len());
            let names: Vec<&str> = shown.iter().map(|a| a.get_id().as_str()).collect();
            assert!(
                shown.len() <= MOST_OPTIONS,
                "{name} has {}: {names:?}",
                shown.len()
            );
            for argument in shown {
                assert!(argument.get_help_heading().is_some(), "{name}: {argument}");
                let id = argument.get_id().as_str();
                assert!(has_effect(*benchmark, id), "{name}: {id}");
            }
        }
    }

    #[test]
    fn every_benchmark_has_three_examples_that_it_understands() {
        for benchmark in epicene_bench::ALL {
            let card = benchmark.card();
            assert!(card.examples.len() >= 3, "{}", card.name);
            for example in card.examples {
                let words = example.replace('\'', "\u{1}");
                let mut parts = Vec::new();
                for (place, part) in words.split('\u{1}').enumerate() {
                    match place % 2 {
                        0 => parts.extend(part.split_whitespace().map(str::to_owned)),
                        _ => parts.push(part.to_owned()),
                    }
                }
                let cli = Cli::try_parse_from(&parts)
                    .unwrap_or_else(|error| panic!("{example}: {error}"));
                let Typed::Run(RunCommand(args)) = cli.command else {
                    panic!("{example} is not a run");
                };
                assert_eq!(args.benchmark, card.name, "{example}");
            }
        }
    }

    #[test]
    fn old_names_of_the_detector_mean_the_same() {
        for (benchmark, option, value, detector) in [
            ("gest", "--mode", "strict", "epicene"),
            ("gest", "--mode", "published", "published"),
            ("gest", "--detector", "extended", "extended"),
            ("winomt", "--judge", "default", "epicene"),
            ("wibemt", "--judge", "published", "published"),
            ("unambiguous", "--detector", "epicene", "epicene"),
        ] {
            let words = ["epicene", "run", benchmark, "--mt", "copy:", option, value];
            let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
            let Typed::Run(RunCommand(args)) = cli.command else {
                panic!("{words:?} is not a run");
            };
            let given = &args.choices.given.values;
            assert_eq!(given["detector"], detector, "{words:?}");
            assert_eq!(given.len(), 1);
        }
    }

    #[test]
    fn options_of_other_benchmarks_are_unknown_here() {
        let parse = |words: &[&str]| {
            let error = Cli::try_parse_from(words)
                .err()
                .map(|error| error.to_string());
            error.unwrap_or_default()
        };
        let said = parse(&["epicene", "run", "gest", "--size", "s"]);
        assert!(
            said.contains("`--size` has no effect on gest; it is an option of unambiguous"),
            "{said}"
        );
        let said = parse(&["epicene", "run", "winobias", "--mt", "copy:"]);
        assert!(said.contains("`--mt` has no effect on winobias"), "{said}");
        assert_eq!(parse(&["epicene", "run", "gest", "--log", "segments"]), "");
    }
}
