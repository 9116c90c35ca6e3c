//! Human audits from sample to corrected number: of runs, of JSON lines, with labels of people and with labels made up;
//! what is refused; the form in a real browser.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "support/browser.rs"]
mod browser;
mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use browser::Browser;
use serde_json::{Value, json};
use support::{Rows, refuse, run, shared, succeed};

/// A label file, row by row: (line in the file, cells by column).
struct Labels {
    head: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Labels {
    fn read(path: &Path) -> Labels {
        let text = std::fs::read_to_string(path).unwrap();
        let body = text.find("\nid,").unwrap() + 1;
        let mut reader = csv::Reader::from_reader(&text.as_bytes()[body..]);
        let columns = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let rows = reader.records().map(|record| {
            let record = record.unwrap();
            record.iter().map(str::to_owned).collect()
        });
        Labels {
            head: text[..body].to_owned(),
            columns,
            rows: rows.collect(),
        }
    }

    fn at(&self, column: &str) -> usize {
        self.columns.iter().position(|name| name == column).unwrap()
    }

    /// Fills in the labels and writes the file again.
    fn label(&mut self, path: &Path, mut say: impl FnMut(&BTreeMap<&str, &str>) -> String) {
        let label = self.at("label");
        for row in &mut self.rows {
            let cells = self.columns.iter().zip(row.iter());
            let cells = cells
                .map(|(name, cell)| (name.as_str(), cell.as_str()))
                .collect();
            let said = say(&cells);
            row[label] = said;
        }
        self.write(path);
    }

    fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns).unwrap();
        for row in &self.rows {
            writer.write_record(row).unwrap();
        }
        let body = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        std::fs::write(path, format!("{}{body}", self.head)).unwrap();
    }
}

/// 640 sentences and their translations; the verb shows the gender. Every eighth text is about somebody who is a woman
/// although the verb is masculine, which no judge can see: the people of these tests do.
fn workshop() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let (mut data, mut good, mut poor) = (
        String::from("sentence,stereotype\n"),
        String::from("from,to\n"),
        String::from("from,to\n"),
    );
    for number in 0..640 {
        let stereotype = number % 16 + 1;
        writeln!(data, "I did {number}.,{stereotype}").unwrap();
        for (file, often) in [(&mut good, 2), (&mut poor, 5)] {
            let text = match number % often {
                0 => format!("Urobila som {number}."),
                _ if number % 8 == 3 => format!("Urobil som {number} ženou."),
                _ => format!("Urobil som {number}."),
            };
            writeln!(file, "I did {number}.,{text}").unwrap();
        }
    }
    for (name, text) in [("g.csv", data), ("good.csv", good), ("poor.csv", poor)] {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let files = ["good=file:good.csv", "poor=file:poor.csv"];
    for (name, file) in ["r", "s"].into_iter().zip(files) {
        let command = [
            "run", "gest", "--data", "g.csv", "--mt", file, "--lang", "sk", "--out", name,
        ];
        succeed(&command, directory.path());
    }
    directory
}

/// What people say in the workshop.
fn truth(cells: &BTreeMap<&str, &str>) -> String {
    let feminine =
        cells["translation"].contains("ženou") || cells["translation"].contains("Urobila");
    if feminine { "f" } else { "m" }.to_owned()
}

