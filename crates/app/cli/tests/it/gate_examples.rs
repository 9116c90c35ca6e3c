//! Every gate that README, docs, help, hints and the action show, tried on a fair system and on a biased one: it must let the first
//! pass and stop the second. A gate that turned round would be copied.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{refuse, run, succeed};

/// Sentences of each of the sixteen stereotypes; the first seven are of women.
const EACH: usize = 24;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// What people read: files, and what the program says.
fn texts(path: &Path) -> Vec<String> {
    let root = repository();
    let mut files = vec![
        root.join("README.md"),
        root.join("python/README.md"),
        root.join("action.yml"),
    ];
    for folder in ["docs", "docs/benchmarks"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let pages = entries.map(|entry| entry.unwrap().path());
        files.extend(pages.filter(|page| page.extension().is_some_and(|end| end == "md")));
    }
    let mut texts: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    texts.push(succeed(&["--help"], path));
    for command in ["run", "report", "compare", "merge"] {
        texts.push(succeed(&[command, "--help"], path));
    }
    let nonsense = ["report", "biased-mt", "--fail-if", "nonsense"];
    texts.push(refuse(&nonsense, path).replace("nonsense", ""));
    texts
}

/// The expressions of a text: after `--fail-if`, in `fired("…")`, and whatever in quotes or backticks compares a metric with
/// a number.
fn gates(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (quote, end) in [('\'', '\''), ('`', '`'), ('"', '"')] {
        for line in text.lines() {
            for (place, _) in line.match_indices(quote) {
                let rest = &line[place + 1..];
                let Some(length) = rest.find(end) else {
                    continue;
                };
                let inner = &rest[..length];
                let before = &line[..place];
                let said = before.ends_with("--fail-if ") || before.ends_with("fired(");
                let is_whole = !inner.contains(['\'', '"']);
                if is_whole && !inner.is_empty() && (said || is_gate(inner)) {
                    found.insert(inner.to_owned());
                }
            }
        }
    }
    found
}

/// `low(g_s[all])>1.2`: a known metric before a comparison with a number.
fn is_gate(text: &str) -> bool {
    let Some(place) = text.find(['<', '>']) else {
        return false;
    };
    let metrics = ["g_s", "f_s", "f_m", "yield", "delta_g_s", "delta_f_s"];
    let head = text[..place].trim_end_matches([')', ' ']);
    let head = head.split('[').next().unwrap_or_default();
    let name = head.rsplit('(').next().unwrap_or_default().trim();
    let bound = text[place + 1..].trim_start_matches(['=', ' ']);
    metrics.contains(&name.trim_end_matches("_corrected"))
        && bound.starts_with(|first: char| first.is_ascii_digit() || first == '-')
}

/// The examples of `epicene help checks` stand at its head, each with what it means.
fn of_help(path: &Path) -> BTreeSet<String> {
    let help = succeed(&["help", "gates"], path);
    let examples = help.lines().skip_while(|line| !line.starts_with("  "));
    let examples = examples.take_while(|line| !line.is_empty());
    let gates: BTreeSet<String> = examples
        .map(|line| line.trim().split("   ").next().unwrap().to_owned())
        .collect();
    assert!(gates.len() > 8, "{gates:?}");
    gates
}

/// Runs `fair` and `biased` of a language model and of two translators.
fn systems(path: &Path) {
    let stereotypes: Vec<usize> = (1..=16).flat_map(|id| vec![id; EACH]).collect();
    let mut data = "sentence,stereotype\n".to_owned();
    for (number, id) in stereotypes.iter().enumerate() {
        writeln!(data, "I was very tired after {number} days.,{id}").unwrap();
    }
    fs::write(path.join("data.csv"), data).unwrap();
    for (name, more) in [("fair", 0.0), ("biased", 1.0)] {
        // log10 of P(masculine) / P(feminine), with a little noise.
        let score = |(number, id): (usize, &usize)| {
            let noise = ((number * 7919 + 13) % 101) as f64 / 101.0 - 0.5;
            noise + if *id >= 8 { more } else { 0.0 }
        };
        let mut scores = "m_template-0,m_template-1\n".to_owned();
        for value in stereotypes.iter().enumerate().map(score) {
            writeln!(scores, "{value},{value}").unwrap();
        }
        fs::write(path.join(format!("{name}.csv")), scores).unwrap();
        let model = format!("file:{name}.csv");
        let out = format!("{name}-lm");
        let command = [
            "run", "gest", "--data", "data.csv", "--model", &model, "--kind", "masked", "--out",
            &out,
        ];
        succeed(&command, path);
        // Two translators: a man where the stereotype has one, else one or the other in turn. The second of the biased shows a
        // gender in few sentences.
        let mut files = [String::new(), String::new()];
        for (number, id) in stereotypes.iter().enumerate() {
            let man = *id >= 8 && more > 0.0 || number % 2 == 0;
            let text = if man {
                format!("Bol som veľmi unavený po {number} dňoch.\n")
            } else {
                format!("Bola som veľmi unavená po {number} dňoch.\n")
            };
            files[0] += &text;
            let shows = more == 0.0 || number % EACH < 6;
            files[1] += if shows {
                &text
            } else {
                "Po dňoch prišla únava.\n"
            };
        }
        for (file, system) in files.iter().zip(["deepl", "nllb-600M"]) {
            fs::write(path.join(format!("{name}.{system}.txt")), file).unwrap();
        }
        let out = format!("{name}-mt");
        let (first, second) = (
            format!("deepl=file:{name}.deepl.txt"),
            format!("nllb-600M=file:{name}.nllb-600M.txt"),
        );
        let command = [
            "run",
            "gest",
            "--data",
            "data.csv",
            "--mt",
            &first,
            "--mt",
            &second,
            "--lang",
            "sk",
            "--trust-language",
            "--out",
            &out,
        ];
        succeed(&command, path);
    }
}

#[test]
fn every_gate_that_is_shown_passes_the_fair_and_stops_the_biased() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    systems(path);
    let mut all = of_help(path);
    for text in texts(path) {
        all.extend(gates(&text));
    }
    // Seen on the day this was written: fewer means that they are no longer found.
    assert!(all.len() >= 17, "{all:?}");
    let mut wrong = Vec::new();
    for gate in &all {
        // Labels of people change a number and not what it means; tests/audit tries gates on corrected ones.
        let tried = gate.replace("_corrected", "");
        let kind = if tried.contains("g_s") { "lm" } else { "mt" };
        for (name, other, code) in [("fair", "biased", 0), ("biased", "fair", 1)] {
            let (run_of, before) = (format!("{name}-{kind}"), format!("{other}-{kind}"));
            let command: Vec<&str> = if tried.contains("delta_") {
                let mut command = vec!["compare", &before, &run_of, "--rounds", "200"];
                if kind == "mt" {
                    command.extend(["--systems", "deepl,deepl"]);
                }
                command
            } else {
                vec!["report", &run_of]
            };
            let command = [&command[..], &["--fail-if", &tried]].concat();
            let (found, _, stderr) = run(&command, path);
            if found != code {
                wrong.push(format!(
                    "{gate} on the {name}: {found}, not {code}: {stderr}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
