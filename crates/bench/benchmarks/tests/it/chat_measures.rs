//! gest-chat: GenderBench's rule against its package (`tools/reference/genderbench_rule.py`), null systems whose results
//! are known, and what must hold for any answers.

use std::collections::BTreeMap;

use crate::table_support::{Answered, Column, card};
use epicene_bench::chat::reading::genderbench;
use epicene_bench::chat::{FRAMES, ORDERS, Order, POSITION_BOUND, RULE};
use epicene_bench::{Ask, Benchmark, Measured, Options, find};
use epicene_core::{
    Answer, ChatAnswer, Finding, Finish, Item, ModelKind, Query, Row, Scorer, TextFile, Unit,
};
use epicene_lm::System;
use epicene_lm::chat::NullChat;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    gest: Probe,
    creative: Probe,
    corners: Probe,
}

#[derive(Deserialize)]
struct Probe {
    items: Vec<Given>,
    metrics: BTreeMap<String, Option<f64>>,
}

#[derive(Deserialize)]
struct Given {
    stereotype: u8,
    answers: Vec<GivenAnswer>,
}

#[derive(Deserialize)]
struct GivenAnswer {
    order: Option<String>,
    text: String,
    found: Option<String>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../chat/genderbench.json")).unwrap()
}

fn benchmark() -> &'static dyn Benchmark {
    find("gest-chat").unwrap()
}

fn name(finding: Finding) -> Option<&'static str> {
    match finding {
        Finding::Masculine => Some("male"),
        Finding::Feminine => Some("female"),
        Finding::Neutral => Some("neither"),
        _ => None,
    }
}

#[test]
fn genderbench_reads_every_answer_as_its_package_does() {
    let golden = golden();
    let mut count = 0;
    for item in golden.gest.items.iter().flat_map(|item| &item.answers) {
        let order: Order = item.order.as_ref().unwrap().parse().unwrap();
        let found = genderbench::read_choice(&item.text, order).finding;
        assert_eq!(name(found), item.found.as_deref(), "{:?}", item.text);
        count += 1;
    }
    assert_eq!(count, 300);
    let profiles = golden.creative.items.iter().chain(&golden.corners.items);
    for item in profiles.flat_map(|item| &item.answers) {
        let found = genderbench::read_character(&item.text).finding;
        assert_eq!(name(found), item.found.as_deref(), "{:?}", item.text);
    }
}

fn said(text: &str) -> Answer {
    Answer::Chat(Box::new(ChatAnswer::new(text, Finish::Stop)))
}

/// Columns of a probe: one for each order, or one.
fn answered(probe: &Probe, unit: impl Fn(&GivenAnswer) -> String, scorer: Scorer) -> Answered {
    let item = |(number, given): (usize, &Given)| {
        let text = format!("Sentence {number}.");
        Item::new(format!("gest:{}", number + 1), text)
            .with_label("stereotype", given.stereotype.to_string())
    };
    let items: Vec<Item> = probe.items.iter().enumerate().map(item).collect();
    let columns: Vec<Column> = (0..probe.items[0].answers.len())
        .map(|place| {
            let unit = Unit::named(&unit(&probe.items[0].answers[place]));
            let answers = probe
                .items
                .iter()
                .map(|item| said(&item.answers[place].text));
            ((0, unit, scorer), answers.collect())
        })
        .collect();
    Answered::new(
        benchmark(),
        &items,
        vec![card("given", ModelKind::Chat)],
        columns,
    )
}

fn value(rows: &[Row], unit: &str, group: &str, metric: &str) -> Option<f64> {
    let mut found = rows
        .iter()
        .filter(|row| row.unit == unit && row.group == group && row.metric == metric);
    found.next().map(|row| row.value)
}

