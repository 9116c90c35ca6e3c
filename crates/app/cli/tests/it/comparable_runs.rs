//! Runs are compared on the same items, each judged with the files beside its own answers; or refused.

use std::fs;
use std::path::Path;

use crate::support::{Rows, refuse, succeed};
use serde_json::Value;

fn asked(command: &str, out: &str, path: &Path) {
    let words: Vec<&str> = command.split(' ').chain(["--out", out]).collect();
    succeed(&[&["run"], &words[..]].concat(), path);
}

fn compared(first: &str, second: &str, path: &Path) -> Rows {
    let words = [
        "compare", first, second, "--rounds", "200", "--format", "json",
    ];
    Rows::parse(&succeed(&words, path))
}

/// Answers are paired by their place, so that it matters who stands there.
#[test]
fn runs_on_other_items_are_refused_with_the_first_difference() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let spanish = (1..13).map(|day| {
        let both = format!("Estaba cansado el día {day},Estaba cansada el día {day}");
        format!(
            "{day},I was tired on day {day}.,{},,{both}\n",
            1 + day % 2 * 7
        )
    });
    let head = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n";
    fs::create_dir(path.join("es")).unwrap();
    let spanish = head.to_owned() + &spanish.collect::<String>();
    fs::write(path.join("es/spanish.csv"), spanish).unwrap();
    let crows = (0..12).map(|pair| {
        let kind = ["gender", "age"][pair % 2];
        format!("{pair},The nurse said {pair} she is old.,The nurse said {pair} he is old.,stereo,{kind}\n")
    });
    let head = ",sent_more,sent_less,stereo_antistereo,bias_type\n";
    let crows = head.to_owned() + &crows.collect::<String>();
    fs::write(path.join("crows.csv"), crows).unwrap();
    let euro = "eurogest --data es --model random:1 --lang es";
    let crows = "crows-pairs --data crows.csv --model random:1 --bias-type";
    let gest = "gest --data epicene-mini --model random:1";
    for (command, out) in [
        (format!("{euro} --sample 3 --seed 0"), "es0"),
        (format!("{euro} --sample 3 --seed 1"), "es1"),
        (format!("{euro} --stereotypes 1"), "es-one"),
        (euro.to_owned(), "es-all"),
        (format!("{crows} gender"), "crows-gender"),
        (format!("{crows} age"), "crows-age"),
        (format!("{gest} --limit 40"), "gest40"),
        (format!("{gest} --limit 50"), "gest50"),
    ] {
        asked(&command, out, path);
    }
    for (first, second, difference, hint) in [
        ("es0", "es1", "item 1 is ", "--seed 0 and 1"),
        ("es0", "es-all", "item ", "--sample 3 and off"),
        ("es-all", "es0", "item ", "--sample off and 3"),
        ("es-one", "es-all", "item 1 is ", "--stereotypes 1 and off"),
        (
            "crows-gender",
            "crows-age",
            "item 1 is ",
            "--bias-type gender and age",
        ),
        (
            "gest40",
            "gest50",
            "40 items against 50",
            "--limit 40 and 50",
        ),
        (
            "gest50",
            "gest40",
            "50 items against 40",
            "--limit 50 and 40",
        ),
    ] {
        let stderr = refuse(&["compare", first, second], path);
        let said = format!("{first} and {second} were not asked the same items: {difference}");
        assert!(stderr.contains(&said) && stderr.contains(hint), "{stderr}");
    }
    let stderr = refuse(&["compare", "gest40", "es0"], path);
    assert!(
        stderr.contains("different benchmarks: gest40 is gest, es0 is eurogest"),
        "{stderr}"
    );
}

/// A system against itself, asked about the same: both are named, and there is no difference.
#[test]
fn systems_of_one_name_are_told_apart_by_their_runs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let gest = "gest --data epicene-mini --model";
    asked(&format!("{gest} random:1"), "before", path);
    fs::create_dir(path.join("x")).unwrap();
    asked(&format!("{gest} random:1"), "x/before", path);
    asked(&format!("{gest} random:2"), "after", path);
    let rows = compared("before", "x/before", path);
    let name = "x/before - before";
    assert_eq!(rows.value(name, "all", "all", "delta_g_s"), 0.0);
    assert!(rows.1.ends_with("|versus:random:1"), "{}", rows.1);
    let words = ["compare", "before", "x/before", "--rounds", "200"];
    let table = succeed(&words, path);
    assert!(table.contains("all g_s: before "), "{table}");
    // Of more than two, rows say it too: they are found by their names.
    let words = [
        "compare", "before", "x/before", "after", "--rounds", "200", "--format", "json",
    ];
    let rows = Rows::parse(&succeed(&words, path));
    let name = "random:1 (x/before) - random:1 (before)";
    assert_eq!(rows.value(name, "all", "all", "delta_g_s"), 0.0);
    rows.value("random:2 - random:1 (before)", "all", "all", "delta_g_s");
}

