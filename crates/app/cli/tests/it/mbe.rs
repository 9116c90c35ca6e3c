//! MBE, CrowS-Pairs and StereoSet on the command line: extraction, likelihoods from files, the paper's
//! experiments.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};
use serde_json::{Value, json};

/// A small corpus: two female, three male, one with both, one with neither.
fn corpus(directory: &Path) {
    let source = "She sings.\nHe runs.\nIt rains.\nHe sees her.\nThe queen waits\nMr. X waits\nThe boys play\n";
    let target = "Sie singt.\nEr rennt.\nEs regnet.\nEr sieht sie.\nDie Königin wartet\nHerr X wartet\nDie Jungen spielen\n";
    std::fs::write(directory.join("en.txt"), source).unwrap();
    std::fs::write(directory.join("de.txt"), target).unwrap();
}

const CORPUS: [&str; 4] = ["--source", "en.txt", "--target", "de.txt"];

#[test]
fn extract_writes_a_table_or_two_files_and_counts() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    corpus(directory);
    let arguments = [&["extract"], &CORPUS[..]].concat();
    let (code, table, stderr) = run(&arguments, directory);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains(
        "7 sentence pairs: 2 female, 3 male, 1 with both genders (dropped), 1 with neither"
    ));
    assert!(stderr.contains("written: 2 female, 2 male"));
    assert!(
        table.starts_with("gender\tline\ttext\nf\t1\tSie singt.\nf\t5\tDie Königin wartet\nm\t")
    );
    assert_eq!(table.lines().count(), 5);
    for threads in ["1", "3"] {
        let again = [&arguments[..], &["--threads", threads]].concat();
        assert_eq!(succeed(&again, directory), table);
    }
    let files = [
        "--female",
        "f.txt",
        "--male",
        "m.txt",
        "--keep-all",
        "--counts",
        "counts.json",
    ];
    assert_eq!(succeed(&[&arguments[..], &files].concat(), directory), "");
    let male = std::fs::read_to_string(directory.join("m.txt")).unwrap();
    assert_eq!(male, "Er rennt.\nHerr X wartet\nDie Jungen spielen\n");
    let counts = std::fs::read_to_string(directory.join("counts.json")).unwrap();
    let counts: Value = serde_json::from_str(&counts).unwrap();
    assert_eq!(counts["corpus"]["both"], 1);
    assert_eq!(counts["written"]["male"], 3);
}

#[test]
fn extract_takes_other_lists_and_says_where_they_overlap() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    corpus(directory);
    std::fs::write(directory.join("f.txt"), "rains\nwaits\n").unwrap();
    std::fs::write(directory.join("m.txt"), "runs\nWaits\n").unwrap();
    let words = [
        "--words",
        "f.txt",
        "m.txt",
        "--no-names",
        "--counts",
        "c.json",
    ];
    let (code, _, stderr) = run(&[&["extract"], &CORPUS[..], &words].concat(), directory);
    assert_eq!(code, 0);
    assert!(stderr.contains("1 entries are in a female and in a male list"));
    assert!(
        stderr.contains("1 female, 1 male, 2 with both genders"),
        "{stderr}"
    );
    let counts = std::fs::read_to_string(directory.join("c.json")).unwrap();
    let counts: Value = serde_json::from_str(&counts).unwrap();
    assert_eq!(counts["in_both_lists"], json!(["waits"]));
}

#[test]
fn broken_corpora_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    corpus(directory);
    std::fs::write(directory.join("short.txt"), "a\nb\n").unwrap();
    let error = refuse(
        &["extract", "--source", "en.txt", "--target", "short.txt"],
        directory,
    );
    assert!(
        error.contains("en.txt: there are 7 lines, short.txt has 2"),
        "{error}"
    );
    std::fs::write(directory.join("latin1.txt"), b"a\nb\nc\nd\n\xe9\nf\ng\n").unwrap();
    let error = refuse(
        &["extract", "--source", "en.txt", "--target", "latin1.txt"],
        directory,
    );
    assert!(
        error.contains("latin1.txt, line 5: invalid UTF-8"),
        "{error}"
    );
    assert!(refuse(&["extract"], directory).contains("--source EN --target XX"));
    assert!(
        refuse(
            &["extract", "--source", "no.txt", "--target", "de.txt"],
            directory
        )
        .contains("no.txt")
    );
    let error = refuse(&["run", "crows-pairs", "--model", "random:1"], directory);
    assert!(
        error.contains("crows-pairs 1 is not in the cache"),
        "{error}"
    );
}

