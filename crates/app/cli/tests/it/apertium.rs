//! Apertium for real, as Debian's packages have it: English to Spanish, Catalan and Galician, Spanish and Basque to English.
//! Without the packages these tests skip, except in CI, which installs them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{epicene, refuse, run, shared, succeed};

/// Sentences of our own with unknown words, marks of Apertium's stream format, and a word ("drunk")
/// whose tags its tagger was not trained on.
const SENTENCES: &str = "\
The nurse is beautiful.
I was there yesterday
The laborer kicked the cashier because she was drunk.
The laborer kicked the cashier because he said something bad.
The janitor cleaned the room for the designer and she left.
The developer met the secretary because [he] needed 3/4 of the $5.
She said: \"I was tired.\"
My xyzzy is a doctor & a {writer}.
A carpenter talked  to the	teacher.
";

const DIRECTIONS: [(&str, &str); 3] = [("es", "eng-spa"), ("ca", "eng-cat"), ("gl", "en-gl")];
const INTO_ENGLISH: [&str; 2] = ["spa-eng", "eu-en"];

/// Whether the packages are there; in CI they must be.
fn is_installed() -> bool {
    let modes = Path::new("/usr/share/apertium/modes");
    let mut wanted = DIRECTIONS
        .map(|(_, mode)| mode)
        .into_iter()
        .chain(INTO_ENGLISH);
    let there = wanted.all(|mode| modes.join(format!("{mode}.mode")).exists());
    let message = "apertium, apertium-eng-spa, apertium-eng-cat, apertium-en-gl or apertium-eu-en is not installed";
    assert!(
        there || std::env::var("CI").as_deref() != Ok("true"),
        "{message}"
    );
    if !there {
        println!("skipped: {message}");
    }
    there
}

