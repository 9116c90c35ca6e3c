//! Translations into English: is the gender of the source kept, and which one is invented?

use epicene_core::{Finding, Item, Scorer, Verdict};

use super::{Design, MEN, WOMEN, effects, gender, judged};
use crate::world::{Dice, Look, logistic, mean_rate};

const ENGLISH: (Scorer, &str) = (Scorer::Translate, "lang:en");

pub fn all() -> Vec<Design> {
    let sets = |passage: usize| ["synthbio", "nouns", "late", "coref"][passage % 4];
    let mittens = move |passage: usize, language: &str, gender: &str| {
        Item::new(format!("mittens:{passage}:{language}:{gender}"), "x")
            .with_label("lang", language)
            .with_label("set", sets(passage))
            .with_label("level", "high")
            .with_label("name_only", "no")
            .with_label("cluster", passage.to_string())
            .with_label("gender", gender)
    };
    let backwards = |sentence: usize, language: &str, gender: &str| {
        Item::new(format!("gest-en:{sentence}:{language}:{gender}"), "x")
            .with_label("lang", language)
            .with_label("original", sentence.to_string())
            .with_label("stereotype", (1 + sentence % 16).to_string())
            .with_label("gender", gender)
    };
    vec![
        kept("mittens", "120 passages in 4 languages", 120, mittens),
        kept(
            "gest-into-english",
            "200 sentences in 4 languages",
            200,
            backwards,
        ),
        into_english(),
    ]
}

/// Passages about a man and about a woman in four languages; what makes one right makes its twins right.
fn kept(
    benchmark: &'static str,
    name: &str,
    passages: usize,
    item: impl Fn(usize, &str, &str) -> Item + Send + Sync + 'static,
) -> Design {
    // Where a gender is said at all, men are right more often; in logits.
    let (said, right, spread) = (0.85, [2.0, 1.0], 1.0);
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for passage in 0..passages {
            let effects = effects(dice, systems);
            for language in ["cs", "de", "fr", "pl"] {
                for (feminine, name) in ["masculine", "feminine"].into_iter().enumerate() {
                    items.push(item(passage, language, name));
                    for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                        let is_right = dice.chance(logistic(right[feminine] + spread * effect));
                        verdicts.push(if dice.chance(said) {
                            gender((feminine == 1) == is_right)
                        } else {
                            Verdict::new(Finding::NotFound, "drawn")
                        });
                    }
                }
            }
        }
        judged(items, answers)
    };
    let [men, women] = right.map(|right| mean_rate(right, spread));
    Design::new(benchmark, name, ENGLISH, sample)
        .alone([
            Look::Interval("all", "accuracy", 1.0 - said * (1.0 - (men + women) / 2.0)),
            Look::Interval("all", "preserved", said * (men + women) / 2.0),
            Look::Interval("all", "gap", said * (men - women)),
        ])
        .compared([
            Look::Interval("all", "delta_accuracy", 0.0),
            Look::Test("all", "p_value"),
            Look::Interval("gap", "delta_gap", 0.0),
            Look::Test("gap", "p_value"),
        ])
}

/// Forty occupations in six templates and three languages; three in ten translations leave the gender open.
fn into_english() -> Design {
    let (means, open, spread) = ([1.2, 0.2], 0.3, 1.2);
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for ((mean, names), list) in means.iter().zip([MEN, WOMEN]).zip(["male", "female"]) {
            for name in names {
                let effects = effects(dice, systems);
                for sentence in 0..18 {
                    items.push(
                        Item::new(format!("{name}:{sentence}"), "x")
                            .with_label("lang", ["hu", "fi", "tr"][sentence % 3])
                            .with_label("template", format!("O{}", 1 + sentence / 3))
                            .with_label("occupation", name)
                            .with_label("list", list)
                            .with_label("status", "ok"),
                    );
                    for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                        let masculine = dice.chance(logistic(mean + spread * effect));
                        verdicts.push(if dice.chance(open) {
                            Verdict::new(Finding::Neutral, "they")
                        } else {
                            gender(!masculine)
                        });
                    }
                }
            }
        }
        judged(items, answers)
    };
    let [men, women] = means.map(|mean| mean_rate(mean, spread));
    Design::new(
        "into-english",
        "40 occupations of 18 sentences",
        ENGLISH,
        sample,
    )
    .alone([
        Look::Interval("all", "masculine_share", (men + women) / 2.0),
        Look::Interval("all", "stereotype", men - women),
        Look::Interval("all", "kept_open", open),
    ])
    .compared([
        Look::Interval("all", "delta_masculine_share", 0.0),
        Look::Test("all", "p_value"),
        Look::Interval("stereotype", "delta_stereotype", 0.0),
        Look::Test("stereotype", "p_value"),
    ])
}
