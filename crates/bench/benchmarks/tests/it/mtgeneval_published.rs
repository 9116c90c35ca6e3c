//! MT-GenEval against the authors' script (shared/data/mtgeneval/golden.json): every constructed hypothesis of every language, line
//! by line where the decisions are given, and a real system.

use std::collections::BTreeMap;
use std::path::Path;

use crate::shared_files::{json, read_text, shared};
use crate::table_support::{Answered, card};
use epicene_bench::mtgeneval::{CARD, CONTEXT, SUBSET, WORDS};
use epicene_bench::{Benchmark, Options, find};
use epicene_core::{Answer, Item, Language, ModelKind, Outcome, Row, Scorer, TextFile, Unit};
use serde_json::Value;

fn mtgeneval() -> &'static dyn Benchmark {
    find(CARD.name).unwrap()
}

fn options(language: &str, subset: &str) -> Options {
    let mut options = Options::default()
        .with(&SUBSET, subset)
        .with(&CONTEXT, "none")
        .drawing(20, 10);
    options.languages = vec![Language::find(language).unwrap()];
    options
}

/// The files of a language as the program chooses them.
fn items(folder: &Path, options: &Options) -> Vec<Item> {
    let mut present = Vec::new();
    walk(folder, "", &mut present);
    let files: Vec<TextFile> = mtgeneval()
        .card()
        .choose_files(&present, options)
        .iter()
        .map(|name| {
            let mut file = read_text(&folder.join(format!("{name}.xz")));
            file.path = name.clone();
            file
        })
        .collect();
    mtgeneval().items(&files, options).unwrap()
}

fn walk(folder: &Path, prefix: &str, present: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{prefix}{name}/"), present);
        } else if let Some(plain) = name.strip_suffix(".xz") {
            present.push(format!("{prefix}{plain}"));
        }
    }
}

/// The recipes of golden.json; none needs a random generator.
fn hypothesis(recipe: &str, item: &Item, line: usize) -> String {
    let (own, other) = (
        item.label("reference").unwrap(),
        item.label("other").unwrap(),
    );
    let masculine = item.label("gender") == Some("masculine");
    match recipe {
        "own" => own.to_owned(),
        "other" => other.to_owned(),
        "swap30" if (line * 7919 + 13) % 10 < 3 => other.to_owned(),
        "swap30" => own.to_owned(),
        "mix" => {
            let theirs: Vec<&str> = other.split(' ').collect();
            let mixed: Vec<&str> = own
                .split(' ')
                .enumerate()
                .map(|(k, word)| match theirs.get(k) {
                    Some(word) if k % 2 == 1 => word,
                    _ => word,
                })
                .collect();
            mixed.join(" ")
        }
        "other_upper" => other.to_uppercase(),
        "other_curly" => {
            let pieces: Vec<String> = other
                .split(' ')
                .map(|word| format!("\u{201c}{word}\u{201d}"))
                .collect();
            pieces.join(", ")
        }
        "other_commas" => other.replace(' ', ","),
        "empty" => String::new(),
        "source" => item.text.clone(),
        "masculine_for_both" => if masculine { own } else { other }.to_owned(),
        "feminine_for_both" => if masculine { other } else { own }.to_owned(),
        _ => panic!("{recipe}"),
    }
}

struct Found {
    rows: BTreeMap<(String, String), Row>,
    outcomes: Vec<bool>,
    warnings: Vec<String>,
}

fn measure(items: &[Item], texts: Vec<String>, options: &Options) -> Found {
    let unit = Unit::into_language(options.languages[0]);
    let answers = texts.into_iter().map(Answer::Translation).collect();
    let mut system = card("s", ModelKind::Translator);
    system.source = "file:s".to_owned();
    let column = ((0, unit, Scorer::Translate), answers);
    let answered = Answered::new(mtgeneval(), items, vec![system], vec![column]);
    let verdicts = answered.verdicts(options);
    let outcomes = verdicts[0]
        .cells
        .iter()
        .map(|verdict| verdict.as_ref().unwrap().outcome == Some(Outcome::Correct))
        .collect();
    let measured = answered.measure(options).unwrap();
    Found {
        warnings: measured.warnings,
        rows: measured
            .rows
            .into_iter()
            .map(|row| ((row.group.clone(), row.metric.clone()), row))
            .collect(),
        outcomes,
    }
}

