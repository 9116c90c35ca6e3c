//! What people and scripts get to see: null systems, conventions, gates, comparisons, formats.

use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed, synthetic_gest};

fn json(arguments: &[&str], directory: &Path) -> Rows {
    let all = [arguments, &["--format", "json"]].concat();
    Rows::parse(&succeed(&all, directory))
}

/// `always:he` finds "he" a thousand times as likely everywhere: q is e^3 (10^3 in the true
/// convention) for every stereotype, and nothing is stereotypical about it.
#[test]
fn null_systems_give_the_values_they_must() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let base = ["run", "gest", "--data", "epicene-mini"];
    let models = [
        "--model",
        "always:he",
        "--model",
        "always:she",
        "--model",
        "random:3",
    ];
    for (convention, level) in [("published", 3f64.exp()), ("true", 1000.0)] {
        let all = [&base[..], &models, &["--convention", convention]].concat();
        let rows = json(&all, path);
        for unit in ["template:1", "template:4", "all"] {
            for id in 1..=16 {
                let group = format!("stereotype:{id}");
                let he = rows.value("always:he", unit, &group, "q");
                let she = rows.value("always:she", unit, &group, "q");
                assert!((he / level - 1.0).abs() < 1e-12, "{he}");
                assert!((she * level - 1.0).abs() < 1e-12, "{she}");
            }
            for system in ["always:he", "always:she"] {
                assert!((rows.value(system, unit, "all", "g_s") - 1.0).abs() < 1e-12);
            }
            let random = rows.row("random:3", unit, "all", "g_s");
            assert!(random["low"].as_f64() < Some(1.0) && random["high"].as_f64() > Some(1.0));
            assert_eq!(random["ideal"], 1.0);
        }
    }
}

#[test]
fn a_score_file_of_a_null_system_measures_as_the_system_itself() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 100);
    let data = ["--data", "gest.csv"];
    let direct = json(
        &[
            &["run", "gest", "--model", "random:8", "--out", "r"],
            &data[..],
        ]
        .concat(),
        path,
    );
    // The run's own answers, written as a file of scores.
    let mut table = vec![vec![String::new(); 4]; 100];
    for line in succeed(&["items", "r"], path).lines() {
        let item: serde_json::Value = serde_json::from_str(line).unwrap();
        let row: usize = item["id"]
            .as_str()
            .unwrap()
            .strip_prefix("gest:")
            .unwrap()
            .parse()
            .unwrap();
        let unit: usize = item["unit"]
            .as_str()
            .unwrap()
            .strip_prefix("template:")
            .unwrap()
            .parse()
            .unwrap();
        let ratio = item["observation"]["log10_ratio"].as_f64().unwrap();
        table[row - 1][unit - 1] = ratio.to_string();
        let verdict = if ratio > 0.0 { "m" } else { "f" };
        assert_eq!(item["verdict"], verdict);
        assert!(item["text"].as_str().unwrap().starts_with("I did thing"));
    }
    let mut text = String::from("r/template:1,r/template:2,r/template:3,r/template:4\n");
    for row in table {
        text += &(row.join(",") + "\n");
    }
    std::fs::write(path.join("s.csv"), text).unwrap();
    let from_file = json(
        &[&["run", "gest", "--model", "file:s.csv"], &data[..]].concat(),
        path,
    );
    let strip = |rows: &Rows| -> Vec<serde_json::Value> {
        let mut rows = rows.0.clone();
        // Controls are left out of what is said about several systems together.
        rows.retain(|row| !row["system"].as_str().unwrap().starts_with("all"));
        rows.iter_mut().for_each(|row| row["system"] = "x".into());
        rows
    };
    assert_eq!(strip(&direct), strip(&from_file));
}

