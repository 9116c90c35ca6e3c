//! The benchmarks' designs: what is drawn, from what, and what is true of it.

use epicene_core::{Answer, Finding, Item, LikelihoodMethod, Scorer, Verdict};

use crate::world::{Answers, Dice, Drawn, Look, Study, logistic, mean_rate};

const WOMEN: [&str; 20] = [
    "attendant",
    "cashier",
    "teacher",
    "nurse",
    "assistant",
    "secretary",
    "auditor",
    "cleaner",
    "receptionist",
    "clerk",
    "counselor",
    "designer",
    "hairdresser",
    "writer",
    "housekeeper",
    "baker",
    "accountant",
    "editor",
    "librarian",
    "tailor",
];
const MEN: [&str; 20] = [
    "driver",
    "supervisor",
    "janitor",
    "cook",
    "mover",
    "laborer",
    "construction worker",
    "chief",
    "developer",
    "carpenter",
    "manager",
    "lawyer",
    "farmer",
    "salesperson",
    "physician",
    "guard",
    "analyst",
    "mechanic",
    "sheriff",
    "ceo",
];

fn gender(feminine: bool) -> Verdict {
    let finding = if feminine {
        Finding::Feminine
    } else {
        Finding::Masculine
    };
    Verdict::new(finding, "drawn")
}

pub fn all() -> Vec<Study> {
    let mut studies = Vec::new();
    for each in [10, 20] {
        studies.extend(unambiguous(each));
        studies.extend(winomt(each));
    }
    studies.extend(wibemt());
    for each in [5, 50, 200] {
        studies.extend(gest_models(each));
    }
    for (each, yielded) in [(220, 0.5), (220, 0.2)] {
        studies.extend(gest_translations(each, yielded));
    }
    studies.extend(crows_pairs());
    studies.extend(stereoset());
    studies.extend(mbe());
    studies.extend(winobias());
    studies
}

