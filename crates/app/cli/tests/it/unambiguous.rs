//! `epicene data make unambiguous` and `epicene run unambiguous`.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::support::{run, shared, succeed};
use flate2::read::MultiGzDecoder;
use serde_json::Value;

fn lines(part: &str, count: usize) -> Option<String> {
    let path = shared(&format!("unambiguous/{part}"))?;
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let kept: Vec<&str> = text.lines().take(count).collect();
    Some(kept.join("\n") + "\n")
}

fn value(json: &str, unit: &str, group: &str, metric: &str) -> f64 {
    let json: Value = serde_json::from_str(json).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let found = rows
        .iter()
        .find(|row| row["unit"] == unit && row["group"] == group && row["metric"] == metric);
    found.unwrap_or_else(|| panic!("no {unit} {group} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

#[test]
fn sets_are_written_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let generate = |more: &[&str]| {
        let arguments: Vec<&str> = ["generate", "unambiguous"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        succeed(&arguments, directory.path())
    };
    for (size, count) in [("xs", "1536"), ("s", "59520"), ("xl", "1800006")] {
        assert_eq!(generate(&["--size", size, "--count"]).trim(), count);
    }
    let first = generate(&["--limit", "1"]);
    assert_eq!(
        first,
        "The editor is her emotional brother .\t_OCC_NO_F_ _CONTEXT_A_F_ _CLUE_NR_M_ _OCC_BEFORE_\t_EXP_M_\n"
    );
    assert_eq!(generate(&["--size", "xs"]).lines().count(), 1536);
    assert_eq!(generate(&["--without", "nanny", "--count"]).trim(), "58032");
    let nonce = generate(&["--nonce", "3", "--seed", "7"]);
    assert_eq!(nonce.lines().count(), 59_520 / 40 * 3);
    assert_eq!(nonce.lines().next().unwrap().split('\t').count(), 4);
    assert_eq!(nonce, generate(&["--nonce", "3", "--seed", "7"]));
    let printed = generate(&["--grammar", "repaired", "--print-grammar"]);
    fs::write(directory.path().join("own.grammar"), printed).unwrap();
    assert_eq!(
        generate(&["--grammar", "own.grammar", "--strict", "--count"]).trim(),
        "75120"
    );
    assert_eq!(generate(&["--lint"]).lines().count(), 3);
}

#[test]
fn bad_grammars_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad.grammar"), "S -> 'a'\nS -> \"b\n").unwrap();
    fs::write(directory.path().join("empty.grammar"), "S -> MISSING\n").unwrap();
    for (arguments, message) in [
        (
            vec!["--grammar", "bad.grammar"],
            "bad.grammar, line 2: a quotation mark is never closed",
        ),
        (
            vec!["--grammar", "empty.grammar"],
            "no sentence can be written",
        ),
        (vec!["--grammar", "none.grammar"], "none.grammar"),
        (vec!["--strict"], "3 symbols do nothing"),
        (
            vec!["--without", "pilot"],
            "no alternative is the word `pilot`",
        ),
        (vec!["--size", "m"], "none of xs, s, xl"),
    ] {
        let all: Vec<&str> = ["generate", "unambiguous"]
            .iter()
            .chain(&arguments)
            .copied()
            .collect();
        let (code, stdout, stderr) = run(&all, directory.path());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

/// The first sentences of S without "nanny", and files of their Russian translations.
fn prepared(directory: &Path, count: usize) -> Option<()> {
    let limit = count.to_string();
    let arguments = [
        "generate",
        "unambiguous",
        "--without",
        "nanny",
        "--limit",
        &limit,
    ];
    fs::write(directory.join("set.tsv"), succeed(&arguments, directory)).unwrap();
    for kind in ["mt", "result", "align", "tok", "tag"] {
        let text = lines(&format!("pipeline_14976/ru.{kind}.gz"), count)?;
        fs::write(directory.join(format!("ru.{kind}")), text).unwrap();
    }
    Some(())
}

const COMMON: [&str; 6] = ["--data", "set.tsv", "--lang", "ru", "--bootstrap", "50"];

#[test]
fn results_aligned_words_and_tags_lead_to_the_same_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let Some(()) = prepared(directory.path(), 600) else {
        return;
    };
    let mut found: Vec<[f64; 3]> = Vec::new();
    for more in [
        vec!["--mt", "m2m=file:ru.result"],
        vec!["--mt", "m2m=file:ru.align"],
        vec!["--mt", "m2m=file:ru.mt", "--input", "result:ru=ru.result"],
        vec!["--mt", "m2m=file:ru.mt", "--input", "aligned:ru=ru.align"],
    ] {
        let mut arguments = vec![
            "run",
            "unambiguous",
            "--interval",
            "published",
            "--format",
            "json",
        ];
        arguments.extend(COMMON);
        arguments.extend(&more);
        let json = succeed(&arguments, directory.path());
        let all = ["correct", "wrong", "na"].map(|metric| value(&json, "lang:ru", "all", metric));
        found.push(all);
    }
    assert!(found.iter().all(|values| *values == found[0]), "{found:?}");
}

#[test]
fn raw_translations_are_aligned_and_judged() {
    let directory = tempfile::tempdir().unwrap();
    let Some(()) = prepared(directory.path(), 1200) else {
        return;
    };
    let run_with = |more: &[&str]| {
        let mut arguments = vec![
            "run",
            "unambiguous",
            "--interval",
            "published",
            "--format",
            "json",
            "--mt",
            "m2m=file:ru.mt",
        ];
        arguments.extend(COMMON);
        arguments.extend(more);
        succeed(&arguments, directory.path())
    };
    let published = run_with(&["--judge", "published", "--out", "published"]);
    let tagged = run_with(&["--input", "result:ru=ru.result", "--out", "tagged"]);
    let accuracy = |json: &str| value(json, "lang:ru", "all", "correct");
    let difference = (accuracy(&published) - accuracy(&tagged)).abs();
    assert!(difference < 0.05, "{difference}");
    let signature: Value = serde_json::from_str(&published).unwrap();
    let signature = signature["signature"].as_str().unwrap();
    assert!(
        signature.contains("judge:occupation-published|aligner:fast_align"),
        "{signature}"
    );

    let items = succeed(&["items", "published"], directory.path());
    let line: Value = serde_json::from_str(items.lines().next().unwrap()).unwrap();
    assert!(["m", "f", "n", "u"].contains(&line["verdict"].as_str().unwrap()));
    assert!(["correct", "wrong", "inconclusive"].contains(&line["outcome"].as_str().unwrap()));

    // Re-measured with other choices, nothing is asked again.
    let report = [
        "report",
        "published",
        "--judge",
        "default",
        "--format",
        "json",
    ];
    let default = succeed(&report, directory.path());
    assert!((0.0..=1.0).contains(&accuracy(&default)));
    assert!(default.contains("aligner:person-links"), "{default}");

    // Nouns of a user are believed before ours: every baker a woman.
    let own = directory.path().join("own.txt");
    fs::write(
        own,
        "[persons occupations]\nbaker | f: пекарь | f.o: пекаря пекарю пекарем пекаре\n",
    )
    .unwrap();
    let believed = run_with(&[
        "--judge",
        "default",
        "--input",
        "lexicon:ru=own.txt",
        "--out",
        "believed",
    ]);
    assert!(believed.contains("lexicon:ru"), "{believed}");
    succeed(
        &["report", "tagged", "--author-files", "files"],
        directory.path(),
    );
    let simple = fs::read_to_string(directory.path().join("files/m2m.ru.simple.txt")).unwrap();
    assert!(simple.starts_with("all 0."), "{simple}");
    let table = fs::read_to_string(directory.path().join("files/m2m.analysis.tsv")).unwrap();
    assert!(table.starts_with("lang\tview\tkey\tcorrect\twrong\tna\ttotal\n"));
}

#[test]
fn given_links_lead_to_the_judge() {
    let directory = tempfile::tempdir().unwrap();
    let set = "The nurse ran .\t_CLUE_Pr_F_ _OCC_NO_F_\t_EXP_F_\nThe nurse sat .\t_CLUE_Pr_M_ _OCC_NO_F_\t_EXP_M_\n";
    fs::write(directory.path().join("set.tsv"), set).unwrap();
    fs::write(
        directory.path().join("es.txt"),
        "La enfermera corrió.\nEl enfermero se sentó.\n",
    )
    .unwrap();
    fs::write(
        directory.path().join("es.align"),
        "0-0 1-1 2-2 3-2\n0-0 1-1 2-3\n",
    )
    .unwrap();
    let arguments = [
        "run",
        "unambiguous",
        "--interval",
        "published",
        "--data",
        "set.tsv",
        "--mt",
        "mt=file:es.txt",
        "--lang",
        "es",
        "--format",
        "json",
        "--input",
        "align:es=es.align",
    ];
    let json = succeed(&arguments, directory.path());
    assert_eq!(value(&json, "lang:es", "all", "correct"), 1.0);
    fs::write(directory.path().join("bad.align"), "0-0 9-1\n0-0\n").unwrap();
    fs::write(directory.path().join("short.align"), "0-0\n").unwrap();
    fs::write(directory.path().join("word.align"), "0-0\nx\n").unwrap();
    for (role, file, message) in [
        (
            "align:es",
            "bad.align",
            "line 1: the link 9-1 leaves the sentence",
        ),
        (
            "align:es",
            "short.align",
            "there is 1 line, the data has 2 items",
        ),
        ("align:es", "word.align", "line 2: `x` is not a link"),
        ("tag:es", "bad.align", "is no value of Gender"),
        ("align:xx", "es.align", "unknown language `xx`"),
        ("words", "es.align", "has no use for an input `words`"),
    ] {
        let input = format!("{role}={file}");
        let arguments = [
            "run",
            "unambiguous",
            "--interval",
            "published",
            "--data",
            "set.tsv",
            "--mt",
            "mt=file:es.txt",
            "--lang",
            "es",
            "--input",
            &input,
        ];
        let (code, _, stderr) = run(&arguments, directory.path());
        assert_eq!(code, 2, "{input}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn invented_occupations_are_measured_by_trigger() {
    let directory = tempfile::tempdir().unwrap();
    let set = "The nurson ran .\t_CLUE_Pr_F_\t_EXP_F_\tnurson\nThe nurson sat .\t_CLUE_Pr_M_\t_EXP_M_\tnurson\n";
    fs::write(directory.path().join("set.tsv"), set).unwrap();
    let aligned = "The->La->Fem nurson->nursona->Fem\nThe->La->Fem nurson->nursona->Fem\n";
    fs::write(directory.path().join("es.align"), aligned).unwrap();
    let arguments = [
        "run",
        "unambiguous",
        "--interval",
        "published",
        "--data",
        "set.tsv",
        "--mt",
        "mt=file:es.align",
        "--lang",
        "es",
        "--format",
        "json",
    ];
    let json = succeed(&arguments, directory.path());
    assert_eq!(value(&json, "lang:es", "trigger:F", "correct"), 1.0);
    assert_eq!(value(&json, "lang:es", "trigger:M", "wrong"), 1.0);
    assert!(!json.contains("config:"));
}

#[test]
fn languages_without_gender_are_not_evaluable() {
    let directory = tempfile::tempdir().unwrap();
    let set: String = succeed(
        &["generate", "unambiguous", "--limit", "10"],
        directory.path(),
    );
    fs::write(directory.path().join("set.tsv"), set).unwrap();
    fs::write(directory.path().join("fi.txt"), "_\n".repeat(10)).unwrap();
    let arguments = [
        "run",
        "unambiguous",
        "--interval",
        "published",
        "--data",
        "set.tsv",
        "--mt",
        "mt=file:fi.txt",
        "--lang",
        "fi",
    ];
    let table = succeed(&arguments, directory.path());
    assert!(table.contains("not evaluable: only 0 %"), "{table}");
    fs::write(directory.path().join("fi.txt"), "Hän juoksi.\n".repeat(10)).unwrap();
    let (code, _, stderr) = run(&arguments, directory.path());
    assert_eq!(code, 2);
    assert!(
        stderr.contains("no rules for translations into Finnish"),
        "{stderr}"
    );
}

/// A grammar of the user's own is measured as it is written, in three languages.
#[test]
fn own_grammars_are_measured_as_they_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let grammar = "S -> \"the\" PERSON \"finished\" WHOSE \"work .\"\n\
                   PERSON -> \"astronaut _OCC_NO_M_\" | \"surgeon _OCC_NO_M_\" | \"librarian _OCC_NO_F_\"\n\
                   WHOSE -> \"his _CLUE_Pr_M_ _EXP_M_\" | \"her _CLUE_Pr_F_ _EXP_F_\"\n";
    fs::write(here.join("my.grammar"), grammar).unwrap();
    let set = succeed(
        &["data", "make", "unambiguous", "--grammar", "my.grammar"],
        here,
    );
    assert_eq!(
        set.lines().next().unwrap(),
        "The astronaut finished his work .\t_OCC_NO_M_ _CLUE_Pr_M_\t_EXP_M_\tastronaut"
    );
    fs::write(here.join("my.tsv"), &set).unwrap();
    let translations = [
        (
            "de",
            [
                "Der Astronaut beendete seine Arbeit.",
                "Die Astronautin beendete ihre Arbeit.",
                "Der Chirurg beendete seine Arbeit.",
                "Der Chirurg beendete ihre Arbeit.",
                "Der Bibliothekar beendete seine Arbeit.",
                "Die Bibliothekarin beendete ihre Arbeit.",
            ],
        ),
        (
            "es",
            [
                "El astronauta terminó su trabajo.",
                "La astronauta terminó su trabajo.",
                "El cirujano terminó su trabajo.",
                "El cirujano terminó su trabajo.",
                "El bibliotecario terminó su trabajo.",
                "La bibliotecaria terminó su trabajo.",
            ],
        ),
        (
            "fr",
            [
                "L'astronaute a terminé son travail.",
                "L'astronaute a terminé son travail.",
                "Le chirurgien a terminé son travail.",
                "Le chirurgien a terminé son travail.",
                "Le bibliothécaire a terminé son travail.",
                "La bibliothécaire a terminé son travail.",
            ],
        ),
    ];
    for (language, lines) in translations {
        let file = format!("my.{language}.txt");
        fs::write(here.join(&file), lines.join("\n") + "\n").unwrap();
        let mt = format!("mt=file:{file}");
        let json = succeed(
            &[
                "run",
                "unambiguous",
                "--data",
                "my.tsv",
                "--mt",
                &mt,
                "--lang",
                language,
                "--format",
                "json",
            ],
            here,
        );
        let unit = format!("lang:{language}");
        let get = |metric: &str| value(&json, &unit, "all", metric);
        let (correct, wrong, na) = match language {
            "fr" => (3.0, 1.0, 2.0),
            _ => (5.0, 1.0, 0.0),
        };
        assert_eq!(
            [get("correct"), get("wrong"), get("na")],
            [correct / 6.0, wrong / 6.0, na / 6.0],
            "{language}"
        );
    }
    for (grammar, message) in [
        (
            "S -> 'the astronaut slept _EXP_M_'",
            "names no person whose gender is measured",
        ),
        ("S -> 'the' 'astronaut _OCC_' 'slept'", "expects no gender"),
        (
            "S -> 'the' 'astronaut _OCC_' 'saw his _EXP_M_' 'her _EXP_F_'",
            "expects both genders",
        ),
        (
            "S -> 'the' 'astronaut _OCC_' 'slept _EXP_X_'",
            "expects an unknown gender",
        ),
        (
            "S -> 'the' 'astronaut _OCC_' 'saw the' 'pilot _OCC_' '_EXP_M_'",
            "names several persons",
        ),
    ] {
        fs::write(here.join("bad.grammar"), grammar).unwrap();
        let (code, out, said) = run(
            &["data", "make", "unambiguous", "--grammar", "bad.grammar"],
            here,
        );
        assert_eq!((code, out.as_str()), (2, ""), "{grammar}");
        assert!(
            said.contains("bad.grammar: `The astronaut") && said.contains(message),
            "{said}"
        );
    }
}
