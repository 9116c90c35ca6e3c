//! EuroGEST against values made by the authors' scripts (shared/data/eurogest, specification section 9): texts, token counts,
//! ratios in every definition, q, g_s, rankings, inclinations, and the filters of the data.

use std::collections::BTreeMap;
use std::path::Path;

use crate::shared_files::{json, read_text, shared};
use crate::table_support::{Answered, card};
use epicene_bench::eurogest::making::{Comparison, compare_translations, extract_quotation};
use epicene_bench::eurogest::preferences::{Preferences, inclinations, ranking, stereotype_rate};
use epicene_bench::eurogest::{AS_PUBLISHED, CARD, MIN_ROWS, SCORE, Score, scoring};
use epicene_bench::gest::stereotypes;
use epicene_bench::{Ask, Benchmark, Options, find};
use epicene_core::{Answer, Item, Language, ModelKind, Query, Scorer, TextFile, Unit};
use epicene_lm::{AlwaysModel, EngineOptions, RandomModel, System, TransformerModel};
use serde_json::Value;

fn eurogest() -> &'static dyn Benchmark {
    find(CARD.name).unwrap()
}

const LANGUAGES: [&str; 7] = [
    "English", "Spanish", "Russian", "Italian", "Catalan", "French", "Finnish",
];

/// The tiny data in the authors' frames.
fn tiny_items(folder: &Path, options: &Options) -> Vec<Item> {
    let mut files: Vec<TextFile> = LANGUAGES
        .iter()
        .map(|name| read_text(&folder.join(format!("dataset/{}.csv", name.to_lowercase()))))
        .collect();
    files.push(read_text(&folder.join("configs/prompt_scaffolds.json")));
    files.push(read_text(&folder.join("configs/punc_map.json")));
    eurogest().items(&files, options).unwrap()
}

pub fn tiny_model(folder: &Path, bos: bool) -> TransformerModel {
    let copy = tempfile::tempdir().unwrap();
    let from = folder.join("tiny_llama");
    for name in ["config.json", "model.safetensors", "tokenizer_config.json"] {
        std::fs::copy(from.join(name), copy.path().join(name)).unwrap();
    }
    let tokenizer = if bos {
        "tokenizer.json"
    } else {
        "tokenizer.no_bos.json"
    };
    std::fs::copy(from.join(tokenizer), copy.path().join("tokenizer.json")).unwrap();
    TransformerModel::open(copy.path(), EngineOptions::default()).unwrap()
}

fn ask(model: &dyn System, items: &[Item]) -> Vec<Answer> {
    let ask = Ask::new(Unit::named("pairs"), Scorer::TextPair);
    let queries: Vec<Query<'_>> = items
        .iter()
        .enumerate()
        .map(|(index, item)| Query {
            index,
            item: &item.id,
            unit: "pairs",
            question: eurogest().question(item, &ask),
        })
        .collect();
    model.answer(&queries).unwrap()
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!(
        (found - wanted).abs() <= tolerance * wanted.abs().max(1e-3),
        "{what}: {found} instead of {wanted}"
    );
}

fn item_of<'a>(items: &'a [Item], record: &Value) -> usize {
    let entry = record["language"].as_str().unwrap();
    let code = epicene_code(entry);
    let id = format!("eurogest:{code}:{}", record["gest_id"]);
    items
        .iter()
        .position(|item: &'a Item| item.id == id)
        .unwrap()
}

fn epicene_code(name: &str) -> &'static str {
    let all = (CARD.languages)();
    let language: &Language = all.iter().find(|language| language.name() == name).unwrap();
    language.code()
}

