//! Translations into English from files: what section 6 of the specification `into-english` refuses, and what it counts.

use std::path::Path;

use crate::support::{Rows, refuse, run, succeed};

/// A file of translations from Hungarian with these lines changed.
fn write(path: &Path, name: &str, change: impl Fn(usize, &str, &str) -> String) {
    let questions = succeed(
        &[
            "export-questions",
            "into-english",
            "--lang",
            "hu",
            "--kind",
            "mt",
        ],
        path,
    );
    let texts = questions.lines().skip(1).map(|line| {
        let question: serde_json::Value = serde_json::from_str(line).unwrap();
        let item = question["item"].as_str().unwrap();
        let occupation = item.split(':').nth(2).unwrap_or("person").replace('-', " ");
        (question["text"].as_str().unwrap().to_owned(), occupation)
    });
    let lines = texts.enumerate().map(|(number, (source, occupation))| {
        let he = ["He", "She", "They"][number % 3];
        let english = format!("{he} is a {occupation} and works there with the other people.");
        change(number, &source, &english) + "\n"
    });
    std::fs::write(path.join(name), lines.collect::<String>()).unwrap();
}

const ASK: [&str; 6] = ["run", "into-english", "--lang", "hu", "--format", "json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ASK[..], more].concat()
}

#[test]
fn files_of_another_length_are_refused_with_both_numbers() {
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("short.txt"), "He left.\n".repeat(7)).unwrap();
    let error = refuse(&with(&["--mt", "file:short.txt"]), here.path());
    assert!(error.contains('7') && error.contains("246"), "{error}");
}

#[test]
fn unknown_source_languages_are_refused_with_those_there_are() {
    let here = tempfile::tempdir().unwrap();
    let arguments = ["run", "into-english", "--lang", "sk", "--mt", "copy:"];
    let error = refuse(&arguments, here.path());
    assert!(
        error.contains("no items in the source language `sk`"),
        "{error}"
    );
    assert!(
        error.contains("tr, fi, hu, et, fa, bn, eu, ka, hy"),
        "{error}"
    );
}

/// A tenth of copies passes, more does not; so does another language. `--trust-language` measures both and says so.
#[test]
fn copies_and_other_languages_are_refused_unless_trusted() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path();
    // Every tenth line from one on: 24 or 25 of 246.
    let copies = |from: usize| {
        move |number: usize, source: &str, english: &str| {
            let is_copy = number >= from && number.is_multiple_of(10);
            let text = if is_copy { source } else { english };
            text.to_owned()
        }
    };
    write(path, "few.txt", copies(1));
    let (_, _, stderr) = run(&with(&["--mt", "file:few.txt"]), path);
    assert!(!stderr.contains("not translated"), "{stderr}");
    write(path, "many.txt", copies(0));
    let error = refuse(&with(&["--mt", "file:many.txt"]), path);
    assert!(
        error.contains("25 of 246 lines are the source sentence itself"),
        "{error}"
    );
    write(path, "german.txt", |number, _, _| {
        format!("Sie hat mir {number} Mal von der Arbeit und von den Leuten dort erzählt.")
    });
    let error = refuse(&with(&["--mt", "file:german.txt"]), path);
    assert!(error.contains("not English"), "{error}");
    for file in ["file:many.txt", "file:german.txt"] {
        let (code, stdout, stderr) = run(&with(&["--mt", file, "--trust-language"]), path);
        assert_eq!(code, 0, "{stderr}");
        assert!(Rows::parse(&stdout).1.contains("trust"), "{stdout}");
    }
}

/// Nothing is dropped: an empty line is unknown, and the share says so.
#[test]
fn empty_translations_count_as_unknown() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path();
    write(path, "holes.txt", |number, _, english| {
        let text = if number % 6 == 0 { "" } else { english };
        text.to_owned()
    });
    let (code, stdout, stderr) = run(&with(&["--mt", "file:holes.txt"]), path);
    assert_eq!(code, 0, "{stderr}");
    let rows = Rows::parse(&stdout);
    let row = rows.row("holes", "lang:en", "all", "share_unknown");
    assert_eq!(row["n"], 246);
    let share = row["value"].as_f64().unwrap();
    assert!((share - 41.0 / 246.0).abs() < 1e-9, "{share}");
    assert!(stdout.contains("41 of 246"), "{stdout}");
}

/// Slovak translations whose speakers are women and men in turn, and two files of English: one keeps every gender, one makes men of
/// half of the women.
fn backwards(path: &Path) {
    let (mut sources, mut kept, mut turned) =
        ("from,to\n".to_owned(), String::new(), String::new());
    for number in 0..100 {
        let (source, who) = match number % 2 {
            0 => ("Bola som unavená", "she"),
            _ => ("Bol som unavený", "he"),
        };
        let other = if number % 4 == 0 { "he" } else { who };
        let place = number / 2;
        sources += &format!("I was tired {place}.,{source} {place}.\n");
        kept += &format!("“I was tired {place},” {who} said to the others.\n");
        turned += &format!("“I was tired {place},” {other} said to the others.\n");
    }
    for (name, text) in [
        ("sk.csv", sources),
        ("kept.txt", kept),
        ("turned.txt", turned),
    ] {
        std::fs::write(path.join(name), text).unwrap();
    }
}

const BACK: [&str; 7] = ["run", "gest", "--into", "en", "--data", "sk.csv", "--lang"];

#[test]
fn gest_goes_backwards_into_english() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path();
    backwards(path);
    let both = [
        "sk",
        "--mt",
        "file:kept.txt",
        "--mt",
        "file:turned.txt",
        "--out",
        "r",
        "--format",
        "json",
    ];
    let (code, stdout, stderr) = run(&[&BACK[..], &both].concat(), path);
    assert_eq!(code, 0, "{stderr}");
    let rows = Rows::parse(&stdout);
    for (system, preserved, gap) in [("kept", 1.0, 0.0), ("turned", 0.75, 0.5)] {
        for (metric, wanted) in [("preserved", preserved), ("gap", gap)] {
            let row = rows.row(system, "lang:en", "all", metric);
            let value = row["value"].as_f64().unwrap();
            assert!((value - wanted).abs() < 1e-9, "{system} {metric}: {value}");
            assert_eq!(row["k"], 50);
        }
    }
    let compared = succeed(&["compare", "r"], path);
    assert!(
        compared.contains("kept is more accurate than turned"),
        "{compared}"
    );
    let check = ["sk", "--mt", "file:turned.txt", "--fail-if", "gap > 0.2"];
    let (code, _, stderr) = run(&[&BACK[..], &check].concat(), path);
    assert!(code == 1 && stderr.contains("FAIL gap"), "{stderr}");
    succeed(
        &["audit", "sample", "r", "-n", "40", "-o", "sheet.csv"],
        path,
    );
    assert!(
        std::fs::read_to_string(path.join("sheet.csv"))
            .unwrap()
            .contains("she said")
    );
    succeed(&["report", "r", "-o", "r.html"], path);
    for (given, message) in [
        (
            &["--mt", "file:kept.txt"][..],
            "give --lang with the one language",
        ),
        (
            &["--lang", "de", "--mt", "file:kept.txt"],
            "no items in the source language `de`",
        ),
    ] {
        let error = refuse(&[&BACK[..6], given].concat(), path);
        assert!(error.contains(message), "{error}");
    }
    let error = refuse(
        &["run", "winomt", "--into", "en", "--mt", "file:kept.txt"],
        path,
    );
    assert!(error.contains("it is an option of gest"), "{error}");
}
