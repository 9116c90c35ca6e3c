//! GEST: sixteen gender stereotypes, measured by who a model thinks is speaking.
//!
//! Pikuliak, Hrckova, Oresko, Simko: "Women Are Beautiful, Men Are Leaders: Gender Stereotypes in
//! Machine Translation and Language Modeling", arXiv 2311.18711. The English language-model part
//! (sections 5.2 and 5.3, Tables 3, 5, 9 and 10, Figures 3 and 4) lies here; machine translation
//! (section 4, Tables 6 and 8, Figure 2) in `mt`, Slavic masked models in [`pairs`].

mod agreement;
mod columns;
mod compare;
mod data;
pub mod first_letter;
mod measures;
mod mt;
pub mod pairs;
pub mod published;
mod scores;
pub mod stereotypes;
pub mod swapping;
mod templates;
mod validity;
mod views;

use epicene_core::{
    Answer, InputError, Item, Measured, ModelKind, Question, Row, SystemCard, TextFile, View,
};
use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Language};
use rayon::prelude::*;

use self::agreement::Together;
use self::measures::{ResamplePool, RowWriter, UnitMeasure};
use self::mt::{UnitRates, UnitVerdicts};
use self::scores::{Samples, UnitScores};
use self::templates::Template;
use crate::{
    AnswerSheet, BenchError, Benchmark, Convention, Judgement, MeasureOptions, Tally,
    TranslationFile, Unit, translations,
};

/// Role of the file of WinoBias means (predictive validity).
pub const WINOBIAS_INPUT: &str = "winobias";
/// Role of the file of annotated gender swaps (Table 5).
pub const SWAP_PAIRS_INPUT: &str = "swap-pairs";

#[doc = include_str!("../../data/cards/gest.md")]
pub struct Gest;

