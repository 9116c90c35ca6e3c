//! Collects translations, aligns and judges them together, and measures.

use std::cell::OnceCell;

use epicene_core::{Answer, Item, Measured, Row, SystemCard, TextFile};
use epicene_lang::occupation::OccupationJudge;
use epicene_stats::{mcnemar_exact, risk_difference, wilson};

use super::data;
use super::human::HumanLabels;
use super::judging::{self, Judged, Source};
use super::metrics::{Confusion, delta_s};
use super::prediction::{Gold, Prediction};
use super::published::Predictor;
use super::rows::{LEVEL, Writer};
use crate::{BenchError, JudgeRules, Judgement, MeasureOptions, Tally};

/// Roles of further files, each with the language behind it: `align:de`, or `align:deepl:de` for one system.
pub const ALIGN: &str = "align";
pub const LEXICON: &str = "lexicon";
pub const TAGS: &str = "tags";
pub const HUMAN: &str = "human";

struct Column {
    system: usize,
    unit: String,
    translations: Vec<Option<String>>,
    missing: u64,
    /// What the judges say, once asked; by `published` and `default`.
    judged: [OnceCell<Judged>; 2],
}

pub struct WinomtTally {
    systems: Vec<SystemCard>,
    sources: Vec<Source>,
    golds: Vec<Gold>,
    sets: Vec<Option<String>>,
    columns: Vec<Column>,
}

impl WinomtTally {
    pub fn new(systems: &[SystemCard], probes: &[(usize, String)]) -> WinomtTally {
        let columns = probes.iter().map(|(system, unit)| Column {
            system: *system,
            unit: unit.clone(),
            translations: Vec::new(),
            missing: 0,
            judged: [OnceCell::new(), OnceCell::new()],
        });
        WinomtTally {
            systems: systems.to_vec(),
            sources: Vec::new(),
            golds: Vec::new(),
            sets: Vec::new(),
            columns: columns.collect(),
        }
    }

