//! Translations: verdicts are drawn, texts are not.

use epicene_core::{Finding, Item, Scorer, Verdict};

use super::{Design, MEN, WOMEN, effects, gender, gest_items, judged, sides};
use crate::world::{Dice, Look, logistic, mean_rate};

const GERMAN: (Scorer, &str) = (Scorer::Translate, "lang:de");
/// How far occupations lie apart, in logits.
const SPREAD: f64 = 1.5;

pub fn all() -> Vec<Design> {
    let mut designs = Vec::new();
    for each in [10, 20] {
        designs.extend([unambiguous(each), unambiguous_even(each), winomt(each)]);
    }
    designs.extend([wibemt_verbs(), wibemt_adjectives()]);
    designs.extend([gest(220, 0.5), gest(220, 0.2)]);
    designs.extend([mtgeneval(), gate(), gate_occupations()]);
    designs
}

/// Correct by trigger and stereotype of the occupation, in logits.
type Correct = [[f64; 2]; 2];

fn occupations(dice: &mut Dice, systems: usize, each: usize, correct: Correct) -> super::Drawn {
    let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
    for (stereotype, names) in [MEN, WOMEN].iter().enumerate() {
        for name in &names[..each] {
            let shared = dice.normal();
            let own: Vec<[f64; 2]> = (0..systems)
                .map(|_| [dice.normal(), dice.normal()])
                .collect();
            for trigger in [0, 1] {
                let letter = ["M", "F"][trigger];
                for sentence in 0..12 {
                    let label = ["M", "F"][stereotype];
                    items.push(
                        Item::new(format!("{name}:{letter}:{sentence}"), *name)
                            .with_label("answer", format!("_EXP_{letter}_"))
                            .with_label("features", format!("_OCC_NO_{label}_"))
                            .with_label("occupation", *name),
                    );
                    for (verdicts, own) in answers.iter_mut().zip(&own) {
                        let effect = (shared + own[trigger]) / 2f64.sqrt();
                        let logit = correct[trigger][stereotype] + SPREAD * effect;
                        let right = dice.chance(logistic(logit));
                        verdicts.push(gender((trigger == 1) == right));
                    }
                }
            }
        }
    }
    judged(items, answers)
}

fn unambiguous(each: usize) -> Design {
    let correct = [[1.5, 0.8], [-0.3, 0.6]];
    let rate = |trigger: usize, stereotype: usize| mean_rate(correct[trigger][stereotype], SPREAD);
    let all = (rate(0, 0) + rate(0, 1) + rate(1, 0) + rate(1, 1)) / 4.0;
    let (delta_m, delta_f) = (rate(0, 0) - rate(0, 1), rate(1, 1) - rate(1, 0));
    Design::new(
        "unambiguous",
        format!("{} occupations", 2 * each),
        GERMAN,
        move |dice, systems| occupations(dice, systems, each, correct),
    )
    .alone([
        Look::Interval("all", "correct", all),
        Look::Interval("all", "delta_m", delta_m),
        Look::Interval("all", "delta_f", delta_f),
        Look::Interval("all", "delta_f_minus_delta_m", delta_f - delta_m),
    ])
    .compared([
        Look::Interval("all", "delta_correct", 0.0),
        Look::Test("all", "p_value"),
    ])
}

/// Both genders are treated alike: ΔF is no greater than ΔM.
fn unambiguous_even(each: usize) -> Design {
    let correct = [[1.5, 0.5], [0.5, 1.5]];
    let name = format!("{} occupations, genders alike", 2 * each);
    Design::new("unambiguous", name, GERMAN, move |dice, systems| {
        occupations(dice, systems, each, correct)
    })
    .alone([
        Look::Interval("all", "delta_f_minus_delta_m", 0.0),
        Look::Test("all", "p_delta_f_greater"),
    ])
}

