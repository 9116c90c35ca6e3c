//! Files made to do harm: bombs, endless lines, sizes that are lies, control characters.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::launch::{Limits, code, epicene, limited, refuse, stderr};

/// As much memory as a command may take on any of these.
const MEMORY: u64 = 1 << 30;

/// A gzip file of so many bytes, all lines or one.
fn bomb(path: &Path, begin: &str, line: &str, bytes: usize) {
    let file = fs::File::create(path).unwrap();
    let mut out = GzEncoder::new(file, Compression::best());
    out.write_all(begin.as_bytes()).unwrap();
    let block = line.repeat((1 << 20) / line.len());
    for _ in 0..bytes >> 20 {
        out.write_all(block.as_bytes()).unwrap();
    }
    out.finish().unwrap();
}

#[test]
fn a_bomb_costs_a_message() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    // 0.1 MB that hold 96 MiB.
    bomb(
        &here.join("sentences.csv.gz"),
        "sentence,stereotype\n",
        "I did it.,1\n",
        96 << 20,
    );
    bomb(&here.join("lines.gz"), "", "I ran. ||| x\n", 96 << 20);
    bomb(&here.join("line.gz"), "", "x", 96 << 20);
    bomb(&here.join("v.vec.gz"), "", "x 1 2 3\n", 96 << 20);
    fs::write(here.join("words.txt"), "nurse\ndoctor\n").unwrap();
    let packed = fs::metadata(here.join("lines.gz")).unwrap().len();
    assert!(packed < 1 << 20, "{packed}");
    let commands: [&[&str]; 9] = [
        &[
            "run",
            "gest",
            "--model",
            "random:1",
            "--data",
            "sentences.csv.gz",
            "--out",
            "r",
        ],
        &[
            "run",
            "gest",
            "--model",
            "file:lines.gz",
            "--data",
            "epicene-mini",
            "--out",
            "r",
        ],
        &["align", "lines.gz"],
        &[
            "translate",
            "lines.gz",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "x.txt",
        ],
        &[
            "translate",
            "line.gz",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "x.txt",
        ],
        &["detect", "--lang", "sk", "line.gz"],
        &["detect", "--lang", "sk", "--conllu", "line.gz"],
        &[
            "extract", "--table", "line.gz", "--female", "f", "--male", "m",
        ],
        &["wordscore", "--vectors", "v.vec.gz", "--words", "words.txt"],
    ];
    for arguments in commands {
        let limits = Limits {
            memory: Some(MEMORY),
            ..Limits::default()
        };
        let done = limited(here, limits, arguments).output().unwrap();
        let said = stderr(&done);
        assert_eq!(code(&done), 2, "{arguments:?}: {said}");
        let told =
            said.contains("more than 100 times its size") || said.contains("a line of more than");
        assert!(told, "{arguments:?}: {said}");
        assert!(said.len() < 2000, "{arguments:?}: {} bytes", said.len());
    }
    // Who wants it all can have it.
    bomb(&here.join("small.gz"), "", "I ran. ||| x\n", 80 << 20);
    let output = |more: &[&str]| {
        let translate = [
            "translate",
            "small.gz",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "/dev/null",
        ];
        epicene(here).args(translate).args(more).output().unwrap()
    };
    assert_eq!(code(&output(&[])), 2);
    let done = output(&["--max-input", "128M"]);
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    let said = stderr(&output(&["--max-input", "1M"]));
    assert!(
        said.contains("holds more than 1 MiB (--max-input)"),
        "{said}"
    );
}

#[test]
fn sizes_that_are_lies_allocate_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("words.txt"), "nurse\ndoctor\n").unwrap();
    let body = [0u8, 1, 2, 3].repeat(64);
    for header in [
        "1 1000000000000\n",
        "99999999999 1000000000\n",
        "1 18446744073709551615\n",
    ] {
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend_from_slice(b"nurse ");
        bytes.extend_from_slice(&body);
        fs::write(here.join("v.bin"), &bytes).unwrap();
        let limits = Limits {
            memory: Some(MEMORY),
            ..Limits::default()
        };
        let arguments = ["wordscore", "--vectors", "v.bin", "--words", "words.txt"];
        let done = limited(here, limits, &arguments).output().unwrap();
        let said = stderr(&done);
        assert_eq!(code(&done), 2, "{header}: {said}");
        assert!(!said.contains("panicked"), "{header}: {said}");
    }
}

/// Answers are kept by id: two items with one would share theirs.
#[test]
fn a_doubled_id_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let item = |id: &str| {
        let fields = [
            ("id", id),
            ("target", "nurse"),
            ("bias_type", "gender"),
            ("context", "The nurse is BLANK."),
            ("stereotype", "The nurse is kind."),
            ("anti-stereotype", "The nurse is strong."),
            ("unrelated", "The nurse is blue."),
        ];
        let fields: serde_json::Map<String, serde_json::Value> = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        serde_json::Value::from(fields).to_string() + "\n"
    };
    fs::write(here.join("x.jsonl"), item("1") + &item("2") + &item("1")).unwrap();
    let run = [
        "run",
        "stereoset",
        "--model",
        "demo:mlm",
        "--data",
        "x.jsonl",
        "--out",
        "r",
    ];
    let said = refuse(here, &run);
    assert!(
        said.contains("x.jsonl: two items have the id `1`"),
        "{said}"
    );
}

