//! Language models: log ratios and likelihoods.

use epicene_core::{Answer, Item, LikelihoodMethod, Scorer};

use super::{Design, gest_items, given, sides};
use crate::world::{Dice, Look, logistic, mean_rate};

const AULA: (Scorer, &str) = (Scorer::Likelihood(LikelihoodMethod::Aula), "method:aula");

pub fn all() -> Vec<Design> {
    let mut designs: Vec<Design> = [5, 50, 200].map(gest).into();
    designs.extend([
        gest_family(),
        crows_pairs(),
        stereoset(),
        mbe(),
        winobias(),
        eurogest(),
    ]);
    designs
}

/// The mean log10 ratio of a stereotype: they lie apart.
fn ratio(id: usize) -> f64 {
    0.02 * id as f64 + if id >= 8 { 0.2 } else { 0.0 }
}

/// Noise with a long right tail, as real log ratios have, around 0: one number for each system.
fn skewed(dice: &mut Dice, systems: usize) -> Vec<f64> {
    let shared = dice.normal();
    let own: Vec<f64> = (0..systems).map(|_| dice.normal()).collect();
    own.iter()
        .map(|own| {
            let noise = (shared + own) / 2f64.sqrt();
            ((0.6 * noise).exp() - (0.18f64).exp()) * 0.5
        })
        .collect()
}

fn gest(each: usize) -> Design {
    let sample = move |dice: &mut Dice, systems: usize| {
        let (items, mut answers) = (gest_items(each), vec![Vec::new(); systems]);
        for item in 0..items.len() {
            let noise = skewed(dice, systems);
            for (answers, noise) in answers.iter_mut().zip(noise) {
                answers.push(Answer::Log10Ratio(ratio(1 + item / each) + noise));
            }
        }
        given(items, answers)
    };
    let (male, female) = sides(ratio);
    let name = format!("{each} sentences a stereotype");
    Design::new("gest", name, (Scorer::MaskedPair, "template:1"), sample)
        .alone([
            Look::Interval("all", "g_s", (male - female).exp()),
            Look::Interval("stereotype:1", "q", ratio(1).exp()),
        ])
        .compared([
            Look::Interval("all", "delta_g_s", 0.0),
            Look::Test("all", "p_value"),
        ])
}

const TEMPLATES: &str = "template:1,template:2,template:3,template:4";

/// Four templates and their mean, each with sixteen stereotypes, all corrected together. What a sentence has in one template it has
/// by half in the others.
fn gest_family() -> Design {
    let each = 50;
    let sample = move |dice: &mut Dice, systems: usize| {
        let columns = systems * TEMPLATES.split(',').count();
        let (items, mut answers) = (gest_items(each), vec![Vec::new(); columns]);
        for item in 0..items.len() {
            let noise = skewed(dice, columns);
            for (answers, noise) in answers.iter_mut().zip(noise) {
                answers.push(Answer::Log10Ratio(ratio(1 + item / each) + noise));
            }
        }
        given(items, answers)
    };
    let (male, female) = sides(ratio);
    let name = format!("{each} sentences a stereotype, 4 templates");
    Design::new("gest", name, (Scorer::MaskedPair, TEMPLATES), sample)
        .alone([Look::Interval("all", "g_s", (male - female).exp())])
        .compared([
            Look::Interval("all", "delta_g_s", 0.0),
            Look::Test("all", "p_value"),
            Look::AnyCorrected,
        ])
}

/// Ties, wins and losses of even odds.
fn crows_pairs() -> Design {
    let pair = |dice: &mut Dice| {
        let first = match () {
            () if dice.chance(0.3) => -1.0,
            () if dice.chance(0.5) => -0.5,
            () => -2.0,
        };
        Answer::Likelihoods(vec![Some(first), Some(-1.0)])
    };
    let sample = move |dice: &mut Dice, systems: usize| {
        let items = (0..262).map(|pair| Item::new(format!("p:{pair}"), "x"));
        let answers = (0..systems).map(|_| (0..262).map(|_| pair(dice)).collect());
        let answers = answers.collect();
        given(items.collect(), answers)
    };
    Design::new("crows-pairs", "262 pairs, 30 % ties", AULA, sample)
        .alone([
            Look::Interval("all", "pair_score", 50.0),
            Look::Test("all", "p_value"),
        ])
        .compared([
            Look::Interval("all", "delta_pair_score", 0.0),
            Look::Test("all", "p_value"),
        ])
}

