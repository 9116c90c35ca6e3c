//! `reproduce` on directories laid out like the authors' repositories as they are cloned. The files come from `../shared/data`; what
//! is not there is synthetic in the true layout.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::support::{refuse, shared, succeed};

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn put(path: PathBuf, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn reproduced(paper: &str, clone: &Path) -> Value {
    let place = tempfile::tempdir().unwrap();
    let clone = clone.display().to_string();
    let line = ["reproduce", paper, "--data", &clone, "--format", "json"];
    serde_json::from_str(&succeed(&line, place.path())).unwrap()
}

fn records<'a>(whole: &'a Value, place: &str) -> Vec<&'a Value> {
    let all = whole["records"].as_array().unwrap().iter();
    all.filter(|record| record["place"] == place).collect()
}

/// Printed, compared and equal numbers of a place.
fn counts(whole: &Value, place: &str) -> [u64; 3] {
    let counts = &whole["places"][place];
    ["printed", "compared", "equal"].map(|key| counts[key].as_u64().unwrap_or_default())
}

fn computed(whole: &Value, place: &str) -> usize {
    let all = whole["computed"].as_array().unwrap().iter();
    all.filter(|one| one["place"] == place).count()
}

/// Counts are those of the records; every difference has a reason of the closed list.
fn is_counted_honestly(whole: &Value) {
    let all = whole["records"].as_array().unwrap();
    let compared = all.iter().filter(|record| !record["ours"].is_null());
    let equal = all.iter().filter(|record| record["equal"] == true);
    assert_eq!(whole["counts"]["printed"], all.len());
    assert_eq!(whole["counts"]["compared"], compared.count());
    assert_eq!(whole["counts"]["equal"], equal.count());
    let reasons = [
        "unseeded bootstrap",
        "parses unpublished",
        "checkpoint needed",
        "paper contradicts its own data",
        "human labels unpublished",
        "data unpublished",
    ];
    let mut cells = BTreeSet::new();
    for record in all {
        let reason = record["reason"].as_str();
        assert_eq!(reason.is_none(), record["equal"] == true, "{record}");
        let known =
            |reason: &str| reasons.contains(&reason) || reason.starts_with("file missing: ");
        assert!(reason.is_none_or(known), "{record}");
        let cell = ["place", "row", "column"].map(|key| record[key].as_str().unwrap().to_owned());
        assert!(cells.insert(cell), "twice: {record}");
    }
}

/// github.com/kinit-sk/gest: one file of scores for each model and template, plain text.
fn gest_clone(root: &Path) -> bool {
    let Some(gest) = shared("gest") else {
        return false;
    };
    let data = root.join("data");
    for name in [
        "gest.csv",
        "gender-swap-annotations.txt",
        "predictions/winobias.csv",
    ] {
        put(data.join(name), fs::read(gest.join(name)).unwrap());
    }
    for task in ["english_mlm", "english_glm", "slavic_mlm"] {
        let text = unpacked(&gest.join(format!("predictions/{task}.csv.gz")));
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let mut columns = vec![String::new(); names.len()];
        for line in lines {
            for (column, cell) in columns.iter_mut().zip(line.split(',')) {
                column.push_str(cell);
                column.push('\n');
            }
        }
        for (name, column) in names.iter().zip(columns) {
            put(
                data.join(format!("predictions/{task}/{name}.txt")),
                column.trim_end(),
            );
        }
    }
    for system in fs::read_dir(gest.join("translations")).unwrap().flatten() {
        for language in fs::read_dir(system.path()).unwrap().flatten() {
            let text = unpacked(&language.path().join("translations.csv.gz"));
            let names = (system.file_name(), language.file_name());
            let folder = Path::new("translations").join(names.0).join(names.1);
            put(data.join(folder).join("translations.csv"), text);
        }
    }
    put(root.join(".git/HEAD"), "ref: refs/heads/main\n");
    put(root.join("_mt.ipynb"), "{}");
    true
}

