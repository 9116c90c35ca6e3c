//! `epicene align`: the original's output, an encoder against its reference, bad lines.

use crate::support;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use crate::support::{Rows, refuse, run, shared, succeed};
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[test]
fn winomt_is_aligned_as_by_the_original_whatever_the_threads() {
    let Some(translations) = shared("winomt/translations/google/en-de.txt.gz") else {
        return;
    };
    let expected = unpacked(&shared("winomt/fast_align/google/en-de.align.gz").unwrap());
    let directory = tempfile::tempdir().unwrap();
    let path = translations.to_str().unwrap();
    for threads in ["1", "2", "5"] {
        let found = succeed(&["align", path, "--threads", threads], directory.path());
        assert!(found == expected, "{threads} threads");
    }
    let both = ["align", path, "--symmetrise", "grow-diag-final-and"];
    let grown = succeed(&both, directory.path());
    assert_eq!(grown.lines().count(), expected.lines().count());
    assert_ne!(grown, expected);
}

#[test]
fn plain_text_gzip_and_standard_input_are_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let text = "a b ||| x y\na c ||| x z\nb ||| y\n";
    fs::write(directory.path().join("plain.txt"), text).unwrap();
    let packed = File::create(directory.path().join("packed.gz")).unwrap();
    let mut encoder = GzEncoder::new(packed, flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap();
    let plain = succeed(&["align", "plain.txt"], directory.path());
    assert_eq!(plain, "0-0 1-1\n0-0 1-1\n0-0\n");
    assert_eq!(succeed(&["align", "packed.gz"], directory.path()), plain);
    let piped = support::epicene()
        .arg("align")
        .write_stdin(text)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), plain);
}

#[test]
fn bad_lines_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(directory.path().join("in.txt"), text).unwrap();
    write("a ||| x\nno bars\n");
    let (code, stdout, stderr) = run(&["align", "in.txt"], directory.path());
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(
        stderr.contains("in.txt, line 2: there is no ` ||| `"),
        "{stderr}"
    );
    // An empty translation is the translator's doing: no links, and a warning.
    write("a ||| x\na ||| \n||| x\na |||\n");
    let (code, stdout, stderr) = run(&["align", "in.txt"], directory.path());
    assert_eq!((code, stdout.as_str()), (0, "0-0\n\n\n\n"), "{stderr}");
    assert!(
        stderr.contains("3 lines have an empty side and get no links, first: line 2"),
        "{stderr}"
    );
    for (arguments, message) in [
        (
            vec!["align", "in.txt", "--symmetrise", "both"],
            "none of forward, reverse",
        ),
        (vec!["align", "none.txt"], "none.txt"),
        (vec!["align", "in.txt", "--layer", "3"], "--encoder"),
    ] {
        let (code, _, stderr) = run(&arguments, directory.path());
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn encoders_link_as_their_reference() {
    let golden: Vec<Value> =
        serde_json::from_str(include_str!("../golden/encoder_align.json")).unwrap();
    let mut cases: BTreeMap<(String, u64, String), Vec<&Value>> = BTreeMap::new();
    for case in &golden {
        let key = (
            case["checkpoint"].as_str().unwrap().to_owned(),
            case["layer"].as_u64().unwrap(),
            case["threshold"].to_string(),
        );
        cases.entry(key).or_default().push(case);
    }
    assert!(cases.len() > 20);
    let directory = tempfile::tempdir().unwrap();
    for ((checkpoint, layer, threshold), cases) in cases {
        let field = |case: &Value, name: &str| case[name].as_str().unwrap().to_owned();
        let mut text = String::new();
        let mut expected = String::new();
        for case in cases {
            text.push_str(&format!(
                "{} ||| {}\n",
                field(case, "source"),
                field(case, "target")
            ));
            expected.push_str(&format!("{}\n", field(case, "links")));
        }
        fs::write(directory.path().join("pairs.txt"), text).unwrap();
        let checkpoints = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../engine/engine/tests/checkpoints"
        );
        let spec = format!("dir:{checkpoints}/{checkpoint}");
        let found = succeed(
            &[
                "align",
                "--encoder",
                &spec,
                "--layer",
                &layer.to_string(),
                "--threshold",
                &threshold,
                "pairs.txt",
            ],
            directory.path(),
        );
        assert_eq!(found, expected, "{checkpoint}, layer {layer}, {threshold}");
    }
    let spec = concat!(
        "dir:",
        env!("CARGO_MANIFEST_DIR"),
        "/../../engine/engine/tests/checkpoints/bert"
    );
    let (code, _, stderr) = run(
        &["align", "--encoder", spec, "--layer", "99", "pairs.txt"],
        directory.path(),
    );
    assert_eq!(code, 2);
    assert!(stderr.contains("there is no layer 99"), "{stderr}");
}

/// The tiny BERT of the engine's tests, by its first layer.
fn tiny_encoder() -> (String, String) {
    let checkpoint = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../engine/engine/tests/checkpoints/bert"
    );
    (
        format!("dir:{checkpoint}"),
        format!("encoder:1:dir:{checkpoint}"),
    )
}

