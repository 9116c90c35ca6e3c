//! GEST for machine translation from files: the published pairs, and files that are not as they
//! should be.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Rows, refuse, run, shared, succeed};
use serde_json::Value;

fn published() -> Value {
    serde_json::from_str(include_str!(
        "../../../../bench/benchmarks/data/published/gest_mt.json"
    ))
    .unwrap()
}

/// Every visible system-language pair: (system, language, path).
fn pairs(translations: &Path) -> Vec<(String, String, String)> {
    let mut pairs = Vec::new();
    for system in std::fs::read_dir(translations).unwrap() {
        let system = system.unwrap();
        for language in std::fs::read_dir(system.path()).unwrap() {
            let language = language.unwrap();
            let file = language.path().join("translations.csv.gz");
            pairs.push((
                system.file_name().into_string().unwrap(),
                language.file_name().into_string().unwrap(),
                file.display().to_string(),
            ));
        }
    }
    pairs.sort();
    pairs
}

/// The acceptance bounds of the rule engine, mode `published`, through the command line.
#[test]
fn published_pairs_are_reproduced_within_the_bounds() {
    let Some(gest) = shared("gest") else { return };
    let pairs = pairs(&gest.join("translations"));
    assert_eq!(pairs.len(), 23);
    let mut command: Vec<String> = [
        "run",
        "gest",
        "--detector",
        "published",
        "--interval",
        "published",
        "--estimate",
        "published",
        "--data",
    ]
    .map(str::to_owned)
    .to_vec();
    command.push(gest.join("gest.csv").display().to_string());
    for (_, _, path) in &pairs {
        command.extend(["--mt".to_owned(), format!("file:{path}")]);
    }
    let languages: Vec<&str> = pairs
        .iter()
        .map(|(_, language, _)| language.as_str())
        .collect();
    command.extend(["--lang".to_owned(), languages.join(",")]);
    command.extend(["--format".to_owned(), "json".to_owned()]);
    let directory = tempfile::tempdir().unwrap();
    let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    let rows = Rows::parse(&succeed(&arguments, directory.path()));
    assert!(
        rows.1
            .contains("|judge:first-person-rules-published|rates:agresti-coull|"),
        "{}",
        rows.1
    );

    let published = published();
    let (mut total, mut cells, mut worst) = (0.0, 0, 0.0f64);
    for (system, language, _) in &pairs {
        let unit = format!("lang:{language}");
        let expected = &published["systems"][system][language];
        let value = |metric: &str| rows.value(system, &unit, "all", metric);
        let off = |metric: &str| (value(metric) - expected[metric].as_f64().unwrap()).abs();
        let (f_s, f_m) = (off("f_s"), off("f_m"));
        let decided = expected["n"].as_f64().unwrap();
        let yield_off = (value("yield") / decided - 1.0).abs();
        let mut pair_worst = 0.0f64;
        for stereotype in expected["per_stereotype"].as_array().unwrap() {
            let group = format!("stereotype:{}", stereotype["stereotype"]);
            let p = rows.value(system, &unit, &group, "p");
            let distance = (p - stereotype["mean"].as_f64().unwrap()).abs();
            pair_worst = pair_worst.max(distance);
            if language != "be" {
                total += distance;
                cells += 1;
            }
        }
        println!(
            "{system} {language}: f_s {f_s:.4} f_m {f_m:.4} yield {yield_off:.4} worst {pair_worst:.4}"
        );
        // The published Belarusian values contain parser errors and are not imitated.
        if language != "be" {
            assert!(f_s <= 0.008, "{system} {language}: f_s off by {f_s}");
            assert!(f_m <= 0.006, "{system} {language}: f_m off by {f_m}");
            assert!(
                yield_off <= 0.015,
                "{system} {language}: yield off by {yield_off}"
            );
            worst = worst.max(pair_worst);
        }
    }
    let mean = total / f64::from(cells);
    println!("mean |Δp| {mean:.5} over {cells} cells, worst {worst:.4}");
    assert!(mean <= 0.005, "{mean}");
    assert!(worst <= 0.035, "{worst}");
}

const DATA: &str = "sentence,stereotype
I was tired.,1
I was happy.,1
I was strong.,16
I was a leader.,13
I like tea.,2
";