#[test]
fn gest_as_it_is_cloned() {
    let clone = tempfile::tempdir().unwrap();
    if !gest_clone(clone.path()) {
        return;
    }
    let whole = reproduced("gest", clone.path());
    is_counted_honestly(&whole);
    // Equal at the printed decimals; the bounds are a bootstrap's without a seed, the translations parses'.
    for (place, expected) in [
        ("Table 1", [16, 16, 16]),
        ("Table 3", [12, 8, 8]),
        ("Table 4", [9, 0, 0]),
        ("Table 5", [6, 6, 6]),
        ("Table 6", [32, 23, 2]),
        ("Table 7", [32, 0, 0]),
        ("Table 11", [2160, 0, 0]),
        ("Section 4.2.3", [4, 4, 4]),
        ("Section 4.3.3", [3, 3, 3]),
    ] {
        assert_eq!(counts(&whole, place), expected, "{place}");
    }
    let means = |place: &str, part: &str| {
        let own = records(&whole, place);
        let mean = |r: &&&Value| r["column"].as_str().unwrap().ends_with(part);
        let own: Vec<&Value> = own.iter().filter(mean).copied().collect();
        let compared: Vec<&&Value> = own.iter().filter(|r| !r["ours"].is_null()).collect();
        let equal = compared.iter().filter(|r| r["equal"] == true).count();
        [own.len(), compared.len(), equal]
    };
    assert_eq!(means("Table 9", "mean"), [704, 704, 704]);
    assert_eq!(means("Table 10", "mean"), [704, 704, 704]);
    assert_eq!(means("Table 8", "mean"), [512, 368, 305]);
    assert!(computed(&whole, "Figure 4") == 33 && computed(&whole, "Figure 5") == 64);
    let compared = whole["counts"]["compared"].as_u64().unwrap();
    let computed = whole["computed"].as_array().unwrap().len() as u64;
    assert!(compared + computed >= 5129, "{compared} {computed}");
    // What is missing is said by path, with what it costs.
    let missing = whole["missing"].as_array().unwrap();
    let variants = missing
        .iter()
        .find(|m| m["path"].as_str().unwrap().ends_with("gender_variants.csv"));
    assert!(
        variants.unwrap()["costs"]
            .as_str()
            .unwrap()
            .contains("Tables 7 and 11")
    );
    every_printed_number_has_its_cell(&whole);
}

/// The printed numbers of `../shared/data/published`, walked without the command's own code.
fn every_printed_number_has_its_cell(whole: &Value) {
    let Some(folder) = shared("published") else {
        return;
    };
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    let mut wanted: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let two = |value: &Value| format!("{:.2}", value.as_f64().unwrap());
    let english = read("gest_english.json");
    for (place, key) in [
        ("Table 9", "table9_english_mlm"),
        ("Table 10", "table10_english_glm"),
    ] {
        for (model, cells) in english[key].as_object().unwrap() {
            if model == "Mistral-7B-Instruct-v0.1" {
                continue;
            }
            for template in cells["templates"].as_array().unwrap() {
                for cell in template["per_stereotype"].as_array().unwrap() {
                    let printed = cell["published"].as_array().unwrap().iter().map(two);
                    wanted.entry(place).or_default().extend(printed);
                }
            }
        }
    }
    for cells in read("gest_mt.json")["systems"]
        .as_object()
        .unwrap()
        .values()
    {
        for cell in cells.as_object().unwrap().values() {
            wanted
                .entry("Table 6")
                .or_default()
                .push(cell["n"].to_string());
            for one in cell["per_stereotype"].as_array().unwrap() {
                let printed = ["lower", "mean", "upper"].map(|key| two(&one[key]));
                wanted.entry("Table 8").or_default().extend(printed);
            }
        }
    }
    let slavic = read("gest_slavic.json");
    for languages in slavic["models"].as_object().unwrap().values() {
        for cells in languages.as_object().unwrap().values() {
            for cell in cells["per_stereotype"].as_array().unwrap() {
                let printed = cell["published"].as_array().unwrap().iter().map(two);
                wanted.entry("Table 11").or_default().extend(printed);
            }
        }
    }
    for languages in slavic["table7"].as_object().unwrap().values() {
        let printed = languages
            .as_object()
            .unwrap()
            .values()
            .map(Value::to_string);
        wanted.entry("Table 7").or_default().extend(printed);
    }
    for (place, mut printed) in wanted {
        let mut found: Vec<String> = records(whole, place)
            .iter()
            .map(|record| record["printed"].as_str().unwrap().to_owned())
            .collect();
        found.sort();
        printed.sort();
        assert_eq!(found, printed, "{place}");
    }
}

