//! The options of the benchmarks, as their cards declare them: the command line offers the union of all cards, and what
//! belongs to another benchmark is refused.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use epicene_bench::options::{ALIASES, value_now, values_before};
use epicene_bench::{Card, Given, InputSpec, Spec, Values};

use super::run::{DATA, STATISTICS};

const SEED: &str = "seed";
pub const BOOTSTRAP: &str = "bootstrap";

/// What a command says about options. With `ASKING`, also what is chosen before the asking: the data, and further files
/// that have a flag of their own.
#[derive(Debug, Clone, Default)]
pub struct ChoiceArgs<const ASKING: bool> {
    pub given: Given,
    /// Role and path of the files given by a flag of their own.
    pub inputs: Vec<(String, PathBuf)>,
}

/// An option with the benchmarks that have it. They agree in its kind and its stage, not in its values and its default.
struct Shared {
    spec: &'static Spec,
    owners: Vec<(&'static str, Option<&'static str>)>,
    values: Vec<&'static str>,
}

/// The option whose values a program of the user's is one of.
pub const DETECTOR: &str = "detector";
/// What begins the value that names a program.
pub const COMMAND: &str = "command:";

/// Known values, or a program.
#[derive(Clone)]
struct OrCommand(PossibleValuesParser);

impl TypedValueParser for OrCommand {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        match value.to_str() {
            Some(value) if value.starts_with(COMMAND) => Ok(value.to_owned()),
            _ => self.0.parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// These values, and a program that reads the gender instead.
pub fn or_program(known: impl IntoIterator<Item = PossibleValue>) -> ValueParser {
    let program = PossibleValue::new("command:CMD").help("a program that reads the gender instead");
    let all = known.into_iter().chain([program]);
    ValueParser::new(OrCommand(PossibleValuesParser::new(all)))
}

/// Every option once.
fn union(asking: bool) -> Vec<Shared> {
    let mut all: Vec<Shared> = Vec::new();
    for benchmark in epicene_bench::ALL {
        let card = benchmark.card();
        for spec in card.specs() {
            if spec.stage.is_before_asking() && !asking {
                continue;
            }
            let place = all.iter().position(|known| known.spec.name == spec.name);
            let place = place.unwrap_or_else(|| {
                all.push(Shared {
                    spec,
                    owners: Vec::new(),
                    values: Vec::new(),
                });
                all.len() - 1
            });
            let Shared { owners, values, .. } = &mut all[place];
            owners.push((card.name, spec.default));
            if let Values::OneOf(known) = spec.values {
                let fresh: Vec<&str> = known
                    .iter()
                    .copied()
                    .filter(|v| !values.contains(v))
                    .collect();
                values.extend(fresh);
            }
        }
    }
    all
}

/// Every file that has a flag of its own, once: benchmarks may share one.
fn flags() -> BTreeMap<&'static str, &'static InputSpec> {
    let inputs = epicene_bench::ALL.iter().flat_map(|b| b.card().inputs);
    let flagged = inputs.filter_map(|input| Some((input.flag?, input)));
    flagged.collect()
}

/// Whether a benchmark has an option; `None` where it is no benchmark's.
pub fn is_of(card: &Card, id: &str) -> Option<bool> {
    let of = |card: &Card| {
        let mut inputs = card.inputs.iter();
        card.specs().any(|spec| spec.name == id) || inputs.any(|input| input.flag == Some(id))
    };
    let known = epicene_bench::ALL.iter().any(|other| of(other.card()));
    known.then(|| of(card))
}

/// An option as one benchmark has it.
pub fn own(spec: &'static Spec, takes_programs: bool) -> Arg {
    let default = spec.default.map(|value| format!(" [default: {value}]"));
    let values = match spec.values {
        Values::OneOf(known) => known.to_vec(),
        _ => Vec::new(),
    };
    let help = format!("{}{}", spec.help, default.unwrap_or_default());
    as_argument(spec, help, values, takes_programs)
}

fn argument(shared: Shared, takes_programs: bool) -> Arg {
    let Shared {
        spec,
        owners,
        values,
    } = shared;
    let alike = owners.iter().all(|(_, default)| *default == spec.default);
    let defaults: Vec<String> = owners
        .iter()
        .filter_map(|(owner, default)| Some(format!("{} for {owner}", (*default)?)))
        .collect();
    let default = match spec.default {
        Some(value) if alike => format!(" [default: {value}]"),
        None if alike => String::new(),
        _ => format!(" [default: {}]", defaults.join(", ")),
    };
    let owners: Vec<&str> = owners.iter().map(|(owner, _)| *owner).collect();
    let help = format!("{} ({}){default}", spec.help, owners.join(", "));
    as_argument(spec, help, values, takes_programs)
}

fn as_argument(
    spec: &'static Spec,
    help: String,
    values: Vec<&'static str>,
    takes_programs: bool,
) -> Arg {
    let before = ALIASES.iter().filter(|(_, now)| *now == spec.name);
    let told = values.iter().all(|value| help.contains(value));
    let argument = Arg::new(spec.name)
        .long(spec.name)
        .aliases(before.map(|(before, _)| *before))
        .help(help)
        .help_heading(spec.heading);
    let value = |value| PossibleValue::new(value).aliases(values_before(spec.name, value));
    let known = values.iter().copied().map(value);
    match spec.values {
        Values::OneOf(_) if takes_programs && spec.name == DETECTOR => argument
            .value_name("CHOICE|command:CMD")
            .hide_possible_values(told)
            .value_parser(or_program(known)),
        Values::OneOf(_) => argument
            .value_name("CHOICE")
            .hide_possible_values(told)
            .value_parser(PossibleValuesParser::new(known)),
        Values::Whole { .. } => argument.value_name("N"),
        Values::Number => argument.value_name("X").allow_negative_numbers(true),
        Values::List | Values::SomeOf(_) => argument.value_name("T,T"),
        Values::Switch => argument.action(ArgAction::SetTrue),
    }
}

impl<const ASKING: bool> Args for ChoiceArgs<ASKING> {
    fn augment_args(mut command: Command) -> Command {
        command = command
            .arg(
                Arg::new(SEED)
                    .long(SEED)
                    .help_heading(STATISTICS)
                    .value_name("N")
                    .value_parser(value_parser!(u64))
                    .help("Seed of every resampling [default: 0]"),
            )
            .arg(
                Arg::new(BOOTSTRAP)
                    .long(BOOTSTRAP)
                    .help_heading(STATISTICS)
                    .value_name("N")
                    .value_parser(value_parser!(u32).range(2..=100_000))
                    .help("Bootstrap resamples [default: 1000]"),
            );
        for shared in union(ASKING) {
            command = command.arg(argument(shared, ASKING));
        }
        if ASKING {
            for (flag, input) in flags() {
                let argument = Arg::new(flag).long(flag).help(input.help);
                let argument = argument.help_heading(DATA);
                let path = value_parser!(PathBuf);
                command = command.arg(argument.value_name("FILE").value_parser(path));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const ASKING: bool> FromArgMatches for ChoiceArgs<ASKING> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut choices = ChoiceArgs::default();
        choices.update_from_arg_matches(matches)?;
        Ok(choices)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.given.seed = matches.get_one::<u64>(SEED).copied();
        let bootstrap = matches.get_one::<u32>(BOOTSTRAP);
        self.given.replicates = bootstrap.map(|count| *count as usize);
        for Shared { spec, .. } in union(ASKING) {
            let value = match spec.values {
                Values::Switch => matches.get_flag(spec.name).then(|| "true".to_owned()),
                _ => {
                    let typed = matches.get_one::<String>(spec.name);
                    typed.map(|typed| value_now(spec.name, typed).to_owned())
                }
            };
            if let Some(value) = value {
                self.given.values.insert(spec.name.to_owned(), value);
            }
        }
        if ASKING {
            for (flag, input) in flags() {
                if let Some(path) = matches.get_one::<PathBuf>(flag) {
                    self.inputs.push((input.role.to_owned(), path.clone()));
                }
            }
        }
        Ok(())
    }
}
