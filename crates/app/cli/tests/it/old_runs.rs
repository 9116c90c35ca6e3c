//! Runs made by 0.1.0 say what they said then: rows byte for byte, notes, verdicts, and signatures where those were
//! true. The directories and what 0.1.0 printed were made by `tools/reference/runs_0_1_0.py`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::support::{refuse, run};
use serde_json::Value;

fn archive() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs-0.1.0")
}

fn said_then(name: &str) -> Value {
    let file = std::fs::File::open(archive().join(format!("{name}.json.gz"))).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    let cells = value.as_array().unwrap().iter();
    cells.map(|cell| cell.as_str().unwrap()).collect()
}

/// Fails at the first line that differs.
fn same_lines(what: &str, then: &[&str], now: &[&str]) {
    for (place, (then, now)) in then.iter().zip(now).enumerate() {
        assert_eq!(then, now, "{what}, line {}", place + 1);
    }
    assert_eq!(then.len(), now.len(), "{what}: number of lines");
}

/// What 0.1.0 signed and did not do: command, run, what it said, what is true.
const UNTRUE: [(&str, &str, &str, &str); 12] = [
    (
        "report",
        "winobias",
        "interval:bootstrap-normal-limit-1000",
        "interval:normal",
    ),
    (
        "report",
        "winobias-means",
        "|interval:bootstrap-normal-limit-1000",
        "",
    ),
    (
        "report",
        "unambiguous-tags",
        "judge:occupation-default|aligner:fast_align-grow-diag-final-and|pick:last",
        "judge:given-tags",
    ),
    (
        "report",
        "unambiguous-results",
        "|aligner:fast_align-grow-diag-final-and|pick:last",
        "",
    ),
    (
        "",
        "wibemt",
        "judge:wibemt-",
        "judge:occupation-default+wibemt-",
    ),
    (
        "compare",
        "mbe",
        "interval:bootstrap-percentile-1000|interval:paired-bootstrap-normal+randomisation-200-1000",
        "interval:paired-bootstrap-percentile-1000",
    ),
    (
        "compare",
        "crows-pairs",
        "interval:wilson|interval:paired-bootstrap-normal+randomisation-200-1000",
        "test:mcnemar-exact|interval:paired-normal",
    ),
    (
        "compare",
        "unambiguous",
        "rates:wilson|bootstrap:occupations-1000|interval:paired-bootstrap-normal+randomisation-200-1000",
        "test:mcnemar-exact|interval:paired-normal",
    ),
    (
        "compare",
        "wibemt",
        "test:chi2-yates|rates:wilson|interval:paired-bootstrap-normal+randomisation-200-1000",
        "test:mcnemar-exact|interval:risk-difference",
    ),
    (
        "compare",
        "winomt",
        "interval:wilson+bootstrap-1000|interval:paired-bootstrap-normal+randomisation-200-1000",
        "test:mcnemar-exact|interval:risk-difference",
    ),
    // Nothing is picked where the whole noun phrase is judged.
    (
        "",
        "unambiguous",
        "judge:occupation-default|aligner:fast_align-grow-diag-final-and|pick:last",
        "judge:occupation-default|aligner:fast_align-grow-diag-final-and",
    ),
    (
        "",
        "",
        "judge:occupation-default|aligner:given|pick:last",
        "judge:occupation-default|aligner:given",
    ),
];

/// The signature now: as it was then, except where that was not true.
fn signature_now(arguments: &[&str], then: &str) -> String {
    let mut now = then.to_owned();
    for (command, run, said, is) in UNTRUE {
        let ours = |own: &str, given: &str| own.is_empty() || own == given;
        if ours(command, arguments[0]) && ours(run, arguments[1]) {
            now = now.replace(said, is);
        }
    }
    // Which form of the test was made changes a number.
    if let Some(place) = arguments.iter().position(|word| *word == "--mcnemar") {
        now = now.replace(
            "|seed:",
            &format!("|mcnemar:{}|seed:", arguments[place + 1]),
        );
    }
    // How numbers are made is an option of its own now.
    let estimates = [
        (
            "gest",
            "|interval:bootstrap",
            "|estimate:published|interval:bootstrap",
        ),
        (
            "crows-pairs",
            "|interval:wilson",
            "|interval:wilson|ties:in-n",
        ),
        (
            "stereoset",
            "|interval:wilson",
            "|interval:wilson|ties:in-n",
        ),
    ];
    for (run, said, is) in estimates {
        if arguments[0] == "report" && arguments[1].starts_with(run) {
            now = now.replace(said, is);
        }
    }
    let measured = format!("epicene:{}|asked:0.1.0", env!("CARGO_PKG_VERSION"));
    now.replace("epicene:0.1.0", &measured)
}

