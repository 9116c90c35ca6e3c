//! Bad input gets one clear line that names the file and the line, a hint, and exit code 2.

use std::io::Write;
use std::path::Path;

use crate::support::{refuse, run, synthetic_gest};
use flate2::Compression;
use flate2::write::GzEncoder;

fn scores(path: &Path, rows: usize) {
    let mut text = String::from("m_template-0,m_template-1,m_template-2,m_template-3\n");
    for row in 0..rows {
        text += &format!("0.{row},-0.5,0.25,1e-3\n");
    }
    std::fs::write(path, text).unwrap();
}

/// A directory with good data and good scores to spoil.
fn workshop() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    synthetic_gest(&directory.path().join("gest.csv"), 32);
    scores(&directory.path().join("s.csv"), 32);
    directory
}

const RUN: [&str; 6] = ["run", "gest", "--model", "file:s.csv", "--data", "gest.csv"];

fn replace_line(path: &Path, number: usize, line: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[number - 1] = line;
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn the_good_case_is_good() {
    let directory = workshop();
    let (code, stdout, stderr) = run(&RUN, directory.path());
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.contains("signature: gest|data:gest-custom@"),
        "{stdout}"
    );
}

#[test]
fn broken_score_files_name_file_line_and_column() {
    for (line, text, message) in [
        (
            5,
            "0.1,0.2",
            "s.csv, line 5: this row has 2 cells, the header has 4",
        ),
        (
            5,
            "0.1,NaN,0.2,0.3",
            "s.csv, line 5: column `m_template-1`: `NaN` is not a finite number",
        ),
        (
            5,
            "inf,0,0.2,0.3",
            "s.csv, line 5: column `m_template-0`: `inf` is not a finite number",
        ),
        (
            7,
            "0.1,,0.2,0.3",
            "s.csv, line 7: column `m_template-1`: the cell is empty",
        ),
        (
            9,
            "0.1,one,0.2,0.3",
            "s.csv, line 9: column `m_template-1`: `one` is not a number",
        ),
        (
            1,
            "a,b,c,d",
            "s.csv, line 1: column `a` names no model and template",
        ),
        (
            1,
            "m_template-0,m_template-0,m_template-2,m_template-3",
            "s.csv, line 1: column `m_template-0` is there twice",
        ),
        (
            1,
            "m_template-0,m_template-1,m_template-2,m_template-4",
            "s.csv, line 1: column `m_template-4`: masked models have no such template",
        ),
    ] {
        let directory = workshop();
        replace_line(&directory.path().join("s.csv"), line, text);
        let stderr = refuse(&RUN, directory.path());
        assert!(stderr.contains(message), "{stderr}");
        assert!(
            !directory.path().join("epicene-runs").exists(),
            "nothing was begun"
        );
    }
}

#[test]
fn score_files_of_the_wrong_length_name_where_they_end() {
    let directory = workshop();
    scores(&directory.path().join("s.csv"), 30);
    let stderr = refuse(&RUN, directory.path());
    assert!(
        stderr.contains("s.csv, line 31: there are 30 rows of scores, the data has 32"),
        "{stderr}"
    );
    assert!(stderr.contains("hint:"), "{stderr}");
    scores(&directory.path().join("s.csv"), 33);
    assert!(refuse(&RUN, directory.path()).contains("there are 33 rows"));
}