#[test]
fn a_run_is_sampled_labelled_and_corrected_everywhere() {
    let directory = workshop();
    let here = directory.path();
    let path = here.join("labels.csv");
    for name in ["r", "s"] {
        let sample = ["audit", "sample", name, "-n", "160", "-o", "labels.csv"];
        succeed(&sample, here);
        let mut labels = Labels::read(&path);
        // Blind: neither system nor verdict.
        assert_eq!(
            labels.columns,
            [
                "id",
                "unit",
                "source",
                "translation",
                "question",
                "label",
                "comment"
            ]
        );
        assert!(
            !labels.head.contains("good") && !labels.head.contains("poor"),
            "{}",
            labels.head
        );
        assert_eq!(labels.rows.len(), 160);
        assert!(labels.head.contains("# seed: 0\n") && labels.head.contains(" of "));
        labels.label(&path, truth);
        let json = succeed(
            &["audit", "read", name, "labels.csv", "--format", "json"],
            here,
        );
        let rows = Rows::parse(&json);
        let system = if name == "r" { "good" } else { "poor" };
        // p of the judge and of people, over all sentences.
        let judged = rows.row(system, "lang:sk", "all", "f_m");
        let corrected = rows.row(system, "lang:sk", "all", "f_m_corrected");
        let value = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let true_share = if name == "r" { 0.375 } else { 0.8 - 0.1 };
        let (low, high) = (value(corrected, "low"), value(corrected, "high"));
        assert!(
            low < true_share && true_share < high,
            "{true_share} in {corrected}"
        );
        assert!(value(judged, "value") > high, "{judged} {corrected}");
        assert_eq!(corrected["n"], 160);
        let lean = rows.row("judge", "all", "lean:masculine/feminine", "p_value");
        assert!(value(lean, "value") < 0.05, "{lean}");
        let accuracy = rows.row("judge", "all", "all", "accuracy");
        assert!((value(accuracy, "value") - 0.9).abs() < 0.06, "{accuracy}");
    }
    // Every format and gate knows the corrected number.
    let both = Rows::parse(&succeed(&["report", "r", "--format", "json"], here));
    let first = Rows::parse(&succeed(
        &["report", "r", "--corrected", "--format", "json"],
        here,
    ));
    let place = |rows: &Rows, metric: &str| rows.value("good", "lang:sk", "all", metric);
    assert_eq!(place(&both, "f_m_corrected"), place(&first, "f_m"));
    assert_eq!(place(&both, "f_m"), place(&first, "f_m_judged"));
    assert!(
        both.1.contains("|labels:") && both.1.contains("-n160|estimator:ppi++-stratified-t"),
        "{}",
        both.1
    );
    assert!(first.1.contains("|headline:corrected"), "{}", first.1);
    let stored = std::fs::read_to_string(here.join("r/measures.json")).unwrap();
    assert!(stored.contains("f_m_corrected"));
    for (gate, code) in [
        ("f_m_corrected<0.45", 1),
        ("f_m<0.45", 0),
        ("f_m_judged<0.45", 0),
    ] {
        let (found, ..) = run(&["report", "r", "--fail-if", gate], here);
        assert_eq!(found, code, "{gate}");
    }
    assert_eq!(
        run(
            &["report", "r", "--corrected", "--fail-if", "f_m<0.45"],
            here
        )
        .0,
        1
    );
    assert!(succeed(&["report", "r", "--format", "latex"], here).contains("f\\_s\\_corrected"));
    assert!(succeed(&["report", "r", "--corrected"], here).contains("f_s_judged"));
    succeed(&["report", "r", "--corrected", "-o", "page.html"], here);

    // Two systems.
    let compared = Rows::parse(&succeed(&["compare", "r", "s", "--format", "json"], here));
    let row = |metric: &str| {
        compared
            .0
            .iter()
            .find(|row| row["metric"] == metric)
            .cloned()
    };
    let judged = row("delta_f_m").unwrap();
    let corrected = row("delta_f_m_corrected").unwrap();
    let difference = corrected["value"].as_f64().unwrap();
    assert!((difference - (0.7 - 0.375)).abs() < 0.1, "{corrected}");
    assert!(
        corrected["low"].as_f64().unwrap() < difference && judged["value"] != corrected["value"]
    );
    let headline = Rows::parse(&succeed(
        &["compare", "r", "s", "--corrected", "--format", "json"],
        here,
    ));
    let headline = headline
        .0
        .iter()
        .find(|row| row["metric"] == "delta_f_m")
        .unwrap();
    assert_eq!(headline["value"], corrected["value"]);

    // What cannot be corrected says so.
    std::fs::remove_file(here.join("s/audit.json")).unwrap();
    assert!(refuse(&["report", "s", "--corrected"], here).contains("no labels"));
}

