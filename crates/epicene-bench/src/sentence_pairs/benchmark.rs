//! CrowS-Pairs and StereoSet as benchmarks: items, questions, answers from files.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, LikelihoodMethod, ModelKind, Question, Row,
    SystemCard, TextFile, View,
};

use super::likelihood_table::{FILLED_BLANK, SheetLayout, sheets};
use super::{crows_pairs, stereoset, tally::PairTally};
use crate::{AnswerSheet, Benchmark, Judgement, MeasureOptions, Tally, Unit};

pub const BIAS_TYPE: &str = "bias_type";
pub(super) const DIRECTION: &str = "direction";
const GENDER: &str = "gender";
const METHODS: [&str; 5] = ["aula", "aul", "cps", "sss", "sss-released"];
const STEREOSET_METHODS: [&str; 6] = ["aula", "aul", "cps", "sss", "sss-released", FILLED_BLANK];

/// `method:aula`
pub fn unit_name(method: &str) -> String {
    format!("method:{method}")
}

pub(super) fn method_of(unit: &str) -> &str {
    unit.strip_prefix("method:").unwrap_or(unit)
}

fn units(methods: &[&'static str], kind: ModelKind) -> Vec<Unit> {
    let unit = |method: &&'static str| Unit {
        name: unit_name(method),
        scorer: method,
    };
    match kind {
        ModelKind::Masked => methods.iter().map(unit).collect(),
        ModelKind::Causal | ModelKind::Translator => Vec::new(),
    }
}

/// The items of the wanted bias types; gender where nothing is said, everything where the file has no
/// types or `all` is said.
fn of_types(
    items: Vec<Item>,
    wanted: Option<&[String]>,
    name: &str,
) -> Result<Vec<Item>, InputError> {
    let gender = [GENDER.to_owned()];
    let wanted = wanted.unwrap_or(&gender);
    let untyped = items
        .iter()
        .all(|item| item.label(BIAS_TYPE).unwrap_or("").is_empty());
    if untyped || wanted.iter().any(|wanted| wanted == "all") {
        return Ok(items);
    }
    let mut known: Vec<&str> = items
        .iter()
        .filter_map(|item| item.label(BIAS_TYPE))
        .collect();
    known.sort_unstable();
    known.dedup();
    if let Some(unknown) = wanted
        .iter()
        .find(|wanted| !known.contains(&wanted.as_str()))
    {
        let message = format!("the data has no bias type `{unknown}`");
        return Err(InputError::new(name, message)
            .with_hint(format!("--bias-type takes {} or all", known.join(", "))));
    }
    let ours = |item: &Item| {
        wanted
            .iter()
            .any(|wanted| item.label(BIAS_TYPE) == Some(wanted))
    };
    Ok(items.into_iter().filter(ours).collect())
}

fn judgement(answer: &Answer) -> Judgement {
    let rule = match answer.plain().0 {
        Answer::Likelihoods(values) => match &values[..] {
            [Some(first), Some(second), ..] if first > second => "stereotypical",
            [Some(first), Some(second), ..] if first < second => "anti-stereotypical",
            [Some(_), Some(_), ..] => "tie",
            _ => "no-likelihood",
        },
        _ => "no-likelihood",
    };
    Judgement {
        outcome: "",
        verdict: 'u',
        rule,
        evidence: Vec::new(),
    }
}

fn choices(options: &MeasureOptions) -> Vec<(&'static str, String)> {
    let round = match options.sentences.rounding {
        Some(decimals) => decimals.to_string(),
        None => "cps-3".to_owned(),
    };
    vec![("round", round), ("interval", "wilson".to_owned())]
}

fn views(title: &str, metrics: &[&str], rows: &[Row]) -> Vec<View> {
    let compared = rows.iter().any(|row| row.metric == "delta_pair_score");
    let metrics = match compared {
        true => &["delta_pair_score", "p_value"],
        false => metrics,
    };
    let mut views = vec![View {
        title: title.to_owned(),
        filters: vec![
            Filter::new(Field::Metric, metrics.iter().copied()),
            Filter::new(Field::Group, ["all"]),
        ],
        lines: vec![Field::System, Field::Unit],
        columns: Field::Metric,
        style: CellStyle::ValueInterval,
        decimals: 2,
        labels: BTreeMap::new(),
    }];
    let mut groups: Vec<&str> = rows
        .iter()
        .filter(|row| row.metric == "pair_score" && row.group != "all")
        .map(|row| row.group.as_str())
        .collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.len() > 1 {
        views.push(View {
            title: "pair_score by direction and bias type".to_owned(),
            filters: vec![
                Filter::new(Field::Metric, ["pair_score"]),
                Filter::new(Field::Group, groups),
            ],
            lines: vec![Field::System, Field::Unit],
            columns: Field::Group,
            style: CellStyle::Value,
            decimals: 2,
            labels: BTreeMap::new(),
        });
    }
    views
}