#[test]
fn the_present_script_row_by_row() {
    let Some(folder) = shared("eurogest") else {
        return;
    };
    let golden = json(&folder.join("golden.json"));
    let options = Options::default()
        .with(&AS_PUBLISHED, "true")
        .with(&SCORE, "whole-mean");
    let items = tiny_items(&folder, &options);
    for bos in [true, false] {
        let answers = ask(&tiny_model(&folder, bos), &items);
        let records = golden["current"].as_array().unwrap();
        let mut checked = 0;
        for record in records.iter().filter(|record| record["bos"] == bos) {
            let place = item_of(&items, record);
            let (item, answer) = (&items[place], &answers[place]);
            let what = format!("{} bos {bos}", item.id);
            assert_eq!(
                item.text,
                record["masculine_text"].as_str().unwrap(),
                "{what}"
            );
            assert_eq!(
                item.label("feminine"),
                record["feminine_text"].as_str(),
                "{what}"
            );
            assert_eq!(
                item.label("condition"),
                record["condition"].as_str(),
                "{what}"
            );
            let Answer::TextPair(pair) = answer else {
                panic!("{what}: {answer:?}");
            };
            assert_eq!(
                u64::from(pair.masculine.tokens),
                record["masc_tokens"],
                "{what}"
            );
            assert_eq!(
                u64::from(pair.feminine.tokens),
                record["fem_tokens"],
                "{what}"
            );
            let sum = |name: &str| -> f64 {
                let values = record[name].as_array().unwrap().iter();
                values.map(|value| value.as_f64().unwrap()).sum()
            };
            near(
                pair.masculine.whole.unwrap(),
                sum("masc_logprobs"),
                1e-5,
                &what,
            );
            near(
                pair.feminine.whole.unwrap(),
                sum("fem_logprobs"),
                1e-5,
                &what,
            );
            for (score, name) in [
                (Score::DivergenceMean, "default"),
                (Score::WholeMean, "whole"),
                (Score::DivergenceSum, "sum"),
                (Score::WholeSum, "whole_sum"),
            ] {
                let ratio = scoring::ratio(answer, score, true).unwrap();
                // The script sums in single precision.
                let tolerance = if name.contains("sum") { 1e-4 } else { 1e-5 };
                near(
                    ratio,
                    record[name]["ratio"].as_f64().unwrap(),
                    tolerance,
                    &format!("{what} {name}"),
                );
            }
            checked += 1;
        }
        assert_eq!(checked, 42);
    }
}

#[test]
fn the_script_of_december() {
    let Some(folder) = shared("eurogest") else {
        return;
    };
    let golden = json(&folder.join("golden.json"));
    for bos in [true, false] {
        let model = tiny_model(&folder, bos);
        let records: Vec<&Value> = golden["december_2025"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|record| record["bos"] == bos)
            .collect();
        // Punctuation was another then: the texts are taken as they are.
        let text = |record: &Value, name: &str| record[name].as_str().unwrap().to_owned();
        let items: Vec<Item> = records
            .iter()
            .map(|record| {
                Item::new("t", text(record, "masculine_text"))
                    .with_label("feminine", text(record, "feminine_text"))
            })
            .collect();
        for (record, answer) in records.iter().zip(ask(&model, &items)) {
            let what = text(record, "masculine_text");
            let ratio = |score| scoring::ratio(&answer, score, true).unwrap();
            let wanted = |name: &str| record[name].as_f64().unwrap();
            near(
                ratio(Score::WholeSumPerN),
                wanted("norm_ratio"),
                1e-4,
                &what,
            );
            near(ratio(Score::WholeSum), wanted("ratio"), 1e-4, &what);
        }
        assert_eq!(records.len(), 71);
    }
}

#[test]
fn summaries_of_synthetic_results() {
    let Some(folder) = shared("eurogest") else {
        return;
    };
    let golden = &json(&folder.join("golden.json"))["scoring"];
    for (number, language) in ["English", "Spanish", "Finnish", "Danish"]
        .iter()
        .enumerate()
    {
        let set = stereotypes::Set::default();
        let mut preferences = Preferences::default();
        for s in 1..=16usize {
            let rows = if *language == "Danish" && s == 6 {
                9
            } else {
                10 + (s + number) % 3
            };
            for r in 0..rows {
                let masculine = ((37 * r + 11 * s + 5 * number) % 97 + 1) as f64 / 100.0;
                let feminine = ((53 * r + 7 * s + 13 * number) % 89 + 1) as f64 / 100.0;
                let answer = Answer::Log10Ratio((masculine / feminine).log10());
                let ratio = scoring::ratio(&answer, Score::DivergenceMean, false).unwrap();
                preferences.add(s as u8, ratio);
            }
        }
        let q = preferences
            .means(&set, 10, &Options::default().drawing(2, 1))
            .unwrap()
            .q;
        for (id, wanted) in (1u8..).zip(golden["q"][language].as_array().unwrap()) {
            match wanted.as_f64() {
                Some(wanted) => near(q[&id], wanted, 1e-8, &format!("{language} q_{id}")),
                None => assert!(!q.contains_key(&id)),
            }
        }
        if *language == "Danish" {
            assert_eq!(stereotype_rate(&set, &q), None);
            continue;
        }
        near(
            stereotype_rate(&set, &q).unwrap(),
            golden["g_s"][language].as_f64().unwrap(),
            1e-8,
            language,
        );
        let labels: Vec<&str> = ranking(&q)
            .iter()
            .map(|id| stereotypes::all()[usize::from(*id) - 1].label)
            .collect();
        let wanted: Vec<&str> = golden["ranking"][language]
            .as_array()
            .unwrap()
            .iter()
            .map(|label| label.as_str().unwrap())
            .collect();
        assert_eq!(labels, wanted, "{language}");
        let inclined = inclinations(&set, &q).unwrap();
        for (id, wanted) in (1u8..).zip(golden["inclination"][language].as_array().unwrap()) {
            assert!(
                (inclined[&id] - wanted.as_f64().unwrap()).abs() < 1e-8,
                "{language} {id}"
            );
        }
    }
}

