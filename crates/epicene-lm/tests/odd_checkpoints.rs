//! Checkpoints that say something unusual about themselves: read as the version of `transformers` that wrote them reads
//! them, or refused.
//!
//! `odd.json` holds recipes, each a change to one of the tiny checkpoints, and what versions 4.57 and 5.22 make of the
//! files (`tools/reference/odd_checkpoints.py`). Logits agree to 1e-4, translations token by token.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use epicene_lm::seq2seq::{Seq2Seq, Seq2SeqOptions};
use epicene_lm::{EngineOptions, LmError, SafeTensors, TransformerModel, Weights};
use serde_json::{Map, Value, json};
use support::{floats, ids, text};
use tempfile::TempDir;

const TOLERANCE: f64 = 1e-4;
/// The tokens whose logits are kept.
const FIRST_TOKEN: usize = 20;

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Texts, and cases with what is said about them.
fn odd() -> Value {
    let text = fs::read_to_string(tests().join("odd.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A tensor in memory: rows x columns, or one row.
#[derive(Clone)]
struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

impl Tensor {
    fn columns(&self) -> usize {
        *self.shape.last().unwrap()
    }

    fn scaled(mut self, scale: f64) -> Tensor {
        self.values.iter_mut().for_each(|v| *v *= scale as f32);
        self
    }

    fn turned(mut self) -> Tensor {
        let rows = self.shape[0];
        let width = self.values.len() / rows;
        self.values = (0..rows)
            .rev()
            .flat_map(|row| self.values[row * width..(row + 1) * width].to_vec())
            .collect();
        self
    }

    fn part(&self, rows: i64, columns: i64) -> Tensor {
        let count = |wanted: i64, all: usize| usize::try_from(wanted).unwrap_or(all);
        let (rows, columns) = (count(rows, self.shape[0]), count(columns, self.columns()));
        let width = self.columns();
        Tensor {
            shape: vec![rows, columns],
            values: (0..rows)
                .flat_map(|row| self.values[row * width..row * width + columns].to_vec())
                .collect(),
        }
    }

    fn transposed(&self) -> Tensor {
        let (rows, columns) = (self.shape[0], self.columns());
        Tensor {
            shape: vec![columns, rows],
            values: (0..columns)
                .flat_map(|column| (0..rows).map(move |row| row * columns + column))
                .map(|place| self.values[place])
                .collect(),
        }
    }
}

type Tensors = BTreeMap<String, Tensor>;

fn stored(directory: &Path) -> Tensors {
    let file = SafeTensors::open(directory).unwrap();
    let names: Vec<String> = file.names().into_iter().map(str::to_owned).collect();
    names
        .into_iter()
        .map(|name| {
            let shape = file.shape(&name).unwrap().to_vec();
            let mut values = vec![0.0; shape.iter().product()];
            file.read(&name, 0, &mut values).unwrap();
            (name, Tensor { shape, values })
        })
        .collect()
}

fn store(path: &Path, tensors: &Tensors) {
    let mut header = Map::new();
    let mut data = Vec::new();
    for (name, tensor) in tensors {
        let start = data.len();
        data.extend(tensor.values.iter().flat_map(|value| value.to_le_bytes()));
        let place =
            json!({"dtype": "F32", "shape": tensor.shape, "data_offsets": [start, data.len()]});
        header.insert(name.clone(), place);
    }
    let header = Value::Object(header).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.into_bytes());
    bytes.extend(data);
    fs::write(path, bytes).unwrap();
}

/// The steps of a recipe, from tensors of `source` into `tensors`.
fn change(tensors: &mut Tensors, source: &Tensors, steps: &[Value]) {
    for step in steps {
        let name = text(&step[1]).to_owned();
        let from = || source[text(&step[2])].clone();
        let made = match text(&step[0]) {
            "drop" => {
                tensors.remove(&name);
                continue;
            }
            "copy" => {
                let made = from().scaled(step[3].as_f64().unwrap());
                match step[4].as_bool().unwrap() {
                    true => made.turned(),
                    false => made,
                }
            }
            "part" => {
                let size = |place: usize| step[place].as_i64().unwrap();
                from()
                    .part(size(3), size(4))
                    .scaled(step[5].as_f64().unwrap())
            }
            "turned" => {
                let rank = step[3].as_i64().unwrap();
                let part = match text(&step[4]) {
                    "in" => from().part(-1, rank),
                    _ => from().part(rank, -1),
                };
                part.transposed().scaled(step[5].as_f64().unwrap())
            }
            other => panic!("no step {other}"),
        };
        tensors.insert(name, made);
    }
}

fn change_json(path: &Path, fields: &Value, drop: &[Value]) {
    let mut data: Map<String, Value> = match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(_) => Map::new(),
    };
    for (field, value) in fields.as_object().into_iter().flatten() {
        data.insert(field.clone(), value.clone());
    }
    for field in drop {
        data.remove(text(field));
    }
    fs::write(path, Value::Object(data).to_string()).unwrap();
}

/// In settings of the tokenizer and of `generate`, null takes a field out.
fn settings(path: &Path, fields: &Value) {
    let fields = fields.as_object().cloned().unwrap_or_default();
    let (gone, set): (Map<_, _>, Map<_, _>) =
        fields.into_iter().partition(|(_, value)| value.is_null());
    let gone: Vec<Value> = gone.into_iter().map(|(field, _)| json!(field)).collect();
    change_json(path, &Value::Object(set), &gone);
}

fn make(recipe: &Value) -> TempDir {
    let base = text(&recipe["base"]);
    let source = match base.contains('/') {
        true => tests().join(base),
        false => support::directory(base),
    };
    let directory = tempfile::tempdir().unwrap();
    let to = directory.path();
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "golden.json" && !name.starts_with("config_") {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
    change_json(
        &to.join("config.json"),
        &recipe["config"],
        list(recipe, "drop"),
    );
    if recipe.get("tokenizer").is_some() {
        settings(&to.join("tokenizer_config.json"), &recipe["tokenizer"]);
    }
    if recipe.get("generation").is_some() {
        settings(&to.join("generation_config.json"), &recipe["generation"]);
    }
    for file in list(recipe, "without") {
        let _ = fs::remove_file(to.join(text(file)));
    }
    let before = stored(&source);
    if !list(recipe, "tensors").is_empty() {
        let mut tensors = before.clone();
        change(&mut tensors, &before, list(recipe, "tensors"));
        store(&to.join("model.safetensors"), &tensors);
    }
    if let Some(adapter) = recipe.get("adapter") {
        let mut tensors = Tensors::new();
        change(&mut tensors, &before, list(adapter, "tensors"));
        store(&to.join("adapter_model.safetensors"), &tensors);
        change_json(&to.join("adapter_config.json"), &adapter["config"], &[]);
    }
    directory
}

/// What each version says; none if it has nothing to say but an error or weights it made up.
fn judgement<'a>(recipe: &'a Value, version: &str) -> Option<&'a Value> {
    let said = match &recipe[version] {
        Value::String(_) => &recipe["four"],
        said => said,
    };
    said.get("error").is_none().then_some(said)
}