#[test]
fn broken_data_files_name_file_and_line() {
    for (line, text, message) in [
        (
            4,
            "I fell.,0",
            "gest.csv, line 4: stereotype `0` is not a number from 1 to 16",
        ),
        (4, "I fell.,17", "gest.csv, line 4: stereotype `17`"),
        (
            4,
            "I fell.",
            "gest.csv, line 4: this row has 1 cell, the header has 2",
        ),
        (4, ",3", "gest.csv, line 4: the sentence is empty"),
        (
            1,
            "text,label",
            "gest.csv, line 1: the header is `text,label`, expected `sentence,stereotype`",
        ),
    ] {
        let directory = workshop();
        replace_line(&directory.path().join("gest.csv"), line, text);
        let stderr = refuse(&RUN, directory.path());
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn empty_missing_and_undecodable_files() {
    for file in ["s.csv", "gest.csv"] {
        let directory = workshop();
        let path = directory.path().join(file);
        std::fs::write(&path, "").unwrap();
        assert!(refuse(&RUN, directory.path()).contains(&format!("{file}: the file is empty")));
        std::fs::write(&path, "\n\n").unwrap();
        assert!(refuse(&RUN, directory.path()).contains(&format!("{file}: the file is empty")));
        std::fs::write(&path, b"sentence,stereotype\nI fell.,1\nI \xff fell.,2\n").unwrap();
        let stderr = refuse(&RUN, directory.path());
        assert!(
            stderr.contains(&format!("{file}, line 3: invalid UTF-8")),
            "{stderr}"
        );
        std::fs::remove_file(&path).unwrap();
        let stderr = refuse(&RUN, directory.path());
        assert!(
            stderr.contains(&format!("{file}: there is no such file"))
                || stderr.contains(&format!("`{file}` is neither a file nor a data set")),
            "{stderr}"
        );
        std::fs::create_dir(&path).unwrap();
        refuse(&RUN, directory.path());
    }
}

#[test]
fn gzip_is_told_by_its_content_and_truncation_is_noticed() {
    let directory = workshop();
    let path = directory.path().join("s.csv");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&std::fs::read(&path).unwrap()).unwrap();
    let packed = encoder.finish().unwrap();
    std::fs::write(&path, &packed).unwrap();
    let (code, _, stderr) = run(&RUN, directory.path());
    assert_eq!(code, 0, "{stderr}");
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let stderr = refuse(&RUN, directory.path());
    assert!(stderr.contains("s.csv: broken gzip file"), "{stderr}");
}

#[test]
fn a_byte_order_mark_and_crlf_are_no_trouble() {
    let directory = workshop();
    for file in ["s.csv", "gest.csv"] {
        let path = directory.path().join(file);
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace('\n', "\r\n");
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
    }
    let (code, _, stderr) = run(&RUN, directory.path());
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn bad_side_inputs_are_refused_before_the_asking() {
    let directory = workshop();
    let path = directory.path();
    let with = |flag: &str, file: &str| {
        let mut arguments = RUN.to_vec();
        arguments.extend([flag, file]);
        refuse(&arguments, path)
    };
    let header =
        "model_name,dataset_type,dataset_split,logprob_male_professions,logprob_female_professions";
    for (text, message) in [
        ("a,b\n1,2\n", "w.csv, line 1: the header is"),
        (
            &format!("{header}\nm,3,dev,0,0\n"),
            "w.csv, line 2: WinoBias has no type `3` dev",
        ),
        (
            &format!("{header}\nm,1,dev,x,0\n"),
            "w.csv, line 2: column `logprob_male_professions`: `x`",
        ),
        (
            &format!("{header}\nm,1,dev,0,NaN\n"),
            "w.csv, line 2: column `logprob_female_professions`: `NaN`",
        ),
        (
            &format!("{header}\nm,1,dev,0,0\nm,1,dev,0,0\n"),
            "w.csv, line 3: m is there twice",
        ),
        (&format!("{header}\n"), "w.csv: there are no means"),
        (
            &format!("{header}\nm,1,dev,0\n"),
            "w.csv, line 2: this row has 4 cells",
        ),
    ] {
        std::fs::write(path.join("w.csv"), text).unwrap();
        let stderr = with("--winobias", "w.csv");
        assert!(stderr.contains(message), "{stderr}");
        let alone = refuse(&["run", "winobias", "--model", "file:w.csv"], path);
        assert!(alone.contains(message), "{alone}");
    }
    std::fs::write(path.join("p.txt"), "A\nB\nC\n\nA\nB\nZ\n").unwrap();
    assert!(
        with("--swap-pairs", "p.txt").contains("p.txt, line 5: expected two texts and a label")
    );
    assert!(!path.join("epicene-runs").exists());
}

#[test]
fn bad_usage_says_what_would_be_good() {
    let directory = workshop();
    let path = directory.path();
    let refused = |arguments: &[&str], message: &str, hint: &str| {
        let stderr = refuse(arguments, path);
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
        assert!(stderr.contains(hint), "{arguments:?}: {stderr}");
    };
    refused(
        &["run", "gestt", "--model", "random:1"],
        "unknown benchmark `gestt`",
        "closest: gest",
    );
    refused(
        &["run", "gest", "--model", "roberta-base"],
        "a system needs a kind before a colon",
        "--model",
    );
    refused(
        &["run", "gest", "--model", "random:x"],
        "the seed is not a whole number",
        "--model",
    );
    refused(
        &["run", "gest", "--model", "always:it"],
        "say `always:he` or `always:she`",
        "--model",
    );
    refused(
        &["run", "gest", "--data", "epicene-mini"],
        "there is no system to measure",
        "--model SPEC or --mt SPEC",
    );
    refused(
        &["run", "winobias", "--model", "random:1"],
        "winobias 1 is not in the cache",
        "epicene data pull winobias",
    );
    refused(
        &[
            "run", "winobias", "--model", "random:1", "--data", "gest.csv",
        ],
        "pro_stereotyped_type1.txt.dev or anti_stereotyped_type1.txt.dev is not there",
        "",
    );
    let mini = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--model",
        "random:1",
    ];
    let with = |more: &[&'static str]| [&mini[..], more].concat();
    refused(
        &with(&["--model", "random:1"]),
        "two systems are called `random:1`",
        "",
    );
    refused(&with(&["--limit", "0"]), "--limit must be at least 1", "");
    refused(
        &with(&["--bootstrap", "1"]),
        "--bootstrap `1`: write a whole number from 2 to 100000",
        "",
    );
    refused(
        &with(&["--threads", "0"]),
        "--threads `0`: write a whole number from 1 to 1024",
        "",
    );
    refused(&with(&["--shard", "3/2"]), "bad shard `3/2`", "");
    refused(
        &with(&["--fail-if", "g_s>"]),
        "a number is missing at the end",
        "hint:",
    );
    refused(
        &with(&["--fail-if", "f_s>1"]),
        "no row has the metric `f_s`",
        "g_s",
    );
    refused(
        &with(&["--convention", "log"]),
        "possible values: published, true",
        "",
    );
    refused(
        &with(&["--format", "html"]),
        "none of table, json, csv, md, latex",
        "",
    );
    refused(
        &with(&["--exclude", "bert"]),
        "--exclude has no effect here; it is for files of answers (--model file:PATH)",
        "",
    );
    refused(
        &[&RUN[..], &["--exclude", "bert"]].concat(),
        "--exclude bert: no such system",
        "the files hold m",
    );
    refused(
        &with(&["--method", "aula"]),
        "`--method` has no effect on gest",
        "`epicene run gest --help` lists the options\n",
    );
    // What works offline is offered where it works.
    refused(
        &["run", "crows-pairs", "--model", "random:1"],
        "is not in the cache",
        "give --data PATH\n",
    );
    refused(
        &["run", "gest", "--model", "random:1"],
        "is not in the cache",
        "`--data epicene-mini` works offline",
    );
    refused(
        &[
            "run",
            "crows-pairs",
            "--model",
            "random:1",
            "--data",
            "epicene-mini",
        ],
        "epicene-mini is data of gest, gest-chat, not of crows-pairs",
        "",
    );
    refused(
        &["run", "gest", "--model", "random:1"],
        "gest 1.0 is not in the cache",
        "epicene data pull gest",
    );
    refused(
        &["data", "pull", "gesst"],
        "unknown data set `gesst`",
        "closest: gest",
    );
    refused(
        &["show", "gesst"],
        "unknown benchmark `gesst`",
        "closest: gest",
    );
}

/// An option that would do nothing is not taken in silence, and one that does something is.
#[test]
fn options_without_effect_are_refused() {
    let directory = workshop();
    let path = directory.path();
    let null = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--limit",
        "3",
        "--model",
        "random:1",
    ];
    for (options, owner) in [
        (&["--no-names"][..], "mbe"),
        (&["--words", "a", "b"], "mbe"),
        (&["--names", "a", "b"], "mbe"),
        (&["--names-ignore-case"], "mbe"),
        (&["--unresolved", "open.tsv"], "wibemt"),
        (&["--aligner", "built-in"], "unambiguous, winomt"),
        (&["--price", "1,2"], "gest-chat, occupations-chat"),
    ] {
        let said = refuse(&[&null[..], options].concat(), path);
        let expected = format!(
            "error: `{}` has no effect on gest; it is an option of {owner}\nhint: ",
            options[0]
        );
        assert!(said.starts_with(&expected), "{said}");
    }
    for (options, owner) in [
        (&["--allow-missing"][..], "files of translations"),
        (&["--column", "a"], "files of translations"),
        (&["--trust-language"], "files of translations"),
        (&["--keep-going"], "languages"),
        (&["--budget", "5"], "services that cost money"),
        (&["--kind", "causal"], "files of answers"),
        (&["--tokenizer", "t.json"], "files of answers"),
        (&["--dtype", "bf16"], "models that epicene runs"),
        (&["--device", "cuda"], "models that epicene runs"),
        (&["--batch-tokens", "64"], "models that epicene runs"),
        (&["--ignore-config", "foo"], "checkpoints"),
    ] {
        let said = refuse(&[&null[..], options].concat(), path);
        let expected = format!(
            "error: {} has no effect here; it is for {owner}",
            options[0]
        );
        assert!(said.starts_with(&expected), "{said}");
    }
    // The same of translators that are asked here and cost nothing.
    let copy = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--lang",
        "sk",
        "--mt",
        "copy:",
    ];
    for (options, owner) in [
        (&["--trust-language"][..], "files of translations"),
        (
            &["--budget", "5"],
            "services that cost money, and none is asked",
        ),
    ] {
        let said = refuse(&[&copy[..], options].concat(), path);
        assert!(
            said.contains(&format!(
                "{} has no effect here; it is for {owner}",
                options[0]
            )),
            "{said}"
        );
    }
    let said = refuse(&["ask", "gest", "--kind", "masked", "--no-names"], path);
    assert!(
        said.contains("--no-names has no effect here; it is for a parallel corpus"),
        "{said}"
    );
    for heeded in [
        &[&null[..], &["--device", "cpu"]].concat(),
        &[&RUN[..], &["--kind", "masked"]].concat(),
        &[
            &null[..6],
            &[
                "--model",
                "demo:mlm",
                "--dtype",
                "bf16",
                "--batch-tokens",
                "64",
            ],
        ]
        .concat(),
        &[&copy[..], &["--keep-going", "--limit", "3"]].concat(),
    ] {
        let (code, _, said) = run(heeded, path);
        assert_eq!(code, 0, "{heeded:?}: {said}");
    }
}

