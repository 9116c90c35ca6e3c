//! Gates say what they mean, comparisons name both systems, and nothing passes on a part of a run.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::path::Path;

use support::{refuse, run, shared, succeed};

/// Translations of a kind: so many masculine of every eight, by stereotype.
fn translations(path: &Path, masculine: impl Fn(usize) -> bool) {
    let text: String = (0..384)
        .map(|line| match masculine(line) {
            true => format!("Bol som veľmi unavený a povedal som to {line} ľuďom.\n"),
            false => format!("Bola som veľmi unavená a povedala som to {line} ľuďom.\n"),
        })
        .collect();
    std::fs::write(path, text).unwrap();
}

fn two_systems(path: &Path) {
    translations(&path.join("a.txt"), |line| line % 8 < 5);
    translations(&path.join("b.txt"), |line| line % 2 == 0);
    let command = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--mt",
        "a=file:a.txt",
        "--mt",
        "b=file:b.txt",
        "--lang",
        "sk",
        "--trust-language",
        "--out",
        "r",
    ];
    succeed(&command, path);
}

#[test]
fn what_and_joins_is_one_system_and_the_rows_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    two_systems(path);
    for (expression, code) in [
        // a is above, b below: no system is both.
        ("f_m>0.6 and f_m<0.55", 0),
        ("any(f_m>0.6) and any(f_m<0.55)", 1),
        ("f_m>0.6 and yield>100", 1),
        ("f_m[a]>0.6", 1),
        ("f_m[b]>0.6", 0),
        ("f_m[?,lang:*]>0.6", 1),
        ("f_m[all]>0.6", 1),
        ("all(f_m>0.4)", 1),
        ("all(f_m>0.6)", 0),
        ("worst(f_m)>0.6", 1),
        ("mean(f_m)>0.6", 0),
        ("mean(f_m)>0.54", 1),
    ] {
        let (found, _, stderr) = run(&["report", "r", "--fail-if", expression], path);
        assert_eq!(found, code, "{expression}: {stderr}");
        assert_eq!(
            stderr.contains("gate: gest "),
            code == 1,
            "{expression}: {stderr}"
        );
    }
    let (_, _, stderr) = run(&["report", "r", "--fail-if", "f_m>0.6 and yield>100"], path);
    assert!(
        stderr.contains("gate: gest a lang:sk all: f_m = 0.6"),
        "{stderr}"
    );
    assert!(
        stderr.contains("gate: gest a lang:sk all: yield = 384 > 100"),
        "{stderr}"
    );
    assert!(!stderr.contains("gate: gest b"), "{stderr}");
    assert!(refuse(&["report", "r", "--fail-if", "f_m>0.6 and p>0.1"], path).contains("together"));
}

/// A metric that the benchmark does not have is refused before anything is asked.
#[test]
fn unknown_metrics_are_refused_before_the_asking() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let command = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--model",
        "random:1",
        "--fail-if",
        "g_x>1",
    ];
    let stderr = refuse(&command, path);
    assert!(
        stderr.contains("no metric `g_x`") && stderr.contains("g_s"),
        "{stderr}"
    );
    assert!(!path.join("epicene-runs").exists());
    let help = succeed(&["help", "gates"], path);
    assert_eq!(
        help.contains("worst(f_s)>0.3"),
        succeed(&["gates"], path).contains("worst(f_s)>0.3")
    );
    assert!(help.contains("worst(f_s)>0.3"), "{help}");
}

#[test]
fn an_incomplete_run_says_so_first_and_passes_no_gate() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let run_it = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--model",
        "random:1",
        "--out",
        "r",
    ];
    succeed(&run_it, path);
    let log = std::fs::read_to_string(path.join("r/log.jsonl")).unwrap();
    let part: String = log
        .lines()
        .take(800)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(path.join("r/log.jsonl"), part).unwrap();
    let table = succeed(&["report", "r"], path);
    assert!(
        table.starts_with("warning: incomplete: 800 of 1536 answers"),
        "{table}"
    );
    assert!(
        succeed(&["report", "r", "--format", "md"], path).starts_with("> **Warning:** incomplete")
    );
    let json = succeed(&["report", "r", "--format", "json"], path);
    assert!(
        json.contains("\"warnings\": [\"incomplete: 800 of 1536"),
        "{json}"
    );
    let gate = ["report", "r", "--fail-if", "g_s>9"];
    let stderr = refuse(&gate, path);
    assert!(
        stderr.contains("800 of 1536") && stderr.contains("--allow-partial"),
        "{stderr}"
    );
    succeed(&[&gate[..], &["--allow-partial"]].concat(), path);
    succeed(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            "random:2",
            "--out",
            "s",
        ],
        path,
    );
    let compared = ["compare", "r", "s", "--fail-if", "delta_g_s>9"];
    assert!(refuse(&compared, path).contains("--allow-partial"));
    succeed(&[&compared[..], &["--allow-partial"]].concat(), path);
}

