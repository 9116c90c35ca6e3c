//! Collects sentences and translations, tags them, measures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use epicene_core::{Answer, Item, Measured, SystemCard};
use epicene_stats::{mcnemar_exact, normal_quantile};
use rayon::prelude::*;

use super::author_files;
use super::cells::Cells;
use super::counts::{Outcome, Tag};
use super::figures;
use super::items::Items;
use super::labels::Grouping;
use super::measures::{self, LEVEL, NAME, Writer};
use super::published;
use super::tagging::{self, Column, Source, Tagged, Translation};
use crate::{BenchError, Judgement, MeasureOptions, Tally};

/// Below this share of masculine and feminine tags a language says nothing (specification, 8).
const EVALUABLE: f64 = 0.2;

pub struct UnambiguousTally {
    systems: Vec<SystemCard>,
    items: Items,
    columns: Vec<Column>,
    /// Tags are made once for each column and way of judging.
    tagged: Mutex<BTreeMap<(usize, String), Arc<Tagged>>>,
}

impl UnambiguousTally {
    pub fn new(systems: &[SystemCard], probes: &[(usize, String)]) -> UnambiguousTally {
        let column = |(system, unit): &(usize, String)| Column {
            system: *system,
            unit: unit.clone(),
            language: unit.trim_start_matches("lang:").to_owned(),
            answers: Vec::new(),
        };
        UnambiguousTally {
            systems: systems.to_vec(),
            items: Items::default(),
            columns: probes.iter().map(column).collect(),
            tagged: Mutex::new(BTreeMap::new()),
        }
    }

    fn tagged(&self, column: usize, options: &MeasureOptions) -> Result<Arc<Tagged>, BenchError> {
        let choices = options.unambiguous;
        let way = format!(
            "{} {} {}",
            options.judge, choices.pick, choices.labelled_only
        );
        let lock = || self.tagged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tagged) = lock().get(&(column, way.clone())) {
            return Ok(Arc::clone(tagged));
        }
        let tagged = Arc::new(tagging::tag(&self.items, &self.columns[column], options)?);
        lock().insert((column, way), Arc::clone(&tagged));
        Ok(tagged)
    }

    /// Columns that have an answer.
    fn answered(&self) -> Vec<usize> {
        let some = |column: &Column| {
            let mut answers = column.answers.iter();
            answers.any(|answer| *answer != Translation::Unanswered)
        };
        (0..self.columns.len())
            .filter(|column| some(&self.columns[*column]))
            .collect()
    }

    /// Files of a language belong to one system's translations.
    fn refuse_shared_inputs(&self, options: &MeasureOptions) -> Result<(), BenchError> {
        for (place, column) in self.columns.iter().enumerate() {
            let twin = |other: &Column| other.language == column.language;
            let given = |role: &str| {
                options
                    .inputs
                    .contains_key(&format!("{role}:{}", column.language))
            };
            if self.columns[..place].iter().any(twin)
                && super::precomputed::ROLES.iter().any(|role| given(role))
            {
                let language = &column.language;
                return Err(BenchError::NotMeasurable(format!(
                    "two systems translate into {language}, and the files given for {language} are of one of them; measure them one by one"
                )));
            }
        }
        Ok(())
    }

    fn unit_rows(
        &self,
        column: &Column,
        tagged: &Tagged,
        cells: &Cells,
        options: &MeasureOptions,
        measured: &mut Measured,
    ) -> Result<(), BenchError> {
        let system = &self.systems[column.system].name;
        let mut writer = Writer {
            system,
            unit: &column.unit,
            rows: Vec::new(),
        };
        measures::rows(&mut writer, &self.items, cells, options)?;
        let answered = tagged.tags.iter().flatten().count() as u64;
        let gendered = tagged
            .tags
            .iter()
            .flatten()
            .filter(|tag| tag.gender().is_some())
            .count();
        let share = gendered as f64 / answered.max(1) as f64;
        writer.push("all", "gendered", share).n = Some(answered);
        let mut note = |text: String| {
            measured
                .notes
                .push(format!("{system} {}: {text}", column.unit))
        };
        if share < EVALUABLE {
            note(format!(
                "not evaluable: only {:.0} % of the occupations are masculine or feminine",
                100.0 * share
            ));
        }
        if tagged.source == Source::Aligner {
            writer
                .push("all", "found_by_lexicon", tagged.by_lexicon as f64)
                .n = Some(answered);
        }
        let missing = column
            .answers
            .iter()
            .filter(|a| **a == Translation::Missing)
            .count();
        let empty = column
            .answers
            .iter()
            .filter(|a| matches!(a, Translation::Text(text) if text.trim().is_empty()))
            .count();
        for (metric, count) in [("missing", missing), ("empty", empty)] {
            if count > 0 {
                writer.push("all", metric, count as f64).n = Some(answered);
                note(format!("{count} of {answered} translations are {metric}"));
            }
        }
        measured.rows.extend(writer.rows);
        Ok(())
    }

    fn is_evaluable(tagged: &Tagged) -> bool {
        let answered = tagged.tags.iter().flatten().count();
        let gendered = tagged
            .tags
            .iter()
            .flatten()
            .filter(|tag| tag.gender().is_some())
            .count();
        answered > 0 && gendered as f64 >= EVALUABLE * answered as f64
    }

    fn all_tagged(
        &self,
        options: &MeasureOptions,
    ) -> Result<Vec<(usize, Arc<Tagged>, Cells)>, BenchError> {
        self.refuse_shared_inputs(options)?;
        let mut all = Vec::new();
        for column in self.answered() {
            let tagged = self.tagged(column, options)?;
            let cells = Cells::count(&self.items, &tagged.tags);
            all.push((column, tagged, cells));
        }
        Ok(all)
    }
}