/// Runs whose default judge has learnt since: it looks for the person itself. The authors' rules do not learn.
const LEARNT: [&str; 5] = [
    "unambiguous",
    "unambiguous-links",
    "unambiguous-tokens",
    "winomt",
    "winomt-links",
];

/// Runs that have gained rows, and the system or unit of those.
const GAINED: [(&str, &str); 1] = [("gest-pairs", "all")];

fn is_new(name: &str, line: &str) -> bool {
    let mut cells = line.split(',').skip(1).take(2);
    let gained = GAINED.iter().find(|(run, _)| *run == name);
    gained.is_some_and(|(_, gained)| cells.any(|cell| cell == *gained))
}

/// What was printed, and behind it no more than a bar, whose scale is fixed now.
fn same_but_for_bars(what: &str, then: &str, now: &str) {
    // One was many then.
    let then = &then
        .replace(" 1 pairs have ", " 1 pair has ")
        .replace(" 1 translations are ", " 1 translation is ");
    let is_bar = |letter: char| matches!(letter, '│' | ' ' | '\u{2580}'..='\u{259f}');
    let told = then.trim_end_matches(is_bar);
    let told = match told.rsplit_once(' ') {
        Some((told, scale)) if scale.ends_with('=') => told.trim_end(),
        _ => told,
    };
    let is_scale =
        |letter: char| is_bar(letter) || letter.is_ascii_digit() || ".-".contains(letter);
    let is_same = match now.strip_prefix(told) {
        Some(rest) => rest.chars().all(is_scale),
        None => {
            // A column of p-values has decimals now even where one of them is 1.
            let mut cells = now.split_whitespace();
            let same = |cell: &str| {
                let now = cells.next();
                now.is_some_and(|now| now == cell || cell == "1" && now == "1.000")
            };
            told.split_whitespace().all(same) && cells.all(|cell| cell.chars().all(is_scale))
        }
    };
    assert!(is_same, "{what}:\n{then}\n{now}");
}

/// Differences are second less first now, in every benchmark; then they were first less second, but for unambiguous.
fn turned(line: &str) -> String {
    let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
    let [benchmark, system, _, _, metric, ..] = &cells[..] else {
        return line.to_owned();
    };
    if benchmark == "unambiguous" {
        return line.to_owned();
    }
    let is_difference = metric.starts_with("delta_");
    if let Some((first, second)) = system.split_once(" - ") {
        cells[1] = format!("{second} - {first}");
    }
    if is_difference {
        let negative = |cell: &String| match cell.strip_prefix('-') {
            Some(rest) => rest.to_owned(),
            None if cell.is_empty() || cell == "0.0" => cell.clone(),
            None => format!("-{cell}"),
        };
        let [value, low, high] = [5, 6, 7].map(|place| negative(&cells[place]));
        (cells[5], cells[6], cells[7]) = (value, high, low);
    }
    cells.join(",")
}