/// Tables 7 and 11 from a synthetic `gender_variants.csv` beside scores of the five models.
#[test]
fn gest_pairs_of_a_full_clone() {
    let clone = tempfile::tempdir().unwrap();
    let root = clone.path();
    let mut pairs = String::from("translator,language,original,stereotype,male,female\n");
    let mut rows = 0;
    for language in ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"] {
        for id in 1..=16 {
            for (number, translator) in ["amazon_translate", "deepl", "nllb_3b"].iter().enumerate()
            {
                let text = format!("{language} {id} {number}");
                // The last words start differently: printed Table 7 counts the pair, Table 11 does not.
                let (male, female) = match number {
                    2 => (format!("Som muz {text}"), format!("Som zena {text}")),
                    _ => (format!("Bol som {text}"), format!("Bola som {text}")),
                };
                pairs += &format!("{translator},{language},I was.,{id},{male},{female}\n");
                rows += 1;
            }
        }
    }
    put(root.join("data/gender_variants.csv"), pairs);
    let models = [
        "bert-base-multilingual-cased",
        "xlm-roberta-base",
        "xlm-roberta-large",
        "xlm-v-base",
        "xlm-roberta-xl",
    ];
    for (place, model) in models.iter().enumerate() {
        let score = |row: usize| (((row * 7 + place) % 11) as f64 / 10.0).to_string();
        let scores: Vec<String> = (0..rows).map(score).collect();
        let name = format!("data/predictions/slavic_mlm/{model}.txt");
        put(root.join(name), scores.join("\n"));
    }
    let whole = reproduced("gest", root);
    // The synthetic counts are not the printed ones, and nothing explains that.
    let table7 = records(&whole, "Table 7");
    let ours = |row: &str, column: &str| {
        let found = table7
            .iter()
            .find(|r| r["row"] == row && r["column"] == column);
        found.unwrap()["ours"].as_f64()
    };
    assert_eq!(ours("amazon_translate", "ru"), Some(16.0));
    assert_eq!(ours("nllb_3b", "sk"), Some(16.0));
    assert_eq!(counts(&whole, "Table 11")[..2], [2160, 2160]);
    // The mean of the two pairs of Slovak and stereotype 1 that count, e to the mean of their scores.
    let first = rows - 48;
    let score = |row: usize| ((row * 7 + 1) % 11) as f64 / 10.0;
    let expected = ((score(first) + score(first + 1)) / 2.0).exp();
    let cell = records(&whole, "Table 11").into_iter().find(|record| {
        record["row"] == "xlm-roberta-base sk" && record["column"] == "stereotype 1 mean"
    });
    let found = cell.unwrap()["ours"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    assert_eq!(cell.unwrap()["reason"], "checkpoint needed");
    // Figures have the paper's numbers.
    succeed(
        &["reproduce", "gest", "--data", ".", "--figures", "drawn"],
        root,
    );
    for name in ["figure-6", "figure-7", "figure-14-sk"] {
        for ending in ["svg", "png", "pdf"] {
            let path = root.join(format!("drawn/{name}.{ending}"));
            assert!(path.exists(), "{}", path.display());
        }
    }
}

/// A pickled list of tensors on a GPU, as the MBE repository stores its sentences.
fn pickled(sentences: &[Vec<i64>]) -> Vec<u8> {
    let mut bytes = b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00]\x94(".to_vec();
    for ids in sentences {
        let mut storage = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02]q\x00X\x01\x00\x00\x000a.".to_vec();
        storage.extend((ids.len() as u64).to_le_bytes());
        ids.iter().for_each(|id| storage.extend(id.to_le_bytes()));
        bytes.extend(b"\x8c\x0ctorch._utils\x94\x8c\x12_rebuild_tensor_v2\x94\x93\x94(ctorch.storage\n_load_from_bytes\nB");
        bytes.extend((storage.len() as u32).to_le_bytes());
        bytes.extend(&storage);
        bytes.extend(
            b"\x94\x85\x94R\x94K\x00K\x01K\x05\x86\x94K\x05K\x01\x86\x94\x89h\x00)R\x94t\x94R\x94",
        );
    }
    bytes.extend(b"e.");
    bytes
}