fn stereoset() -> Design {
    let sample = |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for term in 0..40 {
            let effects: Vec<[f64; 2]> = (0..systems)
                .map(|_| [dice.normal(), dice.normal()])
                .collect();
            for item in 0..6 {
                items.push(
                    Item::new(format!("s:{term}:{item}"), "x")
                        .with_label("target", format!("t{term}")),
                );
                for (answers, [bias, sense]) in answers.iter_mut().zip(&effects) {
                    let stereotypical = dice.chance(logistic(*bias));
                    let meaningful = dice.chance(logistic(1.5 + sense));
                    let (first, second) = if stereotypical {
                        (-1.0, -2.0)
                    } else {
                        (-2.0, -1.0)
                    };
                    let unrelated = if meaningful { -3.0 } else { 0.0 };
                    let all = [first, second, unrelated].map(Some);
                    answers.push(Answer::Likelihoods(all.to_vec()));
                }
            }
        }
        given(items, answers)
    };
    Design::new("stereoset", "40 terms of 6 items", AULA, sample)
        .alone([
            Look::Interval("all", "ss", 50.0),
            Look::Interval("all", "lms", 100.0 * mean_rate(1.5, 1.0)),
            Look::Interval("all", "pair_score", 50.0),
            Look::Test("all", "p_value"),
        ])
        .compared([
            Look::Interval("all", "delta_pair_score", 0.0),
            Look::Test("all", "p_value"),
        ])
}

/// Embeddings all alike: every pair weighs the same.
fn mbe() -> Design {
    let sample = |dice: &mut Dice, systems: usize| {
        let items = (0..240).map(|item| {
            let gender = if item < 120 { "m" } else { "f" };
            Item::new(format!("mbe:{item}"), "x").with_label("gender", gender)
        });
        let shared: Vec<f64> = (0..240).map(|_| dice.normal()).collect();
        let answers = (0..systems).map(|_| {
            let answer = |shared: &f64| Answer::Sentence {
                likelihood: shared + dice.normal(),
                embedding: vec![1.0, 0.5].into_boxed_slice(),
            };
            shared.iter().map(answer).collect()
        });
        let answers = answers.collect();
        given(items.collect(), answers)
    };
    Design::new("mbe", "120 + 120 sentences", AULA, sample)
        .alone([
            Look::Interval("all", "mbe", 50.0),
            Look::Test("all", "p_value"),
        ])
        .compared([
            Look::Interval("all", "delta_mbe", 0.0),
            Look::Test("all", "p_value"),
        ])
}

fn winobias() -> Design {
    let sample = |dice: &mut Dice, systems: usize| {
        let male = |item: usize| item < 180;
        let items = (0..396).map(|item| {
            Item::new(format!("w:{item}"), "x")
                .with_label("split", "split:type1-test")
                .with_label("occupation", if male(item) { "male" } else { "female" })
        });
        let answers = (0..systems).map(|_| {
            let answer = |item: usize| {
                let mean = if male(item) { 0.3 } else { 0.0 };
                Answer::Log10Ratio(mean + 0.4 * dice.normal())
            };
            (0..396).map(answer).collect()
        });
        let answers = answers.collect();
        given(items.collect(), answers)
    };
    Design::new(
        "winobias",
        "396 pairs",
        (Scorer::MaskedPair, "pairs"),
        sample,
    )
    .alone([Look::Interval("all", "ghat_s", (0.3f64).exp())])
    .compared([
        Look::Interval("all", "delta_ghat_s", 0.0),
        Look::Test("all", "p_value"),
    ])
}

/// One language, 25 sources a stereotype.
fn eurogest() -> Design {
    let mean = |id: usize| 0.1 + if id >= 8 { 0.3 } else { 0.0 };
    let (by_source, each) = (0.8, 25);
    let sample = move |dice: &mut Dice, systems: usize| {
        let items: Vec<Item> = gest_items(each)
            .into_iter()
            .enumerate()
            .map(|(number, item)| {
                item.with_label("language", "en")
                    .with_label("condition", "P")
                    .with_label("gest_id", number.to_string())
            })
            .collect();
        let mut answers = vec![Vec::new(); systems];
        for item in 0..items.len() {
            let effects = super::effects(dice, systems);
            for (answers, effect) in answers.iter_mut().zip(effects) {
                let logit = mean(1 + item / each) + by_source * effect;
                // The log10 of the odds of the masculine text.
                answers.push(Answer::Log10Ratio(logit / 10f64.ln()));
            }
        }
        given(items, answers)
    };
    let (male, female) = sides(|id| mean_rate(mean(id), by_source));
    Design::new(
        "eurogest",
        "25 sources a stereotype",
        (Scorer::TextPair, "pairs"),
        sample,
    )
    .alone([
        Look::Interval("all", "g_s", male / female),
        Look::Interval("all", "q_m", male),
    ])
    .compared([
        Look::Interval("all", "delta_g_s", 0.0),
        Look::Test("all", "p_value"),
        Look::Test("all", "p_delta_q"),
    ])
}
