//! A difference is the second system less the first, in every benchmark, however intervals are made; and its row names both
//! in that order.
#![allow(clippy::unwrap_used, clippy::panic)]

mod table_support;

use epicene_bench::options::INTERVAL;
use epicene_bench::{Judged, Options, Verdicts, find, judge};
use epicene_core::{
    Answer, AnswerTable, DataCard, Finding, Item, LikelihoodMethod, ModelKind, Row, Scorer, Unit,
    Verdict,
};
use table_support::card;

/// What two systems answered: numbers, or verdicts on translations.
enum Both {
    Answers([Vec<Answer>; 2]),
    Findings([Vec<Finding>; 2]),
}

fn compared(
    name: &str,
    items: &[Item],
    (unit, scorer): (&str, Scorer),
    both: &Both,
    interval: &str,
) -> Vec<Row> {
    let benchmark = find(name).unwrap();
    let options = Options::default().drawing(50, 99).with(&INTERVAL, interval);
    let systems = vec![
        card("before", ModelKind::Masked),
        card("after", ModelKind::Masked),
    ];
    let places = (0..2).map(|system| (system, Unit::named(unit), scorer));
    let mut table = AnswerTable::new(items.iter().collect(), systems, places);
    let mut verdicts = Vec::new();
    match both {
        Both::Answers(sides) => {
            for (column, answers) in sides.iter().enumerate() {
                for (item, answer) in answers.iter().enumerate() {
                    table.put(item, column, answer.clone());
                }
            }
            verdicts.extend(judge(benchmark, &table, &options).unwrap());
        }
        Both::Findings(sides) => {
            for (column, findings) in sides.iter().enumerate() {
                let mut cells = Vec::new();
                for (item, finding) in findings.iter().enumerate() {
                    table.put(item, column, Answer::Translation("x".to_owned()));
                    let mut verdict = Verdict::new(*finding, "given");
                    verdict.outcome = benchmark.outcome(table.items.get(item), *finding);
                    cells.push(Some(verdict));
                }
                verdicts.push(Verdicts::new(cells));
            }
        }
    }
    let data = DataCard {
        name: "test".to_owned(),
        version: "1".to_owned(),
        sha256: String::new(),
        items: items.len(),
    };
    let judged = Judged {
        card: benchmark.card(),
        table: &table,
        verdicts: &verdicts,
        options: &options,
        data: &data,
        whole: true,
    };
    benchmark.compare(&judged, 0, 1).unwrap().rows
}

