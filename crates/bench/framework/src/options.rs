//! Choices that change a number after the answers are in, each declared once: the command line, manifests, help and
//! the benchmark read the declaration. What was done is not derived from them: whoever judges and measures says so.

mod recorded;
mod said;
mod shared;
pub use recorded::{
    ALIASES, drew_when_asking, is_recorded_by, recorded_value, value_now, values_before,
};
pub use said::{refuse_of_numbers, unheeded};
pub use shared::{DETECTOR, DetectorRules, ESTIMATE, Estimates, INTERVAL, Intervals, Published};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use epicene_core::{Language, TextFile};

use crate::Card;
use recorded::asked_already;

/// An option of a benchmark.
#[derive(Debug)]
pub struct Spec {
    /// As the command line spells it: `min-similarity`.
    pub name: &'static str,
    pub values: Values,
    /// Where nothing is said; `None`: the option is off.
    pub default: Option<&'static str>,
    pub help: &'static str,
    /// Under which heading help lists it.
    pub heading: &'static str,
    pub stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    OneOf(&'static [&'static str]),
    /// A whole number, bounds included.
    Whole {
        from: u32,
        to: u32,
    },
    Number,
    /// Given or not.
    Switch,
    /// Several, separated by commas.
    List,
    /// Several of these, separated by commas.
    SomeOf(&'static [&'static str]),
}

/// When an option is used: may it be changed after the asking?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It chooses among the items, or makes them others.
    Data,
    /// It says how the same items are asked about.
    Asking,
    /// It is used after the asking.
    Measure(Effect),
}

/// What an option that is used after the asking changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Fields of the signature that name it. An effect that no signature names did not happen.
    pub signed_as: &'static [&'static str],
    /// Whether it changes verdicts, not numbers alone.
    pub of_verdicts: bool,
    pub needs: Needs,
}

/// What a run must have for an option to change anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Translations,
    Models,
    /// The published detector, or tags from a file.
    PublishedTags,
}

impl Stage {
    pub const fn verdicts(signed_as: &'static [&'static str]) -> Stage {
        Stage::Measure(Effect {
            signed_as,
            of_verdicts: true,
            needs: Needs::Nothing,
        })
    }

    pub const fn numbers(signed_as: &'static [&'static str]) -> Stage {
        Stage::Measure(Effect {
            signed_as,
            of_verdicts: false,
            needs: Needs::Nothing,
        })
    }

    pub const fn needing(self, needs: Needs) -> Stage {
        match self {
            Stage::Measure(effect) => Stage::Measure(Effect { needs, ..effect }),
            other => other,
        }
    }

    pub fn is_before_asking(self) -> bool {
        self.effect().is_none()
    }

    /// What the option changes, where it is used after the asking.
    pub fn effect(self) -> Option<Effect> {
        match self {
            Stage::Measure(effect) => Some(effect),
            Stage::Data | Stage::Asking => None,
        }
    }
}

/// An option with its type.
#[derive(Debug)]
pub struct Choice<T: 'static> {
    pub spec: Spec,
    pub read: fn(Option<&str>) -> Result<T, String>,
}

/// A choice of any type, as cards list them.
pub trait Declared: fmt::Debug + Sync {
    fn spec(&self) -> &Spec;
    /// Refuses what cannot be read as the choice's type.
    fn check(&self, given: Option<&str>) -> Result<(), String>;
}

impl<T: fmt::Debug> Declared for Choice<T> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn check(&self, given: Option<&str>) -> Result<(), String> {
        given.map_or(Ok(()), |value| self.spec.check(value))?;
        (self.read)(given.or(self.spec.default)).map(drop)
    }
}

/// What a command says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    pub seed: Option<u64>,
    /// Bootstrap resamples.
    pub replicates: Option<usize>,
    /// Rounds of randomisation tests.
    pub rounds: Option<usize>,
    /// Numbers corrected by people's labels are the headline.
    pub corrected: bool,
    /// By the name of the option.
    pub values: BTreeMap<String, String>,
}

/// What is meant: the command's word, the run's record, or the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub seed: u64,
    /// Bootstrap resamples.
    pub replicates: usize,
    /// Rounds of randomisation tests.
    pub rounds: usize,
    /// Numbers corrected by people's labels are the headline.
    pub corrected: bool,
    /// The languages a command names, where they choose among the items. Not recorded: the items are.
    pub languages: Vec<Language>,
    values: BTreeMap<&'static str, String>,
    /// Those that the command itself says.
    given: BTreeSet<&'static str>,
    /// Further files a measure uses or is checked against, by their role (`winobias`, `align:de`).
    pub inputs: BTreeMap<String, TextFile>,
    /// What an encoder linked, where a run has one for its aligner.
    pub links: Option<EncoderLinks>,
}

