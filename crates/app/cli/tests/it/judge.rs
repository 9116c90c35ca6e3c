//! `epicene gender`: lines with a source, single translations, JSON, lexicons of users, bad lines.

use crate::support;
use std::fs;

use serde_json::Value;

fn judge(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = support::epicene()
        .arg("judge")
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn verdicts(stdout: &str) -> String {
    let letter = |line: &str| line.chars().next().unwrap_or('-');
    stdout.lines().map(letter).collect()
}

#[test]
fn the_person_is_named_by_word_or_index() {
    let input = "The usurers came.\tusurers\tDie Wucherer kamen.\n\
                 The nurse met the surgeon.\tsurgeon\tDie Krankenschwester traf den Chirurgen.\n\
                 The nurse met the surgeon.\t1\tDie Krankenschwester traf den Chirurgen.\n\
                 The police officer slept.\tpolice officer\tDie Polizistin schlief.\n\
                 The teacher's dog barked.\tteacher\tDer Hund der Lehrerin bellte.\n";
    let (code, stdout, stderr) = judge(&["--lang", "de"], input);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(verdicts(&stdout), "mmfff");
    let first = stdout.lines().next().unwrap();
    assert_eq!(first, "m\tnoun\tWucherer@4-12\tDie Wucherer kamen.");
    assert!(
        stderr.contains("5 persons: 2 masculine, 3 feminine"),
        "{stderr}"
    );
    assert!(stderr.contains("no word found for 0"), "{stderr}");
}

#[test]
fn a_single_translation_is_judged_by_a_word_of_either_language() {
    for (language, person, text, expected) in [
        ("de", "Minister", "Frau Minister Huber kam.", "f"),
        ("fr", "doctor", "La femme médecin est venue.", "f"),
        ("ru", "doctor", "Врач, которая пришла, устала.", "f"),
        ("ru", "hackers", "Хакеры взломали сайт.", "m"),
        ("es", "assistant", "Mi asistente llegó tarde.", "u"),
        ("de", "member", "Das Mitglied schwieg.", "n"),
        ("de", "astronaut", "Es regnete.", "u"),
    ] {
        let (code, stdout, stderr) = judge(&["--lang", language, "--person", person], text);
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(verdicts(&stdout), expected, "{text}: {stdout}");
    }
}

#[test]
fn json_lines_have_verdict_rule_spans_and_links() {
    let input = "The doctor slept.\tdoctor\tLa médica dormía.\n";
    let (code, stdout, stderr) = judge(&["--lang", "es", "--json"], input);
    assert_eq!(code, 0, "{stderr}");
    let line: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(line["verdict"], "f");
    assert_eq!(line["person"], "doctor");
    assert_eq!(line["linked"], serde_json::json!(["médica"]));
    assert_eq!(line["text"], "La médica dormía.");
    let word = &line["evidence"][0];
    assert_eq!(
        (&word["text"], &word["start"], &word["end"]),
        (&"médica".into(), &3.into(), &9.into())
    );
}

#[test]
fn nouns_of_a_user_are_believed_first() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("own.txt");
    fs::write(&path, "[persons own]\nwizard | f: Blorx\n").unwrap();
    let path = path.to_str().unwrap();
    let input = "The wizard came.\twizard\tBlorx kam.\n";
    assert_eq!(verdicts(&judge(&["--lang", "de"], input).1), "u");
    let (_, stdout, _) = judge(&["--lang", "de", "--lexicon", path], input);
    assert_eq!(verdicts(&stdout), "f");
    fs::write(path, "[persons own]\nwizard | x: Blorx\n").unwrap();
    let (code, _, stderr) = judge(&["--lang", "de", "--lexicon", path], input);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("own.txt, line 2: `x` is no label"),
        "{stderr}"
    );
}

#[test]
fn bad_lines_are_named() {
    for (input, told) in [
        ("only one column\n", "line 1: 1 column instead of three"),
        (
            "A nurse.\tnurse\tx\nA nurse.\tpilot\tx\n",
            "line 2: `pilot` is not in the source",
        ),
        ("A nurse.\t7\tx\n", "line 1: `7` is not in the source"),
        ("A nurse.\t\tx\n", "line 1: `` is not in the source"),
    ] {
        let (code, stdout, stderr) = judge(&["--lang", "de"], input);
        assert_eq!((code, stdout.as_str()), (2, ""), "{input}");
        assert!(stderr.contains(told) && stderr.contains("hint"), "{stderr}");
    }
    let (code, _, stderr) = judge(&["--lang", "tlh"], "");
    assert_eq!(code, 2);
    assert!(
        stderr.contains("no occupation detector for `tlh`"),
        "{stderr}"
    );
}