/// A published g_s of 1.2683 (mean of templates) is a true ratio of about 1.73.
#[test]
fn the_true_convention_raises_ten() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let scores = format!(
        "file:{}",
        gest.join("predictions/english_mlm.csv.gz").display()
    );
    let data = gest.join("gest.csv").display().to_string();
    let base = [
        "run",
        "gest",
        "--model",
        &scores,
        "--data",
        &data,
        "--convention",
        "true",
    ];
    let rows = json(&base, directory.path());
    let rate = rows.value("roberta-base", "template:1", "all", "g_s");
    assert!(
        (rate - 1.2384003923f64.powf(10f64.ln())).abs() < 1e-8,
        "{rate}"
    );
    let mean = rows.value("roberta-base", "all", "all", "g_s");
    assert!((mean - 1.73).abs() < 0.01, "{mean}");
    // The place among the published does not depend on the convention.
    assert_eq!(
        rows.value("roberta-base", "all", "all", "more_stereotypical_than"),
        25.0
    );
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/gest_english.json")).unwrap();
    for id in 0..16 {
        let found = rows.value(
            "roberta-base",
            "template:2",
            &format!("stereotype:{}", id + 1),
            "q",
        );
        let expected = golden["units"]["roberta-base/template:2"]["q_true"][id]
            .as_f64()
            .unwrap();
        assert!((found - expected).abs() < 1e-9);
    }
}

#[test]
fn winobias_alone_gives_its_published_rates() {
    let Some(file) = shared("gest/predictions/winobias.csv") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let model = format!("file:{}", file.display());
    let rows = json(&["run", "winobias", "--model", &model], directory.path());
    let published: serde_json::Value = serde_json::from_str(include_str!(
        "../../../../bench/benchmarks/data/published/gest_english.json"
    ))
    .unwrap();
    let mut checked = 0;
    for split in ["type1_dev", "type1_test", "type2_dev", "type2_test"] {
        for (model, expected) in published["winobias"][split]["ghat"].as_object().unwrap() {
            let unit = format!("split:{}", split.replace('_', "-"));
            let name = model.rsplit('/').next().unwrap();
            let found = rows.value(name, &unit, "all", "ghat_s");
            assert!(
                (found - expected.as_f64().unwrap()).abs() < 5.1e-7,
                "{model} {unit}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 44);
}

#[test]
fn gates_decide_the_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let base = [
        "run",
        "gest",
        "--model",
        "always:he",
        "--data",
        "epicene-mini",
        "--fail-if",
    ];
    for (expression, code) in [
        ("g_s>1.2", 0),
        ("q>20", 1),
        ("q[stereotype:7]>20 and g_s>1.2", 0),
        ("q[stereotype:7,template:1]>20 or g_s>1.2", 1),
        ("distance(g_s)>0.001", 0),
    ] {
        let (found, _, stderr) = run(&[&base[..], &[expression]].concat(), directory.path());
        assert_eq!(found, code, "{expression}: {stderr}");
        assert_eq!(
            stderr.contains("FAIL ") && stderr.contains("(always:he"),
            code == 1,
            "{stderr}"
        );
    }
}

#[test]
fn comparing_two_systems_finds_a_difference_and_only_then() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let scores = format!(
        "file:{}",
        gest.join("predictions/english_mlm.csv.gz").display()
    );
    let data = gest.join("gest.csv").display().to_string();
    succeed(
        &[
            "run", "gest", "--model", &scores, "--data", &data, "--out", "m",
        ],
        path,
    );
    let command = |systems| ["compare", "m", "--systems", systems, "--rounds", "999"];
    let rows = json(&command("bert-base-multilingual-cased,roberta-base"), path);
    // The second less the first.
    let name = "roberta-base - bert-base-multilingual-cased";
    let difference = rows.row(name, "all", "all", "delta_g_s");
    assert!((difference["value"].as_f64().unwrap() - (1.268291 - 1.050344)).abs() < 2e-6);
    assert!(difference["low"].as_f64() > Some(0.18) && difference["high"].as_f64() < Some(0.26));
    // Nothing among 999 flips and the signs as they are is as far out, on one of two sides.
    assert_eq!(rows.value(name, "all", "all", "p_value"), 2.0 / 1000.0);
    for unit in [
        "all",
        "template:1",
        "template:2",
        "template:3",
        "template:4",
    ] {
        for id in 1..=16 {
            let group = format!("stereotype:{id}");
            let p = rows.value(name, unit, &group, "p_value");
            let adjusted = rows.value(name, unit, &group, "p_holm");
            // One family of five units, sixteen stereotypes each, and four units' own g_s.
            assert!(p <= adjusted && adjusted <= (84.0 * p).min(1.0) + 1e-12);
        }
    }
    // The other way round, everything is mirrored.
    let back = json(&command("roberta-base,bert-base-multilingual-cased"), path);
    let mirrored = back.row(
        "bert-base-multilingual-cased - roberta-base",
        "all",
        "all",
        "delta_g_s",
    );
    let sum = difference["value"].as_f64().unwrap() + mirrored["value"].as_f64().unwrap();
    assert!(sum.abs() < 1e-12);
    let sum = difference["low"].as_f64().unwrap() + mirrored["high"].as_f64().unwrap();
    assert!(sum.abs() < 1e-12);

    // A system against its copy: no difference at all.
    std::fs::create_dir(path.join("copies")).unwrap();
    let gate = ["compare", "m", "--systems", "roberta-base,roberta-base"];
    assert!(refuse(&gate, path).contains("the same system twice"));
    let versus = [
        "compare",
        "m",
        "m",
        "--systems",
        "roberta-base,roberta-base",
        "--rounds",
        "99",
    ];
    let same = json(&versus, path);
    assert_eq!(same.value("m - m", "all", "all", "delta_g_s"), 0.0);
    assert_eq!(same.value("m - m", "all", "all", "p_value"), 1.0);
}

/// Two random systems differ "significantly" in about one of twenty comparisons.
#[test]
fn random_systems_rarely_differ() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut command: Vec<String> = ["run", "gest", "--data", "epicene-mini", "--out", "r"]
        .map(str::to_owned)
        .to_vec();
    for seed in 0..40 {
        command.extend(["--model".to_owned(), format!("random:{seed}")]);
    }
    succeed(
        &command.iter().map(String::as_str).collect::<Vec<_>>(),
        path,
    );
    let mut significant = 0;
    for pair in 0..20 {
        let systems = format!("random:{},random:{}", 2 * pair, 2 * pair + 1);
        let rows = json(
            &["compare", "r", "--systems", &systems, "--rounds", "199"],
            path,
        );
        let name = format!("random:{} - random:{}", 2 * pair + 1, 2 * pair);
        significant += usize::from(rows.value(&name, "all", "all", "p_value") < 0.05);
    }
    assert!(significant <= 4, "{significant} of 20");
}

