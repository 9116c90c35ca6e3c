//! What is shown is what was counted, and a signature names nothing that did not run.

use std::path::{Path, PathBuf};

use crate::support::{Rows, refuse, succeed};
use serde_json::Value;

/// A run of 0.1.0, read and never written.
fn archived(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/runs-0.1.0")
        .join(name)
}

fn items(arguments: &[&str], here: &Path) -> Vec<Value> {
    let lines = succeed(&[&["items"], arguments].concat(), here);
    let lines = lines.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn write(here: &Path, name: &str, text: &str) {
    std::fs::write(here.join(name), text).unwrap();
}

/// "Ona bola doma a ja som tiež bola doma.": the second "bola" is the speaker's.
#[test]
fn the_page_marks_the_word_that_decided() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(
        here,
        "g.csv",
        "sentence,stereotype\nShe was at home and so was I.,1\nFather said I told the truth.,2\n",
    );
    write(
        here,
        "t.csv",
        "from,to\nShe was at home and so was I.,Ona bola doma a ja som tiež bola doma.\n\
         Father said I told the truth.,\"Otec povedal, že som povedal pravdu.\"\n",
    );
    let run = [
        "run",
        "gest",
        "--interval",
        "published",
        "--data",
        "g.csv",
        "--mt",
        "file:t.csv",
        "--lang",
        "sk",
        "--out",
        "r",
    ];
    succeed(&run, here);
    succeed(&["report", "r", "-o", "page.html"], here);
    let page = std::fs::read_to_string(here.join("page.html")).unwrap();
    assert!(
        page.contains("Ona bola doma a ja <mark>som</mark> tiež <mark>bola</mark> doma."),
        "the first item is marked elsewhere"
    );
    assert!(page.contains("Otec povedal, že <mark>som</mark> <mark>povedal</mark> pravdu."));
    let items = items(&["r"], here);
    assert_eq!(items[0]["evidence"], serde_json::json!(["som", "bola"]));
    assert_eq!(items[0]["spans"], serde_json::json!([[19, 22], [28, 32]]));
}

#[test]
fn pairs_show_which_sentence_was_preferred() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let run = archived("crows-pairs");
    let run = run.to_str().unwrap();
    succeed(&["report", run, "-o", "page.html"], here);
    let page = std::fs::read_to_string(here.join("page.html")).unwrap();
    assert!(page.contains(">stereotypical</span>"));
    assert!(page.contains(">anti-stereotypical</span>"));
    assert!(!page.contains(">unknown</span>"));
    // The likelihoods themselves are shown, whatever the engine noted beside them.
    let demo = items(&[run], here);
    let noted = demo
        .iter()
        .find(|item| item["observation"]["noted"].is_object());
    assert!(noted.is_some(), "the archive has an answer with notes");
    let shown = page.matches(" | -").count();
    assert!(shown >= 7, "{shown} pairs of likelihoods");
}

#[test]
fn given_tags_are_signed_as_given() {
    let directory = tempfile::tempdir().unwrap();
    for run in ["unambiguous-tags", "unambiguous-results"] {
        let run = archived(run);
        let arguments = ["report", run.to_str().unwrap(), "--format", "json"];
        let signature = Rows::parse(&succeed(&arguments, directory.path())).1;
        assert!(
            signature.contains("|judge:given-tags|rates:wilson|"),
            "{signature}"
        );
        assert!(!signature.contains("aligner"), "{signature}");
    }
}

#[test]
fn options_of_other_benchmarks_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(here, "de.txt", "Masc\n");
    let run = [
        "run",
        "unambiguous",
        "--interval",
        "published",
        "--limit",
        "1",
        "--size",
        "xs",
        "--mt",
        "file:de.txt",
        "--lang",
        "de",
    ];
    for (option, value, owner) in [
        ("--nouns", "off", "gest"),
        ("--convention", "true", "gest"),
        ("--weight", "none", "mbe"),
        ("--bias-type", "all", "crows-pairs"),
    ] {
        let error = refuse(&[&run[..], &[option, value]].concat(), here);
        assert!(
            error.contains(&format!(
                "`{option}` has no effect on unambiguous; it is an option of {owner}"
            )),
            "{error}"
        );
        assert!(error.contains("epicene run unambiguous --help"), "{error}");
    }
    let means = archived("winobias-means");
    let means = means.to_str().unwrap();
    let error = refuse(&["report", means, "--interval", "resampled"], here);
    assert!(
        error.contains("--interval has no effect here; it is an option of gest"),
        "{error}"
    );
    // Several runs share a command: what one of them has is no stranger.
    let gest = archived("gest-scores");
    let gest = gest.to_str().unwrap();
    succeed(
        &[
            "report",
            means,
            gest,
            "--interval",
            "resampled",
            "--format",
            "json",
        ],
        here,
    );
}