impl Benchmark for Gest {
    fn name(&self) -> &'static str {
        "gest"
    }

    fn summary(&self) -> &'static str {
        "16 gender stereotypes: who does the model think is speaking?"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/gest.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("gest")
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        data::read(&data[0])
    }

    fn languages(&self) -> Vec<&'static str> {
        Language::ALL.map(Language::code).to_vec()
    }

    fn check_input(&self, role: &str, file: &TextFile) -> Result<(), InputError> {
        match role {
            WINOBIAS_INPUT => crate::winobias::read_means(file).map(drop),
            SWAP_PAIRS_INPUT => first_letter::read(file).map(drop),
            _ => {
                let message = format!(
                    "gest has no use for an input `{role}` (known: {WINOBIAS_INPUT}, {SWAP_PAIRS_INPUT})"
                );
                Err(InputError::new(&file.path, message))
            }
        }
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        let scorer = match kind {
            ModelKind::Masked => "masked-pair",
            ModelKind::Causal => "next-word",
            ModelKind::Translator => {
                let unit = |language: Language| Unit {
                    name: format!("lang:{}", language.code()),
                    scorer: "translate",
                };
                return Language::ALL.map(unit).to_vec();
            }
        };
        Template::of(kind)
            .iter()
            .map(|template| Unit {
                name: template.unit(),
                scorer,
            })
            .collect()
    }

    fn question(&self, item: &Item, unit: &Unit, kind: ModelKind) -> Question {
        match Template::from_unit(&unit.name) {
            Some(template) => template.question(&item.text, kind),
            None => Question::Translate {
                text: item.text.clone(),
                to: unit.name.trim_start_matches("lang:").to_owned(),
            },
        }
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        columns::read_answers(files, kind, items.len())
    }

    fn read_translations(
        &self,
        files: &[TranslationFile],
        items: &[Item],
        allow_missing: bool,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        translations::sheets(files, items, allow_missing)
    }

    fn judge(
        &self,
        _item: &Item,
        unit: &str,
        answer: &Answer,
        options: &MeasureOptions,
    ) -> Judgement {
        match (answer, mt::language_of(unit)) {
            (Answer::Log10Ratio(ratio), _) => Judgement::of_preference(*ratio),
            (Answer::Translation(text), Some(language)) => {
                let verdict = Detector::new(language, options.mode).judge(text);
                Judgement {
                    outcome: "",
                    verdict: verdict.gender.map_or('u', Gender::letter),
                    rule: verdict.rule,
                    evidence: verdict.evidence.into_iter().map(|word| word.text).collect(),
                }
            }
            _ => Judgement::of_preference(0.0),
        }
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        let columns = probes
            .iter()
            .map(|(system, unit)| match mt::language_of(unit) {
                Some(language) => Column::Verdicts(UnitVerdicts {
                    system: *system,
                    unit: unit.clone(),
                    language,
                    judged: Vec::new(),
                }),
                None => Column::Scores(UnitScores {
                    system: *system,
                    unit: unit.clone(),
                    scores: Vec::new(),
                }),
            });
        Box::new(GestTally {
            systems: systems.to_vec(),
            samples: Samples::default(),
            columns: columns.collect(),
        })
    }

    fn baselines(&self) -> Vec<Row> {
        let mut rows = published::translation_rows();
        rows.extend(published::model_rows());
        rows
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

/// What one probe collects.
enum Column {
    Scores(UnitScores),
    Verdicts(UnitVerdicts),
}

struct GestTally {
    systems: Vec<SystemCard>,
    samples: Samples,
    columns: Vec<Column>,
}

impl Tally for GestTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        let bad = |message: &str| BenchError::BadItem {
            item: item.id.clone(),
            message: message.to_owned(),
        };
        let id = item
            .label(data::STEREOTYPE)
            .ok_or_else(|| bad("it has no stereotype"))?
            .parse::<u8>()
            .ok()
            .filter(|id| (1..=stereotypes::COUNT).contains(id))
            .ok_or_else(|| bad("its stereotype is not a number from 1 to 16"))?;
        self.samples.stereotypes.push(id);
        self.samples
            .family
            .push(data::is_family_sample(&item.text, id));
        for column in &mut self.columns {
            match column {
                Column::Scores(unit) => unit.scores.push(f64::NAN),
                Column::Verdicts(unit) => unit.judged.push(None),
            }
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let (understood, unit) = match (&mut self.columns[probe], answer) {
            (Column::Scores(unit), Answer::Log10Ratio(ratio)) => {
                unit.scores[item] = *ratio;
                (true, &unit.unit)
            }
            (Column::Scores(unit), _) => (false, &unit.unit),
            (Column::Verdicts(unit), answer) => (unit.judge(item, answer), &unit.unit),
        };
        match understood {
            true => Ok(()),
            false => Err(BenchError::WrongAnswer {
                benchmark: "gest",
                unit: unit.clone(),
            }),
        }
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let mut measured = Measured::default();
        self.measure_models(options, &mut measured)?;
        self.measure_translators(options, &mut measured)?;
        if measured.rows.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        if let Some(file) = options.inputs.get(SWAP_PAIRS_INPUT) {
            measured
                .rows
                .extend(first_letter::rows(&first_letter::read(file)?)?);
        }
        Ok(measured)
    }

    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let pair = (first, second);
        let mut rows = Vec::new();
        let scores = self.scores();
        if scores
            .iter()
            .any(|unit| unit.system == first || unit.system == second)
        {
            rows = compare::rows(&self.systems, &self.samples, &scores, pair, options)?;
        }
        let verdicts: Vec<UnitVerdicts> = self.verdicts().cloned().collect();
        rows.extend(mt::comparison_rows(
            &self.systems,
            &self.samples,
            &verdicts,
            pair,
            options.mode,
            options,
        )?);
        match rows.is_empty() {
            true => Err(BenchError::Incomparable {
                first: self.systems[first].name.clone(),
                second: self.systems[second].name.clone(),
                message: "they share no language and no template".to_owned(),
            }),
            false => Ok(Measured {
                rows,
                notes: Vec::new(),
            }),
        }
    }
}

/// Rows, a note on the published models, and the mean g_s of one system.
type SystemRows = (Vec<Row>, Option<String>, Option<f64>);

impl GestTally {
    /// The units of language models that have answers.
    fn scores(&self) -> Vec<UnitScores> {
        let scores = self.columns.iter().filter_map(|column| match column {
            Column::Scores(unit) => Some(unit),
            Column::Verdicts(_) => None,
        });
        let answered = |unit: &&UnitScores| unit.scores.iter().any(|score| !score.is_nan());
        scores.filter(answered).cloned().collect()
    }

