//! Every number that a sentence of a comparison or of a report names is the table's, in every benchmark.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::first_screens::{ASKED, files, run_of};
use crate::scale::{data, write_data};
use crate::support::{Rows, run, shared, succeed};

/// `lang:sk f_s: old 0.164, new 0.298, ideal 0: new is more stereotyped than old by 0.134 (p = 0.002)…`
struct Sentence<'a> {
    unit: &'a str,
    metric: &'a str,
    values: Vec<(&'a str, &'a str)>,
    by: Option<&'a str>,
    p: Option<&'a str>,
}

fn parse<'a>(note: &'a str, systems: &[String]) -> Option<Sentence<'a>> {
    let (head, rest) = note.split_once(": ")?;
    let (unit, metric) = head.rsplit_once(' ')?;
    // Names of systems have colons, too.
    let verdict = rest.find(": no significant").or_else(|| {
        let starts = systems.iter();
        let starts = starts.filter_map(|system| rest.find(&format!(": {system} is ")));
        starts.min()
    })?;
    let (values, verdict) = (&rest[..verdict], &rest[verdict + 2..]);
    let named = values
        .split(", ")
        .filter(|part| !part.starts_with("ideal "));
    let values: Vec<(&str, &str)> = named.filter_map(|part| part.rsplit_once(' ')).collect();
    let after = |mark: &str| {
        let rest = verdict.split_once(mark)?.1;
        rest.split([' ', ')', ';']).next()
    };
    (values.len() == 2).then(|| Sentence {
        unit,
        metric,
        values,
        by: after(" by "),
        p: after("(p = "),
    })
}

/// Whether a printed number is this one.
fn is_shown(printed: &str, value: f64) -> bool {
    let decimals = printed.split_once('.').map_or(0, |(_, rest)| rest.len());
    let rounded = if printed.contains('e') {
        format!("{value:.1e}")
    } else {
        format!("{value:.decimals$}")
    };
    // Zero has no sign.
    rounded.trim_start_matches('-') == printed.trim_start_matches('-')
}

/// Compares the systems of a run, and holds each sentence against the rows. Gives the number of sentences.
fn check(name: &str, runs: &[&str], here: &Path) -> usize {
    let own = Rows::parse(&succeed(
        &[&["report", "--format", "json"], runs].concat(),
        here,
    ));
    let compare = [&["compare", "--rounds", "300"], runs].concat();
    let (code, json, stderr) = run(&[&compare[..], &["--format", "json"]].concat(), here);
    if code != 0 {
        println!("{name}: {stderr}");
        return 0;
    }
    let compared = Rows::parse(&json);
    let text = succeed(&compare, here);
    let mut systems: Vec<String> = own
        .0
        .iter()
        .map(|row| row["system"].as_str().unwrap().to_owned())
        .collect();
    systems.sort();
    systems.dedup();
    let mut sentences = 0;
    for note in text.lines() {
        let Some(sentence) = parse(note, &systems) else {
            continue;
        };
        sentences += 1;
        let (unit, metric) = (sentence.unit, sentence.metric);
        for (system, printed) in &sentence.values {
            let value = own.value(system, unit, "all", metric);
            assert!(is_shown(printed, value), "{name}: {note}: {value}");
        }
        let find = |wanted: &str| {
            let row = compared.0.iter().find(|row| {
                row["unit"] == unit && row["group"] == "all" && row["metric"] == wanted
            });
            row.map(|row| row["value"].as_f64().unwrap())
        };
        if let Some(by) = sentence.by {
            let difference = find(&format!("delta_{metric}")).unwrap();
            assert!(is_shown(by, difference), "{name}: {note}: {difference}");
        }
        if let Some(p) = sentence.p {
            let own = find(&format!("p_value_{metric}"));
            let value = own.or_else(|| find("p_value")).unwrap();
            assert!(is_shown(p, value), "{name}: {note}: {value}");
        }
    }
    sentences
}

#[test]
fn numbers_in_sentences_are_those_of_the_table() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write_data(here);
    let mut tried = String::new();
    let mut all = 0;
    for benchmark in epicene_bench::ALL {
        let name = benchmark.card().name;
        let Some(data) = data(name) else { continue };
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        let lang: &[&str] = match name {
            "eurogest" => &["--lang", "es"],
            _ => &[],
        };
        for (number, pair) in [["random:1", "always:he"], ["random:2", "random:3"]]
            .into_iter()
            .enumerate()
        {
            let out = format!("{name}-{number}");
            let systems = ["--model", pair[0], "--model", pair[1], "--out", &out];
            let (code, _, stderr) = run(
                &[&["run"], &data[..], lang, &["--bootstrap", "20"], &systems].concat(),
                here,
            );
            if code != 0 {
                println!("{name}: {stderr}");
                continue;
            }
            let found = check(name, &[&out], here);
            write!(tried, "{name} {found}, ").unwrap();
            all += found;
        }
    }
    for (name, data, one, other, language) in [
        (
            "gest",
            "gest/gest.csv",
            "gest/translations/deepl/sk/translations.csv.gz",
            "gest/translations/nllb_3b/sk/translations.csv.gz",
            "sk",
        ),
        (
            "winomt",
            "winomt/en_2019.tsv.gz",
            "winomt/translations/google/en-de.txt.gz",
            "winomt/translations/systran/en-de.txt.gz",
            "de",
        ),
    ] {
        let Some(place) = shared("gest") else {
            continue;
        };
        let place = place.parent().unwrap().to_owned();
        let file = |part: &str| place.join(part).display().to_string();
        let out = format!("{name}-mt");
        let (one, other) = (
            format!("one=file:{}", file(one)),
            format!("other=file:{}", file(other)),
        );
        let line = [
            "run",
            name,
            "--data",
            &file(data),
            "--mt",
            &one,
            "--mt",
            &other,
            "--lang",
            language,
            "--out",
            &out,
        ];
        succeed(&line, here);
        let found = check(name, &[&out], here);
        // Every headline metric has its sentence: WinoMT accuracy, ΔG and ΔS.
        let least = if name == "winomt" { 3 } else { 2 };
        assert!(found >= least, "{name}: {found} sentences");
        write!(tried, "{name} {found}, ").unwrap();
        all += found;
    }
    println!("{tried}");
    assert!(all >= 12, "{tried}");
}

