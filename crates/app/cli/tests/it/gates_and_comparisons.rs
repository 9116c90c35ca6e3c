//! Gates say what they mean, comparisons name both systems, and nothing passes on a part of a run.

use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};

/// Translations of a kind: so many masculine of every eight, by stereotype.
fn translations(path: &Path, masculine: impl Fn(usize) -> bool) {
    let text: String = (0..384)
        .map(|line| {
            if masculine(line) {
                format!("Bol som veľmi unavený a povedal som to {line} ľuďom.\n")
            } else {
                format!("Bola som veľmi unavená a povedala som to {line} ľuďom.\n")
            }
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
            stderr.contains("FAIL "),
            code == 1,
            "{expression}: {stderr}"
        );
    }
    let (_, _, stderr) = run(&["report", "r", "--fail-if", "f_m>0.6 and yield>100"], path);
    assert!(
        stderr.contains("FAIL f_m 0.6") && stderr.contains("> 0.6 (a → Slovak)"),
        "{stderr}"
    );
    assert!(
        stderr.contains("FAIL yield 384 > 100 (a → Slovak)"),
        "{stderr}"
    );
    assert!(!stderr.contains("(b"), "{stderr}");
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

/// The lines of a check are the same on standard error, in the report and in the JUnit file.
#[test]
fn a_check_is_in_every_output() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    two_systems(path);
    for (expression, code, verdict) in [
        ("f_m[all] > 0.01", 1, "fails"),
        ("f_m[all] > 2", 0, "passes"),
    ] {
        let report = |output: &str| {
            let line = ["report", "r", "--fail-if", expression, "-o", output];
            let (found, _, stderr) = run(&[&line[..], &["--junit", "j.xml"]].concat(), path);
            assert_eq!(found, code, "{stderr}");
            let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
            (stderr, read(output), read("j.xml"))
        };
        let (stderr, page, junit) = report("page.html");
        let (_, markdown, _) = report("page.md");
        assert!(markdown.contains(&format!("The check `{expression}` {verdict}.")));
        let word = if code == 1 { "FAIL " } else { "PASS " };
        let lines: Vec<&str> = stderr
            .lines()
            .filter(|line| line.starts_with(word))
            .collect();
        assert_eq!(lines.len(), 2, "{stderr}");
        for line in lines {
            let rest = line.strip_prefix(word).unwrap().replace('>', "&gt;");
            let item = format!("<li><strong>{}</strong> {rest}</li>", word.trim());
            assert!(page.contains(&item), "{item}");
            assert!(junit.contains(&format!("{word}{rest}")), "{rest}: {junit}");
            assert!(markdown.contains(&format!("- {word}{rest}")), "{rest}");
        }
    }
    let refused = refuse(&["report", "r", "--fail-if", "delta_f_m>0"], path);
    assert!(refused.contains("`delta_f_m` is a difference"), "{refused}");
    let refused = refuse(&["compare", "r", "--fail-if", "f_m>0"], path);
    assert!(refused.contains("did you mean `delta_f_m`?"), "{refused}");
}

#[test]
fn a_comparison_says_which_system_is_more_masculine_and_how_sure_that_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    two_systems(path);
    let table = succeed(&["compare", "r", "--rounds", "500"], path);
    assert!(
        table.contains(": a is more masculine than b by 0.1"),
        "{table}"
    );
    assert!(table.contains(" (p = "), "{table}");
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
        table.contains(": no significant difference (p = "),
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
        table.contains(": no significant difference (p = "),
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
        sentence.contains("google_translate")
            && sentence.contains(", ideal 0: google_translate is more stereotyped"),
        "{sentence}"
    );
}