#[test]
fn a_comparison_says_which_system_is_more_biased_and_how_sure_that_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    two_systems(path);
    let table = succeed(&["compare", "r", "--rounds", "500"], path);
    assert!(table.contains("a is more biased than b, by 0.1"), "{table}");
    assert!(
        table.contains("chance gives such a difference with p = "),
        "{table}"
    );
    succeed(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            "random:1",
            "--model",
            "random:2",
            "--out",
            "m",
        ],
        path,
    );
    let table = succeed(&["compare", "m", "--rounds", "500"], path);
    assert!(
        table.contains("neither is shown to be more biased (it may be chance, p = "),
        "{table}"
    );
    assert!(table.contains("random:2 - random:1"), "{table}");
}

#[test]
fn every_benchmark_of_items_has_a_table_of_differences() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let masked = ["--model", "random:1", "--model", "random:2"];
    let run_it = |name: &'static str, data: &'static str, systems: &[&'static str]| {
        let base = ["run", name, "--data", data, "--out", name];
        succeed(&[&base[..], systems].concat(), path);
        succeed(&["compare", name, "--rounds", "200"], path)
    };
    let table = run_it("winobias", "epicene-winograd", &masked);
    assert!(
        table.contains("delta_ghat_s") && table.contains("random:2 - random:1"),
        "{table}"
    );
    assert!(
        table.contains("neither is shown to be more biased"),
        "{table}"
    );
    // Unambiguous: German from two hands, one of them always masculine.
    let sources = succeed(&["generate", "unambiguous", "--size", "xs"], path);
    let count = sources.lines().count();
    std::fs::write(path.join("a.tags"), "Masc\n".repeat(count)).unwrap();
    std::fs::write(path.join("b.tags"), "Masc\nFem\n".repeat(count / 2)).unwrap();
    let command = [
        "run",
        "unambiguous",
        "--size",
        "xs",
        "--mt",
        "a=file:a.tags",
        "--mt",
        "b=file:b.tags",
        "--lang",
        "de",
        "--out",
        "u",
    ];
    succeed(&command, path);
    let table = succeed(&["compare", "u"], path);
    assert!(
        table.contains("delta_correct") && table.contains("lang:de correct: a "),
        "{table}"
    );
}

#[test]
fn units_that_only_one_system_has_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    translations(&path.join("a.txt"), |line| line % 3 == 0);
    let text: String = (0..384)
        .map(|line| format!("Byl jsem velmi unavený a řekl jsem to {line} lidem.\n"))
        .collect();
    std::fs::write(path.join("c.txt"), text).unwrap();
    let base = ["run", "gest", "--data", "epicene-mini", "--trust-language"];
    succeed(
        &[
            &base[..],
            &["--mt", "a=file:a.txt", "--lang", "sk", "--out", "r"],
        ]
        .concat(),
        path,
    );
    let both = [
        "--mt",
        "b=file:a.txt",
        "--mt",
        "b=file:c.txt",
        "--lang",
        "sk,cs",
        "--out",
        "s",
    ];
    succeed(&[&base[..], &both].concat(), path);
    let table = succeed(&["compare", "r", "s", "--rounds", "200"], path);
    assert!(
        table.contains("compared on lang:sk; a alone: none; b alone: lang:cs"),
        "{table}"
    );
}

/// The published pairs, as a person would compare them.
#[test]
fn published_translators_are_compared_in_words() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let data = gest.join("gest.csv").display().to_string();
    let file = |system: &str| {
        let path = gest
            .join("translations")
            .join(system)
            .join("cs/translations.csv.gz");
        format!("{system}=file:{}", path.display())
    };
    let (first, second) = (file("amazon_translate"), file("google_translate"));
    let command = [
        "run", "gest", "--data", &data, "--mt", &first, "--mt", &second, "--lang", "cs", "--out",
        "r",
    ];
    succeed(&command, path);
    let table = succeed(
        &["compare", "r", "--rounds", "200", "--bootstrap", "100"],
        path,
    );
    let sentence = table
        .lines()
        .find(|line| line.contains("lang:cs f_s: amazon_translate "))
        .unwrap();
    assert!(
        sentence.contains("google_translate") && sentence.contains("the ideal is 0"),
        "{sentence}"
    );
}