/// The same translations with links to one word and to another: each run is judged with its own, in either order.
#[test]
fn every_run_is_judged_with_the_files_beside_its_own_answers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let german = "Die Ärztin sah den Arzt.\n".repeat(6);
    fs::write(path.join("de.txt"), german).unwrap();
    for (name, link) in [("her", "1-1\n"), ("him", "1-4\n")] {
        fs::write(path.join(name), link.repeat(6)).unwrap();
        let command = "unambiguous --size xs --limit 6 --mt m=file:de.txt --lang de --input";
        let command = format!("{command} align:de={name}");
        asked(&command, &format!("r-{name}"), path);
    }
    let right = |run: &str| {
        let rows = Rows::parse(&succeed(&["report", run, "--format", "json"], path));
        rows.value("m", "lang:de", "all", "correct")
    };
    // The six are four men and two women.
    assert_eq!((right("r-her"), right("r-him")), (2.0 / 6.0, 4.0 / 6.0));
    for (first, second) in [("r-her", "r-him"), ("r-him", "r-her")] {
        let rows = compared(first, second, path);
        let found = rows.value(
            &format!("{second} - {first}"),
            "lang:de",
            "all",
            "delta_correct",
        );
        assert!(
            (found - (right(second) - right(first))).abs() < 1e-9,
            "{found}"
        );
        // Both files took part.
        assert_eq!(rows.1.matches("|check:align:de@").count(), 2, "{}", rows.1);
        let table = succeed(&["compare", first, second, "--rounds", "200"], path);
        let values = [first, second].map(|run| format!("{run} {:.3}", right(run)));
        let words = format!("lang:de correct: {}", values.join(", "));
        assert!(table.contains(&words), "{table}");
    }
}

/// What people decided of the second run counts as it does in the first.
#[test]
fn decisions_count_in_either_order() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs-0.1.0");
    let [plain, decided] =
        ["wibemt", "wibemt-decisions"].map(|name| archive.join(name).display().to_string());
    let rows = |first: &str, second: &str| {
        let words = [
            "compare",
            first,
            second,
            "--systems",
            "one,one",
            "--format",
            "json",
        ];
        Rows::parse(&succeed(&words, &archive)).0
    };
    let (there, back) = (rows(&plain, &decided), rows(&decided, &plain));
    assert_eq!(there.len(), back.len());
    let number = |row: &Value, name: &str| row[name].as_f64();
    for (one, other) in there.iter().zip(&back) {
        assert_eq!(one["metric"], other["metric"]);
        if one["metric"].as_str().unwrap().starts_with("delta_") {
            let bound = |row: &Value, name: &str| number(row, name).unwrap();
            assert!(
                (bound(one, "low") + bound(other, "high")).abs() < 1e-9,
                "{one} {other}"
            );
            assert!(
                (bound(one, "value") + bound(other, "value")).abs() < 1e-9,
                "{one} {other}"
            );
        } else {
            assert_eq!(
                number(one, "value"),
                number(other, "value"),
                "{one} {other}"
            );
        }
    }
}

/// One judge for all: where runs recorded several, the first one's is taken, and that is said.
#[test]
fn other_options_of_the_second_run_are_said() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let text = "Bol som unavený.\nBola som unavená.\n".repeat(192);
    fs::write(path.join("sk.txt"), text).unwrap();
    let command = "gest --data epicene-mini --mt a=file:sk.txt --lang sk --trust-language --mode";
    asked(&format!("{command} strict"), "s", path);
    asked(&format!("{command} extended"), "e", path);
    for (first, second, judge) in [("s", "e", "epicene"), ("e", "s", "extended")] {
        let json = succeed(
            &[
                "compare", first, second, "--rounds", "200", "--format", "json",
            ],
            path,
        );
        let said = format!("here both are measured with the options of {first}");
        assert!(
            json.contains(&said) && json.contains("--detector"),
            "{json}"
        );
        assert!(json.contains(judge), "{json}");
    }
    let words = [
        "compare", "s", "e", "--rounds", "200", "--mode", "strict", "--format", "json",
    ];
    assert!(!succeed(&words, path).contains("here both are measured"));
}

