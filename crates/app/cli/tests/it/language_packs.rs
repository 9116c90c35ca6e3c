//! Languages of one's own: the packs in `examples/language-packs`, and broken ones.

use std::path::{Path, PathBuf};

use crate::support::{Rows, refuse, run, succeed};

fn packs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/language-packs")
}

fn copied(here: &Path, code: &str) {
    let to = here.join(code);
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(packs().join(code)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// The share that a line of `check-pack` prints.
fn share(printed: &str, name: &str) -> f64 {
    let line = printed
        .lines()
        .find(|line| line.starts_with(&format!("{name}\t")));
    let line = line.unwrap_or_else(|| panic!("no {name} in {printed}"));
    line.split('\t').nth(1).unwrap().parse().unwrap()
}

#[test]
fn two_languages_that_are_not_built_in_are_read_well() {
    let directory = tempfile::tempdir().unwrap();
    for code in ["ast", "oc"] {
        let folder = packs().join(code);
        let printed = succeed(
            &["data", "check-pack", folder.to_str().unwrap()],
            directory.path(),
        );
        println!("{printed}");
        let gold = std::fs::read_to_string(folder.join("gold.tsv")).unwrap();
        let sentences = gold.lines().filter(|line| !line.starts_with('#')).count();
        assert!(sentences >= 200, "{code}: {sentences}");
        assert!(share(&printed, "precision") >= 0.98, "{code}: {printed}");
        assert!(share(&printed, "recall") >= 0.85, "{code}: {printed}");
        for direction in ["men", "women"] {
            assert!(share(&printed, direction) >= 0.85, "{code}: {printed}");
        }
        assert!(
            !printed.contains("m → f") && !printed.contains("f → m"),
            "{printed}"
        );
    }
}

#[test]
fn a_run_keeps_its_pack() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    copied(here, "ast");
    crate::support::synthetic_gest(&here.join("g.csv"), 40);
    let texts: Vec<&str> = ["Toi cansada.", "Toi cansáu.", "Trabayo en casa."]
        .into_iter()
        .cycle()
        .take(40)
        .collect();
    std::fs::write(here.join("t.txt"), texts.join("\n") + "\n").unwrap();
    let ask = [
        "run",
        "gest",
        "--data",
        "g.csv",
        "--mt",
        "nmt=file:t.txt",
        "--lang",
        "ast",
        "--trust-language",
        "--interval",
        "published",
        "--format",
        "json",
    ];
    assert!(refuse(&[&ask[..], &["--out", "none"]].concat(), here).contains("ast"));
    let first = succeed(
        &[&ask[..], &["--language-pack", "ast", "--out", "r"]].concat(),
        here,
    );
    let rows = Rows::parse(&first);
    assert!(
        rows.1.contains("|pack:ast|") && rows.1.contains("|check:language-pack@"),
        "{}",
        rows.1
    );
    assert!((rows.value("nmt", "lang:ast", "all", "f_m") - 0.5).abs() < 0.1);
    std::fs::remove_dir_all(here.join("ast")).unwrap();
    assert_eq!(succeed(&["report", "r", "--format", "json"], here), first);
    // In the data directory it needs no option.
    let cache = here.join("cache");
    copied(&cache.join("languages"), "ast");
    let output = crate::support::epicene()
        .args(["gender", "--lang", "ast", "t.txt"])
        .env("EPICENE_CACHE", &cache)
        .current_dir(here)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("f\tpredicate\tToi@0-3 cansada@4-11\t"),
        "{printed}"
    );
}

#[test]
fn a_broken_pack_is_refused_with_file_and_line() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    type Damage = fn(&str) -> String;
    let cases: [(&str, Damage, &str); 8] = [
        (
            "language.toml",
            |text| text.replace("verbs", "verb"),
            "language.toml, line 5: unknown variant",
        ),
        (
            "language.toml",
            |text| text.replace("\"open\"", "\"opened\""),
            "language.toml, line 6: there is no rule `opened`",
        ),
        (
            "language.toml",
            |text| text.replace("\"words.txt\"", "\"/etc/passwd\""),
            "is no file of the pack",
        ),
        (
            "language.toml",
            |text| text.replace("\"ast\"", "\"gl\""),
            "built-in detector",
        ),
        (
            "words.txt",
            |text| text.replace("[speaker]", "[speeker]"),
            "no such tag: speeker",
        ),
        (
            "words.txt",
            |text| format!("{text}[pairs\nbonu:bona\n"),
            "the section has no ] at its end",
        ),
        (
            "words.txt",
            |text| format!("{text}[pairs]\nbonu:bona:bones\n"),
            "not masculine:feminine: bonu:bona:bones",
        ),
        (
            "gold.tsv",
            |text| format!("x\tToi.\n{text}"),
            "is not m, f or u, a tab and a sentence",
        ),
    ];
    for (file, broken, expected) in cases {
        copied(here, "ast");
        let path = here.join("ast").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, broken(&text)).unwrap();
        let (code, _, said) = run(&["data", "check-pack", "ast"], here);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(expected) && said.contains("hint:"), "{said}");
    }
    for path in ["nowhere", "ast/words.txt"] {
        let said = refuse(&["data", "check-pack", path], here);
        assert!(said.contains("there is no such folder"), "{said}");
    }
    copied(here, "ast");
    let said = refuse(&["gender", "--lang", "oc", "--language-pack", "ast"], here);
    assert!(said.contains("is a pack of Asturian"), "{said}");
}
