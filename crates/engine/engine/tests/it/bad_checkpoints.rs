//! Broken checkpoints: one clear line each, naming the file and the tensor.

use crate::support;
use std::fs;
use std::path::Path;

use epicene_core::Question;
use epicene_engine::{EngineOptions, LmError, System, TransformerModel};
use tempfile::TempDir;

/// A copy of a good checkpoint to spoil.
fn copy(name: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(support::directory(name)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, directory.path().join(path.file_name().unwrap())).unwrap();
    }
    directory
}

fn refusal(directory: &Path) -> String {
    match TransformerModel::open(directory, EngineOptions::default()) {
        Ok(_) => panic!("opened"),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.contains('\n'), "{message}");
            message
        }
    }
}

fn change(directory: &Path, file: &str, from: &str, to: &str) {
    let path = directory.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// Renames a tensor in the header without moving anything: both names have the same length.
fn rename_tensor(directory: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let path = directory.join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes
        .windows(from.len())
        .position(|w| w == from.as_bytes())
        .unwrap();
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_truncated_file_is_named_with_its_tensor() {
    let directory = copy("bert");
    let path = directory.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    let message = refusal(directory.path());
    assert!(
        message.starts_with("model.safetensors: ends before the data of `"),
        "{message}"
    );
    fs::write(&path, &bytes[..20]).unwrap();
    assert!(refusal(directory.path()).contains("ends inside its header"));
    fs::write(&path, b"").unwrap();
    assert!(refusal(directory.path()).contains("not safetensors"));
}

#[test]
fn wrong_shapes_are_named_with_what_was_expected() {
    let directory = copy("bert");
    change(
        directory.path(),
        "config.json",
        "\"intermediate_size\": 48",
        "\"intermediate_size\": 64",
    );
    let message = refusal(directory.path());
    assert!(
        message.contains("intermediate.dense.weight` has shape 48 x "),
        "{message}"
    );
    assert!(message.contains("expected 64 x "), "{message}");
}

#[test]
fn a_missing_tensor_is_named() {
    let directory = copy("bert");
    let name = "bert.encoder.layer.1.output.dense.weight";
    rename_tensor(
        directory.path(),
        name,
        "bert.encoder.layer.1.output.dense.wxight",
    );
    let message = refusal(directory.path());
    assert_eq!(message, format!("model.safetensors: no tensor `{name}`"));
}

#[test]
fn a_vocabulary_larger_than_the_embedding_is_refused() {
    let directory = copy("bert");
    let larger = support::directory("xlm-roberta").join("tokenizer.json");
    let gpt = support::directory("gemma2").join("tokenizer.json");
    let found = [larger, gpt].into_iter().any(|tokenizer| {
        fs::copy(tokenizer, directory.path().join("tokenizer.json")).unwrap();
        match TransformerModel::open(directory.path(), EngineOptions::default()) {
            Err(error) => error
                .to_string()
                .contains("the embedding `bert.embeddings.word_embeddings.weight` has"),
            Ok(_) => false,
        }
    });
    assert!(found);
}

#[test]
fn an_unknown_architecture_is_named() {
    let directory = copy("bert");
    change(
        directory.path(),
        "config.json",
        "\"model_type\": \"bert\"",
        "\"model_type\": \"mamba\"",
    );
    assert_eq!(
        refusal(directory.path()),
        "config.json: unknown architecture `mamba` (a state-space model)"
    );
}

/// The configuration is looked at first: what else is missing matters only for a model that is read.
#[test]
fn an_unread_model_is_named_whatever_else_is_missing() {
    for (config, wanted, hint) in [
        (
            r#"{"model_type": "baichuan"}"#,
            "its nearest relative here is `llama`",
            "openai:",
        ),
        (
            r#"{"model_type": "led"}"#,
            "its nearest relative here is `bart`",
            "--mt file:",
        ),
        (
            r#"{"model_type": "roformer"}"#,
            "its nearest relative here is `bert`",
            "relative",
        ),
        (
            r#"{"model_type": "esm"}"#,
            "a model of proteins",
            "models of text",
        ),
        (
            r#"{"model_type": "marian"}"#,
            "`marian` is a translation model",
            "--mt dir:PATH",
        ),
        (
            r#"{"architectures": ["MyOwnModel"]}"#,
            "`MyOwnModel`",
            "openai:",
        ),
        (
            r#"{"model_type": "mistral3", "text_config": {"model_type": "ministral3"}}"#,
            "unknown architecture `ministral3`",
            "openai:",
        ),
        (
            r#"{"model_type": "llama", "quantization_config": {"quant_method": "awq"}}"#,
            "config.json: `quantization_config`: quantised weights (awq), which are not supported",
            "gguf:PATH",
        ),
    ] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("config.json"), config).unwrap();
        let message = refusal(directory.path());
        assert!(message.contains(wanted), "{message}");
        let opened = TransformerModel::open(directory.path(), EngineOptions::default());
        let error = opened.unwrap_err();
        assert!(error.hint().unwrap().contains(hint), "{:?}", error.hint());
    }
}

