//! Every benchmark has a card that answers the same questions, and a page in docs/benchmarks that begins with
//! it. `EPICENE_UPDATE_DOCS=1 cargo test -p epicene --test it cards::` brings the pages up to date.

use std::path::{Path, PathBuf};

use crate::support::succeed;
use epicene_bench::Benchmark;
use epicene_report::card_fields;

/// What a card must say, in this order.
const FIELDS: [&str; 8] = [
    "What it measures",
    "Harms it looks for",
    "Languages",
    "Genders",
    "Data",
    "Licence",
    "Limits",
    "Cite",
];

/// Between the card and what was written for the page.
const SEAM: &str = "<!-- Above: the benchmark's card (epicene show). Below: written by hand. -->";

fn page(benchmark: &dyn Benchmark) -> PathBuf {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/benchmarks");
    // Files of means are another way into the same benchmark.
    docs.join(format!(
        "{}.md",
        benchmark.card().name.trim_end_matches("-means")
    ))
}

#[test]
fn cards_answer_every_question() {
    for benchmark in epicene_bench::ALL {
        let name = benchmark.card().name;
        let card = benchmark.card().text;
        assert!(card.starts_with("# "), "{name}");
        let fields = card_fields(card);
        for wanted in FIELDS {
            let field = fields.iter().find(|field| field.name == wanted);
            let field =
                field.unwrap_or_else(|| panic!("the card of {name} has no field `{wanted}`"));
            assert!(field.text.len() >= 8, "{name}: {wanted}");
            if wanted == "Genders" {
                assert!(
                    field.text.contains("Covered:") && field.text.contains("Not covered:"),
                    "{name}: which genders are covered, and which are not?"
                );
            }
        }
    }
}

/// Languages come and go with the judges; one table shows them all.
#[test]
fn every_language_is_listed_with_its_benchmarks() {
    let directory = tempfile::tempdir().unwrap();
    let listed = succeed(&["list", "languages"], directory.path());
    for benchmark in epicene_bench::ALL {
        let card = benchmark.card();
        for language in (card.languages)() {
            let line = listed
                .lines()
                .find(|line| line.split_whitespace().next() == Some(language.code()));
            let line = line.unwrap_or_else(|| panic!("{language} is not listed"));
            assert!(line.contains(language.name()), "{line}");
            assert!(line.contains(card.name), "{line}: {}", card.name);
        }
    }
}

#[test]
fn cards_are_shown_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let listed = succeed(&["list", "benchmarks"], directory.path());
    for benchmark in epicene_bench::ALL {
        assert!(listed.contains(benchmark.card().name));
        let shown = succeed(&["show", benchmark.card().name], directory.path());
        let text = benchmark.card().text;
        // The judge of the first person has figures by language, from a table of their own.
        if benchmark.card().name == "gest" {
            assert!(text.lines().all(|line| shown.contains(line)), "{shown}");
            assert!(shown.contains("\n- sk, `strict`: precision "), "{shown}");
        } else {
            assert_eq!(shown, text);
        }
    }
}

/// The card with a sentence below its title that says what the page is for, as every page has one.
fn with_opening(card: &epicene_bench::Card) -> String {
    let (title, rest) = card.text.split_once('\n').expect("a card has a title");
    let name = card.name.trim_end_matches("-means");
    format!(
        "{title}\n\nAfter this page you can run `{name}`, read its numbers and name its limits.\n{rest}"
    )
}

#[test]
fn every_benchmark_has_a_page_that_begins_with_its_card() {
    let update = std::env::var_os("EPICENE_UPDATE_DOCS").is_some();
    for benchmark in epicene_bench::ALL {
        let path = page(*benchmark);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let below = before.split_once(SEAM).map_or("\n", |(_, below)| below);
        let wanted = format!("{}\n{SEAM}{below}", with_opening(benchmark.card()));
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &wanted).unwrap();
        }
        let now = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            now == wanted,
            "{} does not begin with the card; EPICENE_UPDATE_DOCS=1 brings it up to date",
            path.display()
        );
        assert!(
            below.contains("## Running it") || update,
            "{}",
            path.display()
        );
    }
}

/// Files that speak of one paper or benchmark and decide nothing for others: what reproduces and prints papers, the demo, tools for
/// one benchmark's data.
const OF_ONE_BENCHMARK: [&str; 12] = [
    "app/cli/src/args/pairs.rs",
    "app/cli/src/args/papers.rs",
    "app/cli/src/args/sentences.rs",
    "app/cli/src/commands/check_sentences.rs",
    "app/cli/src/commands/demo/",
    "app/cli/src/commands/experiment_tables.rs",
    "app/cli/src/commands/human_machine.rs",
    "app/cli/src/commands/inducing.rs",
    "app/cli/src/commands/pairs.rs",
    "app/cli/src/commands/published.rs",
    "app/cli/src/commands/reproduce/",
    "app/cli/src/commands/validate_sentences.rs",
];

/// The code of crates without its tests: `epicene/src/main.rs` and what it says.
fn code(crates: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = crates
        .iter()
        .map(|name| root.join(name).join("src"))
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let shown = path.strip_prefix(&root).unwrap().display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if shown.ends_with(".rs") && !shown.contains("tests") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                found.push((shown, code.to_owned()));
            }
        }
    }
    found
}

/// The program and the report know benchmarks by their cards: nothing is decided by a name.
#[test]
fn no_benchmarks_name_decides() {
    let names: Vec<String> = epicene_bench::ALL
        .iter()
        .map(|benchmark| format!("\"{}\"", benchmark.card().name))
        // The word also says that data are of no catalogue.
        .filter(|name| name != "\"custom\"")
        .collect();
    let mut all = code(&["app/cli", "output/report"]);
    all.retain(|(shown, _)| {
        let own = |known: &&str| shown.starts_with(known);
        !OF_ONE_BENCHMARK.iter().any(own)
    });
    assert!(all.len() > 100, "{} files", all.len());
    let mut told = Vec::new();
    for (shown, code) in all {
        let named = names.iter().filter(|name| code.contains(*name));
        told.extend(named.map(|name| format!("{shown}: {name}")));
    }
    assert_eq!(told, Vec::<String>::new());
}

/// What a unit of a language looks like is known in one place (`epicene_core::Unit`); the others ask it.
#[test]
fn one_file_spells_the_unit_of_a_language() {
    let all = code(&[
        "app/cli",
        "output/audit",
        "bench/benchmarks",
        "base/core",
        "systems/mt",
        "app/pipeline",
        "output/report",
        "base/run",
        "output/view",
    ]);
    assert!(all.len() > 300, "{} files", all.len());
    // In a comment it may stand: only a string of the code begins with it.
    let spelt = all.iter().filter(|(_, code)| code.contains("\"lang:"));
    let spelt: Vec<&String> = spelt.map(|(shown, _)| shown).collect();
    assert_eq!(spelt, Vec::<&String>::new());
}