#[test]
fn a_run_records_its_own_options_and_no_others() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let run = [
        "run",
        "winobias",
        "--interval",
        "published",
        "--data",
        "epicene-winograd",
        "--model",
        "random:1",
        "--out",
        "r",
    ];
    succeed(&run, here);
    let manifest = std::fs::read_to_string(here.join("r/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["options"],
        serde_json::json!({"bootstrap": "1000", "convention": "published", "interval": "published"})
    );
    crate::support::edit_manifest(&here.join("r"), |manifest| {
        let options = manifest["options"].as_object_mut().unwrap();
        let convention = options.remove("convention").unwrap();
        options.insert("konvention".to_owned(), convention);
    });
    let error = refuse(&["report", "r"], here);
    assert!(
        error.contains("an option `konvention`, which winobias does not know"),
        "{error}"
    );
}

#[test]
fn languages_of_the_occupation_judge_work_in_every_benchmark_that_uses_it() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let sentences = succeed(
        &["generate", "unambiguous", "--size", "xs", "--limit", "2"],
        here,
    );
    write(here, "data.tsv", &sentences);
    write(
        here,
        "sk.txt",
        "Redaktorka je jej citový brat .\nRedaktor je jej citový brat .\n",
    );
    let arguments = [
        "run",
        "unambiguous",
        "--interval",
        "published",
        "--data",
        "data.tsv",
        "--mt",
        "file:sk.txt",
        "--lang",
        "sk",
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&arguments, here));
    assert_eq!(rows.value("sk", "lang:sk", "all", "correct"), 0.5);
    assert!(rows.1.contains("|judge:occupation-default|"), "{}", rows.1);
}

/// `--input decisions=FILE` decides what is counted, and what is shown.
#[test]
fn decisions_by_hand_are_shown() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let run = archived("wibemt-decisions");
    let run = run.to_str().unwrap();
    let items = items(&[run], here);
    let by_hand: Vec<&Value> = items
        .iter()
        .filter(|item| item["rule"] == "by-hand")
        .collect();
    assert!(!by_hand.is_empty());
    assert!(by_hand.iter().any(|item| item["verdict"] == "f"));
    let rows = Rows::parse(&succeed(&["report", run, "--format", "json"], here));
    let count = |metric: &str| {
        let parts = ["part:verb", "part:adjective"];
        let values = parts.map(|part| rows.value("one", "lang:de", part, metric));
        values.iter().sum::<f64>() as usize
    };
    for (metric, letter) in [("female", "f"), ("male", "m"), ("neutral", "n")] {
        let shown = items
            .iter()
            .filter(|item| item["verdict"] == letter)
            .count();
        assert_eq!(shown, count(metric), "{metric}");
    }
}

/// `items` shows the verdicts of any choice that `report` can make.
#[test]
fn items_take_the_options_of_report() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let run = archived("wibemt");
    let run = run.to_str().unwrap();
    let rules = |options: &[&str]| {
        let lines = items(&[&[run], options].concat(), here);
        let rules = lines.iter().map(|item| item["rule"].to_string());
        rules.collect::<Vec<_>>()
    };
    assert_ne!(rules(&[]), rules(&["--judge", "published"]));
}

/// A card prints a number as the table of its benchmark does.
#[test]
fn summary_cards_have_the_decimals_of_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let run = archived("mbe");
    succeed(&["report", run.to_str().unwrap(), "-o", "page.html"], here);
    let page = std::fs::read_to_string(here.join("page.html")).unwrap();
    let card = page.split("<article class=\"card\">").nth(1).unwrap();
    let card = card.split("</article>").next().unwrap();
    assert!(card.contains("data-decimals=\"2\""), "{card}");
}

