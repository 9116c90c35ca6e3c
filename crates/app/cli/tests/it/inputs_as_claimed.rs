//! Inputs are what they claim to be, or they are refused with the evidence.

use crate::support;
use std::io::Read;
use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};
use flate2::read::GzDecoder;
use serde_json::Value;

/// Sources and translations of a published pair, in the order of the data.
fn published(gest: &Path, system: &str, language: &str) -> Vec<(String, String)> {
    let path = gest.join("translations").join(system).join(language);
    let file = std::fs::File::open(path.join("translations.csv.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let all: std::collections::BTreeMap<String, String> = rows
        .records()
        .map(|row| row.unwrap())
        .map(|row| (row[0].to_owned(), row[1].to_owned()))
        .collect();
    let mut data = csv::Reader::from_path(gest.join("gest.csv")).unwrap();
    let sources: Vec<String> = data
        .records()
        .map(|row| row.unwrap()[0].to_owned())
        .collect();
    sources
        .into_iter()
        .map(|source| (source.clone(), all[&source].clone()))
        .collect()
}

fn lines(pairs: &[(String, String)]) -> String {
    pairs.iter().map(|(_, to)| format!("{to}\n")).collect()
}

struct Gest {
    directory: tempfile::TempDir,
    data: String,
}

impl Gest {
    fn start(gest: &Path) -> Gest {
        Gest {
            directory: tempfile::tempdir().unwrap(),
            data: gest.join("gest.csv").display().to_string(),
        }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn command<'a>(&'a self, file: &'a str, language: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let base = [
            "run", "gest", "--data", &self.data, "--mt", file, "--lang", language,
        ];
        [&base[..], more].concat()
    }
}

#[test]
fn another_language_another_order_or_none_is_refused_with_the_evidence() {
    let Some(gest) = shared("gest") else { return };
    let here = Gest::start(&gest);
    let czech = published(&gest, "google_translate", "cs");
    let polish = published(&gest, "deepl", "pl");
    let slovak = published(&gest, "deepl", "sk");
    here.write("cs.txt", &lines(&czech));
    here.write("pl.txt", &lines(&polish));
    here.write("sk.txt", &lines(&slovak));
    let english: String = slovak.iter().map(|(from, _)| format!("{from}\n")).collect();
    here.write("en.txt", &english);
    let mut moved = slovak.clone();
    moved.rotate_left(1);
    here.write("moved.txt", &lines(&moved));
    moved.reverse();
    here.write("reversed.txt", &lines(&moved));
    let mut late = slovak.clone();
    let half = late.len() / 2;
    late[half..].rotate_left(1);
    here.write("late.txt", &lines(&late));
    for (file, language, evidence) in [
        ("file:cs.txt", "sk", "this is Czech, not Slovak"),
        ("file:sk.txt", "cs", "this is Slovak, not Czech"),
        ("file:pl.txt", "ru", "% of the letters are Latin"),
        ("file:en.txt", "sk", "not translated: "),
        (
            "file:moved.txt",
            "sk",
            "fit the sentences 1 line further on",
        ),
        ("file:late.txt", "sk", "fit the sentences 1 line further on"),
        (
            "file:reversed.txt",
            "sk",
            "no better than in any other order",
        ),
    ] {
        let stderr = refuse(&here.command(file, language, &[]), here.path());
        assert!(stderr.contains(evidence), "{stderr}");
        assert!(stderr.contains("--trust-language"), "{stderr}");
    }
    // Who knows better says so, and so does the signature and the result.
    let trusted = here.command(
        "file:cs.txt",
        "sk",
        &["--trust-language", "--format", "json"],
    );
    let found: Value = serde_json::from_str(&succeed(&trusted, here.path())).unwrap();
    let signature = found["signature"].as_str().unwrap();
    assert!(signature.contains("|language:trusted|"), "{signature}");
    let warnings = found["warnings"].to_string();
    assert!(
        warnings.contains("read as Czech, not as Slovak"),
        "{warnings}"
    );
    // The right file has neither.
    let right = here.command("file:sk.txt", "sk", &["--format", "json"]);
    let rows = Rows::parse(&succeed(&right, here.path()));
    assert!(!rows.1.contains("language:"), "{}", rows.1);
}

#[test]
fn a_small_yield_is_a_warning_in_the_result() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let text: String = (0..384)
        .map(|line| format!("Je to pekný deň číslo {line} a nikto nevie prečo.\n"))
        .collect();
    std::fs::write(path.join("sk.txt"), text).unwrap();
    let command = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--mt",
        "file:sk.txt",
        "--lang",
        "sk",
        "--trust-language",
    ];
    let (_, table, _) = run(&command, path);
    let first = table.lines().next().unwrap();
    assert!(
        first.starts_with("warning: sk lang:sk: 0 of 384 translations show a gender"),
        "{table}"
    );
    let (_, json, _) = run(&[&command[..], &["--format", "json"]].concat(), path);
    let found: Value = serde_json::from_str(&json).unwrap();
    assert!(
        found["warnings"][0]
            .as_str()
            .unwrap()
            .contains("less than a tenth"),
        "{json}"
    );
}

