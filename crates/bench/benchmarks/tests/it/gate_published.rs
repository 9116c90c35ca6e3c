//! GATE against the authors' GateEval (rewriters) and the reference implementation of the protocol for translators
//! (shared/data/gate: golden.json, reference.py).

use std::collections::BTreeMap;
use std::path::Path;

use crate::shared_files::{json, read_text, shared};
use crate::table_support::Answered;
use epicene_bench::gate::{CARD, CSV_QUOTING, FULL_SET_RECALL, MAX_WORDS, TASK, WANTED};
use epicene_bench::options::INTERVAL;
use epicene_bench::{Benchmark, Options, find};
use epicene_core::{Answer, Finding, Item, Language, Row};
use serde_json::Value;

fn gate() -> &'static dyn Benchmark {
    find(CARD.name).unwrap()
}

fn options(language: &str) -> Options {
    let mut options = Options::default().drawing(20, 10);
    options.languages = vec![Language::find(language).unwrap()];
    options
}

fn items(folder: &Path, options: &Options) -> Vec<Item> {
    let file = read_text(&folder.join(format!("gate.{}.jsonl.xz", options.languages[0])));
    gate().items(&[file], options).unwrap()
}

fn variants(item: &Item) -> BTreeMap<String, String> {
    serde_json::from_str(item.label("variants").unwrap()).unwrap()
}

fn answered(items: &[Item], texts: Vec<String>, options: &Options) -> Answered {
    let unit = format!("lang:{}", options.languages[0]);
    let answers = texts.into_iter().map(Answer::Translation).collect();
    Answered::translations(gate(), items, ("s", &unit), answers)
}

fn rows(answered: &Answered, options: &Options) -> BTreeMap<(String, String), Row> {
    let rows = answered.measure(options).unwrap().rows;
    rows.into_iter()
        .map(|row| ((row.group.clone(), row.metric.clone()), row))
        .collect()
}

/// The variant in which the first entity has one letter and all others the other.
fn variant(item: &Item, first: char, rest: char) -> String {
    let variants = variants(item);
    let entities = variants.keys().next().unwrap().len();
    let code: String = (0..entities)
        .map(|place| if place == 0 { first } else { rest })
        .collect();
    variants[&code].clone()
}

fn plain(recipe: &str, item: &Item) -> String {
    match recipe {
        "all_masculine" => variant(item, 'm', 'm'),
        "all_feminine" => variant(item, 'f', 'f'),
        "first_masculine_rest_feminine" => variant(item, 'm', 'f'),
        "upper_masculine" => variant(item, 'm', 'm').to_uppercase(),
        "source" => item.text.clone(),
        _ => panic!("{recipe}"),
    }
}

const COUNTS: [&str; 6] = [
    "masculine",
    "feminine",
    "mixed",
    "neutral",
    "unmatched",
    "no_contrast",
];

fn check(rows: &BTreeMap<(String, String), Row>, group: &str, wanted: &Value, what: &str) {
    let row = |metric: &str| rows.get(&(group.to_owned(), metric.to_owned()));
    for metric in COUNTS {
        let found = row(metric).map_or(0.0, |row| row.value);
        assert_eq!(
            found,
            wanted[metric].as_f64().unwrap(),
            "{what} {group} {metric}"
        );
    }
    for metric in ["masculine_share", "decided_share"] {
        match wanted[metric].as_f64() {
            Some(share) => {
                let found = row(metric).unwrap().value;
                assert!(
                    (found - share).abs() < 1e-12,
                    "{what} {group} {metric}: {found}"
                );
            }
            None => assert!(row(metric).is_none(), "{what} {group} {metric}"),
        }
    }
}

fn letter(finding: Finding) -> char {
    match finding {
        Finding::Masculine => 'M',
        Finding::Feminine => 'F',
        Finding::Both => 'X',
        Finding::Common => 'N',
        Finding::NotFound => 'U',
        Finding::Unmarked => '-',
        other => panic!("{other}"),
    }
}