/// The same of every other command: what it would pass over is refused, before anything is opened.
#[test]
fn other_commands_refuse_options_without_effect() {
    let directory = workshop();
    let path = directory.path();
    let made = [&RUN[..], &["--out", "r"]].concat();
    assert_eq!(run(&made, path).0, 0);
    let two = "run gest --data gest.csv --model random:1 --model random:2 --out two";
    assert_eq!(run(&two.split(' ').collect::<Vec<_>>(), path).0, 0);
    std::fs::write(path.join("v.jsonl"), "{\"id\": 1, \"verdict\": \"m\"}\n").unwrap();
    let nothing = "has no effect";
    for (command, said) in [
        (
            "score --model random:1 --task aula --dtype bf16",
            "--dtype has no effect here; it is for models that epicene runs",
        ),
        (
            "score --model random:1 --task aula --device cuda",
            "--device has no effect here; it is for models that epicene runs",
        ),
        (
            "score --model random:1 --task aula --batch-tokens 9",
            "--batch-tokens has no effect here; it is for models that epicene runs",
        ),
        (
            "score --model demo:mlm --task aula --ignore-config x",
            "--ignore-config has no effect here; it is for checkpoints",
        ),
        (
            "score --model demo:mlm --task masked-pair --accuracy",
            "--accuracy has no effect here; it is for likelihoods",
        ),
        (
            "score --model demo:mlm --stream --task aula --accuracy",
            "--accuracy has no effect here; it is for likelihoods",
        ),
        (
            "score --stream --mt copy: --lang sk --task aula",
            "--task has no effect here; it is for models (--model)",
        ),
        (
            "score --stream --mt copy: --lang sk --batch-tokens 9",
            "--batch-tokens has no effect here; it is for models",
        ),
        (
            "translate --mt file:t.csv --to sk --fresh",
            "--fresh has no effect here; it is for translators that are asked",
        ),
        (
            "translate --mt file:t.csv --to sk --from cs",
            "--from has no effect here; it is for translators that are asked",
        ),
        (
            "translate --mt copy: --to sk --dtype bf16",
            "--dtype has no effect here; it is for checkpoints",
        ),
        (
            "translate --mt copy: --to sk --device cuda:1",
            "--device has no effect here; it is for checkpoints",
        ),
        (
            "pairs prompts --translations t.csv --lang sk --fresh",
            "--fresh has no effect here; it is for translators that are asked",
        ),
        (
            "pairs prompts --mt copy: --lang sk --allow-missing",
            "--allow-missing has no effect here; it is for files of translations",
        ),
        (
            "generate-text --model dir:x --temperature 0 --top-p 0.5",
            "--top-p has no effect here; it is for draws",
        ),
        (
            "generate-text --model gguf:x --ignore-config y",
            "--ignore-config has no effect here; it is for checkpoints",
        ),
        (
            "detect --lang sk --mode published --nouns off",
            "--nouns has no effect here; it is for --detector epicene",
        ),
        (
            "detect --lang sk --conllu --repository-rules",
            "--repository-rules has no effect here; it is for Slovene",
        ),
        (
            "reproduce gest --data . --all --format csv",
            "--all has no effect here; it is for --format table",
        ),
        (
            "report r --title x",
            "--title has no effect here; it is for pages",
        ),
        (
            "report r --style acl",
            "--style has no effect here; it is for LaTeX",
        ),
        (
            "report r --tables paper --format csv",
            "--tables has no effect here; it is for tables for people",
        ),
        (
            "compare two --style acl",
            "--style has no effect here; it is for LaTeX",
        ),
        (
            "translate --mt file:t.csv --to sk",
            "--to has no effect here; it is for translators that are asked",
        ),
        (
            "generate unambiguous --grammar own --size xs",
            "--size has no effect here; it is for the grammars paper and repaired",
        ),
        (
            "generate unambiguous --grammar own --nonce 3",
            "--nonce has no effect here; it is for the grammars paper and repaired",
        ),
        (
            "ask --rest r --limit 3",
            "--limit has no effect here; it is for a benchmark's questions",
        ),
        (
            "ask --rest r --lang sk",
            "--lang has no effect here; it is for a benchmark's questions",
        ),
        (
            "ask --rest r --convention true",
            "an option of a benchmark has no effect here; it is for a benchmark's questions",
        ),
        (
            "ask --rest r --method aula",
            "an option of sentences has no effect here; it is for a benchmark's questions",
        ),
        (
            "run unambiguous --size xs --mt copy: --lang de --pick first",
            "--pick has no effect here; it is for --detector published and given tags",
        ),
        (
            "run unambiguous --size xs --mt copy: --lang de --labelled-only",
            "--labelled-only has no effect here; it is for --detector published and given tags",
        ),
        (
            "report r --detector published",
            "--detector has no effect on these answers",
        ),
        (
            "report r --nouns off",
            "--nouns has no effect on these answers",
        ),
        (
            "report r --cluster stereotype --interval published",
            "--cluster has no effect on these answers",
        ),
        (
            "items r --interval published",
            "--interval has no effect on verdicts; it is for numbers",
        ),
        (
            "items r --seed 3",
            "--seed has no effect on verdicts; it is for numbers",
        ),
        (
            "items r --bootstrap 50",
            "--bootstrap has no effect on verdicts; it is for numbers",
        ),
        (
            "plan winomt --seed 3",
            "--seed has no effect here; it is for run directories",
        ),
        (
            "plan winomt --interval published",
            "an option of a benchmark has no effect here; it is for run directories",
        ),
        (
            "audit sample v.jsonl -o l.csv --mode strict",
            "an option of a benchmark has no effect here; it is for run directories",
        ),
        (
            "audit plan r l.csv --width 0.1",
            "a file of labels has no effect here; it is for JSON lines",
        ),
        (
            "run gest --data gest.csv --model random:1 --mode strict",
            "--detector has no effect here; it is for translations (--mt)",
        ),
        (
            "run gest --data gest.csv --mt copy: --lang sk --convention true",
            "--convention has no effect here; it is for language models",
        ),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let stderr = refuse(&words, path);
        assert!(
            stderr.starts_with(&format!("error: {said}")),
            "{command}: {stderr}"
        );
        assert!(stderr.contains(nothing), "{command}: {stderr}");
    }
    // What excludes each other is refused by the reader of the command line.
    for command in [
        "detect --lang sk --conllu --mode published",
        "report r --allow-partial",
        "audit read r l.csv --junit j.xml",
        "check-sentences gest gest.csv --lang sk",
        "generate unambiguous --seed 3",
        "generate unambiguous --count --limit 3",
        "extract --table t.tsv --seed 3 --keep-all",
        "extract --table t.tsv --no-names --names-ignore-case",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        refuse(&words, path);
    }
    for command in [
        "report r --tables paper",
        "report r --style acl --format latex",
        "compare two --style acl --format latex",
        "ask --rest r --shard 1/2",
        "report r --convention true --interval published",
        "report r --cluster stereotype",
        "items r",
        "detect --lang sk --nouns lexicon gest.csv",
        "detect --lang sk --mode extended gest.csv",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (code, _, said) = run(&words, path);
        assert_eq!(code, 0, "{command}: {said}");
    }
}