/// Links between the words of sources and translations that an encoder made, with the name it has in signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderLinks {
    pub aligner: String,
    pub files: BTreeMap<(String, Language), TextFile>,
}

/// An option that cannot be meant, said so that somebody can act on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionError {
    pub message: String,
    pub hint: Option<String>,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OptionError {}

impl Spec {
    /// The key under which manifests record it: `min_similarity`.
    pub fn key(&self) -> String {
        self.name.replace('-', "_")
    }

    fn check(&self, value: &str) -> Result<(), String> {
        match self.values {
            Values::OneOf(known) if !known.contains(&value) => {
                Err(format!("`{value}` is none of {}", known.join(", ")))
            }
            Values::Whole { from, to } => match value.parse::<u32>() {
                Ok(number) if (from..=to).contains(&number) => Ok(()),
                Ok(number) => Err(format!("{number} is not from {from} to {to}")),
                Err(_) => Err(format!(
                    "`{value}` is not a whole number from {from} to {to}"
                )),
            },
            Values::Number if !value.parse::<f64>().is_ok_and(f64::is_finite) => {
                Err(format!("`{value}` is not a number"))
            }
            Values::Switch if value != "true" => Err(format!("`{value}` is not `true`")),
            Values::SomeOf(known) => {
                let words: Vec<&str> = value.split([',', '+']).collect();
                let foreign = words.iter().find(|word| !known.contains(word));
                let twice = (1..words.len()).find(|place| words[..*place].contains(&words[*place]));
                match (foreign, twice) {
                    (Some(word), _) => Err(format!("`{word}` is none of {}", known.join(", "))),
                    (None, Some(place)) => Err(format!("`{}` is given twice", words[place])),
                    (None, None) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Reads a choice that has a default.
pub fn required<T: FromStr<Err = String>>(given: Option<&str>) -> Result<T, String> {
    given.expect("the option has a default").parse()
}

/// Reads a number that may be left out.
pub fn optional<T: FromStr>(given: Option<&str>) -> Result<Option<T>, String> {
    let read = given.map(str::parse).transpose();
    read.map_err(|_| "this is not a number".to_owned())
}

/// Which part of the data is measured; each benchmark has its own default.
pub const fn split(default: &'static str) -> Choice<String> {
    Choice {
        spec: Spec {
            name: "split",
            values: Values::OneOf(&["test", "dev", "all"]),
            default: Some(default),
            help: "Which part of the data",
            heading: "Data",
            stage: Stage::Data,
        },
        read: |given| Ok(given.expect("the option has a default").to_owned()),
    }
}

pub fn switch(given: Option<&str>) -> Result<bool, String> {
    Ok(given.is_some())
}

pub fn list(given: Option<&str>) -> Result<Option<Vec<String>>, String> {
    Ok(given.map(|list| list.split([',', '+']).map(str::to_owned).collect()))
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            replicates: 1000,
            rounds: 10_000,
            corrected: false,
            languages: Vec::new(),
            values: BTreeMap::new(),
            given: BTreeSet::new(),
            inputs: BTreeMap::new(),
            links: None,
        }
    }
}

impl Options {
    /// The options of a benchmark: `given` by a command, else `recorded` by a run under their keys. An option that
    /// is not the benchmark's own is an error where the command gives it; what a run recorded of others is passed
    /// over (0.1.0 recorded some for everybody).
    pub fn resolve(
        card: &Card,
        given: &Given,
        recorded: &BTreeMap<String, String>,
    ) -> Result<Options, OptionError> {
        refuse_foreign([card], [], given)?;
        let (mut values, mut said) = (BTreeMap::new(), BTreeSet::new());
        for option in card.options {
            let spec = option.spec();
            let value = match given.values.get(spec.name) {
                // A run that has a record was asked already.
                Some(_) if spec.stage.is_before_asking() && !recorded.is_empty() => {
                    return Err(asked_already(spec, recorded_value(card, spec, recorded)));
                }
                Some(value) => {
                    said.insert(spec.name);
                    value_now(spec.name, value)
                }
                None => match recorded_value(card, spec, recorded) {
                    Some(value) => value,
                    None => continue,
                },
            };
            option.check(Some(value)).map_err(|message| OptionError {
                message: format!("--{}: {message}", spec.name),
                hint: None,
            })?;
            values.insert(spec.name, value.to_owned());
        }
        let defaults = Options::default();
        let bootstrap = recorded.get("bootstrap").map(|value| {
            value.parse().map_err(|_| OptionError {
                message: format!("the manifest's option bootstrap is `{value}`"),
                hint: None,
            })
        });
        Ok(Options {
            seed: given.seed.unwrap_or(defaults.seed),
            replicates: given
                .replicates
                .map_or_else(|| bootstrap.unwrap_or(Ok(defaults.replicates)), Ok)?,
            rounds: given.rounds.unwrap_or(defaults.rounds),
            corrected: given.corrected,
            languages: Vec::new(),
            values,
            given: said,
            inputs: BTreeMap::new(),
            links: None,
        })
    }

    /// What is meant by a choice: one of the benchmark's card, which was read when the options were resolved.
    pub fn get<T>(&self, choice: &Choice<T>) -> T {
        let said = self.values.get(choice.spec.name).map(String::as_str);
        (choice.read)(said.or(choice.spec.default)).expect("options are read when resolved")
    }

    /// Refuses options that the command gives although nothing uses them `where`; what a run recorded may be idle.
    pub fn refuse_idle(&self, idle: &[&Spec], where_not: &str) -> Result<(), OptionError> {
        match idle.iter().find(|spec| self.given.contains(spec.name)) {
            Some(spec) => Err(OptionError {
                message: format!("--{} has no effect {where_not}", spec.name),
                hint: None,
            }),
            None => Ok(()),
        }
    }

    /// The same options with another value of one.
    pub fn with<T>(mut self, choice: &Choice<T>, value: &str) -> Options {
        let value = value_now(choice.spec.name, value);
        self.values.insert(choice.spec.name, value.to_owned());
        self
    }

    /// The same options with other numbers of resamples and of rounds.
    pub fn drawing(mut self, replicates: usize, rounds: usize) -> Options {
        (self.replicates, self.rounds) = (replicates, rounds);
        self
    }

    /// The benchmark's own options with their effective values, as manifests record them.
    pub fn record(&self, card: &Card) -> BTreeMap<String, String> {
        let mut record = BTreeMap::from([("bootstrap".to_owned(), self.replicates.to_string())]);
        for spec in card.specs() {
            let value = self.values.get(spec.name).map(String::as_str);
            if let Some(value) = value.or(spec.default) {
                record.insert(spec.key(), value.replace(',', "+"));
            }
        }
        record
    }

    /// A further file for one system's translations into a language: its own (`align:deepl:de`), or the
    /// language's (`align:de`).
    pub fn input(&self, role: &str, system: &str, language: Language) -> Option<&TextFile> {
        let own = self.inputs.get(&format!("{role}:{system}:{language}"));
        own.or_else(|| self.inputs.get(&format!("{role}:{language}")))
    }
}

/// Refuses an option that none of the benchmarks has; `known` are those whose options may have been meant.
pub fn refuse_foreign<'a>(
    cards: impl IntoIterator<Item = &'a Card>,
    known: impl IntoIterator<Item = &'a Card>,
    given: &Given,
) -> Result<(), OptionError> {
    let cards: Vec<&Card> = cards.into_iter().collect();
    let known: Vec<&Card> = known.into_iter().collect();
    let has = |card: &Card, name: &str| card.specs().any(|spec| spec.name == name);
    for name in given.values.keys() {
        if cards.iter().any(|card| has(card, name)) {
            continue;
        }
        let owners = known.iter();
        let owners: Vec<&str> = owners
            .filter(|card| has(card, name))
            .map(|card| card.name)
            .collect();
        let of = match owners.as_slice() {
            [] => String::new(),
            owners => format!("; it is an option of {}", owners.join(", ")),
        };
        let own = |card: &&Card| {
            let own: Vec<String> = card
                .specs()
                .map(|spec| format!("--{}", spec.name))
                .collect();
            if own.is_empty() {
                format!("{} has no options of its own", card.name)
            } else {
                format!("{} has {}", card.name, own.join(", "))
            }
        };
        let own: Vec<String> = cards.iter().map(own).collect();
        return Err(OptionError {
            message: format!("--{name} has no effect here{of}"),
            hint: Some(own.join("; ")),
        });
    }
    Ok(())
}
