//! A run, judged and measured. Everybody who shows or counts a verdict reads the same ones.

use std::collections::BTreeMap;

use epicene_audit::Record;
use epicene_bench::given_verdicts;
use epicene_bench::options::{OptionError, unheeded};
use epicene_bench::text_warnings::text_warnings;
use epicene_bench::translation_checks::language_warning;
use epicene_bench::{
    BenchError, Benchmark, ColumnView, Given, Judged, Measured, Options, Verdicts, join_hows,
    judge, unused_decisions,
};
use epicene_core::{Answer, AnswerTable, Finding, Results, Scorer, Unit};
use epicene_run::{Manifest, RunDirectory};
use rayon::prelude::*;

use crate::corrected::Audited;
use crate::loading::{choices, with_files};
use crate::score_warnings::score_warnings;
use crate::signing::{Signed, asks_all_items};
use crate::unread::{self, Unread, unread};
use crate::{PipelineError, benchmark, load, power};

/// A run with its verdicts.
pub struct JudgedRun<'a> {
    pub benchmark: &'static dyn Benchmark,
    pub manifest: &'a Manifest,
    pub options: Options,
    /// What the command says of them.
    given: Given,
    pub table: AnswerTable,
    /// For each column.
    pub verdicts: Vec<Verdicts>,
    /// Labels of people, where there are some.
    pub(crate) audits: Vec<Audited>,
    /// Labels that cannot be used, and why.
    unusable: Vec<String>,
    /// How many columns each run has, the run itself first; a comparison has others beside it.
    columns: Vec<usize>,
    /// The files of each run that nothing read.
    unread: Vec<Unread>,
    /// Answers of the run itself that are there, and its questions.
    pub(crate) answered: (u64, u64),
    /// Further runs whose columns follow.
    others: Vec<&'a Manifest>,
    /// The systems as their runs call them.
    pub(crate) recorded_names: Vec<String>,
}

/// An answer whose verdict the rules leave to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided<'a> {
    pub item: &'a str,
    pub system: &'a str,
    pub unit: &'a str,
    /// The rule that gave up.
    pub reason: &'static str,
    pub source: &'a str,
    pub translation: &'a str,
}

impl<'a> JudgedRun<'a> {
    /// Loads and judges a run: a pure function of what lies in its directory.
    pub fn open(run: &'a RunDirectory, given: &Given) -> Result<JudgedRun<'a>, PipelineError> {
        JudgedRun::open_like(run, run, given)
    }

    /// The same by the options of another run that it is shown beside; the files beside its answers are its own.
    pub fn open_like(
        run: &'a RunDirectory,
        like: &RunDirectory,
        given: &Given,
    ) -> Result<JudgedRun<'a>, PipelineError> {
        let judged = JudgedRun::without_labels(run, like, given)?;
        judged.with_labels(std::slice::from_ref(run))
    }