#[test]
fn foreign_edited_and_doubled_labels_are_refused_by_line() {
    let directory = workshop();
    let here = directory.path();
    let path = here.join("labels.csv");
    succeed(
        &[
            "audit",
            "sample",
            "r",
            "-n",
            "40",
            "--seed",
            "5",
            "-o",
            "labels.csv",
        ],
        here,
    );
    let mut good = Labels::read(&path);
    good.label(&path, truth);
    let head = good.head.lines().count();
    let refused = |labels: &Labels, words: &[&str]| {
        labels.write(&path);
        let message = refuse(&["audit", "read", "r", "labels.csv"], here);
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
        assert!(!here.join("r/audit.json").exists());
    };
    let line = |row: usize| format!("line {}", head + 2 + row);
    let mut bad = Labels::read(&path);
    bad.rows[3][0] = "0123456789ab".to_owned();
    refused(&bad, &[&line(3), "not in the sample"]);
    let mut bad = Labels {
        rows: good.rows.clone(),
        columns: good.columns.clone(),
        ..good
    };
    let translation = bad.at("translation");
    bad.rows[4][translation] = "Urobila som to.".to_owned();
    refused(&bad, &[&line(4), "edited"]);
    let mut bad = Labels::read(&path);
    let again = bad.rows[0].clone();
    bad.rows[4] = bad.rows[5].clone();
    bad.rows.push(again);
    refused(&bad, &[&line(5)]);
    succeed(
        &[
            "audit",
            "sample",
            "r",
            "-n",
            "40",
            "--seed",
            "5",
            "-o",
            "labels.csv",
        ],
        here,
    );
    let mut bad = Labels::read(&path);
    bad.label(&path, truth);
    bad.head = bad.head.replace(" of ", " of 9");
    refused(&bad, &["line 2", "edited"]);
    // Labels of another run, and of nothing.
    succeed(
        &["audit", "sample", "s", "-n", "40", "-o", "labels.csv"],
        here,
    );
    let mut other = Labels::read(&path);
    other.label(&path, truth);
    refused(&other, &["another run"]);
    succeed(
        &["audit", "sample", "r", "-n", "40", "-o", "labels.csv"],
        here,
    );
    let empty = Labels::read(&path);
    refused(&empty, &["no label"]);
    let mut wrong = Labels::read(&path);
    wrong.label(&path, |_| "male?".to_owned());
    refused(&wrong, &[&line(0), "male?"]);

    // What cannot be sampled.
    for (arguments, words) in [
        (
            &["audit", "sample", "r", "--by", "mood", "-o", "x.csv"][..],
            "stereotype",
        ),
        (
            &["audit", "sample", "r", "--only", "lang:pl", "-o", "x.csv"],
            "lang:sk",
        ),
        (
            &[
                "audit",
                "sample",
                "r",
                "-n",
                "20",
                "--by",
                "verdict,stereotype",
                "-o",
                "x.csv",
            ],
            "strata",
        ),
        (&["audit", "sample", "r", "-o", "x.txt"], ".csv or .html"),
        (&["audit", "plan", "r", "--width", "0.02"], "--error"),
        (&["audit", "read", "r", "g.csv"], "line 1"),
    ] {
        let message = refuse(arguments, here);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
    let models = [
        "run", "gest", "--data", "g.csv", "--model", "random:1", "--out", "m",
    ];
    succeed(&models, here);
    assert!(refuse(&["audit", "sample", "m", "-o", "x.csv"], here).contains("no text"));
}

/// Everything labelled as the judge has it: the corrected number is the judged one. Holds every formula against the
/// measure it repeats.
fn own_labels_change_nothing(here: &Path, name: &str, within: f64, least: usize) {
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

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    text
}

/// The sentences of the first-person fixtures, with what a person sees in them (the extended reading), judged by the
/// published rules.
#[test]
fn the_fixtures_as_a_real_audit() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../epicene-lang/tests/fixtures");
    let (mut lines, mut people) = (String::new(), BTreeMap::new());
    for language in ["be", "bg", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"] {
        let text = std::fs::read_to_string(folder.join(format!("{language}.tsv"))).unwrap();
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#'))
        {
            let cells: Vec<&str> = line.split('\t').collect();
            let id = format!("{language}:{number}");
            let verdict =
                json!({"id": id, "verdict": cells[0], "text": cells[3], "lang": language});
            writeln!(lines, "{verdict}").unwrap();
            people.insert(
                (language.to_owned(), cells[3].to_owned()),
                cells[1].to_owned(),
            );
        }
    }
    assert_eq!(lines.lines().count(), 746);
    std::fs::write(here.join("v.jsonl"), &lines).unwrap();
    succeed(
        &["audit", "sample", "v.jsonl", "-n", "250", "-o", "l.csv"],
        here,
    );
    let path = here.join("l.csv");
    let by_text: BTreeMap<&str, &str> = people
        .iter()
        .map(|((_, text), said)| (text.as_str(), said.as_str()))
        .collect();
    Labels::read(&path).label(&path, |cells| {
        by_text[cells["translation"].trim_start_matches('\'')].to_owned()
    });
    let rows = Rows::parse(&succeed(
        &["audit", "read", "v.jsonl", "l.csv", "--format", "json"],
        here,
    ));
    for verdict in ["m", "f", "u"] {
        let truth = lines.lines().filter(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            by_text[line["text"].as_str().unwrap()] == verdict
        });
        let truth = truth.count() as f64 / 746.0;
        let row = rows.row("v", "all", &format!("verdict:{verdict}"), "share_corrected");
        println!(
            "{verdict}: judged {:.4}, corrected {row}, people {truth:.4}",
            rows.value("v", "all", &format!("verdict:{verdict}"), "share")
        );
        assert!(
            row["low"].as_f64().unwrap() <= truth && truth <= row["high"].as_f64().unwrap(),
            "{verdict} {truth} {row}"
        );
    }
    assert!(
        rows.1.starts_with("audit|data:v@") && rows.1.contains("-n250|estimator:"),
        "{}",
        rows.1
    );
    let plan = succeed(
        &["audit", "plan", "v.jsonl", "l.csv", "--width", "0.08"],
        here,
    );
    assert!(plan.contains("verdict:m share"), "{plan}");
    assert!(
        succeed(
            &[
                "audit", "plan", "v.jsonl", "--error", "0.05", "--width", "0.08"
            ],
            here
        )
        .contains("labels needed")
    );
}