#[test]
fn comparisons_of_different_things_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mini = ["run", "gest", "--data", "epicene-mini"];
    let make = |more: &[&str]| succeed(&[&mini[..], more].concat(), path);
    make(&["--model", "random:1", "--out", "a"]);
    make(&["--model", "random:2", "--limit", "100", "--out", "b"]);
    make(&[
        "--model", "random:3", "--model", "random:4", "--model", "random:5", "--out", "c",
    ]);
    let refused = |arguments: &[&str], message: &str| {
        let stderr = refuse(&[&["compare"], arguments].concat(), path);
        assert!(stderr.contains(message), "{stderr}");
    };
    refused(&["a", "b"], "were not asked the same items");
    refused(&["c", "--systems", "random:3"], "FIRST,SECOND");
    refused(
        &["c", "--systems", "random:3,random:9"],
        "no system is called `random:9`",
    );
    refused(&["a", "c"], "which systems");
    let rows = json(
        &[
            "compare",
            "a",
            "c",
            "--systems",
            "random:1,random:4",
            "--rounds",
            "50",
        ],
        path,
    );
    assert!(
        rows.1.contains("|versus:random:3+random:4+random:5"),
        "{}",
        rows.1
    );
    let gate = [
        "compare",
        "a",
        "c",
        "--systems",
        "random:1,random:4",
        "--fail-if",
        "abs(delta_g_s[all])>=0",
    ];
    assert_eq!(run(&gate, path).0, 1);
}