/// The numbers of a finding: `f_s 0.298 [0.269, 0.327]` behind the metric's symbol.
fn numbers_behind<'a>(text: &'a str, symbol: &str) -> Vec<[&'a str; 3]> {
    let mark = format!(" {symbol} ");
    let behind = text.match_indices(&mark).filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let (value, rest) = rest.split_once(" [")?;
        let (low, rest) = rest.split_once(", ")?;
        let (high, _) = rest.split_once(']')?;
        let numbers = [value, low, high];
        let are_numbers = numbers.iter().all(|number| number.parse::<f64>().is_ok());
        are_numbers.then_some(numbers)
    });
    behind.collect()
}

/// Holds the findings of a report against its rows. Gives the number of findings.
fn check_findings(name: &str, run: &str, here: &Path) -> usize {
    let rows = Rows::parse(&succeed(&["report", run, "--format", "json"], here));
    let report = succeed(&["report", run, "--format", "md"], here);
    let metrics: std::collections::BTreeSet<&str> = rows
        .0
        .iter()
        .map(|row| row["metric"].as_str().unwrap())
        .collect();
    let mut found = 0;
    let screen = report.lines().take_while(|line| !line.starts_with("| "));
    for line in screen.filter(|line| line.starts_with("- **")) {
        // Markdown escapes what would be marks.
        let line = line.replace('\\', "");
        for metric in &metrics {
            for [value, low, high] in numbers_behind(&line, metric) {
                found += 1;
                let is_this = |row: &&serde_json::Value| {
                    let is = |printed: &str, field: &str| {
                        let number = row[field].as_f64();
                        number.is_some_and(|number| is_shown(printed, number))
                    };
                    row["metric"] == **metric
                        && line.contains(row["system"].as_str().unwrap())
                        && is(value, "value")
                        && is(low, "low")
                        && is(high, "high")
                };
                assert!(
                    rows.0.iter().any(|row| is_this(&row)),
                    "{name}: no row has {metric} {value} [{low}, {high}]: {line}"
                );
            }
        }
    }
    found
}

/// Whether any way of making intervals depends on the number of resamples.
fn resamples(asked: &str, here: &Path) -> bool {
    let ways: [&[&str]; 4] = [
        &[],
        &["--interval", "clustered"],
        &["--interval", "published"],
        &["--interval", "resampled"],
    ];
    ways.iter().any(|way| {
        let rows = |count: &str| {
            let report = ["report", asked, "--format", "csv", "--bootstrap", count];
            let (code, rows, _) = run(&[&report[..], way].concat(), here);
            (code == 0).then_some(rows)
        };
        rows("20") != rows("21")
    })
}

#[test]
fn numbers_in_findings_are_those_of_the_table() {
    if shared("bbq").is_none() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    files(here);
    let (mut tried, mut lacking) = (String::new(), Vec::new());
    let mut compared = 0;
    let mut resampling: BTreeMap<&str, bool> = BTreeMap::new();
    for asked in ASKED {
        let name = format!("{}-{}", asked.0, asked.1);
        let runs = [1, 2].map(|seed| format!("{name}-{seed}"));
        for (seed, run) in (1..).zip(&runs) {
            run_of(here, asked, seed, run);
        }
        let found = check_findings(&name, &runs[0], here);
        if found == 0 {
            lacking.push(name.clone());
        }
        *resampling.entry(asked.0).or_default() |= resamples(&runs[0], here);
        let sentences = check(&name, &[&runs[0], &runs[1]], here);
        compared += sentences;
        write!(tried, "{name} {found} and {sentences}, ").unwrap();
    }
    // What is resampled needs alternatives, or translations of the sentences.
    let shared = shared("").unwrap();
    let shared = shared.to_str().unwrap();
    for (benchmark, words) in [
        (
            "gate",
            "--data SHARED/gate --task alternatives --lang es --limit 200 --mt copy:",
        ),
        (
            "unambiguous",
            "--data SHARED/unambiguous/source_s_58032.tsv.gz --lang de --limit 14976 \
             --mt m2m=file:SHARED/unambiguous/pipeline_14976/de.mt.gz",
        ),
    ] {
        let words = words.replace("SHARED", shared);
        let words: Vec<&str> = words.split(' ').collect();
        let out = format!("{benchmark}-resampled");
        succeed(
            &[&["run", benchmark, "--out", &out][..], &words].concat(),
            here,
        );
        *resampling.entry(benchmark).or_default() |= resamples(&out, here);
    }
    // Help shows --bootstrap where it can do something.
    let wrong: Vec<(&str, bool)> = resampling
        .into_iter()
        .filter(|(benchmark, has_effect)| {
            let help = succeed(&["run", benchmark, "--help"], here);
            help.contains("--bootstrap <N>") != *has_effect
        })
        .collect();
    assert_eq!(wrong, [], "help and the effect of --bootstrap differ");
    println!("{tried}");
    assert!(lacking.is_empty(), "no finding: {lacking:?} ({tried})");
    assert!(compared >= ASKED.len(), "{tried}");
}