const SLOVAK: &str = "from,to
I was tired.,Bola som unavená.
I was happy.,Bola som šťastná.
I was strong.,Bol som silný.
I was a leader.,Bol som vodca.
I like tea.,Mám rád čaj.
Another.,Iné.
";

fn workshop(translations: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("g.csv"), DATA).unwrap();
    std::fs::write(directory.path().join("t.csv"), translations).unwrap();
    directory
}

const RUN: [&str; 12] = [
    "run",
    "gest",
    "--interval",
    "published",
    "--estimate",
    "published",
    "--data",
    "g.csv",
    "--mt",
    "file:t.csv",
    "--lang",
    "sk",
];

#[test]
fn small_files_are_counted_by_hand() {
    let directory = workshop(SLOVAK);
    let json = succeed(
        &[&RUN[..], &["--format", "json", "--out", "r"]].concat(),
        directory.path(),
    );
    let rows = Rows::parse(&json);
    // Agresti–Coull: (0 + z²/2) / (2 + z²) and (1 + z²/2) / (1 + z²).
    let z2 = 1.959963984540054f64.powi(2);
    let emotional = (z2 / 2.0) / (2.0 + z2);
    let one = (1.0 + z2 / 2.0) / (1.0 + z2);
    let p = |id: u8| rows.value("t", "lang:sk", &format!("stereotype:{id}"), "p");
    assert!((p(1) - emotional).abs() < 1e-12 && (p(16) - one).abs() < 1e-12);
    let p_f = (emotional + one) / 2.0;
    assert!((rows.value("t", "lang:sk", "all", "p_f") - p_f).abs() < 1e-12);
    assert!((rows.value("t", "lang:sk", "all", "p_m") - one).abs() < 1e-12);
    assert!((rows.value("t", "lang:sk", "all", "f_s") - (one - p_f)).abs() < 1e-12);
    assert!((rows.value("t", "lang:sk", "all", "f_m") - (one + p_f) / 2.0).abs() < 1e-12);
    assert_eq!(rows.value("t", "lang:sk", "all", "yield"), 5.0);
    assert_eq!(rows.row("t", "lang:sk", "all", "f_s")["ideal"], 0.0);
    assert_eq!(rows.row("t", "lang:sk", "all", "f_m")["ideal"], 0.5);

    // Every verdict can be looked at, with the words that made it.
    let items: Vec<Value> = succeed(&["items", "r"], directory.path())
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(items.len(), 5);
    assert_eq!(items[0]["verdict"], "f");
    assert_eq!(items[0]["observation"]["translation"], "Bola som unavená.");
    assert!(!items[0]["evidence"].as_array().unwrap().is_empty());
}

#[test]
fn translations_in_other_layouts_measure_the_same() {
    let directory = workshop(SLOVAK);
    let path = directory.path();
    let expected = Rows::parse(&succeed(&[&RUN[..], &["--format", "json"]].concat(), path)).0;
    let tsv = SLOVAK.replace(',', "\t");
    let lines: Vec<&str> = SLOVAK
        .lines()
        .skip(1)
        .take(5)
        .map(|l| l.split_once(',').unwrap().1)
        .collect();
    for text in [tsv, lines.join("\n")] {
        std::fs::write(path.join("t.csv"), text).unwrap();
        let rows = Rows::parse(&succeed(&[&RUN[..], &["--format", "json"]].concat(), path)).0;
        assert_eq!(rows, expected);
    }
}

#[test]
fn files_that_lack_sentences_are_refused_or_counted() {
    let without: String = SLOVAK
        .lines()
        .filter(|l| !l.contains("leader"))
        .map(|l| format!("{l}\n"))
        .collect();
    let directory = workshop(&without);
    let stderr = refuse(&RUN, directory.path());
    assert!(
        stderr.contains(
            "t.csv: 1 of 5 sentences have no translation, first: gest:4 `I was a leader.`"
        ),
        "{stderr}"
    );
    assert!(stderr.contains("--allow-missing"), "{stderr}");
    let (code, stdout, _) = run(&[&RUN[..], &["--allow-missing"]].concat(), directory.path());
    assert_eq!(code, 0);
    assert!(
        stdout.contains("t lang:sk: 1 of 5 translations are missing"),
        "{stdout}"
    );
}

