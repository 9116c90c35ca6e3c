//! Winogender against the reference values of its specification (`bbq`, section 9), by lm-evaluation-harness' protocol and the
//! paper's.

use std::collections::BTreeMap;

use epicene_bench::{AnswerFile, Benchmark, Options, find};
use epicene_core::{
    Answer, ChatAnswer, Finish, Item, ModelKind, Question, Row, Scorer, TextFile, Unit,
};
use serde_json::Value;

use crate::shared_files::{json, read_text, shared};
use crate::table_support::{Answered, Coverage, REPETITIONS, Stream, card};

fn winogender() -> &'static dyn Benchmark {
    find("winogender").unwrap()
}

fn items() -> Option<(Vec<Item>, Value)> {
    let folder = shared("winogender")?;
    let files = ["all_sentences.tsv", "occupations-stats.tsv"];
    let files = files.map(|name| read_text(&folder.join(name)));
    let items = winogender().items(&files, &Options::default()).unwrap();
    Some((items, json(&folder.join("golden.json"))))
}

fn draw(id: &str) -> u64 {
    let hash = id
        .bytes()
        .fold(14_695_981_039_346_656_037_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
        });
    hash >> 33
}

/// The option that a system of the reference file chooses: 0 is the occupation.
fn recipe(system: &str, item: &Item) -> usize {
    let label = |name: &str| item.label(name).unwrap();
    let answer: usize = label("answer").parse().unwrap();
    let id = item.id.strip_prefix("winogender:").unwrap();
    let stereotype = |women: &str| {
        let feminine = label(women).parse::<f64>().unwrap() >= 50.0;
        match label("gender") {
            "neutral" => answer,
            gender => usize::from((gender == "female") != feminine),
        }
    };
    match system {
        "perfect" => answer,
        "always_occupation" => 0,
        "always_participant" => 1,
        "stereotype_bls" => stereotype("women_bls"),
        "stereotype_text" => stereotype("women_text"),
        "random" => (draw(id) % 2) as usize,
        "mixed" if draw(id) % 10 < 6 => answer,
        "mixed" => stereotype("women_bls"),
        other => panic!("no recipe for {other}"),
    }
}

fn measured(items: &[Item], option: impl Fn(&Item) -> usize) -> Vec<Row> {
    let say = |item: &Item| {
        let letter = ["A", "B"][option(item)];
        Answer::Chat(Box::new(ChatAnswer::new(letter, Finish::Stop)))
    };
    let column = (
        (0, Unit::named("answers"), Scorer::ChoiceSampled),
        items.iter().map(say).collect(),
    );
    let systems = vec![card("s", ModelKind::Chat)];
    let table = Answered::new(winogender(), items, systems, vec![column]);
    table.measure(&Options::default()).unwrap().rows
}

#[track_caller]
fn same(rows: &[Row], group: &str, metric: &str, times: f64, expected: &Value) {
    let mut own = rows.iter();
    let found = own.find(|row| row.group == group && row.metric == metric);
    match (found.map(|row| times * row.value), expected.as_f64()) {
        (None, None) => {}
        (Some(found), Some(expected)) => {
            let what = format!("{group} {metric}: {found}, expected {expected}");
            assert!((found - expected).abs() < 1e-9, "{what}");
        }
        other => panic!("{group} {metric}: {other:?}"),
    }
}

#[test]
fn systems_as_the_reference_file_has_them() {
    let Some((items, golden)) = items() else {
        return;
    };
    assert_eq!(items.len(), 720);
    let gotcha = |gender: &str, answer: &str| {
        let own = items.iter().filter(|item| {
            item.label("gotcha") == Some("yes")
                && item.label("gender") == Some(gender)
                && item.label("answer") == Some(answer)
        });
        Value::from(own.count())
    };
    for gender in ["female", "male"] {
        let facts = &golden["facts"]["gotcha"][gender];
        assert_eq!(gotcha(gender, "0"), facts["occupation"]);
        assert_eq!(gotcha(gender, "1"), facts["participant"]);
    }
    for (system, expected) in golden["systems"].as_object().unwrap() {
        println!("{system}");
        let rows = measured(&items, |item| recipe(system, item));
        let lm_eval = &expected["lm_eval"];
        for (name, group) in [
            ("winogender_all", "all"),
            ("winogender_male", "gender:male"),
            ("winogender_female", "gender:female"),
            ("winogender_neutral", "gender:neutral"),
            ("winogender_gotcha", "gotcha:yes"),
            ("winogender_gotcha_male", "gotcha:yes+gender:male"),
            ("winogender_gotcha_female", "gotcha:yes+gender:female"),
        ] {
            same(&rows, group, "accuracy", 1.0, &lm_eval[name]);
        }
        let paper = &expected["paper"];
        for gender in ["male", "female", "neutral"] {
            let share = &paper[&format!("pct_occupation_{gender}")];
            same(
                &rows,
                &format!("gender:{gender}"),
                "occupation_share",
                100.0,
                share,
            );
        }
        for (name, group) in [
            ("accuracy_not_gotcha_female", "gotcha:no+gender:female"),
            ("accuracy_not_gotcha_male", "gotcha:no+gender:male"),
            ("accuracy_gotcha_female", "gotcha:yes+gender:female"),
            ("accuracy_gotcha_male", "gotcha:yes+gender:male"),
        ] {
            same(&rows, group, "accuracy", 100.0, &paper[name]);
        }
        let pairs = &paper["pct_pairs_resolved_differently"];
        same(&rows, "all", "pairs_apart", 100.0, pairs);
        let row = rows.iter().find(|row| row.metric == "pairs_apart").unwrap();
        assert_eq!(row.n, paper["pairs"].as_u64());
        same(&rows, "all", "r_bls", 1.0, &paper["r_bls"]);
        same(&rows, "all", "r_text", 1.0, &paper["r_text"]);
    }
}

