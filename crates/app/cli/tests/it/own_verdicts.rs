//! Verdicts of others in place of epicene's: files, parses and programs.

use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};
use serde_json::Value;

fn write(here: &Path, name: &str, text: &str) {
    std::fs::write(here.join(name), text).unwrap();
}

fn read(here: &Path, name: &str) -> String {
    std::fs::read_to_string(here.join(name)).unwrap()
}

fn unpacked(path: &Path) -> String {
    epicene_io::input::read_text(path).unwrap().text
}

/// A benchmark with what a command line says of its data and translations.
struct Case {
    name: &'static str,
    arguments: Vec<String>,
    /// Translations where the arguments name none: these, over and over.
    texts: Vec<&'static str>,
}

impl Case {
    fn new(name: &'static str, arguments: &str, texts: &[&'static str]) -> Case {
        Case {
            name,
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            texts: texts.to_vec(),
        }
    }

    fn words<'a>(&'a self, first: &'a str) -> Vec<&'a str> {
        let words = self.arguments.iter().map(String::as_str);
        [first, self.name].into_iter().chain(words).collect()
    }
}

const ENGLISH: &[&str] = &[
    "He is a doctor.",
    "She is a nurse.",
    "They are tired.",
    "It works.",
    "He or she sleeps.",
    "He saw her and she saw him.",
    "The rain fell.",
];

fn cases(here: &Path) -> Vec<Case> {
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    let mut cases = vec![
        Case::new("into-english", "--lang fi", ENGLISH),
        Case::new(
            "unambiguous",
            "--size xs --limit 400 --lang de",
            &[
                "Der Redakteur ist ihr Bruder.",
                "Die Redakteurin ist ihre Schwester.",
                "Die Tänzerin ist der Bruder des Kochs.",
                "Das Haus ist rot.",
                "Die Lehrkraft ist ihre Mutter.",
            ],
        ),
        Case::new(
            "unambiguous",
            "--size xs --limit 400 --lang de --judge published",
            &[
                "Der Redakteur ist ihr Bruder.",
                "Die Köchin ist die Schwester.",
            ],
        ),
    ];
    if let Some(gest) = shared("gest") {
        let data = at(&gest.join("gest.csv"));
        let file = at(&gest.join("translations/deepl/sk/translations.csv.gz"));
        let words = format!("--data {data} --mt nmt=file:{file} --lang sk");
        cases.push(Case::new("gest", &words, &[]));
        cases.push(Case::new(
            "gest",
            &format!("{words} --interval published"),
            &[],
        ));
        // Backwards: what says "I" in the translations goes into English.
        let words = format!("--data {file} --lang sk --limit 300");
        cases.push(Case::new("gest-into-english", &words, ENGLISH));
    }
    let traits = ["brave", "bold", "gentle", "kind"].iter().enumerate();
    let lines: Vec<String> = traits
        .map(|(at, word)| format!("{word},{}\n", ["men", "women"][at / 2]))
        .collect();
    write(
        here,
        "traits.csv",
        &format!("word,held\n{}", lines.concat()),
    );
    write(
        here,
        "traits.toml",
        "name = \"traits\"\nmeasure = \"first-person-gender\"\nitems = \"traits.csv\"\ntemplate = \"I am {word}.\"\ngroup = \"held\"\nabout = \"held\"\n",
    );
    write(
        here,
        "traits.txt",
        "Som smelý.\nSom smelá.\nSpím.\nSom milá.\n",
    );
    let words = "--spec traits.toml --mt x=file:traits.txt --lang sk --trust-language";
    cases.push(Case::new("custom", words, &[]));
    if let Some(wibemt) = shared("wibemt") {
        let text = unpacked(&wibemt.join("verb_deepl_categorised.tsv.gz"));
        let rows = text.lines().filter(|line| !line.is_empty());
        let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
        let mut table = String::from("from\tto\n");
        let mut seen = std::collections::BTreeSet::new();
        for row in &rows {
            if seen.insert(row[1]) {
                table += &format!("{}\t{}\n", row[1], row[4]);
            }
        }
        write(here, "wibemt.tsv", &table);
        let data = at(&wibemt.join("verb_sentences.tsv.gz"));
        let words = format!("--data {data} --mt nmt=file:wibemt.tsv --lang de --allow-missing");
        cases.push(Case::new("wibemt", &words, &[]));
    }
    if let Some(winomt) = shared("winomt") {
        let data = at(&winomt.join("en.tsv.gz"));
        let file = at(&winomt.join("translations/google/en-de.txt.gz"));
        let words = format!("--data {data} --mt google=file:{file} --lang de --limit 600");
        for judge in ["", " --judge published", " --ignore-fixed"] {
            cases.push(Case::new("winomt", &format!("{words}{judge}"), &[]));
        }
    }
    if let Some(folder) = shared("mtgeneval") {
        for gender in ["masculine", "feminine"] {
            let name = format!("hypotheses/apertium.sentences-{gender}-test.en_es.es.xz");
            write(
                here,
                &format!("{gender}.es.txt"),
                &unpacked(&folder.join(name)),
            );
        }
        let words = format!(
            "--data {} --subset counterfactual --lang es --mt a=file:masculine.es.txt --mt a=file:feminine.es.txt",
            at(&folder)
        );
        cases.push(Case::new("mtgeneval", &words, &[]));
    }
    if let Some(folder) = shared("gate") {
        let text = unpacked(&folder.join("hypotheses/apertium.gate.es.xz"));
        write(here, "gate.es.txt", &text);
        let words = format!(
            "--data {} --lang es --mt apertium=file:gate.es.txt --split all",
            at(&folder.join("gate.es.jsonl.xz"))
        );
        cases.push(Case::new("gate", &words, &[]));
    }
    if let Some(folder) = shared("mittens") {
        let data = at(&folder.join("mittens_dataset_v5.csv.xz"));
        cases.push(Case::new(
            "mittens",
            &format!("--data {data} --lang es"),
            ENGLISH,
        ));
    }
    cases
}

