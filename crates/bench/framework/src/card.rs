//! The facts of a benchmark, in one place: `show`, `list`, the page, the command line, manifests and documentation
//! read them from here. What needs nothing but an item, a language or options is a field as well, with a default.

use std::collections::BTreeMap;

use epicene_core::{
    InputError, Item, ItemRef, Language, Metric, Row, TextFile, counted, there_are,
};

use crate::dialogue::Dialogue;
use crate::formula::{self, AuditLabel, AuditUnits};
use crate::given_verdicts::{VERDICTS_INPUT, takes_verdicts};
use crate::inputs::{By, InputSpec};
use crate::options::{Declared, OptionError, Options, Spec};
use crate::sampling::Sampling;

#[derive(Debug)]
pub struct Card {
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// What it measures, harms, languages, genders, data, licence, limits, how to cite: the text of `epicene show`.
    pub text: &'static str,
    /// The data set asked where none is named; `None` if the benchmark needs none.
    pub data: Option<&'static str>,
    /// The files of a data directory; one file needs no directory.
    pub files: &'static [&'static str],
    /// The files to read of a directory that holds these, where it is not `files`. Names are paths from the directory where
    /// every language has items of its own.
    pub choose: Option<ChooseFiles>,
    /// Sizes of the data that the benchmark makes itself.
    pub sizes: &'static [&'static str],
    /// The option that names the data, for messages.
    pub data_flag: &'static str,
    /// Whether its data can be made from a parallel corpus.
    pub from_corpus: bool,
    /// Whether every language has items of its own, so that `--lang` chooses the data, and a data directory is searched for
    /// them.
    pub by_language: bool,
    /// Whether a line of translations may hold several, between tabs.
    pub tabbed: bool,
    /// Languages of its items where translations go into English: `--lang` chooses among these. Empty where items are
    /// English.
    pub sources: fn() -> Vec<Language>,
    /// Target languages whose translations can be measured.
    pub languages: fn() -> Vec<Language>,
    /// Whether its own rules can judge translations into one of them; where not, verdicts are given.
    pub judges: fn(Language) -> bool,
    /// What chat models are asked.
    pub chat: Option<&'static dyn Dialogue>,
    pub options: &'static [&'static dyn Declared],
    /// Refuses options that do not go together, before anything is read.
    pub check: fn(&Options) -> Result<(), OptionError>,
    /// Whether some of its numbers depend on how often `--bootstrap` resamples.
    pub resamples: bool,
    /// What was drawn when its items were made: what intervals and tests resample.
    pub sampling: Sampling,
    pub inputs: &'static [InputSpec],
    /// Refuses, before any asking, further files that do not belong together or to these items. Apart from `check`, because
    /// items may have to be fetched first.
    pub check_inputs: CheckInputs,
    /// Commands that measure with it, for its help.
    pub examples: &'static [&'static str],
    /// How a file of a model's answers is laid out, for its help.
    pub answer_file: &'static str,
    /// Keys of what to cite beside its data.
    pub cites: &'static [&'static str],
    pub metrics: &'static [Metric],
    /// Metrics about a part of the items, with the label those have and its value.
    pub scopes: &'static [(&'static str, (&'static str, &'static str))],
    /// Further labels of an item that rows name in their groups but its data do not say: whoever looks for the items behind
    /// a row finds them by these.
    pub facets: fn(ItemRef<'_>) -> Vec<(&'static str, String)>,
    /// What people are asked about an answer.
    pub audit_question: fn(ItemRef<'_>) -> String,
    /// What they may say, where it is not what answers of this kind show as a rule.
    pub labels: Option<&'static [AuditLabel]>,
    /// How rows name the units that are audited; by default as they were asked, and of chat models by their wording.
    pub audit_units: Option<AuditUnits>,
    /// Published results as rows, the background of figures. Systems are named `published:NAME`.
    pub baselines: fn(&Options) -> Vec<Row>,
    /// Editions of the data (name, version) that published results were measured on.
    pub published_on: &'static [(&'static str, &'static str)],
    /// Where the command means another benchmark: gest on a file of pairs is gest-pairs.
    pub instead: &'static [(Instead, &'static str)],
}

/// The files of a directory that are read, of those it holds.
pub type ChooseFiles = fn(&[String], &Options) -> Vec<String>;
/// Looks at further files, by their roles, beside the items.
pub type CheckInputs = fn(&BTreeMap<String, TextFile>, &[Item]) -> Result<(), InputError>;

/// What makes a command mean another benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// `--pairs FILE` is the data.
    WithPairs,
    /// Files of answers alone, and no data.
    OnFilesAlone,
    /// `--spec FILE` names the measure, whose benchmark it is.
    BySpec,
    /// `--into en`: translations are the sources.
    IntoEnglish,
}