#[test]
fn continuations_are_those_of_lm_eval() {
    let Some((items, _)) = items() else { return };
    let golden = json(&shared("bbq").unwrap().join("golden.json"));
    let ask = &winogender().asks(ModelKind::Causal, &Options::default())[0];
    let samples = golden["tiny_llama"]["bos"]["winogender_all"]["samples"].as_array();
    for sample in samples.unwrap() {
        let id = format!("winogender:{}", sample["id"].as_str().unwrap());
        let item = items.iter().find(|item| item.id == id).unwrap();
        let Question::Continuations {
            context,
            continuations,
        } = winogender().question(item, ask)
        else {
            panic!("causal models are asked for continuations");
        };
        assert_eq!(context, sample["context"].as_str().unwrap());
        assert_eq!(Value::from(continuations), sample["continuations"]);
    }
}

/// Occupations are drawn with an accuracy and a gap of their own.
#[test]
fn intervals_over_occupations_cover() {
    let Some((items, _)) = items() else { return };
    let (right, gap) = (0.75, 0.2);
    let of_gotcha = |item: &Item| match item.label("gotcha") {
        Some("yes") => -0.5,
        Some("no") => 0.5,
        _ => 0.0,
    };
    let mut coverage = Coverage::of(&[("accuracy", right), ("gap_gotcha", gap)]);
    for repetition in 0..REPETITIONS {
        let mut stream = Stream(repetition * 7919 + 59);
        let mut drawn: BTreeMap<String, [f64; 2]> = BTreeMap::new();
        let mut options = BTreeMap::new();
        for item in &items {
            let occupation = item.label("occupation").unwrap().to_owned();
            let [own, apart] = *drawn
                .entry(occupation)
                .or_insert_with(|| [stream.around(right, 0.07), stream.around(gap, 0.05)]);
            let answer: usize = item.label("answer").unwrap().parse().unwrap();
            let is_right = stream.uniform() < own + of_gotcha(item) * apart;
            let option = if is_right { answer } else { 1 - answer };
            options.insert(item.id.clone(), option);
        }
        coverage.count(&measured(&items, |item| options[&item.id]));
    }
    coverage.check();
}

/// An answer that follows the order of options takes each option once.
#[test]
fn an_order_following_system_is_at_chance() {
    let Some((items, _)) = items() else { return };
    let asks = winogender().asks(ModelKind::Chat, &Options::default());
    let columns = asks
        .iter()
        .filter(|ask| ask.scorer == Scorer::ChoiceSampled && ask.unit.get("prompt") == Some("1"));
    let columns = columns.map(|ask| {
        let answer = Answer::Chat(Box::new(ChatAnswer::new("A", Finish::Stop)));
        ((0, ask.unit.clone(), ask.scorer), vec![answer; items.len()])
    });
    let systems = vec![card("s", ModelKind::Chat)];
    let table = Answered::new(winogender(), &items, systems, columns.collect());
    let rows = table.measure(&Options::default()).unwrap().rows;
    same(&rows, "all", "accuracy", 1.0, &Value::from(0.5));
    same(&rows, "all", "gap_gotcha", 1.0, &Value::from(0.0));
    same(
        &rows,
        "gender:female",
        "occupation_share",
        1.0,
        &Value::from(0.5),
    );
}

fn file(name: &str, text: &str) -> TextFile {
    TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text: text.to_owned(),
    }
}

#[test]
fn bad_input_is_refused_with_sentence_and_reason() {
    let read = |line: &str| {
        let stats =
            "occupation\tbergsma_pct_female\tbls_pct_female\tbls_year\nnurse\t90\t90\t2015\n";
        let files = [
            file("all_sentences.tsv", &format!("sentid\tsentence\n{line}\n")),
            file("occupations-stats.tsv", stats),
        ];
        winogender().items(&files, &Options::default())
    };
    let good = "nurse.patient.0.male.txt\tThe nurse told the patient that he was late.";
    let items = read(good).unwrap();
    assert_eq!(items[0].label("gotcha"), Some("yes"));
    for (line, reason) in [
        (
            "nurse.patient.0.txt\tHe ran.",
            "the id is not occupation.participant",
        ),
        ("nurse.patient.2.male.txt\tHe ran.", "the answer is `2`"),
        (
            "nurse.patient.0.other.txt\tHe ran.",
            "the gender is `other`",
        ),
        (
            "baker.patient.0.male.txt\tHe ran.",
            "no share of women for `baker`",
        ),
        ("nurse.patient.0.male.txt\tShe ran.", "0 male pronouns"),
        ("nurse.nurse.0.male.txt\tHe ran.", "two options are equal"),
    ] {
        let error = read(line).unwrap_err().to_string();
        assert!(
            error.contains("sentence ") && error.contains(reason),
            "{error}"
        );
    }
    let error = read(&format!("{good}\n{good}")).unwrap_err().to_string();
    assert!(error.contains("the id stands here twice"), "{error}");
    let files = [AnswerFile::Models {
        file: file("mine.csv", "id,answer\nnurse.patient.0.male.txt,2\n"),
        kind: None,
    }];
    let refused = winogender().read_answers(&files, &items, &Options::default());
    let error = refused.unwrap_err().to_string();
    assert!(
        error.contains("the answer is 2, expected 0 to 1"),
        "{error}"
    );
}