/// The metric is larger in the second system: its difference is above 0.
fn grows(name: &str, items: &[Item], place: (&str, Scorer), metric: &str, both: &Both) {
    for interval in ["clustered", "published"] {
        let rows = compared(name, items, place, both, interval);
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

/// A little noise that is the same every time.
fn noise(item: usize) -> f64 {
    ((item * 7919 + 13) % 101) as f64 / 101.0 - 0.5
}

const AULA: (&str, Scorer) = ("method:aula", Scorer::Likelihood(LikelihoodMethod::Aula));

#[test]
fn language_models() {
    let gest: Vec<Item> = (0..160)
        .map(|item| {
            let id = 1 + item % 16;
            Item::new(format!("g:{item}"), "x").with_label("stereotype", id.to_string())
        })
        .collect();
    let scores = |more: f64| -> Vec<Answer> {
        let score = |item: usize| {
            let male = 1 + item % 16 >= 8;
            Answer::Log10Ratio(noise(item) + if male { more } else { 0.0 })
        };
        (0..160).map(score).collect()
    };
    let both = Both::Answers([scores(0.1), scores(0.5)]);
    let place = ("template:1", Scorer::MaskedPair);
    grows("gest", &gest, place, "delta_g_s", &both);

    let winobias: Vec<Item> = (0..160)
        .map(|item| {
            Item::new(format!("w:{item}"), "x")
                .with_label("split", "split:type1-dev")
                .with_label(
                    "occupation",
                    if 1 + item % 16 >= 8 { "male" } else { "female" },
                )
        })
        .collect();
    let place = ("pairs", Scorer::MaskedPair);
    grows("winobias", &winobias, place, "delta_ghat_s", &both);

    let pairs: Vec<Item> = (0..60)
        .map(|item| {
            Item::new(format!("p:{item}"), "x").with_label("target", format!("t{}", item % 20))
        })
        .collect();
    let wins = |share: f64| -> Vec<Answer> {
        let answer = |item: usize| {
            let first = if noise(item) + 0.5 < share {
                -0.5
            } else {
                -2.0
            };
            Answer::Likelihoods(vec![Some(first), Some(-1.0)])
        };
        (0..60).map(answer).collect()
    };
    let both = Both::Answers([wins(0.4), wins(0.7)]);
    grows("crows-pairs", &pairs, AULA, "delta_pair_score", &both);
    grows("stereoset", &pairs, AULA, "delta_pair_score", &both);

    let sentences: Vec<Item> = (0..80)
        .map(|item| {
            Item::new(format!("mbe:{item}"), "x")
                .with_label("gender", if item < 40 { "m" } else { "f" })
        })
        .collect();
    let likelihoods = |more: f64| -> Vec<Answer> {
        let answer = |item: usize| Answer::Sentence {
            likelihood: noise(item) + if item < 40 { more } else { 0.0 },
            embedding: vec![1.0, 0.5].into_boxed_slice(),
        };
        (0..80).map(answer).collect()
    };
    let both = Both::Answers([likelihoods(0.0), likelihoods(0.3)]);
    grows("mbe", &sentences, AULA, "delta_mbe", &both);
}

#[test]
fn translators() {
    let sex = |feminine: bool| {
        if feminine {
            Finding::Feminine
        } else {
            Finding::Masculine
        }
    };
    let german = ("lang:de", Scorer::Translate);
    // The second translator follows stereotypes about men more.
    let gest: Vec<Item> = (0..160)
        .map(|item| {
            Item::new(format!("g:{item}"), "x")
                .with_label("stereotype", (1 + item % 16).to_string())
        })
        .collect();
    let follows = |share: f64| -> Vec<Finding> {
        let finding = |item: usize| {
            let share = if 1 + item % 16 >= 8 { share } else { 0.3 };
            sex(noise(item) + 0.5 >= share)
        };
        (0..160).map(finding).collect()
    };
    let both = Both::Findings([follows(0.4), follows(0.8)]);
    grows(
        "gest",
        &gest,
        ("lang:sk", Scorer::Translate),
        "delta_f_s",
        &both,
    );

    // The second is right more often.
    let right = |feminine: fn(usize) -> bool, share: f64| -> Vec<Finding> {
        let finding = |item: usize| sex(feminine(item) == (noise(item) + 0.5 < share));
        (0..160).map(finding).collect()
    };
    let occupations = ["nurse", "secretary", "driver", "mechanic"];
    let unambiguous: Vec<Item> = (0..160)
        .map(|item| {
            let place = (item / 2) % 4;
            let stereotype = if place < 2 { "F" } else { "M" };
            Item::new(format!("u:{item}"), "x")
                .with_label("answer", if item % 2 == 0 { "_EXP_M_" } else { "_EXP_F_" })
                .with_label("features", format!("_OCC_NO_{stereotype}_"))
                .with_label("occupation", occupations[place])
        })
        .collect();
    let odd = |item: usize| item % 2 == 1;
    let both = Both::Findings([right(odd, 0.4), right(odd, 0.8)]);
    grows("unambiguous", &unambiguous, german, "delta_correct", &both);

    let winomt: Vec<Item> = (0..160)
        .map(|item| {
            Item::new(format!("m:{item}"), "x")
                .with_label("gender", if item % 2 == 0 { "male" } else { "female" })
                .with_label("index", "0")
                .with_label("occupation", occupations[(item / 2) % 4])
        })
        .collect();
    grows("winomt", &winomt, german, "delta_acc", &both);

    // The second says more women.
    let wibemt: Vec<Item> = (0..160)
        .map(|item| {
            Item::new(format!("v:{item}"), "x")
                .with_label("part", "verb")
                .with_label("occupation", format!("o{}", item % 20))
                .with_label("class", "N")
                .with_label("verb", format!("v{}", item / 20))
                .with_label("verb_class", if item / 20 % 2 == 0 { "F" } else { "M" })
        })
        .collect();
    let women = |share: f64| -> Vec<Finding> {
        (0..160)
            .map(|item| sex(noise(item) + 0.5 < share))
            .collect()
    };
    let both = Both::Findings([women(0.2), women(0.6)]);
    grows("wibemt", &wibemt, german, "delta_tfg", &both);
}