    /// A further file for a column: its own, or that of its language.
    fn input<'a>(
        &self,
        column: &Column,
        role: &str,
        options: &'a MeasureOptions,
    ) -> Option<&'a TextFile> {
        let system = &self.systems[column.system].name;
        let language = language(column);
        let own = options.inputs.get(&format!("{role}:{system}:{language}"));
        own.or_else(|| options.inputs.get(&format!("{role}:{language}")))
    }

    fn judged<'a>(
        &self,
        column: &'a Column,
        options: &MeasureOptions,
    ) -> Result<&'a Judged, BenchError> {
        let slot = match options.judge {
            JudgeRules::Published => &column.judged[0],
            JudgeRules::Default => &column.judged[1],
        };
        if let Some(judged) = slot.get() {
            return Ok(judged);
        }
        let judged = self.judge(column, options)?;
        Ok(slot.get_or_init(|| judged))
    }

    fn judge(&self, column: &Column, options: &MeasureOptions) -> Result<Judged, BenchError> {
        let language = language(column);
        let links = match self.input(column, ALIGN, options) {
            Some(file) => {
                let links = judging::read_links(file)?;
                judging::check_links(file, &links, self.sources.len())?;
                Some(links)
            }
            None => None,
        };
        match options.judge {
            JudgeRules::Published => {
                let predictor = Predictor::new(
                    language,
                    self.input(column, LEXICON, options),
                    self.input(column, TAGS, options),
                )?;
                Ok(judging::published(
                    &self.sources,
                    &column.translations,
                    &predictor,
                    links,
                ))
            }
            JudgeRules::Default => {
                let judge = OccupationJudge::for_language(language).ok_or_else(|| {
                    BenchError::NotMeasurable(format!(
                        "the occupation judge does not know {language}"
                    ))
                })?;
                let lexicon = self.input(column, LEXICON, options);
                let own = lexicon.map(|file| judging::with_lexicon(judge, file));
                let own = own.transpose()?;
                Ok(judging::by_occupation_judge(
                    &self.sources,
                    &column.translations,
                    own.as_ref().unwrap_or(judge),
                    links,
                ))
            }
        }
    }

    /// Predictions of one column, by item.
    fn predictions(
        &self,
        column: &Column,
        options: &MeasureOptions,
    ) -> Result<Vec<Option<Prediction>>, BenchError> {
        let judged = self.judged(column, options)?;
        let predictions = judged.predictions.iter();
        Ok(predictions
            .map(|predicted| predicted.as_ref().map(|predicted| predicted.prediction))
            .collect())
    }

    fn confusion(
        &self,
        predictions: &[Option<Prediction>],
        keep: impl Fn(usize) -> bool,
    ) -> Confusion {
        let mut confusion = Confusion::default();
        for (item, prediction) in predictions.iter().enumerate() {
            if let Some(prediction) = prediction
                && keep(item)
            {
                confusion.add(self.golds[item], *prediction);
            }
        }
        confusion
    }

    fn in_set(&self, item: usize, set: &str) -> bool {
        self.sets[item].as_deref() == Some(set)
    }

    fn measure_column(
        &self,
        column: &Column,
        options: &MeasureOptions,
        measured: &mut Measured,
    ) -> Result<(), BenchError> {
        let predictions = self.predictions(column, options)?;
        let whole = self.confusion(&predictions, |_| true);
        if whole.total() == 0 {
            return Ok(());
        }
        let mut writer = Writer {
            system: &self.systems[column.system].name,
            unit: &column.unit,
            rows: Vec::new(),
        };
        let (pro, anti) = (
            self.confusion(&predictions, |item| self.in_set(item, "pro")),
            self.confusion(&predictions, |item| self.in_set(item, "anti")),
        );
        writer.set("all", &whole)?;
        writer.spread(&self.golds, &predictions, options)?;
        for (group, confusion) in [("set:pro", &pro), ("set:anti", &anti)] {
            if confusion.total() > 0 {
                writer.set(group, confusion)?;
            }
        }
        if let Some(value) = delta_s(&pro, &anti) {
            let difference = risk_difference(
                (pro.correct(), pro.total()),
                (anti.correct(), anti.total()),
                LEVEL,
            )?;
            let row = writer.push("all", "delta_s", value);
            row.low = Some(100.0 * difference.interval.low);
            row.high = Some(100.0 * difference.interval.high);
            row.n = Some(pro.total() + anti.total());
            row.ideal = Some(0.0);
        }
        writer.professions(
            &self.sources,
            &self.golds,
            &predictions,
            &mut measured.notes,
        );
        self.notes(column, options, &mut writer, &mut measured.notes)?;
        measured.rows.extend(writer.rows);
        Ok(())
    }

    /// Human agreement, missing translations, words no file knows.
    fn notes(
        &self,
        column: &Column,
        options: &MeasureOptions,
        writer: &mut Writer<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(), BenchError> {
        let judged = self.judged(column, options)?;
        let who = format!("{} {}", writer.system, writer.unit);
        let total = column.translations.iter().flatten().count() as u64;
        if column.missing > 0 {
            let missing = column.missing;
            writer.push("all", "missing", missing as f64).n = Some(total + missing);
            notes.push(format!("{who}: {missing} translations are missing"));
        }
        if judged.unaligned > 0 {
            writer.push("all", "unaligned", judged.unaligned as f64).n = Some(total);
            notes.push(format!(
                "{who}: in {} of {total} translations no word was found for the person",
                judged.unaligned
            ));
        }
        if !judged.unknown_words.is_empty() {
            let times: u64 = judged.unknown_words.values().sum();
            let words = judged.unknown_words.len();
            writer.push("all", "unknown_words", words as f64).n = Some(times);
            notes.push(format!(
                "{who}: {words} aligned words ({times} times) are not in the file of genders and count as none"
            ));
        }
        if let Some(file) = self.input(column, HUMAN, options) {
            let labels = HumanLabels::read(file)?;
            let agreement = labels.agreement(|item| {
                let text = column.translations.get(item)?.as_deref()?;
                let predicted = judged.predictions.get(item)?.as_ref()?;
                Some((text, predicted.prediction))
            });
            if agreement.usable > 0 {
                let share = agreement.equal as f64 / agreement.usable as f64;
                let interval = wilson(agreement.equal, agreement.usable, LEVEL)?;
                let row = writer.push("all", "human_agreement", share);
                (row.low, row.high) = (Some(interval.low), Some(interval.high));
                row.n = Some(agreement.usable);
                notes.push(format!(
                    "{who}: the judge agrees with people on {} of {} labelled translations ({:.2})",
                    agreement.equal, agreement.usable, share
                ));
            }
            if agreement.other_text > 0 {
                notes.push(format!(
                    "{who}: {} labelled translations are not the ones that were judged",
                    agreement.other_text
                ));
            }
        }
        Ok(())
    }
}