#[test]
fn the_filters_of_the_data() {
    let Some(folder) = shared("eurogest") else {
        return;
    };
    let golden = json(&folder.join("golden.json"));
    for case in golden["heuristic_filter"].as_array().unwrap() {
        // An absent translation is nobody's pair.
        if case["feminine"].is_null() {
            assert_eq!(case["result"], "Unknown");
            continue;
        }
        let text = |name: &str| case[name].as_str().unwrap();
        let most = |name: &str| case[name].as_u64().unwrap() as usize;
        let found = compare_translations(
            text("masculine"),
            text("feminine"),
            most("max_words"),
            most("max_letters"),
        );
        let (name, words) = match found {
            Comparison::Neutral => ("Neutral", Value::Null),
            Comparison::Unknown => ("Unknown", Value::Null),
            Comparison::Gendered(words) => {
                let words = words.into_iter().map(|(m, f)| Value::from(vec![m, f]));
                ("Gendered", Value::Array(words.collect()))
            }
        };
        assert_eq!(case["result"].as_str().unwrap_or("none"), name, "{case}");
        if name == "Gendered" {
            assert_eq!(case["words"], words, "{case}");
        }
    }
    for case in golden["quotation"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let wanted = case["extracted"].as_str().unwrap();
        match extract_quotation(text) {
            Some(found) => assert_eq!(found, wanted, "{text}"),
            None => assert!(wanted.starts_with("ERROR"), "{text}"),
        }
    }
}

/// The numbers of rows are those the authors print; gendered rows are asked as they are.
#[test]
fn nine_languages_have_the_authors_counts() {
    let Some(folder) = shared("eurogest") else {
        return;
    };
    let statistics =
        std::fs::read_to_string(folder.join("configs/language_statistics.csv")).unwrap();
    for name in [
        "bulgarian",
        "catalan",
        "czech",
        "finnish",
        "greek",
        "italian",
        "lithuanian",
        "spanish",
    ] {
        let file = read_text(&folder.join(format!("sentences/{name}.csv.xz")));
        let items = eurogest().items(&[file], &Options::default()).unwrap();
        let line = statistics
            .lines()
            .find(|line| line.to_lowercase().starts_with(&format!("{name},")))
            .unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        let count = |cell: &str| cell.parse::<f64>().unwrap_or(0.0) as usize;
        let gendered = items
            .iter()
            .filter(|item| item.label("condition") == Some("G"))
            .count();
        assert_eq!(items.len() - gendered, count(cells[1]), "{name}");
        assert_eq!(gendered, count(cells[2]), "{name}");
        assert!(
            items
                .iter()
                .all(|item| item.label("scaffolds") == Some("own-1"))
        );
        assert!(
            items
                .iter()
                .all(|item| Some(item.text.as_str()) != item.label("feminine")
                    || item.label("condition") == Some("G"))
        );
    }
}

fn measured(
    answers: &[Answer],
    items: &[Item],
    options: &Options,
) -> BTreeMap<(String, String, String), f64> {
    let systems = vec![card("s", ModelKind::Causal)];
    let place = (0, Unit::named("pairs"), Scorer::TextPair);
    let answered = Answered::new(eurogest(), items, systems, vec![(place, answers.to_vec())]);
    let rows = answered.measure(options).unwrap().rows;
    rows.into_iter()
        .map(|row| ((row.unit.to_string(), row.group, row.metric), row.value))
        .collect()
}

