//! What wrong commands get: the problem in the first line, then what to do, and exit code 2. Every message is in
//! `wrong_commands.txt`, to be read as a user reads it; `EPICENE_BLESS=1` writes the file anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::run;

/// Files that people confuse, and runs.
fn workshop(path: &Path) {
    let write = |name: &str, text: &[u8]| std::fs::write(path.join(name), text).unwrap();
    let scores = "0.1,0.2,0.3,0.4\n".repeat(384);
    let header = "m_template-0,m_template-1,m_template-2,m_template-3\n";
    write("scores.csv", format!("{header}{scores}").as_bytes());
    write(
        "translations.csv",
        "from,to\nI was tired.,Bola som unavená.\n".as_bytes(),
    );
    write("short.txt", "Bola som rada.\nBol som rád.\n".as_bytes());
    write("book.xlsx", b"PK\x03\x04\x14\x00\x06\x00xl/workbook.xml");
    write("latin1.csv", b"from,to\nI was tired.,Bol som unaven\xe9.\n");
    write("en.txt", b"She is here.\nHe is here.\n");
    write(
        "array.json",
        br#"[{"from": "I was tired.", "to": "Bol som unaven\u00fd."}]"#,
    );
    write(
        "page.html",
        b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
    );
    let data = include_str!("../../../../bench/benchmarks/data/epicene-mini.csv");
    write(
        "wrong-stereotype.csv",
        data.replacen(",1\n", ",99\n", 1).as_bytes(),
    );
    write(
        "no-stereotype.csv",
        data.replace(",stereotype\n", "\n").as_bytes(),
    );
    let of_mini: String = data
        .lines()
        .skip(1)
        .map(|line| format!("{} ||| Bola som rada.\n", line.rsplit_once(',').unwrap().0))
        .collect();
    write("mini.txt", of_mini.as_bytes());
    let semicolons: String = (0..9)
        .map(|i| format!("I was tired {i}.;Bola som {i}.\n"))
        .collect();
    write(
        "semicolons.csv",
        format!("from;to\n{semicolons}").as_bytes(),
    );
    for command in [
        "run gest --data epicene-mini --model random:1 --limit 40 --out r",
        "run gest --data epicene-mini --model random:1 --model random:2 --limit 40 --out two",
        "run winobias --data epicene-winograd --model random:1 --out w",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(run(&words, path).0, 0, "{command}");
    }
}

#[test]
fn wrong_commands_get_the_message_that_is_on_record() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    workshop(path);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/wrong_commands.txt");
    let recorded = std::fs::read_to_string(&file).unwrap();
    let commands = recorded
        .lines()
        .filter_map(|line| line.strip_prefix("$ epicene "));
    let mut found = String::new();
    for command in commands {
        let words = shlex::split(command).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (code, _, stderr) = run(&words, path);
        let here = path.display().to_string();
        writeln!(found, "$ epicene {command}").unwrap();
        let lines = stderr.lines().filter(|line| !line.trim().is_empty());
        for line in lines.take(3) {
            writeln!(found, "{}", line.replace(&here, "HERE")).unwrap();
        }
        writeln!(found, "[{code}]\n").unwrap();
        assert_eq!(code, 2, "{command}: {stderr}");
        assert!(
            stderr.starts_with("error: ") || command == "run",
            "{command}: {stderr}"
        );
    }
    if std::env::var_os("EPICENE_BLESS").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    assert!(recorded.matches("$ epicene ").count() >= 150);
    for (found, recorded) in found.split("\n\n").zip(recorded.split("\n\n")) {
        assert_eq!(found, recorded);
    }
}