#[test]
fn mbe_as_it_is_cloned() {
    let Some(mbe) = shared("mbe") else { return };
    let clone = tempfile::tempdir().unwrap();
    let root = clone.path();
    let mut sets = 0;
    for corpus in ["ted", "news"] {
        for entry in fs::read_dir(mbe.join("parallel").join(corpus))
            .unwrap()
            .flatten()
        {
            let name = entry.file_name().into_string().unwrap();
            let Some(stem) = name.strip_suffix(".ids.txt.gz") else {
                continue;
            };
            let ids = |line: &str| line.split(' ').map(|id| id.parse().unwrap()).collect();
            let sentences: Vec<Vec<i64>> = unpacked(&entry.path()).lines().map(ids).collect();
            let path = root.join(format!("parallel_data/{corpus}/{stem}.bin"));
            put(path, pickled(&sentences));
            sets += 1;
        }
    }
    let whole = reproduced("mbe", root);
    is_counted_honestly(&whole);
    // One number contradicts the files: 7,156 Spanish sentences are printed as 7.1K.
    let half = sets / 2;
    assert_eq!(counts(&whole, "Table 1"), [16, half, half - 1]);
    let spanish = records(&whole, "Table 1")
        .into_iter()
        .find(|r| r["row"] == "es" && r["column"] == "ted");
    assert_eq!(spanish.unwrap()["reason"], "paper contradicts its own data");
    assert_eq!(spanish.unwrap()["ours_as_printed"], "7.2K");
    assert_eq!(counts(&whole, "Table 2"), [16, 0, 0]);
    // The sign of a difference is lost in print.
    let slip = records(&whole, "Table 4")
        .into_iter()
        .find(|r| r["row"] == "ja large-char" && r["column"] == "MT Diff");
    assert_eq!(slip.unwrap()["reason"], "paper contradicts its own data");
    assert_eq!(slip.unwrap()["printed"], "9.93");
    // A file that is no such list is refused by name.
    put(root.join("parallel_data/ted/de_f.bin"), "no pickle");
    let line = ["reproduce", "mbe", "--data", "."];
    assert!(refuse(&line, root).contains("de_f.bin: it is no pickle"));
}

/// A tiny checkpoint under a name of the paper's: the reference model, or from 1 on one with other weights.
fn tiny_checkpoint(models: &Path, name: &str, place: usize) {
    let tiny = shared("mbe/reference_tiny_bert").unwrap();
    let folder = models.join(name);
    for file in ["tokenizer.json", "vocab.txt", "config.json"] {
        put(folder.join(file), fs::read(tiny.join(file)).unwrap());
    }
    let mut weights = fs::read(tiny.join("model.safetensors")).unwrap();
    let header = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    if place > 0 {
        let numbers = weights[8 + header..].as_chunks_mut::<4>().0;
        for (at, number) in numbers.iter_mut().enumerate() {
            let factor = 0.1 + ((at * (place + 3) * 7919) % 101) as f32 / 56.0;
            *number = (f32::from_le_bytes(*number) * factor).to_le_bytes();
        }
    }
    put(folder.join("model.safetensors"), weights);
}