/// Two occupations that never differ leave nothing to test.
#[test]
fn what_cannot_be_tested_has_no_p_value() {
    let directory = tempfile::tempdir().unwrap();
    let run = archived("wibemt");
    let report = ["report", run.to_str().unwrap(), "--format", "json"];
    let report = [&report[..], &["--interval", "clustered"]].concat();
    let Rows(rows, signature) = Rows::parse(&succeed(&report, directory.path()));
    let tested = |row: &&Value| row["metric"] == "p_value";
    for row in rows
        .iter()
        .filter(tested)
        .filter(|row| row["group"] != "H1")
    {
        let same = |other: &&Value| {
            ["system", "unit", "group"]
                .iter()
                .all(|field| other[field] == row[field])
        };
        let mut others = rows.iter().filter(same);
        let difference = others.find(|other| other["metric"] == "delta_tfg").unwrap();
        assert!(difference["low"].is_number(), "{row}");
    }
    let signed = signature.contains("|test:");
    assert_eq!(signed, rows.iter().any(|row| tested(&row)), "{signature}");
}

/// A sample is that of the seed it was drawn by, whoever measures it with another.
#[test]
fn a_sample_is_signed_by_the_seed_that_drew_it() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let mut table = "GEST_ID\tSource\tStereotype_ID\tNeutral\tMasculine\tFeminine\n".to_owned();
    for id in 1..=64 {
        let text = format!("I am number {id}.");
        table += &format!("{id}\t{text}\t{}.0\t{text}\t\t\n", (id - 1) % 16 + 1);
    }
    write(here, "english.tsv", &table);
    let run = "run eurogest --data english.tsv --model random:1 --noun-frames --sample 40 --min-rows 1 --out r --format json";
    let run: Vec<&str> = run.split(' ').collect();
    let Rows(_, signature) = Rows::parse(&succeed(&run, here));
    assert!(signature.contains("|sample:40|"), "{signature}");
    assert!(signature.contains("|noun-frames:true|"), "{signature}");
    assert!(!signature.contains("asked-seed"), "{signature}");
    let other = ["report", "r", "--seed", "5", "--format", "json"];
    let Rows(_, signature) = Rows::parse(&succeed(&other, here));
    assert!(signature.contains("|asked-seed:0|seed:5|"), "{signature}");
    // What was chosen before the asking is not offered afterwards.
    let error = refuse(&["report", "r", "--as-published"], here);
    assert!(error.contains("--as-published"), "{error}");
}

#[test]
fn options_without_effect_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(
        here,
        "es.tsv",
        "labels\tsource\tf\tm\tkw_s\nPROF\tThe boss left.\tLa jefa salió.\tEl jefe salió.\tboss\n",
    );
    write(here, "es.txt", "La jefa salió.\n");
    let run = "run gate --data es.tsv --mt file:es.txt --lang es --out r";
    let run: Vec<&str> = run.split(' ').collect();
    for option in ["--wanted masculine", "--min-words 2", "--csv-quoting"] {
        let option: Vec<&str> = option.split(' ').collect();
        let error = refuse(&[&run[..], &option[..]].concat(), here);
        assert!(error.contains("has no effect with --task mt"), "{error}");
    }
    let rounded = ["report", "r", "--interval", "resampled"];
    succeed(&run, here);
    let error = refuse(&rounded, here);
    assert!(
        error.contains("`resampled` is none of clustered, published"),
        "{error}"
    );
    let pairs = archived("crows-pairs");
    let error = refuse(
        &["report", pairs.to_str().unwrap(), "--round", "99999"],
        here,
    );
    assert!(
        error.contains("--round: 99999 is not from 0 to 15"),
        "{error}"
    );
}

/// How options are chosen is a wish before the asking, and a fact afterwards.
#[test]
fn options_are_signed_as_they_were_chosen() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let mut table = "sentence,stereotype\n".to_owned();
    for id in 1..=16 {
        table += &format!("I am number {id}.,{id}\n");
    }
    write(here, "g.csv", &table);
    let run = "run gest-chat --data g.csv --frames choice --model random:1 --format json --out r";
    let run: Vec<&str> = run.split(' ').collect();
    let Rows(_, signature) = Rows::parse(&succeed(&run, here));
    assert!(!signature.contains("choice:auto"), "{signature}");
    assert!(signature.contains("|choice:"), "{signature}");
}