/// DeepSeek-V3 is published with a layer more, which guesses tokens further on.
#[test]
fn a_layer_behind_the_last_is_left_out_only_where_the_configuration_says_so() {
    let directory = copy("deepseek_v3");
    const LAYERS: &str = "\"num_hidden_layers\": 2,";
    let one = "\"num_hidden_layers\": 1,";
    change(directory.path(), "config.json", LAYERS, one);
    let message = refusal(directory.path());
    assert!(
        message.contains("unexpected tensors in the checkpoint: `model.layers.1."),
        "{message}"
    );
    let directory = copy("deepseek_v3");
    let with = "\"num_hidden_layers\": 1, \"num_nextn_predict_layers\": 1,";
    change(directory.path(), "config.json", LAYERS, with);
    let opened = TransformerModel::open(directory.path(), EngineOptions::default());
    assert!(opened.is_ok(), "{:?}", opened.err());
}

#[test]
fn what_is_no_pickle_is_refused_with_the_way_out() {
    let directory = copy("bert");
    let path = directory.path();
    fs::rename(
        path.join("model.safetensors"),
        path.join("pytorch_model.bin"),
    )
    .unwrap();
    assert!(refusal(path).contains("pytorch_model.bin: pickled weights that cannot be read"));
    let error = TransformerModel::open(path, EngineOptions::default()).unwrap_err();
    assert!(error.hint().unwrap().contains("safe_serialization"));
}

#[test]
fn missing_files_are_named() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let directory = copy("bert");
        fs::remove_file(directory.path().join(file)).unwrap();
        assert!(refusal(directory.path()).contains(&format!("no {file}")));
    }
    let directory = copy("gpt2-sharded");
    fs::remove_file(directory.path().join("model-00002-of-00003.safetensors")).unwrap();
    assert!(refusal(directory.path()).contains("no model-00002-of-00003.safetensors"));
}

#[test]
fn an_encoder_without_its_head_is_never_scored() {
    let model = support::model("bert-encoder");
    assert!(!model.has_head());
    let question = Question::MaskedPair {
        masculine: "He said.".to_owned(),
        feminine: "She said.".to_owned(),
        one_token: false,
    };
    let error = model.answer(&[support::query(question)]).unwrap_err();
    let source = error.source.downcast_ref();
    assert!(matches!(source, Some(LmError::NoHead { .. })));
    assert!(
        error
            .to_string()
            .contains("saved without its language-model head cannot be scored")
    );
}

#[test]
fn a_word_that_the_tokenizer_splits_is_refused() {
    let model = support::model("gpt2");
    let question = Question::NextWord {
        prompt: "\"I cried.\",".to_owned(),
        masculine: "grandfather".to_owned(),
        feminine: "she".to_owned(),
    };
    let error = model.answer(&[support::query(question)]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("the tokenizer splits `grandfather` into "),
        "{message}"
    );
}

#[test]
fn texts_longer_than_the_model_reads_are_refused() {
    let model = support::model("bert");
    let error = model.encode(&"I cried. ".repeat(100)).unwrap_err();
    assert!(error.to_string().contains("the model reads at most 128"));
}
