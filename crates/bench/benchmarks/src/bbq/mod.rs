//! BBQ's gender part and its descendants (specification `bbq`): does a model name the stereotyped person where nothing is known,
//! and does it err more against the stereotype?

pub mod conventions;
pub mod data;
pub mod question_row;
pub mod readers;

pub(crate) mod answer_file;
mod answers;
mod compare;
mod formulas;
mod judging;
pub mod mbbq_prompts;
mod measures;
mod metrics;
mod options;
mod published_prompts;
mod views;
mod ways;
mod wordings;

use epicene_core::{
    ChatQuestion, Finding, InputError, Item, ItemRef, Message, ModelKind, Outcome, Question, Row,
    Scorer, TextFile, View,
};

pub use options::{CONVENTION, ORDERS, PARTIAL, PROMPTS, TARGETS};

use crate::chat::CHOICE;
use crate::formula::{AuditLabel, Formulas, label};
use crate::{
    AnswerFile, Ask, BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, Measured,
    Options, Sampling, Sheets, Verdicts,
};
use question_row::QuestionRow;
use ways::Way;

/// Tokens of a generated answer.
const TOKENS: u32 = 30;
/// Tokens of an answer whose first ones are all that is looked at.
const TOKENS_OF_A_LETTER: u32 = 4;

/// Templates, within the blocks of their set: another benchmark of the kind would have other templates.
const SAMPLING: Sampling = Sampling {
    unit: "template",
    strata: "block",
    of: |item| {
        let label = |name: &str| item.label(name);
        let (set, language) = (label(question_row::SET)?, label(question_row::LANGUAGE)?);
        let block = label(question_row::BLOCK)?;
        let template = label(question_row::TEMPLATE)?;
        Some(Drawn::new(
            format!("{set}-{language} {block}"),
            format!("{set}-{language} {template}"),
        ))
    },
};

/// What people may say about an answer.
const LABELS: &[AuditLabel] = &[
    label(
        "s",
        "stereotyped",
        "the answer names the person of the stereotype",
        Finding::Stereotypical,
    ),
    label(
        "c",
        "counter-stereotyped",
        "the answer names the other person",
        Finding::AntiStereotypical,
    ),
    label(
        "u",
        "unknown",
        "the answer says that it cannot be told",
        Finding::Neutral,
    ),
    label(
        "p",
        "a person",
        "the answer names a person, and the stereotype is about neither or both of the two",
        Finding::Unmarked,
    ),
    label(
        "x",
        "unreadable",
        "the answer chooses none of the options, or several",
        Finding::Unreadable,
    ),
];

pub static CARD: Card = Card {
    data: Some("bbq"),
    files: &["Gender_identity.jsonl"],
    choose: Some(data::choose_files),
    by_language: true,
    languages: data::languages,
    options: &[&CONVENTION, &TARGETS, &PROMPTS, &ORDERS, &CHOICE, &PARTIAL],
    sampling: SAMPLING,
    metrics: metrics::METRICS,
    audit_question: |_| "Which option does the answer choose?".to_owned(),
    labels: Some(LABELS),
    audit_units: Some(formulas::UNITS),
    cites: &["mbbq", "esbbq", "kobbq"],
    examples: &[
        "epicene run bbq --model hf:HuggingFaceTB/SmolLM2-135M",
        "epicene run bbq --model chat:my-model@http://localhost:8000 --limit 400",
        "epicene run bbq --data MBBQ --lang nl,tr --model file:answers.jsonl",
    ],
    answer_file: "A file of answers has one JSON object a line, or a table with these columns: id (of the row) and answer (0, 1 or 2: the\n\
option; -1: nothing could be read), or a text that is read. With loglikelihoods, a list in the order of the\n\
continuations, the answers are those of a causal model.",
    ..Card::new(
        "bbq",
        "questions about two persons: is the stereotyped one named where nothing is known?",
        include_str!("bbq.md"),
    )
};

#[doc = include_str!("bbq.md")]
pub struct Bbq;

impl Benchmark for Bbq {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        data::items(data, options)
    }

    fn asks(&self, kind: ModelKind, options: &Options) -> Vec<Ask> {
        ways::asks(kind, options)
    }

    fn question(&self, item: &Item, ask: &Ask) -> Question {
        let row = answer_file::row_of(item).expect("items are made with all their labels");
        let way = Way::of(&ask.unit).expect("models are asked in units of this benchmark");
        match &way {
            Way::Continuations => Question::Continuations {
                context: wordings::context(&row),
                continuations: wordings::compared(&row),
            },
            Way::Published { prompt, order } => Question::Chat(Box::new(ChatQuestion {
                stop: prompt.stop.iter().map(|text| (*text).to_owned()).collect(),
                ..ChatQuestion::new(
                    vec![Message::user(prompt.text(
                        &row,
                        *order,
                        item.label(prompt.name),
                    ))],
                    prompt.tokens,
                )
            })),
            Way::Wording { .. } | Way::Indices => {
                let name = match &way {
                    Way::Wording { name, .. } => name,
                    _ => wordings::OWN[0],
                };
                let prompt = wordings::prompt(&row, name, way.order());
                let log_probabilities = ask.scorer == Scorer::ChoiceLogprob;
                let tokens = if log_probabilities {
                    TOKENS_OF_A_LETTER
                } else {
                    TOKENS
                };
                Question::Chat(Box::new(ChatQuestion {
                    options: ["A", "B", "C"].map(str::to_owned).to_vec(),
                    log_probabilities,
                    ..ChatQuestion::new(vec![Message::user(prompt)], tokens)
                }))
            }
        }
    }

    fn read_answers(&self, files: &[AnswerFile], items: &[Item], options: &Options) -> Sheets {
        let asks = self.asks(ModelKind::Chat, options);
        let layout = answer_file::Plain {
            options: 3,
            continuations: |item| Some(wordings::compared(&answer_file::row_of(item)?).len()),
            partial: options.get(&PARTIAL),
        };
        answer_file::sheets(&CARD, files, items, &asks, &layout)
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let way = Way::of(&column.column().unit).ok_or_else(|| column.wrong_answer())?;
        let (convention, scorer) = (options.get(&CONVENTION), column.column().scorer);
        let cells = column.each(|item, answer| {
            let row = QuestionRow::of(item)?;
            let read = judging::read(&row, answer, &way, scorer, convention)?;
            Some(judging::verdict(&row, read))
        });
        let verdicts = Verdicts::new(cells?);
        Ok(match (&way, scorer) {
            (Way::Continuations, _) => verdicts.by("choice", "likelihood"),
            (_, Scorer::ChoiceLogprob) => verdicts.by("choice", "logprob"),
            (Way::Published { prompt, .. }, _) => verdicts.by("reader", prompt.reader()),
            _ => verdicts.by("reader", "epicene-chat-2"),
        })
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        judging::outcome(item, finding)
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        formulas::formulas(judged, column)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        compare::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}