/// The rows of a run as its `measures.json` has them, byte for byte.
fn rows(here: &Path, run: &str) -> String {
    let measures = read(here, &format!("{run}/measures.json"));
    let from = measures.find("\"rows\"").unwrap();
    let measures = &measures[from..];
    let end = measures.find("\n  ]").map_or(measures.len(), |end| end);
    measures[..end].to_owned()
}

/// What `report --items` prints, given back, gives the same rows in every translation benchmark.
#[test]
fn own_verdicts_given_back_reproduce_every_row() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let mut measured = std::collections::BTreeSet::new();
    for (number, mut case) in cases(here).into_iter().enumerate() {
        if !case.texts.is_empty() {
            let mut ask: Vec<&str> = case.words("export-questions");
            ask.retain(|word| !["--judge", "published"].contains(word));
            ask.extend(["--kind", "mt"]);
            // The first line is about the whole.
            let count = succeed(&ask, here).lines().count() - 1;
            let lines: Vec<&str> = case.texts.iter().cycle().take(count).copied().collect();
            write(here, "texts.txt", &(lines.join("\n") + "\n"));
            let more = ["--mt", "x=file:texts.txt", "--trust-language"];
            case.arguments.extend(more.map(str::to_owned));
        }
        let (own, given) = (format!("own{number}"), format!("given{number}"));
        let words = case.words("run");
        succeed(&[&words[..], &["--out", &own]].concat(), here);
        let items = succeed(&["report", &own, "--items"], here);
        write(here, "verdicts.jsonl", &items);
        let from = ["--verdicts", "again=verdicts.jsonl", "--out", &given];
        let (code, _, said) = run(&[&words[..], &from].concat(), here);
        assert_eq!(code, 0, "{}: {said}", case.name);
        assert_eq!(rows(here, &own), rows(here, &given), "{words:?}");
        let whole: Value =
            serde_json::from_str(&read(here, &format!("{given}/measures.json"))).unwrap();
        let signature = whole["signature"].as_str().unwrap();
        assert!(signature.contains("|verdicts:again|"), "{signature}");
        assert!(signature.contains("|check:verdicts@"), "{signature}");
        let rows = whole["rows"].as_array().unwrap().len();
        println!("{}: {rows} rows", case.name);
        assert!(rows > 3);
        measured.insert(case.name);
    }
    if shared("gest").is_some() {
        assert_eq!(measured.len(), 10, "{measured:?}");
    }
}

/// Sixty sentences whose translations alternate, and a run of them.
fn alternating(here: &Path) -> Vec<&'static str> {
    crate::support::synthetic_gest(&here.join("g.csv"), 60);
    let texts: Vec<&str> = ["Bola som rada.", "Bol som rád.", "Pracujem doma."]
        .into_iter()
        .cycle()
        .take(60)
        .collect();
    write(here, "t.txt", &(texts.join("\n") + "\n"));
    "run gest --data g.csv --mt nmt=file:t.txt --lang sk --trust-language --interval published --format json"
        .split(' ')
        .collect()
}

