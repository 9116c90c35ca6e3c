//! XLM's and FlauBERT's tokenizers: odd lines become the ids that `transformers` gives them, in several languages.
//!
//! The files are made by `tools/reference/moses_tokenizers.py`.

use std::fs;
use std::path::{Path, PathBuf};

use epicene_checkpoint::{CheckpointError, Config};
use epicene_engine::{EngineOptions, TransformerModel, Wanted};
use epicene_io::digest::hex;
use epicene_tokenize::{Surroundings, TextTokenizer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moses")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A directory with the vocabulary, these settings and further files.
fn directory(settings: &Value, more: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in ["vocab.json", "merges.txt"] {
        fs::copy(place().join(name), directory.path().join(name)).unwrap();
    }
    let file = directory.path().join("tokenizer_config.json");
    fs::write(file, settings.to_string()).unwrap();
    for (name, text) in more {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn open(
    directory: &TempDir,
    config: &Value,
    language: Option<&str>,
) -> Result<TextTokenizer, CheckpointError> {
    let config = Config::parse(&config.to_string()).unwrap();
    let surroundings = Surroundings {
        language,
        ..Surroundings::default()
    };
    TextTokenizer::open_with(directory.path(), &config, &[], surroundings)
}

#[test]
fn odd_lines_become_the_same_tokens() {
    let odd = read(&place().join("../old_tokenizers/lines.json"));
    let own = read(&place().join("lines.json"));
    let lines = [&odd, &own].map(|lines| lines.as_array().unwrap().clone());
    let lines = lines.concat();
    assert_eq!(lines.len(), 1600);
    let mut failures = Vec::new();
    let cases = read(&place().join("cases.json"));
    let cases = cases.as_object().unwrap();
    assert!(cases.len() >= 20);
    for (name, case) in cases {
        let more = case["more"].as_object().unwrap().iter();
        let more: Vec<(&str, &str)> = more
            .map(|(name, text)| (name.as_str(), text.as_str().unwrap()))
            .collect();
        let config =
            json!({"model_type": case["model_type"], "transformers_version": case["version"]});
        let directory = directory(&case["settings"], &more);
        let tokenizer = open(&directory, &config, case["language"].as_str()).unwrap();
        let hashes = case["hashes"].as_str().unwrap();
        let mut wrong = 0;
        for (number, line) in lines.iter().enumerate() {
            let ids = tokenizer.encode(line.as_str().unwrap()).unwrap();
            let text: Vec<String> = ids.iter().map(u32::to_string).collect();
            let found = hex(&Sha256::digest(text.join(" ")));
            let wanted = case["first"].get(number.to_string());
            if found[..4] != hashes[4 * number..4 * number + 4]
                || wanted.is_some_and(|wanted| *wanted != json!(ids))
            {
                wrong += 1;
                if wrong <= 3 {
                    let tokens: Vec<String> =
                        ids.iter().map(|id| tokenizer.spelling(*id)).collect();
                    failures.push(format!("{name} {number}: {line} becomes {tokens:?}"));
                }
            }
        }
        assert_eq!(case["size"], json!(tokenizer.size()), "{name}");
        assert_eq!(case["mask"], json!(tokenizer.mask()), "{name}");
        println!("{name}: {wrong} of {} lines differ", lines.len());
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Every word of a text as its pieces spell it.
fn spelled(tokenizer: &TextTokenizer, text: &str) -> Vec<String> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let found = tokenizer.words_of(text, &words).unwrap();
    let ids = tokenizer.encode(text).unwrap();
    // All but the two tokens around the text.
    assert_eq!(found.len() + 2, ids.len());
    let mut spelled = vec![String::new(); words.len()];
    for (token, word) in &found {
        let piece = tokenizer.spelling(ids[*token]).replace("</w>", "|");
        spelled[*word].push_str(&piece);
    }
    spelled
}

#[test]
fn pieces_keep_their_places() {
    let config = json!({"model_type": "flaubert"});
    let french = open(&directory(&json!({}), &[]), &config, None).unwrap();
    let found = spelled(&french, "L'infirmière a dit « oui ». On rit...");
    let wanted = ["L'|infirmière|", "a|", "dit|", "\"|", "oui|", "\"|.|"];
    assert_eq!(found[..6], wanted);
    // Where a quotation mark and a full stop change places, both stay with their word.
    let found = spelled(&french, "dit \"oui.\" On a");
    assert_eq!(found, ["dit|", "\"|oui|\"|.|", "On|", "a|"]);
    let config = json!({"model_type": "xlm"});
    let english = open(&directory(&json!({}), &[]), &config, None).unwrap();
    let found = spelled(
        &english,
        "He said \"no\". E\u{301}te\u{301} <special1> (it's)",
    );
    let wanted = [
        "he|",
        "said|",
        "\"|no|.|\"|",
        "e|te|",
        "<special1>",
        "<unk><unk>'s|)|",
    ];
    assert_eq!(found, wanted);
    for tokenizer in [french, english] {
        assert_eq!(tokenizer.frame().unwrap(), (1, 1));
        assert_eq!(tokenizer.variant(), "bpe");
        assert_eq!(tokenizer.mask_text().unwrap(), "<special1>");
    }
}

#[test]
fn what_is_not_known_is_said() {
    let refusal = |model_type: &str, settings: Value, more: &[(&str, &str)], language| {
        let config = json!({"model_type": model_type});
        let directory = directory(&settings, more);
        let error = open(&directory, &config, language).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    let twice = json!({"1": {"content": "she", "single_word": true, "special": false}});
    for (wanted, settings, more, language) in [
        (
            "splits words of `zh` by Jieba",
            json!({}),
            vec![],
            Some("zh"),
        ),
        (
            "splits words of `ja` by KyTea",
            json!({}),
            vec![],
            Some("ja"),
        ),
        (
            "splits words of `th` by PyThaiNLP",
            json!({}),
            vec![],
            Some("th"),
        ),
        ("`German` is no language", json!({}), vec![], Some("German")),
        (
            "`fr` is no language of this checkpoint",
            json!({"lang2id": {"en": 0, "de": 1}}),
            vec![],
            Some("fr"),
        ),
        (
            "`keep_accents` is true",
            json!({"keep_accents": true}),
            vec![],
            None,
        ),
        (
            "`split_special_tokens` is true",
            json!({"split_special_tokens": true}),
            vec![],
            None,
        ),
        (
            "counts as a whole word only",
            json!({"added_tokens_decoder": twice}),
            vec![(
                "vocab.json",
                r#"{"<unk>": 0, "she": 1, "<s>": 2, "</s>": 3}"#,
            )],
            None,
        ),
        (
            "no token `<unk>`",
            json!({}),
            vec![("vocab.json", r#"{"<s>": 0, "</s>": 1}"#)],
            None,
        ),
        (
            "it stands beside vocab.json and merges.txt",
            json!({}),
            vec![("tokenizer.json", "{}")],
            None,
        ),
        (
            "vocab.json: not a tokenizer",
            json!({}),
            vec![("vocab.json", "[]")],
            None,
        ),
    ] {
        let message = refusal("xlm", settings, &more, language);
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
    let named = json!({"tokenizer_class": "XLMTokenizer"});
    let alone = directory(&named, &[("tokenizer.json", "{}")]);
    fs::remove_file(alone.path().join("merges.txt")).unwrap();
    let error = open(&alone, &json!({"model_type": "xlm"}), None).unwrap_err();
    let wanted = "XLMTokenizer reads vocab.json and merges.txt instead";
    assert!(error.to_string().contains(wanted), "{error}");
    // French has no other language, and names none.
    let config = json!({"model_type": "flaubert"});
    assert!(open(&directory(&json!({}), &[]), &config, Some("zh")).is_ok());
    let bare = tempfile::tempdir().unwrap();
    let error = open(&bare, &json!({"model_type": "xlm"}), None).unwrap_err();
    let wanted = "no tokenizer.json, and no vocab.json and merges.txt";
    assert!(error.to_string().ends_with(wanted), "{error}");
}

/// FlauBERT was published with the settings of its training, and a language embedding for its one language.
#[test]
fn published_configurations_are_read() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints/flaubert-moses");
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&place).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    let mut config = read(&place.join("config.json"));
    for (name, value) in json!({
        "amp": 1, "bptt": 512, "clip_grad_norm": 5, "encoder_only": true, "fp16": true, "group_by_size": true, "id2lang": {"0": "fr"},
        "lang2id": {"fr": 0}, "lang_id": 0, "langs": ["fr"], "lg_sampling_factor": -1, "lgs": "fr", "mask_token_id": 0,
        "max_batch_size": 0, "max_vocab": -1, "mlm_steps": [["fr", null]], "sample_alpha": 0, "share_inout_emb": true,
        "tokens_per_batch": -1, "word_blank": 0, "word_dropout": 0, "word_keep": 0.1, "word_mask": 0.8,
        "word_mask_keep_rand": "0.8,0.1,0.1", "word_pred": 0.15, "word_rand": 0.1, "word_shuffle": 0,
    })
    .as_object()
    .unwrap()
    {
        config[name] = value.clone();
    }
    fs::write(copy.path().join("config.json"), config.to_string()).unwrap();
    let model = TransformerModel::open(copy.path(), EngineOptions::default()).unwrap();
    let plain = TransformerModel::open(&place, EngineOptions::default()).unwrap();
    let text = "I said 'no', and he left. She stayed.";
    let look = |model: &TransformerModel| {
        let wanted = Wanted {
            hidden: true,
            ..Wanted::default()
        };
        model.look(&[text], wanted).unwrap().remove(0).hidden
    };
    assert_eq!(look(&model).row(0), look(&plain).row(0));
}

#[test]
fn the_card_says_how_texts_are_read() {
    let remarks = |settings: Value, version: &str, language| {
        let config = json!({"model_type": "xlm", "transformers_version": version});
        let config = Config::parse(&config.to_string()).unwrap();
        let surroundings = Surroundings {
            language,
            ..Surroundings::default()
        };
        let directory = directory(&settings, &[]);
        TextTokenizer::open_with(directory.path(), &config, &[], surroundings).unwrap();
        config.remarks()
    };
    let cased = json!({"do_lowercase_and_remove_accent": false});
    assert!(remarks(cased.clone(), "4.57.6", None).is_empty());
    assert_eq!(remarks(cased, "4.57.6", Some("de")), ["language=de"]);
    assert_eq!(remarks(json!({}), "4.57.6", None), ["as-transformers-4"]);
    assert_eq!(remarks(json!({}), "5.0.0", None), ["as-transformers-5"]);
}