/// The program `apertium` itself, one process for one sentence.
fn wrapper(mode: &str, sentence: &str) -> String {
    let mut child = Command::new("apertium")
        .args(["-u", mode])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::Write;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(sentence.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn translate(directory: &Path, arguments: &[&str], input: &str) -> String {
    let output = epicene()
        .arg("translate")
        .args(arguments)
        .current_dir(directory)
        .env("EPICENE_CACHE", directory.join("cache"))
        .write_stdin(input)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// One long-lived pipeline says what a fresh process says for every sentence, in any order.
#[test]
fn translations_are_those_of_the_program_itself() {
    if !is_installed() {
        return;
    }
    let sentences: Vec<&str> = SENTENCES.lines().collect();
    let backwards: Vec<&str> = sentences.iter().rev().copied().collect();
    for (language, mode) in DIRECTIONS {
        let directory = tempfile::tempdir().unwrap();
        let arguments = ["--mt", "apertium:", "--to", language];
        let found = translate(directory.path(), &arguments, SENTENCES);
        for (sentence, translation) in sentences.iter().zip(found.lines()) {
            assert_eq!(translation, wrapper(mode, sentence), "{mode}: {sentence}");
        }
        let other = tempfile::tempdir().unwrap();
        let reversed = translate(other.path(), &arguments, &(backwards.join("\n") + "\n"));
        let again: Vec<&str> = reversed.lines().rev().collect();
        assert_eq!(again, found.lines().collect::<Vec<_>>(), "{mode}");
    }
}

#[test]
fn modes_are_chosen_by_name_or_language() {
    if !is_installed() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let by_name = translate(path, &["--mt", "apertium:eng-spa", "--to", "es"], SENTENCES);
    let by_language = translate(path, &["--mt", "apertium:", "--to", "es"], SENTENCES);
    assert_eq!(by_name, by_language);
    let marked = ["--mt", "apertium:,unknown=marked", "--to", "es"];
    let marked = translate(path, &marked, "My xyzzy is here.\n");
    assert!(marked.contains("*xyzzy"), "{marked}");
    let back = ["--mt", "apertium:", "--from", "es", "--to", "en"];
    assert_eq!(
        translate(path, &back, "La casa es grande.\n"),
        "The house is big.\n"
    );
    std::fs::write(path.join("in.txt"), SENTENCES).unwrap();
    for (spec, to, message) in [
        ("apertium:", "sk", "the modes there are"),
        ("apertium:eng-spa", "ca", "for other languages"),
    ] {
        let stderr = refuse(&["translate", "--mt", spec, "--to", to, "in.txt"], path);
        assert!(stderr.contains(message), "{stderr}");
    }
}

/// The second run asks nothing: not even the program has to be there any more.
#[test]
fn the_cache_answers_without_the_pipeline() {
    if !is_installed() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("in.txt"), SENTENCES).unwrap();
    let arguments = ["translate", "--mt", "apertium:", "--to", "es", "in.txt"];
    let first = run(&arguments, path);
    assert!(first.2.contains("asked for 9 sentences"), "{}", first.2);
    let second = run(&arguments, path);
    assert_eq!(second.1, first.1);
    assert!(
        second.2.contains("asked for 0 sentences") && second.2.contains("9 were in the cache"),
        "{}",
        second.2
    );
    succeed(&["list", "translators"], path);
}

/// Killed in the middle of a run; the same command finds what was done.
#[test]
fn killed_in_the_middle_the_run_goes_on() {
    if !is_installed() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let lines: Vec<String> = (0..1500)
        .map(|i| format!("The nurse saw {i} doctors."))
        .collect();
    std::fs::write(path.join("in.txt"), lines.join("\n")).unwrap();
    let mut child = Command::new(epicene().get_program())
        .args(["translate", "--mt", "apertium:", "--to", "ca", "in.txt"])
        .current_dir(path)
        .env("EPICENE_CACHE", path.join("cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stored = || {
        let files = std::fs::read_dir(path.join("cache/translations"));
        let files = files.into_iter().flatten().flatten();
        let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        // A line without its end was being written when the program was killed: it is not stored.
        texts
            .map(|text| text.matches('\n').count().saturating_sub(1))
            .sum::<usize>()
    };
    let start = Instant::now();
    while stored() == 0 && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = stored();
    assert!(kept > 0);
    let (code, stdout, stderr) = run(
        &["translate", "--mt", "apertium:", "--to", "ca", "in.txt"],
        path,
    );
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().count(), 1500);
    assert!(
        stderr.contains(&format!("{kept} were in the cache")),
        "{kept}: {stderr}"
    );
}

/// Basque and Spanish into English, asked at once, in shards, after an interruption, and through files of questions and
/// answers: one log measures as the other, byte by byte.
#[test]
fn translations_into_english_measure_the_same_however_they_were_asked_for() {
    if !is_installed() {
        return;
    }
    let mut asked = vec![("eu", vec!["into-english".to_owned()])];
    if let Some(data) = shared("mittens") {
        let data = data.join("mittens_dataset_v5.csv.xz");
        let data = data.to_str().unwrap().to_owned();
        asked.push(("es", vec!["mittens".to_owned(), "--data".to_owned(), data]));
    }
    for (language, benchmark) in asked {
        let here = tempfile::tempdir().unwrap();
        let path = here.path();
        let benchmark: Vec<&str> = benchmark.iter().map(String::as_str).collect();
        let chosen = [&benchmark[..], &["--lang", language, "--limit", "120"]].concat();
        let ask = |out: &str, more: &[&str]| {
            let end = ["--mt", "apertium:", "--format", "json", "--out", out];
            succeed(&[&["run"], &chosen[..], &end, more].concat(), path)
        };
        let printed = ask("whole", &[]);
        let file = |run: &str, name: &str| std::fs::read(path.join(run).join(name)).unwrap();
        let (expected, log) = (file("whole", "measures.json"), file("whole", "log.jsonl"));
        assert_eq!(printed.as_bytes(), expected, "{language}");
        // Some translations name the occupation, some a gender.
        let rows: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let value = |metric: &str| {
            let mut rows = rows["rows"].as_array().unwrap().iter();
            let row = rows.find(|row| row["group"] == "all" && row["metric"] == metric);
            row.unwrap()["value"].as_f64().unwrap()
        };
        println!("{language}: {}", rows["signature"]);
        match language {
            "eu" => assert!(value("found") > 0.3, "{}", value("found")),
            _ => assert!(value("inconclusive") < 0.97, "{}", value("inconclusive")),
        }
        // Interrupted at a line and in the middle of one.
        for cut in [log.len() / 2, log.len() - 7] {
            std::fs::write(path.join("whole/log.jsonl"), &log[..cut]).unwrap();
            ask("whole", &[]);
            assert_eq!(file("whole", "log.jsonl"), log, "{language} cut at {cut}");
            assert_eq!(file("whole", "measures.json"), expected, "{language}");
        }
        for (out, shard) in [("a", "1/3"), ("b", "2/3"), ("c", "3/3")] {
            ask(out, &["--shard", shard]);
        }
        let merge = [
            "merge", "--out", "merged", "--format", "json", "c", "a", "b",
        ];
        assert_eq!(succeed(&merge, path), printed, "{language}");
        let questions = succeed(
            &[&["export-questions"], &chosen[..], &["--kind", "mt"]].concat(),
            path,
        );
        let stream = ["score", "--stream", "--mt", "apertium:", "--lang", "en"];
        let answers = epicene()
            .args([&stream[..], &["--from", language]].concat())
            .current_dir(path)
            .env("EPICENE_CACHE", path.join("cache"))
            .write_stdin(questions)
            .output()
            .unwrap();
        std::fs::write(path.join("answers.jsonl"), &answers.stdout).unwrap();
        succeed(&["import-answers", "told", "answers.jsonl"], path);
        let told = succeed(&["report", "told", "--format", "json"], path);
        let whole = succeed(&["report", "whole", "--format", "json"], path);
        assert_eq!(told, whole, "{language}");
    }
}
