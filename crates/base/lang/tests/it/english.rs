//! The English detector on the specification's cases, on labelled translations and on the English sides of other sets. The tests of
//! the benchmarks have MiTTenS' references.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;

use epicene_core::Finding;
use epicene_lang::english::detect;
use serde_json::Value;

use crate::support::shared::{lines, shared};

fn name(finding: Finding) -> &'static str {
    match finding {
        Finding::Masculine => "masculine",
        Finding::Feminine => "feminine",
        Finding::Neutral => "neutral",
        Finding::Both => "both",
        _ => "unknown",
    }
}

#[test]
fn agrees_with_every_case_of_the_specification() {
    let cases = include_str!("../english/cases.tsv");
    let rows = cases
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("text\t"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [text, verdict, rule, evidence] = cells[..] else {
            panic!("{row}");
        };
        let text = text.replace("\\n", "\n");
        let found = detect(&text);
        let words: Vec<&str> = found.evidence.iter().map(|span| span.of(&text)).collect();
        assert_eq!(
            (name(found.finding), found.rule, words.join("|")),
            (verdict, rule, evidence.to_owned()),
            "{text}"
        );
        count += 1;
    }
    assert_eq!(count, 99);
}

/// The rows of a table of ours.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split('\t').collect())
}

fn letter(text: &str) -> &'static str {
    match detect(text).finding {
        Finding::Masculine => "m",
        Finding::Feminine => "f",
        Finding::Neutral => "n",
        Finding::Both => "b",
        _ => "u",
    }
}

/// Sixty sentences of each class of errors that labelled translations showed.
#[test]
fn classes_of_errors_are_mended() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows(include_str!("../english/classes.tsv")) {
        let [class, verdict, text] = row[..] else {
            panic!("{row:?}");
        };
        *counts.entry(class).or_default() += 1;
        assert_eq!(letter(text), verdict, "{class}: {text}");
    }
    assert_eq!(counts.len(), 4);
    assert!(counts.values().all(|count| *count == 60), "{counts:?}");
}

/// Translations of a real system: the detector agrees with people on 97 of 100.
#[test]
fn agrees_with_labels_of_translations() {
    let mut counts = [[0usize; 2]; 2];
    for row in rows(include_str!("../english/outputs.tsv")) {
        let [round, language, label, source, output] = row[..] else {
            panic!("{row:?}");
        };
        let count = &mut counts[round.parse::<usize>().unwrap() - 1];
        let found = letter(output);
        count[0] += usize::from(found == label);
        count[1] += 1;
        if found != label {
            println!(
                "round {round}, {language}: `{source}` → `{output}`: {found}, labelled {label}"
            );
        }
    }
    let [agree, all] = [0, 1].map(|place| counts[0][place] + counts[1][place]);
    println!("{agree} of {all} agree; by round: {counts:?}");
    assert!(all >= 300);
    assert!(agree as f64 / all as f64 >= 0.97, "{agree} of {all}");
}

fn unpacked(path: &Path) -> String {
    let mut text = Vec::new();
    lzma_rs::xz_decompress(
        &mut BufReader::new(File::open(path).unwrap()),
        &mut Cursor::new(&mut text),
    )
    .unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn reaches_its_goals_on_winomt_and_winobias() {
    let Some(data) = shared("winomt/en.tsv.gz") else {
        return;
    };
    let rows = lines(&data);
    let right = rows.iter().filter(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let expected = match cells[0] {
            "male" => "m",
            "female" => "f",
            _ => "n",
        };
        letter(cells[2]) == expected
    });
    assert_eq!((right.count(), rows.len()), (3886, 3888));

    let folder = data.parent().unwrap().parent().unwrap().join("winobias");
    let (mut right, mut all) = (0, 0);
    for kind in ["pro", "anti"] {
        for part in [
            "type1.txt.dev",
            "type1.txt.test",
            "type2.txt.dev",
            "type2.txt.test",
        ] {
            for line in lines(&folder.join(format!("{kind}_stereotyped_{part}.gz"))) {
                let text = line.split_once(' ').unwrap().1;
                let bracketed = text
                    .split('[')
                    .skip(1)
                    .filter_map(|rest| rest.split(']').next());
                let genders = bracketed.filter_map(|word| match word.to_lowercase().as_str() {
                    "he" | "him" | "his" | "himself" => Some("m"),
                    "she" | "her" | "hers" | "herself" => Some("f"),
                    _ => None,
                });
                let genders: Vec<&str> = genders.collect();
                let [expected] = genders[..] else { continue };
                all += 1;
                right += usize::from(letter(&text.replace(['[', ']'], "")) == expected);
            }
        }
    }
    assert_eq!((right, all), (3079, 3081));
}

/// 4,600 of 4,800 and never the wrong gender on MT-GenEval; at most 4.5 % of GATE's open sentences get one.
#[test]
fn reaches_its_goals_on_mtgeneval_and_gate() {
    let Some(data) = shared("mtgeneval/sentences/test") else {
        return;
    };
    let (mut right, mut wrong, mut all) = (0, 0, 0);
    for (name, own, other) in [("feminine", "f", "m"), ("masculine", "m", "f")] {
        for code in ["ar", "de", "es", "fr", "hi", "it", "pt", "ru"] {
            let file = format!("geneval-sentences-{name}-test.en_{code}.en.xz");
            for line in unpacked(&data.join(file)).lines() {
                let found = letter(line);
                right += usize::from(found == own);
                wrong += usize::from(found == other);
                all += 1;
            }
        }
    }
    println!("MT-GenEval: {right} right, {wrong} wrong of {all}");
    assert!(
        right >= 4600 && wrong == 0 && all == 4800,
        "{right}, {wrong} of {all}"
    );

    let folder = data.ancestors().nth(3).unwrap().join("gate");
    let (mut gendered, mut all) = (0, 0);
    for code in ["es", "fr", "it"] {
        for line in unpacked(&folder.join(format!("gate.{code}.jsonl.xz"))).lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let Some(source) = row["source"].as_str() else {
                continue;
            };
            gendered += usize::from(matches!(letter(source), "m" | "f"));
            all += 1;
        }
    }
    println!("GATE: {gendered} of {all} called masculine or feminine");
    assert_eq!(all, 5502);
    assert!(gendered as f64 / all as f64 <= 0.045, "{gendered} of {all}");
}
