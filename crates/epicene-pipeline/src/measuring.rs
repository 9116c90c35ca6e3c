//! A run, judged and measured. Everybody who shows or counts a verdict reads the same ones.

use epicene_audit::Record;
use epicene_bench::translation_checks::language_warning;
use epicene_bench::{
    BenchError, Benchmark, ColumnView, Given, How, Judged, Measured, Options, Tested, Verdicts,
    join_hows, judge,
};
use epicene_core::{Answer, AnswerTable, Finding, Results, Scorer, SystemCard};
use epicene_run::{Manifest, RunDirectory};

use crate::corrected::Audited;
use crate::signing::Signed;
use crate::{PipelineError, benchmark, family, load, options, places, power, words};

/// A run with its verdicts.
pub struct JudgedRun<'a> {
    pub benchmark: &'static dyn Benchmark,
    pub manifest: &'a Manifest,
    pub options: Options,
    pub table: AnswerTable,
    /// For each column.
    pub verdicts: Vec<Verdicts>,
    /// Labels of people, where there are some.
    pub(crate) audits: Vec<Audited>,
    /// Labels that cannot be used, and why.
    unusable: Vec<String>,
    /// Columns and answers of the run itself; a comparison has others beside them.
    own_columns: usize,
    answered: (u64, u64),
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
        let benchmark = benchmark(&run.manifest.benchmark)?;
        let options = options(run, benchmark, given)?;
        let table = load(run)?;
        let own = (table.columns.len(), table.answered());
        let judged = JudgedRun::of(run, benchmark, options, table, own)?;
        judged.with_labels(std::slice::from_ref(run))
    }

    fn of(
        run: &'a RunDirectory,
        benchmark: &'static dyn Benchmark,
        options: Options,
        table: AnswerTable,
        (own_columns, answered): (usize, (u64, u64)),
    ) -> Result<JudgedRun<'a>, PipelineError> {
        let verdicts = judge(benchmark, &table, &options)?;
        Ok(JudgedRun {
            benchmark,
            manifest: &run.manifest,
            options,
            table,
            verdicts,
            audits: Vec::new(),
            unusable: Vec::new(),
            own_columns,
            answered,
        })
    }

    pub fn own_columns(&self) -> usize {
        self.own_columns
    }

    /// The labels that people gave to the answers of these runs, whose columns follow one another.
    fn with_labels(mut self, runs: &[RunDirectory]) -> Result<JudgedRun<'a>, PipelineError> {
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
        self.manifest.limit.is_none() && self.answered.0 == self.answered.1
    }

    pub fn judged(&self) -> Judged<'_> {
        Judged {
            card: self.benchmark.card(),
            table: &self.table,
            verdicts: &self.verdicts,
            options: &self.options,
            data: &self.manifest.data,
            whole: self.is_whole(),
        }
    }

    pub fn measure(&self) -> Result<Results, PipelineError> {
        let mut measured = self.benchmark.measure(&self.judged())?;
        self.correct(&mut measured)?;
        Ok(self.signed(measured, None))
    }

    fn signed(&self, measured: Measured, versus: Option<String>) -> Results {
        let signed = Signed {
            benchmark: self.benchmark,
            manifest: self.manifest,
            columns: &self.table.columns[..self.own_columns],
            answered: self.answered,
            options: &self.options,
            judging: join_hows(self.verdicts.iter().map(|verdicts| &verdicts.how)),
            measuring: &measured.how,
        };
        let mut signature = signed.signature();
        if let Some(versus) = versus
            && signature.field("system") != Some(&versus)
        {
            signature = signature.with("versus", versus);
        }
        let (there, of) = self.answered;
        let card = self.benchmark.card();
        let mut warnings = measured.warnings;
        warnings.extend(power::warning(card, &measured.rows, &measured.how));
        warnings.extend(self.language_warnings());
        let mut notes = measured.notes;
        notes.extend(power::notes(card, &measured.rows));
        warnings.extend(self.unread_warnings());
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
    fn unread_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for column in &self.table.columns {
            let unread = |answer: &&Answer| *answer.plain().0 == Answer::Missing;
            let count = column.answers.iter().flatten().filter(unread).count();
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

    /// Translations that read as another language, whoever made them.
    fn language_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for place in 0..self.table.columns.len() {
            let view = ColumnView {
                table: &self.table,
                place,
            };
            if view.column().scorer != Scorer::Translate {
                continue;
            }
            let texts: Vec<&str> = (0..self.table.items.len())
                .filter_map(|item| view.text(item))
                .collect();
            let found = language_warning(&texts, view.language().code());
            let (system, unit) = (&view.system().name, view.column().unit.as_str());
            warnings.extend(found.map(|text| format!("{system} {unit}: {text}")));
        }
        warnings
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

/// Systems on the same items.
pub struct Compared {
    pub results: Results,
    /// Answers that are there and questions, of each run.
    pub answered: Vec<(u64, u64)>,
}

/// Compares systems of one run, or of several that asked the same items; their numbers count on from run to run. Every
/// pair is compared, later less earlier, and all tests are corrected together. The options are the first run's.
pub fn compare(
    runs: &[RunDirectory],
    systems: &[usize],
    given: &Given,
) -> Result<Compared, PipelineError> {
    compare_pairs(runs, systems, given, Pairs::All)
}

/// Which pairs of systems are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    All,
    /// Every other system with the first: fewer tests, and so less to correct for.
    WithFirst,
}

/// The same for these pairs.
pub fn compare_pairs(
    runs: &[RunDirectory],
    systems: &[usize],
    given: &Given,
    pairs: Pairs,
) -> Result<Compared, PipelineError> {
    let own = &runs[0];
    let benchmark = benchmark(&own.manifest.benchmark)?;
    let options = options(own, benchmark, given)?;
    let mut table = load(own)?;
    let mut answered = vec![table.answered()];
    // The signature speaks of the first run; the others are named as `versus`.
    let first_run = (table.columns.len(), answered[0]);
    for other in &runs[1..] {
        let theirs = load(other)?;
        answered.push(theirs.answered());
        table.join(theirs);
    }
    let judged = JudgedRun::of(own, benchmark, options, table, first_run)?;
    let mut judged = judged.with_labels(runs)?;
    let mut measured = Measured::default();
    let firsts = match pairs {
        Pairs::All => systems.len(),
        Pairs::WithFirst => 1,
    };
    let mut apart: Vec<BenchError> = Vec::new();
    let mut hows: Vec<How> = Vec::new();
    for (place, first) in systems.iter().enumerate().take(firsts) {
        for second in &systems[place + 1..] {
            let mut pair = match benchmark.compare(&judged.judged(), *first, *second) {
                Ok(pair) => pair,
                // Others may still be compared.
                Err(error) if systems.len() > 2 && error.is_about_a_pair() => {
                    apart.push(error);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            judged.correct_differences(&mut pair, (*first, *second))?;
            let shift = measured.rows.len();
            let moved = pair.tests.into_iter().map(|test| Tested {
                row: test.row + shift,
                ..test
            });
            measured.tests.extend(moved);
            measured.rows.extend(pair.rows);
            hows.push(pair.how);
            for (list, more) in [
                (&mut measured.notes, pair.notes),
                (&mut measured.warnings, pair.warnings),
            ] {
                let fresh: Vec<String> = more.into_iter().filter(|m| !list.contains(m)).collect();
                list.extend(fresh);
            }
        }
    }
    measured.how = join_hows(hows.iter());
    for error in &apart {
        measured.warnings.push(error.to_string());
    }
    if measured.rows.is_empty()
        && let Some(error) = apart.into_iter().next()
    {
        return Err(error.into());
    }
    family::correct(&mut measured)?;
    let cards = systems.iter().map(|system| &judged.table.systems[*system]);
    measured.warnings.extend(unlike_arithmetic(cards));
    let name = |system: &usize| judged.table.systems[*system].name.clone();
    let names: Vec<String> = systems.iter().map(name).collect();
    let mut own = benchmark.measure(&judged.judged())?;
    judged.correct(&mut own)?;
    if names.len() == 2 || pairs == Pairs::WithFirst {
        words::add(&mut measured, &own.rows, &names);
    } else {
        places::add(&mut measured, &names);
        words::verdicts(&mut measured, &own.rows, &names);
    }
    if let Some(part) = answered.iter().find(|(there, of)| there < of) {
        judged.answered = *part;
    }
    let others = runs[1..].iter().map(|run| run.manifest.system_signature());
    let versus: Vec<String> = others.collect();
    let mut results = judged.signed(measured, (!versus.is_empty()).then(|| versus.join("+")));
    results.views = words::table(&results.rows, results.views);
    Ok(Compared { results, answered })
}

/// What a system computes in, where that is known: the end of `bf16+f32`, the beginning of `bf16@cuda`.
fn arithmetic(card: &SystemCard) -> Option<&'static str> {
    let computed = card.dtype.as_deref()?.split('@').next()?;
    match computed.rsplit('+').next()? {
        "f32" | "float32" => Some("f32"),
        "tf32" => Some("tf32"),
        "f16" | "float16" => Some("f16"),
        "bf16" | "bfloat16" => Some("bf16"),
        "int8" => Some("int8"),
        _ => None,
    }
}

/// A warning where compared systems compute differently.
fn unlike_arithmetic<'a>(cards: impl Iterator<Item = &'a SystemCard>) -> Option<String> {
    let told = cards.filter_map(|card| Some((arithmetic(card)?, card.name.as_str())));
    let told: Vec<(&str, &str)> = told.collect();
    let (first, _) = told.first()?;
    told.iter().find(|(other, _)| other != first)?;
    let each: Vec<String> = told
        .iter()
        .map(|(how, name)| format!("{name} in {how}"))
        .collect();
    Some(format!(
        "the systems were not computed in the same arithmetic ({}): part of a difference may be rounding",
        each.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_arithmetic_is_told() {
        let card = |name: &str, dtype: Option<&str>| SystemCard {
            name: name.to_owned(),
            source: String::new(),
            revision: None,
            dtype: dtype.map(str::to_owned),
            tokenizer: None,
            kind: epicene_core::ModelKind::Masked,
        };
        let told = |dtypes: &[Option<&str>]| {
            let cards: Vec<SystemCard> = dtypes.iter().map(|dtype| card("x", *dtype)).collect();
            unlike_arithmetic(cards.iter())
        };
        assert_eq!(
            told(&[Some("f32"), Some("f16+f32"), None, Some("f32@cuda")]),
            None
        );
        assert_eq!(told(&[Some("bf16@cuda"), Some("f32+bf16")]), None);
        for other in ["f32+bf16", "f16+int8", "bf16@cuda"] {
            let said = told(&[Some("f16+f32"), None, Some(other)]);
            assert!(
                said.is_some_and(|said| said.contains("x in f32, x in ")),
                "{other}"
            );
        }
    }

    /// What is judged is data, and can be shared between threads.
    #[test]
    fn everything_can_be_shared() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<AnswerTable>();
        is_shared::<Verdicts>();
        is_shared::<JudgedRun<'_>>();
    }
}