/// WinoMT's annotators, Italian twice: what they labelled is the population, their labels are the labels.
#[test]
fn the_labels_of_winomt_as_a_real_audit() {
    let (Some(data), Some(texts)) = (
        shared("winomt/en_2019.tsv.gz"),
        shared("winomt/translations/google/en-it.txt.gz"),
    ) else {
        return;
    };
    let human = ["google.it.1", "google.it.2"]
        .map(|name| shared(&format!("winomt/human/{name}.tsv.gz")).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let (data, texts) = (
        data.display().to_string(),
        format!("file:{}", texts.display()),
    );
    succeed(
        &[
            "run", "winomt", "--data", &data, "--mt", &texts, "--lang", "it", "--out", "w",
        ],
        here,
    );
    let said = human.map(|path| {
        let text = unpacked(&path);
        let rows = text.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[2].trim().to_owned(), cells[4].trim().to_lowercase())
        });
        rows.filter(|(_, label)| ["m", "f", "n"].contains(&label.as_str()))
            .collect::<BTreeMap<String, String>>()
    });
    let items = succeed(&["items", "w"], here);
    let kept: Vec<&str> = items
        .lines()
        .filter(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = line["observation"]["translation"]
                .as_str()
                .unwrap_or("")
                .trim();
            said.iter().all(|said| said.contains_key(text))
        })
        .collect();
    assert!(kept.len() > 80, "{}", kept.len());
    std::fs::write(here.join("v.jsonl"), kept.join("\n")).unwrap();
    succeed(
        &[
            "audit", "sample", "v.jsonl", "-n", "60", "--labels", "m,f,n,u", "-o", "l.csv",
        ],
        here,
    );
    let mut files = Vec::new();
    for (number, said) in said.iter().enumerate() {
        let path = here.join(format!("annotator{number}.csv"));
        std::fs::copy(here.join("l.csv"), &path).unwrap();
        Labels::read(&path).label(&path, |cells| said[cells["translation"].trim()].clone());
        files.push(format!("annotator{number}.csv"));
    }
    let read = [
        "audit", "read", "v.jsonl", &files[0], &files[1], "--format", "json",
    ];
    let rows = Rows::parse(&succeed(&read, here));
    let texts: Vec<String> = kept
        .iter()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["observation"]["translation"]
                .as_str()
                .unwrap()
                .trim()
                .to_owned()
        })
        .collect();
    for verdict in ["m", "f"] {
        let truth: f64 = texts
            .iter()
            .map(|text| said.iter().filter(|said| said[text] == verdict).count() as f64 / 2.0)
            .sum::<f64>()
            / texts.len() as f64;
        let row = rows.row("v", "all", &format!("verdict:{verdict}"), "share_corrected");
        println!("{verdict}: {row}, people {truth:.4}");
        assert!(
            row["low"].as_f64().unwrap() <= truth && truth <= row["high"].as_f64().unwrap(),
            "{truth} {row}"
        );
    }
    let kappa = rows.row(
        "judge",
        "all",
        "annotators:annotator0/annotator1",
        "cohens_kappa",
    );
    let alpha = rows.row("judge", "all", "annotators", "krippendorff_alpha");
    for row in [kappa, alpha] {
        let value = row["value"].as_f64().unwrap();
        assert!(value > 0.5 && value < 1.0, "{row}");
    }
}