/// The tiny reference model's likelihoods and embeddings, from extraction's layout to the score.
#[test]
fn mbe_of_the_tiny_model_from_files() {
    let Some(path) = shared("mbe/reference_tiny_bert/expected.json") else {
        return;
    };
    let reference: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let (mut sets, mut answers) = ("gender\tline\ttext\n".to_owned(), String::new());
    for (index, sentence) in reference["sentences"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let group = sentence["group"].as_str().unwrap();
        writeln!(
            sets,
            "{group}\t{}\t{}",
            index + 1,
            sentence["text"].as_str().unwrap()
        )
        .unwrap();
        let answer = json!({"model": "tiny", "aula": sentence["aula"], "aul": sentence["aul"], "embedding": sentence["embedding"]});
        writeln!(answers, "{answer}").unwrap();
    }
    std::fs::write(directory.join("sets.tsv"), sets).unwrap();
    std::fs::write(directory.join("tiny.jsonl"), answers).unwrap();
    let command = [
        "run",
        "mbe",
        "--interval",
        "published",
        "--data",
        "sets.tsv",
        "--model",
        "file:tiny.jsonl",
        "--format",
        "json",
    ];
    for (weight, name) in [
        ("cosine", "cosine"),
        ("dot", "dot_product"),
        ("none", "unweighted"),
    ] {
        let arguments = [&command[..], &["--weight", weight, "--bootstrap", "200"]].concat();
        let rows = Rows::parse(&succeed(&arguments, directory));
        assert!(rows.1.contains(&format!("weight:{weight}")), "{}", rows.1);
        for method in ["aula", "aul"] {
            let unit = format!("method:{method}");
            let found = rows.value("tiny", &unit, "all", "mbe");
            let expected = reference["mbe"][method][name].as_f64().unwrap();
            assert!(
                (found - expected).abs() < 1e-5,
                "{method} {weight}: {found} {expected}"
            );
            let row = rows.row("tiny", &unit, "all", "mbe");
            assert_eq!(
                (row["n"].as_u64(), row["ideal"].as_f64()),
                (Some(20), Some(50.0))
            );
            assert!(
                row["low"].as_f64().unwrap() <= found && found <= row["high"].as_f64().unwrap()
            );
        }
    }
    let aul = [&command[..], &["--method", "aul", "--bootstrap", "200"]].concat();
    let rows = Rows::parse(&succeed(&aul, directory));
    assert!(rows.0.iter().all(|row| row["unit"] == "method:aul"));
    let error = refuse(&[&command[..], &["--method", "cps"]].concat(), directory);
    assert!(error.contains("mbe has no such likelihood"), "{error}");
    // Nothing is negative here: clipping changes nothing.
    let clipped = [&command[..], &["--clip-negative", "--bootstrap", "200"]].concat();
    let rows = Rows::parse(&succeed(&clipped, directory));
    let expected = reference["mbe"]["aula"]["cosine_clipped_at_0"]
        .as_f64()
        .unwrap();
    assert!((rows.value("tiny", "method:aula", "all", "mbe") - expected).abs() < 1e-5);
    let (_, table, _) = run(&command[..8], directory);
    assert!(
        table.contains("above 50: male sentences preferred"),
        "{table}"
    );
}