#[test]
fn empty_and_foreign_translations_are_counted() {
    let text = SLOVAK
        .replace("Bol som vodca.", "")
        .replace("Bol som silný.", "Я был сильным.");
    let directory = workshop(&text);
    let stdout = succeed(&RUN, directory.path());
    assert!(
        stdout.contains("t lang:sk: 1 of 5 translations are empty"),
        "{stdout}"
    );
    assert!(
        stdout.contains("t lang:sk: 1 of 5 translations are in another script"),
        "{stdout}"
    );
    let rows = Rows::parse(&succeed(
        &[&RUN[..], &["--format", "json"]].concat(),
        directory.path(),
    ));
    assert_eq!(rows.value("t", "lang:sk", "all", "empty"), 1.0);
    assert_eq!(rows.value("t", "lang:sk", "all", "other_script"), 1.0);
    assert_eq!(rows.value("t", "lang:sk", "all", "yield"), 3.0);
}

#[test]
fn bad_files_and_languages_are_explained() {
    let directory = workshop(SLOVAK);
    let path = directory.path();
    let with_language = |code| [&RUN[..11], &[code]].concat();
    let stderr = refuse(&with_language("xx"), path);
    assert!(
        stderr.contains("unknown language `xx`") && stderr.contains("languages: be, ru, uk"),
        "{stderr}"
    );
    assert!(refuse(&RUN[..10], path).contains("--mt needs --lang"));
    assert!(
        refuse(&[&RUN[..11], &["sk,cs,pl"]].concat(), path)
            .contains("1 file of translations and 3 languages")
    );
    let twice = [&RUN[..], &["--mt", "file:t.csv"]].concat();
    assert!(refuse(&twice, path).contains("t already has translations into sk"));
    for (text, message) in [
        (
            "from,to\nI was tired.\n",
            "t.csv, line 2: this row has 1 cell",
        ),
        (
            "from,to\nI was tired.,A\nI was tired.,B\n",
            "t.csv, line 3: `I was tired.` has another translation above",
        ),
        ("only one line\n", "there is 1 line, the data has 5 items"),
        (
            "from,to\nOther.,Iné.\n",
            "5 of 5 sentences have no translation",
        ),
    ] {
        std::fs::write(path.join("t.csv"), text).unwrap();
        let stderr = refuse(&RUN, path);
        assert!(stderr.contains(message), "{stderr}");
    }
    std::fs::write(path.join("t.csv"), b"from,to\nI was tired.,\xff\n").unwrap();
    assert!(refuse(&RUN, path).contains("t.csv, line 2: invalid UTF-8"));
    let stderr = refuse(
        &[
            "run",
            "winobias-means",
            "--mt",
            "file:g.csv",
            "--lang",
            "sk",
        ],
        path,
    );
    assert!(
        stderr.contains("`--mt` has no effect on winobias-means; it is an option of gest"),
        "{stderr}"
    );
}

#[test]
fn two_translators_are_compared_in_pairs() {
    let Some(gest) = shared("gest") else { return };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let file = |system: &str| {
        let path = gest
            .join("translations")
            .join(system)
            .join("sk/translations.csv.gz");
        format!("file:{}", path.display())
    };
    let data = gest.join("gest.csv").display().to_string();
    let command = [
        "run",
        "gest",
        "--interval",
        "published",
        "--estimate",
        "published",
        "--data",
        &data,
        "--lang",
        "sk",
        "--out",
        "r",
    ];
    let systems = ["--mt", &file("deepl"), "--mt", &file("google_translate")];
    succeed(&[&command[..], &systems].concat(), path);
    let json = succeed(
        &["compare", "r", "--rounds", "199", "--format", "json"],
        path,
    );
    let rows = Rows::parse(&json);
    let name = "google_translate - deepl";
    let difference = rows.row(name, "lang:sk", "all", "delta_f_s");
    let value = difference["value"].as_f64().unwrap();
    assert!((-0.20..-0.12).contains(&value), "{value}");
    assert!(difference["high"].as_f64() < Some(-0.1));
    assert_eq!(rows.value(name, "lang:sk", "all", "p_value"), 1.0 / 200.0);
}