fn winomt(each: usize) -> Design {
    // Right on pro- and on anti-stereotypical sentences, about men and about women.
    let logits = |male: bool, pro: bool| match (male, pro) {
        (true, true) => 1.8,
        (true, false) => 0.9,
        (false, true) => 0.5,
        (false, false) => -0.5,
    };
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for (female_job, names) in [MEN, WOMEN].iter().enumerate() {
            for name in &names[..each] {
                let effects = effects(dice, systems);
                for (twin, pro) in (0..40).flat_map(|twin| [(twin, true), (twin, false)]) {
                    let male = (female_job == 0) == pro;
                    items.push(
                        Item::new(format!("{name}:{twin}:{pro}"), *name)
                            .with_label("gender", if male { "male" } else { "female" })
                            .with_label("index", "0")
                            .with_label("occupation", *name)
                            .with_label("set", if pro { "pro" } else { "anti" }),
                    );
                    for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                        let right = dice.chance(logistic(logits(male, pro) + SPREAD * effect));
                        verdicts.push(gender(male != right));
                    }
                }
            }
        }
        judged(items, answers)
    };
    let rate = |male: bool, pro: bool| mean_rate(logits(male, pro), SPREAD);
    let pro = (rate(true, true) + rate(false, true)) / 2.0;
    let anti = (rate(true, false) + rate(false, false)) / 2.0;
    // Half of the sentences are about men; what is wrong about women is said to be a man.
    let right = |male: bool| (rate(male, true) + rate(male, false)) / 2.0;
    let f1 = |male: bool| 2.0 * right(male) / (1.0 + right(male) + 1.0 - right(!male));
    Design::new(
        "winomt",
        format!("{} occupations", 2 * each),
        GERMAN,
        sample,
    )
    .alone([
        Look::Interval("all", "acc", 50.0 * (pro + anti)),
        Look::Interval("all", "delta_s", 100.0 * (pro - anti)),
        Look::Interval("all", "delta_g", 100.0 * (f1(true) - f1(false))),
    ])
    .compared([
        Look::Interval("all", "delta_acc", 0.0),
        Look::Test("all", "p_value"),
    ])
}

/// Occupations by verbs, none of whose classes matters.
fn wibemt_verbs() -> Design {
    let (mean, by_occupation, by_verb) = (-1.5, 1.5, 0.6);
    let sample = move |dice: &mut Dice, systems: usize| {
        let draw = |dice: &mut Dice, count: usize| -> Vec<Vec<f64>> {
            (0..count).map(|_| effects(dice, systems)).collect()
        };
        let (occupations, verbs) = (draw(dice, 99), draw(dice, 42));
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for (occupation, of_occupation) in occupations.iter().enumerate() {
            for (verb, of_verb) in verbs.iter().enumerate() {
                items.push(
                    Item::new(format!("V{occupation}:{verb}"), "x")
                        .with_label("part", "verb")
                        .with_label("occupation", format!("o{occupation}"))
                        .with_label("class", ["F", "N", "M"][occupation % 3])
                        .with_label("verb", format!("v{verb}"))
                        .with_label("verb_class", ["F", "M"][verb % 2]),
                );
                for (system, verdicts) in answers.iter_mut().enumerate() {
                    let logit =
                        mean + by_occupation * of_occupation[system] + by_verb * of_verb[system];
                    verdicts.push(gender(dice.chance(logistic(logit))));
                }
            }
        }
        judged(items, answers)
    };
    let share = 100.0 * mean_rate(mean, f64::hypot(by_occupation, by_verb));
    Design::new("wibemt", "99 occupations × 42 verbs", GERMAN, sample)
        .alone([
            Look::Interval("part:verb", "tfg", share),
            Look::Interval("H1", "delta_tfg", 0.0),
            Look::Test("H1", "p_value"),
            Look::Interval("third:F-N", "delta_tfg", 0.0),
            Look::Test("third:F-N", "p_value"),
            Look::Test("third:F-M", "p_value"),
        ])
        .compared([
            Look::Interval("part:verb", "delta_tfg", 0.0),
            Look::Test("part:verb", "p_value"),
        ])
}