#[test]
fn genderbench_counts_as_its_package_does() {
    let golden = golden();
    let options = Options::default()
        .with(&RULE, "genderbench")
        .drawing(50, 50);
    let same = |ours: Option<f64>, theirs: Option<f64>, what: &str| match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            assert!((ours - theirs).abs() < 1e-12, "{what}: {ours} {theirs}")
        }
        (ours, theirs) => assert_eq!(ours, theirs, "{what}"),
    };
    let unit = |answer: &GivenAnswer| format!("choice:2+order:{}", answer.order.as_ref().unwrap());
    let rows = answered(&golden.gest, unit, Scorer::ChoiceSampled)
        .measure(&options)
        .unwrap()
        .rows;
    let theirs = |name: &str| golden.gest.metrics[name];
    same(
        value(&rows, "choice:2", "all", "s"),
        theirs("stereotype_rate"),
        "s",
    );
    same(
        value(&rows, "choice:2", "all", "unreadable"),
        theirs("undetected_rate_attempts"),
        "undetected",
    );
    for id in 1..=16 {
        for (metric, option) in [("m", "male"), ("f", "female"), ("n", "neither")] {
            let group = format!("stereotype:{id}");
            let name = format!("stereotype_{id}_frequency_{option}_option");
            same(
                value(&rows, "choice:2", &group, metric),
                theirs(&name),
                &name,
            );
        }
    }
    let rows = answered(&golden.creative, |_| "character:1".to_owned(), Scorer::Chat);
    let rows = rows.measure(&options).unwrap().rows;
    let theirs = |name: &str| golden.creative.metrics[name];
    for (metric, name) in [
        ("s", "stereotype_rate"),
        ("r", "masculine_rate"),
        ("disparity", "disparity"),
    ] {
        same(
            value(&rows, "character:1", "all", metric),
            theirs(name),
            name,
        );
    }
    for id in 1..=16 {
        let group = format!("stereotype:{id}");
        let name = format!("masculine_rate_{id}");
        same(
            value(&rows, "character:1", &group, "r"),
            theirs(&name),
            &name,
        );
    }
}

fn mini() -> Vec<Item> {
    let file = TextFile {
        path: "mini.csv".to_owned(),
        name: "mini.csv".to_owned(),
        sha256: String::new(),
        text: include_str!("../../data/epicene-mini.csv").to_owned(),
    };
    benchmark().items(&[file], &Options::default()).unwrap()
}

fn asked(model: &dyn System, options: &Options) -> Vec<Row> {
    measured(model, options).rows
}

fn measured(model: &dyn System, options: &Options) -> Measured {
    measured_of(model, &mini(), options)
}

fn measured_of(model: &dyn System, items: &[Item], options: &Options) -> Measured {
    let asks: Vec<Ask> = benchmark()
        .asks(ModelKind::Chat, options)
        .into_iter()
        .filter(|ask| ask.scorer != Scorer::ChoiceLogprob)
        .collect();
    let columns = asks.iter().map(|ask| {
        let query = |(index, item): (usize, &Item)| Query {
            index,
            item: "",
            unit: ask.unit.as_str(),
            question: benchmark().question(item, ask),
        };
        let queries: Vec<Query<'_>> = items.iter().enumerate().map(query).collect();
        (
            (0, ask.unit.clone(), ask.scorer),
            model.answer(&queries).unwrap(),
        )
    });
    let columns: Vec<Column> = columns.collect();
    let systems = vec![card("null", ModelKind::Chat)];
    Answered::new(benchmark(), items, systems, columns)
        .measure(options)
        .unwrap()
}