/// Writers are sampled only where every sentence names one.
#[test]
fn clusters_of_writers_need_writers() {
    let directory = workshop();
    let path = directory.path();
    let stderr = refuse(&[&RUN[..], &["--cluster", "writer"]].concat(), path);
    assert!(stderr.contains("gest.csv: --cluster writer: "), "{stderr}");
    assert!(stderr.contains(" names no writer"), "{stderr}");
    assert_eq!(run(&[&RUN[..], &["--out", "r"]].concat(), path).0, 0);
    let stderr = refuse(&["report", "r", "--cluster", "writer"], path);
    assert!(
        stderr.contains("--cluster writer needs data with a column `writer`"),
        "{stderr}"
    );
}

/// A name without its kind: what was meant is said.
#[test]
fn a_system_without_its_kind_is_asked_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::create_dir(path.join("mine")).unwrap();
    std::fs::write(path.join("scores.csv"), "").unwrap();
    for (given, meant) in [
        ("gpt2", "did you mean `hf:gpt2`?"),
        ("org/name", "did you mean `hf:org/name`?"),
        ("mine", "did you mean `dir:mine`?"),
        ("scores.csv", "did you mean `file:scores.csv`?"),
        ("model.gguf", "did you mean `gguf:model.gguf`?"),
    ] {
        let stderr = refuse(&["run", "gest", "--model", given], path);
        assert!(stderr.contains(meant), "{stderr}");
    }
    let stderr = refuse(
        &["run", "gest", "--mt", "opus-mt-en-de", "--lang", "de"],
        path,
    );
    assert!(
        stderr.contains("did you mean `hf:opus-mt-en-de`?"),
        "{stderr}"
    );
}