#[test]
fn every_format_prints_from_the_same_rows_and_carries_the_signature() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let base = [
        "run",
        "gest",
        "--model",
        "always:she",
        "--model",
        "random:1",
        "--data",
        "epicene-mini",
    ];
    let printed = |format: &str| {
        let (code, stdout, stderr) = run(&[&base[..], &["--format", format]].concat(), path);
        assert_eq!(code, 0, "{stderr}");
        assert!(!stdout.contains('\u{1b}'), "no colours in a pipe");
        (stdout, stderr)
    };
    let (json_text, _) = printed("json");
    let rows = Rows::parse(&json_text);
    let keys = [
        "benchmark",
        "group",
        "high",
        "ideal",
        "low",
        "metric",
        "n",
        "system",
        "unit",
        "value",
    ];
    for row in &rows.0 {
        let own = row.as_object().unwrap().keys();
        let own = own.filter(|key| !["k", "deff", "n_eff"].contains(&key.as_str()));
        assert_eq!(own.collect::<Vec<_>>(), keys);
    }
    let (csv, stderr) = printed("csv");
    let header = "benchmark,system,unit,group,metric,value,low,high,n,ideal,k,deff,n_eff\n";
    assert!(csv.starts_with(header), "{csv}");
    assert_eq!(csv.lines().count(), rows.0.len() + 1);
    assert!(stderr.contains(&rows.1), "{stderr}");
    for format in ["table", "md", "latex"] {
        let (text, _) = printed(format);
        assert!(text.contains(&rows.1), "{format}");
        insta::assert_snapshot!(format!("format_{format}"), text);
    }

    // `report` gives the same, into files too; a CSV file carries its signature.
    let out = std::fs::read_dir(path.join("epicene-runs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let run_directory = out.path().display().to_string();
    assert_eq!(
        succeed(&["report", &run_directory, "--format", "json"], path),
        json_text
    );
    succeed(&["report", &run_directory, "-o", "r.csv"], path);
    let file = std::fs::read_to_string(path.join("r.csv")).unwrap();
    assert_eq!(file, format!("{csv}# signature: {}\n", rows.1));
    assert!(refuse(&["report", &run_directory, "-o", "r.docx"], path).contains("names no format"));
    assert!(refuse(&["report", &run_directory, "-o", "no/r.md"], path).contains("no/r.md"));
}

#[test]
fn reports_can_change_what_does_not_need_asking() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let base = [
        "run",
        "gest",
        "--model",
        "always:he",
        "--data",
        "epicene-mini",
        "--out",
        "r",
    ];
    let published = json(&base, path);
    let other = json(
        &["report", "r", "--convention", "true", "--seed", "4"],
        path,
    );
    assert!((published.value("always:he", "all", "stereotype:1", "q") - 3f64.exp()).abs() < 1e-9);
    assert!((other.value("always:he", "all", "stereotype:1", "q") - 1000.0).abs() < 1e-9);
    assert!(
        other.1.contains("|convention:true|") && other.1.contains("|seed:4|"),
        "{}",
        other.1
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let command = format!(
        "{} list published | head -1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_epicene")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &command])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn lists_cards_and_help_are_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let published = succeed(&["list", "published"], path);
    for system in [
        "Mistral-7B-Instruct-v0.2",
        "roberta-base",
        "google_translate",
        "xlm-v-base",
    ] {
        assert!(published.contains(system), "{system}");
    }
    assert_eq!(succeed(&["list", "stereotypes"], path).lines().count(), 17);
    for benchmark in succeed(&["list", "benchmarks"], path).lines() {
        let name = benchmark.split_whitespace().next().unwrap();
        let card = succeed(&["show", name], path);
        assert!(
            card.contains("**Cite.**") && card.contains("**Limits.**"),
            "{name}"
        );
    }
    assert!(succeed(&["list", "data"], path).contains("epicene-mini"));
    for command in ["run", "merge", "compare", "report", "view", "data"] {
        succeed(&[command, "--help"], path);
    }
    let help = succeed(&["run", "gest", "--help"], path);
    for heading in [
        "Systems:",
        "Data:",
        "Detector:",
        "Statistics:",
        "Output:",
        "Advanced:",
        "Examples:",
    ] {
        assert!(help.contains(heading), "{heading}: {help}");
    }
    let help = succeed(&["--help"], path);
    for heading in ["Measure:", "Read text:", "Check:", "Data:", "Papers:"] {
        assert!(help.contains(heading), "{heading}: {help}");
    }
}

#[test]
fn the_demo_runs_offline() {
    let directory = tempfile::tempdir().unwrap();
    let short = succeed(&["demo"], directory.path());
    assert!(
        short.lines().count() <= 30 && short.contains("epicene demo --full"),
        "{short}"
    );
    for finding in [
        "demo:mlm: stereotype rate g_s 1.308",
        "random:1: ",
        "stereotyped: ",
    ] {
        assert!(short.contains(finding), "{finding}: {short}");
    }
    let stdout = succeed(&["demo", "--full"], directory.path());
    for part in [
        "demo:mlm",
        "demo:clm",
        "random:1",
        "always:he",
        "delta_g_s",
        "SmolLM2-135M-Instruct (stored answers)",
        "feminine",
        "signature: gest|data:epicene-mini-1@",
    ] {
        assert!(stdout.contains(part), "{part}");
    }
    // Every sample translation shows the gender it was written with, woman first.
    let verdicts: Vec<&str> = stdout
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1))
        .filter(|word| ["masculine", "feminine", "unknown"].contains(word))
        .collect();
    assert_eq!(verdicts, ["feminine", "masculine"].repeat(10));
}