/// `reproduce mbe --models`, end to end: Tables 2 to 5 from tiny checkpoints under the names of the paper's.
#[test]
fn mbe_tables_from_checkpoints() {
    let Some(mbe) = shared("mbe") else { return };
    let clone = tempfile::tempdir().unwrap();
    let root = clone.path();
    let reference = fs::read_to_string(mbe.join("reference_tiny_bert/expected.json")).unwrap();
    let reference: Value = serde_json::from_str(&reference).unwrap();
    for side in ["f", "m"] {
        let all = reference["sentences"].as_array().unwrap().iter();
        let own = all.filter(|sentence| sentence["group"] == side);
        let ids = |sentence: &Value| {
            let ids = sentence["ids"].as_array().unwrap().iter();
            ids.map(|id| id.as_i64().unwrap()).collect()
        };
        let sentences: Vec<Vec<i64>> = own.map(ids).collect();
        // Of the Chinese sentences the checkpoint is missing.
        for code in ["de", "zh"] {
            let path = format!("parallel_data/ted/{code}_{side}.bin");
            put(root.join(path), pickled(&sentences));
        }
        // Another vocabulary's sentences have no number.
        let path = format!("parallel_data/news/de_{side}.bin");
        put(root.join(path), pickled(&[vec![2, 9999, 3]]));
    }
    let pairs = "benchmarks/crows_pairs_gender.csv";
    let text = fs::read_to_string(mbe.join(pairs)).unwrap();
    let first: Vec<&str> = text.lines().take(31).collect();
    put(root.join(pairs), first.join("\n"));
    // Neighbours are about the same target.
    let items = "benchmarks/stereoset_dev_intrasentence_gender.jsonl";
    let text = fs::read_to_string(mbe.join(items)).unwrap();
    let some: Vec<&str> = text.lines().step_by(6).collect();
    put(root.join(items), some.join("\n"));
    let japanese = fs::read_to_string(mbe.join("translated/japanese.json")).unwrap();
    let mut japanese: Vec<Value> = serde_json::from_str(&japanese).unwrap();
    japanese.truncate(30);
    let path = root.join("translated/japanese.json");
    put(path, serde_json::to_string(&japanese).unwrap());

    let models = root.join("models");
    tiny_checkpoint(&models, "deepset/gbert-base", 0);
    let english = [
        "google-bert/bert-base-cased",
        "google-bert/bert-large-uncased",
        "google-bert--bert-base-multilingual-uncased",
        "FacebookAI/roberta-base",
        "FacebookAI/roberta-large",
        "albert-base-v2",
        "distilbert/distilbert-base-cased",
        "distilbert/distilroberta-base",
        "YituTech/conv-bert-medium-small",
        "FacebookAI/xlm-mlm-100-1280",
        "microsoft/deberta-v2-xlarge",
    ];
    let japanese = [
        "cl-tohoku/bert-base-japanese-v2",
        "cl-tohoku/bert-large-japanese",
        "cl-tohoku/bert-base-japanese-char-v2",
        "cl-tohoku/bert-large-japanese-char",
    ];
    let names: Vec<&str> = english.into_iter().chain(japanese).collect();
    let (last, others) = names.split_last().unwrap();
    for (place, name) in others.iter().enumerate() {
        tiny_checkpoint(&models, name, place + 1);
    }
    // A checkpoint that cannot be read costs its own cells.
    put(models.join(last).join("config.json"), "{}");

    let line = [
        "reproduce",
        "mbe",
        "--data",
        ".",
        "--models",
        "models",
        "--out",
        "runs",
        "--format",
        "json",
    ];
    let whole = || -> Value { serde_json::from_str(&succeed(&line, root)).unwrap() };
    let found = whole();
    let cell = |found: &Value, place: &str, row: &str, column: &str| -> Value {
        let own = records(found, place).into_iter();
        let mut own = own.filter(|r| r["row"] == row && r["column"] == column);
        own.next()
            .unwrap_or_else(|| panic!("{place} {row} {column}"))
            .clone()
    };
    let german = cell(&found, "Table 2", "de", "TED");
    let expected = reference["mbe"]["aula"]["dot_product"].as_f64().unwrap();
    assert!(
        (german["ours"].as_f64().unwrap() - expected).abs() < 1e-4,
        "{german}"
    );
    assert_eq!(german["printed"], "54.69");
    assert_eq!(
        cell(&found, "Table 2", "de", "News")["reason"],
        "checkpoint needed"
    );
    assert_eq!(counts(&found, "Table 2"), [16, 1, 0]);
    assert_eq!(computed(&found, "Table 2 by Eq. 2 (cosine)"), 1);
    assert_eq!(counts(&found, "Table 3")[..2], [16, 16]);
    assert_eq!(
        computed(&found, "Section 5.1, scores of the models"),
        2 * 3 * 11
    );
    // Direction and Diff, again from the scores.
    for data in ["CrowS-Pairs", "StereoSet"] {
        let scores = |column: &str| -> Vec<f64> {
            let all = found["computed"].as_array().unwrap().iter();
            let own = all.filter(|one| {
                one["place"] == "Section 5.1, scores of the models"
                    && one["column"] == column
                    && one["row"].as_str().unwrap().starts_with(data)
            });
            own.map(|one| one["ours"].as_f64().unwrap()).collect()
        };
        let original = scores("pairs");
        for method in ["Shf", "MBE"] {
            let both = || original.iter().copied().zip(scores(method));
            let side = |score: f64| (score - 50.0).partial_cmp(&0.0);
            let same = both().filter(|(one, other)| side(*one) == side(*other));
            let apart: f64 = both().map(|(one, other)| (one - other).abs()).sum();
            for (column, expected) in [
                ("direction", same.count() as f64 / 11.0),
                ("diff", apart / 11.0),
            ] {
                let ours = cell(&found, "Table 3", &format!("{data} {method}"), column);
                let ours = ours["ours"].as_f64().unwrap();
                assert!((ours - expected).abs() < 1e-9, "{data} {method} {column}");
            }
        }
    }
    // Three of the four Japanese models, by human translations and by MBE.
    assert_eq!(counts(&found, "Table 4")[..2], [28, 9]);
    assert_eq!(counts(&found, "Table 5"), [14, 0, 0]);
    assert_eq!(counts(&found, "Table 6"), [12, 0, 0]);
    let of_char = |column: &str| cell(&found, "Table 4", "ja base-char", column)["ours"].as_f64();
    let ours = of_char("HT").unwrap();
    assert_eq!(of_char("MBE Diff").unwrap(), of_char("MBE").unwrap() - ours);
    let wins = ours * 30.0 / 100.0;
    assert!(
        (wins - wins.round()).abs() < 1e-9,
        "{ours} is no share of 30 pairs"
    );
    let notes = found["notes"].as_array().unwrap().iter();
    let said: Vec<&str> = notes.map(|note| note.as_str().unwrap()).collect();
    assert!(
        said.iter()
            .any(|note| note.starts_with("cl-tohoku/bert-large-japanese-char: ")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|note| note.contains("no token 9999")),
        "{said:?}"
    );
    let missing = found["missing"].to_string();
    assert!(
        missing.contains("russian.json") && missing.contains("hfl/chinese-bert-wwm-ext"),
        "{missing}"
    );

    // The same command asks nothing again, and adds what has come since.
    let run = root.join("runs/table-3-stereoset-mbe/FacebookAI--roberta-base");
    let kept = || ["log.jsonl", "times.json"].map(|name| fs::read(run.join(name)).unwrap());
    let before = kept();
    fs::remove_dir_all(models.join(last)).unwrap();
    tiny_checkpoint(&models, last, names.len());
    let again = whole();
    assert!(kept() == before, "the answers were asked again");
    assert_eq!(counts(&again, "Table 4")[..2], [28, 12]);
    assert_eq!(records(&again, "Table 3"), records(&found, "Table 3"));
    // Options that would do nothing are refused.
    let odd = ["reproduce", "gest", "--data", ".", "--models", "models"];
    assert!(refuse(&odd, root).contains("--models has no effect here; it is for reproduce mbe"));
    let odd = ["reproduce", "mbe", "--data", ".", "--models", "nowhere"];
    assert!(refuse(&odd, root).contains("neither `hub` nor a directory"));
}