/// A run's results as people see them, with blanks instead of line ends.
fn table(here: &Path, run: &str) -> String {
    let table = succeed(&["report", run, "--format", "table"], here);
    table.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ids(here: &Path, ask: &[&str]) -> Vec<String> {
    succeed(&[ask, &["--out", "own"]].concat(), here);
    let items = succeed(&["report", "own", "--items"], here);
    let id = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["id"].as_str().unwrap().to_owned()
    };
    items.lines().map(id).collect()
}

#[test]
fn annotators_decide_by_majority_and_their_agreement_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let ask = alternating(here);
    let ids = ids(here, &ask);
    // Ana and Ben follow epicene; Eva calls every fifth feminine.
    let own = |place: usize| ["f", "m", "u"][place % 3];
    for name in ["ana", "ben", "eva"] {
        let mut table = String::from("item\tverdict\tevidence\n");
        for (place, id) in ids.iter().enumerate() {
            let verdict = match name {
                "eva" if place % 5 == 0 => "f",
                _ => own(place),
            };
            let word = ["rada", "rád", ""][place % 3];
            table += &format!("{id}\t{verdict}\t{word}\n");
        }
        write(here, &format!("{name}.tsv"), &table);
    }
    let three = [
        "--verdicts",
        "ana=ana.tsv",
        "--verdicts",
        "ben=ben.tsv",
        "--verdicts",
        "eva=eva.tsv",
    ];
    let out = succeed(&[&ask[..], &three, &["--out", "three"]].concat(), here);
    let notes = table(here, "three");
    // Of every fifth sentence a third is feminine anyway.
    assert!(
        notes.contains("3 annotators agree on 52 of 60 shared translations"),
        "{notes}"
    );
    assert!(notes.contains("Krippendorff's α 0.8"), "{notes}");
    assert!(
        notes.contains("the same verdict on 100.0 % of 60"),
        "{notes}"
    );
    assert!(notes.contains("κ 1.000"), "{notes}");
    assert!(
        notes.contains("masculine 20 → m 20; feminine 20 → f 20; unknown 20 → u 20"),
        "{notes}"
    );
    assert_eq!(
        Rows::parse(&out).value("nmt", "lang:sk", "all", "f_m"),
        Rows::parse(&succeed(&[&ask[..], &["--out", "own"]].concat(), here))
            .value("nmt", "lang:sk", "all", "f_m")
    );
    let disputed = succeed(&["report", "three", "--items", "--disagreements"], here);
    assert_eq!(disputed.lines().count(), 8);
    let first: Value = serde_json::from_str(disputed.lines().next().unwrap()).unwrap();
    assert_eq!(first["annotators"]["eva"], "feminine");
    assert_ne!(first["annotators"]["ana"], "feminine");
    assert_eq!(first["own"], first["finding"]);
    // Two who differ leave a translation without a gender.
    let two = [
        "--verdicts",
        "ana=ana.tsv",
        "--verdicts",
        "eva=eva.tsv",
        "--out",
        "two",
    ];
    succeed(&[&ask[..], &two].concat(), here);
    let items = succeed(&["report", "two", "--items", "--disagreements"], here);
    assert_eq!(items.lines().count(), 8);
    assert!(
        items
            .lines()
            .all(|line| line.contains("\"rule\":\"annotators-divided\"")),
        "{items}"
    );
    // A single annotator's evidence is found in the text.
    succeed(
        &[&ask[..], &["--verdicts", "ana=ana.tsv", "--out", "one"]].concat(),
        here,
    );
    let items = succeed(&["report", "one", "--items"], here);
    assert!(
        items
            .lines()
            .next()
            .unwrap()
            .contains("\"evidence\":[\"rada\"],\"rule\"")
            || items.contains("\"evidence\":[\"rada\"]")
    );
    assert!(
        refuse(&["report", "own", "--items", "--disagreements"], here).contains("epicene's own")
    );
}

#[test]
fn a_language_without_a_detector_is_measured_by_given_verdicts() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let ask = alternating(here);
    let ids = ids(here, &ask);
    let lines: String = ids.iter().map(|id| format!("{id},m\n")).collect();
    write(here, "v.csv", &format!("id,label\n{lines}"));
    let ask: Vec<&str> = ask
        .iter()
        .map(|word| if *word == "sk" { "fi" } else { *word })
        .collect();
    refuse(&[&ask[..], &["--out", "none"]].concat(), here);
    let rows = succeed(
        &[&ask[..], &["--verdicts", "me=v.csv", "--out", "fi"]].concat(),
        here,
    );
    // The share is drawn towards a half, as the paper does.
    assert!(Rows::parse(&rows).value("nmt", "lang:fi", "all", "f_m") > 0.7);
    assert!(table(here, "fi").contains("epicene has no detector to compare them with"));
}

