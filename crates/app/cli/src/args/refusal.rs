//! What clap refuses, in the words of every other error: what is wrong, and what to type instead.

use std::error::Error as _;
use std::ffi::OsString;
use std::num::{ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};

use super::run::{parse_model, parse_translator};
use super::{Cli, RENAMED, has_effect};
use crate::failure::Failure;
use crate::gate::QUOTE;
use crate::suggest;

/// Names that people know from other tools, and what the commands are called here.
const OTHER_COMMANDS: [(&str, &str); 14] = [
    ("bench", "run"),
    ("benchmark", "run"),
    ("benchmarks", "list benchmarks"),
    ("check", "help checks"),
    ("diff", "compare"),
    ("download", "data pull"),
    ("eval", "run"),
    ("evaluate", "run"),
    ("measure", "run"),
    ("models", "list architectures"),
    ("plot", "report"),
    ("pull", "data pull"),
    ("serve", "view"),
    ("test", "run"),
];

/// The same of options. Where a command lacks the option that is meant, the next is tried.
const OTHER_OPTIONS: [(&str, &str); 20] = [
    ("checkpoint", "model"),
    ("confidence", "interval"),
    ("cpus", "threads"),
    ("csv", "format"),
    ("gpu", "device"),
    ("html", "output-file"),
    ("jobs", "threads"),
    ("json", "format"),
    ("markdown", "format"),
    ("output", "out"),
    ("precision", "dtype"),
    ("resamples", "bootstrap"),
    ("samples", "limit"),
    ("system", "model"),
    ("target", "lang"),
    ("threshold", "fail-if"),
    ("to", "lang"),
    ("translations", "mt"),
    ("translator", "mt"),
    ("workers", "threads"),
];

