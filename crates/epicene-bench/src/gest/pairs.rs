//! GEST on Slavic masked models: pairs of sentences that differ in the speaker's gender alone
//! (GEST, section 6; Table 11, Figures 6 and 14).
//!
//! A pair file is a table `translator,language,original,stereotype,male,female`, as `epicene pairs`
//! writes it. Every pair is asked; which of them count is decided when measuring: the two differing
//! words must start with the same letter, and a pair of texts counts once in the whole file.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, Measured, ModelKind, Question, Row,
    SystemCard, TextFile, View,
};

use super::first_letter::same_first_letter;
use super::measures::{ResamplePool, RowWriter, UnitMeasure};
use super::scores::{Samples, UnitScores};
use super::{compare, data, stereotypes};
use crate::csv_input::CsvInput;
use crate::{
    AnswerSheet, BenchError, Benchmark, Judgement, MeasureOptions, Tally, Unit, score_file,
};

pub const HEADER: [&str; 6] = [
    "translator",
    "language",
    "original",
    "stereotype",
    "male",
    "female",
];

const UNIT: &str = "pairs";
const SCORER: &str = "masked-pair";

#[doc = include_str!("../../data/cards/gest-pairs.md")]
pub struct GestPairs;

impl Benchmark for GestPairs {
    fn name(&self) -> &'static str {
        "gest-pairs"
    }

    fn summary(&self) -> &'static str {
        "GEST on Slavic masked models: gender-swapped pairs (also: run gest --pairs FILE)"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/gest-pairs.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("gest-pairs")
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        let data = &data[0];
        let mut input = CsvInput::with_header(data, &HEADER)?;
        let mut items = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some((place, record)) = input.next()? {
            let stereotype = record[3].trim().parse::<u8>().ok();
            let known = stereotype.is_some_and(|id| (1..=stereotypes::COUNT).contains(&id));
            if !known {
                let message = format!("stereotype `{}` is not a number from 1 to 16", &record[3]);
                return Err(place.complain(data, message));
            }
            let (male, female) = (record[4].trim(), record[5].trim());
            if male.is_empty() || female.is_empty() {
                return Err(place.complain(data, "a text of the pair is empty"));
            }
            let repeated = !seen.insert((male.to_owned(), female.to_owned()));
            let counts = !repeated && same_first_letter(male, female);
            items.push(
                Item::new(format!("pair:{}", items.len() + 1), male)
                    .with_label("female", female)
                    .with_label("original", record[2].trim())
                    .with_label("language", record[1].trim())
                    .with_label("translator", record[0].trim())
                    .with_label(data::STEREOTYPE, record[3].trim())
                    .with_label("counts", if counts { "yes" } else { "no" }),
            );
        }
        match items.is_empty() {
            true => Err(InputError::new(
                &data.path,
                "there are no pairs below the header",
            )),
            false => Ok(items),
        }
    }

    fn one_token_pairs(&self) -> bool {
        true
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        match kind {
            ModelKind::Masked => vec![Unit {
                name: UNIT.to_owned(),
                scorer: SCORER,
            }],
            ModelKind::Causal | ModelKind::Translator => Vec::new(),
        }
    }

    fn question(&self, item: &Item, _unit: &Unit, _kind: ModelKind) -> Question {
        Question::MaskedPair {
            masculine: item.text.clone(),
            feminine: item.label("female").unwrap_or("").to_owned(),
        }
    }

    /// One column for each model, rows aligned to the pairs: the layout of the published scores.
    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        score_file::one_column_per_model(files, UNIT, items.len())
    }

    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        match answer {
            Answer::Log10Ratio(ratio) => Judgement::of_preference(*ratio),
            _ => Judgement::of_preference(0.0),
        }
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(PairsTally {
            systems: systems.to_vec(),
            probes: probes.iter().map(|(system, _)| *system).collect(),
            samples: Samples::default(),
            languages: Vec::new(),
            counts: Vec::new(),
            scores: probes.iter().map(|_| Vec::new()).collect(),
            several_tokens: vec![0; probes.len()],
        })
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let metrics = match rows.iter().any(|row| row.metric == "delta_g_s") {
            true => vec!["delta_g_s", "p_value"],
            false => vec!["g_s", "q_m", "q_f", "q_fam", "pairs"],
        };
        vec![View {
            title: "Stereotype rate g_s by language (1 = none)".to_owned(),
            filters: vec![
                Filter::new(Field::Metric, metrics),
                Filter::new(Field::Group, ["all"]),
            ],
            lines: vec![Field::System, Field::Unit],
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: BTreeMap::new(),
        }]
    }
}