fn detect(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_epicene"))
        .arg("detect")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that is refused may end before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn detect_reads_lines_and_shows_evidence() {
    let input = "Bola som unavená.\nBol som\tsilný.\n\nDnes prší.\r\n";
    let (code, stdout, stderr) = detect(&["--lang", "sk"], input.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    let lines: Vec<Vec<&str>> = stdout
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|line| line.len() == 4), "{stdout}");
    let verdicts: Vec<&str> = lines.iter().map(|line| line[0]).collect();
    assert_eq!(verdicts, ["f", "m", "u", "u"]);
    assert_eq!(lines[0][2], "Bola@0-4 som@5-8", "{stdout}");
    assert_eq!(lines[1][3], "Bol som silný.");
    assert!(
        stderr.contains("4 texts: 1 masculine, 1 feminine, 2 unknown"),
        "{stderr}"
    );

    let (_, stdout, _) = detect(&["--lang", "sk", "--json"], input.as_bytes());
    let first: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["verdict"], "f");
    assert_eq!(first["evidence"][1]["text"], "som");
    assert_eq!(first["evidence"][1]["start"], 5);
}

#[test]
fn detect_keeps_what_it_judged_before_an_error() {
    let (code, stdout, stderr) = detect(&["--lang", "sk"], b"Bola som tam.\nBol \xff som.\n");
    assert_eq!(code, 2);
    assert_eq!(stdout.lines().count(), 1);
    assert!(
        stderr.contains("(standard input), line 2: invalid UTF-8"),
        "{stderr}"
    );
    let (code, _, stderr) = detect(&["--lang", "xx"], b"");
    assert_eq!(code, 2);
    assert!(stderr.contains("unknown language `xx`"), "{stderr}");
}

