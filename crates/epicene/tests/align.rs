//! `epicene align`: the original's output, an encoder against its reference, bad lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use support::{run, shared, succeed};

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
        serde_json::from_str(include_str!("golden/encoder_align.json")).unwrap();
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
            "/../epicene-lm/tests/checkpoints"
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
        "/../epicene-lm/tests/checkpoints/bert"
    );
    let (code, _, stderr) = run(
        &["align", "--encoder", spec, "--layer", "99", "pairs.txt"],
        directory.path(),
    );
    assert_eq!(code, 2);
    assert!(stderr.contains("there is no layer 99"), "{stderr}");
}