impl Tally for UnambiguousTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        self.items.push(item)?;
        for column in &mut self.columns {
            column.answers.push(Translation::Unanswered);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let column = &mut self.columns[probe];
        column.answers[item] = match answer {
            Answer::Translation(text) => Translation::Text(text.as_str().into()),
            Answer::Missing => Translation::Missing,
            _ => {
                return Err(BenchError::WrongAnswer {
                    benchmark: NAME,
                    unit: column.unit.clone(),
                });
            }
        };
        Ok(())
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let all = self.all_tagged(options)?;
        if all.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        let mut measured = Measured::default();
        for (column, tagged, cells) in &all {
            let column = &self.columns[*column];
            self.unit_rows(column, tagged, cells, options, &mut measured)?;
        }
        for (number, system) in self.systems.iter().enumerate() {
            let languages: Vec<&Cells> = all
                .iter()
                .filter(|(column, tagged, _)| {
                    self.columns[*column].system == number && Self::is_evaluable(tagged)
                })
                .map(|(_, _, cells)| cells)
                .collect();
            if !languages.is_empty() {
                let rows = figures::rows(&system.name, &self.items, &languages, options)?;
                measured.rows.extend(rows);
            }
        }
        let mut languages: Vec<&str> = Vec::new();
        for (column, ..) in &all {
            let language = self.columns[*column].language.as_str();
            if !languages.contains(&language) {
                languages.push(language);
                measured.notes.extend(published::note(language));
            }
        }
        Ok(measured)
    }

    fn judgement(
        &self,
        item: usize,
        probe: usize,
        options: &MeasureOptions,
    ) -> Result<Option<Judgement>, BenchError> {
        let tagged = self.tagged(probe, options)?;
        let Some(tag) = tagged.tags[item] else {
            return Ok(None);
        };
        let column = &self.columns[probe];
        let verdict = tagged.explain(&self.items, column, item, options);
        let expected = self.items.get(item).expected;
        Ok(Some(Judgement {
            verdict: tag.letter(),
            outcome: Outcome::of(expected, tag).name(),
            rule: match (&verdict, tag) {
                (Some(verdict), _) => verdict.rule,
                (None, Tag::Unaligned) => "not aligned",
                (None, _) => "tag",
            },
            evidence: verdict
                .map(|verdict| verdict.evidence.into_iter().map(|word| word.text).collect())
                .unwrap_or_default(),
        }))
    }

    /// Differences in accuracy on the same sentences, with McNemar's test.
    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let all = self.all_tagged(options)?;
        let of = |system: usize| {
            all.iter()
                .filter(move |(column, ..)| self.columns[*column].system == system)
        };
        let mut measured = Measured::default();
        for (one, tags, _) in of(first) {
            let unit = &self.columns[*one].unit;
            let Some((_, others, _)) =
                of(second).find(|(other, ..)| self.columns[*other].unit == *unit)
            else {
                continue;
            };
            let right = |index: usize, tag: Tag| {
                Outcome::of(self.items.get(index).expected, tag) == Outcome::Correct
            };
            let (mut only_first, mut only_second, mut n) = (0, 0, 0u64);
            for (index, pair) in tags.tags.iter().zip(&others.tags).enumerate() {
                let (Some(a), Some(b)) = pair else { continue };
                n += 1;
                match (right(index, *a), right(index, *b)) {
                    (true, false) => only_first += 1,
                    (false, true) => only_second += 1,
                    _ => {}
                }
            }
            if n == 0 {
                continue;
            }
            let name = format!(
                "{} - {}",
                self.systems[second].name, self.systems[first].name
            );
            let mut writer = Writer {
                system: &name,
                unit,
                rows: Vec::new(),
            };
            let (b, c, total) = (only_first as f64, only_second as f64, n as f64);
            let difference = (c - b) / total;
            let spread = ((b + c) / total - difference * difference).max(0.0) / total;
            let half = normal_quantile(LEVEL)? * spread.sqrt();
            let row = writer.push("all", "delta_correct", difference);
            (row.low, row.high) = (Some(difference - half), Some(difference + half));
            (row.n, row.ideal) = (Some(n), Some(0.0));
            let test = mcnemar_exact(only_first, only_second);
            writer.push("all", "p_value", test.p_value).n = Some(only_first + only_second);
            measured.rows.extend(writer.rows);
        }
        match measured.rows.is_empty() {
            false => Ok(measured),
            true => Err(BenchError::Incomparable {
                first: self.systems[first].name.clone(),
                second: self.systems[second].name.clone(),
                message: "they share no language".to_owned(),
            }),
        }
    }

    fn author_files(&self, options: &MeasureOptions) -> Result<Vec<(String, String)>, BenchError> {
        let all = self.all_tagged(options)?;
        let mut tables: BTreeMap<String, String> = BTreeMap::new();
        let mut files: Vec<(String, String)> = Vec::new();
        for (column, _, cells) in &all {
            let column = &self.columns[*column];
            let system = &self.systems[column.system].name;
            let language = &column.language;
            let mut texts: Vec<(String, String)> = Grouping::ALL
                .par_iter()
                .map(|grouping| {
                    let name = format!("{system}.{language}.{}.txt", grouping.name());
                    (name, author_files::text(&self.items, cells, *grouping))
                })
                .collect();
            files.append(&mut texts);
            let name = format!("{system}.{language}.scores");
            files.push((name, author_files::scores(&self.items, cells)));
            let table = tables
                .entry(format!("{system}.analysis.tsv"))
                .or_insert_with(|| author_files::TABLE_HEADER.to_owned());
            table.push_str(&author_files::table_lines(&self.items, cells, language));
        }
        files.extend(tables);
        Ok(files)
    }
}