/// The message and the hint for what is no help and no version.
pub fn refusal(error: &Error, arguments: &[OsString]) -> Failure {
    let mut tree = Cli::grouped();
    tree.build();
    let (command, path) = meant_command(&tree, arguments);
    let text = error.to_string();
    let help = format!("`{path} --help` lists the options");
    let named = |kind| first(error, kind);
    match error.kind() {
        ErrorKind::UnknownArgument if named(ContextKind::InvalidArg).is_some() => {
            let given = named(ContextKind::InvalidArg).unwrap_or_default();
            if let Some(option) = before(arguments, &given).filter(|_| is_number(&given)) {
                Failure::usage(format!(
                    "{option} `{given}`: write a number without a minus"
                ))
            } else if given.starts_with('-') {
                let failure = Failure::usage(format!("`{path}` has no option `{given}`"));
                failure.with_hint(meant_option(command, &path, &given).unwrap_or(help))
            } else {
                let failure = Failure::usage(format!("`{given}` is one word too many"));
                failure.with_hint(match meant_value(command, &given) {
                    _ if has_check(arguments) => QUOTE.to_owned(),
                    Some(option) => format!("did you mean `{option} {given}`?"),
                    None => usage(&text).unwrap_or(help),
                })
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = named(ContextKind::InvalidSubcommand).unwrap_or_default();
            let failure = Failure::usage(format!("there is no command `{path} {given}`"));
            failure.with_hint(meant_subcommand(command, &path, &given))
        }
        ErrorKind::MissingSubcommand => match own_hint(&text) {
            Some(hint) => Failure::usage(head(&text)).with_hint(hint),
            None => Failure::usage(format!("`{path}` needs one of its commands"))
                .with_hint(meant_subcommand(command, &path, "")),
        },
        ErrorKind::InvalidValue => {
            let failure = Failure::usage(head(&text));
            let known = several(error, ContextKind::ValidValue);
            if known.is_empty() {
                return failure.with_hint(help);
            }
            let meant = first(error, ContextKind::SuggestedValue);
            let meant = meant.map_or(String::new(), |close| format!("did you mean `{close}`? "));
            failure.with_hint(format!("{meant}possible values: {}", known.join(", ")))
        }
        ErrorKind::ValueValidation => {
            let option = named(ContextKind::InvalidArg);
            let option = option
                .as_deref()
                .and_then(|option| option.split(' ').next());
            match (option, error.source()) {
                (Some(option), Some(_)) => bad_value(error, option),
                // Our own words.
                _ => told(&text, None),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let lacking = several(error, ContextKind::InvalidArg);
            let failure = Failure::usage(format!("`{path}` needs {}", lacking.join(" and ")));
            failure.with_hint(usage(&text).unwrap_or(help))
        }
        ErrorKind::ArgumentConflict => told(&text, Some("leave one of them out")),
        _ => told(&text, usage(&text).as_deref()),
    }
}

/// The word before another.
fn before(arguments: &[OsString], word: &str) -> Option<String> {
    let place = arguments.iter().position(|argument| argument == word)?;
    let option = arguments.get(place.checked_sub(1)?)?.to_str()?;
    option.starts_with("--").then(|| option.to_owned())
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// The option that a word alone may be the value of.
fn meant_value(command: &Command, given: &str) -> Option<&'static str> {
    let has = |name: &str| {
        let mut arguments = command.get_arguments();
        arguments.any(|one| one.get_long() == Some(name) && !one.is_hide_set())
    };
    if parse_model(given).is_ok() && has("model") {
        Some("--model")
    } else if parse_translator(given).is_ok() && has("mt") {
        Some("--mt")
    } else {
        None
    }
}

fn has_check(arguments: &[OsString]) -> bool {
    arguments.iter().any(|word| word == "--fail-if")
}

/// The first paragraph and the hint of our own errors.
fn told(text: &str, hint: Option<&str>) -> Failure {
    let failure = Failure::usage(head(text));
    match own_hint(text).or(hint.map(str::to_owned)) {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// The first paragraph on one line.
fn head(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines = lines.take_while(|line| !line.is_empty() && !line.starts_with("hint: "));
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('[')).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

fn own_hint(text: &str) -> Option<String> {
    let hint = text.lines().find_map(|line| line.strip_prefix("hint: "));
    hint.map(str::to_owned)
}

fn usage(text: &str) -> Option<String> {
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
    usage.map(|usage| format!("usage: {usage}"))
}

fn several(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(several)) => several.clone(),
        _ => Vec::new(),
    }
}

fn first(error: &Error, kind: ContextKind) -> Option<String> {
    several(error, kind).into_iter().next()
}

/// A value that its option cannot read. Parsers say what was meant behind `; did you mean`.
fn bad_value(error: &Error, option: &str) -> Failure {
    let given = first(error, ContextKind::InvalidValue).unwrap_or_default();
    let cause = error.source().expect("a value is refused for a reason");
    if cause.is::<ParseIntError>() || cause.is::<ParseFloatError>() {
        let number = if cause.is::<ParseIntError>() {
            "a whole number"
        } else {
            "a number"
        };
        return Failure::usage(format!("{option} `{given}`: this is not {number}"));
    }
    let cause = cause.to_string();
    if let Some((_, bounds)) = cause.split_once(" is not in ") {
        let (least, most) = bounds.split_once("..").unwrap_or((bounds, ""));
        let most = most.trim_start_matches('=');
        let bounds = match most {
            "" => format!("at least {least}"),
            most => format!("from {least} to {most}"),
        };
        return Failure::usage(format!("{option} `{given}`: write a whole number {bounds}"));
    }
    let (message, hint) = match cause.split_once("; did you mean ") {
        Some((message, meant)) => (message, Some(format!("did you mean {meant}"))),
        None => (cause.as_str(), None),
    };
    let named = message.contains(&format!("`{given}`"));
    let failure = Failure::usage(match message.chars().next() {
        Some('`') if named => format!("{option} {message}"),
        _ if named => format!("{option}: {message}"),
        _ => format!("{option} `{given}`: {message}"),
    });
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// The command that these words name, and how it is typed.
fn meant_command<'a>(tree: &'a Command, arguments: &[OsString]) -> (&'a Command, String) {
    let mut found = (tree, tree.get_name().to_owned());
    let words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    for word in words {
        if let Some(command) = found.0.find_subcommand(word) {
            found = (command, format!("{} {}", found.1, command.get_name()));
        }
    }
    found
}

/// The option that a wrong one means, of those that can do something here.
fn meant_option(command: &Command, path: &str, given: &str) -> Option<String> {
    let benchmark = path.strip_prefix("epicene run ");
    let benchmark = benchmark.and_then(epicene_bench::find);
    let offered = |argument: &&Arg| match benchmark {
        Some(benchmark) => has_effect(benchmark, argument.get_id().as_str()),
        None => !argument.is_hide_set(),
    };
    let arguments = command.get_arguments().filter(offered);
    let known: Vec<&str> = arguments.filter_map(Arg::get_long).collect();
    let plain = given.trim_start_matches('-');
    let plain = plain.split('=').next().unwrap_or(plain).to_lowercase();
    let other = OTHER_OPTIONS.iter().find(|(name, _)| *name == plain);
    let other = other.map(|(_, meant)| *meant);
    let meant = other.filter(|meant| known.contains(meant));
    let closest = || {
        suggest::closest(&plain, known.iter().copied(), 1)
            .first()
            .copied()
    };
    let meant = meant.or_else(closest)?;
    Some(format!(
        "did you mean `--{meant}`? `{path} --help` lists the options"
    ))
}

/// The subcommand that a wrong word means, by its name, an old name or that of another tool.
fn meant_subcommand(command: &Command, path: &str, given: &str) -> String {
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let shown: Vec<&str> = shown.map(Command::get_name).collect();
    let mut known: Vec<(&str, &str)> = shown.iter().map(|name| (*name, *name)).collect();
    if path == "epicene" {
        known.extend(RENAMED);
        known.extend(OTHER_COMMANDS);
    }
    let closest = suggest::closest(given, known.iter().map(|(name, _)| *name), 1);
    let meant = known.iter().find(|(name, _)| closest.first() == Some(name));
    match meant {
        Some((_, now)) => {
            format!("did you mean `{path} {now}`? `{path} --help` lists the commands")
        }
        None if path == "epicene" => "`epicene --help` lists the commands".to_owned(),
        None => format!("the commands are {}", shown.join(", ")),
    }
}
