//! MBE as a benchmark: which sentences to ask, in which layout people have the answers.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, LikelihoodMethod, ModelKind, Question, Row,
    SystemCard, TextFile, View,
};

use super::tally::MbeTally;
use super::{parallel, sets};
use crate::sentence_pairs::likelihood_table::{SheetLayout, sheets};
use crate::sentence_pairs::unit_name;
use crate::{AnswerSheet, Benchmark, BuiltIn, Judgement, MeasureOptions, Tally, Unit};

/// Likelihoods of sentences by themselves: the pair methods have no place here.
const METHODS: [&str; 2] = ["aula", "aul"];

#[doc = include_str!("../../data/cards/mbe.md")]
pub struct Mbe;

impl Benchmark for Mbe {
    fn name(&self) -> &'static str {
        "mbe"
    }

    fn summary(&self) -> &'static str {
        "masked models in any language with a parallel corpus: male against female sentences"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/mbe.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("mbe")
    }

    fn built_in(&self, name: &str) -> Option<Result<BuiltIn, InputError>> {
        parallel::built_in(name)
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        let data = &data[0];
        sets::read_sets(data)
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        let unit = |method: &&'static str| Unit {
            name: unit_name(method),
            scorer: method,
        };
        match kind {
            ModelKind::Masked => METHODS.iter().map(unit).collect(),
            ModelKind::Causal | ModelKind::Translator => Vec::new(),
        }
    }

    /// AUL on request only: every unit is another pass over the sentences.
    fn asks_by_default(&self, unit: &Unit) -> bool {
        unit.scorer == METHODS[0]
    }

    fn question(&self, item: &Item, unit: &Unit, _kind: ModelKind) -> Question {
        Question::Embedded {
            text: item.text.clone(),
            method: LikelihoodMethod::from_name(unit.scorer).unwrap_or(LikelihoodMethod::Aula),
        }
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        let id = |item: &Item| vec![item.id.trim_start_matches("mbe:").to_owned()];
        let sentences: Vec<Vec<String>> = items.iter().map(id).collect();
        let layout = SheetLayout {
            sentences: &sentences,
            methods: &METHODS,
            default_method: "aula",
        };
        sheets(files, &layout)
    }

    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        _answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        // A likelihood by itself prefers nothing; only pairs do.
        Judgement::of_preference(0.0)
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(MbeTally::new(systems, probes))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let metrics: &[&str] = match rows.iter().any(|row| row.metric == "delta_mbe") {
            true => &["delta_mbe"],
            false => &["mbe", "p_value", "mcnemar_p", "shf"],
        };
        vec![View {
            title: "MBE (50 = none; above 50: male sentences preferred)".to_owned(),
            filters: vec![Filter::new(Field::Metric, metrics.iter().copied())],
            lines: vec![Field::System, Field::Unit],
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 2,
            labels: BTreeMap::new(),
        }]
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        let weighting = &options.sentences.weighting;
        let mut weight = weighting.weight.to_string();
        if let Some(least) = weighting.min_similarity {
            weight += &format!(",min-{least}");
        }
        if weighting.clip_negative {
            weight += ",clipped";
        }
        let interval = match super::tally::needs_every_pair(weighting) {
            true => "linearised-normal".to_owned(),
            false => format!("bootstrap-percentile-{}", options.replicates),
        };
        Some(vec![("weight", weight), ("interval", interval)])
    }
}
