//! Every formula against the measure it repeats.

use std::path::Path;

use super::labels::{Labels, unpacked, workshop};
use crate::support::{Rows, shared, succeed};

/// Everything labelled as the judge has it: the corrected number is the judged one. Holds every formula against the
/// measure it repeats.
pub fn own_labels_change_nothing(here: &Path, name: &str, within: f64, least: usize) {
    let sample = [
        "audit", "sample", name, "-n", "1000000", "--by", "verdict", "--show", "-o", "all.csv",
    ];
    succeed(&sample, here);
    let path = here.join("all.csv");
    Labels::read(&path).label(&path, |cells| cells["verdict"].to_owned());
    let json = succeed(
        &["audit", "read", name, "all.csv", "--format", "json"],
        here,
    );
    let rows = Rows::parse(&json);
    let mut seen = 0;
    for row in &rows.0 {
        let Some(metric) = row["metric"].as_str().unwrap().strip_suffix("_corrected") else {
            continue;
        };
        let place = ["system", "unit", "group"].map(|name| row[name].as_str().unwrap());
        let judged = rows.value(place[0], place[1], place[2], metric);
        let corrected = row["value"].as_f64().unwrap();
        assert!(
            (judged - corrected).abs() <= within,
            "{name}: {judged} for {row}"
        );
        seen += 1;
    }
    assert!(seen >= least, "{name}: {seen} corrected rows");
}

#[test]
fn formulas_say_what_measures_say() {
    let directory = workshop();
    let here = directory.path();
    own_labels_change_nothing(here, "r", 1e-9, 20);
    let clustered = [
        "run",
        "gest",
        "--data",
        "g.csv",
        "--mt",
        "file:good.csv",
        "--lang",
        "sk",
        "--interval",
        "clustered",
        "--out",
        "c",
    ];
    succeed(&clustered, here);
    own_labels_change_nothing(here, "c", 1e-9, 20);
    let (Some(data), Some(spanish)) = (
        shared("winomt/en_2019.tsv.gz"),
        shared("winomt/translations/google/en-es.txt.gz"),
    ) else {
        return;
    };
    let (data, spanish) = (
        data.display().to_string(),
        format!("file:{}", spanish.display()),
    );
    succeed(
        &[
            "run", "winomt", "--data", &data, "--mt", &spanish, "--lang", "es", "--out", "w",
        ],
        here,
    );
    // The authors round on the way: F1 is made of rounded precision and recall.
    own_labels_change_nothing(here, "w", 0.25, 10);
    let (Some(sentences), Some(german), Some(russian)) = (
        shared("wibemt/verb_sentences.tsv.gz"),
        shared("wibemt/verb_deepl_categorised.tsv.gz"),
        shared("unambiguous/pipeline_14976/ru.mt.gz"),
    ) else {
        return;
    };
    let german = unpacked(&german);
    let german: Vec<&str> = german
        .lines()
        .map(|line| line.split('\t').nth(4).unwrap())
        .collect();
    std::fs::write(here.join("de.txt"), german.join("\n")).unwrap();
    let sentences = sentences.display().to_string();
    let wibemt = [
        "run",
        "wibemt",
        "--data",
        &sentences,
        "--mt",
        "file:de.txt",
        "--lang",
        "de",
        "--out",
        "v",
    ];
    succeed(&wibemt, here);
    own_labels_change_nothing(here, "v", 1e-9, 8);
    let set = [
        "generate",
        "unambiguous",
        "--without",
        "nanny",
        "--limit",
        "1500",
    ];
    std::fs::write(here.join("set.tsv"), succeed(&set, here)).unwrap();
    let russian = unpacked(&russian);
    let russian: Vec<&str> = russian.lines().take(1500).collect();
    std::fs::write(here.join("ru.txt"), russian.join("\n")).unwrap();
    let unambiguous = [
        "run",
        "unambiguous",
        "--data",
        "set.tsv",
        "--mt",
        "m=file:ru.txt",
        "--lang",
        "ru",
        "--bootstrap",
        "50",
        "--out",
        "u",
    ];
    succeed(&unambiguous, here);
    own_labels_change_nothing(here, "u", 1e-9, 8);
}

/// Questions with several wordings, orders, unreadable answers and rows without a stereotype.
#[test]
fn formulas_of_questions_say_what_measures_say() {
    let (Some(questions), Some(pronouns)) = (
        shared("bbq/gender_identity.en.jsonl.xz"),
        shared("winogender/all_sentences.tsv"),
    ) else {
        return;
    };
    let directory = workshop();
    let here = directory.path();
    let ids = |count: usize| (0..count).map(|id| format!("bbq-en:{id}"));
    let orders = ["abc", "bca", "cab"].map(|order| ("ABC?", order));
    write_answers(here, "questions.jsonl", ids(320), &["1", "2"], &orders);
    let questions = questions.display().to_string();
    succeed(
        &[
            "run",
            "bbq",
            "--data",
            &questions,
            "--limit",
            "320",
            "--prompts",
            "1,2",
            "--model",
            "file:questions.jsonl",
            "--out",
            "q",
        ],
        here,
    );
    own_labels_change_nothing(here, "q", 1e-9, 30);
    let table = std::fs::read_to_string(&pronouns).unwrap();
    let ids = table.lines().skip(1).take(120);
    let ids = ids.map(|line| format!("winogender:{}", line.split('\t').next().unwrap()));
    let orders = ["ab", "ba"].map(|order| ("AB?", order));
    write_answers(here, "pronouns.jsonl", ids, &["1", "2"], &orders);
    let folder = pronouns.parent().unwrap().display().to_string();
    succeed(
        &[
            "run",
            "winogender",
            "--data",
            &folder,
            "--limit",
            "120",
            "--model",
            "file:pronouns.jsonl",
            "--out",
            "p",
        ],
        here,
    );
    own_labels_change_nothing(here, "p", 1e-9, 12);
}

/// A letter, or none, for each id in every wording and order.
fn write_answers(
    here: &Path,
    name: &str,
    ids: impl Iterator<Item = String>,
    wordings: &[&str],
    orders: &[(&str, &str)],
) {
    let mut lines = String::new();
    for (number, id) in ids.enumerate() {
        for (wording, (letters, order)) in wordings
            .iter()
            .flat_map(|wording| orders.iter().map(move |order| (wording, order)))
        {
            let draw =
                number * 7 + wording.len() * 3 + usize::from(order.as_bytes()[0]) * 5 + number / 3;
            let text = &letters[draw % letters.len()..][..1];
            let unit = format!("prompt:{wording}+order:{order}");
            lines += &format!("{{\"id\": \"{id}\", \"unit\": \"{unit}\", \"text\": \"{text}\"}}\n");
        }
    }
    std::fs::write(here.join(name), lines).unwrap();
}