/// Occupations with ten adjectives of either class and with none, twice each pronoun: nothing depends on the class.
fn wibemt_adjectives() -> Design {
    let (mean, by_occupation, by_adjective) = (0.0, 1.0, 0.5);
    let sample = move |dice: &mut Dice, systems: usize| {
        let draw = |dice: &mut Dice, count: usize| -> Vec<Vec<f64>> {
            (0..count).map(|_| effects(dice, systems)).collect()
        };
        let (occupations, adjectives) = (draw(dice, 40), draw(dice, 21));
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for (occupation, of_occupation) in occupations.iter().enumerate() {
            for (adjective, of_adjective) in adjectives.iter().enumerate() {
                let (word, class) = match adjective {
                    20 => ("none".to_owned(), "none"),
                    other => (format!("a{other}"), ["F", "M"][other % 2]),
                };
                for sentence in 0..4 {
                    items.push(
                        Item::new(format!("A{occupation}:{adjective}:{sentence}"), "x")
                            .with_label("part", "adjective")
                            .with_label("occupation", format!("o{occupation}"))
                            .with_label("class", "N")
                            .with_label("adjective", word.clone())
                            .with_label("adjective_class", class)
                            .with_label("gender", ["male", "female"][sentence % 2]),
                    );
                    for (system, verdicts) in answers.iter_mut().enumerate() {
                        // No adjective is a condition, not a draw: it has no effect of its own.
                        let of_word = if class == "none" {
                            0.0
                        } else {
                            by_adjective * of_adjective[system]
                        };
                        // Towards the pronoun.
                        let pronoun = [-1.0, 1.0][sentence % 2];
                        let logit =
                            mean + pronoun + by_occupation * of_occupation[system] + of_word;
                        verdicts.push(gender(dice.chance(logistic(logit))));
                    }
                }
            }
        }
        judged(items, answers)
    };
    Design::new(
        "wibemt",
        "40 occupations × 20 adjectives and none",
        GERMAN,
        sample,
    )
    .alone([
        Look::Interval("part:adjective", "tfg", 50.0),
        Look::Interval("H2a", "delta_tfg", 0.0),
        Look::Test("H2a", "p_value"),
        Look::Test("H2b", "p_value"),
        Look::Interval("H2c", "delta_tfg", 0.0),
        Look::Test("H2c", "p_value"),
        Look::Any("p_bonferroni", "H2"),
    ])
    .compared([
        Look::Test("part:adjective", "p_value"),
        Look::Interval("part:adjective", "delta_tcg", 0.0),
        Look::Test("part:adjective", "p_value_tcg"),
    ])
}

fn gest(each: usize, yielded: f64) -> Design {
    let share = |id: usize| {
        if id >= 8 {
            0.97 - 0.02 * (id - 8) as f64
        } else {
            0.5 + 0.06 * id as f64
        }
    };
    let sample = move |dice: &mut Dice, systems: usize| {
        let answers = [yielded, 0.8].into_iter().take(systems).map(|yielded| {
            let verdict = |item: usize| {
                let feminine = !dice.chance(share(1 + item / each));
                if dice.chance(yielded) {
                    gender(feminine)
                } else {
                    Verdict::new(Finding::Unmarked, "drawn")
                }
            };
            (0..16 * each).map(verdict).collect()
        });
        let answers = answers.collect();
        judged(gest_items(each), answers)
    };
    let (male, female) = sides(share);
    let percent = 100.0 * yielded;
    let name = format!("{each} sentences a stereotype, {percent:.0} % (and 80 %) show a gender");
    Design::new("gest", name, (Scorer::Translate, "lang:sk"), sample)
        .alone([
            Look::Interval("all", "p_m", male),
            Look::Interval("all", "f_s", male - female),
            Look::Interval("all", "f_m", (male + female) / 2.0),
        ])
        .compared([
            Look::Interval("all", "delta_f_s", 0.0),
            Look::Interval("all", "delta_f_m", 0.0),
            Look::Test("all", "p_value"),
            Look::Test("all", "p_value_f_m"),
        ])
}

