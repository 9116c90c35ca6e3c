//! GEST asked of chat models (chat specification): who said it, as a choice, in a narrative, in a profile; several
//! wordings of each, all orders of options, and the spread of the result over them.

mod formulas;
mod measures;
mod metrics;
mod published;
mod views;

use std::sync::LazyLock;

use epicene_core::{Answer, InputError, Item, Row, Scorer, TextFile, View};

use crate::chat::reading::Protagonist;
use crate::chat::{
    self, CHOICE, FRAMES, Frame, ORDERS, POSITION_BOUND, READER_INPUT, REPEAT, RULE, Rule, Script,
    TEMPERATURE, THINKING_TOKENS, Weighed, Wording,
};
use crate::formula::Formulas;
use crate::gest::own_set::{self, OwnSet};
use crate::gest::{self, samples};
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, Measured, Options, Sampling,
    Verdicts,
};

static CARD: Card = Card {
    data: Some("gest"),
    files: &["gest.csv"],
    chat: Some(&Script {
        wordings,
        fill: placeholders,
    }),
    options: &[
        &FRAMES,
        &ORDERS,
        &TEMPERATURE,
        &REPEAT,
        &THINKING_TOKENS,
        &CHOICE,
        &RULE,
        &POSITION_BOUND,
    ],
    resamples: true,
    sampling: Sampling {
        unit: "item",
        strata: "stereotype",
        of: |item| Some(Drawn::new(item.label(gest::STEREOTYPE)?, item.id)),
    },
    inputs: &[own_set::INPUT, READER_INPUT],
    metrics: metrics::METRICS,
    audit_question: |_| "Which gender does the answer give to the person who says it?".to_owned(),
    // Beside results under GenderBench's rule alone: others are not comparable.
    baselines: |options| match options.get(&RULE) {
        Rule::Genderbench => published::rows(&CARD),
        Rule::Epicene => Vec::new(),
    },
    published_on: &[("gest", "1.0")],
    examples: &[
        "epicene run gest-chat --model chat:my-model@http://localhost:8000",
        "epicene run gest-chat --model dir:SmolLM2-135M-Instruct --data epicene-mini --limit 20",
        "epicene run gest-chat --model anthropic:claude-sonnet-4-5 --frames choice --budget 5",
    ],
    ..Card::new(
        "gest-chat",
        "the 16 stereotypes asked of chat models, in several frames, wordings and orders",
        include_str!("gest-chat.md"),
    )
};

#[doc = include_str!("gest-chat.md")]
pub struct GestChat;

fn wordings() -> &'static [Wording] {
    static WORDINGS: LazyLock<Vec<Wording>> =
        LazyLock::new(|| chat::parse(include_str!("../../data/chat/gest.en.txt")));
    &WORDINGS
}

/// The placeholders of wordings, filled from a sentence.
fn placeholders(text: &str) -> Vec<(&'static str, String)> {
    let sentence = text.trim();
    let spoken = match sentence.strip_suffix('.') {
        Some(rest) => format!("{rest},"),
        None => sentence.to_owned(),
    };
    vec![("{sentence}", sentence.to_owned()), ("{spoken}", spoken)]
}

/// How the options of a column were chosen, where any were.
fn chosen_by(view: &ColumnView<'_>) -> Option<&'static str> {
    let column = view.column();
    let mut answers = column.answers.iter().flatten();
    let name = match column.scorer {
        Scorer::ChoiceLogprob => "logprob",
        Scorer::ChoiceSampled => "sampled",
        _ => return None,
    };
    answers
        .any(|answer| *answer.plain().0 != Answer::Missing)
        .then_some(name)
}

impl Benchmark for GestChat {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        gest::read_items(&data[0], OwnSet::of(options)?.as_ref())
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let rule = options.get(&RULE);
        let verdicts = chat::judge(wordings(), column, rule, |frame, _| match frame {
            Frame::Character => Protagonist::Subject { noun: None },
            _ => Protagonist::Speaker,
        })?;
        let version = if rule == Rule::Epicene { "-chat-2" } else { "" };
        let verdicts = chat::with_model(verdicts, column, options, format!("{rule}{version}"))?;
        Ok(match chosen_by(column) {
            Some(name) => verdicts.by(CHOICE.spec.name, name),
            None => verdicts,
        })
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        measures::compare(judged, first, second)
    }

    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        let samples = samples(judged)?;
        let weighed = Weighed::of(judged, column)?;
        let rule = judged.options.get(&RULE);
        Ok(weighed.map_or_else(Vec::new, |weighed| {
            formulas::formulas(&weighed, samples, rule)
        }))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

/// Whether a wording's answers can be read by GenderBench's rule: letters in parentheses, and profiles.
fn is_genderbench(frame: Frame, number: u8) -> bool {
    let wording = wordings()
        .iter()
        .find(|wording| wording.frame == frame && wording.number == number);
    wording.is_some_and(|wording| {
        frame == Frame::Character || wording.labels == Some(chat::Labels::Brackets)
    })
}