/// One preference for everything is no stereotype; a coin has none either; swapping the texts mirrors q.
#[test]
fn null_systems_and_mirrors() {
    let header = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n";
    let rows = |language: &str| -> String {
        (0..1600)
            .map(|row| format!("{row},I did {row}.,{},{language} {row}.,,\n", row % 16 + 1))
            .collect()
    };
    let file = |name: &str| TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text: format!("{header}{}", rows(name)),
    };
    let options = Options::default().drawing(100, 10);
    let items = eurogest()
        .items(&[file("danish.csv"), file("german.csv")], &options)
        .unwrap();
    assert_eq!(items.len(), 3200);
    let get =
        |found: &BTreeMap<(String, String, String), f64>, unit: &str, group: &str, metric: &str| {
            found[&(unit.to_owned(), group.to_owned(), metric.to_owned())]
        };
    let he = measured(&ask(&AlwaysModel::he(), &items), &items, &options);
    assert!((get(&he, "lang:da", "all", "g_s") - 1.0).abs() < 1e-12);
    assert!((get(&he, "lang:da", "stereotype:3", "q") - 1000.0 / 1001.0).abs() < 1e-9);
    assert_eq!(get(&he, "lang:de", "all", "preference"), 1.0);
    assert_eq!(get(&he, "all", "eu", "languages"), 2.0);
    let coin = measured(&ask(&RandomModel::new(5), &items), &items, &options);
    assert!((get(&coin, "lang:da", "all", "g_s") - 1.0).abs() < 0.05);
    assert!((get(&coin, "lang:da", "all", "preference") - 0.5).abs() < 0.05);
    // Every score gives a null system of one token the same.
    for score in ["whole-mean", "divergence-sum", "whole-sum-per-n"] {
        let other = options.clone().with(&SCORE, score);
        let again = measured(&ask(&AlwaysModel::he(), &items), &items, &other);
        assert_eq!(get(&again, "lang:da", "all", "preference"), 1.0, "{score}");
    }
    let mirrored: Vec<Answer> = ask(&RandomModel::new(5), &items)
        .into_iter()
        .map(|answer| match answer {
            Answer::TextPair(mut pair) => {
                let pair_mut = &mut *pair;
                std::mem::swap(&mut pair_mut.masculine, &mut pair_mut.feminine);
                Answer::TextPair(pair)
            }
            other => other,
        })
        .collect();
    let mirror = measured(&mirrored, &items, &options);
    let (one, other) = (
        get(&coin, "lang:de", "stereotype:7", "q"),
        get(&mirror, "lang:de", "stereotype:7", "q"),
    );
    assert!((one + other - 1.0).abs() < 1e-12);
    // Too few rows: no g_s, and a note says so.
    let strict = options.with(&MIN_ROWS, "101");
    let few = measured(&ask(&AlwaysModel::he(), &items), &items, &strict);
    assert!(!few.contains_key(&("lang:da".to_owned(), "all".to_owned(), "g_s".to_owned())));
}

/// Results of the script, read back.
#[test]
fn result_files_are_answers() {
    let table = TextFile {
        path: "danish.csv".to_owned(),
        name: "danish.csv".to_owned(),
        sha256: String::new(),
        text: "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n0,a,1,b,,\n1,a,9,c,,\n"
            .to_owned(),
    };
    let items = eurogest().items(&[table], &Options::default()).unwrap();
    let read = |text: &str| {
        let file = TextFile {
            path: "runs/bloom/danish.csv".to_owned(),
            name: "danish.csv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        };
        let files = [epicene_bench::AnswerFile::Models { file, kind: None }];
        eurogest().read_answers(&files, &items, &Options::default())
    };
    let sheets = read("GEST_ID,Condition,masc_prob,fem_prob\n1,P,0.2,0.1\n0,P,0.1,0.1\n").unwrap();
    assert_eq!(sheets[0].system, "bloom");
    let ratio = |place: usize| {
        scoring::ratio(&sheets[0].units[0].1[place], Score::DivergenceMean, false).unwrap()
    };
    assert!((ratio(0) - 0.5).abs() < 1e-15 && (ratio(1) - 2.0 / 3.0).abs() < 1e-12);
    for (text, message) in [
        (
            "GEST_ID,masc_prob,fem_prob\n0,0.1,0.1\n",
            "1 of 2 rows have no result",
        ),
        (
            "GEST_ID,masc_prob,fem_prob\n0,0,0.1\n",
            "a probability is 0",
        ),
        ("GEST_ID,masc_prob\n0,0.1\n", "no column `fem_prob`"),
    ] {
        assert!(read(text).unwrap_err().message.contains(message), "{text}");
    }
}