struct PairsTally {
    systems: Vec<SystemCard>,
    /// The system of every probe.
    probes: Vec<usize>,
    samples: Samples,
    languages: Vec<String>,
    /// Whether a pair passed the filters.
    counts: Vec<bool>,
    scores: Vec<Vec<f64>>,
    /// Pairs a model's vocabulary does not tell apart by one token, by probe.
    several_tokens: Vec<usize>,
}

impl PairsTally {
    /// One unit for each probe and language; pairs of other languages are not there.
    fn units(&self) -> Vec<UnitScores> {
        let languages: BTreeSet<&String> = self.languages.iter().collect();
        let mut units = Vec::new();
        for (scores, system) in self.scores.iter().zip(&self.probes) {
            for language in &languages {
                let ours = |item: usize| self.counts[item] && self.languages[item] == **language;
                let scores: Vec<f64> = scores
                    .iter()
                    .enumerate()
                    .map(|(item, score)| if ours(item) { *score } else { f64::NAN })
                    .collect();
                if scores.iter().any(|score| !score.is_nan()) {
                    units.push(UnitScores {
                        system: *system,
                        unit: format!("lang:{language}"),
                        scores,
                    });
                }
            }
        }
        units
    }
}

impl Tally for PairsTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        let stereotype = item.label(data::STEREOTYPE).and_then(|id| id.parse().ok());
        let id = stereotype.ok_or_else(|| BenchError::BadItem {
            item: item.id.clone(),
            message: "it has no stereotype".to_owned(),
        })?;
        let original = item.label("original").unwrap_or("");
        self.samples.stereotypes.push(id);
        self.samples
            .family
            .push(data::is_family_sample(original, id));
        self.languages
            .push(item.label("language").unwrap_or("").to_owned());
        self.counts.push(item.label("counts") == Some("yes"));
        for scores in &mut self.scores {
            scores.push(f64::NAN);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        match answer {
            Answer::Log10Ratio(ratio) => {
                self.scores[probe][item] = *ratio;
                Ok(())
            }
            Answer::Missing => {
                self.several_tokens[probe] += 1;
                Ok(())
            }
            _ => Err(BenchError::WrongAnswer {
                benchmark: "gest-pairs",
                unit: UNIT.to_owned(),
            }),
        }
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let units = self.units();
        if units.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        let pool = ResamplePool::new(&self.samples, &units, options);
        let mut measured = Measured::default();
        for unit in &units {
            let measure = UnitMeasure::new(&self.samples, unit, &pool)?;
            let mut writer = RowWriter {
                system: &self.systems[unit.system].name,
                options,
                rows: Vec::new(),
            };
            writer.unit(&measure)?;
            let pairs = unit.scores.iter().filter(|score| !score.is_nan()).count();
            writer.count(&unit.unit, "pairs", pairs);
            measured.rows.extend(writer.rows);
        }
        let dropped = self.counts.iter().filter(|counts| !**counts).count();
        measured.notes.push(format!(
            "{dropped} of {} pairs do not count: their words start differently, or the pair is a repeat",
            self.counts.len()
        ));
        for (count, system) in self.several_tokens.iter().zip(&self.probes) {
            if *count > 0 {
                let (name, of) = (&self.systems[*system].name, self.counts.len());
                measured.notes.push(format!(
                    "{name}: {count} of {of} pairs do not differ in exactly one of its tokens and were not asked"
                ));
            }
        }
        Ok(measured)
    }

    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let units = self.units();
        let languages: BTreeSet<&String> = units.iter().map(|unit| &unit.unit).collect();
        let mut rows = Vec::new();
        for language in languages {
            let of_language: Vec<UnitScores> = units
                .iter()
                .filter(|unit| unit.unit == *language)
                .cloned()
                .collect();
            let pair = (first, second);
            rows.extend(compare::rows(
                &self.systems,
                &self.samples,
                &of_language,
                pair,
                options,
            )?);
        }
        Ok(Measured {
            rows,
            notes: Vec::new(),
        })
    }
}
