//! GEST: sixteen gender stereotypes, measured by who a model thinks is speaking.
//!
//! Pikuliak, Hrckova, Oresko, Simko: "Women Are Beautiful, Men Are Leaders: Gender Stereotypes in
//! Machine Translation and Language Modeling", arXiv 2311.18711. This folder holds the English
//! language-model part: sections 5.2 and 5.3, Tables 3, 5, 9 and 10, Figures 3 and 4.

mod agreement;
mod columns;
mod compare;
mod data;
pub mod first_letter;
mod measures;
pub mod published;
mod score_file;
mod scores;
pub mod stereotypes;
mod templates;
mod validity;
mod views;

use epicene_core::{
    Answer, InputError, Item, Measured, ModelKind, Question, Row, SystemCard, TextFile, View,
};
use rayon::prelude::*;

use self::agreement::Together;
use self::measures::{ResamplePool, RowWriter, UnitMeasure};
use self::scores::{Samples, UnitScores};
use self::templates::Template;
use crate::{AnswerSheet, BenchError, Benchmark, Convention, MeasureOptions, Tally, Unit};

/// Role of the file of WinoBias means (predictive validity).
pub const WINOBIAS_INPUT: &str = "winobias";
/// Role of the file of annotated gender swaps (Table 5).
pub const SWAP_PAIRS_INPUT: &str = "swap-pairs";

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

    fn items(&self, data: &TextFile) -> Result<Vec<Item>, InputError> {
        data::read(data)
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        let scorer = match kind {
            ModelKind::Masked => "masked-pair",
            ModelKind::Causal => "next-word",
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
            None => Question::GroupMeans,
        }
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        kind: Option<ModelKind>,
        items: usize,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        columns::read_answers(files, kind, items)
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        let units = probes.iter().map(|(system, unit)| UnitScores {
            system: *system,
            unit: unit.clone(),
            scores: Vec::new(),
        });
        Box::new(GestTally {
            systems: systems.to_vec(),
            samples: Samples::default(),
            units: units.collect(),
        })
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

struct GestTally {
    systems: Vec<SystemCard>,
    samples: Samples,
    units: Vec<UnitScores>,
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
        for unit in &mut self.units {
            unit.scores.push(f64::NAN);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: Answer) -> Result<(), BenchError> {
        let unit = &mut self.units[probe];
        match answer {
            Answer::Log10Ratio(ratio) => {
                unit.scores[item] = ratio;
                Ok(())
            }
            Answer::GroupMeans { .. } => Err(BenchError::WrongAnswer {
                benchmark: "gest",
                unit: unit.unit.clone(),
            }),
        }
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let answered = |unit: &UnitScores| unit.scores.iter().any(|score| !score.is_nan());
        let units: Vec<UnitScores> = self.units.iter().filter(|u| answered(u)).cloned().collect();
        if units.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        let pool = ResamplePool::new(&self.samples, &units, options);
        let measures: Vec<UnitMeasure> = units
            .par_iter()
            .map(|unit| UnitMeasure::new(&self.samples, unit, &pool))
            .collect::<Result<_, _>>()?;

        let mut measured = Measured::default();
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
            rates.extend(rate.map(|rate| (self.systems[*system].name.clone(), rate)));
        }
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
        let rows = compare::rows(
            &self.systems,
            &self.samples,
            &self.units,
            (first, second),
            options,
        )?;
        Ok(Measured {
            rows,
            notes: Vec::new(),
        })
    }
}

/// Rows, a note on the published models, and the mean g_s of one system.
type SystemRows = (Vec<Row>, Option<String>, Option<f64>);

impl GestTally {
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