/// Numbers in words, clusters in the signature and differences are all of the items that both answered.
#[test]
fn a_shard_is_compared_with_a_whole_on_its_own_items() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let gest = "gest --data epicene-mini --model";
    asked(&format!("{gest} random:1"), "whole", path);
    asked(&format!("{gest} random:2 --shard 1/2"), "half", path);
    asked(&format!("{gest} random:1 --shard 1/2"), "own-half", path);
    let rows = compared("whole", "half", path);
    assert!(rows.1.contains("|k:192|"), "{}", rows.1);
    let delta = rows.row("random:2 - random:1", "all", "all", "delta_g_s");
    assert_eq!(delta["k"], 192);
    let own = |run: &str, system: &str| {
        let rows = Rows::parse(&succeed(&["report", run, "--format", "json"], path));
        rows.value(system, "all", "all", "g_s")
    };
    let (first, second) = (own("own-half", "random:1"), own("half", "random:2"));
    assert!((delta["value"].as_f64().unwrap() - (second - first)).abs() < 1e-9);
    let table = succeed(&["compare", "whole", "half", "--rounds", "200"], path);
    let words = format!("all g_s: random:1 {first:.3}, random:2 {second:.3}, ideal 1: ");
    assert!(table.contains(&words), "{words} {table}");
    // Two halves that share nothing have nothing to compare.
    asked(&format!("{gest} random:2 --shard 2/2"), "other-half", path);
    let stderr = refuse(&["compare", "own-half", "other-half"], path);
    assert!(stderr.contains("nothing in common"), "{stderr}");
}

/// Published results are those of the same items only where every item was answered.
#[test]
fn a_part_of_the_published_items_is_not_the_published_items() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let text = "Bol som unavený.\nBola som unavená.\n".repeat(192);
    fs::write(path.join("sk.txt"), text).unwrap();
    let command = "gest --data epicene-mini --mt a=file:sk.txt --lang sk --trust-language";
    asked(command, "r", path);
    // As if these were the sentences of GEST.
    crate::support::edit_manifest(&path.join("r"), |edited| {
        (edited["data"]["name"], edited["data"]["version"]) = ("gest".into(), "1.0".into());
        edited["data"]["sha256"] =
            "7e306adaa2913b660c6ddccddb26703a1de8c880cb0597ad27db4bca75380eea".into();
    });
    let others = "these results are on other sentences";
    let page = || {
        succeed(&["report", "r", "-o", "p.html"], path);
        let page = fs::read_to_string(path.join("p.html")).unwrap();
        assert!(page.contains("published system-language pairs"));
        page.contains(others)
    };
    assert!(!page());
    let log = fs::read_to_string(path.join("r/log.jsonl")).unwrap();
    let half: Vec<&str> = log.lines().take(192).collect();
    fs::write(path.join("r/log.jsonl"), half.join("\n") + "\n").unwrap();
    assert!(page());
}

/// Systems that were asked otherwise about the same items are compared where they were asked alike; both ways are signed.
#[test]
fn other_ways_of_asking_are_said_and_signed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let chat = "gest-chat --data epicene-mini --model";
    asked(
        &format!("{chat} random:1 --frames character"),
        "every",
        path,
    );
    asked(
        &format!("{chat} random:2 --frames character:1"),
        "one",
        path,
    );
    let json = succeed(
        &[
            "compare", "every", "one", "--rounds", "99", "--format", "json",
        ],
        path,
    );
    assert!(json.contains("|frames:character/character:1|"), "{json}");
    let units = "character:1,character:2,character:3/character:1";
    assert!(json.contains(&format!("|units:{units}|")), "{json}");
    let said = "one was asked with --frames character:1, every with --frames character";
    assert!(json.contains(said), "{json}");
}

/// Who has no translation of a sentence has no pair there, and that is counted; the system that has one loses it too.
#[test]
fn pairs_without_both_answers_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let asked_for = "ask gest --data epicene-mini --kind mt --lang sk";
    let questions = succeed(&asked_for.split(' ').collect::<Vec<_>>(), path);
    let questions = questions.lines().skip(1).map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["text"].as_str().unwrap().to_owned()
    });
    let forms = ["Bol som unavený.", "Bola som unavená.", "Bola som doma."];
    let translated: Vec<String> = questions
        .enumerate()
        .map(|(place, text)| {
            let pair = [("from", text.as_str()), ("to", forms[place % 3])];
            serde_json::to_string(&std::collections::BTreeMap::from(pair)).unwrap()
        })
        .collect();
    fs::write(path.join("all.jsonl"), translated.join("\n")).unwrap();
    fs::write(path.join("some.jsonl"), translated[40..].join("\n")).unwrap();
    let gest = "gest --data epicene-mini --lang sk --trust-language --mt";
    asked(&format!("{gest} a=file:all.jsonl"), "all", path);
    asked(
        &format!("{gest} b=file:some.jsonl --allow-missing"),
        "some",
        path,
    );
    let of = translated.len();
    for (first, second, who) in [("all", "some", "b - a"), ("some", "all", "a - b")] {
        let rows = compared(first, second, path);
        for metric in ["delta_f_s", "delta_f_m"] {
            assert_eq!(rows.value(who, "lang:sk", "all", metric), 0.0);
        }
        let words = [
            "compare", first, second, "--rounds", "99", "--format", "json",
        ];
        let said = format!("40 of {of} pairs are left out: ");
        assert!(succeed(&words, path).contains(&said));
    }
}