/// 300 pairs of lines that share most of what makes them right, no better about men than about women; 400 in context.
fn mtgeneval() -> Design {
    let (mean, spread) = (0.8, 1.2);
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for segment in 0..700 {
            let effects = effects(dice, systems);
            let genders: &[&str] = if segment < 300 {
                &["masculine", "feminine"]
            } else {
                &["masculine"]
            };
            for of in genders {
                let subset = ["counterfactual", "contextual"][usize::from(segment >= 300)];
                let item = Item::new(format!("{segment}:{of}"), "x")
                    .with_label("subset", subset)
                    .with_label("gender", *of)
                    .with_label("reference", "el")
                    .with_label("other", "ella");
                items.push(if segment < 300 {
                    item.with_label("pair", segment.to_string())
                } else {
                    item
                });
                for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                    let right = dice.chance(logistic(mean + spread * effect));
                    verdicts.push(gender((*of == "feminine") == right));
                }
            }
        }
        judged(items, answers)
    };
    let right = mean_rate(mean, spread);
    Design::new("mtgeneval", "300 pairs and 400 lines", GERMAN, sample)
        .alone([
            Look::Interval("masculine", "accuracy", right),
            Look::Interval("contextual", "accuracy", right),
            Look::Interval("counterfactual", "gap", 0.0),
            Look::Test("counterfactual", "p_gap"),
        ])
        .compared([
            Look::Interval("all", "delta_accuracy", 0.0),
            Look::Test("all", "p_value"),
            Look::AnyCorrected,
        ])
}

const SPANISH: (Scorer, &str) = (Scorer::Translate, "lang:es");

/// A source of GATE about one person.
fn gate_item(id: String, key_words: &str) -> Item {
    Item::new(id, "x")
        .with_label("variants", r#"{"f":"la jefa","m":"el jefe"}"#)
        .with_label("key_words", key_words)
        .with_label("task", "mt")
}

/// 500 sources that leave the gender open; a fifth of the translations does, too.
fn gate() -> Design {
    let (mean, spread) = (1.5, 1.0);
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for source in 0..500 {
            items.push(gate_item(format!("t:{source}"), ""));
            let effects = effects(dice, systems);
            for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                verdicts.push(if dice.chance(0.2) {
                    Verdict::new(Finding::Common, "drawn")
                } else {
                    gender(!dice.chance(logistic(mean + spread * effect)))
                });
            }
        }
        judged(items, answers)
    };
    let share = mean_rate(mean, spread);
    Design::new("gate", "500 sources", SPANISH, sample)
        .alone([Look::Interval("all", "masculine_share", share)])
        .compared([
            Look::Interval("all", "delta_masculine_share", 0.0),
            Look::Test("all", "p_value"),
        ])
}

/// Four sources about each of forty occupations, which a translator makes men's and women's much as they are held to be.
fn gate_occupations() -> Design {
    let means = [2.0, 0.5];
    let sample = move |dice: &mut Dice, systems: usize| {
        let (mut items, mut answers) = (Vec::new(), vec![Vec::new(); systems]);
        for (mean, names) in means.iter().zip([MEN, WOMEN]) {
            for name in names {
                let effects = effects(dice, systems);
                for source in 0..4 {
                    items.push(gate_item(format!("{name}:{source}"), name));
                    for (verdicts, effect) in answers.iter_mut().zip(&effects) {
                        let masculine = dice.chance(logistic(mean + SPREAD * effect));
                        verdicts.push(gender(!masculine));
                    }
                }
            }
        }
        judged(items, answers)
    };
    let [men, women] = means.map(|mean| mean_rate(mean, SPREAD));
    Design::new("gate", "40 occupations of 4 sources", SPANISH, sample).alone([Look::Interval(
        "all",
        "stereotype",
        men - women,
    )])
}