    pub(crate) fn without_labels(
        run: &'a RunDirectory,
        like: &RunDirectory,
        given: &Given,
    ) -> Result<JudgedRun<'a>, PipelineError> {
        let benchmark = benchmark(&run.manifest.benchmark)?;
        let options = with_files(choices(like, benchmark, given)?, run)?;
        let table = load(run)?;
        let verdicts = judge(benchmark, &table, &options)?;
        let answers = (&table, &verdicts[..]);
        let unread = unread(benchmark.card(), &run.manifest, &options, answers);
        let systems = table.systems.iter();
        Ok(JudgedRun {
            benchmark,
            manifest: &run.manifest,
            options,
            given: given.clone(),
            verdicts,
            audits: Vec::new(),
            unusable: Vec::new(),
            columns: vec![table.columns.len()],
            unread: vec![unread],
            answered: table.answered(),
            others: Vec::new(),
            recorded_names: systems.map(|system| system.name.clone()).collect(),
            table,
        })
    }

    /// Puts another run on the same items beside this one, as it was judged.
    pub(crate) fn join(&mut self, other: JudgedRun<'a>) {
        self.columns.push(other.table.columns.len());
        self.unread.extend(other.unread);
        self.table.join(other.table);
        self.verdicts.extend(other.verdicts);
        self.others.push(other.manifest);
        self.recorded_names.extend(other.recorded_names);
    }

    /// The columns of these systems by unit.
    fn units_of(&self, systems: &[usize]) -> BTreeMap<&Unit, Vec<usize>> {
        let mut units: BTreeMap<&Unit, Vec<usize>> = BTreeMap::new();
        for (place, column) in self.table.columns.iter().enumerate() {
            if systems.contains(&column.system) && column.is_answered() {
                units.entry(&column.unit).or_default().push(place);
            }
        }
        units
    }

    fn answer(&self, column: usize, item: usize) -> Option<&Answer> {
        self.table.columns[column].answers[item].as_ref()
    }

    /// Of the questions that both of two systems were asked: to how many one of them says that it has no answer, of how
    /// many.
    pub(crate) fn unpaired(&self, systems: [usize; 2]) -> (u64, u64) {
        let (mut without, mut questions) = (0, 0);
        for columns in self.units_of(&systems).values() {
            let [first, second] = columns[..] else {
                continue;
            };
            for item in 0..self.table.items.len() {
                let pair = self.answer(first, item).zip(self.answer(second, item));
                if let Some((ours, theirs)) = pair {
                    questions += 1;
                    without += u64::from(ours.is_missing() || theirs.is_missing());
                }
            }
        }
        (without, questions)
    }

    /// These systems alone, on what all of them answered that were asked in a unit; who says that it has no answer has
    /// none. None where nothing is lacking.
    pub(crate) fn shared(&self, systems: &[usize]) -> Option<JudgedRun<'a>> {
        let units = self.units_of(systems);
        let has = |column: usize, item: usize| {
            let answer = self.answer(column, item);
            answer.is_some_and(|answer| !answer.is_missing())
        };
        let all = |columns: &[usize], item| columns.iter().all(|of| has(*of, item));
        let compared = || units.values().filter(|columns| columns.len() > 1);
        let items = 0..self.table.items.len();
        let is_shared = |item: &usize| compared().any(|columns| all(columns, *item));
        let mut kept: Vec<usize> = items.clone().filter(is_shared).collect();
        let lacks = |item: usize| compared().any(|columns| !all(columns, item));
        if !items.clone().any(lacks) {
            return None;
        }
        // Where nothing is shared, every answer stays: the benchmark says what there is to compare.
        let nothing = kept.is_empty();
        if nothing {
            kept = items.collect();
        }
        let is_wanted = |column: usize, item: usize| {
            let own = &self.table.columns[column];
            let beside = units.get(&own.unit);
            let alike = |columns: &Vec<usize>| nothing || all(columns, item);
            has(column, item)
                && beside.is_some_and(|columns| columns.contains(&column) && alike(columns))
        };
        let verdicts = self.verdicts.iter().enumerate().map(|(column, verdicts)| {
            let cell = |item: &usize| match &verdicts.cells[*item] {
                Some(verdict) if is_wanted(column, *item) => Some(verdict.clone()),
                _ => None,
            };
            Verdicts {
                cells: kept.iter().map(cell).collect(),
                how: verdicts.how.clone(),
                counts: verdicts.counts.clone(),
                beside: None,
            }
        });
        let mut audits = self.audits.clone();
        for letters in audits
            .iter_mut()
            .flat_map(|audited| audited.record.verdicts.values_mut())
        {
            let all: Vec<char> = letters.chars().collect();
            *letters = kept.iter().filter_map(|item| all.get(*item)).collect();
        }
        Some(JudgedRun {
            table: self.table.part(&kept, is_wanted),
            verdicts: verdicts.collect(),
            options: self.options.clone(),
            given: self.given.clone(),
            audits,
            unusable: Vec::new(),
            // Answers are lacking: this is not the whole.
            answered: (0, self.answered.1),
            columns: self.columns.clone(),
            unread: self.unread.clone(),
            others: self.others.clone(),
            recorded_names: self.recorded_names.clone(),
            ..*self
        })
    }

    pub fn own_columns(&self) -> usize {
        self.columns[0]
    }

    /// The labels that people gave to the answers of these runs, whose columns follow one another.
    pub(crate) fn with_labels(
        mut self,
        runs: &[RunDirectory],
    ) -> Result<JudgedRun<'a>, PipelineError> {
        let mut start = 0;
        for run in runs {
            let end = start + run.plan.probes().len();
            if let Some(text) = run.audit()? {
                let path = run.audit_path().display().to_string();
                let record = Record::parse(&text, &path).map_err(BenchError::Input)?;
                if record.population == self.population(start..end) {
                    self.audits.push(Audited {
                        record,
                        columns: start..end,
                    });
                } else {
                    self.unusable.push(format!(
                        "{path}: these labels were given to other answers and are not used; draw a new sample"
                    ));
                }
            }
            start = end;
        }
        if self.options.corrected && self.audits.is_empty() {
            return Err(PipelineError::NoLabels {
                run: runs[0].path().display().to_string(),
            });
        }
        Ok(self)
    }

    /// The labels of the run itself.
    pub fn record(&self) -> Option<&Record> {
        let own = |audited: &&Audited| audited.columns.start == 0;
        self.audits.iter().find(own).map(|audited| &audited.record)
    }

    /// Whether every item of the data was asked and answered.
    pub fn is_whole(&self) -> bool {
        asks_all_items(self.benchmark.card(), self.manifest) && self.answered.0 == self.answered.1
    }

    pub fn judged(&self) -> Judged<'_> {
        Judged {
            shared: None,
            card: self.benchmark.card(),
            table: &self.table,
            verdicts: &self.verdicts,
            options: &self.options,
            data: &self.manifest.data,
            whole: self.is_whole(),
        }
    }

    pub fn measure(&self) -> Result<Results, PipelineError> {
        let judged = self.judged();
        let mut measured = self.benchmark.measure(&judged)?;
        measured.warnings.extend(unused_decisions(&judged)?);
        let told = given_verdicts::tell(&judged)?;
        measured.notes.extend(told.notes);
        measured.warnings.extend(told.warnings);
        self.correct(&mut measured)?;
        let results = self.signed(measured);
        self.refuse_unheeded(&results)?;
        Ok(results)
    }

    /// Refuses an option of the command that had no effect on these results.
    pub(crate) fn refuse_unheeded(&self, results: &Results) -> Result<(), PipelineError> {
        match unheeded(self.benchmark.card(), &self.given, &results.signature) {
            None => Ok(()),
            Some(spec) => Err(OptionError {
                message: format!("--{} has no effect on these answers", spec.name),
                hint: Some(spec.help.to_owned()),
            }
            .into()),
        }
    }

    pub(crate) fn signed(&self, measured: Measured) -> Results {
        let mut rest = &self.table.columns[..];
        let mut columns = Vec::new();
        for count in &self.columns {
            let (own, others) = rest.split_at(*count);
            columns.push(own);
            rest = others;
        }
        let signed = Signed {
            benchmark: self.benchmark,
            manifest: self.manifest,
            others: &self.others,
            columns,
            unread: &self.unread,
            answered: self.answered,
            options: &self.options,
            judging: join_hows(self.verdicts.iter().map(|verdicts| &verdicts.how)),
            measuring: &measured.how,
        };
        let signature = signed.signature();
        let (there, of) = self.answered;
        let card = self.benchmark.card();
        let mut warnings = measured.warnings;
        warnings.extend(power::warning(card, &measured.rows, &measured.how));
        warnings.extend(power::without_interval(card, &measured.rows));
        warnings.extend(self.translation_warnings());
        let mut notes = measured.notes;
        notes.extend(power::notes(card, &measured.rows));
        warnings.extend(self.unanswered_warnings());
        warnings.extend(self.unread.iter().flat_map(unread::warnings));
        warnings.extend(score_warnings(self.benchmark, &self.table));
        warnings.extend(self.unusable.clone());
        let mut views = self.benchmark.views(&measured.rows);
        self.show_corrected(&measured.rows, &mut views);
        Results {
            signature: signature.to_string(),
            warnings,
            partial: (there < of).then_some((there, of)),
            views,
            rows: measured.rows,
            notes,
        }
    }

    /// Questions without an answer by a causal model: servers have a longest text.
    fn unanswered_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for column in &self.table.columns {
            let answers = column.answers.iter().flatten();
            let count = answers.filter(|answer| answer.is_missing()).count();
            if count > 0 && column.scorer == Scorer::NextWord {
                let system = &self.table.system(column).name;
                warnings.push(format!(
                    "{system} {}: {count} of {} questions have no answer; the numbers leave them out",
                    column.unit,
                    column.answers.len()
                ));
            }
        }
        warnings
    }

    /// Translations that read as another language or as no translations, whoever made them.
    fn translation_warnings(&self) -> Vec<String> {
        let places = (0..self.table.columns.len()).into_par_iter();
        let warning = |place| {
            let view = ColumnView {
                table: &self.table,
                place,
            };
            if view.column().scorer != Scorer::Translate {
                return Vec::new();
            }
            let texts: Vec<&str> = (0..self.table.items.len())
                .filter_map(|item| view.text(item))
                .collect();
            let language = language_warning(&texts, view.language().code());
            let texts = text_warnings(&view, &self.verdicts[place]);
            let (system, unit) = (&view.system().name, view.column().unit.as_str());
            let named = |found| format!("{system} {unit}: {found}");
            language.into_iter().chain(texts).map(named).collect()
        };
        let found: Vec<Vec<String>> = places.map(warning).collect();
        found.concat()
    }

    /// Results in the layout of the benchmark's authors, as (file name, text).
    pub fn author_files(&self) -> Result<Vec<(String, String)>, PipelineError> {
        Ok(self.benchmark.author_files(&self.judged())?)
    }

    /// Translations the rules leave to a person, by column, then by item.
    pub fn undecided(&self) -> Vec<Undecided<'_>> {
        let mut open = Vec::new();
        for (place, verdicts) in self.verdicts.iter().enumerate() {
            let view = ColumnView {
                table: &self.table,
                place,
            };
            for (index, verdict) in verdicts.cells.iter().enumerate() {
                let Some(verdict) = verdict else { continue };
                if verdict.finding == Finding::Undecided {
                    let item = self.table.items.get(index);
                    open.push(Undecided {
                        item: item.id,
                        system: &view.system().name,
                        unit: view.column().unit.as_str(),
                        reason: verdict.rule,
                        source: item.text,
                        translation: view.text(index).unwrap_or(""),
                    });
                }
            }
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is judged is data, and can be shared between threads.
    #[test]
    fn everything_can_be_shared() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<AnswerTable>();
        is_shared::<Verdicts>();
        is_shared::<JudgedRun<'_>>();
    }
}