/// A tokenizer that makes the library panic is a bad file.
#[test]
fn a_tokenizer_that_panics_is_a_bad_file() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::create_dir(here.join("model")).unwrap();
    for name in [
        "config.json",
        "model.safetensors",
        "tokenizer_config.json",
        "tokenizer.json",
    ] {
        let from = super::hub::checkpoint().join(name);
        fs::copy(from, here.join("model").join(name)).unwrap();
    }
    let whole = fs::read_to_string(here.join("model/tokenizer.json")).unwrap();
    let tokenizer: serde_json::Value = serde_json::from_str(&whole).unwrap();
    for (pointer, value) in [
        // A post-processor that names a token nobody has.
        (
            "/post_processor",
            serde_json::json!({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[NOPE]", "type_id": 0}}], "pair": [], "special_tokens": {}}),
        ),
        ("/model/unk_token", serde_json::json!("[NOPE]")),
        ("/model/vocab", serde_json::json!({})),
        (
            "/added_tokens",
            serde_json::json!([{"id": 4294967295u32, "content": "x", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}]),
        ),
        (
            "/pre_tokenizer",
            serde_json::json!({"type": "Split", "pattern": {"Regex": "(?=(a+)+$)"}, "behavior": "Removed", "invert": false}),
        ),
        (
            "/normalizer",
            serde_json::json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
        ),
        (
            "/model",
            serde_json::json!({"type": "Unigram", "unk_id": 7, "vocab": [["a", -1.0]]}),
        ),
    ] {
        let mut changed = tokenizer.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        fs::write(here.join("model/tokenizer.json"), changed.to_string()).unwrap();
        let arguments = [
            "run",
            "gest",
            "--model",
            "dir:model",
            "--data",
            "epicene-mini",
            "--limit",
            "3",
            "--device",
            "cpu",
            "--out",
            "r",
            "--fresh",
        ];
        let done = epicene(here).args(arguments).output().unwrap();
        let said = stderr(&done);
        assert!(matches!(code(&done), 0 | 2), "{pointer}: {said}");
        assert!(!said.contains("panicked"), "{pointer}: {said}");
    }
}

#[test]
fn control_characters_of_files_do_not_reach_the_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let evil = "\x1b]0;owned\x07\x1b[2J\u{9b}1m\r";
    let long = "9".repeat(1 << 20);
    let write = |name: &str, text: String| fs::write(here.join(name), text).unwrap();
    write("header.csv", format!("{evil},b\n1,2\n"));
    write("label.csv", format!("sentence,stereotype\nI ran.,{evil}\n"));
    write("long.csv", format!("sentence,stereotype\nI ran.,{long}\n"));
    write("scores.csv", format!("{evil}_template-0\n0.5\n"));
    write("vectors.vec", format!("she 1 2\nhe 1 {evil}\n"));
    write("long.vec", format!("she 1 2\nhe 1 x{long}\n"));
    write(
        "score.jsonl",
        format!("{{\"text\": \"{long}\", \"{evil}\": 1}}\n"),
    );
    write("words.txt", "nurse\n".to_owned());
    let commands: [&[&str]; 8] = [
        &[
            "run",
            "gest",
            "--model",
            "random:1",
            "--data",
            "header.csv",
            "--out",
            "r",
        ],
        &[
            "run",
            "gest",
            "--model",
            "random:1",
            "--data",
            "label.csv",
            "--out",
            "r",
        ],
        &[
            "run", "gest", "--model", "random:1", "--data", "long.csv", "--out", "r",
        ],
        &[
            "run",
            "gest",
            "--model",
            "file:scores.csv",
            "--data",
            "epicene-mini",
            "--out",
            "r",
        ],
        &[
            "wordscore",
            "--vectors",
            "vectors.vec",
            "--words",
            "words.txt",
        ],
        &["wordscore", "--vectors", "long.vec", "--words", "words.txt"],
        &[
            "score",
            "--model",
            "demo:mlm",
            "--task",
            "aula",
            "score.jsonl",
        ],
        &["run", "gest", "--model", "random:1", "--fail-if", evil],
    ];
    for arguments in commands {
        let said = refuse(here, arguments);
        let acts = |c: char| c.is_control() && c != '\n';
        assert!(!said.contains(acts), "{arguments:?}: {said:?}");
        assert!(said.len() < 2500, "{arguments:?}: {} bytes", said.len());
    }
}

/// The same for what is printed, where a person looks at it.
#[test]
fn a_terminal_is_shown_text_and_never_commands() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(
        here.join("in.txt"),
        "I ran. \x1b]0;owned\x07\x1b[2J\u{9b}1m\n",
    )
    .unwrap();
    let translate = ["translate", "in.txt", "--mt", "copy:", "--to", "sk"];
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = fs::File::options()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    let mut child = epicene(here)
        .args(translate)
        .stdout(slave)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // With the other end closed, reading ends with an error where the text does.
    let mut shown = Vec::new();
    let mut screen = fs::File::from(master);
    let mut block = [0; 4096];
    while let Ok(count @ 1..) = screen.read(&mut block) {
        shown.extend_from_slice(&block[..count]);
    }
    let shown = String::from_utf8(shown).unwrap();
    assert_eq!(shown, "I ran. \\x1b]0;owned\\x07\\x1b[2J\\u{9b}1m\r\n");
    // A pipe gets what was in the file.
    let piped = epicene(here).args(translate).output().unwrap();
    assert_eq!(piped.stdout, fs::read(here.join("in.txt")).unwrap());
}