fn is_of_five(recipe: &Value) -> bool {
    let version = recipe["config"]["transformers_version"].as_str();
    version.is_some_and(|version| version.starts_with('5'))
}

/// The largest difference of any logit, infinite where tokens differ; `None` if there is nothing to compare with.
struct Found {
    four: Option<f64>,
    five: Option<f64>,
    source: String,
}

fn look(recipe: &Value, texts: &[Value], directory: &Path) -> Result<Found, LmError> {
    if text(&recipe["base"]).starts_with("seq2seq/") {
        return translate(recipe, directory);
    }
    let options = EngineOptions {
        threads: 1,
        ..EngineOptions::default()
    };
    let model = TransformerModel::open(directory, options)?;
    if !model.has_head() {
        let system = "it".to_owned();
        return Err(LmError::NoHead { system });
    }
    let compare = |said: &Value| -> Result<f64, LmError> {
        let mut worst = 0f64;
        for (entry, asked) in list(said, "texts").iter().zip(texts) {
            let tokens = model.encode(text(asked))?;
            if tokens != ids(&entry["ids"]) {
                return Ok(f64::INFINITY);
            }
            let at = entry["at"].as_u64().unwrap() as usize;
            let logits = model.all_logits(&tokens, &[at])?.remove(0);
            for (found, wanted) in logits[FIRST_TOKEN..].iter().zip(floats(&entry["logits"])) {
                worst = worst.max((f64::from(*found) - wanted).abs());
            }
        }
        Ok(worst)
    };
    let versus = |version| judgement(recipe, version).map(compare).transpose();
    Ok(Found {
        four: versus("four")?,
        five: versus("five")?,
        source: epicene_lm::LanguageModel::card(&model).source.clone(),
    })
}