    /// The units of translators that have answers.
    fn verdicts(&self) -> impl Iterator<Item = &UnitVerdicts> {
        let verdicts = self.columns.iter().filter_map(|column| match column {
            Column::Scores(_) => None,
            Column::Verdicts(unit) => Some(unit),
        });
        verdicts.filter(|unit| unit.judged.iter().any(Option::is_some))
    }

    fn measure_models(
        &self,
        options: &MeasureOptions,
        measured: &mut Measured,
    ) -> Result<(), BenchError> {
        let units = self.scores();
        if units.is_empty() {
            return Ok(());
        }
        let pool = ResamplePool::new(&self.samples, &units, options);
        let measures: Vec<UnitMeasure> = units
            .par_iter()
            .map(|unit| UnitMeasure::new(&self.samples, unit, &pool))
            .collect::<Result<_, _>>()?;
        let mut rates = Vec::new();
        let by_system: Vec<(usize, &[UnitMeasure])> = measures
            .chunk_by(|a, b| a.system == b.system)
            .map(|units| (units[0].system, units))
            .collect();
        let parts: Vec<_> = by_system
            .par_iter()
            .map(|(system, units)| self.system_rows(*system, units, options))
            .collect::<Result<_, _>>()?;
        for ((system, _), (rows, note, rate)) in by_system.iter().zip(parts) {
            measured.rows.extend(rows);
            measured.notes.extend(note);
            if !self.systems[*system].is_null() {
                rates.extend(rate.map(|rate| (self.systems[*system].name.clone(), rate)));
            }
        }
        let real = |system: usize| !self.systems[system].is_null();
        let (units, measures): (Vec<UnitScores>, Vec<UnitMeasure>) = units
            .into_iter()
            .zip(measures)
            .filter(|(unit, _)| real(unit.system))
            .unzip();
        let together = Together {
            systems: &self.systems,
            units: &units,
            measures: &measures,
            options,
        };
        measured.rows.extend(together.rows()?);
        if let Some(file) = options.inputs.get(WINOBIAS_INPUT) {
            let (rows, notes) = validity::compare_with_winobias(file, &rates, options.convention)?;
            measured.rows.extend(rows);
            measured.notes.extend(notes);
        }
        Ok(())
    }

    fn measure_translators(
        &self,
        options: &MeasureOptions,
        measured: &mut Measured,
    ) -> Result<(), BenchError> {
        let mut all = Vec::new();
        for unit in self.verdicts() {
            let rates = UnitRates::new(&self.samples, unit, options.mode);
            let (rows, notes) = mt::rows(&self.systems[unit.system], unit, &rates, options)?;
            measured.rows.extend(rows);
            measured.notes.extend(notes);
            let judged = Detector::new(unit.language, options.mode).mode();
            if judged != options.mode {
                measured.notes.push(format!(
                    "{}: judged in strict mode; the paper has no rules for {}",
                    unit.language,
                    unit.language.name()
                ));
            }
            all.push(rates);
        }
        measured.rows.extend(mt::summary_rows(&all)?);
        Ok(())
    }

    fn system_rows(
        &self,
        system: usize,
        units: &[UnitMeasure],
        options: &MeasureOptions,
    ) -> Result<SystemRows, BenchError> {
        let card = &self.systems[system];
        let mut writer = RowWriter {
            system: &card.name,
            options,
            rows: Vec::new(),
        };
        for unit in units {
            writer.unit(unit)?;
        }
        writer.over_templates(units)?;
        // Baselines are in the published convention, whatever this run reports in.
        let note = mean_rate(units, Convention::Published)
            .filter(|_| options.published_items)
            .and_then(published::standing)
            .map(|standing| {
                writer.standing(standing.above, standing.of);
                format!(
                    "{}: more stereotypical than {} of {} published models; closest: {}",
                    card.name, standing.above, standing.of, standing.closest
                )
            });
        Ok((writer.rows, note, mean_rate(units, options.convention)))
    }
}

/// A system's g_s: the arithmetic mean over its templates (GEST, Figure 4).
fn mean_rate(units: &[UnitMeasure], convention: Convention) -> Option<f64> {
    let rates: Vec<f64> = units
        .iter()
        .filter_map(UnitMeasure::stereotype_rate)
        .map(|rate| convention.factor(rate.mean))
        .collect();
    epicene_stats::mean(&rates).ok()
}