#[test]
fn mbe_from_a_corpus_and_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    corpus(directory);
    // Two female sentences first, then two male ones.
    std::fs::write(directory.join("scores.csv"), "m\n-1\n-3\n-2\n-4\n").unwrap();
    let command = [
        &["run", "mbe"],
        &CORPUS[..],
        &["--model", "file:scores.csv", "--format", "json"],
    ]
    .concat();
    let error = refuse(&command, directory);
    assert!(
        error.contains("--weight none counts every pair alike"),
        "{error}"
    );
    let rows = Rows::parse(&succeed(
        &[&command[..], &["--weight", "none"]].concat(),
        directory,
    ));
    assert_eq!(rows.value("m", "method:aula", "all", "mbe"), 25.0);
    assert_eq!(rows.value("m", "method:aula", "all", "male"), 2.0);
    let error = refuse(
        &[
            "run",
            "gest",
            "--interval",
            "published",
            "--source",
            "en.txt",
            "--target",
            "de.txt",
        ],
        directory,
    );
    assert!(error.contains("it is an option of mbe"));
}

#[test]
fn null_systems_on_sentences() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let mut pairs = "id,sent_more,sent_less,stereo_antistereo,bias_type\n".to_owned();
    let mut sets = "gender\tline\ttext\n".to_owned();
    for n in 0..600 {
        writeln!(pairs, "{n},more {n},less {n},stereo,gender").unwrap();
        writeln!(
            sets,
            "{}\t{n}\tsentence {n}",
            if n % 2 == 0 { "f" } else { "m" }
        )
        .unwrap();
    }
    std::fs::write(directory.join("pairs.csv"), pairs).unwrap();
    std::fs::write(directory.join("sets.tsv"), sets).unwrap();
    for (benchmark, data, metric) in [
        ("crows-pairs", "pairs.csv", "pair_score"),
        ("mbe", "sets.tsv", "mbe"),
    ] {
        let command = [
            "run", benchmark, "--data", data, "--format", "json", "--model",
        ];
        // One seed in twenty lies outside its interval; this one does not.
        let rows = Rows::parse(&succeed(&[&command[..], &["random:2"]].concat(), directory));
        let row = rows.row("random:2", "method:aula", "all", metric);
        let (low, high) = (row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap());
        assert!(low < 50.0 && 50.0 < high, "{benchmark}: {low} {high}");
        let error = refuse(&[&command[..], &["always:he"]].concat(), directory);
        assert!(error.contains("cannot answer a `aula` question"), "{error}");
    }
    let two = [
        "run",
        "crows-pairs",
        "--interval",
        "published",
        "--data",
        "pairs.csv",
        "--model",
        "random:1",
        "--model",
        "random:2",
        "--out",
        "two",
    ];
    succeed(&two, directory);
    let compared = Rows::parse(&succeed(&["compare", "two", "--format", "json"], directory));
    let row = compared.row(
        "random:2 - random:1",
        "method:aula",
        "all",
        "delta_pair_score",
    );
    assert!(row["low"].as_f64().unwrap() < 0.0 && 0.0 < row["high"].as_f64().unwrap());
    let two = [
        "run",
        "mbe",
        "--interval",
        "published",
        "--data",
        "sets.tsv",
        "--model",
        "random:1",
        "--model",
        "random:2",
        "--out",
        "both",
    ];
    succeed(&two, directory);
    let compared = Rows::parse(&succeed(
        &["compare", "both", "--format", "json"],
        directory,
    ));
    let row = compared.row("random:2 - random:1", "method:aula", "all", "delta_mbe");
    assert!(row["low"].as_f64().unwrap() < 0.0 && 0.0 < row["high"].as_f64().unwrap());
}

/// The published predictions through the command line.
#[test]
fn stereoset_predictions_from_the_published_layout() {
    let Some(folder) = shared("mbe/benchmarks") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let data = path("stereoset_dev_intrasentence_gender.jsonl");
    let predictions = format!("file:{}", path("stereoset_gender_predictions.tsv.gz"));
    let command = [
        "run",
        "stereoset",
        "--interval",
        "published",
        "--data",
        &data,
        "--model",
        &predictions,
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&command, directory.path()));
    let official = std::fs::read_to_string(path("stereoset_gender_official_scores.json")).unwrap();
    let official: Value = serde_json::from_str(&official).unwrap();
    assert_eq!(official.as_object().unwrap().len(), 11);
    for (model, scores) in official.as_object().unwrap() {
        for (metric, name) in [
            ("lms", "LM Score"),
            ("ss", "SS Score"),
            ("icat", "ICAT Score"),
        ] {
            let found = rows.value(model, "method:filled-blank", "all", metric);
            assert!(
                (found - scores[name].as_f64().unwrap()).abs() < 1e-11,
                "{model} {metric}"
            );
        }
    }
}