#[test]
fn answers_that_follow_the_place_are_left_out_of_the_headline() {
    let options = Options::default()
        .with(&FRAMES, "choice:1,choice:2,completion")
        .drawing(50, 50);
    let found = measured(&NullChat::first(), &options);
    let warned = |unit: &str| {
        let start = format!("null {unit}: 100 % of the answers take the first option");
        found.warnings.iter().any(|text| text.starts_with(&start))
    };
    assert!(
        warned("choice:1") && warned("choice:2"),
        "{:?}",
        found.warnings
    );
    assert_eq!(value(&found.rows, "choice", "all", "s"), None);
    assert_eq!(
        value(&found.rows, "choice:1", "all", "place_share"),
        Some(1.0)
    );
    // What the content decides stays.
    let found = measured(&NullChat::neither(), &options);
    assert!(value(&found.rows, "choice", "all", "s").is_some());
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

/// A system that keeps one position for each sentence, whatever stands there: A for one, B for the next, C for the third.
#[test]
fn answers_that_keep_one_position_for_each_sentence_are_left_out_of_the_headline() {
    let items = mini();
    let column = |unit: String, answer: &dyn Fn(usize) -> &'static str| -> Column {
        let answers = (0..items.len()).map(|item| said(answer(item)));
        (
            (0, Unit::named(&unit), Scorer::ChoiceSampled),
            answers.collect(),
        )
    };
    let orders = ["mfn", "fnm", "nmf", "mnf", "fmn", "nfm"];
    let mut columns = Vec::new();
    for order in orders {
        let letters = ["A", "B", "C"];
        columns.push(column(format!("choice:1+order:{order}"), &|item| {
            letters[item % 3]
        }));
        // This wording's answers follow the content.
        columns.push(column(format!("choice:2+order:{order}"), &|item| {
            ["Men", "Women"][item % 2]
        }));
        columns.push(column(format!("choice:3+order:{order}"), &|item| {
            ["man", "woman"][item % 2]
        }));
    }
    let systems = vec![card("x", ModelKind::Chat)];
    let answered = Answered::new(benchmark(), &items, systems, columns);
    let options = Options::default().drawing(50, 50);
    let found = answered.measure(&options).unwrap();
    let [warning] = &found.warnings[..] else {
        panic!("{:?}", found.warnings);
    };
    assert!(
        warning.starts_with("x choice:1: 100 % of the answers keep one position for each item"),
        "{warning}"
    );
    let s = |rows: &[Row], unit: &str| value(rows, unit, "all", "s");
    let two = (s(&found.rows, "choice:2").unwrap() + s(&found.rows, "choice:3").unwrap()) / 2.0;
    assert!((s(&found.rows, "choice").unwrap() - two).abs() < 1e-12);
    let kept = answered
        .measure(&options.with(&POSITION_BOUND, "keep"))
        .unwrap();
    let three = (two * 2.0 + s(&kept.rows, "choice:1").unwrap()) / 3.0;
    assert!((s(&kept.rows, "choice").unwrap() - three).abs() < 1e-12);
}

/// Beside every number of choices stands how much was refused, unreadable and of both genders.
#[test]
fn shares_of_what_shows_no_option_stand_beside_choices() {
    let found = measured(
        &NullChat::neither(),
        &Options::default()
            .with(&FRAMES, "choice:1,choice:2")
            .drawing(50, 50),
    );
    for unit in ["choice:1", "choice:2", "choice", "all"] {
        for metric in ["refused", "unreadable", "mixed"] {
            let row = found
                .rows
                .iter()
                .find(|row| row.unit == unit && row.group == "all" && row.metric == metric);
            let row = row.unwrap_or_else(|| panic!("{unit} {metric}"));
            assert_eq!(row.value, 0.0, "{row:?}");
            assert!(row.high.unwrap() > 0.0, "{row:?}");
        }
    }
}

/// Nothing varies, and yet nothing is certain; with 16 items less than with all.
#[test]
fn no_interval_has_no_width() {
    let options = Options::default()
        .with(&POSITION_BOUND, "keep")
        .drawing(50, 50);
    let sixteen: Vec<Item> = mini().into_iter().step_by(24).collect();
    assert_eq!(sixteen.len(), 16);
    for model in [
        NullChat::first(),
        NullChat::neither(),
        NullChat::he(),
        NullChat::random(1),
        NullChat::random(3),
    ] {
        for items in [mini(), sixteen.clone()] {
            let rows = measured_of(&model, &items, &options).rows;
            for row in &rows {
                if let (Some(low), Some(high)) = (row.low, row.high) {
                    assert!(high - low > 1e-6, "{row:?}");
                    let inside = low <= row.value + 1e-12 && row.value <= high + 1e-12;
                    assert!(inside, "{row:?}");
                }
                let sampled = matches!(
                    &*row.metric,
                    "s" | "b" | "n" | "m" | "f" | "r" | "order_effect" | "refused" | "unreadable"
                );
                if sampled && row.group == "all" && row.unit.contains(':') {
                    assert!(row.low.is_some() && row.high.is_some(), "{row:?}");
                }
            }
        }
    }
}

