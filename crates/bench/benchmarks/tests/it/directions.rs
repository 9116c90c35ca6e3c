//! In every benchmark, however intervals are made: a difference is the second system less the first, and its row names both in that
//! order; and the interval of a rate stays within what a rate can be, also where all answers, or all but one, are alike.

use crate::table_support::card;
use epicene_bench::options::INTERVAL;
use epicene_bench::{Benchmark, Judged, Measured, Options, Verdicts, find, judge};
use epicene_core::{
    Answer, AnswerTable, DataCard, Finding, Item, LikelihoodMethod, ModelKind, Row, Scorer, Unit,
    Verdict,
};

/// What a system answered: numbers, or verdicts on translations and texts.
enum Given {
    Answers(Vec<Answer>),
    Findings(Vec<Finding>),
}

/// A benchmark with systems that do more or less of what `metric` compares, from not at all (0) to always (1).
struct Case {
    name: &'static str,
    items: Vec<Item>,
    units: &'static [&'static str],
    scorer: Scorer,
    metric: &'static str,
    system: Box<dyn Fn(f64) -> Given>,
}

impl Case {
    /// What becomes of systems of such shares.
    fn rows(
        &self,
        shares: &[f64],
        interval: &str,
        of: impl Fn(&dyn Benchmark, &Judged<'_>) -> Measured,
    ) -> Vec<Row> {
        let benchmark = find(self.name).unwrap();
        let options = Options::default().drawing(50, 99).with(&INTERVAL, interval);
        let names = ["before", "after"].into_iter().take(shares.len());
        let systems = names.map(|name| card(name, ModelKind::Masked)).collect();
        let places = (0..shares.len()).flat_map(|system| {
            let units = self.units.iter();
            units.map(move |unit| (system, Unit::named(unit), self.scorer))
        });
        let mut table = AnswerTable::new(self.items.iter().collect(), systems, places);
        let mut verdicts = Vec::new();
        for (system, share) in shares.iter().enumerate() {
            for unit in 0..self.units.len() {
                let column = system * self.units.len() + unit;
                match (self.system)(*share) {
                    Given::Answers(answers) => {
                        for (item, answer) in answers.into_iter().enumerate() {
                            table.put(item, column, answer);
                        }
                    }
                    Given::Findings(findings) => {
                        let mut cells = Vec::new();
                        for (item, finding) in findings.into_iter().enumerate() {
                            table.put(item, column, Answer::Translation("x".to_owned()));
                            let mut verdict = Verdict::new(finding, "given");
                            verdict.outcome = benchmark.outcome(table.items.get(item), finding);
                            cells.push(Some(verdict));
                        }
                        verdicts.push(Verdicts::new(cells));
                    }
                }
            }
        }
        if verdicts.is_empty() {
            verdicts = judge(benchmark, &table, &options).unwrap();
        }
        let data = DataCard {
            name: "test".to_owned(),
            version: "1".to_owned(),
            sha256: String::new(),
            items: self.items.len(),
        };
        let judged = Judged {
            shared: None,
            card: benchmark.card(),
            table: &table,
            verdicts: &verdicts,
            options: &options,
            data: &data,
            whole: true,
        };
        let measured = of(benchmark, &judged);
        let mut names: Vec<&str> = measured.how.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert!(
            names.windows(2).all(|pair| pair[0] != pair[1]),
            "{}, {interval}: the signature says it twice: {:?}",
            self.name,
            measured.how
        );
        measured.rows
    }
}

/// A little noise that is the same every time, from 0 to 1.
fn noise(item: usize) -> f64 {
    ((item * 7919 + 13) % 101) as f64 / 101.0
}

/// The finding of each item that is so for a share of them.
fn findings(count: usize, share: f64, finding: impl Fn(usize, bool) -> Finding) -> Given {
    let each = (0..count).map(|item| finding(item, noise(item) < share));
    Given::Findings(each.collect())
}

fn sex(feminine: bool) -> Finding {
    if feminine {
        Finding::Feminine
    } else {
        Finding::Masculine
    }
}

const AULA: Scorer = Scorer::Likelihood(LikelihoodMethod::Aula);
const OCCUPATIONS: [&str; 4] = ["nurse", "secretary", "driver", "mechanic"];

fn items(count: usize, item: impl Fn(usize, Item) -> Item) -> Vec<Item> {
    let each = (0..count).map(|number| item(number, Item::new(format!("i:{number}"), "x")));
    each.collect()
}

/// Whether an item of [`gest`] is about men.
fn male(item: usize) -> bool {
    1 + item % 16 >= 8
}

fn gest(count: usize) -> Vec<Item> {
    items(count, |number, item| {
        item.with_label("stereotype", (1 + number % 16).to_string())
    })
}

fn cases() -> Vec<Case> {
    // Log ratios in favour of men where the sentence is about men.
    let ratios = |more: f64| {
        let ratio = |item: usize| noise(item) - 0.5 + if male(item) { more } else { 0.0 };
        Given::Answers(
            (0..160)
                .map(|item| Answer::Log10Ratio(ratio(item)))
                .collect(),
        )
    };
    let wins = |share: f64| {
        let first = |item: usize| if noise(item) < share { -0.5 } else { -2.0 };
        let answer = |item: usize| Answer::Likelihoods(vec![Some(first(item)), Some(-1.0)]);
        Given::Answers((0..60).map(answer).collect())
    };
    let pairs = || {
        items(60, |number, item| {
            item.with_label("target", format!("t{}", number % 20))
        })
    };
    // Follows stereotypes about men; of women a third does.
    let follows = |share: f64| {
        findings(160, share, |item, so| {
            sex(if male(item) { !so } else { noise(item) >= 0.3 })
        })
    };
    let right = |share: f64| findings(160, share, |item, so| sex((item % 2 == 1) == so));
    let women = |share: f64| findings(160, share, |_, so| sex(so));
    let case = |name, items, units, scorer, metric, system: Box<dyn Fn(f64) -> Given>| Case {
        name,
        items,
        units,
        scorer,
        metric,
        system,
    };
    let template: &[&str] = &["template:1"];
    let aula: &[&str] = &["method:aula"];
    let wordings: &[&str] = &["completion:1", "completion:2", "character:1", "character:2"];
    vec![
        case(
            "gest",
            gest(160),
            template,
            Scorer::MaskedPair,
            "delta_g_s",
            Box::new(ratios),
        ),
        case(
            "gest",
            gest(160),
            &["lang:sk"],
            Scorer::Translate,
            "delta_f_s",
            Box::new(follows),
        ),
        case(
            "winobias",
            items(160, |number, item| {
                item.with_label("split", "split:type1-dev")
                    .with_label("occupation", if male(number) { "male" } else { "female" })
            }),
            &["pairs"],
            Scorer::MaskedPair,
            "delta_ghat_s",
            Box::new(ratios),
        ),
        case(
            "crows-pairs",
            pairs(),
            aula,
            AULA,
            "delta_pair_score",
            Box::new(wins),
        ),
        case(
            "stereoset",
            pairs(),
            aula,
            AULA,
            "delta_pair_score",
            Box::new(wins),
        ),
        case(
            "mbe",
            items(80, |number, item| {
                item.with_label("gender", if number < 40 { "m" } else { "f" })
            }),
            aula,
            AULA,
            "delta_mbe",
            Box::new(|more| {
                let answer = |item: usize| Answer::Sentence {
                    likelihood: noise(item) + if item < 40 { 2.0 * more - 1.0 } else { 0.0 },
                    embedding: vec![1.0, 0.5].into_boxed_slice(),
                };
                Given::Answers((0..80).map(answer).collect())
            }),
        ),
        case(
            "eurogest",
            gest(160)
                .into_iter()
                .enumerate()
                .map(|(number, item)| {
                    item.with_label("language", "en")
                        .with_label("condition", "P")
                        .with_label("gest_id", number.to_string())
                })
                .collect(),
            &["pairs"],
            Scorer::TextPair,
            "delta_g_s",
            // Sure of nearly every text about men at 1, and never at 0.
            Box::new(|share| {
                let sure = |item: usize| {
                    let so = noise(item) < if male(item) { share } else { 0.5 };
                    let ratio = 3.0 + noise(item);
                    Answer::Log10Ratio(if so { ratio } else { -ratio })
                };
                Given::Answers((0..160).map(sure).collect())
            }),
        ),
        case(
            "unambiguous",
            items(160, |number, item| {
                let place = (number / 2) % 4;
                let stereotype = if place < 2 { "F" } else { "M" };
                item.with_label(
                    "answer",
                    if number % 2 == 0 {
                        "_EXP_M_"
                    } else {
                        "_EXP_F_"
                    },
                )
                .with_label("features", format!("_OCC_NO_{stereotype}_"))
                .with_label("occupation", OCCUPATIONS[place])
            }),
            &["lang:de"],
            Scorer::Translate,
            "delta_correct",
            Box::new(right),
        ),
        case(
            "winomt",
            items(160, |number, item| {
                item.with_label("gender", if number % 2 == 0 { "male" } else { "female" })
                    .with_label("index", "0")
                    .with_label("occupation", OCCUPATIONS[(number / 2) % 4])
            }),
            &["lang:de"],
            Scorer::Translate,
            "delta_acc",
            Box::new(right),
        ),
        case(
            "wibemt",
            items(160, |number, item| {
                item.with_label("part", "verb")
                    .with_label("occupation", format!("o{}", number % 20))
                    .with_label("class", "N")
                    .with_label("verb", format!("v{}", number / 20))
                    .with_label("verb_class", if number / 20 % 2 == 0 { "F" } else { "M" })
            }),
            &["lang:de"],
            Scorer::Translate,
            "delta_tfg",
            Box::new(women),
        ),
        case(
            "mtgeneval",
            items(160, |number, item| {
                let gender = ["masculine", "feminine"][number % 2];
                item.with_label("subset", "counterfactual")
                    .with_label("gender", gender)
                    .with_label("reference", "el")
                    .with_label("other", "ella")
                    .with_label("pair", (number / 2).to_string())
            }),
            &["lang:es"],
            Scorer::Translate,
            "delta_accuracy",
            Box::new(right),
        ),
        case(
            "gate",
            items(160, |_, item| {
                item.with_label("variants", r#"{"f":"la jefa","m":"el jefe"}"#)
                    .with_label("key_words", "")
                    .with_label("task", "mt")
            }),
            &["lang:es"],
            Scorer::Translate,
            "delta_masculine_share",
            Box::new(|share| findings(160, share, |_, so| sex(!so))),
        ),
        case(
            "gest-chat",
            gest(160),
            wordings,
            Scorer::Chat,
            "delta_s",
            Box::new(follows),
        ),
        case(
            "occupations-chat",
            items(160, |number, item| {
                item.with_label("women", if male(number) { "20" } else { "80" })
            }),
            wordings,
            Scorer::Chat,
            "delta_s",
            Box::new(follows),
        ),
    ]
}

#[test]
fn a_difference_is_the_second_less_the_first() {
    for case in cases() {
        for interval in ["clustered", "published"] {
            let (name, metric) = (case.name, case.metric);
            let rows = case.rows(&[0.4, 0.8], interval, |benchmark, judged| {
                epicene_bench::compare(benchmark, judged, 0, 1).unwrap()
            });
            for row in &rows {
                assert_eq!(row.compared(), Some(("before", "after")), "{name}: {row:?}");
                let difference = row.difference_of().map(|of| format!("delta_{of}"));
                let metric = Some(&row.metric).filter(|metric| metric.starts_with("delta_"));
                assert_eq!(difference.as_ref(), metric, "{name}, {interval}");
            }
            let row = rows.iter().find(|row| row.metric == metric);
            let row = row.unwrap_or_else(|| panic!("{name} has no {metric} in {rows:?}"));
            assert_eq!(row.system, "after - before", "{name}, {interval}");
            assert!(row.value > 0.0, "{name}, {interval}: {row:?}");
            if let (Some(low), Some(high)) = (row.low, row.high) {
                assert!(
                    low <= row.value && row.value <= high,
                    "{name}, {interval}: {row:?}"
                );
            }
        }
    }
}

/// Neither an estimate nor its precision: tests against chance and counts that they rest on.
fn is_of_a_test(metric: &str) -> bool {
    let tests = ["mcnemar_", "p_value", "p_holm", "p_delta_"];
    tests.iter().any(|test| metric.starts_with(test))
}

#[test]
fn an_interval_changes_no_estimate() {
    let mut seen = 0;
    for case in cases() {
        for share in [0.1, 0.5, 0.9] {
            let [clustered, published] = ["clustered", "published"].map(|interval| {
                case.rows(&[share], interval, |benchmark, judged| {
                    benchmark.measure(judged).unwrap()
                })
            });
            for row in &published {
                let same = |other: &&Row| {
                    let key = |row: &Row| (row.unit.clone(), row.group.clone(), row.metric.clone());
                    key(other) == key(row) && other.system == row.system
                };
                let Some(other) = clustered.iter().find(same) else {
                    continue;
                };
                if !is_of_a_test(&row.metric) {
                    let off = (row.value - other.value).abs();
                    assert!(off < 1e-12, "{} at {share}: {row:?} {other:?}", case.name);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// What a metric can be, at least and at most. What is not named here is a share, or per cent.
fn range(case: &Case, metric: &str) -> (f64, f64) {
    let most = match case.name {
        "winomt" | "wibemt" | "crows-pairs" | "stereoset" | "mbe" => 100.0,
        _ => 1.0,
    };
    match metric {
        "g_s" | "ghat_s" | "odds_ratio" => (0.0, f64::INFINITY),
        "log10_ratio" => (f64::NEG_INFINITY, f64::INFINITY),
        // In GEST a factor, in EuroGEST a preference.
        "q" | "q_m" | "q_f" | "q_fam" | "male" | "female" if case.name != "eurogest" => {
            (0.0, f64::INFINITY)
        }
        "s" | "f_s" | "gap" | "stereotype" | "position" | "corr_women" | "corr_words"
        | "inclination" | "framing_low" | "framing_high" => (-1.0, 1.0),
        "framing_spread" => (0.0, 2.0),
        "gap_bleu" | "gap_chrf" => (-100.0, 100.0),
        metric if metric.starts_with("delta") => (-most, most),
        "bleu" | "chrf" => (0.0, 100.0),
        _ => (0.0, most),
    }
}

#[test]
fn intervals_of_rates_stay_within_what_rates_can_be() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for case in cases() {
        for share in [0.0, 0.02, 0.5, 0.98, 1.0] {
            let rows = case.rows(&[share], "clustered", |benchmark, judged| {
                benchmark.measure(judged).unwrap()
            });
            for row in rows {
                let (Some(low), Some(high)) = (row.low, row.high) else {
                    continue;
                };
                seen += 1;
                let (least, most) = range(&case, &row.metric);
                let around = low - 1e-12 <= row.value && row.value <= high + 1e-12;
                let inside = least <= low && around && high <= most;
                // Nobody is sure of a share because all of some items agreed.
                let unlike = [
                    "disparity",
                    "order_effect",
                    "framing_spread",
                    "bleu",
                    "chrf",
                ];
                let is_share = least == 0.0 && most.is_finite();
                let at_end = is_share && (row.value == 0.0 || row.value == most);
                let sure = at_end && low == high && !unlike.contains(&row.metric.as_str());
                if !inside || sure {
                    wrong.push(format!("{} at {share}: {row:?}", case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 1000, "{seen}");
}