#[test]
fn experiments() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    corpus(directory);
    let pairs = succeed(&["experiment", "template", "--lang", "ru"], directory);
    assert_eq!(pairs.lines().count(), 1 + 154 * 2 * 5);
    std::fs::write(directory.join("pairs.csv"), &pairs).unwrap();
    let sentences = succeed(
        &["experiment", "sentences", "--pairs", "pairs.csv"],
        directory,
    );
    assert_eq!(sentences.lines().count(), 3080);

    std::fs::write(directory.join("map.tsv"), "Папа\tm\nМама\tf\n").unwrap();
    std::fs::write(directory.join("nf.txt"), "Ольга\n").unwrap();
    std::fs::write(directory.join("nm.txt"), "Иван\n").unwrap();
    let replace = [
        "experiment",
        "replace-names",
        "--pairs",
        "pairs.csv",
        "--map",
        "map.tsv",
        "--native",
        "nf.txt",
        "nm.txt",
    ];
    let replaced = succeed(&replace, directory);
    assert!(
        replaced.contains("Иван - врач.,Ольга - врач."),
        "{}",
        &replaced[..200]
    );

    std::fs::write(directory.join("tf.txt"), "sie\n").unwrap();
    std::fs::write(directory.join("tm.txt"), "er\n").unwrap();
    let kept = [
        &["experiment", "preservation"],
        &CORPUS[..],
        &["--target-words", "tf.txt", "tm.txt"],
    ]
    .concat();
    let kept = succeed(&kept, directory);
    assert_eq!(
        kept.lines().filter(|line| line.ends_with("100.00")).count(),
        2,
        "{kept}"
    );

    let table = "model,original,mbe\na,52,51\nb,48,49\nc,55,54\nd,50,50.5\n";
    std::fs::write(directory.join("meta.csv"), table).unwrap();
    let meta = succeed(&["experiment", "meta", "--table", "meta.csv"], directory);
    assert!(meta.contains("0.7500"), "{meta}");
    let mcnemar = succeed(&["experiment", "mcnemar", "5", "3"], directory);
    assert!(mcnemar.contains("0.7265625"), "{mcnemar}");
    assert!(
        refuse(&["experiment", "template", "--lang", "xx"], directory).contains("embedded: ja, ru")
    );
}

/// Section 5 of the paper: the single sentences of CrowS-Pairs as a corpus of their own, and with
/// their translations.
#[test]
fn sets_from_the_sentences_of_pairs() {
    let Some(folder) = shared("mbe") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for (file, name) in [
        ("benchmarks/crows_pairs_gender.csv", "en.txt"),
        ("translated/japanese.json", "ja.txt"),
    ] {
        let pairs = folder.join(file).display().to_string();
        let sentences = succeed(&["experiment", "sentences", "--pairs", &pairs], directory);
        assert_eq!(sentences.lines().count(), 524);
        std::fs::write(directory.join(name), sentences).unwrap();
    }
    let lists = shared("wordlists").unwrap();
    let list = |name: &str| lists.join(name).display().to_string();
    let lists = [
        list("gn_glove_female.txt"),
        list("gn_glove_male.txt"),
        list("crows_pairs_names_female.txt"),
        list("crows_pairs_names_male.txt"),
    ];
    let [female, male, female_names, male_names] = &lists;
    for target in ["en.txt", "ja.txt"] {
        let command = [
            &["extract", "--source", "en.txt", "--target", target][..],
            &["--words", female, male, "--names", female_names, male_names],
        ]
        .concat();
        let (_, table, stderr) = run(&command, directory);
        let counts = "524 sentence pairs: 204 female, 225 male, 88 with both genders (dropped), 7 with neither";
        assert!(stderr.contains(counts), "{stderr}");
        assert_eq!(table.lines().count(), 1 + 2 * 204);
    }
}
