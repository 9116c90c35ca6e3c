//! Benchmarks: what to ask, and what the answers mean. One file or folder each.
//!
//! A benchmark knows its data format, its questions and its measures; it knows no model, no server
//! and no run directory. To add one, write it and name it in [`ALL`].

mod csv_input;
mod error;
pub mod gest;
pub mod mbe;
mod options;
mod score_file;
pub mod sentence_pairs;
pub mod translation_checks;
pub mod translation_columns;
pub mod translations;
pub mod unambiguous;
pub mod wibemt;
pub mod winobias;
mod winograd;
pub mod winomt;

pub use error::BenchError;
pub use mbe::meta_evaluation::MetaTable;
pub use options::{Convention, IntervalMethod, JudgeRules, MeasureOptions, SentenceOptions};
pub use translations::TranslationFile;

use epicene_core::{
    Answer, InputError, Item, Measured, ModelKind, Question, Row, SystemCard, TextFile, View,
};

/// Every benchmark this build knows.
pub static ALL: &[&dyn Benchmark] = &[
    &gest::Gest,
    &gest::pairs::GestPairs,
    &winobias::Winobias,
    &winobias::WinobiasMeans,
    &mbe::Mbe,
    &sentence_pairs::CrowsPairs,
    &sentence_pairs::StereoSet,
    &unambiguous::Unambiguous,
    &wibemt::Wibemt,
    &winomt::Winomt,
];

pub fn find(name: &str) -> Option<&'static dyn Benchmark> {
    ALL.iter()
        .copied()
        .find(|benchmark| benchmark.name() == name)
}

pub trait Benchmark: Sync {
    fn name(&self) -> &'static str;

    /// One line for lists.
    fn summary(&self) -> &'static str;

    /// What it measures, harms, languages, genders, data, licence, limits, how to cite: the text of
    /// `epicene show`, and the documentation of the benchmark's type.
    fn card(&self) -> &'static str;

    /// The data set asked where none is named; `None` if the benchmark needs none.
    fn default_data(&self) -> Option<&'static str>;

    /// The files of a data directory; one file needs no directory.
    fn data_files(&self) -> Vec<String> {
        vec![format!("{}.csv", self.name())]
    }

    /// A data set that the benchmark makes itself, by its name.
    fn built_in(&self, _name: &str) -> Option<Result<BuiltIn, InputError>> {
        None
    }

    /// The files to read of a data directory that holds these.
    fn choose_files(&self, _present: &[String]) -> Vec<String> {
        self.data_files()
    }

    /// The items of the data, in its order.
    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError>;

    /// The items to ask, where a data set holds several kinds of bias; `None` is the benchmark's own
    /// choice.
    fn select(
        &self,
        items: Vec<Item>,
        bias_types: Option<&[String]>,
    ) -> Result<Vec<Item>, InputError> {
        match bias_types {
            None => Ok(items),
            Some(_) => Err(InputError::new(
                self.name(),
                "the items have no bias types to choose from",
            )),
        }
    }

    /// The units a model of this kind is asked in, with the scorer of each.
    fn units(&self, kind: ModelKind) -> Vec<Unit>;

    /// Whether a model is asked in this unit where the command does not say.
    fn asks_by_default(&self, _unit: &Unit) -> bool {
        true
    }

    fn question(&self, item: &Item, unit: &Unit, kind: ModelKind) -> Question;