#[test]
fn unusable_verdicts_are_refused_with_file_and_line() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let ask = alternating(here);
    let ids = ids(here, &ask);
    let all: Vec<String> = ids.iter().map(|id| format!("{id}\tm")).collect();
    let cases = [
        (
            "item\tgender\nx\tm\n".to_owned(),
            "v.tsv, line 1: the header needs the columns item and verdict",
        ),
        (
            format!("item\tverdict\n{}\tmale?\n", ids[0]),
            "v.tsv, line 2: `male?` is no verdict",
        ),
        (
            "{\"item\": \"x\"}\n".to_owned(),
            "v.tsv, line 1: there is no verdict",
        ),
        (
            "{\"verdict\": \"m\"}\n".to_owned(),
            "v.tsv, line 1: the verdict names no item",
        ),
        (
            "{broken\n".to_owned(),
            "v.tsv, line 1: this is no JSON object",
        ),
        (String::new(), "v.tsv"),
        ("item\tverdict\n".to_owned(), "v.tsv: there are no verdicts"),
        (
            format!("item\tverdict\n{}\n", all[1..].join("\n")),
            "there is no verdict on",
        ),
        (
            format!("item\tverdict\n{}\n{}\tf\n", all.join("\n"), ids[0]),
            "two verdicts on",
        ),
    ];
    for (text, expected) in cases {
        write(here, "v.tsv", &text);
        let said = refuse(
            &[
                &ask[..],
                &["--verdicts", "v=v.tsv", "--out", "bad", "--fresh"],
            ]
            .concat(),
            here,
        );
        assert!(said.contains(expected), "{text}: {said}");
    }
    // Verdicts on what is not there are said, not counted.
    write(
        here,
        "v.tsv",
        &format!("item\tverdict\n{}\nnobody\tf\n", all.join("\n")),
    );
    let (code, out, said) = run(
        &[&ask[..], &["--verdicts", "v=v.tsv", "--out", "more"]].concat(),
        here,
    );
    assert_eq!(code, 0, "{said}");
    assert!(
        out.contains("1 of 61 verdicts by v are on translations that this run does not have"),
        "{out}"
    );
    let models = [
        "run",
        "gest",
        "--model",
        "random:1",
        "--data",
        "g.csv",
        "--verdicts",
        "v=v.tsv",
    ];
    assert!(refuse(&models, here).contains("--verdicts has no effect here"));
}