#[test]
fn the_form_in_a_browser() {
    let directory = workshop();
    let here = directory.path();
    let sample = [
        "audit",
        "sample",
        "r",
        "-n",
        "24",
        "-o",
        "form.html",
        "-o",
        "labels.csv",
    ];
    succeed(&sample, here);
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let page = here.join("form.html");
    browser.open(&page);
    browser.wait_for("document.documentElement.dataset.form === 'ready'");
    assert_eq!(
        browser.value("document.body.innerText.includes('good')"),
        false,
        "blind"
    );
    let mut said = Vec::new();
    let key = |browser: &mut Browser| {
        let text = browser.value("document.getElementById('translation').textContent");
        let text = text.as_str().unwrap().to_owned();
        truth(&BTreeMap::from([("translation", text.as_str())]))
    };
    for _ in 0..12 {
        let label = key(&mut browser);
        browser.press(&label);
        said.push(label);
    }
    // A slip, taken back by keyboard.
    browser.press("ArrowLeft");
    browser.press("u");
    browser.press("ArrowLeft");
    browser.press("Backspace");
    browser.press(&said[11].clone());
    browser.wait_for("document.getElementById('progress').textContent === '12 of 24 labelled'");
    browser.open(&page);
    browser.wait_for("document.getElementById('progress').textContent === '12 of 24 labelled'");
    browser.press("Enter");
    for _ in 12..20 {
        let label = key(&mut browser);
        browser.press(&label);
        said.push(label);
    }
    browser.wait_for("document.getElementById('progress').textContent === '20 of 24 labelled'");
    // A second annotator who says m throughout, read in the page.
    let path = here.join("labels.csv");
    Labels::read(&path).label(&path, |_| "m".to_owned());
    let node = browser.call(
        "Runtime.evaluate",
        json!({"expression": "document.getElementById('other')"}),
    );
    browser.call(
        "DOM.setFileInputFiles",
        json!({"files": [path.display().to_string()], "objectId": node["result"]["objectId"]}),
    );
    browser.wait_for(
        "document.getElementById('agreement').textContent.includes('Agreement on 20 labels')",
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert!(
        browser
            .requests()
            .iter()
            .all(|url| url.starts_with("file:") || url.starts_with("blob:")),
        "{:?}",
        browser.requests()
    );
    std::fs::create_dir_all(here.join("down")).unwrap();
    browser.call(
        "Page.setDownloadBehavior",
        json!({"behavior": "allow", "downloadPath": here.join("down").display().to_string()}),
    );
    for kind in ["keyDown", "keyUp"] {
        let event = json!({"type": kind, "key": "s", "modifiers": 2, "windowsVirtualKeyCode": 83});
        browser.call("Input.dispatchKeyEvent", event);
    }
    let saved = here.join("down/labels.csv");
    for _ in 0..500 {
        if saved.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let labels = Labels::read(&saved);
    let label = labels.at("label");
    let written: Vec<&str> = labels.rows.iter().map(|row| row[label].as_str()).collect();
    assert_eq!(written[..20], said);
    assert!(written[20..].iter().all(|label| label.is_empty()));
    let report = succeed(&["audit", "read", "r", "down/labels.csv"], here);
    assert!(
        report.contains("20 of 24 drawn verdicts have a label"),
        "{report}"
    );
    browser.emulate("screen", "light");
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-form.png");
    browser.screenshot(&pictures);
}