impl Card {
    /// Whether a command that names it may mean another benchmark for this reason.
    pub fn turns(&self, reason: Instead) -> bool {
        self.instead.iter().any(|(own, _)| *own == reason)
    }

    /// A card with nothing but what every benchmark has.
    pub const fn new(name: &'static str, summary: &'static str, text: &'static str) -> Card {
        Card {
            name,
            summary,
            text,
            data: None,
            files: &[],
            choose: None,
            sizes: &[],
            data_flag: "--data PATH",
            from_corpus: false,
            by_language: false,
            tabbed: false,
            sources: Vec::new,
            languages: Vec::new,
            judges: |_| true,
            chat: None,
            options: &[],
            check: |_| Ok(()),
            resamples: false,
            sampling: Sampling::ITEMS,
            inputs: &[],
            check_inputs: |_, _| Ok(()),
            examples: &[],
            answer_file: "",
            cites: &[],
            metrics: &[],
            scopes: &[],
            facets: |_| Vec::new(),
            audit_question: |_| formula::gender_of("the person of the source"),
            labels: None,
            audit_units: None,
            baselines: |_| Vec::new(),
            published_on: &[],
            instead: &[],
        }
    }

    /// What is declared of its options.
    pub fn specs(&self) -> impl Iterator<Item = &'static Spec> + use<> {
        self.options.iter().map(|option| option.spec())
    }

    /// The metric of a row.
    pub fn metric(&self, symbol: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.symbol == symbol)
    }

    /// The files to read of a data directory that holds these.
    pub fn choose_files(&self, present: &[String], options: &Options) -> Vec<String> {
        match self.choose {
            Some(choose) => choose(present, options),
            None => self.files.iter().map(|file| (*file).to_owned()).collect(),
        }
    }

    /// Refuses options that do not go together, before anything is read.
    pub fn check_options(&self, options: &Options) -> Result<(), OptionError> {
        if let Some(dialogue) = self.chat {
            dialogue.check(self, options)?;
        }
        (self.check)(options)
    }

    /// Refuses an input that could not be used, before any asking.
    pub fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        let rest: Vec<&str> = role.split(':').skip(1).collect();
        let Some(spec) = self.input(role) else {
            let name = self.name;
            let error = InputError::new(
                &file.path,
                format!(
                    "{name} has no use for an input `{role}`{}",
                    self.known_roles()
                ),
            );
            return Err(error);
        };
        let Some(code) = rest.last() else {
            return (spec.check)(file, None);
        };
        match Language::find(code).filter(|language| (self.languages)().contains(language)) {
            Some(language) => (spec.check)(file, Some(language)),
            None => Err(InputError::new(
                &file.path,
                format!("unknown language `{code}` in the role `{role}`"),
            )),
        }
    }

    /// What a role (`align:de`) is for.
    pub fn input(&self, role: &str) -> Option<&'static InputSpec> {
        let mut parts = role.split(':');
        let (kind, rest) = (parts.next().unwrap_or(role), parts.count());
        let shared = takes_verdicts(self).then_some(&VERDICTS_INPUT);
        self.inputs.iter().chain(shared).find(|spec| {
            spec.role == kind
                && match spec.by {
                    By::Run => rest == 0,
                    By::Language => rest == 1,
                    By::System => matches!(rest, 1 | 2),
                }
        })
    }

    /// A file with one line for each item may have the lines of all `items`, or of the first `kept` alone.
    pub fn fit_input(
        &self,
        role: &str,
        mut file: TextFile,
        items: usize,
        kept: usize,
    ) -> Result<TextFile, InputError> {
        if !self.input(role).is_some_and(|spec| spec.by_line) {
            return Ok(file);
        }
        let lines = file.text.lines().count();
        if lines != items && lines != kept {
            let message = format!(
                "{}, the data has {}",
                there_are(lines, "line", "lines"),
                counted(kept, "item", "items")
            );
            return Err(InputError::new(&file.path, message).with_hint(format!(
                "a file `{role}` has one line for each sentence, in the order of the data"
            )));
        }
        if lines > kept {
            let first = file.text.lines().take(kept).map(|line| format!("{line}\n"));
            file.text = first.collect();
        }
        Ok(file)
    }

    fn known_roles(&self) -> String {
        let form = |spec: &InputSpec| match spec.by {
            By::Run => spec.role.to_owned(),
            By::Language => format!("{}:LANG", spec.role),
            By::System => format!("{0}:LANG, {0}:SYSTEM:LANG", spec.role),
        };
        let known: Vec<String> = self.inputs.iter().map(form).collect();
        if known.is_empty() {
            String::new()
        } else {
            format!(" (known: {})", known.join(", "))
        }
    }
}
