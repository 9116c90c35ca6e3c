//! Japanese BERT's tokenizers: a thousand odd lines become the ids that `transformers` gives them with MeCab.
//!
//! Dictionary and answers are made by `tools/reference/japanese_tokenizers.py`. Where EPICENE_MECAB_COMPARE names a directory
//! that script wrote for another dictionary, and EPICENE_MECAB_DICTIONARY that dictionary, it is compared too.

use std::fs;
use std::path::{Path, PathBuf};

use epicene_checkpoint::{CheckpointError, Config};
use epicene_io::digest::hex;
use epicene_tokenize::{Surroundings, TextTokenizer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/japanese")
}

/// The dictionary with its packed table of letters unpacked.
fn dictionary() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in ["sys.dic", "unk.dic", "matrix.bin"] {
        fs::copy(place().join(name), directory.path().join(name)).unwrap();
    }
    let packed = fs::File::open(place().join("char.bin.gz")).unwrap();
    let mut out = fs::File::create(directory.path().join("char.bin")).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(packed), &mut out).unwrap();
    directory
}

fn open(
    vocabulary: &Path,
    settings: &Value,
    dictionary: Option<&Path>,
) -> Result<TextTokenizer, CheckpointError> {
    let directory = tempfile::tempdir().unwrap();
    fs::copy(vocabulary, directory.path().join("vocab.txt")).unwrap();
    let file = directory.path().join("tokenizer_config.json");
    fs::write(file, settings.to_string()).unwrap();
    let config = Config::parse(r#"{"model_type": "bert"}"#).unwrap();
    TextTokenizer::open_with(
        directory.path(),
        &config,
        &[],
        Surroundings {
            dictionary,
            ..Surroundings::default()
        },
    )
}

/// Lines that become other tokens, of all cases in a directory.
fn differences(place: &Path, dictionary: &Path) -> Vec<String> {
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(place.join(name)).unwrap()).unwrap()
    };
    let lines: Vec<String> = serde_json::from_value(read("lines.json")).unwrap();
    assert_eq!(lines.len(), 1000);
    let mut found = Vec::new();
    for (name, case) in read("cases.json").as_object().unwrap() {
        let vocabulary = place.join("vocab.txt");
        let tokenizer = open(&vocabulary, &case["settings"], Some(dictionary)).unwrap();
        assert_eq!(case["size"], json!(tokenizer.size()), "{name}");
        let hashes = case["hashes"].as_str().unwrap();
        let before = found.len();
        for (number, line) in lines.iter().enumerate() {
            let ids = tokenizer.encode(line).unwrap();
            let text: Vec<String> = ids.iter().map(u32::to_string).collect();
            let hash = hex(&Sha256::digest(text.join(" ")));
            if hash[..8] != hashes[8 * number..8 * number + 8] {
                let pieces: Vec<String> = ids.iter().map(|id| tokenizer.spelling(*id)).collect();
                found.push(format!("{name} {number}: {line:?} becomes {pieces:?}"));
            }
        }
        println!("{name}: {} of 1000 lines differ", found.len() - before);
    }
    found
}

#[test]
fn odd_lines_become_the_same_tokens() {
    let dictionary = dictionary();
    let found = differences(&place(), dictionary.path());
    assert!(found.is_empty(), "{:#?}", &found[..found.len().min(12)]);
}

#[test]
fn a_real_dictionary_gives_the_same_tokens() {
    let variables = ["EPICENE_MECAB_COMPARE", "EPICENE_MECAB_DICTIONARY"];
    let [Some(compare), Some(dictionary)] = variables.map(std::env::var_os) else {
        println!("skipped: {variables:?} name no answers for a real dictionary");
        return;
    };
    let found = differences(Path::new(&compare), Path::new(&dictionary));
    assert!(found.is_empty(), "{:#?}", &found[..found.len().min(12)]);
}

#[test]
fn words_keep_their_places() {
    let dictionary = dictionary();
    let settings =
        json!({"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"});
    let tokenizer = open(
        &place().join("vocab.txt"),
        &settings,
        Some(dictionary.path()),
    )
    .unwrap();
    // Half-width letters are one word, though they are normalised before they are looked up.
    let words = ["私は", "ｶﾞｷ"].map(str::to_owned);
    let found = tokenizer.words_of("私は ｶﾞｷ", &words).unwrap();
    assert!(found.iter().any(|(_, word)| *word == 0));
    assert_eq!(found.last().unwrap().1, 1);
    assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1));
}

#[test]
fn what_is_missing_or_not_known_is_said() {
    let settings = |more: Value| {
        let mut settings =
            json!({"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"});
        for (name, value) in more.as_object().unwrap() {
            settings[name] = value.clone();
        }
        settings
    };
    let vocabulary = place().join("vocab.txt");
    let refusal = |more: Value, dictionary: Option<&Path>| {
        open(&vocabulary, &settings(more), dictionary).unwrap_err()
    };
    let error = refusal(json!({"mecab_kwargs": {"mecab_dic": "ipadic"}}), None);
    assert!(error.to_string().contains("dictionary `ipadic`"), "{error}");
    assert!(error.hint().unwrap().contains("EPICENE_MECAB_DICTIONARY"));
    let whole = dictionary();
    for (more, wanted) in [
        (json!({"word_tokenizer_type": "sudachi"}), "is `sudachi`"),
        (
            json!({"subword_tokenizer_type": "sentencepiece"}),
            "is `sentencepiece`",
        ),
        (
            json!({"do_word_tokenize": false}),
            "`do_word_tokenize` is false",
        ),
        (
            json!({"mecab_kwargs": {"normalize_text": false}}),
            "has `normalize_text`",
        ),
        (json!({"keep_accents": true}), "`keep_accents` is true"),
    ] {
        let error = refusal(more, Some(whole.path())).to_string();
        assert!(error.contains(wanted), "{wanted}: {error}");
    }
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin"] {
        let broken = dictionary();
        let path = broken.path().join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = refusal(json!({}), Some(broken.path())).to_string();
        assert!(error.starts_with(name), "{error}");
        fs::remove_file(&path).unwrap();
        assert!(
            refusal(json!({}), Some(broken.path()))
                .to_string()
                .contains(name)
        );
    }
}