impl Found {
    fn value(&self, group: &str, metric: &str) -> f64 {
        self.rows[&(group.to_owned(), metric.to_owned())].value
    }
}

fn near(found: f64, wanted: &Value, what: &str) {
    let wanted = wanted.as_f64().unwrap();
    assert!(
        (found - wanted).abs() < 1e-9,
        "{what}: {found} instead of {wanted}"
    );
}

fn decisions(outcomes: &[bool]) -> String {
    outcomes
        .iter()
        .map(|right| if *right { '1' } else { '0' })
        .collect()
}

#[test]
fn the_counterfactual_sets_of_eight_languages() {
    let Some(folder) = shared("mtgeneval") else {
        return;
    };
    let golden = json(&folder.join("golden.json"));
    for (language, recipes) in golden["counterfactual"].as_object().unwrap() {
        let options = options(language, "counterfactual");
        let items = items(&folder, &options);
        assert_eq!(items.len(), 600, "{language}");
        for (recipe, wanted) in recipes.as_object().unwrap() {
            let what = format!("{language} {recipe}");
            let texts = if recipe == "apertium" {
                let part = |gender: &str| {
                    let name = format!("hypotheses/apertium.sentences-{gender}-test.en_es.es.xz");
                    let text = read_text(&folder.join(name)).text;
                    text.lines().map(str::to_owned).collect::<Vec<_>>()
                };
                [part("masculine"), part("feminine")].concat()
            } else {
                (0..600)
                    .map(|place| hypothesis(recipe, &items[place], place % 300))
                    .collect()
            };
            let found = measure(&items, texts, &options);
            near(
                found.value("masculine", "accuracy"),
                &wanted["accuracy_masculine"],
                &what,
            );
            near(
                found.value("feminine", "accuracy"),
                &wanted["accuracy_feminine"],
                &what,
            );
            near(
                found.value("counterfactual", "accuracy"),
                &wanted["accuracy"],
                &what,
            );
            for (name, range) in [("masculine", 0..300), ("feminine", 300..600)] {
                if let Some(line) = wanted[&format!("decisions_{name}")].as_str() {
                    assert_eq!(decisions(&found.outcomes[range]), line, "{what}");
                }
                let evidence = &wanted[&format!("evidence_{name}")];
                if evidence.is_object() {
                    for (ours, theirs) in [
                        ("own", "own_only"),
                        ("other", "other_only"),
                        ("both", "both"),
                        ("none", "none"),
                    ] {
                        near(found.value(name, ours), &evidence[theirs], &what);
                    }
                }
                if !wanted[&format!("bleu_{name}")].is_null() {
                    near(
                        found.value(name, "bleu"),
                        &wanted[&format!("bleu_{name}")],
                        &what,
                    );
                }
            }
            if !wanted["bleu_gap"].is_null() {
                near(
                    found.value("counterfactual", "gap_bleu"),
                    &wanted["bleu_gap"],
                    &what,
                );
            }
            // Theory: own references are always right, the gap of one side for both is extreme.
            match recipe.as_str() {
                "own" => {
                    assert_eq!(found.value("counterfactual", "gap"), 0.0, "{what}");
                    assert!(
                        (found.value("masculine", "bleu") - 100.0).abs() < 1e-9,
                        "{what}"
                    );
                    assert!(
                        (found.value("feminine", "chrf") - 100.0).abs() < 1e-9,
                        "{what}"
                    );
                }
                "masculine_for_both" => {
                    assert_eq!(found.value("masculine", "accuracy"), 1.0);
                    let floor = found.value("feminine", "floor");
                    assert_eq!(found.value("feminine", "accuracy"), floor, "{what}");
                    assert!(found.value("counterfactual", "gap") > 0.8, "{what}");
                    assert!(found.value("counterfactual", "p_gap") < 1e-9, "{what}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_contextual_sets_of_eight_languages() {
    let Some(folder) = shared("mtgeneval") else {
        return;
    };
    let golden = json(&folder.join("golden.json"));
    for (language, recipes) in golden["contextual"].as_object().unwrap() {
        let options = options(language, "contextual");
        let items = items(&folder, &options);
        for (recipe, wanted) in recipes.as_object().unwrap() {
            let what = format!("{language} {recipe}");
            let texts: Vec<String> = if recipe == "apertium" {
                let file = read_text(&folder.join("hypotheses/apertium.context-test.en_es.es.xz"));
                file.text.lines().map(str::to_owned).collect()
            } else {
                items
                    .iter()
                    .enumerate()
                    .map(|(line, item)| hypothesis(recipe, item, line))
                    .collect()
            };
            assert_eq!(items.len() as u64, wanted["n"].as_u64().unwrap(), "{what}");
            let found = measure(&items, texts, &options);
            near(
                found.value("contextual", "accuracy"),
                &wanted["accuracy"],
                &what,
            );
            if let Some(line) = wanted["decisions"].as_str() {
                assert_eq!(decisions(&found.outcomes), line, "{what}");
            }
            if language == "es" && recipe == "own" {
                let n = |gender: &str| {
                    let row = &found.rows[&(format!("contextual:{gender}"), "accuracy".to_owned())];
                    row.n.unwrap()
                };
                assert_eq!(
                    (n("masculine"), n("feminine"), n("unknown")),
                    (522, 480, 94)
                );
            }
        }
    }
}

/// A coin between the two references is right half of the time, beside the lines that cannot be wrong; splitting off every mark
/// finds words that typographic quotes hide.
#[test]
fn shuffled_references_are_at_chance_and_quotes_hide_words() {
    let Some(folder) = shared("mtgeneval") else {
        return;
    };
    let options = options("de", "counterfactual");
    let items = items(&folder, &options);
    let coins = epicene_stats::draw::coins(7, "shuffled", items.len());
    let texts = items
        .iter()
        .zip(coins)
        .map(|(item, own)| hypothesis(if own { "own" } else { "other" }, item, 0))
        .collect();
    let found = measure(&items, texts, &options);
    for gender in ["masculine", "feminine"] {
        let accuracy = found.value(gender, "accuracy");
        assert!((accuracy - 0.5).abs() < 0.09, "{gender} {accuracy}");
    }
    assert!((found.value("counterfactual", "accuracy") - 0.25).abs() < 0.08);
    let curly = || {
        (0..600)
            .map(|place| hypothesis("other_curly", &items[place], 0))
            .collect()
    };
    let published = measure(&items, curly(), &options);
    assert!(published.value("masculine", "accuracy") > 0.9);
    let unicode = measure(&items, curly(), &options.with(&WORDS, "unicode"));
    assert!(unicode.value("masculine", "accuracy") < 0.1);
}

/// The files' names say the gender; translations that show the other one throughout were exchanged.
#[test]
fn exchanged_files_are_said() {
    let Some(root) = shared("mtgeneval") else {
        return;
    };
    for language in ["ar", "de", "es", "fr", "hi", "it", "pt", "ru"] {
        let options = options(language, "counterfactual");
        let items = items(&root, &options);
        let said = |recipe: &str| {
            let texts = items.iter().enumerate();
            let texts = texts.map(|(line, item)| hypothesis(recipe, item, line));
            let warnings = measure(&items, texts.collect(), &options).warnings;
            warnings.iter().any(|said| said.contains("exchanged?"))
        };
        assert!(said("other"), "{language}");
        for recipe in ["own", "swap30", "masculine_for_both", "feminine_for_both"] {
            assert!(!said(recipe), "{language} {recipe}");
        }
    }
}
