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
        let words: Vec<&str> = command.split(' ').filter(|word| !word.is_empty()).collect();
        let (code, _, stderr) = run(&words, path);
        let here = path.display().to_string();
        writeln!(found, "$ epicene {command}").unwrap();
        let lines = stderr.lines().filter(|line| !line.trim().is_empty());
        let told = lines.filter(|line| !line.starts_with("For more information"));
        for line in told.take(3) {
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
    assert!(recorded.matches("$ epicene ").count() >= 74);
    for (found, recorded) in found.split("\n\n").zip(recorded.split("\n\n")) {
        assert_eq!(found, recorded);
    }
}