/// Three sentences of WinoMT's form with translations into German.
fn winomt(here: &Path) {
    let data = here.join("winomt");
    fs::create_dir(&data).unwrap();
    let lines = [
        (
            "female\t1\tThe farmer ran because she was late.\tfarmer\n",
            "Die Bäuerin rannte.",
        ),
        (
            "male\t1\tThe nurse ran because he was late.\tnurse\n",
            "Die Krankenschwester rannte.",
        ),
        (
            "neutral\t1\tThe guest ran because they were late.\tguest\n",
            "Der Gast rannte.",
        ),
    ];
    let sources: String = lines.iter().map(|(source, _)| *source).collect();
    fs::write(data.join("en.txt"), sources).unwrap();
    let translations: String = lines
        .iter()
        .map(|(_, target)| format!("{target}\n"))
        .collect();
    fs::write(here.join("m.de.txt"), translations).unwrap();
    let bars: String = lines
        .iter()
        .map(|(source, target)| format!("{} ||| {target}\n", source.split('\t').nth(2).unwrap()))
        .collect();
    fs::write(here.join("bars.txt"), bars).unwrap();
}

const RUN: [&str; 10] = [
    "run",
    "winomt",
    "--data",
    "winomt/en.txt",
    "--mt",
    "m=file:m.de.txt",
    "--lang",
    "de",
    "--format",
    "json",
];

/// The run by one of the judges, with more words.
fn judged<'a>(judge: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], &["--judge", judge], more].concat()
}

#[test]
fn a_run_keeps_the_links_of_its_encoder_and_they_are_those_of_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    winomt(here);
    let (spec, aligner) = tiny_encoder();
    let links = succeed(
        &["align", "--encoder", &spec, "--layer", "1", "bars.txt"],
        here,
    );
    fs::write(here.join("links.txt"), &links).unwrap();
    for judge in ["default", "published"] {
        let own = format!("given-{judge}");
        let given = judged(judge, &["--input", "align:de=links.txt", "--out", &own]);
        let given = Rows::parse(&succeed(&given, here));
        let idle = [
            "--input",
            "align:de=links.txt",
            "--aligner",
            &aligner,
            "--out",
            "idle",
        ];
        let error = refuse(&judged(judge, &idle), here);
        assert!(
            error.contains("--aligner has no effect here; it is for translations without"),
            "{error}"
        );
        assert!(!here.join("idle").exists());
        let out = format!("made-{judge}");
        let made = judged(judge, &["--aligner", &aligner, "--out", &out]);
        let first = Rows::parse(&succeed(&made, here));
        assert_eq!(first.0, given.0, "{judge}");
        assert!(first.1.contains("|aligner:encoder(bert,"), "{}", first.1);
        assert!(first.1.contains(",layer-1)|"), "{}", first.1);
        assert_eq!(
            fs::read_to_string(here.join(&out).join("links/0.align")).unwrap(),
            links
        );
        // Nobody needs the encoder to measure the run again, and a plain run gets its links later.
        let report = Rows::parse(&succeed(&["report", &out, "--format", "json"], here));
        assert_eq!(report.0, first.0);
        let plain = format!("plain-{judge}");
        let before = Rows::parse(&succeed(&judged(judge, &["--out", &plain]), here));
        assert!(!before.1.contains("encoder"), "{}", before.1);
        succeed(
            &["align", "--run", &plain, "--encoder", &spec, "--layer", "1"],
            here,
        );
        let after = Rows::parse(&succeed(&["report", &plain, "--format", "json"], here));
        assert_eq!((after.0, after.1), (first.0, first.1));
        // Links of a question that was never asked are refused, not passed over.
        let odd = here.join(&plain);
        support::edit_manifest(&odd, |manifest| {
            let links = manifest["aligner"]["links"].as_object_mut().unwrap();
            let hash = links.remove("0").unwrap();
            links.insert("7".to_owned(), hash);
        });
        fs::rename(odd.join("links/0.align"), odd.join("links/7.align")).unwrap();
        let error = refuse(&["report", &plain], here);
        assert!(
            error.contains("7.align: the run asked no question number 7"),
            "{error}"
        );
        // The same command goes on; links that were changed are refused.
        succeed(&made, here);
        fs::write(here.join(&out).join("links/0.align"), "\n\n\n").unwrap();
        let error = refuse(&["report", &out], here);
        assert!(error.contains("0.align: not the links"), "{error}");
    }
}

#[test]
fn an_encoder_that_cannot_be_used_is_refused_before_anything_is_asked() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    winomt(here);
    let (spec, aligner) = tiny_encoder();
    for (given, message) in [
        ("encoder:dir:nowhere", "nowhere"),
        ("fast_align", "none of `built-in`"),
        (&format!("encoder:{spec}"), "layer"),
    ] {
        let error = refuse(
            &[&RUN[..], &["--aligner", given, "--out", "out"]].concat(),
            here,
        );
        assert!(error.contains(message), "{error}");
        assert!(!here.join("out").exists(), "{given}");
    }
    let error = refuse(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            "random:1",
            "--aligner",
            &aligner,
        ],
        here,
    );
    assert!(
        error.contains("it is an option of unambiguous, winomt"),
        "{error}"
    );
    // A shard has no links of its own: the merged run gets them.
    for shard in ["1/2", "2/2"] {
        let out = format!("part{}", &shard[..1]);
        succeed(
            &[
                &RUN[..],
                &["--aligner", &aligner, "--shard", shard, "--out", &out],
            ]
            .concat(),
            here,
        );
    }
    let error = refuse(&["merge", "part1", "part2", "--out", "whole"], here);
    assert!(error.contains("are not there yet"), "{error}");
    succeed(
        &[
            "align",
            "--run",
            "whole",
            "--encoder",
            &spec,
            "--layer",
            "1",
        ],
        here,
    );
    let whole = Rows::parse(&succeed(&["report", "whole", "--format", "json"], here));
    let alone = Rows::parse(&succeed(
        &[&RUN[..], &["--aligner", &aligner, "--out", "alone"]].concat(),
        here,
    ));
    assert_eq!(whole.0, alone.0);
}