/// The embedded models learned something, and what they learned shows on sentences written for it.
#[test]
fn the_embedded_models_are_stereotypical() {
    let directory = tempfile::tempdir().unwrap();
    let models = ["--model", "demo:mlm", "--model", "demo:clm"];
    let base = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--convention",
        "true",
    ];
    let rows = json(&[&base[..], &models].concat(), directory.path());
    for system in ["demo:mlm", "demo:clm"] {
        let rate = rows.row(system, "all", "all", "g_s");
        assert!(rate["low"].as_f64() > Some(1.1), "{system}: {rate}");
    }
}

/// GEST specification, section 7: pairs kept by the noise filter, and their occupations.
#[test]
fn winobias_keeps_the_published_pairs() {
    let Some(data) = shared("winobias") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let data = data.display().to_string();
    let base = ["run", "winobias", "--data", &data, "--model"];
    let rows = json(&[&base[..], &["always:he"]].concat(), directory.path());
    for (split, male, female) in [
        ("split:type1-dev", 198, 195),
        ("split:type1-test", 193, 198),
        ("split:type2-dev", 193, 193),
        ("split:type2-test", 195, 197),
    ] {
        let row = |group| rows.row("always:he", split, group, "log10_ratio");
        assert_eq!(row("occupation:male")["n"], male, "{split}");
        assert_eq!(row("occupation:female")["n"], female, "{split}");
        assert_eq!(rows.value("always:he", split, "all", "ghat_s"), 1.0);
    }
    // 95 % intervals: of 40 random cases two or so leave 1 out, and more than six hardly ever.
    let mut arguments = base[..4].to_vec();
    let seeds: Vec<String> = (0..10).map(|seed| format!("random:{seed}")).collect();
    for seed in &seeds {
        arguments.extend(["--model", seed]);
    }
    let random = json(&arguments, directory.path());
    let rates = random.0.iter().filter(|row| row["metric"] == "ghat_s");
    let outside = rates
        .filter(|row| row["low"].as_f64() > Some(1.0) || row["high"].as_f64() < Some(1.0))
        .count();
    assert!(outside <= 6, "{outside} of 40");
    assert_eq!(
        random.row("random:2", "split:type1-test", "all", "ghat_s")["n"],
        391
    );
}

/// Adding a control to a run must not change what the run says about the others.
#[test]
fn controls_are_left_out_of_joint_statistics() {
    let Some(gest) = shared("gest") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let scores = format!(
        "file:{}",
        gest.join("predictions/english_mlm.csv.gz").display()
    );
    let data = gest.join("gest.csv").display().to_string();
    let base = ["run", "gest", "--model", &scores, "--data", &data];
    let alone = json(&base, directory.path());
    let controlled = json(
        &[&base[..], &["--model", "random:1", "--model", "always:he"]].concat(),
        directory.path(),
    );
    for (system, metric) in [
        ("all", "r_models"),
        ("all:masked", "q_m"),
        ("all:masked", "q_fam"),
    ] {
        let value = |rows: &Rows| rows.value(system, "all", "all", metric);
        assert_eq!(value(&alone), value(&controlled), "{metric}");
    }
}

#[test]
fn a_failed_report_keeps_the_one_before() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    succeed(
        &[
            "run",
            "gest",
            "--model",
            "random:1",
            "--data",
            "epicene-mini",
            "--out",
            "r",
        ],
        path,
    );
    succeed(&["report", "r", "-o", "keep.md"], path);
    let before = std::fs::read_to_string(path.join("keep.md")).unwrap();
    std::fs::write(path.join("r/log.jsonl"), "broken\n").unwrap();
    refuse(&["report", "r", "-o", "keep.md"], path);
    assert_eq!(
        std::fs::read_to_string(path.join("keep.md")).unwrap(),
        before
    );
}