/// The gate of `compare --help`: it fails when the model got worse, and passes when it got better.
#[test]
fn the_gate_of_the_help_fails_when_a_model_got_worse() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for (model, out) in [("random:1", "fair"), ("demo:mlm", "biased")] {
        let command = [
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            model,
            "--out",
            out,
        ];
        succeed(&command, path);
    }
    let help = succeed(&["compare", "--help"], path);
    let gate = "low(delta_g_s[all])>0";
    assert!(
        help.contains(&format!("epicene compare before after --fail-if '{gate}'")),
        "{help}"
    );
    for (before, after, code) in [("fair", "biased", 1), ("biased", "fair", 0)] {
        for interval in ["clustered", "published"] {
            let command = [
                "compare",
                before,
                after,
                "--rounds",
                "200",
                "--interval",
                interval,
                "--fail-if",
                gate,
            ];
            let (found, stdout, stderr) = run(&command, path);
            assert_eq!(found, code, "{before} {after} {interval}: {stdout}{stderr}");
        }
    }
}

/// All pairs of several systems: one family, places as ranges, groups.
#[test]
fn more_than_two_systems_are_compared_in_one_family() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let base = ["run", "gest", "--data", "epicene-mini", "--out", "r"];
    let models = [
        "--model", "random:1", "--model", "random:2", "--model", "demo:mlm",
    ];
    succeed(&[&base[..], &models].concat(), path);
    let json = succeed(
        &["compare", "r", "--rounds", "999", "--format", "json"],
        path,
    );
    let rows = Rows::parse(&json);
    for name in [
        "random:2 - random:1",
        "demo:mlm - random:1",
        "demo:mlm - random:2",
    ] {
        let p = rows.value(name, "all", "all", "p_value");
        let holm = rows.value(name, "all", "all", "p_holm");
        assert!(p <= holm && holm <= 1.0, "{name}: {p} {holm}");
    }
    assert!(json.contains("|family:holm-3+"), "{json}");
    assert_eq!(json.matches("|interval:").count(), 1, "{json}");
    let first = rows.row("demo:mlm", "all", "all", "place_g_s");
    assert_eq!(
        (first["low"].as_f64(), first["high"].as_f64()),
        (Some(1.0), Some(1.0))
    );
    let random = rows.row("random:1", "all", "all", "place_g_s");
    assert_eq!(
        (random["low"].as_f64(), random["high"].as_f64()),
        (Some(2.0), Some(3.0))
    );
    let table = succeed(&["compare", "r", "--rounds", "999"], path);
    assert!(
        table.contains("are statistically tied: demo:mlm | "),
        "{table}"
    );
    assert!(
        table.contains("demo:mlm is furthest from the ideal 1 (") && table.contains("closest ("),
        "{table}"
    );
    succeed(&["compare", "r", "--rounds", "99", "-o", "c.html"], path);
    let html = std::fs::read_to_string(path.join("c.html")).unwrap();
    for wanted in [
        "3 systems compared",
        "Every pair by g_s",
        "Where they differ",
        "f-gest-ranking-g-s",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    // With a baseline there are fewer tests, and every difference is from it.
    let base = ["compare", "r", "--rounds", "99", "--baseline", "random:2"];
    let json = succeed(&[&base[..], &["--format", "json"]].concat(), path);
    assert!(json.contains("|family:holm-2+"), "{json}");
    let rows = Rows::parse(&json);
    assert!(
        rows.0
            .iter()
            .all(|row| row["system"].as_str().unwrap().ends_with(" - random:2"))
    );
    let table = succeed(&base, path);
    assert!(
        table.contains("all g_s: random:2 ") && !table.contains("told apart:"),
        "{table}"
    );
    let stderr = refuse(&["compare", "r", "--baseline", "nobody"], path);
    assert!(
        stderr.contains("--baseline is one of random:1, random:2, demo:mlm"),
        "{stderr}"
    );
}