#[test]
fn tables_without_a_header_need_the_name_of_their_column() {
    let Some(gest) = shared("gest") else { return };
    let here = Gest::start(&gest);
    let slovak = published(&gest, "deepl", "sk");
    let tabs: String = slovak
        .iter()
        .map(|(from, to)| format!("x\t{from}\t{to}\n"))
        .collect();
    here.write("tabs.txt", &tabs);
    here.write("plain.txt", &lines(&slovak));
    let stderr = refuse(&here.command("file:tabs.txt", "sk", &[]), here.path());
    assert!(
        stderr.contains("there are tabs") && stderr.contains("--column"),
        "{stderr}"
    );
    let by = |file: &'static str, more: &[&'static str]| {
        let name = "--format";
        let all = here.command(file, "sk", &[more, &[name, "json"]].concat());
        Rows::parse(&succeed(&all, here.path())).0
    };
    let rename = |mut rows: Vec<Value>| {
        rows.iter_mut()
            .for_each(|row| row["system"] = Value::from("s"));
        rows
    };
    let plain = rename(by("s=file:plain.txt", &[]));
    assert_eq!(rename(by("s=file:tabs.txt", &["--column", "3"])), plain);
    assert_eq!(rename(by("s=file:tabs.txt", &["--column", "2,3"])), plain);
    let stderr = refuse(
        &here.command("file:tabs.txt", "sk", &["--column", "4"]),
        here.path(),
    );
    assert!(stderr.contains("there is no column `4`"), "{stderr}");
}

#[test]
fn a_limit_works_with_files_of_so_many_lines() {
    let Some(gest) = shared("gest") else { return };
    let here = Gest::start(&gest);
    let slovak = published(&gest, "deepl", "sk");
    here.write("some.txt", &lines(&slovak[..60]));
    here.write("all.txt", &lines(&slovak));
    let value = |file: &'static str| {
        let command = here.command(file, "sk", &["--limit", "60", "--format", "json"]);
        Rows::parse(&succeed(&command, here.path())).value("s", "lang:sk", "all", "yield")
    };
    assert_eq!(value("s=file:some.txt"), value("s=file:all.txt"));
    let stderr = refuse(
        &here.command("file:some.txt", "sk", &["--limit", "50"]),
        here.path(),
    );
    assert!(stderr.contains("there are 60 lines"), "{stderr}");
}

/// Files beside the translations are looked at before anything is asked: no run directory is there yet.
#[test]
fn alignments_and_tags_are_checked_before_anything_is_asked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    write("de.txt", &"Der Koch ist ihr Bruder.\n".repeat(1536));
    write("links", &"0-0\n".repeat(1535));
    write("few", "0-0\n0-0\n");
    write("tok", &"Der Koch\n".repeat(1536));
    write("tag", &"Masc\n".repeat(1536));
    write("align", &"0-0\n".repeat(1536));
    write("far", &"0-7\n".repeat(1536));
    let base = [
        "run",
        "unambiguous",
        "--size",
        "xs",
        "--mt",
        "copy:",
        "--lang",
        "de",
    ];
    for (inputs, message) in [
        (vec!["align:de=links"], "there are 1535 lines"),
        (vec!["tok:de=tok"], "need align:de"),
        (
            vec!["tok:de=tok", "tag:de=tag", "align:de=align"],
            "2 tokens have 1 tag",
        ),
        (vec!["tok:de=tok", "align:de=far"], "leaves the sentence"),
    ] {
        let mut command = base.to_vec();
        for input in &inputs {
            command.extend(["--input", *input]);
        }
        let stderr = refuse(&command, path);
        assert!(stderr.contains(message), "{inputs:?}: {stderr}");
        assert!(!path.join("epicene-runs").exists(), "{inputs:?}");
    }
    // With a limit, a file has the lines of all sentences or of the first.
    for links in ["align:de=few", "align:de=align"] {
        let command = [
            &base[..6],
            &["--lang", "de", "--limit", "2", "--input", links],
        ]
        .concat();
        succeed(&command, path);
    }
}