/// Rows of extended WinoBias whose labels are Table 3's counts of a system.
fn labelled(counts: &Value, place: usize) -> String {
    let mut text = String::new();
    let mut id = 0;
    for (class, adjective) in [("F", "sassy"), ("M", "suave"), ("none", "---")] {
        for (key, gender, label) in [
            ("true_feminine", "female", "female"),
            ("false_masculine", "female", "male"),
            ("true_masculine", "male", "male"),
            ("false_feminine", "male", "female"),
            ("neutral", "male", "neutral"),
            ("wrong", "female", "wrong"),
        ] {
            for _ in 0..counts["counts"][class][key][place].as_u64().unwrap() {
                id += 1;
                let shown = if class == "none" { "---" } else { class };
                text += &format!(
                    "{gender}\t1\tThe nurse {id} slept.\tthe nurse\tF\t{adjective}\t{shown}\t{id:05}\tText {id}.\t{label}\n"
                );
            }
        }
    }
    text
}

#[test]
fn wibemt_as_it_is_cloned() {
    let Some(wibemt) = shared("wibemt") else {
        return;
    };
    let clone = tempfile::tempdir().unwrap();
    let root = clone.path();
    let base = unpacked(&wibemt.join("winobias_base_3168.tsv.gz"));
    put(root.join("Data/en.txt"), base);
    for (system, name) in [("DeepL", "deepl"), ("Microsoft", "microsoft")] {
        let text = unpacked(&wibemt.join(format!("verb_{name}_categorised.tsv.gz")));
        let path = format!("Data/VerbSentences/Verb_{system}_Translator_GenderCategorized.txt");
        put(root.join(path), text);
    }
    let printed = fs::read_to_string(wibemt.join("table3_counts.json")).unwrap();
    let printed: Value = serde_json::from_str(&printed).unwrap();
    for (place, system) in ["DeepL", "Microsoft"].iter().enumerate() {
        let path = format!("Data/EWB/EWB_{system}_Translator_GenderCategorized.txt");
        put(root.join(path), labelled(&printed, place));
    }
    // Translations without labels are judged by epicene.
    let mut google = String::new();
    for (id, (class, adjective)) in [("---", "---"), ("F", "sassy"), ("M", "suave")]
        .iter()
        .enumerate()
    {
        let row = [
            ("female", "Die Krankenschwester schlief"),
            ("male", "Der Krankenpfleger schlief"),
        ];
        for (gender, german) in row {
            google += &format!(
                "{gender}\t1\tThe nurse slept {id} {gender}.\tThe nurse\tF\t{adjective}\t{class}\t{id}{gender}\t{german}.\n"
            );
        }
    }
    put(root.join("Data/EWB/EWB_Google_Translator.txt"), google);
    let whole = reproduced("wibemt", root);
    is_counted_honestly(&whole);
    let table3 = records(&whole, "Table 3");
    let of = |system: &str| {
        let own = table3
            .iter()
            .filter(|r| r["row"].as_str().unwrap().starts_with(system));
        own.copied().collect::<Vec<&Value>>()
    };
    for system in ["DeepL", "Microsoft"] {
        assert_eq!(of(system).len(), 18);
        assert!(
            of(system).iter().all(|record| record["equal"] == true),
            "{system}"
        );
    }
    let google = |column: &str| {
        let row = "Google, adjective F";
        let found = of("Google")
            .into_iter()
            .find(|r| r["row"] == row && r["column"] == column);
        found.unwrap()["ours"].as_f64()
    };
    assert_eq!(
        (google("true feminine"), google("true masculine")),
        (Some(1.0), Some(1.0))
    );
    let section = records(&whole, "Section 3");
    let h2b = section
        .iter()
        .find(|r| r["row"] == "DeepL" && r["column"] == "H2b chi2");
    assert_eq!(h2b.unwrap()["reason"], "paper contradicts its own data");
    let equal = |row: &str, column: &str| {
        let found = section
            .iter()
            .find(|r| r["row"] == row && r["column"] == column);
        found.unwrap_or_else(|| panic!("{row} {column}"))["equal"] == true
    };
    for system in ["DeepL", "Microsoft"] {
        for column in [
            "H1 %TFG, verbs F",
            "H1 %TFG, verbs M",
            "H1 chi2",
            "H1 p",
            "H2a chi2",
            "H2c chi2",
        ] {
            assert!(equal(system, column), "{system} {column}");
        }
    }
    assert!(equal("DeepL", "%TFG, all verb sentences") && equal("DeepL", "H2b p"));
    assert_eq!(counts(&whole, "Section 2.2"), [3, 3, 3]);
    assert_eq!(computed(&whole, "Section 2.2"), 2);
}