/// What a run can see, and what a wanted difference would take.
#[test]
fn a_plan_is_made_from_a_run_or_from_published_systems() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let base = ["run", "gest", "--data", "epicene-mini", "--out", "r"];
    succeed(
        &[&base[..], &["--model", "random:1", "--model", "demo:mlm"]].concat(),
        path,
    );
    let rows = Rows::parse(&succeed(
        &["plan", "r", "--see", "0.05", "--format", "json"],
        path,
    ));
    let place = ("demo:mlm - random:1", "all", "delta_g_s");
    let value = |metric: &str| rows.value(place.0, place.1, place.2, metric);
    let (sees, k, needs) = (value("sees"), value("k"), value("needs_k"));
    assert!(
        (needs - (k * (sees / 0.05).powi(2)).ceil()).abs() <= 1.0,
        "{sees} {k} {needs}"
    );
    let stored = succeed(&["plan", "winomt", "--see", "1"], path);
    assert!(
        stored.contains("clusters needed") && stored.contains("acc"),
        "{stored}"
    );
    let stderr = refuse(&["plan", "nonsense"], path);
    assert!(stderr.contains("neither a run nor a benchmark"), "{stderr}");
    assert!(refuse(&["plan", "r", "--see=-1"], path).contains("above 0"));
    let stderr = refuse(&["plan", "r", "--see", "1e-12"], path);
    assert!(
        stderr.contains("would take more than 10^12 items"),
        "{stderr}"
    );
}

/// Of several systems, two that share nothing are named; the others are compared.
#[test]
fn a_pair_without_anything_in_common_does_not_stop_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    translations(&path.join("a.txt"), |line| line % 3 == 0);
    translations(&path.join("b.txt"), |line| line % 2 == 0);
    let text: String = (0..384)
        .map(|line| format!("Byl jsem velmi unavený a řekl jsem to {line} lidem.\n"))
        .collect();
    std::fs::write(path.join("c.txt"), text).unwrap();
    for (name, language) in [("a", "sk"), ("b", "sk"), ("c", "cs")] {
        let file = format!("{name}=file:{name}.txt");
        let command = [
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--trust-language",
            "--mt",
            &file,
            "--lang",
            language,
            "--out",
            name,
        ];
        succeed(&command, path);
    }
    let json = succeed(
        &[
            "compare", "a", "b", "c", "--rounds", "200", "--format", "json",
        ],
        path,
    );
    let rows = Rows::parse(&json);
    assert!(rows.value("b - a", "lang:sk", "all", "delta_f_m") > 0.0);
    assert!(json.contains("|family:holm-1+"), "{json}");
    // Everybody who took part is named.
    let versus = json.split("|versus:").nth(1).unwrap();
    assert!(
        versus.contains("b.txt") && versus.contains("c.txt"),
        "{json}"
    );
    for pair in ["a and c cannot be compared", "b and c cannot be compared"] {
        assert!(json.contains(pair), "{pair}: {json}");
    }
    let table = succeed(&["compare", "a", "b", "c", "--rounds", "200"], path);
    assert!(
        table.contains("no places and no groups, since not every pair"),
        "{table}"
    );
    // Two systems that share nothing have no comparison at all.
    assert!(refuse(&["compare", "a", "c"], path).contains("cannot be compared"));
}

/// What a number can see is said with it, and correlations have intervals.
#[test]
fn a_report_says_what_it_can_see_and_how_sure_correlations_are() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let noise = |item: usize, of: usize| ((item * 7919 + of * 104_729) % 101) as f64 / 101.0;
    let mut scores = "a_template-0,a_template-1,b_template-0,b_template-1\n".to_owned();
    for item in 0..384 {
        let line: Vec<String> = (0..4)
            .map(|of| (noise(item, 9) + 0.5 * noise(item, of)).to_string())
            .collect();
        scores += &format!("{}\n", line.join(","));
    }
    std::fs::write(path.join("s.csv"), scores).unwrap();
    let base = ["run", "gest", "--data", "epicene-mini", "--out", "r"];
    let models = ["--model", "file:s.csv", "--kind", "masked"];
    let table = succeed(&[&base[..], &models].concat(), path);
    assert!(
        table.contains("g_s: smallest detectable difference 0."),
        "{table}"
    );
    let json = succeed(&["report", "r", "--format", "json"], path);
    for metric in ["r_models", "r_templates"] {
        let rows = Rows::parse(&json).0;
        let of: Vec<_> = rows.iter().filter(|row| row["metric"] == metric).collect();
        assert!(!of.is_empty(), "{metric}");
        for row in of {
            assert!(row["low"].as_f64() < row["high"].as_f64(), "{row}");
        }
    }
    assert_eq!(json.matches("|interval:").count(), 1, "{json}");
}
