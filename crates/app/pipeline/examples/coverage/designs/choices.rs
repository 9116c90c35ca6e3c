//! Questions with options to choose from: BBQ's rows and Winogender's sentences.

use epicene_bench::bbq::question_row::{Group, QuestionRow, Set};
use epicene_core::{Answer, ChatAnswer, Finish, Item, Scorer};

use super::{Design, effects, given};
use crate::world::{Dice, Look, logistic, mean_of, mean_rate};

/// Answers by the letter of the option, as in a file of answers.
const LETTERS: (Scorer, &str) = (Scorer::ChoiceSampled, "answers");

pub fn all() -> Vec<Design> {
    vec![bbq(BIASED), bbq(EVEN), winogender()]
}

fn letter(option: usize) -> Answer {
    let text = ["A", "B", "C"][option];
    Answer::Chat(Box::new(ChatAnswer::new(text, Finish::Stop)))
}

/// A block of templates, in logits: how often a person is named where nothing is known, how often that is the stereotyped
/// one, how often the answer is right where a sentence tells, and how much more often with the stereotype.
struct Block {
    name: &'static str,
    templates: usize,
    named: f64,
    stereotyped: f64,
    right: f64,
    side: f64,
}

const BIASED: [Block; 2] = [
    Block {
        name: "labels",
        templates: 15,
        named: 0.5,
        stereotyped: 0.8,
        right: 1.5,
        side: 0.4,
    },
    Block {
        name: "names",
        templates: 25,
        named: 0.0,
        stereotyped: 0.3,
        right: 1.0,
        side: 0.2,
    },
];

/// The same without a bias.
const EVEN: [Block; 2] = [
    Block {
        stereotyped: 0.0,
        side: 0.0,
        ..BIASED[0]
    },
    Block {
        stereotyped: 0.0,
        side: 0.0,
        ..BIASED[1]
    },
];

/// How far templates lie apart in each of the four, in logits.
const BY_TEMPLATE: f64 = 0.8;
/// How far they lie apart in the difference between both sides.
const BY_SIDE: f64 = 0.4;
const ROWS: usize = 16;

/// A row of a template: eight are ambiguous, four go with the stereotype, four against it.
fn bbq_row(block: &str, template: usize, row: usize) -> QuestionRow {
    let (stereotyped, unknown) = (2, 1);
    QuestionRow {
        set: Set::Bbq,
        language: "en".to_owned(),
        id: (template * ROWS + row).to_string(),
        template: template.to_string(),
        block: block.to_owned(),
        negative: true,
        ambiguous: row < 8,
        context: "x".to_owned(),
        question: "x".to_owned(),
        options: ["The man", "Unknown", "The woman"].map(str::to_owned),
        words: ["man", "Unknown", "woman"].map(str::to_owned),
        tags: ["man", "unknown", "woman"].map(str::to_owned),
        groups: vec!["F".to_owned()],
        target: Some(Group::Woman),
        label: match row {
            0..8 => unknown,
            8..12 => stereotyped,
            _ => 0,
        },
        unknown,
        by_text: Some(stereotyped),
        by_tags: Some(stereotyped),
        one_sided: false,
    }
}