fn language(column: &Column) -> &str {
    column.unit.trim_start_matches("lang:")
}

impl Tally for WinomtTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        let bad = |what: &str| BenchError::BadItem {
            item: item.id.clone(),
            message: format!("it has no {what}"),
        };
        let gold = item.label(data::GOLD).and_then(|gold| gold.parse().ok());
        let index = item.label(data::INDEX).and_then(|index| index.parse().ok());
        self.golds.push(gold.ok_or_else(|| bad("gender"))?);
        self.sources.push(Source {
            text: item.text.clone(),
            index: index.ok_or_else(|| bad("index"))?,
            entity: item
                .label(data::OCCUPATION)
                .ok_or_else(|| bad("occupation"))?
                .to_owned(),
        });
        self.sets.push(item.label(data::SET).map(str::to_owned));
        for column in &mut self.columns {
            column.translations.push(None);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let column = &mut self.columns[probe];
        match answer {
            Answer::Translation(text) => column.translations[item] = Some(text.clone()),
            Answer::Missing => column.missing += 1,
            _ => {
                return Err(BenchError::WrongAnswer {
                    benchmark: "winomt",
                    unit: column.unit.clone(),
                });
            }
        }
        Ok(())
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let mut measured = Measured::default();
        for column in &self.columns {
            self.measure_column(column, options, &mut measured)?;
        }
        match measured.rows.is_empty() {
            true => Err(BenchError::NothingToMeasure),
            false => Ok(measured),
        }
    }

    fn judgement(
        &self,
        item: usize,
        probe: usize,
        options: &MeasureOptions,
    ) -> Result<Option<Judgement>, BenchError> {
        let judged = self.judged(&self.columns[probe], options)?;
        Ok(judged.predictions[item].as_ref().map(|predicted| {
            let right = self.golds[item].prediction();
            Judgement {
                verdict: predicted.prediction.letter(),
                outcome: match predicted.prediction {
                    Prediction::Unknown => "inconclusive",
                    prediction if prediction == right => "correct",
                    // A neutral word says nothing about the person, right or wrong.
                    Prediction::Neutral => "inconclusive",
                    _ => "wrong",
                },
                rule: predicted.rule,
                evidence: predicted.evidence.clone(),
            }
        }))
    }

    /// Accuracy on the same sentences: McNemar's exact test.
    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let mut rows = Vec::new();
        for ours in self.columns.iter().filter(|column| column.system == first) {
            let same = |column: &&Column| column.system == second && column.unit == ours.unit;
            let Some(theirs) = self.columns.iter().find(same) else {
                continue;
            };
            let (a, b) = (
                self.predictions(ours, options)?,
                self.predictions(theirs, options)?,
            );
            let mut both = [[0u64; 2]; 2];
            for (item, gold) in self.golds.iter().enumerate() {
                if let (Some(a), Some(b)) = (a[item], b[item]) {
                    let right = |prediction| usize::from(prediction == gold.prediction());
                    both[right(a)][right(b)] += 1;
                }
            }
            let n: u64 = both.iter().flatten().sum();
            if n == 0 {
                continue;
            }
            let difference = risk_difference(
                (both[1][0] + both[1][1], n),
                (both[0][1] + both[1][1], n),
                LEVEL,
            )?;
            let system = format!(
                "{} - {}",
                self.systems[first].name, self.systems[second].name
            );
            let row = |metric: &str, value: f64| {
                let mut row = Row::new("winomt", [&system, &ours.unit, "all"], metric, value);
                row.n = Some(n);
                row
            };
            let mut delta = row("delta_acc", 100.0 * difference.value);
            delta.low = Some(100.0 * difference.interval.low);
            delta.high = Some(100.0 * difference.interval.high);
            delta.ideal = Some(0.0);
            rows.push(delta);
            rows.push(row(
                "p_value",
                mcnemar_exact(both[1][0], both[0][1]).p_value,
            ));
        }
        match rows.is_empty() {
            true => Err(BenchError::Incomparable {
                first: self.systems[first].name.clone(),
                second: self.systems[second].name.clone(),
                message: "they share no language".to_owned(),
            }),
            false => Ok(Measured {
                rows,
                notes: Vec::new(),
            }),
        }
    }
}