fn translate(recipe: &Value, directory: &Path) -> Result<Found, LmError> {
    let options = Seq2SeqOptions {
        threads: 1,
        ..Seq2SeqOptions::default()
    };
    let model = Seq2Seq::open(directory, options)?;
    let golden = fs::read_to_string(tests().join(text(&recipe["base"])).join("golden.json"));
    let golden: Value = serde_json::from_str(&golden.unwrap()).unwrap();
    let (from, to) = (text(&golden["from"]), text(&golden["to"]));
    let compare = |said: &Value| -> Result<f64, LmError> {
        let wanted = list(said, "translations");
        let sentences = list(&golden, "sentences").iter().take(wanted.len());
        let texts: Vec<&str> = sentences.map(|sentence| text(&sentence["text"])).collect();
        let found = model.translate(&texts, from, to)?;
        let same = found
            .iter()
            .zip(wanted)
            .all(|(found, wanted)| found.ids == ids(wanted));
        Ok(if same { 0.0 } else { f64::INFINITY })
    };
    let versus = |version| judgement(recipe, version).map(compare).transpose();
    Ok(Found {
        four: versus("four")?,
        five: versus("five")?,
        source: model.card().source.clone(),
    })
}

#[test]
fn odd_checkpoints_are_read_as_their_writer_reads_them_or_refused() {
    let mut failures = Vec::new();
    let odd = odd();
    for recipe in list(&odd, "cases") {
        let name = text(&recipe["name"]);
        let directory = make(recipe);
        let refused = recipe["refused"].as_str();
        let problem = match look(recipe, list(&odd, "texts"), directory.path()) {
            Err(error) => {
                let message = error.to_string();
                println!("{name:70} refused: {message}");
                match refused {
                    Some(expected) if message.contains(expected) => None,
                    _ => Some(format!("refused: {message}")),
                }
            }
            Ok(found) => {
                let Found { four, five, source } = found;
                println!("{name:70} {four:?} {five:?} {source}");
                let own = if is_of_five(recipe) { five } else { four };
                let differ = |delta: Option<f64>| delta.is_some_and(|delta| delta > TOLERANCE);
                match (refused, own) {
                    (Some(_), _) => Some("was not refused".to_owned()),
                    (None, None) => Some("there is nothing it could agree with".to_owned()),
                    (None, Some(delta)) if delta > TOLERANCE => Some(format!("differs by {delta}")),
                    // Where the versions differ the card says which was followed.
                    _ if differ(four) != differ(five)
                        && needs_a_word(recipe)
                        && !source.contains(",as-transformers-") =>
                    {
                        Some(format!("{source} does not say which version was followed"))
                    }
                    _ => None,
                }
            }
        };
        if let Some(problem) = problem {
            failures.push(format!("{name}: {problem}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Fields that only the writer's version knows are no matter of opinion.
fn needs_a_word(recipe: &Value) -> bool {
    let own = [
        "rope_parameters",
        "layer_types",
        "scale_decoder_outputs",
        "model_type",
    ];
    own.iter()
        .all(|field| recipe["config"].get(field).is_none())
}

/// Configurations in other words that mean the same: as published files have them, and as version 5 writes them.
#[test]
fn other_words_for_the_same_configuration_mean_the_same() {
    let mut compared = 0;
    for name in support::checkpoints() {
        for words in ["config_as_published.json", "config_transformers5.json"] {
            let source = support::directory(&name);
            if !source.join(words).exists() {
                continue;
            }
            let directory = make(&json!({"base": name, "config": {}}));
            fs::copy(source.join(words), directory.path().join("config.json")).unwrap();
            let model = TransformerModel::open(directory.path(), EngineOptions::default())
                .unwrap_or_else(|error| panic!("{name}, {words}: {error}"));
            for entry in list(&support::golden(&name), "logits") {
                let positions: Vec<usize> = ids(&entry["positions"])
                    .iter()
                    .map(|p| *p as usize)
                    .collect();
                let found = model.all_logits(&ids(&entry["ids"]), &positions).unwrap();
                for (found, wanted) in found.iter().zip(entry["values"].as_array().unwrap()) {
                    for (found, wanted) in found.iter().zip(floats(wanted)) {
                        assert!((f64::from(*found) - wanted).abs() < 2e-4, "{name}, {words}");
                    }
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// What can stand where a number, a flag or a name belongs.
fn nonsense() -> Vec<Value> {
    vec![
        json!(0),
        json!(-1),
        json!(1),
        json!(3),
        json!(1_000_000_000_000_000u64),
        json!(99_999_999),
        json!(1e30),
        json!(-0.5),
        json!(true),
        json!(false),
        json!("nonsense"),
        json!(""),
        json!([]),
        json!([1, "x"]),
        json!({}),
        json!({"rope_type": "linear"}),
        json!({"rope_type": "llama3", "factor": 0}),
        json!(null),
    ]
}

/// Whatever stands in a field, the answer is a model or an error, never a panic.
#[test]
fn no_value_of_any_field_stops_the_program() {
    let mut opened = 0;
    let mut refused = 0;
    let plain = support::checkpoints().into_iter().filter(|name| {
        !["f16", "bf16", "legacy", "sharded", "prefix", "encoder"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    for name in plain {
        let directory = make(&json!({"base": name, "config": {}}));
        let path = directory.path().join("config.json");
        let config: Map<String, Value> =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for field in config.keys() {
            for value in nonsense() {
                let mut spoiled = config.clone();
                spoiled.insert(field.clone(), value.clone());
                fs::write(&path, Value::Object(spoiled).to_string()).unwrap();
                let options = EngineOptions {
                    threads: 1,
                    ..EngineOptions::default()
                };
                let model = match TransformerModel::open(directory.path(), options) {
                    Ok(model) => model,
                    Err(error) => {
                        assert!(!error.to_string().contains('\n'), "{error}");
                        refused += 1;
                        continue;
                    }
                };
                opened += 1;
                if let Ok(tokens) = model.encode("He said: \"I cried.\"")
                    && model.has_head()
                {
                    let logits = model.all_logits(&tokens, &[1]);
                    assert!(logits.is_ok(), "{name}: {field} = {value}");
                }
            }
        }
    }
    println!("{opened} opened, {refused} refused");
    assert!(opened > 100 && refused > 1000);
}

#[test]
fn no_setting_of_a_translation_model_stops_the_program() {
    for name in ["m2m_100", "marian", "mbart50", "t5"] {
        let base = format!("seq2seq/{name}");
        let golden = fs::read_to_string(tests().join(&base).join("golden.json")).unwrap();
        let golden: Value = serde_json::from_str(&golden).unwrap();
        let directory = make(&json!({"base": base, "config": {}}));
        for file in [
            "config.json",
            "generation_config.json",
            "tokenizer_config.json",
        ] {
            let path = directory.path().join(file);
            let whole = fs::read_to_string(&path).unwrap();
            let fields: Map<String, Value> = serde_json::from_str(&whole).unwrap();
            for field in fields.keys() {
                for value in nonsense() {
                    let mut spoiled = fields.clone();
                    spoiled.insert(field.clone(), value.clone());
                    fs::write(&path, Value::Object(spoiled).to_string()).unwrap();
                    let options = Seq2SeqOptions {
                        threads: 1,
                        decoding: epicene_lm::seq2seq::Decoding {
                            max_length: Some(6),
                            ..Default::default()
                        },
                        ..Seq2SeqOptions::default()
                    };
                    if let Ok(model) = Seq2Seq::open(directory.path(), options) {
                        // An error is an answer too.
                        let _ = model.translate(
                            &["I was tired."],
                            text(&golden["from"]),
                            text(&golden["to"]),
                        );
                    }
                }
            }
            fs::write(&path, whole).unwrap();
        }
    }
}

#[test]
fn what_a_user_ignores_stands_on_the_card() {
    let recipe = json!({"base": "bert", "config": {"is_decoder": true}, "tokenizer": {"fold_digits": 3},
        "tensors": [["copy", "extra.weight", "bert.embeddings.word_embeddings.weight", 1.0, false]]});
    let directory = make(&recipe);
    let open = |ignored: &[&str]| {
        let ignored: Vec<String> = ignored.iter().map(|&field| field.to_owned()).collect();
        TransformerModel::open_ignoring(directory.path(), &ignored, EngineOptions::default())
    };
    let refusal = |ignored: &[&str]| open(ignored).unwrap_err().to_string();
    assert!(refusal(&[]).contains("`fold_digits`"));
    assert!(refusal(&["fold_digits"]).contains("`is_decoder`"));
    assert!(refusal(&["fold_digits", "is_decoder"]).contains("nothing reads `extra.weight`"));
    let model = open(&["fold_digits", "is_decoder", "extra.*", "unused"]).unwrap();
    let source = &epicene_lm::LanguageModel::card(&model).source;
    for said in ["fold_digits", "is_decoder", "extra.*"] {
        assert!(
            source.contains(&format!(",ignore-config={said}")),
            "{source}"
        );
    }
    assert!(!source.contains("unused"), "{source}");
    let hint = open(&[]).unwrap_err();
    assert!(hint.hint().unwrap().contains("--ignore-config FIELD"));
}

/// Gemma 3's tokenizer has an entry more than the model has rows.
#[test]
fn a_tokenizer_with_a_few_more_entries_runs() {
    let directory = make(&json!({"base": "bert", "config": {}}));
    let path = directory.path().join("tokenizer.json");
    let mut tokenizer: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let rows = support::model("bert").tokenizer().size();
    tokenizer["added_tokens"]
        .as_array_mut()
        .unwrap()
        .push(json!({
        "id": rows, "content": "[IMAGE]", "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true}));
    fs::write(&path, tokenizer.to_string()).unwrap();
    let model = TransformerModel::open(directory.path(), EngineOptions::default()).unwrap();
    assert!(model.encode("I cried.").is_ok());
    let message = model.encode("I saw [IMAGE].").unwrap_err().to_string();
    assert!(
        message.contains("the token `[IMAGE]` is beyond the")
            && message.contains("rows of the embedding"),
        "{message}"
    );
}

#[test]
fn an_adapter_alone_is_told_from_a_model() {
    let directory = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("config.json", "{\"model_type\": \"llama\"}"),
        ("adapter_config.json", "{}"),
    ] {
        fs::write(directory.path().join(file), text).unwrap();
    }
    let error = TransformerModel::open(directory.path(), EngineOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no weights of the model it adapts"),
        "{error}"
    );
}
