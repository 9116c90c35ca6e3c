//! MBE as a benchmark: which sentences to ask, in which layout people have the answers.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, AnswerTable, CellStyle, Field, Filter, Finding, InputError, Item, LikelihoodMethod,
    Metric, MetricRange, ModelKind, Question, Row, Scorer, TextFile, Verdict, View,
};

use super::options::{CLIP_NEGATIVE, MIN_SIMILARITY, WEIGHT};
use super::score::Weight;
use super::{clustered, compare, measures, parallel, sets};
use crate::mcnemar::MCNEMAR;
use crate::options::INTERVAL;
use crate::score_checks::Sentences;
use crate::sentence_pairs::likelihood_table::{SheetLayout, sheets};
use crate::sentence_pairs::{method_of, unit};
use crate::{
    AnswerFile, Ask, BenchError, Benchmark, Card, ColumnView, Compared, Judged, MadeData, Measured,
    Options, Sheets, Verdicts,
};

/// Likelihoods of sentences by themselves: the pair methods have no place here.
const METHODS: [Scorer; 2] = [
    Scorer::Likelihood(LikelihoodMethod::Aula),
    Scorer::Likelihood(LikelihoodMethod::Aul),
];

/// Sentences whose lengths and words tell their order.
const LEAST_CHECKED: usize = 80;

pub static CARD: Card = Card {
    data: Some("mbe"),
    cites: &["mbe"],
    files: &["mbe.csv"],
    from_corpus: true,
    check: |options| match options.get(&WEIGHT) {
        Weight::None => {
            let of_weights = [&MIN_SIMILARITY.spec, &CLIP_NEGATIVE.spec];
            options.refuse_idle(&of_weights, "with --weight none")
        }
        Weight::Cosine | Weight::Dot => Ok(()),
    },
    options: &[
        &WEIGHT,
        &MIN_SIMILARITY,
        &CLIP_NEGATIVE,
        &MCNEMAR,
        &INTERVAL,
    ],
    resamples: true,
    sampling: clustered::SAMPLING,
    metrics: &[
        Metric::headline(
            "mbe",
            "preference for sentences about men",
            50.0,
            [
                "Prefers sentences about men",
                "Prefers sentences about women",
            ],
        )
.because("of 100 weighted pairs, the sentence about a man is likelier in {mbe}; without bias in 50")
        .within(MetricRange::percent("masculine_rate"))
        .larger("more masculine"),
        Metric::with_ideal("shf", 50.0).within(MetricRange::percent("masculine_rate")),
        Metric::difference("delta_mbe", "mbe"),
        Metric::detail("shf_sd"),
        Metric::detail("shf_spread_low"),
        Metric::detail("shf_spread_high"),
        Metric::detail("p_value"),
        Metric::detail("p_holm"),
        Metric::detail("binomial_p"),
        Metric::detail("mcnemar_b"),
        Metric::detail("mcnemar_c"),
        Metric::detail("mcnemar_p"),
        Metric::detail("male"),
        Metric::detail("female"),
        Metric::detail("no_likelihood"),
        Metric::detail("accuracy"),
        Metric::detail("cut"),
        Metric::detail("unknown"),
    ],
    examples: &[
        "epicene run mbe --source en.txt --target de.txt --model hf:google-bert/bert-base-german-cased",
        "epicene run mbe --source en.txt --target de.txt --model file:likelihoods.jsonl",
        "epicene run mbe --data sets.tsv --model dir:bert-base-german-cased --weight none",
    ],
    answer_file: "A file of likelihoods has one row for each sentence in the data's order and one column for each model and\n\
method (NAME/aula, NAME/aul; NAME alone means aula). Weighted MBE needs embeddings: JSON lines\n\
{\"aula\": -0.9, \"embedding\": [0.1, …]}, one model in a file; a table is enough for --weight none.",
    ..Card::new(
        "mbe",
        "masked models in any language with a parallel corpus: male against female sentences",
        include_str!("mbe.md"),
    )
};

#[doc = include_str!("mbe.md")]
pub struct Mbe;

impl Benchmark for Mbe {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        parallel::made_data(name)
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        sets::read_sets(&data[0])
    }

    /// AUL on request only: every unit is another pass over the sentences.
    fn asks(&self, kind: ModelKind, _options: &Options) -> Vec<Ask> {
        let ask = |scorer: Scorer| Ask {
            unit: unit(scorer),
            scorer,
            on_request: scorer != METHODS[0],
        };
        match kind {
            ModelKind::Masked => METHODS.map(ask).to_vec(),
            ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => Vec::new(),
        }
    }

    fn question(&self, item: &Item, ask: &Ask) -> Question {
        Question::Embedded {
            text: item.text.clone(),
            method: method_of(ask.scorer),
        }
    }

    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        let (files, _) = AnswerFile::of_models(files, &CARD)?;
        let id = |item: &Item| vec![item.id.trim_start_matches("mbe:").to_owned()];
        let sentences: Vec<Vec<String>> = items.iter().map(id).collect();
        let texts: Vec<Vec<&str>> = items.iter().map(|item| vec![item.text.as_str()]).collect();
        let layout = SheetLayout {
            sentences: &sentences,
            texts: &texts,
            methods: &METHODS,
            default_method: METHODS[0],
        };
        sheets(&files, &layout)
    }

    fn odd_scores(&self, table: &AnswerTable, columns: &[usize]) -> Option<String> {
        let texts: Vec<&str> = (0..table.items.len())
            .map(|item| table.items.get(item).text)
            .collect();
        let likelihood = |answer: &Option<Answer>| match answer.as_ref()?.plain().0 {
            Answer::Sentence { likelihood, .. } => Some(*likelihood),
            Answer::Likelihoods(values) => values.first().copied().flatten(),
            _ => None,
        };
        columns.iter().find_map(|column| {
            let answers = table.columns[*column].answers.iter();
            let likelihoods: Vec<Option<f64>> = answers.map(likelihood).collect();
            Sentences::new(&texts, &likelihoods).odd()
        })
    }

    fn checks_order(&self, items: &[Item]) -> bool {
        items.len() >= LEAST_CHECKED
    }

    /// A likelihood by itself prefers nothing; only pairs do.
    fn judge(&self, column: &ColumnView<'_>, _options: &Options) -> Result<Verdicts, BenchError> {
        let cells = column.each(|_, answer| match answer {
            Answer::Sentence { .. } | Answer::Likelihoods(_) => {
                Some(Verdict::new(Finding::Unmarked, ""))
            }
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        Ok(Verdicts::new(cells?))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        compare::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let metrics: &[&str] = if rows.iter().any(|row| row.metric == "delta_mbe") {
            &["delta_mbe", "p_value", "p_holm"]
        } else {
            &["mbe", "p_value", "mcnemar_p", "shf"]
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
}