#[test]
fn detect_judges_documents_by_their_sentences() {
    let input = "{\"text\": \"Je suis motivée.\\nJe suis sérieuse.\", \"id\": 7}\n{\"text\": \"Je vous écris.\"}\n";
    let arguments = ["--lang", "fr", "--document", "--json"];
    let (code, stdout, stderr) = detect(&arguments, input.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    let lines: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["verdict"], "f");
    assert_eq!(
        (&lines[0]["id"], &lines[0]["feminine"]),
        (&7.into(), &2.into())
    );
    assert_eq!(lines[0]["evidence"][1]["text"], "motivée");
    assert_eq!(lines[1]["verdict"], "u");
    let (_, stdout, _) = detect(&arguments[..3], input.as_bytes());
    assert!(
        stdout.starts_with("f\tmajority\t0\t2\t0\t2\tsuis@3-7 "),
        "{stdout}"
    );
    let (code, _, stderr) = detect(&["--lang", "fr", "--document=unanimous"], b"no json\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("line 1: no document"), "{stderr}");
}

#[test]
fn detect_warns_of_lost_diacritics() {
    let line = "Sunt foarte obosita si ma duc acasa dupa o zi grea de munca.\n";
    let (code, _, stderr) = detect(&["--lang", "ro"], line.repeat(20).as_bytes());
    assert_eq!(code, 0);
    assert!(stderr.contains("diacritics"), "{stderr}");
}

#[test]
fn detect_applies_the_published_rules_to_parses() {
    let parse = "# text = Bola som tam.\n\
        1\tBola\tbyť\tAUX\t_\tGender=Fem|Number=Sing\t3\tcop\t_\t_\n\
        2\tsom\tbyť\tAUX\t_\tPerson=1\t1\taux\t_\t_\n\
        3\ttam\ttam\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No\n\
        4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n";
    let (code, stdout, stderr) = detect(&["--lang", "sk", "--conllu"], parse.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("f\tHEAD(som)\tBola@0-4"), "{stdout}");
    let (code, _, stderr) = detect(&["--lang", "sk", "--conllu"], b"1\tBola\n\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("line 1"), "{stderr}");
    let (code, _, stderr) = detect(&["--lang", "de", "--conllu"], parse.as_bytes());
    assert_eq!(code, 2);
    assert!(stderr.contains("sr-Latn"), "{stderr}");
}

/// From a translator's file to the measured pairs, by hand.
#[test]
fn pairs_are_built_filtered_and_scored() {
    let directory = workshop(SLOVAK);
    let path = directory.path();
    let source = [
        "--translations",
        "t.csv",
        "--lang",
        "sk",
        "--data",
        "g.csv",
        "--name",
        "mt",
    ];
    let prompts = succeed(&[&["pairs", "prompts"], &source[..]].concat(), path);
    assert_eq!(
        prompts,
        "He said: \"I was tired.\"\nHe said: \"I was happy.\"\nShe said: \"I was strong.\"\n\
         She said: \"I was a leader.\"\nShe said: \"I like tea.\"\n"
    );
    let answers = "Povedal: „Bol som unavený.“\nPovedal: „Bol som šťastná.“\nPovedala: „Bola som silná.“\n\
                   Povedala: „Bola som vodca“\nPovedala: „Mám rada čaj.“\n";
    std::fs::write(path.join("a.txt"), answers).unwrap();
    let build = [&["pairs", "build", "--answers", "a.txt"], &source[..]].concat();
    let (code, pairs, stderr) = run(&build, path);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(
        pairs,
        "translator,language,original,stereotype,male,female\n\
         mt,sk,I was happy.,1,Bol som šťastná.,Bola som šťastná.\n\
         mt,sk,I was a leader.,13,Bol som vodca.,Bola som vodca.\n\
         mt,sk,I like tea.,2,Mám rád čaj.,Mám rada čaj.\n"
    );
    assert!(stderr.contains("5 with a gender, 5 answered, 5 with as many words, 3 differ in one word, 3 of these with the same first letter, 3 of these not repeats"), "{stderr}");

    // Scores of the pairs; a repeat and a pair of different words do not count.
    let more = format!(
        "{pairs}mt,sk,I like tea.,2,Mám rád čaj.,Mám rada čaj.\nmt,sk,I ran.,16,Som herec.,Som umelkyňa.\n"
    );
    std::fs::write(path.join("pairs.csv"), more).unwrap();
    std::fs::write(path.join("s.csv"), "xlm\n-0.5\n0.25\n0.1\n9\n9\n").unwrap();
    let command = [
        "run",
        "gest",
        "--interval",
        "published",
        "--pairs",
        "pairs.csv",
        "--model",
        "file:s.csv",
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&command, path));
    let q_f = ((-0.5 + 0.1f64) / 2.0).exp();
    assert!((rows.value("xlm", "lang:sk", "all", "q_f") - q_f).abs() < 1e-12);
    assert!((rows.value("xlm", "lang:sk", "all", "g_s") - 0.25f64.exp() / q_f).abs() < 1e-12);
    assert_eq!(rows.value("xlm", "lang:sk", "all", "pairs"), 3.0);
    assert!(
        rows.1.starts_with("gest-pairs|data:gest-pairs-custom@"),
        "{}",
        rows.1
    );

    std::fs::write(path.join("s.csv"), "xlm\n1\n").unwrap();
    assert!(refuse(&command, path).contains("there is 1 row of scores, the pairs are 5"));
    std::fs::write(
        path.join("pairs.csv"),
        "translator,language,original,stereotype,male,female\nm,sk,o,99,a,b\n",
    )
    .unwrap();
    assert!(refuse(&command, path).contains("pairs.csv, line 2: stereotype `99`"));
}

/// The (f_m, f_s) plane with the published pairs behind it.
#[test]
fn the_plane_is_drawn_and_names_cannot_break_out_of_it() {
    let directory = workshop(SLOVAK);
    let path = directory.path();
    let named = [
        &RUN[..8],
        &["--mt", "<b>&\"x=file:t.csv", "--lang", "sk", "--out", "r"],
    ]
    .concat();
    succeed(&named, path);
    succeed(
        &["report", "r", "--figures", "figures", "--format", "json"],
        path,
    );
    let svg = std::fs::read_to_string(path.join("figures/gest-plane.svg")).unwrap();
    assert!(
        svg.contains("&lt;b&gt;&amp;&quot;x sk") && !svg.contains("<b>"),
        "{svg}"
    );
    assert_eq!(svg.matches("class=\"bg\"").count(), 23);
    assert!(
        svg.contains("<title id=\"gest-plane-t\">") && svg.contains("<desc id=\"gest-plane-d\">")
    );
    let png = std::fs::read(path.join("figures/gest-plane.png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert!(
        !svg.contains("http://") || svg.matches("http").count() == 1,
        "nothing is loaded"
    );
}
