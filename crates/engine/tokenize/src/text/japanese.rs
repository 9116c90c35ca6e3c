//! Japanese BERT (`BertJapaneseTokenizer`): words by MeCab, then WordPiece or single characters of `vocab.txt`.
//!
//! The dictionary is the user's: `EPICENE_MECAB_DICTIONARY` names its directory. The checkpoint says which one it wants; another
//! one gives other words, so that a digest of it stands in the card.

use std::ops::Range;
use std::path::Path;

use epicene_io::digest::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokenizers::NormalizedString;
use tokenizers::normalizer::Range as Span;

use super::classes::check;
use super::mecab::Mecab;
use super::old::{OldFiles, Read};
use super::{SPECIAL, settings};
use epicene_checkpoint::{CheckpointError, Config};

/// The class of `transformers`.
pub const CLASS: &str = "BertJapaneseTokenizer";
/// Where the dictionary is.
pub const VARIABLE: &str = "EPICENE_MECAB_DICTIONARY";

/// Settings that are looked at here.
const UNDERSTOOD: &[&str] = &[
    "do_lower_case",
    "do_subword_tokenize",
    "do_word_tokenize",
    "jumanpp_kwargs",
    "mecab_kwargs",
    "never_split",
    "spm_file",
    "subword_tokenizer_type",
    "sudachi_kwargs",
    "tokenizer_class",
    "word_tokenizer_type",
];

/// Splits a text into words.
#[derive(Debug)]
pub struct Words {
    mecab: Mecab,
    /// Whether every character is a word.
    characters: bool,
    /// Special tokens, which are words wherever they stand.
    specials: Vec<String>,
}

/// The `tokenizer.json` of the words' pieces, and the splitter of texts.
pub fn open(
    files: &OldFiles<'_>,
    place: Option<&Path>,
) -> Result<(Vec<u8>, Words), CheckpointError> {
    let settings = files.settings;
    let text = |field: &str, default: &'static str| {
        let stored = settings.stored(field).and_then(Value::as_str);
        stored.unwrap_or(default).to_owned()
    };
    check(settings, UNDERSTOOD)?;
    for field in ["do_word_tokenize", "do_subword_tokenize"] {
        if !settings.flag(field, true)? {
            return Err(settings.bad(field, "is false, which is not supported"));
        }
    }
    match text("word_tokenizer_type", "basic").as_str() {
        "mecab" => {}
        other => {
            let problem = format!("is `{other}`; only `mecab` is supported");
            return Err(settings.bad("word_tokenizer_type", problem));
        }
    }
    let characters = match text("subword_tokenizer_type", "wordpiece").as_str() {
        "wordpiece" => false,
        "character" => true,
        other => {
            let problem = format!("is `{other}`, which is not supported");
            return Err(settings.bad("subword_tokenizer_type", problem));
        }
    };
    let wanted = settings.stored("mecab_kwargs").and_then(Value::as_object);
    let option = |name: &str| wanted.and_then(|wanted| wanted.get(name));
    for (name, value) in wanted.into_iter().flatten() {
        let known = match name.as_str() {
            "mecab_dic" | "mecab_option" => true,
            "normalize_text" => value.as_bool() == Some(true),
            _ => false,
        };
        if !known {
            let problem = format!("has `{name}`: {value}, which is not supported");
            return Err(settings.bad("mecab_kwargs", problem));
        }
    }
    let dictionary = option("mecab_dic").and_then(Value::as_str);
    let dictionary = dictionary.unwrap_or("unidic_lite");
    let place = place.ok_or_else(|| CheckpointError::Dictionary {
        wanted: dictionary.to_owned(),
    })?;
    let (json, specials) = pieces(files, characters)?;
    files.config.remark(format!("mecab={}", digest(place)?));
    let words = Words {
        mecab: Mecab::open(place)?,
        characters,
        specials,
    };
    Ok((json, words))
}

