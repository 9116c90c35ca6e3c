//! Models run here, opened by their specification: the tiny checkpoints of `epicene-engine` and what `transformers` writes
//! with them.

use std::path::PathBuf;

use epicene_io::http::RetryPolicy;
use epicene_mt::{Direction, MtError, Opening, Translated, Translator, TranslatorSpec};
use serde_json::Value;

const GERMAN: Direction<'static> = Direction {
    from: "en",
    to: "de",
};

fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../engine/engine/tests/seq2seq")
        .join(name)
}

fn open(name: &str, options: &str, to: &str) -> Result<Box<dyn Translator>, MtError> {
    let spec = format!("dir:{}{options}", directory(name).display());
    let spec: TranslatorSpec = spec.parse()?;
    let opening = Opening {
        directions: &[Direction { from: "en", to }],
        policy: RetryPolicy::default(),
        placement: epicene_lm::Placement::Cpu,
        dtype: None,
        ignored: &[],
        tell: &|_| {},
        detail: &|_| {},
        threads: 2,
        progress: &|_| {},
    };
    epicene_mt::open(&spec, &opening)
}

#[test]
fn a_directory_translates_as_transformers_does() {
    for name in ["marian", "m2m_100", "nllb", "mbart50"] {
        let path = directory(name).join("golden.json");
        let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let texts: Vec<&str> = golden["sentences"].as_array().unwrap()[..10]
            .iter()
            .map(|sentence| sentence["text"].as_str().unwrap())
            .collect();
        for (run, options) in [(0, ",beam=1"), (1, ",beam=5")] {
            let translator = open(name, options, "de").unwrap();
            let found = translator.translate(&texts, GERMAN).unwrap();
            let wanted = golden["runs"][run]["results"].as_array().unwrap();
            for (found, wanted) in found.iter().zip(wanted) {
                let wanted = wanted["text"].as_str().unwrap().to_owned();
                assert_eq!(*found, Translated::Text(wanted), "{name}{options}");
            }
        }
    }
}

#[test]
fn the_card_tells_searches_apart() {
    let source = |options: &str| open("nllb", options, "de").unwrap().card().source.clone();
    // The checkpoint does not say, and `generate` is greedy then.
    assert!(source("").starts_with("dir:nllb,greedy,"));
    assert!(source(",beam=5").starts_with("dir:nllb,beam=5,length-penalty=1,"));
    assert!(source(",beam=2,length-penalty=0.6").contains("length-penalty=0.6"));
    let card = open("nllb", "", "de").unwrap().card().clone();
    assert!(card.revision.unwrap().starts_with("sha256:"));
}

#[test]
fn a_language_the_model_lacks_is_refused_when_it_is_opened() {
    let refused = open("nllb", "", "is").err().unwrap();
    assert!(
        refused
            .to_string()
            .contains("it has: cs, de, en, es, fr, zh"),
        "{refused}"
    );
    assert!(refused.hint().is_some());
}

#[test]
fn what_was_cut_is_noted() {
    let translator = open("marian", "", "de").unwrap();
    assert!(translator.notes().is_empty());
    let long = "The nurse was late. ".repeat(60);
    translator.translate(&[&long, ""], GERMAN).unwrap();
    let notes = translator.notes();
    assert!(notes[0].starts_with("1 sentence was longer"), "{notes:?}");
}

/// A tiny causal model that is asked to translate: what it writes is nonsense, but always the same.
#[test]
fn a_causal_model_is_asked_in_a_wording() {
    let place = "../checkpoints/llama";
    let alma = open(place, ",prompt=alma,max-length=8", "de").unwrap();
    assert_eq!(
        alma.card().source,
        "dir:llama,prompt=alma,max-length=8",
        "{:?}",
        alma.card()
    );
    let texts = ["I was tired.", "She ran home."];
    let found = alma.translate(&texts, GERMAN).unwrap();
    assert_eq!(found, alma.translate(&texts, GERMAN).unwrap());
    assert_eq!(found[1..], alma.translate(&texts[1..], GERMAN).unwrap());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{from}: {text}\n{to}:").unwrap();
    let options = format!(",prompt={},max-length=8", file.path().display());
    let own = open(place, &options, "de").unwrap();
    assert!(own.card().source.starts_with("dir:llama,prompt=file@"));
    for (options, wanted) in [
        (",prompt=chat", "chat template"),
        (
            ",prompt=nothing-of-the-kind",
            "is none of chat, tower, eurollm, alma",
        ),
        (",prompt=alma,beam=3", "writes greedily"),
        (",prompt=alma,max-length=0", "makes no sense"),
    ] {
        let error = match open(place, options, "de") {
            Ok(_) => panic!("{options}"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(wanted), "{options}: {error}");
    }
}