#[test]
fn a_language_that_cannot_be_measured_is_refused_at_once_or_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    // Finnish has no grammatical gender: nobody could judge it after the asking.
    let base = [
        "run",
        "unambiguous",
        "--size",
        "xs",
        "--mt",
        "copy:",
        "--limit",
        "30",
        "--lang",
        "de,fi",
    ];
    let stderr = refuse(&base, path);
    assert!(
        stderr.contains("no rules for translations into Finnish"),
        "{stderr}"
    );
    assert!(!path.join("epicene-runs").exists());
    let (code, stdout, stderr) = run(
        &[&base[..], &["--keep-going", "--format", "json"]].concat(),
        path,
    );
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("left out: ") && stderr.contains("Finnish"),
        "{stderr}"
    );
    assert!(stdout.contains("lang:de") && !stdout.contains("lang:fi"));
    let unknown = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--mt",
        "copy:",
        "--limit",
        "30",
        "--lang",
        "sk,tlh",
    ];
    assert!(refuse(&unknown, path).contains("tlh"));
    let (code, _, stderr) = run(&[&unknown[..], &["--keep-going"]].concat(), path);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("left out: unknown language `tlh`"),
        "{stderr}"
    );
}

/// The paper's tagger left half of the Urdu translations without a gender; a judge that decides them says so beside the
/// number.
#[test]
fn a_judge_that_decides_more_than_the_paper_says_how_much() {
    let Some(data) = shared("unambiguous") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let unpack = |name: &str| {
        let file = std::fs::File::open(data.join(name)).unwrap();
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    };
    let sources = unpack("source_s_58032.tsv.gz");
    let take = |text: &str| -> String {
        text.lines()
            .take(14976)
            .map(|line| format!("{line}\n"))
            .collect()
    };
    std::fs::write(path.join("source.tsv"), take(&sources)).unwrap();
    std::fs::write(
        path.join("ur.txt"),
        take(&unpack("pipeline_14976/ur.mt.gz")),
    )
    .unwrap();
    let command = [
        "run",
        "unambiguous",
        "--data",
        "source.tsv",
        "--mt",
        "m=file:ur.txt",
        "--lang",
        "ur",
        "--judge",
        "published",
    ];
    let (code, table, stderr) = run(&command, path);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .contains("the paper left open"),
        "{table}"
    );
    assert!(table.contains("decided_beyond_paper"), "{table}");
}

#[test]
fn the_authors_romance_rules_without_their_tags_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let command = [
        "run",
        "winomt",
        "--data",
        "epicene-winograd",
        "--mt",
        "copy:",
        "--lang",
        "es",
        "--judge",
        "published",
    ];
    let (code, table, stderr) = run(&command, path);
    assert_eq!(code, 0, "{stderr}");
    assert!(table.contains("tags:es=FILE"), "{table}");
}