fn check(name: &str) {
    let then = said_then(name);
    for said in then["said"].as_array().unwrap() {
        let arguments = strings(&said["arguments"]);
        if LEARNT.contains(&name) && !arguments.contains(&"published") {
            continue;
        }
        let what = arguments.join(" ");
        for threads in ["1", "4"] {
            let mut command = arguments.clone();
            command.extend(["--threads", threads, "--format", "csv"]);
            let (code, stdout, stderr) = run(&command, &archive());
            assert_eq!(code, 0, "{what}: {stderr}");
            let rows = strings(&said["rows"]);
            let rows: Vec<String> = match arguments[0] {
                "compare" => rows.into_iter().map(turned).collect(),
                _ => rows.into_iter().map(str::to_owned).collect(),
            };
            same_lines(
                &what,
                &rows.iter().map(String::as_str).collect::<Vec<_>>(),
                &stdout
                    .lines()
                    .filter(|line| !is_new(name, line))
                    .collect::<Vec<_>>(),
            );
            let signature = stderr
                .lines()
                .find_map(|line| line.strip_prefix("signature: "));
            // Translations that are missing are named since 0.2.0.
            let signature = signature.map(|signature| {
                let fields = signature.split('|');
                let kept = fields.filter(|field| !field.starts_with("missing:"));
                kept.collect::<Vec<_>>().join("|")
            });
            let expected = signature_now(&arguments, said["signature"].as_str().unwrap());
            assert_eq!(signature, Some(expected), "{what}");
        }
        // Rows that were gained move the columns of a table; the rows themselves were compared.
        let gained = GAINED.iter().any(|(run, _)| *run == name);
        if arguments[0] == "compare" || gained {
            continue;
        }
        let (_, stdout, _) = run(&arguments, &archive());
        let table: Vec<&str> = stdout.lines().collect();
        let expected = strings(&said["table"]);
        let last = table.len() - expected.len().min(table.len());
        let signed = |lines: &[&str]| -> Vec<String> {
            let plain = lines.iter().filter(|line| !line.starts_with("signature: "));
            plain.map(|line| (*line).to_owned()).collect()
        };
        let (then, now) = (signed(&expected), signed(&table[last..]));
        assert_eq!(then.len(), now.len(), "{what}: table and notes");
        for (then, now) in then.iter().zip(&now) {
            same_but_for_bars(&what, then, now);
        }
    }
    if LEARNT.contains(&name) {
        return;
    }
    let (code, stdout, stderr) = run(&["items", name], &archive());
    assert_eq!(code, 0, "items {name}: {stderr}");
    let place = |item: &Value| ["id", "system", "unit"].map(|key| item[key].to_string());
    let now: BTreeMap<[String; 3], Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .map(|item| (place(&item), item))
        .collect();
    let items = then["items"].as_array().unwrap();
    assert_eq!(now.len(), items.len(), "items {name}");
    for then in items {
        let now = &now[&place(then)];
        if now["rule"] == "by-hand" {
            // 0.1.0 counted the decision, and did not show it.
            assert_eq!(then["verdict"], "u", "items {name}: {then}");
            continue;
        }
        for (key, value) in then.as_object().unwrap() {
            assert_eq!(*value, now[key], "items {name}: {key} of {then}");
        }
    }
}

macro_rules! runs {
    ($($test:ident: $name:literal,)+) => {
        $(#[test]
        fn $test() {
            check($name);
        })+

        #[test]
        fn every_run_of_the_archive_is_read() {
            let mut known = vec![$($name),+];
            let entries = std::fs::read_dir(archive()).unwrap().map(|entry| entry.unwrap());
            let folders = entries.filter(|entry| entry.path().is_dir());
            let mut there: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
            known.sort_unstable();
            there.sort_unstable();
            assert_eq!(known, there);
        }
    };
}

runs! {
    gest_models: "gest-models",
    gest_scores: "gest-scores",
    gest_translations: "gest-translations",
    gest_pairs: "gest-pairs",
    winobias: "winobias",
    winobias_means: "winobias-means",
    mbe: "mbe",
    crows_pairs: "crows-pairs",
    stereoset: "stereoset",
    unambiguous: "unambiguous",
    unambiguous_tags: "unambiguous-tags",
    unambiguous_results: "unambiguous-results",
    unambiguous_links: "unambiguous-links",
    unambiguous_tokens: "unambiguous-tokens",
    wibemt: "wibemt",
    wibemt_decisions: "wibemt-decisions",
    winomt: "winomt",
    winomt_links: "winomt-links",
}

#[test]
fn a_run_of_a_newer_format_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let from = archive().join("winobias-means");
    std::fs::create_dir(here.join("new")).unwrap();
    for file in ["items.jsonl", "log.jsonl"] {
        std::fs::copy(from.join(file), here.join("new").join(file)).unwrap();
    }
    let manifest = std::fs::read_to_string(from.join("manifest.json")).unwrap();
    let newer = manifest.replacen("\"format\": 1", "\"format\": 9", 1);
    assert_ne!(manifest, newer);
    std::fs::write(here.join("new/manifest.json"), newer).unwrap();
    for command in ["report", "items", "compare"] {
        let error = refuse(&[command, "new"], here);
        assert!(
            error.contains("made by a newer epicene (run format 9;"),
            "{error}"
        );
        assert!(
            error.contains("epicene report RUN --format json"),
            "{error}"
        );
    }
}