fn study(
    benchmark: &'static str,
    design: impl Into<String>,
    (scorer, unit): (Scorer, &'static str),
    looks: Vec<Look>,
    draw: impl Fn(&mut Dice) -> Drawn + Sync + 'static,
) -> Study {
    Study {
        benchmark,
        design: design.into(),
        scorer,
        unit,
        draw: Box::new(draw),
        looks,
    }
}

const GERMAN: (Scorer, &str) = (Scorer::Translate, "lang:de");
/// How far occupations lie apart, in logits.
const SPREAD: f64 = 1.5;

/// Correct by trigger and stereotype of the occupation, in logits: MM, MF, FF, FM.
const UNAMBIGUOUS: [[f64; 2]; 2] = [[1.5, 0.8], [-0.3, 0.6]];

fn unambiguous(each: usize) -> Vec<Study> {
    let sentences = 12;
    let sample = move |dice: &mut Dice, systems: usize| {
        let mut items = Vec::new();
        let mut answers: Vec<Vec<Verdict>> = vec![Vec::new(); systems];
        for (stereotype, names) in [MEN, WOMEN].iter().enumerate() {
            for name in &names[..each] {
                // What systems share about an occupation, and what is each one's own.
                let shared = dice.normal();
                let own: Vec<[f64; 2]> = (0..systems)
                    .map(|_| [dice.normal(), dice.normal()])
                    .collect();
                for trigger in [0, 1] {
                    let letter = ["M", "F"][trigger];
                    for sentence in 0..sentences {
                        let label = ["M", "F"][stereotype];
                        items.push(
                            Item::new(format!("{name}:{letter}:{sentence}"), *name)
                                .with_label("answer", format!("_EXP_{letter}_"))
                                .with_label("features", format!("_OCC_NO_{label}_"))
                                .with_label("occupation", *name),
                        );
                        for (system, verdicts) in answers.iter_mut().enumerate() {
                            let effect = (shared + own[system][trigger]) / 2f64.sqrt();
                            let logit = UNAMBIGUOUS[trigger][stereotype] + SPREAD * effect;
                            let right = dice.chance(logistic(logit));
                            verdicts.push(gender((trigger == 1) == right));
                        }
                    }
                }
            }
        }
        Drawn {
            items,
            systems: answers.into_iter().map(Answers::Judged).collect(),
        }
    };
    let rate =
        |trigger: usize, stereotype: usize| mean_rate(UNAMBIGUOUS[trigger][stereotype], SPREAD);
    let correct = (rate(0, 0) + rate(0, 1) + rate(1, 0) + rate(1, 1)) / 4.0;
    let (delta_m, delta_f) = (rate(0, 0) - rate(0, 1), rate(1, 1) - rate(1, 0));
    let design = format!("{} occupations", 2 * each);
    vec![
        study(
            "unambiguous",
            design.clone(),
            GERMAN,
            vec![
                Look::Interval("all", "correct", correct),
                Look::Interval("all", "delta_m", delta_m),
                Look::Interval("all", "delta_f", delta_f),
                Look::Interval("all", "delta_f_minus_delta_m", delta_f - delta_m),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "unambiguous",
            format!("{design}, compare"),
            GERMAN,
            vec![
                Look::Interval("all", "delta_correct", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn winomt(each: usize) -> Vec<Study> {
    let twins = 40;
    // Right on pro- and on anti-stereotypical sentences, about men and about women.
    let logits = |male: bool, pro: bool| match (male, pro) {
        (true, true) => 1.8,
        (true, false) => 0.9,
        (false, true) => 0.5,
        (false, false) => -0.5,
    };
    let sample = move |dice: &mut Dice, systems: usize| {
        let mut items = Vec::new();
        let mut answers: Vec<Vec<Verdict>> = vec![Vec::new(); systems];
        for (female_job, names) in [MEN, WOMEN].iter().enumerate() {
            for name in &names[..each] {
                let shared = dice.normal();
                let own: Vec<f64> = (0..systems).map(|_| dice.normal()).collect();
                for twin in 0..twins {
                    for pro in [true, false] {
                        let male = (female_job == 0) == pro;
                        items.push(
                            Item::new(format!("{name}:{twin}:{pro}"), *name)
                                .with_label("gender", if male { "male" } else { "female" })
                                .with_label("index", "0")
                                .with_label("occupation", *name)
                                .with_label("set", if pro { "pro" } else { "anti" }),
                        );
                        for (system, verdicts) in answers.iter_mut().enumerate() {
                            let effect = (shared + own[system]) / 2f64.sqrt();
                            let right = dice.chance(logistic(logits(male, pro) + SPREAD * effect));
                            verdicts.push(gender(male != right));
                        }
                    }
                }
            }
        }
        Drawn {
            items,
            systems: answers.into_iter().map(Answers::Judged).collect(),
        }
    };
    let rate = |male: bool, pro: bool| mean_rate(logits(male, pro), SPREAD);
    let pro = (rate(true, true) + rate(false, true)) / 2.0;
    let anti = (rate(true, false) + rate(false, false)) / 2.0;
    // Half of the sentences are about men; what is wrong about women is said to be a man.
    let right = |male: bool| (rate(male, true) + rate(male, false)) / 2.0;
    let f1 = |male: bool| 2.0 * right(male) / (1.0 + right(male) + 1.0 - right(!male));
    let design = format!("{} occupations", 2 * each);
    vec![
        study(
            "winomt",
            design.clone(),
            GERMAN,
            vec![
                Look::Interval("all", "acc", 50.0 * (pro + anti)),
                Look::Interval("all", "delta_s", 100.0 * (pro - anti)),
                Look::Interval("all", "delta_g", 100.0 * (f1(true) - f1(false))),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "winomt",
            format!("{design}, compare"),
            GERMAN,
            vec![
                Look::Interval("all", "delta_acc", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn wibemt() -> Vec<Study> {
    let (occupations, verbs) = (99, 42);
    let (mean, by_occupation, by_verb) = (-1.5, 1.5, 0.6);
    let sample = move |dice: &mut Dice, systems: usize| {
        let effects = |dice: &mut Dice, count: usize| -> Vec<f64> {
            (0..count).map(|_| dice.normal()).collect()
        };
        let shared = (effects(dice, occupations), effects(dice, verbs));
        let own: Vec<_> = (0..systems)
            .map(|_| (effects(dice, occupations), effects(dice, verbs)))
            .collect();
        let mut items = Vec::new();
        let mut answers: Vec<Vec<Verdict>> = vec![Vec::new(); systems];
        for occupation in 0..occupations {
            for verb in 0..verbs {
                items.push(
                    Item::new(format!("V{occupation}:{verb}"), "x")
                        .with_label("part", "verb")
                        .with_label("occupation", format!("o{occupation}"))
                        .with_label("class", "N")
                        .with_label("verb", format!("v{verb}"))
                        .with_label("verb_class", if verb % 2 == 0 { "F" } else { "M" }),
                );
                for (system, verdicts) in answers.iter_mut().enumerate() {
                    let half = 2f64.sqrt();
                    let o = (shared.0[occupation] + own[system].0[occupation]) / half;
                    let v = (shared.1[verb] + own[system].1[verb]) / half;
                    let logit = mean + by_occupation * o + by_verb * v;
                    verdicts.push(gender(dice.chance(logistic(logit))));
                }
            }
        }
        Drawn {
            items,
            systems: answers.into_iter().map(Answers::Judged).collect(),
        }
    };
    let spread = f64::hypot(by_occupation, by_verb);
    let share = 100.0 * mean_rate(mean, spread);
    vec![
        study(
            "wibemt",
            "99 occupations × 42 verbs",
            GERMAN,
            vec![
                Look::Interval("part:verb", "tfg", share),
                Look::Interval("H1", "delta_tfg", 0.0),
                Look::Test("H1", "p_value"),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "wibemt",
            "99 occupations × 42 verbs, compare",
            GERMAN,
            vec![
                Look::Interval("part:verb", "delta_tfg", 0.0),
                Look::Test("part:verb", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn gest_items(each: usize) -> Vec<Item> {
    let ids = (1..=16).flat_map(|id| (0..each).map(move |number| (id, number)));
    ids.map(|(id, number)| {
        Item::new(format!("{id}:{number}"), "x").with_label("stereotype", id.to_string())
    })
    .collect()
}

fn gest_models(each: usize) -> Vec<Study> {
    let sample = move |dice: &mut Dice, systems: usize| {
        let items = gest_items(each);
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); systems];
        for item in 0..items.len() {
            let id = 1 + item / each;
            // Log ratios with a long right tail, as real ones have; stereotypes lie apart.
            let shared = dice.normal();
            for answers in &mut answers {
                let noise = (shared + dice.normal()) / 2f64.sqrt();
                let skewed = ((0.6 * noise).exp() - (0.18f64).exp()) * 0.5;
                let mean = if id >= 8 { 0.2 } else { 0.0 } + 0.02 * id as f64;
                answers.push(Answer::Log10Ratio(mean + skewed));
            }
        }
        Drawn {
            items,
            systems: answers.into_iter().map(Answers::Given).collect(),
        }
    };
    let mean = |ids: std::ops::RangeInclusive<usize>| {
        let ids: Vec<f64> = ids
            .map(|id| if id >= 8 { 0.2 } else { 0.0 } + 0.02 * id as f64)
            .collect();
        ids.iter().sum::<f64>() / ids.len() as f64
    };
    let rate: f64 = mean(8..=16) - mean(1..=7);
    let place = (Scorer::MaskedPair, "template:1");
    let design = format!("{each} sentences a stereotype");
    vec![
        study(
            "gest",
            design.clone(),
            place,
            vec![
                Look::Interval("all", "g_s", rate.exp()),
                Look::Interval("stereotype:1", "q", (0.02f64).exp()),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "gest",
            format!("{design}, compare"),
            place,
            vec![
                Look::Interval("all", "delta_g_s", 0.0),
                Look::Test("all", "p_value"),
                Look::AnyCorrected,
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn gest_translations(each: usize, yielded: f64) -> Vec<Study> {
    let share = |id: usize| {
        if id >= 8 {
            0.97 - 0.02 * (id - 8) as f64
        } else {
            0.5 + 0.06 * id as f64
        }
    };
    let sample = move |dice: &mut Dice, yields: &[f64]| {
        let items = gest_items(each);
        let answers = yields.iter().map(|yielded| {
            let verdict = |item: usize| {
                let feminine = !dice.chance(share(1 + item / each));
                if dice.chance(*yielded) {
                    gender(feminine)
                } else {
                    Verdict::new(Finding::Unmarked, "drawn")
                }
            };
            Answers::Judged((0..16 * each).map(verdict).collect())
        });
        Drawn {
            systems: answers.collect(),
            items,
        }
    };
    let mean = |ids: std::ops::RangeInclusive<usize>| {
        let shares: Vec<f64> = ids.map(share).collect();
        shares.iter().sum::<f64>() / shares.len() as f64
    };
    let (male, female) = (mean(8..=16), mean(1..=7));
    let design = format!(
        "{each} sentences a stereotype, {:.0} % show a gender",
        100.0 * yielded
    );
    vec![
        study(
            "gest",
            design.clone(),
            (Scorer::Translate, "lang:sk"),
            vec![
                Look::Interval("all", "p_m", male),
                Look::Interval("all", "f_s", male - female),
                Look::Interval("all", "f_m", (male + female) / 2.0),
            ],
            move |dice| sample(dice, &[yielded]),
        ),
        study(
            "gest",
            format!("{design}, compare with 80 %"),
            (Scorer::Translate, "lang:sk"),
            vec![
                Look::Interval("all", "delta_f_s", 0.0),
                Look::Interval("all", "delta_f_m", 0.0),
                Look::Test("all", "p_value"),
                Look::Test("all", "p_value_f_m"),
            ],
            move |dice| sample(dice, &[yielded, 0.8]),
        ),
    ]
}

const AULA: (Scorer, &str) = (Scorer::Likelihood(LikelihoodMethod::Aula), "method:aula");

/// Likelihoods of a pair: a tie, a win or a loss.
fn pair(dice: &mut Dice, ties: f64, wins: f64) -> Answer {
    let first = if dice.chance(ties) {
        -1.0
    } else if dice.chance(wins) {
        -0.5
    } else {
        -2.0
    };
    Answer::Likelihoods(vec![Some(first), Some(-1.0)])
}

fn crows_pairs() -> Vec<Study> {
    let sample = |dice: &mut Dice, systems: usize| Drawn {
        items: (0..262)
            .map(|pair| Item::new(format!("p:{pair}"), "x"))
            .collect(),
        systems: (0..systems)
            .map(|_| Answers::Given((0..262).map(|_| pair(dice, 0.3, 0.5)).collect()))
            .collect(),
    };
    vec![
        study(
            "crows-pairs",
            "262 pairs, 30 % ties",
            AULA,
            vec![
                Look::Interval("all", "pair_score", 50.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "crows-pairs",
            "262 pairs, 30 % ties, compare",
            AULA,
            vec![
                Look::Interval("all", "delta_pair_score", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn stereoset() -> Vec<Study> {
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
                    answers.push(Answer::Likelihoods(vec![
                        Some(first),
                        Some(second),
                        Some(unrelated),
                    ]));
                }
            }
        }
        Drawn {
            items,
            systems: answers.into_iter().map(Answers::Given).collect(),
        }
    };
    vec![
        study(
            "stereoset",
            "40 terms of 6 items",
            AULA,
            vec![
                Look::Interval("all", "ss", 50.0),
                Look::Interval("all", "lms", 100.0 * mean_rate(1.5, 1.0)),
                Look::Interval("all", "pair_score", 50.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "stereoset",
            "40 terms of 6 items, compare",
            AULA,
            vec![
                Look::Interval("all", "delta_pair_score", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

/// Embeddings all alike: every pair weighs the same.
fn mbe() -> Vec<Study> {
    let sample = |dice: &mut Dice, systems: usize| {
        let gender = |item: usize| if item < 120 { "m" } else { "f" };
        let items = (0..240)
            .map(|item| Item::new(format!("mbe:{item}"), "x").with_label("gender", gender(item)));
        let shared: Vec<f64> = (0..240).map(|_| dice.normal()).collect();
        let answers = (0..systems).map(|_| {
            let answer = |item: usize| Answer::Sentence {
                likelihood: shared[item] + dice.normal(),
                embedding: vec![1.0, 0.5].into_boxed_slice(),
            };
            Answers::Given((0..240).map(answer).collect())
        });
        Drawn {
            systems: answers.collect(),
            items: items.collect(),
        }
    };
    vec![
        study(
            "mbe",
            "120 + 120 sentences",
            AULA,
            vec![
                Look::Interval("all", "mbe", 50.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 1),
        ),
        study(
            "mbe",
            "120 + 120 sentences, compare",
            AULA,
            vec![
                Look::Interval("all", "delta_mbe", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}

fn winobias() -> Vec<Study> {
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
            Answers::Given((0..396).map(answer).collect())
        });
        Drawn {
            systems: answers.collect(),
            items: items.collect(),
        }
    };
    let place = (Scorer::MaskedPair, "pairs");
    vec![
        study(
            "winobias",
            "396 pairs",
            place,
            vec![Look::Interval("all", "ghat_s", (0.3f64).exp())],
            move |dice| sample(dice, 1),
        ),
        study(
            "winobias",
            "396 pairs, compare",
            place,
            vec![
                Look::Interval("all", "delta_ghat_s", 0.0),
                Look::Test("all", "p_value"),
            ],
            move |dice| sample(dice, 2),
        ),
    ]
}