/// The authors' rules on parses, measured, say of each sentence what `gender --conllu` says of it.
#[test]
fn parses_are_judged_as_gender_judges_them() {
    let Some(folder) = shared("ud") else { return };
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(".conllu"))
        .collect();
    files.sort();
    let mut judged = 0;
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let code = name.split(['_', '-', '.']).next().unwrap().to_owned();
        if !epicene_lang::conllu::LANGUAGES.contains(&code.as_str()) {
            continue;
        }
        let text = unpacked(&file);
        // Every sentence a translation of its own: no document comments.
        let plain: String = text
            .lines()
            .filter(|line| !line.starts_with("# newdoc") && !line.starts_with("# newpar"))
            .take(6_000)
            .map(|line| format!("{line}\n"))
            .collect();
        let plain = &plain[..plain.rfind("\n\n").unwrap() + 2];
        write(here, "p.conllu", plain);
        let printed = succeed(
            &["gender", "--lang", &code, "--conllu", "--json", "p.conllu"],
            here,
        );
        let printed: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        crate::support::synthetic_gest(&here.join("g.csv"), printed.len());
        let mut table = csv::Writer::from_path(here.join("t.csv")).unwrap();
        let mut sentences = csv::Reader::from_path(here.join("g.csv")).unwrap();
        table.write_record(["from", "to"]).unwrap();
        for (row, line) in sentences.records().zip(&printed) {
            table
                .write_record([&row.unwrap()[0], line["text"].as_str().unwrap()])
                .unwrap();
        }
        table.flush().unwrap();
        let ask = [
            "run",
            "gest",
            "--data",
            "g.csv",
            "--mt",
            "p=file:t.csv",
            "--lang",
            &code,
            "--trust-language",
            "--interval",
            "published",
            "--parses",
            "p.conllu",
            "--out",
            "r",
            "--fresh",
        ];
        succeed(&ask, here);
        let items = succeed(&["report", "r", "--items"], here);
        let items: Vec<Value> = items
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(items.len(), printed.len(), "{name}");
        for (item, line) in items.iter().zip(&printed) {
            assert_eq!(item["verdict"], line["verdict"], "{name}: {line}");
            assert_eq!(item["rule"], line["rule"], "{name}: {line}");
            let words: Vec<&Value> = line["evidence"]
                .as_array()
                .unwrap()
                .iter()
                .map(|word| &word["text"])
                .collect();
            let own: Vec<&Value> = item["evidence"].as_array().unwrap().iter().collect();
            assert_eq!(own, words, "{name}: {line}");
        }
        judged += items.len();
        println!("{name}: {} sentences", items.len());
    }
    assert!(judged > 1000, "{judged}");
    // Parses of other texts, or of fewer, are refused.
    write(
        here,
        "p.conllu",
        "1\tBola\t_\tAUX\t_\tGender=Fem|Number=Sing\t0\troot\t_\t_\n\n",
    );
    let ask = alternating(here);
    let said = refuse(
        &[&ask[..], &["--parses", "p.conllu", "--out", "few"]].concat(),
        here,
    );
    assert!(
        said.contains("1 translation in the parse, 60 by nmt"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_program_judges_once_and_its_failures_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let ask = alternating(here);
    write(
        here,
        "judge.py",
        "import json, sys\n\
         open('calls', 'a').write('x')\n\
         for line in sys.stdin:\n\
         \x20   text = json.loads(line)['text']\n\
         \x20   word = text.split()[-1].strip('.')\n\
         \x20   verdict = {'rada': 'f', 'rád': 'm'}.get(word, 'u')\n\
         \x20   print(json.dumps({'verdict': verdict, 'evidence': word}), flush=True)\n",
    );
    let with = |command: &str, out: &str| -> Vec<String> {
        let more = [
            "--detector".to_owned(),
            format!("command:{command}"),
            "--out".to_owned(),
            out.to_owned(),
        ];
        ask.iter()
            .map(|word| (*word).to_owned())
            .chain(more)
            .collect()
    };
    let own = succeed(&[&ask[..], &["--out", "own"]].concat(), here);
    let words = with("python3 judge.py", "r");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let judged = succeed(&words, here);
    assert_eq!(
        Rows::parse(&judged).value("nmt", "lang:sk", "all", "f_m"),
        Rows::parse(&own).value("nmt", "lang:sk", "all", "f_m")
    );
    assert!(table(here, "r").contains("κ 1.000"));
    // Neither the same command nor a report runs it again.
    succeed(&words, here);
    succeed(&["report", "r", "--format", "json"], here);
    assert_eq!(read(here, "calls"), "x");
    assert!(
        Rows::parse(&judged)
            .1
            .contains("|verdicts:python3_judge.py|"),
        "{}",
        Rows::parse(&judged).1
    );
    let broken = [
        (
            "python3 -c 'import sys; sys.exit(3)'",
            "failed (exit status: 3)",
        ),
        ("head -n 5", "gave 5 lines for 60 translations"),
        (
            "python3 -c 'print(\"m\")'",
            "gave 1 line for 60 translations",
        ),
        (
            "python3 -c 'print(\"m\\n\" * 90)'",
            "gave more lines than the 60",
        ),
        ("no-such-program", "cannot be started"),
        ("sleep 60", "was silent for 1 second after 0 of 60 answers"),
        ("echo $(touch injected)", "gave"),
    ];
    for (number, (command, expected)) in broken.into_iter().enumerate() {
        let out = format!("b{number}");
        let words = with(command, &out);
        let output = crate::support::epicene()
            .args(&words)
            .current_dir(here)
            .env("EPICENE_DETECTOR_TIMEOUT", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains(expected), "{command}: {said}");
        // The answers are there, and a detector that works goes on with them.
        assert_eq!(
            crate::support::lines(&here.join(&out).join("log.jsonl")).len(),
            crate::support::lines(&here.join("r/log.jsonl")).len()
        );
    }
    assert!(!here.join("injected").exists());
    let words = with("python3 judge.py", "b0");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let again = succeed(&words, here);
    assert_eq!(
        Rows::parse(&again).value("nmt", "lang:sk", "all", "f_m"),
        Rows::parse(&own).value("nmt", "lang:sk", "all", "f_m")
    );
}