#[test]
fn translators_by_the_reference_implementation() {
    let Some(folder) = shared("gate") else { return };
    let golden = json(&folder.join("golden.json"));
    for (language, recipes) in golden["plain_mt"].as_object().unwrap() {
        let options = options(language);
        let items = items(&folder, &options);
        for (recipe, wanted) in recipes.as_object().unwrap() {
            let what = format!("{language} {recipe}");
            let texts: Vec<String> = if recipe == "apertium" {
                let file = read_text(&folder.join("hypotheses/apertium.gate.es.xz"));
                file.text.lines().map(str::to_owned).collect()
            } else {
                items.iter().map(|item| plain(recipe, item)).collect()
            };
            let answered = answered(&items, texts, &options);
            let rows = rows(&answered, &options);
            check(&rows, "all", &wanted["sentences"], &what);
            check(&rows, "entities", &wanted["entities"], &what);
            let weak = rows[&("entities".to_owned(), "weak".to_owned())].value;
            assert_eq!(weak, wanted["entities"]["weak"].as_f64().unwrap(), "{what}");
            if let Some(groups) = wanted["groups"].as_object() {
                for (group, wanted) in groups {
                    check(&rows, &group.replace('=', ":"), wanted, &what);
                }
            }
            if let Some(letters) = wanted["verdicts"].as_str() {
                let verdicts = answered.verdicts(&options);
                let found: String = verdicts[0]
                    .cells
                    .iter()
                    .map(|verdict| letter(verdict.as_ref().unwrap().finding))
                    .collect();
                assert_eq!(found, letters, "{what}");
            }
        }
    }
}

#[test]
fn rewriters_by_the_authors_script() {
    let Some(folder) = shared("gate") else { return };
    let golden = json(&folder.join("golden.json"));
    for (language, settings) in golden["rewriter"].as_object().unwrap() {
        let options = options(language)
            .with(&TASK, "rewrite")
            .with(&CSV_QUOTING, "true");
        let items = items(&folder, &options);
        for (setting, wanted) in settings.as_object().unwrap() {
            let what = format!("{language} {setting}");
            let masculine =
                setting.contains("masculine") || setting.contains("f2m") || setting == "silent";
            let texts = items
                .iter()
                .enumerate()
                .map(|(place, item)| {
                    let (m, f) = (variant(item, 'm', 'm'), variant(item, 'f', 'f'));
                    let k = (place * 7919 + 13) % 10;
                    match setting.as_str() {
                        "perfect_masculine" | "copy_m2f" => m,
                        "copy_f2m" => f,
                        "silent" => String::new(),
                        name if name.starts_with("partial") => {
                            let (right, wrong) = if masculine { (m, f) } else { (f, m) };
                            match k {
                                0..5 => right,
                                5..7 => wrong,
                                _ => String::new(),
                            }
                        }
                        _ => panic!("{setting}"),
                    }
                })
                .collect();
            let mut own = options.clone();
            own = own.with(&WANTED, if masculine { "masculine" } else { "feminine" });
            if setting.contains("max10") {
                own = own.with(&MAX_WORDS, "10");
            }
            if setting.contains("full") {
                own = own.with(&FULL_SET_RECALL, "true");
            }
            let found = rows(&answered(&items, texts, &own), &own);
            for (label, row) in wanted["rows"].as_object().unwrap() {
                let group = if label == "Overall" {
                    "all".to_owned()
                } else {
                    format!("label:{label}")
                };
                let value = |metric: &str| found[&(group.clone(), metric.to_owned())].value;
                let what = format!("{what} {label}");
                assert_eq!(value("matches"), row["matches"].as_f64().unwrap(), "{what}");
                assert_eq!(
                    value("mismatches"),
                    row["mismatches"].as_f64().unwrap(),
                    "{what}"
                );
                let recall = &found[&(group.clone(), "recall".to_owned())];
                assert_eq!(recall.n, row["count"].as_u64(), "{what}");
                for (ours, theirs) in [
                    ("precision", "precision"),
                    ("recall", "recall"),
                    ("f05", "f0.5"),
                ] {
                    assert_eq!(
                        format!("{:.2}", value(ours)),
                        row[theirs].as_str().unwrap(),
                        "{what} {ours}"
                    );
                }
            }
        }
    }
}

