//! Parsers of model files.

use std::cell::RefCell;
use std::path::Path;

use epicene_checkpoint::gguf::{self, Gguf};
use epicene_lm::{
    Config, EngineOptions, Placement, StoredTensors, TextTokenizer, TransformerModel, Weights,
};
use epicene_tokenize::{SentencePiece, gguf_tokenizer};

use crate::archive::{archive, six};
use crate::seeds::fixture;

thread_local! {
    static PLACE: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// A directory of this thread.
fn with_directory(work: impl FnOnce(&Path)) {
    PLACE.with_borrow_mut(|place| {
        if place.is_none() {
            *place = tempfile::tempdir().ok();
        }
        if let Some(place) = place {
            work(place.path());
        }
    });
}

/// Lends a file with these bytes.
pub fn with_file(name: &str, bytes: &[u8], work: impl FnOnce(&Path)) {
    with_directory(|directory| {
        let path = directory.join(name);
        if std::fs::write(&path, bytes).is_ok() {
            work(&path);
        }
    });
}

pub fn safetensors(bytes: &[u8]) {
    with_file("model.safetensors", bytes, |path| {
        let Some(Ok(weights)) = path.parent().map(StoredTensors::open) else {
            return;
        };
        for name in [
            "a",
            "b",
            "cls.predictions.bias",
            "bert.embeddings.word_embeddings.weight",
        ] {
            let _ = weights.shape(name);
        }
    });
}

/// A pickle in the archive of `torch.save`; where it is no archive by itself.
pub fn pickle(bytes: &[u8]) {
    let name = "pytorch_model.bin";
    let archived = if bytes.starts_with(b"PK") {
        bytes.to_vec()
    } else {
        archive(&[("x/data.pkl", bytes.to_vec()), ("x/data/0", six())])
    };
    with_file(name, &archived, |path| {
        let Some(Ok(weights)) = path
            .parent()
            .map(|place| StoredTensors::open_file(place, name))
        else {
            return;
        };
        for name in weights.names() {
            let count: usize = weights.shape(name).unwrap_or_default().iter().product();
            assert!(count <= archived.len());
            let _ = weights.read(name, 0, &mut vec![0.0; count]);
        }
    });
}

pub fn gguf(bytes: &[u8]) {
    let Ok(file) = Gguf::from_bytes("x.gguf", bytes.to_vec()) else {
        return;
    };
    let _ = gguf::config(&file);
    let _ = gguf_tokenizer(&file);
    for tensor in file.tensors() {
        let columns = tensor.columns();
        if columns <= 1 << 16 && tensor.rows() > 0 {
            let _ = file.row(tensor, 0, &mut vec![0.0; columns]);
        }
    }
}

/// A configuration beside weights and a tokenizer that are as they should be.
pub fn model_config(bytes: &[u8]) {
    with_directory(|directory| {
        let model = directory.join("model");
        let there = model.join("tokenizer.json").exists();
        if !there && std::fs::create_dir_all(&model).is_ok() {
            for name in ["model.safetensors", "tokenizer.json"] {
                let _ = std::fs::copy(fixture("checkpoints/bert").join(name), model.join(name));
            }
        }
        if std::fs::write(model.join("config.json"), bytes).is_ok() {
            let options = EngineOptions {
                threads: 1,
                placement: Placement::Cpu,
                ..EngineOptions::default()
            };
            let _ = TransformerModel::open(&model, options);
        }
    });
}

fn config() -> Config {
    Config::from_fields(Default::default())
}

pub fn tokenizer(bytes: &[u8]) {
    if let Ok(tokenizer) = TextTokenizer::parse(bytes, None, None, &config(), &[]) {
        use_tokenizer(&tokenizer);
    }
}

pub fn tokenizer_config(bytes: &[u8]) {
    let tokenizer = std::fs::read(fixture("checkpoints/bert/tokenizer.json")).unwrap_or_default();
    let settings = String::from_utf8_lossy(bytes);
    let settings = Some(&*settings);
    if let Ok(tokenizer) = TextTokenizer::parse(&tokenizer, settings, settings, &config(), &[]) {
        use_tokenizer(&tokenizer);
    }
}

fn use_tokenizer(tokenizer: &TextTokenizer) {
    let _ = tokenizer.frame();
    let _ = tokenizer.word("he");
    let words = ["I", "was", "žluť\u{301}"].map(str::to_owned);
    let _ = tokenizer.words_of("I was žluť\u{301}", &words);
    if let Ok(ids) = tokenizer.encode("\"I was žluť\u{301} \u{1f3c3}.\"") {
        let _ = tokenizer.decode(&ids);
    }
    let _ = tokenizer.decode(&[0, 7, u32::MAX]);
}

pub fn sentencepiece(bytes: &[u8]) {
    if let Ok(model) = SentencePiece::parse(bytes) {
        let pieces = model.encode("I was  žluť\u{301} \u{1f3c3}.\0");
        let _ = model.decode(pieces.iter().map(|(piece, _)| piece.as_str()));
        let _ = model.piece(model.size());
    }
}