#[doc = include_str!("../../data/cards/crows-pairs.md")]
pub struct CrowsPairs;

impl Benchmark for CrowsPairs {
    fn name(&self) -> &'static str {
        "crows-pairs"
    }

    fn summary(&self) -> &'static str {
        "masked models: stereotypical against anti-stereotypical sentences (CrowS-Pairs, or any pair file)"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/crows-pairs.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("crows-pairs")
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        let data = &data[0];
        let pairs = crows_pairs::read_pairs(data)?;
        let item = |pair: super::SentencePair| {
            let mut item = Item::new(format!("crows-pairs:{}", pair.id), pair.stereotypical)
                .with_label(stereoset::ANTI, pair.anti_stereotypical);
            for (name, value) in [(DIRECTION, pair.direction), (BIAS_TYPE, pair.bias_type)] {
                if !value.is_empty() {
                    item = item.with_label(name, value);
                }
            }
            item
        };
        Ok(pairs.into_iter().map(item).collect())
    }

    fn select(
        &self,
        items: Vec<Item>,
        bias_types: Option<&[String]>,
    ) -> Result<Vec<Item>, InputError> {
        of_types(items, bias_types, self.name())
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        units(&METHODS, kind)
    }

    fn question(&self, item: &Item, unit: &Unit, _kind: ModelKind) -> Question {
        pair_question(item, unit)
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        let ids = |item: &Item| {
            let id = item.id.strip_prefix("crows-pairs:").unwrap_or(&item.id);
            vec![format!("{id}-more"), format!("{id}-less")]
        };
        let sentences: Vec<Vec<String>> = items.iter().map(ids).collect();
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
        answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        judgement(answer)
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(PairTally::new("crows-pairs", systems, probes))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let title = "Pair score (50 = none; above 50: stereotypical sentences preferred)";
        views(title, &["pair_score", "p_value", "mcnemar_p", "ties"], rows)
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        Some(choices(options))
    }
}

fn pair_question(item: &Item, unit: &Unit) -> Question {
    let anti = item.label(stereoset::ANTI).unwrap_or("").to_owned();
    Question::Likelihood {
        texts: vec![item.text.clone(), anti],
        method: LikelihoodMethod::from_name(unit.scorer).unwrap_or(LikelihoodMethod::Aula),
    }
}

#[doc = include_str!("../../data/cards/stereoset.md")]
pub struct StereoSet;

impl Benchmark for StereoSet {
    fn name(&self) -> &'static str {
        "stereoset"
    }

    fn summary(&self) -> &'static str {
        "masked models: StereoSet's intrasentence items, pair scores and LM, SS, ICAT"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/stereoset.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("stereoset")
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        let data = &data[0];
        stereoset::read_stereoset(data)
    }

    fn select(
        &self,
        items: Vec<Item>,
        bias_types: Option<&[String]>,
    ) -> Result<Vec<Item>, InputError> {
        of_types(items, bias_types, self.name())
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        units(&STEREOSET_METHODS, kind)
    }

    fn question(&self, item: &Item, unit: &Unit, _kind: ModelKind) -> Question {
        let label = |name: &str| item.label(name).unwrap_or("").to_owned();
        if unit.scorer == FILLED_BLANK {
            let context = label(stereoset::CONTEXT);
            let sentences = [
                item.text.clone(),
                label(stereoset::ANTI),
                label(stereoset::UNRELATED),
            ];
            // A sentence without a word in BLANK's place has no likelihood.
            let word =
                |sentence: &String| stereoset::filler(&context, sentence).unwrap_or_default();
            return Question::FilledBlank {
                words: sentences.iter().map(word).collect(),
                context,
            };
        }
        let mut question = pair_question(item, unit);
        if let Question::Likelihood { texts, method } = &mut question
            && !method.needs_pair()
        {
            texts.push(label(stereoset::UNRELATED));
        }
        question
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        let ids = |item: &Item| {
            let id = |name: &&str| match item.label(name) {
                Some(id) if !id.is_empty() => id.to_owned(),
                _ => format!("{}-{}", item.id, name.trim_end_matches("_id")),
            };
            stereoset::IDS.iter().map(id).collect()
        };
        let sentences: Vec<Vec<String>> = items.iter().map(ids).collect();
        let layout = SheetLayout {
            sentences: &sentences,
            methods: &STEREOSET_METHODS,
            default_method: FILLED_BLANK,
        };
        sheets(files, &layout)
    }

    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        judgement(answer)
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(PairTally::new("stereoset", systems, probes))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let title = "StereoSet (pair_score and ss: 50 = none; above 50: stereotypical preferred)";
        views(title, &["pair_score", "lms", "ss", "icat", "p_value"], rows)
    }

    fn choices(&self, options: &MeasureOptions) -> Option<Vec<(&'static str, String)>> {
        Some(choices(options))
    }
}