/// All variants of a tuple as alternatives are perfect; one of them is half.
#[test]
fn alternatives_that_are_the_variants() {
    let Some(folder) = shared("gate") else { return };
    let options = options("it").with(&TASK, "alternatives");
    let items = items(&folder, &options);
    let all = |item: &Item| {
        let mut variants: Vec<(String, String)> = variants(item).into_iter().collect();
        variants.sort_by(|a, b| b.0.cmp(&a.0));
        let texts: Vec<String> = variants.into_iter().map(|(_, text)| text).collect();
        texts.join("\t")
    };
    let found = rows(
        &answered(&items, items.iter().map(all).collect(), &options),
        &options,
    );
    let value = |metric: &str| found[&("variants".to_owned(), metric.to_owned())].value;
    assert_eq!(
        (value("precision"), value("recall"), value("f05")),
        (1.0, 1.0, 1.0)
    );
    let one = |item: &Item| variant(item, 'm', 'm');
    let found = rows(
        &answered(&items, items.iter().map(one).collect(), &options),
        &options,
    );
    let value = |metric: &str| found[&("variants".to_owned(), metric.to_owned())].value;
    assert_eq!(value("precision"), 1.0);
    assert!(value("recall") < 0.52);
    assert!(found[&("all".to_owned(), "gap_bleu".to_owned())].value > 0.0);
}

/// The masculine variants as a system's output are masculine wherever they are decided, the feminine ones nowhere; a coin
/// between both is at one half.
#[test]
fn the_two_sides_are_the_ends_and_a_coin_is_between() {
    let Some(folder) = shared("gate") else { return };
    for language in ["es", "fr", "it"] {
        let options = options(language);
        let items = items(&folder, &options);
        let row = |texts: Vec<String>| {
            let found = rows(&answered(&items, texts, &options), &options);
            found[&("all".to_owned(), "masculine_share".to_owned())].clone()
        };
        let side = |letter: char| {
            let texts = items.iter().map(|item| variant(item, letter, letter));
            row(texts.collect()).value
        };
        assert_eq!((side('m'), side('f')), (1.0, 0.0), "{language}");
        let coins = epicene_stats::draw::coins(7, "shuffled", items.len());
        let drawn = items.iter().zip(coins).map(|(item, coin)| {
            let letter = if coin { 'm' } else { 'f' };
            variant(item, letter, letter)
        });
        let coin = row(drawn.collect());
        let (low, high) = (coin.low.unwrap(), coin.high.unwrap());
        assert!(low < 0.5 && 0.5 < high, "{language}: {low} {high}");
    }
}

/// Apertium's Spanish "driver" is feminine in every source about one: by occupation, which is what was sampled, the stereotype
/// that runs backwards may be none.
#[test]
fn the_stereotype_is_by_occupation() {
    let Some(folder) = shared("gate") else { return };
    let mut options = options("es");
    let items = items(&folder, &options);
    let file = read_text(&folder.join("hypotheses/apertium.gate.es.xz"));
    let texts: Vec<String> = file.text.lines().map(str::to_owned).collect();
    let stereotype = |options: &Options| {
        let found = rows(&answered(&items, texts.clone(), options), options);
        found[&("all".to_owned(), "stereotype".to_owned())].clone()
    };
    let row = stereotype(&options);
    assert!((row.value + 0.231).abs() < 5e-4, "{row:?}");
    let (low, high) = (row.low.unwrap(), row.high.unwrap());
    assert!(
        (low + 0.599).abs() < 1e-3 && (high - 0.046).abs() < 1e-3,
        "{row:?}"
    );
    assert!(row.k.unwrap() < row.n.unwrap(), "{row:?}");
    options = options.with(&INTERVAL, "published");
    let row = stereotype(&options);
    assert!(row.high.unwrap() < -0.1 && row.k.is_none(), "{row:?}");
}
