//! The commands of version 0.2 work for one more version: those that have another name now do what that does, and say so.

use std::fs;
use std::path::Path;

use crate::support::{run, succeed};

/// All of them.
const COMMANDS: [&str; 33] = [
    "align",
    "ask",
    "audit",
    "check-sentences",
    "cite",
    "compare",
    "completions",
    "data",
    "demo",
    "detect",
    "experiment",
    "extract",
    "gates",
    "generate",
    "generate-text",
    "items",
    "judge",
    "list",
    "man",
    "merge",
    "pairs",
    "plan",
    "report",
    "reproduce",
    "run",
    "score",
    "show",
    "status",
    "tell",
    "translate",
    "verify",
    "view",
    "wordscore",
];

/// What was typed before, what is typed now, and how the notice names it. The last can do nothing here without a checkpoint,
/// and both say so.
const RENAMED: [[&str; 3]; 15] = [
    [
        "detect --lang sk sk.txt",
        "gender --lang sk sk.txt",
        "gender",
    ],
    [
        "judge --lang de --person Minister de.txt",
        "gender --lang de --word Minister de.txt",
        "gender --word WORD` or `gender --table",
    ],
    [
        "judge --lang de table.tsv",
        "gender --lang de --table table.tsv",
        "gender --word WORD` or `gender --table",
    ],
    [
        "pairs prompts --translations pairs.csv --lang sk --data data.csv",
        "data pairs prompts --translations pairs.csv --lang sk --data data.csv",
        "data pairs",
    ],
    [
        "extract --source en.txt --target de.txt",
        "data extract --source en.txt --target de.txt",
        "data extract",
    ],
    [
        "experiment mcnemar 3 5",
        "reproduce experiment mcnemar 3 5",
        "reproduce experiment",
    ],
    [
        "ask gest --data epicene-mini --kind masked --limit 2",
        "export-questions gest --data epicene-mini --kind masked --limit 2",
        "export-questions",
    ],
    [
        "tell told answers.jsonl --system m",
        "import-answers imported answers.jsonl --system m",
        "import-answers",
    ],
    [
        "generate unambiguous --size xs",
        "data make unambiguous --size xs",
        "data make",
    ],
    [
        "wordscore --vectors v.txt --words w.txt --gender-words f.txt m.txt",
        "reproduce wordscore --vectors v.txt --words w.txt --gender-words f.txt m.txt",
        "reproduce wordscore",
    ],
    ["plan gest", "power gest", "power"],
    ["items r", "report r --items", "report --items"],
    [
        "check-sentences gest data.csv",
        "data lint gest data.csv",
        "data lint",
    ],
    ["gates", "help checks", "help checks"],
    [
        "generate-text --model demo:clm en.txt",
        "complete --model demo:clm en.txt",
        "complete",
    ],
];

/// What they say stands on standard error.
const SILENT: [&str; 2] = ["import-answers", "data lint"];

fn files(path: &Path) {
    for (name, text) in [
        ("sk.txt", "Bola som rada.\n"),
        (
            "de.txt",
            "Frau Minister Huber kam.\nHerr Minister Huber kam.\n",
        ),
        ("en.txt", "She is here.\nHe is here.\n"),
        (
            "table.tsv",
            "The nurse slept.\tnurse\tDie Krankenschwester schlief.\n",
        ),
        ("data.csv", "sentence,stereotype\nI was tired.,1\n"),
        ("pairs.csv", "from,to\nI was tired.,Bola som unavená.\n"),
        ("v.txt", "nurse 0.1 0.2\nshe 1 0\nhe 0 1\n"),
        ("w.txt", "nurse\n"),
        ("f.txt", "she\n"),
        ("m.txt", "he\n"),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    let words = "run gest --data epicene-mini --limit 2 --model random:1 --out r";
    succeed(&words.split(' ').collect::<Vec<_>>(), path);
    let words = "export-questions gest --data epicene-mini --kind masked --limit 2";
    let questions = succeed(&words.split(' ').collect::<Vec<_>>(), path);
    let mut answers = questions.lines().next().unwrap().to_owned() + "\n";
    for line in questions.lines().skip(1) {
        let question: serde_json::Value = serde_json::from_str(line).unwrap();
        answers += &format!("{{\"id\": {}, \"answer\": 0.5}}\n", question["id"]);
    }
    fs::write(path.join("answers.jsonl"), answers).unwrap();
}

#[test]
fn every_command_of_version_0_2_is_understood() {
    let directory = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        let (code, help, stderr) = run(&[command, "--help"], directory.path());
        assert!(code == 0 && help.len() > 100, "{command}: {stderr}");
    }
}

#[test]
fn old_names_do_what_the_new_ones_do_and_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    files(path);
    for [before, now, name] in RENAMED {
        let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
        let (old, new) = (run(&words(before), path), run(&words(now), path));
        // Questions name the command that wrote them.
        let of = |text: &str| text.split("\"command\":").next().unwrap().to_owned();
        // Help ends with how to call for it.
        let text = new.1.split("\n\nUsage: ").next().unwrap();
        let text = if name == "help checks" { text } else { &new.1 };
        assert_eq!(
            (old.0, of(old.1.trim_end())),
            (new.0, of(text.trim_end())),
            "{before}"
        );
        let worked =
            name == "complete" || (old.0 != 2 && !old.1.is_empty() || SILENT.contains(&name));
        assert!(worked, "{before}: {}", old.2);
        let command = before.split(' ').next().unwrap();
        let notice = format!("note: `epicene {command}` is now called `epicene {name}`");
        assert!(old.2.contains(&notice), "{before}: {}", old.2);
        assert!(!new.2.contains("is now called"), "{now}: {}", new.2);
    }
    let tried: Vec<&str> = RENAMED
        .iter()
        .filter_map(|[before, ..]| before.split(' ').next())
        .collect();
    let shown = succeed(&["--help"], path);
    let shown = |name: &str| {
        shown
            .lines()
            .any(|line| line.split_whitespace().next() == Some(name))
    };
    for command in COMMANDS {
        assert!(
            shown(command) || tried.contains(&command),
            "{command} is neither shown nor tried"
        );
    }
}