#[test]
fn unambiguous_as_it_is_cloned() {
    let Some(folder) = shared("unambiguous") else {
        return;
    };
    let clone = tempfile::tempdir().unwrap();
    let root = clone.path();
    let source = unpacked(&folder.join("source_s_58032.tsv.gz"));
    let mut parts = [String::new(), String::new(), String::new()];
    let mut released = 0;
    for line in source.lines() {
        let mut cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        // The released labels call these women men.
        if cells[0].starts_with("She is ")
            && cells[0].contains(" who can ")
            && !cells[1].contains("MIDDLE")
        {
            cells[1] = cells[1].replace("_CLUE_Pr_F_", "_CLUE_Pr_M_");
            cells[2] = "_EXP_M_".to_owned();
            released += 1;
        }
        for (part, cell) in parts.iter_mut().zip(cells) {
            part.push_str(&cell);
            part.push('\n');
        }
    }
    assert_eq!(released, 390);
    for (ending, part) in ["en", "feats", "ans"].iter().zip(&parts) {
        put(root.join(format!("generated/s/source.{ending}")), part);
        // XL in the same layout, of a few sentences.
        let some: Vec<&str> = part.lines().skip(50_000).take(4000).collect();
        put(
            root.join(format!("generated/xl/source.{ending}")),
            some.join("\n") + "\n",
        );
    }
    let tags = unpacked(&folder.join("s_m2m1.2B_ru.result.gz"));
    put(
        root.join("generated/s/m2m_100_1.2B/target.ru.tok.result"),
        &tags,
    );
    let some: Vec<&str> = tags.lines().skip(50_000).take(4000).collect();
    put(
        root.join("generated/xl/m2m_100_1.2B/target.ru.tok.result"),
        some.join("\n") + "\n",
    );
    let whole = reproduced("unambiguous", root);
    is_counted_honestly_but_unexplained(&whole);
    assert_eq!(counts(&whole, "Section 3"), [3, 3, 3]);
    assert_eq!(counts(&whole, "Table 3")[..2], [201, 3]);
    assert_eq!(counts(&whole, "Table 4")[..2], [134, 2]);
    let notes = whole["notes"].to_string();
    assert!(notes.contains("390 sentences"), "{notes}");
    // The authors' own counts on S, after the correction.
    let counted: Vec<f64> = whole["computed"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["place"] == "Analysis of S")
        .map(|one| one["ours"].as_f64().unwrap())
        .collect();
    assert_eq!(counted, [34_942.0, 21_821.0, 1_269.0]);
    // Features that lack a line belong to other sentences.
    put(root.join("generated/s/source.feats"), "_OCC_NO_F_\n");
    let line = ["reproduce", "unambiguous", "--data", "."];
    assert!(refuse(&line, root).contains("different numbers of lines"));
}