fn bbq(blocks: [Block; 2]) -> Design {
    let is_even = blocks[0].stereotyped == 0.0;
    let mean = |of: &dyn Fn(&Block) -> f64| {
        let all: usize = blocks.iter().map(|block| block.templates).sum();
        let sums = blocks.iter();
        sums.map(|block| of(block) * block.templates as f64)
            .sum::<f64>()
            / all as f64
    };
    let named = |block: &Block| mean_rate(block.named, BY_TEMPLATE);
    let stereotyped = |block: &Block| mean_rate(block.stereotyped, BY_TEMPLATE);
    let spread = f64::hypot(BY_TEMPLATE, BY_SIDE);
    let right = |block: &Block, side: f64| mean_rate(block.right + side * block.side, spread);
    let bias_amb = mean(&|block| named(block) * (2.0 * stereotyped(block) - 1.0));
    let bias_dis = mean(&|block| right(block, 1.0) - right(block, -1.0));
    let accuracy_amb = mean(&|block| 1.0 - named(block));
    let accuracy_dis = mean(&|block| (right(block, 1.0) + right(block, -1.0)) / 2.0);
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        let mut template = 0;
        for block in &blocks {
            for _ in 0..block.templates {
                let by_system: Vec<Vec<f64>> = (0..4).map(|_| effects(dice, systems)).collect();
                for number in 0..ROWS {
                    let row = bbq_row(block.name, template, number);
                    items.push(row.item());
                    for (system, answers) in answers.iter_mut().enumerate() {
                        let [named, stereotyped, right, side] =
                            [0, 1, 2, 3].map(|which: usize| by_system[which][system]);
                        let chance = |dice: &mut Dice, mean: f64, effect: f64| {
                            dice.chance(logistic(mean + effect))
                        };
                        let option = if row.ambiguous {
                            let person = chance(dice, block.named, BY_TEMPLATE * named);
                            let own = chance(dice, block.stereotyped, BY_TEMPLATE * stereotyped);
                            match (person, own) {
                                (false, _) => row.unknown,
                                (true, true) => 2,
                                (true, false) => 0,
                            }
                        } else {
                            let sign = if row.label == 2 { 1.0 } else { -1.0 };
                            let effect = BY_TEMPLATE * right + sign * BY_SIDE * side;
                            if chance(dice, block.right + sign * block.side, effect) {
                                row.label
                            } else {
                                row.unknown
                            }
                        };
                        answers.push(letter(option));
                    }
                }
                template += 1;
            }
        }
        given(items, answers)
    };
    let name = format!("40 templates of {ROWS} rows");
    if is_even {
        return Design::new("bbq", format!("{name}, no bias"), LETTERS, sample).alone([
            Look::Interval("all", "bias_amb", 0.0),
            Look::Interval("all", "bias_dis", 0.0),
            Look::Test("all", "p_bias_amb"),
            Look::Test("all", "p_bias_dis"),
        ]);
    }
    Design::new("bbq", name, LETTERS, sample)
        .alone([
            Look::Interval("all", "accuracy_amb", accuracy_amb),
            Look::Interval("all", "accuracy_dis", accuracy_dis),
            Look::Interval("all", "bias_amb", bias_amb),
            Look::Interval("all", "bias_dis", bias_dis),
        ])
        .compared([
            Look::Interval("bias_amb", "delta_bias_amb", 0.0),
            Look::Test("bias_amb", "p_value"),
            Look::Interval("bias_dis", "delta_bias_dis", 0.0),
            Look::Test("bias_dis", "p_value"),
        ])
}

/// Sixty occupations with twelve sentences: the pronoun means the occupation or the participant.
fn winogender() -> Design {
    let (mean, gap, spread) = (1.2, 0.5, 0.8);
    let logit = move |gotcha: Option<bool>| match gotcha {
        Some(true) => mean - gap,
        Some(false) => mean + gap,
        None => mean,
    };
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for occupation in 0..60 {
            let effects = effects(dice, systems);
            let women = if occupation % 2 == 0 { "20" } else { "80" };
            for participant in ["patient", "someone"] {
                for answer in [0, 1] {
                    for (gender, pronoun) in
                        [("male", "he"), ("female", "she"), ("neutral", "they")]
                    {
                        // A woman is suggested by an occupation of women; the participant is of the other gender.
                        let suggested = usize::from((gender == "female") != (women == "80"));
                        let gotcha = (gender != "neutral").then_some(suggested != answer);
                        let id =
                            format!("winogender:o{occupation}.{participant}.{answer}.{gender}");
                        items.push(
                            Item::new(id, "x")
                                .with_label("occupation", format!("o{occupation}"))
                                .with_label("participant", participant)
                                .with_label("gender", gender)
                                .with_label("pronoun", pronoun)
                                .with_label("answer", answer.to_string())
                                .with_label("women_bls", women)
                                .with_label("women_text", women),
                        );
                        for (answers, effect) in answers.iter_mut().zip(&effects) {
                            let right = dice.chance(logistic(logit(gotcha) + spread * effect));
                            answers.push(letter(if right { answer } else { 1 - answer }));
                        }
                    }
                }
            }
        }
        given(items, answers)
    };
    let rate = |gotcha| mean_rate(logit(gotcha), spread);
    let (with, against) = (rate(Some(false)), rate(Some(true)));
    // He and she of a pair: one sentence goes with the share of women, the other against it.
    let apart = mean_of(|z| {
        let [one, two] =
            [Some(false), Some(true)].map(|gotcha| logistic(logit(gotcha) + spread * z));
        one * (1.0 - two) + two * (1.0 - one)
    });
    Design::new(
        "winogender",
        "60 occupations of 12 sentences",
        LETTERS,
        sample,
    )
    .alone([
        Look::Interval("all", "accuracy", (with + against + rate(None)) / 3.0),
        Look::Interval("all", "gap_gotcha", with - against),
        Look::Interval("all", "pairs_apart", apart),
    ])
    .compared([
        Look::Interval("gap_gotcha", "delta_gap_gotcha", 0.0),
        Look::Test("gap_gotcha", "p_value"),
        Look::Interval("accuracy", "delta_accuracy", 0.0),
        Look::Test("accuracy", "p_value"),
    ])
}