/// Which dictionary it is: its sizes and beginnings, since some have hundreds of megabytes.
fn digest(place: &Path) -> Result<String, CheckpointError> {
    use std::io::Read;
    let mut hash = Sha256::new();
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin"] {
        let io = |error: std::io::Error| CheckpointError::Unreadable {
            file: place.join(name).display().to_string(),
            problem: error.to_string(),
        };
        let file = std::fs::File::open(place.join(name)).map_err(io)?;
        hash.update(file.metadata().map_err(io)?.len().to_le_bytes());
        let mut start = Vec::new();
        file.take(1 << 20).read_to_end(&mut start).map_err(io)?;
        hash.update(&start);
    }
    Ok(hex(&hash.finalize())[..8].to_owned())
}

/// `vocab.txt` as a tokenizer of words that are split already, and its special tokens.
fn pieces(
    files: &OldFiles<'_>,
    characters: bool,
) -> Result<(Vec<u8>, Vec<String>), CheckpointError> {
    // Built as BERT's, whose files and special tokens it has.
    let as_bert = Config::parse_file(settings::FILE, r#"{"tokenizer_class": "BertTokenizer"}"#)?;
    let read: Read<'_> = files.read;
    let built = super::old::tokenizer_json(&OldFiles {
        read,
        settings: &as_bert,
        ..*files
    })?;
    let built = built.ok_or_else(|| CheckpointError::Tokenizer {
        file: "vocab.txt".to_owned(),
        problem: "is missing".to_owned(),
    })?;
    let mut state: Value = serde_json::from_slice(&built).map_err(broken)?;
    state["normalizer"] = if files.settings.flag("do_lower_case", false)? {
        json!({"type": "Lowercase"})
    } else {
        Value::Null
    };
    state["pre_tokenizer"] = Value::Null;
    if characters {
        let model = &state["model"];
        state["model"] = json!({
            "type": "WordLevel",
            "vocab": model["vocab"],
            "unk_token": model["unk_token"],
        });
    }
    let tokens = state["added_tokens"].as_array().into_iter().flatten();
    let specials = tokens.filter_map(|token| Some(token.get("content")?.as_str()?.to_owned()));
    let specials = specials.collect();
    Ok((state.to_string().into_bytes(), specials))
}

fn broken(error: serde_json::Error) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: SPECIAL.to_owned(),
        problem: error.to_string(),
    }
}

impl Words {
    /// The words of a text, each with its place in it.
    pub fn of(&self, text: &str) -> Vec<(String, Range<usize>)> {
        let mut words = Vec::new();
        let mut rest = 0;
        while rest < text.len() {
            // The special token that begins first; of several, the longest.
            let found = self
                .specials
                .iter()
                .filter_map(|special| Some((text[rest..].find(special.as_str())?, special)))
                .min_by_key(|(at, special)| (*at, std::cmp::Reverse(special.len())));
            let end = found.map_or(text.len(), |(at, _)| rest + at);
            self.split(text, rest..end, &mut words);
            rest = end;
            if let Some((_, special)) = found {
                words.push((special.clone(), end..end + special.len()));
                rest += special.len();
            }
        }
        words
    }

    fn split(&self, text: &str, part: Range<usize>, words: &mut Vec<(String, Range<usize>)>) {
        let mut normalized = NormalizedString::from(&text[part.clone()]);
        normalized.nfkc();
        let plain = normalized.get().to_owned();
        let mut push = |range: Range<usize>| {
            let place = normalized.convert_offsets(Span::Normalized(range.clone()));
            let place = place.unwrap_or(0..part.len());
            let place = part.start + place.start..part.start + place.end;
            words.push((plain[range].to_owned(), place));
        };
        for word in self.mecab.words(&plain) {
            if self.characters {
                for (at, letter) in plain[word.clone()].char_indices() {
                    let start = word.start + at;
                    push(start..start + letter.len_utf8());
                }
            } else {
                push(word)
            }
        }
    }
}