/// A few thousand sentences are not XL: their numbers differ without a reason, and are shown so.
fn is_counted_honestly_but_unexplained(whole: &Value) {
    for record in whole["records"].as_array().unwrap() {
        let differs = !record["ours"].is_null() && record["equal"] == false;
        assert!(!differs || record["reason"] == "unexplained", "{record}");
    }
}

/// Files that epicene read before are read as ever.
#[test]
fn old_layouts_are_read() {
    if let Some(folder) = shared("winomt") {
        let whole = reproduced("winomt", &folder);
        is_counted_honestly(&whole);
        let rules = records(&whole, "Table 2");
        let compared: Vec<&&Value> = rules.iter().filter(|r| !r["ours"].is_null()).collect();
        assert_eq!(compared.len(), 18);
        assert!(compared.iter().all(|record| record["equal"] == true));
        assert_eq!(
            computed(&whole, "Table 2 by the authors' present rules"),
            12
        );
        assert_eq!(computed(&whole, "Section 3.4"), 2);
    }
    if let Some(folder) = shared("wibemt") {
        let whole = reproduced("wibemt", &folder);
        is_counted_honestly(&whole);
        assert_eq!(counts(&whole, "Figure 3"), [9, 9, 9]);
        assert_eq!(counts(&whole, "Table 3"), [54, 0, 0]);
    }
    if let Some(folder) = shared("mbe") {
        let whole = reproduced("mbe", &folder);
        assert_eq!(computed(&whole, "StereoSet's official scores"), 33);
    }
}

#[test]
fn nothing_there_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    assert!(refuse(&["reproduce", "gest", "--data", "nowhere"], place).contains("no directory"));
    fs::create_dir(place.join("empty")).unwrap();
    for paper in ["gest", "mbe", "wibemt", "winomt", "unambiguous"] {
        let line = ["reproduce", paper, "--data", "empty"];
        let error = refuse(&line, place);
        assert!(
            error.contains(&format!("nothing of {paper} is there")),
            "{error}"
        );
        assert!(error.contains("the first file looked for is"), "{error}");
    }
}