/// A file that the run at hand does not read is refused before anybody is asked, with what it belongs to.
#[test]
fn files_that_nothing_reads_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    write("en.txt", "female\t1\tThe doctor slept .\tdoctor\n");
    write("de.txt", "Die Ärztin schlief .\n");
    write("es.txt", "La doctora durmió .\n");
    write("links", "0-0 1-1 2-2\n");
    write("tags", "doctora\tfemale\n");
    write("persons", "[persons occupations]\ndoctor | f: Heilerin\n");
    write("table", "доктор\tmale\n");
    write("set.tsv", "The doctor slept .\t_CLUE_Pr_F_\t_EXP_F_\n");
    write("result", "Fem\n");
    let header =
        "model_name,dataset_type,dataset_split,logprob_male_professions,logprob_female_professions";
    write("means.csv", &format!("{header}\nm,1,dev,0.6,0.4\n"));
    support::synthetic_gest(&path.join("gest.csv"), 16);
    let german = "run winomt --data en.txt --mt m=file:de.txt --lang de";
    let spanish = "run winomt --data en.txt --mt m=file:es.txt --lang es";
    let clear = "run unambiguous --data set.tsv --mt m=file:de.txt --lang de";
    let tagger = "--detector published of es, fr and it";
    let either = "--detector epicene, or to the published detector of ru and uk";
    let untagged = "translations without given tags";
    for (command, role, whose) in [
        (format!("{german} --input tags:de=tags"), "tags:de", tagger),
        (
            format!("{german} --judge published --input tags:de=tags"),
            "tags:de",
            tagger,
        ),
        (format!("{spanish} --input tags:es=tags"), "tags:es", tagger),
        (
            format!("{german} --judge published --input lexicon:de=persons"),
            "lexicon:de",
            either,
        ),
        (
            format!("{german} --input align:es=links"),
            "align:es",
            "translations into Spanish",
        ),
        (
            format!("{german} --input align:other:de=links"),
            "align:other:de",
            "translations by `other` into German",
        ),
        (
            format!("{german} --input align:m:de=links --input align:de=links"),
            "align:de",
            "systems without a file of their own",
        ),
        (
            format!("{clear} --judge published --input lexicon:de=persons"),
            "lexicon:de",
            "--detector epicene",
        ),
        (
            format!("{clear} --input result:de=result --input align:de=links"),
            "align:de",
            untagged,
        ),
        (
            format!("{clear} --input result:de=result --input lexicon:de=persons"),
            "lexicon:de",
            untagged,
        ),
        (
            "run gest --data gest.csv --mt copy: --lang sk --winobias means.csv".to_owned(),
            "winobias",
            "language models (--model)",
        ),
        (
            "ask winomt --data en.txt --kind mt --lang de --input tags:de=tags".to_owned(),
            "tags:de",
            tagger,
        ),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let stderr = refuse(&words, path);
        let said = format!("error: the input {role} has no effect here; it is for {whose}");
        assert!(stderr.starts_with(&said), "{command}: {stderr}");
        assert!(!path.join("epicene-runs").exists(), "{command}");
    }
    // Where a system is not named yet, it may be the one that is meant.
    let named = "ask winomt --data en.txt --kind mt --lang de --input align:m:de=links";
    succeed(&named.split(' ').collect::<Vec<_>>(), path);
    // What can be left out is, by name.
    let left = format!("{german} --input align:es=links --keep-going --out left");
    let (code, stdout, stderr) = run(&left.split(' ').collect::<Vec<_>>(), path);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("left out: the input align:es has no effect here; it is for"),
        "{stderr}"
    );
    assert!(!stdout.contains("check:"), "{stdout}");
}

/// What only the answers tell, or another judge afterwards, is warned of and not signed.
#[test]
fn files_that_nothing_read_are_not_signed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    write("en.txt", "female\t1\tThe doctor slept .\tdoctor\n");
    write("es.txt", "La doctora durmió .\n");
    write("tags", "doctora\tfemale\n");
    write("persons", "[persons occupations]\ndoctor | f: Heilerin\n");
    write("set.tsv", "The doctor slept .\t_CLUE_Pr_F_\t_EXP_F_\n");
    write("result", "Fem\n");
    write("open.tsv", "id\tlabel\n");
    let said = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        succeed(&[&words[..], &["--format", "json"]].concat(), path)
    };
    let tagged = "run winomt --data en.txt --mt m=file:es.txt --lang es --judge published";
    let json = said(&format!("{tagged} --input tags:es=tags --out r"));
    assert!(json.contains("|check:tags:es@"), "{json}");
    let unread = |role: &str, whose: &str, json: &str| {
        let warned =
            format!("the input {role} was not read and is not in the signature: it is for {whose}");
        assert!(json.contains(&warned), "{json}");
        assert!(!Rows::parse(json).1.contains("|check:"), "{json}");
    };
    let json = said("report r --judge default");
    unread("tags:es", "--detector published of es, fr and it", &json);
    let clear = "run unambiguous --data set.tsv --mt m=file:result --lang de";
    let json = said(&format!("{clear} --input lexicon:de=persons --out given"));
    unread("lexicon:de", "translations without given tags", &json);
    let json = said("run wibemt --limit 3 --mt copy: --lang de --input decisions=open.tsv");
    unread("decisions", "answers that the rules leave undecided", &json);
}
