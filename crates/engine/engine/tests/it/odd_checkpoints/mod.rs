//! Checkpoints that say something unusual about themselves: read as the version of `transformers` that wrote them reads
//! them, or refused.
//!
//! `odd.json` holds recipes, each a change to one of the tiny checkpoints, and what versions 4.57 and 5.22 make of the
//! files (`tools/reference/odd_checkpoints.py`). Logits agree to 1e-4, translations token by token.

mod files;
mod spoiled;

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{floats, ids, text};
use epicene_engine::seq2seq::{Seq2Seq, Seq2SeqOptions};
use epicene_engine::{EngineOptions, LmError, System, TransformerModel};
use files::make;
use serde_json::{Value, json};

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
        source: model.card().source.clone(),
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
        let texts = sentences.map(|sentence| text(&sentence["text"]).trim());
        let texts: Vec<&str> = texts.collect();
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

#[test]
fn what_a_user_ignores_stands_on_the_card() {
    let recipe = json!({"base": "bert", "config": {"is_decoder": true}, "tokenizer": {"do_lowercase": 3},
        "tensors": [["copy", "extra.weight", "bert.embeddings.word_embeddings.weight", 1.0, false]]});
    let directory = make(&recipe);
    let open = |ignored: &[&str]| {
        let ignored: Vec<String> = ignored.iter().map(|&field| field.to_owned()).collect();
        TransformerModel::open_ignoring(directory.path(), &ignored, EngineOptions::default())
    };
    let refusal = |ignored: &[&str]| open(ignored).unwrap_err().to_string();
    assert!(refusal(&[]).contains("`do_lowercase`"));
    assert!(refusal(&["do_lowercase"]).contains("`is_decoder`"));
    assert!(
        refusal(&["do_lowercase", "is_decoder"])
            .contains("unexpected tensors in the checkpoint: `extra.weight`")
    );
    let model = open(&["do_lowercase", "is_decoder", "extra.*", "unused"]).unwrap();
    let source = &model.card().source;
    for said in ["do_lowercase", "is_decoder", "extra.*"] {
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
