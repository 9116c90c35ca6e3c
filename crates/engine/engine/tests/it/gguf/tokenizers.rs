//! Token ids against llama.cpp's, on sentences of our own.
//!
//! The tiny vocabularies are always there. The two real ones are compared where EPICENE_MODELS
//! names the directory tools/fetch_models.py filled.

use super::support::{TINY, families, golden, llama_cpp};
use epicene_checkpoint::gguf::Gguf;
use epicene_tokenize::gguf_tokenizer as tokenizer;
use serde_json::Value;

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

/// Hugging Face's tokenizer of Qwen composes letters and accents first; llama.cpp's does not.
const DECOMPOSED: &str = "cafe\u{301} with a combining accent";

fn compare(name: &str, gguf: &Gguf, texts: &[&str], ids: &Value) {
    let made = tokenizer(gguf).unwrap();
    let expected: Vec<Vec<u32>> = serde_json::from_value(ids.clone()).unwrap();
    assert_eq!(texts.len(), expected.len());
    let mut wrong = Vec::new();
    for (text, expected) in texts.iter().zip(&expected) {
        let found = made.tokenizer.encode_fast(*text, true).unwrap();
        if *text == DECOMPOSED && made.variant == "gpt2/qwen2" {
            let composed = made
                .tokenizer
                .encode_fast("caf\u{e9} with a combining accent", true)
                .unwrap();
            assert_eq!(found.get_ids(), composed.get_ids());
            continue;
        }
        if found.get_ids() != expected {
            wrong.push(format!("{text:?}\n  {:?}\n  {expected:?}", found.get_ids()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{name}: {} of {}\n{}",
        wrong.len(),
        texts.len(),
        wrong.join("\n")
    );
}

#[test]
fn tiny_vocabularies_give_the_ids_of_llama_cpp() {
    let golden_file = llama_cpp();
    let hard = strings(&golden_file["hard"]);
    for name in TINY {
        let gguf = Gguf::open(&golden(&format!("tiny-{name}.gguf"))).unwrap();
        compare(name, &gguf, &hard, &golden_file["models"][name]["ids"]);
    }
    for (name, model) in families()["models"].as_object().unwrap() {
        if let Some(ids) = model.get("ids") {
            let gguf = Gguf::open(&golden(model["file"].as_str().unwrap())).unwrap();
            compare(name, &gguf, &hard, ids);
        }
    }
}

#[test]
fn real_vocabularies_give_the_ids_of_llama_cpp() {
    let Some(directory) = std::env::var_os("EPICENE_MODELS") else {
        return;
    };
    let golden_file = llama_cpp();
    let mut texts = strings(&golden_file["hard"]);
    texts.extend(strings(&golden_file["plain"]));
    assert_eq!(texts.len(), 200);
    for name in ["smollm2", "gemma-3-270m"] {
        let model = &golden_file["models"][name];
        let path = std::path::Path::new(&directory).join(model["file"].as_str().unwrap());
        compare(name, &Gguf::open(&path).unwrap(), &texts, &model["ids"]);
    }
}

#[test]
fn special_tokens_are_framed_as_the_file_says() {
    for (name, bos, variant) in [
        ("llama", Some(1), "llama"),
        ("llama3", Some(0), "gpt2/llama-bpe"),
        ("gpt2", None, "gpt2/gpt-2"),
        ("gemma3", Some(1), "llama"),
    ] {
        let made = tokenizer(&Gguf::open(&golden(&format!("tiny-{name}.gguf"))).unwrap()).unwrap();
        assert_eq!(made.bos.filter(|_| made.adds_bos), bos, "{name}");
        assert_eq!(made.variant, variant);
        let inside = made.tokenizer.encode_fast("he", false).unwrap();
        assert!(!inside.get_ids().contains(&bos.unwrap_or(0)));
        let text = made.tokenizer.decode(inside.get_ids(), true).unwrap();
        assert_eq!(text, "he", "{name}");
    }
}