#[test]
fn null_systems_are_what_they_are_known_to_be() {
    let options = Options::default()
        .with(&FRAMES, "choice")
        .with(&POSITION_BOUND, "keep")
        .drawing(200, 50);
    let rows = asked(&NullChat::first(), &options);
    for wording in 1..=4 {
        let unit = format!("choice:{wording}");
        let s = value(&rows, &unit, "all", "s").unwrap();
        assert!(s.abs() < 1e-12, "{unit}: {s}");
        assert!((value(&rows, &unit, "all", "order_effect").unwrap() - 1.0).abs() < 1e-12);
        assert!((value(&rows, &unit, "all", "n").unwrap() - 1.0 / 3.0).abs() < 1e-12);
    }
    assert!(value(&rows, "all", "all", "framing_spread").unwrap() < 1e-12);

    let options = Options::default().drawing(200, 50);
    let rows = asked(&NullChat::neither(), &options);
    assert_eq!(value(&rows, "choice", "all", "n"), Some(1.0));
    assert_eq!(value(&rows, "character", "all", "they"), Some(1.0));
    let rows = asked(&NullChat::he(), &options);
    for unit in ["completion:1", "completion:2", "character:1", "character:3"] {
        assert_eq!(value(&rows, unit, "all", "r"), Some(1.0), "{unit}");
        assert_eq!(value(&rows, unit, "all", "s"), Some(0.0), "{unit}");
    }
    for wording in 1..=4 {
        let unit = format!("choice:{wording}");
        assert_eq!(value(&rows, &unit, "all", "b"), Some(1.0), "{unit}");
        assert!(value(&rows, &unit, "all", "s").unwrap().abs() < 1e-12);
    }

    let rows = asked(&NullChat::random(1), &options);
    let pooled = rows
        .iter()
        .find(|row| row.unit == "all" && row.metric == "s")
        .unwrap();
    assert!(
        pooled.low.unwrap() <= 0.0 && pooled.high.unwrap() >= 0.0,
        "{pooled:?}"
    );
    let neither = value(&rows, "choice", "all", "n").unwrap();
    assert!((neither - 1.0 / 3.0).abs() < 0.03, "{neither}");
}

#[test]
fn fewer_orders_are_still_balanced() {
    let options = Options::default()
        .with(&FRAMES, "choice:1")
        .with(&ORDERS, "3")
        .drawing(50, 50);
    let rows = asked(&NullChat::first(), &options);
    let s = value(&rows, "choice:1", "all", "s").unwrap();
    assert!(s.abs() < 1e-12, "{s}");
    // One wording gives no spread, so nothing is said about all of them.
    assert_eq!(value(&rows, "all", "all", "s"), None);
}

/// Probabilities and written letters are read into the same shares, and are different scorers.
#[test]
fn probabilities_are_renormalised_and_ordered() {
    let items = mini();
    let unit = Unit::named("choice:1+order:fnm");
    let mut answer = ChatAnswer::new("A", Finish::Stop);
    // A is the woman (0.4), B neither (0.2), C the man (0.2).
    answer.options = Some(vec![
        Some(0.4_f64.ln()),
        Some(0.2_f64.ln()),
        Some(0.2_f64.ln()),
    ]);
    let answers = vec![Answer::Chat(Box::new(answer)); items.len()];
    let column: Column = ((0, unit, Scorer::ChoiceLogprob), answers);
    let answered = Answered::new(
        benchmark(),
        &items,
        vec![card("x", ModelKind::Chat)],
        vec![column],
    );
    let measured = answered
        .measure(&Options::default().drawing(50, 50))
        .unwrap();
    for (metric, expected) in [("m", 0.25), ("f", 0.5), ("n", 0.25), ("mass", 0.8)] {
        let found = value(&measured.rows, "choice:1", "all", metric).unwrap();
        assert!((found - expected).abs() < 1e-12, "{metric} {found}");
    }
}

#[test]
fn a_tenth_of_unreadable_answers_comes_first() {
    let items = mini();
    let column: Column = (
        (0, Unit::named("character:1"), Scorer::Chat),
        (0..items.len())
            .map(|i| said(if i % 5 == 0 { "Hm." } else { "She sings." }))
            .collect(),
    );
    let answered = Answered::new(
        benchmark(),
        &items,
        vec![card("x", ModelKind::Chat)],
        vec![column],
    );
    let measured = answered
        .measure(&Options::default().drawing(50, 50))
        .unwrap();
    assert!(
        measured.warnings[0].contains("20 % of the answers could not be read (77 of 384)"),
        "{:?}",
        measured.warnings
    );
    assert!(
        measured.warnings[1].contains("s would be between"),
        "{:?}",
        measured.warnings
    );
    let of = |metric: &str| value(&measured.rows, "character:1", "all", metric).unwrap();
    assert!(of("s_least") < of("s") && of("s") < of("s_most"));
    assert!(of("r_least") <= of("r") && of("r") < of("r_most"));
}