/// A choice among the items is not the whole of them.
#[test]
fn a_choice_of_items_is_a_part() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let pairs = (0..12).map(|pair| {
        let kind = ["gender", "age"][pair % 2];
        format!("{pair},The nurse said {pair} she is old.,The nurse said {pair} he is old.,stereo,{kind}\n")
    });
    let head = ",sent_more,sent_less,stereo_antistereo,bias_type\n";
    fs::write(
        path.join("crows.csv"),
        head.to_owned() + &pairs.collect::<String>(),
    )
    .unwrap();
    let crows = "crows-pairs --data crows.csv --model random:1";
    for (more, whole) in [
        ("", true),
        (" --bias-type age", false),
        (" --limit 3", false),
    ] {
        let out = format!("r{}", more.len());
        asked(&format!("{crows}{more}"), &out, path);
        let directory = epicene_run::RunDirectory::open(&path.join(out)).unwrap();
        let run = epicene_pipeline::JudgedRun::open(&directory, &epicene_bench::Given::default());
        assert_eq!(run.unwrap().is_whole(), whole, "{more}");
    }
}

/// What changes a difference is signed by it, what changes nothing is refused.
#[test]
fn comparisons_sign_what_changed_them() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let spanish = (1..13).map(|day| {
        let both = format!("Estaba cansado el día {day},Estaba cansada el día {day}");
        let stereotype = 1 + day % 2 * 7;
        format!("{day},I was tired on day {day}.,{stereotype},,{both}\n")
    });
    let head = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n";
    fs::create_dir(path.join("es")).unwrap();
    let spanish = head.to_owned() + &spanish.collect::<String>();
    fs::write(path.join("es/spanish.csv"), spanish).unwrap();
    let pairs = (0..12).map(|pair| {
        format!("{pair},The nurse said {pair} she is old.,The nurse said {pair} he is old.,stereo,gender\n")
    });
    let head = ",sent_more,sent_less,stereo_antistereo,bias_type\n";
    let pairs = head.to_owned() + &pairs.collect::<String>();
    fs::write(path.join("crows.csv"), pairs).unwrap();
    fs::write(path.join("de.txt"), "Der Koch kann kochen .\n".repeat(6)).unwrap();
    let both = "--model random:1 --model random:2";
    let clear =
        "unambiguous --size xs --limit 6 --mt a=file:de.txt --mt b=file:de.txt --lang de,de";
    asked(
        &format!("eurogest --data es --lang es {both}"),
        "euro",
        path,
    );
    asked(
        &format!("crows-pairs --data crows.csv {both}"),
        "crows",
        path,
    );
    asked(&format!("{clear} --judge published"), "clear", path);
    let words = |command: &'static str| -> Vec<&str> { command.split(' ').collect() };
    for (command, fields) in [
        ("compare euro --rounds 99", "|score:"),
        (
            "compare euro --rounds 99 --score whole-sum",
            "|score:whole-sum|",
        ),
        (
            "compare clear --rounds 99 --labelled-only",
            "|occupation:labelled|",
        ),
        ("report crows --mcnemar chi2", "|mcnemar:chi2|"),
        ("report euro --min-rows 1", "|min-rows:1|"),
    ] {
        let command = [&words(command)[..], &["--format", "json"]].concat();
        let signature = Rows::parse(&succeed(&command, path)).1;
        assert!(signature.contains(fields), "{command:?}: {signature}");
    }
    for (command, unsigned) in [
        ("report crows", "mcnemar"),
        ("report euro", "min-rows"),
        ("compare clear --rounds 99", "occupation:"),
    ] {
        let command = [&words(command)[..], &["--format", "json"]].concat();
        let signature = Rows::parse(&succeed(&command, path)).1;
        assert!(!signature.contains(unsigned), "{command:?}: {signature}");
    }
    for (command, option) in [
        ("compare crows --mcnemar chi2", "mcnemar"),
        ("compare euro --min-rows 1", "min-rows"),
        (
            "report clear --judge default --labelled-only",
            "labelled-only",
        ),
        (
            "compare clear --judge default --labelled-only",
            "labelled-only",
        ),
    ] {
        let stderr = refuse(&words(command), path);
        let said = format!("error: --{option} has no effect on these answers");
        assert!(stderr.starts_with(&said), "{command}: {stderr}");
    }
}
