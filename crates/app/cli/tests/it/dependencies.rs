//! What comes with the program: licences, bans and sources as `deny.toml` has them, read from cargo itself.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The strings of a list in `deny.toml`.
fn listed(text: &str, name: &str) -> Vec<String> {
    let start = text.find(&format!("\n{name} = [\n")).unwrap();
    let (list, _) = text[start..].split_once("\n]").unwrap();
    let lines = list.lines().skip(2);
    lines
        .map(|line| line.split('"').nth(1).unwrap().to_owned())
        .collect()
}

/// Whether a licence expression (SPDX) can be met with these licences. `/` is how `OR` used to be written.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words, allowed);
    assert!(rest.is_empty(), "{expression}");
    met
}

fn either<'a, 'w>(words: &'w [&'a str], allowed: &[String]) -> (bool, &'w [&'a str]) {
    let (mut met, mut rest) = both(words, allowed);
    while let ["OR", more @ ..] = rest {
        let (other, after) = both(more, allowed);
        (met, rest) = (met | other, after);
    }
    (met, rest)
}

fn both<'a, 'w>(words: &'w [&'a str], allowed: &[String]) -> (bool, &'w [&'a str]) {
    let (mut met, mut rest) = one(words, allowed);
    while let ["AND", more @ ..] = rest {
        let (other, after) = one(more, allowed);
        (met, rest) = (met & other, after);
    }
    (met, rest)
}

fn one<'a, 'w>(words: &'w [&'a str], allowed: &[String]) -> (bool, &'w [&'a str]) {
    let has = |name: &str| allowed.iter().any(|licence| licence == name);
    match words {
        ["(", inside @ ..] => match either(inside, allowed) {
            (met, [")", rest @ ..]) => (met, rest),
            (_, rest) => panic!("no closing bracket: {rest:?}"),
        },
        [name, "WITH", exception, rest @ ..] => (has(&format!("{name} WITH {exception}")), rest),
        [name, rest @ ..] => (has(name), rest),
        [] => (false, words),
    }
}

#[test]
fn licence_expressions() {
    let allowed = ["MIT", "Apache-2.0", "A WITH b"].map(str::to_owned);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("MIT/Apache-2.0", true),
        ("(GPL-3.0 OR MIT) AND Apache-2.0", true),
        ("A WITH b OR GPL-3.0", true),
        ("A WITH c", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}

#[test]
fn every_dependency_may_be_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let rules = std::fs::read_to_string(root.join("deny.toml")).unwrap();
    let (licences, banned) = (listed(&rules, "allow"), listed(&rules, "deny"));
    assert!(licences.len() > 5 && banned.contains(&"openssl-sys".to_owned()));
    let version = Command::new(env!("CARGO")).arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    // This platform alone: what is built here is there without a network.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", host.unwrap()])
        .current_dir(&root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&metadata.stderr);
    assert!(metadata.status.success(), "{said}");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let Some(source) = package["source"].as_str() else {
            assert!(name.starts_with("epicene"), "{name} comes from a path");
            // Nothing here is asynchronous but the viewer's server.
            let direct = package["dependencies"].as_array().unwrap().iter();
            let mut direct = direct.filter_map(|each| each["name"].as_str());
            let asynchronous = direct.find(|each| ["axum", "hyper", "tokio"].contains(each));
            assert!(
                asynchronous.is_none() || name == "epicene-view",
                "{name} needs {asynchronous:?}"
            );
            continue;
        };
        assert!(
            source.starts_with("registry+"),
            "{name} comes from {source}"
        );
        assert!(
            !banned.iter().any(|banned| banned == name),
            "{name} is banned"
        );
        let licence = package["license"].as_str().unwrap_or("");
        assert!(is_allowed(licence, &licences), "{name}: {licence}");
    }
}