    /// Answers of language models somebody already has, from files, for these items.
    fn read_answers(
        &self,
        files: &[TextFile],
        kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError>;

    /// Translations somebody already has: one sheet for each system, one unit for each language.
    fn read_translations(
        &self,
        files: &[TranslationFile],
        _items: &[Item],
        _allow_missing: bool,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        match files.first() {
            None => Ok(Vec::new()),
            Some(given) => {
                let message = format!("{} does not measure translations", self.name());
                Err(InputError::new(&given.file.path, message))
            }
        }
    }

    /// Target languages whose translations can be measured.
    fn languages(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What one answer shows, and which words show it.
    fn judge(
        &self,
        item: &Item,
        unit: &str,
        answer: &Answer,
        options: &MeasureOptions,
    ) -> Judgement;

    /// Whether a verdict depends on the other answers of the run (a word aligner learns from all of
    /// them); then [`Tally::judgement`] gives it, not [`Benchmark::judge`].
    fn judges_together(&self) -> bool {
        false
    }

    /// Refuses, before any asking, a further file (`--input ROLE=FILE`) that could not be used.
    fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        let message = format!("{} has no use for an input `{role}`", self.name());
        Err(InputError::new(&file.path, message))
    }

    /// A fresh count for these systems; `probes` are (system, unit) pairs.
    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally>;

    /// Whether pairs count only where a model's vocabulary tells them apart by one token.
    fn one_token_pairs(&self) -> bool {
        false
    }

    /// Published results as rows, the background of figures. Systems are named `published:NAME`.
    fn baselines(&self) -> Vec<Row> {
        Vec::new()
    }

    /// How people would like to see the rows.
    fn views(&self, rows: &[Row]) -> Vec<View>;

    /// The options that bear on this benchmark's numbers, as the signature names them; `None` where
    /// they are the convention and the interval of mean log ratios.
    fn choices(&self, _options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        None
    }
}

/// A data set that needs no file.
#[derive(Debug, Clone)]
pub struct BuiltIn {
    /// Its name with what distinguishes it: `paper-s-without-nanny`.
    pub version: String,
    /// What it was made from; its hash goes into the manifest.
    pub source: String,
    pub items: Vec<Item>,
}

/// A way of asking, e.g. `template:3` with `masked-pair`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub name: String,
    pub scorer: &'static str,
}

/// A verdict for people: `m`, `f`, `n` for neutral, or `u` for unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: char,
    /// `correct`, `wrong` or `inconclusive` where the item has a right answer, else empty.
    pub outcome: &'static str,
    pub rule: &'static str,
    pub evidence: Vec<String>,
}

impl Judgement {
    /// Masculine above zero, feminine below: which of two readings a model prefers.
    pub fn of_preference(preference: f64) -> Judgement {
        Judgement {
            verdict: match preference {
                p if p > 0.0 => 'm',
                p if p < 0.0 => 'f',
                _ => 'u',
            },
            outcome: "",
            rule: "",
            evidence: Vec::new(),
        }
    }
}

/// An answer whose verdict the rules leave to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    pub item: String,
    pub system: String,
    pub unit: String,
    /// The rule that gave up.
    pub reason: &'static str,
    pub source: String,
    pub translation: String,
}

/// One system's answers as a file had them.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerSheet {
    pub system: String,
    pub kind: ModelKind,
    /// Indices of the files it came from.
    pub files: Vec<usize>,
    pub units: Vec<(String, Vec<Answer>)>,
}

/// Collects items and answers as they stream by, then measures. A pure function of what it was fed.
pub trait Tally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError>;

    /// The answer to item `item` (in the order they were fed) by probe `probe`.
    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError>;

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError>;

    /// The answers the rules leave to a person, under these options.
    fn undecided(&self, _options: &MeasureOptions) -> Result<Vec<Undecided>, BenchError> {
        Ok(Vec::new())
    }

    /// The verdict on one answer, where [`Benchmark::judges_together`] says that it needs all.
    fn judgement(
        &self,
        _item: usize,
        _probe: usize,
        _options: &MeasureOptions,
    ) -> Result<Option<Judgement>, BenchError> {
        Ok(None)
    }

    /// Results in the layout of the benchmark's authors, as (file name, text), so that they can be
    /// compared with the authors' own files.
    fn author_files(&self, _options: &MeasureOptions) -> Result<Vec<(String, String)>, BenchError> {
        Ok(Vec::new())
    }

    /// Paired comparison of two systems of this tally.
    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError>;
}
